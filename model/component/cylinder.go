package component

import (
	"cmp"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var cylinderType = Type{
	Word: "cylinder",
	Text: "hydraulic cylinder between two frames or on a joint",
	Keys: []keys.Key{
		{Name: "frames", Shape: keys.FramesShape, Optional: true,
			Text: "tail and head: the cylinder lies on the line of their origins; or else `joint`"},
		{Name: "joint", Shape: keys.TextShape, Optional: true, Names: keys.Components,
			Text: "prismatic joint, strut or suspension that it moves, in place of `frames`"},
		{Name: "head", Shape: keys.NodeShape, Text: "node of the chamber whose pressure pushes the ends apart"},
		{Name: "rod", Shape: keys.NodeShape, Default: graph.GroundFrame,
			Text: "node of the chamber whose pressure pulls them together"},
		positive("area", "m2", "area of the piston in the chamber `head`"),
		nonnegative("rod_area", "m2", "0", "area of the piston in the chamber `rod`"),
		optionally(positive("bulk_modulus", "Pa", "bulk modulus of the oil in the chambers; without: the chambers have no "+
			"capacity")),
		optionally(positive("dead_volume", "m3", "volume of the chamber `head`, with `bulk_modulus`; with `length`, at this "+
			"length")),
		optionally(positive("rod_dead_volume", "m3", "volume of the chamber `rod`; default: `dead_volume`")),
		asymmetric(keys.OfCoordinate, optionally(scalar("length", "m", "",
			"length, or coordinate of the joint, at which the chambers have their dead volumes; without: their volumes stay"))),
		nonnegative("friction", "N", "0", "dry friction of the seals"),
		withDefault("sliding_speed", "m/s", "0.01", "speed at which the friction is tanh 1 of its full value"),
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial state, with `bulk_modulus`", Keys: []keys.Key{
			scalar("head_pressure", "Pa", "0", "pressure of the chamber `head`"),
			scalar("rod_pressure", "Pa", "0", "pressure of the chamber `rod`"),
		}},
		heatKey},
	Read: readCylinder,
}

// Cylinder has two chambers. The pressure of the head chamber pushes the ends apart, and the pressure of the rod
// chamber pulls them together. The motion moves the oil of both chambers.
type Cylinder struct {
	keys.Header
	Tail, Front            string // frames, "" with Joint
	Joint                  string
	HeadNode, Rod          string
	Area, RodArea          keys.Scalar  // m2
	Modulus                *keys.Scalar // Pa, nil: no capacity
	Dead, RodDead          *keys.Scalar // m3; nil for none
	Length                 *keys.Scalar // m, nil: constant volumes
	Friction, SlidingSpeed keys.Scalar  // N, m/s
	Start, RodStart        *keys.Scalar // Pa, nil for none
}

func readCylinder(h keys.Header, f *keys.Fields) Component {
	c := &Cylinder{Header: h, Joint: f.Text("joint"), HeadNode: f.Text("head"), Rod: f.Text("rod"),
		Area: f.Scalar("area"), RodArea: f.Scalar("rod_area"), Modulus: optional(f, "bulk_modulus"),
		Dead: optional(f, "dead_volume"), RodDead: optional(f, "rod_dead_volume"), Length: optional(f, "length"),
		Friction: f.Scalar("friction"), SlidingSpeed: f.Scalar("sliding_speed"), Start: givenStart(f, "head_pressure"),
		RodStart: givenStart(f, "rod_pressure")}
	switch frames := f.Texts("frames"); {
	case f.Given("frames") == f.Given("joint"):
		f.FaultOfTable("cylinder %s needs either frames = [tail, head], or joint", h.Name)
	case f.Given("frames") && len(frames) != 2:
		f.Fault("frames", "%s has %d frames; it needs two, the tail and the head", f.PathOf("frames"), len(frames))
	case f.Given("frames"):
		c.Tail, c.Front = frames[0], frames[1]
	}
	if c.Modulus != nil {
		f.Require("dead_volume")
		return c
	}
	for _, key := range []string{"dead_volume", "rod_dead_volume", "length", "start"} {
		if f.Given(key) {
			f.Fault(key, "%s has no effect, because the chambers have no capacity; leave it out, or give bulk_modulus",
				f.PathOf(key))
		}
	}
	return c
}

// Frames implements Component.
func (c *Cylinder) Frames() Frames {
	if c.Joint != "" {
		return Frames{}
	}
	return Frames{Uses: []string{c.Tail, c.Front}}
}

// Edges: the force along the line of two frames, or on the coordinate of a joint.
//
//	T1 A -> B
func (c *Cylinder) Edges(s *Scope) []graph.Edge {
	if c.Joint != "" {
		return []graph.Edge{lawOn(s, c.Joint, "1")}
	}
	return law("T1", graph.Translation, c.Tail, c.Front)
}

// Check: the joint slides.
func (c *Cylinder) Check(s *Scope, r *keys.Reader) {
	if c.Joint == "" || !checkJoint(s, r, c.Head(), "joint", c.Joint) {
		return
	}
	if j, _ := Named[Jointed](s, c.Joint); j.Moves().Domain != graph.Translation {
		r.Place(r.Naming(c.Head(), c.Joint, "joint"), "cylinder %s moves along a line, and %q is a %s; name a joint that "+
			"slides, or give frames", c.Name, c.Joint, j.Head().Type)
	}
}

// rodded reports whether the rod chamber has a node of its own.
func (c *Cylinder) rodded() bool { return cmp.Or(c.Rod, graph.GroundFrame) != graph.GroundFrame }

// chamber is one of the two chambers: the sign of its area in the flow into it.
type chamber struct {
	node, flow, storage, state string
	sign                       int64
	start                      *keys.Scalar
}

