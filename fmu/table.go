package fmu

import "skidpad/cosim"

// Causality, as in FMI 2.0 and 3.0.
type Causality uint8

// The causalities in use.
const (
	Parameter Causality = iota
	Input
	Output
)

// String returns the word of the model description.
func (c Causality) String() string { return [...]string{"parameter", "input", "output"}[c] }

// Variability, as in FMI.
type Variability uint8

// The variabilities in use.
const (
	Fixed Variability = iota
	Continuous
)

// String returns the word of the model description.
func (v Variability) String() string { return [...]string{"fixed", "continuous"}[v] }

// Initial, as in FMI: how a variable gets its value at the start.
type Initial uint8

// The values in use; inputs have none.
const (
	None Initial = iota
	Exact
	Calculated
)

// String returns the word of the model description, "" for none.
func (i Initial) String() string { return [...]string{"", "exact", "calculated"}[i] }

// Variable is one entry of the table.
type Variable struct {
	Reference   uint32 // value reference: the variable's index
	Name        string
	Description string
	Unit        string
	Causality   Causality
	Variability Variability
	Initial     Initial
	Start       float64 // of parameters, inputs and exact outputs
}

// Table lists the variables of one system. It does not change.
type Table struct {
	Variables []Variable
	StopTime  float64 // of the default experiment [s]
	byName    map[string]uint32
}

// Describe makes the table of a system. Value references are the indices of the
// system's variables: the same for every instance of a model and tree.
func Describe(s *cosim.System) *Table {
	t := &Table{StopTime: s.Model().StopTime, byName: map[string]uint32{}}
	for i, v := range s.Variables() {
		e := Variable{Reference: uint32(i), Name: v.Name, Description: v.Text, Unit: v.Unit, Start: v.Start, Variability: Continuous}
		switch v.Kind {
		case cosim.Parameter:
			e.Causality, e.Variability, e.Initial = Parameter, Fixed, Exact
		case cosim.Input:
			e.Causality = Input
		default:
			e.Causality, e.Initial = Output, Calculated
			if v.Initial {
				e.Initial = Exact
			}
		}
		t.Variables = append(t.Variables, e)
		t.byName[v.Name] = e.Reference
	}
	return t
}

// Find returns the value reference of a name.
func (t *Table) Find(name string) (uint32, bool) {
	r, ok := t.byName[name]
	return r, ok
}
