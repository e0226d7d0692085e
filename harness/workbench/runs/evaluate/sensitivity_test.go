package evaluate

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Sensitivities are central differences of separate evaluations, in the order of the figures, the largest first;
// parameters set by the user change about the value set.
func TestSensitivitiesAreCentralDifferences(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	loaded, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	const percent, mass = 2.0, 2200.0
	set := manoeuvre.Setting{Name: "body.mass", Value: "2200"}
	brake := built.Manoeuvre("brake")
	list, _, err := evaluator(loaded, genericModel, set).Sensitivities(brake, []string{"tire_RL.LMUX", "body.mass"},
		percent)
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Figure != "distance" || list[0].Parameter != "body.mass" || list[1].Parameter != "tire_RL.LMUX" {
		t.Errorf("the first are %+v", list[:2])
	}
	at := func(mass float64) []figures.Figure {
		result, err := evaluator(loaded, genericModel, manoeuvre.Setting{Name: "body.mass",
			Value: strconv.FormatFloat(mass, 'g', -1, 64)}).Evaluate(brake)
		if err != nil {
			t.Fatal(err)
		}
		return result.Runs[0].Figures
	}
	above, below, nominal := at(mass*(1+percent/100)), at(mass*(1-percent/100)), at(mass)
	seen := 0
	for i, f := range nominal {
		k := slices.IndexFunc(list, func(s Sensitivity) bool { return s.Figure == f.ID && s.Parameter == "body.mass" })
		if k < 0 {
			continue
		}
		seen++
		want := (above[i].Value - below[i].Value) / (2 * percent)
		s := list[k]
		if s.PerPercent != want || s.Value != f.Value || s.Parameters != mass || s.Unit != f.Unit {
			t.Errorf("%+v; want %g per percent of %g, at %g", s, want, mass, f.Value)
		}
		if up, down := (above[i].Value-f.Value)/percent, (f.Value-below[i].Value)/percent; s.Up != up || s.Down != down ||
			s.SidesDiffer != sidesDiffer(up*percent, down*percent, f.Value) {
			t.Errorf("%+v; want %g up and %g down", s, up, down)
		}
		relative := 100 * want / math.Abs(f.Value)
		if f.Value != 0 && math.Abs(s.Relative-relative) > 1e-12*math.Abs(relative) {
			t.Errorf("%s: %g %%, want %g", f.ID, s.Relative, relative)
		}
	}
	if seen < 8 {
		t.Errorf("%d of %d figures", seen, len(nominal))
	}
	// brakes with a given torque: the distance grows with the mass
	if r := list[0].Relative; r < 0.3 || r > 1.2 {
		t.Errorf("the distance changes by %g %% per percent of the mass", r)
	}
	var csv, text strings.Builder
	figure, err := Tornado(list, "")
	if err != nil || len(figure.Rows) == 0 || WriteSensitivitiesCSV(&csv, list) != nil ||
		WriteSensitivities(&text, list) != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(csv.String(), "\n"); len(lines) != len(list)+2 ||
		!strings.HasPrefix(lines[1], "distance,m,") || !strings.HasPrefix(strings.TrimSpace(text.String()), "figure") {
		t.Errorf("%q", lines[:2])
	}
	var drawn strings.Builder
	if err := figure.Write(&drawn, "x.svg", "screen"); err != nil || !strings.Contains(drawn.String(), ">body.mass<") {
		t.Errorf("%v: the bars have no names", err)
	}
	_, _, err = evaluator(loaded, genericModel).Sensitivities(brake, []string{"body.weight"}, 1)
	if err == nil || !strings.Contains(err.Error(), "there is no parameter of this name") {
		t.Errorf("error %v", err)
	}
}

