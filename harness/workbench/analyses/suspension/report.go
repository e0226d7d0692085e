package suspension

import (
	"fmt"
	"io"
	"strconv"

	"skidpad/harness"
	"skidpad/harness/workbench/results/report"
	"skidpad/model/rig"
)

// quantity is drawn over what a test varies, for both wheels.
type quantity struct {
	title, label string
	si           float64 // of the unit in the label
	column       string  // key of columns
}

var (
	toe     = quantity{"toe-in", "toe-in, deg", degree, "toe"}
	camber  = quantity{"camber", "camber, deg", degree, "camber"}
	forward = quantity{"wheel centre forward", "x, mm", 1e-3, "x"}
	outward = quantity{"contact outward", "y of the contact, mm", 1e-3, "contact_y"}
	force   = quantity{"wheel load", "force of the pad, N", 1, "Fz"}
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
	if r.Drawing != nil {
		picture, err := r.picture()
		if err != nil {
			return err
		}
		page.Sections = append(page.Sections, report.Section{Title: "Drawing", Blocks: []report.Block{picture}})
	}
	var curves []curve
	ends := map[string]string{} // of curves, by test
	for _, c := range r.Curves {
		curves = append(curves, curveOf(c))
		for _, end := range c.Ends {
			ends[c.Test] += end + ". "
		}
	}
	for _, s := range sections(curves) {
		s.Text = ends[s.test]
		page.Sections = append(page.Sections, s.Section)
	}
	if len(r.Sensitivities) > 0 {
		page.Sections = append(page.Sections, report.Section{Title: "Sensitivities", Text: heatText,
			Blocks: []report.Block{r.heat()}})
	}
	if r.Shares != nil {
		page.Sections = append(page.Sections, report.Section{Title: "Shares of compliance", Text: sharesText,
			Blocks: []report.Block{r.Shares.table()}})
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
