package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var pumpType = Type{
	Word: "pump",
	Text: "displacement pump or motor, on a revolute joint or with a given speed",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		{Name: "joint", Shape: keys.TextShape, Optional: true, Names: keys.Components,
			Text: "revolute joint that drives it; or else `speed`"},
		optionally(courseKey("speed", "rad/s", "speed of the pump, in place of `joint`")),
		asymmetric(keys.OfCoordinate, scalar("displacement", "m3/rad", "0", "flow into `to` per speed")),
		nonnegative("leakage", conductanceUnit, "0", "flow from `to` to `from` per pressure"),
		nonnegative("damping", "N.m.s/rad", "0", "torque of viscous friction per speed"),
		nonnegative("friction", "N.m", "0", "torque of dry friction"),
		withDefault("sliding_speed", "rad/s", "1", "speed at which dry friction is tanh 1 of its full value"),
		heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		c := &Pump{Header: h, Ends: readEnds(f), Joint: f.Text("joint"), Displacement: f.Scalar("displacement"),
			Leakage: f.Scalar("leakage"), Damping: f.Scalar("damping"), Friction: f.Scalar("friction"),
			SlidingSpeed: f.Scalar("sliding_speed")}
		if f.Given("speed") {
			c.Speed = readTimeCourse(f, "speed", "rad/s")
		}
		if f.Given("joint") == f.Given("speed") {
			f.FaultOfTable("pump %s needs either joint or speed", h.Name)
		}
		if !f.Given("displacement") {
			f.FaultOfTable("pump %s has no displacement; give it the flow per speed, such as \"2 ml/rad\"", h.Name)
		}
		return c
	},
}

// Pump moves oil from From to To in proportion to a speed, and takes the torque of the rise.
type Pump struct {
	keys.Header
	noFrames
	Ends
	Joint                                    string      // "" with Speed
	Speed                                    TimeCourse  // without Joint
	Displacement, Leakage, Damping, Friction keys.Scalar // m3/rad, m3/(Pa s), N m s/rad, N m
	SlidingSpeed                             keys.Scalar // rad/s
}

// Check: the joint turns.
func (c *Pump) Check(s *Scope, r *keys.Reader) {
	if c.Joint != "" {
		checkTurning(s, r, c.Head(), c.Joint)
	}
}

// Edges: the torque on the joint.
//
//	R1 A -> B
func (c *Pump) Edges(s *Scope) []graph.Edge {
	if c.Joint == "" {
		return nil
	}
	return []graph.Edge{lawOn(s, c.Joint, "1")}
}

// ScalarEdges:
//
//	H1 from -> to  q = D w
//	H2 from -> to  leakage, where there is one
func (c *Pump) ScalarEdges(*Scope) []graph.ScalarEdge {
	edges := []graph.ScalarEdge{c.scalarEdge("H1", graph.Hydraulic, graph.FlowSource)}
	edges[0].Coupled = c.Joint != ""
	if !zero(c.Leakage) {
		edges = append(edges, c.scalarEdge("H2", graph.Hydraulic, graph.Affine))
	}
	return edges
}

// speed is the speed with what makes its rate; nil where states give the speed.
func (c *Pump) speed(b Builder) (speed *expr.Expr, rate func() *expr.Expr) {
	if c.Joint == "" {
		return c.Speed.value(b)
	}
	if x := coordinateOf(b, c.Joint); x.Value != nil {
		return x.Rate, nil
	}
	return b.Pool().Int(0), nil
}

func (c *Pump) displacement(b Builder) *expr.Expr {
	return b.Scalar("displacement", "m3/rad", c.Displacement)
}

// Relations implements Networked.
func (c *Pump) Relations(b Builder) []Relation {
	p := b.Pool()
	speed, rate := c.speed(b)
	flow := Relation{Value: p.Mul(c.displacement(b), speed)}
	if rate != nil {
		flow.Rate = func() *expr.Expr { return p.Mul(c.displacement(b), rate()) }
	}
	list := []Relation{flow}
	if !zero(c.Leakage) {
		list = append(list, Relation{Resistance: p.Pow(b.Scalar("leakage", conductanceUnit, c.Leakage), -1)})
	}
	return list
}

// friction is the torque of friction against the speed.
func (c *Pump) friction(b Builder) *expr.Expr {
	p := b.Pool()
	speed, _ := c.speed(b)
	dry := p.Mul(b.Scalar("friction", "N.m", c.Friction),
		p.Call(expr.Tanh, p.Div(speed, b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed))))
	return p.Add(dry, p.Mul(b.Scalar("damping", "N.m.s/rad", c.Damping), speed))
}

// rise is the pressure of To less that of From.
func (c *Pump) rise(b Builder) *expr.Expr { return b.Pool().Neg(b.Drop("H1")) }

// torque is what the pump takes from its shaft: D times the rise, and friction.
func (c *Pump) torque(b Builder) *expr.Expr {
	p := b.Pool()
	return b.Define("torque", p.Add(p.Mul(c.displacement(b), c.rise(b)), c.friction(b)))
}

// loss is the power of leakage and friction.
func (c *Pump) loss(b Builder) *expr.Expr {
	p := b.Pool()
	speed, _ := c.speed(b)
	return p.Add(p.Mul(b.Scalar("leakage", conductanceUnit, c.Leakage), p.Pow(b.Drop("H1"), 2)),
		p.Mul(c.friction(b), speed))
}

// Law is the torque on the joint, against a rise of pressure in its direction.
func (c *Pump) Law(b Builder) {
	p := b.Pool()
	flow := b.Flow("H1")
	if !zero(c.Leakage) {
		flow = p.Add(flow, b.Flow("H2"))
	}
	b.Publish("pressure", "Pa", "pressure of `to` less pressure of `from`", c.rise(b))
	b.Publish("flow", flowUnit, "flow into `to`, less leakage", flow)
	b.Publish("power", "W", "power supplied to the oil", p.Mul(c.rise(b), flow))
	torque := c.torque(b)
	b.Publish("torque", "N.m", "torque taken from the shaft", torque)
	if c.Joint == "" {
		return
	}
	if x := coordinateOf(b, c.Joint); x.Value != nil {
		b.Drive(x, p.Neg(torque))
	}
}

// IgnoresTurn: it acts about the axis of a joint.
func (*Pump) IgnoresTurn(Turn) bool { return true }

// Energy: leakage and friction dissipate; whatever gives the speed supplies.
func (c *Pump) Energy(b Builder) Energy {
	e := Energy{Dissipated: c.loss(b)}
	if c.Joint == "" {
		speed, _ := c.speed(b)
		e.Supplied = b.Pool().Mul(c.torque(b), speed)
	}
	return e
}
