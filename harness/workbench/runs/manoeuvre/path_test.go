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

// On a path that crosses itself a point at the crossing belongs to the part from which the search comes, also where the
// other part is nearer.
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
