package component

import (
	"skidpad/model/curve"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var aerodynamicsType = Type{
	Word: "aerodynamics",
	Text: "forces and moments of the air on a body",
	Keys: []keys.Key{
		frame("frame", "frame at the reference point, x axis forward, z axis up; SAE J1594 has it on the ground midway between the axles"),
		positive("area", "m2", "A, frontal area"),
		positive("length", "m", "l, reference length of moments: the wheelbase, over which the lifts are shared"),
		{Name: "density", Unit: "kg/m3", Default: "1.225", Positive: true, Text: "of the air"},
		nonnegative("drag", "1", "0", "CD, backwards"),
		scalar("lift_front", "1", "0", "CLF, upwards at the front axle"),
		scalar("lift_rear", "1", "0", "CLR, upwards at the rear axle"),
		scalar("side_force", "1/rad", "0", "CS, to the right for a side-slip angle"),
		scalar("roll_moment", "1/rad", "0", "CR, right side down for a side-slip angle"),
		scalar("yaw_moment", "1/rad", "0", "CY, nose to the right for a side-slip angle"),
		monotone("drag_curve", "rad, 1", "added to CD, over the side-slip angle"),
		monotone("lift_front_curve", "rad, 1", "added to CLF, over the side-slip angle"),
		monotone("lift_rear_curve", "rad, 1", "added to CLR, over the side-slip angle"),
		monotone("side_force_curve", "rad, 1", "added to CS times the side-slip angle, over that"),
		monotone("roll_moment_curve", "rad, 1", "added to CR times the side-slip angle, over that"),
		monotone("yaw_moment_curve", "rad, 1", "added to CY times the side-slip angle, over that"),
	},
	Read: readAerodynamics,
}

// Aerodynamics are the forces and moments of the air on a frame, whose x axis points forward and z
// axis up. Coefficients are those of SAE J1594; what curves over the side-slip angle of the airspeed
// give is added to them (formulate documents the law).
type Aerodynamics struct {
	keys.Header
	Frame                                                                    string
	Area, Length, Density                                                    keys.Scalar  // m^2, m, kg/m^3
	Drag, LiftFront, LiftRear                                                keys.Scalar  // 1
	Side, Roll, Yaw                                                          keys.Scalar  // 1/rad
	DragCurve, LiftFrontCurve, LiftRearCurve, SideCurve, RollCurve, YawCurve *curve.Curve // 1 over rad, nil for none
}

func readAerodynamics(h keys.Header, f *keys.Fields) Component {
	return &Aerodynamics{
		Header: h, Frame: f.Text("frame"), Area: f.Scalar("area"), Length: f.Scalar("length"), Density: f.Scalar("density"),
		Drag: f.Scalar("drag"), LiftFront: f.Scalar("lift_front"), LiftRear: f.Scalar("lift_rear"),
		Side: f.Scalar("side_force"), Roll: f.Scalar("roll_moment"), Yaw: f.Scalar("yaw_moment"),
		DragCurve: f.Curve("drag_curve"), LiftFrontCurve: f.Curve("lift_front_curve"), LiftRearCurve: f.Curve("lift_rear_curve"),
		SideCurve: f.Curve("side_force_curve"), RollCurve: f.Curve("roll_moment_curve"), YawCurve: f.Curve("yaw_moment_curve"),
	}
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
