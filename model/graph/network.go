package graph

import "skidpad/model/keys"

// ScalarDomains are the electrical, the hydraulic and the thermal domain.
var ScalarDomains = [3]Domain{Electrical, Hydraulic, Thermal}

// Potential names the potential of a scalar domain, with its unit.
func (d Domain) Potential() (name, unit string) {
	return [...]string{"voltage", "pressure", "temperature"}[d-Electrical], [...]string{"V", "Pa", "K"}[d-Electrical]
}

// Flow names the flow of a scalar domain, with its unit.
func (d Domain) Flow() (name, unit string) {
	return [...]string{"current", "flow", "heat"}[d-Electrical], [...]string{"A", "m3/s", "W"}[d-Electrical]
}

// ScalarEdge is an edge of a scalar domain. The flow leaves From and enters To. The drop is the potential of From less
// the potential of To, so that the product of both is the power that the edge takes (core-claims specification, A.1).
type ScalarEdge struct {
	Name     string // component.E1, component.H2
	Domain   Domain
	From, To string // nodes; "" and GroundFrame are the node of potential 0
	Kind     ScalarKind
	State    string       // key of its state, if it has one; "" for the name of the potential or the flow
	Start    *keys.Scalar // of its drop or flow; nil where the file gives none
	Without  string       // what the file can say so that it has no state: state = "none"; "" for nothing
	Of       *Converter   // of a Port
	// Coupled is true for a source whose value is a sum of speeds of the mechanics. Where networks and mechanics together
	// leave no freedom to it, it makes a constraint of speeds.
	Coupled bool
	Owner   *keys.Header
}

// Converter joins two ports, its load and its supply:
//
//	drop of the load = ratio * drop of the supply,  flow of the supply = -ratio * flow of the load
//
// A converter takes no power. The ratio of a Free one may become 0 during a run, so that nothing is divided by it.
type Converter struct {
	Load, Supply [2]string // nodes from and to
	Free         bool
	Formula      bool // of a Free one: the ratio is a formula of the time, else an input
}

// ScalarKind is the form of a law. The order is the rank of edges in a normal tree (core-claims specification, A.2).
type ScalarKind uint8

// The kinds of laws.
const (
	PotentialSource ScalarKind = iota // the drop is given
	Capacity                          // flow = capacity * rate of the drop
	Affine                            // drop = resistance * flow + offset
	Invertible                        // the flow is a function of the drop, and the drop a function of the flow
	Inductance                        // drop = inductance * rate of the flow + resistance * flow + offset
	FlowSource                        // the flow is given
	Conductance                       // the flow is a function of the drop
	PowerLoad                         // the product of drop and flow is given
	Port                              // of a converter, which has two in a row: load and supply
	Multiplier                        // from a node whose potential a constraint of speeds decides, to the ground
)

// CanBranch reports whether an edge of the kind can be a branch of a tree.
func (k ScalarKind) CanBranch() bool { return k < FlowSource || k == Multiplier }

// AddScalars adds scalar edges of an owner, whose names they lack.
func (g *Graph) AddScalars(owner *keys.Header, edges []ScalarEdge) {
	for _, e := range edges {
		e.Owner, e.Name = owner, owner.Name+"."+e.Name
		e.From, e.To = nodeOr(e.From), nodeOr(e.To)
		g.Scalars = append(g.Scalars, e)
	}
}

func nodeOr(name string) string {
	if name == "" {
		return GroundFrame
	}
	return name
}
