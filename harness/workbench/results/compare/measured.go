package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/measurement"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/signals"
)

// WithMeasurement compares runs with a measured file: the residuals of the variables that are chosen, otherwise of all
// that the file has, and the corridors.
func (c *Spec) WithMeasurement(runs []signals.Run, file string, chosen []string) (*Result, error) {
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	out := &Result{Spec: c, Ours: strings.Join(names, ", "), Reference: file, Measured: true}
	measured, err := measurement.Read(file, c.Map)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		if err := measured.Align(run.Trace); err != nil {
			return nil, err
		}
		r := Run{Name: run.Name, Shift: measured.Shift, Found: measured.Found, trace: run.Trace}
		variables := chosen
		if chosen == nil {
			if variables, err = measured.Variables(run.Names()); err != nil {
				return nil, err
			}
		}
		for _, name := range variables {
			if !run.Has(name) {
				return nil, fmt.Errorf("%s has no variable %q", run.Name, name)
			}
			d, err := measured.Residual(run.Trace, name)
			if err != nil {
				return nil, err
			}
			r.Residuals = append(r.Residuals, d)
		}
		for i := range c.Corridors {
			k := &c.Corridors[i]
			column := func(name string) []float64 {
				if name == "time" {
					return run.Time
				}
				return run.Column(name)
			}
			for _, name := range []string{k.X, k.Y} {
				if name != "time" && !run.Has(name) {
					return nil, fmt.Errorf("%s has no variable %q", run.Name, name)
				}
			}
			if err := r.test(k, run.Time, column(k.X), column(k.Y), measured, ""); err != nil {
				return nil, err
			}
		}
		out.Runs = append(out.Runs, r)
	}
	return out, nil
}

