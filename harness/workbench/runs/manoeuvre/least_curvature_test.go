package manoeuvre

import (
	"math"
	"testing"

	"skidpad/harness/workbench/results/figures"
)

// shifted are two narrow lanes, the second one D m to the left behind a gap of 30 m.
func shifted(width, aside float64) []figures.Section {
	nothing := math.NaN()
	return []figures.Section{{From: 10, To: 20, Right: -width / 2, Left: width / 2},
		{From: 20, To: 50, Right: nothing, Left: nothing},
		{From: 50, To: 70, Right: aside - width/2, Left: aside + width/2}}
}

// Between two lanes in which a body has no room, the least of the largest curvatures is 4 D/L^2: to the left on half of
// the way, to the right on the other one. L is the gap, less the body, whose rear leaves the first lane before its
// front comes to the second one. A point can bend its path within the last steps of 1 m in the lanes, which is a step
// more.
func TestThePathOfLeastCurvature(t *testing.T) {
	const room, aside = 2e-6, 3.0
	for _, c := range []struct {
		body   figures.Outline
		margin float64
		length float64
	}{
		{figures.Outline{}, 0, 31},
		{figures.Outline{Front: 2, Rear: 1, Width: 1.8}, 0.1, 27},
	} {
		track := shifted(c.body.Width+2*c.margin+room, aside)
		p, is := leastCurvature(track, c.body, c.margin)
		if !is {
			t.Fatalf("%+v: there is no path", c.body)
		}
		want := 4 * aside / (c.length * c.length)
		if math.Abs(p.Curvature-want) > 0.01*want {
			t.Errorf("%+v: the largest curvature is %g; want %g", c.body, p.Curvature, want)
		}
		if p.X[0] != 0 || p.Y[0] != 0 || !p.StraightAhead {
			t.Errorf("%+v: the path begins at %g, %g", c.body, p.X[0], p.Y[0])
		}
		largest := 0.0
		for i := 1; i < len(p.X)-1; i++ {
			h := p.X[i] - p.X[i-1]
			largest = max(largest, math.Abs(p.Y[i+1]-2*p.Y[i]+p.Y[i-1])/(h*h))
			if x := p.X[i]; x >= 10 && x <= 20 && math.Abs(p.Y[i]) > 1e-3 || x >= 50 && x <= 70 &&
				math.Abs(p.Y[i]-aside) > 1e-3 {
				t.Errorf("%+v: at %g m the path is at %g m, out of its lane", c.body, x, p.Y[i])
			}
		}
		if largest > p.Curvature*(1+1e-4) {
			t.Errorf("%+v: the path has a curvature of %g, above %g", c.body, largest, p.Curvature)
		}
	}
	// in a wide lane the body goes to the border before it leaves, so that the curvature is less
	wide, is := leastCurvature(shifted(1, aside), figures.Outline{}, 0)
	if !is || wide.Curvature > 4*(aside-1)/900*1.01 {
		t.Errorf("with room in the lanes the largest curvature is %g", wide.Curvature)
	}
	near, is := leastCurvature(shifted(1, aside), figures.Outline{}, 0.25)
	if !is || near.Curvature <= wide.Curvature {
		t.Errorf("with a margin the largest curvature is %g, without one %g", near.Curvature, wide.Curvature)
	}
	if _, is := leastCurvature(shifted(0.1, 2000), figures.Outline{}, 0); is {
		t.Error("a path leads to a lane that is 2 km aside")
	}
}

