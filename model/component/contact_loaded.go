package component

import "skidpad/model/expr"

// loadedContact is the contact of a thin disc with the road (Morency 2007, ch. 3). The contact point is at (0, Rl sin
// gamma, -Rl cos gamma), and Rl cos gamma is the height of the wheel centre.
type loadedContact struct{ *Tire }

func (*loadedContact) incline(v *tireRows, symmetry expr.Vector) (x, y *expr.Expr) {
	return v.upright(symmetry)
}

func (*loadedContact) stand(v *tireRows) *expr.Expr {
	p, height := v.b.Pool(), v.values["height"]
	rounded := p.Mul(v.radius, v.cosine) // depth of the undeformed tire
	v.loaded = v.set("Rl", p.Mul(height, v.values["secant"]))
	v.depth, v.side = v.set("depth", height), v.set("Rs", p.Mul(v.loaded, v.sine))
	v.deflection = p.Sub(rounded, height)
	v.approach = v.moving.X[2]
	return v.set("Fz_signed", p.Sub(p.Mul(v.kz, v.deflection), p.Mul(v.cz, v.approach)))
}

func (c *loadedContact) rollingRadius(v *tireRows) *expr.Expr {
	switch c.RollingRadius.Method {
	case "loaded":
		return v.loaded
	case "unloaded":
		return v.radius
	}
	return c.loadDependentRadius(v, v.radius, v.b.Pool().Sub(v.radius, v.loaded))
}

// slide: uSym = (0, cos gamma, sin gamma) turns the table's formulas into
//
//	Omega = w.uy/cos gamma                                        (row 11)
//	VPx = VCx - Rl (sin gamma w.uz + cos gamma w.uy)              (row 14)
//	VPy = VCy + Rl cos gamma w.ux                                 (row 15)
func (*loadedContact) slide(v *tireRows) {
	p, vcx := v.b.Pool(), v.values["VCx"]
	spin := v.set("Omega", p.Mul(v.w[1], v.values["secant"]))
	rim := v.set("rim", v.aboutSymmetry())
	vpx := v.set("VPx", p.Sub(vcx, p.Mul(v.loaded, rim)))
	v.heading = v.set("VPxs", p.Add(vpx, p.Mul(spin, v.loaded)))
	v.across = v.set("VPy", p.Add(v.values["VCy"], p.Mul(v.depth, v.w[0])))
	v.along = v.set("VEx", p.Sub(vcx, p.Mul(v.effective, rim)))
	v.ahead = v.set("VExs", p.Add(v.along, p.Mul(spin, v.effective)))
}

func (*loadedContact) moment(v *tireRows, force map[string]*expr.Expr) expr.Vector {
	return v.returnedMoment(force)
}

func (*loadedContact) publish(*tireRows) {}

func (*loadedContact) outside() (leaning, lying string) {
	return "the tire leaves the disc, and its side carries; the contact creates energy from here on, take " +
		"contact.method = \"conservative\"", "the tire lies, and has the forces of a rolling tire"
}