// chambers are the chambers with nodes.
func (c *Cylinder) chambers() []chamber {
	list := []chamber{{c.HeadNode, "H1", "H3", "head_pressure", 1, c.Start}}
	if c.rodded() {
		list = append(list, chamber{c.Rod, "H2", "H4", "rod_pressure", -1, c.RodStart})
	}
	return list
}

// ScalarEdges:
//
//	H1 head -> ground  q = A s',  H2 rod -> ground  q = -A_rod s'
//	H3 head -> ground, H4 rod -> ground  q = C p', with bulk_modulus
func (c *Cylinder) ScalarEdges(*Scope) []graph.ScalarEdge {
	var edges []graph.ScalarEdge
	for _, a := range c.chambers() {
		edges = append(edges, graph.ScalarEdge{Name: a.flow, Domain: graph.Hydraulic, From: a.node, Kind: graph.FlowSource,
			Coupled: true})
	}
	if c.Modulus != nil {
		for _, a := range c.chambers() {
			edges = append(edges, graph.ScalarEdge{Name: a.storage, Domain: graph.Hydraulic, From: a.node,
				Kind: graph.Capacity, State: a.state, Start: a.start, Without: "no bulk_modulus"})
		}
	}
	return edges
}

func (c *Cylinder) motion(b Builder) Coordinate {
	if c.Joint == "" {
		return b.Line(c.Tail, c.Front)
	}
	return coordinateOf(b, c.Joint)
}

// area is the area of a chamber with its sign.
func (c *Cylinder) area(b Builder, a chamber) *expr.Expr {
	if a.sign > 0 {
		return b.Scalar("area", "m2", c.Area)
	}
	return b.Pool().Neg(b.Scalar("rod_area", "m2", c.RodArea))
}

// capacity is (V + A (s - s0))/K of a chamber.
func (c *Cylinder) capacity(b Builder, a chamber, x Coordinate) *expr.Expr {
	p := b.Pool()
	if c.Dead == nil {
		return p.Int(1) // the reader has a fault
	}
	volume := b.Scalar("dead_volume", "m3", *c.Dead)
	if a.sign < 0 && c.RodDead != nil {
		volume = b.Scalar("rod_dead_volume", "m3", *c.RodDead)
	}
	if c.Length != nil {
		volume = p.Add(volume, p.Mul(c.area(b, a), p.Sub(x.Value, b.Scalar("length", "m", *c.Length))))
	}
	return p.Div(volume, b.Scalar("bulk_modulus", "Pa", *c.Modulus))
}

// Relations implements Networked.
func (c *Cylinder) Relations(b Builder) []Relation {
	p, x := b.Pool(), c.motion(b)
	if x.Value == nil {
		x.Value, x.Rate = p.Int(0), p.Int(0) // a fault is noted
	}
	var list []Relation
	for _, a := range c.chambers() {
		list = append(list, Relation{Value: p.Mul(c.area(b, a), x.Rate)})
	}
	if c.Modulus != nil {
		for _, a := range c.chambers() {
			list = append(list, Relation{Storage: c.capacity(b, a, x)})
		}
	}
	return list
}

// friction is the force of the seals against the motion.
func (c *Cylinder) friction(b Builder, x Coordinate) *expr.Expr {
	p := b.Pool()
	return p.Mul(b.Scalar("friction", "N", c.Friction),
		p.Call(expr.Tanh, p.Div(x.Rate, b.Scalar("sliding_speed", "m/s", c.SlidingSpeed))))
}

// Law is the force A p of both chambers, less friction, which pushes the ends apart.
func (c *Cylinder) Law(b Builder) {
	p, x := b.Pool(), c.motion(b)
	if x.Value == nil {
		return
	}
	force := p.Neg(c.friction(b, x))
	for _, a := range c.chambers() {
		force = p.Add(force, p.Mul(c.area(b, a), b.Drop(a.flow)))
	}
	force = b.Define("force", force)
	b.Apply(x, force)
	b.Publish("force", "N", "force that pushes the ends apart", force)
	b.Publish("length", "m", "length, or coordinate of the joint", x.Value)
	for _, a := range c.chambers() {
		flow := b.Flow(a.flow)
		if c.Modulus != nil {
			flow = p.Add(flow, b.Flow(a.storage))
		}
		side := a.state[:len(a.state)-len("_pressure")]
		b.Publish(a.state, "Pa", "pressure of the chamber `"+side+"`", b.Drop(a.flow))
		b.Publish(side+"_flow", flowUnit, "flow into the chamber `"+side+"`", flow)
	}
}

// IgnoresTurn: the cylinder depends on origins only, which are on the axis of the rotation.
func (*Cylinder) IgnoresTurn(Turn) bool { return true }

// Energy: V p^2/(2 K) stored, friction dissipated. Oil that flows into a chamber of variable volume brings its energy
// of compression along, which is not part of p q. It counts as supplied: A s' p^2/(2 K).
func (c *Cylinder) Energy(b Builder) Energy {
	p, x := b.Pool(), c.motion(b)
	e := Energy{Dissipated: p.Mul(c.friction(b, x), x.Rate)}
	if c.Modulus == nil {
		return e
	}
	stored, brought := p.Int(0), p.Int(0)
	for _, a := range c.chambers() {
		pressure := b.Drop(a.flow)
		stored = p.Add(stored, halfSquare(b, c.capacity(b, a, x), pressure))
		if c.Length != nil {
			compressed := halfSquare(b, p.Pow(b.Scalar("bulk_modulus", "Pa", *c.Modulus), -1), pressure)
			brought = p.Add(brought, p.Mul(c.area(b, a), x.Rate, compressed))
		}
	}
	e.Hydraulic, e.Supplied = stored, brought
	return e
}
