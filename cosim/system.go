package cosim

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Options choose how a model is formulated.
type Options struct {
	Tree string // name of a tree of the model; "" for its first
	// Passes over the equations, and over the intermediates of tires; by default the cheapest.
	Equations, Intermediates formulate.Pass
	// Reactions are elements of the list of reactions, beside those of the model file.
	Reactions []string
}

// System is a model ready to be instantiated. It does not change and may be
// shared by any number of instances and goroutines.
type System struct {
	model     *vehicle.Model
	options   Options
	program   *program.Program
	tabulated []byte    // see Tabulated
	folder    string    // of the model file
	tires     []mounted // tires whose force function can be replaced
	slots     []*slot   // by call: their force and relaxation functions, laws; then functions of controllers
	carriers  []carrier
	choices   []int // parameters that are texts
	texts     textPlaces
	variables []Variable
	index     map[string]int
	first     [Text + 1]int // index of the first variable of each kind
	// index into the program's parameters of the longest solver step, -1 for a program that does not depend on it
	stepParameter int
	id            []byte // fingerprint of the program, in saved states
	// code of the program: interpreted, and as machine code where the system allows machine code
	portable, native func() program.Code

	carcassStates map[int][2]int // by call: the states p1 and p2 of carcasses
	coefficients  []string       // names of numbers of tire functions
	carrying      *carrying
	listings      *sync.Map // of instances, by texts
	curves        *curveSystems
	controllers   []controlled // among the slots
}

// textPlaces holds the indices of texts in the list of an instance. The method is the first text.
type textPlaces struct {
	jacobian    int
	multipliers int // -1 where there are no constraints
	assemble    int // likewise
	choices     int // one for each choice
	terrains    int // terrainTexts for each terrain
	curves      int // file of each curve
	record      int // switch of works; -1 for a model that has no ledger
	endAt       int // -1 where no condition ends runs
	code        int
}

// The texts of a terrain, in their order.
const (
	groundKind = iota
	groundFormula
	groundFile
	groundClass
	frictionKind
	frictionFormula
	frictionFile
	terrainTexts // number of texts of a terrain
)

// Indices of numbers that are not part of any program.
const (
	stepSetting = iota
	toleranceSetting
	settings
)

// Model returns the model file's description.
func (s *System) Model() *vehicle.Model { return s.model }

// OtherTree returns the name of the tree of the equations, "" for the first tree of the model.
func (s *System) OtherTree() string {
	if s.options.Tree == s.model.Trees[0].Name {
		return ""
	}
	return s.options.Tree
}

// Program returns the optimised simulation code.
func (s *System) Program() *program.Program { return s.program }

// Variables lists all variables; their indices are stable for a model and tree.
func (s *System) Variables() []Variable { return s.variables }

// First returns the index of the first variable of a kind. If there is none, it returns the first index of a later
// kind.
func (s *System) First(k Kind) int { return s.first[k] }

// Find returns the index of a variable.
func (s *System) Find(name string) (int, bool) {
	i, ok := s.index[name]
	return i, ok
}

// HasDiscreteContacts reports whether the model changes its states between solver steps, as wheel contacts do. An
// importer then cannot integrate the states.
func (s *System) HasDiscreteContacts() bool { return changesBetweenSteps(s.program) }

// Dependence lists the variables that a variable depends on.
type Dependence struct {
	States []int // indices of states
	Others []int // variables: inputs and parameters, start values included
	Calls  []int // of tire functions, indices as in Coefficient.Call
}

