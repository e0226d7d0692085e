package figures

import (
	"math"
	"testing"
)

// A car that goes 20 m/s and takes 6 kW from a battery of 400 V with 0.1 Ohm has a consumption in closed form; so have
// braking with 3 kW and the state of charge.
func TestDrivingCycleOfAClosedForm(t *testing.T) {
	const h, n = 0.01, 2001 // 10 s of driving, 10 s of braking
	r := &Record{Phases: []Phase{{"before", 0, 1}, {"cycle", 1, 21}}}
	b := Battery{Name: "pack"}
	charge := 0.5
	for i := range n + 100 {
		current := 15.0
		if i > 1100 {
			current = -7.5
		}
		wanted := 20.0
		if i == 1500 {
			wanted = 20.7
		}
		if i < 100 {
			current, wanted = 1000, 100 // outside of the phase
		}
		if i > 100 {
			charge -= current * h / 36000
		}
		r.Time, r.Speed = append(r.Time, h*float64(i)), append(r.Speed, 20)
		r.Wanted = append(r.Wanted, wanted)
		b.Open, b.Current = append(b.Open, 400), append(b.Current, current)
		b.Voltage, b.Charge = append(b.Voltage, 400-0.1*current), append(b.Charge, charge)
	}
	r.Batteries = []Battery{b}
	list := drivingCycle.Run(r, &cycleOptions{tolerance: 0.5})
	// the step of the current is a trapezoid of one interval
	given, returned := 398.5*15*(10+h/2), 400.75*7.5*(10-h/2)
	energy := 400 * (15*(10+h/2) - 7.5*(10-h/2))
	for name, want := range map[string]float64{
		"distance": 400, "consumption": energy / 400 / 3.6, "energy": energy, "energy_given": given,
		"energy_returned": returned, "energy_lost": 0.1 * (225*(10+h/2) + 56.25*(10-h/2)),
		"soc_end": charge, "soc_change": charge - 0.5, "followed": 0, "deviation_max": -0.7,
		"deviation_rms": 0.7 / math.Sqrt(n),
	} {
		if f := pick(t, list, name); !(math.Abs(f.Value-want) <= 1e-3*math.Abs(want)) {
			t.Errorf("%s is %g, want %g", name, f.Value, want)
		}
	}
	near(t, "time of the deviation", pick(t, list, "followed").Time, 15, 1e-9)
	if f := pick(t, drivingCycle.Run(r, &cycleOptions{tolerance: 0.71}), "followed"); f.Value != 1 || f.Time == f.Time {
		t.Errorf("within the tolerance: %+v", f)
	}
	plots := plotsOfCycle([]*Record{r}, nil)
	if wanted := plots[0].Curves[1]; wanted.Label != "wanted" || wanted.Y[1500] != 20.7 {
		t.Errorf("the plot of the speed has %q", wanted.Label)
	}
	near(t, "drawn power", plots[1].Curves[0].Y[200], 15*398.5/1000, 1e-12)
	near(t, "drawn state of charge", plots[2].Curves[0].Y[n+99], charge, 1e-12)
	r.Batteries = nil
	without := drivingCycle.Run(r, &cycleOptions{tolerance: 1})
	if f := pick(t, without, "consumption"); f.Missing != "the vehicle has no battery" {
		t.Errorf("without a battery: %+v", f)
	}
	r.Batteries, r.Speed = []Battery{b}, make([]float64, len(r.Speed))
	if f := pick(t, drivingCycle.Run(r, &cycleOptions{tolerance: 1}), "consumption"); f.Missing != "the vehicle stands" {
		t.Errorf("at rest: %+v", f)
	}
}

// Two batteries add up, and have a state of charge each.
func TestDrivingCycleWithTwoBatteries(t *testing.T) {
	two := func(x float64) []float64 { return []float64{x, x} }
	r := &Record{Phases: []Phase{{"cycle", 0, 1}}, Time: []float64{0, 1}, Speed: two(10), Wanted: two(10)}
	for _, name := range []string{"a", "b"} {
		r.Batteries = append(r.Batteries, Battery{name, []float64{0.5, 0.4}, two(100), two(90), two(3)})
	}
	list := drivingCycle.Run(r, &cycleOptions{tolerance: 1})
	near(t, "energy", pick(t, list, "energy").Value, 600, 1e-12)
	near(t, "soc", pick(t, list, "soc_change_b").Value, -0.1, 1e-12)
	if channels := r.Channels(); len(channels) < 8 {
		t.Errorf("%d channels", len(channels))
	}
}
