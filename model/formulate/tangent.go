package formulate

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// stiff are the loads that implicit steps know of.
type stiff struct {
	pulls       []component.Pull
	deflections []component.Motion // with their rates; loads depend on both
	pulling     map[string]bool    // components whose further forces and moments are among the pulls
}

func (s *stiff) deflect(m component.Motion) {
	if m.Position != nil && m.Rate != nil {
		s.deflections = append(s.deflections, m)
	}
}

// tangentSystem makes the matrix of tangent stiffness K and damping D
//
//	W = M - c (D + C) - c^2 K
//
// over the speeds p and the states of components; the coordinates follow the speeds. Let a load act along a motion with
// the rate g_1 p, and let it change by k with a deflection whose rate is g_2 p, and by d with that rate. It then adds
// g_1^T k g_2 to K and g_1^T d g_2 to D. The directions g of loads are constant. Second derivatives of geometry are
// left out: the order of the step does not need them, and its stability hardly does. Rows of constraints have only the
// derivatives of their stabilisation. C are the inertia loads of free bodies.
type tangentSystem struct {
	*implicitSystem
	loads    []component.Pull     // of components, and those on single speeds
	partial  [][]*expr.Expr       // by load and speed: g
	bends    []bend               // all deflections
	along    []map[int]*expr.Expr // by speed and coordinate: derivatives of the coordinates' rates
	applied  []*expr.Expr         // by speed: loads that are neither pulls nor inertia loads
	isStatic bool                 // only loads of tires change their forces
	all      *expr.Reach          // of derivatives by states
	elastics *expr.Reach          // of derivatives by deflections, their rates, speeds and states of components
	inputs   *expr.Reach          // of derivatives by inputs
}

// bend is a deflection, or another value that follows from coordinates and that a signal carries on.
type bend struct {
	value  *expr.Expr
	rate   *expr.Expr // nil for the value of a signal
	strain []*expr.Expr
}

func (s *implicitSystem) tangent() {
	t := &tangentSystem{implicitSystem: s}
	s.known = t.isStiff
	t.find()
	n, states := len(s.Speeds), len(s.states)
	for i := range states {
		if i < n && s.explicit || i >= 2*n {
			s.one(i)
		}
	}
	t.follow()
	t.partials()
	for j, x := range s.states {
		if j < n || j >= 2*n {
			t.column(j, x)
		}
	}
	for k := range t.bends {
		t.bend(k)
	}
	if !s.explicit {
		t.turning()
		t.gyroscopic()
		t.stabilise()
	}
	s.finish()
}

// stiffInputs are the inputs of tire functions whose slopes the matrix knows: load, slip, slip velocities, spin and
// deflections of the carcass. Slopes by camber, turn slip and the surface are left out.
var stiffInputs = []string{program.Load, "S", "alpha", "Omega", "VEx", "VPy", "VPx", "p1", "p2", "q1", "q2", "q3",
	"kinematic_S", "kinematic_alpha"}

// isStiff reports whether the matrix knows a slope of a function: of a tire some, of a user's law all.
func (t *tangentSystem) isStiff(call, input int) bool {
	c := &t.Calls[call]
	switch {
	case strings.HasSuffix(c.Name, "."+program.LawRole):
		return true
	case t.isStatic:
		return c.Inputs[input] == program.Load
	}
	return slices.Contains(stiffInputs, c.Inputs[input])
}

