package cosim

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/program"
	"skidpad/model/solver"
	"skidpad/tire"
)

// NotePrefix begins every note.
const NotePrefix = "note: "

// Notes returns remarks about an instance at its start that are not errors. The only remark is that the vehicle does
// not stand still with the solver and its step.
//
// At standstill the brakes hold the wheels, whatever the road does to them, and the slip of the tires acts as a damper
// between vehicle and road. A sliding speed V causes the slip V dS/dV of each tire, and with the slip stiffness K the
// force K V dS/dV. All these forces stop the mass m at the rate r = sum K (dS/dV)/m. A method is stable on the negative
// real axis up to a product L of rate and step. Steps of h > L/r take the vehicle from one side of the standstill to
// the other, with forces as large as friction allows: the vehicle drifts. Strong brakes have a rate of 1/h.
//
// Notes apply to the start: there are none after the first step.
func (in *Instance) Notes() []string {
	begins := in.initialised && in.pendingStep.n == 0 && !in.externallyIntegrated
	if !begins || len(in.sys.program.Braked) == 0 || in.method.Limit == 0 || in.refresh() != nil {
		return nil
	}
	slip, shared := notes{in}.slipRate()
	h := in.settings[stepSetting]
	stands := func(m *solver.Method) bool { return m.Limit == 0 || max(slip*h, brakeRate) < m.Limit }
	if stands(&in.method) {
		return nil
	}
	var others []string
	for _, name := range solver.Names() {
		m, err := solver.Lookup(name)
		if err == nil && stands(&m) && (!m.Constraints || in.sys.program.Constraints > 0) {
			others = append(others, name)
		}
	}
	cause := fmt.Sprintf("the slip of its tires has a rate of %.2g 1/s at standstill, and %s is stable in steps "+
		"below %.2g s at this rate", slip, in.method.Name, in.method.Limit/slip)
	if shared {
		cause += " (with its weight shared by its tires evenly, because they do not carry it at the start)"
	}
	if slip*h < in.method.Limit {
		cause = in.method.Name + " does not follow strong brakes, whose rate is 1/" + StepVariable
	}
	return []string{fmt.Sprintf(NotePrefix+"with %s in steps of %g s the vehicle does not stand still on its brakes: %s; "+
		"in these steps it stands with %s", in.method.Name, h, cause, strings.Join(others, ", "))}
}

// brakeRate is the rate of a strong brake at standstill, times the step.
const brakeRate = 1

// slipRate returns the rate at which the slip of the braked tires stops the vehicle at standstill [1/s], with the
// present loads. If the tires together carry less than half of their shares, the vehicle starts in the air or hardly
// touches the road, and will stand later. Then shared is true, and the rate is for a weight that the tires share
// evenly.
func (in notes) slipRate() (rate float64, shared bool) {
	side, braked := in.machine.Side(program.SlipRates), in.sys.program.Braked
	side.Evaluate(in.x[:len(in.sys.program.States)], in.continued, nil)
	share, missing := in.evenShare(), 0.0
	tires := make([]slippingTire, len(braked))
	for i, call := range braked {
		tires[i] = in.slippingTire(call)
		if load := tires[i].load(); load != nil {
			missing += share/2 - *load
		}
	}
	shared = missing > 0
	for i := range tires {
		t := &tires[i]
		if load := t.load(); load != nil && shared {
			*load = share
		}
		rate += t.stiffness() * side.Value(i)
	}
	in.tires.ignoreFaults()
	in.fresh = false
	return rate, shared
}

// evenShare returns the weight divided by the number of tires [N].
func (in notes) evenShare() float64 {
	side := in.machine.Side(program.Share)
	side.Evaluate(in.x[:len(in.sys.program.States)], in.continued, nil)
	return side.Value(0)
}

// slippingTire is the force function of a tire about straight rolling.
type slippingTire struct {
	tire.Function
	kind      *tire.Kind
	arguments []float64 // nil for a function whose slip damps nothing
}

func (in notes) slippingTire(call int) slippingTire {
	t := slippingTire{Function: in.tires.functions[call], kind: in.tires.kinds[call]}
	if in.sys.program.Calls[call].Carcass != nil { // a carcass holds by its deflection
		return t
	}
	t.arguments = make([]float64, len(t.kind.Inputs))
	in.machine.Arguments(call, t.arguments)
	if alpha := t.argument("alpha"); alpha != nil {
		*alpha = 0
	}
	return t
}

// argument returns an argument of the function, nil if the function does not take it.
func (t *slippingTire) argument(name string) *float64 {
	if k := slices.Index(t.kind.Inputs, name); k >= 0 && t.arguments != nil {
		return &t.arguments[k]
	}
	return nil
}

// load returns the normal force given to the function, nil if the function computes the normal force itself.
func (t *slippingTire) load() *float64 { return t.argument(program.Load) }

// smallSlip is the slip at which the slip stiffness of a tire is evaluated.
const smallSlip = 1e-4

// stiffness returns the derivative of the longitudinal force by the slip [N]; 0 for a function that takes no slip.
func (t *slippingTire) stiffness() float64 {
	slip, force := t.argument("S"), slices.Index(t.kind.Outputs, "Fx")
	if slip == nil || force < 0 {
		return 0
	}
	values := make([]float64, len(t.kind.Outputs)+1) // behind the outputs a function may return its normal force
	var at [2]float64
	for k, s := range []float64{-smallSlip, smallSlip} {
		*slip = s
		t.Eval(t.arguments, values)
		at[k] = values[force]
	}
	return (at[1] - at[0]) / (2 * smallSlip)
}
