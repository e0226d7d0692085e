package suspension

import (
	"encoding/csv"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/results/report"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// draw makes the drawing of the axle in the design position.
func draw(m *vehicle.Model, o rig.Options) (*animation.Scene, error) {
	o.Frames, o.Forces = true, false
	r, err := rig.New(m, o)
	if err != nil {
		return nil, err
	}
	list, err := r.Frames()
	if err != nil {
		return nil, err
	}
	frames := map[string]animation.Frame{}
	for _, f := range list {
		frames[f.Name] = animation.Frame{Place: f.Place, Axes: f.Axes, Wanted: f.Moves}
	}
	return animation.Posed(m, frames), nil
}

// picture is the drawing as a part of the report.
func (r *Result) picture() (*report.Drawing, error) {
	var b strings.Builder
	err := r.Drawing.Draw(&b)
	// nolint:gosec // names are escaped by Draw
	return &report.Drawing{SVG: template.HTML(b.String()), Note: "Axle in the design position, in axes of the chassis. " +
		"points.csv has the coordinates."}, err
}

// WritePoints writes the points of the drawing, in axes of the chassis.
func (r *Result) WritePoints(to io.Writer) error {
	w := csv.NewWriter(to)
	w.Write([]string{"name", "x [mm]", "y [mm]", "z [mm]"})
	for _, p := range r.Drawing.Points() {
		row := []string{p.Name}
		for _, x := range p.Place {
			const mm = 1e3 // digits: 1e-3 mm
			row = append(row, strconv.FormatFloat(math.Round(mm*x*mm)/mm+0, 'f', 3, 64))
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}
