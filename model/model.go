package model

import (
	"skidpad/model/curve"
	"skidpad/model/road"
)

// Position is a place in a model file.
type Position struct {
	File         string
	Line, Column int // counted from 1; 0 when there is no place
}

// Scalar is a number of a model file: written as a literal, or as a formula
// over the named parameters of the model, such as "-track_front/2".
//
// The engine keeps a non-zero literal as a settable parameter named
// <component>.<key>. A literal zero is structural: it is folded into the
// equations and is not published as a parameter.
type Scalar struct {
	Value   float64 // value with the start values of the parameters, SI
	Text    string  // exactly as written: a decimal or a formula
	Formula bool    // true when Text is a formula over model parameters
	// Nonnegative, Positive and AtMostOne are what its key demands of the value.
	Nonnegative, Positive, AtMostOne bool
	Pos                              Position
}

// Vector is three scalars resolved in a frame named by its owner.
type Vector [3]Scalar

// Parameter is a named, settable parameter of the whole model.
type Parameter struct {
	Name, Unit, Text string // Text describes it
	Value            Scalar // always a literal
	// Choices are the texts that the parameter can have; its value in formulas is the index
	// of the one it has. nil for a number.
	Choices []string
	Pos     Position
}

// Quantity is a formula over what a model publishes, its inputs and parameters.
type Quantity struct {
	Name, Unit, Text string
	Formula          string
	Pos              Position
}

// GroundFrame is the name of the inertial frame.
const GroundFrame = "ground"

// Model is a validated model file. Only Read and Parse build it.
type Model struct {
	Name        string // identifier, also the FMU's model name
	Title       string
	Source      string    // where the numbers come from
	Gravity     [3]Scalar // m/s^2 in the ground frame
	Parameters  []Parameter
	Components  []Component // in file order: the order of graph edges and so of states
	Trees       []Tree      // the first is the default; never empty
	Outputs     []string    // names of output variables; empty: all published variables
	Quantities  []Quantity  // published beside those of the components
	Solver      Solver
	StopTime    float64 // s, default end of an experiment
	File        string  // path it was read from, "" when parsed from memory
	Fingerprint string  // hex SHA-256 of the file's bytes; of a variant that of its base counts in
}

// Tree says which edges the spanning trees should hold. Edge names are
// <component>.T1, <component>.R2 and so on.
type Tree struct {
	Name           string
	Prefer, Forbid []string // ranked first, or kept out of the tree
	Translation    []string // a complete translational tree, when not empty
	Rotation       []string // a complete rotational tree, when not empty
	BaumgarteAlpha Scalar   // 1/s
	BaumgarteBeta  Scalar   // 1/s
	Formulation    string   // of the constraints, one of Formulations
	Pos            Position
}

// Solver holds the solver defaults of a model.
type Solver struct {
	Method      string  // one of solver.Names
	Step        float64 // s
	Multipliers string  // one of Multipliers
	Tolerance   float64 // of violations of constraints at the start, in their units
}

// Component is one component of a model.
type Component interface {
	Head() *Header
}

// Header is what every component has.
type Header struct {
	Name string   // unique in the model
	Type string   // the TOML type word, for example "rigid-body"
	Text string   // optional description
	Pos  Position // of the component's table
}

// Head returns the header itself, so that embedding it makes a Component.
func (h *Header) Head() *Header { return h }

// Inertia is the inertia about the centre of mass, in body axes [kg m^2].
// XY, XZ, YZ are elements of the matrix (minus the products of inertia).
// When Axisymmetric, Axis is the index (0, 1, 2) of the symmetry axis and only
// Axial and Transverse are set; the engine then may resolve the body in a frame
// that does not spin about Axis.
type Inertia struct {
	XX, YY, ZZ, XY, XZ, YZ Scalar
	Axisymmetric           bool
	Axis                   int
	Axial, Transverse      Scalar
}

