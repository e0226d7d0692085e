package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"skidpad/harness/workbench/results/plots"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/keys"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

var variationKeys = []document.Key{
	{Name: "variables", Shape: document.TextsShape, Text: "parameters and start values that take the same value"},
	{Name: "values", Shape: document.NumbersShape, Unit: document.AnyUnit, Text: "their values"},
}

var settleKeys = []document.Key{
	{Name: "duration", Unit: "s", Text: "of the run before", Positive: true},
	{Name: "keep", Shape: document.TextsShape, Text: "start values that are taken from its end"},
	{Name: "start", Shape: document.NamedShape, Text: "its own start values", Optional: true,
		Value: &document.Key{Unit: document.AnyUnit, Text: "number, or formula of what manoeuvre and study set"}},
}

var publishedKeys = []document.Key{
	{Name: "file", Shape: document.TextShape, Text: "file of published values"},
	{Name: "table", Shape: document.TextShape, Text: "table in it"},
}

// FileKeys are those of study files.
var FileKeys = []document.Key{
	{Name: "name", Shape: document.TextShape, Text: "identifier of the study"},
	{Name: "title", Shape: document.TextShape, Text: "heading of the plot"},
	{Name: "source", Shape: document.TextShape, Text: "where the question comes from", Optional: true},
	{Name: "model", Shape: document.TextShape, Text: "model file"},
	{Name: "manoeuvre", Shape: document.TextShape, Text: "manoeuvre file"},
	{Name: "record", Shape: document.TextsShape, Text: "variables, or rate(NAME)"},
	{Name: "step", Unit: "s", Text: "communication step", Positive: true},
	{Name: "from", Unit: "s", Text: "from when on least and largest values are taken", Default: "0"},
	{Name: "vary", Shape: document.TablesShape, Text: "what varies; a run for each combination", Keys: variationKeys},
	{Name: "settle", Shape: document.TableShape, Text: "run before each run", Optional: true, Keys: settleKeys},
	{Name: "search", Shape: document.TableShape, Text: "over what the least is sought", Optional: true,
		Keys: variationKeys},
	{Name: "published", Shape: document.TableShape, Text: "values to compare with", Optional: true, Keys: publishedKeys},
}

// Study is a sweep as a file of resources/sweeps says it.
type Study struct {
	Name, Title, Source string
	Model, Manoeuvre    string // files
	Record              []string
	Step, From          float64 // s
	Variations          []manoeuvre.Variation
	Settle              *Settle              // nil for none
	Search              *manoeuvre.Variation // over what the least is sought, nil for none
	Published           *Published           // nil for none
}

// Runs are the variations of the runs: those of the table, and what is searched over, which varies fastest.
func (s *Study) Runs() []manoeuvre.Variation {
	if s.Search == nil {
		return s.Variations
	}
	return append(slices.Clip(s.Variations), *s.Search)
}

