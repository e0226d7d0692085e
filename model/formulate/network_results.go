package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/program"
)

func (b *bound) Drop(edge string) *expr.Expr { return b.scalarEdge(edge, b.f.drops) }
func (b *bound) Flow(edge string) *expr.Expr { return b.scalarEdge(edge, b.f.flows) }

func (b *bound) scalarEdge(name string, of []*expr.Expr) *expr.Expr {
	name = b.head.Name + "." + name
	i := slices.IndexFunc(b.f.Forest.Graph.Scalars, func(e graph.ScalarEdge) bool { return e.Name == name })
	return of[i]
}

func (b *bound) Potential(d graph.Domain, node string) *expr.Expr {
	f, p := b.f, b.f.Pool
	n := f.Forest.Networks[d-graph.Electrical]
	shares, _ := n.Between(node, graph.GroundFrame)
	var terms []*expr.Expr
	for _, s := range shares {
		drop := f.drops[s.Branch]
		if drop == nil || len(s.Factor) != 1 || len(s.Factor[0].Powers) > 0 {
			what, _ := d.Potential()
			b.Reject(b.head.Pos, "%s needs the %s of node %q, which no state gives; give the node a capacity of its own",
				b.head.Name, what, node)
			return p.Int(0)
		}
		terms = append(terms, p.Scale(expr.Integer(s.Factor[0].Count), drop))
	}
	return p.Add(terms...)
}

// storesOfNetworks are the kinds of energy that networks store.
func (f *Formulation) storesOfNetworks() (stores [program.EnergyParts]bool) {
	for _, e := range f.Forest.Graph.Scalars {
		if e.Kind != graph.Capacity && e.Kind != graph.Inductance {
			continue
		}
		switch e.Domain {
		case graph.Electrical:
			stores[program.ElectricalEnergy] = true
		case graph.Hydraulic:
			stores[program.HydraulicEnergy] = true
		}
	}
	return stores
}

// statesOfNetworks lists the states of networks.
func (f *Formulation) statesOfNetworks() (list []program.NetworkState) {
	for i := range f.Forest.Graph.Scalars {
		place, is := f.states[i]
		if !is {
			continue
		}
		e := f.edgeOf(i)
		s := program.NetworkState{State: len(f.Speeds) + len(f.Coordinates) + place, Component: e.Owner.Name}
		if e.Without != "" {
			s.Without = e.Without + " in " + e.Owner.Type + " " + e.Owner.Name
		}
		if e.Kind == graph.Capacity {
			if s.Node = e.From; s.Node == graph.GroundFrame {
				s.Node = e.To
			}
		}
		list = append(list, s)
	}
	return list
}
