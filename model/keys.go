package model

import (
	"skidpad/model/road"
	"skidpad/model/solver"
)

// Shape is the form of a key's value.
type Shape uint8

// The shapes.
const (
	ScalarShape Shape = iota // number or formula over the model's parameters
	VectorShape              // list of three scalars
	TextShape
	FrameShape   // name of a frame
	WordShape    // one of Choices
	AxisShape    // "x", "y", "z" or a list of three numbers, not all zero
	TextsShape   // list of texts
	TableShape   // table of Keys
	TablesShape  // list of tables of Keys
	MatrixShape  // list of rows, which are lists of scalars
	CurveShape   // list of points, which are lists of two numbers
	ScalarsShape // list of scalars, at least one
)

// String describes the shape for messages and documentation.
func (s Shape) String() string {
	return [...]string{
		"a number or a formula", "a list of three numbers or formulas", "a text", "the name of a frame",
		"one of the words", "an axis: \"x\", \"y\", \"z\" or three numbers", "a list of texts", "a table", "a list of tables", "a list of lists of numbers or formulas",
		"a curve: a list of points [x, y]", "a list of numbers or formulas",
	}[s]
}

// Key describes one key of a model file. A key without Default that is not
// Optional must be given.
type Key struct {
	Name     string
	Shape    Shape
	Unit     string
	Turning  string // unit on a revolute joint, where it is another
	Default  string
	Optional bool
	Text     string
	Choices  []string // WordShape
	Keys     []Key    // TableShape, TablesShape
	Smooth   bool     // CurveShape: with a continuous second derivative
	// Nonnegative, Positive and AtMostOne bound scalars.
	Nonnegative, Positive, AtMostOne bool
}

// ComponentType describes one type of component.
type ComponentType struct {
	Word, Text string
	Keys       []Key
	build      func(h Header, f *fields) Component
}

func scalar(name, unit, def, text string) Key {
	return Key{Name: name, Unit: unit, Default: def, Text: text}
}

func positive(name, unit, text string) Key {
	return Key{Name: name, Unit: unit, Text: text, Positive: true}
}

func nonnegative(name, unit, def, text string) Key {
	return Key{Name: name, Unit: unit, Default: def, Text: text, Nonnegative: true}
}

// turning gives the key another unit on a revolute joint.
func (k Key) turning(unit string) Key {
	k.Turning = unit
	return k
}

func fraction(name, def, text string) Key {
	return Key{Name: name, Unit: "1", Default: def, Text: text, Nonnegative: true, AtMostOne: true}
}

func vector(name, unit, text string) Key {
	return Key{Name: name, Shape: VectorShape, Unit: unit, Default: "[0, 0, 0]", Text: text}
}

// monotone is a curve that keeps between its points: for forces.
func monotone(name, units, text string) Key {
	return Key{Name: name, Shape: CurveShape, Unit: units, Optional: true, Text: text}
}

// smooth is a curve with a continuous second derivative: for kinematics.
func smooth(name, units, text string) Key {
	return Key{Name: name, Shape: CurveShape, Unit: units, Optional: true, Smooth: true, Text: text}
}

func frame(name, text string) Key { return Key{Name: name, Shape: FrameShape, Text: text} }

func sequence(def string) Key {
	return Key{Name: "sequence", Shape: WordShape, Default: def, Choices: []string{"321", "312", "313", "123", "132", "213", "231"}, Text: "axes of the three turns, each about the axis turned by the preceding ones"}
}

var (
	axisKey     = Key{Name: "axis", Shape: AxisShape, Text: "axis in the frame `from`"}
	fromKey     = frame("from", "tail frame")
	toKey       = frame("to", "head frame")
	activeKey   = fraction("active", "1", "1: active, 0: inactive")
	textKey     = Key{Name: "text", Shape: TextShape, Optional: true, Text: "description"}
	nameKey     = Key{Name: "name", Shape: TextShape, Text: "name of the variable, `quantity` or `component.quantity`, without the name of this component"}
	unitKey     = Key{Name: "unit", Shape: TextShape, Text: "unit"}
	valueKey    = scalar("value", "", "0", "value in the steady motion")
	ownNameKey  = Key{Name: "name", Shape: TextShape, Text: "name of the variable, behind that of the component and a point"}
	startKey    = scalar("value", "", "0", "value at the start")
	functionKey = []Key{
		{Name: "function", Shape: TextShape, Text: "registered tire function"},
		{Name: "file", Shape: TextShape, Optional: true, Text: "parameter file, TOML or a property file (.tir), relative to the model file"},
		{Name: "parameters", Shape: TableShape, Optional: true, Text: "parameters by name, instead of a file"},
	}
)

