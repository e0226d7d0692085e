package cosim

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/tire"
)

// Numbers of tire functions are variables beside those of the table: <tire>.<NAME>, of a relaxation function
// <tire>.relaxation.<NAME> where the force function has a number of that name, too. Which there are follows from
// the texts of the tires, so that each has an index of its own behind the table: names of all functions by tire.

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

// relaxationPart stands between the names of a tire and of a number of its relaxation function.
const relaxationPart = "relaxation."

// Coefficient is the variable of a number of a tire function.
type Coefficient struct {
	Variable
	Index   int  // of the variable, for Set, Get and Check
	Call    int  // of the program: that of its function
	Tunable bool // can also be set between steps
}

// findCarriers lists the components with tire functions, in the order of the program's calls.
func (s *System) findCarriers() {
	for i, c := range s.program.Calls {
		name, call := component(c.Name), relaxationCall
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

// coefficientIndex is the index of a number by its tire, whether it is called as one of the relaxation, and its name.
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

// named is what the name of a coefficient says.
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

// nameOf names a variable or a number of a tire function.
func (s *System) nameOf(index int) string {
	if index < len(s.variables) {
		return s.variables[index].Name
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
		return nil // of a library, which is not opened for this
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

// functionsOf says that the functions of a tire have no number of a name, and which have.
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
func (s *System) Coefficients() []Coefficient {
	texts := make([]string, len(s.variables)-s.first[Text])
	for i := range texts {
		texts[i] = s.variables[s.first[Text]+i].StartText
	}
	return s.listCoefficients(texts, func(at spot) ([]float64, error) {
		return s.program.Calls[at.call].Parameters, nil
	})
}

// listCoefficients lists the numbers of the functions that texts name, tire by tire; values returns those of a
// function.
func (s *System) listCoefficients(texts []string, values func(of spot) ([]float64, error)) []Coefficient {
	var list []Coefficient
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
				if known < 0 { // of a function that was registered after the model was made ready
					continue
				}
				index := s.coefficientIndex(i, both, known)
				name := s.nameOf(index)
				if _, own := s.index[name]; !own {
					list = append(list, Coefficient{Variable{Name: name, Unit: c.Unit, Text: c.Text,
						Start: start[c.Place], Kind: Parameter, State: -1, parameter: -1}, index, call, c.Scale})
				}
			}
		}
	}
	return list
}

// tireNumbers are the coefficients of tires that one instance has in place of those of their files.
type tireNumbers struct {
	named       []bool       // by tire whose function can be exchanged: its file was set, nil where none was
	assignments []assignment // numbers of tire functions that were set, by ascending index
	files       [][]float64  // by call: the parameters in the file of its function, nil until they are needed
	changes     int          // of functions without a new arrangement
}

// assignment is a number that was set.
type assignment struct {
	index int
	value float64
}

func byIndex(a assignment, index int) int { return cmp.Compare(a.index, index) }

// assigned returns the parameters of the function of a call: those of its file, with what was set.
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

// Coefficients lists the numbers of the tire functions that the texts name now. Their start values are those of the
// files, 0 where a file cannot be read.
func (in *Instance) Coefficients() []Coefficient {
	return in.sys.listCoefficients(in.texts, coefficients{in}.fileValues)
}

// IsCoefficient reports whether an index is that of a coefficient, whether or not the present functions have it.
func (in *Instance) IsCoefficient(i int) bool {
	_, ok := in.sys.read(i)
	return ok
}

// coefficients is an instance as the numbers of its tire functions see it.
type coefficients struct{ *Instance }

// fileValues returns the parameters of a function as its file has them.
func (in coefficients) fileValues(at spot) ([]float64, error) {
	if in.files == nil {
		in.files = make([][]float64, len(in.sys.program.Calls))
	}
	if in.files[at.call] == nil {
		c := in.sys.program.Calls[at.call]
		name, file := in.sys.chosen(at.call, c, in.texts)
		values, _, err := in.sys.parameters(c, at.kind, name, file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", component(c.Name), err)
		}
		in.files[at.call] = values
	}
	return in.files[at.call], nil
}

// value returns the present value of a number.
func (in coefficients) value(index int) (float64, error) {
	at, err := in.sys.locate(index, in.texts)
	if err != nil {
		return 0, err
	}
	if i, set := slices.BinarySearchFunc(in.assignments, index, byIndex); set {
		return in.assignments[i].value, nil
	}
	file, err := in.fileValues(at)
	if err != nil {
		return 0, err
	}
	return at.kind.Complete(file)[at.Place], nil
}

// with returns the function with a number set, nil where that is found out at initialisation: other settings can
// still make it right.
func (in coefficients) with(index int, value float64) (spot, tire.Function, error) {
	at, err := in.sys.locate(index, in.texts)
	if err != nil {
		return at, nil, err
	}
	name := in.sys.nameOf(index)
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return at, nil, fmt.Errorf("%s = %v: the value must be a finite number", name, value)
	case in.initialised && !at.Scale:
		return at, nil, fmt.Errorf("%s cannot be set after initialisation, as scale factors can; reset the instance "+
			"first", name)
	case in.pendingStep.active:
		return at, nil, fmt.Errorf("%s: %w", name, errUnderway)
	}
	file, err := in.fileValues(at)
	if err != nil {
		return at, nil, err
	}
	values := at.kind.Complete(in.sys.assigned(at.call, at.kind, file, in.assignments, in.texts))
	values[at.Place] = value
	f, err := at.kind.Make(values, in.sys.program.Calls[at.call].Combined)
	if err != nil && (in.initialised || at.kind.Blames(err, at.Coefficient)) {
		return at, nil, fmt.Errorf("%s = %v: %w", name, value, err)
	}
	return at, f, nil
}

