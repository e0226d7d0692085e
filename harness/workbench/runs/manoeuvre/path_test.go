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

// The nearest piece of a winding path is found from each piece of its bend: a search through all pieces finds the same
// one. The offset from this piece is positive where the path lies to the left.
func TestTheNearestPieceOfAPath(t *testing.T) {
	p := &Path{}
	for i := range 400 {
		s := 0.5 * float64(i)
		p.X, p.Y = append(p.X, s), append(p.Y, 20*math.Sin(s/30))
	}
	nearest := func(x, y float64) (piece int, offset float64) {
		least := math.Inf(1)
		for i := range len(p.X) - 1 {
			dx, dy := p.X[i+1]-p.X[i], p.Y[i+1]-p.Y[i]
			rx, ry := x-p.X[i], y-p.Y[i]
			along := min(max((rx*dx+ry*dy)/(dx*dx+dy*dy), 0), 1)
			if d := math.Hypot(rx-along*dx, ry-along*dy); d < least {
				least, piece = d, i
				offset = math.Copysign(d, rx*dy-ry*dx)
			}
		}
		return piece, offset
	}
	for i := 5; i < 390; i++ {
		for _, away := range []float64{-3, -0.4, 0.4, 3} {
			dx, dy := p.X[i+1]-p.X[i], p.Y[i+1]-p.Y[i]
			length := math.Hypot(dx, dy)
			x, y := p.X[i]+0.3*dx+away*dy/length, p.Y[i]+0.3*dy-away*dx/length
			want, offset := nearest(x, y)
			for _, from := range []int{want, max(want-20, 0), min(want+20, len(p.X)-2)} {
				if got, piece := p.Offset(x, y, from); piece != want || math.Abs(got-offset) > 1e-9 {
					t.Fatalf("%g m beside piece %d, from piece %d: piece %d and %.12g m; want %d and %.12g m", away, i, from, piece,
						got, want, offset)
				}
			}
		}
	}
}

// On a path that crosses itself, a point at the crossing belongs to the part where the search begins, even if the other
// part is nearer.
func TestTheNearestPieceAtACrossing(t *testing.T) {
	p := &Path{}
	for i := range 201 { // an eight, whose crossing is at its middle and at its end
		s, c := math.Sincos(2 * math.Pi * float64(i) / 200)
		p.X, p.Y = append(p.X, 40*s), append(p.Y, 40*s*c)
	}
	const off = 0.5 / math.Sqrt2
	for _, c := range []struct {
		x, y              float64
		from, first, last int
	}{{-off, off, 3, 0, 8}, {off, off, 95, 92, 108}, {off, off, 105, 92, 108}} {
		offset, piece := p.Offset(c.x, c.y, c.from)
		if piece < c.first || piece > c.last || math.Abs(math.Abs(offset)-0.5) > 0.02 {
			t.Errorf("from piece %d: piece %d at %g m", c.from, piece, offset)
		}
	}
}

// An invalid path is rejected before any of its points is made.
func TestInvalidPaths(t *testing.T) {
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
				`[track]
start = 0
[[track.section]]
length = ` + length + `
right = -1
left = 1
`
			if _, err := Parse("a.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "a.toml:") {
				t.Errorf("a track of %s m and a path of %s: %v", length, path, err)
			}
		}
	}
}

// A circle without laps goes on after each lap: the offset of the path from a point that circles equals the geometric
// offset. The piece counts laps, forwards and backwards.
func TestACircleWithoutLapsHasNoEnd(t *testing.T) {
	for _, side := range []float64{1, -1} {
		for _, direction := range []float64{1, -1} {
			circle := Circle(side*9.125, 0)
			n := len(circle.X) - 1
			piece, off := 0, 0.0
			for k := range 400 {
				angle := direction * 0.1 * float64(k)
				s, c := math.Sincos(angle)
				off, piece = circle.Offset(9*s, side*(9.125-9*c), piece)
				// inside, at 9 m from the middle: the path is outside, to the right of a circle to the left
				if math.Abs(off+side*0.125) > 1e-4 {
					t.Fatalf("at %g rad the path is %g m to the left", angle, off)
				}
				if want := angle / (2 * math.Pi) * float64(n); math.Abs(float64(piece)+0.5-want) > 1.5 {
					t.Fatalf("at %g rad: piece %d of %d a lap", angle, piece, n)
				}
				if circle.EndsBefore(9*s, 9.125-9*c, piece) {
					t.Fatalf("the circle ends at %g rad", angle)
				}
			}
			if _, middle := circle.Offset(0, side*9.125, 7); middle < 7-n/2 || middle > 7+n/2 {
				t.Errorf("from the middle: piece %d", middle)
			}
		}
	}
}