// find finds the expressions that derivatives go through.
func (t *tangentSystem) find() {
	p, f := t.Pool, t.Formulation
	returned := f.returnedSymbols()
	all, inner := slices.Clone(returned), slices.Clone(returned)
	for i, x := range t.states {
		all = append(all, x.Symbol)
		if n := len(f.Speeds); i < n || i >= 2*n {
			inner = append(inner, x.Symbol)
		}
	}
	for _, s := range f.secants {
		_, value := p.Content(s.value)
		inner = append(inner, value)
	}
	noted := map[*expr.Expr]bool{}
	note := func(value, rate *expr.Expr) {
		if _, atom := p.Content(value); !noted[atom] && atom.Kind() != expr.Number {
			noted[atom] = true
			t.bends = append(t.bends, bend{value: value, rate: rate})
			inner = append(inner, atom)
			if rate != nil {
				_, atom = p.Content(rate)
				inner = append(inner, atom)
			}
		}
	}
	for _, m := range f.deflections {
		note(m.Position, m.Rate)
	}
	for _, l := range f.links {
		note(l.Symbol, nil)
	}
	if !t.explicit {
		t.applied = f.appliedLoads()
	}
	var inputs []*expr.Expr
	for _, x := range slices.Concat(f.Inputs, f.Controls) {
		inputs = append(inputs, x.Symbol)
	}
	for _, l := range f.links {
		inputs = append(inputs, l.Symbol)
	}
	t.all, t.elastics, t.inputs = p.NewReach(all...), p.NewReach(inner...), p.NewReach(inputs...)
}

// appliedLoads are the loads on all speeds, without pulls and inertia loads.
func (f *Formulation) appliedLoads() []*expr.Expr {
	l := f.newLoads()
	for _, x := range f.pushed {
		if !x.pull {
			f.addForce(l, x.at, x.Vector)
		}
	}
	for _, x := range f.twisted {
		if !x.pull {
			f.addMoment(l, f.classOf[x.at], x.Vector)
		}
	}
	list := f.project(l, "applied_", func(int) bool { return true })
	for k := range list {
		if list[k] == nil {
			list[k] = f.Pool.Int(0)
		}
	}
	for _, x := range f.braking {
		list[x.on.Speed] = f.Pool.Add(list[x.on.Speed], f.Pool.Scale(expr.Integer(x.on.Sign), x.load))
	}
	return list
}

// follow adds how coordinates follow speeds, and speeds rates of coordinates.
func (t *tangentSystem) follow() {
	n := len(t.Speeds)
	t.along = make([]map[int]*expr.Expr, n)
	for j := range n {
		t.along[j] = map[int]*expr.Expr{}
		d := t.all.NewDerivative(t.states[j].Symbol)
		for i := n; i < 2*n; i++ {
			if e := d.Of(t.states[i].Rate); !e.IsZero() {
				t.along[j][i] = e
				t.result.Follow = append(t.result.Follow, program.Entry{Row: i, Column: j, Value: e})
			}
		}
	}
	// Each edge has a block of its own, and coordinates of an edge can follow speeds of edges nearer to the ground.
	var edges [][]int
	for i := range t.Forest.Graph.Edges {
		speeds := t.speedIndex[i]
		if len(speeds) > 0 && !slices.ContainsFunc(edges, func(of []int) bool { return of[0] == speeds[0] }) {
			edges = append(edges, speeds)
		}
	}
	led := make([]bool, n)
	for len(edges) > 0 {
		edges = slices.DeleteFunc(edges, func(speeds []int) bool { return t.lead(speeds, led) })
	}
}

// lead adds the speeds of an edge by rates of coordinates, if other speeds that they depend on are there.
func (t *tangentSystem) lead(speeds []int, led []bool) bool {
	p, n := t.Pool, len(t.Speeds)
	for j := range n {
		for _, i := range speeds {
			if t.along[j][n+i] != nil && !led[j] && !slices.Contains(speeds, j) {
				return false
			}
		}
	}
	block := make([][]*expr.Expr, len(speeds))
	for a, i := range speeds {
		for _, j := range speeds {
			e := t.along[j][n+i]
			if e == nil {
				e = p.Int(0)
			}
			block[a] = append(block[a], e)
		}
	}
	inverse := t.inverseOf(block, "lead_"+t.Speeds[speeds[0]].Name)
	for a, i := range speeds {
		for b, q := range speeds {
			if e := inverse[a][b]; !e.IsZero() {
				t.result.Lead = append(t.result.Lead, program.Entry{Row: i, Column: n + q, Value: e})
				for j := range n {
					if other := t.along[j][n+q]; other != nil && !slices.Contains(speeds, j) {
						t.result.Lead = append(t.result.Lead,
							program.Entry{Row: i, Column: j, Value: p.Neg(p.Mul(e, other))})
					}
				}
			}
		}
	}
	for _, i := range speeds {
		led[i] = true
	}
	return true
}

