package drive

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// listener is a subject that keeps what its inputs are set to.
type listener struct {
	Subject
	inputs        []string
	values, rates map[string]float64
}

func (l *listener) Find(name string) (library.Variable, error) {
	if i := slices.Index(l.inputs, name); i >= 0 {
		return library.Variable{Name: name, Reference: uint32(i)}, nil
	}
	return library.Variable{}, fmt.Errorf("no variable %s", name)
}

func (l *listener) Set(references []uint32, values []float64) error {
	for i, r := range references {
		l.values[l.inputs[r]] = values[i]
	}
	return nil
}

func (l *listener) SetRates(references []uint32, rates []float64) error {
	for i, r := range references {
		l.rates[l.inputs[r]] = rates[i]
	}
	return nil
}

func (l *listener) TakesRates() bool { return true }

// A signal that drives motions and roads supplies each with its value and rate, and motions also with their
// acceleration. With the additional rates the vehicle continues them to the values at the next communication point.
// After their phase they stand still.
func TestSignalsDriveMotionsAndRoads(t *testing.T) {
	l := &listener{
		inputs: []string{"steer.angle", "steer.rate", "steer.acceleration", "lift.position", "lift.rate",
			"lift.acceleration", "post.z", "post.z_dot", "post.mu", "drive.torque"},
		values: map[string]float64{}, rates: map[string]float64{},
	}
	wave := signal.Sine{Amplitude: 2, Period: 3}
	inputs := []manoeuvre.InputSignal{{Drivers: []string{"post", "steer", "lift"}, Signal: wave},
		{Variables: []string{"drive.torque"}, Signal: signal.Constant(7)}}
	d, err := newInputDriver(l,
		&manoeuvre.Manoeuvre{Phases: []manoeuvre.Phase{{Name: "shake", Duration: 0.5, Inputs: inputs},
			{Name: "rest", Duration: 1}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.ramped = l
	const at, h = 0.4, 0.01
	if err := d.At(at, h); err != nil {
		t.Fatal(err)
	}
	check := func(got, want map[string]float64) {
		t.Helper()
		for name, v := range want {
			if !(math.Abs(got[name]-v) <= 1e-9) {
				t.Errorf("%s is %g, not %g", name, got[name], v)
			}
		}
	}
	value, rate, _ := wave.At(at)
	next, nextRate, nextAcceleration := wave.At(at + h)
	check(l.values, map[string]float64{
		"steer.angle": value, "steer.rate": rate, "lift.position": value, "lift.rate": rate,
		"post.z": value, "post.z_dot": rate, "drive.torque": 7,
	})
	if len(l.rates) != 9 || l.rates["drive.torque"] != 0 {
		t.Errorf("rates of %v", l.rates)
	}
	for name, names := range map[string][3]string{
		"steer": {"steer.angle", "steer.rate", "steer.acceleration"},
		"lift":  {"lift.position", "lift.rate", "lift.acceleration"}, "post": {"post.z", "post.z_dot"},
	} { // as cosim continues them
		x, v, a := l.values[names[0]], l.values[names[1]], l.values[names[2]]
		rx, rv, ra := l.rates[names[0]], l.rates[names[1]], l.rates[names[2]]
		if end := x + h*rx + h*(v+h/2*(a+rv)); !(math.Abs(end-next) <= 1e-14) {
			t.Errorf("%s ends the step at %.16g, the signal at %.16g", name, end, next)
		}
		if end := v + h*rv + h*a; !(math.Abs(end-nextRate) <= 1e-14) {
			t.Errorf("%s ends the step with the rate %.16g, the signal with %.16g", name, end, nextRate)
		}
		if mean := a + h/2*ra; names[2] != "" && !(math.Abs(mean-(nextRate-rate)/h) <= 1e-12) {
			t.Errorf("the mean acceleration of %s is %.15g, not the change of its rate", name, mean)
		}
		if end := a + h*ra; names[2] != "" && !(math.Abs(end-nextAcceleration) <= 1e-13) {
			t.Errorf("%s ends the step with the acceleration %.16g, the signal with %.16g", name, end, nextAcceleration)
		}
	}
	if err := d.At(0.5, h); err != nil {
		t.Fatal(err)
	}
	value, _, _ = wave.At(0.5)
	check(l.values, map[string]float64{"steer.angle": value, "steer.rate": 0, "steer.acceleration": 0,
		"lift.position": value, "post.z": value, "post.z_dot": 0, "drive.torque": 7})
	for name, rate := range l.rates {
		if rate != 0 {
			t.Errorf("after its phase %s changes by %g 1/s", name, rate)
		}
	}
}

// If a subject takes no rates, an input has its value at the end of the step, motions the mean acceleration and roads
// the mean rate; held inputs have their value at the beginning. A jump at the end of a step belongs to the next one.
func TestInputsWithoutRatesAreHeld(t *testing.T) {
	l := &listener{
		inputs: []string{"steer.angle", "steer.rate", "steer.acceleration", "post.z", "post.z_dot", "drive.torque",
			"brake.torque"},
		values: map[string]float64{}, rates: map[string]float64{},
	}
	smooth, jump := signal.Sine{Amplitude: 2, Period: 3}, signal.Steps{Time: []float64{0, 0.41}, Value: []float64{5, 8}}
	d, err := newInputDriver(l, &manoeuvre.Manoeuvre{Inputs: []manoeuvre.InputSignal{
		{Drivers: []string{"steer", "post"}, Signal: smooth}, {Variables: []string{"drive.torque"}, Signal: smooth},
		{Variables: []string{"brake.torque"}, Signal: jump},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const at, h = 0.4, 0.01
	value, rate, acceleration := smooth.At(at)
	end, endRate, _ := smooth.At(at + h)
	for holding, torque := range map[holding]float64{heldAtEnd: end, heldAtBegin: value} {
		d.holding = holding
		if err := d.At(at, h); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]float64{
			"drive.torque": torque, "brake.torque": 5,
			"steer.angle": value, "steer.rate": rate, "steer.acceleration": (endRate - rate) / h,
			"post.z": value, "post.z_dot": (end - value) / h,
		} {
			if got := l.values[name]; !(math.Abs(got-want) <= 1e-11) {
				t.Errorf("holding %d: %s is %.15g, not %.15g", holding, name, got, want)
			}
		}
		want := value // at the time of the record, except for repeated values
		if got := d.recorded()[d.places["drive.torque"]]; got != want {
			t.Errorf("holding %d: the record has the torque %.15g, not %.15g", holding, got, want)
		}
		if want = acceleration; holding == heldAtBegin {
			want = (endRate - rate) / h
		}
		if got := d.recorded()[d.places["steer.acceleration"]]; !(math.Abs(got-want) <= 1e-11) {
			t.Errorf("holding %d: the record has the acceleration %.15g, not %.15g", holding, got, want)
		}
	}
	if len(l.rates) > 0 {
		t.Errorf("rates of %v", l.rates)
	}
}

// Signals with corners have two sides: At belongs to the side that begins, Before to the side that ends, also if a
// communication point is off by rounding.
func TestSignalsHaveTwoSides(t *testing.T) {
	line := signal.PiecewiseLinear{Time: []float64{1, 2, 4}, Value: []float64{3, 5, 4}}
	for _, c := range []struct {
		signal       signal.Signal
		t            float64
		before, from [2]float64 // value and rate
	}{
		{line, 1, [2]float64{3, 0}, [2]float64{3, 2}},
		{line, 2, [2]float64{5, 2}, [2]float64{5, -0.5}},
		{line, 4, [2]float64{4, -0.5}, [2]float64{4, 0}},
		{line, 3, [2]float64{4.5, -0.5}, [2]float64{4.5, -0.5}},
		{signal.Scaled{Signal: line, Factor: -2}, 2, [2]float64{-10, -4}, [2]float64{-10, 1}},
		{signal.Steps(line), 1, [2]float64{0, 0}, [2]float64{3, 0}},
		{signal.Steps(line), 4, [2]float64{5, 0}, [2]float64{4, 0}},
		{signal.SineWithDwell{Amplitude: 2, Frequency: 0.5, Dwell: 1}, 3, [2]float64{0, 2 * math.Pi}, [2]float64{0, 0}},
		{signal.Chirp{Amplitude: 1, First: 0.25, Last: 0.75, Period: 4}, 4, [2]float64{0, 1.5 * math.Pi},
			[2]float64{0, 0.5 * math.Pi}},
		{signal.Sine{Amplitude: 2, Period: 4}, 1, [2]float64{2, 0}, [2]float64{2, 0}},
	} {
		for _, off := range []float64{-1e-12, 0, 1e-12} {
			var got [2][2]float64
			got[0][0], got[0][1], _ = signal.Before(c.signal, c.t+off)
			got[1][0], got[1][1], _ = c.signal.At(c.t + off)
			for side, want := range [][2]float64{c.before, c.from} {
				for k := range want {
					if !(math.Abs(got[side][k]-want[k]) <= 1e-10) {
						t.Errorf("%+v at %g s%+g, side %d: %g, not %g", c.signal, c.t, off, side, got[side], want)
					}
				}
			}
		}
	}
}

// startable is a listener that is set before the start, too.
type startable struct{ listener }

func (s *startable) SetNamed(name string, value float64) error {
	s.values[name] = value
	return nil
}

func (s *startable) Initialise() error { return nil }

// Inputs keep what start values and settings have made them until a phase drives them.
func TestInputsBeginAsTheyAreSet(t *testing.T) {
	s := &startable{listener{inputs: []string{"box.gear", "drive.torque", "brake.torque"}, values: map[string]float64{},
		rates: map[string]float64{}}}
	plan := Plan{Settings: []manoeuvre.Setting{{Name: "drive.torque", Value: "7"}}, Manoeuvre: &manoeuvre.Manoeuvre{
		Start: []manoeuvre.StartValue{{Variable: "box.gear", Value: 5}, {Variable: "drive.torque", Value: 6}},
		Phases: []manoeuvre.Phase{{Name: "wait", Duration: 0.5}, {Name: "shift", Duration: 1,
			Inputs: []manoeuvre.InputSignal{{Variables: s.inputs, Signal: signal.Constant(2)}}}},
	}}
	const h = 0.01
	d, err := plan.Prepare(s, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   float64
		want map[string]float64
	}{
		{0, map[string]float64{"box.gear": 5, "drive.torque": 7, "brake.torque": 0}},
		{0.49, map[string]float64{"box.gear": 5, "drive.torque": 7, "brake.torque": 0}},
		{0.5, map[string]float64{"box.gear": 2, "drive.torque": 2, "brake.torque": 2}},
	} {
		if err := d.At(c.at, h); err != nil || !maps.Equal(s.values, c.want) {
			t.Errorf("inputs at %g s: %v, %v; want %v", c.at, s.values, err, c.want)
		}
	}
}
