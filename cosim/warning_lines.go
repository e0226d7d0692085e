package cosim

import (
	"fmt"
	"strings"
)

// WarningsText names the text variable of the table of warnings.
const WarningsText = "solver.warnings"

// lines returns the table as a text: a line for each row, with tabs between rule, subject, quantity, unit, low and high
// limit, count, first time, farthest value, its time, text and remedy.
func (in notes) lines() string {
	var b strings.Builder
	plain := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ", "\x00", " ")
	for _, w := range in.Report() {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%v\t%v\t%d\t%v\t%v\t%v\t%s\t%s\n", w.Rule, w.Subject, w.Quantity, w.Unit, w.Low,
			w.High, w.Count, w.First, w.Worst, w.When, plain.Replace(w.Text), plain.Replace(w.Remedy))
	}
	return b.String()
}
