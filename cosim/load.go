package cosim

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/reduction"
	"skidpad/model/solver"
	"skidpad/model/vehicle"
)

// Load reads a model file and makes a system of it.
func Load(path string, o Options) (*System, error) {
	m, err := vehicle.Read(path)
	if err != nil {
		return nil, err
	}
	asking := func(reactions []string) (*vehicle.Model, error) { return vehicle.ReadAsking(path, reactions) }
	var tabulated []byte
	if m.Tabulated {
		t, err := reduction.Tabulate(path, m)
		if err != nil {
			return nil, err
		}
		m, asking, tabulated = t.Model, t.Asking, t.Text
	}
	with := m
	if len(o.Reactions) > 0 {
		if with, err = asking(o.Reactions); err != nil {
			return nil, err
		}
	}
	s, err := New(with, o)
	if err != nil {
		return nil, err
	}
	s.tabulated = tabulated
	if len(o.Reactions) == 0 {
		return s, nil
	}
	// reactions are not part of a state, so that vehicles without reactions have the same states
	p, err := formulate.Program(m, o.formulation())
	if err != nil {
		return nil, err
	}
	if len(p.Inputs) == len(s.program.Inputs) { // unless wheel contacts have impulses now
		s.id, err = hex.DecodeString(p.Fingerprint())
	}
	return s, err
}

// formulation returns the options that affect the equations.
func (o Options) formulation() formulate.Options {
	return formulate.Options{Tree: o.Tree, Equations: o.Equations, Intermediates: o.Intermediates}
}

// New makes a system of a model.
func New(m *vehicle.Model, o Options) (*System, error) {
	p, err := formulate.Program(m, o.formulation())
	if err != nil {
		return nil, err
	}
	id, err := hex.DecodeString(p.Fingerprint())
	if err != nil {
		return nil, err
	}
	s := &System{model: m, options: o, program: p, index: map[string]int{}, id: id, folder: filepath.Dir(m.File),
		carrying: &carrying{}, listings: &sync.Map{}}
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
	if m.Steady {
		if err := s.startSteadily(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// startSteadily replaces the start values by those of a steady motion, with the inputs and parameters of the file.
func (s *System) startSteadily() error {
	in, err := s.Instantiate()
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := in.Trim(); err != nil {
		return fmt.Errorf("%s: start = %q: %w", s.model.File, vehicle.SteadyStart, err)
	}
	for i := range s.program.Parameters {
		if v := &s.program.Parameters[i]; v.StartValue {
			v.Start = in.p[i]
		}
	}
	for i := range s.variables {
		if v := &s.variables[i]; v.parameter >= 0 && s.program.Parameters[v.parameter].StartValue {
			v.Start = s.program.Parameters[v.parameter].Start
		}
	}
	return nil
}

// Tabulated is the text of the model file with tables in place of the corners of uses that ask for them; nil where none
// does. Files are named as from the folder of the model.
func (s *System) Tabulated() []byte { return s.tabulated }

// At returns the system of a model file at another path with the same content. Files are searched beside that path.
func (s *System) At(path string) *System {
	other := *s
	other.folder = filepath.Dir(path)
	other.curves = &curveSystems{own: &other}
	return &other
}

// distinct reports a quantity of the model file with the name of a variable that the engine adds: contacts and texts of
// tires and terrains. Formulation rejects other duplicate names.
func (s *System) distinct() error {
	for _, q := range s.model.Quantities {
		if i, ok := s.index[q.Name]; ok && s.variables[i].Kind != Output {
			return fmt.Errorf("%s:%d:%d: quantity %s: there is a variable of that name already; give it another name",
				q.Pos.File, q.Pos.Line, q.Pos.Column, q.Name)
		}
	}
	return nil
}

// newMachine returns a machine without tire functions that runs machine code or portable code.
func (s *System) newMachine(code string) program.Machine {
	if code == nativeCode {
		return s.program.NewMachine(s.native())
	}
	return s.program.NewMachine(s.portable())
}

// makeCode defines how code is made when the first instance asks for it.
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

// compile makes the code that an instance with tire functions and texts runs. The code of the rates and the equations
// of implicit methods do not need each other, and are made side by side.
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
		err = s.program.PrepareImplicit(matrixOf(texts[s.texts.jacobian]), inputs)
	})
	return machine, err
}
