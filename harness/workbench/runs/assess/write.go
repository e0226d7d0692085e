package assess

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/report"
)

// degrees are the units of what is printed and drawn.
var degrees = display.Degrees()

// show is a number with four digits, in a display unit.
func show(x float64, unit string) string {
	_, factor := degrees.Of(unit)
	if math.IsNaN(x) {
		return "missing"
	}
	if x = x / factor; math.Abs(x) < 1e-9 {
		x = 0 // rounding
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// text is the value of a vehicle, of several runs the one that is nearest to the bound, or from the least to the
// largest.
func (c *CheckResult) text(vehicle int) string {
	cell := c.Cells[vehicle]
	if !cell.Run {
		return ""
	}
	if slices.ContainsFunc(cell.Values, math.IsNaN) {
		return "missing"
	}
	least, most := show(slices.Min(cell.Values), c.Unit), show(slices.Max(cell.Values), c.Unit)
	switch {
	case least == most, c.Check.AtLeast.Given && !c.Check.AtMost.Given:
		return least
	case c.Check.AtMost.Given && !c.Check.AtLeast.Given:
		return most
	}
	return least + " to " + most
}

// bounds are the bounds as a reader wants them.
func (c *CheckResult) bounds() string {
	var list []string
	if c.Check.AtLeast.Given {
		list = append(list, ">= "+show(c.Check.AtLeast.Value, c.Unit))
	}
	if c.Check.AtMost.Given {
		list = append(list, "<= "+show(c.Check.AtMost.Value, c.Unit))
	}
	if c.Check.Change.Given {
		list = append(list, fmt.Sprintf("change <= %.3g %%", 100*c.Check.Change.Value))
	}
	return strings.Join(list, ", ")
}

// lines are the table: the head, then a line for each check.
func (r *Result) lines() [][]string {
	head := []string{"row", "value", "unit"}
	for _, v := range r.Assessment.Vehicles {
		head = append(head, v.Text)
	}
	table := [][]string{append(head, "bound", "verdict")}
	for _, row := range r.Rows {
		name := row.Row.Name
		for _, c := range row.Checks {
			unit, _ := degrees.Of(c.Unit)
			line := []string{name, c.Check.Name, unit}
			for i := range r.Assessment.Vehicles {
				line = append(line, c.text(i))
			}
			table = append(table, append(line, c.bounds(), string(c.Verdict)))
			name = ""
		}
	}
	return table
}

// reasons say why values are missing, and how large changes are that are too large.
func (r *Result) reasons() (list []string) {
	for _, row := range r.Rows {
		for _, c := range row.Checks {
			for i, cell := range c.Cells {
				where := fmt.Sprintf("%s, %s, %s: ", row.Row.Name, c.Check.Name, r.Assessment.Vehicles[i].Text)
				if cell.Missing != "" {
					list = append(list, where+cell.Missing)
				}
				if c.Check.Change.Given && cell.Run && cell.Missing == "" && !(cell.Change <= c.Check.Change.Value) {
					list = append(list, fmt.Sprintf("%schanges by %.3g %%", where, 100*cell.Change))
				}
			}
		}
	}
	return list
}

// count says how many checks there are, and how many pass.
func (r *Result) count() string {
	passed, judged := 0, 0
	for _, row := range r.Rows {
		for _, c := range row.Checks {
			if c.Verdict != NotJudged {
				judged++
			}
			if c.Verdict == Passed {
				passed++
			}
		}
	}
	return fmt.Sprintf("%d of %d checks pass", passed, judged)
}

// WriteTable prints the table, the number of checks that pass, and why values are missing.
func (r *Result) WriteTable(to io.Writer) error {
	fmt.Fprintf(to, "%s (%s)\n\n", r.Assessment.Title, r.Assessment.Name)
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, line := range r.lines() {
		fmt.Fprintln(w, strings.Join(line, "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, reason := range r.reasons() {
		fmt.Fprintln(to, "- "+reason)
	}
	_, err := fmt.Fprintf(to, "\n%s\n", r.count())
	return err
}

// WriteMarkdown prints the table as Markdown.
func (r *Result) WriteMarkdown(to io.Writer) error {
	for i, line := range r.lines() {
		fmt.Fprintln(to, "| "+strings.Join(line, " | ")+" |")
		if i == 0 {
			fmt.Fprintln(to, strings.Repeat("| --- ", len(line))+"|")
		}
	}
	return nil
}

// WriteCSV writes a line for each check, vehicle and run, in SI units.
func (r *Result) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"row", "value", "unit", "vehicle", "run", "number", "at_least", "at_most", "change", "verdict",
		"missing"})
	number := func(b Bound) string {
		if !b.Given {
			return ""
		}
		return strconv.FormatFloat(b.Value, 'g', -1, 64)
	}
	for _, row := range r.Rows {
		for _, c := range row.Checks {
			for i, cell := range c.Cells {
				for run, x := range cell.Values {
					text := ""
					if !math.IsNaN(x) {
						text = strconv.FormatFloat(x, 'g', -1, 64)
					}
					w.Write([]string{row.Row.Name, c.Check.Name, c.Unit, r.Assessment.Vehicles[i].Name, strconv.Itoa(run + 1), text,
						number(c.Check.AtLeast), number(c.Check.AtMost), number(c.Check.Change), string(c.Verdict), cell.Missing})
				}
			}
		}
	}
	w.Flush()
	return w.Error()
}

// The JSON of a result, in SI units.
type (
	resultJSON struct {
		Name    string    `json:"name"`
		Title   string    `json:"title"`
		Version string    `json:"version"`
		Pass    bool      `json:"pass"`
		Rows    []rowJSON `json:"rows"`
	}
	rowJSON struct {
		Name      string      `json:"name"`
		Manoeuvre string      `json:"manoeuvre"`
		Checks    []checkJSON `json:"checks"`
	}
	checkJSON struct {
		Name     string                 `json:"name"`
		Text     string                 `json:"text,omitempty"`
		Unit     string                 `json:"unit"`
		AtLeast  *float64               `json:"at_least,omitempty"`
		AtMost   *float64               `json:"at_most,omitempty"`
		Change   *float64               `json:"change,omitempty"`
		Verdict  string                 `json:"verdict"` // "pass", "FAIL", "" where nothing is judged
		Vehicles map[string]vehicleJSON `json:"vehicles"`
	}
	vehicleJSON struct {
		Values  []*float64 `json:"values"`           // by run; null where the value is missing
		Change  *float64   `json:"change,omitempty"` // largest one against the first vehicle of the row
		Missing string     `json:"missing,omitempty"`
	}
)

// WriteJSON writes the result as JSON, in SI units.
func (r *Result) WriteJSON(to io.Writer) error {
	finite := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	bound := func(b Bound) *float64 {
		if !b.Given {
			return nil
		}
		return &b.Value
	}
	data := resultJSON{Name: r.Assessment.Name, Title: r.Assessment.Title, Version: harness.Version, Pass: r.Pass(),
		Rows: []rowJSON{}}
	for _, row := range r.Rows {
		out := rowJSON{Name: row.Row.Name, Manoeuvre: row.Row.Manoeuvre}
		for _, c := range row.Checks {
			check := checkJSON{Name: c.Check.Name, Text: c.Check.Text, Unit: c.Unit, AtLeast: bound(c.Check.AtLeast),
				AtMost: bound(c.Check.AtMost), Change: bound(c.Check.Change), Verdict: string(c.Verdict),
				Vehicles: map[string]vehicleJSON{}}
			for i, cell := range c.Cells {
				if !cell.Run {
					continue
				}
				v := vehicleJSON{Missing: cell.Missing, Change: finite(cell.Change)}
				for _, x := range cell.Values {
					v.Values = append(v.Values, finite(x))
				}
				check.Vehicles[r.Assessment.Vehicles[i].Name] = v
			}
			out.Checks = append(out.Checks, check)
		}
		data.Rows = append(data.Rows, out)
	}
	return output.WriteJSON(to, data)
}

// Page is a report of the result.
func (r *Result) Page() *report.Page {
	lines := r.lines()
	table := &report.Table{Rows: lines[1:]}
	for i, name := range lines[0] {
		column := report.Column{Name: name}
		switch {
		case i >= 3 && i < len(lines[0])-2:
			column.Kind = report.Number
		case i == len(lines[0])-1:
			column.Kind = report.Verdict
		}
		table.Columns = append(table.Columns, column)
	}
	page := &report.Page{Title: r.Assessment.Title, Subtitle: r.count(),
		Sections: []report.Section{{Title: "Values and bounds", Text: r.Assessment.Source, Blocks: []report.Block{table}}}}
	if reasons := r.reasons(); reasons != nil {
		why := &report.Table{Columns: []report.Column{{Name: "Missing values, and changes above their bounds"}}}
		for _, reason := range reasons {
			why.Rows = append(why.Rows, []string{reason})
		}
		page.Sections = append(page.Sections, report.Section{Title: "Reasons", Blocks: []report.Block{why}})
	}
	return page
}

// Files are the table, the values in SI units and the report.
func (r *Result) Files() []output.File {
	return []output.File{
		{Name: "assessment.csv", Write: r.WriteCSV},
		{Name: "assessment.json", Write: r.WriteJSON},
		{Name: "report.html", Write: r.Page().Write},
	}
}