// inverseOf is the inverse of a matrix of up to three rows.
func (f *Formulation) inverseOf(m [][]*expr.Expr, name string) [][]*expr.Expr {
	p, n := f.Pool, len(m)
	cofactor := func(i, j int) *expr.Expr {
		switch n {
		case 1:
			return p.Int(1)
		case 2:
			return p.Scale(expr.Integer(1-2*int64((i+j)%2)), m[1-i][1-j])
		}
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return f.define(name, p.Sub(p.Mul(m[a][c], m[b][d]), p.Mul(m[a][d], m[b][c])))
	}
	determinant := p.Int(0)
	for j := range n {
		determinant = p.Add(determinant, p.Mul(m[0][j], cofactor(0, j)))
	}
	share := f.define(name+"_share", p.Pow(f.define(name+"_determinant", determinant), -1))
	inverse := make([][]*expr.Expr, n)
	for i := range n {
		for j := range n {
			inverse[i] = append(inverse[i], p.Mul(share, cofactor(j, i)))
		}
	}
	return inverse
}

// partials finds the derivatives of the rates of pulls and deflections by speeds.
func (t *tangentSystem) partials() {
	n := len(t.Speeds)
	t.loads = slices.Clone(t.pulls)
	for _, x := range t.onSpeeds {
		t.loads = append(t.loads, component.Pull{Load: x.load, Rate: t.Speeds[x.speed].Symbol})
	}
	t.partial = make([][]*expr.Expr, len(t.loads))
	for k := range t.bends {
		t.bends[k].strain = t.zeroRow()
	}
	for j := range n {
		d := t.elastics.NewDerivative(t.states[j].Symbol)
		for r, pull := range t.loads {
			t.partial[r] = append(t.partial[r], t.define("g_"+t.Speeds[j].Name, d.Of(pull.Rate)))
		}
		for k, b := range t.bends {
			if b.rate != nil {
				t.bends[k].strain[j] = t.define("g_"+t.Speeds[j].Name, d.Of(b.rate))
			}
		}
		if len(t.links) > 0 {
			d := t.all.NewDirection("following_" + t.Speeds[j].Name)
			for i, e := range t.along[j] {
				d.Set(t.states[i].Symbol, e)
			}
			t.returns(d)
			for k, b := range t.bends {
				if b.rate == nil {
					t.bends[k].strain[j] = d.Of(b.value)
				}
			}
		}
	}
	for k, b := range t.bends {
		for j, e := range b.strain {
			if !e.IsZero() {
				t.result.Strain = append(t.result.Strain, program.Entry{Row: k, Column: j, Value: e})
			}
		}
	}
	t.result.Deflections = len(t.bends)
}

// hold makes all deflections and their rates constant.
func (t *tangentSystem) hold(d *expr.Derivative) {
	zero := t.Pool.Int(0)
	for _, b := range t.bends {
		d.Set(b.value, zero)
		if b.rate != nil {
			d.Set(b.rate, zero)
		}
	}
}

// column adds the column of a speed or of a state of a component, as far as its effects do not go through deflections
// or their rates.
func (t *tangentSystem) column(j int, x State) {
	d := t.elastics.NewDirection(x.Name)
	if j < len(t.Speeds) {
		t.hold(d)
	}
	d.Set(x.Symbol, t.Pool.Int(1))
	if len(t.links) > 0 {
		all := t.all.NewDerivative(x.Symbol)
		t.returns(all)
		for _, l := range t.links {
			d.Set(l.Symbol, all.Of(l.Symbol))
		}
	}
	t.returns(d)
	t.rows(d, x.Name, t.applied, func(i int, e *expr.Expr) { t.subtract(i, j, e) })
}

