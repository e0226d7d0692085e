package course

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// circle is the file of a circle that turns left, with a width, a bank and a slope of the whole plane uphill to x.
func circle(radius float64, points int, more string) string {
	var b strings.Builder
	b.WriteString("# A circle\n" + more + "x [m],y [m],z [m],left [m],right [m],bank [deg]\n")
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(points))
		fmt.Fprintf(&b, "%.15g,%.15g,%.15g,3,4,-5\n", radius*cos, radius*sin, 0.05*radius*cos)
	}
	return b.String()
}

// A circle of points is a circle: the smoothing takes 1/(1 + (L/(2 pi R))^4) of its radius.
func TestCircle(t *testing.T) {
	const radius = 50.0
	for _, smoothing := range []float64{0, 10, 100} {
		c, err := Parse("a/ring.csv", []byte(circle(radius, 200, "")), Options{Smoothing: smoothing, Step: 1})
		if err != nil {
			t.Fatal(err)
		}
		small := radius / (1 + math.Pow(smoothing/(2*math.Pi*radius), 4))
		last := len(c.S) - 1
		if !c.Closed || c.Name != "ring" || c.Title != "A circle" || c.X[0] != c.X[last] || c.Y[0] != c.Y[last] {
			t.Errorf("smoothing %g: %s, %q, closed %t", smoothing, c.Name, c.Title, c.Closed)
		}
		near := func(what string, got, want, within float64) {
			t.Helper()
			if !(math.Abs(got-want) <= within) {
				t.Errorf("smoothing %g: %s %.9g, want %.9g", smoothing, what, got, want)
			}
		}
		near("length", c.Length(), 2*math.Pi*small, 2e-5*radius)
		near("turn of a lap", c.Heading[last]-c.Heading[0], 2*math.Pi, 1e-9)
		near("move", c.Moved, radius-small, 1e-5*radius)
		for i := range c.S {
			near("radius", math.Hypot(c.X[i], c.Y[i]), small, 2e-5*radius)
			near("curvature", c.Curvature[i], 1/small, 2e-3/radius)
			near("heading", math.Remainder(c.Heading[i]-math.Atan2(c.X[i], -c.Y[i]), 2*math.Pi), 0, 1e-4)
			near("slope", c.Slope[i], math.Atan(-0.05*c.Y[i]/small), 1e-4)
			near("left", c.Left[i], 3, 1e-12)
			near("right", c.Right[i], 4, 1e-12)
			near("bank", c.Bank[i], -5*math.Pi/180, 1e-12)
		}
	}
}

// At a point of the course its place and direction are those of the point.
func TestPlacesAlongACourse(t *testing.T) {
	c, err := Read(Find("", "autocross"), Usual)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range c.S {
		x, y, heading := c.At(s)
		if math.Hypot(x-c.X[i], y-c.Y[i]) > 1e-9 || math.Abs(heading-c.Heading[i]) > 1e-9 {
			t.Fatalf("at %g m: %g, %g, %g; want %g, %g, %g", s, x, y, heading, c.X[i], c.Y[i], c.Heading[i])
		}
	}
}
