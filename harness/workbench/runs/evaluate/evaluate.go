// Package evaluate runs a manoeuvre with the manoeuvre before it, its sweep or its search, and writes the
// characteristic values.
package evaluate

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/cruise"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/model/bounded"
)

// Evaluator makes the runs of a manoeuvre and evaluates its characteristic values.
type Evaluator struct {
	// Open makes a fresh subject; what it returns besides closes it. Runs of a sweep are made side by side.
	Open             func() (drive.Subject, func(), error)
	manoeuvre.Target                     // for manoeuvres of any car
	Method           string              // as in drive.Plan
	Settings         []manoeuvre.Setting // as in drive.Plan
	// other values of the manoeuvre's constants; a sweep does not vary these constants
	Replaced []manoeuvre.ConstantValue
	Held     bool     // as in drive.Plan
	Energy   bool     // as in drive.Plan
	Record   []string // patterns of variables that are recorded in place of those that the manoeuvre names
	// Chosen are the names of outputs that are recorded besides, such as those of reactions; nil for none
	Chosen   func(outputs []string) []string
	Progress output.Progress // as in drive.Plan

	// as in drive.Plan; runs that have not begun are left out then
	Interrupt <-chan struct{}

	Control *drive.Control // as in drive.Plan, also for manoeuvres that run before; the runs then follow each other

	AllowPlugins bool // as in drive.Plan, also for manoeuvres that run before

	// Controllers are the files of the controllers that were put into the vehicle, for reports.
	Controllers []string

	// Knows is what drivers who adapt know of the vehicle, by a file; nil to find it out
	Knows *drive.Knowledge

	adapted *adaptations // drivers of the manoeuvre, by what the vehicle is set to; nil before the evaluation

	// Mass returns the mass of the vehicle with the given settings [kg], 0 if unknown; a nil function is never called.
	Mass func(set []manoeuvre.Setting) float64
}

// Result is a manoeuvre with its runs and characteristic values.
type Result struct {
	Vehicle   string // name of its model
	Manoeuvre *manoeuvre.Manoeuvre
	Constants []Constant          // of the manoeuvre; a sweep varies some from run to run
	Set       []manoeuvre.Setting // what the user set of the vehicle
	Prerun    *Result             // nil without
	Runs      []Run
	Figures   []figures.Figure // of all runs together
	Mass      float64          // of the vehicle in the first run [kg]; 0 where it is not known

	file        string   // of the model; "" without
	controllers []string // files
	control     *drive.Control
	left        int // runs that were not begun because of an interrupt
}

// Evaluate makes the prerun of the manoeuvre, if there is one, then all runs of the manoeuvre and their figures. A
// failed run has a verdict and the figures that remain computable.
func (e *Evaluator) Evaluate(path string) (*Result, error) { return e.evaluate(path, nil) }

// Read reads a manoeuvre and makes its prerun, if there is one. Constants that come from the prerun get the values of
// its figures, and are listed. The caller makes the manoeuvre's own runs.
func (e *Evaluator) Read(path string) (m *manoeuvre.Manoeuvre, found []manoeuvre.ConstantValue, err error) {
	file, err := manoeuvre.Open(e.Target, path)
	if err != nil {
		return nil, nil, err
	}
	if m, err = file.With(e.Replaced...); err != nil || m.Prerun == nil {
		return m, nil, err
	}
	_, replaced, err := e.runPrerun(path, m.Prerun, nil)
	if err != nil {
		return nil, nil, err
	}
	m, err = file.With(replaced...)
	return m, replaced[len(e.Replaced):], err
}

