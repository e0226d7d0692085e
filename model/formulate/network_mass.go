package formulate

import (
	"maps"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// Inertances whose flow is a sum of speeds add to M. The drop L q' of such a branch contains accelerations. They are
// symbols until the equations of motion are solved:
//
//	drop of a source of flow = terms without accelerations + sum of (d drop/d a_j) a_j,  flow = sum of (d flow/d p_k) p_k
//	M_kj -= (d flow/d p_k) (d drop/d a_j)
//
// as a cylinder of the area A on a line of the inertance L has the oil mass L A^2. Loads on the mechanics then lack the
// terms with accelerations.

// rateOfSpeeds is the rate of a flow that follows from speeds.
func (f *Formulation) rateOfSpeeds(flow *expr.Expr) *expr.Expr {
	rates := f.ratesOfMotion()
	for k := range f.Speeds {
		speed := f.Speeds[k].Symbol
		if f.towards(speed).Of(flow).IsZero() {
			continue
		}
		if f.waiting[k] == nil {
			f.waiting[k] = f.Pool.Sym("acceleration_"+f.Speeds[k].Name, expr.Unknown)
		}
		rates[speed] = f.waiting[k]
	}
	return f.Pool.NewDerivative("t", rates).Of(flow)
}

// inertanceOnSpeeds adds the inertances that move with speeds to M.
func (f *Formulation) inertanceOnSpeeds() {
	p, speeds := f.Pool, slices.Sorted(maps.Keys(f.waiting))
	for i := range f.Forest.Graph.Scalars {
		if e := f.edgeOf(i); !e.Coupled || e.Kind != graph.FlowSource {
			continue
		}
		for a, j := range speeds {
			byRate := f.towards(f.waiting[j]).Of(f.drops[i])
			for _, k := range speeds[:a+1] {
				if share := f.towards(f.Speeds[k].Symbol).Of(f.relations[i].Value); !share.IsZero() && !byRate.IsZero() {
					f.addMass(j, k, p.Neg(p.Mul(share, byRate)))
				}
			}
		}
	}
}

// movesOil reports whether inertances of networks add to M.
func (f *Formulation) movesOil() bool {
	for _, n := range f.Forest.Networks {
		for _, i := range n.Edges {
			if f.edgeOf(i).Coupled && n.KindOf(i) == graph.FlowSource && slices.ContainsFunc(n.Circuit(i),
				func(s graph.Share) bool { return n.KindOf(s.Branch) == graph.Inductance }) {
				return true
			}
		}
	}
	return false
}
