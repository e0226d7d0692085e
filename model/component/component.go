package component

import (
	"cmp"
	"fmt"
	"slices"

	"skidpad/model/graph"
	"skidpad/model/keys"
)

// Component is one component of a model. It answers for itself what the rest of the engine asks of
// every component; what is asked of some alone is an interface of its own. Components do not change
// after reading and hold no data of runs.
type Component interface {
	Head() *keys.Header
	Frames() Frames
	// Edges lists those of the linear graph, in the order of their states in the state vector; nil for a component that
	// moves no frame. Peers that it names may be missing or of another type than it needs.
	Edges(s *Scope) []graph.Edge
	// Check notes what no single key shows to be wrong. Names of frames are checked by Frames, those of Acts by them.
	Check(s *Scope, r *keys.Reader)
	// Law makes inputs, loads, states and calls, in the order of the model.
	Law(b Builder)
}

// Type describes one type of component. Two types may make one kind of component, as brakes and torque drivers.
type Type struct {
	Word, Text string
	Keys       []keys.Key
	Read       func(h keys.Header, f *keys.Fields) Component
}

// Frames are those that a component names.
type Frames struct {
	Joins   [2]string // tail and head of a body, joint or arm; a body is joined to the ground
	Carries bool      // the head is a body or ground by itself; it needs nothing else
	Point   bool      // the head has no axes
	Uses    []string  // frames that the component does not join
	Axes    []string  // those of Uses whose axes count
	Alike   bool      // frames of Uses may be one and the same
}

// Jointed is answered by joints with one coordinate.
type Jointed interface {
	Component
	// Moves says along or about what a coordinate leads from one frame to another.
	Moves() (d graph.Domain, from, to string)
	Coordinate(b Builder) Coordinate
}

// Acting is answered by a component that acts on others by their names.
type Acting interface {
	Component
	Acts() []Act
}

// Act is what a component does to another one. Nothing else does the same to that, unless it shares it.
type Act struct {
	On     string // name of the other
	Part   Part
	Needs  string // what the other must be, for messages
	Shared bool
	Pos    keys.Position // where the other is named
}

// Part is what a component may act on.
type Part uint8

// The parts.
const (
	Turned  Part = iota // a motion driver of a rotation
	Braked              // a brake
	Coupled             // a revolute joint, by a clutch
	Powered             // a revolute joint or a differential, by an engine
)

// Receiving is answered by a component on which others act.
type Receiving interface {
	Receives(p Part) bool
}

// Heavy is answered by what has mass.
type Heavy interface {
	Component
	Lump() Lump
}

// Lump is what a component has of mass.
type Lump struct {
	Frame   string
	Mass    keys.Scalar // kg
	Inertia *Inertia    // nil for a point
	Rigid   bool        // a rigid body, which may have parts, not a point or a wheel
	// Along resists acceleration along the axes of ground, nil where Mass does.
	Along *keys.Vector // kg
}

// Unprefixed is answered by a component with variables whose names stand alone, without its own.
type Unprefixed interface {
	Component
	Unprefixed() []UnprefixedVariable
}

// UnprefixedVariable is one of them.
type UnprefixedVariable struct {
	Name  string
	Input bool
	Pos   keys.Position
}

// Leading is answered by a component with a freedom that leads the motions of motion drivers.
type Leading interface {
	// Leads returns the freedom, nil for none, and the names of the motion drivers.
	Leads() (lead *graph.Lead, drivers []string)
}

// given is the list of a frame that may not be given.
func given(frame string) []string {
	if frame == "" {
		return nil
	}
	return []string{frame}
}

// onGround are the frames that a body joins.
func onGround(frame string) [2]string { return [2]string{graph.GroundFrame, frame} }

// all are the axes of a free motion that is not confined to a plane.
var all = []int{0, 1, 2}

// law is the only edge of a component that is an explicit law.
func law(name string, d graph.Domain, from, to string) []graph.Edge {
	return []graph.Edge{graph.Law(name, d, from, to)}
}

// lawOn is the edge of an explicit law on a joint's coordinate: T or R and the number.
func lawOn(s *Scope, joint, number string) graph.Edge {
	j, found := Named[Jointed](s, joint)
	if !found {
		return graph.Law("T"+number, graph.Translation, "", "") // the name is refused elsewhere
	}
	d, from, to := j.Moves()
	return graph.Law(d.Letter()+number, d, from, to)
}

// driven are the edges of torques on joints: an explicit law between the frames of each joint, or
// between a housing A and the head B of each. What is driven and is no joint, a differential, has edges of its own.
//
//	R1 A -> B  first
//	R2 A -> B  second
func driven(s *Scope, housing string, names ...string) []graph.Edge {
	var edges []graph.Edge
	for i, name := range names {
		if j, found := Named[Jointed](s, name); found {
			if d, from, to := j.Moves(); d == graph.Rotation {
				edges = append(edges, graph.Law(fmt.Sprintf("R%d", i+1), d, cmp.Or(housing, from), to))
			}
		}
	}
	return edges
}

// checkJoint notes a joint without a coordinate on which a load could act, and reports whether there is one.
func checkJoint(s *Scope, r *keys.Reader, h *keys.Header, key, joint string) bool {
	if _, is := Named[Jointed](s, joint); is {
		return true
	}
	at := r.Naming(h, joint, key)
	if c := s.Find(joint); c != nil {
		r.Place(at, "%s %s acts on %q, a %s; it must be a prismatic or revolute joint or a suspension",
			h.Type, h.Name, joint, c.Head().Type)
	} else {
		r.Place(at, "%s %s acts on the joint %q, which does not exist%s", h.Type, h.Name, joint, s.Nearest(joint))
	}
	return false
}

// onUneven reports whether a frame is that of uneven ground.
func onUneven(s *Scope, frame string) bool {
	return slices.ContainsFunc(All[Uneven](s), func(c Uneven) bool { return c.Carries(frame) })
}

// checkPlane notes a wheel that rolls by constraint and not on a plane.
func checkPlane(s *Scope, r *keys.Reader, h *keys.Header, road string) {
	if onUneven(s, road) {
		r.Place(r.Naming(h, road, "road"), "component %s rolls on the plane of a road, and %q is a terrain; "+
			"name a road, or give the wheel a tire", h.Name, road)
	}
}
