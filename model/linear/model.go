package linear

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/carried"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// Model is a vehicle that can be linearised. It is not safe for concurrent use.
type Model struct {
	source     *vehicle.Model
	program    *program.Program
	groups     []string // by state
	lean       string   // angle of a single-track vehicle, "" for another vehicle; and its steer
	steer      string
	machine    program.Machine
	parameters []float64
	x, u, dx   []float64
	start      []float64 // inputs as they were set
	fixed      map[string]bool
	freed      map[string]bool     // states that would be held
	turned     map[string]bool     // speeds of joints that networks turn
	standIns   map[string][]string // states by start speed
	carried    *carried.Bodies     // nil for none
	free       []int               // inputs
	tree       string
	functions  []function      // by call of the program
	made       []tire.Function // the same with their parameters
	unbound    bool            // functions have changed
	// texts of functions of components that act at samples, by name, where they were set
	controllers map[string]string
	enough      float64 // rates below which the search for a steady state ends, in the units of steady

	loaded     *Model // the same vehicle with loads on loadedBody, for its handling; nil until that is asked for
	loadedBody string
	asking     *Model // the same vehicle with all reactions; nil until they are asked for
}

// New formulates a model. Flat terrain is a plane road, with the inputs of one.
func New(m *vehicle.Model, tree string) (*Model, error) {
	m, err := onPlanes(m)
	if err != nil {
		return nil, err
	}
	p, err := formulate.Program(m, formulate.Options{Tree: tree})
	if err != nil {
		return nil, err
	}
	return of(m, tree, p)
}

// of is a model whose equations have been formulated.
func of(m *vehicle.Model, tree string, p *program.Program) (*Model, error) {
	l := &Model{source: m, tree: tree, program: p, groups: groups(m, p.States), machine: p.NewMachine(p.Tape()),
		x: make([]float64, len(p.States)), dx: make([]float64, len(p.States)), fixed: map[string]bool{},
		freed: map[string]bool{}, turned: component.TurnedByNetworks(m.Scope(), m.Graph()),
		standIns: standIns(m.Graph()), enough: steady / 1000}
	for _, v := range p.States {
		if v.Held {
			l.fixed[v.Name] = true
		}
	}
	l.carried = carried.Find(m, names(p.States))
	l.lean, l.steer = singleTrack(m, p.States, l.groups)
	if err := l.findFunctions(); err != nil {
		return nil, err
	}
	for _, v := range p.Parameters {
		l.parameters = append(l.parameters, v.Start)
	}
	for _, v := range p.Inputs {
		l.start = append(l.start, v.Start)
	}
	l.u = make([]float64, len(l.start))
	l.softenConstraints()
	return l, nil
}

// gentle is the largest alpha and beta of Baumgarte's stabilisation in linear equations [1/s]. Motions that constraints
// allow do not depend on it. Stabilisation multiplies the rounding errors of constraints.
const gentle = 20

// softenConstraints reduces the stabilisation by the controls in front of the demands.
func (l *Model) softenConstraints() {
	if l.program.Constraints == 0 {
		return
	}
	i := max(0, slices.IndexFunc(l.source.Trees, func(t vehicle.Tree) bool { return t.Name == l.tree }))
	t, at := &l.source.Trees[i], l.program.Demands-2
	if alpha := t.BaumgarteAlpha; !alpha.Formula && alpha.Value > gentle {
		l.start[at] *= gentle / alpha.Value
	}
	if beta := t.BaumgarteBeta; !beta.Formula && beta.Value > gentle {
		l.start[at+1] *= (gentle / beta.Value) * (gentle / beta.Value)
	}
}

// onPlanes returns the model with plane roads in place of flat terrains.
func onPlanes(m *vehicle.Model) (*vehicle.Model, error) {
	plane := *m
	plane.Components = slices.Clone(m.Components)
	for i, c := range m.Components {
		if c, is := component.As[component.Planar](c); is {
			var err error
			if plane.Components[i], err = c.OnPlane(); err != nil {
				return nil, fmt.Errorf("model %s: %w", m.Name, err)
			}
		}
	}
	return &plane, nil
}

// Unit returns the unit of a parameter, start value or input; "" for another name.
func (l *Model) Unit(name string) string {
	for _, list := range [][]program.Variable{l.program.Parameters, l.program.Inputs} {
		for i := range list {
			if list[i].Name == name {
				return list[i].Unit
			}
		}
	}
	return ""
}

