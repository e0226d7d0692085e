package expr

import (
	"math"

	"skidpad/tire/elementary"
)

// Fn is a function of one or two real arguments.
type Fn uint8

// The functions.
const (
	NoFn Fn = iota
	Sin
	Cos
	Tan
	Asin
	Atan
	Sqrt
	Exp
	Log
	Tanh
	Abs
	Sign   // -1, 0, 1
	Step   // 1 for x > 0, else 0
	Clamp  // x limited to [-1, 1]
	Lookup // in a Table, made by Pool.Look
	Atan2
	Max
	Min
	Where // where(c, x): x for c > 0, else 0, whatever x is there
)

var fnNames = [...]string{"", "sin", "cos", "tan", "asin", "atan", "sqrt", "exp", "ln", "tanh", "abs", "sign", "step",
	"clamp", "look-up", "atan2", "max", "min", "where"}

// String returns the usual name of the function.
func (f Fn) String() string { return fnNames[f] }

// Apply evaluates the function; b is used by functions of two arguments only.
func (f Fn) Apply(a, b float64) float64 {
	switch f {
	case Sin:
		return elementary.Sin(a)
	case Cos:
		return elementary.Cos(a)
	case Tan:
		return elementary.Tan(a)
	case Asin:
		return elementary.Asin(a)
	case Atan:
		return elementary.Atan(a)
	case Sqrt:
		return math.Sqrt(a)
	case Exp:
		return elementary.Exp(a)
	case Log:
		return elementary.Log(a)
	case Tanh:
		return elementary.Tanh(a)
	case Abs:
		return math.Abs(a)
	case Sign:
		switch {
		case a > 0:
			return 1
		case a < 0:
			return -1
		}
		return 0
	case Step:
		if a > 0 {
			return 1
		}
		return 0
	case Clamp:
		return max(-1, min(1, a))
	case Atan2:
		return math.Atan2(a, b)
	case Max:
		return max(a, b)
	case Min:
		return min(a, b)
	case Where:
		if a > 0 {
			return b
		}
		return 0
	}
	panic("expr: no such function")
}

// Call returns f applied to its arguments, simplified: constants with an exact
// result, parity, and inverse functions undone.
func (p *Pool) Call(f Fn, args ...*Expr) *Expr {
	if len(args) == 1 {
		if e := p.unary(f, args[0]); e != nil {
			return e
		}
	} else if e := p.binary(f, args[0], args[1]); e != nil {
		return e
	}
	return p.intern(&Expr{kind: Call, fn: f, args: args})
}

// unary returns a simpler equal of f(a), or nil.
func (p *Pool) unary(f Fn, a *Expr) *Expr {
	if a.kind == Number {
		if e := p.exact(f, a.number); e != nil {
			return e
		}
	}
	if c, body := p.Content(a); c.Sign() < 0 && f != Step {
		positive := p.Scale(c.Neg(), body)
		switch f {
		case Cos, Abs:
			return p.Call(f, positive)
		case Sin, Tan, Asin, Atan, Tanh, Sign, Clamp:
			return p.Neg(p.Call(f, positive))
		}
	}
	inner := a
	if inner.kind == Definition {
		inner = inner.args[0]
	}
	if inner.kind != Call {
		return nil
	}
	x := inner.args[0]
	switch {
	case f == Sin && inner.fn == Asin, f == Tan && inner.fn == Atan:
		return x
	case f == Cos && inner.fn == Asin: // |asin| <= pi/2
		return p.Call(Sqrt, p.Sub(p.one, p.Pow(x, 2)))
	case f == Abs && (inner.fn == Sqrt || inner.fn == Abs):
		return a
	}
	return nil
}

// binary returns a simpler equal of f(a, b), or nil.
func (p *Pool) binary(f Fn, a, b *Expr) *Expr {
	switch {
	case (f == Max || f == Min) && a == b:
		return a
	case f == Where && (b.IsZero() || a.kind == Number && a.number.Sign() <= 0):
		return p.zero
	case f == Where && a.kind == Number:
		return b
	}
	return nil
}

// Select returns a where c > 0, else b. The other one has no influence, even if it is not a number.
func (p *Pool) Select(c, a, b *Expr) *Expr {
	c = p.Truth(c)
	return p.Add(p.Call(Where, c, a), p.Call(Where, p.Sub(p.one, c), b))
}

// Equal returns 1 where a and b are equal, else 0.
func (p *Pool) Equal(a, b *Expr) *Expr { return p.Sub(p.one, p.Call(Step, p.Call(Abs, p.Sub(a, b)))) }

// Truth returns 1 where c > 0, else 0: c itself if it has no other values.
func (p *Pool) Truth(c *Expr) *Expr {
	if p.isTruth(c) {
		return c
	}
	return p.Call(Step, c)
}

// isTruth reports whether an expression is recognised to be 0 or 1 everywhere: a step, a product of such expressions,
// the largest or smallest of them, and 1 less one of them.
func (p *Pool) isTruth(e *Expr) bool {
	every := func() bool {
		for _, a := range e.args {
			if !p.isTruth(a) {
				return false
			}
		}
		return true
	}
	switch e.kind {
	case Number:
		return e.number.IsZero() || e.number.IsOne()
	case Definition:
		return e.number.IsOne() && p.isTruth(e.args[0])
	case Call:
		return e.fn == Step || (e.fn == Max || e.fn == Min) && every()
	case Product:
		return every()
	case Sum:
		return len(e.args) == 1 && e.number.IsOne() && e.coefs[0].Neg().IsOne() && p.isTruth(e.args[0])
	}
	return false
}

// exact returns f(r) when the result is rational, else nil.
func (p *Pool) exact(f Fn, r Rational) *Expr {
	switch f {
	case Sin, Tan, Asin, Atan, Tanh:
		if r.IsZero() {
			return p.zero
		}
	case Cos, Exp:
		if r.IsZero() {
			return p.one
		}
	case Log:
		if r.IsOne() {
			return p.zero
		}
	case Abs:
		if r.Sign() < 0 {
			r = r.Neg()
		}
		return p.Num(r)
	case Sign:
		return p.Int(int64(r.Sign()))
	case Step:
		return p.Int(int64(max(r.Sign(), 0)))
	case Clamp:
		if one := Integer(int64(r.Sign())); r.Add(one.Neg()).Sign() == r.Sign() {
			r = one
		}
		return p.Num(r)
	case Sqrt:
		if r.Sign() >= 0 {
			root := math.Sqrt(r.Float())
			if n := Integer(int64(root)); root < 1<<30 && n.Mul(n).Equal(r) {
				return p.Num(n)
			}
		}
	}
	return nil
}

// Table is a function of one argument that is constant except for jumps: its derivative is 0.
type Table interface {
	At(x float64) float64
	String() string // its name in formulas
}

// Look returns the value of a table for x. A table is identified by its address.
func (p *Pool) Look(t Table, x *Expr) *Expr {
	if x.kind == Number {
		return p.Num(FromFloat(t.At(x.number.Float())))
	}
	return p.intern(&Expr{kind: Call, fn: Lookup, table: t, args: []*Expr{x}})
}

// Of applies a function of one argument.
func (f Fn) Of(a float64) float64 { return f.Apply(a, 0) }
