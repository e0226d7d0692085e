package tire

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// CarcassSetting has the settings of a carcass, whose deflection gives the slip of a tire.
type CarcassSetting struct {
	Relaxation string  // name of the relaxation function; "" with kinematic slip, which takes none
	Nominal    float64 // nominal load [N]; 0: the nominal load of the functions
	Usual      float64 // nominal load [N] with kinematic slip, if neither Nominal nor a function gives it
	Stiffness  float64 // slip stiffness [N] at the nominal load, of force functions that do not give it; 0: measured
	Friction   float64 // largest force divided by the load, of the same force functions
	Radius     float64 // unloaded radius [m]
	Turn       bool    // the tire has a turn slip; it is constant if the relaxation function does not return its rate
}

// CarcassParts are the parts of a carcass at the start of a run.
type CarcassParts struct {
	Force, Relaxation         Function
	ForceKind, RelaxationKind *Kind // RelaxationKind is nil with kinematic slip
	// Euler is set for the forward Euler method, which is otherwise unstable: the slide of one step damps at all speeds.
	Euler bool
}

// Carcass is a force function whose slip follows from the deflection of the carcass, a state. It wraps any force
// function and a relaxation function that returns relaxation lengths. One call returns slip, forces and rates.
type Carcass struct {
	CarcassParts
	setting CarcassSetting
	inputs  []string
	results int   // number of results of the force function, with the normal force if it returns its own
	from    []int // sources of the force function's arguments, see argument

	law      carcassLaw
	holding  Differentiable // slip stiffnesses and largest forces of the force function, given or measured
	relaxing Differentiable // relaxation lengths; nil with kinematic slip, and where slip returns the lengths
	probed   bool           // holding was measured
	slip     *slipFunction  // the relaxation function, where the carcass calls it; else nil
	needs    int            // number of arguments, the first ones, that the law takes
	reach    int            // number of arguments, the first ones, on which the law depends, also through the lengths

	lawIn        [lawInputs]float64
	lawOut       [lawResults]float64
	lawJac       [lawResults * lawInputs]float64
	gripJac      [gripResults * gripInputs]float64
	lengthJac    [lengthsTold * lengthInputs]float64
	in, out, jac []float64 // of the force function
	down         []float64
}

// deflected has the arguments of functions that follow from the deflection, with their indices among the law's results.
var deflected = map[string]int{"S": lawS, "alpha": lawAlpha, "q1": lawQ, "q2": lawQ + 1}

// carcassResults are the results of a carcass behind the results of its force function.
var carcassResults = []string{"S", "alpha", "p1dot", "p2dot", "u1", "u2", "q1", "q2"}

