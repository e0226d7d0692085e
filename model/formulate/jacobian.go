package formulate

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// derivatives returns the symbolic Jacobian of rates or outputs with respect to states, inputs or parameters. The
// accelerations are differentiated as the solution of their equations: with A z = r,
//
//	A dz = dr - dA z,
//
// solved with the factors of A that the program has anyway.
func (f *Formulation) derivatives(of, by program.Quantity, wanted [][]int) *program.Derivatives {
	var rows []*expr.Expr
	switch of {
	case program.OutputQuantity:
		for _, o := range f.Outputs {
			rows = append(rows, o.Value)
		}
	default:
		for _, s := range f.States() {
			rows = append(rows, s.Rate)
		}
	}
	var columns []*expr.Expr
	switch by {
	case program.StateQuantity:
		for _, s := range f.States() {
			columns = append(columns, s.Symbol)
		}
	case program.InputQuantity:
		for _, u := range slices.Concat(f.Inputs, f.Controls) {
			columns = append(columns, u.Symbol)
		}
	case program.ParameterQuantity:
		for _, p := range f.Parameters {
			columns = append(columns, p.Symbol)
		}
	}
	result := &program.Derivatives{Rows: len(rows), Columns: len(columns), Partials: f.partials(wanted)}
	reach := f.Pool.NewReach(slices.Concat(columns, f.returnedSymbols())...)
	for j, x := range columns {
		d := reach.NewDerivative(x)
		f.setReturned(d, result.Partials, wanted)
		f.solved(d, x.Name())
		for i, r := range rows {
			if e := d.Of(r); !e.IsZero() {
				result.Entries = append(result.Entries, program.Entry{Row: i, Column: j, Value: e})
			}
		}
	}
	return result
}

// partials makes symbols for the derivatives of external functions.
func (f *Formulation) partials(wanted [][]int) [][]*expr.Expr {
	var list [][]*expr.Expr
	for i := range f.Calls {
		c := &f.Calls[i]
		var symbols []*expr.Expr
		for _, out := range c.Outputs {
			for _, in := range wanted[i] {
				symbols = append(symbols, f.Pool.Sym(fmt.Sprintf("d(%s)/d(%s) of %s", out, c.Inputs[in], c.Name), expr.Returned))
			}
		}
		list = append(list, symbols)
	}
	return list
}

// implicit returns the matrices A and R of the equations (A - c R) (k, l) = A (b, 0), whose solution k also solves
// (I - c df/dx) k = b; f is the rate of the states x. In the rows of speeds and constraints, A z = r are the equations
// of accelerations and reactions z, and R is the derivative of r - A z at constant z. In other rows A is one and R the
// derivative of f. The unknowns l are c times the change of the reactions.
//
// Brakes and tires with kinematic slip have forces that rise within a fraction of a step's change, and hardly change
// beyond. Their derivatives are replaced by slopes of secants through zero, which know of the rise from afar: steps
// keep their order, and dry friction comes to rest. The excess of a secant over the tangent counts overshoot times.
func (f *Formulation) implicit(wanted [][]int) *program.Derivatives {
	states, n, m := f.States(), len(f.Speeds), len(f.Constraints)
	_, general := f.equationsOfMotion.(*bordered)
	if f.withoutMass || general {
		n, m = 0, 0 // accelerations are explicit
	}
	size := len(states) + m
	result := &program.Derivatives{Rows: size, Columns: size, Partials: f.partials(wanted)}
	add := func(list *[]program.Entry, i, j int, e *expr.Expr) {
		if !e.IsZero() {
			*list = append(*list, program.Entry{Row: i, Column: j, Value: e})
		}
	}
	for i := range n {
		for k := range n {
			add(&result.Mass, i, k, f.Mass[i][k])
		}
	}
	for l := range m {
		for k, e := range f.Constraints[l].Row {
			add(&result.Mass, len(states)+l, k, e)
			add(&result.Mass, k, len(states)+l, e)
		}
		add(&result.Mass, len(states)+l, len(states)+l, f.Pool.Neg(f.slack(&f.Constraints[l])))
	}
	atoms := f.returnedSymbols()
	for _, x := range states {
		atoms = append(atoms, x.Symbol)
	}
	reach := f.Pool.NewReach(atoms...)
	for j, x := range states {
		d := reach.NewDerivative(x.Symbol)
		for _, s := range f.secants {
			d.Set(s.value, f.Pool.Mul(s.slope, d.Of(s.argument)))
		}
		f.setReturned(d, result.Partials, wanted)
		for _, s := range f.sliding {
			d.Set(s.Force, f.secantDerivative(s, d, result.Partials, wanted))
		}
		if general {
			f.solved(d, x.Name)
		} else {
			for i, e := range f.residualDerivative(d) {
				row := i
				if i >= n {
					row = len(states) + i - n
				}
				add(&result.Entries, row, j, e)
			}
		}
		for i := n; i < len(states); i++ {
			add(&result.Entries, i, j, d.Of(states[i].Rate))
		}
	}
	return result
}

