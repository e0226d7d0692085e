// Package compare compares runs with references by corridors, and characteristic values by tolerances.
package compare

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"skidpad/harness"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/measurement"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Spec says how two runs, or two reports, are compared: what, and how far they may differ.
type Spec struct {
	Title           string
	Corridors       []Corridor
	Figures         []FigureTolerance
	measurement.Map // columns of the reference, and the shift of its time
}

// FigureTolerance is how far a characteristic value may be from that of the reference: absolute + relative |reference|.
type FigureTolerance struct {
	Figure             string
	Absolute, Relative float64
	Source             string // of the numbers; "" where none is given
}

// ReadSpec reads a file that says how two runs are compared. Everything wrong with it is reported together, with file,
// line and column.
func ReadSpec(path string) (*Spec, error) {
	data, err := bounded.Comparison.Read(path)
	if err != nil {
		return nil, err
	}
	return ParseSpec(path, data)
}

// ParseSpec is ReadSpec for the bytes of a file called file.
func ParseSpec(file string, data []byte) (*Spec, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := keys.NewReader(file, root, nil)
	c := SpecOf(r.Fields(root, "the comparison", FileKeys))
	if err := r.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// SpecOf reads the tables of a file that has FileKeys. The reader of the fields has what is wrong with them.
func SpecOf(f *keys.Fields) *Spec {
	c := &Spec{Title: cmp.Or(f.Text("title"), "Comparison"), Map: measurement.ReadMap(f)}
	for _, t := range f.NonEmptyList("corridor") {
		c.Corridors = append(c.Corridors, corridor(t))
	}
	for _, t := range f.NonEmptyList("figure") {
		c.Figures = append(c.Figures, FigureTolerance{t.Text("figure"), t.Number("absolute"), t.Number("relative"),
			t.Text("source")})
	}
	return c
}

// corridor reads a table [[corridor]].
func corridor(f *keys.Fields) Corridor {
	c := Corridor{X: f.Text("x"), Y: f.Text("y"), XOffset: f.Number("x_offset"), XGain: f.Number("x_gain"),
		YOffset: f.Number("y_offset"), YGain: f.Number("y_gain"), Ellipse: f.Text("shape") == "ellipse",
		Source: f.Text("source"), Share: f.Number("share"),
		From: math.Inf(-1), To: math.Inf(1)}
	if f.Given("from") {
		c.From = f.Number("from")
	}
	if f.Given("to") {
		c.To = f.Number("to")
	}
	if c.YOffset+c.YGain == 0 {
		f.FaultOfTable("a corridor without width along y; it has an offset, a gain or both")
	}
	if c.From > c.To {
		f.Fault("from", "the corridor is from %g to %g: it holds no sample; from must not be above to", c.From, c.To)
	}
	return c
}

// columnTable is the content of a file of a run, by the names of its columns.
type columnTable struct {
	file    string
	columns map[string][]float64
}

// readColumns reads a CSV file of numbers with a heading, also a compressed one, or a Parquet file.
func readColumns(path string) (*columnTable, error) {
	names, columns, err := recording.ReadColumns(path)
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 || len(columns[0]) < 2 {
		return nil, fmt.Errorf("%s: no heading with two rows of numbers at least", path)
	}
	t := &columnTable{path, map[string][]float64{}}
	for k, name := range names {
		names[k] = strings.TrimSpace(name)
		t.columns[names[k]] = columns[k]
	}
	if err := trace.CheckNames(names); err != nil {
		return nil, fmt.Errorf("%s: line 1: %w", path, err)
	}
	return t, nil
}

// column returns a column.
func (t *columnTable) column(name string) ([]float64, error) {
	column, has := t.columns[name]
	if !has {
		return nil, fmt.Errorf("%s has no column %q", t.file, name)
	}
	return column, nil
}

// time returns the column of the time, which does not go back.
func (t *columnTable) time() ([]float64, error) {
	column, err := t.column("time")
	if err == nil {
		if err = trace.CheckTime("time", column); err != nil {
			err = fmt.Errorf("%s: %w", t.file, err)
		}
	}
	return column, err
}

// Result is the result of a comparison.
type Result struct {
	*Spec
	Ours, Reference string // files or folders
	Runs            []Run
	Measured        bool // the runs are compared with a measurement
	Figures         []FigureDifference
}

// Run is how a run keeps to the corridors.
type Run struct {
	Name      string // of the file
	Shift     float64
	Found     *measurement.Correlation // how the shift was found, nil where it was given
	Within    []*CorridorResult
	Residuals []*measurement.Residual
	trace     *trace.Trace      // of a run that is compared with a measurement
	curves    [][2]report.Curve // reference and ours
}

// FigureDifference is a characteristic value of both. A value is NaN where it is missing.
type FigureDifference struct {
	Run, Figure, Unit string
	Ours, Reference   float64
	Tolerance         *FigureTolerance // nil where there is none
}

// Allowed is the largest difference within the tolerance.
func (d *FigureDifference) Allowed() float64 {
	return d.Tolerance.Absolute + d.Tolerance.Relative*math.Abs(d.Reference)
}

// Pass reports whether the figure is within its tolerance; a figure missing on one side fails.
func (d *FigureDifference) Pass() bool {
	if math.IsNaN(d.Ours) && math.IsNaN(d.Reference) {
		return true
	}
	return d.Tolerance == nil || math.Abs(d.Ours-d.Reference) <= d.Allowed()
}

// Compare compares a run with a reference, both CSV files, or what a ManoeuvreResult writes into folders, run by run
// and figure by figure.
func (c *Spec) Compare(ours, reference string) (*Result, error) {
	out := &Result{Spec: c, Ours: ours, Reference: reference}
	info, err := os.Stat(ours)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return out, out.run(ours, reference)
	}
	runs, err := filepath.Glob(filepath.Join(ours, "run_*.csv"))
	if err != nil {
		return nil, err
	}
	thin, err := filepath.Glob(filepath.Join(ours, "run_*.parquet"))
	if err != nil {
		return nil, err
	}
	if len(c.Corridors) > 0 {
		for _, run := range append(runs, thin...) {
			theirs := filepath.Join(reference, filepath.Base(run))
			stem := strings.TrimSuffix(theirs, filepath.Ext(theirs))
			if _, err := os.Stat(theirs); err != nil { // written the other way
				theirs = stem + map[string]string{".csv": ".parquet", ".parquet": ".csv"}[filepath.Ext(theirs)]
			}
			if err := out.run(run, theirs); err != nil {
				return nil, err
			}
		}
	}
	return out, out.figures()
}