// Start is the value of a parameter or start value at the start.
func (l *Model) Start(name string) (value float64, known bool) {
	for i := range l.program.Parameters {
		if l.program.Parameters[i].Name == name {
			return l.parameters[i], true
		}
	}
	return 0, false
}

// Set gives a parameter, start value, input or coefficient of a tire its value. A start value is held by the search for
// a steady motion.
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
			l.hold(name)
			return nil
		}
	}
	for i := range l.program.Inputs[:len(l.program.Inputs)-l.program.Controls] {
		if l.program.Inputs[i].Name == name {
			l.start[i] = value
			return nil
		}
	}
	if l.setCoefficient(name, value) {
		return nil
	}
	var names []string
	for _, v := range slices.Concat(l.program.Parameters, l.program.Inputs) {
		names = append(names, v.Name)
	}
	return fmt.Errorf("there is no parameter, start value, input or coefficient of a tire %q%s", name,
		document.Hint(name, names, l.source.Formulas))
}

// System is a linearised vehicle: deviations of the states from a steady motion.
type System struct {
	States, Inputs, Outputs             []string
	Groups                              []string // motion of each state: heave, wheel hop, ...
	StateUnits, InputUnits, OutputUnits []string
	A, B, C, D                          *mat.Dense
	X, U, Y                             []float64 // the steady motion, by state, input and output
	// Rates of the states in the steady motion: 0 except for place, heading and angles of wheels.
	Rates []float64
	// Lean and Steer name the states with the angles of lean and steer [rad] of a single-track vehicle: a vehicle with two
	// wheels, one of them steered by a joint. They are "" for other vehicles.
	Lean, Steer string

	speeds      int        // the first states, followed by as many coordinates
	constraints *mat.Dense // dh/dz, nil where there are none
	driven      *mat.Dense // dh/du, nil where there are none
	motions     []program.Motion
	networks    map[string]bool // states that are potentials and flows of networks
	// neighbour is a vehicle that is nearly the same, about its steady motion; nil, or returning nil, where there is
	// none.
	neighbour func() *System
}

// NoSteadyState is the error of a search that finds no steady motion.
type NoSteadyState struct{ reason error }

func (e *NoSteadyState) Error() string { return e.reason.Error() }
func (e *NoSteadyState) Unwrap() error { return e.reason }

// At linearises about the steady motion nearest to the start: speeds and slips keep their values,
// place and angles may go on.
func (l *Model) At() (*System, error) {
	if l.unbound {
		if err := l.bind(); err != nil {
			return nil, err
		}
	}
	copy(l.u, l.start)
	l.machine.SetParameters(l.parameters)
	l.begin(l.x)
	if err := l.holdSamples(); err != nil {
		return nil, err
	}
	err := l.findSteadyState()
	failure := l.fault() // also of evaluations that the search left behind
	if err != nil && failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, &NoSteadyState{err}
	}
	s, err := l.lineariseAtState()
	if failure = l.fault(); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, err
	}
	s.neighbour = l.neighbour()
	return s, nil
}

// lineariseAtState linearises at the present state.
func (l *Model) lineariseAtState() (*System, error) {
	p := l.program
	l.machine.Derivatives(0, l.x, l.u, l.dx)
	rates := slices.Clone(l.dx)
	for i, v := range rates {
		if math.Abs(v) <= steady*l.sizeOf(i) {
			rates[i] = 0
		}
	}
	y := make([]float64, len(p.Outputs))
	l.machine.Outputs(y)
	inputs, outputs := p.Inputs[:len(p.Inputs)-p.Controls], p.Outputs[:len(p.Outputs)-p.Indicators]
	s := &System{
		States: names(p.States), Inputs: names(inputs), Outputs: names(outputs),
		StateUnits: units(p.States), InputUnits: units(inputs), OutputUnits: units(outputs),
		A: l.jacobian(program.StateQuantity, program.StateQuantity), B: l.jacobian(program.StateQuantity,
			program.InputQuantity),
		C: l.jacobian(program.OutputQuantity, program.StateQuantity),
		D: l.jacobian(program.OutputQuantity, program.InputQuantity),
		X: slices.Clone(l.x), U: slices.Clone(l.u[:len(inputs)]), Y: y[:len(outputs)], Rates: rates,
		Groups: l.groups, Lean: l.lean, Steer: l.steer, speeds: p.Speeds, constraints: l.gradients(), driven: l.drives(),
		motions: p.Motions, networks: map[string]bool{},
	}
	for _, n := range p.Networks {
		s.networks[p.States[n.State].Name] = true
	}
	return s, l.fixToChassis(s)
}

