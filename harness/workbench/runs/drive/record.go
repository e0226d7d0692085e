package drive

import (
	"fmt"
	"slices"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/trace"
)

// Sink takes what is recorded of a run, row by row.
type Sink interface {
	// Begin announces the recorded channels, once, before the first row and after all checks before the run.
	Begin(channels []trace.Channel) error
	Row(t float64, values []float64) error
}

// kept is a sink that keeps all rows.
type kept struct{ *trace.Trace }

func (k kept) Begin([]trace.Channel) error { return nil }

func (k kept) Row(t float64, values []float64) error {
	k.Append(t, values)
	return nil
}

// recorder reads the outputs of a run and hands them on, with what the inputs were set to. What it reads was found by
// name before the run.
type recorder struct {
	subject               Subject
	changing, fixed       part // fixed parameters are read once: a vehicle reads them by other means than what it computes
	begun                 bool
	row                   []float64
	trace, inputs         *trace.Trace // without rows where sinks take them
	outputSink, inputSink Sink         // inputSink takes the inputs; nil where nothing does
	ledger                *ledger      // nil without
}

// part is some of the variables of a row, and where in it they stand.
type part struct {
	references []uint32
	values     []float64
	places     []int
}

func (p *part) add(reference uint32, column int) {
	p.references, p.places, p.values = append(p.references, reference), append(p.places, column), append(p.values, 0)
}

// read reads the values into the row.
func (p *part) read(s Subject, row []float64) error {
	if len(p.references) == 0 {
		return nil
	}
	if err := s.Get(p.references, p.values); err != nil {
		return err
	}
	for i, column := range p.places {
		row[column] = p.values[i]
	}
	return nil
}

// newRecorder finds the outputs that a run records.
func (run *Plan) newRecorder(s Subject) (*recorder, error) {
	r := &recorder{subject: s}
	names := run.Record
	if names == nil {
		names = s.Outputs()
	}
	if run.Energy {
		var err error
		if r.ledger, err = newLedger(s); err != nil {
			return nil, err
		}
		names = slices.Concat(slices.DeleteFunc(slices.Clone(names), IsEnergy), r.ledger.names)
	}
	channels := make([]trace.Channel, len(names))
	for i, name := range names {
		v, err := s.Find(name)
		if err != nil {
			return nil, err
		}
		channels[i] = trace.Channel{Name: name, Unit: v.Unit, Text: v.Text, Role: run.Manoeuvre.Roles.Role(name)}
		if v.Causality == library.Parameter {
			r.fixed.add(v.Reference, i)
		} else {
			r.changing.add(v.Reference, i)
		}
	}
	r.row, r.trace = make([]float64, len(names)), trace.New(channels, 0)
	return r, nil
}

// begin begins the sinks of a run with at most some steps, whose driver sets the inputs.
func (r *recorder) begin(run *Plan, d *InputDriver, steps int) error {
	for i := range d.channels {
		d.channels[i].Role = run.Manoeuvre.Roles.Role(d.channels[i].Name)
	}
	count := len(r.trace.Channels) + len(d.channels)
	if values := float64(steps+1) * float64(count+3); values > MostRecorded {
		return fmt.Errorf("a run of %d steps with %d variables would record %.3g numbers; at most %.3g are kept: "+
			"take a longer step, a shorter duration or fewer variables", steps, count, values, MostRecorded)
	}
	if r.outputSink, r.inputSink = run.Outputs, run.Inputs; r.outputSink == nil {
		room := min(steps+1, 100_000) // more is taken when it is needed
		r.trace, r.inputs = trace.New(r.trace.Channels, room), trace.New(d.channels, room)
		r.outputSink, r.inputSink = kept{r.trace}, kept{r.inputs}
	} else {
		r.inputs = trace.New(d.channels, 0)
	}
	if err := r.outputSink.Begin(r.trace.Channels); err != nil || r.inputSink == nil {
		return err
	}
	return r.inputSink.Begin(d.channels)
}

// take records the outputs at t seconds.
func (r *recorder) take(t float64) error {
	err := r.changing.read(r.subject, r.row)
	if !r.begun && err == nil {
		err = r.fixed.read(r.subject, r.row)
	}
	if err != nil {
		return fmt.Errorf("at %.6g s: %w", t, err)
	}
	r.begun = true
	if r.ledger != nil {
		r.ledger.add(r.row)
	}
	return r.outputSink.Row(t, r.row)
}

// takeInputs records what the inputs were set to at t seconds.
func (r *recorder) takeInputs(t float64, values []float64) error {
	if r.inputSink == nil {
		return nil
	}
	return r.inputSink.Row(t, values)
}
