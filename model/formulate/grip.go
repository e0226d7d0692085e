package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
)

// relaxedRow is a row that grip relaxes.
type relaxedRow struct {
	component.Grip
	rolling  int        // constraint along the path
	force    int        // index of the sliding force among the forces along rows and beside rows
	normal   int        // constraint that carries the wheel, -1 where a spring does
	stiction *expr.Expr // for the load that is found last
}

// passes is the number of iterations between loads and weights. The loads determine the grip, and sliding changes the
// loads, by about a seventh of the change each time.
const passes = 12

// grip finds the weights of the constraints, nil for 1, and the sliding forces in their directions and beside them,
// for the loads that they lead to themselves ((32), (33); half-car specification, 3.5).
func (f *Formulation) grip(q *bordered, g, stabilising []*expr.Expr) (weight, sliding []*expr.Expr) {
	p, m := f.Pool, len(f.Constraints)
	unit := func(i int) []*expr.Expr {
		e := make([]*expr.Expr, m)
		for k := range e {
			e[k] = p.Int(0)
		}
		e[i] = p.Int(1)
		return e
	}
	loads, rows := make([]*expr.Expr, len(f.grips)), make([][]*expr.Expr, len(f.grips))
	for w := range f.grips {
		if loads[w] = f.grips[w].Load; loads[w] == nil {
			rows[w] = q.inverse(unit(f.grips[w].normal), "P") // the matrix is symmetric
		}
	}
	asked := make([]*expr.Expr, m)
	for i := range asked {
		asked[i] = f.define("asked_"+f.Constraints[i].Name, p.Add(g[i], stabilising[i]))
	}
	carried := func() {
		wanted := make([]*expr.Expr, m)
		for i := range wanted {
			wanted[i] = asked[i]
			if sliding != nil {
				rest := p.Sub(asked[i], f.inner(q.slides[i], sliding))
				wanted[i] = f.define("wanted_"+f.Constraints[i].Name, f.times(weight[i], rest))
			}
		}
		for w, row := range rows {
			if row != nil {
				loads[w] = f.define("N", f.inner(row, wanted))
			}
		}
	}
	slide := func() {
		weight, sliding = make([]*expr.Expr, m), make([]*expr.Expr, len(q.x))
		for i := range sliding {
			sliding[i] = p.Int(0)
		}
		for w := range f.grips {
			r := &f.grips[w]
			r.stiction, sliding[r.force] = r.Laws(loads[w])
			weight[r.rolling] = p.Pow(r.stiction, 2)
		}
	}
	carried()
	for range passes {
		slide()
		carried()
	}
	slide()
	return weight, sliding
}
