package harness

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"

	"skidpad/harness/figures"
	"skidpad/harness/report"
)

// WriteReport writes a page with the figures, their definitions and plots of all runs.
func (e *Evaluated) WriteReport(to io.Writer) error {
	m := e.Manoeuvre
	page := report.Page{Title: m.Title, Subtitle: m.Name, Facts: []report.Fact{
		{Name: "Source", Value: m.Source}, {Name: "Hand wheel to road wheels", Value: fmt.Sprintf("%g to 1", e.Runs[0].Record.Ratio)}, {Name: "Version", Value: Version}}}
	if driver := m.driver(); driver != "" {
		page.Facts = append(page.Facts, report.Fact{Name: "Driver, with the constants below", Value: driver})
	}
	for _, c := range m.Constants {
		page.Facts = append(page.Facts, report.Fact{Name: c.Name, Value: fmt.Sprintf("%.6g", c.Value)})
	}
	if e.Prerun != nil {
		page.Sections = append(page.Sections, e.Prerun.section())
	}
	page.Sections = append(page.Sections, e.section())
	return page.Write(to)
}

// driver says how the hand wheel is turned along a path; "" where it is not.
func (m *Manoeuvre) driver() string {
	if !slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Path != nil }) {
		return ""
	}
	f := m.PathFollower
	return fmt.Sprintf("looks %.4g s ahead, %.4g rad/m, %.4g rad/(m s), lag %.4g s, at most %.4g rad/s and %.4g rad", f.Preview, f.Proportional, f.Integral, f.Lag, f.Rate, f.Limit)
}

// section has the figures and plots of a manoeuvre.
func (e *Evaluated) section() report.Section {
	table := &report.Table{Title: "Key figures", Columns: []report.Column{{Name: "Run"}, {Name: "Varied"}, {Name: "Figure"}, {Name: "Value", Kind: report.Number}, {Name: "Unit"}, {Name: "At, s", Kind: report.Number}, {Name: "Definition"}}}
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
	s := report.Section{Title: e.Manoeuvre.Title, Blocks: []report.Block{table, e.plots()}}
	for i, run := range e.Runs {
		if run.Result.Verdict != "" {
			s.Text += fmt.Sprintf("Run %d ended early: %s. ", i+1, run.Result.Verdict)
		}
	}
	return s
}

// plots are the signals of all runs over time, what is steady over the lateral acceleration, and responses.
func (e *Evaluated) plots() *report.Grid {
	const most = 2000 // points of a curve
	grid := &report.Grid{}
	add := func(title, x, y string, scale, xScale float64, over, signal func(*figures.Record) []float64) {
		f := &report.Figure{Title: title, X: report.Axis{Label: x}, Y: report.Axis{Label: y, Span: 1e-3}}
		for i, run := range e.Runs {
			c := report.Curve{Label: fmt.Sprintf("run %d %s", i+1, texts(run.Varied))}
			xs, ys := over(run.Record), signal(run.Record)
			if len(xs) < 2 || len(xs) != len(ys) {
				continue
			}
			stride := len(xs)/most + 1
			for k := 0; k < len(xs); k += stride {
				c.X, c.Y = append(c.X, xs[k]/xScale), append(c.Y, ys[k]/scale)
			}
			if len(c.X) > 1 {
				f.Curves = append(f.Curves, c)
			}
		}
		if len(f.Curves) > 0 {
			grid.Figures = append(grid.Figures, f)
		}
	}
	type signal = func(*figures.Record) []float64
	time := func(r *figures.Record) []float64 { return r.Time }
	lateral := func(r *figures.Record) []float64 { return r.Lateral }
	steer := func(r *figures.Record) []float64 { return r.Steer }
	slip := func(r *figures.Record) []float64 { return r.SideSlip }
	roll := func(r *figures.Record) []float64 { return r.Roll }
	yaw := func(r *figures.Record) []float64 { return r.YawRate }
	for _, p := range []struct {
		title, y string
		scale    float64
		signal   signal
	}{
		{"Hand wheel", "deg", degree, steer}, {"Speed", "m/s", 1, func(r *figures.Record) []float64 { return r.Speed }}, {"Yaw rate", "deg/s", degree, yaw},
		{"Lateral acceleration", "m/s2", 1, lateral}, {"Side-slip angle", "deg", degree, slip}, {"Roll angle", "deg", degree, roll},
	} {
		add(p.title, "time, s", p.y, p.scale, 1, time, p.signal)
	}
	add("Path of the centre of mass", "x, m", "y, m", 1, 1, func(r *figures.Record) []float64 { return r.X }, func(r *figures.Record) []float64 { return r.Y })
	o := e.Manoeuvre.Evaluation.Options
	grid.Figures = append(append(grid.Figures, e.loads()...), e.tracks()...)
	switch e.Manoeuvre.Evaluation.Kind {
	case "slowly-increasing-steer", "steady-circle-speed", "steady-circle-radius":
		add("Hand wheel", "a_y, m/s2", "deg", degree, 1, lateral, steer)
		add("Side-slip angle", "a_y, m/s2", "deg", degree, 1, lateral, slip)
		add("Roll angle", "a_y, m/s2", "deg", degree, 1, lateral, roll)
	case "frequency-response":
		response := func(of signal, what func(*figures.Response) []float64) signal {
			return func(r *figures.Record) []float64 {
				if s := figures.Spectrum(r, of(r), o); s != nil {
					return what(s)
				}
				return nil
			}
		}
		hertz := func(s *figures.Response) []float64 { return s.Frequency }
		for _, p := range []struct {
			title, unit string
			of          signal
		}{{"Yaw rate by hand wheel", "1/s", yaw}, {"Lateral acceleration by hand wheel", "m/s2", lateral}} {
			add(p.title+": gain", "frequency, Hz", p.unit, 1, 1, response(p.of, hertz), response(p.of, (*figures.Response).Gain))
			add(p.title+": phase", "frequency, Hz", "deg", degree, 1, response(p.of, hertz), response(p.of, (*figures.Response).Phase))
		}
		add("Coherence of the yaw rate", "frequency, Hz", "1", 1, 1, response(yaw, hertz), response(yaw, func(s *figures.Response) []float64 { return s.Coherence }))
	}
	return grid
}

