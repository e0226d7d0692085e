package course

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// coned is a file of cones on both sides of a line that a function gives by its distance, with its heading.
func coned(length, width, apart float64, ring bool, line func(s float64) (x, y, heading float64)) []string {
	var rows []string
	for i, side := range []string{"left", "yellow"} {
		out := width / 2 * float64(1-2*i)
		n := int(length/apart) + i // other places on the right
		last := n
		if ring {
			last--
		}
		for k := 0; k <= last; k++ {
			x, y, heading := line(length * float64(k) / float64(n))
			sin, cos := math.Sincos(heading)
			rows = append(rows, fmt.Sprintf("%.12g,%.12g,%s", x-out*sin, y+out*cos, side))
		}
	}
	return rows
}

// mixed leaves the first cone of each side first, and shuffles the others.
func mixed(rows []string, random *rand.Rand) string {
	rows = append([]string{}, rows...)
	for i, row := range rows {
		if strings.HasSuffix(row, "yellow") {
			rows[1], rows[i] = rows[i], rows[1]
			break
		}
	}
	random.Shuffle(len(rows)-2, func(i, k int) { rows[i+2], rows[k+2] = rows[k+2], rows[i+2] })
	return "# Cones\nx [m],y [m],cone\n" + strings.Join(rows, "\n") + "\n"
}

// around is a circle to the left from the origin along x.
func around(radius float64) func(s float64) (x, y, heading float64) {
	return func(s float64) (x, y, heading float64) {
		sin, cos := math.Sincos(s / radius)
		return radius * sin, radius * (1 - cos), s / radius
	}
}

// waves turns to both sides, up to 60 degrees, with a radius of 9 m at least.
func waves(s float64) (x, y, heading float64) {
	const parts = 1000
	for i := range parts {
		at := s * (float64(i) + 0.5) / parts
		sin, cos := math.Sincos(math.Pi / 3 * math.Sin(at*3/(9*math.Pi)))
		x, y = x+cos*s/parts, y+sin*s/parts
	}
	return x, y, math.Pi / 3 * math.Sin(s*3/(9*math.Pi))
}

// The middle line of cones in any order is the line that they were put along, and its borders are as far away as the
// straight lines between the cones.
func TestConesInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const width, apart = 3.5, 4.0
	for range 5 {
		c, err := Parse("ring.csv", []byte(mixed(coned(2*math.Pi*20, width, apart, true, around(20)), random)), Usual)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Closed || c.Title != "Cones" || math.Abs(c.Length()-2*math.Pi*20) > 1 {
			t.Errorf("a ring of %g m, closed: %t", c.Length(), c.Closed)
		}
		for i := range c.S {
			if r := math.Hypot(c.X[i], c.Y[i]-20); math.Abs(r-20) > 0.15 {
				t.Fatalf("the line is %g m from the centre; want 20 m", r)
			}
			// the middle of a chord is nearer to the centre than its cones
			if math.Abs(c.Left[i]-width/2) > 0.2 || math.Abs(c.Right[i]-width/2) > 0.25 {
				t.Fatalf("borders of %g and %g m at %g m; want %g m", c.Left[i], c.Right[i], c.S[i], width/2)
			}
		}
		if c.Heading[0] < -0.2 || c.Heading[0] > 0.2 || c.Heading[len(c.S)-1] < 6 {
			t.Errorf("the ring turns from %g to %g rad", c.Heading[0], c.Heading[len(c.S)-1])
		}
		if c, err = Parse("open.csv", []byte(mixed(coned(120, width, apart, false, waves), random)), Usual); err != nil {
			t.Fatal(err)
		}
		x, y, _ := waves(120)
		n := len(c.S) - 1
		if c.Closed || math.Hypot(c.X[0], c.Y[0]) > 0.5 || math.Hypot(c.X[n]-x, c.Y[n]-y) > 0.5 {
			t.Errorf("the line ends at %g, %g; want %g, %g", c.X[n], c.Y[n], x, y)
		}
		for i := range c.S {
			nearest := math.Inf(1)
			for s := 0.0; s < 120; s++ {
				px, py, heading := waves(s)
				sin, cos := math.Sincos(heading)
				if along := cos*(c.X[i]-px) + sin*(c.Y[i]-py); math.Abs(along) < 1 {
					nearest = min(nearest, math.Abs(cos*(c.Y[i]-py)-sin*(c.X[i]-px)))
				}
			}
			if nearest > 0.5 && i > 0 && i < n {
				t.Fatalf("the line is %g m off at %g m", nearest, c.S[i])
			}
		}
	}
}

