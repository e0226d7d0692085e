package harness

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Job is the main job: the vehicles of all sources through their manoeuvres, from their FMUs, with every statement of the
// sources checked. The two vehicles of Morency (2007) run with both solvers that take them at 1 ms, the others with their
// own solver.
type Job struct {
	FMUs      string    // folder with fmi2/ and fmi3/, which hold the FMUs of all vehicles
	Library   *Library  // the same engine as a native library
	Tires     string    // tire library with the function skidpad_fiala; "" leaves its check out
	Resources string    // folder with models, tires and manoeuvres
	Out       string    // folder for CSV files and plots; "" writes none
	Paced     float64   // duration of the runs in real time, s; 0 for none
	Report    io.Writer // the tables
	Progress  Progress  // signs of life of long runs; nil for silence

	open map[string]*FMU
}

// methods are the solvers under which every statement must hold at 1 ms.
var methods = []string{"rk4", "linearly-implicit"}

// checked is a check and the run it belongs to.
type checked struct {
	run string
	Check
}

// Do runs the job and reports it. ok reports whether every check holds.
func (j *Job) Do() (ok bool, err error) {
	j.open = map[string]*FMU{}
	defer func() {
		for _, f := range j.open {
			err = errors.Join(err, f.Close())
		}
	}()
	timings := tabwriter.NewWriter(j.Report, 0, 0, 2, ' ', 0)
	fmt.Fprintln(timings, "run\tFMI\tsolver\tpace\tsteps\tmedian\tp99.9\tworst\tmissed at 1 kHz\treal-time factor")
	var checks []checked
	for _, method := range methods {
		traces := map[string]*Trace{}
		for i := range scenarios {
			s := &scenarios[i]
			trace, more, err := j.scenario(s, method, timings)
			if err != nil {
				return false, err
			}
			traces[s.manoeuvre] = trace
			checks = append(checks, more...)
		}
		more, err := j.fiala(method, traces)
		if err != nil {
			return false, err
		}
		checks = append(checks, more...)
	}
	for _, s := range ownSolver {
		free := *j
		free.Paced = 0
		_, more, err := free.scenario(&s, s.method, timings)
		if err != nil {
			return false, err
		}
		checks = append(checks, more...)
	}
	converged, err := j.convergence()
	if err != nil {
		return false, err
	}
	checks = append(checks, converged...)
	timings.Flush()
	return j.report(checks), nil
}

// scenario makes the runs of one scenario with one solver and checks them.
func (j *Job) scenario(s *scenario, method string, timings io.Writer) (*Trace, []checked, error) {
	note := func(version int, pace string, t Timing) {
		missed := "-"
		if pace == "real time" {
			missed = strconv.Itoa(t.Missed)
		}
		fmt.Fprintf(timings, "%s\t%d.0\t%s\t%s\t%d\t%v\t%v\t%v\t%s\t%.0f\n", s.manoeuvre, version, method, pace, t.Steps, t.Median, t.P999, t.Worst, missed, t.RealTime)
	}
	var held [2]*Result // inputs held for a step are what all interfaces have
	for i, version := range []int{2, 3} {
		var err error
		if held[i], err = j.simulate(s, version, Run{Method: method, Held: true}); err != nil {
			return nil, nil, err
		}
		note(version, "free", held[i].Timing)
	}
	if j.Paced > 0 {
		paced, err := j.simulate(s, 3, Run{Method: method, Paced: true, Duration: j.Paced})
		if err != nil {
			return nil, nil, err
		}
		note(3, "real time", paced.Timing)
	}
	native, err := j.run(s.model, "", s.manoeuvre, Run{Method: method, Held: true, Record: held[1].Trace.Names})
	if err != nil {
		return nil, nil, err
	}
	carried, err := j.simulate(s, 2, Run{Method: method})
	if err != nil {
		if carried != nil { // what was recorded shows why
			err = errors.Join(err, j.write(s, method, carried.Trace))
		}
		return nil, nil, err
	}
	trace := carried.Trace
	if err := j.write(s, method, trace); err != nil {
		return nil, nil, err
	}
	run := s.manoeuvre + ", " + method
	checks := []checked{
		{run, BitEqual("B1", "FMI 2.0 and FMI 3.0 are bit-identical", held[0].Trace, held[1].Trace)},
		{run, BitEqual("B2", "FMI 3.0 and the native library are bit-identical", held[1].Trace, native.Trace)},
	}
	for _, check := range s.check(trace) {
		checks = append(checks, checked{run, check})
	}
	return trace, checks, nil
}