// forceKey is the force function of a tire.
var forceKey = Key{Name: "force", Shape: TableShape, Text: "force function", Keys: append(functionKey[:len(functionKey):len(functionKey)],
	Key{Name: "allow_downgrade", Shape: WordShape, Default: "no", Choices: []string{"no", "yes"}, Text: "yes: a property file of Magic Formula 6.x may be read for Pacejka02, without the coefficients that version 5.2 does not have, which are listed"})}

// ComponentTypes lists all component types of the dialect.
var ComponentTypes = []ComponentType{
	{"rigid-body", "rigid body with its frame at the centre of mass", []Key{
		{Name: "frame", Shape: FrameShape, Optional: true, Text: "frame at the centre of mass; default: the component's name"},
		nonnegative("mass", "kg", "", "mass"),
		{Name: "inertia", Shape: TableShape, Text: "inertia about the centre of mass, in the frame", Keys: []Key{
			{Name: "xx", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "moment of inertia about x"},
			{Name: "yy", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "moment of inertia about y"},
			{Name: "zz", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "moment of inertia about z"},
			scalar("xy", "kg.m2", "0", "product of inertia"),
			scalar("xz", "kg.m2", "0", "product of inertia"),
			scalar("yz", "kg.m2", "0", "product of inertia"),
			{Name: "offdiagonal", Shape: WordShape, Default: "products", Choices: []string{"products", "matrix"}, Text: "xy, xz, yz are products of inertia (integral of x y dm, entering the matrix with a minus sign) or elements of the matrix"},
			{Name: "axial", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "about the axis of symmetry, instead of xx, yy, zz"},
			{Name: "transverse", Unit: "kg.m2", Optional: true, Nonnegative: true, Text: "about any axis normal to it"},
			{Name: "axis", Shape: WordShape, Default: "y", Choices: []string{"x", "y", "z"}, Text: "axis of symmetry of axial and transverse"},
		}},
		nonnegative("angular_damping", "N.m.s/rad", "0", "moment against the angular velocity, for an angular velocity"),
		sequence("321"),
		{Name: "start", Shape: TableShape, Optional: true, Text: "initial motion, where the body's edges are branches", Keys: []Key{
			vector("position", "m", "of the centre of mass in ground"),
			vector("angles", "rad", "in the order of the sequence"),
			vector("velocity", "m/s", "of the centre of mass, body frame"),
			vector("angular_velocity", "rad/s", "body frame"),
		}},
	}, buildRigidBody},
	{"point-mass", "mass without extension", []Key{
		{Name: "frame", Shape: FrameShape, Optional: true, Text: "frame; default: the component's name"},
		positive("mass", "kg", "mass"),
		{Name: "inertial_mass", Shape: VectorShape, Unit: "kg", Optional: true, Nonnegative: true, Text: "what resists acceleration along x, y and z of ground, where that is not the mass; weight is that of the mass"},
		{Name: "plane", Shape: WordShape, Default: "none", Choices: []string{"none", "xz", "xy", "yz"}, Text: "coordinate plane, parallel to which the mass stays"},
		{Name: "start", Shape: TableShape, Optional: true, Text: "initial motion", Keys: []Key{
			vector("position", "m", "in ground"),
			vector("velocity", "m/s", "in ground"),
		}},
	}, buildPointMass},
	{"rigid-arm", "rigid connection of two frames", []Key{
		fromKey, toKey,
		vector("translation", "m", "of the head, in the frame `from`"),
		vector("angles", "rad", "of the head, in the order of the sequence"),
		sequence("321"),
	}, buildArm},
	{"weld", "two frames that coincide", []Key{fromKey, toKey}, buildArm},
	{"revolute", "joint that turns about one axis", []Key{
		fromKey, toKey, axisKey,
		{Name: "start", Shape: TableShape, Optional: true, Text: "initial motion", Keys: []Key{
			scalar("phi", "rad", "0", "angle"), scalar("omega", "rad/s", "0", "rate"),
		}},
		{Name: "torque", Shape: WordShape, Default: "none", Choices: []string{"none", "input"}, Text: "input: a torque on the head about the axis, reacting on the tail"},
	}, func(h Header, f *fields) Component {
		s := f.table("start")
		return &Revolute{h, f.text("from"), f.text("to"), f.axis("axis"), s.scalar("phi"), s.scalar("omega"), f.text("torque") == "input"}
	}},
	{"prismatic", "joint that slides along one axis", []Key{
		fromKey, toKey, axisKey,
		{Name: "start", Shape: TableShape, Optional: true, Text: "initial motion", Keys: []Key{
			scalar("s", "m", "0", "position"), scalar("s_dot", "m/s", "0", "rate"),
		}},
	}, func(h Header, f *fields) Component {
		s := f.table("start")
		return &Prismatic{h, f.text("from"), f.text("to"), f.axis("axis"), s.scalar("s"), s.scalar("s_dot")}
	}},
	{"suspension", "joint that guides a wheel carrier along and about curves over its travel", []Key{
		fromKey, toKey,
		{Name: "side", Shape: WordShape, Default: "left", Choices: []string{"left", "right"}, Text: "where outward is"},
		smooth("x", "m, m", "displacement forward, over the travel; default: none"),
		smooth("y", "m, m", "displacement outward; default: none"),
		smooth("z", "m, m", "displacement upward; default: the travel itself"),
		smooth("toe", "m, rad", "toe-in; default: none"),
		smooth("camber", "m, rad", "camber, positive with the top outward; default: none"),
		smooth("castor", "m, rad", "castor, positive with the top rearward; default: none"),
		{Name: "start", Shape: TableShape, Optional: true, Text: "initial motion", Keys: []Key{
			scalar("travel", "m", "0", "travel, upward"), scalar("travel_dot", "m/s", "0", "rate"),
		}},
	}, func(h Header, f *fields) Component {
		s := f.table("start")
		return &Suspension{
			h, f.text("from"), f.text("to"), f.text("side") == "right", f.curve("x"), f.curve("y"), f.curve("z"),
			f.curve("toe"), f.curve("camber"), f.curve("castor"), s.scalar("travel"), s.scalar("travel_dot"),
		}
	}},
	{"spherical", "joint that turns freely about a point", []Key{
		fromKey, toKey, sequence("321"),
		{Name: "start", Shape: TableShape, Optional: true, Text: "initial motion", Keys: []Key{
			vector("angles", "rad", "in the order of the sequence"),
			vector("angular_velocity", "rad/s", "of the head relative to the tail, in the head's frame"),
		}},
	}, func(h Header, f *fields) Component {
		s := f.table("start")
		return &Spherical{h, f.text("from"), f.text("to"), f.text("sequence"), s.vector("angles"), s.vector("angular_velocity")}
	}},
	{"motion-driver", "motion about or along one axis, prescribed by inputs", []Key{
		fromKey, toKey, axisKey,
		{Name: "kind", Shape: WordShape, Default: "rotation", Choices: []string{"rotation", "translation"}, Text: "inputs are angle, rate, acceleration, or position, rate, acceleration"},
	}, func(h Header, f *fields) Component {
		return &MotionDriver{h, f.text("from"), f.text("to"), f.axis("axis"), f.text("kind") == "translation"}
	}},
	{"torque-driver", "torque given by the input `torque`", []Key{fromKey, toKey, axisKey}, func(h Header, f *fields) Component {
		return &TorqueDriver{h, f.text("from"), f.text("to"), f.axis("axis"), false}
	}},
	{"brake", "torque against the relative spin, of the magnitude of the input `torque`", []Key{fromKey, toKey, axisKey}, func(h Header, f *fields) Component {
		return &TorqueDriver{h, f.text("from"), f.text("to"), f.axis("axis"), true}
	}},
	{"force-driver", "force given by the input `force`", []Key{fromKey, toKey, axisKey}, func(h Header, f *fields) Component {
		return &ForceDriver{h, f.text("from"), f.text("to"), f.axis("axis")}
	}},
	{"aerodynamics", "forces and moments of the air on a body", []Key{
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
	}, buildAerodynamics},
	{"steering", "hand wheel that turns motion drivers", []Key{
		{Name: "ratio", Unit: "1", Default: "16", Positive: true, Text: "angle of the hand wheel for that of a wheel in the middle"},
		{Name: "wheelbase", Unit: "m", Optional: true, Positive: true, Text: "from the axle about which the vehicle turns, where wheels are lateral"},
		{Name: "wheels", Shape: TablesShape, Text: "what it turns", Keys: []Key{
			{Name: "driver", Shape: TextShape, Text: "motion driver of a rotation"},
			scalar("lateral", "m", "0", "of the kingpin to the left of the middle, for the angle after Ackermann; 0: that of a wheel in the middle"),
			{Name: "angle_curve", Shape: CurveShape, Unit: "rad, rad", Optional: true, Smooth: true, Text: "instead of that, over the angle of a wheel in the middle, which is the hand wheel's with the ratio 1"},
		}},
		{Name: "hand_wheel", Shape: TableShape, Optional: true, Text: "makes the hand wheel a freedom, which torques move; default: its angle is an input", Keys: []Key{
			positive("inertia", "kg.m2", "of the hand wheel and of what turns with it, about its axis"),
			nonnegative("damping", "N.m.s/rad", "0", "torque against its rate"),
			nonnegative("friction", "N.m", "0", "torque against its rate, however slow"),
			{Name: "sliding_speed", Unit: "rad/s", Default: "0.1", Positive: true, Text: "rate at which friction is tanh 1 of its full value"},
			nonnegative("hold_stiffness", "N.m/rad", "0", "torque with which hands or a steering robot hold it, for the angle that the input `angle` is ahead"),
			nonnegative("hold_damping", "N.m.s/rad", "0", "likewise for the rate that the input `rate` is ahead"),
			scalar("angle", "rad", "0", "at the start, to the left"),
			scalar("rate", "rad/s", "0", "at the start"),
		}},
	}, buildSteering},
	{"brake-distribution", "one input for several brakes", []Key{
		{Name: "axles", Shape: TablesShape, Text: "groups of brakes", Keys: []Key{
			{Name: "brakes", Shape: TextsShape, Text: "brakes that share alike"},
			fraction("share", "", "of the torque, all of them together; the shares of all groups make 1"),
		}},
	}, buildBrakeDistribution},
	{"differential", "gear that shares a torque between two joints, open or with limited slip", []Key{
		{Name: "outputs", Shape: TextsShape, Text: "two revolute joints or further differentials"},
		{Name: "housing", Shape: FrameShape, Optional: true, Text: "frame on which torques on joints react; default: the tail of each joint"},
		{Name: "ratio", Unit: "1", Default: "1", Positive: true, Text: "speed of the input for that of the carrier"},
		fraction("share", "0.5", "of the torque, to the first output"),
		nonnegative("preload", "N.m", "0", "difference of the output torques without torque"),
		fraction("lock_drive", "0", "locking value for a positive torque: difference of the output torques for their sum"),
		fraction("lock_coast", "0", "locking value for a negative torque"),
		nonnegative("viscosity", "N.m.s/rad", "0", "difference of the output torques for that of their speeds"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "1", Positive: true, Text: "difference of speeds at which preload and lock are tanh 1 of their full value"},
	}, buildDifferential},
	{"engine", "torque by speed and throttle on a joint or a differential", []Key{
		{Name: "drives", Shape: TextShape, Text: "revolute joint or differential"},
		scalar("ratio", "1", "1", "speed of the engine for that of what it drives: the gear; negative: reverse, 0: none"),
		{Name: "full_load", Shape: CurveShape, Unit: "rad/s, N.m", Text: "torque with the throttle open, over the speed of the engine"},
		monotone("drag", "rad/s, N.m", "torque with the throttle closed, negative; through [0, 0] it holds nothing at standstill, and goes against reverse, too"),
		nonnegative("inertia", "kg.m2", "0", "of what turns with the engine, about its axis"),
		{Name: "frame", Shape: FrameShape, Optional: true, Text: "frame that carries what has inertia"},
		{Name: "axis", Shape: AxisShape, Optional: true, Text: "axis in `frame`, about which it turns in the positive sense while it drives forwards"},
	}, buildEngine},
	{"gearbox", "friction clutch and gears that are chosen while it runs, between two shafts", []Key{
		{Name: "input", Shape: TextShape, Text: "revolute joint on which the clutch acts: that of the crankshaft"},
		{Name: "drives", Shape: TextShape, Text: "revolute joint or differential"},
		{Name: "ratios", Shape: ScalarsShape, Unit: "1", Positive: true, Text: "speed of the input for that of what it drives, in first gear and up"},
		{Name: "reverse", Unit: "1", Optional: true, Positive: true, Text: "the same of the reverse gear, without its sign; default: there is none"},
		positive("capacity", "N.m", "largest torque of the clutch"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "10", Positive: true, Text: "slip at which the clutch has tanh 1 of its largest torque"},
	}, buildGearbox},
	{"spring-damper", "spring and damper between two frames or on a joint", []Key{
		{Name: "from", Shape: FrameShape, Optional: true, Text: "tail frame; with `to`, for a spring on a line"},
		{Name: "to", Shape: FrameShape, Optional: true, Text: "head frame"},
		{Name: "joint", Shape: TextShape, Optional: true, Text: "prismatic or revolute joint or suspension, instead of `from` and `to`"},
		nonnegative("stiffness", "N/m", "0", "stiffness; N.m/rad on a revolute joint").turning("N.m/rad"),
		nonnegative("damping", "N.s/m", "0", "damping; N.m.s/rad on a revolute joint").turning("N.m.s/rad"),
		nonnegative("quadratic_damping", "N.s2/m2", "0", "added to damping for each unit of speed; N.m.s2/rad2 on a revolute joint").turning("N.m.s2/rad2"),
		scalar("free_length", "m", "0", "length, or angle, without force").turning("rad"),
		monotone("spring_force", "m, N", "added to the force of the stiffness, over the length beyond the free one; [rad, N.m] on a revolute joint"),
		monotone("damper_force", "m/s, N", "added to the force of the damping, over the rate of the length; [rad/s, N.m] on a revolute joint"),
	}, buildSpringDamper},
	{"anti-roll-bar", "spring between the motions of two joints", []Key{
		{Name: "left", Shape: TextShape, Text: "joint: prismatic, revolute or suspension"},
		{Name: "right", Shape: TextShape, Text: "another joint of the same type"},
		nonnegative("stiffness", "N/m", "0", "force for a difference of the coordinates; N.m/rad between revolute joints").turning("N.m/rad"),
		nonnegative("damping", "N.s/m", "0", "force for a difference of their rates; N.m.s/rad between revolute joints").turning("N.m.s/rad"),
		monotone("force", "m, N", "added to that of the stiffness, over the difference; [rad, N.m] between revolute joints"),
	}, func(h Header, f *fields) Component {
		f.turning = f.r.isRevolute(f.text("left"))
		b := &AntiRollBar{h, f.text("left"), f.text("right"), f.scalar("stiffness"), f.scalar("damping"), f.curve("force")}
		if !f.given("stiffness") && !f.given("damping") && !f.given("force") {
			f.r.At(f.node, "anti-roll-bar %s has no law; give it at least one of stiffness, damping, force", h.Name)
		}
		return b
	}},
	{"rod", "massless rod of fixed length between two frames", []Key{
		fromKey, toKey, positive("length", "m", "length"),
		{Name: "form", Shape: WordShape, Default: "distance", Choices: []string{"distance", "square"}, Text: "what must vanish: distance - length, or distance^2 - length^2"},
		activeKey,
	}, func(h Header, f *fields) Component {
		return &Rod{h, f.text("from"), f.text("to"), f.scalar("length"), f.text("form") == "square", f.scalar("active")}
	}},
	{"right-angle", "two lines from one corner that stay perpendicular to each other", []Key{
		frame("corner", "where the lines meet"),
		frame("from", "end of the first line"),
		frame("to", "end of the second line"),
		{Name: "length", Unit: "m", Optional: true, Positive: true, Text: "length that something else gives the second line; then by the theorem of Pythagoras"},
		activeKey,
	}, func(h Header, f *fields) Component {
		return &RightAngle{h, f.text("corner"), f.text("from"), f.text("to"), f.given("length"), f.scalar("length"), f.scalar("active")}
	}},
	{"parallelogram", "four points that stay the corners of a parallelogram", []Key{
		frame("corner", "first corner"),
		frame("from", "second corner"),
		frame("opposite", "third corner"),
		frame("to", "fourth corner"),
		activeKey,
	}, func(h Header, f *fields) Component {
		return &Parallelogram{h, [4]string{f.text("corner"), f.text("from"), f.text("opposite"), f.text("to")}, f.scalar("active")}
	}},
	{"rolling-wheel", "rolling without slip on a plane road, in place of a tire", []Key{
		frame("frame", "frame of the wheel at its centre, y axis to the left"),
		frame("road", "frame of the road"),
		positive("radius", "m", "radius"),
		nonnegative("crown_radius", "m", "0", "radius of the cross-section of a torus; 0: a thin disc"),
	}, func(h Header, f *fields) Component {
		return &RollingWheel{h, f.text("frame"), f.text("road"), f.scalar("radius"), f.scalar("crown_radius")}
	}},
	{"relaxed-wheel", "wheel that rolls without slip up to its grip limit and slides beyond it, on a plane road; needs the formulation udwadia-kalaba", []Key{
		frame("frame", "frame of the wheel at its centre, y axis to the left"),
		frame("road", "frame of the road"),
		positive("radius", "m", "radius"),
		nonnegative("stiction_factor", "1", "1", "k_s, share of the torque that counts against grip in rolling"),
		nonnegative("friction_factor", "1", "1", "k_F, share of it that counts in sliding"),
		{Name: "sliding_speed", Unit: "m/s", Default: "1", Positive: true, Text: "v_s, speed of sliding at which friction is tanh 1 of its full value"},
		{Name: "vertical_stiffness", Unit: "N/m", Optional: true, Positive: true, Text: "of a spring that carries the wheel, instead of a constraint"},
		nonnegative("vertical_damping", "N.s/m", "0", "beside the spring"),
		nonnegative("load", "N", "0", "with which the spring gives the wheel its radius"),
	}, func(h Header, f *fields) Component {
		w := &RelaxedWheel{
			Header: h, Frame: f.text("frame"), Road: f.text("road"), Radius: f.scalar("radius"),
			StictionFactor: f.scalar("stiction_factor"), FrictionFactor: f.scalar("friction_factor"), SlidingSpeed: f.scalar("sliding_speed"),
			Elastic: f.given("vertical_stiffness"), VerticalStiffness: f.scalar("vertical_stiffness"), VerticalDamping: f.scalar("vertical_damping"), Load: f.scalar("load"),
		}
		for _, key := range []string{"vertical_damping", "load"} {
			if f.given(key) && !w.Elastic {
				f.r.At(f.node.Field(key), "%s.%s goes with vertical_stiffness only", h.Name, key)
			}
		}
		return w
	}},
	{"side-force", "tire as a damper: a force against the lateral velocity of a frame", []Key{
		frame("frame", "frame at whose origin it acts, along its y axis"),
		nonnegative("coefficient", "N.s/m", "", "force for a velocity; the cornering stiffness by the speed"),
	}, func(h Header, f *fields) Component {
		return &SideForce{h, f.text("frame"), f.scalar("coefficient")}
	}},
	{"terrain", "uneven ground", []Key{
		{Name: "frame", Shape: FrameShape, Optional: true, Text: "frame at the origin of ground; default: the component's name"},
		{Name: "kind", Shape: WordShape, Default: road.Flat, Choices: road.Kinds, Text: "kind"},
		scalar("height", "m", "0", "height of flat and plane at the origin, added to the others"),
		scalar("slope_x", "1", "0", "dz/dx of plane"),
		scalar("slope_y", "1", "0", "dz/dy of plane"),
		{Name: "formula", Shape: TextShape, Optional: true, Text: "height in m over x, y in m and t in s, for the kind formula"},
		{Name: "file", Shape: TextShape, Optional: true, Text: "file of the kinds table (CSV: x, z), grid (ESRI ASCII grid), crg (OpenCRG) and rdf (road property file), relative to the model file"},
		{Name: "modifiers", Shape: WordShape, Default: "file", Choices: []string{"file", "centred"}, Text: "where a crg lies: where its file says, or with the beginning of its line at the origin, along x"},
		{Name: "class", Shape: WordShape, Default: "C", Choices: road.Classes, Text: "of roughness, for the kind iso8608"},
		nonnegative("seed", "", "1", "whole number that chooses one of many roads of a class, for the kind iso8608"),
		{Name: "friction", Shape: TableShape, Optional: true, Text: "factors on the tires' own friction, which multiply each other and the input mu", Keys: []Key{
			nonnegative("left", "1", "1", "on the left of the line of the road, which is y = 0 where it has none"),
			nonnegative("right", "1", "1", "on the right of it"),
			{Name: "kind", Shape: WordShape, Default: road.Flat, Choices: road.FrictionKinds, Text: "of a map that holds a factor in place of heights; flat: none"},
			{Name: "formula", Shape: TextShape, Optional: true, Text: "factor over x, y in m and t in s, for the kind formula"},
			{Name: "file", Shape: TextShape, Optional: true, Text: "file of the kinds table, grid and crg, relative to the model file"},
		}},
	}, buildTerrain},
	{"wheel-contact", "point of a wheel that rolls on a terrain, bounces off it or flies", []Key{
		frame("contact", "point mass that touches the terrain"),
		frame("rim", "point mass at the centre of the wheel"),
		{Name: "terrain", Shape: TextShape, Text: "terrain component"},
		fraction("e_vert", "0.9", "share of the normal speed that an impact leaves"),
		fraction("e_hor", "0.9", "share of the tangential speed that an impact leaves"),
		nonnegative("friction", "N.s/m", "0", "cw, resistance to rolling for a speed, on the rim"),
		fraction("rolling_velocity", "0", "0: a rolling contact mass has the velocity of the rim; 1: only what is tangential of it"),
		scalar("initial_mode", "1", "-1", "0: in the air, 1: rolling, -1: rolling where the mass starts on the terrain"),
	}, func(h Header, f *fields) Component {
		return &WheelContact{h, f.text("contact"), f.text("rim"), f.text("terrain"), f.scalar("e_vert"), f.scalar("e_hor"), f.scalar("friction"), f.scalar("rolling_velocity"), f.scalar("initial_mode")}
	}},
	{"road", "plane road; its frame's z axis is the normal", []Key{
		{Name: "frame", Shape: FrameShape, Optional: true, Text: "frame in the plane; default: the component's name"},
		vector("translation", "m", "of the frame, in ground"),
		vector("angles", "rad", "of the frame, in the order of the sequence"),
		sequence("321"),
	}, func(h Header, f *fields) Component {
		return &Road{h, f.frame("frame", h.Name), f.vector("translation"), f.text("sequence"), f.vector("angles")}
	}},
	{"sensor", "publishes the motion of one frame relative to another", []Key{
		{Name: "from", Shape: FrameShape, Default: GroundFrame, Text: "frame relative to which is measured"},
		frame("to", "frame that is measured"),
		{Name: "resolve", Shape: FrameShape, Optional: true, Text: "frame in which vectors are resolved; default: `from`"},
	}, func(h Header, f *fields) Component {
		return &Sensor{h, f.text("from"), f.text("to"), f.frame("resolve", f.text("from"))}
	}},
	{"linear-equations", "linear equations about a steady motion, by matrices", []Key{
		{Name: "states", Shape: TablesShape, Text: "states, x", Keys: []Key{
			nameKey, unitKey, textKey, valueKey, scalar("rate", "", "0", "rate in the steady motion"),
		}},
		{Name: "inputs", Shape: TablesShape, Optional: true, Text: "inputs, u", Keys: []Key{
			nameKey, unitKey, textKey, valueKey,
			{Name: "rate_of", Shape: TextShape, Optional: true, Text: "the input whose rate this one is"},
		}},
		{Name: "outputs", Shape: TablesShape, Optional: true, Text: "outputs beside the states, y", Keys: []Key{nameKey, unitKey, textKey, valueKey}},
		{Name: "A", Shape: MatrixShape, Text: "rates by states"},
		{Name: "B", Shape: MatrixShape, Optional: true, Text: "rates by inputs; default: zeros"},
		{Name: "C", Shape: MatrixShape, Optional: true, Text: "outputs by states; default: zeros"},
		{Name: "D", Shape: MatrixShape, Optional: true, Text: "outputs by inputs; default: zeros"},
	}, buildLinearEquations},
	{"equations", "equations by formulas: a controller, a driver, an actuator", []Key{
		{Name: "inputs", Shape: TablesShape, Optional: true, Text: "inputs", Keys: []Key{ownNameKey, unitKey, textKey, startKey}},
		{Name: "states", Shape: TablesShape, Optional: true, Text: "states", Keys: []Key{
			ownNameKey, unitKey, textKey, startKey,
			{Name: "rate", Shape: TextShape, Text: "formula of its rate"},
		}},
		{Name: "outputs", Shape: TablesShape, Optional: true, Text: "outputs beside the states; each may be used in those behind it, and in rates", Keys: []Key{
			ownNameKey, unitKey, textKey,
			{Name: "value", Shape: TextShape, Text: "formula of its value"},
		}},
	}, buildEquations},
	{"tire-forces", "force function of a tire alone: what it asks for are inputs", []Key{
		{Name: "side", Shape: WordShape, Optional: true, Choices: []string{"left", "right"}, Text: "side on which the tire is mounted; where a property file is of the other one, the tire is mirrored; default: as the file"},
		forceKey,
	}, buildTireForces},
	{"tire", "wheel and tire as one body on a plane road or a terrain", []Key{
		{Name: "frame", Shape: FrameShape, Optional: true, Text: "wheel frame at the wheel centre, y axis to the left; default: the component's name"},
		frame("road", "frame of the road or terrain"),
		nonnegative("mass", "kg", "", "mass of wheel and tire; 0 where another component on the frame has it"),
		{Name: "inertia", Shape: TableShape, Text: "inertia about the wheel centre", Keys: []Key{
			nonnegative("axial", "kg.m2", "", "about the spin axis"), nonnegative("transverse", "kg.m2", "", "about a diameter"),
		}},
		sequence("312"),
		{Name: "side", Shape: WordShape, Optional: true, Choices: []string{"left", "right"}, Text: "side on which the tire is mounted; where a property file is of the other one, the tire is mirrored; default: as the file"},
		positive("unloaded_radius", "m", "Ru, free radius of the vertical spring"),
		positive("vertical_stiffness", "N/m", "kz"),
		nonnegative("vertical_damping", "N.s/m", "0", "cz"),
		{Name: "contact", Shape: TableShape, Optional: true, Text: "contact point", Keys: []Key{
			{Name: "method", Shape: WordShape, Default: "loaded", Choices: []string{"loaded", "undeformed"}, Text: "loaded: on the road, at the loaded radius; undeformed: where the undeformed tire is lowest, at the free radius, which is then the effective one, too"},
			nonnegative("crown_radius", "m", "0", "radius of the cross-section of a torus, undeformed only; 0: a thin disc"),
		}},
		{Name: "rolling_radius", Shape: TableShape, Optional: true, Text: "effective rolling radius; not with an undeformed contact", Keys: []Key{
			{Name: "method", Shape: WordShape, Choices: []string{"loaded", "unloaded", "load-dependent"}, Text: "Reff = Rl, Reff = Ru, or Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN)"},
			{Name: "Fz0", Unit: "N", Optional: true, Positive: true, Text: "nominal load of load-dependent; rhoN = Fz0/kz"},
			{Name: "B", Unit: "1", Optional: true, Text: "of load-dependent"},
			{Name: "D", Unit: "1", Optional: true, Text: "of load-dependent"},
			{Name: "F", Unit: "1", Optional: true, Text: "of load-dependent"},
		}},
		{Name: "slip", Shape: TableShape, Text: "slip", Keys: []Key{
			{Name: "method", Shape: WordShape, Choices: []string{"kinematic", "delayed"}, Text: "from the contact velocities, or by relaxation states q1, q2"},
			{Name: "minimum_speed", Unit: "m/s", Default: "0.005", Positive: true, Text: "speed from which on kinematic slip divides by the speed itself"},
			{Name: "low_speed", Unit: "m/s", Default: "1", Positive: true, Text: "speed under which delayed slip is damped"},
			nonnegative("low_speed_damping", "s/m", "0.2", "slip by which it is damped, for a sliding speed, at standstill; 0: none"),
			{Name: "relaxation", Shape: TableShape, Optional: true, Text: "relaxation function of delayed slip", Keys: functionKey},
			scalar("q1", "1", "0", "start value of the delayed longitudinal slip"),
			scalar("q2", "1", "0", "start value of the tangent of the delayed slip angle"),
			scalar("q3", "rad/m", "0", "start value of the delayed turn slip, where the relaxation function has it"),
		}},
		forceKey,
		{Name: "enveloping", Shape: TableShape, Optional: true, Text: "the plane on which the tire stands is the mean one under its footprint, instead of the tangent plane below the wheel's centre; on terrain only", Keys: []Key{
			positive("length", "m", "of the footprint, in the direction of the wheel"),
			positive("width", "m", "of the footprint"),
			scalar("points", "", "3", "rows of points, along and across"),
		}},
	}, buildTire},
}