// bend adds the effects of a deflection and of its rate.
func (t *tangentSystem) bend(k int) {
	b, p := &t.bends[k], t.Pool
	changes := map[int]*expr.Expr{} // by row
	name := "bend_" + b.value.Name()
	for _, by := range []*expr.Expr{b.value, b.rate} {
		if by == nil || by == b.rate && by.Kind() == expr.Symbol {
			continue // the column of that speed has the effects of the rate
		}
		d := t.elastics.NewDirection(name)
		t.hold(d)
		d.Set(by, p.Int(1))
		share, applied := p.Int(1), t.applied
		if by == b.value {
			share, applied = t.c, nil
			t.isStatic = true
		}
		t.returns(d)
		t.isStatic = false
		t.rows(d, name, applied, func(i int, e *expr.Expr) {
			if e.IsZero() {
				return
			}
			if by == b.value {
				t.deflectFirst(i, k, e)
				t.result.Stiffness = append(t.result.Stiffness, program.Entry{Row: i, Column: k, Value: e})
			}
			if changes[i] == nil {
				changes[i] = p.Int(0)
			}
			changes[i] = p.Add(changes[i], p.Mul(share, e))
		})
	}
	for _, i := range ordered(changes) {
		change := t.define("change_"+name, changes[i])
		for j, g := range b.strain {
			if !g.IsZero() {
				t.subtract(i, j, p.Mul(change, g))
			}
		}
	}
}

// deflectFirst adds the effect of a deflection to a right-hand side for the rates.
func (t *tangentSystem) deflectFirst(i, k int, stiffness *expr.Expr) {
	t.result.First[i] = t.Pool.Add(t.result.First[i], t.Pool.Mul(t.c, stiffness, t.bySpeeds(&t.bends[k])))
}

// bySpeeds is the part of a deflection's rate that speeds cause. Prescribed motions and moving ground are not in the
// matrix: with their part of the rate, the step would have order 1.
func (t *tangentSystem) bySpeeds(b *bend) *expr.Expr {
	if b.rate != nil && !t.isPrescribed(b.rate) {
		return b.rate
	}
	sum := t.Pool.Int(0)
	for j, g := range b.strain {
		sum = t.Pool.Add(sum, t.Pool.Mul(g, t.Speeds[j].Symbol))
	}
	return sum
}

// isPrescribed reports whether a rate depends on inputs other than positions.
func (t *tangentSystem) isPrescribed(rate *expr.Expr) bool {
	d := t.inputs.NewDirection("prescribed")
	for k, x := range slices.Concat(t.Inputs, t.Controls) {
		if !slices.ContainsFunc(t.Motions, func(m [3]int) bool { return m[0] == k }) {
			d.Set(x.Symbol, t.Pool.Int(1))
		}
	}
	for _, l := range t.links {
		d.Set(l.Symbol, t.Pool.Int(1))
	}
	return !d.Of(rate).IsZero()
}

// rows finds the derivatives of all rows.
func (t *tangentSystem) rows(d *expr.Derivative, name string, applied []*expr.Expr, add func(i int, e *expr.Expr)) {
	n := len(t.Speeds)
	for i := 2 * n; i < len(t.states); i++ {
		add(i, d.Of(t.states[i].Rate))
	}
	if t.explicit {
		t.solved(d, name)
		for i := range n {
			add(i, d.Of(t.states[i].Rate))
		}
		return
	}
	sums := t.zeroRow()
	for i, load := range applied {
		sums[i] = d.Of(load)
	}
	for r, pull := range t.loads {
		if e := d.Of(pull.Load); !e.IsZero() {
			for i, g := range t.partial[r] {
				sums[i] = t.Pool.Add(sums[i], t.Pool.Mul(e, g))
			}
		}
	}
	for i, e := range sums {
		add(i, e)
	}
}

