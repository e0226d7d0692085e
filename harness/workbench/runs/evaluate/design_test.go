package evaluate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// readDesign reads a table of vehicles.
func readDesign(t *testing.T, text string) (*evaluate.Design, string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "design.csv")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := evaluate.ReadDesign(file)
	return d, file, err
}

// Values of a design are in SI units, in the unit of their header, or in their own. A bracket that belongs to the name
// is none of a unit.
func TestUnitsOfDesigns(t *testing.T) {
	d, _, err := readDesign(t, "body.mass [t], body.vx,@wheel[1L].LMUY,tire_[FR]L.LMUX [ % ],"+
		"bar.x[12]\n1.5,72 km/h,0.9,50,3\n2, 10,90 %,1e2,4\n")
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(d.Names, "|"); names != "body.mass|body.vx|@wheel[1L].LMUY|tire_[FR]L.LMUX|bar.x[12]" {
		t.Error(names)
	}
	var values []string
	for _, row := range d.Rows {
		for i, s := range row {
			if s.Name != d.Names[i] {
				t.Error(s)
			}
			values = append(values, s.Value)
		}
	}
	if got := strings.Join(values, " "); got != "1500 20 0.9 0.5 3 2000 10 0.9 1 4" {
		t.Error(got)
	}
	if w := d.Rows[0][0].Written; w.Fits("kg") != nil || w.Fits("m") == nil || d.Rows[1][1].Written.Fits("kg") != nil {
		t.Error("values do not have the unit of the header, or plain numbers have a unit")
	}
	for text, says := range map[string]string{
		"body.mass [tt]\n1\n":  `:1: "body.mass" is "1 tt"`,
		"body.mass [t]\n1 t\n": `:2: body.mass is "1 t", which is not a finite number; its header gives the unit, t`,
		"body.mass [t]\nNaN\n": `:2: body.mass is "NaN"`,
		"body.mass\nheavy\n":   `:2: body.mass is "heavy", which is not a finite number, with a unit or without`,
		"body.mass\n\"\"\n":    `:2: body.mass is ""`,
		"body.mass\n1 lbs\n":   `:2: "body.mass" is "1 lbs"`,
		"body.mass\nInf\n":     `:2: body.mass is "Inf"`,
		"a [t],b,a\n1,2,3\n":   `:1:9: two columns are called "a"`,
		"\n\na [lbs]\n1\n":     `:3:1: "a" is "1 lbs": unit "lbs" is not known`,
		"\n\na\n\nx\n":         `:5: a is "x"`,
		"body.mass\n1e308 t\n": `it must be finite`,
	} {
		_, file, err := readDesign(t, text)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), file) {
			t.Errorf("%q: %v; want %s", text, err, says)
		}
	}
}

// What is wrong for all vehicles of a design is told without a run, whatever the values are.
func TestMistakesForAllVehiclesAreChecked(t *testing.T) {
	opened, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	model := built.Model("generic4w")
	target, err := modelfile.Target(model, "")
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, header string, replaced ...manoeuvre.ConstantValue) error {
		d, _, err := readDesign(t, header+"\n-1"+strings.Repeat(",-1", strings.Count(header, ","))+"\n")
		if err != nil {
			t.Fatal(err)
		}
		e := &evaluate.Evaluator{Target: target, Replaced: replaced, Open: func() (drive.Subject, func(), error) {
			v, err := opened.Load(model, "")
			return v, func() { v.Close() }, err
		}}
		return e.CheckDesign(built.Manoeuvre(name), d)
	}
	for _, header := range []string{"body.mass", "@chassis.mass [t]", "body.vx", "tire_*.PKY1*", "solver.step"} {
		if err := check("acceleration", header, manoeuvre.ConstantValue{Name: "to", Value: 30}); err != nil {
			t.Errorf("%s: %v", header, err)
		}
	}
	for says, err := range map[string]error{
		"no table [figures]":  check("generic4w_sine", "body.mass"),
		"@nope names no role": check("acceleration", "@nope"),
		`.csv:1:11: column "body.mass [m]": m is not a unit for what must be in kg`: check("acceleration",
			"body.vx,  body.mass [m]"),
		`column "tire_*.LMUY [m]": m is not a unit`:           check("acceleration", "tire_*.LMUY [m]"),
		`column "body.mass* [t]": body.mass*=1000 multiplies`: check("acceleration", "body.mass* [t]"),
		`column "body.ax": body.ax is computed by the model`:  check("acceleration", "body.ax"),
		`no parameter matches "tire_*.`:                       check("acceleration", "tire_*.NOTHING"),
		"body.mas":                                            check("acceleration", "body.mas"),
		`no constant "speeed"`: check("acceleration", "body.mass",
			manoeuvre.ConstantValue{Name: "speeed", Value: 1}),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %s", err, says)
		}
	}
}
