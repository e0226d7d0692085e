// Package assess makes the runs of an assessment: rows of manoeuvres with settings, and bounds of their characteristic
// values, for several vehicles side by side.
//
//	file of resources/assessments -> Assessment -> Run -> Result -> table, CSV, JSON, page
package assess

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Subject is a vehicle that runs.
type Subject struct {
	manoeuvre.Target
	Open func() (drive.Subject, func(), error) // as in evaluate.Evaluator
}

// Options say how an assessment is run.
type Options struct {
	Vehicle   func(model string) (Subject, error) // the model of the file, as the file names it
	Manoeuvre func(name string) (string, error)   // path of a manoeuvre, as the file names it
	Settings  []manoeuvre.Setting                 // of all vehicles, behind those of the file
	Progress  output.Progress                     // counts rows; nil for none
	Interrupt <-chan struct{}                     // as in drive.Plan; rows that have not begun are left out then

	AllowPlugins bool // as in drive.Plan
}

// Result are the values of the rows that were run.
type Result struct {
	Assessment *Assessment
	Rows       []RowResult
	Failure    error // an interrupt; nil without
}

// RowResult is a row with the values of its checks.
type RowResult struct {
	Row    *Row
	Checks []CheckResult
}

// CheckResult has the values of one check, by vehicle of the assessment.
type CheckResult struct {
	Check   *Check
	Unit    string
	Cells   []Cell // those of vehicles that the row leaves out are empty
	Verdict Verdict
}

// Verdict is the result of a check over all judged vehicles.
type Verdict string

// The verdicts.
const (
	NotJudged Verdict = ""
	Passed    Verdict = "pass"
	Failed    Verdict = "FAIL"
)

// Cell has the values of one vehicle.
type Cell struct {
	Run     bool      // the vehicle is one of the row's
	Values  []float64 // by run; the only one of all runs together
	Missing string    // why a value is missing; "" where none is
	Change  float64   // largest change of a value against the first vehicle of the row, as a share of its value there
}

// progressName is shown beside the number of rows.
const progressName = "assessment"

// Run makes the runs of the rows.
func (a *Assessment) Run(o Options) (*Result, error) {
	subjects := make([]Subject, len(a.Vehicles))
	for i, v := range a.Vehicles {
		var err error
		if subjects[i], err = o.Vehicle(v.Model); err != nil {
			return nil, fmt.Errorf("vehicle %s: %w", v.Name, err)
		}
	}
	result := &Result{Assessment: a}
	for k := range a.Rows {
		row := &a.Rows[k]
		path, err := o.Manoeuvre(row.Manoeuvre)
		if err != nil {
			return nil, fmt.Errorf("row %q: %w", row.Name, err)
		}
		r := RowResult{Row: row}
		for i := range row.Checks {
			r.Checks = append(r.Checks, CheckResult{Check: &row.Checks[i], Cells: make([]Cell, len(a.Vehicles))})
		}
		for i := range a.Vehicles {
			if !row.has(i) {
				continue
			}
			if output.Interrupted(o.Interrupt) {
				result.Failure = output.ErrInterrupted
				return result, nil
			}
			if o.Progress != nil {
				o.Progress.At(progressName, float64(k), float64(len(a.Rows)))
			}
			if err := r.run(&a.Vehicles[i], i, subjects[i], path, o); errors.Is(err, output.ErrInterrupted) {
				result.Failure = err
				return result, nil
			}
		}
		r.judge(a)
		result.Rows = append(result.Rows, r)
	}
	if o.Progress != nil {
		o.Progress.At(progressName, float64(len(a.Rows)), float64(len(a.Rows)))
	}
	return result, nil
}

