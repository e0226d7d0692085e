package machinecode

import "math"

// The elementary functions as sequences of single operations, so that machine code can do the
// same. Coefficients: sine and cosine as in FreeBSD's msun (k_sin.c, k_cos.c, e_rem_pio2.c),
// arc tangent,
// arc sine and exponential as there (s_atan.c, e_asin.c, e_exp.c). Products carry a conversion, which keeps compilers from
// fusing them into sums.

const (
	twoOverPi = 6.36619772367581382433e-01
	// pi/2 in three parts of 33 bits: products with whole numbers below 2^20 are exact.
	halfPi1 = 1.57079632673412561417e+00
	halfPi2 = 6.07710050630396597660e-11
	halfPi3 = 2.02226624879595063154e-21
	// toInteger rounds to a whole number when it is added and subtracted; the sum's last bits
	// are that number.
	toInteger = 6755399441055744.0 // 1.5 2^52
	// widest is the largest argument that is reduced here; beyond it, package math does.
	widest = 1 << 20
)

// Coefficients of the polynomials, by rising powers.
const (
	// (sin r - r)/r^3 by r^2
	s0, s1, s2 = -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04
	s3, s4, s5 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
	// (cos r - 1 + r^2/2)/r^4 by r^2
	c0, c1, c2 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
	c3, c4, c5 = -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11
	// r (exp r + 1)/(exp r - 1), without its first term, by r^2
	e0, e1, e2 = 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05
	e3, e4     = -1.65339022054652515390e-06, 4.13813679705723846039e-08
	// (w - arctan w)/w^3 by w^2
	t0, t1, t2 = 3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01
	t3, t4, t5 = -1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02
	t6, t7, t8 = 6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02
	t9, t10    = -3.65315727442169155270e-02, 1.62858201153657823623e-02
	// (arcsin a - a)/a^3 = a/b by a^2
	a0, a1, a2 = 1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01
	a3, a4, a5 = -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05
	b0, b1, b2 = 1.0, -2.40339491173441421878e+00, 2.02094576023350569471e+00
	b3, b4     = -6.88283971605453293030e-01, 7.70381505559019352791e-02
)

const (
	// ln 2 in two parts: products of the first with whole numbers below 2^20 are exact.
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	// highest is the largest exponent, of either sign, that is reduced here; beyond it,
	// package math does.
	highest = 700
	// toExponent is toInteger with the bias of exponents.
	toExponent = toInteger + 1023
)

// The arc tangent of |x| is that of (|x| - c)/(1 + c|x|) added to that of c; c is 0, 1/2, 1, 3/2
// or infinite.
const (
	toHalf, toOne, toThreeHalves, toInfinity = 7. / 16, 11. / 16, 19. / 16, 39. / 16 // from here on

	atanHalf, atanHalfLow               = 4.63647609000806093515e-01, 2.26987774529616870924e-17
	atanOne, atanOneLow                 = 7.85398163397448278999e-01, 3.06161699786838301793e-17
	atanThreeHalves, atanThreeHalvesLow = 9.82793723247329054082e-01, 1.39033110312309984516e-17
	atanInfinity, atanInfinityLow       = 1.57079632679489655800e+00, 6.12323399573676603587e-17
)

// reduce returns r = x - n pi/2, |r| <= pi/4, and a number whose last bits are n.
func reduce(x float64) (r float64, quadrant uint64) {
	t := float64(x*twoOverPi) + toInteger
	n := t - toInteger
	r = ((x - float64(n*halfPi1)) - float64(n*halfPi2)) - float64(n*halfPi3)
	return r, math.Float64bits(t)
}

// Polynomials are evaluated in pairs of terms (Estrin 1960), whose steps do not wait for each
// other.

func sinReduced(r float64) float64 {
	z := float64(r * r)
	z2 := float64(z * z)
	p := (s1 + float64(z*s2)) + float64(z2*((s3+float64(z*s4))+float64(z2*s5)))
	return r + float64(float64(z*r)*(s0+float64(z*p)))
}

