package library

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/document"
)

// Causality is a skidpad_causality.
type Causality int32

// The causalities.
const (
	Parameter Causality = iota
	Input
	Output
	Tunable // a parameter that can also be set between steps
	Local   // computed only where it is read, or a state
)

// Variable describes one variable of a vehicle.
type Variable struct {
	Name, Unit, Text string
	Reference        uint32 // how Set and Get know it: of an FMU, not its value reference, which several can share
	Causality        Causality
	Kind             Kind
	Start            float64

	independent bool // it is the time
}

// Driver is the variable whose value an input inside the model has, as its description says; "" for no such input.
func (v *Variable) Driver() string {
	by, is := strings.CutPrefix(v.Text, "driven by ")
	if !is || v.Causality != Local {
		return ""
	}
	by, _, _ = strings.Cut(by, ";")
	return by
}

// directory finds variables by name.
type directory struct {
	list     []Variable
	byName   map[string]int
	formulas func() []document.Formula // nil where none are known
}

func newDirectory(list []Variable) directory {
	d := directory{list: list, byName: make(map[string]int, len(list))}
	for i, v := range list {
		d.byName[v.Name] = i
	}
	return d
}

// UnknownVariable is the error of a name that no variable of a model has. Its text suggests the nearest
// name, a search that takes as long as thousands of look-ups.
type UnknownVariable struct {
	Name  string
	known directory
}

func (e *UnknownVariable) Error() string {
	return fmt.Sprintf("the model has no variable %q%s", e.Name, e.known.hint(e.Name))
}

// HasOther reports whether the model has another variable.
func (e *UnknownVariable) HasOther(name string) bool {
	_, has := e.known.byName[name]
	return has
}

// HasOwner reports whether the model has variables of a component.
func (e *UnknownVariable) HasOwner(component string) bool {
	return slices.ContainsFunc(e.known.list, func(v Variable) bool { return strings.HasPrefix(v.Name, component+".") })
}

// Find returns the variable called name.
func (d directory) Find(name string) (Variable, error) {
	i, known := d.byName[name]
	if !known {
		return Variable{}, &UnknownVariable{name, d}
	}
	return d.list[i], nil
}

// hint says what may have been meant by a name that no variable has.
func (d directory) hint(name string) string {
	var names []string
	for _, v := range d.list {
		names = append(names, v.Name)
	}
	var formulas []document.Formula
	if d.formulas != nil {
		formulas = d.formulas()
	}
	return document.Hint(name, names, formulas)
}

// References returns how Set and Get know the variables called names.
func (d directory) References(names ...string) ([]uint32, error) {
	references := make([]uint32, len(names))
	for i, name := range names {
		variable, err := d.Find(name)
		if err != nil {
			return nil, err
		}
		references[i] = variable.Reference
	}
	return references, nil
}

// Adjustable names every number that can be set before initialisation.
func (d directory) Adjustable() []string {
	var names []string
	for _, v := range d.list {
		if (v.Causality == Parameter || v.Causality == Tunable || v.Causality == Input) && v.Kind == Number {
			names = append(names, v.Name)
		}
	}
	return names
}

// Outputs names every output that is a number.
func (d directory) Outputs() []string {
	var names []string
	for _, v := range d.list {
		if v.Causality == Output && v.Kind == Number {
			names = append(names, v.Name)
		}
	}
	return names
}

// Locals names the local variables that are numbers: states, and quantities that are computed on reading.
// Derivatives of states are not among them, nor the time, nor the ledger of energy, which has a switch.
func (d directory) Locals() []string {
	var names []string
	for _, v := range d.list {
		if v.Causality == Local && v.Kind == Number && !v.independent && !strings.HasPrefix(v.Name, "der(") &&
			!strings.HasPrefix(v.Name, "energy.") {
			names = append(names, v.Name)
		}
	}
	return names
}
