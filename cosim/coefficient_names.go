package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/tire"
)

// Numbers of tire functions are variables beside the variables of the table, named <tire>.<NAME>. A number of a
// relaxation function is named <tire>.relaxation.<NAME> if the force function has the same name, too. Which there are
// follows from the texts of the tires, so that each has an index of its own behind the table: names of all functions
// by tire.

// carrier is a component with tire functions.
type carrier struct {
	name  string
	calls [2]int // indices into the program's calls of its forces and its relaxation, -1 for none
}

// The calls of a carrier.
const (
	forceCall = iota
	relaxationCall
)

// relaxationPart is between the name of a tire and the name of a number of its relaxation function.
const relaxationPart = "relaxation."

// TireVariable is a variable of a tire function that is not in the table: a coefficient, or a value of a peak of its
// force curves.
type TireVariable struct {
	Variable
	Index   int  // of the variable, for Set, Get and Check
	Call    int  // call of the function in the program
	Tunable bool // can also be set between steps
}

// findCarriers lists the components with tire functions, in the order of the program's calls.
func (s *System) findCarriers() {
	for i, c := range s.program.Calls {
		if c.IsLaw() {
			continue
		}
		name, call := c.Component(), relaxationCall
		if strings.HasSuffix(c.Name, ".force") {
			call = forceCall
		}
		at := slices.IndexFunc(s.carriers, func(w carrier) bool { return w.name == name })
		if at < 0 {
			at, s.carriers = len(s.carriers), append(s.carriers, carrier{name, [2]int{-1, -1}})
		}
		s.carriers[at].calls[call] = i
	}
	s.coefficients = tire.CoefficientNames()
}

// coefficientIndex returns the variable index of a number from its tire, its name, and whether the relaxation prefix
// is given.
func (s *System) coefficientIndex(carrier int, relaxation bool, name int) int {
	part := 2 * carrier
	if relaxation {
		part++
	}
	return len(s.variables) + part*len(s.coefficients) + name
}

// FindCoefficient returns the index of a number of tire functions, whether or not the present ones have it.
func (s *System) FindCoefficient(name string) (index int, ok bool) {
	for i, w := range s.carriers {
		rest, ok := strings.CutPrefix(name, w.name+".")
		if !ok {
			continue
		}
		rest, relaxation := strings.CutPrefix(rest, relaxationPart)
		if at := slices.Index(s.coefficients, rest); at >= 0 {
			return s.coefficientIndex(i, relaxation, at), true
		}
	}
	return 0, false
}

// named is the parsed name of a coefficient.
type named struct {
	carrier    *carrier
	relaxation bool
	name       string // of the number
}

// read takes an index apart; false for one that no coefficient has.
func (s *System) read(index int) (named, bool) {
	at := index - len(s.variables)
	if at < 0 || at >= 2*len(s.carriers)*len(s.coefficients) {
		return named{}, false
	}
	part, name := at/len(s.coefficients), at%len(s.coefficients)
	return named{&s.carriers[part/2], part%2 == 1, s.coefficients[name]}, true
}

func (n named) String() string {
	if n.relaxation {
		return n.carrier.name + "." + relaxationPart + n.name
	}
	return n.carrier.name + "." + n.name
}

// nameOf names a variable or one of a tire function.
func (s *System) nameOf(index int) string {
	if index < len(s.variables) {
		return s.variables[index].Name
	}
	if v, is := s.peak(index); is {
		return v.name()
	}
	n, _ := s.read(index)
	return n.String()
}

// spot is where a number is: in the parameters of the function of a call.
type spot struct {
	tire.Coefficient
	call int
	kind *tire.Kind
}

// kindOf returns the function of a call by the texts, nil where it has no numbers that are known here.
func (s *System) kindOf(call int, texts []string) *tire.Kind {
	if call < 0 {
		return nil
	}
	name, _ := s.chosen(call, s.program.Calls[call], texts)
	k, err := tire.Lookup(name)
	if err != nil || k.New == nil {
		return nil // a library is not opened only for its coefficients
	}
	return k
}