func cosReduced(r float64) float64 {
	z := float64(r * r)
	z2 := float64(z * z)
	p := ((c0 + float64(z*c1)) + float64(z2*(c2+float64(z*c3)))) + float64(float64(z2*z2)*(c4+float64(z*c5)))
	half := float64(z * 0.5)
	w := 1 - half
	return w + (((1 - w) - half) + float64(z2*p))
}

// Sin returns the sine of x, in rad.
func Sin(x float64) float64 {
	if !(math.Abs(x) < widest) {
		return math.Sin(x)
	}
	r, quadrant := reduce(x)
	s := sinReduced(r)
	if quadrant&1 != 0 {
		s = cosReduced(r)
	}
	return math.Float64frombits(math.Float64bits(s) ^ quadrant<<62&(1<<63))
}

// Cos returns the cosine of x, in rad.
func Cos(x float64) float64 {
	if !(math.Abs(x) < widest) {
		return math.Cos(x)
	}
	r, quadrant := reduce(x)
	c := cosReduced(r)
	if quadrant&1 != 0 {
		c = sinReduced(r)
	}
	return math.Float64frombits(math.Float64bits(c) ^ (quadrant<<62^quadrant<<63)&(1<<63))
}

// Sincos returns the sine and the cosine of x, in rad, as Sin and Cos do.
func Sincos(x float64) (sin, cos float64) {
	if !(math.Abs(x) < widest) {
		return math.Sincos(x)
	}
	r, quadrant := reduce(x)
	s, c := sinReduced(r), cosReduced(r)
	if quadrant&1 != 0 {
		s, c = c, s
	}
	sin = math.Float64frombits(math.Float64bits(s) ^ quadrant<<62&(1<<63))
	cos = math.Float64frombits(math.Float64bits(c) ^ (quadrant<<62^quadrant<<63)&(1<<63))
	return sin, cos
}

// Tan returns the tangent of x, in rad.
func Tan(x float64) float64 {
	if !(math.Abs(x) < widest) {
		return math.Tan(x)
	}
	sin, cos := Sincos(x)
	return sin / cos
}

// Exp returns e^x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < highest) {
		return math.Exp(x)
	}
	power, growth := expReduced(x)
	return (1 + growth) * power
}

// expReduced returns 2^n and g with e^x = 2^n (1 + g), |g| < 1/2.
func expReduced(x float64) (power, growth float64) {
	t := float64(x*math.Log2E) + toExponent
	n := t - toExponent
	high, low := x-float64(n*ln2High), float64(n*ln2Low)
	r := high - low
	z := float64(r * r)
	p := float64(z*e4) + e3
	p = float64(z*p) + e2
	p = float64(z*p) + e1
	p = float64(z*p) + e0
	c := r - float64(z*p)
	return math.Float64frombits(math.Float64bits(t) << 52), high - (low - float64(r*c)/(2-c))
}

// steepest is from where on the hyperbolic tangent is 1 to the last bit.
const steepest = 20

// Tanh returns the hyperbolic tangent of x: m/(m + 2) with m = e^(2|x|) - 1, which is computed
// without taking the difference of numbers close to each other.
func Tanh(x float64) float64 {
	power, growth := expReduced(2 * min(math.Abs(x), steepest))
	m := float64(power*growth) + (power - 1)
	return math.Copysign(m/(m+2), x)
}

// Atan returns the arc tangent of x, in rad.
func Atan(x float64) float64 {
	a := math.Abs(x)
	above, below, high, low := a, 1.0, 0.0, 0.0
	if a >= toHalf {
		switch {
		case a < toOne:
			above, below, high, low = a-0.5, 1+float64(0.5*a), atanHalf, atanHalfLow
		case a < toThreeHalves:
			above, below, high, low = a-1, 1+a, atanOne, atanOneLow
		case a < toInfinity:
			above, below, high, low = a-1.5, 1+float64(1.5*a), atanThreeHalves, atanThreeHalvesLow
		default:
			above, below, high, low = -1, a, atanInfinity, atanInfinityLow
		}
	}
	w := above / below
	z := float64(w * w)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p := (t0 + float64(z*t1)) + float64(z2*(t2+float64(z*t3)))
	q := (t4 + float64(z*t5)) + float64(z2*(t6+float64(z*t7)))
	r := (t8 + float64(z*t9)) + float64(z2*t10)
	p += float64(z4 * (q + float64(z4*r)))
	y := high - ((float64(float64(w*z)*p) - low) - w)
	return math.Float64frombits(math.Float64bits(y) | math.Float64bits(x)&(1<<63))
}