// Sides differ, for any step, at a kink whose slopes differ by more than half of the larger one, and at an extreme.
// They do not differ for smooth functions with small steps, nor by rounding errors.
func TestDifferingSides(t *testing.T) {
	kink := func(left, right float64) func(x float64) float64 {
		return func(x float64) float64 {
			if x > 1 {
				return 5 + right*(x-1)
			}
			return 5 + left*(x-1)
		}
	}
	for name, c := range map[string]struct {
		f       func(x float64) float64
		differs bool
	}{
		"line": {func(x float64) float64 { return 3 * x }, false}, "exponential": {math.Exp, false},
		"hyperbola": {func(x float64) float64 { return 1 / x }, false},
		"steeper":   {kink(1, 2.1), true}, "a little steeper": {kink(1, 1.9), false},
		"flatter": {kink(2.1, 1), true}, "one side alone": {kink(0, 1), true},
		"other sign": {kink(-1, 2), true}, "falls, and falls more": {kink(-1, -2.1), true},
		"wheels spin": {kink(-1, 1), true}, "constant": {func(float64) float64 { return 5 }, false},
		"rounding": {kink(-1e-5, 1e-5), false}, "more than rounding": {kink(-2e-3, 2e-3), true},
		"from 0":    {func(x float64) float64 { return math.Max(0, x-1) }, true},
		"a maximum": {func(x float64) float64 { return 5 - (x-1)*(x-1) }, true},
	} {
		for _, h := range []float64{0.01, 0.02} {
			at, above, below := c.f(1), c.f(1+h), c.f(1-h)
			if got := sidesDiffer(above-at, at-below, at); got != c.differs {
				t.Errorf("%s, step %g: %t", name, h, got)
			}
		}
	}
}

// Sides that differ are marked, with an explanation, in the table and in the plot; without them there is neither.
func TestDifferingSidesAreMarked(t *testing.T) {
	list := []Sensitivity{
		{Figure: "time", Unit: "s", Parameter: "torque", Parameters: 1, Value: 5, PerPercent: 0.02, Relative: 0.4, Up: 0.05,
			Down: -0.01, SidesDiffer: true, named: true},
		{Figure: "time", Unit: "s", Parameter: "mass", Parameters: 1, Value: 5, PerPercent: 0.01, Relative: 0.2, Up: 0.01,
			Down: 0.01, named: true}}
	for n, marked := range map[int]bool{0: true, 1: false} {
		var text, drawn strings.Builder
		if err := WriteSensitivities(&text, list[n:]); err != nil {
			t.Fatal(err)
		}
		figure, err := Tornado(list[n:], "")
		if err != nil || figure.Write(&drawn, "x.svg", "screen") != nil {
			t.Fatal(err)
		}
		for _, mark := range []string{"differ: 0.05 up, -0.01 down", "a regime changes"} {
			if strings.Contains(text.String(), mark) != marked {
				t.Errorf("from row %d: %q in\n%s", n, mark, text.String())
			}
		}
		if strings.Contains(drawn.String(), "torque (sides differ)") != marked ||
			strings.Contains(drawn.String(), "mass (sides") {
			t.Errorf("from row %d the plot is wrong", n)
		}
	}
}

// Both files of sensitivities have the same rows; a change in percent of 0 is left out.
func TestFilesOfSensitivitiesAreAlike(t *testing.T) {
	t.Parallel()
	list := []Sensitivity{
		{Figure: "yaw", Unit: "rad/s", Parameter: "m", Parameters: 900.5, Value: 0.25, PerPercent: -0.125, Relative: -50,
			Up: -0.5, Down: 0.25, SidesDiffer: true},
		{Figure: "roll", Unit: "rad", Parameter: "h", Parameters: 0.5, PerPercent: 1e-3, Relative: math.NaN(),
			Up: 0.75, Down: 1.25},
	}
	var text strings.Builder
	var columns bytes.Buffer
	if WriteSensitivitiesCSV(&text, list) != nil || WriteSensitivitiesParquet(&columns, list) != nil {
		t.Fatal("not written")
	}
	const want = "figure,unit,value,parameter,parameter_value,per_percent,relative_percent," +
		"per_percent_up,per_percent_down,sides_differ\n" +
		"yaw,rad/s,0.25,m,900.5,-0.125,-50,-0.5,0.25,true\nroll,rad,0,h,0.5,0.001,,0.75,1.25,false\n"
	if text.String() != want {
		t.Errorf("CSV %q", text.String())
	}
	file, err := parquet.OpenFile(bytes.NewReader(columns.Bytes()), int64(columns.Len()))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]parquet.Row, len(list))
	if n, _ := file.RowGroups()[0].Rows().ReadRows(rows); n != len(list) {
		t.Fatalf("%d rows", n)
	}
	var lines []string
	for _, path := range file.Schema().Columns() {
		lines = append(lines, path...)
	}
	got := strings.Join(lines, ",") + "\n"
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			if cells = append(cells, v.String()); v.IsNull() {
				cells[len(cells)-1] = ""
			}
		}
		got += strings.Join(cells, ",") + "\n"
	}
	if got != want {
		t.Errorf("Parquet %q", got)
	}
}

