package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// body is the inertia of one component: a translational and a rotational edge
// from the ground with F = -m a and M = -J alpha - w x J w.
type body struct {
	name string
	node int
	mass *expr.Expr
	// along is the mass that resists acceleration along the axes of ground, nil where it is mass.
	along   *[3]*expr.Expr
	inertia *[3][3]*expr.Expr // nil for a point mass; in frame
	frame   expr.Frame
}

// allBodies are the bodies of the model.
func (f *Formulation) allBodies() []body {
	if f.bodies == nil {
		f.bodies = f.inertialBodies()
	}
	return f.bodies
}

func (f *Formulation) inertialBodies() []body {
	var list []body
	each(f, func(c component.Heavy, b component.Builder) {
		lump, name := c.Lump(), c.Head().Name
		n := f.node(lump.Frame)
		own := body{name: name, node: n, mass: b.Scalar("mass", "kg", lump.Mass)}
		if lump.Along != nil {
			along := f.vector(f.classes[0].frame, name+".inertial_mass", "kg", *lump.Along).X
			own.along = &along
		}
		if lump.Inertia != nil { // an axisymmetric body on its axle is resolved in the frame that does not spin
			own.frame, own.inertia = f.resolvingFrame(f.classOf[n]), inertiaMatrix(b, lump.Inertia)
		}
		list = append(list, own)
	})
	return list
}

func inertiaMatrix(b component.Builder, j *component.Inertia) *[3][3]*expr.Expr {
	about := func(axes string, s keys.Scalar) *expr.Expr { return b.Scalar("inertia_"+axes, "kg.m2", s) }
	if j.Axisymmetric {
		axial, transverse, zero := about("axial", j.Axial), about("transverse", j.Transverse), b.Pool().Int(0)
		m := [3][3]*expr.Expr{{transverse, zero, zero}, {zero, transverse, zero}, {zero, zero, transverse}}
		m[j.Axis][j.Axis] = axial
		return &m
	}
	xy, xz, yz := about("xy", j.XY), about("xz", j.XZ), about("yz", j.YZ)
	return &[3][3]*expr.Expr{{about("xx", j.XX), xy, xz}, {xy, about("yy", j.YY), yz}, {xz, yz, about("zz", j.ZZ)}}
}

// momentum returns J w.
func (f *Formulation) momentum(b *body, w expr.Vector) expr.Vector {
	return f.Pool.Resolve(expr.Rotation{From: w.Frame, To: w.Frame, M: *b.inertia}, w)
}

// massMatrix builds M column by column: the inertia loads of a unit
// acceleration of one speed, projected on all others. A speed is taken as
// column against speeds that are nearer to the ground, so that a column sums
// only over what it moves itself.
func (f *Formulation) massMatrix() {
	if f.withoutMass {
		return
	}
	p := f.Pool
	f.allBodies()
	n := len(f.Speeds)
	f.Mass = make([][]*expr.Expr, n)
	for i := range f.Mass {
		f.Mass[i] = make([]*expr.Expr, n)
		for j := range f.Mass[i] {
			f.Mass[i][j] = p.Int(0)
		}
	}
	order := f.byDepth()
	rank := make([]int, n)
	for i, k := range order {
		rank[k] = i
	}
	for _, j := range order {
		l := f.newLoads()
		for i := range f.bodies {
			b := &f.bodies[i]
			if v, ok := f.points[b.node].partials[j]; ok {
				f.addForce(l, b.node, f.inertialForce(b, v))
			}
			if b.inertia == nil {
				continue
			}
			if c := f.classOf[b.node]; slices.Contains(f.classes[c].moved, j) {
				f.addMoment(l, c, f.momentum(b, f.resolve(f.speedAxis(j, c), b.frame)))
			}
		}
		column := f.project(l, "unit_", func(k int) bool { return rank[k] >= rank[j] })
		for k, e := range column {
			if e != nil {
				e = f.define("M_"+f.Speeds[j].Name+"_"+f.Speeds[k].Name, e)
				f.Mass[j][k], f.Mass[k][j] = e, e
			}
		}
	}
	each(f, func(c component.Rotating, b component.Builder) { f.addRotor(c.Rotor(b)) })
	each(f, func(c component.Resisting, b component.Builder) {
		if k, inertia := c.OwnInertia(b); inertia != nil {
			f.Mass[k][k] = f.define("M_"+f.Speeds[k].Name, p.Add(f.Mass[k][k], inertia))
		}
	})
}

