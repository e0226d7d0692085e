package cosim

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/program"
	"skidpad/tire"
)

// limitOfRK4 is what the largest eigenvalue and the step may have as their product; the method
// is unstable from 2.78 on (partial-vehicle specification, 5.5.4).
const limitOfRK4 = 2.5

// WarningPrefix begins every warning about the model file and the start, which are for its author.
const WarningPrefix = "warning: "

// warnings are lines with the prefix.
func warnings(lines []string) (list []string) {
	for _, line := range lines {
		list = append(list, WarningPrefix+line)
	}
	return list
}

// Warnings says what is to be noticed in the model, the parameter files of tires and the files of roads, and
// what is likely to go wrong with wheel contacts: an explicit step that is too long
// for their springs and dampers, at the start, and wheels that are upside down, at any time.
func (in *Instance) Warnings() []string {
	if in.tires == nil {
		return nil
	}
	list := slices.Clip(in.noticed)
	p := in.sys.program
	if in.sys.ownsEnergy() {
		list = append(list, "energy: the component of this name keeps its variables, so that the model has no ledger of "+
			"energy; give it another name for one")
	}
	for i, t := range p.Terrains {
		for _, w := range in.tires.surfaces[i].Warnings {
			list = append(list, t.Name+": "+w)
		}
	}
	list = append(list, in.carcassNotes...)
	for i := range p.Contacts {
		c := &p.Contacts[i]
		w := in.wheelOf(c, in.x)
		if !(w.rim[2] > w.contact[2]) {
			list = append(list, fmt.Sprintf("%s: the rim, at %.3g m, is not above the contact mass, at %.3g m", c.Name,
				w.rim[2], w.contact[2]))
		}
	}
	if len(p.Contacts) == 0 || in.method.Implicit || in.pendingStep.n > 0 {
		return list
	}
	if rho := in.largestEigenvalueMagnitude(); rho*in.settings[stepSetting] > limitOfRK4 {
		list = append(list, fmt.Sprintf("the largest eigenvalue is about %.4g 1/s, too large for explicit steps of "+
			"%g s; steps of %.2g s are short enough", rho, in.settings[stepSetting], limitOfRK4/rho))
	}
	return list
}

// RangeWarnings says what tire functions warn of, which tires have left the ranges in which their parameters or their
// contacts hold, since the last call, each once until it has come back, and which springs are shorter or longer than
// their limits, each once in a run.
func (in *Instance) RangeWarnings() []string {
	if in.tires == nil {
		return nil
	}
	list := in.slow.texts
	in.slow.texts = nil
	list = append(list, in.endWarning()...)
	for i, f := range in.tires.functions {
		if w, ok := f.(tire.WarningSource); ok {
			for _, text := range w.Warnings() {
				list = append(list, in.tires.names[i]+": "+text)
			}
		}
	}
	list = append(list, in.contactNotes()...)
	if len(in.tires.ranged)+len(in.exceeded) == 0 || in.refresh() != nil {
		return list
	}
	list = append(list, in.lengthWarnings()...)
	for i := range in.tires.ranged {
		r := &in.tires.ranged[i]
		x, end := *in.at(r), r.high
		if x < r.low {
			end = r.low
		}
		beyond := x < r.low || x > r.high
		if beyond && !r.beyond {
			list = append(list, fmt.Sprintf("%s: at %g s %s is %.4g, outside of the range of the tire's "+
				"parameters, which ends at %.4g", in.tires.names[r.call], in.t, r.input, x, end))
		}
		r.beyond = beyond
	}
	return list
}

// at is where the input of a tire function stands after rates.
func (in *Instance) at(r *ranged) *float64 {
	if r.result {
		return in.machine.Result(r.call, r.at)
	}
	return in.machine.Argument(r.call, r.at)
}

// lengthWarnings says which lengths are beyond their limits for the first time, among those that are published. The
// outputs must be fresh.
func (in *Instance) lengthWarnings() (list []string) {
	for i, l := range in.sys.program.Limits {
		outside, watched := in.watchedLength(l)
		if in.exceeded[i] || !watched {
			continue
		}
		side, err := in.Get(outside)
		if err != nil || side == 0 {
			continue
		}
		in.exceeded[i] = true
		limit := "below length_min"
		if side > 0 {
			limit = "above length_max"
		}
		length, _ := in.sys.Find(l.Component + "." + l.Length)
		x, _ := in.Get(length) // has a value as outside has
		list = append(list, fmt.Sprintf("%s: at %g s the %s is %.4g %s, %s; this is reported once in a run",
			l.Component, in.t, l.Length, x, l.Unit, limit))
	}
	return list
}

// watchedLength is the variable that says on which side a length is beyond a limit, where both are published.
func (in *Instance) watchedLength(l program.LengthLimit) (outside int, watched bool) {
	outside, watched = in.sys.Find(l.Component + ".outside")
	_, published := in.sys.Find(l.Component + "." + l.Length)
	return outside, watched && published
}

// largestEigenvalueMagnitude estimates the magnitude of the largest eigenvalue of the rates, by powers of their
// Jacobian that differences of the rates stand for [1/s]. In an oscillation single powers grow
// by turns, hence the mean of many.
func (in *Instance) largestEigenvalueMagnitude() float64 {
	n := len(in.x)
	at, v, rates, moved := append([]float64(nil), in.x...), make([]float64, n), make([]float64, n), make([]float64, n)
	in.rates(0, at, rates)
	for i := range v {
		v[i] = math.Cos(float64(i)) // of every direction something
	}
	works := v[n-in.ledger.works:] // which do not come back to the motion
	clear(works)
	const first, count = 20, 60 // powers that count, after some that turn to the largest
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
