package manoeuvre

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"

	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/keys"
)

var courseKeys = []keys.Key{
	key("file", text, "", "of the track, CSV or OpenCRG, beside the manoeuvre or the model; or a name of skidpad "+
		"list tracks"),
	{Name: "line", Shape: keys.WordShape, Default: course.Centre, Choices: []string{course.Centre, course.Race},
		Text: "reference line of the file, or the line of least curvature between the borders"},
	{Name: "body_width", Unit: "m", Optional: true, Positive: true,
		Text: "width of the body, for the line of least curvature"},
	{Name: "margin", Unit: "m", Default: "0", Nonnegative: true,
		Text: "distance of the body from the borders, for the line of least curvature"},
	{Name: "smoothing", Unit: "m", Default: "10", Nonnegative: true,
		Text: "length of a wave of the file whose amplitude is halved"},
	{Name: "start", Unit: "m", Default: "0", Nonnegative: true,
		Text: "distance along the line where the body is at the beginning"},
	{Name: "laps", Unit: pureUnit, Optional: true, Positive: true,
		Text: "whole laps of a closed track after which the path ends, at most 100; without them it has no end"},
	straightAhead,
}

// Track reads the track of a word in a manoeuvre file of a folder.
type Track func(folder, word string, o course.Options) (*course.Course, error)

// shippedTrack reads a CSV file in the folder or a shipped track.
func shippedTrack(folder, word string, o course.Options) (*course.Course, error) {
	return course.Read(course.Find(folder, word), o)
}

// course reads a path along a track of a file.
func (r *manoeuvreReader) course(f *keys.Fields) *Path {
	file, line, margin := f.Text("file"), f.Text("line"), f.Number("margin")
	width, start, laps := f.Number("body_width"), f.Number("start"), f.Number("laps")
	options := course.Usual
	options.Smoothing = f.Number("smoothing")
	ahead := f.Truth("straight_ahead")
	if line == course.Race {
		f.Require("body_width")
	}
	if file == "" || line == course.Race && !(width > 0) { // reported
		return nil
	}
	c, err := r.readTrack(filepath.Dir(f.Table.File), file, options)
	if err == nil && line == course.Race {
		c, err = c.LeastCurvature(width, margin)
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			f.Fault("file", "there is no file and no track %q; skidpad list tracks shows their names", file)
		} else {
			f.Fault("file", "%v", err)
		}
		return nil
	}
	const mostLaps = 100
	switch {
	case start >= c.Length():
		f.Fault("start", "%g m is not on the line, which is %.6g m long", start, c.Length())
	case f.Given("laps") && !c.Closed:
		f.Fault("laps", "the track is open, and has no laps")
	case f.Given("laps") && (laps != math.Trunc(laps) || laps < 1 || laps > mostLaps):
		f.Fault("laps", "%g laps; whole ones from 1 to %d are possible", laps, mostLaps)
	case ahead && c.Closed && !f.Given("laps"):
		f.Fault("straight_ahead", "a closed track without laps has no end to go straight ahead behind it; give laps")
	default:
		p := Along(c, start, int(laps))
		p.StraightAhead = ahead
		return p
	}
	return nil
}

// Along is a path along a course. It begins at the distance start [m]. On an open course it ends at the end of the
// course, and is at least one step long. On a closed course it has a number of laps; with 0 laps it has no end. Its
// points are the points of the course between its start and its end. The first and the last step of the path are 0.5 to
// 1.5 steps of the course long.
func Along(c *course.Course, start float64, laps int) *Path {
	points, step, end := len(c.S)-1, c.S[1], c.Length()
	if c.Closed {
		end = start + c.Length()*float64(max(laps, 1))
	} else {
		start = min(start, end-step)
	}
	p := &Path{Closed: c.Closed && laps == 0}
	if c.Closed {
		p.Lap = c.Length()
	}
	beginX, beginY, heading := c.At(start)
	sin, cos := math.Sincos(heading)
	add := func(x, y float64) {
		dx, dy := x-beginX, y-beginY
		p.X, p.Y = append(p.X, cos*dx+sin*dy), append(p.Y, cos*dy-sin*dx)
	}
	add(beginX, beginY)
	for i := int(math.Round(start/step)) + 1; float64(i)+0.5 <= end/step; i++ {
		add(c.X[i%points], c.Y[i%points])
	}
	if c.Closed {
		add(beginX, beginY)
	} else {
		add(c.X[points], c.Y[points])
	}
	return p
}

// distanceKeys are the keys of a speed over the distance.
var distanceKeys = []keys.Key{
	maybe("distance", numbers, "m", "distances along the path, which increase"),
	maybe("value", numbers, "m/s", "a speed for each distance"),
	maybe("file", text, "", "in place of both: CSV with the columns distance and speed, beside the manoeuvre"),
}

// overDistance is the kind of a speed over the distance along the path.
const overDistance = "over-distance"

// speedKinds are the kinds of the speed of a phase.
var speedKinds = append(signalKinds[:len(signalKinds):len(signalKinds)], keys.Kind{Word: overDistance,
	Text: "straight lines over the distance along the path of the phase, again in each lap; constant before the first " +
		"and after the last point", Keys: distanceKeys})

// speed reads the speed of a phase. It reports whether it is one over the distance along the path.
func (r *manoeuvreReader) speed(phase *keys.Fields) (speed signal.Signal, byDistance bool) {
	const name = "speed"
	if kind := phase.Node(name).Field("kind"); kind == nil || kind.Text != overDistance {
		return r.signal(phase, name, "m/s"), false
	}
	_, f := phase.Kind(name)
	var p signal.PiecewiseLinear
	if f.Given("file") {
		if f.Given("distance") || f.Given("value") {
			f.Fault("file", "the speed is given twice; give a file, or distance and value")
		}
		var err error
		file := filepath.Join(filepath.Dir(f.Table.File), f.Text("file"))
		if p.Time, p.Value, err = course.ReadSpeed(file); err != nil {
			f.Fault("file", "%v", err)
		}
		return p, true
	}
	f.Require("distance")
	f.Require("value")
	p.Time, p.Value = f.Numbers("distance"), f.Numbers("value")
	if len(p.Time) != len(p.Value) && p.Time != nil && p.Value != nil {
		f.Fault("value", "%d speeds for %d distances; each distance needs one", len(p.Value), len(p.Time))
	}
	for i := 1; i < len(p.Time); i++ {
		if p.Time[i] <= p.Time[i-1] {
			r.At(f.Node("distance").Items[i], "distance %g after %g; distances must increase", p.Time[i], p.Time[i-1])
		}
	}
	return p, true
}
