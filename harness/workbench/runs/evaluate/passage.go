package evaluate

import (
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Passage gathers the rows of a run that is driven elsewhere, for the characteristic values of a manoeuvre.
type Passage struct {
	manoeuvre       *manoeuvre.Manoeuvre
	record          *bound
	outputs, inputs *trace.Trace
}

// NewPassage makes the passage of a subject through a manoeuvre that has characteristic values.
func NewPassage(m *manoeuvre.Manoeuvre, s drive.Subject) (*Passage, error) {
	record, err := bind(m, s)
	if err != nil {
		return nil, err
	}
	return &Passage{manoeuvre: m, record: record, inputs: trace.New(nil, 0),
		outputs: trace.New(trace.Named(record.names()...), 0)}, nil
}

// SetInputs names the inputs of its rows, before the first one.
func (p *Passage) SetInputs(names []string) { p.inputs = trace.New(trace.Named(names...), 0) }

// Outputs are the names of the outputs of its rows.
func (p *Passage) Outputs() (names []string) {
	for _, c := range p.outputs.Channels {
		names = append(names, c.Name)
	}
	return names
}

// Row adds a row at t seconds. Rows from this time on, of a run that has been taken back, are forgotten.
func (p *Passage) Row(t float64, outputs, inputs []float64) {
	p.outputs.Cut(t)
	p.inputs.Cut(t)
	p.outputs.Append(t, outputs)
	p.inputs.Append(t, inputs)
}

// Rows is the number of rows.
func (p *Passage) Rows() int { return len(p.outputs.Time) }

// Figures are the characteristic values. Turns and ratio have the meaning of drive.Result.
func (p *Passage) Figures(phases []drive.PhaseInterval, verdict string, turns, ratio float64) []figures.Figure {
	if p.Rows() < 2 {
		return nil
	}
	p.record.Post, p.record.Phases = nil, nil
	p.record.take(p.manoeuvre, &drive.Result{Trace: p.outputs, Inputs: p.inputs, Phases: phases, Verdict: verdict,
		Turns: turns, Ratio: ratio})
	of := p.manoeuvre.KeyFigures
	return figures.Find(of.Kind).Of(p.record.Record, of.Options)
}
