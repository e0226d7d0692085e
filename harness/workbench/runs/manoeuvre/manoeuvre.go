// Package manoeuvre reads manoeuvres, with their inputs, phases and characteristic values, and their cars.
package manoeuvre

import (
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/roles"
)

// Manoeuvre is a validated file of resources/manoeuvres. Only ReadManoeuvre and ParseManoeuvre build it.
type Manoeuvre struct {
	Name      string
	Title     string
	Source    string       // where the numbers come from
	Models    []string     // names of the models it is meant for; of one for any car those of the car's file
	Car       string       // car file, "" without
	CarListed bool         // the car file was found by the name of the model
	doubts    []string     // about what the car file states
	ForAny    bool         // the manoeuvre is for any car
	Roles     *roles.Roles // of the vehicle; nil without
	Record    []string     // patterns over names of outputs to record, with roles
	Constants []ConstantValue
	Duration  float64 // s; with phases the longest that they can take together
	Step      float64 // communication step, s
	// parameters and texts; of those called file, ReadManoeuvre makes paths from the manoeuvre file's folder
	Settings []FileSetting
	Start    []StartValue
	Inputs   []InputSignal // of the whole manoeuvre
	Feedback []FeedbackLaw

	Steering     *Steering     // nil without
	SpeedControl *SpeedControl // nil without
	Pedals       *Pedals       // nil without; in place of SpeedControl
	PathFollower *PathFollower // nil without
	Driver       *Driver       // nil without; in place of PathFollower
	Phases       []Phase       // one after the other; nil for inputs and feedback alone
	Track        []figures.Section
	Stops        []Stop
	EndAt        []EndCondition // nil for those of the vehicle, empty for none
	Sweep        []Variation    // of constants, over runs
	Search       *Search        // nil without
	Prerun       *Prerun        // nil without
	KeyFigures   *KeyFigures    // nil without characteristic values
}

// ConstantValue is a number that formulas of the file name.
type ConstantValue struct {
	Name    string
	Value   float64
	Written constants.Written // tells the unit, where one is known
}

// FeedbackLaw sets inputs to a formula over what the vehicle publishes, at every communication
// point.
type FeedbackLaw struct {
	Variables []string
	Law       *signal.Law       // over variables, and time [s]
	Factor    float64           // of what the inputs take: 1, for the brakes their input for a deceleration of 1 m/s2
	Place     string            // in the file
	Written   constants.Written // the formula, if it is a constant with a unit; the unit must be the unit of the inputs
}

// StartValue replaces a model's start value.
type StartValue struct {
	Variable string
	Value    float64           // in the variable's unit
	Written  constants.Written // where it has a unit
}

// InputSignal drives inputs with one signal: variables get its value, motion drivers get their position, rate and
// acceleration, and roads their height and rate.
type InputSignal struct {
	Variables []string // "brake_FL.torque"
	Drivers   []string // "steer_FL", "post_FL"
	HandWheel bool     // the signal is the angle of the steering wheel, which turns the drivers
	Signal    signal.Signal
	Written   constants.Written // the first of its numbers with a unit, which must be that of the inputs
}
