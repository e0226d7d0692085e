package formulate

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/tire"
)

// Call makes an external call and returns the symbols bound to its values.
func (b *bound) Call(c component.ExternalCall) (map[string]*expr.Expr, bool) {
	name, fn := b.head.Name, &c.Function
	kind, err := tire.Lookup(fn.Name)
	if err != nil {
		b.Reject(b.head.Pos, "tire %s: %v", name, err)
		return nil, false
	}
	offered, outputs, asked := c.Offered, c.Binds, kind.Inputs
	switch {
	case c.Inside:
		offered, outputs, asked = nil, nil, nil
	case c.Carcass != nil:
		var relaxation *tire.Kind
		if c.Carcass.Relaxation != "" {
			if relaxation, err = tire.Lookup(c.Carcass.Relaxation); err != nil {
				b.Reject(b.head.Pos, "tire %s: %v", name, err)
				return nil, false
			}
		}
		outputs = tire.CarcassOutputs(kind, c.Carcass.Turn)
		asked = tire.CarcassInputs(kind, relaxation)
	}
	call := Call{
		Name: name + "." + c.Role, Function: fn.Name, Inputs: offered, Outputs: outputs, File: fn.File, Side: fn.Side,
		Downgrade: fn.Downgrade, Combined: fn.Combined, Radius: fn.Radius, Sizes: fn.Sizes,
		Parameters: fn.Parameters, Warnings: fn.Warnings, Pose: c.Pose,
		Returns: c.Binds, Carcass: c.Carcass, Inside: c.Inside,
	}
	if c.Borrows {
		call.Asked = kind.Inputs
	}
	for _, input := range asked {
		if c.Values[input] == nil || !slices.Contains(offered, input) {
			b.Reject(b.head.Pos, "tire %s: function %s asks for %q, which is not to be had here; there are %s",
				name, fn.Name, input, strings.Join(offered, " "))
			return nil, false
		}
	}
	for _, input := range offered {
		call.Arguments = append(call.Arguments, c.Values[input])
	}
	returned := map[string]*expr.Expr{}
	for _, output := range outputs {
		s := b.f.Pool.Sym(nameOf(output, name), expr.Returned)
		call.Returned = append(call.Returned, s)
		returned[output] = s
	}
	if c.Pose != nil {
		call.Load = b.f.Pool.Sym(nameOf("Fz_acting", name), expr.Returned)
		returned["Fz"] = call.Load
	}
	b.f.Calls = append(b.f.Calls, call)
	return returned, true
}

// intermediate names a row of the table. With a simplification pass on
// intermediates, across variables are first substituted in terms of the states,
// as in the source; other intermediates stay names (linear-graph specification,
// section 9, computational sequences).
func (f *Formulation) intermediate(name string, e *expr.Expr) *expr.Expr {
	if f.options.Intermediates > Unchanged {
		e = f.pass(f.options.Intermediates, f.substituteAcross(e))
	}
	e = f.define(name, e)
	_, body := f.Pool.Content(e)
	f.rows[body] = true
	return e
}

func (f *Formulation) substituteAcross(e *expr.Expr) *expr.Expr {
	return f.Pool.Map(e, func(x *expr.Expr) *expr.Expr {
		if x.Kind() != expr.Definition || f.rows[x] || x.Constant() {
			return nil
		}
		return f.substituteAcross(x.Args()[0])
	})
}

// slidingForce is a force of a tire with kinematic slip, and its call.
type slidingForce struct {
	call int
	component.Sliding
}

// leastSlip is the inverse of the smallest slip by which a secant divides its force.
const leastSlip = 50 // 1/slip

// secantDerivative is the derivative of a sliding force for implicit steps. It has the secant by the force's own slip,
// where the secant is steeper than the tangent, and 0 by the other slip. (See implicit.)
func (f *Formulation) secantDerivative(
	s slidingForce, d *expr.Derivative, partials [][]*expr.Expr, wanted [][]int,
) *expr.Expr {
	p, c := f.Pool, &f.Calls[s.call]
	result := d.Of(s.Force)
	for a, k := range wanted[s.call] {
		tangent := partials[s.call][slices.Index(c.Outputs, s.Output)*len(wanted[s.call])+a]
		switch c.Inputs[k] {
		case s.Inputs[0]:
			magnitude := p.Call(expr.Max, p.Call(expr.Abs, s.Slips[0]), p.Num(expr.Fraction(1, leastSlip)))
			secant := f.define("secant_"+s.Force.Name(), p.Div(p.Call(expr.Abs, s.Force), magnitude))
			excess := p.Sub(secant, p.Scale(expr.Integer(s.Sign), tangent))
			missing := f.define("missing_"+s.Force.Name(), p.Call(expr.Max, p.Int(0), excess))
			result = p.Add(result, p.Scale(expr.Integer(overshoot*s.Sign), p.Mul(missing, d.Of(s.Slips[0]))))
		case s.Inputs[1]:
			result = p.Sub(result, p.Mul(tangent, d.Of(s.Slips[1])))
		}
	}
	return result
}
