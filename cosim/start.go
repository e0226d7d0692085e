package cosim

import (
	"errors"
	"fmt"
	"slices"

	"skidpad/model/program"
	"skidpad/model/solver"
)

// Reset returns to the state after Instantiate.
func (in *Instance) Reset() {
	in.derived.End()
	in.derived = nil
	p := in.sys.program
	for i := range p.Parameters {
		in.p[i] = p.Parameters[i].Start
	}
	for i := range p.Inputs {
		in.u[i] = p.Inputs[i].Start
		in.rate[i] = 0
	}
	if p.Timed {
		in.rate[len(in.rate)-1] = 1
	}
	for i := range in.texts {
		in.texts[i] = in.sys.variables[in.sys.first[Text]+i].StartText
	}
	in.t, in.since = 0, 0
	in.heard, in.unread = nil, nil
	for _, a := range in.acts {
		clear(a.saved())
		a.restored()
	}
	in.settings = [settings]float64{stepSetting: in.sys.model.Solver.Step,
		toleranceSetting: in.sys.model.Solver.Tolerance}
	in.initialised, in.touches.events = false, false
	in.pendingStep.active, in.pendingStep.n = false, 0
	in.assignments, in.files, in.named = in.assignments[:0], nil, nil
	in.disconnect()
}

// disconnect releases the tire functions; prepare finds them again. Plain functions stay bound, for a start with the
// same texts.
func (in *Instance) disconnect() {
	switch {
	case in.tires == nil:
	case in.tires.plain:
		in.waiting = in.tires
	default:
		in.tires.close()
		in.machine.Unbind()
	}
	in.tires, in.prepared, in.fresh = nil, false, false
	in.forgetPlan()
	in.ledger.close()
	in.resize(0)
}

// resize allocates the states, with a number of states of tire functions.
func (in *Instance) resize(extra int) {
	n := len(in.sys.program.States) + extra
	in.spareSolver()
	if len(in.x) != n {
		in.x, in.dx = make([]float64, n), make([]float64, n)
	}
	clear(in.x)
	in.method, in.solver = solver.Method{}, nil
}

// Prepare applies parameters, start values and tire functions, so that every variable has its initial value. Later
// settings need another call.
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
	in.place()
	var open error
	in.assembled, open = in.assemble()
	in.settle()
	if err := in.checkTerrains(); err != nil {
		return err
	}
	if position, rate := in.Violation(); !(max(position, rate) <= in.settings[toleranceSetting]) &&
		in.sides.demands > 0 {
		why := ""
		if open != nil {
			why = "; " + open.Error()
		}
		return fmt.Errorf("the start violates constraints by %.3g, and their rates by %.3g%s: correct the start "+
			"values, or allow it by %s", position, rate, why, ToleranceVariable)
	}
	if err := in.checkRedundant(); err != nil {
		return err
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
	for _, a := range in.acts {
		if err := a.check(); err != nil {
			return err
		}
	}
	in.prepared = true
	return nil
}

// connect finds the tire functions and creates the solver, if texts have changed.
func (in *Instance) connect() error {
	if in.tires != nil {
		return nil
	}
	if b := in.waiting; b != nil && len(in.assignments) == 0 && slices.Equal(in.texts, b.texts) {
		in.waiting = nil
		return in.adopt(b, in.texts)
	}
	s, err := in.sys.withCurves(in.texts)
	if err != nil {
		return err
	}
	b, err := s.connect(in.texts, in.assignments)
	if err != nil {
		return err
	}
	in.follow(s)
	if err := in.bind(b, in.texts); err != nil {
		b.close()
		return err
	}
	return nil
}

