package component

import (
	"iter"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/tire"
)

// Builder offers the operations from which laws of components are made. A Builder is bound to one component. Keys of
// parameters, inputs, states and outputs are given without the component's name; variables are named <component>.<key>.
// Frames are given by name and must be in the model. All quantities are in SI units. Vectors know the axes in which
// they are resolved; vectors in different axes cannot be combined.
//
// The order of calls is part of the result: sums are sorted by when their terms were made.
type Builder interface {
	Symbols
	Signals
	Motions
	Loads
	Contacts
	Restraints
	Networks
}

// Symbols makes variables and names expressions.
type Symbols interface {
	Head() *keys.Header
	Pool() *expr.Pool
	Scope() *Scope
	// For is the builder of another component.
	For(c Component) Builder
	// Unnamed is a builder whose keys are whole names of variables.
	Unnamed() Builder
	// Reject notes a fault of the model. The first one ends the formulation, not at once: the law goes on.
	Reject(at keys.Position, format string, args ...any)

	// Scalar is a number of the model file: a parameter, a formula, or 0, which leaves no trace.
	Scalar(key, unit string, s keys.Scalar) *expr.Expr
	// Settable is Scalar, except that 0 also becomes a parameter. An empty text means the text of the key.
	Settable(key, unit, text string, s keys.Scalar) *expr.Expr
	// Number is a formula under a name, or a number that does not become a parameter.
	Number(name string, s keys.Scalar) *expr.Expr
	// SolverStep is the longest solver step [s].
	SolverStep() *expr.Expr
	// Named is the parameter of the model with this name, or nil.
	Named(parameter string) *expr.Expr
	// Input and NonnegativeInput make an input, or return the existing one.
	Input(key, unit, text string, start float64) *expr.Expr
	NonnegativeInput(key, unit, text string, start float64) *expr.Expr
	// Prescribed makes three inputs, the key of the position, "rate" and "acceleration", which are one motion.
	Prescribed(position, unit, text string) Motion
	// InputMotion tells which of the latest inputs, counted from 0 to `inputs`, are position, rate and acceleration of
	// one motion; the last is -1 where there is no acceleration.
	InputMotion(inputs int, group [3]int)

	// Define and DefineV name a value name_component.
	Define(name string, e *expr.Expr) *expr.Expr
	DefineV(name string, v expr.Vector) expr.Vector
	// Curve is a curve at x, under a name of the model.
	Curve(name string, c *curve.Curve, x *expr.Expr) Course
	// Surface is a surface at x and y, under a name of the model.
	Surface(name string, c *curve.Surface, x, y *expr.Expr) *expr.Expr
	// CurveIntegral is the integral of a curve from 0 to x.
	CurveIntegral(name string, c *curve.Curve, x *expr.Expr) *expr.Expr
	State(s OwnState)
	Publish(key, unit, text string, e *expr.Expr)
	// Keep keeps a value for a later answer of the same component; Kept is nil for a key without a kept value.
	Keep(key string, e *expr.Expr)
	Kept(key string) *expr.Expr
}

// Signals connects variables of the model. Values are symbols during the laws and get definitions after all laws.
type Signals interface {
	// Variable is a variable of the model by its full name: a published quantity, an input, a parameter or the time.
	Variable(name string, at keys.Position) *expr.Expr
	// Reads is an input of the component with the value of a variable of the model.
	Reads(key, unit, text string, from Reference) *expr.Expr
	// Law makes a call of a function outside of the file, and returns its results by name.
	Law(c LawCall) map[string]*expr.Expr
	// Drives gives an input of the model the value of an output of the component.
	Drives(to Reference, key, unit string, e *expr.Expr)
}

// LawCall is a call of a function that computes outputs and rates of equations. A function can ask for some of the
// inputs, and returns all outputs in their order.
type LawCall struct {
	Function, File string
	Inputs         []string
	Arguments      []*expr.Expr
	Outputs        []string
}

// Reference is the name of a variable of the model in the file, or a role such as @chassis.vx; Name is "" for none.
type Reference struct {
	Name string
	Pos  keys.Position
}

