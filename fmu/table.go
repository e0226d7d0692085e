package fmu

import (
	"math"

	"skidpad/cosim"
)

// Causality, as in FMI 2.0 and 3.0.
type Causality uint8

// The causalities in use.
const (
	Parameter Causality = iota
	Input
	Output
	Local
	Independent
)

// String returns the word of the model description.
func (c Causality) String() string {
	return [...]string{"parameter", "input", "output", "local", "independent"}[c]
}

// Variability, as in FMI.
type Variability uint8

// The variabilities in use.
const (
	Fixed Variability = iota
	Tunable
	Discrete
	Continuous
)

// String returns the word of the model description.
func (v Variability) String() string {
	return [...]string{"fixed", "tunable", "discrete", "continuous"}[v]
}

// Initial, as in FMI: how a variable gets its value at the start.
type Initial uint8

// The values in use; inputs and the independent variable have none.
const (
	None Initial = iota
	Exact
	Calculated
)

// String returns the word of the model description, "" for none.
func (i Initial) String() string { return [...]string{"", "exact", "calculated"}[i] }

// Type is the base type of a variable: Real or Float64, Boolean, String.
type Type uint8

// The types in use.
const (
	Real Type = iota
	Boolean
	String
)

// Variable is one entry of the table.
type Variable struct {
	Reference   uint32 // value reference: the variable's index in the table
	Name        string // structured: component.quantity, der(component.quantity)
	Description string
	Unit        string // of a Real; "1" for a pure number
	Display     string // unit in the model file, "" for the default display unit
	Type        Type
	Causality   Causality
	Variability Variability
	Initial     Initial
	Start       float64 // of a Real with start value: parameters, inputs and other variables with Initial Exact
	StartText   string  // of a String
	Nominal     float64 // of a state: the size of a significant change; else 0
	AtLeastZero bool    // a parameter or input that cannot be negative
	AtMostOne   bool    // a parameter that cannot be above 1
	Kind        cosim.Kind
	Derivative  bool   // the variable is the derivative of a state
	State       uint32 // reference of this state, if Derivative is true

	index int // index of the engine's variable: the reference, except for coefficients and peaks of tires
}

// HasStart reports whether the model description gives v a start value.
func (v *Variable) HasStart() bool { return v.Causality == Input || v.Initial == Exact }

// IsState reports whether v is a state, also where it is an output.
func (v *Variable) IsState() bool { return v.Nominal != 0 }

// Range returns the attributes min, max and nominal of the model description, NaN for those that v does not have.
func (v *Variable) Range() (minimum, maximum, nominal float64) {
	minimum, maximum, nominal = math.NaN(), math.NaN(), math.NaN()
	if v.AtLeastZero {
		minimum = 0
	}
	if v.AtMostOne {
		maximum = 1
	}
	if v.Nominal != 0 {
		nominal = v.Nominal
	}
	return
}

// Unknown is an entry of the model structure: a variable and the variables on which it depends,
// taken from the symbolic program. All dependencies are of the kind dependent.
type Unknown struct {
	Reference    uint32
	Dependencies []uint32 // ascending; empty: on nothing
}

// Terminal groups variables that are connected together.
type Terminal struct {
	Name    string
	Kind    string // terminalKind, in reverse domain notation
	Text    string
	Members []Member // importers match them by their names
}

// Member is a variable of a terminal, with its name within the terminal.
type Member struct {
	Name, Variable string
	Inflow         bool // obeys Kirchhoff's law of currents, positive into the FMU; else a signal
}

// Origin describes the origin of a component of a subsystem file.
type Origin struct {
	Component string
	Chain     string // chain of uses, from the subsystem file of the component to the model
}

// Table is the FMI description of one system. It does not change, and may be shared by any number of instances and
// goroutines.
type Table struct {
	Name                string // of the model, an identifier
	Title               string
	Origins             []Origin // of the components of subsystem files
	Source              string   // where the model's numbers come from
	Tree                string   // tree selection of the equations; "" is the first of the model
	Token               string   // GUID of FMI 2.0, instantiation token of FMI 3.0
	Variables           []Variable
	Outputs             []Unknown // in the order of their references
	Derivatives         []Unknown // in the order of the state vector
	Initial             []Unknown // ascending
	Indicators          []uint32  // event indicators
	Terminals           []Terminal
	Sources             []string // files that an importer compiles, where the FMU has sources
	StopTime            float64  // of the default experiment [s]
	Step                float64  // preferred communication step [s]
	HasDiscreteContacts bool     // contacts change states between solver steps: co-simulation only

	byName map[string]uint32
}

// Find returns the value reference of a name.
func (t *Table) Find(name string) (uint32, bool) {
	r, ok := t.byName[name]
	return r, ok
}
