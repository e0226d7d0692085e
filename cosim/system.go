package cosim

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/solver"
	"skidpad/model/vehicle"
)

// Options choose how a model is formulated.
type Options struct {
	Tree string // name of a tree of the model; "" for its first
}

// System is a model ready to be instantiated. It does not change and may be
// shared by any number of instances and goroutines.
type System struct {
	model     *vehicle.Model
	options   Options
	program   *program.Program
	folder    string // of the model file
	tires     []slot // tires whose force function can be exchanged
	carriers  []carrier
	choices   []int // parameters that are texts
	texts     textPlaces
	variables []Variable
	index     map[string]int
	first     [Text + 1]int // index of the first variable of each kind
	// index into the program's parameters of the longest solver step, -1 for a program that does not depend on it
	stepParameter int
	id            []byte // fingerprint of the program, in saved states
	// how the program is run: interpreted, and as machine code where the system allows that
	portable, native func() program.Code

	carcassStates map[int][2]int // by call: the states p1 and p2 of carcasses
	coefficients  []string       // names of numbers of tire functions
	carrying      *carrying
	curves        *curveSystems
}

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
)

// Variable describes one variable of a system.
type Variable struct {
	Name, Unit, Text string
	Display          string // unit in which people wrote it, or want to see it; "" for none
	Kind             Kind
	Start            float64
	StartText        string // of a Text
	Initial          bool   // an output with a start value
	Discrete         bool   // an output that changes between solver steps only
	State            int    // index of the state that this is the value or the rate of, else -1

	Nonnegative, Positive, AtMostOne bool // what the value of a parameter or input must be

	parameter int // index into the program's parameters, -1 for none
	source    int // index into the program's inputs or outputs, or into what the kind counts
	passed    int // index of the state that this is, also where it is published as an output, else -1
}

// StepVariable is the parameter that holds the longest solver step [s].
const StepVariable = program.StepParameter

// methodVariable is the text that holds the solver's name.
const methodVariable = "solver.method"

// codeVariable is the text that says what code runs; results do not depend on it.
const codeVariable = "solver.code"

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

// textPlaces says where texts are in the list of an instance, the method being the first.
type textPlaces struct {
	multipliers int // -1 where there are no constraints
	choices     int // one for each choice
	terrains    int // terrainTexts of each
	tires       int // function and file of each tire
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
	terrainTexts // how many there are
)

// Indices of numbers that no program has.
const (
	stepSetting = iota
	toleranceSetting
	settings
)

// What codeVariable may say.
const (
	nativeCode   = "native"
	portableCode = "portable"
)

// Load reads a model file and makes it ready.
func Load(path string, o Options) (*System, error) {
	m, err := vehicle.Read(path)
	if err != nil {
		return nil, err
	}
	return New(m, o)
}

// New makes a model ready.
func New(m *vehicle.Model, o Options) (*System, error) {
	p, err := formulate.Program(m, formulate.Options{Tree: o.Tree})
	if err != nil {
		return nil, err
	}
	id, err := hex.DecodeString(p.Fingerprint())
	if err != nil {
		return nil, err
	}
	s := &System{model: m, options: o, program: p, index: map[string]int{}, id: id, folder: filepath.Dir(m.File),
		carrying: &carrying{}}
	s.curves = &curveSystems{own: s}
	s.makeCode()
	s.findTires()
	s.findSizes()
	s.findCarriers()
	s.findCarcasses()
	s.list()
	if err := s.distinct(); err != nil {
		return nil, err
	}
	return s, nil
}

// At is the system of a model file elsewhere with the same content: files are looked for beside that one.
func (s *System) At(path string) *System {
	other := *s
	other.folder = filepath.Dir(path)
	other.curves = &curveSystems{own: &other}
	return &other
}

// distinct says which quantity of the model file is called like what the engine adds: contacts and
// texts of tires and terrains. Other names are known when the equations are formulated.
func (s *System) distinct() error {
	for _, q := range s.model.Quantities {
		if i, ok := s.index[q.Name]; ok && s.variables[i].Kind != Output {
			return fmt.Errorf("%s:%d:%d: quantity %s: there is a variable of that name already; give it another name",
				q.Pos.File, q.Pos.Line, q.Pos.Column, q.Name)
		}
	}
	return nil
}

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

// Model returns the model file's description.
func (s *System) Model() *vehicle.Model { return s.model }

// Program returns the optimised simulation code.
func (s *System) Program() *program.Program { return s.program }

// Variables lists all variables; their indices are stable for a model and tree.
func (s *System) Variables() []Variable { return s.variables }

// First returns the index of the first variable of a kind, and of the first one of
// a later kind if there is none.
func (s *System) First(k Kind) int { return s.first[k] }

// Find returns the index of a variable.
func (s *System) Find(name string) (int, bool) {
	i, ok := s.index[name]
	return i, ok
}

// HasDiscreteContacts reports whether the model acts on its states between solver steps, as wheel contacts
// do: then no one else can integrate them.
func (s *System) HasDiscreteContacts() bool { return changesBetweenSteps(s.program) }

// Dependence lists the variables that a variable depends on.
type Dependence struct {
	States []int // indices of states
	Others []int // variables: inputs and parameters, start values included
	Calls  []int // of tire functions, as Coefficient.Call has them
}

// Dependencies says what outputs and rates depend on, by variable, and what the
// states depend on at the start.
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
		starts = append(starts, translate(d))
	}
	s.startsOfCarcasses(p.Dependencies(program.CallQuantity), translate, starts)
	return of, starts
}

// startsOfCarcasses adds what the start states of carcasses follow from: all arguments of their functions at the start,
// and the coefficients of these.
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

// ofAll depends on all states and inputs.
func (s *System) ofAll() (d Dependence) {
	for i := range s.program.States {
		d.States = append(d.States, i)
	}
	for i := s.first[Input]; i < s.first[Output]; i++ {
		d.Others = append(d.Others, i)
	}
	return d
}

// Computed says why a variable has no value of its own, and what sets that with which it starts.
func (s *System) Computed(i int) error {
	v := &s.variables[i]
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
	return fmt.Errorf("%w; before initialisation, its start value follows from %s", err, strings.Join(names, ", "))
}

// newMachine returns a machine without tire functions that runs machine code or portable code.
func (s *System) newMachine(code string) program.Machine {
	if code == nativeCode {
		return s.program.NewMachine(s.native())
	}
	return s.program.NewMachine(s.portable())
}

// makeCode says how code is made when the first instance asks for it.
func (s *System) makeCode() {
	s.portable = sync.OnceValue(s.program.Tape)
	s.native = sync.OnceValue(func() program.Code {
		code, err := s.program.Native(s.portable())
		if err != nil {
			return s.portable()
		}
		return code
	})
}

// compile makes what an instance with tire functions and texts runs. The code of the rates and the equations of
// implicit methods do not need each other.
func (s *System) compile(b *bindings, texts []string) (machine program.Machine, err error) {
	program.Beside(func() { machine = s.newMachine(texts[s.texts.code]) }, func() {
		m, unknown := solver.Lookup(texts[0])
		if unknown != nil || !m.Implicit {
			return
		}
		var inputs [][]string
		for _, c := range b.callees {
			inputs = append(inputs, c.Inputs)
		}
		err = s.program.PrepareImplicit(inputs)
	})
	return machine, err
}