// run compares one run with its reference.
func (c *Result) run(ours, reference string) error {
	a, err := readColumns(ours)
	if err != nil {
		return err
	}
	b, err := measurement.Read(reference, c.Map)
	if err != nil {
		return err
	}
	time, err := a.time()
	if err != nil {
		return err
	}
	if c.Map.Align != "" {
		y, err := a.column(c.Map.Align)
		if err == nil {
			err = b.Align(trace.Of(trace.Named(c.Map.Align), [][]float64{time, y}))
		}
		if err != nil {
			return err
		}
	}
	r := Run{Name: filepath.Base(ours), Shift: b.Shift, Found: b.Found}
	for i := range c.Corridors {
		k := &c.Corridors[i]
		x, err := a.column(k.X)
		if err != nil {
			return err
		}
		y, err := a.column(k.Y)
		if err != nil {
			return err
		}
		if err := r.test(k, time, x, y, b, ""); err != nil {
			return err
		}
	}
	c.Runs = append(c.Runs, r)
	return nil
}

// test tests a run in a corridor about the reference. Samples within a gap of the reference do not count, nor those
// before and after a measurement.
func (r *Run) test(k *Corridor, time, x, y []float64, reference *measurement.Measurement, unit string) error {
	xs, err := reference.Series(k.X, "")
	if err != nil {
		return err
	}
	ys, err := reference.Series(k.Y, unit)
	if err != nil {
		return err
	}
	if k.X == "time" && reference.HasTime() {
		var times, places, values []float64
		for i, t := range x {
			outside := r.trace != nil && (t < ys.Time[0] || t > ys.Time[len(ys.Time)-1])
			if ys.Covers(t) && !outside {
				times, places, values = append(times, time[i]), append(places, t), append(values, y[i])
			}
		}
		if len(times) > 0 {
			time, x, y = times, places, values
		}
	}
	xs, ys = measurement.Paired(xs, ys)
	if len(ys.Values) < 2 {
		return fmt.Errorf("%s: fewer than two rows have %s and %s", reference.File, k.X, k.Y)
	}
	r.Within = append(r.Within, k.Test(time, x, y, xs.Values, ys.Values))
	r.curves = append(r.curves, [2]report.Curve{{Label: "reference", X: xs.Values, Y: ys.Values, Broad: true},
		{Label: "ours", X: x, Y: y}})
	return nil
}