// addRotor adds to M what a rotor has: I (J J^T + J A^T + A J^T), with J the partials of the speed
// against the carrier and A those of the carrier about the axis.
func (f *Formulation) addRotor(r *component.Rotor) {
	if r == nil {
		return
	}
	p := f.Pool
	for j := range f.Speeds {
		for k := range j + 1 {
			own := p.Add(p.Mul(r.Partials[j], r.Partials[k]), p.Mul(r.Partials[j], r.Along[k]), p.Mul(r.Along[j], r.Partials[k]))
			if own.IsZero() {
				continue
			}
			m := f.define("M_"+f.Speeds[j].Name+"_"+f.Speeds[k].Name, p.Add(f.Mass[j][k], p.Mul(r.Inertia, own)))
			f.Mass[j][k], f.Mass[k][j] = m, m
		}
	}
}

// inertialForce is the force that gives a body's centre the acceleration v.
func (f *Formulation) inertialForce(b *body, v expr.Vector) expr.Vector {
	if b.along == nil {
		return f.Pool.ScaleV(b.mass, v)
	}
	v = f.resolve(v, f.classes[0].frame)
	for i := range v.X {
		v.X[i] = f.Pool.Mul(b.along[i], v.X[i])
	}
	return v
}

// byDepth lists the speeds, those farthest from the ground first.
func (f *Formulation) byDepth() []int {
	order := make([]int, len(f.Speeds))
	depth := make([]int, len(f.Speeds))
	for k := range order {
		order[k] = k
		e := &f.Forest.Graph.Edges[f.owner[k][0]]
		depth[k] = f.Forest.Depth(e.Domain, e.Head)
		// rotation carries translation: at equal depth it comes later
		depth[k] = 2 * depth[k]
		if e.Domain == graph.Rotation {
			depth[k]--
		}
		if e.Space.Free == nil {
			depth[k] += 4
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return depth[b] - depth[a] })
	return order
}

// inertiaLoads adds the inertia loads that do not depend on pdot, weight included.
func (f *Formulation) inertiaLoads() {
	p := f.Pool
	bodies := f.allBodies()
	for i := range bodies {
		b := &bodies[i]
		specific := f.points[b.node].specific
		if b.along == nil {
			f.addForce(f.forces, b.node, p.NegV(p.ScaleV(b.mass, specific)))
		} else {
			f.addForce(f.forces, b.node, p.ScaleV(b.mass, f.gravity()))
			ground := f.classes[0].frame
			f.addForce(f.forces, b.node, p.NegV(f.inertialForce(b, p.AddV(f.resolve(specific, ground), f.gravity()))))
		}
		if b.inertia == nil {
			continue
		}
		c := &f.classes[f.classOf[b.node]]
		h := p.DefineV("H_"+b.name, f.momentum(b, c.omega))
		gyroscopic := p.AddV(f.momentum(b, c.alpha), p.Cross(c.omega, h))
		f.addMoment(f.forces, f.classOf[b.node], p.NegV(gyroscopic))
	}
}

// equations projects all loads: b of M pdot + C^T f = b.
func (f *Formulation) equations() {
	f.Load = f.project(f.forces, "", func(int) bool { return true })
	for k := range f.Load {
		if f.Load[k] == nil {
			f.Load[k] = f.Pool.Int(0)
		}
		f.Load[k] = f.Pool.Add(f.Load[k], f.direct[k])
	}
	f.applyBranchBrakes()
	for k := range f.Load {
		f.Load[k] = f.define("b_"+f.Speeds[k].Name, f.Load[k])
	}
}
