package statements

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/signal"
)

// synthetic builds a trace of 10 s at 10 ms from formulas.
func synthetic(columns map[string]func(t float64) float64) *trace.Trace {
	var names []string
	for name := range columns {
		names = append(names, name)
	}
	trace := trace.New(trace.Named(names...), 1001)
	row := make([]float64, len(names))
	for n := range 1001 {
		for i, name := range names {
			row[i] = columns[name](float64(n) / 100)
		}
		trace.Append(float64(n)/100, row)
	}
	return trace
}

func constant(x float64) func(float64) float64 { return func(float64) float64 { return x } }

func sine(amplitude float64) func(float64) float64 {
	return func(t float64) float64 { return amplitude * math.Sin(2*math.Pi*t/10) }
}

// laneChange is the lane change of the paper in simple functions; growth enlarges the second peaks.
func laneChange(growth float64) map[string]func(float64) float64 {
	force := func(amplitude float64) func(float64) float64 {
		return func(t float64) float64 {
			if t < 5.2 {
				return amplitude * math.Sin(math.Pi*t/5.4)
			}
			return amplitude * growth * math.Sin(math.Pi*t/5.2)
		}
	}
	return map[string]func(float64) float64{
		"body.y": func(t float64) float64 { return 3.1 * t }, "body.yaw": constant(0.001),
		"body.wz": sine(0.1), "body.roll": sine(0.06),
		"body.vz": constant(0.001), "body.z": constant(0.8995), "body.az": constant(0.01),
		"tire_FL.Fz": func(t float64) float64 { return staticLoadFL - sine(800)(t) },
		"tire_FL.Fy": force(1000), "tire_FL.Mz": force(-40),
	}
}

func failed(checks []Check) string {
	var names []string
	for _, check := range checks {
		if !check.Pass {
			names = append(names, check.Name)
		}
	}
	return strings.Join(names, " ")
}

func TestALaneChangePassesAndEachFaultFailsItsOwnStatement(t *testing.T) {
	for _, test := range []struct {
		fault   string
		columns map[string]func(float64) float64
		fails   string
	}{
		{"none", nil, ""},
		{"too narrow", map[string]func(float64) float64{"body.y": func(t float64) float64 { return 1.9 * t }}, "G1"},
		{"does not straighten", map[string]func(float64) float64{"body.yaw": constant(-0.06)}, "G1"},
		{"turns right first", map[string]func(float64) float64{"body.wz": sine(-0.1)}, "G2"},
		{"rolls inwards", map[string]func(float64) float64{"body.roll": sine(-0.06)}, "G2"},
		{"oscillates",
			map[string]func(float64) float64{"body.roll": func(t float64) float64 { return math.Sin(2 * math.Pi * t / 3) }},
			"G2"},
		{"loads the inner wheel",
			map[string]func(float64) float64{"tire_FL.Fz": func(t float64) float64 {
				return staticLoadFL +
					sine(800)(t)
			}}, "G3"},
		{"first peak larger", map[string]func(float64) float64{"tire_FL.Mz": laneChange(0.9)["tire_FL.Mz"]}, "G4"},
		{"late peak", map[string]func(float64) float64{"tire_FL.Fy": func(t float64) float64 { return t * t }}, "G5"},
		{"falls", map[string]func(float64) float64{"body.z": func(t float64) float64 { return 0.8995 - 0.001*t }},
			"G13"},
		{"not a number", map[string]func(float64) float64{"body.az": constant(math.NaN())}, "G13"},
	} {
		columns := laneChange(1.1)
		for name, f := range test.columns {
			columns[name] = f
		}
		if got := failed(GenericSine(synthetic(columns))); got != test.fails {
			t.Errorf("%s: fails %q, want %q", test.fault, got, test.fails)
		}
	}
}

func TestSkidderBrakingStatementsTellRightFromWrong(t *testing.T) {
	stop := func(t float64) float64 { return math.Min(10, math.Max(2.2, 10-5.2*(t-2))) }
	nod := func(t float64) float64 {
		switch {
		case t < 2.2:
			return 0
		case t < 3.6:
			return 1.27 * degree
		}
		return 0.01 * math.Exp(-(t-3.6)/1.5) * math.Cos(9*(t-3.6))
	}
	right := func() map[string]func(float64) float64 {
		columns := map[string]func(float64) float64{
			"front.vx": stop, "front.pitch": nod,
			"tire_FL.Fz": constant(50e3), "tire_RL.Fz": constant(24e3), "tire_FL.Fx": constant(-3),
		}
		for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
			columns[tire+".My"] = constant(0)
		}
		return columns
	}
	for _, test := range []struct {
		fault, variable string
		becomes         func(float64) float64
		fails           string
	}{
		{"none", "front.vx", stop, ""},
		{"accelerates past the switch of the friction law", "front.vx", func(t float64) float64 { return 10 + t },
			"S4 S8"},
		{"pitches backwards", "front.pitch", func(t float64) float64 { return -nod(t) }, "S5"},
		{"creeps back without a swing", "front.pitch", func(t float64) float64 { return math.Abs(nod(t)) }, "S7"},
		{"unloads the front", "tire_FL.Fz", constant(40e3), "S6"},
		{"has rolling resistance", "tire_RR.My", constant(-1), "S8"},
		{"keeps a drag", "tire_FL.Fx", constant(-60), "S8"},
	} {
		columns := right()
		columns[test.variable] = test.becomes
		if got := failed(SkidderBraking(synthetic(columns))); got != test.fails {
			t.Errorf("%s: fails %q, want %q", test.fault, got, test.fails)
		}
	}
}

