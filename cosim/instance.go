package cosim

import (
	"errors"
	"fmt"
	"math"

	"skidpad/model/lanes"
	"skidpad/model/program"
	"skidpad/tire"
)

// Instance is one running vehicle. It is not safe for concurrent use; instances
// of one System are independent of each other.
type Instance struct {
	sys                  *System
	machine              program.Machine
	code                 string    // what the machine runs, as the text says
	tires                *bindings // nil until the texts have been looked at
	solver               solver
	slow                 timeLimit
	prepared             bool // parameters, start values and functions have been applied
	initialised          bool
	fresh                bool // y belongs to t, x, u
	eventHandling        bool // contacts change by UpdateContacts only
	externallyIntegrated bool // someone else integrates the states

	t        float64
	since    float64 // time since u holds; prescribed motions have continued for it [s]
	settings [settings]float64
	p        []float64
	u        []float64
	rate     []float64 // of the inputs, between communication points [1/s]
	x        []float64 // of the program, then of tire functions
	y        []float64
	contact  []bool
	texts    []string  // in the order of the Text variables
	modes    []float64 // of wheel contacts, as an importer that handles events has seen them

	continued     []float64 // u at the time of a stage
	dx            []float64
	linearisation *program.Linearisation // where the solver needs it
	generation    int                    // of parameters and functions
	pendingStep   stepping
	sensed        sensitivities
	sides         sides
	constants     []float64 // that contacts and terrains refer to
	before        []wheel   // by wheel contact, before a solver step
	along         []float64 // by wheel contact and tire on terrain: place along the road, where it was last [m]
	pose          tire.Pose // of the wheel that is told of it
	reached       []float64 // by tire on terrain: the same in the latest evaluation

	named       []bool       // by tire whose function can be exchanged: its file was set, nil where none was
	assignments []assignment // numbers of tire functions that were set, by ascending index
	files       [][]float64  // by call: the parameters in the file of its function, nil until they are needed
	changes     int          // of functions without a new arrangement
}

// Instantiate makes an instance with the start values of the model file.
func (s *System) Instantiate() (*Instance, error) {
	p := s.program
	in := &Instance{
		sys: s,
		p:   make([]float64, len(p.Parameters)), u: make([]float64, len(p.Inputs)), rate: make([]float64, len(p.Inputs)),
		y: make([]float64, len(p.Outputs)), contact: make([]bool, p.Indicators),
		texts: make([]string, len(s.variables)-s.first[Text]), continued: make([]float64, len(p.Inputs)),
		constants: make([]float64, p.ConstantCount()), modes: make([]float64, len(p.Contacts)), before: make([]wheel, len(p.Contacts)),
		along: make([]float64, len(p.Contacts)+len(p.Uneven)), reached: make([]float64, len(p.Uneven)),
	}
	in.pendingStep.u, in.pendingStep.rate, in.pendingStep.along = make([]float64, len(p.Inputs)), make([]float64, len(p.Inputs)), make([]float64, len(in.along))
	in.Reset()
	return in, nil
}

// Close releases what library tire functions hold. The instance must not be
// used any more.
func (in *Instance) Close() { in.tires.close() }

// Reset returns to the state after Instantiate.
func (in *Instance) Reset() {
	p := in.sys.program
	for i := range p.Parameters {
		in.p[i] = p.Parameters[i].Start
	}
	for i := range p.Inputs {
		in.u[i] = p.Inputs[i].Start
		in.rate[i] = 0
	}
	for i := range in.texts {
		in.texts[i] = in.sys.variables[in.sys.first[Text]+i].StartText
	}
	in.t, in.since = 0, 0
	in.settings = [settings]float64{stepSetting: in.sys.model.Solver.Step, toleranceSetting: in.sys.model.Solver.Tolerance}
	in.initialised, in.eventHandling = false, false
	in.pendingStep.active, in.pendingStep.n = false, 0
	in.assignments, in.files, in.named = in.assignments[:0], nil, nil
	in.disconnect()
}

// disconnect releases the tire functions; prepare finds them again.
func (in *Instance) disconnect() {
	in.tires.close()
	if in.machine != nil {
		in.machine.Unbind()
	}
	in.tires, in.prepared, in.fresh = nil, false, false
	in.resize(0)
}

