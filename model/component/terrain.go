package component

import (
	"fmt"
	"math"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/road"
)

var terrainType = Type{
	Word:   "terrain",
	Text:   "uneven ground",
	Middle: true,
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true,
			Text: "frame at the origin of ground; default: the component's name"},
		{Name: "kind", Shape: keys.WordShape, Default: road.Flat, Choices: road.Kinds, Text: "kind"},
		scalar("height", "m", "0", "height of flat and plane at the origin, added to the others"),
		scalar("slope_x", "1", "0", "dz/dx of plane"),
		asymmetric(keys.Opposite, scalar("slope_y", "1", "0", "dz/dy of plane")),
		{Name: "formula", Shape: keys.TextShape, Optional: true,
			Text: "height in m over x, y in m and t in s, for the kind formula"},
		{Name: "file", Shape: keys.TextShape, Optional: true,
			Text: "file of the kinds table (CSV: x, z), grid (ESRI ASCII grid), crg (OpenCRG) and rdf (road property " +
				"file), relative to the model file"},
		{Name: "modifiers", Shape: keys.WordShape, Default: "file", Choices: []string{"file", "centred"},
			Text: "position of a crg: as its file specifies, or with the start of its reference line at the origin, along x"},
		{Name: "class", Shape: keys.WordShape, Default: "C", Choices: road.Classes,
			Text: "roughness class, for the kind iso8608"},
		nonnegative("seed", "", "1", "integer that selects one of many roads of a class, for the kind iso8608"),
		{Name: "friction", Shape: keys.TableShape, Optional: true,
			Text: "factors on the friction of the tires, which multiply each other and the input mu", Keys: []keys.Key{
				nonnegative("left", "1", "1", "factor on the left of the reference line of the road (y = 0 if it has none)"),
				nonnegative("right", "1", "1", "factor on the right of the reference line"),
				{Name: "kind", Shape: keys.WordShape, Default: road.Flat, Choices: road.FrictionKinds,
					Text: "kind of a map that contains a factor in place of heights; flat: no map"},
				{Name: "formula", Shape: keys.TextShape, Optional: true,
					Text: "factor over x, y in m and t in s, for the kind formula"},
				{Name: "file", Shape: keys.TextShape, Optional: true,
					Text: "file of the kinds table, grid and crg, relative to the model file"},
			}},
	},
	Read: readTerrain,
}

// Terrain is uneven ground, of a kind of package road. Its frame is the ground frame.
type Terrain struct {
	keys.Header
	Frame                  string
	Kind                   string
	Height, SlopeX, SlopeY keys.Scalar // m, 1, 1
	Formula, File          string
	Centred                bool        // a CRG begins at the origin, along x
	Class                  string      // of roughness (ISO 8608)
	Seed                   keys.Scalar // of random roughness
	Friction               TerrainFriction
}

// TerrainFriction holds factors on the tires' own friction.
type TerrainFriction struct {
	Left, Right         keys.Scalar // on either side of the line of the road
	Kind, Formula, File string      // of a map, with a factor in place of heights
}

// Shape returns the shape of the terrain for package road.
func (t *Terrain) Shape() road.Shape {
	return road.Shape{Kind: t.Kind, Formula: t.Formula, File: t.File, Centred: t.Centred, Class: t.Class}
}

// Shape returns the shape of the friction map for package road.
func (t *TerrainFriction) Shape() road.Shape {
	return road.Shape{Kind: t.Kind, Formula: t.Formula, File: t.File}
}

func readTerrain(h keys.Header, f *keys.Fields) Component {
	t := &Terrain{
		Header: h, Frame: f.Frame("frame", h.Name), Kind: f.Text("kind"),
		Height: f.Scalar("height"), SlopeX: f.Scalar("slope_x"), SlopeY: f.Scalar("slope_y"),
		Formula: f.Text("formula"), File: f.Text("file"),
		Centred: f.Text("modifiers") == "centred", Class: f.Text("class"), Seed: f.Scalar("seed"),
	}
	surface(f, t.Shape())
	if seed := t.Seed; seed.Value != math.Trunc(seed.Value) || seed.Value > road.LargestSeed {
		f.FaultAt(seed.Pos, "%s.seed is %s; it must be a whole number from 0 to %d", h.Name, seed.Text,
			road.LargestSeed)
	}
	friction := f.Sub("friction")
	t.Friction = TerrainFriction{Left: one, Right: one, Kind: road.Flat}
	if friction.Table != nil {
		t.Friction = TerrainFriction{friction.Scalar("left"), friction.Scalar("right"), friction.Text("kind"),
			friction.Text("formula"), friction.Text("file")}
		surface(friction, t.Friction.Shape())
	}
	return t
}

