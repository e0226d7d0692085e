package vehicle

import (
	"fmt"

	"skidpad/model/expr"
	"skidpad/model/keys"
)

// ValueOf returns the value of a number of the model, SI, with other values of its named parameters; parameters without
// an entry keep their values.
func (m *Model) ValueOf(s keys.Scalar, parameters map[string]float64) (float64, error) {
	if !s.Formula {
		return s.Value, nil
	}
	pool, values := expr.NewPool(), map[*expr.Expr]float64{}
	symbols := map[string]*expr.Expr{}
	for _, p := range m.Parameters {
		symbols[p.Name] = pool.Sym(p.Name, expr.Parameter)
		value, other := parameters[p.Name]
		if !other {
			value = p.Value.Value
		}
		values[symbols[p.Name]] = value
	}
	e, err := pool.Parse(s.Text, func(name string) *expr.Expr { return symbols[name] })
	if err != nil {
		return 0, fmt.Errorf("%s:%d:%d: %w", s.Pos.File, s.Pos.Line, s.Pos.Column, err)
	}
	return expr.NewEvaluator(values).Value(e), nil
}
