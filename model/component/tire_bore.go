package component

import (
	"maps"

	"skidpad/model/expr"
	"skidpad/model/keys"
)

// boreKey is the table of the torque of tires that turn on the spot.
var boreKey = keys.Key{Name: "bore", Shape: keys.TableShape, Optional: true,
	Text: "torque of a tire that turns on the spot; default: the moment of the force function alone, which follows from " +
		"slip",
	Keys: []keys.Key{
		positive("arm", "m", "lever arm of the friction about the normal of the road: 2/3 of the radius of a round contact "+
			"patch with even pressure"),
		positive("load", "N", "load at which the contact patch slides beyond the angle"),
		positive("angle", "rad", "twist of the contact patch at which it slides"),
		positive("length", "m", "distance on which a rolling tire loses its twist: about half the length of the contact "+
			"patch"),
		nonnegative("friction", "1", "1", "coefficient of friction at standstill, on a road with the nominal friction"),
	}}

// Bore is the torque of a tire that turns on the spot.
type Bore struct{ Arm, Load, Angle, Length, Friction keys.Scalar } // m, N, rad, m, 1

func (c *Tire) readBore(f *keys.Fields) {
	if t := f.Sub("bore"); t.Table != nil {
		c.Bore = &Bore{t.Scalar("arm"), t.Scalar("load"), t.Scalar("angle"), t.Scalar("length"), t.Scalar("friction")}
	}
}

// bore adds the bore torque to the forces of a tire. The contact patch is a rotary spring with Dahl's friction. Its
// state p is the root of twice the energy in the spring, with the sign of the twist:
//
//	M = s Fz p,  dp/dt = s Fz w - (|w| Fz/(load angle) + |v|/length) p,  s = sqrt(mu arm/(load angle))
//
// with the turning rate w about the normal of the road, the speed v of the wheel along its heading, and the load Fz
// times the friction of the road. At standstill the torque approaches mu arm Fz. It gives back no more energy than it
// took at any load: p dp/dt - M w is never above 0.
func (c *Tire) bore(v *tireRows, force map[string]*expr.Expr) map[string]*expr.Expr {
	if c.Bore == nil {
		return force
	}
	b, p := v.b, v.b.Pool()
	scalar := func(name, unit string, s keys.Scalar) *expr.Expr { return b.Scalar("bore_"+name, unit, s) }
	arm, length := scalar("arm", "m", c.Bore.Arm), scalar("length", "m", c.Bore.Length)
	slides := p.Pow(p.Mul(scalar("load", "N", c.Bore.Load), scalar("angle", "rad", c.Bore.Angle)), -1)
	stiff := p.Call(expr.Sqrt, p.Mul(scalar("friction", "1", c.Bore.Friction), arm, slides))
	grip := b.Define("bore_grip", p.Mul(v.values["mu"], v.values["Fz"]))
	turning, state := v.w[2], p.Sym(c.Name+".bore", expr.State)
	loss := p.Add(p.Mul(p.Call(expr.Abs, turning), grip, slides), p.Div(p.Call(expr.Abs, v.values["VCx"]), length))
	rate := b.Define("bore_rate", p.Sub(p.Mul(stiff, grip, turning), p.Mul(loss, state)))
	torque := b.Define("bore_torque", p.Neg(p.Mul(stiff, grip, state)))
	b.State(OwnState{Key: "bore", Unit: "J^0.5", Symbol: state, Rate: rate, Begin: p.Int(0),
		Text: "root of twice the energy in the twist of the contact patch, with the sign of the twist"})
	b.Publish("bore_torque", "N.m", "torque of the twisted contact patch, part of Mz", torque)
	b.Keep("bore", state)
	b.Keep("bore_rate", rate)
	force = maps.Clone(force)
	force["Mz"] = b.Define("Mz", p.Add(force["Mz"], torque))
	return force
}
