package tangent

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// System are the linearised equations in independent coordinates z, which have no meaning of their
// own: z' = A z + B u, y = C z + D u.
type System struct {
	Steady
	A, B, C, D      *mat.Dense
	Inputs, Outputs []string
	// Positions and Velocities are the dimensions of the null spaces of the constraints (4.2). Order
	// of A is their sum, less one for each motion of bodies without mass that statics determines.
	Positions, Velocities int

	drives [][3]int // columns of position, rate and acceleration
}

// Linearise makes the equations of the vehicle.
func (v *Vehicle) Linearise() (*System, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	f, err := v.statics()
	if err != nil {
		return nil, err
	}
	m, err := v.matrices(f)
	if err != nil {
		return nil, err
	}
	s := &System{Steady: *v.report(f)}
	return s, s.reduce(m)
}

// reduce confines the equations to what constraints leave free (4.2). With prescribed motions
// (d, d') the numbers are (p; w) = R z + X (d; d').
func (s *System) reduce(m *matrices) error {
	free, err := m.v.degreesOfFreedom(m.V)
	if err != nil {
		return err
	}
	s.Positions, s.Velocities = free.positions, free.velocities
	inertia, rest, unit := m.halves()
	e, err := decompose(product(free.left.T(), inertia, free.right), rowRank)
	if err != nil {
		return err
	}
	a := product(free.left.T(), rest, free.right)
	a.Scale(-1, a)
	x, err := m.v.prescribe(free)
	if err != nil {
		return err
	}
	if x != nil { // with the response of the free coordinates, so that L^T diag(I, M) X = 0: no acceleration is an input
		var answer mat.Dense
		e.SolveTo(&answer, product(free.left.T(), inertia, x), e.rank)
		x.Sub(x, product(free.right, &answer))
	}
	action, follow := s.act(m.v, x)
	action.Scale(unit, action)
	action.Sub(action, product(rest, follow))
	keep, drop, err := s.explicit(m.v, e, a, product(free.left.T(), action), free.right)
	if err != nil {
		return err
	}
	follow.Add(follow, product(free.right, drop))
	s.measure(m, product(free.right, keep), follow)
	return nil
}

// degreesOfFreedom are the degrees of freedom that constraints leave: R and L, and the rows of J_R that R is the
// null space of.
type degreesOfFreedom struct {
	right, left           *mat.Dense
	positions, velocities int
	rows                  [][]float64
	holonomic             int // of the rows; as many follow that are their rates
}

func (v *Vehicle) degreesOfFreedom(turning *mat.Dense) (*degreesOfFreedom, error) {
	n := v.size()
	holonomic, nonholonomic := rowsOf(v.holonomic()), rowsOf(v.nonholonomic())
	placed, err := null(n, holonomic)
	if err != nil {
		return nil, err
	}
	moving, err := null(n, slices.Concat(holonomic, nonholonomic))
	if err != nil {
		return nil, err
	}
	f := &degreesOfFreedom{positions: width(placed), velocities: width(moving), holonomic: len(holonomic)}
	for _, row := range holonomic {
		f.rows = append(f.rows, slices.Concat(row, make([]float64, n)))
	}
	for _, row := range holonomic {
		rate := product(mat.NewDense(1, n, row), turning)
		rate.Scale(-1, rate)
		f.rows = append(f.rows, slices.Concat(rate.RawRowView(0), row))
	}
	for _, row := range nonholonomic {
		f.rows = append(f.rows, slices.Concat(make([]float64, n), row))
	}
	if f.right, err = null(2*n, f.rows); err != nil {
		return nil, err
	}
	if width(f.right) != f.positions+f.velocities {
		return nil, fmt.Errorf("the null spaces R and L have %d and %d + %d dimensions: constraints are nearly dependent; "+
			"look for joints that hold the same motion", width(f.right), f.positions, f.velocities)
	}
	if width(f.right) == 0 {
		return nil, errors.New("nothing can move: the constraints leave no freedom")
	}
	f.left = mat.NewDense(2*n, width(f.right), nil)
	if f.positions > 0 {
		f.left.Slice(0, n, 0, f.positions).(*mat.Dense).Copy(placed)
	}
	if f.velocities > 0 {
		f.left.Slice(n, 2*n, f.positions, width(f.right)).(*mat.Dense).Copy(moving)
	}
	return f, nil
}

