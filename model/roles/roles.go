// Package roles reads the roles of the parts of a vehicle: the chassis, the axles, the steering, drive and brake
// inputs. Manoeuvres, figures and records name roles, such as @chassis.vx or @wheel[1L].Fz, and never the components of
// one vehicle.
//
//	[roles] of a model file or a car file -> Read -> Roles
//	"@axle[2].load" -> Roles.Formula -> "(tire_RL.Fz + tire_RR.Fz)"
package roles

import (
	"fmt"

	"skidpad/model/document"
)

// Roles are the roles of a vehicle. Names are names of components, or of variables where a comment says so; a role
// without a part is empty.
type Roles struct {
	Chassis     string      // frame whose motion is the vehicle's
	Axles       []Axle      // from the front
	Steering    *Steering   // nil without
	Throttle    *Throttle   // nil without
	Brake       []Set       // variables that brake
	FrontShare  *float64    // of the first axle in the braking torque; nil where the model has it
	Gear        *Gear       // nil without
	Inputs      []NamedSet  // optional inputs, in the order of OptionalInputs
	EngineSpeed string      // variable, rad/s
	Road        string      // component that is the ground
	Outline     *Outline    // nil without
	Shell       string      // one of Shells, "" where it is to be found
	Trailers    []string    // chassis of towed units, from the front
	Wheelbase   float64     // m; 0 where it is to be found
	Understeer  *float64    // rad/(m/s2) at the road wheels, which drivers allow for; nil where it is to be found
	Start       *Node       // table of start values, numbers or formulas, by variables; nil without
	Names       []Reference // every name that was read, with its place
	Table       *Node       // that they were read from; nil without
}

// Node is a node of a document.
type Node = document.Node

// Axle is an axle with its wheels.
type Axle struct {
	Left, Right []Wheel // from outside in; twins are two
	Radius      float64 // rolling radius [m]; 0 where it is to be found
}

// Wheel is one wheel of an axle.
type Wheel struct {
	Tire     string
	Spin     string     // variable of the angular velocity, set at the start; "" without
	Travel   string     // variable of the suspension travel; "" without
	Stops    [2]float64 // travel at the stops of rebound and bump [m], NaN where there is none
	Unsprung string     // body that the suspension carries; "" without
}

// Wheels are all wheels of the axle, from the left.
func (a *Axle) Wheels() []Wheel {
	list := append([]Wheel{}, a.Left...)
	for i := len(a.Right) - 1; i >= 0; i-- {
		list = append(list, a.Right[i])
	}
	return list
}

// Steering is how a vehicle is steered: by the angle of its steering wheel, by angles of the road wheels, or by the
// travel of a rack.
type Steering struct {
	Drivers []string // components whose angle or travel is given
	Wheel   bool     // the angle is the angle of the steering wheel
	Rack    bool     // the drivers slide, and Ratio is the steering-wheel angle by their travel [rad/m]
	Ratio   float64  // steering wheel to road wheels; 0 where it is to be found
}

// Overall is the angle of the steering wheel by the angle of the road wheels; 0 where it is to be found.
func (s *Steering) Overall() float64 {
	if s == nil || s.Rack {
		return 0
	}
	return s.Ratio
}

// Throttle lists the drive inputs of a vehicle, which all take one value.
type Throttle struct {
	Inputs       []string // variables
	Closed, Open float64
	// of the speed control, numbers or formulas of constants; nil for the defaults from Closed and Open
	Proportional, Integral, Least, Limit *Node
}

// Set are inputs that take one signal alike, times a factor.
type Set struct {
	Inputs []string // variables
	Factor float64  // of a deceleration [m/s2]; 0 where it is to be found
}

// NamedSet are the inputs of an optional role.
type NamedSet struct {
	Role   string
	Inputs []string
}

// Gear is how gears are changed.
type Gear struct {
	Input                    string // variable; "" where the gear is a start value alone
	Normal, Lowest, Backward float64
	Shift                    float64 // engine speed for upshifts of a hurried driver, rad/s; 0 without
}

// Outline is the body as seen from above, from the origin of the chassis's frame.
type Outline struct{ Width, Front, Rear float64 } // m

// Kind is the kind of a name.
type Kind int

// The kinds.
const (
	Component Kind = iota
	Tire
	Input  // a variable that can be set
	Output // a variable that is published
	Start  // a start value or an input
)

// Reference is a name that a role has.
type Reference struct {
	Name string
	Kind Kind
	At   *Node
	Role string
}

// Located puts the place of the name before an error about it.
func (r *Reference) Located(err error) error {
	return fmt.Errorf("%s:%d:%d: roles.%s is %q: %w", r.At.File, r.At.Line, r.At.Column, r.Role, r.Name, err)
}

// OptionalInputs are roles of inputs that few vehicles have.
var OptionalInputs = []string{"clutch", "wind", "hands", "parking"}

// Wheels are all wheels, axle by axle, each from the left.
func (r *Roles) Wheels() (list []Wheel) {
	for i := range r.Axles {
		list = append(list, r.Axles[i].Wheels()...)
	}
	return list
}

// Input is the set of an optional input; nil where the vehicle has none.
func (r *Roles) Input(role string) []string {
	for _, s := range r.Inputs {
		if s.Role == role {
			return s.Inputs
		}
	}
	return nil
}
