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

// clampAbs limits x to a bound on either side of zero.
func clampAbs(x, bound float64) float64 {
	if x > bound {
		return bound
	}
	if x < -bound {
		return -bound
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
