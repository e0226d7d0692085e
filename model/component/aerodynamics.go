package component

import (
	"slices"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var aerodynamicsType = Type{
	Word:   "aerodynamics",
	Text:   "aerodynamic forces and moments on a body",
	Middle: true,
	Keys: []keys.Key{
		frame("frame", "frame at the reference point, x axis forward, z axis up; SAE J1594 places this point on the "+
			"ground midway between the axles"),
		positive("area", "m2", "A, frontal area"),
		positive("length", "m", "l, reference length of the moments: the wheelbase, which distributes the lift to the "+
			"axles"),
		{Name: "density", Unit: "kg/m3", Default: "1.225", Positive: true, Text: "density of the air"},
		nonnegative("drag", "1", "0", "CD, drag coefficient, rearward"),
		scalar("lift_front", "1", "0", "CLF, lift coefficient of the front axle, upward"),
		scalar("lift_rear", "1", "0", "CLR, lift coefficient of the rear axle, upward"),
		scalar("side_force", "1/rad", "0", "CS, side force coefficient per sideslip angle, to the right"),
		scalar("roll_moment", "1/rad", "0", "CR, roll moment coefficient per sideslip angle, right side down"),
		scalar("yaw_moment", "1/rad", "0", "CY, yaw moment coefficient per sideslip angle, nose to the right"),
		overHeight("drag_curve", "added to CD, over the sideslip angle"),
		overHeight("lift_front_curve", "added to CLF, over the sideslip angle"),
		overHeight("lift_rear_curve", "added to CLR, over the sideslip angle"),
		overHeight("side_force_curve", "added to CS times the sideslip angle, over the sideslip angle"),
		overHeight("roll_moment_curve", "added to CR times the sideslip angle, over the sideslip angle"),
		overHeight("yaw_moment_curve", "added to CY times the sideslip angle, over the sideslip angle"),
	},
	Read: readAerodynamics,
}

// overHeight is a curve over the sideslip angle, or a surface over the height of the frame, too.
func overHeight(name, text string) keys.Key {
	return orSurface(monotone(name, "rad, 1", text+"; as a surface over the height of the frame [m], too"), "m", "")
}

// Aerodynamics are the forces and moments of the air on a frame, whose x axis points forward and z axis up.
// Coefficients follow SAE J1594. Curves over the side-slip angle of the airspeed add to the coefficients (formulate
// documents the law). Surfaces over the angle and the height of the frame's origin above the ground frame's origin can
// replace the curves.
type Aerodynamics struct {
	keys.Header
	Frame                                                                    string
	Area, Length, Density                                                    keys.Scalar  // m^2, m, kg/m^3
	Drag, LiftFront, LiftRear                                                keys.Scalar  // 1
	Side, Roll, Yaw                                                          keys.Scalar  // 1/rad
	DragCurve, LiftFrontCurve, LiftRearCurve, SideCurve, RollCurve, YawCurve *curve.Curve // 1 over rad, nil for none

	// 1 over rad and m, nil for none
	DragMap, LiftFrontMap, LiftRearMap, SideMap, RollMap, YawMap *curve.Surface
}

// OverHeight reports whether a coefficient depends on the height of the frame.
func (c *Aerodynamics) OverHeight() bool {
	return slices.ContainsFunc([]*curve.Surface{c.DragMap, c.LiftFrontMap, c.LiftRearMap, c.SideMap, c.RollMap, c.YawMap},
		func(s *curve.Surface) bool { return s != nil })
}

func readAerodynamics(h keys.Header, f *keys.Fields) Component {
	c := &Aerodynamics{
		Header: h, Frame: f.Text("frame"), Area: f.Scalar("area"), Length: f.Scalar("length"),
		Density: f.Scalar("density"),
		Drag:    f.Scalar("drag"), LiftFront: f.Scalar("lift_front"), LiftRear: f.Scalar("lift_rear"),
		Side: f.Scalar("side_force"), Roll: f.Scalar("roll_moment"), Yaw: f.Scalar("yaw_moment"),
	}
	c.DragCurve, c.DragMap = f.CurveOrSurface("drag_curve")
	c.LiftFrontCurve, c.LiftFrontMap = f.CurveOrSurface("lift_front_curve")
	c.LiftRearCurve, c.LiftRearMap = f.CurveOrSurface("lift_rear_curve")
	c.SideCurve, c.SideMap = f.CurveOrSurface("side_force_curve")
	c.RollCurve, c.RollMap = f.CurveOrSurface("roll_moment_curve")
	c.YawCurve, c.YawMap = f.CurveOrSurface("yaw_moment_curve")
	c.DragCurve, c.SideCurve = fallingNowhereBeyond(c.DragCurve), resistingBeside(c.SideCurve, c.Side.Value)
	return c
}

func (c *Aerodynamics) Frames() Frames {
	return Frames{Uses: []string{c.Frame}, Axes: []string{c.Frame}}
}

func (c *Aerodynamics) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		graph.Law("T1", graph.Translation, graph.GroundFrame, c.Frame),
		graph.Law("R1", graph.Rotation, graph.GroundFrame, c.Frame),
	}
}

// Check has nothing to add to the keys.
func (*Aerodynamics) Check(*Scope, *keys.Reader) {}

// Surrounds says that the air is around the vehicle.
func (*Aerodynamics) Surrounds() {}