// surface opens the shape of the keys kind, formula and file, and reports errors.
func surface(f *keys.Fields, shape road.Shape) {
	if _, err := shape.Open(f.Reader.Open); err != nil {
		at := f.Node("kind")
		for _, key := range []string{"formula", "file"} {
			if n := f.Table.Field(key); n != nil && shape.Needs(key) {
				at = n
			}
		}
		if at == nil {
			at = f.Table
		}
		f.Reader.AtEach(at, f.Path, err)
	}
}

// one is a number that is not given.
var one = keys.Scalar{Text: "1", Value: 1}

func (c *Terrain) Frames() Frames {
	return Frames{Joins: onGround(c.Frame), Carries: true}
}

// Edges: its frame Q is fixed to ground.
//
//	T1 Ground -> Q  r = 0
//	R1 Ground -> Q  R = 1
func (c *Terrain) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame},
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame},
	}
}

// Check has nothing to add to the keys.
func (*Terrain) Check(*Scope, *keys.Reader) {}

// OnPlane is a road, where it is flat.
func (c *Terrain) OnPlane() (Component, error) {
	f := &c.Friction
	if c.Kind != road.Flat || f.Kind != road.Flat || f.Left.Value != 1 || f.Right.Value != 1 {
		return nil, fmt.Errorf("%s: uneven terrain, or terrain with its own friction factors, is not part of the "+
			"equations and cannot be linearised; use flat terrain without factors", c.Name)
	}
	return &Road{Header: c.Header, Frame: c.Frame, Translation: keys.Vector{2: c.Height}, Sequence: "321"}, nil
}

// Law: tires and masses that stand on it have laws.
func (*Terrain) Law(Builder) {}

// UnevenRoad is the terrain under one tire, with the centre of its wheel.
type UnevenRoad struct {
	program.UnevenRoad
	Centre expr.Vector
	// Forward is the direction of the wheel on the ground, of length 1; of enveloping tires only.
	Forward [2]*expr.Expr
}

// Surrounds says that terrain is around the vehicle.
func (*Terrain) Surrounds() {}

// Lay lists the terrain, before anything stands on it.
func (c *Terrain) Lay(b Builder) {
	constant := func(key, unit, text string, s keys.Scalar) int {
		return b.EngineConstant(b.Settable(key, unit, text, s))
	}
	const left = "friction factor on the left of the reference line of the road"
	b.Terrain(program.Terrain{
		Name: c.Name, Kind: c.Kind, Formula: c.Formula, File: c.File, Centred: c.Centred, Class: c.Class,
		Seed:         constant("seed", "1", "seed of a random road of the kind iso8608, an integer", c.Seed),
		Height:       constant("height", "m", "height at the origin, added to that of the kind", c.Height),
		SlopeX:       constant("slope_x", "1", "dz/dx of the kind plane", c.SlopeX),
		SlopeY:       constant("slope_y", "1", "dz/dy of the kind plane", c.SlopeY),
		FrictionLeft: constant("friction_left", "1", left, c.Friction.Left),
		FrictionRight: constant("friction_right", "1",
			"friction factor on the right of the reference line of the road", c.Friction.Right),
		Map: struct{ Kind, Formula, File string }{c.Friction.Kind, c.Friction.Formula, c.Friction.File},
	})
}

// Carries reports whether a frame belongs to the terrain.
func (c *Terrain) Carries(frame string) bool { return c.Frame == frame }

// Standing is a wheel on a terrain.
type Standing struct {
	Frame      string
	Axle       int // index of the axis
	Enveloping *Enveloping
}

// Plane is the plane of a terrain under a wheel.
type Plane struct {
	Axes     expr.Frame  // with the normal as z, and x in the plane of x and z
	Place    expr.Vector // of the wheel relative to the plane's point above the origin
	Rising   expr.Vector // velocity of the plane
	Friction func() *expr.Expr
}

// Under makes the plane under a wheel, whose component the second builder is of. The engine sets it by controls.
func (c *Terrain) Under(b, wheel Builder, w Standing) Plane {
	p := b.Pool()
	const ground = graph.GroundFrame
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
		u.Points = e.Points
		left := wheel.Resolve(wheel.Unit(wheel.Axes(w.Frame), w.Axle), axes)
		level := p.Call(expr.Sqrt, p.Add(p.Pow(left.X[0], 2), p.Pow(left.X[1], 2)))
		u.Forward = [2]*expr.Expr{p.Div(left.X[1], level), p.Neg(p.Div(left.X[0], level))}
		const along = "length of the contact patch, in the direction of the wheel"
		u.Length = wheel.EngineConstant(wheel.Settable("enveloping_length", "m", along, e.Length))
		u.Width = wheel.EngineConstant(wheel.Settable("enveloping_width", "m", "width of the contact patch", e.Width))
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
// slopes a and b. name is the suffix of the names of its elements.
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
