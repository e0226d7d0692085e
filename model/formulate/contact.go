package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

// UnevenRoad is the terrain under one tire, with the centre of its wheel.
type UnevenRoad struct {
	program.UnevenRoad
	Centre expr.Vector
	Axle   expr.Vector // unit vector, of enveloping tires only
}

// terrains lists the terrains, before anything stands on them.
func (f *Formulation) terrains() {
	for _, c := range f.Model.Components {
		if c, ok := c.(*model.Terrain); ok {
			constant := func(key, unit, text string, s model.Scalar) int {
				return f.constantValue(f.settable(c.Name+"."+key, unit, text, s))
			}
			f.Terrains = append(f.Terrains, program.Terrain{
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
	}
}

func (f *Formulation) terrain(name string) int {
	return slices.IndexFunc(f.Terrains, func(t program.Terrain) bool { return t.Name == name })
}

// The indices of controls that these descriptions hold are counted among the controls; Source makes
// inputs of them.

// wheelContact applies the friction of a rolling wheel to its rim,
//
//	F = -cw (v - (v.n) n),  v the velocity of the rim,
//
// (van Iwaarden 2003, 4.3.4; partial-vehicle specification, 5.3, 5.6) and describes the rest.
func (f *Formulation) wheelContact(c *model.WheelContact) {
	p := f.Pool
	contact, rim := f.node(c.Contact), f.node(c.Rim)
	w := program.WheelContact{Name: c.Name, Terrain: f.terrain(c.Terrain)}
	var free *graph.Free
	if free, w.Contact, w.ContactSpeed = f.freeStates(contact); free == nil {
		f.reject(c.Pos, "wheel-contact %s acts on the state of %q, which something else carries in this tree; leave the point mass free", c.Name, c.Contact)
		return
	}
	for k := range w.Fixed {
		w.Fixed[k] = f.constantValue(f.points[contact].offsets[0].X[k])
		if slices.Contains(free.Axes, k) {
			w.Fixed[k] = f.constantValue(p.Int(0))
		}
	}
	var above *graph.Free
	if above, w.Rim, w.RimSpeed = f.freeStates(rim); above == nil {
		f.reject(c.Pos, "wheel-contact %s reads the state of %q, which something else carries in this tree; leave the point mass free", c.Name, c.Rim)
		return
	}
	if !slices.Equal(free.Axes, above.Axes) || !slices.Contains(free.Axes, 2) {
		f.reject(c.Pos, "wheel-contact %s: %q and %q must stay in the same plane, which must not be xy", c.Name, c.Contact, c.Rim)
		return
	}
	w.EVert = f.constantValue(f.settable(c.Name+".e_vert", "1", "share of the normal speed that an impact leaves", c.EVert))
	w.EHor = f.constantValue(f.settable(c.Name+".e_hor", "1", "share of the tangential speed that an impact leaves", c.EHor))
	w.RollingVelocity = f.constantValue(f.settable(c.Name+".rolling_velocity", "1", "0: that of the rim, 1: what is tangential of it", c.RollingVelocity))
	w.InitialMode = f.constantValue(f.settable(c.Name+".initial_mode", "1", "0: in the air, 1: rolling, -1: by the height at the start", c.InitialMode))
	f.input(c.Name+".terrain_z", "m", "height that is added to the terrain under this wheel", 0)
	w.Height = f.inputIndex(c.Name + ".terrain_z")

	w.Mode = len(f.Controls)
	mode := f.control(c.Name+".mode", "1", 0)
	ground := f.classes[0].frame
	normal := expr.Vector{Frame: ground}
	for k := range 3 {
		start := 0.0
		if k == 2 {
			start = 1
		}
		w.Normal[k] = len(f.Controls)
		normal.X[k] = f.control(c.Name+".normal_"+string("xyz"[k]), "1", start)
		if !slices.Contains(free.Axes, k) {
			normal.X[k] = p.Int(0)
		}
	}
	friction := f.settable(c.Name+".friction", "N.s/m", "resistance to rolling for a speed, on the rim", c.Friction)
	// 1 while rolling, which is mode 1; 0 in the air and after an impact, 0 and 2
	rolling := f.define("rolling_"+c.Name, p.Mul(mode, p.Sub(p.Int(2), mode)))
	v := f.Across(graph.Ground, rim, Velocity, ground)
	tangential := p.SubV(v, p.ScaleV(p.Dot(v, normal), normal))
	f.addForce(f.forces, rim, p.DefineV("friction_"+c.Name, p.NegV(p.ScaleV(p.Mul(friction, rolling), tangential))))

	f.published = append(f.published, f.positions(c.Name, graph.Ground, contact, ground, "of the contact mass in ground")...)
	f.publish(c.Name+".mode", "1", "0: in the air, 1: rolling, 2: impact in the latest solver step", mode)
	f.Contacts = append(f.Contacts, w)
}

// freeStates returns the states of a point that moves freely, by axis of ground; nil where it
// does not.
func (f *Formulation) freeStates(node int) (free *graph.Free, position, speed [3]int) {
	edge, _ := f.Forest.Step(graph.Translation, node)
	position, speed = [3]int{-1, -1, -1}, [3]int{-1, -1, -1}
	e := &f.Forest.Graph.Edges[edge]
	if _, ok := f.component(e.Owner.Name).(*model.PointMass); !ok || e.Space.Free == nil {
		return nil, position, speed
	}
	for j, k := range e.Space.Free.Axes {
		s := f.speedIndex[edge][j]
		position[k], speed[k] = len(f.Speeds)+s, s
	}
	return e.Space.Free, position, speed
}

func (f *Formulation) inputIndex(name string) int {
	return slices.IndexFunc(f.Inputs, func(u Input) bool { return u.Name == name })
}

// unevenRoad makes the local plane of the terrain under a tire: a class of frames with the normal
// as its z axis and x in the plane of x and z. It returns the frame, the position of the wheel
// relative to the plane's point above the origin, the plane's velocity, and the factor of friction
// there.
func (f *Formulation) unevenRoad(c *model.Tire, surface *model.Terrain, wheel int) (frame expr.Frame, r, rate expr.Vector, friction *expr.Expr) {
	p := f.Pool
	ground := f.classes[0].frame
	u := UnevenRoad{Centre: f.Across(graph.Ground, wheel, Position, ground)}
	u.Terrain = f.terrain(surface.Name)
	control := func(at *int, key, unit string, start float64) *expr.Expr {
		*at = len(f.Controls)
		return f.control(c.Name+".road_"+key, unit, start)
	}
	height, a, b := control(&u.Height, "height", "m", 0), control(&u.SlopeX, "slope_x", "1", 0), control(&u.SlopeY, "slope_y", "1", 0)
	rising := control(&u.Rate, "rate", "m/s", 0)
	friction = control(&u.Friction, "friction", "1", 1)
	if e := c.Enveloping; e != nil {
		u.Points, u.Axle = e.Points, f.resolve(f.unit(f.resolvingFrame(f.classOf[wheel]), c.Axis), ground)
		u.Length = f.constantValue(f.settable(c.Name+".enveloping_length", "m", "of the footprint, in the direction of the wheel", e.Length))
		u.Width = f.constantValue(f.settable(c.Name+".enveloping_width", "m", "of the footprint", e.Width))
	}
	f.input(c.Name+".terrain_z", "m", "height that is added to the terrain under this tire", 0)
	u.Above = f.inputIndex(c.Name + ".terrain_z")
	f.Uneven = append(f.Uneven, u)

	// z = (-a, -b, 1)/sqrt(1 + a^2 + b^2), x = (1, 0, a)/sqrt(1 + a^2), y = z x x
	one, zero := p.Int(1), p.Int(0)
	frame = expr.Frame(c.Name + " plane")
	square := p.Add(one, p.Pow(a, 2))
	sx := f.define("along_"+string(frame), p.Pow(p.Call(expr.Sqrt, square), -1))
	sz := f.define("normal_"+string(frame), p.Pow(p.Call(expr.Sqrt, p.Add(square, p.Pow(b, 2))), -1))
	both := p.Mul(sx, sz)
	f.addClass(class{
		frame: frame, parent: 0, edge: -1,
		turn: expr.Rotation{From: frame, To: ground, M: [3][3]*expr.Expr{
			{sx, f.define("yx_"+string(frame), p.Neg(p.Mul(a, b, both))), f.define("zx_"+string(frame), p.Neg(p.Mul(a, sz)))},
			{zero, f.define("yy_"+string(frame), p.Mul(square, both)), f.define("zy_"+string(frame), p.Neg(p.Mul(b, sz)))},
			{f.define("xz_"+string(frame), p.Mul(a, sx)), f.define("yz_"+string(frame), p.Mul(b, both)), sz},
		}},
		omega: p.ZeroVector(frame), alpha: p.ZeroVector(frame),
	})
	f.forces.moment = append(f.forces.moment, nil)
	offset, rate := p.ZeroVector(ground), p.ZeroVector(ground)
	offset.X[2], rate.X[2] = height, rising
	return frame, p.DefineV("r_"+string(frame), f.resolve(p.SubV(u.Centre, offset), frame)), f.resolve(rate, frame), friction
}

func (f *Formulation) terrainOf(frame string) (*model.Terrain, bool) {
	for _, c := range f.Model.Components {
		if t, ok := c.(*model.Terrain); ok && t.Frame == frame {
			return t, true
		}
	}
	return nil, false
}
