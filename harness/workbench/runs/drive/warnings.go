package drive

import (
	"strings"

	"skidpad/harness/library"
)

// OfRun are the warnings of what happened in the run, after its start, without what the verdict says.
func (r *Result) OfRun() (list []library.Warning) {
	for _, w := range r.Warnings {
		if w.OfRun() && (w.Rule != "end" || r.Verdict == "") {
			list = append(list, w)
		}
	}
	return list
}

// WarningTexts are these warnings, a line each.
func (r *Result) WarningTexts() string {
	var lines []string
	for _, w := range r.OfRun() {
		lines = append(lines, w.Text)
	}
	return strings.Join(lines, "\n")
}