// A table of figures has a row for each combination, and the values that each vehicle has alone; a vehicle that cannot
// be evaluated has none, and a reason.
func TestFigureTablesHaveTheFiguresOfEachVehicle(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	loaded, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	d := Combinations([]manoeuvre.Variation{{Name: "body.mass", Values: []float64{2000, -1}},
		{Name: "tire_FL.LMUX+tire_FR.LMUX", Values: []float64{0.9, 1.1}}})
	brake := built.Manoeuvre("brake")
	table, err := evaluator(loaded, genericModel).Figures(brake, d, "")
	if err != nil || len(table.Rows) != 4 || len(table.Failures) != 2 || !strings.HasPrefix(table.Failures[0], "row 2: ") {
		t.Fatalf("%v, %+v", err, table)
	}
	if names := strings.Join(table.Columns[:5], " "); names != "body.mass tire_FL.LMUX tire_FR.LMUX speed end_speed" {
		t.Error(names)
	}
	for k, want := range [][3]float64{{2000, 0.9, 0.9}, {2000, 1.1, 1.1}, {-1, 0.9, 0.9}, {-1, 1.1, 1.1}} {
		if got := [3]float64(table.Rows[k][:3]); got != want {
			t.Errorf("row %d: %v, want %v", k, got, want)
		}
		if isMissing := math.IsNaN(table.Rows[k][3]); isMissing != (k > 1) {
			t.Errorf("row %d has %v", k, table.Rows[k])
		}
	}
	alone, err := evaluator(loaded, genericModel, d.Rows[1]...).Evaluate(brake)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range alone.Runs[0].Figures {
		if got := table.Rows[1][3+i]; table.Columns[3+i] != f.ID || got != f.Value && !(math.IsNaN(got) && f.Missing != "") {
			t.Errorf("%s is %g, and %s %g alone", table.Columns[3+i], got, f.ID, f.Value)
		}
	}
	var text strings.Builder
	if err := table.Write(&text); err != nil {
		t.Fatal(err)
	}
	head := strings.Fields(strings.Split(text.String(), "\n")[1])
	if strings.Join(head[:4], " ") != "body.mass tire_FL.LMUX tire_FR.LMUX distance" {
		t.Errorf("the head is %q", head)
	}
}

// A table reports how many rows have a run that ended early. It reports each quantity that left its limits once, with
// the number of rows. A table without such runs reports nothing.
func TestFigureTablesHaveTheWarningsOfTheRuns(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	loaded, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		parameter string
		values    []float64
		first     string // line
		counted   string // end of a line about a quantity
	}{{"body.mass", []float64{2000, 2100}, "", ""},
		{"body.z", []float64{2, 2.5},
			"warning: in 2 of 2 rows a run ended early; the first is row 0: left the ground at ", ""},
		{"body.mass", []float64{2000, 7000, 7500, 2000},
			"warning: in 2 of 4 rows a run ended early; the first is row 1: crushed at ", "; in 2 of 4 rows"}} {
		d := Combinations([]manoeuvre.Variation{{Name: c.parameter, Values: c.values}})
		table, err := evaluator(loaded, genericModel).Figures(built.Manoeuvre("brake"), d, "")
		if err != nil {
			t.Fatal(err)
		}
		isCounted := func(w string) bool { return strings.HasSuffix(w, c.counted) }
		if c.first == "" && len(table.Warnings) > 0 ||
			c.first != "" && (len(table.Warnings) == 0 || !strings.HasPrefix(table.Warnings[0], c.first)) ||
			!slices.ContainsFunc(append(table.Warnings, ""), isCounted) {
			t.Errorf("%s: %q, want %q first, and %q", c.parameter, table.Warnings, c.first, c.counted)
		}
	}
}
