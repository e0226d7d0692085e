package cosim

import (
	"strings"

	"skidpad/model/program"
)

// Kind says how a variable may be used.
type Kind uint8

// The kinds, in the order in which a system lists its variables.
const (
	Parameter Kind = iota // settable before initialisation
	Input                 // settable at any time
	Output                // computed; settable before initialisation where Initial
	Contact               // 1 while a tire touches the road, else 0
	Energy                // of the ledger, or power of a tire; computed where it is asked for alone
	Ended                 // which condition that ends runs has become true, and when
	State                 // a state that no output publishes
	Rate                  // derivative of a state
	Indicator             // event indicator: changes its sign where a contact changes
	Time                  // of the instance
	Text                  // a text, settable before initialisation
	Peak                  // of a force curve of a tire, behind coefficients; computed where it is asked for alone
)

// Variable describes one variable of a system.
type Variable struct {
	Name, Unit, Text string
	Display          string // unit in which people wrote it, or want to see it; "" for none
	Kind             Kind
	Start            float64
	StartText        string // of a Text
	Initial          bool   // an output with a start value
	Driver           string // of an output that is an input of a component: the variable whose value it has
	Discrete         bool   // an output that changes between solver steps only
	State            int    // index of the state that this is the value or the rate of, else -1

	Nonnegative, Positive, AtMostOne bool // what the value of a parameter or input must be

	parameter int // index into the program's parameters, -1 for none
	source    int // index into the program's inputs or outputs, or into what the kind counts
	passed    int // index of the state that this is, also where it is published as an output, else -1
}

// StepVariable is the parameter that holds the longest solver step [s].
const StepVariable = program.StepParameter

// MethodVariable is the text that holds the solver's name.
const MethodVariable = "solver.method"

// CodeVariable is the text that says what code runs; results do not depend on it.
const CodeVariable = "solver.code"

// RecordVariable is the text by which works are recorded: RecordOn, or "false".
const (
	RecordVariable = energyName + ".record"
	RecordOn       = "true"
	recordOff      = "false"
)

// multipliersVariable is the text that holds the variant of the solvers dlmm and dlmm-euler.
const multipliersVariable = "solver.multipliers"

// ToleranceVariable is the parameter that bounds violations of constraints at the start.
const ToleranceVariable = "solver.constraint_tolerance"

// What CodeVariable may say.
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
