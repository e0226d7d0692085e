package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"

	"skidpad/model/curve"
)

// networkCurve is a curve of a network as the model file has it, monotone or smooth; nil for none.
func networkCurve(name string, c *curve.Curve) (t *table, err error) {
	if c == nil {
		return nil, nil
	}
	for _, f := range []fitted{&interp.FritschButland{}, &interp.NaturalCubic{}} {
		t = through(c.X, c.Y, f)
		if err = t.of(name, c); err == nil {
			return t, nil
		}
	}
	return nil, err
}

// noSurface says that the solver has no surfaces.
func noSurface(component, key string) error {
	return fmt.Errorf("%s.%s is a surface, which the reference solver does not have; use a curve", component, key)
}

// roundedSize is the magnitude of x, and x^2 (2 - |x|) below 1.
func roundedSize(x float64) float64 {
	size := math.Abs(x)
	if size >= 1 {
		return size
	}
	return size * size * (2 - size)
}
