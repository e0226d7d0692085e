package evaluate

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/grip"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// bound finds the largest deceleration that the tires allow, once for runs with the same settings and start values, and
// evaluates the figures of the runs again with it.
func (e *Evaluator) bound(out *Result) {
	known := map[string]figures.Limit{}
	for i := range out.Runs {
		run := &out.Runs[i]
		key := fmt.Sprint(run.Result.Settings, run.Start)
		limit, is := known[key]
		if !is {
			limit = e.brakingBound(out.Manoeuvre, run)
			known[key] = limit
		}
		run.Record.Bound = limit
		run.Figures = figures.Find(out.Manoeuvre.KeyFigures.Kind).Of(run.Record, out.Manoeuvre.KeyFigures.Options)
	}
}

// brakingBound is the bound of a run.
func (e *Evaluator) brakingBound(m *manoeuvre.Manoeuvre, run *Run) figures.Limit {
	p := starts{open: e.Open, manoeuvre: *m, plan: drive.Plan{Method: e.Method, Settings: run.Result.Settings},
		begin: run.Start}
	p.manoeuvre.Settings = nil // they are those of the run
	defer p.close()
	x, err := grip.Braking(p.at, m.Roles, run.gravity)
	if err != nil {
		return figures.Limit{Value: math.NaN(), Missing: err.Error()}
	}
	return figures.Limit{Value: x}
}

// starts brings a vehicle to its start any number of times.
type starts struct {
	open      func() (drive.Subject, func(), error)
	manoeuvre manoeuvre.Manoeuvre
	plan      drive.Plan
	begin     []manoeuvre.StartValue

	subject drive.Subject // nil before the first time
	closeIt func()
}

// fresh is the subject as it is loaded.
func (p *starts) fresh() (err error) {
	if again, can := p.subject.(interface{ Reset() error }); can {
		return again.Reset()
	}
	p.close()
	p.subject, p.closeIt, err = p.open()
	return err
}

// close closes the subject.
func (p *starts) close() {
	if p.closeIt != nil {
		p.closeIt()
	}
}

// at is a grip.At.
func (p *starts) at(start map[string]float64, steps int, names ...string) ([]float64, error) {
	if err := p.fresh(); err != nil {
		return nil, err
	}
	p.manoeuvre.Start = slices.Clone(p.begin)
	for _, name := range slices.Sorted(maps.Keys(start)) {
		p.manoeuvre.Start = append(p.manoeuvre.Start, manoeuvre.StartValue{Variable: name, Value: start[name]})
	}
	p.plan.Manoeuvre = &p.manoeuvre
	if _, err := p.plan.Prepare(p.subject, p.manoeuvre.Step); err != nil {
		return nil, err
	}
	references, err := p.subject.References(names...)
	if err != nil {
		return nil, err
	}
	for range steps {
		if err := p.subject.Step(p.manoeuvre.Step); err != nil {
			return nil, err
		}
	}
	values := make([]float64, len(names))
	return values, p.subject.Get(references, values)
}
