package sweep

import (
	"bytes"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// TestSweepsRepeatSingleRuns: every row is what a run of its own gives, to the last bit.
func TestSweepsRepeatSingleRuns(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.Read(built.Manoeuvre("generic4w_sine"))
	if err != nil {
		t.Fatal(err)
	}
	mass, err := manoeuvre.ParseVariation("body.mass=1900:2300:3")
	if err != nil {
		t.Fatal(err)
	}
	speed, err := manoeuvre.ParseVariation("body.vx=15, 25")
	if err != nil {
		t.Fatal(err)
	}
	model := built.Model("generic4w")
	run := drive.Plan{Manoeuvre: m, Method: "rk4", Step: 0.01, Duration: 4, Record: []string{"body.y", "body.wz"}}
	s := Sweep{Library: library, Model: model, Variations: []manoeuvre.Variation{mass, speed}, Together: 4, Run: run}
	table, err := s.Do()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Columns,
		" "); got != "body.mass body.vx end body.y.last body.y.least body.y.largest body.wz.last body.wz.least "+
		"body.wz.largest warnings" || len(table.Rows) != 6 {
		t.Fatalf("%d rows of %s", len(table.Rows), got)
	}
	for k, row := range table.Rows {
		if row[0] != 1900+200*float64(k/2) || row[1] != 15+10*float64(k%2) || row[2] != 4 {
			t.Errorf("row %d is %g", k, row)
		}
		vehicle, err := library.Load(model, "")
		if err != nil {
			t.Fatal(err)
		}
		single := run
		single.Settings = []manoeuvre.Setting{{Name: "body.mass", Value: []string{"1900", "2100", "2300"}[k/2]},
			{Name: "body.vx", Value: []string{"15", "25"}[k%2]}}
		result, err := drive.Simulate(vehicle, single)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range run.Record {
			values := result.Trace.Column(name)
			least, largest := math.Inf(1), math.Inf(-1)
			for _, v := range values {
				least, largest = min(least, v), max(largest, v)
			}
			if want := []float64{values[len(values)-1], least, largest}; row[3+3*i] != want[0] ||
				row[4+3*i] != want[1] || row[5+3*i] != want[2] {
				t.Errorf("row %d, %s: %g, alone %g", k, name, row[3+3*i:6+3*i], want)
			}
		}
		vehicle.Close()
	}
	var text, columns bytes.Buffer
	if err := table.WriteCSV(&text); err != nil || strings.Count(text.String(), "\n") != 7 {
		t.Errorf("CSV (%v): %s", err, text.String())
	}
	if err := table.WriteParquet(&columns); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[struct {
		Mass float64 `parquet:"body.mass"`
		Last float64 `parquet:"body.wz.last"`
	}](bytes.NewReader(columns.Bytes()), int64(columns.Len()))
	if err != nil || len(rows) != 6 || rows[5].Mass != 2300 || rows[5].Last != table.Rows[5][6] {
		t.Errorf("Parquet (%v): %v", err, rows)
	}
}

// TestARunThatFailsEndsEarlyAndAlone: with the fuel of a rocket in its brakes.
func TestARunThatFailsEndsEarlyAndAlone(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.Read(built.Manoeuvre("generic4w_braking"))
	if err != nil {
		t.Fatal(err)
	}
	s := Sweep{
		Library: library, Model: built.Model("generic4w"),
		Variations: []manoeuvre.Variation{{Name: "spring_FL.damping", Values: []float64{1000, 1e9, 1200, 1300, 1400}}},
		Run:        drive.Plan{Manoeuvre: m, Method: "euler", Step: 0.01, Duration: 0.5, Record: []string{"body.vx"}},
	}
	if _, err := library.Load(s.Model, ""); err != nil {
		t.Fatal(err)
	}
	table, err := s.Do()
	if err != nil {
		t.Fatal(err)
	}
	for k, row := range table.Rows {
		if failed := row[1] < 0.5; failed != (k == 1) {
			t.Errorf("run %d ended at %g s", k, row[1])
		}
	}
	if f := s.Failures; len(f) != 1 || f[0].Run != 2 || !strings.Contains(f[0].Reason.Error(), "not a finite number") {
		t.Errorf("failures: %v", f)
	}
}

func TestVariationsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"a=1:2": "not a finite number", "a": "neither", "=1": "neither", "a=": "not a finite number",
		"a=1:2:1": "whole number",
		"a=1:x:3": "not a finite number", "a=inf": "not a finite number", "a=1:2:1e9": "whole number",
		"a=1:2:99999999999": "whole number",
	} {
		if _, err := manoeuvre.ParseVariation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if v, err := manoeuvre.ParseVariation("a=1:-1:3"); err != nil || len(v.Values) != 3 || v.Values[1] != 0 ||
		v.Values[2] != -1 {
		t.Errorf("%v, %v", v, err)
	}
}

