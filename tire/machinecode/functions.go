package machinecode

import (
	"math"

	"skidpad/tire/elementary"
)

// The elementary functions as operations, in the order of package elementary.

func (b *Builder) reduce(x Value) (r, quadrant Value) {
	b.Guard(b.NotLess(b.Abs(x), b.Const(elementary.Widest)))
	t := b.Add(b.Mul(x, b.Const(elementary.TwoOverPi)), b.Const(elementary.ToInteger))
	n := b.Sub(t, b.Const(elementary.ToInteger))
	r = b.Sub(b.Sub(b.Sub(x, b.Mul(n, b.Const(elementary.HalfPi1))), b.Mul(n, b.Const(elementary.HalfPi2))),
		b.Mul(n, b.Const(elementary.HalfPi3)))
	return r, t
}

// line is p + z q.
func (b *Builder) line(p, z, q Value) Value { return b.Add(p, b.Mul(z, q)) }

// pair is p + z q.
func (b *Builder) pair(p float64, z Value, q float64) Value {
	return b.line(b.Const(p), z, b.Const(q))
}

// horner evaluates a polynomial that begins with p, for the coefficients from the last one on.
func (b *Builder) horner(z, p Value, coefficients ...float64) Value {
	for _, c := range coefficients {
		p = b.Add(b.Mul(z, p), b.Const(c))
	}
	return p
}

func (b *Builder) sinReduced(r Value) Value {
	z := b.Mul(r, r)
	z2 := b.Mul(z, z)
	p := b.line(b.pair(elementary.Sin1, z, elementary.Sin2), z2, b.line(b.pair(elementary.Sin3, z, elementary.Sin4), z2,
		b.Const(elementary.Sin5)))
	return b.line(r, b.Mul(z, r), b.line(b.Const(elementary.Sin0), z, p))
}

func (b *Builder) cosReduced(r Value) Value {
	z := b.Mul(r, r)
	z2 := b.Mul(z, z)
	p := b.line(b.line(b.pair(elementary.Cos0, z, elementary.Cos1), z2, b.pair(elementary.Cos2, z, elementary.Cos3)),
		b.Mul(z2, z2), b.pair(elementary.Cos4, z, elementary.Cos5))
	half := b.Mul(z, b.Const(0.5))
	w := b.Sub(b.Const(1), half)
	return b.Add(w, b.line(b.Sub(b.Sub(b.Const(1), w), half), z2, p))
}

func (b *Builder) signBit() Value { return b.Const(math.Copysign(0, -1)) }

// Sin is elementary.Sin; arguments that are too large for it are guarded against.
func (b *Builder) Sin(x Value) Value {
	r, t := b.reduce(x)
	s := b.Select(b.shiftLeft(t, 63), b.cosReduced(r), b.sinReduced(r))
	return b.xor(s, b.And(b.shiftLeft(t, 62), b.signBit()))
}

// Cos is elementary.Cos, guarded like Sin.
func (b *Builder) Cos(x Value) Value {
	r, t := b.reduce(x)
	c := b.Select(b.shiftLeft(t, 63), b.sinReduced(r), b.cosReduced(r))
	return b.xor(c, b.And(b.xor(b.shiftLeft(t, 62), b.shiftLeft(t, 63)), b.signBit()))
}

// Sincos is elementary.Sincos, guarded like Sin.
func (b *Builder) Sincos(x Value) (sin, cos Value) { return b.Sin(x), b.Cos(x) }

// Tan is elementary.Tan, guarded like Sin.
func (b *Builder) Tan(x Value) Value {
	r, t := b.reduce(x)
	odd, s, c := b.shiftLeft(t, 63), b.sinReduced(r), b.cosReduced(r)
	return b.xor(b.Div(b.Select(odd, c, s), b.Select(odd, s, c)), odd)
}

// Exp is elementary.Exp; arguments that are too large for it are guarded against.
func (b *Builder) Exp(x Value) Value {
	b.Guard(b.NotLess(b.Abs(x), b.Const(elementary.Highest)))
	power, growth := b.expReduced(x)
	return b.Mul(b.Add(b.Const(1), growth), power)
}

func (b *Builder) expReduced(x Value) (power, growth Value) {
	t := b.Add(b.Mul(x, b.Const(math.Log2E)), b.Const(elementary.ToExponent))
	n := b.Sub(t, b.Const(elementary.ToExponent))
	high, low := b.Sub(x, b.Mul(n, b.Const(elementary.Ln2High))), b.Mul(n, b.Const(elementary.Ln2Low))
	r := b.Sub(high, low)
	z := b.Mul(r, r)
	p := b.horner(z, b.Const(elementary.Exp4), elementary.Exp3, elementary.Exp2, elementary.Exp1, elementary.Exp0)
	c := b.Sub(r, b.Mul(z, p))
	return b.shiftLeft(t, 52), b.Sub(high, b.Sub(low, b.Div(b.Mul(r, c), b.Sub(b.Const(2), c))))
}

