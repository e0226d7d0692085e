package fmu

import (
	"errors"
	"fmt"

	"skidpad/cosim"
	"skidpad/tire"
)

// refresh computes all values of the window, unless they are current.
func (c *Component) refresh() error {
	if c.current {
		return nil
	}
	if err := c.engine.Prepare(); err != nil {
		return err
	}
	if err := c.engine.Values(c.values); err != nil {
		return err
	}
	c.current = true
	return nil
}

// unknownReference is the error for a reference that no variable has.
func (t *Table) unknownReference(r uint32) error {
	return fmt.Errorf("unknown value reference %d; the model has 0 to %d", r, len(t.Variables)-1)
}

// uncomputed answers a call that reads a value which cannot be computed. The status is Discard while the importer tries
// start values or states: the instance does not change, and the importer can try others. After the initialisation only
// tire functions fail. A tire function that does not ask for a shorter step is broken, and the instance fails.
func (c *Component) uncomputed(err error) Status {
	tried := c.mode&(instantiated|initialization) != 0 ||
		c.mode&(event|continuous) != 0 && errors.Is(err, tire.ErrShorter)
	if tried {
		return c.discard(err)
	}
	return c.fail(err)
}

// variable returns the variable of a reference, and an error if there is none, or if it has another type.
func (c *Component) variable(r uint32, t Type) (*Variable, error) {
	if int64(r) >= int64(len(c.table.Variables)) {
		return nil, c.table.unknownReference(r)
	}
	v := &c.table.Variables[r]
	if v.Type != t {
		names := [...]string{"a floating-point number", "a Boolean", "a String"}
		return nil, fmt.Errorf("%s (value reference %d) is %s, not %s", v.Name, r, names[v.Type], names[t])
	}
	return v, nil
}

// Get reads numbers of a type, Real or Boolean (as 0 and 1).
func (c *Component) Get(t Type, references []uint32, values []float64) Status {
	if err := c.checkCallAllowed(CallGet); err != nil {
		return c.fail(err)
	}
	status := OK
	compute := false
	for _, r := range references {
		v, err := c.variable(r, t)
		if err != nil {
			return c.fail(err)
		}
		if err := c.checkNamed(v); err != nil {
			return c.fail(err)
		}
		compute = compute || !v.HasStart()
		if !v.HasStart() && v.Causality != Independent && status == OK {
			if status = c.warnOfEarlyReading(v.Name); status == Error {
				return status
			}
		}
	}
	if c.mode&(instantiated|failed) != 0 && !compute || c.mode == failed && !c.current {
		return c.stored(references, values, status)
	}
	if err := c.refresh(); err != nil {
		return c.uncomputed(err)
	}
	for i, r := range references {
		value, err := c.value(r)
		if err != nil { // the instance can continue without this value
			return c.discard(err)
		}
		values[i] = value
	}
	return status
}

// warnOfEarlyReading warns of a computed value that is read in Instantiated, which FMI 2.0 does not allow.
func (c *Component) warnOfEarlyReading(name string) Status {
	if c.mode != instantiated || c.settings.Version != 2 {
		return OK
	}
	return c.warn(name + " is read before initialization; it is computed from the values set so far")
}

// stored reads values from the engine, one by one, without computing the window. A value that the engine cannot
// compute, because the model fails, is an error: the window holds its value of another time.
func (c *Component) stored(references []uint32, values []float64, status Status) Status {
	for i, r := range references {
		v := &c.table.Variables[r]
		get := c.engine.Get
		if v.Initial == Calculated {
			get = c.engine.Computed
		}
		value, err := get(v.index)
		if err != nil {
			return c.uncomputed(fmt.Errorf("%s cannot be read: %w", v.Name, err))
		}
		values[i] = value
	}
	return status
}

// checkNamed returns an error if a variable cannot be read in Intermediate Update Mode.
func (c *Component) checkNamed(v *Variable) error {
	if c.mode == intermediate && !c.allowedInIntermediateUpdate(v.Reference) {
		return fmt.Errorf("%s was not named as an intermediate variable at instantiation", v.Name)
	}
	return nil
}

