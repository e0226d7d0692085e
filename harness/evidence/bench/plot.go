package bench

import (
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Plot draws every section as bars, as PNG.
func (r *Report) Plot(to io.Writer) error {
	const columns, width, height = 3, 9 * vg.Centimeter, 7 * vg.Centimeter
	rows := (len(r.Sections) + columns - 1) / columns
	canvas := vgimg.New(columns*width, vg.Length(rows)*height)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Millimeter * 4, PadY: vg.Millimeter * 4,
		PadTop: vg.Millimeter * 2}
	for i := range r.Sections {
		s := &r.Sections[i]
		p := plot.New()
		p.Title.Text, p.Title.TextStyle.Font.Size = s.Title, 8
		p.X.Label.Text = s.Unit
		values, names := make(plotter.Values, len(s.List)), make([]string, len(s.List))
		for k := range s.List { // the first bar on top
			m := &s.List[len(s.List)-1-k]
			values[k], names[k] = m.Median(), m.Name
		}
		bars, err := plotter.NewBarChart(values, vg.Points(9))
		if err != nil {
			return err
		}
		bars.Horizontal = true
		p.Add(bars)
		p.NominalY(names...)
		p.X.Min = 0
		p.Y.Tick.Label.Font.Size, p.X.Tick.Label.Font.Size = 7, 7
		p.Draw(tiles.At(draw.New(canvas), i%columns, i/columns))
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(to)
	return err
}