// Log is elementary.Log; arguments that are not positive and finite are guarded against, and those below the smallest
// normal number.
func (b *Builder) Log(x Value) Value {
	b.Guard(b.NotLess(b.Const(elementary.BelowNormal), x))
	b.Guard(b.NotLess(x, b.Const(math.Inf(1))))
	exponent := b.Or(b.shiftRight(x, 52), b.Const(elementary.Integers))
	m := b.Or(b.AndNot(b.Const(math.Float64frombits(^elementary.Mantissa)), x), b.Const(1))
	large := b.Less(b.Const(math.Sqrt2), m)
	n := b.Add(b.Sub(exponent, b.Const(elementary.Integers+1023)), b.And(large, b.Const(1)))
	f := b.Sub(b.Select(large, b.Mul(m, b.Const(0.5)), m), b.Const(1))
	s := b.Div(f, b.Add(b.Const(2), f))
	z := b.Mul(s, s)
	w := b.Mul(z, z)
	even := b.Mul(w, b.horner(w, b.Const(elementary.Log5), elementary.Log3, elementary.Log1))
	odd := b.Mul(z, b.horner(w, b.Const(elementary.Log6), elementary.Log4, elementary.Log2, elementary.Log0))
	half := b.Mul(b.Mul(b.Const(0.5), f), f)
	inner := b.line(b.Mul(s, b.Add(half, b.Add(even, odd))), n, b.Const(elementary.Ln2Low))
	return b.Sub(b.Mul(n, b.Const(elementary.Ln2High)), b.Sub(b.Sub(half, inner), f))
}

// Tanh is elementary.Tanh.
func (b *Builder) Tanh(x Value) Value {
	power, growth := b.expReduced(b.Mul(b.Const(2), b.Min(b.Abs(x), b.Const(elementary.Steepest))))
	m := b.line(b.Sub(power, b.Const(1)), power, growth)
	return b.Copysign(b.Div(m, b.Add(m, b.Const(2))), x)
}

// Atan is elementary.Atan.
func (b *Builder) Atan(x Value) Value {
	a := b.Abs(x)
	reached := func(from float64) Value { return b.Less(b.Const(math.Nextafter(from, 0)), a) }
	half, one, threeHalves, infinite := reached(elementary.ToHalf), reached(elementary.ToOne),
		reached(elementary.ToThreeHalves), reached(elementary.ToInfinity)
	choose := func(atZero, atHalf, atOne, atThreeHalves, atInfinity float64) Value {
		near := b.Select(one, b.Const(atOne), b.Select(half, b.Const(atHalf), b.Const(atZero)))
		return b.Select(infinite, b.Const(atInfinity), b.Select(threeHalves, b.Const(atThreeHalves), near))
	}
	c := choose(0, 0.5, 1, 1.5, 0)
	above := b.Select(infinite, b.Const(-1), b.Sub(a, c))
	below := b.Select(infinite, a, b.line(b.Const(1), c, a))
	high := choose(0, elementary.AtanHalf, elementary.AtanOne, elementary.AtanThreeHalves, elementary.AtanInfinity)
	low := choose(0, elementary.AtanHalfLow, elementary.AtanOneLow, elementary.AtanThreeHalvesLow,
		elementary.AtanInfinityLow)
	w := b.Div(above, below)
	z := b.Mul(w, w)
	z2 := b.Mul(z, z)
	z4 := b.Mul(z2, z2)
	p := b.line(b.pair(elementary.Atan0, z, elementary.Atan1), z2, b.pair(elementary.Atan2, z, elementary.Atan3))
	q := b.line(b.pair(elementary.Atan4, z, elementary.Atan5), z2, b.pair(elementary.Atan6, z, elementary.Atan7))
	r := b.line(b.pair(elementary.Atan8, z, elementary.Atan9), z2, b.Const(elementary.Atan10))
	p = b.line(p, z4, b.line(q, z4, r))
	y := b.Sub(high, b.Sub(b.Sub(b.Mul(b.Mul(w, z), p), low), w))
	return b.Or(y, b.And(b.signBit(), x))
}

