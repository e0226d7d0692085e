package harness

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// Job is the main job of the harness: both manoeuvres of both vehicles of
// Morency (2007), with both solvers that take them at 1 ms, every statement of
// the source checked.
type Job struct {
	Library   *Library
	Resources string    // folder with models and manoeuvres
	Out       string    // folder for CSV files and plots; "" writes none
	Report    io.Writer // the tables
	Progress  io.Writer // signs of life of long runs; nil for silence
}

// scenario is one manoeuvre of one vehicle.
type scenario struct {
	model, manoeuvre string // file names without .toml
	check            func(*Trace) []Check
	eulerStep        float64  // s, the step at which explicit Euler is converged
	eulerTrees       []string // tree selections for which that is stated
	euler            []Tolerance
}

// The tree selections of the models: with the tire edges in the cotree, and with
// tire edges T1 and R1 in the tree.
var (
	cotree    = []string{"default"}
	bothTrees = []string{"default", "tire"}
)

var scenarios = []scenario{
	{"generic4w", "generic4w_sine", GenericSine, 0.001, cotree, genericSineEuler},
	{"generic4w", "generic4w_braking", GenericBraking, 0.0005, cotree, genericBrakingEuler},
	{"skidder", "skidder_sine", SkidderSine, 0.001, bothTrees, skidderSineEuler},
	{"skidder", "skidder_braking", SkidderBraking, 0.001, bothTrees, skidderBrakingEuler},
}

// methods are the solvers under which every statement must hold at 1 ms.
var methods = []string{"rk4", "linearly-implicit"}

// checked is a check and the run it belongs to.
type checked struct {
	run string
	Check
}

// Do runs the job and reports it. ok tells whether every check holds.
func (j *Job) Do() (ok bool, err error) {
	matched, err := j.matchedRolling()
	defer os.RemoveAll(matched)
	if err != nil {
		return false, err
	}
	var checks []checked
	timings := tabwriter.NewWriter(j.Report, 0, 0, 2, ' ', 0)
	fmt.Fprintln(timings, "run\tsolver\tsteps\tmedian\tp99.9\tworst\treal-time factor")
	for _, method := range methods {
		traces := map[string]*Trace{}
		for _, s := range scenarios {
			result, err := j.run(j.Resources, s.model, "", s.manoeuvre, Run{Method: method})
			if err != nil {
				return false, err
			}
			traces[s.manoeuvre] = result.Trace
			t := result.Timing
			fmt.Fprintf(timings, "%s\t%s\t%d\t%v\t%v\t%v\t%.0f\n", s.manoeuvre, method, t.Steps, t.Median, t.P999, t.Worst, t.RealTime)
			if err := j.write(s, method, result.Trace); err != nil {
				return false, err
			}
			for _, check := range s.check(result.Trace) {
				checks = append(checks, checked{s.manoeuvre + ", " + method, check})
			}
		}
		for _, c := range []struct {
			resources, manoeuvre string
			compare              func(pacejka, fiala *Trace) Check
		}{
			{matched, "generic4w_braking", FialaBraking},
			{j.Resources, "generic4w_sine", FialaSine},
		} {
			fiala, err := j.run(c.resources, "generic4w_fiala", "", c.manoeuvre, Run{Method: method})
			if err != nil {
				return false, err
			}
			checks = append(checks, checked{c.manoeuvre + ", " + method + ", Fiala and Pacejka", c.compare(traces[c.manoeuvre], fiala.Trace)})
		}
	}
	converged, err := j.convergence()
	if err != nil {
		return false, err
	}
	checks = append(checks, converged...)
	timings.Flush()
	return j.report(checks), nil
}

