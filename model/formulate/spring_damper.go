package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

type springDamper struct{ *model.SpringDamper }

// Law is F = -(k (L - L0) + (c + d |dL/dt|) dL/dt) e on the head, and what curves over L - L0 and dL/dt add, on a line
// or on the coordinate of a joint (linear-graph specification, section 4).
func (c springDamper) Law(b Builder) {
	p := b.Pool()
	x := c.motion(b)
	if x.Value == nil {
		return
	}
	u := unitsOf(x.Domain)
	stiffness, damping := b.Scalar("stiffness", u.stiffness, c.Stiffness), b.Scalar("damping", u.damping, c.Damping)
	free := b.Scalar("free_length", u.coordinate, c.FreeLength)
	tension := p.Add(p.Mul(stiffness, p.Sub(x.Value, free)), p.Mul(damping, x.Rate))
	if quadratic := b.Scalar("quadratic_damping", u.quadratic, c.QuadraticDamping); !quadratic.IsZero() {
		tension = p.Add(tension, p.Mul(quadratic, x.Rate, p.Call(expr.Abs, x.Rate)))
	}
	if c.SpringForce != nil {
		deflection := b.Define("deflection", p.Sub(x.Value, free))
		tension = p.Add(tension, b.Curve("spring_"+c.Name, c.SpringForce, deflection).Value)
	}
	if c.DamperForce != nil {
		tension = p.Add(tension, b.Curve("damper_"+c.Name, c.DamperForce, x.Rate).Value)
	}
	tension = b.Define("tension", tension)
	b.Apply(x, p.Neg(tension))
	if x.Domain == graph.Translation {
		b.Publish("force", "N", "force, tension positive", tension)
		b.Publish("length", "m", "current length", x.Value)
	} else {
		b.Publish("torque", "N.m", "torque, against the positive angle", tension)
		b.Publish("angle", "rad", "current angle", x.Value)
	}
}

func (c springDamper) motion(b Builder) Coordinate {
	if c.Joint != "" {
		return coordinateOf(b, c.Joint)
	}
	return b.Line(c.From, c.To)
}

// IgnoresTurn: it knows origins only, which are on the axis; a spring on the joint has its angle.
func (c springDamper) IgnoresTurn(Turn) bool { return true }

// coordinateOf is the coordinate of a joint, without a value where the tree has none.
func coordinateOf(b Builder, joint string) Coordinate {
	j, own, _ := peer[coordinated](b, joint)
	x := j.Coordinate(own)
	if x.Value == nil {
		h := b.Head()
		b.Reject(h.Pos, "%s %s acts on the angle of %s, which is not a branch of this tree; prefer %s.R2 in the tree",
			h.Type, h.Name, joint, joint)
	}
	return x
}

// loadUnits are those of a load on a coordinate.
type loadUnits struct{ stiffness, damping, quadratic, coordinate string }

func unitsOf(d graph.Domain) loadUnits {
	if d == graph.Rotation {
		return loadUnits{"N.m/rad", "N.m.s/rad", "N.m.s2/rad2", "rad"}
	}
	return loadUnits{"N/m", "N.s/m", "N.s2/m2", "m"}
}
