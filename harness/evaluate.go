package harness

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"skidpad/harness/figures"
)

// Evaluator makes the runs of a manoeuvre and evaluates its key figures.
type Evaluator struct {
	// Open makes a fresh subject; what it returns besides closes it. Runs of a sweep are made side by side.
	Open     func() (Subject, func(), error)
	Target                   // for manoeuvres of any car
	Method   string          // as in Run
	Settings []Setting       // as in Run
	Replaced []ConstantValue // constants of the manoeuvre that have other values; those that a sweep varies then do not vary
	Held     bool            // as in Run
	Progress Progress        // as in Run

	AllowPlugins bool // as in Run, also for manoeuvres that run before
}

// ManoeuvreResult is a manoeuvre with its runs and key figures.
type ManoeuvreResult struct {
	Vehicle   string // name of its model
	Manoeuvre *Manoeuvre
	Prerun    *ManoeuvreResult // nil without
	Runs      []ManoeuvreRun
	Figures   []figures.Figure // of all runs together
}

// ManoeuvreRun is one run.
type ManoeuvreRun struct {
	Varied   []ConstantValue // of the sweep
	Settings []Setting       // parameters and texts that were set before, by the manoeuvre and by the evaluator
	Start    []StartValue    // start values
	Result   *Result
	Record   *figures.Record
	Figures  []figures.Figure
}

// Evaluate makes the run before the manoeuvre, where it has one, all its own runs, and their figures. A run that
// fails has a verdict and the figures that can still be had.
func (e *Evaluator) Evaluate(path string) (*ManoeuvreResult, error) { return e.evaluate(path, nil) }

// Read reads a manoeuvre and makes the run before it, where it has one: constants that come from there have the values of
// that run's figures, and are listed. The manoeuvre's own runs are left to the caller.
func (e *Evaluator) Read(path string) (m *Manoeuvre, found []ConstantValue, err error) {
	if m, err = ReadManoeuvreFor(e.Target, path, e.Replaced...); err != nil || m.Prerun == nil {
		return m, nil, err
	}
	_, replaced, err := e.runPrerun(path, m.Prerun, nil)
	if err != nil {
		return nil, nil, err
	}
	m, err = ReadManoeuvreFor(e.Target, path, replaced...)
	return m, replaced[len(e.Replaced):], err
}

