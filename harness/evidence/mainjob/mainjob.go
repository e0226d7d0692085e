// Package mainjob drives the vehicles of all publications through their manoeuvres, from their FMUs and through the
// library, and checks every statement.
package mainjob

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/plots"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Job is the main job: the vehicles of all sources through their manoeuvres, from their FMUs, with every statement of
// the sources checked. The two vehicles of Morency (2007) run with both solvers that take them at 1 ms, the others with
// their own solver.
type Job struct {
	FMUs      string           // folder with fmi2/ and fmi3/, which hold the FMUs of all vehicles
	Library   *library.Library // the same engine as a native library
	Tires     string           // tire library with the function skidpad_fiala; "" leaves its check out
	Resources string           // folder with models, tires and manoeuvres
	Out       string           // folder for CSV files and plots; "" writes none
	Timed     bool             // statements about times are judged, too
	Paced     float64          // duration of the runs in real time, s; 0 for none
	Progress  output.Progress  // signs of life of long runs; nil for silence

	open map[string]*library.FMU
}

// Result holds the results of the job.
type Result struct {
	Runs   []Timed
	Checks []Checked
	out    string
}

// Timed says how long the steps of a run of an FMU took.
type Timed struct {
	Run    string
	FMI    int // 2 or 3
	Method string
	Paced  bool // in real time
	drive.Timing
}

// methods are the solvers; every statement must hold with each of them at 1 ms.
var methods = []string{"rk4", "linearly-implicit"}

// Checked is a check with its run.
type Checked struct {
	Run string `json:"run"`
	statements.Check
}

// Do runs the job.
func (j *Job) Do() (result *Result, err error) {
	j.open = map[string]*library.FMU{}
	defer func() {
		for _, f := range j.open {
			err = errors.Join(err, f.Close())
		}
	}()
	result = &Result{out: j.Out}
	for _, method := range methods {
		traces := map[string]*trace.Trace{}
		for i := range statements.Morency {
			s := &statements.Morency[i]
			trace, err := j.scenario(s, method, result)
			if err != nil {
				return nil, err
			}
			traces[s.Manoeuvre] = trace
		}
		more, err := j.fiala(method, traces)
		if err != nil {
			return nil, err
		}
		result.Checks = append(result.Checks, more...)
	}
	for _, s := range statements.OwnSolver {
		free := *j
		free.Paced = 0
		if _, err := free.scenario(&s, s.Method, result); err != nil {
			return nil, err
		}
	}
	converged, err := j.convergence()
	result.Checks = append(result.Checks, converged...)
	if err != nil || !j.Timed {
		return result, err
	}
	timed, err := j.timed(statements.NewHost())
	result.Checks = append(result.Checks, timed...)
	return result, err
}

// scenario makes the runs of one scenario with one solver, and adds their times and checks to the result.
func (j *Job) scenario(s *statements.Scenario, method string, result *Result) (*trace.Trace, error) {
	note := func(version int, paced bool, t drive.Timing) {
		result.Runs = append(result.Runs, Timed{s.Manoeuvre, version, method, paced, t})
	}
	var sampled [2]*drive.Result // runs with inputs that a step holds (zero-order hold), as all interfaces have them
	for i, version := range []int{2, 3} {
		var err error
		if sampled[i], err = j.simulate(s, version, drive.Plan{Method: method, Held: true}); err != nil {
			return nil, err
		}
		note(version, false, sampled[i].Timing)
	}
	if j.Paced > 0 {
		paced, err := j.simulate(s, 3, drive.Plan{Method: method, Paced: true, Duration: j.Paced})
		if err != nil {
			return nil, err
		}
		note(3, true, paced.Timing)
	}
	native, err := j.run(s.Model, "", s.Manoeuvre,
		drive.Plan{Method: method, Held: true, Record: sampled[1].Trace.Names()})
	if err != nil {
		return nil, err
	}
	carried, err := j.simulate(s, 2, drive.Plan{Method: method})
	if err != nil {
		if carried != nil { // what was recorded shows why
			err = errors.Join(err, j.write(s, method, carried.Trace))
		}
		return nil, err
	}
	trace := carried.Trace
	if err := j.write(s, method, trace); err != nil {
		return nil, err
	}
	run := s.Manoeuvre + ", " + method
	result.Checks = append(result.Checks,
		Checked{run, statements.BitEqual("B1", "FMI 2.0 and FMI 3.0 are bit-identical", sampled[0].Trace, sampled[1].Trace)},
		Checked{run, statements.BitEqual("B2", "FMI 3.0 and the native library are bit-identical", sampled[1].Trace,
			native.Trace)})
	for _, check := range s.Checks(trace) {
		result.Checks = append(result.Checks, Checked{run, check})
	}
	return trace, nil
}