// Law applies the forces and moments of the air at the origin of a frame. Let (u, v) be the velocity of the origin
// against the air along the frame's x and y axes, beta = atan(v/|u|), q = rho (u^2 + v^2)/2 and d = tanh(u s/m). In the
// frame's axes
//
//	F = q A (-CD d, -CS, CLF + CLR)
//	M = q A l (CR, (CLR - CLF)/2, -CY d)
//
// CD, CLF and CLR are the numbers of the file; CS, CR and CY are the numbers times beta. To each coefficient its curve
// over beta adds a value, or its surface over beta and the height of the frame. The law follows SAE J1594 with the
// angle of ISO 8855: a car that moves to the left through the air feels a wind from the left. Backwards, where d is -1,
// drag and yaw moment are reversed.
func (c *Aerodynamics) Law(b Builder) {
	p := b.Pool()
	frame := b.Axes(c.Frame)
	wind := expr.Vector{Frame: b.Axes(graph.GroundFrame), X: [3]*expr.Expr{
		b.Input("wind_x", "m/s", "velocity of the air along x of ground", 0),
		b.Input("wind_y", "m/s", "velocity of the air along y of ground", 0),
		p.Int(0),
	}}
	air := b.DefineV("air", p.SubV(b.Velocity(graph.GroundFrame, c.Frame, frame), b.Resolve(wind, frame)))
	u, v := air.X[0], air.X[1]
	calm := p.Num(calmAir)
	slip := b.Define("slip", p.Call(expr.Atan, p.Div(v, p.Call(expr.Sqrt, p.Add(p.Pow(u, 2), calm)))))
	square := b.Define("airspeed_square", p.Add(p.Pow(u, 2), p.Pow(v, 2)))
	direction := b.Define("direction", p.Call(expr.Tanh, u))
	area, length := b.Scalar("area", "m2", c.Area), b.Scalar("length", "m", c.Length)
	density := b.Scalar("density", "kg/m3", c.Density)
	pressure := b.Define("pressure", p.Scale(expr.Fraction(1, 2), p.Mul(density, area, square)))
	force, moment := c.coefficients(b, frame, slip, direction)
	force = b.DefineV("F", p.ScaleV(pressure, force))
	moment = b.DefineV("M", p.ScaleV(p.Mul(pressure, length), moment))
	b.Force(c.Frame, force)
	b.Moment(c.Frame, moment)
	keepVector(b, "F", force)
	keepVector(b, "M", moment)
	b.Publish("airspeed", "m/s", "horizontal speed relative to the air, in the frame",
		p.Call(expr.Sqrt, p.Add(square, calm)))
	b.Publish("side_slip", "rad", "sideslip angle of the velocity relative to the air", slip)
	for i, axis := range [...]string{"x", "y", "z"} {
		b.Publish("F"+axis, "N", "aerodynamic force, frame axes", force.X[i])
	}
	for i, axis := range [...]string{"x", "y", "z"} {
		b.Publish("M"+axis, "N.m", "aerodynamic moment about the origin of the frame, frame axes", moment.X[i])
	}
}

// coefficients are force and moment, divided by dynamic pressure, area and length.
func (c *Aerodynamics) coefficients(
	b Builder, frame expr.Frame, slip, direction *expr.Expr,
) (force, moment expr.Vector) {
	p := b.Pool()
	var height *expr.Expr
	if c.OverHeight() {
		height = b.Define("height", b.Position(graph.GroundFrame, c.Frame, b.Axes(graph.GroundFrame)).X[2])
		b.Publish("height", "m", "height of the origin of the frame above that of ground", height)
	}
	coefficient := func(
		name, unit string, of *expr.Expr, s keys.Scalar, added *curve.Curve, surface *curve.Surface,
	) *expr.Expr {
		e := p.Mul(b.Scalar(name, unit, s), of)
		switch {
		case added != nil:
			e = p.Add(e, b.Curve(name+"_"+c.Name, added, slip).Value)
		case surface != nil:
			e = p.Add(e, b.Surface(name+"_"+c.Name, surface, slip, height))
		}
		return e
	}
	even := func(name string, s keys.Scalar, added *curve.Curve, surface *curve.Surface) *expr.Expr {
		return coefficient(name, "1", p.Int(1), s, added, surface)
	}
	odd := func(name string, s keys.Scalar, added *curve.Curve, surface *curve.Surface) *expr.Expr {
		return coefficient(name, "1/rad", slip, s, added, surface)
	}
	front := even("lift_front", c.LiftFront, c.LiftFrontCurve, c.LiftFrontMap)
	rear := even("lift_rear", c.LiftRear, c.LiftRearCurve, c.LiftRearMap)
	force = expr.Vector{Frame: frame, X: [3]*expr.Expr{
		p.Neg(p.Mul(even("drag", c.Drag, c.DragCurve, c.DragMap), direction)),
		p.Neg(odd("side_force", c.Side, c.SideCurve, c.SideMap)),
		p.Add(front, rear),
	}}
	moment = expr.Vector{Frame: frame, X: [3]*expr.Expr{
		odd("roll_moment", c.Roll, c.RollCurve, c.RollMap),
		p.Scale(expr.Fraction(1, 2), p.Sub(rear, front)),
		p.Neg(p.Mul(odd("yaw_moment", c.Yaw, c.YawCurve, c.YawMap), direction)),
	}}
	return force, moment
}

// calmAir [m2/s2] keeps angle and airspeed, and their derivatives, finite at standstill, where the
// forces vanish with the square of the airspeed whatever the angle is.
var calmAir = expr.Fraction(1, 10000)

// Energy: the air dissipates power; a driving wind supplies it, with the opposite sign.
func (c *Aerodynamics) Energy(b Builder) Energy {
	p, frame := b.Pool(), b.Axes(c.Frame)
	force, moment := keptVector(b, "F", frame), keptVector(b, "M", frame)
	given := p.Add(p.Dot(force, b.Velocity(graph.GroundFrame, c.Frame, frame)),
		p.Dot(moment, b.AngularVelocity(graph.GroundFrame, c.Frame, frame)))
	return Energy{Dissipated: p.Neg(given)}
}