// resize makes room for a number of states of tire functions.
func (in *Instance) resize(extra int) {
	n := len(in.sys.program.States) + extra
	if len(in.x) != n {
		in.x, in.dx, in.pendingStep.x = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	clear(in.x)
	in.solver = nil
}

// System returns what the instance was made from.
func (in *Instance) System() *System { return in.sys }

// Time returns the time reached [s].
func (in *Instance) Time() float64 { return in.t }

// errVariable is returned for an index that no variable has.
var errVariable = errors.New("no such variable")

// Set gives variable i a value: inputs at any time, parameters and start values
// before Initialise, scale factors of tire functions also between steps. The value must be finite.
func (in *Instance) Set(i int, value float64) error {
	if i >= len(in.sys.variables) {
		return in.setCoefficient(i, value)
	}
	if err := in.Check(i, value); err != nil {
		return err
	}
	switch v := &in.sys.variables[i]; {
	case v.Kind == Input:
		in.setInput(v.source, value)
	case v.parameter < 0:
		in.settings[v.source] = value
		in.prepared = false
	default:
		in.p[v.parameter] = value
		in.prepared, in.fresh = false, false
	}
	return nil
}

// Check says why Set would refuse a value.
func (in *Instance) Check(i int, value float64) error {
	if i < 0 {
		return errVariable
	}
	if i >= len(in.sys.variables) {
		_, _, err := in.changed(i, value)
		return err
	}
	v := &in.sys.variables[i]
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("%s = %v: the value must be a finite number", v.Name, value)
	case v.Kind == Text:
		return fmt.Errorf("%s is a string, not a number", v.Name)
	case v.Kind > Input && !v.Initial:
		return in.sys.Computed(i)
	case v.Nonnegative && value < 0:
		return fmt.Errorf("%s = %v: the value must not be negative", v.Name, value)
	case v.Kind == Input:
		return nil
	case in.initialised:
		return fmt.Errorf("%s cannot be set after initialisation; reset the instance first", v.Name)
	case v.Positive && value <= 0:
		return fmt.Errorf("%s = %v: the value must be above 0", v.Name, value)
	case v.AtMostOne && value > 1:
		return fmt.Errorf("%s = %v: the value must not be above 1", v.Name, value)
	}
	return nil
}

func (in *Instance) setInput(i int, value float64) {
	if in.pendingStep.active {
		in.advance(in.t) // the others hold from now on, too
	}
	in.u[i], in.rate[i] = value, 0
	in.fresh = false
	if !in.initialised {
		in.prepared = false
	}
}

// SetInputs gives all inputs their values, in the order of the variables. Values
// must be finite.
func (in *Instance) SetInputs(values []float64) {
	for i, v := range values {
		if in.u[i] != v || in.rate[i] != 0 {
			in.setInput(i, v)
		}
	}
}

// Inputs writes the values of all inputs, in the order of the variables.
func (in *Instance) Inputs(dst []float64) { copy(dst, in.u) }

// SetRate lets input i change linearly from its value on, at a rate per second,
// until it is set again. Without it inputs are held, and prescribed motions
// follow their own rates, to which this one is added.
func (in *Instance) SetRate(i int, rate float64) error {
	if i < 0 {
		return errVariable
	}
	if i >= len(in.sys.variables) {
		if _, err := in.sys.locate(i, in.texts); err != nil {
			return err
		}
		return fmt.Errorf("%s is not an input", in.sys.nameOf(i))
	}
	v := &in.sys.variables[i]
	if v.Kind != Input {
		return fmt.Errorf("%s is not an input", v.Name)
	}
	if math.IsNaN(rate) || math.IsInf(rate, 0) {
		return fmt.Errorf("rate of %s = %v: the value must be a finite number", v.Name, rate)
	}
	in.rate[v.source] = rate
	return nil
}

// Get returns the value of variable i. What the model computes has no value
// before Prepare or Initialise unless it has a start value.
func (in *Instance) Get(i int) (float64, error) {
	if i < 0 {
		return 0, errVariable
	}
	if i >= len(in.sys.variables) {
		return in.coefficient(i)
	}
	v := &in.sys.variables[i]
	switch {
	case v.Kind == Input:
		return in.u[v.source], nil
	case v.Kind == Text:
		return 0, fmt.Errorf("%s is a string, not a number", v.Name)
	case v.Kind == Time:
		return in.t, nil
	case v.Kind == Parameter && v.parameter < 0:
		return in.settings[v.source], nil
	case v.Kind == Parameter:
		return in.p[v.parameter], nil
	case v.Initial && !in.initialised:
		return in.p[v.parameter], nil
	case !in.prepared:
		return 0, fmt.Errorf("%s has no value before initialisation", v.Name)
	}
	if err := in.refresh(); err != nil {
		return 0, err
	}
	switch v.Kind {
	case Contact:
		return in.contactValue(v.source), nil
	case State:
		return in.x[v.source], nil
	case Rate:
		return in.dx[v.source], nil
	case Indicator:
		return in.indicator(v.source), nil
	}
	return in.y[v.source], nil
}

