package report

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/workbench/results/plots"
)

const (
	cellGap = 6 // points between columns
	rowGap  = 2 // and between rows
)

// print prints a table; a table that is too wide is printed in parts, each with the first words of its rows.
func (t *Table) print(s *sheets) error {
	if t.Folded {
		return nil
	}
	for n, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %q: row %d has %d cells for %d columns", t.Title, n+1, len(row), len(t.Columns))
		}
	}
	if t.Title != "" {
		s.need(60)
		s.paragraph(t.Title, 9)
	}
	for _, columns := range t.parts() {
		t.printPart(s, columns)
		s.top -= 4
	}
	s.paragraph(t.Note, textLetters)
	return nil
}

// parts are the columns that fit beside each other.
func (t *Table) parts() [][]int {
	lead := max(1, slices.IndexFunc(t.Columns, func(c Column) bool { return c.Kind == Number }))
	var first []int
	for c := range min(lead, len(t.Columns)) {
		first = append(first, c)
	}
	width := func(columns []int) (sum vg.Length) {
		for _, c := range columns {
			sum += t.least(c) + cellGap
		}
		return sum
	}
	list := [][]int{slices.Clone(first)}
	for c := len(first); c < len(t.Columns); c++ {
		last := len(list) - 1
		longer := append(slices.Clone(list[last]), c)
		if width(longer) > wide && len(list[last]) > len(first) {
			longer = append(slices.Clone(first), c)
			list = append(list, nil)
			last++
		}
		list[last] = longer
	}
	return list
}

// cells are the texts of a column, the heading first.
func (t *Table) cells(c int) []string {
	list := []string{t.Columns[c].Name}
	for _, row := range t.Rows {
		list = append(list, row[c])
	}
	return list
}

// natural is the width of a column whose texts are not divided.
func (t *Table) natural(c int) (width vg.Length) {
	for _, text := range t.cells(c) {
		width = max(width, style(smallLetters).Width(text))
	}
	return width
}

// least is the width of a column whose texts are divided between words; long words are divided, too.
func (t *Table) least(c int) (width vg.Length) {
	const most = 90
	for _, text := range t.cells(c) {
		for _, word := range strings.Fields(text) {
			width = max(width, style(smallLetters).Width(word))
		}
	}
	return min(width, most)
}

// widths share the width of the sheet: what texts need, or where that is too much the least, and of the rest as much as
// each lacks.
func (t *Table) widths(columns []int) []vg.Length {
	list := make([]vg.Length, len(columns))
	free, lack := wide-cellGap*vg.Length(len(columns)-1), vg.Length(0)
	for i, c := range columns {
		list[i] = t.least(c)
		free -= list[i]
		lack += t.natural(c) - list[i]
	}
	share := vg.Length(0)
	if lack > 0 {
		share = max(0, min(1, free/lack))
	}
	for i, c := range columns {
		list[i] += share * (t.natural(c) - list[i])
	}
	return list
}

// printPart prints some columns, the headings again on each sheet.
func (t *Table) printPart(s *sheets, columns []int) {
	widths := t.widths(columns)
	heads := make([]string, len(columns))
	named := false
	for i, c := range columns {
		heads[i] = t.Columns[c].Name
		named = named || heads[i] != ""
	}
	head := func() {
		if !named {
			return
		}
		t.printRow(s, columns, widths, heads)
		rule := draw.LineStyle{Color: ink, Width: 0.5}
		s.all.StrokeLine2(rule, margin, s.top+rowGap/2, margin+wide, s.top+rowGap/2)
	}
	s.need(40)
	head()
	for _, row := range t.Rows {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = row[c]
		}
		before := s.count
		if s.needRow(cells, widths); s.count > before {
			head()
		}
		t.printRow(s, columns, widths, cells)
	}
}

// needRow begins a sheet where a row no longer fits.
func (s *sheets) needRow(cells []string, widths []vg.Length) {
	most := 1
	for i, text := range cells {
		most = max(most, len(plots.Wrapped(style(smallLetters), text, widths[i]+0.1)))
	}
	s.need(vg.Length(most) * smallLetters * lineDistance)
}

// printRow prints a row; numbers end at the right of their columns.
func (t *Table) printRow(s *sheets, columns []int, widths []vg.Length, cells []string) {
	const line = smallLetters * lineDistance
	look, left, most := style(smallLetters), vg.Length(margin), 1
	for i, text := range cells {
		lines := plots.Wrapped(look, text, widths[i]+0.1)
		most = max(most, len(lines))
		for n, words := range lines {
			x := left
			if t.Columns[columns[i]].Kind == Number {
				x += widths[i] - look.Width(words)
			}
			s.all.FillText(look, vg.Point{X: x, Y: s.top - vg.Length(n)*line}, words)
		}
		left += widths[i] + cellGap
	}
	s.top -= vg.Length(most)*line + rowGap
}