// Motions tells how frames move.
type Motions interface {
	// Axes are the axes that resolve vectors fixed in a frame: the frame's own axes, or its carrier's where the model
	// ignores the frame's rotation. OwnAxes are the axes of the frame itself.
	Axes(frame string) expr.Frame
	OwnAxes(frame string) expr.Frame
	// Unit is along one of three axes; Constant has the components x, exactly.
	Unit(in expr.Frame, axis int) expr.Vector
	Constant(in expr.Frame, x [3]float64) expr.Vector
	Resolve(v expr.Vector, in expr.Frame) expr.Vector
	// AddAxes makes axes beside existing axes; turn maps components in the new axes to components in the existing ones. No
	// speed turns the new axes.
	AddAxes(name, beside expr.Frame, turn [3][3]*expr.Expr)
	// Know tells the components of a vector that resolving would find in a longer way.
	Know(v, as expr.Vector)
	// Orientation maps components in the axes of one frame to components in the axes of another.
	Orientation(from, to string) expr.Rotation

	HasAxes(frame string) bool // that of a point has none
	Parallel(a, b string) bool // always
	Turns(frame string) bool   // some speed turns it

	// Position, Velocity and Acceleration belong to the origin of frame `to` relative to the origin of frame `from`.
	// Velocities and accelerations, also angular ones, are relative to the ground. Accelerations lack the terms in the
	// rates of the speeds. FullAcceleration has these terms; it is known once the equations are solved.
	Position(from, to string, in expr.Frame) expr.Vector
	Velocity(from, to string, in expr.Frame) expr.Vector
	Acceleration(from, to string, in expr.Frame) expr.Vector
	AngularVelocity(from, to string, in expr.Frame) expr.Vector
	AngularAcceleration(from, to string, in expr.Frame) expr.Vector
	FullAcceleration(from, to string, in expr.Frame) expr.Vector

	// InertiaAbout is the inertia of everything that turns with a frame, about an axis through its origin.
	InertiaAbout(frame string, axis expr.Vector) *expr.Expr
	// Partials are the partial derivatives of a frame's angular velocity by the speeds that turn the frame, with the
	// indices of the speeds.
	Partials(frame string) iter.Seq2[int, expr.Vector]
	// PartialsAlong are the partial derivatives of Velocity along an axis, by all speeds. NoPartials are zeros.
	PartialsAlong(from, to string, axis expr.Vector) []*expr.Expr
	NoPartials() []*expr.Expr
	Leg(from, to string) Leg

	// Line is the distance of two origins. Along and About are motions of one frame against another along and about an
	// axis in axes of `from`; About has no value unless a branch is this motion. Freedom is a coordinate of the
	// component itself with its speed.
	Line(from, to string) Coordinate
	Along(from, to string, axis [3]float64) Coordinate
	About(from, to string, axis [3]float64) Coordinate
	Freedom(coordinate, speed string) Coordinate
	// AngleBetween is the angle of a rotation about an axis of `from`, between -pi and pi.
	AngleBetween(from, to string, axis [3]float64) *expr.Expr
	// SecondMotion is the second argument of a suspension's surfaces; the first is the travel.
	SecondMotion() Motion
	// Driven is the motion of a motion driver.
	Driven(driver string) Motion
	// FreePoint are the states of a point that moves freely along axes of ground, by axis, -1 for none; axes is nil where
	// something else carries it. Held is its coordinate along an axis along which it does not move.
	FreePoint(frame string) (axes []int, position, speed [3]int)
	Held(frame string, axis int) *expr.Expr
}

// Loads takes the forces and moments of laws, and their properties for solvers.
type Loads interface {
	// Force acts on the origin of a frame, Moment on the frame, OnSpeed on one speed alone.
	Force(frame string, v expr.Vector)
	Moment(frame string, v expr.Vector)
	OnSpeed(speed int, e *expr.Expr)
	// Counter is Moment for the moment that reacts on a road. The moment is evaluated only if a speed turns the frame, and
	// for reactions.
	Counter(frame string, moment func() expr.Vector)
	// Apply applies a force or moment along a motion: on its head, with the opposite on its tail. Drive is Apply of a
	// torque that the grip of wheels has to know.
	Apply(x Coordinate, e *expr.Expr)
	Drive(x Coordinate, torque *expr.Expr)
	// Brake applies a torque of this magnitude against the motion, once the other loads are known.
	Brake(x Coordinate, magnitude *expr.Expr)
	// Resist makes a brake of the rolling resistance of a wheel, which is among the moments already, once the other loads
	// are known. The acting moment is published as My.
	Resist(r RollingResistance)
	// Torques are the axes and torques of all drivers and brakes on a frame.
	Torques(frame string) iter.Seq2[expr.Vector, *expr.Expr]
	// Call calls an external function and returns the outputs by name. It is false if the function does not fit; the model
	// then has an error.
	Call(c ExternalCall) (map[string]*expr.Expr, bool)

	// Intermediate is Define of a value that options may simplify.
	Intermediate(name string, e *expr.Expr) *expr.Expr
	// Offer gives a value a name for the formulas of the model file.
	Offer(key string, e *expr.Expr)
	// Indicator publishes a value whose sign changes with an event.
	Indicator(key, unit, text string, e *expr.Expr)
	// Deflect gives implicit steps a deflection, which loads depend on, with its rate. Pull gives them loads with rates;
	// the power of these loads is the power of all later forces and moments of the component. Apply does both for its own.
	Deflect(m Motion)
	Pull(list ...Pull)
	// Secant is the slope of a value by an argument; implicit steps use it in place of the derivative.
	Secant(value, argument, slope *expr.Expr)
	Sliding(s Sliding)
}

// Contacts describes the engine's work between steps. Indices refer to inputs, controls or constants.
type Contacts interface {
	// Control is an input that the engine itself sets, with its index.
	Control(key, unit string, start float64) (*expr.Expr, int)
	InputIndex(key string) int
	// EngineConstant keeps a value of parameters for the engine's use, and returns its index.
	EngineConstant(e *expr.Expr) int
	Terrain(t program.Terrain)
	TerrainIndex(name string) int
	Contact(c program.WheelContact)
	Watch(l program.Limit, watched ...*expr.Expr)
	Uneven(u UnevenRoad)
	Tire(t WatchedTire)
	Sampled(s Sampled)
}

