package evaluate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// WriteReport writes a page: a box with the answer, the plots of the test and the changes against the files. The values
// of the runs, further plots and constants are folded.
func (e *Result) WriteReport(to io.Writer) error {
	m := e.Manoeuvre
	page := report.Page{Title: m.Title, Subtitle: strings.TrimPrefix(e.Vehicle+", "+m.Name, ", "), Facts: e.facts(),
		Answer: &report.Answer{Text: e.verdictOfAll() + "; " + e.warningCount() + "."}}
	for _, a := range e.answers() {
		page.Answer.Rows = append(page.Answer.Rows, report.AnswerRow{Name: a.id, Value: a.value, Unit: a.unit,
			Words: a.words})
	}
	if before := e.before(); before != "" {
		page.Answer.Text += " The " + before + "."
	}
	page.Sections = e.sections()
	if e.Prerun != nil {
		before := report.Section{Title: "Run before: " + e.Prerun.Manoeuvre.Title, Folded: true}
		for _, s := range e.Prerun.sections() {
			before.Text += s.Text
			before.Blocks = append(before.Blocks, s.Blocks...)
		}
		page.Sections = append(page.Sections, before)
	}
	return page.Write(to)
}

// compact reports whether a plot is not much longer one way than the other.
func compact(f *report.Plot) bool {
	const most = 4
	span := func(values func(c report.Curve) []float64) float64 {
		low, high := math.Inf(1), math.Inf(-1)
		for _, c := range f.Curves {
			low, high = min(low, slices.Min(values(c))), max(high, slices.Max(values(c)))
		}
		return high - low
	}
	x, y := span(func(c report.Curve) []float64 { return c.X }), span(func(c report.Curve) []float64 { return c.Y })
	return x < most*y && y < most*x
}

func isFinite(x float64) bool { return x-x == 0 }

// driverText says how the steering wheel is turned along a path; "" where it is not.
func driverText(m *manoeuvre.Manoeuvre) string {
	if !slices.ContainsFunc(m.Phases, func(p manoeuvre.Phase) bool { return p.Path != nil }) {
		return ""
	}
	if d := m.Driver; d != nil {
		return fmt.Sprintf("looks ahead by %.4g of his own preview, adapted from %.4g m/s to %.4g m/s, delay %.4g s, lag "+
			"%.4g s, at most %.4g rad/s and %.4g rad (0: no limit)", d.Factor, d.Slowest, d.Fastest, d.Delay, d.Lag, d.Rate,
			d.Angle)
	}
	f := m.PathFollower
	slow := ""
	if f.Growth > 1 {
		slow = fmt.Sprintf(" (below %.3g m/s up to %.3g times that)", f.Slow, f.Growth)
	}
	return fmt.Sprintf("looks %.4g s ahead, %.4g rad/m, %.4g rad/(m s)%s, lag %.4g s, at most %.4g rad/s and %.4g rad",
		f.Preview, f.Proportional, f.Integral, slow, f.Lag, f.Rate, f.Limit)
}

// sections are the sections of a manoeuvre: first the plots of the test, then the remaining ones, folded.
func (e *Result) sections() []report.Section {
	front, others := e.plots()
	first := report.Section{Title: "What the test is about", Blocks: []report.Block{&report.Grid{Plots: front}}}
	if changes := e.changeTable(); changes != nil {
		first.Blocks = append(first.Blocks, changes)
	}
	values := report.Section{Title: "Values of the runs", Folded: true,
		Blocks: []report.Block{e.runTable(), e.valueTable()}}
	for i, run := range e.Runs {
		if run.Result.Verdict != "" {
			values.Text += fmt.Sprintf("Run %d ended early: %s. ", i+1, run.Result.Verdict)
		}
	}
	list := []report.Section{first, values}
	if warnings := e.warningTable(); warnings != nil {
		list = append(list, report.Section{Title: "Warnings", Folded: true, Blocks: []report.Block{warnings}})
	}
	list = append(list, report.Section{Title: "Other plots", Folded: true,
		Blocks: []report.Block{&report.Grid{Plots: others}}})
	if constants := e.constantTable(); constants != nil {
		list = append(list, report.Section{Title: "Constants", Folded: true, Blocks: []report.Block{constants}})
	}
	return list
}

