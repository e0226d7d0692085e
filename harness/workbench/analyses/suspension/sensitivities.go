package suspension

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
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
func (r *Result) effects(i int) []effect {
	list := r.allEffects(i)
	return list[:min(len(list), mostEffects)]
}

// allEffects are the effects on a figure, the strongest first, without rounding errors.
func (r *Result) allEffects(i int) (list []effect) {
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
	const noise, nothing = 1e-6, 1e-9 // of the strongest effect; in units of engineers
	if _, si := Shown(&r.Figures[i]); strongest < nothing*si {
		return nil
	}
	list = slices.DeleteFunc(list, func(e effect) bool { return !(math.Abs(e.change) > noise*strongest) })
	slices.SortStableFunc(list, func(a, b effect) int { return -cmp.Compare(math.Abs(a.change), math.Abs(b.change)) })
	return list
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

// mostColumns is how many parameters the heat table has.
const mostColumns = 24

const heatText = "Change of each figure, left: for lengths per mm, for other parameters per 1 % of the value. " +
	"Parameters of both sides change as mirror images. Shades are shares of the strongest effect on the figure: red " +
	"raises it, blue lowers it. The columns are the parameters with the strongest effects, by the sum of their shares; " +
	"sensitivities.csv has all."

// heat is the table of the effects, figures by parameters, with shades.
func (r *Result) heat() *report.Table {
	effects, weight := make([][]effect, len(r.Figures)), map[string]float64{}
	for i := range r.Figures {
		if r.Figures[i].Missing == "" {
			effects[i] = r.allEffects(i)
		}
		for _, e := range effects[i] {
			weight[e.parameter] += math.Abs(e.change / effects[i][0].change)
		}
	}
	names := slices.SortedFunc(maps.Keys(weight), func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	names = names[:min(len(names), mostColumns)]
	t := &report.Table{Columns: []report.Column{{Name: "Figure"}, {Name: "Unit"}}}
	for _, name := range names {
		t.Columns = append(t.Columns, report.Column{Name: name, Kind: report.Number})
	}
	for i, list := range effects {
		if len(list) == 0 {
			continue
		}
		unit, si := Shown(&r.Figures[i])
		row, shades := make([]string, len(t.Columns)), make([]float64, len(t.Columns))
		row[0], row[1] = Text(r.Figures[i].Key), unit
		for _, e := range list {
			if k := slices.Index(names, e.parameter); k >= 0 {
				row[k+2], shades[k+2] = fmt.Sprintf("%+.3g", e.change/si), e.change/math.Abs(list[0].change)
			}
		}
		t.Rows, t.Shades = append(t.Rows, row), append(t.Shades, shades)
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
