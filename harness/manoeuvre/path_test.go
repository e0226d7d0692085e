package manoeuvre

import (
	"math"
	"strings"
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

// A path that cannot be is refused, and not made.
func TestPathsThatCannotBe(t *testing.T) {
	for _, laps := range []string{"-1", "0", "nan", "-inf", "1e308", "1001"} {
		text := strings.Replace(measured, `kind = "points", x = [0, "2 km"], y = [0, "50 cm"]`,
			"kind = \"circle\", radius = 10, laps = "+laps, 1)
		if _, err := Parse("a.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), "laps") {
			t.Errorf("laps = %s: %v", laps, err)
		}
	}
	for _, length := range []string{"-1", "nan", "inf", "1e308"} {
		for _, path := range []string{`kind = "track", into = 0`, `kind = "track"`} {
			text := strings.Replace(measured, `kind = "points", x = [0, "2 km"], y = [0, "50 cm"]`, path, 1) +
				"[track]\nstart = 0\n[[track.section]]\nlength = " + length + "\nright = -1\nleft = 1\n"
			if _, err := Parse("a.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "a.toml:") {
				t.Errorf("a track of %s m and a path of %s: %v", length, path, err)
			}
		}
	}
}
