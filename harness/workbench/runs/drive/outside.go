package drive

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// Control is a controller outside of the vehicle: a program that reads signals at samples and sets inputs, which hold
// their values between samples. The first sample is at 0 s.
type Control struct {
	Sample  float64  // s, a whole number of communication steps
	Signals []string // variables or roles
	Outputs []string // inputs or roles
	Program Program
}

// Program is the law of a Control. Its errors end the run.
type Program interface {
	Begin(m *manoeuvre.Manoeuvre) error
	// Act computes outputs from signals at t seconds. An input that the manoeuvre sets, too, is a signal with the value
	// of the manoeuvre.
	Act(t float64, signals, outputs []float64) error
	End(verdict string) error
}

// outside is a Control at work.
type outside struct {
	*Control
	every, last int // communication steps from sample to sample, and of the run
	calls       int

	demands        []int    // inputs with the value of the manoeuvre, by signals; -1 of all others
	readReferences []uint32 // of all other signals
	read, signals  []float64

	inputs    []group   // by outputs
	held      []float64 // by outputs
	set       []uint32  // references of all inputs
	setValues []float64
	given     []float64 // all inputs of the run, as recorded
}

// connectControl lets the control of a run set inputs at communication points, h seconds apart.
func (run *Plan) connectControl(d *InputDriver, h float64) error {
	if run.Control == nil {
		return nil
	}
	_, _, steps, err := run.Steps()
	if err != nil {
		return err
	}
	if d.outside, err = newOutside(run.Control, h, steps); err != nil {
		return err
	}
	if err = d.outside.connect(d); err == nil {
		d.complete()
	}
	return err
}

// newOutside checks the sample of a control for a run of steps of h seconds.
func newOutside(c *Control, h float64, steps int) (*outside, error) {
	every := math.Round(c.Sample / h)
	if !(every >= 1) || math.Abs(every*h-c.Sample) > 1e-9*c.Sample {
		return nil, fmt.Errorf("the sample is %g s; it must be a whole number of communication steps of %g s, "+
			"such as %g s", c.Sample, h, math.Max(every, 1)*h)
	}
	if len(c.Outputs) == 0 {
		return nil, fmt.Errorf("there are no outputs; name the inputs that it sets")
	}
	return &outside{Control: c, every: int(every), last: steps}, nil
}

// connect finds what a control reads and sets.
func (o *outside) connect(d *InputDriver) error {
	of := d.manoeuvre.Roles
	if of == nil {
		of = &roles.Roles{}
	}
	for _, output := range o.Outputs {
		sets, err := of.Sets(output)
		if err == nil && len(sets) > 1 {
			err = fmt.Errorf("%s sets inputs by factors of their own; name each input", output)
		}
		if err != nil {
			return err
		}
		g, err := d.group(sets[0].Inputs...)
		if err != nil {
			return err
		}
		for _, at := range g {
			switch name := d.channels[at].Name; {
			case d.lawful[at]:
				return fmt.Errorf("%s is set by a law of [[feedback]] already; remove the law", name)
			case d.inMotion(at):
				return fmt.Errorf("%s belongs to a motion that the manoeuvre prescribes with its rate; a controller in the "+
					"vehicle can drive it", name)
			case slices.ContainsFunc(o.inputs, func(other group) bool { return slices.Contains(other, at) }):
				return fmt.Errorf("%s is named twice", name)
			}
			o.set = append(o.set, d.references[at])
		}
		o.inputs, o.held = append(o.inputs, g), append(o.held, d.values[g[0]])
	}
	o.setValues = make([]float64, len(o.set))
	for _, signal := range o.Signals {
		name, err := of.Variable(signal)
		if err != nil {
			return err
		}
		v, err := d.subject.Find(name)
		if err != nil {
			return err
		}
		if v.Kind != library.Number {
			return fmt.Errorf("%s is not a number, which a control could read", name)
		}
		demand := -1
		if at, is := d.places[name]; is && o.sets(at) {
			demand = at
		} else {
			o.readReferences = append(o.readReferences, v.Reference)
		}
		o.demands = append(o.demands, demand)
	}
	o.read, o.signals = make([]float64, len(o.readReferences)), make([]float64, len(o.Signals))
	return nil
}

// sets reports whether the control sets an input.
func (o *outside) sets(at int) bool {
	return slices.ContainsFunc(o.inputs, func(g group) bool { return slices.Contains(g, at) })
}

// inMotion reports whether an input belongs to a motion or a road that the manoeuvre prescribes.
func (d *InputDriver) inMotion(at int) bool {
	in := func(g group) bool { return len(g) > 1 && slices.Contains(g, at) }
	of := func(list []signalTarget) bool {
		return slices.ContainsFunc(list, func(t signalTarget) bool { return slices.ContainsFunc(t.groups, in) })
	}
	return of(d.always) || slices.ContainsFunc(d.path.drivers, in) ||
		slices.ContainsFunc(d.phases, func(p phaseDrive) bool { return of(p.inputs) })
}

// hold keeps the values of the control in place of those of the manoeuvre.
func (o *outside) hold(d *InputDriver) {
	for i, g := range o.inputs {
		for _, at := range g {
			d.given[at], d.givenRates[at] = o.held[i], 0
		}
	}
}

// act lets the program act if a sample is due at t seconds, before the next step.
func (o *outside) act(d *InputDriver, t float64) error {
	call := o.calls
	o.calls++
	if d.Done || call >= o.last || call%o.every != 0 {
		return nil
	}
	if err := d.subject.Get(o.readReferences, o.read); err != nil {
		return err
	}
	next := 0
	for i, at := range o.demands {
		if at >= 0 {
			o.signals[i] = d.values[at]
			continue
		}
		o.signals[i] = o.read[next]
		next++
	}
	if err := o.Program.Act(t, o.signals, o.held); err != nil {
		return err
	}
	k := 0
	for i, g := range o.inputs {
		if x := o.held[i]; x-x != 0 {
			return fmt.Errorf("the control sets %s to %v; it must be a finite number", o.Outputs[i], x)
		}
		for range g {
			o.setValues[k] = o.held[i]
			k++
		}
	}
	return d.subject.Set(o.set, o.setValues)
}

// recorded are the values of the inputs with those of the control.
func (o *outside) recorded(values []float64) []float64 {
	o.given = append(o.given[:0], values...)
	for i, g := range o.inputs {
		for _, at := range g {
			o.given[at] = o.held[i]
		}
	}
	return o.given
}
