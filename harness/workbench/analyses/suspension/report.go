package suspension

import (
	"fmt"
	"io"
	"strconv"

	"skidpad/harness"
	"skidpad/harness/workbench/results/report"
	"skidpad/model/kc"
	"skidpad/model/rig"
)

// quantity is drawn over what a test varies, for both wheels.
type quantity struct {
	title, label string
	si           float64 // of the unit in the label
	of           func(s *rig.State, side int) float64
}

var (
	toe     = quantity{"toe-in", "toe-in, deg", degree, wheel((*kc.Wheel).Toe)}
	camber  = quantity{"camber", "camber, deg", degree, wheel((*kc.Wheel).Camber)}
	forward = quantity{"wheel centre forward", "x, mm", 1e-3, wheel(func(w *kc.Wheel) kc.Number { return w.Centre[0] })}
	outward = quantity{"contact outward", "y of the contact, mm", 1e-3,
		wheel(func(w *kc.Wheel) kc.Number { return w.Contact()[1] })}
	force = quantity{"wheel load", "force of the pad, N", 1,
		func(s *rig.State, side int) float64 { return s.Pads[side].V }}
)

// pages are the plots of each test, in the order in which engineers read them.
var pages = []struct {
	test, title, over string
	si                float64
	plots             []quantity
}{
	{"bounce", "Bounce: equal travel of both wheels", "travel, mm", 1e-3,
		[]quantity{toe, camber, outward, forward, force}},
	{"roll", "Roll: opposite travel", "travel of the right wheel, mm", 1e-3, []quantity{toe, camber, outward, force}},
	{"steer", "Steering", "", 0, []quantity{toe, camber, force}},
	{"lateral_parallel", "Lateral forces to the left", "force at each contact, N", 1,
		[]quantity{toe, camber, outward, force}},
	{"lateral_opposed", "Opposed lateral forces", "force outward at each contact, N", 1,
		[]quantity{toe, camber, outward}},
	{"braking", "Longitudinal forces at the contacts", "force forward, N", 1, []quantity{toe, camber, forward, force}},
	{"driving", "Longitudinal forces at the wheel centres", "force forward, N", 1,
		[]quantity{toe, camber, forward, force}},
	{"aligning_parallel", "Aligning moments", "moment to the left on each wheel, N m", 1, []quantity{toe, camber}},
	{"aligning_opposed", "Opposed aligning moments", "moment on the left wheel, N m", 1, []quantity{toe, camber}},
}

// WriteReport writes the figures and the curves as a page.
func (r *Result) WriteReport(to io.Writer) error {
	page := report.Page{Title: "Kinematics and compliance", Subtitle: fmt.Sprintf("%s, axle %d", r.Model, r.Axle),
		Facts: []report.Fact{{Name: "model", Value: r.Model}, {Name: "axle", Value: strconv.Itoa(r.Axle)},
			{Name: "tires", Value: r.Tires[0] + ", " + r.Tires[1]}, {Name: "Skidpad", Value: harness.Version}}}
	page.Sections = append(page.Sections, report.Section{Title: "Figures", Blocks: []report.Block{r.table()}})
	for _, p := range pages {
		for _, c := range r.Curves {
			if c.Test != p.test {
				continue
			}
			if p.over == "" {
				p.over, p.si = "rack, mm", 1e-3
				if c.Unit == "rad" {
					p.over, p.si = "steering wheel, deg", degree
				}
			}
			s := report.Section{Title: p.title, Blocks: []report.Block{grid(c, p.over, p.si, p.plots)}}
			for _, end := range c.Ends {
				s.Text += end + ". "
			}
			page.Sections = append(page.Sections, s)
		}
	}
	if len(r.Sensitivities) > 0 {
		page.Sections = append(page.Sections, report.Section{Title: "Sensitivities", Text: sensitivityText,
			Blocks: []report.Block{r.strongest()}})
	}
	page.Sections = append(page.Sections, report.Section{Title: "Compliance matrix", Blocks: []report.Block{r.matrix()},
		Text: "Displacement of the wheel at its contact and rotation, per force and moment at each contact, with the " +
			"forces of the pads held; axes of the chassis, y to the left.", Folded: true})
	return page.Write(to)
}

// table is the table of the figures.
func (r *Result) table() *report.Table {
	kinds := map[string]report.Kind{"Left": report.Number, "Right": report.Number, "Target": report.Number,
		"Met": report.Verdict}
	t := &report.Table{Columns: []report.Column{{Name: "Figure"}}}
	for _, name := range r.heads() {
		t.Columns = append(t.Columns, report.Column{Name: name, Kind: kinds[name]})
	}
	for i := range r.Figures {
		t.Rows = append(t.Rows, r.row(&r.Figures[i]))
	}
	return t
}

// grid are the plots of a curve.
func grid(c *rig.Curve, over string, si float64, plots []quantity) *report.Grid {
	g := &report.Grid{}
	scaled := func(list []float64, by float64) []float64 {
		out := make([]float64, len(list))
		for i, x := range list {
			out[i] = x / by
		}
		return out
	}
	for _, q := range plots {
		p := &report.Plot{Title: q.title, X: report.Axis{Label: over}, Y: report.Axis{Label: q.label, Span: 1e-3}}
		for side, name := range rig.Sides {
			var y []float64
			for _, s := range c.States {
				y = append(y, q.of(s, side))
			}
			p.Curves = append(p.Curves, report.Curve{Label: name, X: scaled(c.At, si), Y: scaled(y, q.si)})
		}
		g.Plots = append(g.Plots, p)
	}
	return g
}

// matrix is the table of the compliance matrix.
func (r *Result) matrix() *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "per N, N m"}}}
	for _, side := range rig.Sides {
		for _, load := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
			t.Columns = append(t.Columns, report.Column{Name: load + " " + side, Kind: report.Number})
		}
	}
	for i, row := range r.Matrix {
		motion := []string{"x", "y", "z", "rx", "ry", "rz"}[i%6]
		cells := []string{motion + " " + rig.Sides[i/6] + []string{" [m]", " [rad]"}[i%6/3]}
		for _, x := range row {
			cells = append(cells, strconv.FormatFloat(x, 'g', 4, 64))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
