package component

import "skidpad/model/expr"

// undeformedContact is the lowest point of the free tire, a disc or a torus of the crown radius (two-wheeler
// specification, section 2).
type undeformedContact struct{ *Tire }

// steep bounds the force of a tire by that many times its spring's: the damper of an undeformed
// contact does not push where there is no penetration.
const steep = 1e6

func (*undeformedContact) incline(v *tireRows, symmetry expr.Vector) (x, y *expr.Expr) {
	return v.upright(symmetry)
}

func (c *undeformedContact) stand(v *tireRows) *expr.Expr {
	p := v.b.Pool()
	crown := v.b.Scalar("crown_radius", "m", c.Contact.CrownRadius)
	centre := p.Sub(v.radius, crown)
	rounded := v.set("rounded", p.Add(p.Mul(centre, v.cosine), crown))
	v.loaded, v.depth, v.side = v.set("Rl", v.radius), v.set("depth", rounded), v.set("Rs", p.Mul(centre, v.sine))
	v.deflection = p.Sub(rounded, v.values["height"])
	v.approach = p.Add(v.moving.X[2], p.Mul(v.w[0], v.side)) // of the contact point, not of the centre
	signed := v.set("Fz_signed", p.Sub(p.Mul(v.kz, v.deflection), p.Mul(v.cz, v.approach)))
	// a damper does not push across a gap
	return v.set("Fz_signed", p.Call(expr.Min, signed, p.Mul(p.Num(expr.FromFloat(steep)), v.kz, v.deflection)))
}

func (*undeformedContact) rollingRadius(v *tireRows) *expr.Expr { return v.radius }

// slide: v + w x (0, Rs, -depth), and with the turn of the wheel plane only.
func (*undeformedContact) slide(v *tireRows) {
	p, vcx := v.b.Pool(), v.values["VCx"]
	v.set("Omega", p.Mul(v.w[1], v.values["secant"]))
	v.set("rim", v.aboutSymmetry())
	turning := p.Sub(v.w[2], p.Mul(v.w[1], v.sine, v.values["secant"])) // yaw rate of the wheel plane, without spin
	vpx := v.set("VPx", p.Sub(vcx, p.Add(p.Mul(v.depth, v.w[1]), p.Mul(v.side, v.w[2]))))
	v.heading = v.set("VPxs", p.Sub(vcx, p.Mul(v.side, turning)))
	v.across = v.set("VPy", p.Add(v.values["VCy"], p.Mul(v.depth, v.w[0])))
	v.along, v.ahead = v.set("VEx", vpx), v.set("VExs", v.heading)
}

func (*undeformedContact) moment(v *tireRows, force map[string]*expr.Expr) expr.Vector {
	return v.returnedMoment(force)
}

func (*undeformedContact) publish(*tireRows) {}

// outside: the contact allows any inclination.
func (*undeformedContact) outside() (leaning, lying string) { return "", "" }
