package straightline

import "math"

// The elementary functions as sequences of single operations, so that machine code can do the
// same. Coefficients: sine and cosine as in FreeBSD's msun (k_sin.c, k_cos.c, e_rem_pio2.c),
// arc sine as there (e_asin.c), arc tangent as in
// Cephes (atan.c). Products carry a conversion, which keeps compilers from
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

var (
	sinC = [...]float64{-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10}
	cosC = [...]float64{4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11}

	atanP = [...]float64{-8.750608600031904122785e-01, -1.615753718733365076637e+01, -7.500855792314704667340e+01, -1.228866684490136173410e+02, -6.485021904942025371773e+01}
	atanQ = [...]float64{1, 2.485846490142306297962e+01, 1.650270098316988542046e+02, 4.328810604912902668951e+02, 4.853903996359136964868e+02, 1.945506571482613964425e+02}
	asinP = [...]float64{1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01, -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05}
	asinQ = [...]float64{1, -2.40339491173441421878e+00, 2.02094576023350569471e+00, -6.88283971605453293030e-01, 7.70381505559019352791e-02}
)

const (
	tan3Pi8  = 2.41421356237309504880
	morebits = 6.123233995736765886130e-17 // of pi/2
)

// reduce returns r = x - n pi/2, |r| <= pi/4, and a number whose last bits are n.
func reduce(x float64) (r float64, quadrant uint64) {
	t := float64(x*twoOverPi) + toInteger
	n := t - toInteger
	r = ((x - float64(n*halfPi1)) - float64(n*halfPi2)) - float64(n*halfPi3)
	return r, math.Float64bits(t)
}

func sinReduced(r float64) float64 {
	z := float64(r * r)
	p := float64(z*sinC[5]) + sinC[4]
	for i := 3; i >= 1; i-- {
		p = float64(z*p) + sinC[i]
	}
	return r + float64(float64(z*r)*(float64(z*p)+sinC[0]))
}