// locate finds the number of an index with the functions that texts name.
func (s *System) locate(index int, texts []string) (spot, error) {
	n, ok := s.read(index)
	if !ok {
		return spot{}, errVariable
	}
	if _, own := s.index[n.String()]; own {
		return spot{}, errVariable
	}
	var found [2]spot
	var has [2]bool
	for i, call := range n.carrier.calls {
		if k := s.kindOf(call, texts); k != nil {
			found[i].call, found[i].kind = call, k
			found[i].Coefficient, has[i] = k.Coefficient(n.name)
		}
	}
	switch {
	case has[forceCall] && !n.relaxation:
		return found[forceCall], nil
	case has[relaxationCall] && n.relaxation == has[forceCall]:
		return found[relaxationCall], nil
	case has[relaxationCall]:
		return spot{}, fmt.Errorf("%s: the force function has no coefficient of that name, so that it is called %s.%s",
			n, n.carrier.name, n.name)
	}
	return spot{}, fmt.Errorf("%s: %s", n, s.functionsOf(n, texts))
}

// functionsOf returns a message that the functions of a tire have no number of a name, with the functions that have
// one.
func (s *System) functionsOf(n named, texts []string) string {
	var names []string
	for _, call := range n.carrier.calls {
		if call >= 0 {
			name, _ := s.chosen(call, s.program.Calls[call], texts)
			names = append(names, name)
		}
	}
	return fmt.Sprintf("the tire functions of %s (%s) have no such coefficient; remove the setting, or choose "+
		"another function by %s.model before it", n.carrier.name, strings.Join(names, ", "), n.carrier.name)
}

// Coefficients lists the numbers of the tire functions that the model file names.
func (s *System) Coefficients() []TireVariable {
	return s.listCoefficients(s.startTexts(), func(at spot) ([]float64, error) {
		return s.program.Calls[at.call].Parameters, nil
	})
}

// startTexts are the texts of the model file.
func (s *System) startTexts() []string {
	texts := make([]string, len(s.variables)-s.first[Text])
	for i := range texts {
		texts[i] = s.variables[s.first[Text]+i].StartText
	}
	return texts
}

// listCoefficients lists the numbers of the functions that texts name, tire by tire; values returns those of a
// function.
func (s *System) listCoefficients(texts []string, values func(of spot) ([]float64, error)) []TireVariable {
	var list []TireVariable
	for i, w := range s.carriers {
		forces := s.kindOf(w.calls[forceCall], texts)
		for part, call := range w.calls {
			k := s.kindOf(call, texts)
			if k == nil {
				continue
			}
			start, err := values(spot{call: call, kind: k})
			if start = k.Complete(start); err != nil {
				start = make([]float64, len(k.Parameters)+len(k.Optional))
			}
			for _, c := range k.Coefficients() {
				both := false
				if part == relaxationCall && forces != nil {
					_, both = forces.Coefficient(c.Name)
				}
				known := slices.Index(s.coefficients, c.Name)
				if known < 0 { // the function was registered after the model was loaded
					continue
				}
				index := s.coefficientIndex(i, both, known)
				name := s.nameOf(index)
				if _, own := s.index[name]; !own {
					list = append(list, TireVariable{Variable{Name: name, Unit: c.Unit, Text: c.Text,
						Start: start[c.Place], Kind: Parameter, State: -1, parameter: -1}, index, call, c.Scale})
				}
			}
		}
	}
	return list
}

// assigned returns the parameters of the function of a call: the file's values, overwritten by the values that were
// set.
func (s *System) assigned(call int, k *tire.Kind, file []float64, list []assignment, texts []string) []float64 {
	values, changed := file, false
	for _, a := range list {
		if at, err := s.locate(a.index, texts); err == nil && at.call == call {
			if !changed {
				values, changed = k.Complete(file), true
			}
			values[at.Place] = a.value
		}
	}
	return values
}

// checkAssignments refuses settings that no function has.
func (s *System) checkAssignments(list []assignment, texts []string) error {
	for _, a := range list {
		if _, err := s.locate(a.index, texts); err != nil {
			return err
		}
	}
	return nil
}

// nameLength returns the length of the name of a number of a tire function, without allocating the name.
func (s *System) nameLength(index int) int {
	n, _ := s.read(index)
	length := len(n.carrier.name) + len(".") + len(n.name)
	if n.relaxation {
		length += len(relaxationPart)
	}
	return length
}
