package plots

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"slices"

	pdf "codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Missing replaces a character that the font of a PDF lacks.
const Missing = '□'

// PDF is a canvas that writes a PDF file. Its text is Unicode, and the file contains its fonts. The PDF canvas of the
// plot library, in contrast, supports only the 256 characters of Western Europe.
type PDF struct {
	file    *pdf.Fpdf
	size    vg.Point
	widths  []vg.Length     // line widths: the current width last, below it the widths restored by Pop
	fonts   map[string]bool // names of the fonts that the file contains
	missing map[rune]bool   // characters that Missing has replaced
	images  int             // number of images drawn
	letters sfnt.Buffer     // scratch memory for reading fonts
	failure error           // returned by WriteTo
}

// NewPDF returns a canvas with one page.
func NewPDF(width, height vg.Length) *PDF {
	p := &PDF{size: vg.Point{X: width, Y: height}, widths: []vg.Length{0}, fonts: map[string]bool{},
		missing: map[rune]bool{}}
	p.file = pdf.NewCustom(&pdf.InitType{UnitStr: "pt", Size: pdf.SizeType{Wd: width.Points(), Ht: height.Points()}})
	p.file.SetMargins(0, 0, 0)
	p.NextPage()
	return p
}

// NextPage begins a page. Lines are black and 1 pt wide at first.
func (p *PDF) NextPage() {
	if p.file.PageNo() > 0 {
		p.file.TransformEnd()
	}
	p.file.AddPage()
	p.file.TransformBegin()
	vg.Initialize(p)
}

// Missing returns the characters that the fonts lack. The constant Missing has replaced them.
func (p *PDF) Missing() []rune { return slices.Sorted(maps.Keys(p.missing)) }

// Size returns the size of a page.
func (p *PDF) Size() (width, height vg.Length) { return p.size.X, p.size.Y }

// SetLineWidth sets the width of lines.
func (p *PDF) SetLineWidth(width vg.Length) {
	p.widths[len(p.widths)-1] = width
	p.file.SetLineWidth(width.Points())
}

// SetLineDash sets the dashes of lines.
func (p *PDF) SetLineDash(pattern []vg.Length, offset vg.Length) {
	dashes := make([]float64, len(pattern))
	for i, d := range pattern {
		dashes[i] = d.Points()
	}
	p.file.SetDashPattern(dashes, offset.Points())
}

// SetColor sets the colour of lines, areas and text; nil is black.
func (p *PDF) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	r, g, b := int(n.R), int(n.G), int(n.B)
	p.file.SetFillColor(r, g, b)
	p.file.SetDrawColor(r, g, b)
	p.file.SetTextColor(r, g, b)
	p.file.SetAlpha(float64(n.A)/math.MaxUint8, "Normal")
}

// Rotate rotates everything that is drawn afterwards by an angle [rad].
func (p *PDF) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	p.file.Transform(pdf.TransformMatrix{A: cos, B: sin, C: -sin, D: cos})
}

// Translate moves everything that is drawn afterwards.
func (p *PDF) Translate(by vg.Point) {
	p.file.Transform(pdf.TransformMatrix{A: 1, D: 1, E: by.X.Points(), F: by.Y.Points()})
}

// Scale scales everything that is drawn afterwards.
func (p *PDF) Scale(x, y float64) { p.file.Transform(pdf.TransformMatrix{A: x, D: y}) }

// Push saves line width, dashes, colour and transformation.
func (p *PDF) Push() {
	p.widths = append(p.widths, p.widths[len(p.widths)-1])
	p.file.TransformBegin()
}

// Pop restores the values that the last Push saved.
func (p *PDF) Pop() {
	p.file.TransformEnd()
	p.widths = p.widths[:len(p.widths)-1]
}

// Stroke draws a line along a path, nothing at line width 0.
func (p *PDF) Stroke(path vg.Path) {
	if p.widths[len(p.widths)-1] > 0 {
		p.draw(path, "D")
	}
}

// Fill fills a path.
func (p *PDF) Fill(path vg.Path) { p.draw(path, "F") }

// at converts a point to coordinates of the PDF library, which measures y downwards from the top of the page.
func (p *PDF) at(point vg.Point) (x, y float64) {
	return point.X.Points(), (p.size.Y - point.Y).Points()
}

