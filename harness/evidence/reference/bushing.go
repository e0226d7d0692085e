package reference

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// bushing is an elastic joint of six coordinates.
type bushing struct {
	*component.Bushing
	from, to      marker
	own           axes // in the tail
	stiff, damp   [6][6]float64
	springs       [6]*table // over the coordinates; nil for none
	dampers       [6]*table // over their rates
	x             [2]r3.Vec // displacement and rotation vector, at the latest evaluation
	force, moment r3.Vec    // on the head, in the axes of the bushing
}

func init() {
	know("bushing", func(c *component.Bushing) element { return &bushing{Bushing: c} })
}

func (l *bushing) add(s *System) error {
	l.from, l.to = s.markers[l.From], s.markers[l.To]
	for i, u := range l.Axes {
		l.own[i] = r3.Vec{X: u[0], Y: u[1], Z: u[2]}
	}
	for i := range 3 {
		l.stiff[i][i], l.stiff[3+i][3+i] = l.Stiffness[i].Value, l.RotationalStiffness[i].Value
		l.damp[i][i], l.damp[3+i][3+i] = l.Damping[i].Value, l.RotationalDamping[i].Value
	}
	for i, row := range l.Matrix {
		for j := range row {
			l.stiff[i][j] = row[j].Value
		}
	}
	for i := range l.stiff {
		for j, k := range l.stiff[i] {
			if l.Loss.Value > 0 {
				l.damp[i][j] += k * l.Loss.Value / (2 * math.Pi * l.Frequency.Value)
			}
		}
		l.springs[i], l.dampers[i] = monotone(l.SpringCurves[i]), monotone(l.DamperCurves[i])
		l.dampers[i].resists()
	}
	s.loads = append(s.loads, l)
	return nil
}

// apply finds the rotation vector by the logarithm of a quaternion. About its direction n and the angle a, the moment
// that does the power of m along the rate of the rotation vector is
//
//	n n.m + a/2 cot(a/2) (m - n n.m) + a/2 n x m
//
// and the rate of the rotation vector is the same of the angular velocity, with the opposite last term.
func (l *bushing) apply(s *System, _ []float64) {
	f, t := s.at(&l.from), s.at(&l.to)
	base := f.times(&l.own)
	turn := f.transposed()
	turn = turn.times(&t.axes) // of the head against the tail
	q := turn.quaternion()
	if q.Real < 0 {
		q = quat.Scale(-1, q)
	}
	log := quat.Log(q)
	theta := l.own.in(r3.Scale(2, r3.Vec{X: log.Imag, Y: log.Jmag, Z: log.Kmag}))
	d := r3.Sub(t.r, f.r)
	l.x = [2]r3.Vec{base.in(d), theta}
	rates := [2]r3.Vec{
		base.in(r3.Sub(r3.Sub(t.v, f.v), r3.Cross(f.w, d))),
		aboutVector(theta, base.in(r3.Sub(t.w, f.w)), -1),
	}
	var load, x, v [6]float64
	preload := [2][3]float64{values(l.Preload), values(l.PreloadMoment)}
	for i := range load {
		x[i], v[i] = components(l.x[i/3])[i%3], components(rates[i/3])[i%3]
	}
	for i := range load {
		load[i] = preload[i/3][i%3] + l.springs[i].at(x[i]) + l.dampers[i].at(v[i])
		for j := range x {
			load[i] += l.stiff[i][j]*x[j] + l.damp[i][j]*v[j]
		}
	}
	l.force = r3.Vec{X: -load[0], Y: -load[1], Z: -load[2]}
	l.moment = aboutVector(theta, r3.Vec{X: -load[3], Y: -load[4], Z: -load[5]}, 1)
	force, moment := base.out(l.force), base.out(l.moment)
	s.push(l.to.part, force, t.r)
	s.push(l.from.part, r3.Scale(-1, force), t.r)
	s.turn(l.to.part, moment)
	s.turn(l.from.part, r3.Scale(-1, moment))
}

// aboutVector is n n.m + a/2 cot(a/2) (m - n n.m) + sign a/2 n x m for a rotation vector a n.
func aboutVector(theta, m r3.Vec, sign float64) r3.Vec {
	a := r3.Norm(theta)
	if a < 1e-8 { // the next term is the half of 1e-8 of m
		return r3.Add(m, r3.Scale(sign/2, r3.Cross(theta, m)))
	}
	n := r3.Scale(1/a, theta)
	along := r3.Scale(r3.Dot(n, m), n)
	return r3.Add(r3.Add(along, r3.Scale(a/2/math.Tan(a/2), r3.Sub(m, along))), r3.Scale(sign/2, r3.Cross(theta, m)))
}

func (l *bushing) touches() []int {
	return []int{l.from.part, l.to.part}
}

func (l *bushing) quantities(*System) []quantity {
	return []quantity{
		number(l.Name+".dx", &l.x[0].X), number(l.Name+".dy", &l.x[0].Y), number(l.Name+".dz", &l.x[0].Z),
		number(l.Name+".rx", &l.x[1].X), number(l.Name+".ry", &l.x[1].Y), number(l.Name+".rz", &l.x[1].Z),
		number(l.Name+".Fx", &l.force.X), number(l.Name+".Fy", &l.force.Y), number(l.Name+".Fz", &l.force.Z),
		number(l.Name+".Mx", &l.moment.X), number(l.Name+".My", &l.moment.Y), number(l.Name+".Mz", &l.moment.Z),
	}
}
