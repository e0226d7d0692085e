package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var engineType = Type{
	Word:   "engine",
	Text:   "engine torque as a function of speed and throttle, on a joint or a differential",
	Middle: true,
	Keys: []keys.Key{
		{Name: "drives", Shape: keys.TextShape, Names: keys.Components, Text: "revolute joint or differential"},
		scalar("ratio", "1", "1",
			"gear ratio: speed of the engine divided by the speed of the driven component; negative: reverse, 0: none"),
		{Name: "full_load", Shape: keys.CurveShape, Unit: "rad/s, N.m", Second: "1",
			Mirror: keys.Stays,
			Text: "torque with the throttle open, over the engine speed; as a surface over speed and throttle it is the " +
				"torque, without `drag`"},
		monotone("drag", "rad/s, N.m",
			"torque with the throttle closed, negative; a curve through [0, 0] gives no torque at standstill, and also "+
				"acts against reverse rotation"),
		nonnegative("inertia", "kg.m2", "0", "moment of inertia of the rotating parts of the engine, about their axis"),
		{Name: "frame", Shape: keys.FrameShape, Optional: true, Text: "frame that carries the rotating parts"},
		{Name: "axis", Shape: keys.AxisShape, Optional: true, Mirror: keys.SpinAxis,
			Text: "axis in `frame`, about which the engine rotates in the positive sense when it drives forward"},
	},
	Read: readEngine,
}

// Engine gives a revolute joint or a differential a torque by its speed and the input <name>.throttle.
type Engine struct {
	keys.Header
	Drives         string
	Ratio          keys.Scalar    // of its speed to that of what it drives
	FullLoad, Drag *curve.Curve   // N m over rad/s, with the throttle open and closed; nil for none
	Map            *curve.Surface // in their place: N m over rad/s and throttle; nil for none
	Inertia        keys.Scalar    // kg m^2, about its axis
	Frame          string         // that carries it, "" without inertia
	Axis           [3]float64

	drivesAt keys.Position
}

func readEngine(h keys.Header, f *keys.Fields) Component {
	e := &Engine{Header: h, Drives: f.Text("drives"), Ratio: f.Scalar("ratio"),
		Drag: f.Curve("drag"), Inertia: f.Scalar("inertia"), Frame: f.Text("frame"), Axis: f.Axis("axis")}
	e.drivesAt = f.Position("drives")
	if e.FullLoad, e.Map = f.CurveOrSurface("full_load"); e.Map != nil && f.Given("drag") {
		f.Fault("drag", "%s.drag goes with a full_load over the speed only; the surface has the torque of the closed "+
			"throttle, too", h.Name)
	}
	for _, key := range []string{"frame", "axis"} {
		switch turns := f.Given("inertia"); {
		case turns && !f.Given(key):
			f.FaultOfTable("%s has inertia and lacks the key %q, of what carries it", h.Name, key)
		case !turns && f.Given(key):
			f.Fault(key, "%s.%s goes with inertia only", h.Name, key)
		}
	}
	return e
}

func (c *Engine) Frames() Frames {
	return Frames{Uses: given(c.Frame), Axes: given(c.Frame)}
}

func (c *Engine) Edges(s *Scope) []graph.Edge {
	return driven(s, "", c.Drives)
}

// Check: what turns with an engine is a part of the body that carries it.
func (c *Engine) Check(s *Scope, r *keys.Reader) {
	for _, other := range All[Heavy](s) {
		b := other.Lump()
		if !b.Rigid || b.Frame != c.Frame {
			continue
		}
		about, j := 0.0, b.Inertia.Matrix()
		for i := range 3 {
			for k := range 3 {
				about += c.Axis[i] * j[i][k] * c.Axis[k]
			}
		}
		if c.Inertia.Value > about {
			r.Place(c.Inertia.Pos, "%s.inertia is %s; it is a part of %s, which has %.6g kg m2 about that axis",
				c.Name, c.Inertia.Text, other.Head().Name, about)
		}
	}
}

// Terminal is that of the driver.
func (*Engine) Terminal() Terminal { return Terminal{} }

// Acts is the torque on what it drives.
func (c *Engine) Acts() []Act {
	return []Act{{On: c.Drives, Part: Powered, Needs: "a revolute joint or a differential", Pos: c.drivesAt}}
}

// Modes: what it drives turns with it.
func (c *Engine) Modes() Modes { return Modes{Driven: c.Drives} }

