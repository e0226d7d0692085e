package linear_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// TestSetTiresEqualThoseOfTheirFile: a file named by a text, and a coefficient, give the linear equations and the
// handling of a model file that names a tire file with these numbers.
func TestSetTiresEqualThoseOfTheirFile(t *testing.T) {
	text, err := os.ReadFile("../../resources/tires/pacejka2002.toml")
	if err != nil {
		t.Fatal(err)
	}
	worn := filepath.Join(t.TempDir(), "worn.toml")
	changed := bytes.Replace(bytes.Replace(text, []byte("\nLmuy = 1.0"), []byte("\nLmuy = 0.7"), 1), []byte("\nLKy = 1.0"),
		[]byte("\nLKy = 0.8"), 1)
	if err := os.WriteFile(worn, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(worn)
	source, err := os.ReadFile("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	tires, err := filepath.Abs("../../resources/tires")
	if err != nil {
		t.Fatal(err)
	}
	source = bytes.ReplaceAll(source, []byte("../tires/pacejka2002.toml"), []byte(worn))
	source = bytes.ReplaceAll(source, []byte("../tires"), []byte(tires))
	file := filepath.Join(folder, "worn4w.toml")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	named, set, plain := read(t, "generic4w"), read(t, "generic4w"), read(t, "generic4w")
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		for name, v := range map[string]float64{"LMUY": 0.7, "LKY": 0.8} {
			if err := set.Set(tire+"."+name, v); err != nil {
				t.Fatal(err)
			}
		}
		if err := named.SetText(tire+".file", worn); err != nil {
			t.Fatal(err)
		}
	}
	car := linear.Car{Body: "body", Drivers: []string{"steer_FL", "steer_FR"}, Ratio: 1, Wheelbase: 2.6}
	all := map[string]*linear.Model{"of the file": want, "by the text": named, "by coefficients": set, "unchanged": plain}
	systems, handling := map[string]*linear.System{}, map[string]*linear.Handling{}
	reactions := map[string][]linear.Reaction{}
	for what, l := range all {
		for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
			if err := l.Free(torque); err != nil {
				t.Fatal(err)
			}
		}
		systems[what] = at(t, l, "body.vx", 20)
		if handling[what], err = l.Handling(systems[what], car); err != nil {
			t.Fatal(err)
		}
		if reactions[what], err = l.Reactions(systems[what]); err != nil {
			t.Fatal(err)
		}
	}
	car.Drivers = []string{"road"}
	if _, err := plain.Handling(systems["unchanged"], car); err == nil || !strings.Contains(err.Error(), "is in m") {
		t.Errorf("a travel that steers: %v", err)
	}
	figures := func(what string) [3]float64 {
		h := handling[what]
		return [3]float64{h.UndersteerGradient, h.StaticMargin, h.YawGain}
	}
	for _, what := range []string{"by the text", "by coefficients"} {
		if !mat.Equal(systems[what].A, systems["of the file"].A) || figures(what) != figures("of the file") {
			t.Errorf("%s: the linear equations, or the handling %+v, are not those of the file, %+v", what, handling[what],
				handling["of the file"])
		}
	}
	for what, list := range reactions {
		if same := slices.Equal(list, reactions["of the file"]); same != (what != "unchanged") {
			t.Errorf("%s: reactions as with the file: %t", what, same)
		}
	}
	if mat.Equal(systems["unchanged"].A, systems["of the file"].A) || figures("unchanged") == figures("of the file") {
		t.Error("the tires make no difference")
	}
	if err := plain.SetText("tire_FL.model", "Fiala"); err != nil {
		t.Fatal(err)
	}
	if err := plain.SetText("tire_FL.file", "../tires/fiala_generic4w.toml"); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{"tire_FL.PKY1": "no parameter", "tire_FL.relaxation.LMUY": "no parameter",
		"tire_FL": "no parameter", "LMUY": "no parameter"} {
		if err := plain.Set(name, 1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, value := range map[string]string{"tire_FL.model": "plugin:x.so#y", "tire_FL.relaxation.model": "Fiala",
		"tire_FR.relaxation.model": "plugin:x.so#y", "tire_RL.relaxation.model": "BrushRelaxation",
		"tire_XX.file": "x", "tire_FL.LMUY": "x",
		"body.mass": "heavy", "x": "y"} {
		if err := plain.SetText(name, value); err == nil {
			t.Errorf("%s = %s is accepted", name, value)
		}
	}
	// each is found out at the latest when the equations are made
	for what, wrong := range map[string]func(l *linear.Model) error{
		"must be positive":    func(l *linear.Model) error { return l.Set("tire_RR.LMUY", -1) },
		"no such file":        func(l *linear.Model) error { return l.SetText("tire_RR.file", "none.toml") },
		"set the tire's file": func(l *linear.Model) error { return l.SetText("tire_RR.file", "") },
		"not of Fiala":        func(l *linear.Model) error { return l.SetText("tire_RR.model", "Fiala") },
		"has no coefficient LKX": func(l *linear.Model) error {
			l.Set("tire_RR.LKX", 1)
			return l.SetText("tire_RR.model", "Fiala")
		},
	} {
		l := read(t, "generic4w")
		err := wrong(l)
		if err == nil {
			if strings.Contains(what, "LKX") {
				l.SetText("tire_RR.file", "../tires/fiala_generic4w.toml")
			}
			_, err = l.At()
		}
		if err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "tire_RR") {
			t.Errorf("%v; wanted %q of tire_RR", err, what)
		}
	}
}

// TestRelaxationIsSetBySuffix: the relaxation length is proportional to the radius of the relaxation function (Morency
// 2007, equation 3.28). Twice this radius halves the rate at which a slip relaxes; the radius of the force function
// does not.
func TestRelaxationIsSetBySuffix(t *testing.T) {
	rate := func(name string) float64 {
		l := read(t, "generic4w")
		if name != "" {
			if err := l.Set(name, 2*0.344); err != nil {
				t.Fatal(err)
			}
		}
		for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
			if err := l.Free(torque); err != nil {
				t.Fatal(err)
			}
		}
		s := at(t, l, "body.vx", 20)
		for i, state := range s.States {
			if state == "tire_FL.q2" {
				return s.A.At(i, i)
			}
		}
		t.Fatal("no state tire_FL.q2")
		return 0
	}
	plain, double, forces := rate(""), rate("tire_FL.relaxation.UNLOADED_RADIUS"), rate("tire_FL.UNLOADED_RADIUS")
	if ratio := double / plain; math.Abs(ratio-0.5) > 1e-3 || math.Abs(forces/plain-1) > 0.05 {
		t.Errorf("rates %g 1/s, with twice the radius in the relaxation %g, in the forces %g", plain, double, forces)
	}
}

