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
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

var variationKeys = []keys.Key{
	{Name: "variables", Shape: keys.TextsShape, Filled: true,
		Text: "parameters and start values that take the same value"},
	{Name: "values", Shape: keys.ScalarsShape, Unit: keys.AnyUnit,
		Text: "their values; every combination of all is a run"},
}

var settleKeys = []keys.Key{
	{Name: "duration", Unit: "s", Text: "of the run before", Positive: true},
	{Name: "keep", Shape: keys.TextsShape, Filled: true, Text: "start values that are taken from its end"},
	{Name: "start", Shape: keys.NamedShape, Text: "its own start values", Optional: true,
		Value: &keys.Key{Unit: keys.AnyUnit, Text: "number, or formula of what manoeuvre and study set"}},
}

var publishedKeys = []keys.Key{
	{Name: "file", Shape: keys.TextShape, Text: "file of published values"},
	{Name: "table", Shape: keys.TextShape, Text: "table in it"},
}

// FileKeys are the keys of study files.
var FileKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "identifier of the study"},
	{Name: "title", Shape: keys.TextShape, Text: "heading of the plot"},
	{Name: "source", Shape: keys.TextShape, Text: "where the question comes from", Optional: true},
	{Name: "model", Shape: keys.TextShape, Text: "model file, relative to the study"},
	{Name: "manoeuvre", Shape: keys.TextShape, Text: "manoeuvre file, relative to the study"},
	{Name: "record", Shape: keys.TextsShape, Filled: true, Text: "variables, or rate(NAME)"},
	{Name: "step", Unit: "s", Text: "communication step", Positive: true},
	{Name: "from", Unit: "s", Text: "from when on least and largest values are taken", Default: "0"},
	{Name: "vary", Shape: keys.TablesShape, Text: "what varies; a run for each combination", Keys: variationKeys},
	{Name: "settle", Shape: keys.TableShape, Text: "run before each run", Optional: true, Keys: settleKeys},
	{Name: "search", Shape: keys.TableShape, Text: "over what the least is sought", Optional: true,
		Keys: variationKeys},
	{Name: "published", Shape: keys.TableShape, Text: "values to compare with", Optional: true, Keys: publishedKeys},
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

// Runs are the variations of the runs: the variations of the table and the variation of the search, which varies
// fastest.
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
		*file = bounded.Beside(path, *file)
	}
	if s.Published != nil {
		s.Published.File = bounded.Beside(path, s.Published.File)
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
	r := constants.NewReader(file, root)
	f := r.Fields(root, "the study", FileKeys)
	s := &Study{Name: f.Text("name"), Title: f.Text("title"), Source: f.Text("source"), Model: f.Text("model"),
		Manoeuvre: f.Text("manoeuvre"), Record: f.Texts("record"), Step: f.Number("step"), From: f.Number("from")}
	for _, v := range f.NonEmptyList("vary") {
		s.Variations = append(s.Variations, variation(r, v))
	}
	if f.Given("settle") {
		s.Settle = readSettle(r, f.Sub("settle"))
	}
	if f.Given("search") {
		v := variation(r, f.Sub("search"))
		s.Search = &v
	}
	if f.Given("published") {
		p := f.Sub("published")
		s.Published = &Published{File: p.Text("file"), Table: p.Text("table")}
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

func variation(r *constants.Reader, f *keys.Fields) manoeuvre.Variation {
	return manoeuvre.Variation{Name: strings.Join(f.Texts("variables"), "+"), Values: f.Numbers("values"),
		Written: r.OneUnit(f.PathOf("values"), f.Items("values")...)}
}

// readSettle reads the run before each run.
func readSettle(r *constants.Reader, f *keys.Fields) *Settle {
	s := &Settle{Duration: f.Number("duration"), Keep: f.Texts("keep"), Start: map[string]*signal.Law{},
		written: map[string]constants.Written{}}
	start := f.Sub("start")
	for _, name := range start.Names() {
		value := start.Node(name)
		if value.Kind != document.Number && value.Kind != document.Text {
			start.Fault(name, "%s is %s; it must be a number or a formula of parameters", start.PathOf(name), value)
			continue
		}
		formula := value.Text
		if w := r.Written(value, name); w != (constants.Written{}) {
			formula, s.written[name] = strconv.FormatFloat(start.Number(name), 'g', -1, 64), w
		}
		law, err := signal.ParseLaw(formula, nil)
		if err != nil {
			start.Fault(name, "%s is %s; it must be a number or a formula of parameters: %v", start.PathOf(name), value, err)
			continue
		}
		s.Start[name] = law
	}
	return s
}

// mostPanels is the largest number of panels of a plot: some pages of paper.
const mostPanels = 40

// Plot is a figure of a completed sweep. It has the largest magnitude of every recorded variable over the values of the
// last variation, with a curve for each combination of the other variations.
func (s *Sweep) Plot(t *trace.Table, title string) (*plots.Figure, error) {
	variations := s.Variations
	const columns = 2
	last := variations[len(variations)-1]
	others := ""
	for i, v := range variations[:len(variations)-1] {
		if others += ", "; i == 0 {
			others = "a curve for each "
		}
		others += plots.Label(v.Name, s.varied[i].Unit)
	}
	f := &plots.Figure{Caption: title, Rows: make([][]*plots.Panel, (len(s.recorded)+columns-1)/columns)}
	for i, r := range s.recorded {
		p := plot.New()
		p.X.Label.Text = plots.Label(last.Name, s.varied[len(s.varied)-1].Unit)
		p.Y.Label.Text = plots.Label("largest |"+r.Name+"|", r.Unit)
		p.Title.Text = others
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.Ticks), plot.TickerFunc(plots.Ticks)
		p.Add(plotter.NewGrid())
		least, largest := slices.Index(t.Columns, r.Name+".least"), slices.Index(t.Columns, r.Name+".largest")
		n := len(last.Values)
		for k := 0; k < len(t.Rows); k += n {
			points := make(plotter.XYs, n)
			for j, row := range t.Rows[k : k+n] {
				points[j] = plotter.XY{X: row[len(variations)-1], Y: max(row[largest], -row[least])}
			}
			line, marks, err := plotter.NewLinePoints(points)
			if err != nil {
				return nil, fmt.Errorf("plot of %s: %w", r.Name, err)
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
