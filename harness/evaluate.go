package harness

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

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
	for _, quantity := range []string{"vx", "vy", "ax", "ay", "az", "wz", "roll", "pitch", "yaw", "x", "y"} {
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
	r := &figures.Record{Constants: map[string]float64{}, Ratio: m.Steering.Ratio, Verdict: result.Verdict, Time: t.Time,
		Speed: body("vx"), SideSlip: figures.SideSlip(body("vx"), body("vy")), Lateral: figures.Horizontal(body("ay"), body("az"), body("roll")), Ahead: body("ax"),
		YawRate: body("wz"), Roll: body("roll"), Pitch: body("pitch"), X: body("x"), Y: body("y"), Yaw: body("yaw")}
	for _, c := range m.Constants {
		r.Constants[c.Name] = c.Value
	}
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

// row is a figure with the run that it is of.
type figureRow struct {
	run    string // number; "all" for all together
	varied string
	figures.Figure
}

func (e *Evaluated) rows() []figureRow {
	var rows []figureRow
	for i, run := range e.Runs {
		for _, f := range run.Figures {
			rows = append(rows, figureRow{strconv.Itoa(i + 1), texts(run.Varied), f})
		}
	}
	for _, f := range e.Figures {
		rows = append(rows, figureRow{"all", "", f})
	}
	return rows
}

// texts writes constants as NAME=VALUE.
func texts(constants []ConstantValue) string {
	var list []string
	for _, c := range constants {
		list = append(list, fmt.Sprintf("%s=%.6g", c.Name, c.Value))
	}
	return strings.Join(list, " ")
}

// shown is a figure's value with five digits, angles in degrees, with its unit.
func shown(f figures.Figure) (value, unit string) {
	x, unit := f.Value, f.Unit
	if rest, angle := strings.CutPrefix(unit, "rad"); angle {
		x, unit = x/degree, "deg"+rest
	}
	if math.IsNaN(x) {
		return "missing", unit
	}
	return strconv.FormatFloat(x, 'g', 5, 64), unit
}

// WriteTable prints the figures of every run and of all together, angles in degrees, then what they mean.
func (e *Evaluated) WriteTable(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if e.Prerun != nil {
		if err := e.Prerun.WriteTable(to); err != nil {
			return err
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintf(to, "%s (%s); hand wheel to road wheels %g to 1\n", e.Manoeuvre.Title, e.Manoeuvre.Name, e.Manoeuvre.Steering.Ratio)
	for i, run := range e.Runs {
		if run.Result.Verdict != "" {
			fmt.Fprintf(to, "run %d ended early: %s\n", i+1, run.Result.Verdict)
		}
	}
	fmt.Fprintln(w, "run\tvaried\tfigure\tvalue\tunit\tat, s\t")
	definitions := map[string]string{}
	var order []string
	for _, row := range e.rows() {
		value, unit := shown(row.Figure)
		at := ""
		if !math.IsNaN(row.Time) {
			at = fmt.Sprintf("%.3f", row.Time)
		}
		if row.Missing != "" {
			at = row.Missing
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", row.run, row.varied, row.ID, value, unit, at)
		if definitions[row.ID] == "" {
			definitions[row.ID] = row.Definition
			order = append(order, row.ID)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(to)
	for _, id := range order {
		fmt.Fprintf(w, "%s\t%s\n", id, definitions[id])
	}
	return w.Flush()
}

// WriteCSV writes the figures in SI units; a figure that is missing has no value, but a reason.
func (e *Evaluated) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"run", "varied", "figure", "value", "unit", "time", "missing", "definition"})
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	for _, r := range e.rows() {
		w.Write([]string{r.run, r.varied, r.ID, number(r.Value), r.Unit, number(r.Time), r.Missing, r.Definition})
	}
	w.Flush()
	return w.Error()
}

// WriteJSON writes constants, phases, verdicts and figures in SI units, with the version of the library and hashes
// (SHA-256) of files: those that the figures depend on.
func (e *Evaluated) WriteJSON(to io.Writer, files ...string) error {
	type number *float64
	type figure struct {
		Figure     string `json:"figure"`
		Definition string `json:"definition"`
		Unit       string `json:"unit"`
		Value      number `json:"value"`
		Time       number `json:"time,omitempty"`
		Missing    string `json:"missing,omitempty"`
	}
	type run struct {
		Varied  map[string]float64 `json:"varied"`
		Verdict string             `json:"verdict"`
		Phases  []Passed           `json:"phases"`
		Figures []figure           `json:"figures"`
	}
	finite := func(x float64) number {
		if math.IsNaN(x) {
			return nil
		}
		return &x
	}
	values := func(list []ConstantValue) map[string]float64 {
		m := map[string]float64{}
		for _, c := range list {
			m[c.Name] = c.Value
		}
		return m
	}
	list := func(from []figures.Figure) []figure {
		out := []figure{}
		for _, f := range from {
			out = append(out, figure{f.ID, f.Definition, f.Unit, finite(f.Value), finite(f.Time), f.Missing})
		}
		return out
	}
	data := struct {
		Manoeuvre string             `json:"manoeuvre"`
		Title     string             `json:"title"`
		Version   string             `json:"version"`
		Ratio     float64            `json:"ratio"`
		Files     map[string]string  `json:"files"`
		Constants map[string]float64 `json:"constants"`
		Runs      []run              `json:"runs"`
		Figures   []figure           `json:"figures"`
	}{e.Manoeuvre.Name, e.Manoeuvre.Title, Version, e.Manoeuvre.Steering.Ratio, map[string]string{}, values(e.Manoeuvre.Constants), nil, list(e.Figures)}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		hash := sha256.Sum256(content)
		data.Files[filepath.Base(file)] = hex.EncodeToString(hash[:])
	}
	for _, r := range e.Runs {
		data.Runs = append(data.Runs, run{values(r.Varied), r.Result.Verdict, r.Result.Phases, list(r.Figures)})
	}
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(data)
}

// WriteMarkdown writes the figures as a table: of few runs a line for each figure, of many a line for each run; angles in
// degrees.
func (e *Evaluated) WriteMarkdown(to io.Writer) error {
	const few = 3
	line := func(cells ...string) { fmt.Fprintf(to, "| %s |\n", strings.Join(cells, " | ")) }
	rule := func(n int) { line(slices.Repeat([]string{"---"}, n)...) }
	cell := func(f figures.Figure) string {
		text, _ := shown(f)
		if f.Missing != "" {
			return f.Missing
		}
		return text
	}
	named := func(f figures.Figure) string {
		_, unit := shown(f)
		if unit == "1" {
			return f.ID
		}
		return f.ID + ", " + unit
	}
	head := []string{"figure"}
	for i, run := range e.Runs {
		head = append(head, strings.TrimSpace(fmt.Sprintf("run %d %s", i+1, texts(run.Varied))))
	}
	if len(e.Runs) <= few {
		line(head...)
		rule(len(head))
		for k, f := range e.Runs[0].Figures {
			cells := []string{named(f)}
			for _, run := range e.Runs {
				cells = append(cells, cell(run.Figures[k]))
			}
			line(cells...)
		}
	} else {
		cells := []string{"run"}
		for _, f := range e.Runs[0].Figures {
			cells = append(cells, named(f))
		}
		line(cells...)
		rule(len(cells))
		for i, run := range e.Runs {
			cells := []string{head[i+1]}
			for _, f := range run.Figures {
				cells = append(cells, cell(f))
			}
			line(cells...)
		}
	}
	if len(e.Figures) > 0 {
		fmt.Fprintln(to)
		line("of all runs", "value")
		rule(2)
		for _, f := range e.Figures {
			line(named(f), cell(f))
		}
	}
	return nil
}