// halves are diag(I, M) and [V -I; K C]; the unit of force gives both halves the same order of magnitude.
func (m *matrices) halves() (inertia, rest *mat.Dense, unit float64) {
	n := m.v.size()
	unit = 1.0
	if heaviest := largest(m.M); heaviest > 0 {
		unit = 1 / heaviest
	}
	inertia, rest = mat.NewDense(2*n, 2*n, nil), mat.NewDense(2*n, 2*n, nil)
	corner := func(of *mat.Dense, i, k int) *mat.Dense { return of.Slice(i, i+n, k, k+n).(*mat.Dense) }
	corner(inertia, 0, 0).Copy(one(n))
	corner(inertia, n, n).Scale(unit, m.M)
	corner(rest, 0, 0).Copy(m.V)
	corner(rest, 0, n).Scale(-1, one(n))
	corner(rest, n, 0).Scale(unit, m.K)
	corner(rest, n, n).Scale(unit, m.C)
	return inertia, rest, unit
}

// act names the inputs: actuators, then position, rate and acceleration of each drive. It returns their action on the
// equations, and the (p; w) that they prescribe, with at least one column.
func (s *System) act(v *Vehicle, x *mat.Dense) (action, follow *mat.Dense) {
	n := v.size()
	for i := range v.Actuators {
		s.Inputs = append(s.Inputs, v.Actuators[i].Name)
	}
	for i := range v.Constraints {
		if d := v.Constraints[i].Drive; d != nil {
			k := len(s.Inputs)
			s.Inputs, s.drives = append(s.Inputs, d[:]...), append(s.drives, [3]int{k, k + 1, k + 2})
		}
	}
	action, follow = mat.NewDense(2*n, max(len(s.Inputs), 1), nil), mat.NewDense(2*n, max(len(s.Inputs), 1), nil)
	for i := range v.Actuators {
		for k, x := range v.row(v.Actuators[i].Action) {
			action.Set(n+k, i, x)
		}
	}
	for i, d := range s.drives {
		for k := range 2 * n {
			follow.Set(k, d[0], x.At(k, i))
			follow.Set(k, d[1], x.At(k, len(s.drives)+i))
		}
	}
	return action, follow
}

// prescribe returns X, the least displacements and velocities that follow the drives: one column for the position of
// each drive, then one column for the rate of each drive.
func (v *Vehicle) prescribe(f *degreesOfFreedom) (*mat.Dense, error) {
	var driven []int // rows
	at := 0
	for i := range v.Constraints {
		c := &v.Constraints[i]
		if c.Nonholonomic {
			continue
		}
		if c.Drive != nil {
			driven = append(driven, at+c.driven())
		}
		at += c.Forces + c.Moments
	}
	if driven == nil {
		return nil, nil
	}
	rows := stacked(2*v.size(), f.rows...)
	d, err := decompose(rows, rowRank)
	if err != nil {
		return nil, err
	}
	right := mat.NewDense(len(f.rows), 2*len(driven), nil)
	for i, row := range driven {
		right.Set(row, i, 1)
		right.Set(f.holonomic+row, len(driven)+i, 1)
	}
	x := new(mat.Dense)
	d.SolveTo(x, right, d.rank)
	rest := product(rows, x)
	rest.Sub(rest, right)
	if largest(rest) > 1e-9 {
		return nil, errors.New("other constraints block a prescribed motion; remove them or the drive")
	}
	return x, nil
}

