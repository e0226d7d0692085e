package assess

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/model/roles"
)

const file = `name = "some"
title = "Some"
model = "car"
judged = ["own"]
[constants]
limit = "2 m"
[vehicle.base]
[vehicle.own]
text = "mine"
set = { "body.mass" = "1.2 t", "road.kind" = "flat" }
[[row]]
name = "first"
manoeuvre = "brake"
let = { speed = "36 km/h" }
check = [
  { figure = "distance", at_most = "2*limit" },
  { name = "way", signal = "x - limit", unit = "m", reduce = "last", phase = "b", from = 1, to = 3,
    at_least = -1, at_most = 9 },
]
[[row]]
name = "second"
manoeuvre = "brake"
vehicles = ["own"]
check = [{ figure = "time" }]
`

// Files become vehicles, rows and checks with numbers in SI units.
func TestReadsAssessments(t *testing.T) {
	a, err := Parse("some.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	own := a.Vehicles[1]
	if len(a.Vehicles) != 2 || own.Text != "mine" || a.Vehicles[0].Text != "base" || own.Model != "car" ||
		len(own.Settings) != 2 || own.Settings[0].Value != "1200" || own.Settings[1].Value != "flat" {
		t.Errorf("%+v", a.Vehicles)
	}
	first, second := a.Rows[0], a.Rows[1]
	if first.Constants[0].Value != 10 || first.Checks[0].AtMost != (Bound{true, 4}) || first.Checks[0].AtLeast.Given ||
		first.Checks[1].AtLeast.Value != -1 || first.Checks[0].Name != "distance" {
		t.Errorf("%+v", first)
	}
	if !first.has(0) || !first.has(1) || second.has(0) || !second.has(1) || a.judges(0) || !a.judges(1) {
		t.Error("rows have other vehicles")
	}
	if err := a.Only([]string{"sec*"}); err != nil || len(a.Rows) != 1 || a.Rows[0].Name != "second" {
		t.Errorf("%v, %+v", err, a.Rows)
	}
	if err := a.Only([]string{"third"}); err == nil || !strings.Contains(err.Error(), `"second"`) {
		t.Error(err)
	}
}

// Faults have their place and a remedy.
func TestFaultsOfAssessments(t *testing.T) {
	for _, c := range []struct{ old, by, want string }{
		{`judged = ["own"]`, `judged = ["other"]`,
			`some.toml:4:11: there is no vehicle "other"; the vehicles are base, own`},
		{`vehicles = ["own"]`, `vehicles = ["x"]`, `there is no vehicle "x"`},
		{`name = "second"`, `name = "first"`, `there are two rows "first"`},
		{`figure = "distance",`, ``, "either a figure or a signal"},
		{`figure = "time"`, `figure = "time", signal = "x"`, "either a figure or a signal"},
		{`name = "way", `, ``, "a check of a signal has no name"},
		{`at_least = -1`, `at_least = 10`, "no value passes"},
		{`at_least = -1`, `at_least = "-1 s"`, "s is not a unit for what must be in m"},
		{`from = 1`, `from = 4`, "4 s, after"},
		{`"x - limit"`, `"x -"`, "signal"},
		{`"flat"`, `"plugin:evil.so#f"`, "cannot name a library"},
		{`"flat"`, `" STI:evil.so#f"`, "cannot name a library"},
		{`"2*limit"`, `"2*limits"`, `there is no constant "limits"`},
		{`reduce = "last"`, `reduce = "most"`, "largest"},
		{`model = "car"`, ``, `vehicle "base" has no model`},
	} {
		text := strings.Replace(file, c.old, c.by, 1)
		if text == file {
			t.Fatalf("%q is not in the file", c.old)
		}
		if _, err := Parse("some.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v, want %q", c.by, c.old, err, c.want)
		}
	}
}