// runTable has a column for each run.
func (e *Result) runTable() *report.Table {
	rows := e.runsAsColumns()
	table := &report.Table{Rows: rows[1:]}
	for i, head := range rows[0] {
		column := report.Column{Name: head, Kind: report.Number}
		if i < 2 {
			column.Kind = report.Words
		}
		table.Columns = append(table.Columns, column)
	}
	return table
}

// valueTable has all values with their times and definitions.
func (e *Result) valueTable() *report.Table {
	table := &report.Table{Title: "With times and definitions",
		Columns: []report.Column{{Name: "Run"}, {Name: "Varied"}, {Name: "Figure"},
			{Name: "Value", Kind: report.Number}, {Name: "Unit"}, {Name: "At, s", Kind: report.Number},
			{Name: "Definition"}}}
	for _, row := range e.rows() {
		value, unit := shown(row.Figure)
		at, definition := "", row.Definition
		if !math.IsNaN(row.Time) {
			at = fmt.Sprintf("%.3f", row.Time)
		}
		if row.Missing != "" {
			definition += " (missing: " + row.Missing + ")"
		}
		table.Rows = append(table.Rows, []string{row.run, row.varied, row.ID, value, unit, at, definition})
	}
	return table
}

// changeTable has what differs from the files; nil where nothing does.
func (e *Result) changeTable() *report.Table {
	table := &report.Table{Title: "What differs from the files",
		Columns: []report.Column{{Name: "Name"}, {Name: "Value"}, {Name: "From"}}}
	for _, c := range e.changes() {
		table.Rows = append(table.Rows, []string{c.name, c.value, c.origin})
	}
	if table.Rows == nil {
		return nil
	}
	return table
}

// constantTable has all constants of the manoeuvre; nil without.
func (e *Result) constantTable() *report.Table {
	table := &report.Table{Columns: []report.Column{{Name: "Constant"}, {Name: "Value"}, {Name: "From"}}}
	for _, c := range e.Constants {
		table.Rows = append(table.Rows, []string{c.Name, c.Written.Show(c.Value), c.Origin})
	}
	if table.Rows == nil {
		return nil
	}
	return table
}

// overTime are the signals that are drawn of every run.
var overTime = []figures.Signal{figures.SteeringWheel, figures.Speed, figures.YawRate, figures.Lateral,
	figures.SideSlipAngle, figures.Roll}

// Plots are the plots of the manoeuvre's characteristic values, then the signals of all runs over time.
func (e *Result) Plots() *report.Grid {
	front, others := e.plots()
	return &report.Grid{Plots: slices.Concat(front, others)}
}

// plots are the plots that the test is about, and all others.
func (e *Result) plots() (front, others []*report.Plot) {
	if p := e.overVaried(); p != nil {
		front = append(front, p)
	}
	front = append(front, e.tracks()...)
	for _, p := range e.ofKind() {
		front = append(front, e.drawn(p))
	}
	isThere := func(title string) bool {
		return slices.ContainsFunc(front, func(p *report.Plot) bool { return p.Title == title })
	}
	grid := &report.Grid{}
	for _, s := range overTime {
		if !isThere(s.Title) {
			e.plot(grid, s.Title, figures.Time, s)
		}
	}
	before := len(grid.Plots)
	e.plot(grid, "Path of the centre of mass", figures.X, figures.Y)
	for _, path := range grid.Plots[before:] {
		path.EqualScales = compact(path) // a circle is one
	}
	others = append(grid.Plots, e.tires()...)
	const most = 2
	if n := min(most, len(front)); n > 0 {
		return front[:n], slices.Concat(front[n:], others)
	}
	n := min(most, len(others))
	return others[:n], others[n:]
}

