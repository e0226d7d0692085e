package reference

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// updateMotions finds the motions of the parts: (t, q, v) => positions and velocities, with the
// accelerations of all free parts zero.
func (s *System) updateMotions(t float64, y []float64) {
	s.inputs.at(t)
	for _, r := range s.roads {
		s.motions[r.part] = s.motion(r)
	}
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		m.r, m.v = vectorAt(y, p.q), vectorAt(y, p.v)
		m.a, m.dw = r3.Vec{}, r3.Vec{}
		if p.turns {
			m.axes, m.w = ofQuaternion(quaternionAt(y, p.q+3)), vectorAt(y, p.v+3)
		}
	}
	for _, h := range s.shafts {
		h.angle, h.rate = y[h.turn.unknown], h.turn.rate(s)
	}
}

// evaluate finds motions, loads and constraints at one state.
func (s *System) evaluate(t float64, y []float64) {
	s.updateMotions(t, y)
	s.weigh()
	for _, l := range s.loads {
		l.apply(s, y)
	}
	for k := range s.joints {
		s.joints[k].evaluate(s)
	}
}

// residual writes what the equations lack: (t, y, y') => F, with F = 0 for a solution.
func (s *System) residual(t float64, y, dy, f []float64) {
	s.evaluate(t, y)
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		put(f, p.q, r3.Sub(vectorAt(dy, p.q), m.v))
		put(f, p.v, r3.Sub(r3.Scale(p.mass, vectorAt(dy, p.v)), s.forces[k]))
		if p.turns {
			e := quaternionAt(y, p.q+3)
			rate := quat.Add(spun(e, m.w), quat.Scale(restoring*(1-e.Real*e.Real-e.Imag*e.Imag-e.Jmag*e.Jmag-e.Kmag*e.Kmag), e))
			putQuaternion(f, p.q+3, quat.Sub(quaternionAt(dy, p.q+3), rate))
			put(f, p.v+3, r3.Sub(m.out(p.inertia.out(m.in(vectorAt(dy, p.v+3)))), s.moments[k]))
		}
	}
	s.rotorEntries(func(row, column int, value float64) { f[row] += value * dy[column] })
	for _, r := range s.revolutes {
		f[r.unknown] = dy[r.unknown] - r.rate(s)
	}
	for _, w := range s.tires {
		if w.hasSlips() {
			f[w.slips], f[w.slips+1] = dy[w.slips]-w.slipRate[0], dy[w.slips+1]-w.slipRate[1]
		}
	}
	s.networkResidual(y, dy, f)
	for i := range s.joints {
		j := &s.joints[i]
		for k := j.first; k < j.first+len(j.conditions); k++ {
			e := &s.equations[k]
			f[s.lambda+k], f[s.mu+k] = e.rate, e.value
			for _, end := range j.ends(e) {
				s.react(end.part, end.gradient, y[s.lambda+k], y[s.mu+k], y, f)
			}
		}
	}
}

// restoring [1/s] is the rate at which the length of a quaternion tends to 1. Lengths have no meaning; the rate
// prevents their drift.
const restoring = 1

// react takes a constraint's multipliers into the equations of a part.
func (s *System) react(part int, g gradient, lambda, mu float64, y, f []float64) {
	if part < s.fixed {
		return
	}
	p := &s.parts[part]
	put(f, p.v, r3.Sub(vectorAt(f, p.v), r3.Scale(lambda, g.v)))
	put(f, p.q, r3.Sub(vectorAt(f, p.q), r3.Scale(mu, g.v)))
	if p.turns {
		put(f, p.v+3, r3.Sub(vectorAt(f, p.v+3), r3.Scale(lambda, g.w)))
		putQuaternion(f, p.q+3, quat.Sub(quaternionAt(f, p.q+3), spun(quaternionAt(y, p.q+3), r3.Scale(mu, g.w))))
	}
}

// rate is the rate of a revolute joint's angle [rad/s].
func (r *revolute) rate(s *System) float64 {
	from, to := &s.motions[r.from.part], &s.motions[r.to.part]
	return r3.Dot(from.out(r.from.turn.out(r.axis)), r3.Sub(to.w, from.w))
}

// spun is the rate of a quaternion whose frame turns with w [rad/s], in ground: w e/2.
func spun(e quat.Number, w r3.Vec) quat.Number {
	return quat.Scale(0.5, quat.Mul(quat.Number{Imag: w.X, Jmag: w.Y, Kmag: w.Z}, e))
}

func vectorAt(y []float64, i int) r3.Vec { return r3.Vec{X: y[i], Y: y[i+1], Z: y[i+2]} }

func put(y []float64, i int, v r3.Vec) { y[i], y[i+1], y[i+2] = v.X, v.Y, v.Z }

func quaternionAt(y []float64, i int) quat.Number {
	return quat.Number{Real: y[i], Imag: y[i+1], Jmag: y[i+2], Kmag: y[i+3]}
}

func putQuaternion(y []float64, i int, e quat.Number) {
	y[i], y[i+1], y[i+2], y[i+3] = e.Real, e.Imag, e.Jmag, e.Kmag
}