// Asin returns the arc sine of x, in rad: NaN beyond 1.
func Asin(x float64) float64 {
	a := math.Abs(x)
	small := a < 0.5
	t := float64((1 - a) * 0.5)
	if small {
		t = float64(a * a)
	}
	p := float64(t*a5) + a4
	p = float64(t*p) + a3
	p = float64(t*p) + a2
	p = float64(t*p) + a1
	p = float64(t*p) + a0
	q := float64(t*b4) + b3
	q = float64(t*q) + b2
	q = float64(t*q) + b1
	q = float64(t*q) + b0
	r := float64(t*p) / q
	if small {
		return math.Copysign(a+float64(a*r), x)
	}
	s := math.Sqrt(t)
	return math.Copysign(math.Pi/2-(float64(2*(s+float64(s*r)))-atanInfinityLow), x)
}

// The same as operations of a builder.

func (b *Builder) reduce(x Value) (r, quadrant Value) {
	b.Guard(b.NotLess(b.Abs(x), b.Const(widest)))
	t := b.Add(b.Mul(x, b.Const(twoOverPi)), b.Const(toInteger))
	n := b.Sub(t, b.Const(toInteger))
	r = b.Sub(b.Sub(b.Sub(x, b.Mul(n, b.Const(halfPi1))), b.Mul(n, b.Const(halfPi2))), b.Mul(n, b.Const(halfPi3)))
	return r, t
}

// line is c0 + z c1.
func (b *Builder) line(c0, z, c1 Value) Value { return b.Add(c0, b.Mul(z, c1)) }

// pair is c0 + z c1.
func (b *Builder) pair(c0 float64, z Value, c1 float64) Value {
	return b.line(b.Const(c0), z, b.Const(c1))
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
	p := b.line(b.pair(s1, z, s2), z2, b.line(b.pair(s3, z, s4), z2, b.Const(s5)))
	return b.line(r, b.Mul(z, r), b.line(b.Const(s0), z, p))
}

func (b *Builder) cosReduced(r Value) Value {
	z := b.Mul(r, r)
	z2 := b.Mul(z, z)
	p := b.line(b.line(b.pair(c0, z, c1), z2, b.pair(c2, z, c3)), b.Mul(z2, z2), b.pair(c4, z, c5))
	half := b.Mul(z, b.Const(0.5))
	w := b.Sub(b.Const(1), half)
	return b.Add(w, b.line(b.Sub(b.Sub(b.Const(1), w), half), z2, p))
}

func (b *Builder) signBit() Value { return b.Const(math.Copysign(0, -1)) }

// Sin is the function Sin; arguments that are too large for it are guarded against.
func (b *Builder) Sin(x Value) Value {
	r, t := b.reduce(x)
	s := b.Select(b.shiftLeft(t, 63), b.cosReduced(r), b.sinReduced(r))
	return b.xor(s, b.And(b.shiftLeft(t, 62), b.signBit()))
}

// Cos is the function Cos, guarded like Sin.
func (b *Builder) Cos(x Value) Value {
	r, t := b.reduce(x)
	c := b.Select(b.shiftLeft(t, 63), b.sinReduced(r), b.cosReduced(r))
	return b.xor(c, b.And(b.xor(b.shiftLeft(t, 62), b.shiftLeft(t, 63)), b.signBit()))
}

// Sincos is the function Sincos, guarded like Sin.
func (b *Builder) Sincos(x Value) (sin, cos Value) { return b.Sin(x), b.Cos(x) }

