package expr

import "math"

// Evaluator computes values of expressions for given values of symbols. It is
// the plain, slow meaning of an expression, against which programs are checked.
type Evaluator struct {
	values map[*Expr]float64
}

// NewEvaluator returns an evaluator with given values of the keys.
func NewEvaluator(values map[*Expr]float64) *Evaluator {
	v := make(map[*Expr]float64, 2*len(values))
	for e, x := range values {
		v[e] = x
	}
	return &Evaluator{v}
}

// Value returns the value of e; NaN when a symbol has none.
func (v *Evaluator) Value(e *Expr) float64 {
	if x, ok := v.values[e]; ok {
		return x
	}
	x := math.NaN()
	switch e.kind {
	case Number:
		x = e.number.Float()
	case Definition:
		x = v.Value(e.args[0])
	case Sum:
		x = e.number.Float()
		for i, a := range e.args {
			x += e.coefs[i].Float() * v.Value(a)
		}
	case Product:
		x = 1
		for i, b := range e.args {
			x *= math.Pow(v.Value(b), float64(e.powers[i]))
		}
	case Call:
		if e.fn == Lookup {
			x = e.table.At(v.Value(e.args[0]))
			break
		}
		b := 0.0
		if len(e.args) == 2 {
			b = v.Value(e.args[1])
		}
		x = e.fn.Apply(v.Value(e.args[0]), b)
	}
	v.values[e] = x
	return x
}