// On a closed square the search goes back to the piece before the first if a point is beside it. A search from the
// middle, with equal distances to all pieces, terminates.
func TestTheNearestPieceOfAClosedPath(t *testing.T) {
	square := &Path{X: []float64{0, 2, 2, 0, 0}, Y: []float64{0, 0, 2, 2, 0}, Closed: true}
	for _, c := range []struct {
		x, y, offset float64
		from, piece  int
	}{{-3, 0.5, 3, 0, -1}, {0.5, -3, 3, -1, 0}, {0.5, -3, 3, 3, 4}, {5, 1, 3, 4, 5}} {
		if offset, piece := square.Offset(c.x, c.y, c.from); offset != c.offset || piece != c.piece {
			t.Errorf("at (%g, %g) from piece %d: piece %d, %g m", c.x, c.y, c.from, piece, offset)
		}
	}
	if offset, piece := square.Offset(1, 1, 4); offset != -1 || piece < 2 || piece > 6 {
		t.Errorf("from the middle: piece %d, %g m", piece, offset)
	}
}

// A path ends behind its last point, seen along its last piece; a path that continues straight ahead has no end.
func TestTheEndOfAPath(t *testing.T) {
	x, y := []float64{0, 10, 10}, []float64{0, 0, 10}
	for _, c := range []struct {
		x, y float64
		ends bool
	}{{-1, 0, false}, {11, 0, false}, {10, 9.99, false}, {13, 9.99, false}, {10, 10.01, true}, {7, 10.01, true},
		{10, 50, true}} {
		for _, straightAhead := range []bool{false, true} {
			p := &Path{X: x, Y: y, StraightAhead: straightAhead}
			_, piece := p.Offset(c.x, c.y, 0)
			if got := p.EndsBefore(c.x, c.y, piece); got != (c.ends && !straightAhead) {
				t.Errorf("at (%g, %g), straight ahead %t: ends %t", c.x, c.y, straightAhead, got)
			}
		}
	}
}

// A file says which paths end: a circle with laps and points, unless the driver goes straight ahead; no others.
func TestWhichPathsEnd(t *testing.T) {
	const points = `kind = "points", x = [0, "2 km"], y = [0, "50 cm"]`
	const circle = `kind = "circle", radius = 10`
	for path, ends := range map[string]bool{points: true, points + `, straight_ahead = true`: false,
		points + `, straight_ahead = false`: true, circle + `, laps = 2`: true,
		circle + `, laps = 2, straight_ahead = true`: false, circle: false, `kind = "track", into = 0`: false} {
		text := strings.Replace(measured, points, path, 1)
		if strings.Contains(path, "track") {
			text += "[track]\nstart = 0\n[[track.section]]\nlength = 10\nright = -1\nleft = 1\n"
		}
		m, err := Parse("a.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := m.Phases[len(m.Phases)-1].Path
		last := len(p.X) - 1
		x, y := 2*p.X[last]-p.X[last-1], 2*p.Y[last]-p.Y[last-1]
		if _, piece := p.Offset(x, y, last-1); p.EndsBefore(x, y, piece) != ends {
			t.Errorf("%s: ends %t", path, !ends)
		}
	}
	_, err := Parse("a.toml",
		[]byte(strings.Replace(measured, points, `kind = "circle", radius = 10, straight_ahead = true`, 1)))
	if err == nil || !strings.Contains(err.Error(), "no end to go straight ahead behind it; give laps") {
		t.Errorf("a circle without an end, and straight ahead behind it: %v", err)
	}
}

// All laps of a figure of eight have its radius, first around the right centre, then around the left one. The path
// begins and ends straight ahead.
func TestFigureOfEight(t *testing.T) {
	const radius, straight = 9.0, 20.0
	for _, laps := range []float64{1, 2} {
		p := FigureOfEight(radius, laps, straight)
		length, right := 0.0, 0.0
		for i := 1; i < len(p.X); i++ {
			length += math.Hypot(p.X[i]-p.X[i-1], p.Y[i]-p.Y[i-1])
			if s := length - straight; s > 1e-9 && s < 4*math.Pi*radius*laps-0.1 {
				side := 1.0
				if s < 2*math.Pi*radius*laps-0.01 {
					side, right = -1, right+1
				}
				if d := math.Hypot(p.X[i]-straight, p.Y[i]-side*radius); math.Abs(d-radius) > 1e-9 {
					t.Fatalf("at %g m the path is %g m from the centre", length, d)
				}
			}
		}
		if want := straight + 4*math.Pi*radius*laps + radius; math.Abs(length-want) > 1e-3 || right < 2000*laps {
			t.Errorf("%g laps: %g m, want %g m", laps, length, want)
		}
		n := len(p.X) - 1
		if p.X[0] != 0 || p.Y[0] != 0 || p.X[n] != straight+radius || p.Y[n] != 0 || p.Curvature != 1/radius ||
			!p.StraightAhead || p.Closed {
			t.Errorf("the path goes from %g, %g to %g, %g", p.X[0], p.Y[0], p.X[n], p.Y[n])
		}
	}
	if p := FigureOfEight(radius, 1, 0); p.X[0] != 0 || p.X[1] == 0 {
		t.Error("without a straight the path begins with two equal points")
	}
}

// A driver looks at least some metres ahead, and backwards by the time alone.
func TestTheDistanceAhead(t *testing.T) {
	f := PathFollower{Preview: 0.8, Nearest: 3}
	for speed, want := range map[float64]float64{0: 3, 1: 3, 10: 8, -10: -8, -0.1: -0.08} {
		if got := f.Ahead(speed); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g m/s: %g m, want %g m", speed, got, want)
		}
	}
}
