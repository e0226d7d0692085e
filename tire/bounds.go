package tire

import "math"

// No wheel reaches these bounds. Whatever lies beyond counts as the bound, so
// that forces and rates are finite for every finite input.
const (
	extreme  = 1e6   // of slips, speeds [m/s] and the friction scale
	heaviest = 100   // of loads, in nominal loads
	crushing = 1e9   // [N] of loads where there is no nominal one
	airborne = 1e-99 // [N]; under it products of small numbers would vanish
	slippery = 1e-6  // least friction scale: with none the slope factors K/(C D) are infinite
)

// leastShare is the least factor of friction and stiffness for load or inclination. Beyond the data, a polynomial can
// change its sign, and a force that resists would drive.
const leastShare = 0.1

// asMuchAs is x, or least where x is between least and 0 or on the other side of 0.
func asMuchAs(x, least float64) float64 {
	if least < 0 {
		return notAbove(x, least)
	}
	return notBelow(x, least)
}

// clampAbs limits x to a bound on either side of zero. A comparison that hardly ever holds costs less than min and max,
// which Go makes of several instructions each; machine code, which has them, takes them.
func clampAbs(x, bound float64) float64 {
	if x > bound {
		return bound
	}
	if x < -bound {
		return -bound
	}
	return x
}

// notAbove is the smaller one of two numbers; NaN where x is NaN.
func notAbove(x, bound float64) float64 {
	if x > bound {
		return bound
	}
	return x
}

// notBelow is the larger one of two numbers; NaN where x is NaN.
func notBelow(x, bound float64) float64 {
	if x < bound {
		return bound
	}
	return x
}

// awayFromZero keeps a divisor x from zero by at least least, with its sign.
func awayFromZero(x, least float64) float64 {
	if math.Abs(x) < least {
		return math.Copysign(least, x)
	}
	return x
}

// sign returns -1, 0 or 1.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// sgn is the sign with sgn(0) = +1.
func sgn(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// zeroClampedColumns clears the columns of a Jacobian whose inputs were bounded.
func zeroClampedColumns(jac, in, bounded []float64) {
	for j := range in {
		if in[j] != bounded[j] {
			for i := j; i < len(jac); i += len(in) {
				jac[i] = 0
			}
		}
	}
}
