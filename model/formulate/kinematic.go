package formulate

import "skidpad/model/expr"

// kinematicEquations gives qdot = h(p, q, t) for every coordinate. This is the speed itself where the two levels share
// their unit vectors, otherwise the across variable resolved in the unit vectors of level 0.
func (f *Formulation) kinematicEquations() {
	g := f.Forest.Graph
	for i := range g.Edges {
		e := &g.Edges[i]
		speeds := f.speedIndex[i]
		if len(speeds) == 0 {
			continue
		}
		if e.Space.Free != nil {
			f.freeKinematics(e, speeds)
			continue
		}
		f.Coordinates[speeds[0]].Rate = f.Speeds[speeds[0]].Symbol
	}
}

// angleRates solves w = q1' e_a” + q2' e_b' + q3' e_c for the rates of the angles of sequence a-b-c (axes as digits);
// the components are in the head's frame.
func (f *Formulation) angleRates(name, sequence string, q, w [3]*expr.Expr) [3]*expr.Expr {
	p := f.Pool
	a, b, c := int(sequence[0]-'1'), int(sequence[1]-'1'), int(sequence[2]-'1')
	// undo the last turn
	turn := p.Turn("head", "before", f.unit("before", c), q[2])
	v := p.Resolve(turn, expr.Vector{Frame: "head", X: w})
	for i := range v.X {
		v.X[i] = f.define("w_before_turn_"+name+"_"+axisNames[i], v.X[i])
	}
	cos, sin := p.Call(expr.Cos, q[1]), p.Call(expr.Sin, q[1])
	// e_a, turned back by q2 about e_b, is cos q2 e_a - sin q2 (e_b x e_a)
	third := 3 - a - b
	s := expr.Integer(-1) // e_b x e_a = s e_third
	if (b+1)%3 == a {
		s = expr.Integer(1)
	}
	var rates [3]*expr.Expr
	rates[1] = v.X[b]
	if a == c {
		rates[0] = f.define("turn_rate_"+name, p.Neg(p.Scale(s, p.Div(v.X[third], sin))))
		rates[2] = p.Sub(v.X[a], p.Mul(cos, rates[0]))
	} else {
		rates[0] = f.define("turn_rate_"+name, p.Div(v.X[a], cos))
		rates[2] = p.Add(v.X[c], p.Scale(s, p.Mul(sin, rates[0])))
	}
	return rates
}