// FreeStart is the initial motion of a free body.
type FreeStart struct {
	Given           bool
	Position        Vector // m, ground frame
	Angles          Vector // rad, in the order of the body's rotation sequence
	Velocity        Vector // m/s, body frame for rigid bodies, ground frame for point masses
	AngularVelocity Vector // rad/s, body frame
}

// RigidBody: frame at the centre of mass (Morency 2007, ch. 2; linear-graph T1, R1).
type RigidBody struct {
	Header
	Frame    string
	Mass     Scalar // kg
	Inertia  Inertia
	Damping  Scalar // N m s/rad, of the angular velocity
	Sequence string // rotation sequence of its level-0 across variable: "321", "312", "313"
	Start    FreeStart
}

// PointMass has translation only.
type PointMass struct {
	Header
	Frame string
	Mass  Scalar
	// InertialMass resists acceleration along the axes of ground, where Anisotropic.
	Anisotropic  bool
	InertialMass Vector
	Axes         []int     // indices of the axes of ground along which it moves
	Start        FreeStart // Position, Velocity
}

// RigidArm joins two frames rigidly. A weld is a RigidArm with Translation and
// Angles zero (Type "weld").
type RigidArm struct {
	Header
	From, To    string
	Translation Vector // m, in From
	Sequence    string // of Angles, default "321"
	Angles      Vector // rad
}

// Revolute joint about Axis (unit vector in From).
type Revolute struct {
	Header
	From, To   string
	Axis       [3]float64
	Phi, Omega Scalar // start values, rad, rad/s
	Torque     bool   // there is an input <name>.torque
}

// Prismatic joint along Axis (unit vector in From).
type Prismatic struct {
	Header
	From, To string
	Axis     [3]float64
	S, SDot  Scalar // start values, m, m/s
}

// Suspension guides To along and about curves over the wheel travel, in axes of From: x forward, y
// outward, z up [m]; toe-in, camber with the top outward, castor with the top rearward [rad] (ISO
// 8855). A curve that is nil is 0, but Z, which is the travel itself.
type Suspension struct {
	Header
	From, To            string
	Right               bool         // outward is to the right, not to the left
	X, Y, Z             *curve.Curve // m over m
	Toe, Camber, Castor *curve.Curve // rad over m
	Travel, TravelDot   Scalar       // start values, m, m/s
}

// AntiRollBar couples the coordinates of two joints: with the difference d, that of Left less that of
// Right, the force against the coordinate of Left, and along that of Right, is
// Stiffness d + Damping d' + Force(d).
type AntiRollBar struct {
	Header
	Left, Right        string       // names of the joint components
	Stiffness, Damping Scalar       // N/m, N s/m (N m/rad, N m s/rad on revolute joints)
	Force              *curve.Curve // N over m (N m over rad), nil for none
}

// Spherical joint.
type Spherical struct {
	Header
	From, To        string
	Sequence        string // of the start angles and coordinates
	Angles          Vector // start values, rad
	AngularVelocity Vector // start values, rad/s, of To relative to From, in To
}

// MotionDriver prescribes rotation about, or translation along, Axis (in From)
// by the inputs <name>.angle, .rate, .acceleration (rotation, rad) or
// <name>.position, .rate, .acceleration (translation, m).
type MotionDriver struct {
	Header
	From, To    string
	Axis        [3]float64
	Translation bool
}

// TorqueDriver applies the input <name>.torque about Axis (in From) to To and
// the opposite to From. With Brake the input is a magnitude that acts against
// the relative spin and holds at standstill (formulate documents the law).
type TorqueDriver struct {
	Header
	From, To string
	Axis     [3]float64
	Brake    bool
}

// ForceDriver applies the input <name>.force along Axis (in From) to To and
// the opposite to From.
type ForceDriver struct {
	Header
	From, To string
	Axis     [3]float64
}

