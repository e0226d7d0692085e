package linear

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/tire"
)

// Model is a vehicle that can be linearised. It is not safe for concurrent use.
type Model struct {
	program    *program.Program
	machine    program.Machine
	parameters []float64
	x, u, dx   []float64
}

// New formulates a model.
func New(m *model.Model, tree string) (*Model, error) {
	p, err := formulate.Program(m, formulate.Options{Tree: tree})
	if err != nil {
		return nil, err
	}
	if len(p.Contacts) > 0 || len(p.Uneven) > 0 {
		return nil, fmt.Errorf("model %s: wheel contacts and terrain cannot be linearised: wheel contacts act between steps, and terrain is no part of the equations", m.Name)
	}
	l := &Model{program: p, machine: p.NewMachine(p.Tape()), x: make([]float64, len(p.States)), dx: make([]float64, len(p.States))}
	for i, c := range p.Calls {
		kind, err := tire.Lookup(c.Function)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if kind.New == nil {
			return nil, fmt.Errorf("%s: the function %s of a library cannot be linearised", c.Name, c.Function)
		}
		f, err := kind.New(c.Parameters)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if err := l.machine.Bind(i, f, kind.Inputs); err != nil {
			return nil, err
		}
	}
	for _, v := range p.Parameters {
		l.parameters = append(l.parameters, v.Start)
	}
	for i, v := range p.Inputs {
		l.u = append(l.u, v.Start)
		if p.Constraints > 0 && i >= p.Demands-2 {
			l.u[i] = 0 // constraints as they are, without stabilisation
		}
	}
	return l, nil
}

// Set gives a parameter, start value or input its value.
func (l *Model) Set(name string, value float64) error {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return fmt.Errorf("%s = %v: the value must be a finite number", name, value)
	}
	for i := range l.program.Parameters {
		if v := &l.program.Parameters[i]; v.Name == name {
			if v.Positive && value <= 0 || v.Nonnegative && value < 0 {
				return fmt.Errorf("%s = %v: the value is not one that it can have", name, value)
			}
			l.parameters[i] = value
			return nil
		}
	}
	for i := range l.program.Inputs[:len(l.program.Inputs)-l.program.Controls] {
		if l.program.Inputs[i].Name == name {
			l.u[i] = value
			return nil
		}
	}
	return fmt.Errorf("there is no parameter, start value or input %q", name)
}

// System is a linearised vehicle: deviations of the states from a steady motion.
type System struct {
	States, Inputs, Outputs []string
	A, B, C, D              *mat.Dense

	constraints *mat.Dense // dh/dz, nil where there are none
}

// steady is the largest rate of a speed or slip in a steady motion [m/s^2, rad/s^2].
const steady = 1e-6

// At linearises about the start, which must be a steady motion: speeds and slips keep their
// values, place and angles may go on.
func (l *Model) At() (*System, error) {
	p := l.program
	n := len(p.States)
	l.machine.SetParameters(l.parameters)
	l.machine.Start(l.u, l.x)
	l.machine.Derivatives(0, l.x, l.u, l.dx)
	s := &System{States: names(p.States), Inputs: names(p.Inputs[:len(p.Inputs)-p.Controls]), Outputs: names(p.Outputs[:len(p.Outputs)-p.Indicators])}
	restless, of := 0.0, ""
	for i, v := range l.dx {
		if v-v != 0 {
			return nil, fmt.Errorf("the rate of %s is %v at the start; check the parameters and start values", s.States[i], v)
		}
		if coordinate := i >= p.Speeds && i < 2*p.Speeds; !coordinate && math.Abs(v) > restless {
			restless, of = math.Abs(v), s.States[i]
		}
	}
	if restless > steady {
		return nil, fmt.Errorf("the start is no steady motion: the rate of %s is %.6g, %g allowed; change the start values, and let wheels turn on revolute joints, whose carriers do not spin", of, restless, steady)
	}
	jacobian := func(of, by program.Quantity, rows, columns int) *mat.Dense {
		e := l.machine.Jacobian(of, by)
		all := make([]float64, e.Rows*e.Columns)
		e.Evaluate(l.x, l.u, all)
		d := mat.NewDense(rows, max(columns, 1), nil)
		for i := range rows {
			for k := range columns {
				d.Set(i, k, all[i*e.Columns+k])
			}
		}
		return d
	}
	s.A = jacobian(program.StateQuantity, program.StateQuantity, n, n)
	s.B = jacobian(program.StateQuantity, program.InputQuantity, n, len(s.Inputs))
	s.C = jacobian(program.OutputQuantity, program.StateQuantity, len(s.Outputs), n)
	s.D = jacobian(program.OutputQuantity, program.InputQuantity, len(s.Outputs), len(s.Inputs))
	if p.Constraints > 0 {
		side := l.machine.Side(program.Gradients)
		side.Evaluate(l.x, l.u, nil)
		s.constraints = mat.NewDense(2*p.Constraints, n, nil)
		for i := range 2 * p.Constraints {
			for k := range 2 * p.Speeds {
				s.constraints.Set(i, k, side.Value(i*2*p.Speeds+k))
			}
		}
	}
	return s, nil
}

func names(list []program.Variable) []string {
	var names []string
	for _, v := range list {
		names = append(names, v.Name)
	}
	return names
}

// input and output find variables.
func (s *System) input(name string) (int, error)  { return find(s.Inputs, name, "input") }
func (s *System) output(name string) (int, error) { return find(s.Outputs, name, "output") }

func find(list []string, name, kind string) (int, error) {
	if i := slices.Index(list, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("there is no %s %q; there are %s", kind, name, strings.Join(list, ", "))
}

var errSolve = errors.New("the eigenvalues cannot be computed")
