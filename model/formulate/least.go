package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// Redundant constraints leave some multipliers open: with n of C^T n = 0, a self-equilibrated state y_C = n, y_B = -A n
// adds to the reactions y and changes no motion. The published reactions have the least Euclidean norm, with forces in
// N and moments in N times a length, over all joints, rods and contacts. They do not depend on the tree: a joint does
// not carry the whole load because its twin is a chord. With y = y0 + G d, H = G^T G and S = C C^T the norm |y| is
// least, among the d with S d = 0, for
//
//	d = -(P H)^(k-1) P G^T y0,  P = w (S + w H)^-1
//
// with a small w: P H keeps the null space of S, and reduces the rest to w/(s + w) with the eigenvalues s of S against
// H.
//
// smallWeight is w by the mean of S.
var smallWeight = expr.Fraction(1, 10_000_000)

// filters is k.
const filters = 4

// leastNorm returns multipliers with reactions of least norm.
func (f *Formulation) leastNorm(multipliers []*expr.Expr) []*expr.Expr {
	if _, general := f.equationsOfMotion.(*bordered); !general || f.enforced == 0 {
		return multipliers
	}
	p := f.Pool
	columns := f.columns()
	first := f.balanceOf(multipliers)
	y := first.counted()
	h, s, g := make([][]*expr.Expr, f.enforced), make([][]*expr.Expr, f.enforced), make([]*expr.Expr, f.enforced)
	ofH, ofS := p.Int(0), p.Int(0)
	for i := range h {
		h[i], s[i] = make([]*expr.Expr, f.enforced), make([]*expr.Expr, f.enforced)
		g[i] = f.define("g", f.inner(columns[i], y))
		for j := range i + 1 {
			h[i][j] = f.define("H", f.inner(columns[i], columns[j]))
			s[i][j] = f.inner(f.Constraints[i].Row, f.Constraints[j].Row)
			h[j][i] = h[i][j]
		}
		s[i][i] = p.Add(s[i][i], f.slack(&f.Constraints[i]))
		ofH, ofS = p.Add(ofH, h[i][i]), p.Add(ofS, s[i][i])
	}
	ofS = p.Add(ofS, p.Int(int64(f.enforced))) // where all rows vanish, too
	w := f.define("w", p.Mul(p.Num(smallWeight), p.Div(ofS, ofH)))
	for i := range s {
		for j := range i + 1 {
			s[i][j] = f.define("S_H", p.Add(s[i][j], p.Mul(w, h[i][j])))
			s[j][i] = s[i][j]
		}
	}
	factors := f.factorise(s, f.eliminationOrder(s, f.enforced), f.constraintName)
	if f.err != nil {
		return multipliers
	}
	for k := range filters {
		if k > 0 {
			next := make([]*expr.Expr, f.enforced)
			for i := range next {
				next[i] = f.define("g", f.inner(h[i], g))
			}
			g = next
		}
		for i := range g {
			g[i] = f.define("w_g", p.Mul(w, g[i]))
		}
		g = factors.solve(f, g, func(int) string { return "d" })
	}
	least := append([]*expr.Expr(nil), multipliers...)
	for i := range g {
		least[i] = f.define("f_least", p.Sub(multipliers[i], g[i]))
	}
	return least
}

// columns returns the columns of G: the reactions to a multiplier of 1, constraint by constraint.
func (f *Formulation) columns() [][]*expr.Expr {
	var list [][]*expr.Expr
	unit := f.zeros(len(f.Constraints))
	for i := range f.enforced {
		unit[i] = f.Pool.Int(1)
		list = append(list, f.balanceOfMultipliers(unit).counted())
		unit[i] = f.Pool.Int(0)
	}
	return list
}

// balanceOfMultipliers returns the balance of multipliers without any other load.
func (f *Formulation) balanceOfMultipliers(multipliers []*expr.Expr) *balance {
	b := f.newBalance()
	b.multipliers, b.lawless = multipliers, true
	b.restrain()
	b.sum()
	return b
}

// counted returns the forces and moments in the norm: of joints and of constraints of components. Arms and welds pass
// on the reactions of joints; they count if they close loops by themselves.
func (b *balance) counted() (y []*expr.Expr) {
	f, p := b.Formulation, b.Pool
	length := f.number("reaction_length", f.Model.ReactionLength)
	for i := range f.Forest.Graph.Edges {
		e := &f.Forest.Graph.Edges[i]
		if !f.counts(e) {
			continue
		}
		frame := f.resolvingFrame(max(f.classOf[e.Tail], 0))
		v, known := b.edges[i]
		if !known {
			v = p.ZeroVector(frame)
		}
		v = f.resolve(v, frame)
		if e.Domain == graph.Rotation {
			v = p.ScaleV(p.Pow(length, -1), v)
		}
		v = p.DefineV("y", v)
		y = append(y, v.X[:]...)
	}
	for _, c := range component.All[component.Restraining](f.scope) {
		_, head := c.Holds()
		for _, w := range b.wrenches[c.Head().Name] {
			if w.Frame == head {
				v := p.DefineV("y", w.Force)
				y = append(y, v.X[:]...)
			}
		}
	}
	return y
}

// counts reports whether the through variable of an edge belongs to the norm.
func (f *Formulation) counts(e *graph.Edge) bool {
	if _, holds := component.Named[component.Holding](f.scope, e.Owner.Name); !holds || !e.Selectable() {
		return false
	}
	g := f.Forest.Graph
	rigid := false
	for i := range g.Edges {
		rigid = rigid || g.Edges[i].Owner == e.Owner && g.Edges[i].Rigid
	}
	return !rigid || f.closesRigidLoop(e)
}

// closesRigidLoop reports whether other arms and welds lead from one end of an arm to the other, too.
func (f *Formulation) closesRigidLoop(e *graph.Edge) bool {
	g := f.Forest.Graph
	reached := map[int]bool{e.Tail: true}
	for again := true; again; {
		again = false
		for i := range g.Edges {
			if o := &g.Edges[i]; o.Rigid && o.Owner != e.Owner && reached[o.Tail] != reached[o.Head] {
				reached[o.Tail], reached[o.Head], again = true, true, true
			}
		}
	}
	return reached[e.Head]
}