// turning adds the inertia loads of free bodies with speeds along their own axes: the acceleration w x v of the body,
// with all that the body carries, has the mass of the speeds themselves.
func (t *tangentSystem) turning() {
	f := t.Formulation
	for i := range f.Forest.Graph.Edges {
		e := &f.Forest.Graph.Edges[i]
		free, speeds := e.Space.Free, f.speedIndex[i]
		if free == nil || e.Domain != graph.Translation || len(speeds) == 0 ||
			f.speedsOfFree(free).Along != graph.OfHead {
			continue
		}
		turning := f.points[e.Head].specific
		if !e.Flies() {
			turning = f.carry(i).acceleration
		}
		for j := range f.Speeds {
			d := t.all.NewDerivative(t.states[j].Symbol)
			for k, speed := range speeds {
				by := d.Of(turning.X[free.Axes[k]])
				for row := range f.Speeds {
					t.subtract(row, j, f.Pool.Neg(f.Pool.Mul(f.Mass[row][speed], by)))
				}
			}
		}
	}
}

// gyroscopic adds the gyroscopic moments of free bodies, and of bodies that one joint connects to a free body, such as
// wheels.
func (t *tangentSystem) gyroscopic() {
	f, l := t.Formulation, t.newLoads()
	bodies := f.allBodies()
	for i := range bodies {
		if b := &bodies[i]; b.inertia != nil && f.isNearlyFree(b.node) {
			f.addMoment(l, f.classOf[b.node], f.Pool.NegV(f.gyroscopicMoment(b)))
		}
	}
	moments := f.project(l, "gyroscopic_", func(int) bool { return true })
	for j := range f.Speeds {
		d := t.all.NewDerivative(t.states[j].Symbol)
		for i, e := range moments {
			if e != nil {
				t.subtract(i, j, d.Of(e))
			}
		}
	}
}

// isNearlyFree reports whether a node turns freely with speeds along its own axes, or on one joint of such a body.
func (f *Formulation) isNearlyFree(node int) bool {
	joints := 0
	for n := node; n != graph.Ground; n = f.Forest.Parent(graph.Rotation, n) {
		edge, _ := f.Forest.Step(graph.Rotation, n)
		s := &f.Forest.Graph.Edges[edge].Space
		if s.Free != nil {
			return f.speedsOfFree(s.Free).Along == graph.OfHead && joints < 2
		}
		if s.Motion != nil || s.Guide != nil {
			joints++
		}
	}
	return false
}

// stabilise divides the right-hand sides of constraints by 1 + 2 alpha c + beta^2 c^2: that is the derivative of their
// stabilisation, with the geometry held.
func (t *tangentSystem) stabilise() {
	p := t.Pool
	for i := range t.Constraints {
		c := &t.Constraints[i]
		row, k := len(t.states)+i, t.result.Deflections
		share := p.Add(p.Int(1), p.Mul(t.c, c.damping))
		if c.stiffness != nil {
			share = p.Add(share, p.Mul(c.stiffness, p.Pow(t.c, 2)))
		}
		share = t.define("share_"+c.Name, p.Pow(t.define("stabilised_"+c.Name, share), -1))
		if c.stiffness != nil {
			stiffness := t.define("stiffness_"+c.Name, p.Mul(share, c.stiffness))
			t.result.Deflections++
			t.result.Stiffness = append(t.result.Stiffness, program.Entry{Row: row, Column: k, Value: p.Neg(stiffness)})
			t.result.First[row] = p.Sub(t.result.First[row], p.Mul(t.c, c.stiffness, c.Velocity))
			for j, e := range c.Row {
				if !e.IsZero() {
					t.result.Strain = append(t.result.Strain, program.Entry{Row: k, Column: j, Value: e})
				}
			}
		}
		t.result.First[row] = p.Mul(share, t.result.First[row])
		for j := range t.result.Mass {
			if e := &t.result.Mass[j]; e.Row == row && e.Column < len(t.states) {
				e.Value = p.Mul(share, e.Value)
			}
		}
	}
}
