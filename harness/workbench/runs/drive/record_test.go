package drive_test

import (
	"slices"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// reader counts how often variables are read.
type reader struct {
	*library.Vehicle
	reads map[uint32]int
}

func (r reader) Get(references []uint32, values []float64) error {
	for _, reference := range references {
		r.reads[reference]++
	}
	return r.Vehicle.Get(references, values)
}

// Parameters that stay in a run are read once, for all rows; what can change is read for each: scale factors of tires,
// inputs and outputs. Values stand in the columns of their names.
func TestParametersAreReadOnce(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.Read(built.Manoeuvre("generic4w_sine"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(record ...string) (*drive.Result, reader) {
		v, err := l.Load(built.Model("generic4w"), "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		r := reader{v, map[uint32]int{}}
		result, err := drive.Simulate(r, drive.Plan{Manoeuvre: m, Duration: 0.02, Record: record,
			Settings: []manoeuvre.Setting{{Name: "body.mass", Value: "1999"}, {Name: "tire_FL.LMUY", Value: "0.9"}}})
		if err != nil {
			t.Fatal(err)
		}
		return result, r
	}
	names := []string{"body.wz", "body.mass", "steer_FL.angle", "tire_FL.LMUY", "body.inertia_zz", "body.ay"}
	all, counted := run(names...)
	const rows = 21
	for i, name := range names {
		want := rows
		if name == "body.mass" || name == "body.inertia_zz" {
			want = 1
		}
		reference, err := counted.References(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := counted.reads[reference[0]]; got != want {
			t.Errorf("%s is read %d times, not %d", name, got, want)
		}
		alone, _ := run(name)
		if !slices.Equal(all.Trace.Values[i], alone.Trace.Values[0]) || len(all.Trace.Values[i]) != rows {
			t.Errorf("%s is %g, recorded alone %g", name, all.Trace.Values[i], alone.Trace.Values[0])
		}
	}
	if mass := all.Trace.Column("body.mass"); mass[0] != 1999 || mass[rows-1] != 1999 {
		t.Errorf("the mass is %g", mass)
	}
	if only, _ := run("body.mass"); !slices.Equal(only.Trace.Values[0], all.Trace.Column("body.mass")) {
		t.Errorf("the mass alone is %g", only.Trace.Values[0])
	}
}
