package formulate

import (
	"cmp"

	"skidpad/model"
	"skidpad/model/expr"
)

// equationsOfComponent adds inputs, outputs and states by formulas:
//
//	y = g(x, u),  x' = f(x, u, y)
func (f *Formulation) equationsOfComponent(c *model.Equations) {
	known := map[string]*expr.Expr{}
	parse := func(v model.EquationVariable) *expr.Expr {
		e, err := f.Pool.Parse(v.Formula, func(name string) *expr.Expr { return cmp.Or(known[name], f.parameterOf[name]) })
		if err != nil {
			f.reject(v.Pos, "%s.%s: %v", c.Name, v.Name, err)
			return f.Pool.Int(0)
		}
		return f.define(c.Name+"."+v.Name, e)
	}
	for _, v := range c.Inputs {
		known[v.Name] = f.input(c.Name+"."+v.Name, v.Unit, v.Text, v.Value.Value)
	}
	for _, v := range c.States {
		known[v.Name] = f.Pool.Sym(c.Name+"."+v.Name, expr.State)
	}
	for _, v := range c.Outputs {
		known[v.Name] = parse(v)
		f.publish(c.Name+"."+v.Name, v.Unit, v.Text, known[v.Name])
	}
	for _, v := range c.States {
		f.Internal = append(f.Internal, State{Name: c.Name + "." + v.Name, Unit: v.Unit, Text: v.Text, Symbol: known[v.Name], Rate: parse(v), start: v.Value})
	}
}
