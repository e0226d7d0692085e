package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// The interfaces of this file are answered by some components alone, to the rest of the engine and to each other.

// Jointed is answered by joints with one coordinate.
type Jointed interface {
	Component
	Moves() Movement
	Coordinate(b Builder) Coordinate
}

// Movement is the axis of a coordinate's motion from one frame to another.
type Movement struct {
	Domain   graph.Domain
	From, To string
	Axis     [3]float64 // of a straight motion or a turn
}

// Acting is answered by a component that acts on others by their names.
type Acting interface {
	Component
	Acts() []Act
}

// Act is the effect of a component on another component. A component and part can have one such effect only, unless the
// effect is shared.
type Act struct {
	On     string // name of the other
	Part   Part
	Needs  string // required type of the other component, for messages
	Shared bool
	Pos    keys.Position // where the other is named
}

// Part is the part of a component that another component acts on.
type Part uint8

// The parts.
const (
	Turned  Part = iota // a motion driver of a rotation
	Shifted             // a motion driver of a translation, such as a rack
	Braked              // a brake
	Coupled             // a revolute joint, by a clutch
	Powered             // a revolute joint or a differential, by an engine
)

// Receiving is a component that others can act on.
type Receiving interface {
	Receives(p Part) bool
}

// Balled is answered by a component with ends that turn freely about points.
type Balled interface {
	Component
	Balls() []Ball
}

// Ball is a point about which a body turns freely.
type Ball struct {
	At    string // frame at the point
	Of    string // frame of the body
	Meets bool   // two of these at one frame make a ball joint, one alone does not
}

// Sharing is answered by a component that shares a braking torque among brakes.
type Sharing interface {
	Component
	Shares() []BrakedAxle
}

// Surrounding is a component around a vehicle: its inputs drive nothing.
type Surrounding interface {
	Component
	Surrounds()
}

// Followed is a component whose motion can be the second argument of a suspension's surfaces.
type Followed interface {
	// Followed reports whether they can, and whether that is the travel of a suspension.
	Followed(s *Scope) (can, travel bool)
}

// Heavy is a component with mass.
type Heavy interface {
	Component
	Lump() Lump
}

// Lump is the mass of a component.
type Lump struct {
	Frame   string
	Mass    keys.Scalar // kg
	Inertia *Inertia    // nil for a point
	Rigid   bool        // a rigid body, which may have parts and be the body of a vehicle
	// Along resists acceleration along the axes of ground, nil where Mass does.
	Along *keys.Vector // kg
}

// Unprefixed is a component with variables that have no component name in front.
type Unprefixed interface {
	Component
	Unprefixed() []UnprefixedVariable
}

// UnprefixedVariable is one of them.
type UnprefixedVariable struct {
	Name  string
	Input bool
	Pos   keys.Position
}

// Leading is answered by a component with a freedom that leads the motions of motion drivers.
type Leading interface {
	// Leads returns the freedom, nil for none, and the names of the motion drivers.
	Leads() (lead *graph.Lead, drivers []string)
}

// Wheeled is a component that rolls on a road.
type Wheeled interface {
	Component
	Wheel() Wheel
}

// Wheel is a wheel or tire that rolls on a road.
type Wheel struct {
	Frame  string
	Axis   int // of the frame, about which it spins
	Radius keys.Scalar
	Road   string // frame of the road
	Tire   bool   // not a constraint in place of a tire
}

// Sided is a component made for one side of a vehicle.
type Sided interface {
	Component
	// Side returns the frame, and "left" or "right"; "" for no side.
	Side() (frame, side string)
}

// Sprung is answered by a spring and damper.
type Sprung interface {
	Component
	// Sprung returns the joint on whose coordinate it acts, "" for none.
	Sprung() string
	// Reach is the length at a value of the coordinate, and its slope: the coordinate itself, unless it leads a length.
	Reach(x float64) (length, slope float64)
	// Tension is the static force at a length, and its slope.
	Tension(length float64) (value, slope float64)
	// Viscous is the force by the rate of the length, about rest.
	Viscous() float64
	// Damps reports whether the force depends on the rate of the coordinate.
	Damps() bool
}

// Modal helps to name the modes of a vehicle that the axes of joints cannot distinguish.
type Modal interface {
	Component
	Modes() Modes
}

// Modes name joints and states.
type Modes struct {
	Sprung    string   // joint with a spring on it
	Driven    string   // joint that an engine drives
	HandWheel []string // states of one that turns freely
}

// Ending is a component with conditions that make the rest of a run meaningless.
type Ending interface {
	Component
	Ends(b Builder) []End
}

// Slipping is answered by a tire whose slip is a function of the sliding speed at standstill.
type Slipping interface {
	Wheeled
	// SlipPerSpeed is the slip for the sliding speed at standstill [s/m], 0 for a slip that a state follows alone.
	SlipPerSpeed(b Builder) *expr.Expr
}

// End is a condition that ends runs.
type End struct {
	Name    string     // a condition of package program
	Margin  *expr.Expr // above 0 where it holds
	Default bool       // the component is modelled in a way that does not go beyond
}

// Planar is a component that another component can replace where uneven ground is left out: a flat terrain becomes a
// road. A component without a replacement returns an error.
type Planar interface {
	Component
	OnPlane() (Component, error)
}

// Terminated is a component with variables that belong together in an FMU.
type Terminated interface {
	Component
	Terminal() Terminal
}

// Terminal is the place of a component's variables: a terminal of its own, the hub of a wheel, or the controls of a
// driver.
type Terminal struct {
	Kind, Text string   // of its own, "" for none
	Variables  []string // of its own
	Flow       string   // the one of them that flows, positive into the model; "" for none
	Hub        string   // frame of the wheel whose hub has the input torque, where there is one
}
