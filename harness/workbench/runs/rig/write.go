package rig

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"text/tabwriter"

	"skidpad/harness"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/report"
)

// figures are the figures of merit in the units in which they are printed, with angles in degrees.
var figures = []struct {
	name, unit, definition string
	of                     func(*Merit) float64
}{
	{"C_alpha", "kN/rad", "cornering stiffness -dFy/dalpha at zero slip",
		func(m *Merit) float64 { return m.Cornering / 1e3 }},
	{"C_kappa", "kN", "slip stiffness dFx/dkappa at zero slip", func(m *Merit) float64 { return m.Longitudinal / 1e3 }},
	{"C_gamma", "kN/rad", "camber stiffness dFy/dgamma at zero slip", func(m *Merit) float64 { return m.Camber / 1e3 }},
	{"trail", "m", "pneumatic trail: slope of Mz over the slip angle, divided by C_alpha",
		func(m *Merit) float64 { return m.Trail }},
	{"mu_y", "1", "largest |Fy|/Fz up to 35 deg to both sides", func(m *Merit) float64 { return m.LateralPeak }},
	{"alpha_y", "deg", "slip angle at mu_y", func(m *Merit) float64 { return m.LateralPeakAt / degree }},
	{"mu_drive", "1", "largest Fx/Fz up to a slip of 1", func(m *Merit) float64 { return m.DrivePeak }},
	{"kappa_drive", "1", "slip at mu_drive", func(m *Merit) float64 { return m.DrivePeakAt }},
	{"mu_brake", "1", "largest -Fx/Fz up to a slip of -1", func(m *Merit) float64 { return m.BrakePeak }},
	{"kappa_brake", "1", "slip at mu_brake", func(m *Merit) float64 { return m.BrakePeakAt }},
	{"sigma_alpha", "m",
		"relaxation length: distance within which Fy makes 1 - 1/e of its change, for a step of the slip angle by 0.1 deg",
		func(m *Merit) float64 { return m.LateralRelaxation }},
	{"sigma_kappa", "m", "relaxation length of Fx, for a step of the slip by -0.001",
		func(m *Merit) float64 { return m.LongitudinalRelaxation }},
}

// formatFigure returns a figure with five digits, "-" for NaN.
func formatFigure(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', 5, 64)
}

// WriteTable prints the figures of merit with a column for each load, then their definitions.
func (m *Measured) WriteTable(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "figure\tunit")
	for _, merit := range m.Merit {
		fmt.Fprintf(w, "\t%.5g N", merit.Load)
	}
	fmt.Fprintln(w)
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%s", f.name, f.unit)
		for i := range m.Merit {
			fmt.Fprint(w, "\t", formatFigure(f.of(&m.Merit[i])))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%s\n", f.name, f.definition)
	}
	return w.Flush()
}

// WriteJSON writes the figures of merit with a value for each load, a unit and a definition. A value that was not
// measured is null.
func (m *Measured) WriteJSON(to io.Writer) error { return output.WriteJSON(to, m.json()) }

func (m *Measured) json() any {
	type figureJSON struct {
		Figure     string     `json:"figure"`
		Unit       string     `json:"unit"`
		Definition string     `json:"definition"`
		Values     []*float64 `json:"values"` // one for each load
	}
	data := struct {
		Model   string       `json:"model"`
		File    string       `json:"file"`
		Speed   float64      `json:"speed"` // m/s
		Loads   []float64    `json:"loads"` // N
		Figures []figureJSON `json:"figures"`
	}{Model: m.Tire.Model, Speed: m.Plan.Speed}
	if m.Tire.File != "" {
		data.File = filepath.Base(m.Tire.File)
	}
	for i := range m.Merit {
		data.Loads = append(data.Loads, m.Merit[i].Load)
	}
	for _, f := range figures {
		figure := figureJSON{Figure: f.name, Unit: f.unit, Definition: f.definition}
		for i := range m.Merit {
			figure.Values = append(figure.Values, output.Number(f.of(&m.Merit[i])))
		}
		data.Figures = append(data.Figures, figure)
	}
	return data
}

// WriteCSV writes all measured points in SI units.
func (m *Measured) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"sweep", "line", "load", "kappa", "alpha", "gamma", "turn_slip", "speed", "Fx", "Fy", "Fz", "Mx",
		"My", "Mz", "R_l", "R_eff"})
	for _, l := range m.Lines {
		for i, s := range l.States {
			f, row := l.Forces[i], []string{l.Sweep, l.Name}
			for _, x := range []float64{s.Load, s.Kappa, s.Alpha, s.Gamma, s.TurnSlip, s.Speed, f.Fx, f.Fy, f.Fz, f.Mx,
				f.My, f.Mz, f.Rl, f.Reff} {
				row = append(row, strconv.FormatFloat(x, 'g', -1, 64))
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}

// table returns the figures of merit with a column for each load.
func (m *Measured) table() *report.Table {
	table := &report.Table{Title: "Figures of merit", Columns: []report.Column{{Name: "Figure"}, {Name: "Unit"}}}
	for _, merit := range m.Merit {
		table.Columns = append(table.Columns,
			report.Column{Name: fmt.Sprintf("%.5g N", merit.Load), Kind: report.Number})
	}
	table.Columns = append(table.Columns, report.Column{Name: "Definition"})
	for _, f := range figures {
		row := []string{f.name, f.unit}
		for i := range m.Merit {
			row = append(row, formatFigure(f.of(&m.Merit[i])))
		}
		table.Rows = append(table.Rows, append(row, f.definition))
	}
	return table
}

// WriteReport writes a page with the figures of merit and all plots.
func (m *Measured) WriteReport(to io.Writer) error {
	page := report.Page{Title: "Tire test rig", Subtitle: m.Tire.Model, Facts: []report.Fact{
		{Name: "File", Value: filepath.Base(m.Tire.File)},
		{Name: "Unloaded radius", Value: fmt.Sprintf("%g m", m.Tire.Radius)},
		{Name: "Vertical stiffness", Value: fmt.Sprintf("%g N/m", m.Tire.Stiffness)},
		{Name: "Speed", Value: fmt.Sprintf("%g m/s", m.Plan.Speed)}, {Name: "Version", Value: harness.Version}},
		Sections: []report.Section{{Title: m.Tire.Model, Blocks: []report.Block{m.table()}},
			{Title: "Curves", Blocks: []report.Block{gridOf(m.Plots())}}}}
	return page.Write(to)
}

// WriteFolder writes points.csv, report.html and a file for each plot.
func (m *Measured) WriteFolder(folder string) error {
	if err := output.WriteFile(filepath.Join(folder, "points.csv"), m.WriteCSV); err != nil {
		return err
	}
	if err := output.WriteFile(filepath.Join(folder, "report.html"), m.WriteReport); err != nil {
		return err
	}
	plots := m.Plots()
	for _, name := range sorted(plots) {
		if err := output.WriteFile(filepath.Join(folder, name+".svg"), plots[name].WriteFigure); err != nil {
			return err
		}
	}
	return nil
}
