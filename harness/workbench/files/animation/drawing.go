package animation

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/vehicle"
)

// Still makes a scene of one moment from the values of variables.
func Still(m *vehicle.Model, names []string, values []float64) (*Scene, error) {
	run := trace.New(trace.Named(names...), 0)
	run.Append(0, values)
	run.Append(1, values)
	return New(m, run)
}

// view is a projection: the axes of ground to the right and upward.
type view struct {
	name          string
	right, upward int
}

// The side is seen from the right, the front from ahead, the top from above.
var views = [...]view{{"side", 0, 2}, {"front", 1, 2}, {"top", 0, 1}}

const (
	viewSize   = 800 // longest edge of a view, in pixels
	viewMargin = 16
	viewTitle  = 12 // from the view to its title
	titleSize  = 13 // of its letters
	ringPoints = 36
	coils      = 20
	coilRadius = 0.03 // m
)

// drawing is the plan of a picture: a scale for all views, and for each view its corner and its names.
type drawing struct {
	scene     *Scene
	low, high vector
	scale     float64 // pixels per metre
	corner    [len(views)][2]float64
	labels    [len(views)][]label // relative to the corner
	size      [2]float64
}

// Draw writes the first moment as an SVG element: side, front and top on one scale, with the names of points.
func (s *Scene) Draw(to io.Writer) error {
	d := &drawing{scene: s}
	d.measure()
	d.name()
	d.arrange()
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "+
		"font-size=\"%d\" fill=\"none\" stroke-linejoin=\"round\">\n<title>%s</title>\n", d.size[0], d.size[1], nameSize,
		html.EscapeString(s.Title))
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n")
	for v := range views {
		fmt.Fprintf(&b, "<g id=%q transform=\"translate(%.1f %.1f)\">\n<text x=\"0\" y=\"%d\" fill=\"#222222\" "+
			"font-size=\"%d\">%s</text>\n", views[v].name, d.corner[v][0], d.corner[v][1], -viewTitle, titleSize,
			views[v].name)
		d.shapes(&b, v)
		d.names(&b, v)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(to, b.String())
	return err
}

// shapes writes the shapes of a view.
func (d *drawing) shapes(b *strings.Builder, v int) {
	for i := range d.scene.Shapes {
		shape := &d.scene.Shapes[i]
		look := looks[shape.Kind]
		fmt.Fprintf(b, "<g stroke=%q stroke-width=\"%g\"><title>%s</title>", look.colour, look.width,
			html.EscapeString(shape.Name))
		for _, line := range d.scene.lines(shape) {
			b.WriteString("<polyline points=\"")
			for k, p := range line {
				if k > 0 {
					b.WriteByte(' ')
				}
				at := d.project(v, p)
				fmt.Fprintf(b, "%.1f,%.1f", at[0], at[1])
			}
			b.WriteString("\"/>")
		}
		b.WriteString("</g>\n")
	}
}

// names writes points, lines that lead to names, and above all the names.
func (d *drawing) names(b *strings.Builder, v int) {
	for _, l := range d.labels[v] {
		if l.line {
			end := l.end()
			fmt.Fprintf(b, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#999999\" stroke-width=\"0.5\"/>", l.point[0],
				l.point[1], end[0], end[1])
		}
		fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\" fill=\"#222222\"/>\n", l.point[0], l.point[1])
	}
	for _, l := range d.labels[v] {
		const descent = 0.25 // of letters
		a := l.area
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#ffffff\" "+
			"fill-opacity=\"0.7\"/><text x=\"%.1f\" y=\"%.1f\" fill=\"#222222\">%s</text>\n", a.left, a.top, a.right-a.left,
			a.bottom-a.top, a.left+nameGap, a.bottom-nameGap-descent*nameSize, html.EscapeString(l.text))
	}
}

// measure finds the extent of the shapes and the scale.
func (d *drawing) measure() {
	for k := range 3 {
		d.low[k], d.high[k] = math.Inf(1), math.Inf(-1)
	}
	for i := range d.scene.Shapes {
		for _, line := range d.scene.lines(&d.scene.Shapes[i]) {
			for _, p := range line {
				for k := range 3 {
					d.low[k], d.high[k] = min(d.low[k], p[k]), max(d.high[k], p[k])
				}
			}
		}
	}
	longest := 0.1
	for k := range 3 {
		longest = max(longest, d.high[k]-d.low[k])
	}
	d.scale = viewSize / longest
}

// name places the names of all views.
func (d *drawing) name() {
	places := d.scene.places()
	for v := range views {
		var texts []string
		var points [][2]float64
		for _, p := range places {
			texts, points = append(texts, p.text), append(points, d.project(v, p.at))
		}
		d.labels[v] = labelled(texts, points, rectangle{0, -viewTitle - titleSize, titleSize * 3, 4 - viewTitle})
	}
}

// extent is the area of a view with its names, relative to its corner.
func (d *drawing) extent(v int) rectangle {
	right, upward := views[v].right, views[v].upward
	all := rectangle{0, -viewTitle - nameSize, d.scale * (d.high[right] - d.low[right]),
		d.scale * (d.high[upward] - d.low[upward])}
	for _, l := range d.labels[v] {
		all.include(l.area)
	}
	return all
}

