package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var dcMachineType = Type{
	Word: "dc-machine",
	Text: "direct-current machine on a revolute joint, motor and generator",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		machineJointKey,
		nonnegative("resistance", "Ohm", "0", "resistance of the windings"),
		nonnegative("inductance", "H", "0", "inductance of the windings; 0: the current has no state"),
		asymmetric(keys.OfCoordinate, scalar("constant", "N.m/A", "0",
			"torque on the joint's head per current, which is the voltage per speed [V.s/rad]")),
		startOf("current", "A", "current from `from` to `to`"), heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &DCMachine{Header: h, Ends: readEnds(f), Joint: f.Text("joint"), Resistance: f.Scalar("resistance"),
			Inductance: f.Scalar("inductance"), Constant: f.Scalar("constant"), Start: givenStart(f, "current")}
	},
}

// DCMachine is a gyrator between its current and a joint, with the resistance and the inductance of its windings.
type DCMachine struct {
	keys.Header
	noFrames
	Ends
	Joint                            string
	Resistance, Inductance, Constant keys.Scalar  // Ohm, H, N m/A
	Start                            *keys.Scalar // A, nil for none
}

// Check: the ends differ, and the joint turns.
func (c *DCMachine) Check(s *Scope, r *keys.Reader) {
	c.checkEnds(c.Head(), r)
	checkTurning(s, r, c.Head(), c.Joint)
}

// checkTurning notes a joint that does not exist or does not turn.
func checkTurning(s *Scope, r *keys.Reader, h *keys.Header, joint string) {
	if !checkJoint(s, r, h, "joint", joint) {
		return
	}
	if j, _ := Named[Jointed](s, joint); j.Moves().Domain != graph.Rotation {
		r.Place(r.Naming(h, joint, "joint"), "%s %s turns a joint, and %q is a %s; name a revolute joint", h.Type, h.Name,
			joint, j.Head().Type)
	}
}

func zero(s keys.Scalar) bool { return !s.Formula && s.Value == 0 }

// Edges: the torque on the joint.
//
//	R1 A -> B
func (c *DCMachine) Edges(s *Scope) []graph.Edge { return []graph.Edge{lawOn(s, c.Joint, "1")} }

// ScalarEdges:
//
//	E1 from -> to  drop = R i + L i' + k w
func (c *DCMachine) ScalarEdges(*Scope) []graph.ScalarEdge {
	kind := graph.Inductance
	switch {
	case !zero(c.Inductance):
	case !zero(c.Resistance):
		kind = graph.Affine
	default:
		kind = graph.PotentialSource
	}
	e := c.scalarEdge("E1", graph.Electrical, kind)
	e.Start, e.Without, e.Coupled = c.Start, "no inductance", kind == graph.PotentialSource
	return []graph.ScalarEdge{e}
}

// Relations implements Networked.
func (c *DCMachine) Relations(b Builder) []Relation {
	x := coordinateOf(b, c.Joint)
	if x.Value == nil {
		return []Relation{{Value: b.Pool().Int(0), Storage: b.Pool().Int(1), Resistance: b.Pool().Int(1)}}
	}
	induced := b.Pool().Mul(b.Scalar("constant", "N.m/A", c.Constant), x.Rate)
	return []Relation{{
		Value: induced, Offset: induced, Resistance: b.Scalar("resistance", "Ohm", c.Resistance),
		Storage: b.Scalar("inductance", "H", c.Inductance),
	}}
}

// Law is the torque k i on the head of the joint, which reacts on its tail.
func (c *DCMachine) Law(b Builder) {
	publishElectrical(b, "E1")
	x := coordinateOf(b, c.Joint)
	if x.Value == nil {
		return
	}
	torque := b.Define("torque", b.Pool().Mul(b.Scalar("constant", "N.m/A", c.Constant), b.Flow("E1")))
	b.Drive(x, torque)
	b.Publish("torque", "N.m", "torque on the head of "+c.Joint, torque)
}

// IgnoresTurn: it acts about the axis of a joint.
func (*DCMachine) IgnoresTurn(Turn) bool { return true }

// Energy: L i^2/2 stored, R i^2 dissipated; the rest goes to the joint.
func (c *DCMachine) Energy(b Builder) Energy {
	p := b.Pool()
	return Energy{
		Electrical: p.Scale(expr.Fraction(1, 2),
			p.Mul(b.Scalar("inductance", "H", c.Inductance), p.Pow(b.Flow("E1"), 2))),
		Dissipated: copperLoss(b, c.Resistance),
	}
}