// overVaried draws the first figure of the answer over the last varied constant, with a curve for each combination of
// the other constants. It returns nil if the constant has less than three values. The runs of a search do not vary:
// they seek.
func (e *Result) overVaried() *report.Plot {
	varied := e.Runs[0].Varied
	if len(varied) == 0 || e.Manoeuvre.Search != nil {
		return nil
	}
	last := len(varied) - 1
	constant := varied[last]
	constant.Written = e.unitOf(constant)
	unit, perX := degrees.Of(constant.Written.SI())
	for _, id := range figures.Find(e.Manoeuvre.KeyFigures.Kind).Answer {
		p := &report.Plot{X: report.Axis{Label: display.Label(constant.Name, unit)}}
		for _, run := range e.Runs {
			k := slices.IndexFunc(run.Figures, func(f figures.Figure) bool { return f.ID == id && f.Missing == "" })
			if k < 0 {
				continue
			}
			f := run.Figures[k]
			unit, perY := degrees.Of(f.Unit)
			p.Title, p.Y.Label = f.ID+" by "+constant.Name, display.Label(f.ID, strings.TrimPrefix(unit, "1"))
			label := legend(run.Varied[:last])
			if n := len(p.Curves); n == 0 || p.Curves[n-1].Label != label {
				p.Curves = append(p.Curves, report.Curve{Label: label, Points: true})
			}
			c := &p.Curves[len(p.Curves)-1]
			c.X, c.Y = append(c.X, run.Varied[last].Value/perX), append(c.Y, f.Value/perY)
		}
		const least = 3
		p.Curves = slices.DeleteFunc(p.Curves, func(c report.Curve) bool { return len(c.X) < least })
		if len(p.Curves) > 0 {
			return p
		}
	}
	return nil
}

// plot adds a plot of a signal over another one, with a curve for each run that has them.
func (e *Result) plot(grid *report.Grid, title string, x, y figures.Signal) {
	if f := e.drawn(figures.Overlaid(title, e.records(), x, y)); len(f.Curves) > 0 {
		grid.Plots = append(grid.Plots, f)
	}
}

func (e *Result) records() []*figures.Record {
	list := make([]*figures.Record, len(e.Runs))
	for i := range e.Runs {
		list[i] = e.Runs[i].Record
	}
	return list
}

// ofKind are the plots that the characteristic values of the manoeuvre add.
func (e *Result) ofKind() []figures.Plot {
	values := e.Manoeuvre.KeyFigures
	kind := figures.Find(values.Kind)
	if kind == nil || kind.Plots == nil {
		return nil
	}
	return slices.DeleteFunc(kind.Plots(e.records(), values.Options),
		func(p figures.Plot) bool { return len(e.drawn(p).Curves) == 0 })
}

// pointsOfCurve is the largest number of points of a curve in a plot.
const pointsOfCurve = 2000

// drawn is a plot with as many points as one sees. A curve without a label gets the label of its run.
func (e *Result) drawn(p figures.Plot) *report.Plot {
	f := &report.Plot{Title: p.Title, X: report.Axis{Label: p.X, Log: p.Log}, Y: report.Axis{Label: p.Y, Log: p.Log}}
	if !p.Log {
		f.Y.Span = 1e-3
	}
	if p.Of > 0 && len(e.Runs) > 1 {
		f.Title += fmt.Sprintf(" of run %d %s", p.Of, legend(e.Runs[p.Of-1].Varied))
	}
	for _, curve := range p.Curves {
		c := report.Curve{Label: curve.Label}
		if curve.Label == "" {
			c.Label = fmt.Sprintf("run %d %s", curve.Run+1, legend(e.Runs[curve.Run].Varied))
		}
		if len(curve.X) < 2 || len(curve.X) != len(curve.Y) {
			continue
		}
		stride := len(curve.X)/pointsOfCurve + 1
		for k := 0; k < len(curve.X); k += stride {
			if x, y := curve.X[k], curve.Y[k]; isFinite(x + y) { // the last row of a run that fails may not be
				c.X, c.Y = append(c.X, x), append(c.Y, y)
			}
		}
		if len(c.X) > 1 {
			f.Curves = append(f.Curves, c)
		}
	}
	return f
}

