package cosim

import (
	"strings"

	"skidpad/model/program"
)

// Kind is the kind of a variable, and determines how it is used.
type Kind uint8

// The kinds, in the order of a system's list of variables.
const (
	Parameter Kind = iota // settable before initialisation
	Input                 // settable at any time
	Output                // computed; settable before initialisation where Initial
	Contact               // 1 while a tire touches the road, else 0
	Energy                // of the ledger, or power of a tire; computed on request only
	Ended                 // index of the end condition that became true, or its time
	State                 // a state that no output publishes
	Rate                  // derivative of a state
	Indicator             // event indicator: changes its sign where a contact changes
	Time                  // of the instance
	Text                  // a text, settable before initialisation
	Peak                  // of a force curve of a tire, behind coefficients; computed on request only
)

// Variable describes one variable of a system.
type Variable struct {
	Name, Unit, Text string
	Display          string // unit in which users wrote the value or want to see it; "" for none
	Kind             Kind
	Start            float64
	StartText        string // of a Text
	Initial          bool   // an output with a start value
	Follows          bool   // with Initial: the start value is added to a start in the design position
	Driver           string // of an output that is an input of a component: the variable that drives it
	Discrete         bool   // an output that changes between solver steps only
	State            int    // index of the state whose value or rate this variable is, else -1

	Nonnegative, Positive, AtMostOne bool // bounds on the value of a parameter or input

	parameter int // index into the program's parameters, -1 for none
	source    int // index into the program's inputs or outputs, or into the list of the kind
	passed    int // index of the state with this value, also for a published state, else -1
}

// StepVariable is the parameter that holds the longest solver step [s].
const StepVariable = program.StepParameter

// MethodVariable is the text that holds the solver's name.
const MethodVariable = "solver.method"

// CodeVariable is the text that selects the code to run; results do not depend on it.
const CodeVariable = "solver.code"

// RecordVariable is the text that switches the recording of works: RecordOn, or "false".
const (
	RecordVariable = energyName + ".record"
	RecordOn       = "true"
	recordOff      = "false"
)

// jacobianVariable is the text that holds the matrix of the method linearly-implicit.
const jacobianVariable = "solver.jacobian"

// multipliersVariable is the text that holds the variant of the solvers dlmm and dlmm-euler.
const multipliersVariable = "solver.multipliers"

// ToleranceVariable is the parameter that limits violations of constraints at the start.
const ToleranceVariable = "solver.constraint_tolerance"

// The values of CodeVariable.
const (
	nativeCode   = "native"
	portableCode = "portable"
)

// component returns the component's part of a variable's name.
func component(name string) string { return name[:strings.LastIndexByte(name, '.')] }

// perSecond returns the unit of a rate.
func perSecond(unit string) string {
	switch unit {
	case "m/s", "rad/s":
		return unit + "2"
	case "", "1":
		return "1/s"
	}
	return unit + "/s"
}
