package drive

import (
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// A battery gives no more power in three cases: the power is at the limit for the motors, the battery is empty, or the
// voltage is half of the open-circuit voltage. Powers of several batteries and limits add up.
func TestBatteriesAtTheirLimitsAreNamed(t *testing.T) {
	t.Parallel()
	one := batteries{[]string{"a"}, []string{"l"}}
	two := batteries{[]string{"a", "b"}, []string{"l", "m"}}
	free := batteries{names: []string{"a"}}
	const at, empty = "a at a state of charge of 0.5", "a at a state of charge of 0"
	for _, c := range []struct {
		of     batteries
		values []float64 // in the order of record
		want   string    // "" for no message
	}{
		{one, []float64{0.5, 300, 10, 330, 3000}, "3 kW (" + at + ")"},
		{one, []float64{0.5, 300, 10, 330, 3100}, ""},
		{one, []float64{0.5, 300, -10, 330, 3000}, ""},
		{one, []float64{0.5, 300, -10, 330, 0}, ""},
		{one, []float64{0, 300, 1, 330, 3100}, "0.3 kW (" + empty + ")"},
		{one, []float64{0.5, 168, 10, 330, 31000}, "1.68 kW (" + at + ")"},
		{one, []float64{0.5, 170, 10, 330, 31000}, ""},
		{free, []float64{0.5, 300, 10, 330}, ""},
		{free, []float64{0.5, 165, 10, 330}, "1.65 kW (" + at + ")"},
		{two, []float64{0.5, 300, 10, 330, 0.6, 400, 10, 430, 3000, 4000},
			"7 kW (" + at + ", b at a state of charge of 0.6)"},
		{two, []float64{0.5, 300, 10, 330, 0.6, 400, 10, 430, 3000, 5000}, ""},
	} {
		var channels []trace.Channel
		for _, name := range c.of.record() {
			channels = append(channels, trace.Channel{Name: name})
		}
		tr := trace.New(channels, 2)
		tr.Append(0, make([]float64, len(channels)))
		tr.Append(1, c.values)
		got := c.of.exhausted(tr)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v of %v: %q, want %q", c.values, c.of.record(), got, c.want)
		}
	}
}

// The gain of a car with an empty battery is not found, and the message names the battery with its state of charge.
func TestAnEmptyBatteryIsTheCauseOfPedalsWithoutGain(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	model := built.Model("electric_axle_car")
	target, err := modelfile.Target(model, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.ReadFor(target, built.Manoeuvre("driving_cycle"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := l.Load(model, "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	_, err = AdaptPedals(vehicle, Plan{Manoeuvre: m, Settings: []manoeuvre.Setting{{Name: "soc_B", Value: "0.01"}}})
	if err == nil {
		t.Fatal("an empty battery drives the car")
	}
	for _, part := range []string{"at 5 m/s", "does not hold this speed", "the power of the battery is at its limit",
		"pack_B at a state of charge of 0.00", "parameter soc"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
}
