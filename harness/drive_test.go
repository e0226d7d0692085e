package harness

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// listener is a subject that keeps what its inputs are set to.
type listener struct {
	Subject
	inputs        []string
	values, rates map[string]float64
}

func (l *listener) Find(name string) (Variable, error) {
	if i := slices.Index(l.inputs, name); i >= 0 {
		return Variable{Name: name, Reference: uint32(i)}, nil
	}
	return Variable{}, fmt.Errorf("no variable %s", name)
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

// A signal that drives motions and roads gives every one of them its value and rate, motions their
// acceleration, too; the highest of these goes on linearly to the next communication point. After
// their phase they stand still.
func TestSignalsDriveMotionsAndRoads(t *testing.T) {
	l := &listener{
		inputs: []string{"steer.angle", "steer.rate", "steer.acceleration", "lift.position", "lift.rate", "lift.acceleration", "post.z", "post.z_dot", "post.mu", "drive.torque"},
		values: map[string]float64{}, rates: map[string]float64{},
	}
	signal := Sine{Amplitude: 2, Period: 3}
	inputs := []InputSignal{{Drivers: []string{"post", "steer", "lift"}, Signal: signal}, {Variables: []string{"drive.torque"}, Signal: Constant(7)}}
	d, err := newDrive(l, &Manoeuvre{Phases: []Phase{{Name: "shake", Duration: 0.5, Inputs: inputs}, {Name: "rest", Duration: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	d.ramped = l
	const at, h = 0.4, 0.01
	if err := d.at(at, h); err != nil {
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
	value, rate, acceleration := signal.At(at)
	_, nextRate, nextAcceleration := signal.At(at + h)
	check(l.values, map[string]float64{
		"steer.angle": value, "steer.rate": rate, "steer.acceleration": acceleration, "lift.position": value, "lift.rate": rate, "lift.acceleration": acceleration,
		"post.z": value, "post.z_dot": rate, "drive.torque": 7,
	})
	check(l.rates, map[string]float64{"steer.acceleration": (nextAcceleration - acceleration) / h, "lift.acceleration": (nextAcceleration - acceleration) / h, "post.z_dot": (nextRate - rate) / h, "drive.torque": 0})
	if len(l.rates) != 4 {
		t.Errorf("rates of %v", l.rates)
	}
	if err := d.at(0.5, h); err != nil {
		t.Fatal(err)
	}
	value, _, _ = signal.At(0.5)
	check(l.values, map[string]float64{"steer.angle": value, "steer.rate": 0, "steer.acceleration": 0, "lift.position": value, "post.z": value, "post.z_dot": 0, "drive.torque": 7})
	check(l.rates, map[string]float64{"steer.acceleration": 0, "lift.acceleration": 0, "post.z_dot": 0})
}