// Aerodynamics are the forces and moments of the air on a frame, whose x axis points forward and z
// axis up. Coefficients are those of SAE J1594; what curves over the side-slip angle of the airspeed
// give is added to them (formulate documents the law).
type Aerodynamics struct {
	Header
	Frame                                                                    string
	Area, Length, Density                                                    Scalar       // m^2, m, kg/m^3
	Drag, LiftFront, LiftRear                                                Scalar       // 1
	Side, Roll, Yaw                                                          Scalar       // 1/rad
	DragCurve, LiftFrontCurve, LiftRearCurve, SideCurve, RollCurve, YawCurve *curve.Curve // 1 over rad, nil for none
}

// Steering turns motion drivers by the inputs <name>.angle, .rate and .acceleration of the hand wheel.
type Steering struct {
	Header
	Ratio     Scalar // of the hand wheel's angle to that of a wheel in the middle
	Wheelbase Scalar // m, where a wheel is lateral
	Wheels    []SteeredWheel
	HandWheel *HandWheel // nil where its angle is an input
}

// HandWheel is one that turns freely. The driver's torque on it is the input <name>.torque and, times
// the input <name>.hold, HoldStiffness and HoldDamping times what the inputs <name>.angle and
// <name>.rate are ahead of it.
type HandWheel struct {
	Inertia                    Scalar // kg m^2, about its axis
	Damping                    Scalar // N m s/rad
	Friction                   Scalar // N m, times tanh(rate/SlidingSpeed)
	SlidingSpeed               Scalar // rad/s
	HoldStiffness, HoldDamping Scalar // N m/rad, N m s/rad
	Angle, Rate                Scalar // start values, rad, rad/s
}

// SteeredWheel is a motion driver that a steering turns: as a wheel in the middle, after Ackermann
// where Lateral is not 0, or by a curve.
type SteeredWheel struct {
	Driver  string
	Lateral Scalar       // m, of the kingpin to the left of the middle
	Angle   *curve.Curve // rad over rad of a wheel in the middle, nil for none
	Pos     Position
}

// BrakeDistribution shares the input <name>.torque among brakes.
type BrakeDistribution struct {
	Header
	Axles []BrakedAxle
}

// BrakedAxle is a group of brakes with equal torques.
type BrakedAxle struct {
	Brakes []string
	Share  Scalar // 1, of all of them together
	Pos    Position
}

// Differential splits a torque, the input <name>.torque unless something drives it, between two
// revolute joints or further differentials. Torques on joints react on Housing or, without, on the
// tails of the joints.
type Differential struct {
	Header
	Outputs              [2]string
	Housing              string // "" for none
	Ratio                Scalar // of the speed of the input to that of the carrier
	Share                Scalar // 1, of the first output
	Preload              Scalar // N m
	LockDrive, LockCoast Scalar // 1, locking values
	Viscosity            Scalar // N m s/rad
	SlidingSpeed         Scalar // rad/s
}

// Engine gives a revolute joint or a differential a torque by its speed and the input <name>.throttle.
type Engine struct {
	Header
	Drives         string
	Ratio          Scalar       // of its speed to that of what it drives
	FullLoad, Drag *curve.Curve // N m over rad/s, with the throttle open and closed; Drag is nil for none
	Inertia        Scalar       // kg m^2, about its axis
	Frame          string       // that carries it, "" without inertia
	Axis           [3]float64
}

// Gearbox couples the shaft of a revolute joint, Input, with a revolute joint or a differential by a
// friction clutch and gears. Inputs are <name>.gear and <name>.clutch.
type Gearbox struct {
	Header
	Input, Drives string
	Ratios        []Scalar // of the speed of the input to that of what it drives, of the gears 1, 2, ...
	HasReverse    bool
	Reverse       Scalar // likewise, without its sign
	Capacity      Scalar // N m, of the clutch
	SlidingSpeed  Scalar // rad/s
}

