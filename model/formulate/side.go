package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/program"
)

// side makes the computations beside the rates.
func (f *Formulation) side(kind program.SideKind) *program.SourceSide {
	switch kind {
	case program.Residuals:
		return f.residuals()
	case program.Drift:
		return f.drift()
	case program.Projection:
		return f.projection()
	case program.Gradients:
		s := &program.SourceSide{}
		_, h := f.gradients()
		for _, row := range h {
			s.Values = append(s.Values, row...)
		}
		return s
	case program.Driven:
		return f.driven()
	case program.Poses:
		return f.poses()
	case program.Energies:
		return f.again().energies()
	case program.Redundancy:
		return f.again().redundancy()
	case program.SlipRates:
		return f.slipRates()
	case program.Share:
		return &program.SourceSide{Values: []*expr.Expr{f.share()}}
	case program.Ends:
		return f.endMargins()
	case program.Samples:
		return f.samples()
	case program.Bounded:
		s := &program.SourceSide{}
		for i := range f.Bounds {
			s.Values = append(s.Values, f.Bounds[i].Value)
		}
		return s
	}
	s := &program.SourceSide{}
	for _, u := range f.Uneven {
		s.Values = append(s.Values, u.Centre.X[:]...)
		if u.Points > 0 {
			s.Values = append(s.Values, u.Forward[:]...)
		}
	}
	return s
}

// samples are the next values of the samplers, then the arguments of their functions.
func (f *Formulation) samples() *program.SourceSide {
	s := &program.SourceSide{}
	for _, x := range f.samplers {
		s.Values = append(s.Values, x.Next...)
	}
	for _, x := range f.samplers {
		s.Values = append(s.Values, x.Arguments...)
	}
	if slices.ContainsFunc(s.Values, func(e *expr.Expr) bool { return e.Depends()&expr.Returned != 0 }) {
		s.Given = f.returned()
	}
	return s
}

// returned are the results of the external calls, each call with its acting load last, as Machine.Returned has them.
func (f *Formulation) returned() (list []*expr.Expr) {
	for i := range f.Calls {
		list = append(list, f.Calls[i].Returned...)
		if load := f.Calls[i].Load; load != nil {
			list = append(list, load)
		}
	}
	return list
}

func (f *Formulation) poses() *program.SourceSide {
	s := &program.SourceSide{}
	for i := range f.Calls {
		if f.Calls[i].Pose == nil {
			continue
		}
		for _, v := range f.Calls[i].Pose() {
			s.Values = append(s.Values, v.X[:]...)
		}
	}
	return s
}

func (f *Formulation) residuals() *program.SourceSide {
	s := &program.SourceSide{}
	for _, c := range f.Constraints[:f.enforced] {
		s.Values = append(s.Values, c.Position)
	}
	for _, c := range f.Constraints[:f.enforced] {
		s.Values = append(s.Values, c.Velocity)
	}
	return s
}

func (f *Formulation) given(name string, n int) []*expr.Expr {
	list := make([]*expr.Expr, n)
	for i := range list {
		list[i] = f.Pool.Sym(name+string(rune('0'+i/100))+string(rune('0'+i/10%10))+string(rune('0'+i%10)), expr.Input)
	}
	return list
}

// drift corrects the rates of the coordinates as the DLMM does (van Iwaarden 2003, section 1.4,
// with X = 1): they follow from the speeds p + C^T mu instead of p, with
//
//	(C C^T) mu = -(Phi' + r)
//
// for given r, so that the constraints drift at the rates -r. The kinematic equations are linear
// in the speeds.
func (f *Formulation) drift() *program.SourceSide {
	p, m := f.Pool, f.enforced
	s := &program.SourceSide{Given: f.given("drift ", m)}
	rows := make([][]*expr.Expr, m)
	right := make([]*expr.Expr, m)
	for i := range m {
		c := &f.Constraints[i]
		rows[i], right[i] = c.Row, p.Neg(p.Add(c.Velocity, f.times(c.Active, s.Given[i])))
	}
	mu := f.normal(rows, f.slacks())(right, "mu")
	seed := map[*expr.Expr]*expr.Expr{}
	for k := range f.Speeds {
		var terms []*expr.Expr
		for i := range m {
			terms = append(terms, p.Mul(rows[i][k], mu[i]))
		}
		seed[f.Speeds[k].Symbol] = f.define("C_mu", p.Add(terms...))
	}
	d := p.NewDerivative("drift", seed)
	for _, q := range f.Coordinates {
		s.Values = append(s.Values, d.Of(q.Rate))
	}
	return s
}