// fiala makes the checks G10 and G11. The generic vehicle gets Fiala tires at load time, and the built-in function is
// compared with a library function.
func (j *Job) fiala(method string, pacejka map[string]*trace.Trace) ([]Checked, error) {
	printed, err := filepath.Abs(filepath.Join(j.Resources, "tires", "fiala_generic4w.toml"))
	if err != nil {
		return nil, err
	}
	matched, remove, err := statements.MatchedRolling(printed)
	if err != nil {
		return nil, err
	}
	defer remove()
	var checks []Checked
	for _, c := range []struct {
		scenario *statements.Scenario
		file     string
		compare  func(pacejka, fiala *trace.Trace) statements.Check
	}{
		{&statements.Morency[1], matched, statements.FialaBraking},
		{&statements.Morency[0], printed, statements.FialaSine},
	} {
		builtIn, err := j.simulate(c.scenario, 2,
			drive.Plan{Method: method, Settings: statements.FitFourTires("Fiala", c.file)})
		if err != nil {
			return nil, err
		}
		run := c.scenario.Manoeuvre + ", " + method
		checks = append(checks, Checked{run + ", Fiala and Pacejka",
			c.compare(pacejka[c.scenario.Manoeuvre], builtIn.Trace)})
		if j.Tires == "" || method != "rk4" {
			continue // methods with a Jacobian take differences for functions that have none
		}
		library, err := j.simulate(c.scenario, 2,
			drive.Plan{Method: method, Settings: statements.FitFourTires("plugin:"+j.Tires+"#skidpad_fiala", c.file)})
		if err != nil {
			return nil, err
		}
		checks = append(checks, Checked{run + ", Fiala of a library",
			statements.BitEqual("B3", "the library function is bit-identical to the built-in one", library.Trace,
				builtIn.Trace)})
	}
	return checks, nil
}

// simulate simulates a scenario with a new instance of its FMU.
func (j *Job) simulate(s *statements.Scenario, version int, run drive.Plan) (*drive.Result, error) {
	path := filepath.Join(j.FMUs, fmt.Sprintf("fmi%d", version), s.FMU+".fmu")
	fail := func(err error) (*drive.Result, error) {
		return nil, fmt.Errorf("%s with %s: %w", s.Manoeuvre, path, err)
	}
	f := j.open[path]
	if f == nil {
		var err error
		if f, err = library.OpenFMU(path); err != nil {
			return nil, err
		}
		j.open[path] = f
	}
	m, err := manoeuvre.Read(filepath.Join(j.Resources, "manoeuvres", s.Manoeuvre+".toml"))
	if err != nil {
		return fail(err)
	}
	c, err := f.Instantiate(s.Manoeuvre, f.Token)
	if err != nil {
		return fail(err)
	}
	defer c.Close()
	run.Manoeuvre, run.Progress = m, j.Progress
	result, err := drive.Simulate(c, run)
	if err != nil {
		_, err = fail(err)
		return result, err
	}
	return result, c.Terminate()
}

// convergence makes the checks G12 and S9: explicit Euler against RK4 with
// steps four times shorter and the tire edges in the cotree.
func (j *Job) convergence() ([]Checked, error) {
	var checks []Checked
	for _, s := range statements.Morency {
		fine, err := j.run(s.Model, "", s.Manoeuvre,
			drive.Plan{Method: "rk4", Step: s.EulerStep, Substep: s.EulerStep / 4})
		if err != nil {
			return nil, err
		}
		for _, tree := range s.EulerTrees {
			euler, err := j.run(s.Model, tree, s.Manoeuvre,
				drive.Plan{Method: "euler", Step: s.EulerStep, Substep: s.EulerStep})
			if err != nil {
				return nil, err
			}
			name := "G12"
			if s.Model == "skidder" {
				name = "S9"
			}
			statement := fmt.Sprintf("explicit Euler at %g ms is converged", s.EulerStep*1e3)
			checks = append(checks, Checked{s.Manoeuvre + ", euler, tree " + tree,
				statements.Converged(name, statement, euler.Trace, fine.Trace, s.Euler)})
		}
	}
	return checks, nil
}