// shifts say how the time of the reference was shifted, if it was.
func (c *Result) shifts() (list []string) {
	for _, r := range c.Runs {
		text := ""
		switch {
		case r.Found != nil:
			text = fmt.Sprintf("the time of the reference is shifted by %.4f s, found by %s: correlation %.4f", r.Shift,
				r.Found.Variable, r.Found.Coefficient)
			if len(c.Runs) > 1 {
				text = r.Name + ": " + text
			}
		case r.Shift != 0:
			text = fmt.Sprintf("the time of the reference is shifted by %g s", r.Shift)
		}
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// unitOf is the SI unit of a measured variable, that of the run where the file says none.
func (r *Run) unitOf(d *measurement.Residual) string {
	for _, channel := range r.trace.Channels {
		if channel.Name == d.Measured.Name && channel.Unit != "" {
			return channel.Unit
		}
	}
	return d.Measured.Unit
}

// residualTable are the residuals with their headings, in the units of a reader; nil without any.
func (c *Result) residualTable(units *display.Units) (rows [][]string) {
	for _, r := range c.Runs {
		for _, d := range r.Residuals {
			name, factor := units.Of(r.unitOf(d))
			explained := ""
			if !math.IsNaN(d.Explained) {
				explained = fmt.Sprintf("%.2f %%", 100*d.Explained)
			}
			rows = append(rows, []string{r.Name, d.Measured.Name, strconv.Itoa(len(d.Values)),
				fmt.Sprintf("%.4g", d.RMS/factor), fmt.Sprintf("%.4g", d.Largest/factor), fmt.Sprintf("%.4g", d.At), explained,
				name})
		}
	}
	if rows != nil {
		rows = slices.Insert(rows, 0, []string{"run", "variable", "samples", "rms", "largest", "at, s", "explained", "unit"})
	}
	return rows
}

// label is how the legend names the corridor, in a unit of a reader with its SI value.
func (k *Corridor) label(unit string, factor float64) string {
	half := func(offset, gain float64, name, unit string) string {
		var parts []string
		if offset != 0 {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%.4g %s", offset, unit)))
		}
		if gain != 0 {
			parts = append(parts, fmt.Sprintf("%.4g %%", 100*gain))
		}
		if parts == nil {
			return ""
		}
		return fmt.Sprintf("%s ± %s", name, strings.Join(parts, " ± "))
	}
	in := "s"
	if k.X != "time" {
		in = ""
	}
	x, y := half(k.XOffset, k.XGain, k.X, in), half(k.YOffset/factor, k.YGain, k.Y, unit)
	return "corridor: " + strings.Join(slices.DeleteFunc([]string{y, x}, func(s string) bool { return s == "" }), ", ")
}

// measuredSection shows the residuals, and for each variable the measurement with the runs over it and the residuals
// below.
func (c *Result) measuredSection(units *display.Units) report.Section {
	rows := c.residualTable(units)
	table := &report.Table{Rows: rows[1:], Note: "The run at the measured times less the measurement; explained: share " +
		"of the measured variance."}
	for i, head := range rows[0] {
		kind := report.Number
		if i < 2 || head == "unit" {
			kind = report.Words
		}
		table.Columns = append(table.Columns, report.Column{Name: head, Kind: kind})
	}
	grid := &report.Grid{}
	var names []string
	for _, r := range c.Runs {
		for _, d := range r.Residuals {
			if !slices.Contains(names, d.Measured.Name) {
				names = append(names, d.Measured.Name)
				grid.Plots = append(grid.Plots, c.overlay(d.Measured.Name, units))
			}
		}
	}
	return report.Section{Title: "Measurement and simulation", Blocks: []report.Block{table, grid}}
}

// overlay is the plot of one variable. The measurement is shifted like the first run; other runs may have another
// shift.
func (c *Result) overlay(name string, units *display.Units) *report.Plot {
	p := &report.Plot{Title: name, X: report.Axis{Label: "time, s"}, Below: &report.Panel{}}
	for _, r := range c.Runs {
		i := slices.IndexFunc(r.Residuals, func(d *measurement.Residual) bool { return d.Measured.Name == name })
		if i < 0 {
			continue
		}
		d := r.Residuals[i]
		unit, factor := units.Of(r.unitOf(d))
		scaled := func(list []float64) []float64 {
			out := make([]float64, len(list))
			for i, x := range list {
				out[i] = x / factor
			}
			return out
		}
		if len(p.Curves) == 0 {
			p.Y = report.Axis{Label: display.Label(name, strings.TrimPrefix(unit, "1")), Span: 1e-9}
			p.Below.Y = report.Axis{Label: display.Label("residual", strings.TrimPrefix(unit, "1")), Span: 1e-9}
			p.Curves = append(p.Curves, report.Curve{Label: "measured", X: d.Measured.Time, Y: scaled(d.Measured.Values),
				Starts: d.Measured.Starts(), Broad: true})
			p.Lines = c.corridorLines(d, unit, factor)
		}
		var times, values []float64 // of the run, about the measured times
		first, last := d.Measured.Time[0], d.Measured.Time[len(d.Measured.Time)-1]
		margin := 0.05 * (last - first)
		for k, t := range r.trace.Time {
			if t >= first-margin && t <= last+margin {
				times, values = append(times, t), append(values, r.trace.Column(name)[k])
			}
		}
		if len(times) < 2 {
			times, values = r.trace.Time, r.trace.Column(name)
		}
		p.Curves = append(p.Curves, report.Curve{Label: r.Name, X: times, Y: scaled(values)})
		p.Below.Curves = append(p.Below.Curves, report.Curve{Label: r.Name, X: d.Measured.Time, Y: scaled(d.Values),
			Starts: d.Measured.Starts()})
		p.Note = cmp.Or(p.Note, "Below: simulation less measurement.")
	}
	return p
}

// corridorLines are the edges of the corridors of a variable over time, a piece between gaps each.
func (c *Result) corridorLines(d *measurement.Residual, unit string, factor float64) (list []report.Line) {
	for i := range c.Corridors {
		k := &c.Corridors[i]
		if k.X != "time" || k.Y != d.Measured.Name {
			continue
		}
		for _, side := range []float64{1, -1} {
			for _, piece := range d.Measured.Pieces() {
				l := report.Line{Label: k.label(strings.TrimPrefix(unit, "1"), factor)}
				for n := piece[0]; n < piece[1]; n++ {
					t, y := d.Measured.Time[n], d.Measured.Values[n]
					if t >= k.From && t <= k.To {
						l.X, l.Y = append(l.X, t), append(l.Y, (y+side*(k.YOffset+k.YGain*math.Abs(y)))/factor)
					}
				}
				if len(l.X) > 1 {
					list = append(list, l)
				}
			}
		}
	}
	return list
}
