package manoeuvre

import (
	"math"

	"skidpad/harness/workbench/results/figures"
	"skidpad/model/keys"
)

// Path is a line on the ground for a PathFollower, in the axes of the body at the beginning of the first phase with
// this path: x ahead, y to the left, from its centre of mass. It is a chain of straight pieces. A path that is not
// closed continues straight before its first and after its last point.
type Path struct {
	X, Y          []float64 // m
	Closed        bool      // the last point is the first one, and the path continues from there: it has no end
	StraightAhead bool      // a driver may go on behind the last point
	Curvature     float64   // largest one, of a path of least curvature [1/m]; else 0
	Lap           float64   // length after which the path repeats [m]; 0 for none
}

// chord is the length of the pieces of a circle by its radius: they leave it by 1e-6 of the radius.
const chord = 0.0028

// Circle is a path that begins at the origin along x and turns left, for a negative radius right, for laps laps; with 0
// laps it has no end.
func Circle(radius, laps float64) *Path {
	closed := laps == 0
	if closed {
		laps = 1
	}
	n := int(math.Ceil(laps * 2 * math.Pi / chord))
	p := &Path{X: make([]float64, n+1), Y: make([]float64, n+1), Closed: closed, Lap: 2 * math.Pi * math.Abs(radius)}
	for i := range p.X {
		s, c := math.Sincos(laps * 2 * math.Pi * float64(i) / float64(n))
		p.X[i], p.Y[i] = math.Abs(radius)*s, radius*(1-c)
	}
	return p
}

// FigureOfEight is a path straight ahead to the point where two circles touch each other, then around the right circle
// and around the left one, laps times each, and straight ahead.
func FigureOfEight(radius, laps, straight float64) *Path {
	p := &Path{StraightAhead: true, Curvature: 1 / radius}
	if straight > 0 {
		p.X, p.Y = append(p.X, 0), append(p.Y, 0)
	}
	for i, side := range [2]float64{-1, 1} {
		c := Circle(side*radius, laps)
		for k := range c.X {
			if i == 0 || k > 0 {
				p.X, p.Y = append(p.X, straight+c.X[k]), append(p.Y, c.Y[k])
			}
		}
	}
	p.X, p.Y = append(p.X, straight+radius), append(p.Y, 0)
	return p
}

// alongTrack is the path through a track's lanes, in pieces of about half a metre, and straight ahead behind them.
func alongTrack(track []figures.Section, into float64) *Path {
	from, length := track[0].From, figures.Length(track)
	n := int(math.Ceil(length / 0.5))
	p := &Path{StraightAhead: true}
	for i := range n + 1 {
		x := from + length*float64(i)/float64(n)
		p.X, p.Y = append(p.X, x), append(p.Y, figures.Line(track, into, x))
	}
	return p
}

var sectionKeys = []keys.Key{
	above0("length", "m", "of the section"),
	maybe("right", number, "m", "right border; none between lanes"), maybe("left", number, "m", "left border"),
	maybe("aim", number, "m", "line that a driver follows; the middle by default"),
}

var trackKeys = []keys.Key{
	key("start", number, "m", "where the first section begins"),
	{Name: "section", Shape: keys.TablesShape, Text: "lanes and what is between them", Keys: sectionKeys},
}

// track reads the table [track].
func (r *manoeuvreReader) track(root *keys.Fields) []figures.Section {
	if !root.Given("track") {
		return nil
	}
	f := root.Sub("track")
	at := f.Number("start")
	var track []figures.Section
	for _, part := range f.NonEmptyList("section") {
		s := figures.Section{From: at, To: at + part.Number("length"), Right: math.NaN(), Left: math.NaN()}
		if part.Given("right") || part.Given("left") {
			part.Require("right")
			part.Require("left")
			s.Right, s.Left = part.Number("right"), part.Number("left")
			if s.Left <= s.Right {
				part.FaultOfTable("the left border, %g, is not to the left of the right one, %g", s.Left, s.Right)
			}
			if s.Aim = (s.Left + s.Right) / 2; part.Given("aim") {
				s.Aim = part.Number("aim")
			}
		} else if part.Given("aim") {
			part.Fault("aim",
				"an aim in a section without borders, through which a driver goes from one lane to the next")
		}
		at = s.To
		track = append(track, s)
	}
	const longest = 10_000 // m
	if len(track) == 0 {
		return nil
	}
	length := figures.Length(track)
	if length > longest {
		f.FaultOfTable("a track of %g m; the longest possible has %d", length, longest)
	}
	if !(length > 0 && length <= longest) { // reported
		return nil
	}
	return track
}

