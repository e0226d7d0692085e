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
	"skidpad/model/vehicle"
)

const sharesText = "Contributions of yielding components to the compliance of the left wheel: the difference to an " +
	"axle with this component rigid on both sides. One component at a time is rigid."

// Shares are contributions of components to figures of compliance.
type Shares struct {
	Figures []rig.Figure
	Parts   []rig.Share
}

// sharesOf finds the contributions.
func sharesOf(m *vehicle.Model, o rig.Options) (*Shares, error) {
	o.Yields, o.Forces = true, false
	r, err := rig.New(m, o)
	if err != nil {
		return nil, err
	}
	s := &Shares{}
	s.Figures, s.Parts, err = r.Shares()
	return s, err
}

// effects are the contributions to a figure, the strongest first, without rounding errors.
func (s *Shares) effects(i int) (list []effect) {
	const least = 1e-4 // of the figure
	for _, p := range s.Parts {
		if math.Abs(p.Of[i]) > least*math.Abs(s.Figures[i].Left.V) {
			list = append(list, effect{p.Component, p.Of[i]})
		}
	}
	slices.SortStableFunc(list, func(a, b effect) int { return -cmp.Compare(math.Abs(a.change), math.Abs(b.change)) })
	return list
}

// PrintShares writes the contributions, in units of engineers.
func (r *Result) PrintShares(to io.Writer) error {
	fmt.Fprintln(to, "\n"+sharesText)
	for i := range r.Shares.Figures {
		f := &r.Shares.Figures[i]
		unit, si := Shown(f)
		var words []string
		for _, e := range r.Shares.effects(i) {
			words = append(words, fmt.Sprintf("%s %+.3g", e.parameter, e.change/si))
		}
		_, err := fmt.Fprintf(to, "%s, %s: %.4g\n  %s\n", Text(f.Key), unit, f.Left.V/si, strings.Join(words, ", "))
		if err != nil {
			return err
		}
	}
	return nil
}

// table is the table of the contributions, figures by components, with shades.
func (s *Shares) table() *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "Figure"}, {Name: "Unit"}, {Name: "All", Kind: report.Number}}}
	for _, p := range s.Parts {
		t.Columns = append(t.Columns, report.Column{Name: p.Component, Kind: report.Number})
	}
	for i := range s.Figures {
		f := &s.Figures[i]
		unit, si := Shown(f)
		row, shades := make([]string, len(t.Columns)), make([]float64, len(t.Columns))
		row[0], row[1], row[2] = Text(f.Key), unit, fmt.Sprintf("%.4g", f.Left.V/si)
		list := s.effects(i)
		for k, p := range s.Parts {
			if n := slices.IndexFunc(list, func(e effect) bool { return e.parameter == p.Component }); n >= 0 {
				row[k+3], shades[k+3] = fmt.Sprintf("%+.3g", list[n].change/si), list[n].change/math.Abs(list[0].change)
			}
		}
		t.Rows, t.Shades = append(t.Rows, row), append(t.Shades, shades)
	}
	return t
}

// WriteShares writes all contributions in SI units.
func (r *Result) WriteShares(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"figure", "unit", "value", "component", "right", "contribution"})
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range r.Shares.Figures {
		f := &r.Shares.Figures[i]
		for _, p := range r.Shares.Parts {
			w.Write([]string{f.Key, f.Unit, text(f.Left.V), p.Component, p.Mirrored, text(p.Of[i])})
		}
	}
	w.Flush()
	return w.Error()
}
