package harness

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/figures"
)

// Evaluator makes the runs of a manoeuvre and evaluates its key figures.
type Evaluator struct {
	// Open makes a fresh subject; what it returns besides closes it.
	Open     func() (Subject, func(), error)
	Method   string          // as in Run
	Settings []Setting       // as in Run
	Replaced []ConstantValue // constants of the manoeuvre that have other values; those that a sweep varies then do not vary
	Progress Progress        // as in Run
}

// Evaluated is a manoeuvre with its runs and key figures.
type Evaluated struct {
	Manoeuvre *Manoeuvre
	Prerun    *Evaluated // nil without
	Runs      []EvaluatedRun
	Figures   []figures.Figure // of all runs together
}

// EvaluatedRun is one run.
type EvaluatedRun struct {
	Varied  []ConstantValue // of the sweep
	Result  *Result
	Record  *figures.Record
	Figures []figures.Figure
}

// Evaluate makes the run before the manoeuvre, where it has one, all its own runs, and their figures. A run that
// fails has a verdict and the figures that can still be had.
func (e *Evaluator) Evaluate(path string) (*Evaluated, error) { return e.evaluate(path, nil) }

// evaluate keeps the files that wait for this one.
func (e *Evaluator) evaluate(path string, waiting []string) (*Evaluated, error) {
	m, err := ReadManoeuvre(path, e.Replaced...)
	if err != nil {
		return nil, err
	}
	if m.Evaluation == nil {
		return nil, fmt.Errorf("%s: the manoeuvre has no table [figures]; skidpad simulate runs it", path)
	}
	replaced := slices.Clone(e.Replaced)
	out := &Evaluated{}
	if m.Prerun != nil {
		if out.Prerun, replaced, err = e.before(path, m.Prerun, waiting); err != nil {
			return nil, err
		}
	}
	if out.Manoeuvre, err = ReadManoeuvre(path, replaced...); err != nil {
		return nil, err
	}
	kind := figures.Find(m.Evaluation.Kind)
	var records []*figures.Record
	for _, varied := range combinations(out.Manoeuvre.Sweep, e.Replaced) {
		run := EvaluatedRun{Varied: varied}
		varied, err := ReadManoeuvre(path, slices.Concat(replaced, varied)...)
		if err != nil {
			return nil, err
		}
		if run.Result, err = e.run(varied); err != nil {
			return nil, err
		}
		run.Record = record(varied, run.Result)
		run.Figures = kind.Run(run.Record, varied.Evaluation.Options)
		out.Runs, records = append(out.Runs, run), append(records, run.Record)
	}
	if kind.All != nil {
		out.Figures = kind.All(records, out.Manoeuvre.Evaluation.Options)
	}
	return out, nil
}

// before makes the run that gives constants, and adds them to those that are replaced.
func (e *Evaluator) before(path string, p *Prerun, waiting []string) (*Evaluated, []ConstantValue, error) {
	replaced := slices.Clone(e.Replaced)
	var wanted []FigureConstant
	for _, c := range p.Constants {
		if !slices.ContainsFunc(replaced, func(r ConstantValue) bool { return r.Name == c.Constant }) {
			wanted = append(wanted, c)
		}
	}
	if len(wanted) == 0 {
		return nil, replaced, nil
	}
	if waiting = append(waiting, path); len(waiting) > 3 {
		return nil, nil, fmt.Errorf("%s: more than %d manoeuvres run one before the other: %s", path, len(waiting)-1, strings.Join(waiting, ", "))
	}
	other := *e
	other.Replaced = p.Replaced
	first, err := other.evaluate(filepath.Join(filepath.Dir(path), filepath.FromSlash(p.File)), waiting)
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
func (e *Evaluator) run(m *Manoeuvre) (*Result, error) {
	subject, closeIt, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer closeIt()
	result, err := Simulate(subject, Run{Manoeuvre: m, Method: e.Method, Settings: e.Settings, Record: m.Evaluation.reads(), Progress: e.Progress})
	if result == nil {
		return nil, err
	}
	if err != nil {
		result.Verdict = err.Error()
	}
	return result, nil
}

// reads are the variables that key figures need.
func (e *Evaluation) reads() []string {
	var names []string
	for _, quantity := range []string{"vx", "vy", "ay", "az", "wz", "roll", "pitch", "yaw", "x", "y"} {
		names = append(names, e.Body+"."+quantity)
	}
	for _, tire := range slices.Concat(e.Front, e.Rear) {
		names = append(names, tire+".Fz", tire+".kappa")
	}
	return names
}

// record makes signals of what a run recorded.
func record(m *Manoeuvre, result *Result) *figures.Record {
	e, t := m.Evaluation, result.Trace
	body := func(quantity string) []float64 { return t.Column(e.Body + "." + quantity) }
	r := &figures.Record{Ratio: m.Steering.Ratio, Verdict: result.Verdict, Time: t.Time,
		Speed: body("vx"), SideSlip: figures.SideSlip(body("vx"), body("vy")), Lateral: figures.Horizontal(body("ay"), body("az"), body("roll")),
		YawRate: body("wz"), Roll: body("roll"), Pitch: body("pitch"), X: body("x"), Y: body("y"), Yaw: body("yaw")}
	for _, p := range result.Phases {
		r.Phases = append(r.Phases, figures.Phase(p))
	}
	first := m.Steering.Drivers[0]
	for i, name := range result.Inputs.Names {
		if name == first+".angle" || name == first+".position" {
			r.Steer = mapped(result.Inputs.Values[i], func(v float64) float64 { return v * m.Steering.Ratio })
		}
	}
	if r.Steer == nil {
		r.Steer = make([]float64, len(t.Time)) // nothing steers
	}
	tires := func(names []string) (list []figures.Tire) {
		for _, name := range names {
			list = append(list, figures.Tire{Name: name, Load: t.Column(name + ".Fz"), Slip: t.Column(name + ".kappa")})
		}
		return list
	}
	r.Front, r.Rear = tires(e.Front), tires(e.Rear)
	return r
}
