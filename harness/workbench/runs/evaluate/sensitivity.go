package evaluate

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/plots"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Sensitivity is how a figure changes with a parameter, by central differences.
type Sensitivity struct {
	Figure, Unit, Parameter string
	Parameters, Value       float64 // of the parameter and of the figure, where nothing is changed, SI
	PerPercent              float64 // change of the figure per percent of the parameter, SI
	Relative                float64 // the same in percent of the figure; not a number where that is 0
	Up, Down                float64 // change per percent to each side, whose mean PerPercent is, SI
	SidesDiffer             bool    // the mean says little, as sidesDiffer says

	named bool // the test is made for the figure
}

// sidesDiffer reports whether the changes of a figure up and down, over a step, differ by more than half of the larger
// one. Changes of different sign always do. The step then crosses a change of regime, or the figure has an extreme.
// Changes of less than a millionth of the figure are rounding.
func sidesDiffer(up, down, figure float64) bool {
	larger := max(math.Abs(up), math.Abs(down))
	return larger > 1e-6*math.Abs(figure) && math.Abs(up-down) > larger/2
}

// sidesText says how a figure changes to both sides where that differs; "" where it does not.
func (s *Sensitivity) sidesText(factor float64) string {
	if !s.SidesDiffer {
		return ""
	}
	return fmt.Sprintf("differ: %.4g up, %.4g down", s.Up/factor, s.Down/factor)
}

// sidesNote explains what differs.
const sidesNote = "sides differ: the change per percent of a larger and that of a smaller parameter differ by more " +
	"than half;\na regime changes between them (wheel spin, a limit), or the figure has an extreme: " +
	"take a smaller --percent"

// Sensitivities evaluates a manoeuvre with each parameter by percent above and below its value. They are ordered by
// figures, and within one by the magnitude of their changes, the largest first. The warnings are the warnings of all
// runs.
func (e *Evaluator) Sensitivities(
	path string, parameters []string, percent float64,
) (list []Sensitivity, warnings []string, err error) {
	values, err := e.valuesOf(path, parameters)
	if err != nil {
		return nil, nil, err
	}
	d := &Design{Rows: [][]manoeuvre.Setting{nil}}
	for i, name := range parameters {
		for _, side := range []float64{1, -1} {
			x := values[i] * (1 + side*percent/100)
			d.Rows = append(d.Rows, []manoeuvre.Setting{{Name: name, Value: strconv.FormatFloat(x, 'g', -1, 64)}})
		}
	}
	t, err := e.Figures(path, d, "")
	if err != nil {
		return nil, nil, err
	}
	if len(t.Failures) > 0 {
		return nil, nil, fmt.Errorf("%d of %d vehicles have failed, the first in %s", len(t.Failures), len(t.Rows),
			t.Failures[0])
	}
	order := t.order()
	for c := range t.Columns {
		if !slices.Contains(order, c) {
			order = append(order, c)
		}
	}
	count := len(t.order())
	for k, c := range order {
		begin := len(list)
		for i, parameter := range parameters {
			above, below, at := t.Rows[1+2*i][c], t.Rows[2+2*i][c], t.Rows[0][c]
			s := Sensitivity{Figure: t.Columns[c], Unit: t.units[c], Parameter: parameter, Parameters: values[i], Value: at,
				PerPercent: (above - below) / (2 * percent), Relative: math.NaN(), Up: (above - at) / percent,
				Down: (at - below) / percent, SidesDiffer: sidesDiffer(above-at, at-below, at), named: k < count}
			if at != 0 {
				s.Relative = 100 * s.PerPercent / math.Abs(at)
			}
			if !math.IsNaN(s.PerPercent) {
				list = append(list, s)
			}
		}
		slices.SortStableFunc(list[begin:], func(a, b Sensitivity) int {
			return cmp.Compare(math.Abs(b.PerPercent), math.Abs(a.PerPercent))
		})
	}
	return list, t.Warnings, nil
}

// valuesOf are the values of parameters in the runs of a manoeuvre.
func (e *Evaluator) valuesOf(path string, parameters []string) (values []float64, err error) {
	result, err := e.Evaluate(path)
	if err != nil {
		return nil, err
	}
	for _, name := range parameters {
		x, known := result.Runs[0].file[name]
		for _, s := range result.Runs[0].Result.Settings {
			if set, err := strconv.ParseFloat(s.Value, 64); err == nil && s.Name == name {
				x, known = set, true
			}
		}
		switch {
		case !known:
			return nil, fmt.Errorf("--param %s: there is no parameter of this name; the file of the model, and figures.json "+
				"of skidpad manoeuvre --out, have all names", name)
		case x == 0:
			return nil, fmt.Errorf("--param %s is 0, and a percentage of 0 is 0; vary the parameter by values", name)
		}
		values = append(values, x)
	}
	return values, nil
}