// tires are loads, slips and forces of the tires of the first runs; the forces by the load, over each other, stay
// within a circle of the friction.
func (e *Result) tires() []*report.Plot {
	const most = 2
	var list []*report.Plot
	for i, run := range e.Runs[:min(most, len(e.Runs))] {
		r := run.Record
		stride := len(r.Time)/pointsOfCurve + 1
		add := func(title string, x, y report.Axis, least float64,
			value func(t *figures.Tire, row int) (x, y float64)) *report.Plot {
			f := &report.Plot{Title: strings.TrimSpace(fmt.Sprintf("%s of run %d %s", title, i+1, legend(run.Varied))),
				X: x, Y: y}
			for _, tire := range slices.Concat(r.Front, r.Rear) {
				c := report.Curve{Label: tire.Name}
				for k := 0; k < len(r.Time); k += stride {
					if tire.Load[k] < least {
						continue
					}
					if x, y := value(&tire, k); isFinite(x + y) {
						c.X, c.Y = append(c.X, x), append(c.Y, y)
					}
				}
				if len(c.X) > 1 {
					f.Curves = append(f.Curves, c)
				}
			}
			if len(f.Curves) > 0 {
				list = append(list, f)
			}
			return f
		}
		const least = 50 // N, below which slips and ratios of forces tell nothing
		time := report.Axis{Label: "time, s"}
		angle, scale := display.SideSlip.Label(degrees)
		add("Wheel loads", time, report.Axis{Label: "load, kN"}, 0,
			func(t *figures.Tire, k int) (x, y float64) { return r.Time[k], t.Load[k] / 1e3 })
		add("Side-slip angles of the tires", time, report.Axis{Label: angle, Span: 1e-3}, least,
			func(t *figures.Tire, k int) (x, y float64) { return r.Time[k], t.Angle[k] / scale })
		add("Longitudinal slips", time, report.Axis{Label: "longitudinal slip, 1", Span: 1e-3}, least,
			func(t *figures.Tire, k int) (x, y float64) { return r.Time[k], t.Slip[k] })
		used := add("Forces by the load", report.Axis{Label: "Fx/Fz, 1"}, report.Axis{Label: "Fy/Fz, 1"}, least,
			func(t *figures.Tire, k int) (x, y float64) { return t.Fx[k] / t.Load[k], t.Fy[k] / t.Load[k] })
		circle := report.Line{}
		for k := range 73 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 36)
			circle.X, circle.Y = append(circle.X, cos), append(circle.Y, sin)
		}
		used.EqualScales = true
		used.Note, used.Lines = "Circle: tire force equal to the vertical load", []report.Line{circle}
	}
	return list
}

// tracks show the last run that passes and the last run that does not, on the track: the path of the centre of mass,
// the outline of the body every half second, the borders, and cones along them.
func (e *Result) tracks() []*report.Plot {
	shown := map[bool]int{}
	for i, run := range e.Runs {
		k := slices.IndexFunc(run.Figures, func(f figures.Figure) bool { return f.ID == "pass" })
		if len(run.Record.Track) > 0 && k >= 0 {
			shown[run.Figures[k].Value == 1] = i
		}
	}
	var list []*report.Plot
	for _, pass := range []bool{true, false} {
		i, has := shown[pass]
		if !has {
			continue
		}
		r := e.Runs[i].Record
		k := slices.IndexFunc(r.Phases, func(p figures.Phase) bool { return p.Name == "track" })
		if k < 0 {
			continue
		}
		first := sort.SearchFloat64s(r.Time, r.Phases[k].Begin)
		x, y, yaw := r.Local(first)
		f := &report.Plot{Title: fmt.Sprintf("Run %d %s on the track", i+1, legend(e.Runs[i].Varied)),
			X: report.Axis{Label: "x, m"}, Y: report.Axis{Label: "y, m, not to the scale of x"},
			Curves: []report.Curve{{Label: "centre of mass", X: x[first:], Y: y[first:]}}}
		var outline figures.Outline
		if o, is := e.Manoeuvre.KeyFigures.Options.(*figures.LaneOptions); is {
			outline = o.Outline
		}
		for at := first; at < len(x); at += max(int(0.5/(r.Time[1]-r.Time[0])), 1) {
			var l report.Line
			corners := outline.Corners(x[at], y[at], yaw[at])
			for c := range 5 {
				l.X, l.Y = append(l.X, corners[c%4][0]), append(l.Y, corners[c%4][1])
			}
			f.Lines = append(f.Lines, l)
		}
		for _, s := range r.Track {
			if !s.Lane() {
				continue
			}
			const spacing = 5.0 // m, at most
			n := int(math.Ceil((s.To - s.From) / spacing))
			for _, border := range [2]float64{s.Right, s.Left} {
				f.Lines = append(f.Lines, report.Line{X: []float64{s.From, s.To}, Y: []float64{border, border}})
				for c := range n + 1 {
					f.Dots = append(f.Dots, [2]float64{s.From + (s.To-s.From)*float64(c)/float64(n), border})
				}
			}
		}
		if len(x)-first > 1 {
			list = append(list, f)
		}
	}
	return list
}
