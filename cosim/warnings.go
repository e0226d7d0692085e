package cosim

import (
	"fmt"
	"math"
	"slices"
)

// limitOfRK4 is the largest product of eigenvalue and step without a warning; the method is unstable from 2.78 on
// (partial-vehicle specification, 5.5.4).
const limitOfRK4 = 2.5

// Warnings returns warnings about the model, the parameter files of tires and the files of roads, and about likely
// problems of wheel contacts. These problems are an explicit step that is too long for their springs and dampers, at
// the start, and wheels that are upside down, at any time.
func (in *Instance) Warnings() (list []string) {
	for _, n := range (notes{in}).notices() {
		list = append(list, n.text)
	}
	return list
}

// notices returns the warnings that hold for a whole run.
func (in notes) notices() []notice {
	if in.tires == nil {
		return nil
	}
	list := slices.Clip(in.noticed)
	p := in.sys.program
	if in.sys.ownsEnergy() {
		list = append(list, notice{ledgerRule, "energy: a component has this name, so that the model has no ledger of " +
			"energy; rename the component to get a ledger"})
	}
	for i, t := range p.Terrains {
		for _, w := range in.tires.surfaces[i].Warnings {
			list = append(list, notice{roadRule, t.Name + ": " + w})
		}
	}
	list = append(list, in.carcassNotes...)
	list = append(list, assembledRows(in.assembled)...)
	for _, a := range in.acts {
		list = append(list, a.notices()...)
	}
	list = append(list, in.fastNetwork()...)
	if !in.sys.HasDiscreteContacts() || in.method.Implicit || in.pendingStep.n > 0 {
		return list
	}
	if rho := in.stiffness(); rho*in.settings[stepSetting] > limitOfRK4 {
		list = append(list, notice{stepRule, fmt.Sprintf("the largest eigenvalue is about %.4g 1/s, too large for explicit "+
			"steps of %g s; steps of %.2g s are short enough", rho, in.settings[stepSetting], limitOfRK4/rho)})
	}
	return list
}

// stiffness returns the magnitude of the largest eigenvalue [1/s] for the present modes of the wheel contacts. It is
// computed at the first state checked with these modes, so that steps in C between changes of modes need no check.
func (in notes) stiffness() float64 {
	var modes []float64
	for _, c := range in.sys.program.Contacts {
		modes = append(modes, in.u[c.Mode])
	}
	if of := &in.eigenvalue; of.modes == nil || !slices.Equal(of.modes, modes) {
		of.modes, of.magnitude = modes, in.largestEigenvalueMagnitude()
	}
	return in.eigenvalue.magnitude
}

// largestEigenvalueMagnitude estimates the magnitude of the largest eigenvalue of the rates [1/s], by powers of their
// Jacobian. Differences of the rates replace the Jacobian. In an oscillation single powers grow by turns, hence the
// mean of many powers.
func (in notes) largestEigenvalueMagnitude() float64 {
	n := len(in.x)
	at, v, rates, moved := append([]float64(nil), in.x...), make([]float64, n), make([]float64, n), make([]float64, n)
	in.rates(0, at, rates)
	for i := range v {
		v[i] = math.Cos(float64(i)) // a part in every direction
	}
	works := v[n-in.ledger.works:] // works do not affect the motion
	clear(works)
	const first, count = 20, 60 // powers that turn v to the largest eigenvalue, and powers in the mean
	sum := 0.0
	for k := range first + count {
		norm := 0.0
		for _, x := range v {
			norm += x * x
		}
		if norm = math.Sqrt(norm); !(norm > 0) {
			return 0
		}
		if k >= first {
			sum += math.Log(norm)
		}
		const h = 1e-7
		for i := range v {
			v[i] /= norm
			at[i] = in.x[i] + h*v[i]
		}
		in.rates(0, at, moved)
		for i := range v {
			v[i] = (moved[i] - rates[i]) / h
		}
		clear(works)
	}
	in.fresh = false
	return math.Exp(sum / count)
}
