package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/program"
)

type terrain struct{ *model.Terrain }

// UnevenRoad is the terrain under one tire, with the centre of its wheel.
type UnevenRoad struct {
	program.UnevenRoad
	Centre expr.Vector
	Axle   expr.Vector // unit vector, of enveloping tires only
}

// Lay lists the terrain, before anything stands on it.
func (c terrain) Lay(b Builder) {
	constant := func(key, unit, text string, s model.Scalar) int {
		return b.Keeping(b.Settable(key, unit, text, s))
	}
	b.Terrain(program.Terrain{
		Name: c.Name, Kind: c.Kind, Formula: c.Formula, File: c.File, Centred: c.Centred, Class: c.Class,
		Seed:          constant("seed", "1", "of a random road of the kind iso8608, a whole number", c.Seed),
		Height:        constant("height", "m", "height at the origin, added to that of the kind", c.Height),
		SlopeX:        constant("slope_x", "1", "dz/dx of the kind plane", c.SlopeX),
		SlopeY:        constant("slope_y", "1", "dz/dy of the kind plane", c.SlopeY),
		FrictionLeft:  constant("friction_left", "1", "factor of friction on the left of the line of the road", c.Friction.Left),
		FrictionRight: constant("friction_right", "1", "factor of friction on the right of it", c.Friction.Right),
		Map:           struct{ Kind, Formula, File string }{c.Friction.Kind, c.Friction.Formula, c.Friction.File},
	})
}

// Carries reports whether a frame is that of the terrain.
func (c terrain) Carries(frame string) bool { return c.Frame == frame }

// Wheel is what stands on a terrain.
type Wheel struct {
	Frame      string
	Axle       int // index of the axis
	Enveloping *model.Enveloping
}

// Plane is the plane of a terrain under a wheel.
type Plane struct {
	Axes     expr.Frame  // with the normal as z, and x in the plane of x and z
	Place    expr.Vector // of the wheel relative to the plane's point above the origin
	Rising   expr.Vector // velocity of the plane
	Friction func() *expr.Expr
}

// Under makes the plane under a wheel, whose component the second builder is of. The engine sets it by controls.
func (c terrain) Under(b, wheel Builder, w Wheel) Plane {
	p := b.Pool()
	const ground = model.GroundFrame
	axes := b.Axes(ground)
	u := UnevenRoad{Centre: wheel.Position(ground, w.Frame, axes)}
	u.Terrain = b.TerrainIndex(c.Name)
	control := func(at *int, key, unit string, start float64) (e *expr.Expr) {
		e, *at = wheel.Control("road_"+key, unit, start)
		return e
	}
	height := control(&u.Height, "height", "m", 0)
	along, across := control(&u.SlopeX, "slope_x", "1", 0), control(&u.SlopeY, "slope_y", "1", 0)
	rising := control(&u.Rate, "rate", "m/s", 0)
	friction := control(&u.Friction, "friction", "1", 1)
	if e := w.Enveloping; e != nil {
		u.Points, u.Axle = e.Points, wheel.Resolve(wheel.Unit(wheel.Axes(w.Frame), w.Axle), axes)
		u.Length = wheel.Keeping(wheel.Settable("enveloping_length", "m", "of the footprint, in the direction of the wheel", e.Length))
		u.Width = wheel.Keeping(wheel.Settable("enveloping_width", "m", "of the footprint", e.Width))
	}
	wheel.Input("terrain_z", "m", "height that is added to the terrain under this tire", 0)
	u.Above = wheel.InputIndex("terrain_z")
	wheel.Uneven(u)

	plane := Plane{Axes: expr.Frame(wheel.Head().Name + " plane")}
	wheel.AddAxes(plane.Axes, axes, tangentPlane(p, "_"+string(plane.Axes), along, across))
	offset, rate := p.ZeroVector(axes), p.ZeroVector(axes)
	offset.X[2], rate.X[2] = height, rising
	plane.Place = p.DefineV("r_"+string(plane.Axes), wheel.Resolve(p.SubV(u.Centre, offset), plane.Axes))
	plane.Rising = wheel.Resolve(rate, plane.Axes)
	plane.Friction = func() *expr.Expr { return p.Mul(frictionScale(b, "friction scale of the terrain"), friction) }
	return plane
}

// tangentPlane has the columns z = (-a, -b, 1)/sqrt(1 + a^2 + b^2), x = (1, 0, a)/sqrt(1 + a^2), y = z x x for the
// slopes a and b; name is behind those of its elements.
func tangentPlane(p *expr.Pool, name string, a, b *expr.Expr) [3][3]*expr.Expr {
	one, zero := p.Int(1), p.Int(0)
	square := p.Add(one, p.Pow(a, 2))
	sx := p.Define("along"+name, p.Pow(p.Call(expr.Sqrt, square), -1))
	sz := p.Define("normal"+name, p.Pow(p.Call(expr.Sqrt, p.Add(square, p.Pow(b, 2))), -1))
	both := p.Mul(sx, sz)
	return [3][3]*expr.Expr{
		{sx, p.Define("yx"+name, p.Neg(p.Mul(a, b, both))), p.Define("zx"+name, p.Neg(p.Mul(a, sz)))},
		{zero, p.Define("yy"+name, p.Mul(square, both)), p.Define("zy"+name, p.Neg(p.Mul(b, sz)))},
		{p.Define("xz"+name, p.Mul(a, sx)), p.Define("yz"+name, p.Mul(b, both)), sz},
	}
}