// run loads a model with one of its tree selections into the native library and
// simulates a manoeuvre.
func (j *Job) run(model, tree, driven string, run drive.Plan) (*drive.Result, error) {
	fail := func(err error) (*drive.Result, error) {
		return nil, fmt.Errorf("%s with %s: %w", driven, model, err)
	}
	m, err := manoeuvre.Read(filepath.Join(j.Resources, "manoeuvres", driven+".toml"))
	if err != nil {
		return fail(err)
	}
	vehicle, err := j.Library.Load(filepath.Join(j.Resources, "models", model+".toml"), tree)
	if err != nil {
		return fail(err)
	}
	defer vehicle.Close()
	run.Manoeuvre, run.Progress = m, j.Progress
	result, err := drive.Simulate(vehicle, run)
	if err != nil {
		return fail(err)
	}
	return result, nil
}

// write leaves the CSV file and the plot of a run.
func (j *Job) write(s *statements.Scenario, method string, t *trace.Trace) error {
	if j.Out == "" {
		return nil
	}
	base := filepath.Join(j.Out, s.Manoeuvre+"_"+method)
	return errors.Join(
		output.WriteFile(base+".csv", t.WriteCSV),
		output.WriteFile(base+".png",
			func(to io.Writer) error {
				figure, err := plots.Overview(t, s.Manoeuvre+", "+method)
				if err != nil {
					return err
				}
				return figure.Write(to, ".png", plots.Styles[0])
			}),
	)
}

// Failed counts the checks that do not hold.
func (r *Result) Failed() int {
	failures := 0
	for _, c := range r.Checks {
		if c.Failed() {
			failures++
		}
	}
	return failures
}

// notJudged counts the checks without a verdict.
func (r *Result) notJudged() int {
	n := 0
	for _, c := range r.Checks {
		if c.NotJudged != "" {
			n++
		}
	}
	return n
}

// Print prints the times and the checks.
func (r *Result) Print(to io.Writer) error {
	timings := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(timings, "run\tFMI\tsolver\tpace\tsteps\tmedian\tp99.9\tworst\tmissed at 1 kHz\treal-time factor")
	for _, t := range r.Runs {
		pace, missed := "free", "-"
		if t.Paced {
			pace, missed = "real time", strconv.Itoa(t.Missed)
		}
		fmt.Fprintf(timings, "%s\t%d.0\t%s\t%s\t%d\t%v\t%v\t%v\t%s\t%.0f\n", t.Run, t.FMI, t.Method, pace,
			t.Steps, t.Median, t.P999, t.Worst, missed, t.RealTime)
	}
	if err := timings.Flush(); err != nil {
		return err
	}
	run := ""
	for _, c := range r.Checks {
		if c.Run != run {
			run = c.Run
			fmt.Fprintf(to, "\n%s\n", run)
		}
		fmt.Fprintf(to, "  %s %-4s %s\n            %s  [%s]\n", c.Verdict(), c.Name, c.Statement, c.Measured, c.Bound)
	}
	fmt.Fprintf(to, "\n%s\n", strings.Repeat("-", 60))
	left := ""
	if n := r.notJudged(); n > 0 {
		left = fmt.Sprintf(", %d not judged: the host was loaded; run it again with nothing beside it", n)
	}
	_, err := fmt.Fprintf(to, "%d checks, %d failed%s\n", len(r.Checks), r.Failed(), left)
	if r.out != "" {
		_, err = fmt.Fprintf(to, "recorded variables (CSV) and plots (PNG): %s\n", r.out)
	}
	return err
}

// WriteJSON writes the times, in seconds, and the checks.
func (r *Result) WriteJSON(to io.Writer) error {
	type runJSON struct {
		Run      string  `json:"run"`
		FMI      int     `json:"fmi"`
		Solver   string  `json:"solver"`
		Paced    bool    `json:"paced"`
		Steps    int     `json:"steps"`
		Median   float64 `json:"median"`
		P999     float64 `json:"p99.9"`
		Worst    float64 `json:"worst"`
		Missed   int     `json:"missed"`
		RealTime float64 `json:"real_time_factor"`
	}
	data := struct {
		Pass   bool      `json:"pass"`
		Runs   []runJSON `json:"runs"`
		Checks []Checked `json:"checks"`
	}{r.Failed() == 0, []runJSON{}, r.Checks}
	for _, t := range r.Runs {
		data.Runs = append(data.Runs, runJSON{t.Run, t.FMI, t.Method, t.Paced, t.Steps, t.Median.Seconds(),
			t.P999.Seconds(), t.Worst.Seconds(), t.Missed, t.RealTime})
	}
	return output.WriteJSON(to, data)
}
