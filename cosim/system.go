package cosim

import (
	"encoding/hex"
	"fmt"

	"skidpad/model"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/shipped"
	"skidpad/tire"
)

// Options choose how a model is formulated.
type Options struct {
	Tree string // name of a tree of the model; "" for its first
}

// System is a model ready to be instantiated. It does not change and may be
// shared by any number of instances and goroutines.
type System struct {
	model     *model.Model
	program   *program.Program
	tires     []tire.Function // by call of the program
	variables []Variable
	index     map[string]int
	id        []byte // fingerprint of the program, in saved states
}

// Kind says how a variable may be used.
type Kind uint8

// The kinds.
const (
	Parameter Kind = iota // settable before initialisation
	Input                 // settable at any time
	Output                // computed; settable before initialisation where Initial
)

// Variable describes one variable of a system.
type Variable struct {
	Name, Unit, Text string
	Kind             Kind
	Start            float64
	Initial          bool // an output with a start value

	parameter int // index into the program's parameters, -1 for none
	source    int // index into the program's inputs or outputs; of Parameter: unused
}

// StepVariable is the parameter that holds the longest solver step [s].
const StepVariable = "solver.step"

// Load reads a model file and makes it ready.
func Load(path string, o Options) (*System, error) {
	m, err := model.Read(path)
	if err != nil {
		return nil, err
	}
	return New(m, o)
}

// New makes a model ready.
func New(m *model.Model, o Options) (*System, error) {
	p, err := formulate.Program(m, formulate.Options{Tree: o.Tree})
	if err != nil {
		return nil, err
	}
	id, err := hex.DecodeString(p.Fingerprint())
	if err != nil {
		return nil, err
	}
	s := &System{model: m, program: p, index: map[string]int{}, id: id}
	for _, c := range p.Calls {
		kind, err := tire.Lookup(c.Function)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		f, err := kind.New(c.Parameters)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		s.tires = append(s.tires, f)
	}
	s.list()
	return s, nil
}

// list makes the variable table: parameters, inputs, outputs, in the program's
// order. An output with a start value is one variable.
func (s *System) list() {
	p := s.program
	starts := map[string]int{}
	published := map[string]bool{}
	for i := range p.Outputs {
		published[p.Outputs[i].Name] = true
	}
	add := func(v Variable) {
		s.index[v.Name] = len(s.variables)
		s.variables = append(s.variables, v)
	}
	for i, v := range p.Parameters {
		if v.StartValue && published[v.Name] {
			starts[v.Name] = i
			continue
		}
		add(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: Parameter, Start: v.Start, parameter: i})
	}
	add(Variable{Name: StepVariable, Unit: "s", Text: "longest step of the solver", Kind: Parameter, Start: s.model.Solver.Step, parameter: -1})
	for i, v := range p.Inputs {
		add(Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: Input, Start: v.Start, parameter: -1, source: i})
	}
	for i, v := range p.Outputs {
		out := Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Kind: Output, parameter: -1, source: i}
		if k, ok := starts[v.Name]; ok {
			out.parameter, out.Initial, out.Start = k, true, p.Parameters[k].Start
		}
		add(out)
	}
}

// Model returns the model file's description.
func (s *System) Model() *model.Model { return s.model }

// Program returns the optimised simulation code.
func (s *System) Program() *program.Program { return s.program }

// Variables lists all variables; their indices are stable for a model and tree.
func (s *System) Variables() []Variable { return s.variables }

// Find returns the index of a variable.
func (s *System) Find(name string) (int, bool) {
	i, ok := s.index[name]
	return i, ok
}

// newMachine returns a machine with the model's tire functions: generated code
// where the program has some, otherwise an interpreter.
func (s *System) newMachine() program.Machine {
	var m program.Machine
	if code, ok := shipped.Lookup(hex.EncodeToString(s.id)); ok {
		m = s.program.NewMachine(code)
	} else {
		m = s.program.NewTape()
	}
	for i, f := range s.tires {
		m.Bind(i, f)
	}
	return m
}