// TopKeys are the keys of a model file outside of its components.
var TopKeys = []Key{
	{Name: "base", Shape: TextShape, Optional: true, Text: "model file of which this one is a variant, relative to this file"},
	{Name: "name", Shape: TextShape, Text: "identifier of the model"},
	{Name: "title", Shape: TextShape, Optional: true, Text: "title"},
	{Name: "source", Shape: TextShape, Optional: true, Text: "where the numbers come from"},
	{Name: "gravity", Shape: VectorShape, Unit: "m/s2", Default: "[0, 0, -9.81]", Text: "in ground; a single number g stands for [0, 0, -g]"},
	{Name: "parameters", Shape: TableShape, Optional: true, Text: "named parameters: name = { value, unit, text }"},
	{Name: "component", Shape: TableShape, Text: "components by name"},
	{Name: "tree", Shape: TableShape, Optional: true, Text: "[[tree]]: trees to choose from, the first is the default", Keys: treeKeys},
	{Name: "quantities", Shape: TableShape, Optional: true, Text: "further published quantities: \"name\" = { value, unit, text }"},
	{Name: "outputs", Shape: TextsShape, Optional: true, Text: "names of the published outputs, each once; default: all"},
	{Name: "solver", Shape: TableShape, Optional: true, Text: "solver defaults", Keys: []Key{
		{Name: "method", Shape: WordShape, Default: "rk4", Choices: solver.Names(), Text: "method"},
		{Name: "step", Unit: "s", Default: "0.001", Positive: true, Text: "longest step"},
		{Name: "multipliers", Shape: WordShape, Default: Multipliers[0], Choices: Multipliers, Text: "where dlmm takes the violations of constraints that it corrects: at the beginning of a step, or in every stage"},
		{Name: "constraint_tolerance", Default: "1e-6", Positive: true, Text: "largest violation of a constraint at the start, in its unit"},
	}},
	{Name: "experiment", Shape: TableShape, Optional: true, Text: "default experiment", Keys: []Key{
		{Name: "stop_time", Unit: "s", Default: "10", Positive: true, Text: "end"},
	}},
}

