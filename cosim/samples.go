package cosim

import (
	"fmt"
	"math"
	"slices"

	"skidpad/model/program"
)

// sampleKind lets components act that read and write at samples.
var sampleKind = &actKind{
	in: func(p *program.Program) bool { return len(p.Samplers) > 0 },
	output: func(p *program.Program, name string) bool {
		return slices.ContainsFunc(p.Samplers, func(s program.Sampler) bool {
			return slices.ContainsFunc(s.Values, func(v program.SampledValue) bool { return v.Name == name })
		})
	},
	make: func(in *Instance) act {
		in.samples = &samples{in: in, numbers: make([]float64, 1+len(in.sys.program.Samplers))}
		return in.samples
	},
}

// samples are the samples of an instance. A sample is taken when the step from its time on begins: after the inputs of
// this time have been set, and after importers have read the values before it. Importers that handle events can take it
// earlier. Communication steps are cut at the samples within them.
type samples struct {
	plainAct
	in       *Instance
	numbers  []float64 // the time of the start [s], then by sampler how many samples are past
	side     *program.Side
	values   []float64 // of all samplers, after the samples that are taken
	returned []float64 // results of external calls, where a next value depends on them
}

// LeastSample is the shortest time between samples [s].
const LeastSample = 1e-6

// sampleRounding is the tolerance of the times of samples, as a fraction of the solver step, or of a shorter time
// between samples. Importers add up communication steps: after an hour of steps of 1 ms the sum is 3e-7 s off.
const sampleRounding = 1e-3

func (a *samples) open([]string) error {
	a.side = a.in.machine.Side(program.Samples)
	a.returned = make([]float64, a.side.Given())
	n := 0
	for _, s := range a.in.sys.program.Samplers {
		n += len(s.Values)
	}
	a.values = make([]float64, n)
	return nil
}

// past are the numbers of samples that are past, by sampler.
func (a *samples) past() []float64 { return a.numbers[1:] }

// begins makes the time reached the time of the start, from which samples count.
func (a *samples) begins() { a.numbers[0] = a.in.t }

// start holds the start values.
func (a *samples) start() {
	for _, s := range a.in.sys.program.Samplers {
		for _, v := range s.Values {
			a.in.u[v.Control] = a.in.constants[v.Start]
		}
	}
}

// check rejects times between samples that are too short, and samples that steps of constant length do not meet.
func (a *samples) check() error {
	for _, s := range a.in.sys.program.Samplers {
		if sample := a.in.constants[s.Sample]; sample < LeastSample {
			return fmt.Errorf("%s.sample is %g s; it must be at least %g s", s.Name, sample, LeastSample)
		}
		if !a.in.acts.changes() {
			continue
		}
		step := a.in.settings[stepSetting]
		for _, x := range [...]struct {
			key string
			at  int
		}{{"sample", s.Sample}, {"phase", s.Phase}} {
			if n := a.in.constants[x.at] / step; math.Abs(n-math.Round(n)) > 1e-6 {
				return fmt.Errorf("%s.%s is %g s; in models with wheel contacts it must be an integer multiple of the solver step "+
					"of %g s, such as %g s", s.Name, x.key, a.in.constants[x.at], step, max(1, math.Round(n))*step)
			}
		}
	}
	return nil
}

// time is the time of the next sample of a sampler [s], and its tolerance.
func (a *samples) time(sampler int) (t, rounding float64) {
	s := &a.in.sys.program.Samplers[sampler]
	sample := a.in.constants[s.Sample]
	t = a.numbers[0] + (a.in.constants[s.Phase] + a.past()[sampler]*sample)
	return t, sampleRounding*min(sample, a.in.settings[stepSetting]) + 8*ulp*math.Abs(t)
}

// earliest is the time of the next sample of any sampler [s].
func (a *samples) earliest() float64 {
	first := never
	for i := range a.past() {
		t, _ := a.time(i)
		first = min(first, t)
	}
	return first
}

// after is the time of the earliest sample after time t, once the samples at t have been taken, and the latest end of a
// step that this sample does not cut [s].
func (a *samples) after(t float64) (first, uncut float64) {
	first, uncut = never, never
	for i := range a.past() {
		at, rounding := a.time(i)
		if a.isDue(i, t) {
			at += a.in.constants[a.in.sys.program.Samplers[i].Sample]
		}
		first, uncut = min(first, at), min(uncut, at+rounding)
	}
	return first, uncut
}

// uncut is the latest end of a step that no sample cuts [s].
func (a *samples) uncut() float64 {
	end := never
	for i := range a.past() {
		t, rounding := a.time(i)
		end = min(end, t+rounding)
	}
	return end
}

// dueFrom is the earliest time at which a sampler acts [s].
func (a *samples) dueFrom() float64 {
	first := never
	for i := range a.past() {
		t, rounding := a.time(i)
		first = min(first, t-rounding)
	}
	return first
}

// isDue reports whether a sampler acts at time t.
func (a *samples) isDue(sampler int, t float64) bool {
	at, rounding := a.time(sampler)
	return at <= t+rounding
}

