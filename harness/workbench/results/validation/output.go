package validation

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/report"
)

// disclaimer is what every output says of its standing.
const disclaimer = "Compared as public summaries describe the standard. The tolerances are those of the file; the " +
	"result claims no compliance."

// verdict is a cell for a verdict.
func verdict(pass bool, notJudged string) string {
	switch {
	case notJudged != "":
		return notJudged
	case pass:
		return "inside"
	}
	return "OUTSIDE"
}

// curveHeads and figureHeads are the headings of the two tables.
var (
	curveHeads = []string{"simulated", "curve", "runs", "points", "inside", "with scatter", "worst, half widths", "at",
		"verdict"}
	figureHeads = []string{"simulated", "figure", "unit", "simulation", "measured", "± 95 %", "difference", "allowed",
		"verdict"}
)

// rows are the rows of both tables, in units of a reader.
func (r *Result) rows(units *display.Units) (curves, values [][]string) {
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	for _, g := range r.groups {
		for _, c := range g.curves {
			row := []string{g.simulated.name, c.Y + " over " + c.X, strconv.Itoa(len(g.measured)), "", "", "", "", "",
				verdict(c.notJudged == "" && c.pass(), c.notJudged)}
			if c.notJudged == "" {
				name, factor := units.Of(c.overSI)
				copy(row[3:], []string{strconv.Itoa(len(c.points)), fmt.Sprintf("%.4g %%", 100*c.share()),
					fmt.Sprintf("%.4g %%", 100*float64(c.whole)/float64(len(c.points))), number(c.worst.distance),
					number(c.worst.x/factor) + " " + name})
			}
			curves = append(curves, row)
		}
		for _, f := range g.figures {
			name, factor := units.Of(f.Unit)
			row := []string{g.simulated.name, f.Figure, name, number(f.Reference / factor), number(f.Ours / factor),
				number(f.confidence / factor), number((f.Ours - f.Reference) / factor), number(f.Allowed() / factor),
				verdict(f.Pass(), f.notJudged)}
			if f.runs < 2 {
				row[5] = ""
			}
			if f.isMissing() {
				row[8] = "MISSING"
			}
			values = append(values, row)
		}
	}
	return curves, values
}

// missing says why characteristic values are missing.
func (r *Result) missing() (list []string) {
	for _, g := range r.groups {
		for _, f := range g.figures {
			if f.isMissing() {
				list = append(list, f.Figure+" of "+g.simulated.name+" is missing: "+f.missing)
			}
		}
	}
	return list
}

