package tangent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// Bushing is an elastic joint of six motions of First relative to Second: of the point At along, and about, Axes that
// turn with Second.
type Bushing struct {
	Name               string
	First, Second      int
	At                 r3.Vec
	Axes               Matrix // its columns are the axes, in ground
	Force, Moment      r3.Vec // on First at the steady motion, in ground
	Stiffness, Damping Square // how force and moment on First fall with the motions, in Axes
}

// Square is a matrix over three displacements and three rotations.
type Square [6][6]float64

// action is the action of one of the motions.
func (b *Bushing) action(i int) Action {
	a := Action{First: b.First, Second: b.Second, At: b.At, AtSecond: b.At}
	if i < 3 {
		a.Direction = b.Axes.column(i)
	} else {
		a.Moment = b.Axes.column(i - 3)
	}
	return a
}

// load is the action of force and moment.
func (b *Bushing) load() Action {
	return Action{First: b.First, Second: b.Second, At: b.At, AtSecond: b.At, Direction: b.Force, Moment: b.Moment}
}

// bushings adds stiffness and damping of all bushings. Force and moment turn with the second body.
func (m *matrices) bushings(damping *mat.Dense) {
	for i := range m.v.Bushings {
		b := &m.v.Bushings[i]
		var rows [6]*mat.VecDense
		for k := range rows {
			rows[k] = mat.NewVecDense(m.v.size(), m.v.row(b.action(k)))
		}
		for k := range rows {
			for j := range rows {
				m.K.RankOne(m.K, b.Stiffness[k][j], rows[k], rows[j])
				damping.RankOne(damping, b.Damping[k][j], rows[k], rows[j])
			}
		}
		m.sliding(b.First, b.Second, b.At, b.At, b.Force)
		add(m.K, b.First, rotation, b.Second, rotation, tilde(b.Moment))
		add(m.K, b.Second, rotation, b.Second, rotation, tilde(b.Moment).scaled(-1))
	}
}

// bushing refuses bodies that move against each other.
func (v *checker) bushing(b *Bushing) {
	if !v.known(b.Name, b.First, b.Second) {
		return
	}
	apart := r3.Sub(v.velocity(b.First, b.At), v.velocity(b.Second, b.At))
	turning := r3.Sub(v.spin(b.First), v.spin(b.Second))
	if !v.slow(apart) || !v.slow(turning) {
		v.fault("%s: its bodies move with %.4g m/s and %.4g rad/s against each other, which is not a steady state", b.Name,
			r3.Norm(apart), r3.Norm(turning))
	}
	for k := range 3 {
		v.fixed(b.Name, b.Second, b.Axes.column(k))
	}
	v.still(b.Name, b.First, b.At)
}

// bushing is a component.
type bushing struct{ *component.Bushing }

func init() { know("bushing", func(c *component.Bushing) element { return bushing{c} }) }

// connect finds force and moment at the start, and their slopes. The law is over the displacement d of the head and its
// rotation vector theta, with loads e(d, theta): the force is -e_d and the moment -T(theta) e_theta. A small rotation
// phi of the head changes theta by T^T phi, so that the loads fall by
//
//	e_dd d + e_dt T^T phi,   T (e_td d + e_tt T^T phi) + (T e_theta)_theta T^T phi
func (c bushing) connect(t *translator, v *Vehicle) {
	tail, head := t.at(c.From), t.at(c.To)
	b := Bushing{Name: c.Name, First: t.body(c.To), Second: t.body(c.From), At: head.origin}
	var own Matrix
	axes := c.Axes
	if c.Along != nil {
		axes = c.AxesAlong(t.vector(c.Name+".along", axisNames, *c.Along))
	}
	for k, axis := range axes {
		for i := range axis {
			own[i][k] = axis[i]
		}
	}
	b.Axes = tail.axes.times(own)
	in := b.Axes.transposed()
	theta := in.of(rotationVector(head.axes.times(tail.axes.transposed())))
	x := [2][3]float64{components(in.of(r3.Sub(head.origin, tail.origin))), components(theta)}
	e, stiff, damp := c.law(t, x)
	transform, slope := onRotation(theta, vec([3]float64(e[3:])))
	back := transform.transposed()
	b.Force = b.Axes.of(r3.Scale(-1, vec([3]float64(e[:3]))))
	b.Moment = b.Axes.of(r3.Scale(-1, transform.of(vec([3]float64(e[3:])))))
	for i := range 2 {
		for j := range 2 {
			for _, m := range []struct {
				from *Square
				to   *Square
			}{{&stiff, &b.Stiffness}, {&damp, &b.Damping}} {
				part := m.from.block(i, j)
				if j == 1 {
					part = part.times(back)
				}
				if i == 1 {
					part = transform.times(part)
				}
				m.to.put(i, j, part)
			}
		}
	}
	b.Stiffness.put(1, 1, b.Stiffness.block(1, 1).plus(slope.times(back)))
	v.Bushings = append(v.Bushings, b)
}

