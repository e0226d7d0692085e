package component

import (
	"math"
	"slices"

	"skidpad/model/curve"
	"skidpad/model/keys"
)

// smallestOf is the smallest value of a curve at its points.
func smallestOf(c *curve.Curve) float64 { return slices.Min(c.Y) }

// largestOf is the largest value of a curve at its points.
func largestOf(c *curve.Curve) float64 { return slices.Max(c.Y) }

// smallestOfSurface is the smallest value of a surface at its points.
func smallestOfSurface(s *curve.Surface) float64 { low, _ := rangeOfSurface(s); return low }

// rangeOfSurface are the smallest and the largest value of a surface at its points.
func rangeOfSurface(s *curve.Surface) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range s.Table.AlongX.Points.Values {
		for _, y := range s.Table.AlongY.Points.Values {
			z, _, _ := s.At(x, y)
			low, high = min(low, z), max(high, z)
		}
	}
	return low, high
}

// smallestSlope is the smallest slope of a curve, within its points and beyond them.
func smallestSlope(c *curve.Curve) float64 { low, _ := rangeOfSlope(c); return low }

// largestSlope is the largest one.
func largestSlope(c *curve.Curve) float64 { _, high := rangeOfSlope(c); return high }

// rangeOfSlope are the smallest and the largest slope of a curve, within its points and beyond them.
func rangeOfSlope(c *curve.Curve) (low, high float64) {
	low, high = min(c.First, c.Last), max(c.First, c.Last)
	for i := range len(c.X) - 1 {
		const parts = 16
		for k := range parts {
			_, slope, _ := c.At(c.X[i] + (c.X[i+1]-c.X[i])*float64(k)/parts)
			low, high = min(low, slope), max(high, slope)
		}
	}
	return low, high
}

// checkNonnegative notes a curve or a surface with a value below 0; both can be nil.
func checkNonnegative(h *keys.Header, r *keys.Reader, key, unit string, c *curve.Curve, s *curve.Surface) {
	low := 0.0
	if c != nil {
		low = smallestOf(c)
	}
	if s != nil {
		low = smallestOfSurface(s)
	}
	if low < 0 {
		r.Place(h.Pos, "%s.%s has the value %g %s; it must not be negative", h.Name, key, low, unit)
	}
}
