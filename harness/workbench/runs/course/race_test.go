package course

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// piece is a part of a line: its length [m], and its curvature [1/m].
type piece struct{ length, curvature float64 }

// arc is a turn by an angle [deg], negative to the right.
func arc(radius, angle float64) piece {
	return piece{radius * math.Abs(angle) * math.Pi / 180, math.Copysign(1/radius, angle)}
}

// laid is an open track of straights and arcs, from the origin along x, with points that are some spacing apart [m].
func laid(width, spacing float64, pieces ...piece) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# open\nx [m],y [m],width [m]\n0,0,%g\n", width)
	x, y, heading := 0.0, 0.0, 0.0
	for _, p := range pieces {
		n := int(math.Ceil(p.length/spacing - 1e-9))
		for range n {
			h := p.length / float64(n)
			half := h * p.curvature / 2
			chord := h
			if half != 0 {
				chord = h * math.Sin(half) / half
			}
			x, y = x+chord*math.Cos(heading+half), y+chord*math.Sin(heading+half)
			heading += 2 * half
			fmt.Fprintf(&b, "%.15g,%.15g,%g\n", x, y, width)
		}
	}
	return b.String()
}

// exact is a course through all points of a file.
func exact(t *testing.T, text string, step float64) *Course {
	t.Helper()
	c, err := Parse("track.csv", []byte(text), Options{Step: step})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// raced is the line of least curvature with 3 m of room to both sides, in a track of 8 m.
func raced(t *testing.T, c *Course) *Course {
	t.Helper()
	line, err := c.LeastCurvature(1.6, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// energy is the integral of the squared curvature along a course [1/m].
func energy(c *Course) (sum float64) {
	for i := 1; i < len(c.S); i++ {
		sum += (c.S[i] - c.S[i-1]) * (c.Curvature[i]*c.Curvature[i] + c.Curvature[i-1]*c.Curvature[i-1]) / 2
	}
	return sum
}

// offsetAt is how far to the left of a course, at the distance s, a line passes [m].
func offsetAt(c, line *Course, s float64) float64 {
	i := int(math.Round(s / c.S[1]))
	sin, cos := math.Sincos(c.Heading[i])
	ahead, left := math.Inf(-1), 0.0
	for k := range line.X {
		dx, dy := line.X[k]-c.X[i], line.Y[k]-c.Y[i]
		next, nextLeft := cos*dx+sin*dy, cos*dy-sin*dx
		if ahead <= 0 && next >= 0 && math.Abs(nextLeft) < 10 {
			if k == 0 {
				return nextLeft
			}
			return left + (nextLeft-left)*ahead/(ahead-next)
		}
		ahead, left = next, nextLeft
	}
	return math.NaN()
}

// On a straight there is nothing to gain, and the line stays in the middle.
func TestRaceLineOfAStraight(t *testing.T) {
	c := exact(t, strings.ReplaceAll(laid(8, 5, piece{200, 0}), "width [m]", "width [ft]"), 1)
	line, err := c.LeastCurvature(1, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range line.S {
		if math.Abs(line.Curvature[i]) > 1e-9 || math.Abs(line.Y[i]) > 1e-6 || math.Abs(line.Left[i]-4*0.3048) > 1e-6 {
			t.Fatalf("at %g m: curvature %g, y %g, left border %g", line.S[i], line.Curvature[i], line.Y[i], line.Left[i])
		}
	}
	if _, err := c.LeastCurvature(2, 0.3); err == nil || !strings.Contains(err.Error(),
		"a car of 2 m with a margin of 0.3 m on both sides does not fit into the 2.438 m between the borders 0 m along") {
		t.Error(err)
	}
}

// On a closed circle the outer border is best: for simple closed curves the integral squared times the area is at least
// 4 pi^3 (Bucur and Henrot, A new isoperimetric inequality for elasticae, 2017), and none has more area than that
// border, whose integral is 2 pi/r.
func TestRaceLineOfACircle(t *testing.T) {
	c := exact(t, circle(40, 120, ""), 1)
	line, err := c.LeastCurvature(1.6, 0.2) // 3 m to the outer border: 4 m
	if err != nil {
		t.Fatal(err)
	}
	for i := range line.S {
		if r := math.Hypot(line.X[i], line.Y[i]); math.Abs(r-43) > 1e-3 || math.Abs(line.Curvature[i]-1/r) > 1e-4/r {
			t.Fatalf("radius %g, curvature %g", r, line.Curvature[i])
		}
		if math.Abs(line.Left[i]-6) > 1e-3 || math.Abs(line.Right[i]-1) > 1e-3 {
			t.Fatalf("borders %g and %g", line.Left[i], line.Right[i])
		}
		// the outer side of the bank, the right one, is higher by 5 degrees
		want := 0.05*line.X[i]*40/43 + 3*math.Tan(5*math.Pi/180)
		if math.Abs(line.Z[i]-want) > 2e-3 {
			t.Fatalf("height %g, want %g", line.Z[i], want)
		}
	}
	if got, want := energy(line), 2*math.Pi/43; math.Abs(got-want) > 1e-4*want {
		t.Errorf("integral %g, want %g", got, want)
	}
	if line.Length() < 2*math.Pi*42.99 || !line.Closed {
		t.Errorf("length %g, closed %t", line.Length(), line.Closed)
	}
}

// A corner of 90 degrees and an S-bend against an independent program: it seeks the curvature along the line itself, in
// straight pieces with 97 knots, by sequential quadratic programming (SciPy), with exact distances from straights and
// arcs. Points ten times finer change the line by 3 cm at most.
func TestRaceLinesOfCorners(t *testing.T) {
	for _, test := range []struct {
		name    string
		pieces  []piece
		best    float64 // integral
		offsets map[float64]float64
	}{
		{"corner", []piece{{100, 0}, arc(25, 90), {100, 0}}, 0.033101, map[float64]float64{71.78: -2.9984, 83.74: -2.6739,
			95.71: -0.9652, 107.67: 2.0754, 119.63: 3, 131.6: 2.0714, 143.56: -0.9696, 155.53: -2.6758, 167.49: -2.9985}},
		{"bend", []piece{{60, 0}, arc(25, 60), {20, 0}, arc(25, -60), {60, 0}}, 0.0294, map[float64]float64{28.85: -2.9961,
			38.47: -2.8014, 48.09: -1.9695, 57.71: -0.0018, 67.33: 2.3876, 76.94: 2.9893, 86.56: 1.8642, 96.18: -0.0025}},
	} {
		text := laid(8, 0.5, test.pieces...)
		fine := exact(t, text, 0.1)
		for _, step := range testrun.Either([]float64{1}, []float64{1, 0.1}) {
			line := raced(t, exact(t, text, step))
			if got := energy(line); math.Abs(got-test.best) > 1e-3*test.best {
				t.Errorf("%s in steps of %g m: integral %.6g, want %.6g", test.name, step, got, test.best)
			}
			for s, want := range test.offsets {
				if got := offsetAt(fine, line, s); !(math.Abs(got-want) < 0.03) {
					t.Errorf("%s in steps of %g m: offset %.4f at %.4g m, want %.4f", test.name, step, got, s, want)
				}
			}
			if before := energy(exact(t, text, step)); !(energy(line) < 0.6*before) {
				t.Errorf("%s: the middle has %g", test.name, before)
			}
		}
	}
}