// Restraints takes constraints.
type Restraints interface {
	// Generalised reports whether the tree has the formulation UdwadiaKalaba.
	Generalised() bool
	// Row adds a constraint; its violation is published under a key with a unit.
	Row(r Row, key, unit string)
	// Rate adds a constraint on a velocity, and on a position unless position is nil. Rate returns the velocity under its
	// name.
	Rate(row string, position, velocity *expr.Expr) *expr.Expr
	// Relax lets grip relax a row, which must be among the last.
	Relax(row string, g Grip)
	// Reaction is the reaction of a row of the component, known once the equations are solved.
	Reaction(row string) *expr.Expr
}

// Sampled is a component that acts at samples. Next are formulas of its values after a sample; a function in their
// place gets the Arguments.
type Sampled struct {
	program.Sampler
	Next, Arguments []*expr.Expr
}

// WatchedTire is a tire that the engine watches.
type WatchedTire struct {
	program.Tire
	Inclination, Deflection, Radius *expr.Expr
}

// UdwadiaKalaba is the formulation by the generalised inverse, with weights of constraints.
const UdwadiaKalaba = "udwadia-kalaba"

// Motion is a position with its rates; the acceleration is nil where it does not exist or is not given.
type Motion struct{ Position, Rate, Acceleration *expr.Expr }

// Pull is a load along a motion with this rate.
type Pull struct{ Load, Rate *expr.Expr }

// Course is a value with its derivatives by its argument; the curvature is nil unless it is smooth.
type Course struct{ Value, Slope, Curvature *expr.Expr }

// Coordinate is the motion of one frame against another along or about an axis.
type Coordinate struct {
	Domain      graph.Domain
	From, To    string
	Value, Rate *expr.Expr
	Speed       int // the speed that is this motion, -1 for none
	Sign        int64
	Axis        expr.Vector
}

// Leg is the motion of one point against another, in ground, with the partials of its velocity.
type Leg struct {
	Position, Velocity, Acceleration expr.Vector // the last without the terms in the rates of the speeds
	Partials                         map[int]expr.Vector
}

// OwnState is a state that no edge has.
type OwnState struct {
	Key, Unit, Text string
	Symbol, Rate    *expr.Expr
	Start           keys.Scalar
	StartKey        string     // of the start value, "" for that of the state
	StartUnit       string     // with a StartKey
	Begin           *expr.Expr // in place of a start value: of inputs and parameters; nil: there is a start value
	Held            bool       // it changes slowly in use, and stays in a search for a steady motion
}

// Row is a constraint: C pdot + bias = Phi”.
type Row struct {
	Name               string
	Position, Velocity *expr.Expr
	Partials           []*expr.Expr // of the velocity
	Bias               *expr.Expr
	Active             *expr.Expr // nil: always
}

// ExternalCall is the call of a tire function.
type ExternalCall struct {
	Role     string // its role in its component
	Function TireFunction
	Values   map[string]*expr.Expr // quantities that the function can request
	Offered  []string              // names of these quantities
	Borrows  bool                  // inputs not requested by the function in use are arguments of an earlier call
	Binds    []string              // required outputs
	// Pose returns centre, heading and normal of a wheel. A function with a pose also returns Fz, the acting load.
	Pose func() [3]expr.Vector
	// Carcass puts a carcass with a relaxation function around the function.
	Carcass *tire.CarcassSetting
	Inside  bool // only the carcass of the same component calls it
}

// RollingResistance is a moment of a road on a wheel about an axis, and the spin that it resists.
type RollingResistance struct {
	Wheel, Road  string
	Axle         expr.Vector // of the wheel, of length 1
	Axis         expr.Vector // of the moment
	Moment, Spin *expr.Expr
}

// Sliding is a force of a tire with kinematic slip. It has the sign of a slip, or the opposite; the other slip takes
// part of it.
type Sliding struct {
	Force  *expr.Expr
	Output string
	Inputs [2]string
	Slips  [2]*expr.Expr
	Sign   int64
}

// Grip is the law of a row that is relaxed: a weight and a force for the load on the wheel.
type Grip struct {
	Normal string     // the row whose reaction is the load
	Load   *expr.Expr // where there is no such row
	// Along are the partial derivatives, by all speeds, of the velocity along which the sliding force acts; nil: the
	// partials of the row.
	Along []*expr.Expr
	// Laws are the root of the weight and the sliding force.
	Laws    func(load *expr.Expr) (stiction, sliding *expr.Expr)
	Publish func(g GripForces)
}

// GripForces are the results for a relaxed row: forces on the wheel, positive forward.
type GripForces struct {
	Traction, Stabilisation, Sliding *expr.Expr
	Force                            *expr.Expr // of the road in all
	Load, Stiction                   *expr.Expr
}
