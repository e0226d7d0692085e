package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// held identifies a group of bodies fixed to each other: their node, and the class of their rotation.
type held struct{ node, class int }

// momentum returns J w.
func (f *Formulation) momentum(b *body, w expr.Vector) expr.Vector {
	return f.timesTensor(tensor{frame: w.Frame, m: *b.inertia}, w)
}

// inertiaLoads adds the inertia loads that do not depend on pdot, weight included. Of several bodies that are fixed to
// each other, mass, first moment and inertia are collected before the run.
func (f *Formulation) inertiaLoads() {
	bodies := f.allBodies()
	var order []held
	together := map[held][]*body{}
	for i := range bodies {
		at := f.heldAt(&bodies[i])
		if together[at] == nil {
			order = append(order, at)
		}
		together[at] = append(together[at], &bodies[i])
	}
	for _, at := range order {
		if list := together[at]; len(list) > 1 && !slices.ContainsFunc(list, func(b *body) bool { return b.along != nil }) {
			f.collectedLoads(at, list)
			continue
		}
		for _, b := range together[at] {
			f.bodyLoads(b)
		}
	}
}

// heldAt returns the innermost node that a body is fixed to, and its class.
func (f *Formulation) heldAt(b *body) held {
	at := held{b.node, f.moving(max(f.classOf[b.node], 0))}
	for n := b.node; n != graph.Ground; n = at.node {
		edge, _ := f.Forest.Step(graph.Translation, n)
		e := &f.Forest.Graph.Edges[edge]
		if s := &e.Space; s.Free != nil || s.Motion != nil || s.Guide != nil || f.carrying(e) != at.class {
			break
		}
		at.node = f.Forest.Parent(graph.Translation, n)
	}
	return at
}

// collectedLoads applies the loads of bodies with the mass m, the first moment s and the inertia J about a node. These
// are the force -(m a + alpha x s + w x (w x s)) and the moment -(s x a + J alpha + w x J w).
func (f *Formulation) collectedLoads(at held, list []*body) {
	p, c := f.Pool, &f.classes[at.class]
	frame, zero := f.resolvingFrame(at.class), p.Int(0)
	mass, s := zero, p.ZeroVector(frame)
	j := tensor{frame: frame, m: [3][3]*expr.Expr{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}}}
	for _, b := range list {
		r := f.Across(at.node, b.node, Position, frame)
		mass, s = p.Add(mass, b.mass), p.AddV(s, p.ScaleV(b.mass, r))
		own := f.dyadic(b.mass, r, r)
		for i := range 3 {
			for k := range 3 {
				j.m[i][k] = p.Add(j.m[i][k], own.m[i][k])
				if b.inertia != nil {
					j.m[i][k] = p.Add(j.m[i][k], b.inertia[i][k])
				}
			}
		}
	}
	name := f.Forest.Graph.Nodes[at.node]
	mass, s, j = f.define("m_"+name, mass), p.DefineV("s_"+name, s), f.nameTensor(j, "J_"+name)
	a, w, alpha := f.resolve(f.points[at.node].specific, frame), c.omega, c.alpha
	turning := p.DefineV("w_x_s_"+name, p.Cross(w, s))
	f.addForce(f.forces, at.node, p.NegV(p.AddV(p.ScaleV(mass, a), p.Cross(alpha, s), p.Cross(w, turning))))
	h := p.DefineV("H_"+name, f.timesTensor(j, w))
	f.addMoment(f.forces, at.class, p.NegV(p.AddV(p.Cross(s, a), f.timesTensor(j, alpha), p.Cross(w, h))))
}

// bodyLoads applies the loads of a single body.
func (f *Formulation) bodyLoads(b *body) {
	p := f.Pool
	specific := f.points[b.node].specific
	if b.along == nil {
		f.addForce(f.forces, b.node, p.NegV(p.ScaleV(b.mass, specific)))
	} else {
		f.addForce(f.forces, b.node, p.ScaleV(b.mass, f.gravity()))
		ground := f.classes[0].frame
		f.addForce(f.forces, b.node, p.NegV(f.inertialForce(b, p.AddV(f.resolve(specific, ground), f.gravity()))))
	}
	if b.inertia == nil {
		return
	}
	f.addMoment(f.forces, f.classOf[b.node], p.NegV(f.gyroscopicMoment(b)))
}

// gyroscopicMoment is J alpha + w x J w, with alpha without its terms in pdot.
func (f *Formulation) gyroscopicMoment(b *body) expr.Vector {
	c := &f.classes[f.classOf[b.node]]
	h := f.Pool.DefineV("H_"+b.name, f.momentum(b, c.omega))
	return f.Pool.AddV(f.momentum(b, c.alpha), f.Pool.Cross(c.omega, h))
}
