package component

import "skidpad/model/curve"

// resisting is the curve of a force that acts against a speed, over the speed. Beyond its ends the force does not fall.
// A curve whose points are all on one side of standstill is continued through 0 at standstill. The tangents of a curve
// could change the sign of the force there and give energy. nil is none.
func resisting(c *curve.Curve) *curve.Curve { return resistingBeside(c, 0) }

// resistingBeside is resisting for a curve that is added to a force of a slope: the sum of both resists.
func resistingBeside(c *curve.Curve, slope float64) *curve.Curve {
	if c == nil {
		return nil
	}
	first, last, end := max(c.First, -slope), max(c.Last, -slope), len(c.X)-1
	switch {
	case c.X[0] > 0:
		first = max(c.Y[0]/c.X[0], -slope)
	case c.X[end] < 0:
		last = max(c.Y[end]/c.X[end], -slope)
	}
	return c.Beyond(first, last)
}

// resistingForward is the curve of a negative torque over a speed above 0. Beyond its last point it does not rise.
// Before its first point it does not become positive. nil is none.
func resistingForward(c *curve.Curve) *curve.Curve {
	if c == nil {
		return nil
	}
	first := c.First
	if c.X[0] > 0 && c.Y[0] <= 0 {
		first = max(first, c.Y[0]/c.X[0])
	}
	return c.Beyond(first, min(c.Last, 0))
}

// fallingNowhereBeyond is a curve that keeps or exceeds the values of its ends beyond them: a coefficient of drag does
// not become negative there. nil is none.
func fallingNowhereBeyond(c *curve.Curve) *curve.Curve {
	if c == nil {
		return nil
	}
	return c.Beyond(min(c.First, 0), max(c.Last, 0))
}