// Tan is the function Tan, guarded like Sin.
func (b *Builder) Tan(x Value) Value { return b.Div(b.Sin(x), b.Cos(x)) }

// Exp is the function Exp; arguments that are too large for it are guarded against.
func (b *Builder) Exp(x Value) Value {
	b.Guard(b.NotLess(b.Abs(x), b.Const(highest)))
	power, growth := b.expReduced(x)
	return b.Mul(b.Add(b.Const(1), growth), power)
}

func (b *Builder) expReduced(x Value) (power, growth Value) {
	t := b.Add(b.Mul(x, b.Const(math.Log2E)), b.Const(toExponent))
	n := b.Sub(t, b.Const(toExponent))
	high, low := b.Sub(x, b.Mul(n, b.Const(ln2High))), b.Mul(n, b.Const(ln2Low))
	r := b.Sub(high, low)
	z := b.Mul(r, r)
	p := b.horner(z, b.Const(e4), e3, e2, e1, e0)
	c := b.Sub(r, b.Mul(z, p))
	return b.shiftLeft(t, 52), b.Sub(high, b.Sub(low, b.Div(b.Mul(r, c), b.Sub(b.Const(2), c))))
}

// Tanh is the function Tanh.
func (b *Builder) Tanh(x Value) Value {
	power, growth := b.expReduced(b.Mul(b.Const(2), b.Min(b.Abs(x), b.Const(steepest))))
	m := b.line(b.Sub(power, b.Const(1)), power, growth)
	return b.Copysign(b.Div(m, b.Add(m, b.Const(2))), x)
}

// Atan is the function Atan.
func (b *Builder) Atan(x Value) Value {
	a := b.Abs(x)
	reached := func(from float64) Value { return b.Less(b.Const(math.Nextafter(from, 0)), a) }
	half, one, threeHalves, infinite := reached(toHalf), reached(toOne), reached(toThreeHalves), reached(toInfinity)
	choose := func(c0, c1, c2, c3, c4 float64) Value {
		near := b.Select(one, b.Const(c2), b.Select(half, b.Const(c1), b.Const(c0)))
		return b.Select(infinite, b.Const(c4), b.Select(threeHalves, b.Const(c3), near))
	}
	c := choose(0, 0.5, 1, 1.5, 0)
	above := b.Select(infinite, b.Const(-1), b.Sub(a, c))
	below := b.Select(infinite, a, b.line(b.Const(1), c, a))
	high := choose(0, atanHalf, atanOne, atanThreeHalves, atanInfinity)
	low := choose(0, atanHalfLow, atanOneLow, atanThreeHalvesLow, atanInfinityLow)
	w := b.Div(above, below)
	z := b.Mul(w, w)
	z2 := b.Mul(z, z)
	z4 := b.Mul(z2, z2)
	p := b.line(b.pair(t0, z, t1), z2, b.pair(t2, z, t3))
	q := b.line(b.pair(t4, z, t5), z2, b.pair(t6, z, t7))
	r := b.line(b.pair(t8, z, t9), z2, b.Const(t10))
	p = b.line(p, z4, b.line(q, z4, r))
	y := b.Sub(high, b.Sub(b.Sub(b.Mul(b.Mul(w, z), p), low), w))
	return b.Or(y, b.And(b.signBit(), x))
}

// Asin is the function Asin.
func (b *Builder) Asin(x Value) Value {
	a := b.Abs(x)
	small := b.Less(a, b.Const(0.5))
	t := b.Select(small, b.Mul(a, a), b.Mul(b.Sub(b.Const(1), a), b.Const(0.5)))
	p := b.horner(t, b.Const(a5), a4, a3, a2, a1, a0)
	q := b.horner(t, b.Const(b4), b3, b2, b1, b0)
	r := b.Div(b.Mul(t, p), q)
	s := b.Sqrt(t)
	large := b.Sub(b.Const(math.Pi/2), b.Sub(b.Mul(b.Const(2), b.Add(s, b.Mul(s, r))), b.Const(atanInfinityLow)))
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
