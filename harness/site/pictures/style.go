package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// style is the common style of all pictures: their colours, lines and letters. Readers without colour vision can
// distinguish the colours. In dark mode a picture becomes its negative with its hues kept, so one set of colours serves
// both modes.
const style = `
svg { background: none; }
text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; fill: #46505c; }
.title { font-weight: 600; fill: #1c2430; }
.name { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.ground { stroke: #d5dae1; fill: none; }
.box { fill: #0072b2; fill-opacity: .16; stroke: #0072b2; stroke-width: 1.4; stroke-linejoin: round; }
.tread { fill: #3c4550; stroke: #1c2430; stroke-width: 1; stroke-linejoin: round; }
.side { fill: #59636f; stroke: #1c2430; stroke-width: 1; }
.rim { fill: #e6e9ed; stroke: #1c2430; stroke-width: .8; }
.ball { fill: #d55e00; stroke: #8a3d00; }
.spring { fill: none; stroke: #009e73; stroke-width: 1.6; stroke-linejoin: round; }
.rod { stroke: #8a4b08; stroke-width: 3.5; stroke-linecap: round; }
.line { stroke: #7a8794; stroke-width: 1.6; stroke-linecap: round; }
.way { fill: none; stroke: #d55e00; stroke-width: 1.6; }
.node { fill: #ffffff; stroke: #46505c; stroke-width: 1.6; }
.branch { fill: none; stroke: #0072b2; stroke-width: 3.4; }
.chord { fill: none; stroke: #a0a8b2; stroke-width: 1.2; }
@media (prefers-color-scheme: dark) { svg { filter: invert(1) hue-rotate(180deg); } }
`

// drawing is a picture that is being drawn, in pixels.
type drawing struct {
	title         string // what readers are told who do not see it
	width, height float64
	more          string // style of this picture
	body          bytes.Buffer
}

// svg is the file.
func (d *drawing) svg() []byte {
	w, h := number(d.width), number(d.height)
	return fmt.Appendf(nil, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" "+
		"role=\"img\"><title>%s</title><style>%s</style>\n%s</svg>\n", w, h, w, h, html.EscapeString(d.title), style+d.more,
		d.body.Bytes())
}

// number writes a place to a tenth of a pixel.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64) // + 0 makes -0 0
}

// path draws lines from point to point.
func (d *drawing) path(class string, closed bool, points ...[2]float64) {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(number(p[0]) + " " + number(p[1]))
	}
	if closed {
		b.WriteByte('Z')
	}
	fmt.Fprintf(&d.body, "<path class=\"%s\" d=\"%s\"/>\n", class, b.String())
}

// circle draws one.
func (d *drawing) circle(class string, at [2]float64, radius float64) {
	fmt.Fprintf(&d.body, "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", class, number(at[0]), number(at[1]),
		number(radius))
}

// write writes a text; anchor is start, middle or end.
func (d *drawing) write(class, anchor string, at [2]float64, text string) {
	fmt.Fprintf(&d.body, "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", class, number(at[0]),
		number(at[1]), anchor, html.EscapeString(text))
}