// piece returns the position of a point relative to piece i: its distance along the piece, and the offset of the path
// to the left of the point. Pieces of a closed path have a number in each lap.
func (p *Path) piece(i int, x, y float64) (along, across, length float64) {
	if n := len(p.X) - 1; p.Closed {
		i = (i%n + n) % n
	}
	dx, dy := p.X[i+1]-p.X[i], p.Y[i+1]-p.Y[i]
	length = math.Hypot(dx, dy)
	rx, ry := x-p.X[i], y-p.Y[i]
	return (rx*dx + ry*dy) / length, (rx*dy - ry*dx) / length, length
}

// bounds are the first and the last piece of a search that begins at piece from.
func (p *Path) bounds(from int) (first, last int) {
	n := len(p.X) - 1
	if p.Closed {
		return from - n/2, from + n/2
	}
	return 0, n - 1
}

// Offset returns the offset of the path to the left of a point, seen along the path, and the nearest piece; the search
// goes on from piece from as long as pieces come nearer.
func (p *Path) Offset(x, y float64, from int) (offset float64, piece int) {
	first, last := p.bounds(from)
	distance := func(i int) (across, away float64) {
		along, across, length := p.piece(i, x, y)
		switch {
		case along < 0 && (i > 0 || p.Closed):
			away = along
		case along > length && (i < last || p.Closed):
			away = along - length
		}
		return across, math.Hypot(across, away)
	}
	offset, least := distance(from)
	piece = from
	for _, step := range [2]int{1, -1} {
		for i := piece + step; i >= first && i <= last; i += step {
			across, d := distance(i)
			if d > least {
				break
			}
			offset, least, piece = across, d, i
		}
	}
	return offset, piece
}

// Lengths are the distances of the points along the path [m].
func (p *Path) Lengths() []float64 {
	list := make([]float64, len(p.X))
	for i := 1; i < len(p.X); i++ {
		list[i] = list[i-1] + math.Hypot(p.X[i]-p.X[i-1], p.Y[i]-p.Y[i-1])
	}
	return list
}

// Distance is the distance along the path, in its lap, of a point whose nearest piece is known [m]; lengths are from
// Lengths.
func (p *Path) Distance(lengths []float64, x, y float64, piece int) float64 {
	along, _, _ := p.piece(piece, x, y)
	n := len(p.X) - 1
	if p.Closed {
		piece = (piece%n + n) % n
	}
	distance := lengths[piece] + along
	if p.Lap > 0 {
		laps := max(1, math.Round(lengths[n]/p.Lap)) // of chords, which are a little shorter
		lap := lengths[n] / laps
		distance -= lap * math.Floor(distance/lap)
	}
	return distance
}

// EndsBefore reports whether a point, whose nearest piece is known, lies behind the end of a path that has one.
func (p *Path) EndsBefore(x, y float64, piece int) bool {
	if p.Closed || p.StraightAhead || piece < len(p.X)-2 {
		return false
	}
	along, _, length := p.piece(piece, x, y)
	return along > length
}

var straightAhead = keys.Key{Name: "straight_ahead", Shape: keys.TruthShape, Default: "false",
	Text: "the driver goes straight ahead behind the end of the path; otherwise the run ends there with a verdict"}

