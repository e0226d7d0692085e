package manoeuvre

import (
	"math"
	"testing"
)

// A square with corners, seen from both sides, and a circle, whose chords leave it by 1e-6 of its radius.
func TestPathsHaveOffsets(t *testing.T) {
	p := &Path{X: []float64{0, 10, 10}, Y: []float64{0, 0, 10}}
	for _, c := range []struct{ x, y, offset float64 }{{5, 1, -1}, {5, -1, 1}, {-5, 2, -2}, {9, 6, -1}, {11, 6, 1},
		{12, 30, 2}} {
		if got, _ := p.Offset(c.x, c.y, 0); math.Abs(got-c.offset) > 1e-12 {
			t.Errorf("at (%g, %g) the path is %g m to the left, want %g", c.x, c.y, got, c.offset)
		}
	}
	circle := Circle(-50, 1)
	piece := 0
	var off float64
	for angle := 0.0; angle < 6.2; angle += 0.1 {
		s, c := math.Sincos(angle)
		off, piece = circle.Offset(51*s, -50+51*c, piece)
		if math.Abs(off+1) > 2e-4 { // 1 m outside, the path is to the right
			t.Errorf("at %g rad the path is %g m to the left, want -1", angle, off)
		}
	}
}
