package drive_test

import (
	"fmt"
	"math"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// A platform that a torque turns, and a rotor on it that a driver turns, have the angular momentum of the impulse of
// the torque. Inputs that are carried through a step lead there with order 2, inputs that are held with order 1; a
// driven motion exchanges no momentum but its own, however long the step. Where nothing is held from before, what is
// recorded belongs to the time beside it: the platform accelerates as the torque says.
func TestInputsPassThroughAStepWithTheirOrder(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	const both, rotor = 7.0, 2.0 // kg.m2
	formula := func(text string) signal.Signal {
		f, err := signal.ParseFormula(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	ways := map[string]struct {
		hide, zeroOrderHold bool // that the library takes rates
		order               float64
	}{
		"carried by rates": {order: 2}, "held at the end": {hide: true, order: 1},
		"held at the beginning": {zeroOrderHold: true, order: 1},
	}
	signals := map[string]struct {
		signal  signal.Signal
		impulse func(t float64) float64
	}{
		"formula": {formula("3*cos(5*time)"), func(t float64) float64 { return 0.6 * math.Sin(5*t) }},
		"sine": {signal.Sine{Amplitude: 3, Period: 1.3},
			func(t float64) float64 { w := 2 * math.Pi / 1.3; return 3 / w * (1 - math.Cos(w*t)) }},
	}
	run := func(t *testing.T, input manoeuvre.InputSignal, step float64, hide, zeroOrderHold bool) *trace.Trace {
		vehicle, err := library.Load(built.Path("harness", "testdata", "platform.toml"), "")
		if err != nil {
			t.Fatal(err)
		}
		defer vehicle.Close()
		var s drive.Subject = vehicle
		if hide {
			s = struct{ drive.Subject }{vehicle}
		}
		m := &manoeuvre.Manoeuvre{Name: "turn", Duration: 0.8, Step: step, Inputs: []manoeuvre.InputSignal{input}}
		result, err := drive.Simulate(s,
			drive.Plan{Manoeuvre: m, Method: "rk4", Substep: 0.001, Held: zeroOrderHold,
				Record: []string{"turn.omega", "platform.ay"}})
		if err != nil {
			t.Fatal(err)
		}
		return result.Trace
	}
	for name, way := range ways {
		for kind, of := range signals {
			t.Run(fmt.Sprintf("torque, %s, %s", name, kind), func(t *testing.T) {
				var wrong []float64
				for _, step := range []float64{0.04, 0.02, 0.01} {
					trace := run(t, manoeuvre.InputSignal{Variables: []string{"motor.torque"}, Signal: of.signal}, step,
						way.hide, way.zeroOrderHold)
					last := len(trace.Time) - 1
					wrong = append(wrong, math.Abs(trace.Column("turn.omega")[last]-of.impulse(trace.Time[last])/both))
					for n, at := range trace.Time {
						torque, _, _ := of.signal.At(at)
						if got := trace.Column("platform.ay")[n]; !way.zeroOrderHold && !(math.Abs(got-torque/both) <= 1e-13) {
							t.Fatalf("at %g s the platform accelerates with %.15g rad/s2, the torque with %.15g", at,
								got, torque/both)
						}
					}
				}
				for i := 1; i < len(wrong); i++ {
					order := math.Log2(wrong[i-1] / wrong[i])
					if !(math.Abs(order-way.order) < 0.1) {
						t.Errorf("step %d: order %.3f, not %g; errors %g rad/s", i, order, way.order, wrong)
					}
				}
			})
			t.Run(fmt.Sprintf("driver, %s, %s", name, kind), func(t *testing.T) {
				trace := run(t, manoeuvre.InputSignal{Drivers: []string{"spin"}, Signal: of.signal}, 0.04, way.hide,
					way.zeroOrderHold)
				_, first, _ := of.signal.At(0) // the platform rests when the rotor turns already
				for n, at := range trace.Time {
					_, rate, _ := of.signal.At(at)
					if got, want := trace.Column("turn.omega")[n],
						-rotor/both*(rate-first); !(math.Abs(got-want) <= 1e-12) {
						t.Fatalf("at %g s the platform turns with %.15g rad/s; momentum is kept with %.15g", at, got,
							want)
					}
				}
			})
		}
	}
}
