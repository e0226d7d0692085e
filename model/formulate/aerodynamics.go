package formulate

import (
	"skidpad/model"
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// aerodynamics applies the forces and moments of the air at the origin of a frame. With the velocity
// (u, v) of the origin against the air, along the frame's x and y axes, beta = atan(v/|u|),
// q = rho (u^2 + v^2)/2 and d = tanh(u s/m), in the frame's axes
//
//	F = q A (-CD d, -CS, CLF + CLR)
//	M = q A l (CR, (CLR - CLF)/2, -CY d)
//
// with CD, CLF and CLR the numbers, CS, CR and CY the numbers times beta, and to each added what its
// curve over beta gives. That is SAE J1594 with the angle of ISO 8855: a car that moves to the left
// through the air feels a wind from the left. Backwards, where d is -1, drag and yaw moment are
// reversed.
func (f *Formulation) aerodynamics(c *model.Aerodynamics) {
	p := f.Pool
	node := f.node(c.Frame)
	frame := f.resolvedIn(node)
	wind := expr.Vector{Frame: f.classes[0].frame, X: [3]*expr.Expr{
		f.input(c.Name+".wind_x", "m/s", "velocity of the air along x of ground", 0),
		f.input(c.Name+".wind_y", "m/s", "velocity of the air along y of ground", 0),
		p.Int(0),
	}}
	air := p.DefineV("air_"+c.Name, p.SubV(f.Across(graph.Ground, node, Velocity, frame), f.resolve(wind, frame)))
	u, v := air.X[0], air.X[1]
	calm := p.Num(calmAir)
	slip := f.define("slip_"+c.Name, p.Call(expr.Atan, p.Div(v, p.Call(expr.Sqrt, p.Add(p.Pow(u, 2), calm)))))
	square := f.define("airspeed_square_"+c.Name, p.Add(p.Pow(u, 2), p.Pow(v, 2)))
	direction := f.define("direction_"+c.Name, p.Call(expr.Tanh, u))
	area, length := f.scalar(c.Name+".area", "m2", c.Area), f.scalar(c.Name+".length", "m", c.Length)
	density := f.scalar(c.Name+".density", "kg/m3", c.Density)
	pressure := f.define("pressure_"+c.Name, p.Scale(expr.Fraction(1, 2), p.Mul(density, area, square)))
	coefficient := func(name, unit string, of *expr.Expr, s model.Scalar, added *curve.Curve) *expr.Expr {
		e := p.Mul(f.scalar(c.Name+"."+name, unit, s), of)
		if added != nil {
			more, _, _ := f.curveAt(name+"_"+c.Name, added, slip)
			e = p.Add(e, more)
		}
		return e
	}
	even := func(name string, s model.Scalar, added *curve.Curve) *expr.Expr {
		return coefficient(name, "1", p.Int(1), s, added)
	}
	odd := func(name string, s model.Scalar, added *curve.Curve) *expr.Expr {
		return coefficient(name, "1/rad", slip, s, added)
	}
	front, rear := even("lift_front", c.LiftFront, c.LiftFrontCurve), even("lift_rear", c.LiftRear, c.LiftRearCurve)
	force := expr.Vector{Frame: frame, X: [3]*expr.Expr{
		p.Neg(p.Mul(even("drag", c.Drag, c.DragCurve), direction)),
		p.Neg(odd("side_force", c.Side, c.SideCurve)),
		p.Add(front, rear),
	}}
	moment := expr.Vector{Frame: frame, X: [3]*expr.Expr{
		odd("roll_moment", c.Roll, c.RollCurve),
		p.Scale(expr.Fraction(1, 2), p.Sub(rear, front)),
		p.Neg(p.Mul(odd("yaw_moment", c.Yaw, c.YawCurve), direction)),
	}}
	force = p.DefineV("F_"+c.Name, p.ScaleV(pressure, force))
	moment = p.DefineV("M_"+c.Name, p.ScaleV(p.Mul(pressure, length), moment))
	f.addForce(f.forces, node, force)
	f.addMoment(f.forces, f.classOf[node], moment)
	f.publish(c.Name+".airspeed", "m/s", "horizontal speed against the air in the frame", p.Call(expr.Sqrt, p.Add(square, calm)))
	f.publish(c.Name+".side_slip", "rad", "side-slip angle of the velocity against the air", slip)
	for i, axis := range [...]string{"x", "y", "z"} {
		f.publish(c.Name+".F"+axis, "N", "force of the air, frame axes", force.X[i])
	}
	for i, axis := range [...]string{"x", "y", "z"} {
		f.publish(c.Name+".M"+axis, "N.m", "moment of the air about the origin of the frame, frame axes", moment.X[i])
	}
}

// calmAir [m2/s2] keeps angle and airspeed, and their derivatives, finite at standstill, where the
// forces vanish with the square of the airspeed whatever the angle is.
var calmAir = expr.Fraction(1, 10000)
