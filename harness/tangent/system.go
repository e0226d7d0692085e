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
	v := m.v
	n := v.size()
	holonomic, nonholonomic := rowsOf(v.holonomic()), rowsOf(v.nonholonomic())
	free, err := null(n, holonomic)
	if err != nil {
		return err
	}
	moving, err := null(n, slices.Concat(holonomic, nonholonomic))
	if err != nil {
		return err
	}
	s.Positions, s.Velocities = width(free), width(moving)
	var rows [][]float64 // J_R
	for _, row := range holonomic {
		rows = append(rows, slices.Concat(row, make([]float64, n)))
	}
	for _, row := range holonomic {
		turned := product(mat.NewDense(1, n, row), m.V)
		turned.Scale(-1, turned)
		rows = append(rows, slices.Concat(turned.RawRowView(0), row))
	}
	for _, row := range nonholonomic {
		rows = append(rows, slices.Concat(make([]float64, n), row))
	}
	r, err := null(2*n, rows)
	if err != nil {
		return err
	}
	if width(r) != s.Positions+s.Velocities {
		return fmt.Errorf("R has %d columns, L has %d + %d: constraints that are nearly dependent; look for joints that hold the same motion", width(r), s.Positions, s.Velocities)
	}
	if width(r) == 0 {
		return errors.New("nothing can move: the constraints leave no freedom")
	}
	left := mat.NewDense(2*n, width(r), nil)
	if s.Positions > 0 {
		left.Slice(0, n, 0, s.Positions).(*mat.Dense).Copy(free)
	}
	if s.Velocities > 0 {
		left.Slice(n, 2*n, s.Positions, width(r)).(*mat.Dense).Copy(moving)
	}
	inertia, rest := mat.NewDense(2*n, 2*n, nil), mat.NewDense(2*n, 2*n, nil) // diag(I, M), [V -I; K C]
	corner := func(of *mat.Dense, i, k int) *mat.Dense { return of.Slice(i, i+n, k, k+n).(*mat.Dense) }
	unit := 1.0 // of forces, so that both halves are of one order
	if heaviest := largest(m.M); heaviest > 0 {
		unit = 1 / heaviest
	}
	corner(inertia, 0, 0).Copy(one(n))
	corner(inertia, n, n).Scale(unit, m.M)
	corner(rest, 0, 0).Copy(m.V)
	corner(rest, 0, n).Scale(-1, one(n))
	corner(rest, n, 0).Scale(unit, m.K)
	corner(rest, n, n).Scale(unit, m.C)
	e, err := decompose(product(left.T(), inertia, r), rowRank)
	if err != nil {
		return err
	}
	a := product(left.T(), rest, r)
	a.Scale(-1, a)

	x, err := s.prescribe(v, rows, len(holonomic))
	if err != nil {
		return err
	}
	if x != nil { // with what moves freely in answer, so that L^T diag(I, M) X = 0: no acceleration is an input
		var answer mat.Dense
		e.SolveTo(&answer, product(left.T(), inertia, x), e.rank)
		x.Sub(x, product(r, &answer))
	}

	// columns of the inputs: actuators, then position, rate and acceleration of each drive
	columns := len(v.Actuators) + 3*len(s.drives)
	action := mat.NewDense(2*n, max(columns, 1), nil) // of u on the equations
	follow := mat.NewDense(2*n, max(columns, 1), nil) // (p; w) that u prescribes
	for i := range v.Actuators {
		s.Inputs = append(s.Inputs, v.Actuators[i].Name)
		for k, x := range v.row(v.Actuators[i].Action) {
			action.Set(n+k, i, unit*x)
		}
	}
	for i := range s.drives {
		at := len(v.Actuators) + 3*i
		s.drives[i] = [3]int{at, at + 1, at + 2}
		for k := range 2 * n {
			position, rate := x.At(k, i), x.At(k, len(s.drives)+i)
			follow.Set(k, at, position)
			follow.Set(k, at+1, rate)
		}
	}
	for i := range v.Constraints {
		if d := v.Constraints[i].Drive; d != nil {
			s.Inputs = append(s.Inputs, d[:]...)
		}
	}
	action.Sub(action, product(rest, follow))
	b := product(left.T(), action)

	keep, drop, err := s.explicit(v, e, a, b, r)
	if err != nil {
		return err
	}
	drop = product(r, drop)
	follow.Add(follow, drop)
	return s.measure(m, product(r, keep), follow)
}

// prescribe returns X, the least displacements and velocities that follow the drives: for each one
// that its position prescribes, then for each one that its rate does.
func (s *System) prescribe(v *Vehicle, rows [][]float64, holonomic int) (*mat.Dense, error) {
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
	s.drives = make([][3]int, len(driven))
	if driven == nil {
		return nil, nil
	}
	d, err := decompose(stacked(2*v.size(), rows...), rowRank)
	if err != nil {
		return nil, err
	}
	right := mat.NewDense(len(rows), 2*len(driven), nil)
	for i, row := range driven {
		right.Set(row, i, 1)
		right.Set(holonomic+row, len(driven)+i, 1)
	}
	x := new(mat.Dense)
	d.SolveTo(x, right, d.rank)
	rest := product(stacked(2*v.size(), rows...), x)
	rest.Sub(rest, right)
	if largest(rest) > 1e-9 {
		return nil, errors.New("a prescribed motion is held by other constraints, too, so that it cannot move")
	}
	return x, nil
}

// explicit solves E z' = A z + B u for z'. Where bodies without mass make E singular, what they do
// follows from the other motions, if their forces determine it: with E = U diag(S, 0) W^T the lower
// rows of U^T A W are equations without rates. The former z are keep times the new ones and drop
// times u.
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
		if largest(block(motions, 6*i, 6*i+6, 0, width(motions)))+largest(block(motions, n+6*i, n+6*i+6, 0, width(motions))) > 1e-9 {
			names = append(names, v.Bodies[i].Name)
		}
	}
	return fmt.Errorf("nothing determines the motion of what has no mass: %s; give it mass, hold it by a joint, or damp it", strings.Join(names, ", "))
}

// measure makes the outputs, with (p; w) = of z + by u.
func (s *System) measure(m *matrices, of, by *mat.Dense) error {
	v := m.v
	n, states, inputs := v.size(), width(of), width(by)
	s.C, s.D = mat.NewDense(max(len(v.Sensors), 1), states, nil), mat.NewDense(max(len(v.Sensors), 1), inputs, nil)
	rates := mat.NewDense(2*n, inputs, nil) // (p'; w') = of z' + rates u
	for _, d := range s.drives {
		for k := range 2 * n {
			rates.Set(k, d[1], by.At(k, d[0]))
			rates.Set(k, d[2], by.At(k, d[1]))
		}
	}
	for i := range v.Sensors {
		sensor := &v.Sensors[i]
		s.Outputs = append(s.Outputs, sensor.Name)
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
			for k := range inputs {
				if follows := slices.ContainsFunc(s.drives, func(d [3]int) bool { return k == d[0] || k == d[1] }); !follows && math.Abs(d.At(0, k)) > 1e-9 {
					return fmt.Errorf("%s depends on the rate of the input %s", sensor.Name, s.Inputs[k])
				}
			}
			d = product(full, rates)
			d.Add(d, product(c, s.B))
			c = product(c, s.A)
		}
		s.C.SetRow(i, c.RawRowView(0))
		s.D.SetRow(i, d.RawRowView(0))
	}
	return nil
}