func cosReduced(r float64) float64 {
	z := float64(r * r)
	p := float64(z*cosC[5]) + cosC[4]
	for i := 3; i >= 0; i-- {
		p = float64(z*p) + cosC[i]
	}
	half := float64(z * 0.5)
	w := 1 - half
	return w + (((1 - w) - half) + float64(float64(z*z)*p))
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

// Atan returns the arc tangent of x, in rad.
func Atan(x float64) float64 {
	a := math.Abs(x)
	above, below, base, more := a, 1.0, 0.0, 0.0
	if a > 0.66 {
		above, below, base, more = a-1, a+1, math.Pi/4, 0.5*morebits
	}
	if a > tan3Pi8 {
		above, below, base, more = -1, a, math.Pi/2, morebits
	}
	w := above / below
	z := float64(w * w)
	p, q := atanP[0], z+atanQ[1]
	for i := 1; i < len(atanP); i++ {
		p = float64(p*z) + atanP[i]
	}
	for i := 2; i < len(atanQ); i++ {
		q = float64(q*z) + atanQ[i]
	}
	return math.Copysign((base+(float64(w*(float64(z*p)/q))+w))+more, x)
}

// Asin returns the arc sine of x, in rad: NaN beyond 1.
func Asin(x float64) float64 {
	a := math.Abs(x)
	small := a < 0.5
	t := float64((1 - a) * 0.5)
	if small {
		t = float64(a * a)
	}
	p, q := asinP[5], asinQ[4]
	for i := 4; i >= 0; i-- {
		p = float64(t*p) + asinP[i]
	}
	for i := 3; i >= 0; i-- {
		q = float64(t*q) + asinQ[i]
	}
	r := float64(t*p) / q
	if small {
		return math.Copysign(a+float64(a*r), x)
	}
	s := math.Sqrt(t)
	return math.Copysign(math.Pi/2-(float64(2*(s+float64(s*r)))-morebits), x)
}

// The same as operations of a builder.

func (b *Builder) reduce(x Value) (r, quadrant Value) {
	b.Guard(b.NotLess(b.Abs(x), b.Const(widest)))
	t := b.Add(b.Mul(x, b.Const(twoOverPi)), b.Const(toInteger))
	n := b.Sub(t, b.Const(toInteger))
	r = b.Sub(b.Sub(b.Sub(x, b.Mul(n, b.Const(halfPi1))), b.Mul(n, b.Const(halfPi2))), b.Mul(n, b.Const(halfPi3)))
	return r, t
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
	p := b.horner(z, b.Const(sinC[5]), sinC[4], sinC[3], sinC[2], sinC[1])
	return b.Add(r, b.Mul(b.Mul(z, r), b.Add(b.Mul(z, p), b.Const(sinC[0]))))
}

func (b *Builder) cosReduced(r Value) Value {
	z := b.Mul(r, r)
	p := b.horner(z, b.Const(cosC[5]), cosC[4], cosC[3], cosC[2], cosC[1], cosC[0])
	half := b.Mul(z, b.Const(0.5))
	w := b.Sub(b.Const(1), half)
	return b.Add(w, b.Add(b.Sub(b.Sub(b.Const(1), w), half), b.Mul(b.Mul(z, z), p)))
}

func (b *Builder) signBit() Value { return b.Const(math.Copysign(0, -1)) }

// Sin is the function Sin; arguments that are too large for it are guarded against.
func (b *Builder) Sin(x Value) Value {
	r, t := b.reduce(x)
	s := b.Select(b.shiftLeft(t, 63), b.cosReduced(r), b.sinReduced(r))
	return b.xor(s, b.and(b.shiftLeft(t, 62), b.signBit()))
}

// Cos is the function Cos, guarded like Sin.
func (b *Builder) Cos(x Value) Value {
	r, t := b.reduce(x)
	c := b.Select(b.shiftLeft(t, 63), b.sinReduced(r), b.cosReduced(r))
	return b.xor(c, b.and(b.xor(b.shiftLeft(t, 62), b.shiftLeft(t, 63)), b.signBit()))
}

// Atan is the function Atan.
func (b *Builder) Atan(x Value) Value {
	a := b.Abs(x)
	middle, large := b.Less(b.Const(0.66), a), b.Less(b.Const(tan3Pi8), a)
	choose := func(l, m, s Value) Value { return b.Select(large, l, b.Select(middle, m, s)) }
	above := choose(b.Const(-1), b.Sub(a, b.Const(1)), a)
	below := choose(a, b.Add(a, b.Const(1)), b.Const(1))
	w := b.Div(above, below)
	z := b.Mul(w, w)
	p := b.horner(z, b.Const(atanP[0]), atanP[1:]...)
	q := b.horner(z, b.Add(z, b.Const(atanQ[1])), atanQ[2:]...)
	base, more := choose(b.Const(math.Pi/2), b.Const(math.Pi/4), b.Const(0)), choose(b.Const(morebits), b.Const(0.5*morebits), b.Const(0))
	y := b.Add(b.Add(base, b.Add(b.Mul(w, b.Div(b.Mul(z, p), q)), w)), more)
	return b.Copysign(y, x)
}

// Asin is the function Asin.
func (b *Builder) Asin(x Value) Value {
	a := b.Abs(x)
	small := b.Less(a, b.Const(0.5))
	t := b.Select(small, b.Mul(a, a), b.Mul(b.Sub(b.Const(1), a), b.Const(0.5)))
	p := b.horner(t, b.Const(asinP[5]), asinP[4], asinP[3], asinP[2], asinP[1], asinP[0])
	q := b.horner(t, b.Const(asinQ[4]), asinQ[3], asinQ[2], asinQ[1], asinQ[0])
	r := b.Div(b.Mul(t, p), q)
	s := b.Sqrt(t)
	large := b.Sub(b.Const(math.Pi/2), b.Sub(b.Mul(b.Const(2), b.Add(s, b.Mul(s, r))), b.Const(morebits)))
	return b.Copysign(b.Select(small, b.Add(a, b.Mul(a, r)), large), x)
}

// Abs is |x|.
func (b *Builder) Abs(x Value) Value { return b.andNot(b.signBit(), x) }

// Neg is -x.
func (b *Builder) Neg(x Value) Value { return b.xor(x, b.signBit()) }

// Copysign has the magnitude of x and the sign of y.
func (b *Builder) Copysign(x, y Value) Value {
	return b.or(b.andNot(b.signBit(), x), b.and(b.signBit(), y))
}

// Max is the larger of x and y as Go's max has it: +0 is larger than -0, and NaN wins.
func (b *Builder) Max(x, y Value) Value {
	return b.or(b.and(b.larger(x, y), b.larger(y, x)), b.Unordered(x, y))
}

// Min is the smaller of x and y as Go's min has it.
func (b *Builder) Min(x, y Value) Value {
	return b.or(b.or(b.smaller(x, y), b.smaller(y, x)), b.Unordered(x, y))
}