// set gives a number of a tire function another value.
func (in coefficients) set(index int, value float64) error {
	at, f, err := in.with(index, value)
	if err != nil {
		return err
	}
	i, set := slices.BinarySearchFunc(in.assignments, index, byIndex)
	if !set {
		in.assignments = slices.Insert(in.assignments, i, assignment{index, value})
	}
	in.assignments[i].value = value
	if !in.initialised {
		in.disconnect()
		return nil
	}
	in.replace(at.call, f)
	return nil
}

// replace gives the function of a call the parameters of another one of its kind, without a new arrangement.
func (in coefficients) replace(call int, by tire.Function) {
	tire.Replace(in.tires.functions[call], by)
	in.tires.plain = false
	in.tires.renew(component(in.sys.program.Calls[call].Name))
	in.changes++
	in.fresh = false
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

// nameLength is the length of the name of a number of a tire function, for which no text is made.
func (s *System) nameLength(index int) int {
	n, _ := s.read(index)
	length := len(n.carrier.name) + len(".") + len(n.name)
	if n.relaxation {
		length += len(relaxationPart)
	}
	return length
}

// save appends what was set to a saved state: their count, and of each its name and value.
func (in coefficients) save(b []byte) []byte {
	if len(in.assignments) == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(in.assignments)))
	for _, a := range in.assignments {
		n, _ := in.sys.read(a.index)
		b = binary.LittleEndian.AppendUint32(b, uint32(in.sys.nameLength(a.index)))
		b = append(append(b, n.carrier.name...), '.')
		if n.relaxation {
			b = append(b, relaxationPart...)
		}
		b = append(b, n.name...)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(a.value))
	}
	return b
}

var errCoefficientsCut = errors.New("the coefficients of tires in the saved state are cut short")

// readCoefficients reads what was set, and returns what follows it.
func (in stateReader) readCoefficients(s *saved, rest []byte) ([]byte, error) {
	if s.flags&flagCoefficients == 0 {
		return rest, nil
	}
	if len(rest) < 4 {
		return nil, errCoefficientsCut
	}
	count := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	for range count {
		if len(rest) < 4 || uint64(binary.LittleEndian.Uint32(rest))+12 > uint64(len(rest)) {
			return nil, errCoefficientsCut
		}
		n := int(binary.LittleEndian.Uint32(rest))
		name := string(rest[4 : 4+n])
		value := math.Float64frombits(binary.LittleEndian.Uint64(rest[4+n:]))
		rest = rest[4+n+8:]
		index, known := in.sys.FindCoefficient(name)
		if !known {
			return nil, fmt.Errorf("the saved state has set %q, which is not a coefficient of a tire", name)
		}
		if math.IsNaN(value) || math.IsInf(value, 0) || len(s.set) > 0 && s.set[len(s.set)-1].index >= index {
			return nil, errors.New("the saved state holds coefficients of tires that no instance can have")
		}
		s.set = append(s.set, assignment{index, value})
	}
	if len(s.set) == 0 {
		return nil, errors.New("the saved state holds coefficients of tires that no instance can have")
	}
	return rest, in.sys.checkAssignments(s.set, s.texts)
}