// An assessment can take the rows of another one for its own vehicles.
func TestRowsOfAnotherAssessment(t *testing.T) {
	const heading = `name = "more"
title = "More"
model = "car"
judged = ["base"]
[vehicle.base]
[vehicle.third]
`
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name+".toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	withAll := strings.Replace(file, `vehicles = ["own"]`+"\n", "", 1)
	write("some", withAll)
	a, err := Read(write("more", `rows_of = "some.toml"`+"\n"+heading))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Rows) != 2 || a.Rows[0].Checks[0].AtMost != (Bound{true, 4}) || len(a.Vehicles) != 2 || !a.Rows[1].has(1) ||
		a.judges(1) || !a.judges(0) {
		t.Errorf("%+v", a)
	}
	write("part", file)
	write("chain", `rows_of = "some.toml"`+"\n"+heading)
	for _, c := range []struct{ text, want string }{
		{`rows_of = "part.toml"` + "\n" + heading, `row "second" has the key vehicles`},
		{`rows_of = "chain.toml"` + "\n" + heading, `name the file that it names, "some.toml"`},
		{`rows_of = "../some.toml"` + "\n" + heading, "must be a file in the folder of this file"},
		{`rows_of = "none.toml"` + "\n" + heading, "none.toml"},
		{`rows_of = "some.toml"` + "\n" + withAll, "give either row or rows_of"},
		{heading, `lacks the key "row"`},
	} {
		if _, err := Read(write("more", c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Signals become numbers by hand: the ramp x = t of a phase from 2 to 6 s, and a pulse within it.
func TestReductions(t *testing.T) {
	time := []float64{0, 1, 2, 3, 4, 5, 6, 7}
	pulse := []float64{1, 1, 0, 1, 1, 0, 1, 1} // above 0 in 3..4 and 6 of the phase
	rec := trace.Of(trace.Named("x", "p"), [][]float64{time, time, pulse})
	rec = rec.Beside(trace.New(nil, 0))
	result := &drive.Result{Trace: rec, Inputs: trace.New(nil, 0),
		Phases: []drive.PhaseInterval{{Name: "b", Begin: 2, End: 6}}}
	for _, c := range []struct {
		s       Signal
		want    float64
		missing string
	}{
		{Signal{formula: "x", reduce: "largest", phase: "b", to: math.Inf(1)}, 6, ""},
		{Signal{formula: "x", reduce: "least", phase: "b", to: math.Inf(1)}, 2, ""},
		{Signal{formula: "x", reduce: "least", phase: "b", from: 1, to: 3}, 3, ""},
		{Signal{formula: "x", reduce: "last", phase: "b", from: 1, to: 3}, 5, ""},
		{Signal{formula: "x^2", reduce: "mean", phase: "b", from: 1, to: 3}, (9/2. + 16 + 25/2.) / 2, ""}, // trapezoids
		{Signal{formula: "x", reduce: "largest", to: math.Inf(1)}, 7, ""},
		{Signal{formula: "p", reduce: "longest", phase: "b", to: math.Inf(1)}, 1, ""},
		{Signal{formula: "p", reduce: "first", phase: "b", to: math.Inf(1)}, 1, ""},
		{Signal{formula: "p - 2", reduce: "first", phase: "b", to: math.Inf(1)}, 0, "never above 0"},
		{Signal{formula: "time", reduce: "largest", phase: "b", to: math.Inf(1)}, 4, ""},
		{Signal{formula: "k*x", reduce: "last", to: math.Inf(1), constants: map[string]float64{"k": 3}}, 21, ""},
		{Signal{formula: "x", reduce: "last", phase: "c", to: math.Inf(1)}, 0, `does not reach the phase "c"`},
		{Signal{formula: "x", reduce: "last", phase: "b", from: 9, to: math.Inf(1)}, 0, "ends before 9 s"},
		{Signal{formula: "y", reduce: "last", to: math.Inf(1)}, 0, `no output "y"`},
	} {
		law, err := c.s.law(&roles.Roles{})
		if err != nil {
			t.Fatal(err)
		}
		got, missing := law.of(result)
		if c.missing == "" && (got != c.want || missing != "") ||
			c.missing != "" && (!math.IsNaN(got) || !strings.Contains(missing, c.missing)) {
			t.Errorf("%s of %s: %g %q, want %g %q", c.s.reduce, c.s.formula, got, missing, c.want, c.missing)
		}
	}
	result.Verdict = "spun at 7 s"
	whole, _ := (&Signal{formula: "x", reduce: "last", to: math.Inf(1)}).law(&roles.Roles{})
	if got, missing := whole.of(result); !math.IsNaN(got) || !strings.Contains(missing, "spun") {
		t.Errorf("a run that ended early: %g %q", got, missing)
	}
	part, _ := (&Signal{formula: "x", reduce: "last", phase: "b", to: 3}).law(&roles.Roles{})
	if got, _ := part.of(result); got != 5 {
		t.Errorf("before the end of the run: %g", got)
	}
}

// Bounds hold in every run, apply to judged vehicles only, and missing values fail.
func TestVerdicts(t *testing.T) {
	nan := math.NaN()
	bound := func(x float64) Bound { return Bound{true, x} }
	for _, c := range []struct {
		check     Check
		base, own []float64
		want      Verdict
	}{
		{Check{AtLeast: bound(2)}, []float64{0, 0}, []float64{2, 3}, Passed},
		{Check{AtLeast: bound(2)}, []float64{3, 3}, []float64{3, 1}, Failed},
		{Check{AtMost: bound(2)}, []float64{3, 3}, []float64{1, 2}, Passed},
		{Check{AtMost: bound(2)}, []float64{1, 1}, []float64{1, 2.1}, Failed},
		{Check{AtMost: bound(2)}, []float64{1}, []float64{nan}, Failed},
		{Check{Change: bound(0.1)}, []float64{10, -10}, []float64{10.9, -10.9}, Passed},
		{Check{Change: bound(0.1)}, []float64{10, -10}, []float64{10, -8.9}, Failed},
		{Check{Change: bound(0.1)}, []float64{nan}, []float64{nan}, Passed},
		{Check{Change: bound(0.1)}, []float64{1}, []float64{nan}, Failed},
		{Check{Change: bound(0.1)}, []float64{1, 1}, []float64{1}, Failed},
		{Check{Change: bound(0.1)}, []float64{0}, []float64{0}, Passed},
		{Check{}, []float64{1}, []float64{nan}, NotJudged},
	} {
		a, err := Parse("some.toml", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		row := RowResult{Row: &a.Rows[0], Checks: []CheckResult{{Check: &c.check,
			Cells: []Cell{{Run: true, Values: c.base}, {Run: true, Values: c.own}}}}}
		row.judge(a)
		if got := row.Checks[0].Verdict; got != c.want {
			t.Errorf("%+v: %v and %v: %q, want %q", c.check, c.base, c.own, got, c.want)
		}
		r := &Result{Assessment: a, Rows: []RowResult{row}}
		if r.Pass() == (c.want == Failed) {
			t.Errorf("the result of %q passes: %v", c.want, r.Pass())
		}
	}
}

// Tables have the value that is nearest to its bound, in degrees, and CSV has all values in SI units.
func TestTables(t *testing.T) {
	a, err := Parse("some.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	check := Check{Name: "angle", AtMost: Bound{true, math.Pi / 18}}
	row := RowResult{Row: &a.Rows[0], Checks: []CheckResult{{Check: &check, Unit: "rad", Cells: []Cell{
		{Run: true, Values: []float64{math.NaN()}, Missing: "it spins"}, {Run: true, Values: []float64{0.1, math.Pi / 36}}}}}}
	row.judge(a)
	r := &Result{Assessment: a, Rows: []RowResult{row}}
	for _, c := range []struct {
		write func(*bytes.Buffer) error
		want  []string
	}{
		{func(b *bytes.Buffer) error { return r.WriteTable(b) },
			[]string{"first  angle  deg   missing  5.73  <= 10  pass", "- first, angle, base: it spins",
				"1 of 1 checks pass"}},
		{func(b *bytes.Buffer) error { return r.WriteMarkdown(b) },
			[]string{"| first | angle | deg | missing | 5.73 | <= 10 | pass |"}},
		{func(b *bytes.Buffer) error { return r.WriteCSV(b) },
			[]string{"first,angle,rad,base,1,,,0.17453292519943295,,pass,it spins",
				"first,angle,rad,own,1,0.1,"}},
		{func(b *bytes.Buffer) error { return r.WriteJSON(b) },
			[]string{`"values":[0.1,0.08726646259971647]`, `"missing":"it spins"`}},
		{func(b *bytes.Buffer) error { return r.Page().Write(b) }, []string{"1 of 1 checks pass", "it spins"}},
	} {
		var b bytes.Buffer
		if err := c.write(&b); err != nil {
			t.Fatal(err)
		}
		flat := strings.NewReplacer("\n", "", " ", "").Replace(b.String())
		for _, want := range c.want {
			if !strings.Contains(flat, strings.ReplaceAll(want, " ", "")) {
				t.Errorf("%q is missing in\n%s", want, b.String())
			}
		}
	}
}
