package formula

// apply is an operation without derivatives.
func (a Number) apply(op operation) Number { return Number{of: a.of, v: a.of.one(op, a.v)} }

func (a Number) apply2(op operation, b Number) Number {
	return Number{of: a.of, v: a.of.two(op, a.v, b.v)}
}

// Sign is -1, 0 or 1, without derivatives.
func (a Number) Sign() Number {
	c := a.Constant
	return a.IsAbove(0).Choose(c(1), a.IsBelow(0).Choose(c(-1), c(0)))
}

// SignUp is the sign with sgn(0) = +1, without derivatives.
func (a Number) SignUp() Number { return a.IsBelow(0).Choose(a.Constant(-1), a.Constant(1)) }

// Abs has the slope 0 at 0, the mean of both sides.
func (a Number) Abs() Number { return chain(a, a.apply(opAbs), a.Sign) }

// Sqrt is the square root of a > 0.
func (a Number) Sqrt() Number {
	r := a.apply(opSqrt)
	g := a.of
	return combine(r.v, a, Number{}, func(da, _ node) node { return g.div(da, r.By(2).v) })
}

// Sin is the sine of a [rad].
func (a Number) Sin() Number {
	return chain(a, a.apply(opSin), func() Number { return a.apply(opCos) })
}

// Cos is the cosine of a [rad].
func (a Number) Cos() Number {
	return chain(a, a.apply(opCos), func() Number { return a.apply(opSin).Neg() })
}

// Tan is the tangent of a [rad].
func (a Number) Tan() Number {
	tan := a.apply(opTan)
	return chain(a, tan, func() Number { return tan.Squared().And(1) })
}

// Exp is e^a.
func (a Number) Exp() Number {
	e := a.apply(opExp)
	return chain(a, e, func() Number { return e })
}

// Atan is the arc tangent of a [rad].
func (a Number) Atan() Number {
	g := a.of
	below := a.Value().Squared().And(1)
	return combine(a.apply(opAtan).v, a, Number{}, func(da, _ node) node { return g.div(da, below.v) })
}

// Asin is the arc sine [rad] of a value, without derivatives.
func (a Number) Asin() Number { return a.apply(opAsin) }

// Copysign has the magnitude of a and the sign of b, without derivatives.
func (a Number) Copysign(b Number) Number { return a.apply2(opCopysign, b) }

// CosAtan is cos(arctan a) = 1/sqrt(1 + a^2).
func (a Number) CosAtan() Number {
	x := a.Value()
	w := x.Constant(1).Over(x.Squared().And(1).apply(opSqrt))
	return chain(a, w, func() Number { return w.Neg().Times(w).Times(w).Times(x) })
}

// Norm is sqrt(a^2 + b^2). Where both vanish its slope is zero.
func (a Number) Norm(b Number) Number {
	x, y, g := a.Value(), b.Value(), a.of
	norm := x.Squared().Plus(y.Squared()).apply(opSqrt)
	slope := norm.IsAbove(0).Choose(x.Constant(1).Over(norm), x.Constant(0))
	return combine(norm.v, a, b, func(da, db node) node {
		return g.mul(slope.v, g.sum(g.product(x.v, da), g.product(y.v, db)))
	})
}

// Length is the length of the vector with the components a and b. Its value is Norm; its slopes are the cosines of the
// direction, so that a component divided by the length has exactly no slope along the vector.
func (a Number) Length(b Number) Number {
	x, y, g := a.Value(), b.Value(), a.of
	length := x.Squared().Plus(y.Squared()).apply(opSqrt)
	moves, zero := length.IsAbove(0), x.Constant(0)
	cos, sin := moves.Choose(x.Over(length), zero), moves.Choose(y.Over(length), zero)
	return combine(length.v, a, b, func(da, db node) node { return g.sum(g.product(cos.v, da), g.product(sin.v, db)) })
}

// AtLeast is a, or low where a is below. Its derivatives are the ones of a, or of low.
func (a Number) AtLeast(low Number) Number {
	return a.apply2(opNotBelow, low).WithSlopes(a.Below(low).Choose(low, a))
}

// AtMost is a, or high where a is above.
func (a Number) AtMost(high Number) Number {
	return a.apply2(opNotAbove, high).WithSlopes(a.Above(high).Choose(high, a))
}

// Lesser is the smaller of two.
func (a Number) Lesser(b Number) Number { return a.AtMost(b) }

// Greater is the larger of two.
func (a Number) Greater(b Number) Number { return a.AtLeast(b) }

// AsMuchAs is a, or least where a is between least and 0 or on the other side of 0.
func (a Number) AsMuchAs(least Number) Number {
	return least.Value().IsBelow(0).Choose(a.AtMost(least), a.AtLeast(least))
}

// AwayFromZero is a divisor that is kept from zero by at least least, with its sign.
func (a Number) AwayFromZero(least Number) Number {
	x := a.Value()
	near := x.Abs().Below(least)
	return near.Choose(least.Copysign(x), x).WithSlopes(near.Without(a))
}

// WithSlopes is a with the derivatives of b.
func (a Number) WithSlopes(b Number) Number {
	a.slopes = b.slopes
	return a
}

// Bounded is an input between two numbers, which it is beyond them. Its derivatives go on there: see Derivatives.
func (a Number) Bounded(low, high Number) Number {
	return a.apply2(opNotAbove, high).apply2(opNotBelow, low).WithSlopes(a)
}

// Within is an input of at most a bound on either side of 0.
func (a Number) Within(bound float64) Number { return a.Bounded(a.Constant(-bound), a.Constant(bound)) }

// NotAbove is an input of at most a bound.
func (a Number) NotAbove(high Number) Number { return a.apply2(opNotAbove, high).WithSlopes(a) }
