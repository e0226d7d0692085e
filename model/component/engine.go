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
			"torque with the throttle closed, negative; a curve through [0, 0] gives no torque at standstill and in "+
				"reverse rotation; beyond its last point it does not rise"),
	}, spinningKeys("the rotating parts of the engine", "the engine drives forward")...),
	Read: readEngine,
}

// Engine gives a revolute joint or a differential a torque by its speed and the input <name>.throttle.
type Engine struct {
	keys.Header
	Drives         string
	Ratio          keys.Scalar    // speed of the engine divided by the speed of the driven component
	FullLoad, Drag *curve.Curve   // N m over rad/s, with the throttle open and closed; nil for none
	Map            *curve.Surface // in their place: N m over rad/s and throttle; nil for none
	Spinning                      // with the engine

	drivesAt keys.Position
}

func readEngine(h keys.Header, f *keys.Fields) Component {
	e := &Engine{Header: h, Drives: f.Text("drives"), Ratio: f.Scalar("ratio"),
		Drag: resistingForward(f.Curve("drag")), Spinning: readSpinning(h, f)}
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

// Check rejects rotating parts with more inertia than their carrier.
func (c *Engine) Check(s *Scope, r *keys.Reader) {
	c.check(c.Name, s, r)
}

// Terminal returns the driver's terminal.
func (*Engine) Terminal() Terminal { return Terminal{} }

// Acts is the torque on the driven component.
func (c *Engine) Acts() []Act {
	return []Act{{On: c.Drives, Part: Powered, Needs: "a revolute joint or a differential", Pos: c.drivesAt}}
}

// Modes: the driven component turns with the engine.
func (c *Engine) Modes() Modes { return Modes{Driven: c.Drives} }

// Law gives the driven component the torque
//
//	T = drag(w) + throttle (full load(w) - drag(w)),  or  T = map(w, throttle),
//
// times its ratio; w is the ratio times the speed of the driven component, throttle is limited to 0..1. An engine that
// is turned backwards does not fire. With the lowest speed w0 of the curves, at most 0, and r = w - w0, limited to -1
// rad/s and 0, the torque is
//
//	T(max(w, w0) + r (1 + r)^2) + r^2 (3 + 2 r) (|T(w0)| - T(w0)),
//
// so that from 1 rad/s below w0 on the engine resists with its value at w0, and the slope is continuous.
func (c *Engine) Law(b Builder) {
	p := b.Pool()
	on, speed := c.shaft(b)
	throttle := b.Input("throttle", "1", "0: closed, 1: open", 0)
	open := b.Define("throttle", p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), throttle)))
	lowest := p.Num(expr.FromFloat(c.lowest()))
	reversed := b.Define("reversed", p.Call(expr.Min, p.Int(0), p.Call(expr.Max, p.Int(-1), p.Sub(speed, lowest))))
	fires := b.Define("fires", p.Add(p.Call(expr.Max, speed, lowest),
		p.Mul(reversed, p.Pow(p.Add(p.Int(1), reversed), 2))))
	torque := c.torque(b, "", fires, speed, open)
	if c.resistsAtRest() {
		least := p.Call(expr.Min, p.Int(0), c.torque(b, "_lowest", lowest, lowest, open))
		torque = p.Sub(torque, p.Mul(p.Int(2), least, p.Pow(reversed, 2), p.Add(p.Int(3), p.Mul(p.Int(2), reversed))))
	}
	torque = b.Define("T", torque)
	b.Publish("speed", "rad/s", "speed of the engine", speed)
	b.Publish("torque", "N.m", "engine torque", torque)
	b.Keep("torque", torque)
	ratio := b.Scalar("ratio", "1", c.Ratio)
	c.Rotor(b).load(b, c.Frame)
	on.Turn(p.Define("T_on_"+c.Drives, p.Mul(ratio, torque)))
}

// lowest is the lowest speed that lies within the points of all curves, at most 0 [rad/s].
func (c *Engine) lowest() float64 {
	if c.Map != nil {
		return min(0, c.Map.Table.AlongX.Points.Values[0])
	}
	lowest := min(0, c.FullLoad.X[0])
	if c.Drag != nil {
		lowest = max(lowest, min(0, c.Drag.X[0]))
	}
	return lowest
}

// resistsAtRest reports whether the torque at the lowest speed can be negative.
func (c *Engine) resistsAtRest() bool {
	if c.Map != nil {
		return true
	}
	lowest := c.lowest()
	full, _, _ := c.FullLoad.At(lowest)
	drag := 0.0
	if c.Drag != nil {
		drag, _, _ = c.Drag.At(lowest)
	}
	return full < 0 || drag < 0
}

// torque returns the torque of the curves at a speed, under names with a suffix. A curve that ends the run beyond its
// points is evaluated at the speed of the crankshaft. Thus the run ends where the engine turns backwards.
func (c *Engine) torque(b Builder, suffix string, at, speed, open *expr.Expr) *expr.Expr {
	p := b.Pool()
	within := func(limit *curve.Limit) *expr.Expr {
		if limit != nil {
			return speed
		}
		return at
	}
	if c.Map != nil {
		return b.Surface("map_"+c.Name+suffix, c.Map, within(c.Map.Limit), open)
	}
	full, drag := b.Curve("full_load_"+c.Name+suffix, c.FullLoad, within(c.FullLoad.Limit)).Value, p.Int(0)
	if c.Drag != nil {
		drag = b.Curve("drag_"+c.Name+suffix, c.Drag, within(c.Drag.Limit)).Value
	}
	return p.Add(drag, p.Mul(open, p.Sub(full, drag)))
}

// shaft returns the driven shaft, and the speed of the engine.
func (c *Engine) shaft(b Builder) (on Shaft, speed *expr.Expr) {
	on = shaftOf(b, c.Drives, "")
	return on, b.Define("speed", b.Pool().Mul(b.Scalar("ratio", "1", c.Ratio), on.Speed))
}

// Rotor is the inertia that turns with the engine, nil without inertia.
func (c *Engine) Rotor(b Builder) *Rotor {
	on, speed := c.shaft(b)
	return c.rotor(on, speed, b.Scalar("ratio", "1", c.Ratio), b)
}

// IgnoresTurn: the engine acts about the axes of joints. The frame of its rotor is a carrier, and the rotation of a
// carrier is never ignored.
func (c *Engine) IgnoresTurn(t Turn) bool { return true }

// Energy: the torque, with drag, supplies power. The rotor has the kinetic energy I w^2/2 + I w a.W beside the energy
// of a rotor that stands still in its frame.
func (c *Engine) Energy(b Builder) Energy {
	p := b.Pool()
	_, speed := c.shaft(b)
	return Energy{Supplied: p.Mul(b.Kept("torque"), speed), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
}
