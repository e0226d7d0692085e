package evaluate

import (
	"strconv"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/report"
)

// noticed are the warnings of all runs about what happened in them, each quantity once.
func (e *Result) noticed() []library.Noticed {
	runs := map[int][]library.Warning{}
	for i, run := range e.Runs {
		runs[i+1] = run.Result.OfRun()
	}
	return library.Notice(runs)
}

// Warnings says what left its limits in the runs, a line for each quantity.
func (e *Result) Warnings() (lines []string) {
	for _, w := range e.noticed() {
		lines = append(lines, w.Line(len(e.Runs)))
	}
	return lines
}

// warningTable has the warnings of all runs; nil without.
func (e *Result) warningTable() *report.Table {
	table := &report.Table{Title: "Warnings",
		Note: "Quantities that left their limits in a run, even if they returned; over several runs the farthest value.",
		Columns: []report.Column{{Name: "Run", Kind: report.Number}, {Name: "Runs", Kind: report.Number}, {Name: "Rule"},
			{Name: "Warning"}, {Name: "Remedy"}}}
	for _, w := range e.noticed() {
		table.Rows = append(table.Rows, []string{strconv.Itoa(w.Run), strconv.Itoa(w.Runs), w.Rule, w.Text, w.Remedy})
	}
	if table.Rows == nil {
		return nil
	}
	return table
}