// jacobian is one at the present state, without controls and indicators.
func (l *Model) jacobian(of, by program.Quantity) *mat.Dense {
	p := l.program
	if by == program.StateQuantity && len(p.States) == 0 {
		return &mat.Dense{}
	}
	e := l.machine.Jacobian(of, by)
	all := make([]float64, e.Rows*e.Columns)
	e.Evaluate(l.x, l.u, all)
	rows, columns := e.Rows, e.Columns
	if of == program.OutputQuantity {
		rows -= p.Indicators
	}
	if by == program.InputQuantity {
		columns -= p.Controls
	}
	if rows == 0 || columns == 0 {
		return &mat.Dense{}
	}
	return mat.DenseCopyOf(mat.NewDense(e.Rows, e.Columns, all).Slice(0, rows, 0, columns))
}

// gradients are the derivatives of the violations of the constraints and of their rates by the
// states, nil without constraints.
func (l *Model) gradients() *mat.Dense {
	p := l.program
	if p.Constraints == 0 || len(p.States) == 0 {
		return nil
	}
	side := l.machine.Side(program.Gradients)
	side.Evaluate(l.x, l.u, nil)
	h := mat.NewDense(2*p.Constraints, len(p.States), nil)
	for i := range 2 * p.Constraints {
		for k := range 2 * p.Speeds {
			h.Set(i, k, side.Value(i*2*p.Speeds+k))
		}
	}
	return h
}

// drives are the derivatives of the violations of the constraints and of their rates by the inputs,
// nil without constraints or inputs.
func (l *Model) drives() *mat.Dense {
	p := l.program
	all := len(p.Inputs)
	if p.Constraints == 0 || len(p.States) == 0 || all == p.Controls {
		return nil
	}
	side := l.machine.Side(program.Driven)
	side.Evaluate(l.x, l.u, nil)
	g := mat.NewDense(2*p.Constraints, all-p.Controls, nil)
	for i := range 2 * p.Constraints {
		for k := range all - p.Controls {
			g.Set(i, k, side.Value(i*all+k))
		}
	}
	return g
}

func (l *Model) inputs() []string {
	return names(l.program.Inputs[:len(l.program.Inputs)-l.program.Controls])
}

func names(list []program.Variable) []string {
	var names []string
	for _, v := range list {
		names = append(names, v.Name)
	}
	return names
}

func units(list []program.Variable) []string {
	var units []string
	for _, v := range list {
		units = append(units, v.Unit)
	}
	return units
}

// find returns the place of a name in a list of inputs, outputs or states.
func find(list []string, name, kind string) (int, error) {
	if i := slices.Index(list, name); i >= 0 {
		return i, nil
	}
	return 0, &UnknownName{name, fmt.Sprintf("there is no %s %q; there are %s", kind, name, strings.Join(list, ", "))}
}

// UnknownName is the error of a name that a model does not have.
type UnknownName struct{ Name, text string }

func (e *UnknownName) Error() string { return e.text }

var errSolve = errors.New("a matrix of the linear equations cannot be decomposed; look at the parameters and start " +
	"values")

// Copy is the model with all that was set, for another goroutine. Both share the equations.
func (l *Model) Copy() (*Model, error) {
	twin := *l
	twin.machine = l.program.NewMachine(l.program.Tape())
	twin.parameters, twin.start, twin.free = slices.Clone(l.parameters), slices.Clone(l.start), slices.Clone(l.free)
	twin.x, twin.u, twin.dx = slices.Clone(l.x), slices.Clone(l.u), slices.Clone(l.dx)
	twin.fixed, twin.functions, twin.loaded = maps.Clone(l.fixed), slices.Clone(l.functions), nil
	twin.freed, twin.controllers = maps.Clone(l.freed), maps.Clone(l.controllers)
	twin.asking = nil
	for i := range twin.functions {
		twin.functions[i].set = maps.Clone(l.functions[i].set)
	}
	return &twin, twin.bind()
}

// Output is the row of an output in C.
func (l *Model) Output(name string) (int, error) {
	return find(names(l.program.Outputs[:len(l.program.Outputs)-l.program.Indicators]), name, "output")
}