// run fills the cells of a vehicle. Values of a manoeuvre that cannot be run are missing; the error is an interrupt.
func (r *RowResult) run(v *Vehicle, column int, s Subject, path string, o Options) error {
	e := evaluate.Evaluator{Open: s.Open, Target: s.Target, Replaced: r.Row.Constants, Interrupt: o.Interrupt,
		AllowPlugins: o.AllowPlugins, Settings: slices.Concat(v.Settings, r.Row.Settings, o.Settings)}
	known, err := s.Target.Resolved()
	if err != nil {
		r.fail(column, err.Error())
		return nil
	}
	signals := make([]*signalLaw, len(r.Row.Checks))
	var reads []string
	for i := range r.Row.Checks {
		c := &r.Row.Checks[i]
		if c.Signal == nil {
			continue
		}
		if signals[i], err = c.Signal.law(known); err != nil {
			r.fail(column, err.Error())
			return nil
		}
		reads = append(reads, signals[i].Reads...)
	}
	e.Chosen = func(outputs []string) []string {
		return slices.DeleteFunc(slices.Clone(reads), func(name string) bool { return !slices.Contains(outputs, name) })
	}
	result, err := e.Evaluate(path)
	if err == nil {
		err = result.Failures()
	}
	if err != nil {
		r.fail(column, err.Error())
		return err
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		cell := &c.Cells[column]
		cell.Run = true
		if signals[i] != nil {
			c.Unit = c.Check.Signal.resultUnit()
			for _, run := range result.Runs {
				x, why := signals[i].of(run.Result)
				cell.add(x, why)
			}
			continue
		}
		c.Unit = cell.take(c.Check.Figure, result)
	}
	return nil
}

// fail makes all values of a vehicle missing.
func (r *RowResult) fail(column int, why string) {
	for i := range r.Checks {
		r.Checks[i].Cells[column] = Cell{Run: true, Values: []float64{math.NaN()}, Missing: why}
	}
}

// add adds the value of a run, or why it is missing.
func (c *Cell) add(x float64, why string) {
	c.Values = append(c.Values, x)
	if math.IsNaN(x) && c.Missing == "" {
		c.Missing = why
	}
}

// take takes a figure of all runs together, or else that of each run, and returns its unit.
func (c *Cell) take(id string, result *evaluate.Result) (unit string) {
	is := func(f figures.Figure) bool { return f.ID == id }
	if i := slices.IndexFunc(result.Figures, is); i >= 0 {
		f := result.Figures[i]
		c.add(f.Value, f.Missing)
		return f.Unit
	}
	for _, run := range result.Runs {
		i := slices.IndexFunc(run.Figures, is)
		if i < 0 {
			c.add(math.NaN(), fmt.Sprintf("the manoeuvre has no figure %q", id))
			continue
		}
		unit = run.Figures[i].Unit
		c.add(run.Figures[i].Value, run.Figures[i].Missing)
	}
	return unit
}

// judge finds the changes against the first vehicle, and the verdicts.
func (r *RowResult) judge(a *Assessment) {
	for i := range r.Checks {
		c := &r.Checks[i]
		first := slices.IndexFunc(c.Cells, func(cell Cell) bool { return cell.Run })
		for k := range c.Cells {
			c.Cells[k].Change = changeOf(c.Cells[first].Values, c.Cells[k].Values)
		}
		if !c.Check.bounded() {
			continue
		}
		c.Verdict = Passed
		for k := range c.Cells {
			if c.Cells[k].Run && a.judges(k) && !c.Check.holds(&c.Cells[k], k == first) {
				c.Verdict = Failed
			}
		}
	}
}

// changeOf is the largest change of values, as a share of what they were; NaN where the runs are not the same.
func changeOf(were, are []float64) float64 {
	if len(were) != len(are) || len(were) == 0 {
		return math.NaN()
	}
	most := 0.0
	for i, was := range were {
		change := math.Abs(are[i] - was)
		switch {
		case math.IsNaN(change) && !(math.IsNaN(was) && math.IsNaN(are[i])):
			return math.NaN()
		case math.IsNaN(change): // missing in both
		case change > 0:
			most = max(most, change/math.Abs(was))
		}
	}
	return most
}

// holds reports whether the values of a vehicle are within the bounds. The first vehicle of a row has no change.
func (c *Check) holds(cell *Cell, first bool) bool {
	for _, x := range cell.Values {
		if c.AtLeast.Given && !(x >= c.AtLeast.Value) || c.AtMost.Given && !(x <= c.AtMost.Value) {
			return false
		}
	}
	return !c.Change.Given || first || cell.Change <= c.Change.Value
}

// Pass reports whether all rows were run and no check failed.
func (r *Result) Pass() bool {
	return r.Failure == nil && len(r.Failed()) == 0
}

// Failed lists the checks that failed, by row and name.
func (r *Result) Failed() (list []string) {
	for _, row := range r.Rows {
		for _, c := range row.Checks {
			if c.Verdict == Failed {
				list = append(list, row.Row.Name+": "+c.Check.Name)
			}
		}
	}
	return list
}