// Atan2 is math.Atan2 as Go computes it on processors without fused operations. A guard rejects numbers that are not
// finite.
func (b *Builder) Atan2(y, x Value) Value {
	zero := b.Const(0)
	for _, v := range [...]Value{x, y} {
		b.Guard(b.NotLess(b.Abs(v), b.Const(math.Inf(1))))
	}
	const moreOfHalfPi, tangent = 6.123233995736765886130e-17, 2.41421356237309504880
	quotient := b.Div(y, x)
	a := b.Abs(quotient)
	middle, large := b.Less(b.Const(0.66), a), b.Less(b.Const(tangent), a)
	one := b.Const(1)
	r := b.Select(large, b.Div(one, a), b.Select(middle, b.Div(b.Sub(a, one), b.Add(a, one)), a))
	z := b.Mul(r, r)
	above := b.horner(z, b.Const(-8.750608600031904122785e-01), -1.615753718733365076637e+01,
		-7.500855792314704667340e+01, -1.228866684490136173410e+02, -6.485021904942025371773e+01)
	below := b.horner(z, b.Add(z, b.Const(2.485846490142306297962e+01)), 1.650270098316988542046e+02,
		4.328810604912902668951e+02, 4.853903996359136964868e+02, 1.945506571482613964425e+02)
	p := b.Add(b.Mul(r, b.Div(b.Mul(z, above), below)), r)
	q := b.Select(large, b.Add(b.Sub(b.Const(math.Pi/2), p), b.Const(moreOfHalfPi)),
		b.Select(middle, b.Add(b.Add(b.Const(math.Pi/4), p), b.Const(0.5*moreOfHalfPi)), p))
	q = b.Copysign(q, quotient)
	pi := b.Const(math.Pi)
	q = b.Select(b.Less(x, zero), b.Select(b.NotLess(zero, q), b.Add(q, pi), b.Sub(q, pi)), q)
	q = b.Select(b.NotLess(zero, b.Abs(x)), b.Copysign(b.Const(math.Pi/2), y), q)
	return b.Select(b.NotLess(zero, b.Abs(y)), b.Select(x, b.Copysign(pi, y), y), q)
}

// Asin is elementary.Asin.
func (b *Builder) Asin(x Value) Value {
	a := b.Abs(x)
	small := b.Less(a, b.Const(0.5))
	t := b.Select(small, b.Mul(a, a), b.Mul(b.Sub(b.Const(1), a), b.Const(0.5)))
	p := b.horner(t, b.Const(elementary.AsinA5), elementary.AsinA4, elementary.AsinA3, elementary.AsinA2,
		elementary.AsinA1, elementary.AsinA0)
	q := b.horner(t, b.Const(elementary.AsinB4), elementary.AsinB3, elementary.AsinB2, elementary.AsinB1,
		elementary.AsinB0)
	r := b.Div(b.Mul(t, p), q)
	s := b.Sqrt(t)
	large := b.Sub(b.Const(math.Pi/2), b.Sub(b.Mul(b.Const(2), b.Add(s, b.Mul(s, r))),
		b.Const(elementary.AtanInfinityLow)))
	return b.Copysign(b.Select(small, b.Add(a, b.Mul(a, r)), large), x)
}

// Abs is |x|.
func (b *Builder) Abs(x Value) Value { return b.AndNot(b.signBit(), x) }

// Neg is -x.
func (b *Builder) Neg(x Value) Value { return b.xor(x, b.signBit()) }

// Copysign has the magnitude of x and the sign of y.
func (b *Builder) Copysign(x, y Value) Value {
	return b.Or(b.AndNot(b.signBit(), x), b.And(b.signBit(), y))
}

// bound reports whether a value is a constant other than zero and NaN.
func (b *Builder) bound(v Value) bool {
	x := math.Float64frombits(b.code[v].bits)
	return b.code[v].op == opConst && x != 0 && x == x
}

// Max is the larger of x and y as Go's max has it: +0 is larger than -0, and NaN wins.
func (b *Builder) Max(x, y Value) Value {
	if b.bound(x) {
		return b.larger(x, y)
	}
	if b.bound(y) {
		return b.larger(y, x)
	}
	return b.Or(b.And(b.larger(x, y), b.larger(y, x)), b.Unordered(x, y))
}

// Min is the smaller of x and y as Go's min has it.
func (b *Builder) Min(x, y Value) Value {
	if b.bound(x) {
		return b.smaller(x, y)
	}
	if b.bound(y) {
		return b.smaller(y, x)
	}
	return b.Or(b.Or(b.smaller(x, y), b.smaller(y, x)), b.Unordered(x, y))
}

// NotAbove is x, or the bound where x is above it: NaN where x is NaN.
func (b *Builder) NotAbove(x, bound Value) Value { return b.smaller(bound, x) }

// NotBelow is x, or the bound where x is below it: NaN where x is NaN.
func (b *Builder) NotBelow(x, bound Value) Value { return b.larger(bound, x) }