// overshoot is about 2/gamma, gamma = 1 - 1/sqrt 2 of the linearly implicit method. With it, a step of any length takes
// a speed v under a constant friction to v (1 - 2/(gamma overshoot)), nearly 0. With the secant itself the speed
// would go to v (1 - 1/gamma) = -2.4 v, and back.
const overshoot = 7

// returnedSymbols lists the symbols of the results of calls.
func (f *Formulation) returnedSymbols() (list []*expr.Expr) {
	for i := range f.Calls {
		for _, x := range slices.Concat(f.Calls[i].Returned, []*expr.Expr{f.Calls[i].Load}) {
			if x != nil && x.Kind() == expr.Symbol {
				list = append(list, x)
			}
		}
	}
	return list
}

// solved continues it to accelerations and reactions, by their equations.
func (f *Formulation) solved(d *expr.Derivative, by string) {
	if f.withoutMass || f.explicit {
		return
	}
	name := func(i int) string { return f.unknown(i) + "_by_" + by }
	for k, e := range f.equationsOfMotion.solve(f, f.residualDerivative(d), name) {
		d.Set(f.Solution[k], e)
	}
}

// towards begins the derivative with respect to the symbol x.
func (f *Formulation) towards(x *expr.Expr) *expr.Derivative {
	return f.Pool.NewDerivative(x.Name(), map[*expr.Expr]*expr.Expr{x: f.Pool.Int(1)})
}

// setReturned continues it to returned values, by the chain rule.
func (f *Formulation) setReturned(d *expr.Derivative, partials [][]*expr.Expr, wanted [][]int) {
	p := f.Pool
	for i := range f.Calls {
		c := &f.Calls[i]
		for o, symbol := range c.Returned {
			var terms []*expr.Expr
			for a, k := range wanted[i] {
				if da := d.Of(c.Arguments[k]); !da.IsZero() {
					terms = append(terms, p.Mul(partials[i][o*len(wanted[i])+a], da))
				}
			}
			d.Set(symbol, f.define("d_"+symbol.Name(), p.Add(terms...)))
		}
		if c.Load != nil { // also of a function that knows better: its own slope is of no other size
			d.Set(c.Load, d.Of(c.Arguments[slices.Index(c.Inputs, program.Load)]))
		}
	}
}

// residualDerivative is the derivative of r - A z at constant z, where A z = r are the equations of
// accelerations and reactions.
func (f *Formulation) residualDerivative(d *expr.Derivative) (right []*expr.Expr) {
	if f.withoutMass || f.explicit {
		return nil
	}
	p := f.Pool
	n := len(f.Speeds)
	right = make([]*expr.Expr, n+len(f.Constraints))
	minus := p.Int(-1)
	var terms []*expr.Expr
	subtract := func(e, times *expr.Expr) {
		if de := d.Of(e); !de.IsZero() {
			terms = append(terms, p.Mul(minus, de, times))
		}
	}
	for i := range n {
		terms = append(terms[:0], d.Of(f.Load[i]))
		for k := range n {
			subtract(f.Mass[i][k], f.Solution[k])
		}
		for k := range f.Constraints {
			subtract(f.Constraints[k].Row[i], f.Solution[n+k])
		}
		right[i] = p.Add(terms...)
	}
	for i := range f.Constraints {
		c := &f.Constraints[i]
		right[n+i] = p.Neg(d.Of(c.Bias))
		if f.tree.Formulation == vehicle.UdwadiaKalaba {
			right[n+i] = p.Sub(right[n+i], d.Of(c.Stabilising))
		}
		for k := range n {
			right[n+i] = p.Sub(right[n+i], p.Mul(d.Of(c.Row[k]), f.Solution[k]))
		}
		right[n+i] = p.Add(right[n+i], p.Mul(d.Of(f.slack(c)), f.Solution[n+i]))
	}
	return right
}