// convergence makes the checks G12 and S9: explicit Euler against RK4 with
// steps four times shorter and the tire edges in the cotree.
func (j *Job) convergence() ([]checked, error) {
	var checks []checked
	for _, s := range scenarios {
		fine, err := j.run(j.Resources, s.model, "", s.manoeuvre, Run{Method: "rk4", Step: s.eulerStep, Substep: s.eulerStep / 4})
		if err != nil {
			return nil, err
		}
		for _, tree := range s.eulerTrees {
			euler, err := j.run(j.Resources, s.model, tree, s.manoeuvre, Run{Method: "euler", Step: s.eulerStep, Substep: s.eulerStep})
			if err != nil {
				return nil, err
			}
			name := "G12"
			if s.model == "skidder" {
				name = "S9"
			}
			statement := fmt.Sprintf("explicit Euler at %g ms is converged", s.eulerStep*1e3)
			checks = append(checks, checked{s.manoeuvre + ", euler, tree " + tree, Converged(name, statement, euler.Trace, fine.Trace, s.euler)})
		}
	}
	return checks, nil
}

// matchedRolling makes a copy of the resources in which the Fiala tire of the
// generic vehicle has the rolling resistance of its Pacejka tire, as G10 needs:
// QSy1 R0 = 0.01 x 0.344 m instead of the printed 0.01 m.
func (j *Job) matchedRolling() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "skidpad"); err != nil {
		return "", err
	}
	if err := os.CopyFS(folder, os.DirFS(j.Resources)); err != nil {
		return folder, err
	}
	file := filepath.Join(folder, "tires", "fiala_generic4w.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		return folder, err
	}
	const printed, matched = "\nCr = 0.01 ", "\nCr = 0.00344 "
	if !strings.Contains(string(text), printed) {
		return folder, fmt.Errorf("%s does not hold the line Cr = 0.01", file)
	}
	return folder, os.WriteFile(file, []byte(strings.Replace(string(text), printed, matched, 1)), 0o644)
}

// run loads a model with one of its tree selections and simulates a manoeuvre.
func (j *Job) run(resources, model, tree, manoeuvre string, run Run) (*Result, error) {
	fail := func(err error) (*Result, error) {
		return nil, fmt.Errorf("%s with %s: %w", manoeuvre, model, err)
	}
	m, err := ReadManoeuvre(filepath.Join(resources, "manoeuvres", manoeuvre+".toml"))
	if err != nil {
		return fail(err)
	}
	vehicle, err := j.Library.Load(filepath.Join(resources, "models", model+".toml"), tree)
	if err != nil {
		return fail(err)
	}
	defer vehicle.Close()
	run.Manoeuvre, run.Progress = m, j.Progress
	result, err := vehicle.Simulate(run)
	if err != nil {
		return fail(err)
	}
	return result, nil
}

// write leaves the CSV file and the plot of a run.
func (j *Job) write(s scenario, method string, t *Trace) error {
	if j.Out == "" {
		return nil
	}
	base := filepath.Join(j.Out, s.manoeuvre+"_"+method)
	return errors.Join(
		WriteFile(base+".csv", t.WriteCSV),
		WriteFile(base+".png", func(to io.Writer) error { return PlotOverview(to, t, s.manoeuvre+", "+method) }),
	)
}

// WriteFile creates the file at path, and its folder, with what write writes.
func WriteFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return file.Close()
}

// report prints the checks and says whether all hold.
func (j *Job) report(checks []checked) (ok bool) {
	failures := 0
	run := ""
	for _, c := range checks {
		if c.run != run {
			run = c.run
			fmt.Fprintf(j.Report, "\n%s\n", run)
		}
		verdict := "pass"
		if !c.Pass {
			verdict = "FAIL"
			failures++
		}
		fmt.Fprintf(j.Report, "  %s %-4s %s\n            %s  [%s]\n", verdict, c.Name, c.Statement, c.Measured, c.Bound)
	}
	fmt.Fprintf(j.Report, "\n%s\n", strings.Repeat("-", 60))
	fmt.Fprintf(j.Report, "%d checks, %d failed\n", len(checks), failures)
	if j.Out != "" {
		fmt.Fprintf(j.Report, "recorded variables (CSV) and plots (PNG): %s\n", j.Out)
	}
	return failures == 0
}
