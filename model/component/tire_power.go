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

// Powers are those of the forces along the road, of the moments, and of the arms at which the forces act; the normal
// force and its arm are left out, whose power is that of the vertical spring and damper.
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
