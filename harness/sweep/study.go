package sweep

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"skidpad/harness/keys"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/plots"
	"skidpad/harness/trace"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Study is a sweep as a file of resources/sweeps says it.
type Study struct {
	Name, Title, Source string
	Model, Manoeuvre    string // files
	Record              []string
	Step, From          float64 // s
	Variations          []manoeuvre.Variation
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
	return s, nil
}

// ParseStudy is ReadStudy for the bytes of a file called file; the names of files stay as they
// are.
func ParseStudy(file string, data []byte) (*Study, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &keys.Reader{Faults: document.Faults{File: file}}
	r.Keys(root, "name", "title", "source", "model", "manoeuvre", "record", "step", "from", "vary")
	s := &Study{
		Name: r.Text(root, "name"), Title: r.Text(root, "title"), Source: r.OptionalText(root, "source"),
		Model: r.Text(root, "model"), Manoeuvre: r.Text(root, "manoeuvre"), Record: r.Texts(root, "record"),
		Step: r.Positive(root, "step"),
	}
	if root.Field("from") != nil {
		s.From = r.Number(root, "from")
	}
	for _, n := range r.List(root, "vary", document.Table) {
		r.Keys(n, "variables", "values")
		s.Variations = append(s.Variations,
			manoeuvre.Variation{Name: strings.Join(r.Texts(n, "variables"), "+"), Values: r.Numbers(n, "values")})
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// Plot writes a PNG of a sweep: for every recorded variable the largest magnitude over the
// values of the last variation, with a curve for each combination of the others.
func Plot(to io.Writer, t *trace.Table, variations []manoeuvre.Variation, recorded []string, title string) error {
	const columns, width, rowHeight = 2, 9 * vg.Inch, 10 * vg.Inch / 3
	last := variations[len(variations)-1]
	others := ""
	for i, v := range variations[:len(variations)-1] {
		if others += ", "; i == 0 {
			others = "a curve for each "
		}
		others += v.Name
	}
	panels := make([][]*plot.Plot, (len(recorded)+columns-1)/columns)
	for i, name := range recorded {
		p := plot.New()
		p.X.Label.Text, p.Y.Label.Text = last.Name, "largest magnitude of "+name
		if p.Title.Text = others; i == 0 {
			p.Title.Text = title + "\n" + others
		}
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.Ticks), plot.TickerFunc(plots.Ticks)
		p.Add(plotter.NewGrid())
		p.Legend.Top = true
		least, largest := slices.Index(t.Columns, name+".least"), slices.Index(t.Columns, name+".largest")
		n := len(last.Values)
		for k := 0; k < len(t.Rows); k += n {
			points := make(plotter.XYs, n)
			for j, row := range t.Rows[k : k+n] {
				points[j] = plotter.XY{X: row[len(variations)-1], Y: max(row[largest], -row[least])}
			}
			line, marks, err := plotter.NewLinePoints(points)
			if err != nil {
				return fmt.Errorf("plot of %s: %w", name, err)
			}
			line.Color, line.Width = plots.Palette[k/n%len(plots.Palette)], vg.Points(1.2)
			marks.Color = line.Color
			if k/n >= len(plots.Palette) {
				line.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
			}
			p.Add(line, marks)
			var labels []string
			for v := range variations[:len(variations)-1] {
				labels = append(labels, fmt.Sprintf("%g", t.Rows[k][v]))
			}
			if len(labels) > 0 {
				p.Legend.Add(strings.Join(labels, ", "), line)
			}
		}
		if i%columns == 0 {
			panels[i/columns] = make([]*plot.Plot, min(columns, len(recorded)))
		}
		panels[i/columns][i%columns] = p
	}
	return plots.Tile(to, panels, width, rowHeight)
}
