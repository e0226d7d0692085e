package harness

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

// observed is a law with the variables of a vehicle that it reads. The name time is the time.
type observed struct {
	law        *Law
	references []uint32
	read, all  []float64
}

// observe finds what a law reads.
func observe(s Subject, l *Law) (o observed, err error) {
	o = observed{law: l, all: make([]float64, len(l.Reads))}
	var names []string
	for _, name := range l.Reads {
		if name != "time" {
			names = append(names, name)
		}
	}
	o.read = make([]float64, len(names))
	o.references, err = s.References(names...)
	return o, err
}

// at evaluates the law; t is what it takes for the time [s].
func (o *observed) at(s Subject, t float64) (float64, error) {
	if err := s.Get(o.references, o.read); err != nil {
		return 0, err
	}
	k := 0
	for i, name := range o.law.Reads {
		if o.all[i] = t; name != "time" {
			o.all[i] = o.read[k]
			k++
		}
	}
	return o.law.Value(o.all), nil
}
