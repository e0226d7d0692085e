package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// Networked is a component with edges in scalar domains: electrical, hydraulic or thermal.
type Networked interface {
	Component
	// ScalarEdges are its edges; the names lack the name of the component: E1, E2, H1. Peers that it names may be missing
	// or of another type than it needs.
	ScalarEdges(s *Scope) []graph.ScalarEdge
	// Relations are the laws of these edges, in their order. Their expressions can hold parameters, inputs, the time,
	// states, and motions of frames. Relations come before all laws; no drop and no flow is known yet.
	Relations(b Builder) []Relation
}

// TurnedByNetworks are the names of the speeds of joints that components of networks turn, such as machines and pumps.
func TurnedByNetworks(s *Scope, g *graph.Graph) map[string]bool {
	names := map[string]bool{}
	for i := range g.Edges {
		law := &g.Edges[i]
		if law.Domain != graph.Rotation || law.Space.Motion != nil {
			continue
		}
		if _, is := As[Networked](s.Find(law.Owner.Name)); !is {
			continue
		}
		for k := range g.Edges {
			joint := &g.Edges[k]
			if m := joint.Space.Motion; m != nil && !m.Prescribed && joint.Domain == graph.Rotation &&
				joint.Tail == law.Tail && joint.Head == law.Head {
				names[m.Speed.Name] = true
			}
		}
	}
	return names
}

// Measuring is a component that makes no node: it measures between nodes of other components.
type Measuring interface {
	Networked
	Measures()
}

// Relation is the law of a scalar edge. The kind of the edge decides which fields it has.
type Relation struct {
	Value *expr.Expr // PotentialSource: the drop; FlowSource: the flow
	// Rate makes the rate of Value, or of the Ratio; nil where it is constant during a run. Only networks that need the
	// rate call it: an input for it then appears.
	Rate               func() *expr.Expr
	Storage            *expr.Expr // Capacity and Inductance: the capacity or inductance, above 0
	Resistance, Offset *expr.Expr // Affine, Inductance; nil: 0
	// Law is the flow as a function of the drop: Invertible, Conductance. Inverse is the drop as a function of the flow:
	// Invertible.
	Law, Inverse func(x *expr.Expr) *expr.Expr
	Power        *expr.Expr // PowerLoad
	// LatePower makes the Power of a PowerLoad when the flows of Needs, edges of the component, are known. These flows
	// must not depend on the load: they are flows of inductances, or of a network that no path of laws joins to the load.
	LatePower func() *expr.Expr
	Needs     []string
	Ratio     *expr.Expr // of both ports of a converter
}

// Networks tells the solution of the networks.
type Networks interface {
	// Drop and Flow are the drop and the flow of an edge of the component, by the name of the edge without the component.
	// They are known in laws and answers after them.
	Drop(edge string) *expr.Expr
	Flow(edge string) *expr.Expr
	// Potential is the potential of a node that capacities and sources determine, also in relations.
	Potential(d graph.Domain, node string) *expr.Expr
}
