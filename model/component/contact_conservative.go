package component

import (
	"math"

	"skidpad/model/expr"
)

// conservativeContact is a contact whose normal force and its moment are the gradient of an energy
//
//	E = kz/2 max(0, P - h)^2
//
// of the height h of the wheel centre and of the inclination. P is the lowest point of the free tire: of a disc or a
// torus where the tire stands, of a ring, its side, where the tire lies (specification of standstill and energy,
// section 5). The contact point is at (0, Y, -h), Y = -dP/dgamma. No cosine below 1/2 divides anything but itself.
type conservativeContact struct {
	*Tire
	free    *expr.Expr // arm of a longitudinal force about the spin axis where the tire is free
	upright *expr.Expr // 1 for a tire that rolls, 0 for one that lies and slides
}

// Sizes of a tire that lies on its side.
const (
	// DefaultWidth is the width of a tire divided by its radius. SideRadius is the radius of the ring on which a tire
	// lies, divided by the tire's radius.
	DefaultWidth = 0.56
	SideRadius   = 0.82

	sideRound  = 0.05 // by its radius, of a ring that lies flat
	transition = 0.02 // m, from disc to ring, but at most:
	narrow     = 0.1  // by the radius
	settled    = 1e-3 // m, deflection above which the whole damper acts
)

// A tire rolls up to the inclination of standing and slides beyond the inclination of lying. Beyond the inclination of
// flat, its heading is the heading of its frame. The constants are cosines of the inclination.
const (
	standing = math.Sqrt2 / 2
	lying    = 0.5
	flat     = 1e-9
)

// incline is regular where the tire lies: the cosine is not 0, and the horizontal axes are always unit vectors.
func (c *conservativeContact) incline(v *tireRows, symmetry expr.Vector) (x, y *expr.Expr) {
	p := v.b.Pool()
	v.sine = symmetry.X[2]
	square := p.Add(p.Pow(symmetry.X[0], 2), p.Pow(symmetry.X[1], 2))
	away := p.Int(0) // 1 where the tire lies flat
	if square.Kind() != expr.Number {
		square = v.b.Define("cos_gamma_2", square)
		away = v.b.Define("flat", p.Call(expr.Step, p.Sub(number(p, flat*flat), square)))
		square = p.Call(expr.Max, square, number(p, flat*flat*1e-6))
	}
	v.cosine = v.set("cos_gamma", p.Call(expr.Sqrt, square))
	secant := v.set("secant", p.Mul(p.Sub(p.Int(1), away), p.Pow(v.cosine, -1)))
	ahead := v.b.Resolve(v.b.Unit(v.b.Axes(c.Frame), (c.Axis+2)%3), v.plane)
	x = v.set("ux_x", p.Add(p.Mul(symmetry.X[1], secant), p.Mul(away, ahead.X[0])))
	y = v.set("uy_x", p.Sub(p.Mul(symmetry.X[0], secant), p.Mul(away, ahead.X[1])))
	v.gamma = v.b.Define("inclination", p.Call(expr.Atan, p.Div(v.sine, v.cosine)))

	share := p.Scale(expr.FromFloat(1/(standing-lying)), p.Sub(v.cosine, number(p, lying)))
	c.upright = v.set("upright", smoothStep(p, p.Call(expr.Max, p.Call(expr.Clamp, share), p.Int(0))))
	// Tire functions know no tires that lie. They get the inclination limited to the inclination up to which a tire
	// rolls. A carcass slides by itself; other slips blend into the slips of a locked upright wheel.
	most := number(p, math.Pi/4)
	seen := p.Call(expr.Max, p.Call(expr.Min, v.gamma, most), p.Neg(most))
	if !c.Slip.Carcass {
		seen = p.Mul(c.upright, seen)
	}
	v.set("gamma", seen)
	return x, y
}

