package fmu_test

import (
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

func TestEveryVariableHasItsOwnReferenceAndMeaning(t *testing.T) {
	s, err := cosim.Load("../resources/models/skidder.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := fmu.Describe(s)
	for i, v := range table.Variables {
		if r, ok := table.Find(v.Name); !ok || int(r) != i || v.Reference != r {
			t.Errorf("%s has reference %d, entry %d, found as %d", v.Name, v.Reference, i, r)
		}
	}
	for _, want := range []struct {
		name      string
		causality fmu.Causality
		initial   fmu.Initial
		unit      string
		start     float64
	}{
		{"front.mass", fmu.Parameter, fmu.Exact, "kg", 7280},
		{"articulation.angle", fmu.Input, fmu.None, "rad", 0},
		{"road.mu", fmu.Input, fmu.None, "1", 1},
		{"front.vx", fmu.Output, fmu.Exact, "m/s", 10},
		{"tire_FL.Fz", fmu.Output, fmu.Calculated, "N", 0},
		{"front.ax", fmu.Output, fmu.Calculated, "m/s2", 0},
	} {
		r, ok := table.Find(want.name)
		if !ok {
			t.Errorf("no variable %s", want.name)
			continue
		}
		if v := table.Variables[r]; v.Causality != want.causality || v.Initial != want.initial || v.Unit != want.unit || v.Start != want.start {
			t.Errorf("%s is %+v, want %+v", want.name, v, want)
		}
	}
}

func TestReferencesOutliveTheSystem(t *testing.T) {
	describe := func() *fmu.Table {
		s, err := cosim.Load("../resources/models/generic4w.toml", cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return fmu.Describe(s)
	}
	a, b := describe(), describe()
	for i, v := range a.Variables {
		if b.Variables[i] != v {
			t.Errorf("entry %d is %+v, then %+v", i, v, b.Variables[i])
		}
	}
	if _, ok := a.Find("body.nothing"); ok {
		t.Error("a variable that does not exist was found")
	}
	if n := testing.AllocsPerRun(100, func() { a.Find("tire_RR.Fz") }); n != 0 {
		t.Errorf("finding a variable allocates %g times", n)
	}
}
