package live

// Of the servo, which turns the steering wheel to where the driver wants it.
const (
	servoFrequency    = 40.0  // rad/s
	servoAcceleration = 400.0 // rad/s2, at most
)

// servo is a critically damped filter of second order. Its acceleration is constant within a slice, so that angle, rate
// and acceleration belong together to rounding.
type servo struct{ angle, rate, acceleration float64 }

// toward chooses the acceleration for the next slice.
func (s *servo) toward(wanted float64) {
	a := servoFrequency * (servoFrequency*(wanted-s.angle) - 2*s.rate)
	s.acceleration = min(max(a, -servoAcceleration), servoAcceleration)
}

// advance moves the servo by h seconds.
func (s *servo) advance(h float64) {
	s.angle += h * (s.rate + h/2*s.acceleration)
	s.rate += h * s.acceleration
}