// Dependencies returns the dependences of outputs and rates, by variable, and of the states at the start.
func (s *System) Dependencies() (of map[int]Dependence, starts []Dependence) {
	p := s.program
	parameters := map[int]int{}
	for i, v := range s.variables {
		if v.parameter >= 0 {
			parameters[v.parameter] = i
		}
	}
	parameters[s.stepParameter] = s.index[StepVariable]
	for k, i := range s.choices {
		parameters[i] = s.first[Text] + s.texts.choices + k
	}
	translate := func(d program.Dependence) Dependence {
		r := Dependence{States: d.States, Calls: d.Calls}
		for _, u := range d.Inputs {
			r.Others = append(r.Others, s.first[Input]+u)
		}
		for _, k := range d.Parameters {
			r.Others = append(r.Others, parameters[k])
		}
		return r
	}
	of = map[int]Dependence{}
	for i, d := range p.Dependencies(program.OutputQuantity) {
		if at := len(p.Outputs) - p.Indicators; i < at {
			of[s.first[Output]+i] = translate(d)
		} else {
			of[s.first[Contact]+i-at] = translate(d)
			of[s.first[Indicator]+i-at] = translate(d)
		}
	}
	for i := s.first[Ended]; i < s.first[State]; i++ {
		of[i] = s.ofAll()
	}
	for i, d := range p.Dependencies(program.StateQuantity) {
		of[s.first[Rate]+i] = translate(d)
	}
	for _, d := range p.Dependencies(program.StartQuantity) {
		if p.Constraints == 0 {
			starts = append(starts, translate(d))
			continue
		}
		all := translate(everything(p)) // assembly can change every state
		all.Others = append(all.Others, s.index[ToleranceVariable], s.first[Text]+s.texts.assemble)
		starts = append(starts, all)
	}
	s.startsOfCarcasses(p.Dependencies(program.CallQuantity), translate, starts)
	return of, starts
}

// startsOfCarcasses adds the dependences of the start states of carcasses: all arguments of their functions at the
// start, and the coefficients of these functions.
func (s *System) startsOfCarcasses(calls []program.Dependence, translate func(program.Dependence) Dependence,
	starts []Dependence) {
	before := slices.Clone(starts)
	for call, at := range s.carcassStates {
		from := translate(calls[call])
		for _, k := range from.States {
			from.Others = append(from.Others, before[k].Others...)
			from.Calls = append(from.Calls, before[k].Calls...)
		}
		for _, k := range at {
			starts[k].Others = compact(slices.Concat(before[k].Others, from.Others))
			starts[k].Calls = compact(slices.Concat(before[k].Calls, from.Calls))
		}
	}
}

func compact(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// everything is the dependence on all inputs, parameters and functions.
func everything(p *program.Program) (d program.Dependence) {
	for i := range len(p.Inputs) - p.Controls {
		d.Inputs = append(d.Inputs, i)
	}
	for i := range p.Parameters {
		d.Parameters = append(d.Parameters, i)
	}
	for i := range p.Calls {
		d.Calls = append(d.Calls, i)
	}
	return d
}

// ofAll returns the dependence on all states and inputs.
func (s *System) ofAll() (d Dependence) {
	for i := range s.program.States {
		d.States = append(d.States, i)
	}
	for i := s.first[Input]; i < s.first[Output]; i++ {
		d.Others = append(d.Others, i)
	}
	return d
}

// mostNames is the largest number of variables that an error lists.
const mostNames = 12

// Computed returns the error that the model computes a variable, so that it cannot be set. The error names the
// variables that set its start value.
func (s *System) Computed(i int) error {
	if i >= len(s.variables) {
		return fmt.Errorf("%s is computed by the model and cannot be set", s.nameOf(i))
	}
	v := &s.variables[i]
	if v.Driver != "" {
		return fmt.Errorf("%s is driven by %s", v.Name, v.Driver)
	}
	err := fmt.Errorf("%s is computed by the model and cannot be set", v.Name)
	if v.State < 0 || v.Kind == Rate {
		return err
	}
	_, starts := s.Dependencies()
	var names []string
	for _, from := range starts[v.State].Others {
		names = append(names, s.variables[from].Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("%w; the model starts with it at a value that depends on no variable", err)
	}
	slices.Sort(names)
	list := strings.Join(names[:min(len(names), mostNames)], ", ")
	if more := len(names) - mostNames; more > 0 {
		list = fmt.Sprintf("%s and %d more", list, more)
	}
	return fmt.Errorf("%w; before initialisation, its start value follows from %s", err, list)
}