// evaluate keeps the files that wait for this one.
func (e *Evaluator) evaluate(path string, waiting []string) (*Result, error) {
	if e.adapted == nil {
		own := *e
		own.adapted = &adaptations{known: map[string]*preview.Driver{}, laws: map[string]*cruise.Law{}}
		e = &own
	}
	file, m, err := e.open(path)
	if err != nil {
		return nil, err
	}
	if e.Knows != nil && waiting == nil { // one that runs before may have another driver
		if _, err := e.Knows.Driver(m, e.Model, 0); err != nil {
			return nil, err
		}
	}
	replaced := slices.Clone(e.Replaced)
	out := &Result{Vehicle: e.Model, Set: e.Settings, file: e.File, controllers: e.Controllers, control: e.Control}
	if m.Prerun != nil {
		if out.Prerun, replaced, err = e.runPrerun(path, m.Prerun, waiting); err != nil {
			return nil, err
		}
	}
	if out.Manoeuvre, err = file.With(replaced...); err != nil {
		return nil, err
	}
	out.Constants = InForce(out.Manoeuvre, e.Replaced, replaced[len(e.Replaced):])
	if out.Vehicle == "" {
		out.Vehicle = strings.Join(out.Manoeuvre.Models, ", ")
	}
	if err := e.runs(file, replaced, out); err != nil {
		return nil, err
	}
	if e.Mass != nil {
		out.Mass = e.Mass(out.Runs[0].Result.Settings)
	}
	kind := figures.Find(m.KeyFigures.Kind)
	if kind.Bounded {
		e.bound(out)
	}
	var records []*figures.Record
	for _, run := range out.Runs {
		records = append(records, run.Record)
	}
	out.Figures = append(out.Figures, kind.OfAll(records, out.Manoeuvre.KeyFigures.Options)...)
	return out, nil
}

// open reads a manoeuvre that has figures.
func (e *Evaluator) open(path string) (*manoeuvre.File, *manoeuvre.Manoeuvre, error) {
	file, err := manoeuvre.Open(e.Target, path)
	if err != nil {
		return nil, nil, err
	}
	m, err := file.With(e.Replaced...)
	if err == nil && m.KeyFigures == nil {
		err = fmt.Errorf("%s: the manoeuvre has no table [figures]; skidpad simulate runs it", path)
	}
	return file, m, err
}

// runs makes the runs of the manoeuvre itself: the runs of its search, or all runs of its sweep.
func (e *Evaluator) runs(file *manoeuvre.File, replaced []manoeuvre.ConstantValue, out *Result) error {
	s := out.Manoeuvre.Search
	fixed := func(name string) bool {
		return slices.ContainsFunc(e.Replaced, func(c manoeuvre.ConstantValue) bool { return c.Name == name })
	}
	if s == nil || fixed(s.Constant) {
		return e.sweep(file, replaced, out)
	}
	search := *s
	if fixed(search.Over) {
		search.Over, search.Values = "", nil
	}
	found, err := searchLimit(&search, func(varied []manoeuvre.ConstantValue) (*Run, error) {
		run, err := e.varied(file, replaced, varied, e.Progress)
		if err != nil {
			return nil, err
		}
		out.Runs = append(out.Runs, *run)
		if errors.Is(run.Result.Failure, output.ErrInterrupted) {
			return nil, run.Result.Failure
		}
		return run, nil
	})
	if errors.Is(err, output.ErrInterrupted) {
		return nil // which the last run says
	}
	out.Figures = append(out.Figures, found...)
	if err == nil {
		out.Figures = append(out.Figures, e.ofDriver(out)...)
	}
	return err
}