var treeKeys = []Key{
	{Name: "name", Shape: TextShape, Text: "name"},
	{Name: "prefer", Shape: TextsShape, Optional: true, Text: "edges to take first"},
	{Name: "forbid", Shape: TextsShape, Optional: true, Text: "edges to keep out"},
	{Name: "translation", Shape: TextsShape, Optional: true, Text: "the complete translational tree"},
	{Name: "rotation", Shape: TextsShape, Optional: true, Text: "the complete rotational tree"},
	{Name: "formulation", Shape: WordShape, Default: Formulations[0], Choices: Formulations, Text: "of the constraints: all are independent and hold; or some may follow from others, and grip relaxes those of relaxed wheels"},
	{Name: "baumgarte", Shape: TableShape, Optional: true, Text: "stabilisation of constraints", Keys: baumgarteKeys},
}

var baumgarteKeys = []Key{nonnegative("alpha", "1/s", "20", "damping"), nonnegative("beta", "1/s", "20", "frequency")}

// Formulations are those of the equations of constrained motion.
var Formulations = []string{"multipliers", UdwadiaKalaba}

// UdwadiaKalaba is the formulation by the generalised inverse, with weights.
const UdwadiaKalaba = "udwadia-kalaba"

// Multipliers are the variants of the solver methods dlmm and dlmm-euler.
var Multipliers = []string{"step", "stage"}
