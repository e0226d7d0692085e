package harness

import (
	"fmt"
	"io"
	"math"

	"skidpad/harness/figures"
	"skidpad/harness/report"
)

// WriteReport writes a page with the figures, their definitions and plots of all runs.
func (e *Evaluated) WriteReport(to io.Writer) error {
	m := e.Manoeuvre
	page := report.Page{Title: m.Title, Subtitle: m.Name, Facts: []report.Fact{
		{Name: "Source", Value: m.Source}, {Name: "Hand wheel to road wheels", Value: fmt.Sprintf("%g to 1", m.Steering.Ratio)}, {Name: "Version", Value: Version}}}
	for _, c := range m.Constants {
		page.Facts = append(page.Facts, report.Fact{Name: c.Name, Value: fmt.Sprintf("%.6g", c.Value)})
	}
	if e.Prerun != nil {
		page.Sections = append(page.Sections, e.Prerun.section())
	}
	page.Sections = append(page.Sections, e.section())
	return page.Write(to)
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
