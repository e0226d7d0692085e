package evaluate

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// FigureTable has the figures of a number of vehicles, a row for each: what is set, then the figures, SI units. Figures
// of all runs together have their names, those of run N of several NAME.N. What is missing is not a number.
type FigureTable struct {
	trace.Table
	Failures []string // of vehicles that could not be evaluated, with their rows
	Warnings []string // how many runs ended early, and what left its limits, with rows, by count

	varied int      // columns of what is set
	units  []string // of the columns
	places []int    // of the columns among the figures that the test is made for; notNamed for all other figures
}

// notNamed is the place of a figure that the test is not made for.
const notNamed = 1000

// order are the columns of figures that the test is made for, as a reader wants them: those of all runs together first.
// A figure of a run that all runs together have, too, is none of them.
func (t *FigureTable) order() (list []int) {
	ofRun := func(i int) int { return strings.Count(t.Columns[i], ".") }
	for i := t.varied; i < len(t.Columns); i++ {
		name, _, _ := strings.Cut(t.Columns[i], ".")
		if t.places[i] < notNamed && (ofRun(i) == 0 || !slices.Contains(t.Columns[t.varied:], name)) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(ofRun(a), ofRun(b)), cmp.Compare(t.places[a], t.places[b]))
	})
	return list
}

// Combinations is the design of all combinations of the variations; the last variation varies fastest. NAME+NAME varies
// both alike.
func Combinations(variations []manoeuvre.Variation) *Design {
	d := &Design{Rows: [][]manoeuvre.Setting{nil}}
	for _, v := range variations {
		names := strings.Split(v.Name, "+")
		d.Names = append(d.Names, names...)
		var rows [][]manoeuvre.Setting
		for _, before := range d.Rows {
			for _, x := range v.Values {
				row := slices.Clone(before)
				for _, name := range names {
					row = append(row, manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(x, 'g', -1, 64),
						Written: v.Written})
				}
				rows = append(rows, row)
			}
		}
		d.Rows = rows
	}
	return d
}

// Figures evaluates a manoeuvre, with the run before it, for every vehicle of a design. With a folder the runs are
// written there, as WriteDesign does.
func (e *Evaluator) Figures(path string, d *Design, folder string) (*FigureTable, error) {
	_, m, err := e.open(path)
	if err != nil {
		return nil, err
	}
	t := &FigureTable{varied: len(d.Names)}
	t.Columns = slices.Clone(d.Names)
	t.units, t.places = make([]string, t.varied), make([]int, t.varied)
	answers := figures.Find(m.KeyFigures.Kind).Answer
	noticed, early, first := map[int][]library.Warning{}, 0, ""
	err = e.evaluateDesign(path, d, folder, func(line designLine) error {
		row := make([]float64, len(t.Columns))
		for i := range row {
			row[i] = math.NaN()
		}
		for i, s := range d.Rows[line.Row][:min(t.varied, len(d.Rows[line.Row]))] {
			if x, err := strconv.ParseFloat(s.Value, 64); err == nil {
				row[i] = x
			}
		}
		for _, f := range line.Figures {
			name := f.Figure
			if f.Run > 0 && len(line.Verdicts) > 1 {
				name += "." + strconv.Itoa(f.Run)
			}
			at := slices.Index(t.Columns[t.varied:], name) + t.varied
			if at < t.varied {
				at = len(t.Columns)
				t.Columns, t.units = append(t.Columns, name), append(t.units, f.Unit)
				rank := slices.Index(answers, f.Figure)
				switch {
				case rank < 0 && f.Run == 0:
					rank = len(answers)
				case rank < 0:
					rank = notNamed
				}
				t.places = append(t.places, rank)
				row = append(row, math.NaN())
			}
			if f.Value != nil {
				row[at] = *f.Value
			}
		}
		if line.Failure != "" {
			t.Failures = append(t.Failures, fmt.Sprintf("row %d: %s", line.Row, line.Failure))
		} else if k := slices.IndexFunc(line.Verdicts, func(v string) bool { return v != "" }); k >= 0 {
			early++
			first = cmp.Or(first, fmt.Sprintf("row %d: %s", line.Row, line.Verdicts[k]))
		}
		noticed[line.Row+1] = line.ofRuns
		t.Rows = append(t.Rows, row)
		return nil
	})
	rows := counted(len(d.Rows), "row")
	if early > 0 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("%sin %d of %s a run ended early; the first is %s", library.WarningPrefix,
			early, rows, first))
	}
	for _, w := range library.Notice(noticed) {
		t.Warnings = append(t.Warnings, w.LineIn(fmt.Sprintf("row %d", w.Run-1), rows))
	}
	for i := range t.Rows { // figures that only later vehicles have
		for len(t.Rows[i]) < len(t.Columns) {
			t.Rows[i] = append(t.Rows[i], math.NaN())
		}
	}
	return t, err
}

// Write prints the settings and the figures of the answer, angles in degrees.
func (t *FigureTable) Write(to io.Writer) error {
	rows := make([][]string, 2+len(t.Rows))
	cell := func(column []string) {
		for i := range rows {
			rows[i] = append(rows[i], column[i])
		}
	}
	for i := range t.varied {
		column := []string{t.Columns[i], ""}
		for _, row := range t.Rows {
			column = append(column, strconv.FormatFloat(row[i], 'g', 6, 64))
		}
		cell(column)
	}
	for _, i := range t.order() {
		unit, factor := degrees.Of(t.units[i])
		column := []string{t.Columns[i], unit}
		for _, row := range t.Rows {
			text := "-"
			if !math.IsNaN(row[i]) {
				text = strconv.FormatFloat(row[i]/factor, 'g', 5, 64)
			}
			column = append(column, text)
		}
		cell(column)
	}
	return writeColumns(to, rows, t.varied)
}
