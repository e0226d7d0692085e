package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
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
			class := f.classOf[n]
			j := tensor{frame: f.axes(class), m: *inertiaMatrix(b, lump.Inertia), name: "J_" + name}
			j = f.turned(j, f.resolvingFrame(class))
			own.frame, own.inertia = j.frame, &j.m
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

// massMatrix builds M from the mass matrix of the bodies, and the contributions of rotors and other components.
func (f *Formulation) massMatrix() {
	if f.withoutMass {
		return
	}
	p := f.Pool
	f.allBodies()
	n := len(f.Speeds)
	f.Mass = make([][]*expr.Expr, n)
	for i := range f.Mass {
		f.Mass[i] = f.zeroRow()
	}
	f.compositeMass()
	for i := range f.bodies {
		if b := &f.bodies[i]; b.along != nil {
			f.directedMass(b)
		}
	}
	each(f, func(c component.Rotating, b component.Builder) { f.addRotor(c.Rotor(b)) })
	each(f, func(c component.Resisting, b component.Builder) {
		if k, inertia := c.OwnInertia(b); inertia != nil {
			f.Mass[k][k] = f.define("M_"+f.Speeds[k].Name, p.Add(f.Mass[k][k], inertia))
		}
	})
}

// addRotor adds to M the contribution of a rotor: I (J J^T + J A^T + A J^T). J are the partials of the speed against
// the carrier, A the partials of the carrier's rotation about the axis.
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

// directedMass adds to M a mass that differs along the axes of ground.
func (f *Formulation) directedMass(b *body) {
	pt, ground := &f.points[b.node], f.classes[0].frame
	for i, j := range pt.moved {
		for _, k := range pt.moved[:i+1] {
			if pt.partials[j].Frame != "" && pt.partials[k].Frame != "" {
				f.addMass(j, k, f.Pool.Dot(f.inertialForce(b, pt.partials[j]), f.resolve(pt.partials[k], ground)))
			}
		}
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
	f.applyResistances()
	for k := range f.Load {
		f.Load[k] = f.define("b_"+f.Speeds[k].Name, f.Load[k])
	}
}
