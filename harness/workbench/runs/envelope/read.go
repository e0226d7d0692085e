package envelope

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

const (
	gravity  = 9.81 // of laps [m/s2]
	slipping = 0.1  // slip up to which a wheel counts as holding
	pulling  = 0.05 // acceleration by the normal one from which on wheels count as driven
	little   = 2.0  // lateral acceleration up to which a vehicle may swing in as the steering wheel begins to turn [m/s2]
	least    = 0.2  // share of the friction from which on the resistance of a bend is read
)

// air reads mass, drag and downforce from runs straight ahead, of wheels that do not slip. The tires carry the weight
// less the lift, and their longitudinal forces are m dv/dt and the drag:
//
//	sum Fz = m (g + down v^2),  sum Fx = m (dv/dt + drag v^2)
func (e *Envelope) air(runs []*motion) error {
	var n, x, xx, y, xy float64
	for _, m := range runs {
		for i, v := range m.speed {
			q := v * v
			n, x, xx, y, xy = n+1, x+q, xx+q*q, y+m.load[i], xy+q*m.load[i]
		}
	}
	down := (n*xy - x*y) / (n*xx - x*x)
	e.Mass = (y - down*x) / n / gravity
	e.Down = down / e.Mass
	if !(e.Mass > 0) || math.IsInf(e.Mass, 0) {
		return errors.New("the loads of the tires do not give a mass")
	}
	var along float64
	for _, m := range runs {
		for i, v := range m.speed {
			along += (m.along[i]/e.Mass - m.tangential[i]) * v * v
		}
	}
	e.AirDrag = along / xx
	return nil
}

// tires is the longitudinal acceleration by the tires in a row.
func (e *Envelope) tires(m *motion, i int) float64 {
	return m.tangential[i] + e.AirDrag*m.speed[i]*m.speed[i]
}

// normal is the normal acceleration on a level road, with the downforce.
func (e *Envelope) normal(speed float64) float64 { return gravity + e.Down*speed*speed }

// geared is a run with the throttle open.
type geared struct {
	*motion
	gear float64
}

// driving makes the acceleration of the best gear of runs, at even speeds.
func (e *Envelope) driving(runs []geared) error {
	const count = 60
	for _, r := range runs {
		e.TopSpeed = max(e.TopSpeed, r.speed[len(r.speed)-1])
	}
	d := &e.Driving
	for k := range count + 1 {
		v := e.TopSpeed * float64(k) / count
		best, gear := math.Inf(-1), 0.0
		for _, r := range runs {
			for i := 1; i < len(r.speed); i++ {
				if a, b := r.speed[i-1], r.speed[i]; a <= v && v <= b {
					if r.tangential[i] > best {
						best, gear = r.tangential[i], r.gear
					}
					break
				}
			}
		}
		if !math.IsInf(best, 0) {
			d.Speed, d.Acceleration = append(d.Speed, v), append(d.Acceleration, best)
			if !math.IsNaN(gear) { // of a car without gears
				d.Gear = append(d.Gear, gear)
			}
		}
	}
	if len(d.Speed) == 0 {
		return errors.New("with the throttle open the vehicle does not accelerate")
	}
	return nil
}

// cut ends the motion before a wheel slips by more than 0.1, and reports whether a wheel does.
func (m *motion) cut() bool {
	for i := range m.time {
		if m.locked[i] < -slipping || m.spun[i] > slipping {
			m.keep(0, max(i, 1))
			return true
		}
	}
	return false
}

// traction is the friction of the driven wheels. Where none has spun, their load follows the acceleration evenly, and
// they have the friction of braking.
func (e *Envelope) traction(runs []geared, spun bool) {
	var n, x, xx, y, xy float64
	for _, r := range runs {
		for i := range r.time {
			a, share := e.tires(r.motion, i)/e.normal(r.speed[i]), r.driven[i]/r.load[i]
			e.Traction.Friction = max(e.Traction.Friction, a)
			if a < pulling {
				continue
			}
			n, x, xx, y, xy = n+1, x+a, xx+a*a, y+share, xy+a*share
		}
	}
	if e.Traction.Measured = spun; spun {
		return
	}
	seen := e.Traction.Friction
	slope := 0.0
	if variance := n*xx - x*x; variance > 1e-9*n*n {
		slope = (n*xy - x*y) / variance
	}
	mu := e.Braking.Friction[0]
	load := mu
	if rest := 1 - mu*slope; n > 0 && rest > 0 {
		load = mu * (y - slope*x) / n / rest
	}
	e.Traction.Friction = max(min(load, mu), seen)
}