// law are the loads at the coordinates, and their slopes by coordinates and rates.
func (c bushing) law(t *translator, x [2][3]float64) (e [6]float64, stiff, damp Square) {
	names := [6]string{"dx", "dy", "dz", "rx", "ry", "rz"}
	six := func(along, about [3]float64) [6]float64 { return [6]float64(slices.Concat(along[:], about[:])) }
	preload := six(t.vector(c.Name+".preload", axisNames, c.Preload),
		t.vector(c.Name+".preload_moment", axisNames, c.PreloadMoment))
	straight := six(t.vector(c.Name+".stiffness", axisNames, c.Stiffness),
		t.vector(c.Name+".rotational_stiffness", axisNames, c.RotationalStiffness))
	dampers := six(t.vector(c.Name+".damping", axisNames, c.Damping),
		t.vector(c.Name+".rotational_damping", axisNames, c.RotationalDamping))
	at := six(x[0], x[1])
	for i := range stiff {
		stiff[i][i] = straight[i]
		for j := range i + 1 {
			if c.Matrix != nil {
				k := t.scalar(c.Name+".matrix_"+names[j]+"_"+names[i], c.Matrix[j][i])
				stiff[i][j], stiff[j][i] = k, k
			}
		}
	}
	if loss := t.scalar(c.Name+".loss", c.Loss); loss > 0 {
		lag := loss / (2 * math.Pi * t.scalar(c.Name+".frequency", c.Frequency))
		for i := range stiff {
			for j, k := range stiff[i] {
				damp[i][j] = lag * k
			}
		}
	}
	for i := range e {
		e[i] = preload[i]
		for j, k := range stiff[i] {
			e[i] += k * at[j]
		}
	}
	for i := range e {
		damp[i][i] += dampers[i]
		if curve := c.SpringCurves[i]; curve != nil {
			load, slope, _ := curve.At(at[i])
			e[i], stiff[i][i] = e[i]+load, stiff[i][i]+slope
		}
		if curve := c.DamperCurves[i]; curve != nil {
			load, slope, _ := curve.At(0)
			e[i], damp[i][i] = e[i]+load, damp[i][i]+slope
		}
	}
	return e, stiff, damp
}

// observe: the coordinates of the bushing change with the motions, rotations by T^T.
func (c bushing) observe(t *translator, v *Vehicle, sense sense) {
	tail, head := t.at(c.From), t.at(c.To)
	i := slices.IndexFunc(v.Bushings, func(b Bushing) bool { return b.Name == c.Name })
	b := &v.Bushings[i]
	in := b.Axes.transposed()
	transform, _ := onRotation(in.of(rotationVector(head.axes.times(tail.axes.transposed()))), r3.Vec{})
	for k, axis := range []string{"x", "y", "z"} {
		sense(".d"+axis, Displacement, 1, b.action(k))
		turn := b.action(3 + k)
		turn.Moment = b.Axes.of(transform.column(k))
		sense(".r"+axis, Displacement, 1, turn)
	}
}

// block is a quarter of the matrix, put replaces it.
func (s *Square) block(i, j int) (m Matrix) {
	for r := range m {
		copy(m[r][:], s[3*i+r][3*j:])
	}
	return m
}

func (s *Square) put(i, j int, m Matrix) {
	for r := range m {
		copy(s[3*i+r][3*j:], m[r][:])
	}
}

// rotationVector is the logarithm of a rotation of less than half a turn.
func rotationVector(m Matrix) r3.Vec {
	sine := r3.Scale(0.5, r3.Vec{X: m[2][1] - m[1][2], Y: m[0][2] - m[2][0], Z: m[1][0] - m[0][1]})
	size := r3.Norm(sine)
	if size == 0 {
		return r3.Vec{}
	}
	return r3.Scale(math.Atan2(size, (m[0][0]+m[1][1]+m[2][2]-1)/2)/size, sine)
}

// onRotation is T of a rotation vector theta, and the derivative of T m by theta. With a = |theta| and k = a/2 cot(a/2)
//
//	T m = k m + c theta (theta.m) + theta x m/2,   c = (1 - k)/a^2
func onRotation(theta, m r3.Vec) (transform, slope Matrix) {
	a := r3.Norm(theta)
	s := a * a
	var k, c, kRate, cRate float64 // the last two by a, divided by a
	if a < 0.3 {
		c = 1./12 + s*(1./720+s*(1./30240+s*(1./1209600+s/47900160)))
		cRate = 1./360 + s*(1./7560+s*(1./201600+s/5987520))
		k, kRate = 1-s*c, -2*c-s*cRate
	} else {
		cot := 1 / math.Tan(a/2)
		k = a / 2 * cot
		kRate = (cot/2 - a/4*(1+cot*cot)) / a
		c = (1 - k) / s
		cRate = (-kRate - 2*c) / s
	}
	outer := func(v, w r3.Vec) (p Matrix) {
		x, y := components(v), components(w)
		for i := range p {
			for j := range p[i] {
				p[i][j] = x[i] * y[j]
			}
		}
		return p
	}
	along := r3.Dot(theta, m)
	transform = identity.scaled(k).plus(outer(theta, theta).scaled(c)).plus(tilde(theta).scaled(0.5))
	slope = outer(m, theta).scaled(kRate).plus(outer(theta, m).plus(identity.scaled(along)).scaled(c)).
		plus(outer(theta, theta).scaled(cRate * along)).plus(tilde(m).scaled(-0.5))
	return transform, slope
}
