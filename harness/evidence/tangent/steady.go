package tangent

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Reaction is the force and couple of a connection at the steady motion, in ground, on its first body, with the force
// at Point; the second body gets the opposite.
type Reaction struct {
	Name          string
	First, Second string
	Point         r3.Vec
	Force, Couple r3.Vec // N, N m
}

// Steady are the forces of the steady motion (3.4).
type Steady struct {
	Reactions []Reaction
	Warnings  []string // rows of constraints that are redundant, forces that statics does not determine
}

// forces are the forces of the steady motion, in the order of the lists of the vehicle.
type forces struct {
	constraints [][2]r3.Vec // force and couple on the first body
	links       []float64   // tension
	tensions    []float64   // of springs
	warnings    []string
}

func errOneMoment(c *Constraint, couple r3.Vec) error {
	return fmt.Errorf("%s: a constraint with one moment that carries a couple (%.6g N m) has no tangent stiffness "+
		"here; let it have none, two or all", c.Name, r3.Norm(couple))
}

// balance is the largest share of the loads that may be out of balance.
const balance = 1e-7

// Steady finds the forces of the steady motion.
func (v *Vehicle) Steady() (*Steady, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	f, err := v.statics()
	if err != nil {
		return nil, err
	}
	return v.report(f), nil
}

func (v *Vehicle) report(f *forces) *Steady {
	s := &Steady{Warnings: f.warnings}
	for i := range v.Constraints {
		if c := &v.Constraints[i]; !c.Nonholonomic {
			s.Reactions = append(s.Reactions, Reaction{c.Name, v.name(c.First), v.name(c.Second), c.Point, f.constraints[i][0],
				f.constraints[i][1]})
		}
	}
	for i := range v.Links {
		l := &v.Links[i]
		s.Reactions = append(s.Reactions, Reaction{l.Name, v.name(l.First), v.name(l.Second), l.At,
			r3.Scale(-f.links[i], l.action().Direction), r3.Vec{}})
	}
	for i := range v.Springs {
		l := &v.Springs[i]
		s.Reactions = append(s.Reactions, Reaction{l.Name, v.name(l.First), v.name(l.Second), l.At,
			r3.Scale(-f.tensions[i], l.action().Direction), r3.Vec{}})
	}
	for i := range v.Bushings {
		b := &v.Bushings[i]
		s.Reactions = append(s.Reactions, Reaction{b.Name, v.name(b.First), v.name(b.Second), b.At, b.Force, b.Moment})
	}
	return s
}

// loads are forces and moments on all bodies but those of constraints and of springs whose tension
// is unknown.
func (v *Vehicle) loads() []float64 {
	sum := make([]float64, v.size())
	apply := func(a Action, share float64) {
		for i, x := range v.row(a) {
			sum[i] += share * x
		}
	}
	for i := range v.Bodies {
		b := &v.Bodies[i]
		apply(Action{First: i, Second: Ground, At: b.Centre, Direction: r3.Scale(b.Mass, v.Gravity)}, 1)
	}
	for _, l := range v.Loads {
		apply(Action{First: l.Body, Second: Ground, At: l.Point, Direction: l.Force, Moment: l.Moment}, 1)
	}
	for i := range v.Bushings {
		apply(v.Bushings[i].load(), 1)
	}
	for i := range v.Springs {
		if s := &v.Springs[i]; !s.Unknown {
			apply(s.action(), -s.Tension)
		}
	}
	return sum
}

// bound is one row with a force at the steady motion, and the name of the row's owner.
type bound struct {
	row  []float64
	name string
}

// holonomic are the rows of all holonomic constraints and links, in their order.
func (v *Vehicle) holonomic() []bound {
	var list []bound
	for i := range v.Constraints {
		if c := &v.Constraints[i]; !c.Nonholonomic {
			for _, a := range c.actions() {
				list = append(list, bound{v.row(a), c.Name})
			}
		}
	}
	for i := range v.Links {
		list = append(list, bound{v.row(v.Links[i].action()), v.Links[i].Name})
	}
	return list
}

func (v *Vehicle) nonholonomic() []bound {
	var list []bound
	for i := range v.Constraints {
		if c := &v.Constraints[i]; c.Nonholonomic {
			for _, a := range c.actions() {
				list = append(list, bound{v.row(a), c.Name})
			}
		}
	}
	return list
}

func rowsOf(list []bound) [][]float64 {
	rows := make([][]float64, len(list))
	for i := range list {
		rows[i] = list[i].row
	}
	return rows
}

// statics solves [B_h^T -J_s^T] (lambda; f_s) = -f for the constraint forces and the unknown tensions. If there are
// many solutions, it adds the stiffness of the springs with unknown tension:
//
//	K x - B_h^T lambda = f,   B_h x = 0,   f_s = k J_s x
func (v *Vehicle) statics() (*forces, error) {
	n := v.size()
	rows, load := v.holonomic(), v.loads()
	reach := rowsOf(rows)
	var unknown []int
	for i := range v.Springs {
		if s := &v.Springs[i]; s.Unknown {
			unknown = append(unknown, i)
			row := v.row(s.action())
			for k := range row {
				row[k] = -row[k]
			}
			reach = append(reach, row)
		}
	}
	f := &forces{}
	values, err := v.balance(rows, reach, unknown, load)
	if err != nil {
		return nil, err
	}
	if err := v.residual(load, reach, values); err != nil {
		return nil, err
	}
	if several, err := dependent(n, rows); err != nil {
		return nil, err
	} else if len(several) > 0 {
		f.warnings = append(f.warnings,
			fmt.Sprintf("redundant constraints: statics does not determine the forces of %s; the smallest are taken",
				strings.Join(several, ", ")))
	}
	more := v.nonholonomic()
	several, err := dependent(n, slices.Concat(rows, more))
	if err != nil {
		return nil, err
	}
	several = slices.DeleteFunc(several, func(name string) bool {
		return !slices.ContainsFunc(more, func(b bound) bool { return b.name == name })
	})
	if len(several) > 0 {
		f.warnings = append(f.warnings, "redundant constraints, which is harmless: "+strings.Join(several, ", "))
	}
	f.take(v, values, unknown)
	return f, nil
}