// explicit solves E z' = A z + B u for z'. Bodies without mass can make E singular; their motion then follows from the
// other motions, if their forces determine it. With E = U diag(S, 0) W^T the lower rows of U^T A W are equations
// without rates. The former z is keep times the new z plus drop times u.
func (s *System) explicit(v *Vehicle, e *decomposed, a, b, r *mat.Dense) (keep, drop *mat.Dense, err error) {
	n, k := e.columns, e.rank
	var u, w mat.Dense
	e.UTo(&u)
	e.VTo(&w)
	a, b = product(u.T(), a, &w), product(u.T(), b)
	s.A, s.B = block(a, 0, k, 0, k), block(b, 0, k, 0, width(b))
	keep, drop = block(&w, 0, n, 0, k), mat.NewDense(n, width(b), nil)
	if k < n {
		across := block(&w, 0, n, k, n)
		free, err := decompose(block(a, k, n, k, n), zeroRank)
		if err != nil {
			return nil, nil, err
		}
		if free.rank < n-k || free.values[n-k-1] <= zeroRank*largest(a) {
			return nil, nil, v.undetermined(product(r, across))
		}
		var y, z mat.Dense // the others are -y times the new ones, -z times u
		free.SolveTo(&y, block(a, k, n, 0, k), free.rank)
		free.SolveTo(&z, block(b, k, n, 0, width(b)), free.rank)
		keep.Sub(keep, product(across, &y))
		drop.Sub(drop, product(across, &z))
		upper := block(a, 0, k, k, n)
		s.A.Sub(s.A, product(upper, &y))
		s.B.Sub(s.B, product(upper, &z))
	}
	for i := range k {
		for _, m := range []*mat.Dense{s.A, s.B} {
			row := m.RawRowView(i)
			for j := range row {
				row[j] /= e.values[i]
			}
		}
	}
	return keep, drop, nil
}

// undetermined names the bodies that move in a motion without mass that no force determines.
func (v *Vehicle) undetermined(motions *mat.Dense) error {
	var names []string
	n := v.size()
	for i := range v.Bodies {
		if largest(block(motions, 6*i, 6*i+6, 0, width(motions)))+largest(
			block(motions, n+6*i, n+6*i+6, 0, width(motions))) > 1e-9 {
			names = append(names, v.Bodies[i].Name)
		}
	}
	return fmt.Errorf(
		"nothing determines the motion of bodies without mass: %s; add mass, a joint or a damper",
		strings.Join(names, ", "))
}

// measure makes the outputs, with (p; w) = of z + by u. Accelerations of what follows an input at
// once, because it has no mass, are left out.
func (s *System) measure(m *matrices, of, by *mat.Dense) {
	v := m.v
	n, inputs := v.size(), width(by)
	var seen, direct [][]float64            // rows of C and D
	rates := mat.NewDense(2*n, inputs, nil) // (p'; w') = of z' + rates u
	for _, d := range s.drives {
		for k := range 2 * n {
			rates.Set(k, d[1], by.At(k, d[0]))
			rates.Set(k, d[2], by.At(k, d[1]))
		}
	}
	for i := range v.Sensors {
		sensor := &v.Sensors[i]
		row := v.row(sensor.Action)
		turning := product(mat.NewDense(1, n, row), m.V).RawRowView(0)
		full := mat.NewDense(1, 2*n, nil)
		set := func(at int, share float64, row []float64) {
			for k, x := range row {
				full.Set(0, at+k, share*sensor.Gain*x)
			}
		}
		switch sensor.Quantity {
		case Displacement:
			set(0, 1, row)
		case Velocity, Acceleration:
			set(n, 1, row)
		case Rate, SecondRate:
			set(0, -1, turning)
			set(n, 1, row)
		}
		c, d := product(full, of), product(full, by)
		if sensor.Quantity == Acceleration || sensor.Quantity == SecondRate {
			if s.jumps(d) {
				continue
			}
			d = product(full, rates)
			d.Add(d, product(c, s.B))
			c = product(c, s.A)
		}
		s.Outputs, seen, direct = append(s.Outputs, sensor.Name), append(seen, c.RawRowView(0)),
			append(direct, d.RawRowView(0))
	}
	s.C, s.D = stacked(width(of), seen...), stacked(inputs, direct...)
}

// jumps reports whether a velocity follows an input at once, so that its rate depends on the input's.
func (s *System) jumps(direct *mat.Dense) bool {
	for k := range s.Inputs {
		if slices.ContainsFunc(s.drives, func(d [3]int) bool { return k == d[0] || k == d[1] }) {
			continue // whose rate is an input, too
		}
		if math.Abs(direct.At(0, k)) > zeroRank {
			return true
		}
	}
	return false
}