// Values writes the values of all numeric variables, in the order of the variables.
// It needs Prepare or Initialise.
func (in *Instance) Values(dst []float64) error {
	if err := in.refresh(); err != nil {
		return err
	}
	s := in.sys
	for i := range s.variables[:s.first[Input]] {
		if k := s.variables[i].parameter; k >= 0 {
			dst[i] = in.p[k]
		} else {
			dst[i] = in.settings[s.variables[i].source]
		}
	}
	copy(dst[s.first[Input]:s.first[Output]], in.u)
	copy(dst[s.first[Output]:s.first[Contact]], in.y)
	for i := range in.contact {
		dst[s.first[Contact]+i] = in.contactValue(i)
	}
	for i := s.first[State]; i < s.first[Rate]; i++ {
		dst[i] = in.x[s.variables[i].source]
	}
	copy(dst[s.first[Rate]:s.first[Indicator]], in.dx)
	for i := s.first[Indicator]; i < s.first[Time]; i++ {
		dst[i] = in.indicator(s.variables[i].source)
	}
	dst[s.first[Time]] = in.t
	return nil
}

// refresh evaluates the outputs if anything has changed since they were.
func (in *Instance) refresh() error {
	if in.fresh {
		return nil
	}
	in.rates(in.since, in.x, in.dx)
	in.machine.Outputs(in.y)
	if err := in.tires.fault(); err != nil {
		return err
	}
	in.fresh = true
	return nil
}

// SetTime gives the time: before Initialise that of the start, afterwards that of a
// master which integrates the states itself.
func (in *Instance) SetTime(t float64) {
	in.t, in.since, in.fresh = t, 0, false
}

// Prepare applies parameters, start values and tire functions, so that
// everything has its initial value; what is set afterwards needs it again.
func (in *Instance) Prepare() error {
	if in.prepared {
		return nil
	}
	if err := in.sys.program.CheckBounds(in.p); err != nil {
		return err
	}
	if err := in.connect(); err != nil {
		return err
	}
	in.prepare()
	if err := in.checkContacts(); err != nil {
		return err
	}
	if position, rate := in.Violation(); !(max(position, rate) <= in.settings[toleranceSetting]) && in.sides.demands > 0 {
		return fmt.Errorf("the start violates constraints by %.3g, and their rates by %.3g: correct the start values, or allow it by %s", position, rate, ToleranceVariable)
	}
	if i := firstNonFinite(in.x); i >= 0 {
		return fmt.Errorf("initial value of %s is %v; check the parameters and start values", in.stateName(i), in.x[i])
	}
	in.rates(0, in.x, in.dx)
	if err := in.tires.fault(); err != nil {
		return err
	}
	if i := firstNonFinite(in.dx); i >= 0 {
		return fmt.Errorf("initial rate of %s is %v; check the parameters and start values", in.stateName(i), in.dx[i])
	}
	in.prepared = true
	return nil
}

// connect finds the tire functions and makes the solver, if texts have changed.
func (in *Instance) connect() error {
	if in.tires != nil {
		return nil
	}
	b, err := in.sys.connect(in.texts, in.assignments)
	if err != nil {
		return err
	}
	if err := in.bind(b, in.texts); err != nil {
		b.close()
		return err
	}
	return nil
}

// bind takes over tire functions, and the code and the solver that texts ask for.
func (in *Instance) bind(b *bindings, texts []string) error {
	if code := texts[len(texts)-1]; in.machine == nil || in.code != code {
		in.machine, in.code = in.sys.newMachine(code), code
	}
	functions := b.functions
	if in.code == nativeCode {
		functions = lanes.BatchFunctions(b.kinds, functions)
	}
	b.bound = functions
	for i, f := range functions {
		if err := in.machine.Bind(i, f, b.kinds[i].Inputs); err != nil {
			return err
		}
	}
	in.tires.close()
	in.resize(b.states)
	solver, err := newSolver(texts[0], len(in.x))
	if d, ok := solver.(*dlmm); ok {
		d.stage = texts[max(0, in.sys.texts.multipliers)] == "stage"
	}
	in.solver, in.tires, in.linearisation = solver, b, nil
	in.setTimed()
	in.findSides()
	in.stabilise()
	if _, implicit := solver.(*linearlyImplicit); implicit {
		in.linearisation = in.machine.Linearisation()
	}
	return err
}

// prepare computes what depends on parameters, and the initial state.
func (in *Instance) prepare() {
	n := len(in.sys.program.States)
	in.generation++
	in.machine.SetParameters(in.p)
	in.machine.Start(in.u, in.x[:n])
	in.updateConstants()
	in.forgetRoadPlaces()
	in.initContactModes()
	for _, d := range in.tires.dynamics {
		x, _ := d.Memory()
		copy(in.x[d.at:], x)
	}
	in.inputsAt(0)
	in.updateLocalPlanes(in.t, in.x)
	in.place(in.t, in.x)
	in.commitRoadPlaces()
	in.since, in.fresh = 0, false
}

