package manoeuvre

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/signal"
)

const (
	measuredPath  = `kind = "points", x = [0, "2 km"], y = [0, "50 cm"]`
	measuredSpeed = `speed = { kind = "constant", value = "speed" }`
)

// onTrack is the path of the last phase of a manoeuvre with another path.
func onTrack(t *testing.T, path string) *Path {
	t.Helper()
	m, err := Parse("a.toml", []byte(strings.Replace(measured, measuredPath, path, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return m.Phases[len(m.Phases)-1].Path
}

// A path along a track begins at the body, straight ahead, wherever on the track. The oval is the same from half a lap
// on; 100 m from its start it is still straight for 100 m.
func TestPathsAlongTracks(t *testing.T) {
	whole := onTrack(t, `kind = "course", file = "oval"`)
	if !whole.Closed || math.Abs(whole.Lap-856.99) > 0.1 || whole.X[0] != 0 || whole.Y[0] != 0 {
		t.Errorf("closed %t, lap %g, begins at %g, %g", whole.Closed, whole.Lap, whole.X[0], whole.Y[0])
	}
	half := onTrack(t, `kind = "course", file = "oval", start = 428.495, laps = 2, straight_ahead = true`)
	if half.Closed || !half.StraightAhead || len(half.X) != 2*len(whole.X)-1 {
		t.Errorf("closed %t, %d of %d points", half.Closed, len(half.X), len(whole.X))
	}
	for i := range half.X {
		k := i % (len(whole.X) - 1)
		if d := math.Hypot(half.X[i]-whole.X[k], half.Y[i]-whole.Y[k]); d > 0.6 { // the half is between two points
			t.Fatalf("point %d is %g m beside", i, d)
		}
	}
	later := onTrack(t, `kind = "course", file = "oval", start = 100`)
	for i := range 90 {
		if math.Abs(later.X[i]-float64(i)) > 0.1 || math.Abs(later.Y[i]) > 0.01 {
			t.Fatalf("%d m behind 100 m of the straight: %g, %g", i, later.X[i], later.Y[i])
		}
	}
	if last := len(later.X) - 1; math.Hypot(later.X[last], later.Y[last]) > 1e-9 {
		t.Errorf("the path ends at %g, %g", later.X[last], later.Y[last])
	}
	for start := 0; start < 850; start += 50 { // in turns, too
		turned := onTrack(t, fmt.Sprintf(`kind = "course", file = "oval", start = %d`, start))
		if math.Abs(turned.X[1]-1) > 0.01 || math.Abs(turned.Y[1]) > 0.01 {
			t.Errorf("from %d m the path leads to %g, %g", start, turned.X[1], turned.Y[1])
		}
	}
	for _, start := range []float64{0.2, 0.5, 99.7, 230.4, 856.9} { // also between points
		path := onTrack(t, fmt.Sprintf(`kind = "course", file = "oval", start = %g, laps = 2`, start))
		lengths := path.Lengths()
		last := len(lengths) - 1
		if math.Abs(lengths[last]-2*856.99) > 0.1 || math.Hypot(path.X[last], path.Y[last]) > 1e-9 {
			t.Errorf("from %g m: %g m, ends at %g, %g", start, lengths[last], path.X[last], path.Y[last])
		}
		for i := 1; i <= last; i++ {
			if d := lengths[i] - lengths[i-1]; !(d > 0.49 && d < 1.51) {
				t.Errorf("from %g m: a step of %g m", start, d)
			}
		}
	}
	race := onTrack(t, `kind = "course", file = "oval", line = "least-curvature", body_width = 1.8, margin = "50 cm"`)
	if !(race.Lap > whole.Lap+5) { // near the outer border
		t.Errorf("race line of %g m", race.Lap)
	}
}

// A path from a place between two points of a circle with the radius R to the left is the circle from there on:
// (R sin a, R - R cos a). An open path ends at the end of the track; a start near the end leaves the last step.
func TestStartsBetweenPoints(t *testing.T) {
	const radius = 20.0
	ring, lane := "x [m],y [m],width [m]\n", "x [m],y [m],width [m]\n"
	for i := range 120 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 120)
		ring += fmt.Sprintf("%.9f,%.9f,6\n", radius*cos, radius*sin)
		lane += fmt.Sprintf("%d,0,6\n", i)
	}
	options := course.Options{Step: 1}
	circle, err := course.Parse("ring.csv", []byte(ring), options)
	if err != nil {
		t.Fatal(err)
	}
	straight, err := course.Parse("lane.csv", []byte(lane), options)
	if err != nil {
		t.Fatal(err)
	}
	for start := 0.0; start < circle.Length(); start += 0.31 {
		p := Along(circle, start, 1)
		for i := range p.X {
			if d := math.Abs(math.Hypot(p.X[i], p.Y[i]-radius) - radius); d > 1e-4 {
				t.Fatalf("from %g m: point %d is %g m beside the circle", start, i, d)
			}
		}
		a := (math.Round(start/circle.S[1])*circle.S[1] + circle.S[1] - start) / radius
		if math.Abs(p.X[1]-radius*math.Sin(a)) > 1e-4 || math.Abs(p.Y[1]-radius*(1-math.Cos(a))) > 1e-4 {
			t.Errorf("from %g m the path leads to %g, %g", start, p.X[1], p.Y[1])
		}
	}
	for start, want := range map[float64]float64{0: 119, 60.25: 58.75, 118.9: 1, 118.2: 1} {
		p := Along(straight, start, 0)
		if last := len(p.X) - 1; p.Closed || p.Lap != 0 || math.Abs(p.X[last]-want) > 1e-6 || math.Abs(p.Y[last]) > 1e-6 {
			t.Errorf("from %g m to %g, %g; want %g", start, p.X[last], p.Y[last], want)
		}
	}
}

// The distance along a path begins again in each lap.
func TestDistancesAlongPaths(t *testing.T) {
	square := &Path{X: []float64{0, 10, 10, 0, 0}, Y: []float64{0, 0, 10, 10, 0}, Closed: true, Lap: 40}
	twice := &Path{X: []float64{0, 10, 10, 0, 0, 10, 10, 0, 0}, Y: []float64{0, 0, 10, 10, 0, 0, 10, 10, 0}, Lap: 40}
	open := &Path{X: []float64{0, 10, 10}, Y: []float64{0, 0, 10}}
	for _, c := range []struct {
		path  *Path
		x, y  float64
		piece int
		want  float64
	}{{square, 3, 1, 0, 3}, {square, 11, 4, 1, 14}, {square, 3, 1, 8, 3}, {square, -1, 4, -1, 36}, {twice, 3, 1, 4, 3},
		{twice, 3, 1, 0, 3}, {twice, 11, 4, 5, 14}, {open, 11, 4, 1, 14}, {open, -2, 1, 0, -2}, {square, -2, 0, 0, 38}} {
		if got := c.path.Distance(c.path.Lengths(), c.x, c.y, c.piece); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("at (%g, %g) in piece %d: %g m, want %g m", c.x, c.y, c.piece, got, c.want)
		}
	}
}