// fiala makes the checks G10 and G11, for which the generic vehicle gets Fiala tires at
// load time, and compares the built-in function with that of a library.
func (j *Job) fiala(method string, pacejka map[string]*Trace) ([]checked, error) {
	printed, err := filepath.Abs(filepath.Join(j.Resources, "tires", "fiala_generic4w.toml"))
	if err != nil {
		return nil, err
	}
	matched, remove, err := matchedRolling(printed)
	if err != nil {
		return nil, err
	}
	defer remove()
	var checks []checked
	for _, c := range []struct {
		scenario *scenario
		file     string
		compare  func(pacejka, fiala *Trace) Check
	}{
		{&scenarios[1], matched, FialaBraking},
		{&scenarios[0], printed, FialaSine},
	} {
		builtIn, err := j.simulate(c.scenario, 2, Run{Method: method, Settings: fit("Fiala", c.file)})
		if err != nil {
			return nil, err
		}
		run := c.scenario.manoeuvre + ", " + method
		checks = append(checks, checked{run + ", Fiala and Pacejka", c.compare(pacejka[c.scenario.manoeuvre], builtIn.Trace)})
		if j.Tires == "" || method != "rk4" {
			continue // methods with a Jacobian take differences for functions that have none
		}
		library, err := j.simulate(c.scenario, 2, Run{Method: method, Settings: fit("plugin:"+j.Tires+"#skidpad_fiala", c.file)})
		if err != nil {
			return nil, err
		}
		checks = append(checks, checked{run + ", Fiala of a library", BitEqual("B3", "the library function is bit-identical to the built-in one", library.Trace, builtIn.Trace)})
	}
	return checks, nil
}

// simulate simulates a scenario with a new instance of its FMU.
func (j *Job) simulate(s *scenario, version int, run Run) (*Result, error) {
	path := filepath.Join(j.FMUs, fmt.Sprintf("fmi%d", version), s.fmu+".fmu")
	fail := func(err error) (*Result, error) { return nil, fmt.Errorf("%s with %s: %w", s.manoeuvre, path, err) }
	f := j.open[path]
	if f == nil {
		var err error
		if f, err = OpenFMU(path); err != nil {
			return nil, err
		}
		j.open[path] = f
	}
	m, err := ReadManoeuvre(filepath.Join(j.Resources, "manoeuvres", s.manoeuvre+".toml"))
	if err != nil {
		return fail(err)
	}
	c, err := f.Instantiate(s.manoeuvre, f.Token)
	if err != nil {
		return fail(err)
	}
	defer c.Close()
	run.Manoeuvre, run.Progress = m, j.Progress
	result, err := Simulate(c, run)
	if err != nil {
		_, err = fail(err)
		return result, err
	}
	return result, c.Terminate()
}

// convergence makes the checks G12 and S9: explicit Euler against RK4 with
// steps four times shorter and the tire edges in the cotree.
func (j *Job) convergence() ([]checked, error) {
	var checks []checked
	for _, s := range scenarios {
		fine, err := j.run(s.model, "", s.manoeuvre, Run{Method: "rk4", Step: s.eulerStep, Substep: s.eulerStep / 4})
		if err != nil {
			return nil, err
		}
		for _, tree := range s.eulerTrees {
			euler, err := j.run(s.model, tree, s.manoeuvre, Run{Method: "euler", Step: s.eulerStep, Substep: s.eulerStep})
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

// run loads a model with one of its tree selections into the native library and
// simulates a manoeuvre.
func (j *Job) run(model, tree, manoeuvre string, run Run) (*Result, error) {
	fail := func(err error) (*Result, error) {
		return nil, fmt.Errorf("%s with %s: %w", manoeuvre, model, err)
	}
	m, err := ReadManoeuvre(filepath.Join(j.Resources, "manoeuvres", manoeuvre+".toml"))
	if err != nil {
		return fail(err)
	}
	vehicle, err := j.Library.Load(filepath.Join(j.Resources, "models", model+".toml"), tree)
	if err != nil {
		return fail(err)
	}
	defer vehicle.Close()
	run.Manoeuvre, run.Progress = m, j.Progress
	result, err := Simulate(vehicle, run)
	if err != nil {
		return fail(err)
	}
	return result, nil
}

// write leaves the CSV file and the plot of a run.
func (j *Job) write(s *scenario, method string, t *Trace) error {
	if j.Out == "" {
		return nil
	}
	base := filepath.Join(j.Out, s.manoeuvre+"_"+method)
	return errors.Join(
		WriteFile(base+".csv", t.WriteCSV),
		WriteFile(base+".png", func(to io.Writer) error { return PlotOverview(to, t, s.manoeuvre+", "+method) }),
	)
}

// report prints the checks and reports whether all hold.
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
