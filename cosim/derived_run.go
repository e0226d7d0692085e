package cosim

import (
	"errors"
	"fmt"
)

// RunDerivatives are the exact derivatives of a run: of the steps that an instance makes (specification of gradients,
// sections 1.1 to 1.4). Directions of parameters, start values and inputs are carried along with the steps. A recorded
// run can be gone back over, which gives the derivatives of a weighted sum of outputs and states by everything at once.
type RunDerivatives struct {
	in     *Instance
	origin *Instance // at the start, before the initialisation; nil before
	stages stages
	tangents
	record
	adjoints

	stateAt []int // index of the variable with the value of each state
}

// CarryDerivatives lets the next run of an instance carry derivatives, until the instance is reset. A number of
// directions is carried along, 0 for none. With memory above 0 [bytes] the run is recorded in at most about that many
// bytes. The derivatives replace those of an earlier call.
func (in *Instance) CarryDerivatives(directions int, memory int64) (*RunDerivatives, error) {
	switch {
	case in.initialised:
		return nil, errors.New("derivatives of a run begin before the initialisation; reset the instance first")
	case directions < 0 || directions > mostDirections:
		return nil, fmt.Errorf("%d directions; allowed are 0 to %d", directions, mostDirections)
	case memory < 0:
		return nil, fmt.Errorf("a record in %d bytes; the number must not be negative", memory)
	}
	r := &RunDerivatives{in: in, stateAt: make([]int, len(in.sys.program.States))}
	for i := range in.sys.variables {
		if v := &in.sys.variables[i]; v.State >= 0 && v.Kind != Rate {
			r.stateAt[v.State] = i
		}
	}
	r.tangents.make(r, directions)
	r.record.limit = memory
	in.derived = r
	return r, nil
}

// Derivatives returns the derivatives that the run carries, nil for none.
func (in *Instance) Derivatives() *RunDerivatives { return in.derived }

// Directions is the number of directions that are carried along.
func (r *RunDerivatives) Directions() int {
	if r == nil {
		return 0
	}
	return len(r.tangents.of)
}

// Memory is the memory of the record [bytes], 0 for none.
func (r *RunDerivatives) Memory() int64 {
	if r == nil {
		return 0
	}
	return r.record.limit
}

// mostDirections bounds the directions of a run, and with them its memory.
const mostDirections = 10_000

// refusal is the reason why a run of the instance has no derivatives, "" if it has. The instance is prepared.
func (in *Instance) refusal() string {
	switch {
	case in.method.Tableau == nil:
		return "the method " + in.method.Name + " has none; use euler, heun or rk4 as " + MethodVariable
	case in.acts.changes():
		return "impacts of wheel contacts act between steps"
	case in.samples != nil:
		return "components that act at samples have none"
	case in.tires.states > 0 || len(in.tires.receivers) > 0 || len(in.tires.observers) > 0:
		return "a tire function has states, or receives poses or steps"
	case !in.onLevelGround():
		return "the ground is not level, or has two frictions"
	case in.ledger.works > 0:
		return "works are recorded; leave " + RecordVariable + " off"
	case in.assembled != "":
		return "the start was changed to satisfy constraints: " + in.assembled + "; give start values that satisfy them"
	}
	return ""
}

// ErrNoGradient is wrapped by errors about runs that have no derivatives.
var ErrNoGradient = errors.New("the run has no derivatives")

// prepare begins the run before the instance is initialised.
func (r *RunDerivatives) prepare() error {
	if r == nil {
		return nil
	}
	if why := r.in.refusal(); why != "" {
		return fmt.Errorf("%w: %s", ErrNoGradient, why)
	}
	r.End()
	origin, err := r.in.copied()
	if err != nil {
		return err
	}
	r.origin = origin
	return r.tangents.begin()
}

// begin begins the run, once the instance is initialised.
func (r *RunDerivatives) begin() {
	if r != nil {
		r.stages.take(r.in, r.carry)
		r.record.begin(r)
		r.adjoints.begin(r)
	}
}

// copied returns a new instance with the state of the instance, prepared.
func (in *Instance) copied() (*Instance, error) {
	bytes := make([]byte, in.StateSize())
	if err := in.Save(bytes); err != nil {
		return nil, err
	}
	other, err := in.sys.Instantiate()
	if err != nil {
		return nil, err
	}
	if err := other.Restore(bytes); err != nil {
		other.Close()
		return nil, err
	}
	return other, other.Prepare()
}

// End lets the instance go on without derivatives.
func (r *RunDerivatives) End() {
	if r == nil || r.origin == nil {
		return
	}
	r.stages.release()
	r.record.end()
	r.origin.Close()
	r.origin = nil
	if r.in.initialised {
		r.in.derived = nil
	}
}

// beginStep begins a communication step of h [s].
func (r *RunDerivatives) beginStep(h float64) error {
	if r == nil {
		return nil
	}
	if r.adjoints.active {
		return errors.New("the run was gone back over; it cannot go on")
	}
	r.tangents.keep()
	r.record.beginStep(r.in, h)
	return nil
}

// putBack takes everything back to the begin of a communication step that failed.
func (r *RunDerivatives) putBack() {
	if r != nil {
		r.tangents.putBack()
		r.record.putBack()
	}
}

// endStep ends a communication step of h [s].
func (r *RunDerivatives) endStep(h float64) error {
	if r == nil {
		return nil
	}
	r.tangents.advance(h)
	return r.record.endStep(r.in)
}

// carry takes the solver step that the stages hold into the directions and into the record.
func (r *RunDerivatives) carry(h float64) {
	r.tangents.carry(&r.stages, h)
	r.record.keepStages(&r.stages, h)
}