func (c *conservativeContact) stand(v *tireRows) *expr.Expr {
	b, p, height := v.b, v.b.Pool(), v.values["height"]
	crown := b.Scalar("crown_radius", "m", c.Contact.CrownRadius)
	centre := p.Sub(v.radius, crown)
	blend := b.Define("blend", p.Call(expr.Min, number(p, transition), p.Mul(number(p, narrow), v.radius)))
	ring := p.Mul(number(p, SideRadius), v.radius)
	// never so narrow that the ring would not carry a tire that lies flat
	half := b.Define("half_width", p.Call(expr.Max, c.halfWidth(v),
		p.Sub(p.Add(crown, blend), p.Mul(number(p, sideRound), ring))))

	onDisc := b.Define("disc", p.Add(p.Mul(centre, v.cosine), crown))
	edge := b.Define("edge", p.Call(expr.Sqrt, p.Add(p.Pow(v.cosine, 2), number(p, sideRound*sideRound))))
	onRing := b.Define("ring", p.Add(p.Mul(ring, edge), p.Mul(half, p.Call(expr.Abs, v.sine))))
	// 1 on the disc, -1 on the ring; between them a parabola makes the greater of both smooth
	share := b.Define("disc_share", p.Call(expr.Clamp, p.Div(p.Sub(onDisc, onRing), blend)))
	one, quarter := p.Int(1), expr.Fraction(1, 4)
	excess := p.Mul(blend, p.Pow(p.Sub(one, p.Call(expr.Abs, share)), 2))
	lowest := v.set("rounded", p.Add(p.Call(expr.Max, onDisc, onRing), p.Scale(quarter, excess)))
	ringSide := p.Mul(v.cosine, p.Sub(p.Div(p.Mul(ring, v.sine), edge), p.Mul(half, p.Call(expr.Sign, v.sine))))
	v.side = v.set("Rs", p.Scale(expr.Fraction(1, 2), p.Add(p.Mul(p.Add(one, share), centre, v.sine),
		p.Mul(p.Sub(one, share), ringSide))))
	v.depth = v.set("depth", height)
	lever := b.Define("lever", p.Mul(v.side, v.sine))
	v.loaded = v.set("Rl", p.Add(p.Mul(height, v.cosine), lever))
	c.free = b.Define("free_radius", p.Add(p.Mul(lowest, v.cosine), lever))

	v.deflection = v.set("deflection", p.Sub(lowest, height))
	// the damper is at the contact point, not at the centre, and does not push across a gap
	depth := p.Call(expr.Max, p.Call(expr.Clamp, p.Scale(expr.FromFloat(1/settled), v.deflection)), p.Int(0))
	v.approach = p.Add(v.moving.X[2], p.Mul(v.w[0], v.side))
	return v.set("Fz_signed", p.Sub(p.Mul(v.kz, v.deflection), p.Mul(v.cz, depth, v.approach)))
}

// halfWidth is half of the width over the sidewalls.
func (c *conservativeContact) halfWidth(v *tireRows) *expr.Expr {
	p := v.b.Pool()
	if c.Contact.Width == nil {
		return p.Mul(number(p, DefaultWidth/2), v.radius)
	}
	return p.Scale(expr.Fraction(1, 2), v.b.Scalar("contact_width", "m", *c.Contact.Width))
}

// rollingRadius is the rolling radius of the other contacts, with the arm of the free tire in place of the free radius:
// on its side a tire rolls on the ring.
func (c *conservativeContact) rollingRadius(v *tireRows) *expr.Expr {
	switch c.RollingRadius.Method {
	case "loaded":
		return v.loaded
	case "unloaded":
		return c.free
	}
	return c.loadDependentRadius(v, c.free, v.b.Pool().Mul(v.deflection, v.cosine))
}

// slide is v + w x (0, Y, -h). Slip is measured where the spin has the effective radius as arm.
func (*conservativeContact) slide(v *tireRows) {
	p := v.b.Pool()
	spin := v.set("Omega", p.Div(v.w[1], p.Call(expr.Max, v.cosine, number(p, lying))))
	rim := v.set("rim", v.aboutSymmetry())
	vpx := v.set("VPx", p.Sub(v.values["VCx"], p.Add(p.Mul(v.depth, v.w[1]), p.Mul(v.side, v.w[2]))))
	v.heading = v.set("VPxs", p.Add(vpx, p.Mul(spin, v.loaded)))
	v.across = v.set("VPy", p.Add(v.values["VCy"], p.Mul(v.depth, v.w[0])))
	v.along = v.set("VEx", p.Sub(vpx, p.Mul(p.Sub(v.effective, v.loaded), rim)))
	v.ahead = v.set("VExs", p.Add(v.along, p.Mul(spin, v.effective)))
}

// moment: a tire that lies has the forces of a sliding tire, but no moments of a tread. The difference of the radii
// gives a moment about the spin axis. With this moment the power of the longitudinal force equals the force times its
// slip velocity.
func (c *conservativeContact) moment(v *tireRows, force map[string]*expr.Expr) expr.Vector {
	b, p := v.b, v.b.Pool()
	for _, name := range []string{"Mx", "My", "Mz"} {
		force[name] = b.Define(name+"_upright", p.Mul(c.upright, force[name]))
	}
	moment := v.returnedMoment(force)
	if c.Contact.Power {
		about := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{p.Int(0), v.cosine, v.sine}}
		turning := b.Define("power_moment", p.Mul(p.Sub(v.loaded, v.effective), force["Fx"]))
		moment = p.AddV(moment, p.ScaleV(turning, about))
	}
	return moment
}

func (*conservativeContact) publish(v *tireRows) {
	v.b.Publish("deflection", "m", "deflection of the tire along the normal of the road; below 0 in the air", v.deflection)
}

func (*conservativeContact) outside() (leaning, lying string) {
	return "the tire leaves the disc, and its side carries", "the tire lies, and has the friction of one that slides"
}

// number is a constant of the law.
func number(p *expr.Pool, x float64) *expr.Expr { return p.Num(expr.FromFloat(x)) }

// smoothStep is x^2 (3 - 2x) for x from 0 to 1.
func smoothStep(p *expr.Pool, x *expr.Expr) *expr.Expr {
	return p.Mul(p.Pow(x, 2), p.Sub(p.Int(3), p.Scale(expr.Integer(2), x)))
}
