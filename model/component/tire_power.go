package component

import "skidpad/model/expr"

// Transmitting is answered by tires, which pass power on between an axle and a vehicle.
type Transmitting interface {
	Component
	Powers(b Builder) [len(TirePowers)]*expr.Expr
}

// TirePowers are the powers of a tire, in their order.
var TirePowers = [...]struct{ Key, Text string }{
	{"power_in", "power that the turning wheel gives the tire"},
	{"power_out", "power that the forces along the road give the vehicle at the wheel centre"},
	{"power_slip", "power of the forces along the road on the slip velocities: lost by sliding, or stored in the carcass"},
}

// Powers returns the power of the forces along the road, of the moments, and of the arms of the forces. The power of
// the normal force and its arm is left out; the vertical spring and damper account for it.
func (c *Tire) Powers(b Builder) [len(TirePowers)]*expr.Expr {
	p := b.Pool()
	arm := p.Mul(b.Kept("side"), b.Kept("Fz")) // of the normal force about the heading
	in := p.Mul(arm, b.Kept("wx"))
	for i, name := range [...]string{"wx", "wy", "wz"} {
		in = p.Sub(in, p.Mul(b.Kept("moment"+"xyz"[i:i+1]), b.Kept(name)))
	}
	fx, fy := b.Kept("Fx"), b.Kept("Fy")
	return [...]*expr.Expr{
		in,
		p.Add(p.Mul(fx, b.Kept("VCx")), p.Mul(fy, b.Kept("VCy"))),
		p.Neg(p.Add(p.Mul(fx, b.Kept("VEx")), p.Mul(fy, b.Kept("VPy")))),
	}
}

// keep keeps the rows of a tire from which its energy is computed.
func (c *Tire) keep(v *tireRows, force map[string]*expr.Expr) {
	for _, name := range [...]string{"VCx", "VCy", "VEx", "VPx", "VPy"} {
		v.b.Keep(name, v.values[name])
	}
	v.b.Keep("side", v.side)
	keepVector(v.b, "moment", v.atCentre)
	v.b.Keep("deflection", v.deflection)
	v.b.Keep("approach", v.approach)
	if c.Slip.Carcass {
		for _, name := range [...]string{"p1", "p2"} {
			v.b.Keep(name, v.values[name])
			v.b.Keep(name+"dot", force[name+"dot"])
		}
	}
	for i, name := range [...]string{"wx", "wy", "wz"} {
		v.b.Keep(name, v.w[i])
	}
	for _, name := range [...]string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
		v.b.Keep(name, force[name])
	}
	v.b.Keep("kz", v.kz)
}

// Energy: the vertical spring and the carcass store energy. The force function dissipates power by the slip velocities
// and the turns of the wheel; the normal force without the spring force dissipates power, too. A rolling resistance
// with a term in Fx contains the moment of the longitudinal force about the wheel centre. Force and resistance then
// count together, with the velocity of the point of action.
func (c *Tire) Energy(b Builder) Energy {
	p := b.Pool()
	deflection := b.Define("deflection", p.Call(expr.Max, p.Int(0), b.Kept("deflection")))
	along := "VEx"
	if c.HeldByResistance() {
		along = "VPx"
	}
	var given []*expr.Expr
	for _, pair := range [...][2]string{{"Fx", along}, {"Fy", "VPy"}, {"Mx", "wx"}, {"My", "wy"}, {"Mz", "wz"}} {
		given = append(given, p.Mul(b.Kept(pair[0]), b.Kept(pair[1])))
	}
	damper := p.Sub(b.Kept("Fz"), p.Mul(b.Kept("kz"), deflection))
	given = append(given, p.Mul(damper, b.Kept("approach")))
	e := Energy{Potential: springEnergy(b, b.Kept("kz"), deflection), Dissipated: p.Neg(p.Add(given...))}
	if c.Bore != nil {
		e.Potential = p.Add(e.Potential, springEnergy(b, p.Int(1), b.Kept("bore")))
		e.Dissipated = p.Sub(e.Dissipated, p.Mul(b.Kept("bore"), b.Kept("bore_rate")))
	}
	if c.Slip.Carcass {
		for _, name := range [...]string{"p1", "p2"} {
			e.Potential = p.Add(e.Potential, springEnergy(b, p.Int(1), b.Kept(name)))
			e.Dissipated = p.Sub(e.Dissipated, p.Mul(b.Kept(name), b.Kept(name+"dot")))
		}
	}
	return e
}
