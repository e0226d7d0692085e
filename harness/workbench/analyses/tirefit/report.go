package tirefit

import (
	"fmt"
	"io"

	"skidpad/harness/workbench/results/report"
)

// mostDrawn is the largest number of points of a curve.
const mostDrawn = 2000

// Report writes a page with the coefficients, the outputs over the points, and their residuals.
func (r *Fitted) Report(to io.Writer, title string) error {
	number := func(x float64) string { return fmt.Sprintf("%.5g", x) }
	table := &report.Table{Columns: []report.Column{{Name: "Coefficient"}, {Name: "Start", Kind: report.Number},
		{Name: "Fitted", Kind: report.Number}, {Name: "Deviation", Kind: report.Number}, {Name: "Meaning"}}}
	for _, c := range r.Coefficients {
		table.Rows = append(table.Rows, []string{c.Name, number(c.Start), number(c.Value), fmt.Sprintf("%.2g", c.Deviation),
			c.Text})
	}
	grid := &report.Grid{}
	answer := &report.Answer{Text: fmt.Sprintf("%d points; %s.", r.Points, r.End)}
	for i, q := range r.Outputs {
		answer.Rows = append(answer.Rows, report.AnswerRow{Name: q.Name, Value: number(q.Residual), Unit: q.Unit,
			Words: fmt.Sprintf("root mean square of the residuals, %s before; %.3f %% explained", number(q.Before),
				100*q.Share)})
		over := report.Axis{Label: "point"}
		drawn := func(label string, list []float64) (c report.Curve) {
			c.Label = label
			for n := 0; n < len(list); n += len(list)/mostDrawn + 1 {
				c.X, c.Y = append(c.X, float64(n+1)), append(c.Y, list[n])
			}
			return c
		}
		rest := make([]float64, len(r.Measured[i]))
		for n, y := range r.Measured[i] {
			rest[n] = r.After[i][n] - y
		}
		grid.Plots = append(grid.Plots,
			&report.Plot{Title: q.Name, X: over, Y: report.Axis{Label: q.Name + ", " + q.Unit},
				Curves: []report.Curve{drawn("measured", r.Measured[i]), drawn("fitted", r.After[i]),
					drawn("start", r.Before[i])}},
			&report.Plot{Title: "Residual of " + q.Name, X: over, Y: report.Axis{Label: "residual, " + q.Unit},
				Curves: []report.Curve{drawn("fitted less measured", rest)}})
	}
	page := &report.Page{Title: "Tire fit", Subtitle: title, Answer: answer, Sections: []report.Section{
		{Title: "Outputs", Blocks: []report.Block{grid}}, {Title: "Coefficients", Blocks: []report.Block{table}}}}
	text := ""
	for _, u := range r.Undetermined {
		text += u + ". "
	}
	for _, name := range r.Idle {
		text += "No point depends on " + name + ". "
	}
	if text != "" {
		page.Sections = append(page.Sections, report.Section{Title: "What the points do not tell", Text: text})
	}
	return page.Write(to)
}
