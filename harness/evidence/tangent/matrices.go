package tangent

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// matrices are the matrices of the equations of all bodies (1).
type matrices struct {
	v          *Vehicle
	V, M, C, K *mat.Dense
}

// blockOffset says which three of the six numbers of a body a block belongs to.
type blockOffset int

const (
	translation blockOffset = 0
	rotation    blockOffset = 3
)

// add adds a block to a matrix: in the rows of three numbers of one body and the columns of three numbers of another.
// Ground has no numbers.
func add(to *mat.Dense, row int, i blockOffset, column int, k blockOffset, block Matrix) {
	if row == Ground || column == Ground {
		return
	}
	for r := range block {
		for c, x := range block[r] {
			at, by := 6*row+int(i)+r, 6*column+int(k)+c
			to.Set(at, by, to.At(at, by)+x)
		}
	}
}

// gram adds k J^T J.
func gram(to *mat.Dense, k float64, row []float64) {
	j := mat.NewVecDense(len(row), row)
	to.RankOne(to, k, j, j)
}

// matrices are V, M, C and K of the vehicle with its steady forces.
func (v *Vehicle) matrices(f *forces) (*matrices, error) {
	n := v.size()
	m := &matrices{v, mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)}
	for i := range v.Bodies {
		b := &v.Bodies[i]
		add(m.V, i, translation, i, rotation, tilde(b.Velocity))
		add(m.M, i, translation, i, translation, identity.scaled(b.Mass))
		add(m.M, i, rotation, i, rotation, b.Inertia)
		add(m.C, i, translation, i, rotation, tilde(b.Velocity).scaled(-b.Mass))
		add(m.C, i, rotation, i, rotation, tilde(b.Inertia.of(b.Spin)).scaled(-1).plus(identity.scaled(b.AngularDamping)))
	}
	damping := mat.NewDense(n, n, nil) // of rates in ground
	for i := range v.Springs {
		s := &v.Springs[i]
		row := v.row(s.action())
		gram(m.K, s.Stiffness, row)
		gram(damping, s.Damping, row)
		switch s.Kind {
		case OnLine:
			m.preload(s.First, s.Second, s.At, s.AtSecond, f.tensions[i])
		case AlongAxis:
			m.sliding(s.First, s.Second, s.At, s.At, r3.Scale(-f.tensions[i], s.Axis))
		}
	}
	m.bushings(damping)
	var turning mat.Dense
	turning.Mul(damping, m.V)
	m.C.Add(m.C, damping)
	m.K.Sub(m.K, &turning)
	for i := range v.Links {
		l := &v.Links[i]
		m.preload(l.First, l.Second, l.At, l.AtSecond, f.links[i])
	}
	for i := range v.SideForces {
		s := &v.SideForces[i]
		gram(m.C, s.Coefficient, v.row(Action{First: s.Body, Second: Ground, At: s.Point, Direction: s.Direction}))
	}
	for i := range v.Loads {
		l := &v.Loads[i]
		m.arm(l.Body, l.Point, l.Force, identity)
		add(m.K, l.Body, rotation, l.Body, rotation, tilde(l.Moment).scaled(0.5))
	}
	for i := range v.Constraints {
		if err := m.constrain(&v.Constraints[i], f.constraints[i][0], f.constraints[i][1]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// arm adds the stiffness of the moment of a force of fixed direction. Its point turns with the body, by the part of the
// body's rotation that turns selects: -F~ r~ (3.1 to 3.3).
func (m *matrices) arm(body int, point, force r3.Vec, turns Matrix) {
	if body != Ground {
		add(m.K, body, rotation, body, rotation, tilde(force).times(tilde(m.v.arm(body, point))).times(turns).scaled(-1))
	}
}

// preload adds the stiffness of a tension f between two points (3.1, without the elastic part):
// (f/l) G^T (I - u u^T) G for the line, which turns, and the moments of the forces at its ends.
func (m *matrices) preload(first, second int, at, atSecond r3.Vec, f float64) {
	d := r3.Sub(atSecond, at)
	u := r3.Unit(d)
	for _, n := range directions(u, 2) {
		gram(m.K, f/r3.Norm(d), m.v.row(Action{First: first, Second: second, At: at, AtSecond: atSecond, Direction: n}))
	}
	m.arm(first, at, r3.Scale(f, u), identity)
	m.arm(second, atSecond, r3.Scale(-f, u), identity)
}

// sliding adds the stiffness of a force F on the first body, at a point fixed in this body. The second body gets the
// opposite force at the same place; the direction of F turns with the second body. With the arms r1 and r2 to the
// point, the rotations th1 and th2, and the displacements x1 and x2 of the bodies:
//
//	on the first   th2 x F                    (th1 x r1) x F + r1 x (th2 x F)
//	on the second  -th2 x F                   -(x1 + th1 x r1 - x2) x F - r2 x (th2 x F)
//
// The reference publication gives this stiffness only for ground as the second body (3.3).
func (m *matrices) sliding(first, second int, at, atSecond, force r3.Vec) {
	m.arm(first, at, force, identity)
	if second == Ground {
		return
	}
	f := tilde(force)
	r := tilde(m.v.arm(second, atSecond))
	add(m.K, second, translation, second, rotation, f.scaled(-1))
	add(m.K, second, rotation, second, translation, f)
	add(m.K, second, rotation, second, rotation, r.times(f).scaled(-1))
	if first == Ground {
		return
	}
	q := tilde(m.v.arm(first, at))
	add(m.K, first, translation, second, rotation, f)
	add(m.K, first, rotation, second, rotation, q.times(f))
	add(m.K, second, rotation, first, translation, f.scaled(-1))
	add(m.K, second, rotation, first, rotation, f.times(q))
}

// constrain adds the stiffness of the steady reaction of a constraint, force F and couple T on its
// first body (3.3).
func (m *matrices) constrain(c *Constraint, force, couple r3.Vec) error {
	switch {
	case c.Contact: // the arm to a contact does not turn with the spin
		down := r3.Unit(normalTo(c.Axis).of(m.v.arm(c.First, c.Point)))
		point := r3.Sub(c.Point, r3.Scale(c.Crown, down))
		m.arm(c.First, point, force, normalTo(c.Axis))
	case c.Forces == 3:
		m.arm(c.First, c.Point, force, identity)
		m.arm(c.Second, c.Point, r3.Scale(-1, force), identity)
	case c.Forces > 0:
		m.sliding(c.First, c.Second, c.Point, c.Point, force)
	}
	switch c.Moments {
	case 1:
		if r3.Norm(couple) > 0 {
			return errOneMoment(c, couple)
		}
	case 2: // the couple stays normal to the axis
		stays := tilde(couple).times(normalTo(c.Axis))
		add(m.K, c.First, rotation, c.First, rotation, stays)
		add(m.K, c.Second, rotation, c.Second, rotation, stays.scaled(-1))
	}
	return nil
}