// allowedInIntermediateUpdate reports whether a variable can be used in Intermediate Update Mode.
func (c *Component) allowedInIntermediateUpdate(r uint32) bool {
	for _, k := range c.settings.IntermediateReferences {
		if k == r {
			return true
		}
	}
	return false
}

// settable returns an error if a variable cannot be set now.
func (c *Component) settable(v *Variable) error {
	switch {
	case v.Causality == Input:
		if c.mode == intermediate && !(c.allowedInIntermediateUpdate(v.Reference) && c.pausing.set) {
			return fmt.Errorf("%s cannot be set in this intermediate update", v.Name)
		}
		return nil
	case c.integrated(v.Reference):
		return nil
	case v.Causality == Independent || !v.HasStart():
		return c.engine.System().Computed(v.index)
	case v.Variability == Tunable && c.mode&(event|step) != 0:
		return nil
	case v.Variability == Tunable && c.mode&(continuous|intermediate) != 0:
		return fmt.Errorf("%s is a tunable parameter and cannot be set in %v; set it in Event Mode or between steps",
			v.Name, c.mode)
	case c.mode&(instantiated|initialization) == 0:
		return fmt.Errorf("%s, of causality %v, cannot be set in %v; set it before ExitInitializationMode",
			v.Name, v.Causality, c.mode)
	}
	return nil
}

// integrated reports whether a variable is a state that the importer may set now, since its solver integrates it.
func (c *Component) integrated(r uint32) bool {
	_, state := c.states[r]
	return state && c.mode == continuous
}

// SetReal sets numbers: all of them, or none if one is rejected. In Continuous-Time Mode it also sets states, and
// treats values that are not finite like SetContinuousStates.
func (c *Component) SetReal(references []uint32, values []float64) Status {
	if err := c.checkCallAllowed(CallSet); err != nil {
		return c.fail(err)
	}
	for i, r := range references {
		v, err := c.variable(r, Real)
		if err == nil {
			err = c.settable(v)
		}
		if err == nil && c.integrated(r) {
			if !finite(values[i]) {
				return c.discard(fmt.Errorf("%s = %v: the value must be a finite number", v.Name, values[i]))
			}
			continue
		}
		if err == nil {
			err = c.engine.Check(v.index, values[i])
		}
		if err != nil {
			return c.fail(err)
		}
	}
	c.keepOutputs(c.values[c.inputs[0]:c.inputs[1]])
	for i, r := range references {
		var err error
		if c.integrated(r) {
			err = c.engine.SetState(c.states[r], values[i])
		} else {
			err = c.engine.Set(c.table.Variables[r].index, values[i])
		}
		if err != nil {
			return c.fail(err)
		}
		if int64(r) < int64(len(c.values)) {
			c.values[r] = values[i]
		}
	}
	if c.mode&(step|intermediate) == 0 {
		c.current = false
	}
	return OK
}

// GetString reads String variables.
func (c *Component) GetString(references []uint32) ([]string, Status) {
	if err := c.checkCallAllowed(CallGet); err != nil {
		return nil, c.fail(err)
	}
	var texts []string
	for _, r := range references {
		v, err := c.variable(r, String)
		if err != nil {
			return nil, c.fail(err)
		}
		text, err := c.engine.Text(v.Name)
		if err != nil {
			return nil, c.fail(err)
		}
		texts = append(texts, text)
	}
	return texts, OK
}

// SetString sets String variables.
func (c *Component) SetString(references []uint32, texts []string) Status {
	if err := c.checkCallAllowed(CallSet); err != nil {
		return c.fail(err)
	}
	for i, r := range references {
		v, err := c.variable(r, String)
		if err == nil {
			err = c.settable(v)
		}
		if err == nil {
			err = c.engine.SetText(v.Name, texts[i])
		}
		if err != nil {
			return c.fail(err)
		}
	}
	c.invalidateWindow()
	return OK
}

// SetBoolean rejects every reference: no Boolean can be set.
func (c *Component) SetBoolean(references []uint32) Status {
	if err := c.checkCallAllowed(CallSet); err != nil {
		return c.fail(err)
	}
	if len(references) == 0 {
		return OK
	}
	v, err := c.variable(references[0], Boolean)
	if err != nil {
		return c.fail(err)
	}
	return c.fail(fmt.Errorf("%s is computed by the model and cannot be set", v.Name))
}