// slacks are the diagonal entries for inactive constraints.
func (f *Formulation) slacks() []*expr.Expr {
	var list []*expr.Expr
	for i := range f.enforced {
		list = append(list, f.slack(&f.Constraints[i]))
	}
	return list
}

// normal returns the inverse of H H^T with diagonal entries added.
func (f *Formulation) normal(h [][]*expr.Expr, diagonal []*expr.Expr) inverse {
	p := f.Pool
	a := make([][]*expr.Expr, len(h))
	for i := range a {
		a[i] = make([]*expr.Expr, len(h))
		for j := range i + 1 {
			var terms []*expr.Expr
			for k := range h[i] {
				terms = append(terms, p.Mul(h[i][k], h[j][k]))
			}
			if i == j {
				terms = append(terms, diagonal[i])
			}
			a[i][j] = f.define("normal", p.Add(terms...))
			a[j][i] = a[i][j]
		}
	}
	if _, general := f.equationsOfMotion.(*bordered); general {
		return f.invert(a, p.Int(1), f.constraintName) // rows are unit vectors times lengths
	}
	factors := f.factorise(a, f.eliminationOrder(a, len(a)), f.constraintName)
	return func(right []*expr.Expr, name string) []*expr.Expr {
		return factors.solve(f, right, func(int) string { return name })
	}
}

// projection leads back to the constraints h(z) = (Phi, Phi') = 0 along F = H^T (H H^T)^-1, with
// z the speeds and coordinates and H = dh/dz (van Iwaarden 2003, chapter 3): F (h + H w).
func (f *Formulation) projection() *program.SourceSide {
	p, m, n := f.Pool, f.enforced, len(f.Speeds)
	s := &program.SourceSide{Given: f.given("w ", 2*n)}
	value, h := f.gradients()
	right := make([]*expr.Expr, 2*m)
	for i := range right {
		terms := []*expr.Expr{value[i]}
		for k, x := range h[i] {
			terms = append(terms, p.Mul(x, s.Given[k]))
		}
		right[i] = f.define("h", p.Add(terms...))
	}
	slacks := append(f.slacks(), f.slacks()...)
	for i := range m {
		if f.Constraints[i].Position.IsZero() { // nonholonomic: nothing to lead back to
			slacks[i] = p.Int(1)
		}
	}
	nu := f.normal(h, slacks)(right, "nu")
	for k := range 2 * n {
		var terms []*expr.Expr
		for i := range nu {
			terms = append(terms, p.Mul(h[i][k], nu[i]))
		}
		s.Values = append(s.Values, p.Add(terms...))
	}
	return s
}

// gradients are the residuals of the constraints, Phi and then Phi', and their derivatives by
// speeds and coordinates.
func (f *Formulation) gradients() (value []*expr.Expr, h [][]*expr.Expr) {
	m, n := f.enforced, len(f.Speeds)
	value, h = make([]*expr.Expr, 2*m), make([][]*expr.Expr, 2*m)
	for i := range m {
		c := &f.Constraints[i]
		value[i], value[m+i] = c.Position, c.Velocity
		h[i], h[m+i] = make([]*expr.Expr, 2*n), make([]*expr.Expr, 2*n)
		for k := range n {
			h[i][k], h[m+i][k] = f.Pool.Int(0), c.Row[k]
		}
	}
	for k := range n {
		d := f.towards(f.Coordinates[k].Symbol)
		for i := range 2 * m {
			h[i][n+k] = f.define("H", d.Of(value[i]))
		}
	}
	return value, h
}

// driven are the derivatives of the residuals by inputs: prescribed motions move constraints.
func (f *Formulation) driven() *program.SourceSide {
	inputs := slices.Concat(f.Inputs, f.Controls)
	values := f.residuals().Values
	s := &program.SourceSide{Values: make([]*expr.Expr, len(values)*len(inputs))}
	for k, u := range inputs {
		d := f.towards(u.Symbol)
		for i, v := range values {
			s.Values[i*len(inputs)+k] = d.Of(v)
		}
	}
	return s
}
