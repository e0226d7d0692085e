// Package cruise holds a speed by throttle and brake with the vehicle's own gain.
package cruise

import "math"

// Plant is a vehicle on a straight road about a speed: dv/dt = Gain (u - Steady) - Decay (v - Speed), for the throttle
// u in the unit of its input.
type Plant struct {
	Speed  float64 // forward speed, negative backwards [m/s]
	Gain   float64 // acceleration for a throttle of 1 [m/s2]; negative in a reverse gear
	Decay  float64 // reciprocal of the time constant [1/s]
	Steady float64 // throttle that holds the speed
}

// Law is a PI law that places the poles of the plant with itself: kp = (2 zeta w - 1/tau)/k, ki = w^2/k.
type Law struct {
	Plants       []Plant // by rising speeds, at least one
	Frequency    float64 // w [rad/s]
	Damping      float64 // zeta
	Closed, Open float64 // throttle
	Deceleration float64 // largest that is demanded from the brakes [m/s2]; 0 for a vehicle without
}

// State is the memory of a Law from one step to the next.
type State struct {
	Integral float64 // acceleration that the integral demands [m/s2]
	Braking  bool
}

// Pedals are the output of a Law. One of them is at rest.
type Pedals struct {
	Throttle     float64
	Deceleration float64 // from the brakes, not negative [m/s2]
}

const (
	band   = 0.3 // by how much the vehicle is too fast when the brakes come [m/s]
	coming = 1.0 // time ahead for which the wanted speed counts there [s]
)

// At is the plant at a speed [m/s]: even between two speeds, and beyond them that of the nearest one, with the steady
// throttle of that speed.
func (l *Law) At(speed float64) Plant {
	p, last := l.Plants, len(l.Plants)-1
	if speed <= p[0].Speed || last == 0 {
		return p[0]
	}
	for i := 1; i <= last; i++ {
		if below, above := p[i-1], p[i]; speed < above.Speed {
			share := (speed - below.Speed) / (above.Speed - below.Speed)
			of := func(a, b float64) float64 { return a + share*(b-a) }
			return Plant{speed, of(below.Gain, above.Gain), of(below.Decay, above.Decay), of(below.Steady, above.Steady)}
		}
	}
	return p[last]
}

// Hold are the pedals for the next h seconds, at a speed [m/s] where another one is wanted, which changes at a rate
// [m/s2]. The law thinks in accelerations, since throttle and brakes have that in common. Below the closed throttle the
// brakes take what lacks once the vehicle is too fast by 0.3 m/s, or will be in a second, until the throttle opens
// again. While neither pedal gives what is demanded, nothing is integrated.
func (s *State) Hold(l *Law, speed, wanted, rate, h float64) Pedals {
	plant := l.At(wanted)
	lack := wanted - speed
	demand := plant.Gain*plant.Steady + rate + (2*l.Damping*l.Frequency-plant.Decay)*lack + s.Integral
	u := demand / plant.Gain
	forward := math.Copysign(1, plant.Gain)
	short := math.Abs(plant.Gain) * (l.Closed - u) // deceleration that the closed throttle lacks
	switch {
	case short <= 0 || l.Deceleration == 0:
		s.Braking = false
	case forward*(lack+coming*rate) < -band:
		s.Braking = true
	}
	most := 0.0
	if s.Braking {
		most = l.Deceleration
	}
	if short < most && u < l.Open || short <= 0 && u < l.Open {
		s.Integral += l.Frequency * l.Frequency * lack * h
	}
	return Pedals{Throttle: min(max(u, l.Closed), l.Open), Deceleration: min(max(short, 0), most)}
}

// Fitted is the gain [m/s2] and the decay [1/s] of a plant whose speed [m/s], from its steady one on, has come to the
// changes at times [s] after a step of the throttle: a t - b t^2/2 with least squares, a = Gain step, b = Gain Decay
// step.
func Fitted(times, changes []float64, step float64) (gain, decay float64) {
	var tt, tq, qq, ty, qy float64
	for i, t := range times {
		q := -t * t / 2
		tt, tq, qq = tt+t*t, tq+t*q, qq+q*q
		ty, qy = ty+t*changes[i], qy+q*changes[i]
	}
	determinant := tt*qq - tq*tq
	a, b := (ty*qq-qy*tq)/determinant, (qy*tt-ty*tq)/determinant
	return a / step, b / a
}