// RejectUnsupportedType answers a call about variables of a type that no model has.
func (c *Component) RejectUnsupportedType(set bool, kind string, references []uint32) Status {
	call := CallGet
	if set {
		call = CallSet
	}
	if err := c.checkCallAllowed(call); err != nil {
		return c.fail(err)
	}
	if len(references) > 0 {
		return c.fail(fmt.Errorf("value reference %d: the model has no variable of type %s", references[0], kind))
	}
	return OK
}

// derivativeVariables checks the variables of a call about derivatives, and returns their indices in the engine.
func (c *Component) derivativeVariables(unknowns, knowns []uint32) (rows, columns []int, err error) {
	for _, list := range [...][]uint32{unknowns, knowns} {
		for _, r := range list {
			if _, err := c.variable(r, Real); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, r := range unknowns {
		v := &c.table.Variables[r]
		if all := c.engine.System().Variables(); v.index < len(all) && all[v.index].Driver != "" {
			return nil, nil, fmt.Errorf("%s is a local variable driven within the model; only outputs and rates of states "+
				"have derivatives", v.Name)
		}
	}
	return c.indices(unknowns), c.indices(knowns), nil
}

// indices are the engine's variables of references that the table has.
func (c *Component) indices(references []uint32) []int {
	list := make([]int, len(references))
	for i, r := range references {
		list[i] = c.table.Variables[r].index
	}
	return list
}

// DirectionalDerivative writes the sensitivity of unknowns for seeds of the knowns.
func (c *Component) DirectionalDerivative(unknowns, knowns []uint32, seed, sensitivity []float64) Status {
	if err := c.checkCallAllowed(CallDerivatives); err != nil {
		return c.fail(err)
	}
	rows, columns, err := c.derivativeVariables(unknowns, knowns)
	if err == nil && (len(seed) != len(knowns) || len(sensitivity) != len(unknowns)) {
		err = fmt.Errorf("%d seeds for %d knowns and %d sensitivities for %d unknowns; the counts must agree", len(seed),
			len(knowns), len(sensitivity), len(unknowns))
	}
	if err != nil {
		return c.fail(err)
	}
	return c.differentiated(c.engine.Directional(rows, columns, seed, sensitivity))
}

// differentiated returns the status of a call about derivatives. It is Discard if the derivative does not
// exist at this point: the importer can go on to another point.
func (c *Component) differentiated(err error) Status {
	_, misnamed := errors.AsType[cosim.VariableError](err)
	switch {
	case err == nil:
		return OK
	case misnamed:
		return c.fail(err)
	case errors.Is(err, cosim.ErrNotDifferentiable):
		return c.discard(err)
	}
	return c.uncomputed(err)
}

// AdjointDerivative writes the sensitivity of knowns for seeds of the unknowns.
func (c *Component) AdjointDerivative(unknowns, knowns []uint32, seed, sensitivity []float64) Status {
	if err := c.checkCallAllowed(CallDerivatives); err != nil {
		return c.fail(err)
	}
	rows, columns, err := c.derivativeVariables(unknowns, knowns)
	if err == nil && (len(seed) != len(unknowns) || len(sensitivity) != len(knowns)) {
		err = fmt.Errorf("%d seeds for %d unknowns and %d sensitivities for %d knowns; the counts must agree", len(seed),
			len(unknowns), len(sensitivity), len(knowns))
	}
	if err != nil {
		return c.fail(err)
	}
	return c.differentiated(c.engine.Adjoint(rows, columns, seed, sensitivity))
}

// Dependencies lists what a variable depends on, as the model description does: in
// Initialization Mode at the start, otherwise during the simulation.
func (c *Component) Dependencies(r uint32) ([]uint32, Status) {
	if int64(r) >= int64(len(c.table.Variables)) {
		return nil, c.fail(c.table.unknownReference(r))
	}
	lists := [][]Unknown{c.table.Outputs, c.table.Derivatives}
	if c.mode == initialization {
		lists = [][]Unknown{c.table.Initial}
	}
	for _, list := range lists {
		for _, u := range list {
			if u.Reference == r {
				return u.Dependencies, OK
			}
		}
	}
	return nil, OK
}

// errCount is the error for arrays of the wrong length.
var errCount = errors.New("the array has the wrong length")
