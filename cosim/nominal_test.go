package cosim_test

import (
	"strings"
	"testing"

	"skidpad/cosim"
)

// Tires that carry less than 0.3 or more than 3 of the nominal load of their parameters are named at the start with
// both numbers. In the file of the generic vehicle the nominal load is 4850 N times LFZO.
func TestLoadsFarFromTheNominalLoad(t *testing.T) {
	const base = `base = "generic4w.toml"
name = "Changed"
title = "Changed"
`
	start := func(text string, before func(r *run)) (text2 string, front, rear float64) {
		r := fromText(t, base+text, "")
		defer r.in.Close()
		if before != nil {
			before(r)
		}
		r.start(noInput)
		var list []string
		for _, w := range r.in.Warnings() {
			if strings.HasPrefix(w, cosim.WarningPrefix) {
				list = append(list, w)
			}
		}
		return strings.Join(list, "\n"), r.get("tire_FL.Fz"), r.get("tire_RL.Fz")
	}
	text, front, rear := start("", nil)
	if text != "" {
		t.Error(text)
	}
	scale := func(name string, x float64) func(r *run) { return func(r *run) { r.set(name+".LFZO", x) } }
	for name, c := range map[string]struct {
		text   string
		before func(r *run)
		want   string // "" for none
	}{
		"not too little": {"", scale("tire_FL", front/4850/0.301), ""},
		"too little": {"", scale("tire_FL", front/4850/0.299), "generic4w.toml:272:12: at the start tires carry less than " +
			"0.3 or more than 3 of the nominal load of their parameters, FNOMIN times LFZO: tire_FL 0.3 of 19"},
		"not too much": {"", scale("tire_RR", rear/4850/2.99), ""},
		"too much":     {"", scale("tire_RR", rear/4850/3.01), "tire_RR 3 of 17"},
		"two alike": {"", func(r *run) { scale("tire_RL", 10)(r); scale("tire_RR", 10)(r) },
			"LFZO: tire_RL, tire_RR 0.11 of 48500 N; friction"},
		"two kinds": {"", func(r *run) { scale("tire_FL", 10)(r); scale("tire_RL", 0.1)(r) },
			"tire_FL 0.12 of 48500 N; tire_RL 11 of 485 N; friction"},
		"a function without a nominal load": {"", func(r *run) {
			for text, value := range map[string]string{"tire_FL.model": "Fiala",
				"tire_FL.file": "../resources/tires/fiala_generic4w.toml"} {
				if err := r.in.SetText(text, value); err != nil {
					t.Fatal(err)
				}
			}
		}, ""},
		"another file": {"", func(r *run) {
			for _, text := range [][2]string{{"tire_FL.model", "Pacejka02"},
				{"tire_FL.file", "../resources/tires/truck_315_80R22.5.tir"}} {
				if err := r.in.SetText(text[0], text[1]); err != nil {
					t.Fatal(err)
				}
			}
		}, "tire_FL 0.17 of 34000 N; friction and stiffness are extrapolated: take a file of a tire for this load, " +
			"or scale the nominal load, --set 'tire_FL.LFZO*=0.17'"},
		"falling": {"", func(r *run) { scale("tire_FL", 10)(r); r.set("body.mass", 8000) },
			"the vehicle falls or jumps"},
	} {
		switch text, _, _ := start(c.text, c.before); {
		case (c.want == "") != (text == "") || !strings.Contains(text, c.want) || strings.Contains(text, "\n"):
			t.Errorf("%s: %q is not the only one in: %s", name, c.want, text)
		}
	}
}

// Relaxation lengths have their own nominal load, which is compared with no load. The load of a tire on a rig is not
// compared either.
func TestNominalLoadsOfRelaxationsAreIgnored(t *testing.T) {
	for _, c := range [][2]string{
		{"base = \"passenger_car.toml\"\n", "tire_FL.relaxation.LFZO"},
		{`base = "generic4w.toml"
[component.rig]
type = "prismatic"
from = "ground"
to = "body"
axis = "z"
`,
			"tire_FL.LFZO"},
	} {
		r := fromText(t, strings.Replace(c[0], "\n", "\nname = \"Changed\"\ntitle = \"Changed\"\n", 1), "")
		r.set(c[1], 10)
		r.start(noInput)
		for _, w := range r.in.Warnings() {
			if strings.Contains(w, "nominal load") {
				t.Errorf("%s: %s", c[1], w)
			}
		}
		r.in.Close()
	}
}