// arrange places the side at the top left, the front to the right of it and the top below it.
func (d *drawing) arrange() {
	side, front, top := d.extent(0), d.extent(1), d.extent(2)
	left := viewMargin - min(side.left, top.left)
	above := viewMargin - min(side.top, front.top)
	beside := left + max(side.right, 0) + viewMargin - front.left
	below := above + max(side.bottom, front.bottom) + viewMargin - top.top
	d.corner = [len(views)][2]float64{{left, above}, {beside, above}, {left, below}}
	d.size = [2]float64{max(beside+front.right, left+top.right) + viewMargin, below + top.bottom + viewMargin}
}

// project is the place of a point in a view relative to its corner, in pixels to the right and downward.
func (d *drawing) project(v int, p vector) [2]float64 {
	right, upward := views[v].right, views[v].upward
	return [2]float64{d.scale * (p[right] - d.low[right]), d.scale * (d.high[upward] - p[upward])}
}

// looks are the colours and widths of the lines of each kind.
var looks = map[string]struct {
	colour string
	width  float64
}{
	"box": {"#a9cfe6", 0.8}, "wheel": {"#222222", 1.2}, "ball": {"#d55e00", 2}, "spring": {"#009e73", 1.2},
	"rod": {"#8a4b08", 2.4}, "line": {"#7a8794", 1}, "plate": {"#0072b2", 1.8},
	"sleeve": {"#cc79a7", 5}, "hinge": {"#cc79a7", 2.4}, "bar": {"#56b4e9", 4},
}

// at is the pose of a frame at the first moment.
func (s *Scene) at(frame int) pose {
	p := s.Poses[frame]
	return pose{vector(p[:3]), quaternion(p[3:])}
}

// lines are the lines of a shape in ground.
func (s *Scene) lines(of *Shape) (lines [][]vector) {
	first := s.at(of.Frames[0])
	local := func(x, y, z float64) vector { return first.then(pose{vector{x, y, z}, unturned}).r }
	ends := func() (list []vector) {
		for _, frame := range of.Frames {
			list = append(list, s.at(frame).r)
		}
		return list
	}
	switch of.Kind {
	case "box":
		corner := func(i int) vector {
			sign := func(bit int) float64 { return float64(i>>bit&1) - 0.5 }
			return local(sign(0)*of.Size[0], sign(1)*of.Size[1], sign(2)*of.Size[2])
		}
		for i := range 8 {
			for bit := range 3 {
				if other := i | 1<<bit; other != i {
					lines = append(lines, []vector{corner(i), corner(other)})
				}
			}
		}
	case "wheel":
		for _, side := range []float64{-of.Size[1] / 2, of.Size[1] / 2} {
			var ring []vector
			for k := range ringPoints + 1 {
				sine, cosine := math.Sincos(2 * math.Pi * float64(k) / ringPoints)
				ring = append(ring, local(of.Size[0]*cosine, side, of.Size[0]*sine))
			}
			lines = append(lines, ring)
		}
		for k := 0; k < ringPoints; k += ringPoints / 4 { // of the tread
			lines = append(lines, []vector{lines[0][k], lines[1][k]})
		}
	case "ball":
		r := of.Size[0]
		lines = [][]vector{{local(-r, 0, 0), local(r, 0, 0)}, {local(0, -r, 0), local(0, r, 0)},
			{local(0, 0, -r), local(0, 0, r)}}
	case "spring":
		list := ends()
		list[0] = local(of.Size[0], of.Size[1], of.Size[2])
		lines = [][]vector{coil(list)}
	case "sleeve", "hinge", "bar":
		lines = [][]vector{{local(-of.Size[0], -of.Size[1], -of.Size[2]), local(of.Size[0], of.Size[1], of.Size[2])}}
	case "plate":
		list := ends()
		lines = [][]vector{append(list, list[0])}
	default:
		lines = [][]vector{ends()}
	}
	return lines
}

// coil is a helix with straight ends between two points.
func coil(ends []vector) (line []vector) {
	var along vector
	length := 0.0
	for k := range 3 {
		along[k] = ends[1][k] - ends[0][k]
		length = math.Hypot(length, along[k])
	}
	if length == 0 {
		return ends
	}
	// two directions across
	k := 0
	for i := range 3 {
		if math.Abs(along[i]) < math.Abs(along[k]) {
			k = i
		}
	}
	var axis vector
	axis[k] = 1
	cross := func(a, b vector) vector {
		return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	u := cross(along, axis)
	size := math.Hypot(math.Hypot(u[0], u[1]), u[2])
	for i := range u {
		u[i] /= size
	}
	w := cross(along, u)
	const steps = 8 * coils
	line = append(line, ends[0])
	for n := range steps + 1 {
		sine, cosine := math.Sincos(2 * math.Pi * float64(n) / 16)
		share := 0.1 + 0.8*float64(n)/steps
		var p vector
		for i := range p {
			p[i] = ends[0][i] + share*along[i] + coilRadius*(cosine*u[i]+sine*w[i]/length)
		}
		line = append(line, p)
	}
	return append(line, ends[1])
}