// take takes the samples that are due at the time reached: all samplers read, then all write.
func (a *samples) take() error {
	in := a.in
	t := in.timeAfter(in.since)
	active, due := false, false
	for i := range in.sys.program.Samplers {
		if a.isDue(i, t) {
			due, active = true, active || a.acts(i)
		}
	}
	if !due {
		return nil
	}
	if active {
		if err := a.evaluate(t); err != nil {
			return err
		}
	}
	first := 0
	for i, s := range in.sys.program.Samplers {
		if a.isDue(i, t) {
			for k, v := range s.Values {
				if a.acts(i) {
					in.u[v.Control] = a.values[first+k]
				}
			}
			a.count(i, t)
		}
		first += len(s.Values)
	}
	in.fresh = in.fresh && !active
	return nil
}

// acts reports whether a sampler is switched on.
func (a *samples) acts(sampler int) bool {
	return a.in.constants[a.in.sys.program.Samplers[sampler].Active] > 0
}

// evaluate computes the next values of the samplers that act at time t, at the state and the inputs of this time.
func (a *samples) evaluate(t float64) error {
	in := a.in
	if len(a.returned) > 0 {
		in.rates(in.since, in.x, in.dx)
		in.machine.Returned(a.returned)
	} else {
		in.arrange(in.since, in.x)
	}
	a.side.Evaluate(in.x[:len(in.sys.program.States)], in.continued, a.returned)
	if err := in.tires.fault(); err != nil {
		return fmt.Errorf("%w; in a sample at t = %g s", err, t)
	}
	first := 0
	for i, s := range in.sys.program.Samplers {
		next := a.values[first:][:len(s.Values)]
		if a.isDue(i, t) && a.acts(i) {
			if err := a.compute(i, first, next); err != nil {
				return fmt.Errorf("%w; in a sample at t = %g s", err, t)
			}
			if k := firstNonFinite(next); k >= 0 {
				return fmt.Errorf("%w: %s = %v from the sample at t = %g s on; look for a root, a logarithm or a quotient without "+
					"a value, and limit its argument by max and min", ErrNotFinite, s.Values[k].Name, next[k], t)
			}
		}
		first += len(s.Values)
	}
	return nil
}

// compute computes the next values of a sampler, by its function or by its formulas, which begin at value first of the
// side.
func (a *samples) compute(sampler, first int, next []float64) error {
	if c := a.in.tires.controller(sampler); c != nil {
		return c.call(func(argument int) float64 { return a.side.Value(len(a.values) + argument) }, next)
	}
	for k := range next {
		next[k] = a.side.Value(first + k)
	}
	return nil
}

// count counts the sample at time t, with all samples before it that an importer has left out.
func (a *samples) count(sampler int, t float64) {
	a.past()[sampler]++
	if at, rounding := a.time(sampler); at <= t+rounding {
		sample := a.in.constants[a.in.sys.program.Samplers[sampler].Sample]
		a.past()[sampler] += math.Floor((t+rounding-at)/sample) + 1
	}
}

func (a *samples) saved() []float64 { return a.numbers }

// allows reports whether the numbers count samples.
func (a *samples) allows(saved []float64) bool {
	return !slices.ContainsFunc(saved[1:], func(n float64) bool { return n < 0 || n != math.Trunc(n) })
}

// isEvent reports whether a sample is due that importers can take in Event Mode.
func (a *samples) isEvent() bool {
	for i := range a.past() {
		if a.isDue(i, a.in.t) {
			return true
		}
	}
	return false
}

// Samples belong to the begins of steps, not to the ends of solver steps.
func (a *samples) next() float64             { return never }
func (a *samples) do(float64, float64) error { return nil }

// Plans take samples with formulas. Functions are called in Go; the steps between their samples are made by a plan.
func (a *samples) inGo() string { return "" }

// ListedSampler is a component that acts at samples. After Start, the constants are at these places.
type ListedSampler struct {
	Sample, Phase Place // [s]
	Active        Place // 0: it never acts
	Values        []ListedValue
}

// ListedValue is a value that is held in an input.
type ListedValue struct {
	Input int
	Start Place // value before the first sample
}

// list lists the samplers, unless one has a function.
func (a *samples) list(l *Listing, to *program.Listed) (why string) {
	in := a.in
	for i := range in.sys.program.Samplers {
		if in.tires.controller(i) != nil {
			return ""
		}
	}
	if a.side.Given() > 0 {
		l.Samples = a.side.Straight(to, in.machine.ReturnedAt(l.Rates)...)
	} else {
		l.Samples = a.side.Straight(to)
	}
	if l.Samples == nil {
		return noCode
	}
	at := func(constant int) Place { return l.Start.Constants[constant] }
	for _, s := range in.sys.program.Samplers {
		listed := ListedSampler{Sample: at(s.Sample), Phase: at(s.Phase), Active: at(s.Active)}
		for _, v := range s.Values {
			listed.Values = append(listed.Values, ListedValue{v.Control, at(v.Start)})
		}
		l.Samplers = append(l.Samplers, listed)
	}
	return ""
}

// Instances take their samples one by one.
func (a *samples) alone() string { return "" }
