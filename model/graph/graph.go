package graph

import (
	"slices"

	"skidpad/model/curve"
	"skidpad/model/keys"
)

// Domain is the physical domain of an edge.
type Domain uint8

// The two mechanical domains, and the three scalar domains.
const (
	Translation Domain = iota
	Rotation
	Electrical
	Hydraulic
	Thermal
)

// String returns the name of the domain.
func (d Domain) String() string {
	return [...]string{"translation", "rotation", "electrical", "hydraulic", "thermal"}[d]
}

// Letter is the first one of the names of edges.
func (d Domain) Letter() string { return [...]string{"T", "R", "E", "H", "Q"}[d] }

// Ground is the index of the inertial node, GroundFrame the name of its frame.
const (
	Ground      = 0
	GroundFrame = "ground"
)

// Graph is the linear graph of a model in both domains.
type Graph struct {
	Nodes []string // frame names; Nodes[Ground] is "ground"
	Edges []Edge
	// Scalars are the edges of the scalar domains, which have nodes of their own.
	Scalars []ScalarEdge
	index   map[string]int
}

// Edge is one edge, directed from Tail to Head. Its across variable belongs to
// the head relative to the tail; a positive through variable acts on the head.
type Edge struct {
	Name       string // component.T1, component.R2
	Domain     Domain
	From, To   string // frames
	Tail, Head int    // their nodes
	Owner      *keys.Header
	Rigid      bool // the head never moves against the tail: that of a rigid arm
	Late       bool // other edges of the same dimension come before it in the choice of a tree
	// Observer edges carry no through variable; they exist to make the across
	// variable of their head available and always stay in the cotree.
	Observer bool
	Chord    bool // the edge never is a branch of a tree
	Space    Space
}

// Space describes how the across variable of an edge may vary. Exactly one of the following holds: Free (three degrees
// of freedom from the inertial or tail frame), Guide (one degree of freedom along curves), or a constant offset. The
// offset is followed by degrees of freedom or prescribed motions along axes fixed in the tail frame.
type Space struct {
	Free     *Free
	Guide    *Guide
	Offset   keys.Vector  // translation: constant part in the tail frame [m]
	Sequence string       // rotation: sequence of the constant angles
	Angles   keys.Vector  // rotation: constant angles [rad]
	Motion   *Motion      // along or about one axis, nil for none
	Distance *keys.Scalar // rod: only the distance of the nodes is given [m]
	FullLaw  bool         // the through variable is an explicit law: no constraint
}

// Free describes three degrees of freedom, or two in a plane.
type Free struct {
	// Sequence of the angles at level 0 (rotation), for example "321".
	Sequence    string
	Coordinates [3]Coordinate
	Speeds      Speeds // states
	Starts      Speeds // start speeds: the file gives their start values
	Axes        []int  // the varying ones of the three; the others keep their start values
	Design      *Place // start values that are missing follow from it; nil for none
}

// Place is a position relative to a frame, with the frame's axes.
type Place struct {
	In       string      // frame
	Offset   keys.Vector // m
	Relative bool        // the start values of the file are differences from it
}

// Speeds are the three speeds of a free motion. Their unit vectors (level 1) can differ from the unit vectors of the
// coordinates (level 0; linear-graph specification, section 3).
type Speeds struct {
	Along UnitVectors
	Of    [3]Coordinate
}

// UnitVectors is the frame that resolves a velocity into speeds.
type UnitVectors uint8

// The unit vectors of speeds.
const (
	OfCoordinates UnitVectors = iota // the speeds are rates of the coordinates, as the tail sees them
	OfHead                           // components of the difference of inertial velocities in axes of the head
	OfGround                         // the same in axes of ground
)

// Chosen reports whether the speeds differ from the start speeds.
func (f *Free) Chosen() bool { return f.Speeds.Along != f.Starts.Along }

