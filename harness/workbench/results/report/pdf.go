package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/workbench/results/plots"
)

// Sheets are of A4. The margins leave room for two figures of 85 mm beside each other.
const (
	sheetWidth  = 210 * millimetre
	sheetHeight = 297 * millimetre
	margin      = (sheetWidth - wide) / 2
)

// sheets are the printed sheets.
type sheets struct {
	canvas  *plots.PDF
	all     draw.Canvas
	top     vg.Length // where the next line begins
	title   string    // at the foot of each sheet
	count   int
	figures int
}

// WritePDF writes the page as sheets of A4 with all fonts in it. What is folded on a screen is left out. A square
// stands for characters that the font does not have, and the last line lists them. Equal pages give equal bytes.
func (p *Page) WritePDF(to io.Writer) error {
	s := &sheets{canvas: plots.NewPDF(sheetWidth, sheetHeight), title: p.Title}
	s.next()
	s.paragraph(p.Title, 16)
	s.paragraph(p.Subtitle, 11)
	s.top -= 4
	facts := &Table{Columns: []Column{{}, {}}}
	for _, f := range p.Facts {
		facts.Rows = append(facts.Rows, []string{f.Name, f.Value})
	}
	all := []error{p.Answer.print(s), facts.print(s)}
	for _, part := range p.Sections {
		if part.Folded {
			continue
		}
		s.top -= 10
		s.need(90) // so that no heading is the last line of a sheet
		s.paragraph(part.Title, 12)
		s.paragraph(part.Text, textLetters)
		for _, b := range part.Blocks {
			if err := b.print(s); err != nil {
				all = append(all, fmt.Errorf("section %q: %w", part.Title, err))
			}
		}
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	s.listMissing()
	_, err := s.canvas.WriteTo(to)
	return err
}

// print prints the answer as a table; nothing where there is none.
func (a *Answer) print(s *sheets) error {
	if a == nil {
		return nil
	}
	table := &Table{Columns: []Column{{}, {Kind: Number}, {}, {}}}
	for _, row := range a.Rows {
		table.Rows = append(table.Rows, []string{row.Name, row.Value, row.Unit, row.Words})
	}
	err := table.print(s)
	s.paragraph(a.Text, textLetters)
	return err
}

// listMissing prints which characters the squares stand for.
func (s *sheets) listMissing() {
	var codes []string
	for _, r := range s.canvas.Missing() {
		codes = append(codes, fmt.Sprintf("%U", r))
	}
	if len(codes) > 0 {
		s.top -= 10
		s.paragraph(fmt.Sprintf("%c stands for characters that the font of this file does not have: %s. The HTML page "+
			"shows them.", plots.Missing, strings.Join(codes, ", ")), textLetters)
	}
}

// next begins a sheet.
func (s *sheets) next() {
	if s.count > 0 {
		s.canvas.NextPage()
	}
	s.count++
	s.all = draw.NewCanvas(s.canvas, sheetWidth, sheetHeight)
	s.top = sheetHeight - margin
	foot := style(smallLetters)
	foot.Color = ink
	const below = 10 * millimetre
	if lines := plots.Wrapped(foot, s.title, wide*0.8); len(lines) > 0 {
		s.all.FillText(foot, vg.Point{X: margin, Y: below}, lines[0])
	}
	number := fmt.Sprint(s.count)
	s.all.FillText(foot, vg.Point{X: sheetWidth - margin - foot.Width(number), Y: below}, number)
}

// need begins a sheet where a height is no longer free.
func (s *sheets) need(height vg.Length) {
	if s.top-height < margin && s.top < sheetHeight-margin {
		s.next()
	}
}

// paragraph prints lines of text.
func (s *sheets) paragraph(text string, size float64) {
	look, line := style(size), vg.Length(size*lineDistance)
	for _, words := range plots.Wrapped(look, text, wide) {
		s.need(line)
		s.all.FillText(look, vg.Point{X: margin, Y: s.top}, words)
		s.top -= line
	}
}

// print prints figures, two beside each other.
func (g *Grid) print(s *sheets) error {
	for row := range slices.Chunk(g.Plots, 2) {
		var boxes []*box
		height := vg.Length(0)
		for _, f := range row {
			s.figures++
			b := boxed(f.thinned(), fmt.Sprintf("Figure %d. %s", s.figures, f.caption()), narrow)
			boxes, height = append(boxes, b), max(height, b.height())
		}
		s.top -= 6
		s.need(height)
		for i, b := range boxes {
			at := vg.Point{X: margin + vg.Length(i)*(wide-narrow), Y: s.top}
			if err := b.draw(s.all, at); err != nil {
				return fmt.Errorf("figure %q: %w", b.plot.Title, err)
			}
		}
		s.top -= height
	}
	return nil
}

// print prints claims as a table.
func (t *Statements) print(s *sheets) error {
	table := &Table{Title: t.Title, Columns: []Column{{"", Verdict}, {"", Words}, {"statement", Words}, {"run", Words},
		{"measured", Words}, {"must be", Words}}}
	for _, item := range t.Items {
		verdict := PassOrFail(item.Pass)
		if item.NotJudged != "" {
			verdict = "not judged: " + item.NotJudged
		}
		table.Rows = append(table.Rows,
			[]string{verdict, item.Name, item.Text, item.Run, item.Measured, item.Bound})
	}
	return table.print(s)
}