// evaluate keeps the files that wait for this one.
func (e *Evaluator) evaluate(path string, waiting []string) (*ManoeuvreResult, error) {
	m, err := ReadManoeuvreFor(e.Target, path, e.Replaced...)
	if err != nil {
		return nil, err
	}
	if m.Evaluation == nil {
		return nil, fmt.Errorf("%s: the manoeuvre has no table [figures]; skidpad simulate runs it", path)
	}
	replaced := slices.Clone(e.Replaced)
	out := &ManoeuvreResult{Vehicle: e.Model}
	if m.Prerun != nil {
		if out.Prerun, replaced, err = e.runPrerun(path, m.Prerun, waiting); err != nil {
			return nil, err
		}
	}
	if out.Manoeuvre, err = ReadManoeuvreFor(e.Target, path, replaced...); err != nil {
		return nil, err
	}
	if out.Vehicle == "" {
		out.Vehicle = strings.Join(out.Manoeuvre.Models, ", ")
	}
	try := func(varied []ConstantValue, progress Progress) (*ManoeuvreRun, error) {
		m, err := ReadManoeuvreFor(e.Target, path, slices.Concat(replaced, varied)...)
		if err != nil {
			return nil, err
		}
		result, err := e.run(m, progress)
		if err != nil {
			return nil, err
		}
		r := record(m, result)
		return &ManoeuvreRun{varied, slices.Concat(plain(m.Settings), e.Settings), m.Start, result, r, figures.Find(m.Evaluation.Kind).Run(r, m.Evaluation.Options)}, nil
	}
	if s := out.Manoeuvre.Search; s != nil && !slices.ContainsFunc(e.Replaced, func(c ConstantValue) bool { return c.Name == s.Constant }) {
		found, err := searchLimit(s, func(varied []ConstantValue) (*ManoeuvreRun, error) {
			run, err := try(varied, e.Progress)
			if err == nil {
				out.Runs = append(out.Runs, *run)
			}
			return run, err
		})
		if err != nil {
			return nil, err
		}
		out.Figures = append(out.Figures, found)
	} else {
		all := combinations(out.Manoeuvre.Sweep, e.Replaced)
		out.Runs = make([]ManoeuvreRun, len(all))
		progress := sideBySide(e.Progress, len(all))
		var group errgroup.Group
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, varied := range all {
			group.Go(func() error {
				run, err := try(varied, progress(i))
				if err == nil {
					out.Runs[i] = *run
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
	}
	if kind := figures.Find(m.Evaluation.Kind); kind.All != nil {
		var records []*figures.Record
		for _, run := range out.Runs {
			records = append(records, run.Record)
		}
		out.Figures = append(out.Figures, kind.All(records, out.Manoeuvre.Evaluation.Options)...)
	}
	return out, nil
}

// searchLimit makes the runs of a search.
func searchLimit(s *Search, run func([]ConstantValue) (*ManoeuvreRun, error)) (figures.Figure, error) {
	f := figures.Figure{ID: "highest_" + s.Constant, Time: math.NaN(), Unit: s.Unit,
		Definition: fmt.Sprintf("largest %s with which %s is 1; with %.4g more it is not", s.Constant, s.Figure, s.Tolerance)}
	x, missing, err := bisect(s.From, s.To, s.Tolerance, func(x float64) (bool, error) {
		r, err := run([]ConstantValue{{s.Constant, x}})
		if err != nil {
			return false, err
		}
		i := slices.IndexFunc(r.Figures, func(f figures.Figure) bool { return f.ID == s.Figure })
		if i < 0 {
			return false, fmt.Errorf("search: there is no figure %q of a run", s.Figure)
		}
		return r.Figures[i].Value == 1, nil
	})
	f.Value, f.Missing = x, missing
	return f, err
}

// bisect halves the interval from from, where something holds, to to, where it does not, until it is as small as the
// tolerance, and returns its lower end; NaN and why where it holds at both ends, or not at the lower one.
func bisect(from, to, tolerance float64, holds func(x float64) (bool, error)) (x float64, missing string, err error) {
	low, err := holds(from)
	if err != nil {
		return math.NaN(), "", err
	}
	if !low {
		return math.NaN(), fmt.Sprintf("not even with %.6g", from), nil
	}
	high, err := holds(to)
	if err != nil {
		return math.NaN(), "", err
	}
	if high {
		return math.NaN(), fmt.Sprintf("with %.6g, too", to), nil
	}
	for to-from > tolerance*(1+1e-9) {
		middle := from + (to-from)/2
		if !(from < middle && middle < to) {
			break // they are neighbours
		}
		good, err := holds(middle)
		if err != nil {
			return math.NaN(), "", err
		}
		if good {
			from = middle
		} else {
			to = middle
		}
	}
	return from, "", nil
}

// runPrerun makes the run that gives constants, and adds them to those that are replaced.
func (e *Evaluator) runPrerun(path string, p *Prerun, waiting []string) (*ManoeuvreResult, []ConstantValue, error) {
	replaced := slices.Clone(e.Replaced)
	wanted := p.Wanted(replaced)
	if len(wanted) == 0 {
		return nil, replaced, nil
	}
	if waiting = append(waiting, path); len(waiting) > 3 {
		return nil, nil, fmt.Errorf("%s: more than %d manoeuvres run one before the other: %s", path, len(waiting)-1, strings.Join(waiting, ", "))
	}
	other := *e
	other.Replaced = p.Replaced
	first, err := other.evaluate(RelativeTo(path, p.File), waiting)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: prerun: %w", path, err)
	}
	for _, c := range wanted {
		i := slices.IndexFunc(first.Figures, func(f figures.Figure) bool { return f.ID == c.Figure })
		switch {
		case i < 0:
			return nil, nil, fmt.Errorf("%s: prerun: manoeuvre %s has no figure %q of all its runs", path, first.Manoeuvre.Name, c.Figure)
		case math.IsNaN(first.Figures[i].Value):
			return nil, nil, fmt.Errorf("%s: prerun: figure %q of manoeuvre %s is missing: %s", path, c.Figure, first.Manoeuvre.Name, first.Figures[i].Missing)
		}
		replaced = append(replaced, ConstantValue{c.Constant, first.Figures[i].Value})
	}
	return first, replaced, nil
}

// Failures are the errors of runs that a step of the vehicle ended; nil without.
func (e *ManoeuvreResult) Failures() error {
	var all []error
	for i, run := range e.Runs {
		if run.Result.Failure != nil {
			all = append(all, fmt.Errorf("run %d: %w", i+1, run.Result.Failure))
		}
	}
	return errors.Join(all...)
}

// combinations lists all combinations of what varies, the last fastest, without what is fixed.
func combinations(sweep []Variation, fixed []ConstantValue) [][]ConstantValue {
	list := [][]ConstantValue{nil}
	for _, v := range sweep {
		if slices.ContainsFunc(fixed, func(c ConstantValue) bool { return c.Name == v.Name }) {
			continue
		}
		var next [][]ConstantValue
		for _, before := range list {
			for _, x := range v.Values {
				next = append(next, append(slices.Clone(before), ConstantValue{v.Name, x}))
			}
		}
		list = next
	}
	return list
}

// run makes one run. Where a step fails, that is its verdict.
func (e *Evaluator) run(m *Manoeuvre, progress Progress) (*Result, error) {
	subject, closeIt, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer closeIt()
	names := recordedFor(m.Evaluation)
	angle, torque := m.Steering.free()
	if _, err := subject.Find(angle); err == nil {
		names = append(names, angle, torque)
	}
	result, err := Simulate(subject, Run{Manoeuvre: m, Method: e.Method, Settings: e.Settings, Record: names, Held: e.Held, Progress: progress, AllowPlugins: e.AllowPlugins})
	if result == nil || len(result.Trace.Time) == 0 {
		return nil, err
	}
	if err != nil {
		result.Verdict, result.Failure = err.Error(), err
	}
	return result, nil
}

// recordedFor are the variables that key figures need.
func recordedFor(e *Evaluation) []string {
	var names []string
	for _, quantity := range []string{"vx", "vy", "ax", "ay", "az", "wz", "roll", "pitch", "yaw", "x", "y"} {
		names = append(names, e.Body+"."+quantity)
	}
	if e.Following != "" {
		for _, quantity := range []string{"ay", "az", "roll", "wz", "x", "y", "yaw"} {
			names = append(names, e.Following+"."+quantity)
		}
	}
	for _, tire := range slices.Concat(e.Front, e.Rear) {
		names = append(names, tire+".Fz", tire+".kappa", tire+".alpha", tire+".Fx", tire+".Fy", tire+".R_l", tire+".gamma", tire+".unloaded_radius")
	}
	for _, c := range e.Corners {
		names = append(names, c.Travel, c.Unsprung+".az")
	}
	return names
}

// record makes signals of what a run recorded.
func record(m *Manoeuvre, result *Result) *figures.Record {
	e, t := m.Evaluation, result.Trace
	body := func(quantity string) []float64 { return t.Column(e.Body + "." + quantity) }
	r := &figures.Record{Ratio: result.Ratio, Verdict: result.Verdict, Time: t.Time,
		Speed: body("vx"), SideSlip: figures.SideSlip(body("vx"), body("vy")), Lateral: figures.Horizontal(body("ay"), body("az"), body("roll")),
		Ahead: body("ax"), Aside: body("ay"), Up: body("az"), YawRate: body("wz"), Roll: body("roll"), Pitch: body("pitch"), X: body("x"), Y: body("y"), Yaw: body("yaw"), Track: m.Track}
	for _, p := range result.Phases {
		r.Phases = append(r.Phases, figures.Phase(p))
	}
	if angle, torque := m.Steering.free(); slices.Contains(t.Names, angle) {
		r.Steer, r.Hands = t.Column(angle), t.Column(torque)
	}
	first := m.Steering.Drivers[0]
	for i, name := range result.Inputs.Names {
		if r.Hands == nil && (name == first+".angle" || name == first+".position") {
			r.Steer = mapped(result.Inputs.Values[i], func(v float64) float64 { return v * result.Turns })
		}
	}
	if i := slices.IndexFunc(result.Inputs.Names, func(name string) bool { return strings.HasSuffix(name, ".z_dot") }); i > 0 {
		r.Post = result.Inputs.Values[i-1] // the rate of a road follows its height
	}
	if r.Steer == nil {
		r.Steer = make([]float64, len(t.Time)) // nothing steers
	}
	tires := func(names []string) (list []figures.Tire) {
		for _, name := range names {
			radius, gamma, unloaded := t.Column(name+".R_l"), t.Column(name+".gamma"), t.Column(name+".unloaded_radius")
			height := make([]float64, len(radius))
			for i := range height {
				height[i] = (radius[i] - unloaded[i]) * math.Cos(gamma[i])
			}
			list = append(list, figures.Tire{
				Name: name, Load: t.Column(name + ".Fz"), Slip: t.Column(name + ".kappa"), Height: height,
				Angle: t.Column(name + ".alpha"), Fx: t.Column(name + ".Fx"), Fy: t.Column(name + ".Fy"),
			})
		}
		return list
	}
	r.Front, r.Rear = tires(e.Front), tires(e.Rear)
	for _, c := range e.Corners {
		name, _, _ := strings.Cut(c.Travel, ".")
		r.Corners = append(r.Corners, figures.Corner{Name: name, Travel: t.Column(c.Travel), Rebound: c.Rebound, Bump: c.Bump, Up: t.Column(c.Unsprung + ".az")})
	}
	if e.Following != "" {
		of := func(quantity string) []float64 { return t.Column(e.Following + "." + quantity) }
		r.Following = &figures.Unit{Lateral: figures.Horizontal(of("ay"), of("az"), of("roll")), YawRate: of("wz"), X: of("x"), Y: of("y"), Yaw: of("yaw")}
	}
	return r
}
