package equations

import (
	"slices"

	"skidpad/model/expr"
)

// Operations are additions, multiplications, divisions and functions, counted by the rules of Morency (2007), section
// 4.5. What depends on parameters only is a number, as in the source, and costs nothing. Of expressions that are
// written out completely there can be more than integers hold.
type Operations [4]float64

const (
	additions = iota
	multiplications
	divisions
	functions
)

func (c *Operations) add(d Operations) {
	for i, n := range d {
		c[i] += n
	}
}

// Total is the number of all operations.
func (c Operations) Total() float64 { return c[0] + c[1] + c[2] + c[3] }

// own are the operations of the node of an expression alone.
func own(e *expr.Expr) Operations {
	var c Operations
	if e.Constant() {
		return c
	}
	switch e.Kind() {
	case expr.Sum:
		terms, constant := 0.0, !e.Value().IsZero()
		for i, a := range e.Args() {
			if a.Constant() {
				constant = true
				continue
			}
			terms++
			if k := e.Coefficients()[i]; !k.IsOne() && !k.Neg().IsOne() && !hasConstantFactor(a) {
				c[multiplications]++
			}
		}
		if constant {
			terms++
		}
		c[additions] = terms - 1
	case expr.Product:
		above, below := 0.0, 0.0
		constant := false
		for i, a := range e.Args() {
			n := float64(e.Powers()[i])
			switch {
			case a.Constant():
				constant = true
			case n > 0:
				above += n
			default:
				below -= n
			}
		}
		if constant {
			above++
		}
		c[multiplications] = max(above-1, 0) + max(below-1, 0)
		if below > 0 {
			c[divisions] = 1
		}
	case expr.Call:
		c[functions] = 1
	}
	return c
}

// hasConstantFactor reports whether a coefficient makes no further multiplication, because there is a number already.
func hasConstantFactor(e *expr.Expr) bool {
	return e.Kind() == expr.Product && slices.ContainsFunc(e.Args(), (*expr.Expr).Constant)
}

// count fills in the costs of rows; each row can use the names of the rows above.
func count(rows []Intermediate) {
	counted := map[*expr.Expr]bool{}       // for Added
	written := map[*expr.Expr]Operations{} // for Complete: what the names stand for
	names := map[*expr.Expr]Operations{}   // for Sequence: names cost nothing
	for i := range rows {
		row := &rows[i]
		for k, e := range row.bodies {
			written[row.names[k]] = outright(e, written)
			row.Complete.add(written[row.names[k]])
			row.Sequence.add(outright(e, names))
			added(e, counted, &row.Added)
		}
	}
}

// outright is the cost of an expression that is written out, each of its parts as often as it occurs. It is found on
// the shared graph, without writing; known are the costs of parts.
func outright(e *expr.Expr, known map[*expr.Expr]Operations) Operations {
	if c, is := known[e]; is {
		return c
	}
	c := own(e)
	for _, a := range e.Args() {
		c.add(outright(a, known))
	}
	known[e] = c
	return c
}

// added adds the cost of the parts of an expression that have not been counted yet.
func added(e *expr.Expr, counted map[*expr.Expr]bool, sum *Operations) {
	if counted[e] {
		return
	}
	counted[e] = true
	sum.add(own(e))
	for _, a := range e.Args() {
		added(a, counted, sum)
	}
}