// A body on a circle sees a parabola ahead. A body that leaves a straight line by an angle sees a line at this angle.
// Behind its end a path goes straight ahead.
func TestThePathAheadOfABody(t *testing.T) {
	const step, count = 0.5, 60
	offsets, curvatures := make([]float64, count), make([]float64, count)
	for _, radius := range []float64{100, -100} {
		circle := Circle(radius, 0)
		for _, at := range []float64{0.3, 3.1, 6.2} {
			for _, away := range []float64{0, 1} { // towards the middle
				s, c := math.Sincos(at)
				sign := math.Copysign(1, radius)
				x, y := (100-away)*s, sign*(100-(100-away)*c)
				_, piece := circle.Offset(x, y, int(at/(2*math.Pi)*float64(len(circle.X)-1)))
				circle.Ahead(piece, x, y, sign*at+0.02, step, offsets, curvatures)
				for i, got := range offsets {
					way := step * float64(i)
					want := -sign*away - 0.02*way + way*way/(2*radius)
					if math.Abs(got-want) > 1e-3 {
						t.Fatalf("radius %g, at %g rad, %g m inside: %g m ahead the path is %g m aside; want %g", radius, at, away,
							way, got, want)
					}
					if math.Abs(curvatures[i]-1/radius) > 1e-6 {
						t.Fatalf("radius %g: %g m ahead the curvature is %g 1/m", radius, way, curvatures[i])
					}
				}
			}
		}
	}
	bent := &Path{X: []float64{0, 10, 20}, Y: []float64{0, 0, 10}}
	bent.Ahead(0, 4, -1, 0, 1, offsets, curvatures)
	for i, got := range offsets {
		want := 1 + math.Pi/4*max(0, float64(i)-6)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%d m ahead the path is %g m aside; want %g", i, got, want)
		}
		curvature := 0.0 // from the middle of a piece to that of the other
		if at := float64(i) - 6; at > -5 && at <= 5*math.Sqrt2 {
			curvature = math.Pi / 4 / (5 + 5*math.Sqrt2)
		}
		if math.Abs(curvatures[i]-curvature) > 1e-12 {
			t.Errorf("%d m ahead the curvature is %g 1/m; want %g", i, curvatures[i], curvature)
		}
	}
}

// Averages leave straight lines as they are, and a curve with the second difference k by k n (n+1)/6 for n values to
// both sides; their second difference changes evenly where it jumped.
func TestTheTransitionOfAPath(t *testing.T) {
	const n, k = 3, 0.02
	y := make([]float64, 40)
	for i := range y {
		y[i] = 5 + 0.3*float64(i)
		if over := float64(i - 20); over > 0 {
			y[i] += k * over * (over - 1) / 2
		}
	}
	list := averaged(y, n)
	for i := range list {
		want := y[i]
		if i > 20+n && i < len(y)-n {
			want += k * n * (n + 1) / 6
		}
		if (i <= 20-n || i > 20+n && i < len(y)-n || i == len(y)-1) && math.Abs(list[i]-want) > 1e-12 {
			t.Errorf("value %d is %g; want %g", i, list[i], want)
		}
	}
	for i := 20 - n; i <= 20+n; i++ {
		got, want := list[i+1]-2*list[i]+list[i-1], k*float64(i-20+n)/(2*n+1)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("the second difference at %d is %g; want %g", i, got, want)
		}
	}
	if few := averaged([]float64{0, 1, 3}, 5); few[0] != 0 || math.Abs(few[2]-3) > 1e-12 {
		t.Errorf("few values become %v", few)
	}
}

// A path ends where less way is left than the driver looks ahead, along all of its pieces.
func TestTheEndOfAPathAhead(t *testing.T) {
	p := &Path{X: []float64{0, 10, 20}, Y: []float64{0, 0, 10}}
	length := 6 + 10*math.Sqrt2
	for way, want := range map[float64]bool{length - 0.01: false, length + 0.01: true, 5: false} {
		if p.Ends(0, 4, 1, way) != want {
			t.Errorf("%g m before the end, looking %g m ahead: %t", length, way, !want)
		}
	}
	if straight := (&Path{X: p.X, Y: p.Y, StraightAhead: true}); straight.Ends(0, 4, 1, 100) {
		t.Error("a path with straight_ahead ends")
	}
	if Circle(10, 0).Ends(3, 0, 0, 1e6) {
		t.Error("a circle ends")
	}
}
