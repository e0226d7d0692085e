package sweep

import (
	"math"
	"slices"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// The studies of Afzal (2018), chapters 4 and 5: headings and leans of the single wheel and of the disc at the end
// (two-wheeler specification, chapter 7; specification of the rest of the sources, 3.1). The tire turns as the disc
// does, and does not deviate above 2.3 m/s as the thesis says.
func TestWheelStudies(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	const degree = math.Pi / 180
	headings := map[string][]float64{}
	for _, c := range []struct {
		study     string
		values    []float64
		heading   []float64
		tolerance float64
		lean      []float64 // largest; nil for unknown
	}{
		{"wheel_turn_slip_sweep", []float64{0.1, 0.3, 0.5, 1}, []float64{-2.79036, -0.94529, -0.56537, -0.28094}, 2e-5,
			[]float64{10.272, 8.857, 7.937, 6.738}},
		{"wheel_speeds", []float64{1.5, 2, 2.5, 5}, []float64{-27.83800, -16.47893, -11.99165, -5.33782}, 1e-5, nil},
		{"disc_speeds", []float64{1.5, 2, 2.5, 5}, []float64{-27.86269, -16.47993, -11.99216, -5.33674}, 1e-5,
			[]float64{11.311, 7.826, 6.647, 5.367}},
		{"wheel_bearing_friction", []float64{2, 5}, []float64{-99.580, -7.78429}, 1e-3, []float64{70.6, 11.40}},
		{"disc_bearing_friction", []float64{2, 5}, []float64{-100.154, -7.78588}, 1e-3, []float64{70.6, 11.40}},
	} {
		study, err := ReadStudy(built.Path("resources", "sweeps", c.study+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := manoeuvre.Read(study.Manoeuvre)
		if err != nil {
			t.Fatal(err)
		}
		s := Sweep{Library: library, Model: study.Model, Variations: study.Variations, From: study.From,
			Run: drive.Plan{Manoeuvre: m, Step: study.Step, Record: study.Record}}
		table, err := s.Do()
		if err != nil {
			t.Fatal(err)
		}
		row := func(value float64) []float64 {
			i := slices.IndexFunc(table.Rows, func(row []float64) bool { return row[0] == value })
			if i < 0 {
				t.Fatalf("%s has no run with %g", c.study, value)
			}
			return table.Rows[i]
		}
		column := func(name string) int { return slices.Index(table.Columns, name) }
		for i, value := range c.values {
			heading := row(value)[column("wheel.angle1.last")]
			headings[c.study] = append(headings[c.study], heading)
			if !(math.Abs(heading-c.heading[i]) <= c.tolerance) {
				t.Errorf("%s, %g: heading %.6g rad, expected %.6g", c.study, value, heading, c.heading[i])
			}
			if c.lean == nil {
				continue
			}
			lean := row(value)[column("wheel.angle2.largest")] / degree
			// the specification's are the largest of samples, which may lie 0.05 s apart
			if digit := map[bool]float64{true: 0.06, false: 0.03}[c.lean[i] > 12]; !(math.Abs(lean-c.lean[i]) <= digit) {
				t.Errorf("%s, %g: largest lean %.5g deg, expected %.5g", c.study, value, lean, c.lean[i])
			}
		}
	}
	for i, tire := range headings["wheel_speeds"] {
		if disc := headings["disc_speeds"][i]; !(math.Abs(tire-disc) <= 0.03) {
			t.Errorf("run %d: heading %.5g rad on the tire, %.5g rad without slip", i+1, tire, disc)
		}
	}
}
