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
	Keys: append([]keys.Key{
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
	}, spinningKeys("the rotating parts of the engine", "the engine drives forward")...),
	Read: readEngine,
}

// Engine gives a revolute joint or a differential a torque by its speed and the input <name>.throttle.
type Engine struct {
	keys.Header
	Drives         string
	Ratio          keys.Scalar    // of its speed to that of what it drives
	FullLoad, Drag *curve.Curve   // N m over rad/s, with the throttle open and closed; nil for none
	Map            *curve.Surface // in their place: N m over rad/s and throttle; nil for none
	Spinning                      // with the engine

	drivesAt keys.Position
}

func readEngine(h keys.Header, f *keys.Fields) Component {
	e := &Engine{Header: h, Drives: f.Text("drives"), Ratio: f.Scalar("ratio"),
		Drag: f.Curve("drag"), Spinning: readSpinning(h, f)}
	e.drivesAt = f.Position("drives")
	if e.FullLoad, e.Map = f.CurveOrSurface("full_load"); e.Map != nil && f.Given("drag") {
		f.Fault("drag", "%s.drag goes with a full_load over the speed only; the surface has the torque of the closed "+
			"throttle, too", h.Name)
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
	c.check(c.Name, s, r)
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
// times its ratio; w is the ratio times the speed of what it drives, throttle is limited to 0..1.
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
	c.Rotor(b).load(b, c.Frame)
	on.Turn(p.Define("T_on_"+c.Drives, p.Mul(ratio, torque)))
}

// shaft returns what the engine drives, and the speed of the engine.
func (c *Engine) shaft(b Builder) (on Shaft, speed *expr.Expr) {
	on = shaftOf(b, c.Drives, "")
	return on, b.Define("speed", b.Pool().Mul(b.Scalar("ratio", "1", c.Ratio), on.Speed))
}

// Rotor is what turns with the engine, nil without inertia.
func (c *Engine) Rotor(b Builder) *Rotor {
	on, speed := c.shaft(b)
	return c.with(on, speed, b.Scalar("ratio", "1", c.Ratio), b)
}

// IgnoresTurn: it acts about the axes of joints; what its rotor turns in is carried, and so no frame that turns unseen.
func (c *Engine) IgnoresTurn(t Turn) bool { return true }
