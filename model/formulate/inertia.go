package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
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

func (f *Formulation) inertialBodies() []body {
	var list []body
	for _, c := range f.Model.Components {
		name := c.Head().Name
		switch c := c.(type) {
		case *model.RigidBody:
			list = append(list, f.inertialBody(name, c.Frame, c.Mass, c.Inertia))
		case *model.Tire:
			list = append(list, f.inertialBody(name, c.Frame, c.Mass, c.Inertia))
		case *model.PointMass:
			b := body{name: name, node: f.node(c.Frame), mass: f.scalar(name+".mass", "kg", c.Mass)}
			if c.Anisotropic {
				along := f.vector(f.classes[0].frame, name+".inertial_mass", "kg", c.InertialMass).X
				b.along = &along
			}
			list = append(list, b)
		}
	}
	return list
}

func (f *Formulation) inertialBody(name, frame string, mass model.Scalar, j model.Inertia) body {
	n := f.node(frame)
	b := body{name: name, node: n, mass: f.scalar(name+".mass", "kg", mass)}
	// an axisymmetric body on its axle is resolved in the frame that does not spin
	b.frame = f.resolvingFrame(f.classOf[n])
	unit := "kg.m2"
	var m [3][3]*expr.Expr
	if j.Axisymmetric {
		axial, transverse := f.scalar(name+".inertia_axial", unit, j.Axial), f.scalar(name+".inertia_transverse", unit, j.Transverse)
		for a := range m {
			for k := range m[a] {
				m[a][k] = f.Pool.Int(0)
			}
			m[a][a] = transverse
		}
		m[j.Axis][j.Axis] = axial
	} else {
		xy, xz, yz := f.scalar(name+".inertia_xy", unit, j.XY), f.scalar(name+".inertia_xz", unit, j.XZ), f.scalar(name+".inertia_yz", unit, j.YZ)
		m = [3][3]*expr.Expr{
			{f.scalar(name+".inertia_xx", unit, j.XX), xy, xz},
			{xy, f.scalar(name+".inertia_yy", unit, j.YY), yz},
			{xz, yz, f.scalar(name+".inertia_zz", unit, j.ZZ)},
		}
	}
	b.inertia = &m
	return b
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
	f.bodies = f.inertialBodies()
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
	f.rotorMass()
	f.handWheelMass()
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
	if f.withoutMass {
		f.bodies = f.inertialBodies()
	}
	for i := range f.bodies {
		b := &f.bodies[i]
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
