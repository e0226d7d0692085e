package evaluate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Both drivers take the passenger car round shipped tracks at a moderate speed, one on the reference line and one on
// the line of least curvature, and all of the body stays between the borders. The turns of the autocross are too tight
// for the gains of the path follower: it is 1.6 m beside the line there.
func TestTheCarDrivesLapsOfTheShippedTracks(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	const body, margin = 1.8, 0.4 // m
	const adapts = "[driver]\nslowest = 3\nfastest = 20\n"
	for _, lap := range []struct {
		track string
		speed float64 // m/s
	}{{"oval", 15}, {"club", 8}, {"autocross", 5}} {
		centre, err := course.Read(course.Find("", lap.track), course.Usual)
		if err != nil {
			t.Fatal(err)
		}
		race, err := centre.LeastCurvature(body, margin)
		if err != nil {
			t.Fatal(err)
		}
		for driver, name := range map[string]string{"": "centre", adapts: "least-curvature"} {
			if driver == "" && lap.track != "oval" {
				continue
			}
			line := centre
			if name != "centre" {
				line = race
			}
			x, y := driven(t, fmt.Sprintf(`name = "lap"
title = "Lap"
cars = %q
step = 0.001
[constants]
speed = %g
%s
[[phase]]
name = "lap"
duration = %g
speed = { kind = "constant", value = "speed" }
path = { kind = "course", file = %q, line = %q, body_width = %g, margin = %g }
`, built.Path("resources", "cars"), lap.speed, driver, 1.02*line.Length()/lap.speed, lap.track, name, body, margin))
			// into the axes of the track
			sin, cos := math.Sincos(line.Heading[0])
			at, most, least, lapped := 0, 0.0, math.Inf(1), 0
			for k := range x {
				px, py := line.X[0]+cos*x[k]-sin*y[k], line.Y[0]+sin*x[k]+cos*y[k]
				off := func(i int) float64 { return math.Hypot(px-line.X[i], py-line.Y[i]) }
				points := len(line.S) - 1
				for off((at+1)%points) < off(at) {
					at = (at + 1) % points
					if at == 0 {
						lapped++
					}
				}
				across := -math.Sin(line.Heading[at])*(px-line.X[at]) + math.Cos(line.Heading[at])*(py-line.Y[at])
				most = max(most, math.Abs(across))
				least = min(least, line.Left[at]-across-body/2, line.Right[at]+across-body/2)
			}
			t.Logf("%s, %s, driver %q: at most %.3f m from the line, %.3f m left to the borders, last at %g m", lap.track,
				name, driver, most, least, line.S[at])
			bound := 0.7
			if driver == adapts {
				bound = 0.15
			}
			if lapped != 1 || least < 0 || most > bound {
				t.Errorf("%s, %s, driver %q: %d laps, %.3f m from the line", lap.track, name, driver, lapped, most)
			}
		}
	}
}

// driven is where the passenger car is in a manoeuvre, in the axes of its start.
func driven(t *testing.T, text string) (x, y []float64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lap.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := evaluator(theLibrary(t), built.Model("passenger_car"))
	m, err := manoeuvre.ReadFor(e.Target, file)
	if err != nil {
		t.Fatal(err)
	}
	s, closeIt, err := e.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt()
	body := ""
	if m.Driver != nil {
		body = m.Driver.Body
	} else {
		body = m.PathFollower.Body
	}
	names := []string{body + ".x", body + ".y", body + ".yaw"}
	result, err := drive.Simulate(s, drive.Plan{Manoeuvre: m, Record: names})
	if err != nil || result.Verdict != "" {
		t.Fatal(err, result.Verdict)
	}
	x, y, yaw := result.Trace.Column(names[0]), result.Trace.Column(names[1]), result.Trace.Column(names[2])
	sin, cos := math.Sincos(yaw[0])
	x0, y0 := x[0], y[0]
	for k := range x {
		dx, dy := x[k]-x0, y[k]-y0
		x[k], y[k] = cos*dx+sin*dy, cos*dy-sin*dx
	}
	return x, y
}