// WriteSensitivities prints those of the figures that the test is made for, angles in degrees.
func WriteSensitivities(to io.Writer, list []Sensitivity) error {
	rows := [][]string{{"figure", "unit", "parameter", "value", "per percent", "% per percent"}}
	named := slices.DeleteFunc(slices.Clone(list), func(s Sensitivity) bool { return !s.named })
	differ := slices.ContainsFunc(named, func(s Sensitivity) bool { return s.SidesDiffer })
	if differ {
		rows[0] = append(rows[0], "sides")
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	for _, s := range named {
		unit, factor := degrees.Of(s.Unit)
		relative := "-"
		if !math.IsNaN(s.Relative) {
			relative = number(s.Relative)
		}
		rows = append(rows, []string{s.Figure, unit, s.Parameter, number(s.Value / factor), number(s.PerPercent / factor),
			relative})
		if differ {
			rows[len(rows)-1] = append(rows[len(rows)-1], s.sidesText(factor))
		}
	}
	err := writeColumns(to, rows, 3)
	if differ && err == nil {
		_, err = fmt.Fprintf(to, "\n%s\n", sidesNote)
	}
	return err
}

// WriteSensitivitiesCSV writes all in SI units.
func WriteSensitivitiesCSV(to io.Writer, list []Sensitivity) error {
	w := csv.NewWriter(to)
	w.Write([]string{"figure", "unit", "value", "parameter", "parameter_value", "per_percent", "relative_percent",
		"per_percent_up", "per_percent_down", "sides_differ"})
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	for _, s := range list {
		w.Write([]string{s.Figure, s.Unit, number(s.Value), s.Parameter, number(s.Parameters), number(s.PerPercent),
			number(s.Relative), number(s.Up), number(s.Down), strconv.FormatBool(s.SidesDiffer)})
	}
	w.Flush()
	return w.Error()
}

// WriteSensitivitiesParquet writes the columns of WriteSensitivitiesCSV.
func WriteSensitivitiesParquet(to io.Writer, list []Sensitivity) error {
	type row struct {
		Figure         string   `parquet:"figure"`
		Unit           string   `parquet:"unit"`
		Value          float64  `parquet:"value"`
		Parameter      string   `parquet:"parameter"`
		ParameterValue float64  `parquet:"parameter_value"`
		PerPercent     float64  `parquet:"per_percent"`
		Relative       *float64 `parquet:"relative_percent,optional"`
		Up             float64  `parquet:"per_percent_up"`
		Down           float64  `parquet:"per_percent_down"`
		SidesDiffer    bool     `parquet:"sides_differ"`
	}
	rows := make([]row, len(list))
	for i := range list {
		s := &list[i]
		rows[i] = row{s.Figure, s.Unit, s.Value, s.Parameter, s.Parameters, s.PerPercent, &s.Relative, s.Up, s.Down,
			s.SidesDiffer}
		if math.IsNaN(s.Relative) {
			rows[i].Relative = nil
		}
	}
	return parquet.Write(to, rows)
}

// Tornado draws the sensitivities of the figures that the test is made for: a panel for each figure and a bar for each
// parameter, the longest above.
func Tornado(list []Sensitivity, caption string) (*plots.Figure, error) {
	f := &plots.Figure{Caption: caption}
	const columns, most = 2, 12
	count := 0
	for begin := 0; begin < len(list) && count < most; {
		end := begin
		for end < len(list) && list[end].Figure == list[begin].Figure {
			end++
		}
		if part := list[begin:end]; part[0].named {
			p, err := tornado(part)
			if err != nil {
				return nil, err
			}
			if count%columns == 0 {
				f.Rows = append(f.Rows, nil)
			}
			f.Rows[count/columns] = append(f.Rows[count/columns], &plots.Panel{Plot: p})
			count++
		}
		begin = end
	}
	if count == 0 {
		return nil, fmt.Errorf("no figure that the test is made for changes with the parameters")
	}
	return f, nil
}

// tornado is the panel of one figure.
func tornado(list []Sensitivity) (*plot.Plot, error) {
	unit, factor := degrees.Of(list[0].Unit)
	p := plot.New()
	p.Title.Text = list[0].Figure
	p.X.Label.Text = display.Label("change per percent", unit)
	p.X.Tick.Marker = plot.TickerFunc(plots.Ticks)
	values, names := plotter.Values{}, []string{}
	for _, s := range slices.Backward(list) { // the first above
		name := s.Parameter
		if s.SidesDiffer {
			name += " (sides differ)"
		}
		values, names = append(values, s.PerPercent/factor), append(names, name)
	}
	bars, err := plotter.NewBarChart(values, vg.Points(9))
	if err != nil {
		return nil, err
	}
	bars.Horizontal, bars.Color, bars.LineStyle.Width = true, plots.Palette[0], 0
	p.Add(plotter.NewGrid(), bars)
	p.NominalY(names...)
	p.X.Min, p.X.Max = min(p.X.Min, 0), max(p.X.Max, 0)
	if p.X.Min == p.X.Max {
		p.X.Min, p.X.Max = -1, 1
	}
	p.Y.Min, p.Y.Max = -0.6, float64(len(list))-0.4
	return p, nil
}
