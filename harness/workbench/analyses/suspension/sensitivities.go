package suspension

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/report"
	"skidpad/model/rig"
)

// mostEffects is how many parameters are printed for each figure.
const mostEffects = 5

const sensitivityText = "Change of each figure, left, by the parameters with the strongest effects: for lengths per " +
	"mm, for other parameters per 1 % of the value. Parameters of both sides change as mirror images."

// effect is the change of a figure by a usual change of a parameter.
type effect struct {
	parameter string
	change    float64 // of the figure, SI
}

// usual is a change of a parameter that is easily imagined: 1 mm of lengths, 1 % of other numbers.
func usual(s *rig.Sensitivity) float64 {
	if s.Unit == "m" {
		return 1e-3
	}
	return s.Value / 100
}

// effects are the strongest effects on a figure, of figure number i.
func (r *Result) effects(i int) (list []effect) {
	for k := range r.Sensitivities {
		s := &r.Sensitivities[k]
		if change := usual(s) * s.Figures[i].Left.D; !math.IsNaN(change) {
			list = append(list, effect{s.Parameter, change})
		}
	}
	strongest := 0.0
	for _, e := range list {
		strongest = max(strongest, math.Abs(e.change))
	}
	const noise = 1e-6 // of the strongest effect
	list = slices.DeleteFunc(list, func(e effect) bool { return !(math.Abs(e.change) > noise*strongest) })
	slices.SortStableFunc(list, func(a, b effect) int { return -cmp.Compare(math.Abs(a.change), math.Abs(b.change)) })
	return list[:min(len(list), mostEffects)]
}

// rows are figures with their strongest effects.
func (r *Result) rows() (rows [][2]string) {
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Missing != "" {
			continue
		}
		unit, si := Shown(f)
		var words []string
		for _, e := range r.effects(i) {
			words = append(words, fmt.Sprintf("%s %+.3g", e.parameter, e.change/si))
		}
		if len(words) > 0 {
			rows = append(rows, [2]string{Text(f.Key) + ", " + unit, strings.Join(words, ", ")})
		}
	}
	return rows
}

// PrintSensitivities writes the strongest effects on each figure, in units of engineers.
func (r *Result) PrintSensitivities(to io.Writer) error {
	fmt.Fprintln(to, "\n"+sensitivityText)
	for _, row := range r.rows() {
		if _, err := fmt.Fprintf(to, "%s\n  %s\n", row[0], row[1]); err != nil {
			return err
		}
	}
	return nil
}

// strongest is the table of the strongest effects.
func (r *Result) strongest() *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "Figure"}, {Name: "Strongest effects"}}}
	for _, row := range r.rows() {
		t.Rows = append(t.Rows, []string{row[0], row[1]})
	}
	return t
}

// WriteSensitivities writes all derivatives in SI units.
func (r *Result) WriteSensitivities(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"parameter", "right", "unit", "value", "figure", "figure_unit", "left_derivative",
		"right_derivative"})
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range r.Sensitivities {
		s := &r.Sensitivities[i]
		for k := range s.Figures {
			f := &s.Figures[k]
			if f.Missing == "" && !math.IsNaN(f.Left.D) {
				w.Write([]string{s.Parameter, s.Mirrored, s.Unit, text(s.Value), f.Key, f.Unit, text(f.Left.D), text(f.Right.D)})
			}
		}
	}
	w.Flush()
	return w.Error()
}