// figures compares the characteristic values of two folders.
func (c *Result) figures() error {
	read := func(folder string) ([][]string, error) {
		path := filepath.Join(folder, "figures.csv")
		file, err := bounded.Table.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		rows := bounded.NewRows(file)
		heading, err := rows.Next()
		if err != nil || len(heading) < 5 ||
			!slices.Equal(heading[:5], []string{"run", "varied", "figure", "value", "unit"}) {
			return nil, fmt.Errorf("%s: it is not what skidpad manoeuvre --out writes: %v", path, err)
		}
		var list [][]string
		for {
			row, err := rows.Next()
			if errors.Is(err, io.EOF) {
				return list, nil
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			const most = 1_000_000 // rows: a thousand runs of a thousand values
			if list = append(list, slices.Clone(row[:5])); len(list) > most {
				return nil, fmt.Errorf("%s: more than %d characteristic values, the most that are compared", path, most)
			}
		}
	}
	value := func(row []string) float64 {
		if x, err := strconv.ParseFloat(row[3], 64); err == nil {
			return x
		}
		return math.NaN()
	}
	ours, err := read(c.Ours)
	if err != nil {
		return err
	}
	theirs, err := read(c.Reference)
	if err != nil {
		return err
	}
	of := func(list [][]string, row []string) float64 {
		i := slices.IndexFunc(list, func(other []string) bool { return slices.Equal(other[:3], row[:3]) })
		if i < 0 {
			return math.NaN()
		}
		return value(list[i])
	}
	all := slices.Clone(ours)
	for _, row := range theirs { // what only the reference has is missing in ours
		if !slices.ContainsFunc(ours, func(other []string) bool { return slices.Equal(other[:3], row[:3]) }) {
			all = append(all, row)
		}
	}
	for _, row := range all {
		d := FigureDifference{Run: strings.TrimSpace(row[0] + " " + row[1]), Figure: row[2], Unit: row[4],
			Ours: of(ours, row), Reference: of(theirs, row)}
		if i := slices.IndexFunc(c.Spec.Figures, func(t FigureTolerance) bool { return t.Figure == d.Figure }); i >= 0 {
			d.Tolerance = &c.Spec.Figures[i]
		}
		c.Figures = append(c.Figures, d)
	}
	for _, t := range c.Spec.Figures {
		if !slices.ContainsFunc(c.Figures, func(d FigureDifference) bool { return d.Figure == t.Figure }) {
			return fmt.Errorf("%s: there is no figure %q", c.Ours, t.Figure)
		}
	}
	return nil
}

// Pass reports whether all corridors and all tolerances hold.
func (c *Result) Pass() bool {
	for _, r := range c.Runs {
		if slices.ContainsFunc(r.Within, func(w *CorridorResult) bool { return !w.Pass() }) {
			return false
		}
	}
	return !slices.ContainsFunc(c.Figures, func(d FigureDifference) bool { return !d.Pass() })
}

// tables are the rows of both tables, each with the headings before them; nil where there is nothing to show. Without
// tolerances, figures have no columns for them.
func (c *Result) tables() (corridors, figures [][]string) {
	corridors, figures = c.rows()
	if len(corridors) > 0 {
		corridors = slices.Insert(corridors, 0, corridorHeads)
	}
	if len(figures) > 0 {
		figures = slices.Insert(figures, 0, figureHeads)
	}
	if !slices.ContainsFunc(c.Figures, func(d FigureDifference) bool { return d.Tolerance != nil }) {
		for i, row := range figures {
			figures[i] = row[:len(row)-2]
		}
	}
	return corridors, figures
}

// rows are the rows of both tables.
func (c *Result) rows() (corridors, figures [][]string) {
	for _, r := range c.Runs {
		for _, w := range r.Within {
			corridors = append(corridors,
				[]string{r.Name, w.Y + " over " + w.X, strconv.Itoa(w.Samples), fmt.Sprintf("%.2f %%", 100*w.Inside),
					fmt.Sprintf("%.4g", w.Worst), w.worstSample(), report.PassOrFail(w.Pass())})
		}
	}
	number := func(x float64) string {
		if math.IsNaN(x) {
			return "missing"
		}
		return strconv.FormatFloat(x, 'g', 5, 64)
	}
	for _, d := range c.Figures {
		share, allowed, says := "", "", ""
		if d.Reference != 0 && !math.IsNaN(d.Ours-d.Reference) {
			share = fmt.Sprintf("%.3g %%", 100*(d.Ours-d.Reference)/math.Abs(d.Reference))
		}
		if d.Tolerance != nil {
			allowed, says = number(d.Allowed()), report.PassOrFail(d.Pass())
		}
		figures = append(figures, []string{d.Run, d.Figure, d.Unit, number(d.Reference), number(d.Ours),
			number(d.Ours - d.Reference), share, allowed, says})
	}
	return corridors, figures
}

// The headings of the two tables, and those of columns with numbers.
var (
	corridorHeads = []string{"run", "curve", "samples", "inside", "worst, half widths", "at, s", "verdict"}
	figureHeads   = []string{"run", "figure", "unit", "reference", "ours", "difference", "relative", "allowed",
		"verdict"}
	numberHeads = []string{"samples", "inside", "worst, half widths", "at, s", "reference", "ours", "difference",
		"relative"}
)

// WriteTable prints what was compared.
func (c *Result) WriteTable(to io.Writer) error {
	fmt.Fprintf(to, "%s: %s against %s\n", c.Title, c.Ours, c.Reference)
	for _, text := range c.shifts() {
		fmt.Fprintln(to, text)
	}
	corridors, figures := c.tables()
	for _, rows := range [][][]string{c.residualTable(display.Default()), corridors, figures} {
		if len(rows) == 0 {
			continue
		}
		w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w)
		for _, row := range rows {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Page is a page with all tables, and a plot of every curve with its corridor and residual, in units of a reader.
func (c *Result) Page(units *display.Units) *report.Page {
	page := &report.Page{Title: c.Title, Subtitle: c.Ours + " against " + c.Reference,
		Facts: []report.Fact{{Name: "Shift of the reference's time", Value: cmp.Or(strings.Join(c.shifts(), "; "), "0 s")},
			{Name: "Version", Value: harness.Version}}}
	if c.Measured {
		page.Sections = append(page.Sections, c.measuredSection(units))
	}
	corridors, figures := c.tables()
	table := func(rows [][]string) *report.Table {
		heads, rows := rows[0], rows[1:]
		t := &report.Table{Rows: rows}
		for _, head := range heads {
			kind := report.Words
			switch {
			case slices.Contains(numberHeads, head):
				kind = report.Number
			case head == "verdict" &&
				!slices.ContainsFunc(rows, func(row []string) bool { return row[len(row)-1] == "" }):
				kind = report.Verdict
			}
			t.Columns = append(t.Columns, report.Column{Name: head, Kind: kind})
		}
		return t
	}
	if len(corridors) > 0 && c.Measured { // whose plots have the corridors
		page.Sections = append(page.Sections, report.Section{Title: "Corridors", Blocks: []report.Block{table(corridors)}})
	} else if len(corridors) > 0 {
		grid := &report.Grid{}
		for _, r := range c.Runs {
			for i, w := range r.Within {
				f := &report.Plot{Title: r.Name + ": " + w.Y + " over " + w.X, X: report.Axis{Label: w.X},
					Y: report.Axis{Label: w.Y, Span: 1e-9}, Curves: r.curves[i][:]}
				for _, side := range []float64{1, -1} {
					l := report.Line{Label: w.label("", 1)}
					for k, y := range r.curves[i][0].Y {
						l.X, l.Y = append(l.X, r.curves[i][0].X[k]), append(l.Y, y+side*(w.YOffset+w.YGain*math.Abs(y)))
					}
					f.Lines = append(f.Lines, l)
				}
				grid.Plots = append(grid.Plots, f)
			}
		}
		page.Sections = append(page.Sections,
			report.Section{Title: "Corridors",
				Blocks: []report.Block{table(corridors), grid}})
	}
	if len(figures) > 0 {
		page.Sections = append(page.Sections,
			report.Section{Title: "Characteristic values",
				Blocks: []report.Block{table(figures)}})
	}
	return page
}