// Motion is a freedom or a prescribed motion along or about a unit axis fixed
// in the tail frame.
type Motion struct {
	Axis              [3]float64
	AxisInHead        bool // components in the head's frame; for edges that do not turn
	Prescribed        bool
	Joint             bool       // prescribed: components can act on the joint that moves so
	Coordinate, Speed Coordinate // free: state names; prescribed: input names
	Acceleration      string     // prescribed: input name, "" for none
	Text              string
	Lead              *Lead // prescribed: the coordinate that leads the motion, instead of inputs; nil for none
}

// Lead is a degree of freedom that leads the motions of several edges; each motion is a function of its coordinate. It
// belongs to the edges of the component Owner; the others follow.
type Lead struct {
	Coordinate, Speed Coordinate
	Owner             string
}

// Guide is a motion along and about curves over one coordinate. The edges of both domains of a component share one
// Guide; the translational edge has the coordinate, and the rotational edge follows it. Surfaces go over the coordinate
// and the motion of another component, Second.
type Guide struct {
	Coordinate, Speed Coordinate
	Second            string    // "" for none
	Displacement      [3]Course // along x, y and z of the tail [m]
	Turns             [3]Course // about z of the tail, then the new x, then the new y [rad]
}

// Turning reports whether the guide turns its head.
func (g *Guide) Turning() bool {
	return slices.ContainsFunc(g.Turns[:], func(c Course) bool { return c.Curve != nil || c.Surface != nil })
}

// Course is a curve or a surface over the coordinate of a guide, or its negative. Without either it is 0, or with
// Own the coordinate itself.
type Course struct {
	Curve         *curve.Curve
	Surface       *curve.Surface
	Negative, Own bool
}

// Coordinate names one coordinate or speed and its start value.
type Coordinate struct {
	Name, Unit string
	Start      keys.Scalar
}

// Flies reports whether the edge frees its head from the ground: only the coordinates of the edge move its head. A
// free translation against another frame moves with this frame, as joints do.
func (e *Edge) Flies() bool { return e.Space.Free != nil && e.Tail == Ground }

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

// Leads reports whether the edge has the degree of freedom of a lead.
func (e *Edge) Leads() bool {
	m := e.Space.Motion
	return m != nil && m.Lead != nil && m.Lead.Owner == e.Owner.Name
}

// ThroughDimension is the number of constraints an edge adds as a chord.
func (e *Edge) ThroughDimension() int {
	if e.Space.FullLaw {
		return 0
	}
	return 3 - e.AcrossDimension()
}

// New returns a graph with nothing but the ground.
func New() *Graph {
	g := &Graph{index: map[string]int{}}
	g.node(GroundFrame)
	return g
}

// Add adds the edges of an owner, whose names they lack, and the frames that they name first.
func (g *Graph) Add(owner *keys.Header, edges []Edge) {
	for _, e := range edges {
		e.Owner, e.Name = owner, owner.Name+"."+e.Name
		e.Tail, e.Head = g.node(e.From), g.node(e.To)
		g.Edges = append(g.Edges, e)
	}
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

// Observer is an edge that makes the rotation of a tail frame available to the other edges of its owner (linear-graph
// specification, section 4).
func Observer(name, frame string) Edge {
	return Edge{Name: name, Domain: Rotation, From: GroundFrame, To: frame, Observer: true, Space: Space{FullLaw: true}}
}

// Law is an edge whose through variable is an explicit law.
func Law(name string, d Domain, from, to string) Edge {
	return Edge{Name: name, Domain: d, From: from, To: to, Space: Space{FullLaw: true}}
}

// Selectable reports whether an edge may be a branch of a tree: it carries no law and no distance, is not
// always a chord, and does more than observe.
func (e *Edge) Selectable() bool {
	return !e.Observer && !e.Chord && !e.Space.FullLaw && e.Space.Distance == nil
}

// Coordinates names the three of a free motion.
func Coordinates(component string, names [3]string, unit string, start keys.Vector) [3]Coordinate {
	var c [3]Coordinate
	for i, n := range names {
		c[i] = Coordinate{component + "." + n, unit, start[i]}
	}
	return c
}

// CoordinateAxis returns the index of the coordinate axis that u is along, -1 for none.
func CoordinateAxis(u [3]float64) int {
	found := -1
	for i, x := range u {
		if x != 0 {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
