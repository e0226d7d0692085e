package elementary

import "math"

// reduce returns r = x - n pi/2, |r| <= pi/4, and a number whose last bits are n.
func reduce(x float64) (r float64, quadrant uint64) {
	t := float64(x*TwoOverPi) + ToInteger
	n := t - ToInteger
	r = ((x - float64(n*HalfPi1)) - float64(n*HalfPi2)) - float64(n*HalfPi3)
	return r, math.Float64bits(t)
}

// Polynomials are evaluated in pairs of terms (Estrin 1960), whose steps do not wait for each
// other.

func sinReduced(r float64) float64 {
	z := float64(r * r)
	z2 := float64(z * z)
	p := (Sin1 + float64(z*Sin2)) + float64(z2*((Sin3+float64(z*Sin4))+float64(z2*Sin5)))
	return r + float64(float64(z*r)*(Sin0+float64(z*p)))
}

func cosReduced(r float64) float64 {
	z := float64(r * r)
	z2 := float64(z * z)
	p := ((Cos0 + float64(z*Cos1)) + float64(z2*(Cos2+float64(z*Cos3)))) +
		float64(float64(z2*z2)*(Cos4+float64(z*Cos5)))
	half := float64(z * 0.5)
	w := 1 - half
	return w + (((1 - w) - half) + float64(z2*p))
}

// Sin returns the sine of x, in rad.
func Sin(x float64) float64 {
	if !(math.Abs(x) < Widest) {
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
	if !(math.Abs(x) < Widest) {
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
	if !(math.Abs(x) < Widest) {
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
	if math.Abs(x) < Unreduced {
		return sinReduced(x) / cosReduced(x)
	}
	if !(math.Abs(x) < Widest) {
		return math.Tan(x)
	}
	r, quadrant := reduce(x)
	s, c := sinReduced(r), cosReduced(r)
	if quadrant&1 != 0 {
		s, c = -c, s // whatever the signs of both, a quarter of a turn changes that of one
	}
	return s / c
}

// Exp returns e^x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < Highest) {
		return math.Exp(x)
	}
	power, high, low := expReduce(x)
	return (1 + expGrowth(high, low)) * power
}

// expReduce returns 2^n, and x - n ln 2 as the difference of two numbers; its magnitude is less than 0.35. With
// expGrowth it is in two parts so that both are inlined.
func expReduce(x float64) (power, high, low float64) {
	t := float64(x*math.Log2E) + ToExponent
	n := t - ToExponent
	return math.Float64frombits(math.Float64bits(t) << 52), x - float64(n*Ln2High), float64(n * Ln2Low)
}

// expGrowth returns e^(high - low) - 1.
func expGrowth(high, low float64) float64 {
	r := high - low
	z := float64(r * r)
	p := float64(z*(float64(z*(float64(z*(float64(z*Exp4)+Exp3))+Exp2))+Exp1)) + Exp0
	c := r - float64(z*p)
	return high - (low - float64(r*c)/(2-c))
}

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	if !(x > BelowNormal && x < math.Inf(1)) {
		return math.Log(x)
	}
	bits := math.Float64bits(x)
	n := math.Float64frombits(bits>>52|math.Float64bits(Integers)) - (Integers + 1023)
	m := math.Float64frombits(bits&Mantissa | math.Float64bits(1)) // x = m 2^n
	if m > math.Sqrt2 {
		m, n = m*0.5, n+1
	}
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	even := float64(w * (float64(w*(float64(w*Log5)+Log3)) + Log1))
	odd := float64(z * (float64(w*(float64(w*(float64(w*Log6)+Log4))+Log2)) + Log0))
	half := float64(float64(0.5*f) * f)
	inner := float64(s*(half+(even+odd))) + float64(n*Ln2Low)
	return float64(n*Ln2High) - ((half - inner) - f)
}

// Tanh returns the hyperbolic tangent of x: m/(m + 2) with m = e^(2|x|) - 1, which is computed
// without taking the difference of numbers close to each other.
func Tanh(x float64) float64 {
	power, high, low := expReduce(2 * min(math.Abs(x), Steepest))
	m := float64(power*expGrowth(high, low)) + (power - 1)
	return math.Copysign(m/(m+2), x)
}

// Atan returns the arc tangent of x, in rad.
func Atan(x float64) float64 {
	a := math.Abs(x)
	above, below, high, low := a, 1.0, 0.0, 0.0
	if a >= ToHalf {
		switch {
		case a < ToOne:
			above, below, high, low = a-0.5, 1+float64(0.5*a), AtanHalf, AtanHalfLow
		case a < ToThreeHalves:
			above, below, high, low = a-1, 1+a, AtanOne, AtanOneLow
		case a < ToInfinity:
			above, below, high, low = a-1.5, 1+float64(1.5*a), AtanThreeHalves, AtanThreeHalvesLow
		default:
			above, below, high, low = -1, a, AtanInfinity, AtanInfinityLow
		}
	}
	w := above / below
	z := float64(w * w)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	p := (Atan0 + float64(z*Atan1)) + float64(z2*(Atan2+float64(z*Atan3)))
	q := (Atan4 + float64(z*Atan5)) + float64(z2*(Atan6+float64(z*Atan7)))
	r := (Atan8 + float64(z*Atan9)) + float64(z2*Atan10)
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
	p := float64(t*AsinA5) + AsinA4
	p = float64(t*p) + AsinA3
	p = float64(t*p) + AsinA2
	p = float64(t*p) + AsinA1
	p = float64(t*p) + AsinA0
	q := float64(t*AsinB4) + AsinB3
	q = float64(t*q) + AsinB2
	q = float64(t*q) + AsinB1
	q = float64(t*q) + AsinB0
	r := float64(t*p) / q
	if small {
		return math.Copysign(a+float64(a*r), x)
	}
	s := math.Sqrt(t)
	return math.Copysign(math.Pi/2-(float64(2*(s+float64(s*r)))-AtanInfinityLow), x)
}