// loads are the wheel loads of the first runs.
func (e *Evaluated) loads() []*report.Figure {
	const most, points = 2, 2000
	var list []*report.Figure
	for i, run := range e.Runs[:min(most, len(e.Runs))] {
		r := run.Record
		f := &report.Figure{Title: strings.TrimSpace(fmt.Sprintf("Wheel loads of run %d %s", i+1, texts(run.Varied))), X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: "kN"}}
		for _, tire := range slices.Concat(r.Front, r.Rear) {
			c := report.Curve{Label: tire.Name}
			for k := 0; k < len(r.Time); k += len(r.Time)/points + 1 {
				c.X, c.Y = append(c.X, r.Time[k]), append(c.Y, tire.Load[k]/1e3)
			}
			if len(c.X) > 1 {
				f.Curves = append(f.Curves, c)
			}
		}
		if len(f.Curves) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// tracks show a run that passes and one that does not, of each kind the last one made, on its track: the path of the centre of
// mass, the outline of the body every half second, the borders, and cones along them.
func (e *Evaluated) tracks() []*report.Figure {
	shown := map[bool]int{}
	for i, run := range e.Runs {
		k := slices.IndexFunc(run.Figures, func(f figures.Figure) bool { return f.ID == "pass" })
		if len(run.Record.Track) > 0 && k >= 0 {
			shown[run.Figures[k].Value == 1] = i
		}
	}
	var list []*report.Figure
	for _, pass := range []bool{true, false} {
		i, has := shown[pass]
		if !has {
			continue
		}
		r, o := e.Runs[i].Record, e.Manoeuvre.Evaluation.Options
		k := slices.IndexFunc(r.Phases, func(p figures.Phase) bool { return p.Name == "track" })
		if k < 0 {
			continue
		}
		first := sort.SearchFloat64s(r.Time, r.Phases[k].Begin)
		x, y, yaw := r.Local(first)
		f := &report.Figure{Title: fmt.Sprintf("Run %d %s on the track", i+1, texts(e.Runs[i].Varied)), X: report.Axis{Label: "x, m"}, Y: report.Axis{Label: "y, m"},
			Curves: []report.Curve{{Label: "centre of mass", X: x[first:], Y: y[first:]}}}
		outline := figures.Outline{Front: o["body_front"], Rear: o["body_rear"], Width: o["body_width"]}
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
			const apart = 5.0 // m, at most
			n := int(math.Ceil((s.To - s.From) / apart))
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
