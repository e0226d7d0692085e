package program

import (
	"fmt"

	"skidpad/model/expr"
)

// Bounds lists the formulas over parameters that have bounds, in the order of the values of Bounded.
func (p *Program) Bounds() []Bound { return p.source.Bounds }

// CheckBounds returns an error for formulas whose values violate their bounds. The parameters are in the program's
// order.
func (p *Program) CheckBounds(parameters []float64) error {
	if len(p.source.Bounds) == 0 {
		return nil
	}
	values := map[*expr.Expr]float64{}
	for i, x := range p.source.Parameters {
		values[x.Symbol] = parameters[i]
	}
	evaluator := expr.NewEvaluator(values)
	for _, b := range p.source.Bounds {
		value, must := evaluator.Value(b.Value), ""
		switch {
		case b.Positive && !(value > 0):
			must = "be above 0"
		case b.Nonnegative && !(value >= 0):
			must = "not be negative"
		case b.AtMostOne && !(value <= 1):
			must = "not be above 1"
		default:
			continue
		}
		return fmt.Errorf("%s = %s is %.6g; it must %s: correct the parameters of the formula", b.Name,
			b.Text, value, must)
	}
	return nil
}
