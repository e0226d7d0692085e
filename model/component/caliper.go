package component

import (
	"skidpad/model/curve"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var caliperType = Type{
	Word: "caliper",
	Text: "brake caliper: a hydraulic capacity whose pressure brakes a revolute joint",
	Keys: []keys.Key{fromNodeKey,
		{Name: "joint", Shape: keys.TextShape, Names: keys.Components, Text: "revolute joint that it brakes"},
		{Name: "capacity", Shape: keys.AnyShape, Mirror: keys.Stays,
			Any:  []keys.Key{positive("", capacityUnit, ""), {Shape: keys.CurveShape, Unit: "Pa, m3"}},
			Text: "volume per pressure; or volume over pressure as a curve that rises, from [0, 0]"},
		positive("friction", "1", "coefficient of friction of the pads"),
		positive("area", "m2", "area of the pistons on one side of the disc"),
		positive("radius", "m", "effective radius of the disc"),
		withDefault("push_out", "Pa", "5e4", "pressure at which the pads touch the disc, at least `width`"),
		withDefault("width", "Pa", "2e4", "half of the range of pressure within which the pads come to bear"),
		startOf("pressure", "Pa", "pressure of `from`"), heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		c := &Caliper{Header: h, From: f.Text("from"), Joint: f.Text("joint"), Friction: f.Scalar("friction"),
			Area: f.Scalar("area"), Radius: f.Scalar("radius"), PushOut: f.Scalar("push_out"), Width: f.Scalar("width"),
			Start: givenStart(f, "pressure")}
		c.readCapacity(f)
		if c.PushOut.Value < c.Width.Value {
			f.Fault("push_out", "%s is %s; it must be at least width, which is %s, so that no torque acts without pressure",
				f.PathOf("push_out"), c.PushOut.Text, c.Width.Text)
		}
		return c
	},
}

// Caliper presses pads against a disc on both sides:
//
//	torque = 2 friction area radius ramp(p - push_out)
type Caliper struct {
	keys.Header
	noFrames
	From, Joint                            string
	Capacity                               keys.Scalar  // m3/Pa
	Volume                                 *curve.Curve // m3 over Pa, in place of Capacity; nil for none
	Friction, Area, Radius, PushOut, Width keys.Scalar  // 1, m2, m, Pa, Pa
	Start                                  *keys.Scalar // Pa, nil for none
}

// readCapacity reads the capacity, a number or a curve.
func (c *Caliper) readCapacity(f *keys.Fields) {
	switch n := f.Node("capacity"); {
	case n == nil:
	case n.Kind == document.Number || n.Kind == document.Text:
		c.Capacity = f.Scalar("capacity")
		return
	default:
		c.Volume = f.Curve("capacity")
	}
	if c.Volume != nil && !rises(c.Volume) {
		f.Fault("capacity", "%s does not rise everywhere; the caliper takes more oil as its pressure rises, so let each "+
			"volume exceed the one before it", f.PathOf("capacity"))
	}
}

// rises reports whether the slope of a curve is above 0 everywhere.
func rises(c *curve.Curve) bool {
	least := min(c.First, c.Last)
	for i, piece := range c.Pieces {
		width := c.X[i+1] - c.X[i]
		slope := func(t float64) float64 { return piece.B + t*(2*piece.C+3*t*piece.D) }
		least = min(least, slope(0), slope(width))
		if t := -piece.C / (3 * piece.D); piece.D > 0 && t > 0 && t < width {
			least = min(least, slope(t))
		}
	}
	return least > 0
}

// Check: the joint turns.
func (c *Caliper) Check(s *Scope, r *keys.Reader) { checkTurning(s, r, c.Head(), c.Joint) }

// Edges: the torque of the brake.
//
//	R1 A -> B
func (c *Caliper) Edges(s *Scope) []graph.Edge { return []graph.Edge{lawOn(s, c.Joint, "1")} }

// ScalarEdges:
//
//	H1 from -> ground  q = C(p) p'
func (c *Caliper) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{{Name: "H1", Domain: graph.Hydraulic, From: c.From, Kind: graph.Capacity, Start: c.Start}}
}

// Relations implements Networked.
func (c *Caliper) Relations(b Builder) []Relation {
	if c.Volume == nil {
		return []Relation{{Storage: b.Scalar("capacity", capacityUnit, c.Capacity)}}
	}
	return []Relation{{Storage: b.Curve("volume_"+c.Name, c.Volume, b.Potential(graph.Hydraulic, c.From)).Slope}}
}

// motion is the motion of the joint, which need not be a branch.
func (c *Caliper) motion(b Builder) Coordinate {
	j, _ := Named[Jointed](b.Scope(), c.Joint)
	m := j.Moves()
	return b.About(m.From, m.To, m.Axis)
}

// Law brakes the joint.
func (c *Caliper) Law(b Builder) {
	p := b.Pool()
	pressure := b.Drop("H1")
	b.Publish("pressure", "Pa", "pressure of `from`", pressure)
	b.Publish("flow", flowUnit, "flow into the caliper", b.Flow("H1"))
	above := rampOf(p, p.Sub(pressure, b.Scalar("push_out", "Pa", c.PushOut)), b.Scalar("width", "Pa", c.Width))
	torque := b.Define("torque", p.Scale(expr.Integer(2), p.Mul(b.Scalar("friction", "1", c.Friction),
		b.Scalar("area", "m2", c.Area), b.Scalar("radius", "m", c.Radius), above)))
	b.Publish("torque", "N.m", "magnitude of the brake torque", torque)
	b.Brake(c.motion(b), torque)
}

// IgnoresTurn: it acts about the axis of a joint.
func (*Caliper) IgnoresTurn(Turn) bool { return true }

// Energy: C p^2/2, or the integral of p over the volume, stored; the brake dissipates.
func (c *Caliper) Energy(b Builder) Energy {
	p, pressure := b.Pool(), b.Drop("H1")
	e := Energy{Dissipated: p.Neg(power(b, c.motion(b), b.Kept("applied")))}
	if c.Volume == nil {
		e.Hydraulic = halfSquare(b, b.Scalar("capacity", capacityUnit, c.Capacity), pressure)
		return e
	}
	name := "volume_" + c.Name
	e.Hydraulic = p.Sub(p.Mul(pressure, b.Curve(name, c.Volume, pressure).Value),
		b.CurveIntegral(name, c.Volume, pressure))
	return e
}
