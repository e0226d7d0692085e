package drive

import (
	"fmt"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/constants"
)

// inputPlan is every input that a manoeuvre sets, found by name once, before the run. Signals, drivers and laws hold
// the indices of the plan; nothing derives an index from the order of the inputs.
type inputPlan struct {
	subject Subject
	begins  map[string]float64 // of inputs that were set
	places  map[string]int

	// by index
	channels      []trace.Channel
	references    []uint32
	values, rates []float64 // at the communication point, and their change until the next [1/s]
	given         []float64 // what the subject is set to
	givenRates    []float64
	changing      []bool // a signal or a driver changes the input within steps
	lawful        []bool // a law sets the input

	direct, ramps             []int // all but those of laws; all that change within steps
	directReferences          []uint32
	rampReferences            []uint32
	directValues, rampedRates []float64
}

// group holds the indices of what one signal sets together: a variable alone, height and rate of a road, or position,
// rate and acceleration of a motion.
type group []int

// claims are the sources of inputs at the same time, by index.
type claims map[int]string

func newInputPlan(s Subject, set map[string]float64) inputPlan {
	return inputPlan{subject: s, begins: set, places: map[string]int{}}
}

// inputIndex is the index of an input, which has its start value until it is set.
func (p *inputPlan) inputIndex(name string) (int, error) {
	if at, known := p.places[name]; known {
		return at, nil
	}
	v, err := p.subject.Find(name)
	switch {
	case err != nil:
		return 0, err
	case v.Kind != library.Number:
		return 0, fmt.Errorf("%s is not a number, so no signal and no law can set it; set it once, in [parameters]", name)
	case v.Driver() != "":
		return 0, fmt.Errorf("%s is driven by %s", name, v.Driver())
	case v.Causality == library.Output || v.Causality == library.Local:
		return 0, fmt.Errorf("%s is an output, which the vehicle sets itself; drive the inputs that it follows", name)
	}
	value, isSet := p.begins[name]
	if !isSet {
		value = v.Start
	}
	at := len(p.channels)
	p.places[name] = at
	p.channels = append(p.channels, trace.Channel{Name: name, Unit: v.Unit, Text: v.Text})
	p.references, p.values = append(p.references, v.Reference), append(p.values, value)
	p.changing, p.lawful = append(p.changing, false), append(p.lawful, false)
	return at, nil
}

// group holds the indices of names that are set together.
func (p *inputPlan) group(names ...string) (group, error) {
	g := make(group, len(names))
	for i, name := range names {
		var err error
		if g[i], err = p.inputIndex(name); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// driver returns the inputs set by a signal for a motion driver or for a road.
func (p *inputPlan) driver(name string) (group, error) {
	if _, err := p.subject.Find(name + ".z_dot"); err == nil {
		return p.group(name+".z", name+".z_dot")
	}
	return p.motion(name)
}

// motion returns the inputs of a motion driver: its position, rate and acceleration.
func (p *inputPlan) motion(driver string) (group, error) {
	position := driver + ".angle"
	if _, err := p.subject.Find(position); err != nil {
		if _, err := p.subject.Find(driver + ".position"); err == nil {
			position = driver + ".position" // a driver of a translation
		}
	}
	return p.group(position, driver+".rate", driver+".acceleration")
}

// changes says that inputs change within steps.
func (p *inputPlan) changes(g group) {
	for _, at := range g {
		p.changing[at] = true
	}
}

// claim says who sets inputs, which nothing else may set at the same time.
func (p *inputPlan) claim(c claims, inputs []int, by string) error {
	for _, at := range inputs {
		if other := c[at]; other != "" {
			return fmt.Errorf("%s has two sources at the same time, %s and %s; remove one of them",
				p.channels[at].Name, other, by)
		}
		c[at] = by
	}
	return nil
}

// complete makes the lists that are set in every step, once all inputs are known.
func (p *inputPlan) complete() {
	n := len(p.channels)
	p.direct, p.directReferences, p.ramps, p.rampReferences = nil, nil, nil, nil
	p.rates, p.given, p.givenRates = make([]float64, n), make([]float64, n), make([]float64, n)
	for at, reference := range p.references {
		if !p.lawful[at] {
			p.direct, p.directReferences = append(p.direct, at), append(p.directReferences, reference)
		}
		if p.changing[at] {
			p.ramps, p.rampReferences = append(p.ramps, at), append(p.rampReferences, reference)
		}
	}
	p.directValues, p.rampedRates = make([]float64, len(p.direct)), make([]float64, len(p.ramps))
}

// setDirect sets all inputs but those of laws to what is given.
func (p *inputPlan) setDirect() error {
	for i, at := range p.direct {
		p.directValues[i] = p.given[at]
	}
	return p.subject.Set(p.directReferences, p.directValues)
}

// setRates lets inputs change within the next step.
func (p *inputPlan) setRates(to ramped) error {
	for i, at := range p.ramps {
		p.rampedRates[i] = p.givenRates[at]
	}
	return to.SetRates(p.rampReferences, p.rampedRates)
}

// Fits is the error of a number whose unit is not one for a variable. A name that is no variable has no unit.
func Fits(s Settable, variable string, written constants.Written) error {
	if written == (constants.Written{}) {
		return nil
	}
	v, err := s.Find(variable)
	if err != nil {
		return nil // which setting it tells
	}
	return written.Fits(v.Unit)
}
