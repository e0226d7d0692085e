package evaluate

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// degrees are the units of what is printed and drawn.
var degrees = display.Degrees()

// figureRow is a figure with the run that it is of.
type figureRow struct {
	run    string // number; "all" for all together
	varied string
	figures.Figure
}

func (e *Result) rows() []figureRow {
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
func texts(constants []manoeuvre.ConstantValue) string {
	var list []string
	for _, c := range constants {
		list = append(list, fmt.Sprintf("%s=%.6g", c.Name, c.Value))
	}
	return strings.Join(list, " ")
}

// legend returns constants as text for a plot: four digits, in the unit of the manoeuvre file.
func legend(constants []manoeuvre.ConstantValue) string {
	var list []string
	for _, c := range constants {
		list = append(list, c.Name+"="+c.Written.Show(c.Value))
	}
	return strings.Join(list, ", ")
}

// missing is printed for the value of a figure that is missing.
const missing = "missing"

// shown is a figure's value with five digits, angles in degrees, with its unit; what is nothing but rounding is 0.
func shown(f figures.Figure) (value, unit string) {
	unit, factor := degrees.Of(f.Unit)
	x := f.Value / factor
	if math.IsNaN(x) {
		return missing, unit
	}
	if math.Abs(x) < 1e-9 {
		x = 0
	}
	return strconv.FormatFloat(x, 'g', 5, 64), unit
}

// Files are figures, report and runs as files; sources are those that the figures depend on. A run is a Parquet file
// with a row each 10 ms in single precision, or with full two CSV files, of outputs and inputs, with all rows.
func (e *Result) Files(full bool, sources ...string) []output.File {
	files := []output.File{
		{Name: "figures.csv", Write: e.WriteCSV},
		{Name: "figures.json", Write: func(to io.Writer) error { return e.WriteJSON(to, sources...) }},
		{Name: "report.html", Write: e.WriteReport},
	}
	return append(files, e.runFiles(full)...)
}

// runFiles are the files of the runs.
func (e *Result) runFiles(full bool) (files []output.File) {
	for i, run := range e.Runs {
		if !full {
			files = append(files, output.File{Name: fmt.Sprintf("run_%d.parquet", i+1), Write: func(to io.Writer) error {
				r, err := e.recording(i)
				if err != nil {
					return err
				}
				return r.Write(".parquet", to)
			}})
			continue
		}
		files = append(files,
			output.File{Name: fmt.Sprintf("run_%d.csv", i+1), Write: run.Result.Trace.WriteCSV},
			output.File{Name: fmt.Sprintf("inputs_%d.csv", i+1), Write: run.Result.Inputs.WriteCSV})
	}
	return files
}

// fileOfRun matches the names of the files of runs.
var fileOfRun = regexp.MustCompile(`^(run|inputs)_([0-9]+)\.(csv|parquet)$`)

// RemoveOldRuns removes files of runs in a folder that are not among the files written now: they stem from an earlier
// evaluation and would pass for runs of this one. Other files with such names stay: a Parquet file of a run states the
// number of its run, and the CSV files of a run are a pair.
func RemoveOldRuns(folder string, written []output.File) error {
	entries, err := os.ReadDir(folder)
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name && e.Type().IsRegular() })
	}
	for _, entry := range entries {
		name := entry.Name()
		parts := fileOfRun.FindStringSubmatch(name)
		isWritten := slices.ContainsFunc(written, func(f output.File) bool { return f.Name == name })
		if parts == nil || isWritten {
			continue
		}
		number, path := parts[2], filepath.Join(folder, name)
		ofRun := parts[3] == "csv" && has("run_"+number+".csv") && has("inputs_"+number+".csv") ||
			parts[1] == "run" && has(name) && recording.FactOf(path, runFact) == number
		if ofRun {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// WriteTable prints the figures of every run and of all together, angles in degrees, then what they mean.
func (e *Result) WriteTable(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	if e.Prerun != nil {
		if err := e.Prerun.WriteTable(to); err != nil {
			return err
		}
		fmt.Fprintln(to)
	}
	steering := "" // where nothing steers
	if ratio := e.ratio(); e.Manoeuvre.Steering != nil && ratio != nil {
		steering = fmt.Sprintf("; steering wheel to road wheels %g to 1", *ratio)
	}
	fmt.Fprintf(to, "%s (%s)%s\n", e.Manoeuvre.Title, e.Manoeuvre.Name, steering)
	if driver := driverText(e.Manoeuvre); driver != "" {
		fmt.Fprintln(to, "the driver, with the constants of the file,", driver)
	}
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
	if err := w.Flush(); err != nil {
		return err
	}
	return e.writeEnergy(to)
}

// writeEnergy prints the energy balances of the runs that have one.
func (e *Result) writeEnergy(to io.Writer) error {
	for i, run := range e.Runs {
		if run.Result.Energy != nil {
			fmt.Fprintf(to, "\nrun %d\n", i+1)
			if err := run.Result.Energy.Write(to); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteCSV writes the figures in SI units; a figure that is missing has no value, but a reason.
func (e *Result) WriteCSV(to io.Writer) error {
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

// figureJSON is a figure in files of JSON.
type figureJSON struct {
	Figure     string   `json:"figure"`
	Definition string   `json:"definition"`
	Unit       string   `json:"unit"`
	Value      *float64 `json:"value"`
	Time       *float64 `json:"time,omitempty"`
	Missing    string   `json:"missing,omitempty"`
}

// figuresOf are figures in SI units.
func figuresOf(list []figures.Figure) []figureJSON {
	number := func(x float64) *float64 { // nil for one that is missing
		if math.IsNaN(x) {
			return nil
		}
		return &x
	}
	out := []figureJSON{}
	for _, f := range list {
		out = append(out, figureJSON{f.ID, f.Definition, f.Unit, number(f.Value), number(f.Time), f.Missing})
	}
	return out
}

// WriteMarkdown writes the figures as a table: of few runs a line for each figure, of many a line for each run; angles
// in degrees. Where a run has no such figure the cell is empty.
func (e *Result) WriteMarkdown(to io.Writer) error {
	const few = 3
	head, rows := e.byRun()
	if len(e.Runs) <= few {
		turned := make([][]string, len(head))
		for k := range head {
			turned[k] = []string{head[k]}
			for _, row := range rows {
				turned[k] = append(turned[k], row[k])
			}
		}
		head, rows = turned[0], turned[1:]
	}
	writeMarkdown(to, head, rows)
	if len(e.Figures) > 0 {
		fmt.Fprintln(to)
		rows = nil
		for _, f := range e.Figures {
			rows = append(rows, []string{named(f), cell(f)})
		}
		writeMarkdown(to, []string{"all runs", "value"}, rows)
	}
	return nil
}

// figuresOfRuns are all figures that a run has, one of each.
func (e *Result) figuresOfRuns() (all []figures.Figure) {
	for _, run := range e.Runs {
		for _, f := range run.Figures {
			if !slices.ContainsFunc(all, func(a figures.Figure) bool { return a.ID == f.ID }) {
				all = append(all, f)
			}
		}
	}
	return all
}

// byRun is a table with a row for each run, and a column for each figure that one of them has.
func (e *Result) byRun() (head []string, rows [][]string) {
	all := e.figuresOfRuns()
	head = []string{"run"}
	for _, f := range all {
		head = append(head, named(f))
	}
	for i, run := range e.Runs {
		row := []string{strings.TrimSpace(fmt.Sprintf("%d %s", i+1, texts(run.Varied)))}
		for _, f := range all {
			text := ""
			if k := slices.IndexFunc(run.Figures, func(a figures.Figure) bool { return a.ID == f.ID }); k >= 0 {
				text = cell(run.Figures[k])
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return head, rows
}

// writeMarkdown writes a table.
func writeMarkdown(to io.Writer, head []string, rows [][]string) {
	for _, row := range slices.Concat([][]string{head, slices.Repeat([]string{"---"}, len(head))}, rows) {
		fmt.Fprintf(to, "| %s |\n", strings.Join(row, " | "))
	}
}

// cell is a figure's value, or why it is missing.
func cell(f figures.Figure) string {
	if f.Missing != "" {
		return f.Missing
	}
	text, _ := shown(f)
	return text
}

// named is a figure's name with its unit.
func named(f figures.Figure) string {
	_, unit := shown(f)
	if unit == "1" {
		return f.ID
	}
	return f.ID + ", " + unit
}
