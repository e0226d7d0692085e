package preview

import "math"

// Hands are the limits of who turns the steering wheel: a robot, or a person, who has about 0.15 s of delay, 0.1 s of
// lag and 800 deg/s. 0 stands for no limit.
type Hands struct {
	Delay float64 // s
	Lag   float64 // s
	Rate  float64 // largest, rad/s
	Angle float64 // largest, to both sides, rad
}

// Turning is a steering wheel in the hands of a driver. Its time goes in steps of one length.
type Turning struct {
	Hands
	Angle   float64   // of the steering wheel, rad
	waiting []float64 // what was wanted and has not come through the delay, the oldest first
	oldest  int
}

// Take takes the steering wheel at an angle [rad], for steps of h seconds.
func (t *Turning) Take(hands Hands, angle, h float64) {
	t.Hands, t.Angle, t.oldest = hands, angle, 0
	t.waiting = make([]float64, int(math.Round(hands.Delay/h)))
	for i := range t.waiting {
		t.waiting[i] = angle
	}
}

// Turn turns the steering wheel towards the wanted angle [rad] for a step of h seconds. It returns the rate [rad/s] of
// the steering wheel in this step.
func (t *Turning) Turn(wanted, h float64) (rate float64) {
	if len(t.waiting) > 0 {
		t.waiting[t.oldest], wanted = wanted, t.waiting[t.oldest]
		t.oldest = (t.oldest + 1) % len(t.waiting)
	}
	share := 1.0
	if t.Lag > 0 {
		share = -math.Expm1(-h / t.Lag)
	}
	rate = (wanted - t.Angle) * share / h
	if t.Rate > 0 {
		rate = min(max(rate, -t.Rate), t.Rate)
	}
	if most := t.Hands.Angle; most > 0 {
		rate = min(max(rate, (-most-t.Angle)/h), (most-t.Angle)/h)
	}
	t.Angle += rate * h
	return rate
}
