package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var revoluteType = Type{
	Word: "revolute",
	Text: "joint that rotates about one axis",
	Keys: []keys.Key{
		fromKey, toKey, rotationAxisKey, mirrorKey,
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			asymmetric(keys.OfCoordinate, scalar("phi", "rad", "0", "angle")),
			asymmetric(keys.OfCoordinate, scalar("omega", "rad/s", "0", "rate")),
			keepKey,
		}},
		{Name: "torque", Shape: keys.WordShape, Default: "none", Choices: []string{"none", "input"},
			Text: "input: a torque on the head about the axis, reacting on the tail"},
		motionKey,
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		s := f.Sub("start")
		h.Kept = s.Truth(keepKey.Name)
		return &Revolute{h, f.Text("from"), f.Text("to"), f.Axis("axis"), s.Scalar("phi"), s.Scalar("omega"),
			f.Text("torque") == "input", readMotion(h, f, "start", "torque")}
	},
}

// Revolute joint about Axis (unit vector in From).
type Revolute struct {
	keys.Header
	From, To   string
	Axis       [3]float64
	Phi, Omega keys.Scalar // start values, rad, rad/s
	Torque     bool        // there is an input <name>.torque
	Given      bool        // the motion is input
}

func (c *Revolute) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: a joint from A to B about u.
//
//	T1 A -> B       r = 0
//	R1 Ground -> A  observer
//	R2 A -> B       theta = phi u
//
// A motion that is input has g in place of phi.
func (c *Revolute) Edges(s *Scope) []graph.Edge {
	motion := &graph.Motion{
		Axis:       c.Axis,
		Coordinate: graph.Coordinate{Name: c.Name + ".phi", Unit: "rad", Start: c.Phi},
		Speed:      graph.Coordinate{Name: c.Name + ".omega", Unit: "rad/s", Start: c.Omega},
	}
	if c.Given {
		motion = givenMotion(c.Name, graph.Rotation, c.Axis)
		motion.Joint = true
	}
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To, Space: graph.Space{Motion: motion}},
	}
}

// Check has nothing to add to the keys.
func (*Revolute) Check(*Scope, *keys.Reader) {}

// Receives: clutches, engines and differentials may act on it.
func (*Revolute) Receives(p Part) bool { return p == Coupled || p == Powered }

// Followed: suspensions can follow it, as a steering arm.
func (*Revolute) Followed(*Scope) (can, travel bool) { return true, false }

// Holds: about the axis its reaction has the torque of the joint's own input alone.
func (c *Revolute) Holds() (tail, head string) { return c.From, c.To }

// Moves is the coordinate of the joint.
func (c *Revolute) Moves() Movement {
	return Movement{Domain: graph.Rotation, From: c.From, To: c.To, Axis: c.Axis}
}

// Law is the torque of the joint's input.
func (c *Revolute) Law(b Builder) {
	if c.Torque {
		b.Drive(c.Coordinate(b), b.Input("torque", "N.m", "torque about the axis, reacting on "+c.From, 0))
	}
}

// Coordinate is the angle of the joint.
func (c *Revolute) Coordinate(b Builder) Coordinate { return b.About(c.From, c.To, c.Axis) }

// Observed are angle and rate.
func (c *Revolute) Observed(b Builder) {
	x := c.Coordinate(b)
	if x.Value == nil {
		x.Value = b.AngleBetween(c.From, c.To, c.Axis)
	}
	b.Publish("phi", "rad", "angle about the joint axis", x.Value)
	b.Publish("omega", "rad/s", "rate about the joint axis", x.Rate)
}

// IgnoresTurn: of a joint its own; a chord keeps its head at a place along the tail's axes.
func (c *Revolute) IgnoresTurn(t Turn) bool { return !t.Tail || t.Branch }

// Shaft returns the shaft of the joint, from its tail or, with universal joints, from a housing. The housing need not
// be parallel to the tail; its torque and speed are also taken about the joint's axis.
func (c *Revolute) Shaft(b Builder, housing string) Shaft {
	p := b.Pool()
	x := c.Coordinate(b)
	if housing != "" && !b.Parallel(housing, c.From) {
		frame := b.Axes(c.From)
		x = Coordinate{Domain: x.Domain, From: housing, To: c.To, Speed: -1, Axis: b.Constant(frame, c.Axis)}
		x.Rate = p.Dot(x.Axis, b.AngularVelocity(housing, c.To, frame))
	}
	s := Shaft{
		Speed: b.Define("speed", x.Rate), Partials: b.NoPartials(), Bias: p.Int(0),
		Turn: func(torque *expr.Expr) { b.Drive(x, torque) }, On: func() []Geared { return []Geared{{x, p.Int(1)}} },
	}
	if x.Speed >= 0 {
		s.Partials[x.Speed] = p.Int(x.Sign)
		return s
	}
	frame := x.Axis.Frame
	for _, end := range []struct {
		frame string
		sign  int64
	}{{x.To, 1}, {x.From, -1}} {
		for k, axis := range b.Partials(end.frame) {
			part := p.Scale(expr.Integer(end.sign), p.Dot(x.Axis, b.Resolve(axis, frame)))
			s.Partials[k] = b.Define("d_speed", p.Add(s.Partials[k], part))
		}
	}
	turning := p.Cross(b.AngularVelocity(graph.GroundFrame, c.From, frame), x.Axis)
	s.Bias = p.Add(p.Dot(x.Axis, b.AngularAcceleration(x.From, x.To, frame)),
		p.Dot(turning, b.AngularVelocity(x.From, x.To, frame)))
	return s
}

// Shaft is the object of a torque: a joint, or the input of a differential.
type Shaft struct {
	Speed *expr.Expr // rad/s
	// Partials of the speed by the speeds of the model, and the part of its rate without their rates.
	Partials []*expr.Expr
	Bias     *expr.Expr
	Turn     func(torque *expr.Expr)
	On       func() []Geared // made only for reactions
}

// Geared is a motion with a torque that is a multiple, Ratio, of the torque on a shaft.
type Geared struct {
	Coordinate
	Ratio *expr.Expr
}

// times are shares of shafts with another ratio.
func times(p *expr.Pool, ratio *expr.Expr, list []Geared) []Geared {
	var all []Geared
	for _, g := range list {
		all = append(all, Geared{g.Coordinate, p.Mul(ratio, g.Ratio)})
	}
	return all
}

// shaftOf is the shaft of a driven component.
func shaftOf(b Builder, name, housing string) Shaft {
	s, _ := Named[shafted](b.Scope(), name)
	return s.Shaft(b.For(s), housing)
}

// isDriven reports whether something drives a joint or differential.
func isDriven(b Builder, name string) bool {
	_, found := ActingOn[Acting](b.Scope(), name, Powered)
	return found
}

// Energy is the power of the input torque.
func (c *Revolute) Energy(b Builder) Energy {
	if !c.Torque {
		return Energy{}
	}
	return Energy{Supplied: power(b, c.Coordinate(b), b.Input("torque", "N.m", "", 0))}
}