// Law gives what the engine drives the torque
//
//	T = drag(w) + throttle (full load(w) - drag(w)),  or  T = map(w, throttle),
//
// times its ratio; w is the ratio times the speed of what it drives, throttle is limited to 0..1. What
// has inertia I and turns with w about an axis a of a frame that turns with W has the momentum I w a
// beside what it would have if it stood still in the frame: its kinetic energy adds to the equations
//
//	I w^2/2 + I w a.W
//
// as mass, and, as loads, what does not depend on accelerations.
func (c *Engine) Law(b Builder) {
	p := b.Pool()
	on, speed := c.shaft(b)
	var full, torque *expr.Expr
	if c.FullLoad != nil {
		full = b.Curve("full_load_"+c.Name, c.FullLoad, speed).Value
	}
	drag := p.Int(0)
	if c.Drag != nil {
		drag = b.Curve("drag_"+c.Name, c.Drag, speed).Value
	}
	throttle := b.Input("throttle", "1", "0: closed, 1: open", 0)
	open := b.Define("throttle", p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), throttle)))
	if c.Map != nil {
		torque = b.Surface("map_"+c.Name, c.Map, speed, open)
	} else {
		torque = b.Define("T", p.Add(drag, p.Mul(open, p.Sub(full, drag))))
	}
	b.Publish("speed", "rad/s", "speed of the engine", speed)
	b.Publish("torque", "N.m", "engine torque", torque)
	b.Keep("torque", torque)
	ratio := b.Scalar("ratio", "1", c.Ratio)
	if r := c.Rotor(b); r != nil {
		w := b.AngularVelocity(graph.GroundFrame, c.Frame, r.Axis.Frame)
		alpha := b.AngularAcceleration(graph.GroundFrame, c.Frame, r.Axis.Frame)
		load := b.Define("inertia", p.Mul(r.Inertia, p.Add(r.bias, p.Dot(r.Axis, alpha))))
		for k, e := range r.Partials {
			b.OnSpeed(k, p.Neg(p.Mul(load, e)))
		}
		momentum := b.DefineV("H", p.ScaleV(p.Mul(r.Inertia, speed), r.Axis))
		rest := p.AddV(p.ScaleV(p.Mul(r.Inertia, r.bias), r.Axis), p.Cross(w, momentum))
		b.Moment(c.Frame, p.NegV(rest))
	}
	on.Turn(p.Define("T_on_"+c.Drives, p.Mul(ratio, torque)))
}

// shaft returns what the engine drives, and the speed of the engine.
func (c *Engine) shaft(b Builder) (on Shaft, speed *expr.Expr) {
	on = shaftOf(b, c.Drives, "")
	return on, b.Define("speed", b.Pool().Mul(b.Scalar("ratio", "1", c.Ratio), on.Speed))
}

// Couples: its inertia couples what it drives with what carries it.
func (c *Engine) Couples() bool { return c.Inertia.Formula || c.Inertia.Value != 0 }

// Carrier is the frame that carries what turns with the engine.
func (c *Engine) Carrier() string { return c.Frame }

// Rotor is what turns with the engine, nil without inertia.
func (c *Engine) Rotor(b Builder) *Rotor {
	p := b.Pool()
	inertia := b.Scalar("inertia", "kg.m2", c.Inertia)
	if inertia.IsZero() {
		return nil
	}
	on, _ := c.shaft(b)
	ratio := b.Scalar("ratio", "1", c.Ratio)
	r := &Rotor{
		Inertia: inertia, Axis: b.Constant(b.Axes(c.Frame), c.Axis),
		Partials: b.NoPartials(), Along: b.NoPartials(), bias: p.Mul(ratio, on.Bias),
	}
	for k := range on.Partials {
		r.Partials[k] = p.Mul(ratio, on.Partials[k])
	}
	for k, axis := range b.Partials(c.Frame) {
		r.Along[k] = p.Dot(r.Axis, b.Resolve(axis, r.Axis.Frame))
	}
	return r
}

// Rotor is an inertia that turns against a frame that carries it.
type Rotor struct {
	Inertia *expr.Expr
	Axis    expr.Vector
	// The rate of its speed against the carrier is the partials times the rates of the model's speeds
	// and the bias; along is how much the carrier turns about the axis with each.
	Partials, Along []*expr.Expr
	bias            *expr.Expr
}

// IgnoresTurn: it acts about the axes of joints; what its rotor turns in is carried, and so no frame that turns unseen.
func (c *Engine) IgnoresTurn(t Turn) bool { return true }