// sweep makes the runs of all combinations of what varies, side by side.
func (e *Evaluator) sweep(file *manoeuvre.File, replaced []manoeuvre.ConstantValue, out *Result) error {
	all := combinations(out.Manoeuvre.Sweep, e.Replaced)
	out.Runs = make([]Run, len(all))
	progress := output.SideBySide(e.Progress, len(all))
	var group errgroup.Group
	if group.SetLimit(runtime.GOMAXPROCS(0)); e.Control != nil {
		group.SetLimit(1)
	}
	for i, varied := range all {
		group.Go(func() error {
			if output.Interrupted(e.Interrupt) {
				return nil
			}
			run, err := e.varied(file, replaced, varied, progress(i))
			if err == nil {
				out.Runs[i] = *run
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	out.Runs = slices.DeleteFunc(out.Runs, func(r Run) bool { return r.Result == nil })
	if out.left = len(all) - len(out.Runs); len(out.Runs) == 0 {
		return output.ErrInterrupted
	}
	return nil
}

// varied makes the run with some constants varied, beside those that are replaced.
func (e *Evaluator) varied(
	file *manoeuvre.File, replaced, varied []manoeuvre.ConstantValue, progress output.Progress,
) (*Run, error) {
	m, err := file.With(slices.Concat(replaced, varied)...)
	if err != nil {
		return nil, err
	}
	run := &Run{Varied: varied, Start: m.Start}
	if err := e.run(m, progress, run); err != nil {
		return nil, err
	}
	run.Figures = append(figures.Find(m.KeyFigures.Kind).Of(run.Record, m.KeyFigures.Options),
		run.Record.Interventions()...)
	return run, nil
}

// runPrerun makes the run that gives constants, and adds them to those that are replaced.
func (e *Evaluator) runPrerun(
	path string, p *manoeuvre.Prerun, waiting []string,
) (*Result, []manoeuvre.ConstantValue, error) {
	replaced := slices.Clone(e.Replaced)
	wanted := p.Wanted(replaced)
	if len(wanted) == 0 {
		return nil, replaced, nil
	}
	if waiting = append(waiting, path); len(waiting) > 3 {
		return nil, nil, fmt.Errorf("%s: more than %d manoeuvres run one before the other: %s", path, len(waiting)-1,
			strings.Join(waiting, ", "))
	}
	other := *e
	other.Replaced, other.Record, other.Chosen = p.Replaced, nil, nil
	first, err := other.evaluate(bounded.Beside(path, p.File), waiting)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: prerun: %w", path, err)
	}
	if err := first.Failures(); errors.Is(err, output.ErrInterrupted) || output.Interrupted(e.Interrupt) {
		return nil, nil, fmt.Errorf("%s: prerun: %w", path, output.ErrInterrupted)
	}
	for _, c := range wanted {
		i := slices.IndexFunc(first.Figures, func(f figures.Figure) bool { return f.ID == c.Figure })
		switch {
		case i < 0:
			return nil, nil, fmt.Errorf("%s: prerun: manoeuvre %s has no figure %q of all its runs", path,
				first.Manoeuvre.Name, c.Figure)
		case math.IsNaN(first.Figures[i].Value):
			return nil, nil, fmt.Errorf("%s: prerun: figure %q of manoeuvre %s is missing: %s", path, c.Figure,
				first.Manoeuvre.Name, first.Figures[i].Missing)
		}
		replaced = append(replaced, manoeuvre.ConstantValue{Name: c.Constant, Value: first.Figures[i].Value})
	}
	return first, replaced, nil
}

// Notes lists the vehicle's notes about the starts of the runs, each once, and the note about a car file.
func (e *Result) Notes() (notes []string) {
	notes = e.Manoeuvre.CarNotes()
	for _, run := range e.Runs {
		for _, note := range run.Result.Notes {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// Failures are the errors of runs that a step of the vehicle, or an interrupt, ended; nil without.
func (e *Result) Failures() error {
	var all []error
	for i, run := range e.Runs {
		if run.Result.Failure != nil {
			all = append(all, fmt.Errorf("run %d: %w", i+1, run.Result.Failure))
		}
	}
	if e.left > 0 {
		all = append(all, fmt.Errorf("%d runs were not begun: %w", e.left, output.ErrInterrupted))
	}
	return errors.Join(all...)
}

// combinations lists all combinations of what varies, the last fastest, without what is fixed.
func combinations(sweep []manoeuvre.Variation, fixed []manoeuvre.ConstantValue) [][]manoeuvre.ConstantValue {
	list := [][]manoeuvre.ConstantValue{nil}
	for _, v := range sweep {
		if slices.ContainsFunc(fixed, func(c manoeuvre.ConstantValue) bool { return c.Name == v.Name }) {
			continue
		}
		var next [][]manoeuvre.ConstantValue
		for _, before := range list {
			for _, x := range v.Values {
				next = append(next, append(slices.Clone(before), manoeuvre.ConstantValue{Name: v.Name, Value: x,
					Written: v.Written}))
			}
		}
		list = next
	}
	return list
}
