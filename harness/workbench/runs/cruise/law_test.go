package cruise

import (
	"math"
	"testing"
)

const (
	gain, decay = 3.0, 0.05
	h           = 0.001
)

// law returns the law of a linear car. Its steady throttle is decay v/gain.
func law(gain float64) *Law {
	l := &Law{Frequency: 1, Damping: 1, Open: 1, Deceleration: 4}
	for _, v := range []float64{-40, 40} {
		l.Plants = append(l.Plants, Plant{Speed: v, Gain: gain, Decay: decay, Steady: decay * v / gain})
	}
	return l
}

// drive lets a linear car go from one speed to another, and tells each step.
func drive(l *Law, gain, from, to, duration float64, told func(t, v float64, p Pedals)) {
	v := from
	var s State
	for i := range int(duration / h) {
		p := s.Hold(l, v, to, 0, h)
		told(float64(i)*h, v, p)
		v += h * (gain*p.Throttle - decay*v - math.Copysign(p.Deceleration, v))
	}
}

// A step of 1 m/s has the closed form of the poles at -1/s. With the steady throttle of the wanted speed the integral
// begins at 0: e = (1 - t) exp(-t), overshoot exp(-2).
func TestAStepHasTheClosedForm(t *testing.T) {
	for _, way := range []struct{ gain, from, to float64 }{{gain, 20, 21}, {-gain, -5, -6}} {
		seen := 0.0
		drive(law(way.gain), way.gain, way.from, way.to, 8, func(time, v float64, _ Pedals) {
			e := (1 - time) * math.Exp(-time)
			want := way.to - e*(way.to-way.from)
			if !(math.Abs(v-want) <= 0.02) {
				t.Fatalf("from %g: %g m/s at %g s, not %g", way.from, v, time, want)
			}
			seen = max(seen, (v-way.to)/(way.to-way.from))
		})
		if !(math.Abs(seen-math.Exp(-2)) <= 0.02*math.Exp(-2)) {
			t.Errorf("overshoot %g, not exp(-2)", seen)
		}
	}
}

// From 20 to 30 m/s the throttle is open at first, and the integral does not wind up; the pedals are never used
// together, and their limits hold. Down again the brakes help, with at most the largest deceleration.
func TestALargeChangeHasNoLargeOvershoot(t *testing.T) {
	for _, way := range []struct{ gain, from, to float64 }{
		{gain, 20, 30}, {gain, 30, 20}, {-gain, -2, -12}, {-gain, -12, -2},
	} {
		over, end, most, least, highest := 0.0, 0.0, 0.0, 1.0, 0.0
		drive(law(way.gain), way.gain, way.from, way.to, 20, func(_, v float64, p Pedals) {
			over, end = max(over, (v-way.to)*math.Copysign(1, way.to-way.from)), v
			most, least, highest = max(most, p.Deceleration), min(least, p.Throttle), max(highest, p.Throttle)
			if p.Throttle > 0 && p.Deceleration > 0 {
				t.Fatalf("at %g m/s both pedals are used: %+v", v, p)
			}
		})
		slower := math.Abs(way.to) < math.Abs(way.from)
		if !(over <= 0.2) && !slower || over > 0.5 || math.Abs(end-way.to) > 0.001 {
			t.Errorf("%g to %g m/s: overshoot %g m/s, end %g m/s", way.from, way.to, over, end)
		}
		if least < 0 || highest > 1 || slower != (most == 4) || !slower && (most != 0 || highest != 1) {
			t.Errorf("%g to %g m/s: throttle %g to %g, deceleration up to %g", way.from, way.to, least, highest, most)
		}
	}
}