// Values of --param can have units, which are one and the same.
func TestUnitsOfVariations(t *testing.T) {
	for text, want := range map[string][]float64{"a=2 N/mm:6 kN/m:3": {2000, 4000, 6000},
		"a=0,36 km/h,72 km/h": {0, 10, 20}} {
		v, err := manoeuvre.ParseVariation(text)
		if err != nil || !slices.Equal(v.Values, want) || v.Written.Fits("kg") == nil {
			t.Errorf("%s: %+v, %v", text, v, err)
		}
	}
	for text, want := range map[string]string{
		"a=1 kg,2 m": `--param: "a" is "2 m": m is not a unit for what must be in kg`, "a=1kg": `write "1 kg"`,
		"a=1 t:1.4:3": "some values have a unit", "a=1,2 t": "some values have a unit, others have none",
		"a=1 kgs": "did you mean kg?", "a=1 kg:2 kg:3 kg": "whole number",
	} {
		if _, err := manoeuvre.ParseVariation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzVariation(f *testing.F) {
	fuzzinputs.Add(f, "a=1:2:3")
	fuzzinputs.Add(f, "a=1,2,3")
	fuzzinputs.Add(f, "a=1 km/h,2 kg")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, ":") == 2 && len(text) > 14 {
			t.Skip() // many values are no error, only slow
		}
		v, err := manoeuvre.ParseVariation(text)
		if err != nil {
			return
		}
		for _, x := range v.Values {
			if math.IsNaN(x) || v.Name == "" {
				t.Fatalf("%q gives %v", text, v)
			}
		}
	})
}

// What a run or a sweep would record is counted before memory is taken for it.
func TestMemoryOfRunsIsBounded(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.Read(built.Manoeuvre("generic4w_braking"))
	if err != nil {
		t.Fatal(err)
	}
	file := built.Model("generic4w")
	vehicle, err := library.Load(file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, Step: 1e-6, Duration: 99}); err == nil ||
		!strings.Contains(err.Error(), "at most 1e+09 are kept") {
		t.Errorf("9.9e7 steps: %v", err)
	}
	for _, run := range []drive.Plan{{Step: 1e-300}, {Step: 1e-12}, {Duration: 1e300}, {Step: math.NaN()},
		{Duration: math.NaN()}, {Step: -1}, {Duration: math.Inf(1)}, {Step: 1e300, Duration: 1e300}} {
		if err := vehicle.Reset(); err != nil {
			t.Fatal(err)
		}
		run.Manoeuvre = m
		if _, err := drive.Simulate(vehicle, run); err == nil {
			t.Errorf("a step of %g s and a duration of %g s are accepted", run.Step, run.Duration)
		}
	}
	values := make([]float64, 3000)
	for i := range values {
		values[i] = 1000 + float64(i)
	}
	many := Sweep{Library: library, Model: file, Run: drive.Plan{Manoeuvre: m},
		Variations: []manoeuvre.Variation{{Name: "spring_FL.damping", Values: values},
			{Name: "spring_FR.damping", Values: values}}}
	if _, err := many.Do(); err == nil || !strings.Contains(err.Error(), "at most 1e+09 are kept") {
		t.Errorf("9e6 runs of all outputs: %v", err)
	}
	for _, bad := range []struct {
		record  []string
		plotted bool
		want    string
	}{
		{nil, true, "a plot has a panel for each recorded variable, 157 here; at most 40"},
		{[]string{"body.vx", "rate(nix)"}, false, "no variable \"nix\""}, {[]string{"nix*"}, false, "fits \"nix*\""},
	} {
		one := many
		one.Run.Record, one.Plotted = bad.record, bad.plotted
		if table, err := one.Do(); err == nil || table != nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%q: %v, want %s", bad.record, err, bad.want)
		}
	}
	for _, from := range []float64{-1, 99, math.NaN()} {
		late := many
		late.From, late.Run.Duration = from, 99
		if _, err := late.Do(); err == nil || !strings.Contains(err.Error(), "must be from 0 to less than the 99 s") {
			t.Errorf("from %g s on: %v", from, err)
		}
	}
	twice := many
	twice.Variations = []manoeuvre.Variation{{Name: "spring_FL.damping", Values: values[:2]},
		{Name: "spring_FR.damping+spring_FL.damping", Values: values[:2]}}
	if _, err := twice.Do(); err == nil || !strings.Contains(err.Error(), "spring_FL.damping is varied twice") {
		t.Errorf("a parameter that is varied twice: %v", err)
	}
	constant := many
	constant.Variations = []manoeuvre.Variation{{Name: "spring_FL.damping+brake", Values: values}}
	constant.Run.Manoeuvre = &manoeuvre.Manoeuvre{Duration: 1, Step: 0.01,
		Constants: []manoeuvre.ConstantValue{{Name: "brake"}}}
	if _, err := constant.Do(); err == nil || !strings.Contains(err.Error(), "brake is a constant of the manoeuvre, ") {
		t.Errorf("a constant that varies: %v", err)
	}
	together := Sweep{Library: library, Model: file, Run: drive.Plan{Manoeuvre: m}, Variations: many.Variations[:1],
		Together: mostTogether + 1}
	if _, err := together.Do(); err == nil || !strings.Contains(err.Error(), "at most 1048576") {
		t.Errorf("1048577 vehicles: %v", err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
		t.Errorf("%d MiB for what is rejected", took>>20)
	}
}