// TestATireFileBringsItsSizes: sizes from a tire's file follow a new file given by text, and enter the linear
// equations. A size that was set keeps its value.
func TestATireFileBringsItsSizes(t *testing.T) {
	text, err := os.ReadFile("../../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	stiff := filepath.Join(t.TempDir(), "stiff.tir")
	text = bytes.Replace(text, []byte("VERTICAL_STIFFNESS = 208000"), []byte("VERTICAL_STIFFNESS = 260000"), 1)
	text = bytes.Replace(text, []byte("VERTICAL_DAMPING   = 50"), []byte("VERTICAL_DAMPING = 90"), 1)
	if err := os.WriteFile(stiff, text, 0o600); err != nil {
		t.Fatal(err)
	}
	named, set, plain := read(t, "passenger_car"), read(t, "passenger_car"), read(t, "passenger_car")
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		for _, l := range []*linear.Model{named, set} {
			if err := l.Set(tire+".vertical_damping", 60); err != nil {
				t.Fatal(err)
			}
		}
		if err := named.SetText(tire+".file", stiff); err != nil {
			t.Fatal(err)
		}
		if err := set.Set(tire+".vertical_stiffness", 260000); err != nil {
			t.Fatal(err)
		}
	}
	var systems []*linear.System
	for _, l := range []*linear.Model{named, set, plain} {
		if err := l.Free("engine.throttle"); err != nil {
			t.Fatal(err)
		}
		systems = append(systems, at(t, l, "body.vx", 20))
	}
	if !mat.EqualApprox(systems[0].A, systems[1].A, 1e-9) || mat.EqualApprox(systems[0].A, systems[2].A, 1e-3) {
		t.Error("the numbers of the file are not those of the linear equations")
	}
}

// A relaxation function that is set gives the same linear equations as a model file that names it.
func TestSetRelaxationEqualsThatOfItsFile(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(path)
	}
	lengths := write("lengths.toml", "function = \"ConstantLength\"\n[parameters]\nBlong = 0.31\nBlat = 0.57\n")
	source, err := os.ReadFile("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	tires, err := filepath.Abs("../../resources/tires")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(source), `function = "StretchedString", file = "../tires/stretched_string.toml"`,
		`function = "ConstantLength", file = "`+lengths+`"`)
	m, err := vehicle.Read(write("written.toml", strings.ReplaceAll(text, "../tires", filepath.ToSlash(tires))))
	if err != nil {
		t.Fatal(err)
	}
	written, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	set := read(t, "generic4w")
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		for name, value := range map[string]string{"model": "ConstantLength", "file": lengths} {
			if err := set.SetText(tire+".relaxation."+name, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	var a [2]*mat.Dense
	for i, l := range []*linear.Model{set, written} {
		for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
			if err := l.Free(torque); err != nil {
				t.Fatal(err)
			}
		}
		a[i] = at(t, l, "body.vx", 20).A
	}
	if !mat.Equal(a[0], a[1]) {
		t.Error("the linear equations are not those of the model written so")
	}
}
