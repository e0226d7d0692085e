package cosim

import (
	"slices"

	"skidpad/model/program"
)

// Rows are numbers of a caller, in a row for each instance of a fleet: values of variables.
type Rows struct {
	Variables []int
	Row       func(place int) []float64
}

// take gives an instance its inputs.
func (in *Instance) take(rows *Rows, place int) error {
	if len(rows.Variables) == 0 {
		return nil
	}
	row := rows.Row(place)
	for k, i := range rows.Variables {
		if i >= len(in.sys.variables) || in.sys.variables[i].Kind != Input {
			if err := in.Set(i, row[k]); err != nil {
				return err
			}
			continue
		}
		v, value := &in.sys.variables[i], row[k]
		if value-value != 0 || v.Nonnegative && value < 0 {
			return in.Check(i, value)
		}
		in.setInput(v.source, value)
	}
	return nil
}

// give writes values of an instance.
func (in *Instance) give(rows *Rows, place int) (err error) {
	if len(rows.Variables) == 0 {
		return nil
	}
	row := rows.Row(place)
	for k, i := range rows.Variables {
		if row[k], err = in.Get(i); err != nil {
			return err
		}
	}
	return nil
}

// reading says where the lanes of a program have the values of variables.
type reading struct {
	variables []int
	readout   *program.Readout // nil where nothing has to be computed
	places    []readPlace
	energies  bool // some are energies
	returned  int  // result of the readout: the first number that tire functions have returned, for energies
}

// readPlace is where the lanes have a value.
type readPlace struct {
	kind readKind
	at   int // a state, or a result of the readout
}

type readKind uint8

const (
	readInstance readKind = iota // the instance is asked
	readState
	readResult
	readTouch     // 1 where the result is above 0, unless contacts change by events
	readIndicator // the result, unless contacts change by events
	readEnergy
	readZero
)

// newReading plans how variables are read in lanes. nil: the instances are asked one by one.
func (s *System) newReading(variables []int, kept program.KeptLoads) *reading {
	r := &reading{variables: slices.Clone(variables), places: make([]readPlace, len(variables))}
	var outputs, rates []int
	var ofRates []int // places that wait for the number of outputs
	for k, i := range variables {
		if i >= len(s.variables) {
			continue // a coefficient
		}
		switch v := &s.variables[i]; {
		case v.passed >= 0:
			r.places[k] = readPlace{readState, v.passed}
		case v.Kind == Output:
			r.places[k] = readPlace{readResult, len(outputs)}
			outputs = append(outputs, v.source)
		case v.Kind == Contact:
			r.places[k] = readPlace{readTouch, len(outputs)}
			outputs = append(outputs, len(s.program.Outputs)-s.program.Indicators+v.source)
		case v.Kind == Rate:
			r.places[k] = readPlace{readResult, len(rates)}
			rates, ofRates = append(rates, v.source), append(ofRates, k)
		case v.Kind == Indicator:
			r.places[k] = readPlace{readIndicator, len(outputs)}
			outputs = append(outputs, v.source)
		case v.Kind == Energy && v.source >= dissipatedEnergy && v.source < len(energies):
			r.places[k] = readPlace{readZero, 0} // works are recorded one by one only
		case v.Kind == Energy:
			r.places[k], r.energies = readPlace{readEnergy, v.source}, true
		}
	}
	for _, k := range ofRates {
		r.places[k].at += len(outputs)
	}
	r.returned = len(outputs) + len(rates)
	if r.returned > 0 || r.energies {
		var err error
		if r.readout, err = s.program.NewReadout(outputs, rates, r.energies, kept); err != nil {
			return nil
		}
	}
	return r
}

// readingKey identifies instances that can share readings.
type readingKey struct {
	sys  *System
	kept program.KeptLoads
}

// planReadings makes the plans for what a step gives, unless they are there. It reports whether variables are others.
func (f *Fleet) planReadings(variables []int) (others bool) {
	if others = !slices.Equal(f.read, variables); others {
		f.reads++
		f.read, f.readings = slices.Clone(variables), map[readingKey]*reading{}
	}
	for _, t := range f.groups {
		if t.read == f.reads {
			continue
		}
		key := readingKey{t.instances[0].sys, t.lanes.KeptLoads()}
		r, planned := f.readings[key]
		if !planned && len(variables) > 0 {
			r = key.sys.newReading(variables, key.kept)
			f.readings[key] = r
		}
		if r != nil && r.energies && t.energies == nil {
			var err error
			if t.energies, err = t.lanes.Side(program.Energies); err != nil {
				r = nil
			}
		}
		t.reading, t.read = r, f.reads
	}
	return others
}

// readout selects the outputs that lanes compute after a step; nil for none.
func (t *laneGroup) readout() *program.Readout {
	if t.reading == nil {
		return nil
	}
	return t.reading.readout
}

// give writes values of the instances that make the step and have not failed, from the vectors of states and inputs.
// Values that need an evaluation are computed in all lanes at once.
func (t *laneGroup) give(step *FleetStep, failed *[program.Width]error) {
	r := t.reading
	if r == nil {
		for lane, in := range t.instances {
			if t.steps[lane] && failed[lane] == nil {
				failed[lane] = in.give(&step.Outputs, t.places[lane])
			}
		}
		return
	}
	if r.readout != nil {
		t.inputs(0, t.x)
		t.lanes.Read(r.readout, t.x, t.u)
	}
	if r.energies {
		t.energies.Give(r.readout, r.returned)
		t.energies.Evaluate(t.x, t.u)
	}
	for lane, in := range t.instances {
		if place := t.places[lane]; t.steps[lane] && failed[lane] == nil {
			failed[lane] = t.giveRow(in, lane, step.Outputs.Row(place))
		}
	}
}

// giveRow writes the values of one instance.
func (t *laneGroup) giveRow(in *Instance, lane int, row []float64) (err error) {
	r := t.reading
	for k, from := range r.places {
		switch {
		case from.kind == readState:
			row[k] = in.x[from.at]
		case from.kind == readResult, from.kind == readIndicator && !in.touches.events:
			row[k] = t.lanes.Value(r.readout, from.at, lane)
		case from.kind == readTouch && !in.touches.events:
			row[k] = 0
			if t.lanes.Value(r.readout, from.at, lane) > 0 {
				row[k] = 1
			}
		case from.kind == readZero:
			row[k] = 0
		case from.kind == readEnergy:
			row[k] = in.sys.presentEnergy(from.at, t.energies.Ledger(), t.energies.Len(), func(i int) float64 {
				return t.energies.Value(i, lane)
			})
		default:
			if row[k], err = in.Get(r.variables[k]); err != nil {
				return err
			}
		}
	}
	return nil
}
