package graph

import (
	"fmt"
	"slices"

	"skidpad/model"
	"skidpad/model/curve"
)

// Domain is the physical domain of an edge.
type Domain uint8

// The two mechanical domains.
const (
	Translation Domain = iota
	Rotation
)

// String returns the name of the domain.
func (d Domain) String() string { return [...]string{"translation", "rotation"}[d] }

// Ground is the index of the inertial node.
const Ground = 0

// Graph is the linear graph of a model in both domains.
type Graph struct {
	Nodes      []string // frame names; Nodes[Ground] is "ground"
	Edges      []Edge
	index      map[string]int
	components map[string]model.Component // components by name
	leads      map[string]*Lead           // by motion driver
}

// Edge is one edge, directed from Tail to Head. Its across variable belongs to
// the head relative to the tail; a positive through variable acts on the head.
type Edge struct {
	Name       string // component.T1, component.R2
	Domain     Domain
	Tail, Head int
	Component  model.Component
	// Observer edges carry no through variable; they exist to make the across
	// variable of their head available and always stay in the cotree.
	Observer bool
	Space    Space
}

// Space describes how the across variable of an edge may vary. Exactly one of the
// following holds: Free (three degrees of freedom from the inertial or tail frame), Guide
// (one degree of freedom along curves), or a constant offset followed by degrees of freedom or
// prescribed motions along axes that are fixed in the tail frame.
type Space struct {
	Free     *Free
	Guide    *Guide
	Offset   model.Vector  // translation: constant part in the tail frame [m]
	Sequence string        // rotation: sequence of the constant angles
	Angles   model.Vector  // rotation: constant angles [rad]
	Motion   *Motion       // along or about one axis, nil for none
	Distance *model.Scalar // rod: only the distance of the nodes is given [m]
	FullLaw  bool          // the through variable is an explicit law: no constraint
}

// Free describes three degrees of freedom, or two in a plane.
type Free struct {
	// Sequence of the angles at level 0 (rotation), for example "321".
	Sequence string
	// HeadSpeeds: speeds are components in the head's frame; otherwise in the tail's.
	HeadSpeeds          bool
	Coordinates, Speeds [3]Coordinate
	Axes                []int // those of the three that vary; the others keep their start values
}

// Motion is a freedom or a prescribed motion along or about a unit axis fixed
// in the tail frame.
type Motion struct {
	Axis              [3]float64
	AxisInHead        bool // components in the head's frame; for edges that do not turn
	Prescribed        bool
	Coordinate, Speed Coordinate // free: state names; prescribed: input names
	Acceleration      string     // prescribed: input name, "" for none
	Text              string
	Lead              *Lead // prescribed: what leads it, instead of inputs; nil for none
}

// Lead is a freedom that leads the motions of several edges, each a function of its coordinate. It
// belongs to the edges of the component Owner; the others follow.
type Lead struct {
	Coordinate, Speed Coordinate
	Owner             string
}

// Guide is a motion along and about curves over one coordinate. The edges of both domains of a
// component have the same one; that of translation has the coordinate, that of rotation follows.
type Guide struct {
	Coordinate, Speed Coordinate
	Displacement      [3]Course // along x, y and z of the tail [m]
	Turns             [3]Course // about z of the tail, then the new x, then the new y [rad]
}

// Turning reports whether the guide turns its head.
func (g *Guide) Turning() bool {
	return slices.ContainsFunc(g.Turns[:], func(c Course) bool { return c.Curve != nil })
}

// Course is a curve over the coordinate of a guide, or its negative. Without a curve it is 0, or with
// Own the coordinate itself.
type Course struct {
	Curve         *curve.Curve
	Negative, Own bool
}

// Coordinate names one coordinate or speed and its start value.
type Coordinate struct {
	Name, Unit string
	Start      model.Scalar
}

// AcrossDimension is the number of degrees of freedom an edge adds as a branch.
func (e *Edge) AcrossDimension() int {
	switch {
	case e.Space.Free != nil:
		return len(e.Space.Free.Axes)
	case e.Space.Guide != nil:
		if e.Domain == Rotation {
			return 0
		}
		return 1
	case e.Space.FullLaw:
		return 3
	case e.Space.Distance != nil:
		return 2
	case e.Space.Motion != nil && (!e.Space.Motion.Prescribed || e.Leads()):
		return 1
	}
	return 0
}

// Leads reports whether the edge has the freedom of a lead.
func (e *Edge) Leads() bool {
	m := e.Space.Motion
	return m != nil && m.Lead != nil && m.Lead.Owner == e.Component.Head().Name
}