// balance are the reactions and unknown tensions (lambda, f_s) that hold the loads.
func (v *Vehicle) balance(rows []bound, reach [][]float64, unknown []int, load []float64) ([]float64, error) {
	values := make([]float64, len(reach))
	if len(reach) == 0 {
		return values, nil
	}
	n := v.size()
	d, err := decompose(stacked(n, reach...).T(), rowRank)
	if err != nil {
		return nil, err
	}
	if d.rank < len(reach) && len(unknown) > 0 {
		return v.elastic(rows, unknown, load)
	}
	if d.rank > 0 {
		var x mat.Dense
		right := mat.NewDense(n, 1, nil)
		for i, l := range load {
			right.Set(i, 0, -l)
		}
		d.SolveTo(&x, right, d.rank)
		mat.Col(values, 0, &x)
	}
	return values, nil
}

// elastic is the solution by the stiffness of the springs whose tension is unknown.
func (v *Vehicle) elastic(rows []bound, unknown []int, load []float64) ([]float64, error) {
	n, m := v.size(), len(rows)
	stiff := mat.NewDense(n, n, nil)
	for _, i := range unknown {
		gram(stiff, v.Springs[i].Stiffness, v.row(v.Springs[i].action()))
	}
	all, right := mat.NewDense(n+m, n+m, nil), mat.NewDense(n+m, 1, nil)
	scale := max(1, largest(stiff)) // of the displacements, so that stiffness is of the order of the rows
	for i := range n {
		for k := range n {
			all.Set(i, k, stiff.At(i, k)/scale)
		}
		for k := range m {
			all.Set(i, n+k, -rows[k].row[i])
			all.Set(n+k, i, rows[k].row[i])
		}
		right.Set(i, 0, load[i])
	}
	d, err := decompose(all, rowRank)
	if err != nil {
		return nil, err
	}
	var x mat.Dense
	d.SolveTo(&x, right, d.rank)
	solution := mat.Col(nil, 0, &x)
	values := slices.Clone(solution[n:])
	for _, i := range unknown {
		tension := 0.0
		for k, j := range v.row(v.Springs[i].action()) {
			tension += v.Springs[i].Stiffness / scale * j * solution[k]
		}
		values = append(values, tension)
	}
	return values, nil
}

// residual refuses what is not in equilibrium, and names the bodies.
func (v *Vehicle) residual(load []float64, reach [][]float64, values []float64) error {
	rest := slices.Clone(load)
	size := 0.0
	for i := range rest {
		size = max(size, math.Abs(load[i]))
		for k := range reach {
			rest[i] += values[k] * reach[k][i]
		}
	}
	var list []string
	for i := range v.Bodies {
		force, moment := vec([3]float64(rest[6*i:6*i+3])), vec([3]float64(rest[6*i+3:6*i+6]))
		if allowed := balance * (1 + size); !(r3.Norm(force) <= allowed && r3.Norm(moment) <= allowed) {
			list = append(list, fmt.Sprintf("%s (%.6g, %.6g, %.6g) N, (%.6g, %.6g, %.6g) N m", v.Bodies[i].Name, force.X,
				force.Y, force.Z, moment.X, moment.Y, moment.Z))
		}
	}
	if list != nil {
		return fmt.Errorf("the steady state is not in equilibrium: left over on %s; support them, or let springs carry them",
			strings.Join(list, "; "))
	}
	return nil
}

// dependent names the owners of linearly dependent rows.
func dependent(columns int, rows []bound) ([]string, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	d, err := decompose(stacked(columns, rowsOf(rows)...).T(), rowRank)
	if err != nil {
		return nil, err
	}
	var names []string
	shares := d.null()
	for i := range rows {
		for k := range width(shares) {
			if math.Abs(shares.At(i, k)) > 1e-9 && !slices.Contains(names, rows[i].name) {
				names = append(names, rows[i].name)
			}
		}
	}
	return names, nil
}

// take sums the multipliers to forces.
func (f *forces) take(v *Vehicle, values []float64, unknown []int) {
	next := func() float64 {
		x := values[0]
		values = values[1:]
		return x
	}
	f.constraints = make([][2]r3.Vec, len(v.Constraints))
	for i := range v.Constraints {
		c := &v.Constraints[i]
		if c.Nonholonomic {
			continue
		}
		for _, a := range c.actions() {
			x := next()
			f.constraints[i][0] = r3.Add(f.constraints[i][0], r3.Scale(x, a.Direction))
			f.constraints[i][1] = r3.Add(f.constraints[i][1], r3.Scale(x, a.Moment))
		}
	}
	for range v.Links {
		f.links = append(f.links, -next())
	}
	for i := range v.Springs {
		tension := v.Springs[i].Tension
		if slices.Contains(unknown, i) {
			tension = next()
		}
		f.tensions = append(f.tensions, tension)
	}
}