// braked adds the friction of a run with rising brakes.
func (e *Envelope) braked(m *motion) error {
	m.cut()
	most, at := 0.0, 0.0
	for i, v := range m.speed {
		if mu := -e.tires(m, i) / e.normal(v); mu > most {
			most, at = mu, v
		}
	}
	if !(most > 0) {
		return fmt.Errorf("at %.3g m/s the brakes do not slow the vehicle down", m.speed[0])
	}
	b := &e.Braking
	i, _ := slices.BinarySearch(b.Speed, at)
	b.Speed, b.Friction = slices.Insert(b.Speed, i, at), slices.Insert(b.Friction, i, most)
	return nil
}

// cornered adds the friction of a run with a steering wheel that turns slowly.
func (e *Envelope) cornered(m *motion) error {
	most := 0
	for i, a := range m.lateral {
		if m.turning[i] > 3*rateOfTurn(m.time[i]) && m.lateral[most] > little {
			break // the vehicle turns in by itself
		}
		if a > m.lateral[most] {
			most = i
		}
	}
	v, steady := m.speed[most], m.lateral[most]
	if !(steady > 0) {
		return fmt.Errorf("at %.3g m/s the vehicle does not answer the steering wheel", m.speed[0])
	}
	normal := e.normal(v)
	x := e.tires(m, most) / normal
	limit := e.Traction.Friction
	if x < 0 {
		limit = between(e.Braking.Speed, e.Braking.Friction, v)
	}
	used := min(math.Abs(x)/limit, 0.9)
	friction := steady / normal / math.Pow(1-math.Pow(used, e.Exponent), 1/e.Exponent)
	var aa, ab, bb, ar, br float64 // of least squares for p u^2 + q u^4
	for i := range most + 1 {
		normal := e.normal(m.speed[i])
		share := m.lateral[i] / (friction * normal)
		if share < least {
			continue
		}
		r := (m.along[i]/e.Mass - e.tires(m, i)) / normal
		a := share * share
		b := a * a
		aa, ab, bb, ar, br = aa+a*a, ab+a*b, bb+b*b, ar+a*r, br+b*r
	}
	square, fourth := 0.0, 0.0
	if d := aa*bb - ab*ab; d > 0 {
		square, fourth = (ar*bb-br*ab)/d, (aa*br-ab*ar)/d
	}
	if square < 0 && bb > 0 {
		square, fourth = 0, br/bb
	}
	c := &e.Cornering
	k, _ := slices.BinarySearch(c.Speed, v) // which the vehicle may not have held
	c.Speed, c.Steady = slices.Insert(c.Speed, k, v), slices.Insert(c.Steady, k, steady)
	c.Friction, c.Square = slices.Insert(c.Friction, k, friction), slices.Insert(c.Square, k, square)
	c.Fourth = slices.Insert(c.Fourth, k, fourth)
	return nil
}

// both adds a run with rising brakes in a turn: the state that is farthest out, by the limits of each alone.
func (e *Envelope) both(m *motion) {
	m.cut()
	var farthest Combined
	for i, v := range m.speed {
		normal := e.normal(v)
		c := Combined{Lateral: math.Abs(m.lateral[i]) / (between(e.Cornering.Speed, e.Cornering.Friction, v) * normal),
			Longitudinal: -e.tires(m, i) / (between(e.Braking.Speed, e.Braking.Friction, v) * normal)}
		if c.Longitudinal > 0 && math.Hypot(c.Lateral, c.Longitudinal) > math.Hypot(farthest.Lateral,
			farthest.Longitudinal) {
			farthest = c
		}
	}
	farthest.Exponent = exponent(farthest.Lateral, farthest.Longitudinal)
	e.Combined = append(e.Combined, farthest)
}

// exponent is n with x^n + y^n = 1, from 1 to 4.
func exponent(x, y float64) float64 {
	low, high := 1.0, 4.0
	for range 50 {
		if n := (low + high) / 2; math.Pow(x, n)+math.Pow(y, n) > 1 {
			low = n
		} else {
			high = n
		}
	}
	return low
}
