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
		f.setReturned(d, result.Partials, wanted, allSlopes)
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

// allSlopes knows the slopes of functions by all inputs.
func allSlopes(call, input int) bool { return true }

// setReturned continues it to returned values, by the chain rule with the known slopes.
func (f *Formulation) setReturned(d *expr.Derivative, partials [][]*expr.Expr, wanted [][]int,
	known func(call, input int) bool,
) {
	p := f.Pool
	for i := range f.Calls {
		c := &f.Calls[i]
		for o, symbol := range c.Returned {
			var terms []*expr.Expr
			for a, k := range wanted[i] {
				if !known(i, k) {
					continue
				}
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