// A speed over the distance is a list or a file.
func TestSpeedsOverTheDistance(t *testing.T) {
	folder := t.TempDir()
	csv := filepath.Join(folder, "speed.csv")
	if err := os.WriteFile(csv, []byte("distance [km],speed [km/h]\n0,36\n0.1,72\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "a.toml")
	for _, speed := range []string{`file = "speed.csv"`, `distance = [0, "0.1 km"], value = ["speed", "72 km/h"]`} {
		before, after, _ := strings.Cut(measured, measuredPath)
		text := before + measuredPath + ` }
speed = { kind = "over-distance", ` + speed + after
		m, err := Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := m.Phases[len(m.Phases)-1]
		of, is := p.Speed.(signal.PiecewiseLinear)
		if !p.ByDistance || !is || len(of.Time) != 2 {
			t.Fatalf("%s: %+v", speed, p.Speed)
		}
		for at, want := range map[float64]float64{-1: 10, 0: 10, 50: 15, 100: 20, 200: 20} {
			if got, _, _ := of.At(at); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %g m/s at %g m, want %g", speed, got, at, want)
			}
		}
	}
}

// Faults of both have their place in the manoeuvre, those of files also the place there.
func TestFaultyCourses(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"bad.csv":  "x [m],y [m],width [m]\n0,0,4\n10,0,4\n20,0,0\n30,0,4\n40,0,4\n",
		"open.csv": "x [m],y [m],width [m]\n0,0,4\n10,0,4\n20,0,4\n30,0,4\n40,0,4\n",
		"down.csv": "distance [m],speed [m/s]\n0,10\n50,20\n40,20\n",
		"same.csv": "distance [m],speed [m/s]\n0,10\n50,20\n50,30\n",
		"one.csv":  "distance [m]\n0\n", "none.csv": "distance [m],speed [m/s]\n",
		"word.csv": "distance [m],speed [m/s]\n0,fast\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const oval = `kind = "course", file = "oval"`
	const speed = measuredPath + " }\nspeed = { kind = \"over-distance\""
	for _, c := range [][2]string{
		{`kind = "course", file = "ovel"`, `no track "ovel"; skidpad list tracks shows their names`},
		{`kind = "course", file = "bad.csv"`, "bad.csv:4:6: width 0 is not above 0"},
		{oval + `, laps = 1.5`, "1.5 laps; whole ones from 1 to 100 are possible"},
		{oval + `, laps = 101`, "101 laps; whole ones from 1 to 100 are possible"},
		{`kind = "course", file = "open.csv", laps = 1`, "the track is open, and has no laps"},
		{oval + `, start = 900`, "900 m is not on the line, which is 856.9"},
		{oval + `, straight_ahead = true`, "give laps"},
		{oval + `, line = "least-curvature"`, "body_width"},
		{oval + `, line = "ideal"`, "least-curvature"},
		{oval + `, line = "least-curvature", body_width = 12`, "does not fit into the 12 m"},
		{speed, "distance"},
		{speed + `, distance = [0], value = [1], file = "down.csv"`, "given twice"},
		{speed + `, distance = [0, 1], value = [1]`, "1 speeds for 2 distances"},
		{speed + `, distance = [0, 1, 1], value = [1, 1, 1]`, "distance 1 after 1; "},
		{speed + `, file = "down.csv"`, "down.csv:4: distance 40 m after 50 m"},
		{speed + `, file = "same.csv"`, "same.csv:4: distance 50 m after 50 m"},
		{speed + `, file = "one.csv"`, "one.csv:1: column speed [m/s] is missing"},
		{speed + `, file = "none.csv"`, "none.csv: no row of numbers"},
		{speed + `, file = "word.csv"`, `word.csv:2:3: "fast" of column speed`},
		{speed + `, file = "no.csv"`, "no.csv"},
	} {
		text, want := c[0], c[1]
		_, err := Parse(filepath.Join(folder, "a.toml"), []byte(strings.Replace(measured, measuredPath, text, 1)))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.toml:") {
			t.Errorf("%s: error %v; want %s", text, err, want)
		}
	}
	text := strings.Replace(measured, measuredSpeed, `speed = { kind = "over-distance", distance = [0], value = [1] }`, 1)
	if _, err := Parse("a.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), "needs a path in its phase") {
		t.Error(err)
	}
}
