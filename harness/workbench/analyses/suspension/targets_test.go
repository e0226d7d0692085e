package suspension

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"skidpad/model/rig"
)

func TestTargetsAreRead(t *testing.T) {
	list, err := ParseTargets("targets.toml", []byte("[[target]]\nfigure = \"castor\"\nvalue = \"7 deg\"\n"+
		"tolerance = 0.01\n[[target]]\nfigure = \"scrub\"\nvalue = \"-12 mm\"\ntolerance = \"0 mm\"\n"))
	if err != nil || len(list) != 2 || list[0].Figure != "castor" || math.Abs(list[0].Value-7*degree) > 1e-15 ||
		list[0].Tolerance != 0.01 || list[1].Value != -0.012 || list[1].Tolerance != 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	one := func(rest string) string { return "[[target]]\nfigure = \"castor\"\n" + rest }
	for text, says := range map[string]string{
		"":                               "target",
		one("value = 1"):                 "tolerance",
		one("value = 1\ntolerance = -1"): "targets.toml:4:13: tolerance of \"castor\" is -1",
		one("value = \"1 furlong\"\ntolerance=1"):                           "furlong",
		one("value = 1\ntolerance = 1\n") + one("value = 2\ntolerance = 1"): "two targets",
	} {
		if _, err := ParseTargets("targets.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v does not say %q", text, err, says)
		}
	}
}

// A target holds where both wheels are within the tolerance, also at its ends. Other figures have no verdict.
func TestTargetsAreJudged(t *testing.T) {
	f := rig.Figure{Key: "castor", Unit: "rad"}
	f.Left.V, f.Right.V = 0.125, 0.25
	for _, c := range []struct {
		value, tolerance float64
		met              bool
	}{{0.1875, 0.0625, true}, {0.1875, 0.0624, false}, {0.125, 0.1, false}, {0.25, 0.1, false}, {0.2, 0.08, true}} {
		target := Target{Value: c.value, Tolerance: c.tolerance}
		if target.met(&f) != c.met {
			t.Errorf("%+v: %v", c, !c.met)
		}
	}
	f.Missing = "no carrier"
	if target := (Target{Tolerance: 1}); target.met(&f) {
		t.Error("a missing figure meets a target")
	}
}

// The table, the page and the file of figures have the verdicts.
func TestTargetsAreWritten(t *testing.T) {
	targets, err := ParseTargets("targets.toml", []byte("[[target]]\nfigure = \"toe_per_travel\"\nvalue = \"1.5 deg/m\"\n"+
		"tolerance = \"0.2 deg/m\"\n[[target]]\nfigure = \"roll_centre\"\nvalue = \"120 mm\"\ntolerance = \"10 mm\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := passengerCar(t, Options{Options: rig.Options{Axle: 2}, Targets: targets})
	var table, text, page bytes.Buffer
	for _, err := range []error{r.Print(&table), r.WriteJSON(&text), r.WriteReport(&page)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"1.5 +- 0.2 pass deg/m", "120 +- 10 FAIL mm", "left right target met unit"} {
		if got := strings.Join(strings.Fields(table.String()), " "); !strings.Contains(got, want) {
			t.Errorf("%q is missing: %s", want, table.String())
		}
	}
	var read struct {
		Figures []struct {
			Key    string
			Target *struct {
				Value, Tolerance float64
				Met              bool
			}
		}
	}
	if err := json.Unmarshal(text.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range read.Figures {
		if f.Target != nil {
			found[f.Key] = f.Target.Met
			if f.Key == "roll_centre" && (f.Target.Value != 0.12 || f.Target.Tolerance != 0.01) {
				t.Errorf("%+v", f.Target)
			}
		}
	}
	if len(found) != 2 || !found["toe_per_travel"] || found["roll_centre"] {
		t.Errorf("%v", found)
	}
	if n := strings.Count(page.String(), `class="badge`); n != 2 ||
		!strings.Contains(page.String(), `<div class="count good">1<small>hold</small>`) {
		t.Errorf("%d verdicts", n)
	}
	for text, says := range map[string]string{
		"figure = \"rol_centre\"\nvalue = 1\ntolerance = 1": `targets.toml:2:10: axle 2 has no figure "rol_centre"; ` +
			`did you mean "roll_centre"?`,
		"figure = \"roll_centre\"\nvalue = \"1 kg\"\ntolerance = 1": "kg",
		"figure = \"roll_centre\"\nvalue = 1\ntolerance = \"1 N\"":  `"tolerance" is "1 N"`,
	} {
		list, err := ParseTargets("targets.toml", []byte("[[target]]\n"+text))
		if err == nil {
			err = r.check(list)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}
