package cosim_test

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// falling is the generic vehicle with a solver step [s]. It starts in the air and slides to the left. Its tires are
// overloaded and far beyond their slip angles, and come back.
func falling(t testing.TB, step float64, texts map[string]string) *cosim.Instance {
	t.Helper()
	in, err := load(t, "generic4w", "").Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	all := maps.Clone(texts)
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		all[tire+".model"], all[tire+".file"] = "MF61", "../tires/mf61_205_60R15.tir" // with ranges
	}
	for name, value := range all {
		if err := in.SetText(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for name, value := range map[string]float64{"body.z": 1.2, "body.vy": 11.0, "body.roll": 0.1, "solver.step": step} {
		i, ok := in.System().Find(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		if err := in.Set(i, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return in
}

// watchedRows returns the rows of the table that are watched in a run.
func watchedRows(in *cosim.Instance) (list []cosim.Warning) {
	for _, w := range in.Report() {
		if w.Quantity != "" {
			list = append(list, w)
		}
	}
	return list
}

// excursions finds the numbers of a row in a recording of its quantity. Its limits hold while the other quantity is
// above 0. A contact has come back when the quantity is below 0.9 of its limits.
func excursions(w cosim.Warning, time, quantity, touching []float64) (count int, first, worst, when float64) {
	back := 1.0
	if w.Rule != "range" {
		back = 0.9
	}
	out, farthest := false, 0.0
	for n, x := range quantity {
		excess := max(x-w.High, w.Low-x)
		switch {
		case excess > 0 && touching[n] > 0:
			if !out {
				if out, count = true, count+1; count == 1 {
					first = time[n]
				}
			}
			if excess > farthest {
				farthest, worst, when = excess, x, time[n]
			}
		case excess <= 0 && x <= back*w.High && x >= back*w.Low:
			out = false
		}
	}
	return count, first, worst, when
}

// For each quantity outside of its limits, the table has the first time, the count and the farthest value. These values
// agree with a recording of all steps, also when the vehicle stands again. A quantity within its limits has no row.
func TestWarningTableAgreesWithRecording(t *testing.T) {
	const h, steps = 0.001, 2500
	for _, method := range []string{"euler", "rk4", "heun", "adams-bashforth"} {
		in := falling(t, 0.001, map[string]string{"solver.method": method})
		record := map[string][]float64{}
		var time []float64
		for n := range steps + 1 {
			time = append(time, float64(n)*h)
			for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
				for _, name := range []string{"Fz", "kappa", "alpha", "gamma", "R_l"} {
					i, _ := in.System().Find(tire + "." + name)
					x, err := in.Get(i)
					if err != nil {
						t.Fatal(err)
					}
					record[tire+"."+name] = append(record[tire+"."+name], x)
				}
			}
			if n == steps {
				break
			}
			if err := in.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		rows := watchedRows(in)
		kinds := map[string]bool{}
		for _, w := range rows {
			values, touching := record[w.Subject+"."+w.Quantity], record[w.Subject+".Fz"]
			if w.Rule == "crushed" {
				values, touching = nil, slices.Repeat([]float64{1}, len(time))
				for n, loaded := range record[w.Subject+".R_l"] { // along the axis of symmetry, of 0.355 m
					values = append(values, (0.355-loaded)*math.Cos(record[w.Subject+".gamma"][n]))
				}
			}
			count, first, worst, when := excursions(w, time, values, touching)
			if count != w.Count || math.Abs(first-w.First)+math.Abs(when-w.When) > 1e-9 ||
				!(math.Abs(worst-w.Worst) <= 1e-12*math.Abs(worst)) {
				t.Errorf("%s: %d times, first at %g s, at most %g at %g s, and the table has %+v", method, count, first, worst,
					when, w)
			}
			kinds[w.Rule+" "+w.Quantity] = true
		}
		if !kinds["range Fz"] || !kinds["range alpha"] {
			t.Errorf("%s: the fall overloads no tire, or slides none: %v", method, kinds)
		}
		for name, values := range record {
			tire, quantity, _ := strings.Cut(name, ".")
			limit := map[string]float64{"Fz": 9000, "alpha": 0.5}[quantity]
			has := slices.ContainsFunc(rows, func(w cosim.Warning) bool {
				return w.Subject == tire && w.Quantity == quantity
			})
			if limit != 0 && slices.Max(values) > 1.01*limit && !has {
				t.Errorf("%s: %s is %g and has no row", method, name, slices.Max(values))
			}
		}
	}
	quiet := initialised(t, "generic4w", nil)
	for range 500 {
		if err := quiet.Step(h); err != nil {
			t.Fatal(err)
		}
	}
	if rows := watchedRows(quiet); rows != nil {
		t.Errorf("a car that rolls straight ahead has the rows %+v", rows)
	}
}

// The table is the same by machine code, by the portable code and in a fleet. It continues from a saved state, and a
// reset clears it. A step with the table allocates nothing.
func TestWarningTableIsTheSameOnEveryPath(t *testing.T) {
	testrun.Slow(t)
	const h, half, steps = 0.005, 60, 200
	for _, method := range []string{"euler", "rk4", "linearly-implicit"} {
		texts := map[string]string{"solver.method": method}
		portable := map[string]string{"solver.method": method, "solver.code": "portable"}
		run := func(in *cosim.Instance, n int) {
			for range n {
				if err := in.Step(h); err != nil {
					t.Fatal(err)
				}
			}
		}
		alone := falling(t, 0.001, texts)
		run(alone, half)
		state := make([]byte, alone.StateSize())
		if err := alone.Save(state); err != nil {
			t.Fatal(err)
		}
		run(alone, steps-half)
		want := watchedRows(alone)
		if len(want) < 3 {
			t.Fatalf("%s: %d rows", method, len(want))
		}
		expect := func(what string, in *cosim.Instance) {
			t.Helper()
			if got := watchedRows(in); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %+v\nwant %+v", method, what, got, want)
			}
		}
		other := falling(t, 0.001, portable)
		run(other, steps)
		expect("portable", other)
		again := initialised(t, "generic4w", nil)
		if err := again.Restore(state); err != nil {
			t.Fatal(err)
		}
		if news := again.NewWarnings(); news != nil {
			t.Errorf("%s: a restored vehicle reports again %q", method, news)
		}
		run(again, steps-half)
		expect("restored", again)
		var fleet []*cosim.Instance
		for k := range 5 {
			fleet = append(fleet, falling(t, 0.001, texts))
			if k == 2 { // a car without warnings beside them
				fleet[k] = initialised(t, "generic4w", texts)
			}
		}
		f, err := cosim.NewFleet(fleet)
		if err != nil {
			t.Fatal(err)
		}
		for range steps {
			for _, err := range f.Step(h, 1) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for k, in := range fleet {
			if k != 2 {
				expect("in a fleet", in)
			} else if rows := watchedRows(in); rows != nil {
				t.Errorf("%s: a quiet car beside others has %+v", method, rows)
			}
		}
		if n := testing.AllocsPerRun(20, func() { run(other, 1) }); n != 0 {
			t.Errorf("%s: a step allocates %g times", method, n)
		}
		alone.Reset()
		if err := alone.Initialise(); err != nil {
			t.Fatal(err)
		}
		if rows := watchedRows(alone); rows != nil {
			t.Errorf("%s: after a reset there is %+v", method, rows)
		}
	}
}

// A failed step leaves the table as it was, and reports nothing.
func TestFailedStepLeavesTheWarningTable(t *testing.T) {
	in := falling(t, 0.03, map[string]string{"solver.method": "euler"})
	for n := 0; ; n++ {
		in.RangeWarnings()
		before := watchedRows(in)
		if err := in.Step(0.3); err == nil && n < 200 {
			continue
		}
		news, after := in.NewWarnings(), watchedRows(in)
		if n == 200 || news != nil || len(before) == 0 || !reflect.DeepEqual(before, after) {
			t.Errorf("after %d steps one fails, and there is %q, %+v; want %+v", n, news, after, before)
		}
		return
	}
}
