package manoeuvre

import (
	"math"

	"skidpad/model/keys"
)

// Driver is a driver who looks ahead and adapts to the vehicle. A run needs what he knows of it, which package drive
// finds.
type Driver struct {
	Body             string  // that is steered
	Slowest, Fastest float64 // speeds between which he knows the vehicle [m/s]
	Factor           float64 // of the preview that he chooses
	Nonlinear        bool    // he steers by the steady curve of the vehicle beyond its linear range
	// Limits of his hands, 0 for none: s, s, rad/s, rad.
	Delay, Lag, Rate, Angle float64
}

var driverKeys = []keys.Key{
	maybe("body", text, "", "that is steered; the chassis by default"),
	above0("slowest", "m/s", "least speed for which he knows the vehicle"),
	above0("fastest", "m/s", "largest speed for which he knows the vehicle"),
	{Name: "preview_factor", Unit: pureUnit, Default: "1", Positive: true,
		Text: "preview by the one that he chooses himself"},
	{Name: "nonlinear", Shape: keys.TruthShape, Default: "true",
		Text: "he steers by the steady curve of the vehicle beyond its linear range, and not beyond its limit"},
	{Name: "delay", Unit: "s", Default: "0", Nonnegative: true, Text: "of his hands; persons have some 0.15 s"},
	{Name: "lag", Unit: "s", Default: "0", Nonnegative: true, Text: "of his hands; persons have some 0.1 s"},
	{Name: "rate", Unit: "rad/s", Default: "0", Nonnegative: true,
		Text: "largest one of the steering wheel, 0 for none; persons have some 800 deg/s"},
	{Name: "angle", Unit: "rad", Default: "0", Nonnegative: true,
		Text: "largest one of the steering wheel, 0 for none"},
}

// lookAhead reads the table [driver].
func (r *manoeuvreReader) lookAhead(root *keys.Fields, m *Manoeuvre) {
	if !root.Given("driver") {
		return
	}
	f := root.Sub("driver")
	m.Driver = &Driver{Body: r.chassis(f, "body", ""), Slowest: f.Number("slowest"), Fastest: f.Number("fastest"),
		Factor: f.Number("preview_factor"), Nonlinear: f.Truth("nonlinear"), Delay: f.Number("delay"),
		Lag: f.Number("lag"), Rate: f.Number("rate"), Angle: f.Number("angle")}
	if d := m.Driver; d.Slowest >= d.Fastest && f.Given("slowest") && f.Given("fastest") {
		f.FaultOfTable("the slowest speed, %g m/s, is not below the fastest, %g m/s", d.Slowest, d.Fastest)
	}
	if root.Given("path_follower") {
		f.FaultOfTable("a manoeuvre has both [driver] and [path_follower]; one of them steers along paths")
	}
	m.PathFollower = nil // that of the roles
	if m.Steering == nil && r.car == nil {
		f.FaultOfTable("a driver needs a table [steering]")
	}
	if m.SpeedControl == nil && r.car == nil {
		f.FaultOfTable("a driver needs a table [speed_control], by which he gets to know the vehicle")
	}
}

// Ahead is how far a path lies to the left [m] of where a body heads, at places that are step metres of way apart, the
// first beside the body. The piece is the one next to the body at x, y. The offset grows by the angle between path and
// body along the path, so that a circle is a parabola of the way, as in the motion of a linear vehicle. The curvatures
// [1/m] are those of the path at these places.
func (p *Path) Ahead(piece int, x, y, yaw, step float64, offsets, curvatures []float64) {
	along, offset, length := p.piece(piece, x, y)
	angle := math.Remainder(p.heading(piece)-yaw, 2*math.Pi)
	for i := range offsets {
		offsets[i] = offset
		if curvatures[i] = p.curvature(piece); along > length/2 {
			curvatures[i] = p.curvature(piece + 1)
		}
		left := step
		for left > length-along && p.continues(piece) {
			offset, left = offset+angle*(length-along), left-(length-along)
			angle += math.Remainder(p.heading(piece+1)-p.heading(piece), 2*math.Pi)
			piece++
			_, _, length = p.piece(piece, 0, 0)
			along = 0
		}
		offset, along = offset+angle*left, along+left
	}
}

// curvature returns the curvature of the path at the begin of a piece [1/m]: the angle between this piece and the piece
// before, by the distance of their middles.
func (p *Path) curvature(i int) float64 {
	if !p.Closed && (i < 1 || i > len(p.X)-2) {
		return 0
	}
	_, _, before := p.piece(i-1, 0, 0)
	_, _, length := p.piece(i, 0, 0)
	return math.Remainder(p.heading(i)-p.heading(i-1), 2*math.Pi) / ((before + length) / 2)
}

// heading is the angle of a piece [rad].
func (p *Path) heading(i int) float64 {
	if n := len(p.X) - 1; p.Closed {
		i = (i%n + n) % n
	}
	return math.Atan2(p.Y[i+1]-p.Y[i], p.X[i+1]-p.X[i])
}

// continues reports whether there is a piece behind another one.
func (p *Path) continues(piece int) bool { return p.Closed || piece < len(p.X)-2 }

// Ends reports whether a path that has an end has less than a way [m] left from beside the body on.
func (p *Path) Ends(piece int, x, y, way float64) bool {
	if p.Closed || p.StraightAhead {
		return false
	}
	along, _, length := p.piece(piece, x, y)
	left := length - along
	for i := piece + 1; i < len(p.X)-1 && left < way; i++ {
		left += math.Hypot(p.X[i+1]-p.X[i], p.Y[i+1]-p.Y[i])
	}
	return left < way
}