// CarcassInputs lists the inputs of a carcass: the inputs of its law, then further inputs of its functions.
func CarcassInputs(force, relaxation *Kind) []string {
	list := slices.Clone(carcassInputs[:lawArguments(relaxation)])
	requested := force.Inputs
	switch {
	case relaxation == nil:
	case TellsLengths(relaxation): // first, because the law depends on the lengths
		requested = slices.Concat(relaxation.Inputs, requested)
	case slices.Contains(relaxation.Outputs, turnRate):
		requested = slices.Concat(requested, relaxation.Inputs)
	}
	for _, name := range requested {
		if _, own := deflected[name]; !own && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// lawArguments is the number of arguments that the law of a carcass takes.
func lawArguments(relaxation *Kind) int {
	if relaxation == nil {
		return carcassArguments
	}
	return atKinematicS
}

// CarcassOutputs lists what a carcass returns around a force function, with the rate of a turn slip or without.
func CarcassOutputs(force *Kind, turn bool) []string {
	list := slices.Concat(force.Outputs, carcassResults)
	if turn {
		list = append(list, turnRate)
	}
	return list
}

const turnRate = "q3dot"

// CarcassFits returns an error if a carcass cannot use a relaxation function.
func CarcassFits(relaxation *Kind) error {
	if relaxation == &stretchedStringLimited {
		return fmt.Errorf("%s freezes a slip that is too large, and thus the deflection; a carcass never stores "+
			"more energy than its force allows: use %s", relaxation.Name, stretchedString.Name)
	}
	return nil
}

// NewCarcass makes a carcass that wraps functions.
func NewCarcass(parts CarcassParts, setting CarcassSetting) (*Carcass, error) {
	t := &Carcass{CarcassParts: parts, setting: setting, needs: lawArguments(parts.RelaxationKind),
		law: carcassLaw{carcassText: carcassText{parts.Euler, parts.RelaxationKind == nil}}}
	if parts.RelaxationKind != nil {
		if err := CarcassFits(parts.RelaxationKind); err != nil {
			return nil, err
		}
	}
	t.inputs = CarcassInputs(parts.ForceKind, parts.RelaxationKind)
	for _, name := range parts.ForceKind.Inputs {
		t.from = append(t.from, t.argument(name))
	}
	t.slip = newSlipFunction(t)
	t.reach = t.slip.reach(t.needs)
	t.results = len(parts.ForceKind.Outputs)
	if _, returnsLoad := parts.Force.(NormalForceSource); returnsLoad {
		t.results++
	}
	n := len(t.from)
	t.in, t.out = make([]float64, n), make([]float64, t.results)
	t.jac, t.down = make([]float64, n*t.results), make([]float64, t.results)
	return t, t.Renew()
}

// argument is the source of an argument of a function: an index among the arguments of the carcass, or -1 - r for
// result r of the law.
func (t *Carcass) argument(name string) int {
	if r, own := deflected[name]; own {
		return -1 - r
	}
	return slices.Index(t.inputs, name)
}

// Inputs lists the arguments of Eval in their order.
func (t *Carcass) Inputs() []string { return t.inputs }

// Renew updates the carcass after parameters of its functions were replaced.
func (t *Carcass) Renew() error {
	t.relaxing = nil
	if own, ok := t.Relaxation.(relaxing); ok {
		t.relaxing = own.lengths()
	}
	if t.relaxing == nil && t.RelaxationKind != nil && !TellsLengths(t.RelaxationKind) {
		return fmt.Errorf("the relaxation function %s does not return its lengths %s, which slip.method = \"carcass\" "+
			"needs; the method \"delayed\" accepts it", t.RelaxationKind.Name, strings.Join(SlipLengths, " and "))
	}
	nominalLoad := t.setting.Nominal
	for _, f := range [...]Function{t.Force, t.Relaxation} {
		if f, ok := f.(nominal); ok && nominalLoad == 0 {
			nominalLoad = f.nominalLoad()
		}
	}
	switch {
	case nominalLoad > 0:
	case t.RelaxationKind == nil:
		nominalLoad = t.setting.Usual
	default:
		return fmt.Errorf("neither the force function %s nor the relaxation function %s has a nominal load, which the "+
			"damper of the carcass needs: give slip.nominal_load", t.ForceKind.Name, t.RelaxationKind.Name)
	}
	t.law.bind(nominalLoad)
	if t.tells() {
		if err := t.slip.checkLengths(t.RelaxationKind, nominalLoad, t.setting.Radius); err != nil {
			return err
		}
	}
	if own, ok := t.Force.(saturating); ok {
		t.holding = own.grip()
		return nil
	}
	if t.probed {
		return nil
	}
	if t.RelaxationKind == nil && !slices.Contains(t.ForceKind.Inputs, "S") &&
		!slices.Contains(t.ForceKind.Inputs, "alpha") {
		t.holding = gripAt{proportionalGrip{usualStiffness, 1}} // has no influence on a function without slip
		return nil
	}
	if t.setting.Stiffness > 0 {
		t.holding = gripAt{proportionalGrip{t.setting.Stiffness / nominalLoad, t.setting.Friction}}
		return nil
	}
	probe, err := newProbe(t.Force, t.ForceKind.Inputs, t.results, nominalLoad, t.setting.Radius)
	if err != nil {
		return fmt.Errorf("the stiffness of the force function %s cannot be measured: %w; give slip.stiffness and "+
			"slip.friction", t.ForceKind.Name, err)
	}
	t.holding, t.probed = gripAt{probe}, true
	return nil
}

const (
	least     = 1e-12 // s, m/s: lower bound of the step and of the low speed
	liftedOff = 1e-12 // N, load below which a tire is in the air
)

// deflect evaluates the law, with its grip and lengths, at arguments of the carcass.
func (t *Carcass) deflect(in []float64) {
	copy(t.lawIn[:], in[:t.needs])
	t.holding.Eval(t.lawIn[:gripInputs], t.lawIn[atStiffness:][:gripResults])
	switch {
	case t.relaxing != nil:
		t.relaxing.Eval(t.lawIn[:lengthInputs], t.lawIn[atLength:][:lengthsTold])
	case t.tells():
		t.slip.eval(in)
		copy(t.lawIn[atLength:][:lengthsTold], t.slip.out[t.slip.lengths:])
	}
	t.law.Eval(t.lawIn[:], t.lawOut[:])
}

// tells reports whether the relaxation function returns its lengths.
func (t *Carcass) tells() bool { return t.relaxing == nil && t.slip != nil }

// slopes computes the derivatives of the law by its arguments, and of the grip and the lengths.
func (t *Carcass) slopes(in []float64) {
	t.law.Jacobian(t.lawIn[:], t.lawJac[:])
	t.holding.Jacobian(t.lawIn[:gripInputs], t.gripJac[:])
	if t.relaxing != nil {
		t.relaxing.Jacobian(t.lawIn[:lengthInputs], t.lengthJac[:])
	}
	if t.slip != nil {
		t.slip.slopes(in)
	}
}

// slope is the derivative of a result of the law by an argument of the carcass.
func (t *Carcass) slope(result, argument int) float64 {
	row := t.lawJac[result*lawInputs:]
	d := 0.0
	if argument < t.needs {
		d = row[argument]
	}
	if argument < gripInputs {
		for i := range gripResults {
			d += row[atStiffness+i] * t.gripJac[i*gripInputs+argument]
		}
	}
	if argument < lengthInputs && t.relaxing != nil {
		for i := range lengthsTold {
			d += row[atLength+i] * t.lengthJac[i*lengthInputs+argument]
		}
	}
	if t.tells() {
		for i := range lengthsTold {
			d += row[atLength+i] * t.slip.slope(t.slip.lengths+i, argument)
		}
	}
	return d
}

// arguments writes the arguments of the force function to inner, after deflect.
func (t *Carcass) arguments(in, inner []float64) {
	for i, from := range t.from {
		if from < 0 {
			inner[i] = t.lawOut[-1-from]
		} else {
			inner[i] = in[from]
		}
	}
}

// forceArguments writes the arguments of the force function to inner, at arguments of the carcass.
func (t *Carcass) forceArguments(in, inner []float64) {
	t.deflect(in)
	t.arguments(in, inner)
}

// ForceArgument returns the source of argument i of the force function: argument k or result k of the carcass.
func (t *Carcass) ForceArgument(i int) (k int, result bool) {
	if k = t.from[i]; k >= 0 {
		return k, false
	}
	return len(t.ForceKind.Outputs) - 1 - k, true
}

// Eval maps arguments in the order of Inputs to the results of the force function, then slip, slip angle [rad], rates
// of the states [J^0.5/s], deflections [m], delayed slips and, if the relaxation function returns it, the rate of the
// turn slip. If the force function returns its own normal force, this load is the last result.
func (t *Carcass) Eval(in, out []float64) {
	t.forceArguments(in, t.in)
	t.Force.Eval(t.in, t.out)
	t.finish(in, out)
}

// finish writes the results of the carcass from those of the force function and of the law.
func (t *Carcass) finish(in, out []float64) {
	n := len(t.ForceKind.Outputs)
	copy(out, t.out[:n])
	if rolling := t.lawOut[lawRolling]; rolling < 1 {
		out[0] = rolling*out[0] + t.lawOut[lawSliding]
		out[1] = rolling*out[1] - t.lawOut[lawSliding+1]
	}
	copy(out[n:], t.lawOut[:lawRolling])
	n += lawRolling
	if t.setting.Turn {
		out[n] = 0
		if t.turns() {
			t.slip.eval(in)
			out[n] = t.slip.out[t.slip.turn]
		}
		n++
	}
	copy(out[n:], t.out[len(t.ForceKind.Outputs):])
}

// turns reports whether the relaxation function knows the turn slip.
func (t *Carcass) turns() bool { return t.slip != nil && t.slip.turn >= 0 }

// Jacobian writes the derivatives of the results of Eval, except the normal force that the force function returns.
func (t *Carcass) Jacobian(in, jac []float64) {
	t.forceArguments(in, t.in)
	t.slopes(in)
	t.forceJacobian()
	t.Force.Eval(t.in, t.out)
	n, m := len(t.inputs), len(t.ForceKind.Outputs)
	clear(jac)
	rolling := t.lawOut[lawRolling]
	for i, from := range t.from {
		if from >= t.reach {
			for o := range m {
				jac[o*n+from] = t.jac[o*len(t.in)+i]
			}
		}
	}
	for k := range t.reach {
		for r := range lawRolling {
			jac[(m+r)*n+k] = t.slope(r, k)
		}
		for i, from := range t.from {
			d := 1.0
			if from < 0 {
				d = t.slope(-1-from, k)
			} else if from != k {
				continue
			}
			for o := range m {
				jac[o*n+k] += d * t.jac[o*len(t.in)+i]
			}
		}
	}
	if rolling < 1 { // only the forces of a lying tire change; its moments are the contact's
		for k := range n {
			jac[k], jac[n+k] = jac[k]*rolling, jac[n+k]*rolling
		}
	}
	for k := range t.reach {
		if rolling < 1 || k == atUpright {
			jac[k] += t.slope(lawRolling, k)*t.out[0] + t.slope(lawSliding, k)
			jac[n+k] += t.slope(lawRolling, k)*t.out[1] - t.slope(lawSliding+1, k)
		}
	}
	if t.turns() {
		for k := range n {
			jac[(m+lawRolling)*n+k] = t.slip.slope(t.slip.turn, k)
		}
	}
}

// forceJacobian computes the Jacobian of the force function at its arguments.
func (t *Carcass) forceJacobian() {
	jacobianOf(t.Force, t.in, t.jac[:len(t.in)*len(t.ForceKind.Outputs)], t.out, t.down)
}

// evalHold evaluates the carcass data at arguments, see carcassHold.
func (t *Carcass) evalHold(in []float64) (h [holdResults]float64) {
	t.deflect(in)
	t.law.holds.Eval(t.lawIn[:], h[:])
	return h
}

// CarcassPlan lists the parts of a carcass, for code that evaluates it in another way with the same results.
type CarcassPlan struct {
	// Law takes the arguments of the carcass, then slip stiffnesses, largest forces and relaxation lengths. Holds takes
	// the same arguments and returns these data within their limits, then two numbers of the damper.
	Law, Holds Function
	// Grip returns the slip stiffnesses and largest forces of the force function. Lengths returns the relaxation lengths;
	// it is nil with kinematic slip, and where the relaxation function returns them.
	Grip, Lengths Function
	// ForceFrom and TurnFrom list the sources of the arguments of the force and the relaxation function: an argument of
	// the carcass, or below 0, for the force function, result -1 - from of the law. An argument of the relaxation
	// function with a source below 0 is 0.
	ForceFrom, TurnFrom []int
	Turns               bool // the rate of a turn slip is the last result of the carcass
	Turn                int  // index of this rate among the results of the relaxation function, -1 where the rate is 0
	Needs               int  // number of arguments that the law takes; the others are 0
}

// Indices among the arguments of the law: CarcassUpright, and the first of the slip stiffnesses and of the relaxation
// lengths. Indices among its results: CarcassRolling, the first after the results of the carcass, and CarcassSliding.
// CarcassLawTakes is the number of arguments of the law.
const (
	CarcassUpright  = atUpright
	CarcassGrip     = atStiffness
	CarcassLengths  = atLength
	CarcassRolling  = lawRolling
	CarcassSliding  = lawSliding
	CarcassLawTakes = lawInputs
)

// Indices among the results of CarcassPlan.Holds: slip stiffnesses [N] and relaxation lengths [m], along and across. A
// tire is in the air up to the load CarcassLifted [N].
const (
	CarcassHoldsStiffness = holdStiffness
	CarcassHoldsLength    = holdLength
	CarcassLifted         = liftedOff
)

// Plan lists the parts of the carcass.
func (t *Carcass) Plan() CarcassPlan {
	plan := CarcassPlan{Law: &t.law, Holds: t.law.holds, Grip: t.holding, Lengths: t.relaxing, ForceFrom: t.from,
		Turns: t.setting.Turn, Turn: -1, Needs: t.needs}
	if t.turns() {
		plan.TurnFrom, plan.Turn = t.slip.from, t.slip.turn
	}
	return plan
}

// Start converts delayed slips q1, q2 to the states p1, p2 [J^0.5] that give these slips at arguments.
func (t *Carcass) Start(in []float64, q [2]float64) (p [2]float64) {
	if !(in[atFz] > liftedOff) {
		return p
	}
	h := t.evalHold(in)
	for i := range p {
		p[i] = startEnergy(h[holdStiffness+i], h[holdLength+i], q[i])
	}
	return p
}

// Notes returns remarks about the carcass at the arguments of the start. For a tire in the air they are for the
// nominal load.
func (t *Carcass) Notes(in []float64) []string {
	if !(in[atFz] > liftedOff) {
		in = slices.Clone(in)
		in[atFz] = t.law.nominal
	}
	h, step := t.evalHold(in), t.lawIn[atStep]
	var notes []string
	if t.law.kinematic && h[holdLength] > standingLength {
		notes = append(notes, fmt.Sprintf("the relaxation length of the standing tire is %.3g m in place of %g m, so "+
			"that steps of %g s follow its wheel", h[holdLength], standingLength, step))
	}
	if !(t.lawIn[atAxial] > 0) {
		return notes
	}
	// The damper is strongest at standstill.
	asked := h[holdDamping] / math.Sqrt(h[holdStiffness]/h[holdLength])
	followed := h[holdFollowed]
	if !(followed < asked) {
		return notes
	}
	return append(notes, fmt.Sprintf("the delay of the damper of the carcass is shortened from %.3g ms to %.3g ms, "+
		"the longest that steps of %g s follow", 1e3*asked, 1e3*followed, step))
}

// Differences writes central differences of the first results of a function at arguments, row by row; up and down hold
// all of its results.
func Differences(f Function, in, jac, up, down []float64) {
	n := len(in)
	for a, x := range in {
		h := 1e-6 * max(1, math.Abs(x))
		in[a] = x + h
		f.Eval(in, up)
		in[a] = x - h
		f.Eval(in, down)
		in[a] = x
		for o := range len(jac) / max(1, n) {
			jac[o*n+a] = (up[o] - down[o]) / (2 * h)
		}
	}
}

// CarcassData returns the data of the law, for independent implementations of the law: slip stiffnesses and largest
// forces [N], relaxation lengths [m], along and across, at a load [N], an inclination [rad], a friction and a rolling
// radius [m], and the nominal load [N].
func (t *Carcass) CarcassData(fz, gamma, mu, radius float64) (stiffness, most, length [2]float64, nominal float64) {
	h := t.evalHold([]float64{atFz: fz, atGamma: gamma, atMu: mu, atReff: radius, carcassArguments - 1: 0})
	for i := range 2 {
		stiffness[i], most[i], length[i] = h[holdStiffness+i], h[holdMost+i], h[holdLength+i]
	}
	return stiffness, most, length, t.law.nominal
}

// setPortable makes the carcass and its functions evaluate their formulas without machine code, or with it again.
func (t *Carcass) setPortable(on bool) {
	t.law.setPortable(on)
	for _, f := range [...]Function{t.Force, t.Relaxation, t.holding, t.relaxing} {
		SetPortable(f, on)
	}
}

func (t *Carcass) makeReady() {
	t.law.makeReady()
	for _, f := range [...]Function{t.Force, t.Relaxation, t.holding, t.relaxing} {
		Prepare(f)
	}
}