// ReadStudy reads a study file. Everything wrong with it is reported together, with file, line
// and column. Files that it names are relative to it.
func ReadStudy(path string) (*Study, error) {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseStudy(path, data)
	if err != nil {
		return nil, err
	}
	for _, file := range []*string{&s.Model, &s.Manoeuvre} {
		*file = keys.RelativeTo(path, *file)
	}
	if s.Published != nil {
		s.Published.File = keys.RelativeTo(path, s.Published.File)
		if err := s.Published.read(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ParseStudy is ReadStudy for the bytes of a file called file; the names of files stay as they
// are, and what was published is not read.
func ParseStudy(file string, data []byte) (*Study, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &keys.Reader{Faults: document.Faults{File: file}}
	r.Table(root, FileKeys)
	s := &Study{
		Name: r.Text(root, "name"), Title: r.Text(root, "title"), Source: r.OptionalText(root, "source"),
		Model: r.Text(root, "model"), Manoeuvre: r.Text(root, "manoeuvre"), Record: r.Texts(root, "record"),
		Step: r.Positive(root, "step"),
	}
	if root.Field("from") != nil {
		s.From = r.Number(root, "from")
	}
	for _, n := range r.List(root, "vary", document.Table) {
		s.Variations = append(s.Variations, variation(r, n))
	}
	if root.Field("settle") != nil {
		s.Settle = readSettle(r, r.Field(root, "settle", document.Table))
	}
	if n := root.Field("search"); n != nil && r.Is(n, "search", document.Table) {
		v := variation(r, n)
		s.Search = &v
	}
	if n := root.Field("published"); n != nil && r.Is(n, "published", document.Table) {
		r.Table(n, publishedKeys)
		s.Published = &Published{File: r.Text(n, "file"), Table: r.Text(n, "table")}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// Narrow replaces the values of variations of the study, by their names.
func (s *Study) Narrow(variations []manoeuvre.Variation) error {
	own := s.Runs()
	for _, v := range variations {
		i := slices.IndexFunc(own, func(o manoeuvre.Variation) bool { return o.Name == v.Name })
		if i < 0 {
			names := make([]string, len(own))
			for k, o := range own {
				names[k] = o.Name
			}
			return fmt.Errorf("the study does not vary %s; it varies %s", v.Name, strings.Join(names, ", "))
		}
		if i == len(s.Variations) {
			s.Search = &v
		} else {
			s.Variations = slices.Clone(s.Variations)
			s.Variations[i] = v
		}
	}
	return nil
}

func variation(r *keys.Reader, n *document.Node) manoeuvre.Variation {
	r.Table(n, variationKeys)
	v := manoeuvre.Variation{Name: strings.Join(r.Texts(n, "variables"), "+"), Values: r.Numbers(n, "values")}
	if list := n.Field("values"); list != nil {
		v.Written = r.OneUnit("values", list.Items...)
	}
	return v
}

// readSettle reads the run before each run; n may be nil.
func readSettle(r *keys.Reader, n *document.Node) *Settle {
	if n == nil {
		return nil
	}
	r.Table(n, settleKeys)
	s := &Settle{Duration: r.Positive(n, "duration"), Keep: r.Texts(n, "keep"), Start: map[string]*signal.Law{},
		written: map[string]keys.Written{}}
	start := n.Field("start")
	if start == nil || !r.Is(start, "start", document.Table) {
		return s
	}
	for _, name := range start.Keys {
		value := start.Field(name)
		if value.Kind != document.Number && value.Kind != document.Text {
			r.At(value, "%q holds %v; it must be a number or a formula of parameters", name, value)
			continue
		}
		formula := value.Text
		if w := r.Written(value, name); w != (keys.Written{}) {
			formula, s.written[name] = strconv.FormatFloat(r.Quantity(value, name, document.AnyUnit), 'g', -1, 64), w
		}
		law, err := signal.ParseLaw(formula, nil)
		if err != nil {
			r.At(value, "%q holds %v; it must be a number or a formula of parameters: %v", name, value, err)
			continue
		}
		s.Start[name] = law
	}
	return s
}

// mostPanels are those of a plot that can be looked at: some pages of paper.
const mostPanels = 40

// Plot is a figure of a sweep that was made: for every recorded variable the largest magnitude over the
// values of the last variation, with a curve for each combination of the others.
func (s *Sweep) Plot(t *trace.Table, title string) (*plots.Figure, error) {
	variations, recorded := s.Variations, s.Run.Record
	const columns = 2
	last := variations[len(variations)-1]
	others := ""
	for i, v := range variations[:len(variations)-1] {
		if others += ", "; i == 0 {
			others = "a curve for each "
		}
		others += plots.Label(v.Name, s.units[v.Name])
	}
	f := &plots.Figure{Caption: title, Rows: make([][]*plots.Panel, (len(recorded)+columns-1)/columns)}
	for i, name := range recorded {
		p := plot.New()
		p.X.Label.Text = plots.Label(last.Name, s.units[last.Name])
		p.Y.Label.Text = plots.Label("largest |"+name+"|", s.units[name])
		p.Title.Text = others
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.Ticks), plot.TickerFunc(plots.Ticks)
		p.Add(plotter.NewGrid())
		least, largest := slices.Index(t.Columns, name+".least"), slices.Index(t.Columns, name+".largest")
		n := len(last.Values)
		for k := 0; k < len(t.Rows); k += n {
			points := make(plotter.XYs, n)
			for j, row := range t.Rows[k : k+n] {
				points[j] = plotter.XY{X: row[len(variations)-1], Y: max(row[largest], -row[least])}
			}
			line, marks, err := plotter.NewLinePoints(points)
			if err != nil {
				return nil, fmt.Errorf("plot of %s: %w", name, err)
			}
			line.LineStyle = plots.LineStyle(k / n)
			marks.Color = line.Color
			p.Add(line, marks)
			var labels []string
			for v := range variations[:len(variations)-1] {
				labels = append(labels, fmt.Sprintf("%g", t.Rows[k][v]))
			}
			if len(labels) > 0 {
				p.Legend.Add(strings.Join(labels, ", "), line)
			}
		}
		f.Rows[i/columns] = append(f.Rows[i/columns], &plots.Panel{Plot: p})
	}
	return f, nil
}
