package component

import (
	"skidpad/model/expr"
	"skidpad/model/keys"
)

// efficiencyKey is the key of the efficiency of a pair of gears; the default is no loss.
var efficiencyKey = keys.Key{Name: "efficiency", Unit: "1", Default: "1", Positive: true, AtMostOne: true,
	Text: "share of the power of the driving side that reaches the other side, in either direction; 1: no loss, and " +
		"then no parameter"}

// jointEfficiencyKey is the key of the efficiency of joints in shafts.
func jointEfficiencyKey(where string) keys.Key {
	return keys.Key{Name: "joint_efficiency", Unit: "1", Default: "1", Positive: true, AtMostOne: true,
		Text: "efficiency of the joints in the shaft " + where + ", in either direction; 1: no loss, and then no parameter"}
}

// jointLoss is the torque that joints of an efficiency take of a torque on a shaft.
func jointLoss(b Builder, efficiency, sliding keys.Scalar, torque, speed *expr.Expr) *expr.Expr {
	giving, getting := lossShares(b.Pool(), b.Scalar("joint_efficiency", "1", efficiency))
	return lossTorque(b.Pool(), torque, speed, b.Scalar("sliding_speed", "rad/s", sliding), giving, getting)
}

// lossless reports whether an efficiency is 1 for good.
func lossless(s keys.Scalar) bool { return !s.Formula && s.Value == 1 }

// lossShares are the losses of gears as shares of the power of their input: 1 - eta where the input drives, and 1/eta -
// 1 where it is driven. The latter equals 1 - eta of the output's power in that direction.
func lossShares(p *expr.Pool, efficiency *expr.Expr) (giving, getting *expr.Expr) {
	one := p.Int(1)
	return p.Sub(one, efficiency), p.Sub(p.Div(one, efficiency), one)
}

// lossTorque is the torque that gears lose of a torque T on their input with the speed w. It acts against w,
//
//	c |T| tanh(|w|/sliding speed),  c = giving for T w > 0, getting for T w < 0,
//
// so that the power lost is never negative, and that a standing gear has no loss.
func lossTorque(p *expr.Pool, torque, speed, sliding, giving, getting *expr.Expr) *expr.Expr {
	above := func(x *expr.Expr) *expr.Expr { return p.Call(expr.Max, p.Int(0), x) }
	share := p.Call(expr.Tanh, p.Div(speed, sliding))
	forth, back := above(torque), above(p.Neg(torque))
	return p.Sub(p.Mul(above(share), p.Add(p.Mul(giving, forth), p.Mul(getting, back))),
		p.Mul(above(p.Neg(share)), p.Add(p.Mul(giving, back), p.Mul(getting, forth))))
}