func (p *PDF) draw(path vg.Path, style string) {
	for i, part := range path {
		x, y := p.at(part.Pos)
		switch part.Type {
		case vg.MoveComp:
			p.file.MoveTo(x, y)
		case vg.LineComp:
			p.file.LineTo(x, y)
		case vg.ArcComp:
			p.arc(part, i == 0)
		case vg.CloseComp:
			p.file.ClosePath()
		default:
			p.failure = fmt.Errorf("a PDF cannot hold a curve with %d control points", len(part.Control))
		}
	}
	p.file.DrawPath(style)
}

// arc draws a circular arc by cubic Bezier curves. Each covers at most a right angle and deviates from the arc by at
// most 0.03 % of the radius.
func (p *PDF) arc(a vg.PathComp, first bool) {
	// arcPoint returns the point of the circle at an angle, moved along the tangent by a multiple of the radius.
	arcPoint := func(angle, along float64) (x, y float64) {
		sin, cos := math.Sincos(angle)
		return p.at(vg.Point{X: a.Pos.X + a.Radius*vg.Length(cos-along*sin),
			Y: a.Pos.Y + a.Radius*vg.Length(sin+along*cos)})
	}
	if x, y := arcPoint(a.Start, 0); first {
		p.file.MoveTo(x, y)
	} else {
		p.file.LineTo(x, y)
	}
	count := math.Ceil(math.Abs(a.Angle) / (math.Pi / 2))
	step := a.Angle / count
	arm := 4. / 3 * math.Tan(step/4)
	for i := range int(count) {
		begin := a.Start + float64(i)*step
		cx, cy := arcPoint(begin, arm)
		dx, dy := arcPoint(begin+step, -arm)
		x, y := arcPoint(begin+step, 0)
		p.file.CurveBezierCubicTo(cx, cy, dx, dy, x, y)
	}
}

// FillString draws text. Missing replaces characters that the font lacks.
func (p *PDF) FillString(f font.Face, at vg.Point, text string) {
	if f.Font.Size == 0 {
		return
	}
	if !p.fonts[f.Name()] {
		var file bytes.Buffer
		if _, err := f.Face.WriteSourceTo(&p.letters, &file); err != nil {
			p.failure = fmt.Errorf("font %s: %w", f.Name(), err)
			return
		}
		p.file.AddUTF8FontFromBytes(f.Name(), "", file.Bytes())
		p.fonts[f.Name()] = true
	}
	p.file.SetFont(f.Name(), "", f.Font.Size.Points())
	x, y := p.at(at)
	p.file.Text(x, y, p.replaceMissing(f.Face, text))
}

// replaceMissing returns text with Missing in place of characters that a font lacks, and of characters above 16 bits,
// which the PDF library does not support.
func (p *PDF) replaceMissing(face *sfnt.Font, text string) string {
	letters := []rune(text)
	for i, r := range letters {
		if glyph, err := face.GlyphIndex(&p.letters, r); err != nil || glyph == 0 || r > math.MaxUint16 {
			p.missing[r] = true
			letters[i] = Missing
		}
	}
	return string(letters)
}

// DrawImage draws an image that fills a rectangle.
func (p *PDF) DrawImage(where vg.Rectangle, picture image.Image) {
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		p.failure = err
		return
	}
	p.images++
	name, options := fmt.Sprint(p.images), pdf.ImageOptions{ImageType: "png"}
	p.file.RegisterImageOptionsReader(name, options, &file)
	x, y := p.at(vg.Point{X: where.Min.X, Y: where.Max.Y})
	size := where.Size()
	p.file.ImageOptions(name, x, y, size.X.Points(), size.Y.Points(), false, options, 0, "")
}

// WriteTo writes the file, or returns an error of an earlier call. Nothing can be drawn afterwards.
func (p *PDF) WriteTo(to io.Writer) (int64, error) {
	if p.failure != nil {
		return 0, p.failure
	}
	p.file.TransformEnd()
	var file bytes.Buffer
	if err := p.file.Output(&file); err != nil {
		return 0, err
	}
	return file.WriteTo(to)
}
