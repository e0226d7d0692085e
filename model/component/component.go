package component

import (
	"cmp"
	"fmt"
	"slices"

	"skidpad/model/graph"
	"skidpad/model/keys"
)

// GroundFrame is the name of the inertial frame.
const GroundFrame = graph.GroundFrame

// Component is one component of a model. Component has the methods that every component answers. Questions to some
// components alone are interfaces of their own. Components do not change after reading and hold no data of runs.
type Component interface {
	Head() *keys.Header
	Frames() Frames
	// Edges lists the component's edges of the linear graph, in the order of their states in the state vector; nil for a
	// component that moves no frame. Peers that it names may be missing or of another type than it needs.
	Edges(s *Scope) []graph.Edge
	// Check reports errors that no single key shows. Frames checks names of frames, Acts the targets of acts.
	Check(s *Scope, r *keys.Reader)
	// Law makes inputs, loads, states and calls, in the order of the model.
	Law(b Builder)
}

// Type describes one type of component. Two types may make one kind of component, as brakes and torque drivers.
type Type struct {
	Word, Text string
	Middle     bool // it is not mirrored, because it belongs to the middle of a vehicle
	Keys       []keys.Key
	Read       func(h keys.Header, f *keys.Fields) Component
}

// Frames are the frames that a component names.
type Frames struct {
	Joins   [2]string // tail and head of a body, joint or arm; a body is joined to the ground
	Carries bool      // the head is a body or ground by itself; it needs nothing else
	Point   bool      // the head has no axes
	Uses    []string  // frames that the component does not join
	Axes    []string  // frames of Uses whose axes matter
	Alike   bool      // frames of Uses may be one and the same
	Resists bool      // the component only resists motions of Uses, so that each needs something else to move it
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
	m := j.Moves()
	return graph.Law(m.Domain.Letter()+number, m.Domain, m.From, m.To)
}

// driven are the edges of torques on joints: an explicit law between the frames of each joint, or between a housing A
// and the head B of each. A driven differential has its own edges.
//
//	R1 A -> B  first
//	R2 A -> B  second
func driven(s *Scope, housing string, names ...string) []graph.Edge {
	var edges []graph.Edge
	for i, name := range names {
		if j, found := Named[Jointed](s, name); found {
			if m := j.Moves(); m.Domain == graph.Rotation {
				edges = append(edges, graph.Law(fmt.Sprintf("R%d", i+1), m.Domain, cmp.Or(housing, m.From), m.To))
			}
		}
	}
	return edges
}

// checkJoint reports whether a joint has a coordinate for a load, and records an error if not.
func checkJoint(s *Scope, r *keys.Reader, h *keys.Header, key, joint string) bool {
	if _, is := Named[Jointed](s, joint); is {
		return true
	}
	at := r.Naming(h, joint, key)
	if c := s.Find(joint); c != nil {
		r.Place(at, "%s %s acts on %q, a %s; it must be a prismatic or revolute joint, a strut, a suspension or a rocker",
			h.Type, h.Name, joint, c.Head().Type)
	} else {
		r.Place(at, "%s %s acts on the joint %q, which does not exist%s", h.Type, h.Name, joint, s.Nearest(joint))
	}
	return false
}

// onUneven reports whether a frame belongs to uneven ground.
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
