package laps

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/lap"
)

// driven is the lap of a car on a line of a track.
func driven(t *testing.T, track *course.Course, line Line) *Result {
	t.Helper()
	c, line, err := line.Of(track)
	if err != nil {
		t.Fatal(err)
	}
	e := car(4)
	l, err := lap.Solve(e, Track(c), 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Of(e, c, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Line = line
	return r
}

// On a ring the line of least curvature is the circle along the outer border, at the distance of half a body and the
// margin. A car with a friction of 1 needs 2 pi sqrt(R/g) for a lap.
func TestTheLineOfLeastCurvatureOfARing(t *testing.T) {
	const radius, width, body, margin = 50.0, 8.0, 1.6, 0.4
	var text strings.Builder
	text.WriteString("x [m],y [m],width [m]\n")
	for i := range 300 {
		sine, cosine := math.Sincos(2 * math.Pi * float64(i) / 300)
		fmt.Fprintf(&text, "%.6f,%.6f,%g\n", radius*cosine, radius*sine, width)
	}
	track, err := course.Parse("ring.csv", []byte(text.String()), course.Usual)
	if err != nil {
		t.Fatal(err)
	}
	r := driven(t, track, Line{Name: course.Race, BodyWidth: body, Margin: margin})
	const outer = radius + width/2 - body/2 - margin
	near(t, "the length", r.Length, 2*math.Pi*outer, 0.02)
	near(t, "the time", r.Time, 2*math.Pi*math.Sqrt(outer/gravity), 0.01)
	for i, x := range r.Table.Values[placeX] {
		near(t, "the radius", math.Hypot(x, r.Table.Values[placeY][i]), outer, 0.01)
	}
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	facts := fmt.Sprint(r.Page().Facts)
	for _, want := range []string{"line of least curvature, for a body of 1.6 m that keeps 0.4 m from the borders",
		"smoothing over 10 m moves points of the file by up to"} {
		if !strings.Contains(out.String(), want) || !strings.Contains(facts, want) {
			t.Errorf("%q is missing in %s or %s", want, out.String(), facts)
		}
	}
}

const gravity = lap.Gravity

// On the line of least curvature a car is faster than on the reference line, which is longer and has narrower turns.
func TestLapTimesOfBothLines(t *testing.T) {
	for _, name := range []string{"club", "autocross"} {
		track, err := course.Read(course.Find("", name), course.Usual)
		if err != nil {
			t.Fatal(err)
		}
		centre := driven(t, track, Line{Name: course.Centre})
		race := driven(t, track, Line{Name: course.Race, BodyWidth: 1.6, Margin: 0.3})
		if !(race.Time < 0.97*centre.Time && race.Length < centre.Length) {
			t.Errorf("%s: %.3f s over %.1f m, and %.3f s over %.1f m on the reference line", name, race.Time, race.Length,
				centre.Time, centre.Length)
		}
		if centre.Table.Values[placeX][100] != track.X[100] || centre.Line.String() != "reference line of the file" {
			t.Errorf("%s: the reference line is not that of the file", name)
		}
		if centre.Line.Moved != track.Moved || race.Line.Moved != track.Moved || race.Line.MovedAt != track.MovedAt ||
			track.Moved == 0 || race.Line.Smoothing != course.Usual.Smoothing {
			t.Errorf("%s: smoothing of %+v and %+v, want %g m at %s", name, centre.Line, race.Line, track.Moved,
				track.MovedAt)
		}
	}
}
