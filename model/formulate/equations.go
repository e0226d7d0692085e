package formulate

import (
	"cmp"

	"skidpad/model"
	"skidpad/model/expr"
)

type equations struct{ *model.Equations }

// Law adds inputs, outputs and states by formulas:
//
//	y = g(x, u),  x' = f(x, u, y)
func (c equations) Law(b Builder) {
	p := b.Pool()
	known := map[string]*expr.Expr{}
	parse := func(v model.EquationVariable) *expr.Expr {
		e, err := p.Parse(v.Formula, func(name string) *expr.Expr { return cmp.Or(known[name], b.Named(name)) })
		if err != nil {
			b.Reject(v.Pos, "%s.%s: %v", c.Name, v.Name, err)
			return p.Int(0)
		}
		return p.Define(c.Name+"."+v.Name, e)
	}
	for _, v := range c.Inputs {
		known[v.Name] = b.Input(v.Name, v.Unit, v.Text, v.Value.Value)
	}
	for _, v := range c.States {
		known[v.Name] = p.Sym(c.Name+"."+v.Name, expr.State)
	}
	for _, v := range c.Outputs {
		known[v.Name] = parse(v)
		b.Publish(v.Name, v.Unit, v.Text, known[v.Name])
	}
	for _, v := range c.States {
		b.State(OwnState{Key: v.Name, Unit: v.Unit, Text: v.Text, Symbol: known[v.Name], Rate: parse(v), Start: v.Value})
	}
}
