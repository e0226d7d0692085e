package harness

import (
	"maps"
	"os"
	"slices"
)

// Manoeuvre is what is done to a vehicle: a validated file of
// resources/manoeuvres. Only ReadManoeuvre and ParseManoeuvre build it.
type Manoeuvre struct {
	Name     string
	Title    string
	Source   string   // where the numbers come from
	Models   []string // names of the models it is meant for
	Duration float64  // s
	Step     float64  // communication step, s
	Start    []StartValue
	Inputs   []InputSignal
}

// StartValue replaces a model's start value.
type StartValue struct {
	Variable string
	Value    float64 // in the variable's unit
}

// InputSignal drives inputs with one signal: either variables, which take its
// value, or motion drivers, whose angle, rate and acceleration it supplies.
type InputSignal struct {
	Variables []string // "brake_FL.torque"
	Drivers   []string // "steer_FL"
	Signal    Signal
}

// ReadManoeuvre reads a manoeuvre file. Everything wrong with it is reported
// together, with file, line and column.
func ReadManoeuvre(path string) (*Manoeuvre, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseManoeuvre(path, data)
}

// ParseManoeuvre is ReadManoeuvre for the bytes of a file called file.
func ParseManoeuvre(file string, data []byte) (*Manoeuvre, error) {
	doc, top, err := parseDocument(file, data)
	if err != nil {
		return nil, err
	}
	m := &Manoeuvre{
		Name: top.text("name"), Title: top.text("title"), Source: top.text("source"), Models: top.texts("models"),
		Duration: top.positive("duration"), Step: top.positive("step"),
	}
	if start := top.table("start"); start != nil {
		for _, name := range slices.Sorted(maps.Keys(start.values)) {
			m.Start = append(m.Start, StartValue{name, start.number(name)})
		}
	}
	driven := map[string]bool{}
	for _, input := range top.tables("input") {
		m.Inputs = append(m.Inputs, input.inputSignal(driven))
	}
	top.refuseUnknown()
	if err := doc.err(); err != nil {
		return nil, err
	}
	return m, nil
}

// inputSignal reads one table [[input]]; driven holds what others drive already.
func (t *table) inputSignal(driven map[string]bool) InputSignal {
	var input InputSignal
	_, variables := t.values["variables"]
	_, drivers := t.values["drivers"]
	key := "variables"
	switch {
	case variables && drivers:
		t.doc.fault(t.path, `an input has both "variables" and "drivers"; it drives either`)
		t.known["variables"], t.known["drivers"] = true, true
	case drivers:
		key = "drivers"
		input.Drivers = t.texts(key)
	default:
		input.Variables = t.texts(key)
	}
	for i, name := range append(input.Variables, input.Drivers...) {
		if driven[name] {
			t.doc.fault(index(join(t.path, key), i), "%q is driven twice", name)
		}
		driven[name] = true
	}
	if signal := t.table("signal"); signal != nil {
		input.Signal = signal.signal()
	} else if _, given := t.values["signal"]; !given {
		t.doc.fault(t.path, `key "signal" is missing; it is a table such as { kind = "constant", value = 0.0 }`)
	}
	t.refuseUnknown()
	return input
}

// signal reads a table that describes a signal.
func (t *table) signal() (signal Signal) {
	switch kind := t.text("kind"); kind {
	case "constant":
		signal = Constant(t.number("value"))
	case "sine":
		signal = Sine{Amplitude: t.number("amplitude"), Period: t.positive("period")}
	case "piecewise-linear":
		signal = t.piecewiseLinear()
	case "": // reported by text
		return nil
	default:
		t.doc.fault(join(t.path, "kind"), `signal kind %q; allowed are "constant", "sine", "piecewise-linear"`, kind)
		return nil
	}
	t.refuseUnknown()
	return signal
}

func (t *table) piecewiseLinear() PiecewiseLinear {
	p := PiecewiseLinear{Time: t.numbers("time"), Value: t.numbers("value")}
	if len(p.Time) != len(p.Value) && p.Time != nil && p.Value != nil {
		t.doc.fault(join(t.path, "value"), "%d values for %d times; each time needs one", len(p.Value), len(p.Time))
	}
	for i := 1; i < len(p.Time); i++ {
		if p.Time[i] <= p.Time[i-1] {
			t.doc.fault(index(join(t.path, "time"), i), "time %g after %g; times must increase", p.Time[i], p.Time[i-1])
		}
	}
	return p
}
