// Package report writes results as one self-contained HTML file: text, tables, statements that hold or fail, and plots
// drawn as SVG. It opens in a browser without network. The same page is written as sheets of a PDF.
package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"

	"skidpad/harness/workbench/results/web"
)

// Page is a report.
type Page struct {
	Title, Subtitle string
	Answer          *Answer // in a box below the title, in place of the facts, which are folded then; nil for none
	Facts           []Fact
	Sections        []Section
}

// Answer is the first information for a reader.
type Answer struct {
	Rows []AnswerRow // the first is the largest
	Text string      // below
}

// AnswerRow is a value with its name and what it is.
type AnswerRow struct{ Name, Value, Unit, Words string }

// Fact is a line of the heading: what was run, where and when.
type Fact struct{ Name, Value string }

// Section is a part of a page with an entry in the table of contents. Folded, it shows its title only until a reader
// opens it.
type Section struct {
	Title, Text string
	Blocks      []Block
	Folded      bool
}

// Block is a *Table, *Statements, *Grid or *Drawing.
type Block interface {
	// html renders the block; number counts the figures of the page.
	html(number *int) (template.HTML, error)
	print(s *sheets) error
	// verdicts counts what holds and what fails.
	verdicts() (pass, fail int)
}

// Table is a table. Folded, it shows its title only until a reader opens it.
type Table struct {
	Title, Note string
	Columns     []Column
	Rows        [][]string
	Shades      [][]float64 // of the cells, from -1 to 1; nil for none, and not in print
	Folded      bool
}

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Kind says how the cells of a column look.
type Kind int

const (
	Words   Kind = iota
	Number       // aligned to the right
	Verdict      // "pass" or "FAIL", or empty
)

// Statements are claims with the figures that were measured.
type Statements struct {
	Title string
	Items []Statement
}

// Statement is a claim about a run.
type Statement struct {
	Name, Text, Run, Measured, Bound string
	Pass                             bool
	NotJudged                        string // why there is no verdict
}

// Grid is a group of figures, side by side where the screen is wide.
type Grid struct{ Plots []*Plot }

// Drawing is a picture that is drawn elsewhere. Sheets leave it out.
type Drawing struct {
	SVG  template.HTML
	Note string
}

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Parse(pageHTML))

// Write writes the page. Equal pages give equal bytes.
func (p *Page) Write(to io.Writer) error {
	type section struct {
		ID, Title, Text string
		Folded          bool
		Blocks          []template.HTML
		Pass, Fail      int
	}
	data := struct {
		*Page
		Parts      []section
		Pass, Fail int
		Web        *web.Page
	}{Page: p, Web: &web.Page{}}
	figures := 0
	for i, s := range p.Sections {
		part := section{ID: fmt.Sprintf("section-%d", i+1), Title: s.Title, Text: s.Text, Folded: s.Folded}
		for _, b := range s.Blocks {
			html, err := b.html(&figures)
			if err != nil {
				return fmt.Errorf("section %q: %w", s.Title, err)
			}
			part.Blocks = append(part.Blocks, html)
			pass, fail := b.verdicts()
			part.Pass, part.Fail = part.Pass+pass, part.Fail+fail
		}
		data.Parts = append(data.Parts, part)
		data.Pass, data.Fail = data.Pass+part.Pass, data.Fail+part.Fail
	}
	if figures > 0 {
		data.Web = plotting()
	}
	return page.Execute(to, data)
}

// plotting has the scripts and styles of pages with figures.
func plotting() *web.Page {
	script, style := web.Plotting()
	return &web.Page{Scripts: []web.Script{script, web.Own("namespace", "numbers", "plots", "report")},
		Styles: []web.Script{style, web.Own("plots.css", "report.css")}}
}

func (t *Table) html(*int) (template.HTML, error) {
	type cell struct {
		Text  string
		Class string
		Style template.CSS
	}
	data := struct {
		*Table
		Heads []cell
		Cells [][]cell
	}{Table: t}
	class := func(kind Kind, text string) string {
		switch {
		case kind == Number:
			return "number"
		case kind == Verdict && text == "pass":
			return "pass"
		case kind == Verdict && text != "":
			return "fail"
		}
		return ""
	}
	for _, c := range t.Columns {
		head := cell{Text: c.Name}
		if c.Kind == Number {
			head.Class = "number"
		}
		data.Heads = append(data.Heads, head)
	}
	for n, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return "", fmt.Errorf("table %q: row %d has %d cells for %d columns", t.Title, n+1, len(row),
				len(t.Columns))
		}
		var cells []cell
		for i, text := range row {
			cells = append(cells, cell{text, class(t.Columns[i].Kind, text), t.shade(n, i)})
		}
		data.Cells = append(data.Cells, cells)
	}
	return render("table", data)
}

// shade is the background of a cell: red above 0, blue below.
func (t *Table) shade(row, column int) template.CSS {
	if t.Shades == nil || t.Shades[row][column] == 0 {
		return ""
	}
	const densest = 0.6
	colour, x := "220,60,40", t.Shades[row][column]
	if x < 0 {
		colour = "40,110,220"
	}
	// nolint:gosec // a colour of our own
	return template.CSS(fmt.Sprintf("background:rgba(%s,%.2f)", colour, densest*min(1, math.Abs(x))))
}

func (t *Table) verdicts() (pass, fail int) {
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			switch {
			case c.Kind != Verdict || row[i] == "":
			case row[i] == "pass":
				pass++
			default:
				fail++
			}
		}
	}
	return pass, fail
}

func (s *Statements) html(*int) (template.HTML, error) { return render("statements", s) }

func (s *Statements) verdicts() (pass, fail int) {
	for _, item := range s.Items {
		switch {
		case item.NotJudged != "":
		case item.Pass:
			pass++
		default:
			fail++
		}
	}
	return pass, fail
}

func (g *Grid) html(number *int) (template.HTML, error) {
	type figure struct {
		*Plot
		Number int
		SVG    template.HTML
		Chart  *chart
		Keys   []key
		More   int // curves that the legend leaves out
	}
	var figures []figure
	for _, f := range g.Plots {
		*number++
		svg, chart, err := f.onPage()
		if err != nil {
			return "", fmt.Errorf("figure %q: %w", f.Title, err)
		}
		keys := f.Legend()
		few := min(len(keys), mostKeys)
		figures = append(figures, figure{f, *number, svg, chart, keys[:few], len(keys) - few})
	}
	return render("grid", figures)
}

// onPage is the figure as a page has it: drawn, and as data.
func (f *Plot) onPage() (template.HTML, *chart, error) {
	whole, err := f.withDifferences()
	if err != nil {
		return "", nil, err
	}
	svg, err := whole.thinned().svg()
	if err != nil {
		return "", nil, err
	}
	chart, err := whole.chart()
	return svg, chart, err
}

func (g *Grid) verdicts() (pass, fail int) { return 0, 0 }

func (d *Drawing) html(*int) (template.HTML, error) { return render("drawing", d) }
func (d *Drawing) print(*sheets) error              { return nil }
func (d *Drawing) verdicts() (pass, fail int)       { return 0, 0 }

// render executes one of the templates within the page's.
func render(name string, data any) (template.HTML, error) {
	var b htmlBuffer
	err := page.ExecuteTemplate(&b, name, data)
	return template.HTML(b), err
}

// htmlBuffer collects the output of a template; the template escapes by itself.
type htmlBuffer []byte

func (b *htmlBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// PassOrFail is the cell of a Verdict.
func PassOrFail(pass bool) string {
	if pass {
		return "pass"
	}
	return "FAIL"
}