// The brakes wait until the car is too fast by 0.3 m/s, and stay until the throttle opens again.
func TestTheBrakesHaveABand(t *testing.T) {
	l := law(gain)
	l.Plants = []Plant{{Speed: 0, Gain: gain, Steady: 0}}
	var s State
	for _, c := range []struct {
		over, deceleration float64
	}{{0.29, 0}, {0.31, 0.62}, {0.29, 0.58}, {-0.01, 0}, {0.29, 0}, {3, 4}} {
		p := s.Hold(l, c.over, 0, 0, 0)
		if !(math.Abs(p.Deceleration-c.deceleration) <= 1e-9) || c.deceleration > 0 && p.Throttle != 0 {
			t.Errorf("%g m/s too fast: %+v, not a deceleration of %g", c.over, p, c.deceleration)
		}
	}
	l.Deceleration = 0
	if p := s.Hold(l, 3, 0, 0, 0); p != (Pedals{}) || s.Braking {
		t.Errorf("without brakes: %+v", p)
	}
}

// Neither a closed throttle that waits for the brakes nor an open one nor full brakes let the integral grow.
func TestNothingIsIntegratedAtLimits(t *testing.T) {
	l := law(gain)
	for _, lack := range []float64{-0.29, 5, -5} {
		l.Plants = []Plant{{Speed: 0, Gain: gain, Steady: 0}}
		var s State
		if s.Hold(l, -lack, 0, 0, 1); s.Integral != 0 {
			t.Errorf("lack of %g m/s: the integral is %g m/s2", lack, s.Integral)
		}
	}
	for _, lack := range []float64{0.2, -1} {
		var s State
		if s.Hold(l, -lack, 0, 0, 0.5); s.Integral != 0.5*lack {
			t.Errorf("lack of %g m/s: the integral is %g m/s2", lack, s.Integral)
		}
	}
}

// The gain and the decay of a step of the throttle are found from its exact response.
func TestGainAndDecayAreFitted(t *testing.T) {
	for _, gain := range []float64{3, -0.7} {
		const step = 0.1
		var times, changes []float64
		for i := range 150 {
			time := float64(i) / 100
			times = append(times, time)
			changes = append(changes, gain*step/decay*(1-math.Exp(-decay*time)))
		}
		k, d := Fitted(times, changes, step)
		if !(math.Abs(k/gain-1) <= 1e-3) || !(math.Abs(d/decay-1) <= 0.05) {
			t.Errorf("gain %g, decay %g; not %g and %g", k, d, gain, decay)
		}
	}
}

// Between two speeds the plant changes evenly, and beyond them it stays.
func TestThePlantBetweenSpeeds(t *testing.T) {
	l := Law{Plants: []Plant{{10, 1, 0.1, 0.2}, {20, 2, 0.2, 0.4}, {40, 4, 0, 1}}}
	for _, c := range []struct {
		speed float64
		want  Plant
	}{{5, Plant{10, 1, 0.1, 0.2}}, {15, Plant{15, 1.5, 0.15, 0.3}}, {30, Plant{30, 3, 0.1, 0.7}},
		{50, Plant{40, 4, 0, 1}}} {
		got := l.At(c.speed)
		for i, x := range []float64{got.Speed - c.want.Speed, got.Gain - c.want.Gain, got.Decay - c.want.Decay,
			got.Steady - c.want.Steady} {
			if math.Abs(x) > 1e-12 {
				t.Errorf("at %g m/s: %+v, not %+v (number %d)", c.speed, got, c.want, i)
			}
		}
	}
}

// A wanted speed that rises or falls evenly is held without a lag: its rate is fed forward, also to the brakes.
func TestARampHasNoLag(t *testing.T) {
	for _, rate := range []float64{1, -3} {
		l := law(gain)
		var s State
		v, most := 20.0, 0.0
		for i := range int(4 / h) {
			wanted := 20 + rate*float64(i)*h
			p := s.Hold(l, v, wanted, rate, h)
			if most = max(most, math.Abs(v-wanted)); (p.Deceleration > 0) != (rate < 0) {
				t.Fatalf("at %g m/s: %+v for a rate of %g m/s2", v, p, rate)
			}
			v += h * (gain*p.Throttle - decay*v - p.Deceleration)
		}
		if most > 0.02 {
			t.Errorf("rate %g m/s2: up to %g m/s off", rate, most)
		}
	}
}