// hairpin leads 40 m along x, turns back to the right with a radius of 4 m, and leads 40 m back.
func hairpin(s float64) (x, y, heading float64) {
	const straight, radius = 40.0, 4.0
	turned := (s - straight) / radius
	switch {
	case turned < 0:
		return s, 0, 0
	case turned > math.Pi:
		return 2*straight + math.Pi*radius - s, -2 * radius, -math.Pi
	}
	sin, cos := math.Sincos(turned)
	return straight + radius*sin, -radius * (1 - cos), -turned
}

// A chain of cones goes on along the track, though a cone of the way back is nearer.
func TestConesOfAHairpin(t *testing.T) {
	rows := coned(80+4*math.Pi, 3.5, 5, false, hairpin)
	c, err := Parse("hairpin.csv", []byte(mixed(rows, rand.New(rand.NewPCG(3, 4)))), Options{Smoothing: 2, Step: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := len(c.S) - 1
	if math.Hypot(c.X[n], c.Y[n]+8) > 0.5 || math.Abs(c.Length()-80-4*math.Pi) > 3 {
		t.Errorf("the line of %g m ends at %g, %g", c.Length(), c.X[n], c.Y[n])
	}
	left, right := 0.0, 0.0 // outside of the turn, chords are nearer to the line; inside they are farther away
	for i := range c.S {
		if c.X[i] > 40.5 {
			left, right = left+c.Left[i], right+c.Right[i]
		}
	}
	if !(right > left) {
		t.Errorf("sums of the borders in the turn: %g m left, %g m right", left, right)
	}
}

// An error names the line of a cone that does not belong to the track.
func TestConesAtFault(t *testing.T) {
	ring := coned(2*math.Pi*20, 3.5, 4, true, around(20))
	open := coned(120, 3.5, 4, false, waves)
	text := func(rows ...string) string { return "x [m],y [m],cone\n" + strings.Join(rows, "\n") + "\n" }
	half := append(append([]string{}, ring[:10]...), ring[16:]...)
	for want, file := range map[string]string{
		`tour.csv:3:5: "green" is no side of a cone; it is left (blue) or right (yellow)`: text("0,0,left", "0,1,green"),
		"tour.csv:1:23: a list of cones has the columns x [m], y [m] and cone":            "x [m],y [m],width [m],cone\n",
		"tour.csv: 2 cones on the right side; a track has at least 5 on each side": text("0,3,left", "0,0,right", "5,3,left",
			"5,0,right", "10,3,left", "15,3,left", "20,3,left"),
		"does not reach the cone of line 65":          text(append(append([]string{}, ring...), "200,200,left")...),
		"the cones on the left side are a chain from": text(half...),
		"to line 32, which does not reach the cone of line 65": text(append(append([]string{}, open...), func() string {
			x, y, heading := waves(118)
			sin, cos := math.Sincos(heading)
			return fmt.Sprintf("%g,%g,left", x-3*sin, y+3*cos)
		}())...),
		"tour.csv: the cones on the left side are a ri": text(append(append([]string{}, ring[:31]...), open[31:]...)...),
	} {
		if _, err := Parse("tour.csv", []byte(file), Usual); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	var many strings.Builder
	many.WriteString("x [m],y [m],cone\n")
	for i := range mostCones + 1 {
		fmt.Fprintf(&many, "%d,%d,%s\n", i/2, i%2*3, []string{"right", "left"}[i%2])
	}
	if _, err := Parse("many.csv", []byte(many.String()), Usual); err == nil ||
		!strings.Contains(err.Error(), "5001 cones") {
		t.Errorf("too many cones: %v", err)
	}
}
