package manoeuvre

import (
	"math"

	"skidpad/harness/workbench/results/figures"
	"skidpad/model/keys"
)

// Path is a line on the ground for a PathFollower, in the axes in which the body stands when the phase
// begins that has the path first: x ahead, y to the left, from its centre of mass. It is a chain of straight pieces;
// before its first and after its last point it continues straight.
type Path struct{ X, Y []float64 } // m

// chord is the length of the pieces of a circle by its radius: they leave it by 1e-6 of the radius.
const chord = 0.0028

// Circle is a path that begins at the origin along x and goes round to the left, for a negative radius to
// the right, for laps laps.
func Circle(radius, laps float64) *Path {
	n := int(math.Ceil(laps * 2 * math.Pi / chord))
	p := &Path{make([]float64, n+1), make([]float64, n+1)}
	for i := range p.X {
		s, c := math.Sincos(laps * 2 * math.Pi * float64(i) / float64(n))
		p.X[i], p.Y[i] = math.Abs(radius)*s, radius*(1-c)
	}
	return p
}

// alongTrack is the path through a track's lanes, in pieces of about half a metre.
func alongTrack(track []figures.Section, into float64) *Path {
	from, length := track[0].From, figures.Length(track)
	n := int(math.Ceil(length / 0.5))
	p := &Path{}
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

// Offset returns how far the path lies to the left of a point, seen along the path, and the piece that is
// nearest; the search goes from piece from on for as long as pieces come nearer.
func (p *Path) Offset(x, y float64, from int) (offset float64, piece int) {
	last := len(p.X) - 2
	distance := func(i int) (across, away float64) {
		dx, dy := p.X[i+1]-p.X[i], p.Y[i+1]-p.Y[i]
		length := math.Hypot(dx, dy)
		rx, ry := x-p.X[i], y-p.Y[i]
		along := (rx*dx + ry*dy) / length
		across = (rx*dy - ry*dx) / length
		switch {
		case along < 0 && i > 0:
			away = along
		case along > length && i < last:
			away = along - length
		}
		return across, math.Hypot(across, away)
	}
	offset, least := distance(from)
	piece = from
	for _, step := range [2]int{1, -1} {
		for i := piece + step; i >= 0 && i <= last; i += step {
			across, d := distance(i)
			if d > least {
				break
			}
			offset, least, piece = across, d, i
		}
	}
	return offset, piece
}

// pathKinds are the kinds of paths.
var pathKinds = []keys.Kind{
	{Word: "circle", Text: "circle to the left, with a negative radius to the right; at most 1000 laps", Keys: []keys.Key{
		key("radius", number, "m", "of the circle"), above0("laps", pureUnit, "how often it goes round")}},
	{Word: "points", Text: "straight lines through at least two points", Keys: []keys.Key{
		key("x", numbers, "m", "ahead of where the phase begins"), key("y", numbers, "m", "to the left of it")}},
	{Word: "track", Text: "along the target lines of the track", Keys: []keys.Key{
		{Name: "into", Unit: "m", Text: "by which a lane is left before its end, and reached behind its beginning",
			Nonnegative: true}}},
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
		if !(laps > 0) { // reported
			return nil
		}
		return Circle(radius, laps)
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
	case "points":
		p := &Path{f.Numbers("x"), f.Numbers("y")}
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
