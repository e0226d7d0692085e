package road

import (
	"math"
	"testing"
)

// plain is a straight road at 0.3 rad that rises by 0.05. The grid has a cross slope of 0.03 and a height of 0.1 m at
// v = 0, and the banking adds 0.02.
func plain(v ...float64) course {
	constant := func(x float64) func(int) float64 { return func(int) float64 { return x } }
	return course{n: 11, du: 2, v: v, phi: constant(0.3), slope: constant(0.05), banking: constant(0.02),
		z:    func(_, j int) float64 { return 0.1 + 0.03*v[j] },
		road: "REFERENCE_LINE_START_X = 7\nREFERENCE_LINE_START_Y = -3\nREFERENCE_LINE_START_Z = 5\n"}
}

// The line has the heights and slopes of its surface. Where v = 0 is no place between the borders, it is in the middle,
// here 3 m to the left.
func TestTheLineOfARoad(t *testing.T) {
	sin, cos := math.Sincos(0.3)
	for _, c := range []struct {
		v             []float64
		left, right   float64
		aside, height float64
	}{
		{[]float64{-3, -1, 2}, 2, 3, 0, 5.1}, {[]float64{1, 3, 4, 5}, 2, 2, 3, 5.1 + 3*0.05},
		{[]float64{0, 3, 6}, 3, 3, 3, 5.1 + 3*0.05}, {[]float64{-6, -3, 0}, 3, 3, -3, 5.1 - 3*0.05},
	} {
		s := plain(c.v...).open(t, "LDFI")
		s.Height = 1
		line, bare := s.Line()
		if line == nil || bare != 0 || line.Closed || len(line.X) != 11 || line.Left != c.left || line.Right != c.right {
			t.Fatalf("v = %v: %+v, %d", c.v, line, bare)
		}
		for i := range line.X {
			along := 2 * float64(i)
			for name, d := range map[string]float64{
				"x":           line.X[i] - (7 + along*cos - c.aside*sin),
				"y":           line.Y[i] - (-3 + along*sin + c.aside*cos),
				"height":      line.Height[i] - (c.height + 1 + 0.05*along),
				"cross slope": line.CrossSlope[i] - 0.05,
			} {
				if math.Abs(d) > 1e-6 { // heights of the grid are float32
					t.Errorf("v = %v: %s of point %d is wrong by %g", c.v, name, i, d)
				}
			}
			if p := s.At(Query{X: line.X[i], Y: line.Y[i], Near: along}); math.Abs(p.Height-line.Height[i]) > 1e-6 {
				t.Errorf("v = %v: the surface is at %g m there", c.v, p.Height)
			}
		}
	}
}

// Heights that are missing at a border do not count; a cross-section with a single height has no line.
func TestTheLineOfARoadWithMissingHeights(t *testing.T) {
	road := plain(-3, -1, 2)
	road.modifiersEmpty = true
	z := road.z
	road.z = func(i, j int) float64 {
		if i == 4 && j == 0 {
			return math.NaN()
		}
		return z(i, j)
	}
	line, _ := road.open(t, "LDFI").Line()
	if math.Abs(line.CrossSlope[4]-0.05) > 1e-6 || math.Abs(line.Height[4]-(5.1+0.4)) > 1e-6 {
		t.Errorf("height %g, cross slope %g", line.Height[4], line.CrossSlope[4])
	}
	road.z = func(i, j int) float64 {
		if i == 4 && j < 2 {
			return math.NaN()
		}
		return z(i, j)
	}
	if line, bare := road.open(t, "LDFI").Line(); line != nil || bare != 5 {
		t.Errorf("%+v, cross-section %d", line, bare)
	}
}

// Smoothing at the ends leads from the height of the reference line to the surface.
func TestTheLineOfASmoothedRoad(t *testing.T) {
	road := plain(-3, -1, 2)
	road.options = "BORDER_SMOOTH_UBEG = 8\nBORDER_SMOOTH_UEND = 4\n"
	s := road.open(t, "LDFI")
	line, _ := s.Line()
	for i, share := range map[int]float64{0: 0, 1: 0.25, 4: 1, 7: 1, 9: 0.5, 10: 0} {
		p := s.At(Query{X: line.X[i], Y: line.Y[i], Near: 2 * float64(i)})
		if math.Abs(line.Height[i]-p.Height) > 1e-6 || math.Abs(line.CrossSlope[i]-0.05*share) > 1e-6 {
			t.Errorf("point %d: height %g, want %g; cross slope %g, want %g", i, line.Height[i], p.Height,
				line.CrossSlope[i], 0.05*share)
		}
	}
	if line, bare := (&Surface{shape: level{}}).Line(); line != nil || bare != 0 {
		t.Error("a level surface has a line")
	}
}
