package kc

import "math"

// Number is a number with its derivative along a direction, such as the coordinate of a hard point. Figures of numbers
// are numbers: their derivatives are exact.
type Number struct{ V, D float64 }

// Of is a number that does not change.
func Of(v float64) Number { return Number{V: v} }

// Plus is the sum.
func (a Number) Plus(b Number) Number { return Number{a.V + b.V, a.D + b.D} }

// Minus is the difference.
func (a Number) Minus(b Number) Number { return Number{a.V - b.V, a.D - b.D} }

// Times is the product.
func (a Number) Times(b Number) Number { return Number{a.V * b.V, a.D*b.V + a.V*b.D} }

// By is the quotient.
func (a Number) By(b Number) Number { return Number{a.V / b.V, (a.D - a.V/b.V*b.D) / b.V} }

// Scaled is a multiple.
func (a Number) Scaled(k float64) Number { return Number{k * a.V, k * a.D} }

// Negative is the opposite.
func (a Number) Negative() Number { return Number{-a.V, -a.D} }

func sqrt(a Number) Number {
	r := math.Sqrt(a.V)
	return Number{r, a.D / (2 * r)}
}

func asin(a Number) Number { return Number{math.Asin(a.V), a.D / math.Sqrt(1-a.V*a.V)} }

func sin(a Number) Number { return Number{math.Sin(a.V), math.Cos(a.V) * a.D} }

func tan(a Number) Number {
	t := math.Tan(a.V)
	return Number{t, (1 + t*t) * a.D}
}

func atan2(y, x Number) Number {
	return Number{math.Atan2(y.V, x.V), (x.V*y.D - y.V*x.D) / (x.V*x.V + y.V*y.V)}
}

func atan(a Number) Number { return atan2(a, Of(1)) }
