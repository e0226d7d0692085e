package formula

import "math"

// MFCurvature is the argument of the Magic Formula's outer arctan, a - E (a - arctan a), E <= 1.
func (a Number) MFCurvature(e Number) Number {
	e = e.LimitedTo1()
	x, curve, g := a.Value(), e.Value(), a.of
	c := x.Constant
	lag := x.Minus(x.Atan())
	slope := c(1).Minus(curve).Plus(curve.Over(x.Squared().And(1)))
	return combine(x.Minus(curve.Times(lag)).v, a, e, func(da, de node) node {
		return g.difference(g.product(slope.v, da), g.product(lag.v, de))
	})
}

// LimitedTo1 limits a value to 1, where its derivative vanishes.
func (a Number) LimitedTo1() Number { return a.IsBelow(1).Choose(a, a.Constant(1)) }

// Together is sgn(a) sqrt(a^2 + slip^2). Where both vanish its slopes are zero.
func (a Number) Together(slip Number) Number {
	x, y, g := a.Value(), slip.Value(), a.of
	root := x.Squared().Plus(y.Squared()).apply(opSqrt)
	slope := root.IsAbove(0).Choose(x.SignUp().Over(root), x.Constant(0))
	return combine(x.SignUp().Times(root).v, a, slip, func(da, db node) node {
		return g.mul(slope.v, g.sum(g.product(x.v, da), g.product(y.v, db)))
	})
}

// InverseSqrt1p is 1/sqrt(1 + a), a >= 0.
func (a Number) InverseSqrt1p() Number {
	x := a.Value()
	w := x.Constant(1).Over(x.And(1).apply(opSqrt))
	return chain(a, w, func() Number { return w.By(-0.5).Times(w).Times(w) })
}

// SquaredSumWithRoot is (|a| + c sqrt|a|)^2, whose slope at 0 is finite on either side.
func (a Number) SquaredSumWithRoot(c Number) Number {
	r := a.Value().Abs()
	root := r.apply(opSqrt)
	value := r.Times(r.Plus(c.Times(root.By(2).Plus(c))))
	return chain(a, value, func() Number {
		return a.Sign().Times(r.By(2).Plus(c.Times(root.By(3).Plus(c))))
	}).alsoBy(value)
}

// SmoothSign is the sign of a with two continuous derivatives: a (15 - 10 a^2 + 3 a^4)/8 from -1 to 1.
func (a Number) SmoothSign() Number {
	x := a.Value().Within(1)
	s := x.Squared()
	slope := x.Constant(1).Minus(s)
	return chain(a, x.Times(s.Times(s.By(3).And(-10)).And(15)).Over(x.Constant(8)), func() Number {
		return slope.By(1.875).Times(slope)
	})
}

// NormalisedArccos is (2/pi) arccos a, with a limited to 1, from where on it does not change.
func (a Number) NormalisedArccos() Number {
	x, c := a.Value().Within(1), a.Constant
	slope := a.Value().Abs().IsBelow(1)
	return chain(a, c(1).Minus(x.Asin().By(2/math.Pi)), func() Number {
		return slope.Choose(c(1).Over(c(1).Minus(x.Squared()).apply(opSqrt)), c(0)).By(-2 / math.Pi)
	})
}

// Power is a^q, a from 0 to 100, and proportional to a below feather. The logarithm is 16 times that of the 16th root,
// which is 2 artanh((r - 1)/(r + 1)).
func (a Number) Power(q Number, feather float64) Number {
	x, c := a.Value().AtLeast(a.Constant(feather)), a.Constant
	r := x
	for range 4 {
		r = r.apply(opSqrt)
	}
	w := r.Minus(c(1)).Over(r.And(1))
	z := w.Squared()
	series := z.Over(c(19))
	for n := 17; n >= 3; n -= 2 {
		series = z.Times(series.And(1 / float64(n)))
	}
	p := q.By(32).Times(w).Times(series.And(1)).Exp()
	small := a.IsBelow(feather)
	value := small.Choose(p.Times(a.Value()).Over(c(feather)), p)
	return chain(a, value, func() Number {
		return small.Choose(p.Over(c(feather)), q.Times(p).Over(x))
	}).alsoBy(value)
}

// Digressive is decay a/(1 + (decay - 1) a).
func (a Number) Digressive(decay float64) Number {
	x := a.Value()
	q := x.By(decay - 1).And(1)
	return chain(a, x.By(decay).Over(q), func() Number { return x.Constant(decay).Over(q.Squared()) })
}

// Hermite is a^2 (3 - 2a) from 0 to 1, 0 below and 1 above.
func (a Number) Hermite() Number {
	x, c := a.Value(), a.Constant
	inside := x.IsAbove(0).And(x.IsBelow(1))
	value := inside.Choose(x.Squared().Times(c(3).Minus(x.By(2))), x.IsBelow(1).Choose(c(0), c(1)))
	return chain(a, value, func() Number { return inside.Choose(x.By(6).Times(c(1).Minus(x)), c(0)) })
}

// MasterShare is phi(a)/a of the master curve phi = a - a^2/3 + a^3/27, which is 1 from 3 on.
func (a Number) MasterShare() Number {
	c := a.Constant
	return a.IsBelow(3).Choose(a.Square(c(1), c(-1./3), c(1./27)), c(1).Over(a))
}

// InverseShare is s(f)/f of the inverse 3 (1 - cbrt(1 - f)) of the master curve, for its values up to where its slope
// is small.
func (a Number) InverseShare() Number {
	c := a.Constant
	x := c(1).Minus(a.Value()).cubeRoot()
	below := c(1).Plus(x).Plus(x.Squared())
	return chain(a, c(3).Over(below), func() Number { // d cbrt(1 - f) = -df/(3 x^2)
		return x.By(2).And(1).Over(x.Squared().Times(below).Times(below))
	})
}

// cubeRoot is the cube root of a number from 0.008 to 1: an approximation within 2 %, then two steps of Halley's
// method. A step leaves two thirds of the cube of the relative error.
func (a Number) cubeRoot() Number {
	x := a.By(6.3449496).And(9.53073244).Times(a).And(0.15151646).Over(a.By(14.7010881).And(1))
	for range 2 {
		cube := x.Times(x).Times(x)
		x = x.Times(cube.Plus(a.By(2))).Over(cube.By(2).Plus(a))
	}
	return x
}