// ThroughDimension is the number of constraints an edge adds as a chord.
func (e *Edge) ThroughDimension() int {
	if e.Space.FullLaw {
		return 0
	}
	return 3 - e.AcrossDimension()
}

// Build returns the graph of a model, edges in component order.
func Build(m *model.Model) *Graph {
	g := &Graph{index: map[string]int{}, components: map[string]model.Component{}, leads: map[string]*Lead{}}
	for _, c := range m.Components {
		g.components[c.Head().Name] = c
		if s, ok := c.(*model.Steering); ok && s.HandWheel != nil {
			g.lead(s)
		}
	}
	g.node(model.GroundFrame)
	for _, c := range m.Components {
		for _, e := range g.edges(c) {
			e.Component = c
			e.Name = c.Head().Name + "." + e.Name
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// Node returns the index of a frame, -1 if it is not in the graph.
func (g *Graph) Node(frame string) int {
	if i, ok := g.index[frame]; ok {
		return i
	}
	return -1
}

func (g *Graph) node(frame string) int {
	if i, ok := g.index[frame]; ok {
		return i
	}
	g.index[frame] = len(g.Nodes)
	g.Nodes = append(g.Nodes, frame)
	return len(g.Nodes) - 1
}

// edges lists the edges of a component; names without the component's.
func (g *Graph) edges(c model.Component) []Edge {
	switch c := c.(type) {
	case *model.RigidBody:
		return g.rigidBody(c)
	case *model.PointMass:
		return g.pointMass(c)
	case *model.RigidArm:
		return g.rigidArm(c)
	case *model.Revolute:
		return g.revolute(c)
	case *model.Prismatic:
		return g.prismatic(c)
	case *model.Suspension:
		return g.suspension(c)
	case *model.Spherical:
		return g.spherical(c)
	case *model.MotionDriver:
		return g.motionDriver(c)
	case *model.TorqueDriver:
		return g.load("R1", Rotation, c.From, c.To)
	case *model.ForceDriver:
		return g.load("T1", Translation, c.From, c.To)
	case *model.SpringDamper:
		return g.springDamper(c)
	case *model.AntiRollBar:
		return g.antiRollBar(c)
	case *model.Rod:
		return g.rod(c)
	case *model.RightAngle:
		return slices.Concat(g.load("T1", Translation, c.Corner, c.From), g.load("T2", Translation, c.Corner, c.To))
	case *model.Parallelogram:
		return g.parallelogram(c)
	case *model.Terrain:
		return g.terrain(c)
	case *model.RollingWheel:
		return g.load("T1", Translation, c.Road, c.Frame)
	case *model.RelaxedWheel:
		return g.load("T1", Translation, c.Road, c.Frame)
	case *model.SideForce:
		return g.load("T1", Translation, model.GroundFrame, c.Frame)
	case *model.WheelContact:
		return g.load("T1", Translation, model.GroundFrame, c.Rim)
	case *model.Aerodynamics:
		return slices.Concat(g.load("T1", Translation, model.GroundFrame, c.Frame), g.load("R1", Rotation, model.GroundFrame, c.Frame))
	case *model.Differential:
		return g.driven(c.Housing, c.Outputs[:]...)
	case *model.Engine:
		return g.driven("", c.Drives)
	case *model.Gearbox:
		return g.driven("", c.Input, c.Drives)
	case *model.Road:
		return g.road(c)
	case *model.Tire:
		return g.tire(c)
	case *model.Sensor:
		return nil // a sensor measures across variables of paths; it adds no edge
	case *model.LinearEquations, *model.Equations, *model.TireForces:
		return nil // they move no frame
	case *model.Steering, *model.BrakeDistribution:
		return nil // they give other components their inputs
	}
	panic(fmt.Sprintf("graph: no edges for component type %T", c))
}

// observer is the extra rotational edge that makes the rotation of a tail frame
// available to the component's other edges (linear-graph specification, section 4).
func (g *Graph) observer(frame string) Edge {
	return Edge{Name: "R1", Domain: Rotation, Tail: Ground, Head: g.node(frame), Observer: true, Space: Space{FullLaw: true}}
}

// load is a single edge whose through variable is an explicit law.
func (g *Graph) load(name string, d Domain, from, to string) []Edge {
	return []Edge{{Name: name, Domain: d, Tail: g.node(from), Head: g.node(to), Space: Space{FullLaw: true}}}
}

// all are the axes of a Free that is not confined to a plane.
var all = []int{0, 1, 2}

func coordinates(component string, names [3]string, unit string, start model.Vector) [3]Coordinate {
	var c [3]Coordinate
	for i, n := range names {
		c[i] = Coordinate{component + "." + n, unit, start[i]}
	}
	return c
}
