package tire

import (
	"math"

	"skidpad/tire/elementary"
)

// dual is a number with its derivative along one direction: v + d epsilon, epsilon^2 = 0. What is
// computed of duals has the exact derivative of what is computed of their values.
type dual struct{ v, d float64 }

func (a dual) plus(b dual) dual  { return dual{a.v + b.v, a.d + b.d} }
func (a dual) minus(b dual) dual { return dual{a.v - b.v, a.d - b.d} }
func (a dual) times(b dual) dual { return dual{a.v * b.v, a.v*b.d + a.d*b.v} }

// over is a/b.
func (a dual) over(b dual) dual {
	q := a.v / b.v
	return dual{q, (a.d - q*b.d) / b.v}
}

// by is k a.
func (a dual) by(k float64) dual { return dual{k * a.v, k * a.d} }

// and is k + a.
func (a dual) and(k float64) dual { return dual{k + a.v, a.d} }

// line is c0 + c1 a.
func (a dual) line(c0, c1 float64) dual { return dual{c0 + c1*a.v, c1 * a.d} }

// square is c0 + c1 a + c2 a^2.
func (a dual) square(c0, c1, c2 float64) dual {
	return dual{c0 + a.v*(c1+c2*a.v), (c1 + 2*c2*a.v) * a.d}
}

// abs has the slope 0 at 0, the mean of both sides.
func (a dual) abs() dual { return dual{math.Abs(a.v), sign(a.v) * a.d} }

func (a dual) atan() dual { return dual{elementary.Atan(a.v), a.d / (1 + a.v*a.v)} }

func (a dual) exp() dual {
	e := elementary.Exp(a.v)
	return dual{e, e * a.d}
}

func (a dual) sin() dual {
	sin, cos := elementary.Sincos(a.v)
	return dual{sin, cos * a.d}
}

func (a dual) cos() dual {
	sin, cos := elementary.Sincos(a.v)
	return dual{cos, -sin * a.d}
}

func (a dual) tan() dual {
	tan := elementary.Tan(a.v)
	return dual{tan, (1 + tan*tan) * a.d}
}

// cosAtan is cos(arctan a) = 1/sqrt(1 + a^2).
func (a dual) cosAtan() dual {
	w := 1 / math.Sqrt(1+a.v*a.v)
	return dual{w, -w * w * w * a.v * a.d}
}

// mfCurvature is the argument of the Magic Formula's outer arctan, a - E (a - arctan a), E <= 1.
func (a dual) mfCurvature(e dual) dual {
	e.v, e.d = limitedTo1(e.v, e.d)
	lag := a.v - elementary.Atan(a.v)
	return dual{a.v - e.v*lag, a.d*(1-e.v+e.v/(1+a.v*a.v)) - e.d*lag}
}

// limitedTo1 limits a value to 1, where its derivative d vanishes.
func limitedTo1(v, d float64) (float64, float64) {
	limited, free := atMost1(v)
	return limited, free * d
}

// atLeast is a, or low where a is below.
func (a dual) atLeast(low float64) dual {
	if a.v < low {
		return dual{low, 0}
	}
	return a
}

// atMost is a, or high where a is above.
func (a dual) atMost(high float64) dual {
	if a.v > high {
		return dual{high, 0}
	}
	return a
}

// asMuchAs is a, or least where a is between least and 0 or on the other side of 0.
func (a dual) asMuchAs(least float64) dual {
	if least < 0 {
		return a.atMost(least)
	}
	return a.atLeast(least)
}

// awayFromZero is a divisor that is kept from zero by at least least.
func (a dual) awayFromZero(least float64) dual {
	moved, free := awayFromZeroFree(a.v, least)
	return dual{moved, free * a.d}
}