// SpringDamper acts along the line between two frames' origins, or, with Joint
// set, on the coordinate of a prismatic or revolute joint or a suspension. Force in tension
// positive:
//
//	F = Stiffness (L - FreeLength) + SpringForce(L - FreeLength)
//	  + (Damping + QuadraticDamping |dL/dt|) dL/dt + DamperForce(dL/dt)
type SpringDamper struct {
	Header
	From, To                       string       // empty when Joint is set
	Joint                          string       // name of the joint component
	Stiffness, Damping, FreeLength Scalar       // N/m, N s/m, m (N m/rad, N m s/rad, rad on a revolute)
	QuadraticDamping               Scalar       // N s^2/m^2 (N m s^2/rad^2)
	SpringForce, DamperForce       *curve.Curve // N over m and m/s (N m over rad and rad/s), nil for none
}

// Rod is a massless rigid link between the origins of two frames. Active is 1, or 0 where
// it is inactive.
type Rod struct {
	Header
	From, To string
	Length   Scalar // m
	Square   bool   // the squares of distance and length are compared
	Active   Scalar
}

// RightAngle keeps the lines from Corner to From and to To perpendicular:
//
//	2 r.e + L^2 - e.e = 0,  r = From - Corner, e = To - Corner
//
// which is |r|^2 + L^2 - |From - To|^2 (van Iwaarden 2003, 2.7). Without Length it is 2 r.e = 0.
type RightAngle struct {
	Header
	Corner, From, To string
	WithLength       bool
	Length           Scalar // m
	Active           Scalar
}

// Parallelogram: Corners[0] + Corners[2] = Corners[1] + Corners[3].
type Parallelogram struct {
	Header
	Corners [4]string
	Active  Scalar
}

// RollingWheel lets the wheel of a frame, whose y axis points to the left, roll on the plane of a
// road without slip: a disc, or a torus with the crown radius.
type RollingWheel struct {
	Header
	Frame, Road         string
	Radius, CrownRadius Scalar // m
}

// RelaxedWheel lets the wheel of a frame, whose y axis points to the left, roll on the plane of a
// road up to its grip limit, and slide beyond it (Ikoki 2022). It acts along the path and along
// the normal, not across.
type RelaxedWheel struct {
	Header
	Frame, Road           string
	Radius                Scalar // m
	StictionFactor        Scalar // k_s, 1
	FrictionFactor        Scalar // k_F, 1
	SlidingSpeed          Scalar // v_s, m/s
	Elastic               bool   // a spring and a damper carry the wheel instead of a constraint
	VerticalStiffness     Scalar // N/m, of the spring
	VerticalDamping, Load Scalar // N s/m; N, with which its length is the radius
}

// SideForce is a tire as a damper: at the origin of a frame, along its y axis, the force
// -Coefficient v_y for the inertial velocity v_y of the origin along that axis.
type SideForce struct {
	Header
	Frame       string
	Coefficient Scalar // N s/m
}

// Terrain is uneven ground, of the kinds of package road. Its frame is that of ground.
type Terrain struct {
	Header
	Frame                  string
	Kind                   string
	Height, SlopeX, SlopeY Scalar // m, 1, 1
	Formula, File          string
	Centred                bool   // a CRG begins at the origin, along x
	Class                  string // of roughness (ISO 8608)
	Seed                   Scalar // of random roughness
	Friction               TerrainFriction
}

// Shape is what the terrain is to package road.
func (t *Terrain) Shape() road.Shape {
	return road.Shape{Kind: t.Kind, Formula: t.Formula, File: t.File, Centred: t.Centred, Class: t.Class}
}

// TerrainFriction holds factors on the tires' own friction.
type TerrainFriction struct {
	Left, Right         Scalar // on either side of the line of the road
	Kind, Formula, File string // of a map, with a factor in place of heights
}

// Shape is what the map is to package road.
func (t *TerrainFriction) Shape() road.Shape {
	return road.Shape{Kind: t.Kind, Formula: t.Formula, File: t.File}
}

// WheelContact lets a point mass touch a terrain (van Iwaarden 2003, section 1.5).
type WheelContact struct {
	Header
	Contact, Rim, Terrain string
	EVert, EHor           Scalar // 1
	Friction              Scalar // N s/m
	RollingVelocity       Scalar // 0: that of the rim, 1: what is tangential of it
	InitialMode           Scalar // 0, 1, or -1: by the height at the start
}