// pathKinds are the kinds of paths.
var pathKinds = []keys.Kind{
	{Word: "circle", Text: "circle to the left, with a negative radius to the right", Keys: []keys.Key{
		key("radius", number, "m", "of the circle"),
		{Name: "laps", Unit: pureUnit, Text: "after which the path ends, at most 1000; without them it has no end",
			Optional: true, Positive: true},
		straightAhead}},
	{Word: "figure-of-eight", Text: "straight ahead, around a circle to the right, one to the left, and straight ahead",
		Keys: []keys.Key{
			above0("radius", "m", "of both circles, which touch each other"),
			{Name: "laps", Unit: pureUnit, Text: "around each circle, a whole number", Default: "2",
				Whole: &keys.Whole{Least: 1, Most: 100}},
			{Name: "straight", Unit: "m", Text: "way to the line between both circles", Nonnegative: true}}},
	{Word: "points", Text: "straight lines through at least two points", Keys: []keys.Key{
		key("x", numbers, "m", "ahead of where the phase begins"), key("y", numbers, "m", "to the left of it"),
		straightAhead}},
	{Word: "track", Text: "along the target lines of the track, and straight ahead behind it", Keys: []keys.Key{
		{Name: "into", Unit: "m", Text: "distance before the end of a lane, and behind the beginning of the next lane",
			Nonnegative: true}}},
	{Word: "least-curvature", Text: "through the lanes of the track with the least of all largest curvatures, and " +
		"straight ahead behind it", Keys: leastCurvatureKeys},
	{Word: "course", Text: "along a track of a file", Keys: courseKeys},
	{Word: "continued", Text: "the path of the phase before"},
}

// path reads the table of a key that describes a path; nil when it is faulty.
func (r *manoeuvreReader) path(phase *keys.Fields, key string, m *Manoeuvre) *Path {
	kind, f := phase.Kind(key)
	switch kind {
	case "continued":
		if before := len(m.Phases) - 1; before >= 0 && m.Phases[before].Path != nil {
			return m.Phases[before].Path
		}
		f.FaultOfTable("the phase before has no path that could be continued")
	case "circle":
		radius, laps := f.Number("radius"), f.Number("laps")
		if radius == 0 && f.Given("radius") {
			f.Fault("radius", "the radius of a circle must not be 0")
		}
		const most = 1000
		if laps > most {
			f.Fault("laps", "%g laps; at most %d are possible", laps, most)
			return nil
		}
		if f.Given("laps") && !(laps > 0) { // reported
			return nil
		}
		p := Circle(radius, laps)
		if p.StraightAhead = f.Truth("straight_ahead"); p.StraightAhead && p.Closed {
			f.Fault("straight_ahead", "a circle without laps has no end to go straight ahead behind it; give laps")
		}
		return p
	case "figure-of-eight":
		radius, laps, straight := f.Number("radius"), f.Number("laps"), f.Number("straight")
		if !(radius > 0 && laps > 0 && straight >= 0) { // reported
			return nil
		}
		return FigureOfEight(radius, laps, straight)
	case "track":
		if len(m.Track) == 0 {
			f.FaultOfTable("a path along the track needs a table [track]")
			return nil
		}
		into := f.Number("into")
		for _, s := range m.Track {
			if s.Lane() && 2*into > s.To-s.From {
				f.Fault("into", "%g m from both ends of a lane of %g m; at most half of the shortest lane is possible", into,
					s.To-s.From)
				return nil
			}
		}
		return alongTrack(m.Track, into)
	case "least-curvature":
		return r.leastCurvature(f, m.Track)
	case "course":
		return r.course(f)
	case "points":
		p := &Path{X: f.Numbers("x"), Y: f.Numbers("y"), StraightAhead: f.Truth("straight_ahead")}
		if len(p.X) != len(p.Y) || len(p.X) < 2 {
			f.FaultOfTable("%d x and %d y; a path has as many of both, two at least", len(p.X), len(p.Y))
			return nil
		}
		for i := 1; i < len(p.X); i++ {
			if p.X[i] == p.X[i-1] && p.Y[i] == p.Y[i-1] {
				f.Fault("x", "points %d and %d are the same", i, i+1)
			}
		}
		return p
	}
	return nil
}