// Recorded variables are found before the runs: a rate has the unit of its variable per second, and an unknown name is
// rejected.
func TestRecordedVariablesAreFound(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := library.Load(built.Model("generic4w"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	s := Sweep{Run: drive.Plan{Record: []string{"body.vx", "rate(body.vx)", "rate(body.roll)", "rate(tire_FL.kappa)"}}}
	if err := s.bind(vehicle); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"m/s", "m/s2", "rad/s", "1/s"} {
		if r := s.recorded[i]; r.Unit != want || r.Name != s.Run.Record[i] || r.rate != (i > 0) {
			t.Errorf("%s is found as %+v, want the unit %s", s.Run.Record[i], r, want)
		}
	}
	s.Run.Record = []string{"body.vx", "rate(body.nothing)"}
	if err := s.bind(vehicle); err == nil || !strings.Contains(err.Error(), `"body.nothing"`) {
		t.Errorf("a variable that is none: %v", err)
	}
}

// TestSweepsAreBitIdenticalToSingleRuns: a sweep is bit-identical to single runs. Cases: one driver for all runs, with
// and without end conditions; another start value of an input in one run; a law that reads the vehicle; runs ended by a
// stop.
func TestSweepsAreBitIdenticalToSingleRuns(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	law, err := signal.ParseLaw("-50*body.wz", nil)
	if err != nil {
		t.Fatal(err)
	}
	steered := func(m *manoeuvre.Manoeuvre) { m.Inputs[0].Signal = signal.Constant(0.05) }
	for _, c := range []struct {
		model, manoeuvre, vary string
		change                 func(m *manoeuvre.Manoeuvre)
		plan                   drive.Plan
		ends                   int // number of different end times of the runs, the last step included
	}{
		{"generic4w", "generic4w_sine", "body.wx=6,0,8,4", steered,
			drive.Plan{Duration: 0.05, Record: []string{"body.wz", "upright_FR.az"}}, 3},
		{"generic4w", "generic4w_sine", "body.wx=0,6", steered,
			drive.Plan{Duration: 0.05, EndAt: []manoeuvre.EndCondition{{Name: "none"}}, Record: []string{"body.wz"}}, 1},
		{"generic4w", "generic4w_sine", "body.mass=1900,2000", steered,
			drive.Plan{Duration: 0.05, Held: true, Record: []string{"upright_FR.ay", "upright_FR.az"}}, 1},
		{"generic4w", "generic4w_sine", "brake_FL.torque=0,500,0", func(m *manoeuvre.Manoeuvre) {
			m.Inputs[1].Variables = m.Inputs[1].Variables[:1]
			m.Inputs[1].Signal = signal.Steps{Time: []float64{0, 0.02}, Value: []float64{0, 100}}
		}, drive.Plan{Duration: 0.05, Record: []string{"body.wz"}}, 1},
		{"generic4w", "generic4w_sine", "body.vx=10,20", func(m *manoeuvre.Manoeuvre) {
			steered(m)
			m.Inputs = m.Inputs[:1]
			m.Feedback = []manoeuvre.FeedbackLaw{{Law: law, Variables: []string{"brake_FL.torque"}, Factor: 1}}
		}, drive.Plan{Duration: 0.05, Record: []string{"body.wz"}}, 1},
		{"bicycle", "bicycle_capsize", "rear_frame.mass=90,100", func(m *manoeuvre.Manoeuvre) {
			m.Stops[0].When.Bound = 0.02
		}, drive.Plan{Record: []string{"rear_frame.roll"}}, 2},
	} {
		m, err := manoeuvre.Read(built.Manoeuvre(c.manoeuvre))
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(m)
		}
		vary, err := manoeuvre.ParseVariation(c.vary)
		if err != nil {
			t.Fatal(err)
		}
		c.plan.Manoeuvre = m
		s := Sweep{Library: l, Model: built.Model(c.model), Variations: []manoeuvre.Variation{vary}, Run: c.plan}
		table, err := s.Do()
		if err != nil {
			t.Fatal(err)
		}
		ends := map[float64]bool{}
		for k, row := range table.Rows {
			vehicle, err := l.Load(s.Model, "")
			if err != nil {
				t.Fatal(err)
			}
			single := c.plan
			single.Settings = []manoeuvre.Setting{number(vary.Name, vary.Values[k])}
			result, err := drive.Simulate(vehicle, single)
			if err != nil {
				t.Fatal(err)
			}
			times := result.Trace.Time
			want := []float64{vary.Values[k], times[len(times)-1]}
			for _, name := range c.plan.Record {
				values := result.Trace.Column(name)
				want = append(want, values[len(values)-1], slices.Min(values), slices.Max(values))
			}
			if !slices.Equal(row[:len(want)], want) {
				t.Errorf("%s, %s, run %d is %g, alone %g", c.manoeuvre, c.vary, k+1, row, want)
			}
			ends[row[1]] = true
			vehicle.Close()
		}
		if len(ends) != c.ends {
			t.Errorf("%s, %s: the runs end at %v", c.manoeuvre, c.vary, ends)
		}
	}
}