// WriteTable prints the verdicts.
func (r *Result) WriteTable(to io.Writer) error {
	fmt.Fprintf(to, "%s: %s (%s)\n%s\n", r.Title, r.simulated, r.kind.Name, disclaimer)
	curves, values := r.rows(display.Default())
	for _, table := range [][][]string{slices.Insert(curves, 0, curveHeads), slices.Insert(values, 0, figureHeads)} {
		if len(table) == 1 {
			continue
		}
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w)
		for _, row := range table {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	lines := slices.Concat(r.missing(), r.notes)
	if len(lines) > 0 {
		fmt.Fprintln(to)
	}
	for _, line := range lines {
		fmt.Fprintln(to, line)
	}
	return nil
}

// resultJSON is the output of skidpad compare --iso --json. Numbers are in SI units; a missing one is null.
type resultJSON struct {
	Title     string      `json:"title"`
	ISO       string      `json:"iso"`
	Standing  string      `json:"standing"`
	Simulated string      `json:"simulated"`
	Kind      string      `json:"kind"`
	Pass      bool        `json:"pass"`
	Runs      []groupJSON `json:"runs"`
	Notes     []string    `json:"notes"`
}

type groupJSON struct {
	Simulated string       `json:"simulated"`
	Measured  []string     `json:"measured"` // files
	Curves    []curveJSON  `json:"curves"`
	Figures   []figureJSON `json:"figures"`
}

type curveJSON struct {
	X         string      `json:"x"`
	Y         string      `json:"y"`
	XUnit     string      `json:"x_unit"`
	YUnit     string      `json:"y_unit"`
	Source    string      `json:"source"`
	Share     float64     `json:"share"` // of the points that must be inside
	Inside    *float64    `json:"inside"`
	Whole     *float64    `json:"inside_with_scatter"`
	Worst     *float64    `json:"worst"` // half widths
	At        *float64    `json:"at"`    // x
	Beyond    int         `json:"beyond"`
	Points    []pointJSON `json:"points"`
	Simulated [][]float64 `json:"simulation"` // x and y
	Top       [][]float64 `json:"top"`        // boundary
	Bottom    [][]float64 `json:"bottom"`
	NotJudged string      `json:"not_judged,omitempty"`
	Pass      bool        `json:"pass"`
}

type pointJSON struct {
	X          float64  `json:"x"`
	Y          float64  `json:"y"`
	Runs       int      `json:"runs"`
	Deviation  *float64 `json:"deviation"`
	Confidence *float64 `json:"confidence"` // half of the interval of 95 %
	Distance   *float64 `json:"distance"`   // half widths
}

type figureJSON struct {
	Figure     string   `json:"figure"`
	Unit       string   `json:"unit"`
	Source     string   `json:"source"`
	Simulated  *float64 `json:"simulation"`
	Measured   *float64 `json:"measured"`
	Runs       int      `json:"runs"`
	Deviation  *float64 `json:"deviation"`
	Confidence *float64 `json:"confidence"`
	Allowed    *float64 `json:"allowed"`
	Missing    string   `json:"missing,omitempty"`
	NotJudged  string   `json:"not_judged,omitempty"`
	Pass       bool     `json:"pass"`
}

// WriteJSON writes the verdicts with all points and boundaries.
func (r *Result) WriteJSON(to io.Writer) error {
	data := resultJSON{Title: r.Title, ISO: r.Number, Standing: disclaimer, Simulated: r.simulated, Kind: r.kind.Name,
		Pass: r.Pass(), Notes: append([]string{}, r.notes...)}
	for _, g := range r.groups {
		of := groupJSON{Simulated: g.simulated.name, Curves: []curveJSON{}, Figures: []figureJSON{}}
		for _, m := range g.measured {
			of.Measured = append(of.Measured, m.file)
		}
		for _, c := range g.curves {
			of.Curves = append(of.Curves, c.json())
		}
		for _, f := range g.figures {
			line := figureJSON{f.Figure, f.Unit, f.Tolerance.Source, output.Number(f.Reference), output.Number(f.Ours), f.runs,
				nil, nil, output.Number(f.Allowed()), f.missing, f.notJudged, f.notJudged == "" && f.Pass()}
			if f.runs > 1 {
				line.Deviation, line.Confidence = output.Number(f.deviation), output.Number(f.confidence)
			}
			of.Figures = append(of.Figures, line)
		}
		data.Runs = append(data.Runs, of)
	}
	return output.WriteJSON(to, data)
}

func (c *curve) json() curveJSON {
	of := curveJSON{X: c.X, Y: c.Y, XUnit: c.overSI, YUnit: c.si, Source: c.Source, Share: c.Share, Beyond: c.beyond,
		Points: []pointJSON{}, Simulated: [][]float64{c.xs, c.ys}, NotJudged: c.notJudged,
		Pass: c.notJudged == "" && c.pass()}
	if c.notJudged != "" {
		return of
	}
	of.Inside, of.Whole = output.Number(c.share()), output.Number(float64(c.whole)/float64(len(c.points)))
	of.Worst, of.At = output.Number(c.worst.distance), output.Number(c.worst.x)
	for _, p := range c.points {
		of.Points = append(of.Points, pointJSON{p.x, p.y, p.runs, output.Number(p.deviation), output.Number(p.confidence),
			output.Number(p.distance)})
	}
	x, y := c.Boundary(c.xs, c.ys, 1)
	of.Top = [][]float64{x, y}
	x, y = c.Boundary(c.xs, c.ys, -1)
	of.Bottom = [][]float64{x, y}
	return of
}

// Page is a report with the verdicts, and a plot of every curve.
func (r *Result) Page(units *display.Units) *report.Page {
	page := &report.Page{Title: r.Title, Subtitle: r.simulated, Facts: []report.Fact{{Name: "Standing", Value: disclaimer},
		{Name: "Test", Value: r.kind.Text}, {Name: "Points", Value: "means over the measured runs; bars: interval that has " +
			"the mean at 95 %, by Student's t"}, {Name: "Version", Value: harness.Version}}}
	for _, note := range slices.Concat(r.missing(), r.notes) {
		page.Facts = append(page.Facts, report.Fact{Name: "Note", Value: note})
	}
	curves, values := r.rows(units)
	table := func(title string, heads []string, rows [][]string, words ...string) *report.Table {
		t := &report.Table{Title: title}
		for _, head := range heads {
			kind := report.Number
			switch {
			case head == "verdict":
				kind = report.Verdict
			case slices.Contains(words, head):
				kind = report.Words
			}
			t.Columns = append(t.Columns, report.Column{Name: head, Kind: kind})
		}
		for _, row := range rows {
			row = slices.Clone(row)
			switch last := len(row) - 1; row[last] {
			case "inside":
				row[last] = "pass"
			case "OUTSIDE", "MISSING":
				row[last] = "FAIL"
			default:
				row[1], row[last] = row[1]+" ("+row[last]+")", ""
			}
			t.Rows = append(t.Rows, row)
		}
		return t
	}
	verdicts := report.Section{Title: "Verdicts"}
	if len(curves) > 0 {
		verdicts.Blocks = append(verdicts.Blocks, table("Curves", curveHeads, curves, "simulated", "curve"))
	}
	if len(values) > 0 {
		verdicts.Blocks = append(verdicts.Blocks, table("Characteristic values", figureHeads, values, "simulated", "figure",
			"unit"))
	}
	page.Sections = append(page.Sections, verdicts)
	for _, g := range r.groups {
		grid := &report.Grid{}
		for _, c := range g.curves {
			if c.notJudged == "" {
				grid.Plots = append(grid.Plots, c.plot(units))
			}
		}
		if grid.Plots != nil {
			page.Sections = append(page.Sections, report.Section{Title: g.simulated.name, Blocks: []report.Block{grid}})
		}
	}
	var sources [][]string
	for _, c := range r.Corridors {
		sources = append(sources, []string{c.Y + " over " + c.X, c.Source})
	}
	for _, t := range r.Figures {
		sources = append(sources, []string{t.Figure, t.Source})
	}
	from := &report.Table{Columns: []report.Column{{Name: "tolerance"}, {Name: "source"}}, Rows: sources}
	page.Sections = append(page.Sections, report.Section{Title: "Sources of the tolerances", Folded: true,
		Blocks: []report.Block{from}})
	return page
}

// over are the titles of what curves are over.
var over = map[string]string{"a_y": "lateral acceleration", "time": "time from the steering", "frequency": "frequency"}

// plot draws the curve with its boundaries, and the points with bars of their scatter.
func (c *curve) plot(units *display.Units) *report.Plot {
	xName, perX := units.Of(c.overSI)
	yName, perY := units.Of(c.si)
	shown := func(values []float64, unit float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			out[i] = v / unit
		}
		return out
	}
	p := &report.Plot{Title: c.title, X: report.Axis{Label: display.Label(over[c.X], xName)},
		Y:      report.Axis{Label: display.Label(strings.ToLower(c.title), strings.TrimPrefix(yName, "1")), Span: 1e-9},
		Curves: []report.Curve{{Label: "simulation", X: shown(c.xs, perX), Y: shown(c.ys, perY), Broad: true}}}
	for _, side := range []float64{1, -1} {
		x, y := c.Boundary(c.xs, c.ys, side)
		p.Lines = append(p.Lines, report.Line{Label: "boundaries", X: shown(x, perX), Y: shown(y, perY)})
	}
	measured := report.Curve{Label: "measured", Points: true}
	const shownPoints = 60 // so that bars can be told apart
	stride := len(c.points)/shownPoints + 1
	for i, m := range c.points {
		if i%stride != 0 && m != c.worst {
			continue
		}
		measured.Starts = append(measured.Starts, len(measured.X))
		measured.X, measured.Y = append(measured.X, m.x/perX), append(measured.Y, m.y/perY)
		if m.runs > 1 {
			p.Lines = append(p.Lines, report.Line{Label: "interval of 95 %", X: []float64{m.x / perX, m.x / perX},
				Y: []float64{(m.y - m.confidence) / perY, (m.y + m.confidence) / perY}})
		}
	}
	if len(measured.X) > 1 {
		p.Curves = append(p.Curves, measured)
	} else {
		p.Dots = append(p.Dots, [2]float64{measured.X[0], measured.Y[0]})
	}
	p.Note = fmt.Sprintf("%.4g %% of %d points inside; worst %.3g half widths at %.4g %s", 100*c.share(), len(c.points),
		c.worst.distance, c.worst.x/perX, xName)
	if stride > 1 {
		p.Note += fmt.Sprintf("; shown are the worst and one in %d", stride)
	}
	return p
}