func TestDistanceIsTheLargestDifferenceAndNaNPassesNothing(t *testing.T) {
	a := synthetic(map[string]func(float64) float64{"x": sine(1)})
	b := synthetic(map[string]func(float64) float64{"x": func(t float64) float64 { return sine(1)(t) - 1e-3*t }})
	if d := distance(a, b, "x"); !(math.Abs(d-1e-2) <= 1e-15) {
		t.Errorf("distance %g, want 0.01", d)
	}
	bad := synthetic(map[string]func(float64) float64{"x": constant(math.NaN())})
	if Converged("", "", a, bad, []Tolerance{{"x", 1}}).Pass {
		t.Error("a run that is not a number counts as converged")
	}
	if !Converged("", "", a, b, []Tolerance{{"x", 0.011}}).Pass ||
		Converged("", "", a, b, []Tolerance{{"x", 0.009}}).Pass {
		t.Error("the bound is not where it should be")
	}
}

func TestSignalRatesAreDerivatives(t *testing.T) {
	const h = 1e-5
	friction, err := signal.ParseFormula("0.15 + 0.7*tanh((time - 3)/1.5)^4", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, signal := range map[string]signal.Signal{
		"constant":         signal.Constant(3),
		"sine":             signal.Sine{Amplitude: 0.0175, Period: 10},
		"piecewise linear": signal.PiecewiseLinear{Time: []float64{0, 2, 2.5, 4.5}, Value: []float64{0, 1, 1000, 400}},
		"formula":          friction,
	} {
		for _, at := range []float64{-1, 0.3, 1.7, 2.2, 3.1, 4.9, 9.7} {
			before, _, _ := signal.At(at - h)
			_, rate, acceleration := signal.At(at)
			after, _, _ := signal.At(at + h)
			if d := (after - before) / (2 * h); !(math.Abs(d-rate) <= 1e-7*(1+math.Abs(rate))) {
				t.Errorf("%s at %g s: rate %g, difference quotient %g", name, at, rate, d)
			}
			_, rate0, _ := signal.At(at - h)
			_, rate1, _ := signal.At(at + h)
			if d := (rate1 - rate0) / (2 * h); !(math.Abs(d-acceleration) <= 1e-7*(1+math.Abs(acceleration))) {
				t.Errorf("%s at %g s: acceleration %g, difference quotient %g", name, at, acceleration, d)
			}
		}
	}
}

func TestPiecewiseLinearPassesThroughItsPoints(t *testing.T) {
	p := signal.PiecewiseLinear{Time: []float64{1, 2, 4}, Value: []float64{5, -1, 3}}
	for _, point := range [][2]float64{{0, 5}, {1, 5}, {1.5, 2}, {2, -1}, {3, 1}, {4, 3}, {9, 3}} {
		if value, _, _ := p.At(point[0]); value != point[1] {
			t.Errorf("value(%g) = %g, want %g", point[0], value, point[1])
		}
	}
}

func TestCSVHoldsEveryRowUnrounded(t *testing.T) {
	trace := synthetic(map[string]func(float64) float64{"x": sine(1)})
	var csv strings.Builder
	if err := trace.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(csv.String()), "\n")
	if lines[0] != "time,x" || len(lines) != 1002 || !strings.HasPrefix(lines[101], "1,0.587785252292473") {
		t.Errorf("heading %q, %d lines, row at 1 s %q", lines[0], len(lines), lines[101])
	}
}

func TestStepsHoldTheirValues(t *testing.T) {
	s := signal.Steps{Time: []float64{0.5, 1}, Value: []float64{3, -2}}
	for _, c := range [][2]float64{{0, 0}, {0.499, 0}, {500 * 0.001, 3}, {0.999, 3}, {1, -2}, {9, -2}} {
		if v, rate, acceleration := s.At(c[0]); v != c[1] || rate != 0 || acceleration != 0 {
			t.Errorf("at %g: %g, %g, %g; want %g", c[0], v, rate, acceleration, c[1])
		}
	}
}