// Road is a plane; its frame's z axis is the normal. Inputs <name>.z and .z_dot
// move the frame along the normal, <name>.mu scales friction.
type Road struct {
	Header
	Frame       string
	Translation Vector // m, ground frame
	Sequence    string
	Angles      Vector // rad
}

// Sensor publishes the motion of To relative to From, resolved in Resolve.
type Sensor struct {
	Header
	From, To, Resolve string
}

// LinearEquations describe motions near a steady one:
//
//	x' = x0' + A (x - x0) + B (u - u0),  y = y0 + C (x - x0) + D (u - u0)
//
// with the values x0, u0, y0 and rates x0' of the variables. Their names stand alone, without the
// component's. A matrix that is nil is zero.
type LinearEquations struct {
	Header
	States, Inputs, Outputs []LinearVariable
	A, B, C, D              [][]Scalar
}

// LinearVariable is a state, input or output of linear equations.
type LinearVariable struct {
	Name, Unit, Text string
	Value            Scalar // in the steady motion
	Rate             Scalar // of a state in the steady motion
	RateOf           int    // the input whose rate an input is, -1 for none
	Pos              Position
}

// Equations are a model by formulas: rates of states and outputs, of states, inputs and parameters.
// Variables are called like those of other components; in formulas their own names stand alone.
type Equations struct {
	Header
	Inputs, States, Outputs []EquationVariable
}

// EquationVariable is an input, state or output of equations.
type EquationVariable struct {
	Name, Unit, Text string
	Value            Scalar // at the start, of inputs and states
	Formula          string // of a state its rate, of an output its value
	Pos              Position
}

// TireForces is the force function of a tire alone: what it asks for are inputs.
type TireForces struct {
	Header
	Force TireFunction
}

// Tire: wheel and tire as one body at frame Frame, on the plane or terrain of frame Road
// (Morency 2007, ch. 3 and 4; tire-component specification).
type Tire struct {
	Header
	Frame, Road       string
	Mass              Scalar
	Inertia           Inertia // axisymmetric about Axis
	Axis              int     // index of the spin axis in Frame, pointing left: 1
	Sequence          string  // of the R1 edge when it is a branch, default "312"
	UnloadedRadius    Scalar  // Ru, m
	VerticalStiffness Scalar  // kz, N/m
	VerticalDamping   Scalar  // cz, N s/m
	Undeformed        bool    // the contact point is that of the undeformed tire
	CrownRadius       Scalar  // m, of a torus; Undeformed only
	RollingRadius     RollingRadius
	Slip              Slip
	Force             TireFunction
	Enveloping        *Enveloping // nil: none
}

// Enveloping is the footprint of a tire, under which the plane on which it stands is the mean one.
type Enveloping struct {
	Length, Width Scalar // m
	Points        int    // rows of points, along and across
}

// RollingRadius selects Reff (equations 3.12, 3.13).
type RollingRadius struct {
	Method       string // "loaded", "unloaded", "load-dependent"
	Fz0, B, D, F Scalar // load-dependent only
}

// Slip selects kinematic or delayed slip.
type Slip struct {
	Delayed         bool
	MinimumSpeed    Scalar       // m/s, from which on kinematic slip divides by the speed itself
	LowSpeed        Scalar       // m/s, under which delayed slip is damped
	LowSpeedDamping Scalar       // s/m, at standstill
	Relaxation      TireFunction // delayed only; returns q1dot, q2dot, and q3dot with TurnSlip
	TurnSlip        bool         // there is a delayed turn slip
	Q1, Q2, Q3      Scalar       // start values of the delayed slips
}

// TireFunction names a registered tire function and its parameters, in the
// function's own order.
type TireFunction struct {
	Name       string
	File       string // parameter file relative to the model file, "" when inline
	Downgrade  bool   // a property file of Magic Formula 6.x may be read with the equations of 5.2
	Side       string // on which the tire is mounted: "left", "right", or "" for as the file says
	Parameters []float64
	Warnings   []string // of the parameter file
}
