package signal

import (
	"maps"
	"slices"

	"skidpad/model/expr"
)

// Law is a formula over names and constants.
type Law struct {
	Reads []string // the names, in the order of Value

	symbols   []*expr.Expr // of Reads
	constants map[*expr.Expr]float64
	formula   *expr.Expr
}

// ParseLaw reads a formula. Names that are no constants are what it reads.
func ParseLaw(text string, constants map[string]float64) (*Law, error) {
	pool := expr.NewPool()
	l := &Law{constants: map[*expr.Expr]float64{}}
	var err error
	l.formula, err = pool.Parse(text, func(name string) *expr.Expr {
		symbol := pool.Sym(name, expr.Input)
		if x, constant := constants[name]; constant {
			l.constants[symbol] = x
		} else if !slices.Contains(l.Reads, name) {
			l.Reads, l.symbols = append(l.Reads, name), append(l.symbols, symbol)
		}
		return symbol
	})
	return l, err
}

// Value is the formula's for the values of what it reads.
func (l *Law) Value(read []float64) float64 {
	values := maps.Clone(l.constants)
	for i, symbol := range l.symbols {
		values[symbol] = read[i]
	}
	return expr.NewEvaluator(values).Value(l.formula)
}
