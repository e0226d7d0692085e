package drivable

import (
	"fmt"

	"skidpad/cosim"
	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/model/roles"
)

// subject is an instance of the engine, for runs that know the library only.
type subject struct{ *cosim.Instance }

var _ drive.Subject = subject{}

func instantiate(s *cosim.System) (subject, error) {
	in, err := s.Instantiate()
	return subject{in}, err
}

// finder finds numbers of a vehicle that its roles do not state, as skidpad view does.
func finder(s *cosim.System) func(*roles.Roles) (map[string]float64, error) {
	return func(o *roles.Roles) (map[string]float64, error) {
		v := cardraft.Vehicle{Roles: o, Open: func() (drive.Subject, func(), error) {
			in, err := instantiate(s)
			if err != nil {
				return nil, nil, err
			}
			return in, in.Close, nil
		}}
		return v.Find()
	}
}

// kinds are the kinds of variables of the engine as causalities; others are local.
var kinds = map[cosim.Kind]library.Causality{cosim.Parameter: library.Parameter, cosim.Input: library.Input,
	cosim.Output: library.Output}

// Find implements drive.Subject and live.Finder.
func (s subject) Find(name string) (library.Variable, error) {
	i, known := s.System().Find(name)
	if !known {
		return library.Variable{}, fmt.Errorf("the model has no variable %s", name)
	}
	x := s.System().Variables()[i]
	causality, is := kinds[x.Kind]
	if !is {
		causality = library.Local
	}
	return library.Variable{Name: name, Unit: x.Unit, Text: x.Text, Reference: uint32(i), Causality: causality,
		Start: x.Start}, nil
}

// References implements drive.Subject.
func (s subject) References(names ...string) (list []uint32, err error) {
	for _, name := range names {
		x, err := s.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, x.Reference)
	}
	return list, nil
}

// SetNamed implements drive.Subject.
func (s subject) SetNamed(name string, value float64) error {
	x, err := s.Find(name)
	if err != nil {
		return err
	}
	return s.Instance.Set(int(x.Reference), value)
}

// Set implements drive.Subject.
func (s subject) Set(references []uint32, values []float64) error {
	for k, r := range references {
		if err := s.Instance.Set(int(r), values[k]); err != nil {
			return err
		}
	}
	return nil
}

// Get implements drive.Subject.
func (s subject) Get(references []uint32, values []float64) (err error) {
	for k, r := range references {
		if values[k], err = s.Instance.Get(int(r)); err != nil {
			return err
		}
	}
	return nil
}

// Outputs implements drive.Subject.
func (s subject) Outputs() (names []string) {
	for _, x := range s.System().Variables() {
		if x.Kind == cosim.Output {
			names = append(names, x.Name)
		}
	}
	return names
}

// Locals implements drive.Subject.
func (s subject) Locals() []string { return nil }