func (in *Instance) stateName(i int) string {
	if i < len(in.sys.program.States) {
		return in.sys.program.States[i].Name
	}
	owner := in.tires.dynamics[0]
	for _, d := range in.tires.dynamics {
		if d.at <= i {
			owner = d
		}
	}
	return fmt.Sprintf("state %d of the function of %s", i-owner.at+1, owner.name)
}

// Initialise ends the setting of parameters and puts the model into its initial
// state.
func (in *Instance) Initialise() error {
	if in.initialised {
		return errors.New("the instance is initialised already; reset it first")
	}
	if err := in.Prepare(); err != nil {
		return err
	}
	in.precompileJacobian()
	in.initialised = true
	if err := in.refresh(); err != nil {
		in.initialised = false
		return err
	}
	for i := range in.contact {
		in.contact[i] = in.signedNormalForce(i) > 0
	}
	return nil
}

// precompileJacobian makes one step on a copy: a method that needs the Jacobian compiles its code
// then, so that later steps allocate nothing.
func (in *Instance) precompileJacobian() {
	x := append([]float64(nil), in.x...)
	in.solver.step(in, 0, in.settings[stepSetting], x)
	for _, i := range in.tires.fallible { // of a step that nobody asked for
		in.tires.functions[i].(tire.Fallible).Fault()
	}
	in.fresh = false
}

// StateCount returns the number of states of the program and of tire functions.
func (in *Instance) StateCount() (program, tires int) {
	n := len(in.sys.program.States)
	return n, len(in.x) - n
}

// SetStates gives the program's states their values; all must be finite.
func (in *Instance) SetStates(x []float64) error {
	if i := firstNonFinite(x); i >= 0 {
		return fmt.Errorf("%w: %s = %v", ErrNotFinite, in.stateName(i), x[i])
	}
	in.commitRoadPlaces()
	copy(in.x, x[:len(in.sys.program.States)])
	in.fresh = false
	return nil
}

// SetState gives state i of the program its value, which must be finite.
func (in *Instance) SetState(i int, value float64) error {
	if value-value != 0 {
		return fmt.Errorf("%w: %s = %v", ErrNotFinite, in.stateName(i), value)
	}
	in.commitRoadPlaces()
	in.x[i] = value
	in.fresh = false
	return nil
}

// inputsAt continues the inputs by dt [s] from the time they hold: linearly at their
// rates, and prescribed motions by position + rate dt + acceleration dt^2/2 and
// rate + acceleration dt, where the rate of a rate counts as acceleration, too.
func (in *Instance) inputsAt(dt float64) {
	copy(in.continued, in.u)
	if dt == 0 {
		return
	}
	for i, r := range in.rate {
		in.continued[i] += dt * r
	}
	for _, m := range in.sys.program.Motions {
		rate, acceleration := in.u[m.Rate], 0.0
		if m.Acceleration >= 0 {
			acceleration = in.u[m.Acceleration]
		}
		in.continued[m.Position] += dt * (rate + dt/2*(acceleration+in.rate[m.Rate]))
		in.continued[m.Rate] += dt * acceleration
	}
}

// rates evaluates the derivatives at a time after the inputs were set. Time itself is
// in no equation, so results do not depend on how a master counts it.
func (in *Instance) rates(since float64, x, dx []float64) {
	in.inputsAt(since)
	in.updateLocalPlanes(in.t+since, x)
	in.place(in.t+since, x)
	n := len(in.sys.program.States)
	for _, d := range in.tires.dynamics {
		own, _ := d.Memory()
		copy(own, x[d.at:])
	}
	in.machine.Derivatives(in.t+since, x[:n], in.continued, dx[:n])
	for _, d := range in.tires.dynamics {
		_, rates := d.Memory()
		copy(dx[d.at:], rates)
	}
}

// linearise evaluates the rates and their Jacobian, in which the states of tire functions
// are missing: solvers that use it keep their order with any matrix.
func (in *Instance) linearise(since float64, x, dx []float64, c float64) {
	in.inputsAt(since)
	in.updateLocalPlanes(in.t+since, x)
	in.place(in.t+since, x)
	n := len(in.sys.program.States)
	for _, d := range in.tires.dynamics {
		own, _ := d.Memory()
		copy(own, x[d.at:])
	}
	in.linearisation.At(x[:n], in.continued, dx[:n])
	for _, d := range in.tires.dynamics {
		_, rates := d.Memory()
		copy(dx[d.at:], rates)
	}
	in.linearisation.Factorise(c)
}

func (in *Instance) solve(r []float64) { in.linearisation.Solve(r[:len(in.sys.program.States)]) }