// bind adopts tire functions, and the code and the solver that texts request.
func (in *Instance) bind(b *bindings, texts []string) error {
	in.waiting = nil
	if code := texts[in.sys.texts.code]; in.machine == nil || in.code != code {
		machine, err := in.sys.compile(b, texts)
		if err != nil {
			return err
		}
		in.machine, in.code = machine, code
	}
	b.bound = program.Joined(b.callees, b.kinds, b.functions, in.code == nativeCode)
	for i, f := range b.bound {
		if err := in.machine.Bind(i, f, b.callees[i].Inputs); err != nil {
			return err
		}
	}
	return in.adopt(b, texts)
}

// adopt takes over bound tire functions, and the solver that texts request.
func (in *Instance) adopt(b *bindings, texts []string) error {
	in.tires.close()
	in.ledger.open(texts)
	in.resize(b.states + in.ledger.works)
	in.tires, in.noticed = b, slices.Concat(warnings(modelRule, in.sys.model.LastingWarnings()...),
		noticed(parametersRule, b.warnings...), notes{in}.radii(texts, b))
	for _, a := range in.acts {
		if err := a.open(texts); err != nil {
			return err
		}
	}
	if err := in.setSolver(texts); err != nil {
		return err
	}
	b.setTimed(in.slow.limit > 0)
	in.forgetPlan()
	in.findSides()
	in.watch.open(b.watched)
	in.listState()
	in.stabilise()
	return nil
}

// prepare computes everything that depends on parameters, and the initial state as start values give it.
func (in *Instance) prepare() {
	in.place()
	in.settle()
}

// place applies parameters and start values.
func (in *Instance) place() {
	n := len(in.sys.program.States)
	in.generation++
	in.machine.SetParameters(in.p)
	in.machine.Start(in.u, in.x[:n])
	in.updateConstants()
	in.forgetRoadPlaces()
	for _, a := range in.acts {
		a.start()
	}
	in.tires.startStates(in.x)
	in.inputsAt(0)
	in.updateLocalPlanes(in.t, in.x)
	in.sendPoses(in.t, in.x)
}

// settle computes what follows from the coordinates and speeds at the start.
func (in *Instance) settle() {
	in.eigenvalue.modes, in.network = nil, nil
	in.startCarcasses()
	in.commitRoadPlaces()
	in.since, in.fresh = 0, false
}

// startCarcasses converts the delayed slips at the start to the states of carcasses, which depend on the initial load,
// and notes the warnings about them.
func (in *Instance) startCarcasses() {
	n, evaluated := len(in.sys.program.States), false
	in.carcassNotes = nil
	for i, c := range in.tires.callees {
		if c.Carcass == nil {
			continue
		}
		if !evaluated {
			in.machine.Derivatives(0, in.x[:n], in.continued, in.dx[:n])
			evaluated = true
		}
		arguments := make([]float64, len(c.Inputs))
		in.machine.Arguments(i, arguments)
		at := in.sys.carcassStates[i]
		p := c.Carcass.Start(arguments, [2]float64{in.x[at[0]], in.x[at[1]]})
		in.x[at[0]], in.x[at[1]] = p[0], p[1]
		for _, note := range c.Carcass.Notes(arguments) {
			in.carcassNotes = append(in.carcassNotes, notice{carcassRule, in.tires.names[i] + ": " + note})
		}
	}
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
	if err := in.derived.prepare(); err != nil {
		return err
	}
	in.watch.setLimits(in.machine)
	in.beginSteps()
	if in.samples != nil {
		in.samples.begins()
	}
	in.initialised = true
	if err := in.refresh(); err != nil {
		in.initialised = false
		return err
	}
	in.touches.begin()
	in.noticed = append(in.noticed, notes{in}.atStart()...)
	in.ledger.begin()
	in.derived.begin()
	return nil
}

// beginSteps clears the history of earlier steps. A method that handles constraints makes a step on a copy, so that the
// first step allocates nothing either.
func (in *Instance) beginSteps() {
	if in.method.Constraints {
		x := append([]float64(nil), in.x...)
		in.solver.Step(problem{in}, 0, in.settings[stepSetting], x)
		in.tires.ignoreFaults()
	}
	in.forgetHistory()
	in.fresh = false
}
