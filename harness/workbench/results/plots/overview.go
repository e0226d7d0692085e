// Package plots draws figures as SVG, PDF or PNG.
package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/roles"
)

const degree = math.Pi / 180

// negligible is the share of the least range of an axis below which values are rounding errors.
const negligible = 1e-6

// panel is one diagram: curves over time, or, with x set, over another variable.
type panel struct {
	title, y string
	scale    float64 // a plotted number times scale is the variable's SI value
	span     float64 // the least range of the vertical axis, so that rounding errors look like zero
	x        string
	ground   bool // a path on the ground, in equal scales
	curves   []curve
}

// curve is one variable in a diagram.
type curve struct{ label, variable string }

// wheels are the curves of one quantity at all wheels: those of the vehicle's roles, or the four corners as shipped
// vehicles call them.
func wheels(vehicle *roles.Roles, quantity string) []curve {
	var curves []curve
	if vehicle != nil && len(vehicle.Axles) > 0 {
		indices, list := vehicle.Places()
		for i, w := range list {
			curves = append(curves, curve{indices[i], w.Tire + "." + quantity})
		}
		return curves
	}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		curves = append(curves, curve{corner, "tire_" + corner + "." + quantity})
	}
	return curves
}

// overview are the diagrams of a vehicle whose main body is called body, as far
// as their variables are recorded.
func overview(t *trace.Trace, body string, vehicle *roles.Roles) []panel {
	all := []panel{
		{title: "Speed", y: "vx, m/s", scale: 1, span: 0.1, curves: []curve{{"", body + ".vx"}}},
		{title: "Yaw rate", y: "wz, deg/s", scale: degree, span: 0.1, curves: []curve{{"", body + ".wz"}}},
		{title: "Roll and pitch", y: "deg", scale: degree, span: 0.1,
			curves: []curve{{"roll", body + ".roll"}, {"pitch", body + ".pitch"}}},
		{title: "Wheel loads", y: "Fz, kN", scale: 1e3, span: 0.1, curves: wheels(vehicle, "Fz")},
		{title: "Lateral tire forces", y: "Fy, kN", scale: 1e3, span: 0.01, curves: wheels(vehicle, "Fy")},
		{title: "Lean, to the right", y: "deg", scale: degree, span: 0.1, curves: []curve{{"", "rear_frame.angle2"}}},
		{title: "Steer, to the left", y: "deg", scale: degree, span: 0.1, curves: []curve{{"", "steer.phi"}}},
		{title: "Heading, to the left", y: "deg", scale: degree, span: 0.1, curves: []curve{{"", "wheel.angle1"}}},
		{title: "Inclination, to the right", y: "deg", scale: degree, span: 0.1, curves: []curve{{"", "wheel.angle2"}}},
		{title: "Torque of the pendulum's spring", y: "N m", scale: 1, span: 0.01,
			curves: []curve{{"", "pendulum_spring.torque"}}},
		{title: "Gimbal", y: "deg", scale: degree, span: 0.1, curves: []curve{{"", "gimbal.phi"}}},
		{title: "Slip speeds", y: "m/s", scale: 1, span: 0.1,
			curves: []curve{{"front", "wheel_F.slip_speed"}, {"rear", "wheel_R.slip_speed"}}},
		{title: "Stiction", y: "1 rolls, 0 slides", scale: 1, span: 1,
			curves: []curve{{"front", "wheel_F.stiction"}, {"rear", "wheel_R.stiction"}}},
		{title: "Forces on the rear wheel", y: "N", scale: 1, span: 1,
			curves: []curve{{"traction", "traction_R.force"}, {"sliding", "sliding_R.force"},
				{"stabilisation", "stabilisation_R.force"}}},
		{title: "Forces on the front wheel", y: "N", scale: 1, span: 1,
			curves: []curve{{"traction", "traction_F.force"}, {"sliding", "sliding_F.force"},
				{"stabilisation", "stabilisation_F.force"}}},
		{title: "Heights of the rear", y: "z, m", scale: 1, span: 0.01,
			curves: []curve{{"contact mass", "mass_1.z"}, {"rim", "mass_2.z"}, {"chassis", "mass_3.z"}}},
		{title: "Heights of the front", y: "z, m", scale: 1, span: 0.01,
			curves: []curve{{"contact mass", "mass_4.z"}, {"rim", "mass_5.z"}, {"chassis", "mass_6.z"}}},
		{title: "Speeds of the rear", y: "vx, m/s", scale: 1, span: 0.1,
			curves: []curve{{"contact mass", "mass_1.vx"}, {"rim", "mass_2.vx"}, {"chassis", "mass_3.vx"}}},
		{title: "Modes: 0 air, 1 rolling, 2 impact", y: "mode", scale: 1, span: 2,
			curves: []curve{{"rear", "contact_R.mode"}, {"front", "contact_F.mode"}}},
		{title: "Violation of the constraint", y: "m or m2", scale: 1, span: 0,
			curves: []curve{{"", "constraint_1.value"}}},
		{title: "Violation of the constraint", y: "m2", scale: 1, span: 0, curves: []curve{{"", "rod.value"}}},
		{title: "Path of the front chassis mass", y: "z, m", scale: 1, span: 0.01, x: "mass_6.x",
			curves: []curve{{"", "mass_6.z"}}},
		{title: "Path of the mass", y: "z, m", scale: 1, span: 0.1, x: "mass_1.x", curves: []curve{{"", "mass_1.z"}}},
		{title: "Path of the centre of mass", y: "y, m", scale: 1, span: 0.1, x: body + ".x", ground: true,
			curves: []curve{{"", body + ".y"}}},
	}
	return slices.DeleteFunc(all, func(p panel) bool {
		missing := func(c curve) bool { return !slices.Contains(t.Names, c.variable) }
		if slices.ContainsFunc(p.curves, missing) || (p.x != "" && !slices.Contains(t.Names, p.x)) {
			return true
		}
		return !slices.ContainsFunc(p.curves, func(c curve) bool {
			return slices.ContainsFunc(t.Column(c.variable), func(v float64) bool {
				return math.Abs(v) > negligible*p.span*p.scale
			})
		})
	})
}

// Overview is a figure of a run: speed, yaw rate, roll and pitch of the chassis, wheel loads and lateral forces, and
// the path, in equal scales, by the roles of the vehicle; without them of the first body and the tires FL, FR, RL, RR.
// Of vehicles of point masses it has heights, speeds, modes of the wheel contacts, the first constraint and a path; of
// relaxed wheels slip, stiction and forces. Diagrams of variables that were not recorded, or that are 0 within
// rounding errors, are left out.
func Overview(t *trace.Trace, caption string, vehicle *roles.Roles) (*Figure, error) {
	const columns = 2
	body := trace.MainBody(t)
	if vehicle != nil && vehicle.Chassis != "" {
		body = vehicle.Chassis
	}
	panels := overview(t, body, vehicle)
	if len(panels) == 0 {
		return nil, errors.New("nothing is recorded that this plot shows: speed, yaw rate and angles of the body, loads " +
			"and forces of the tires; record more, such as with --record 'body.*,tire_*.F?'")
	}
	f := &Figure{Caption: caption, Rows: make([][]*Panel, (len(panels)+columns-1)/columns)}
	for i, panel := range panels {
		p, err := panel.draw(t)
		if err != nil {
			return nil, err
		}
		f.Rows[i/columns] = append(f.Rows[i/columns], &Panel{p, panel.ground})
	}
	return f, nil
}

// Label is that of an axis: a quantity and its unit, [-] for a number; a name whose unit is not known stands alone.
func Label(name, unit string) string {
	switch unit {
	case "":
		return name
	case "1":
		return name + " [-]"
	}
	return name + " [" + unit + "]"
}

// Ticks places the usual ticks and labels them with all digits they need: the
// library's own labels are cut, which makes 9.75 read 9.8.
func Ticks(low, high float64) []plot.Tick {
	all := plot.DefaultTicks{}.Ticks(low, high)
	digits := 5
	if size := max(math.Abs(low), math.Abs(high)); high > low { // so many that labels of a short axis far from 0 differ
		digits = max(digits, int(math.Ceil(math.Log10(size/(high-low))))+3)
	}
	for i, tick := range all {
		if !tick.IsMinor() {
			all[i].Label = strconv.FormatFloat(tick.Value, 'g', digits, 64)
		}
	}
	return all
}

// widen gives an axis the least range.
func (d panel) widen(a *plot.Axis) {
	if lack := d.span - (a.Max - a.Min); lack > 0 {
		a.Min, a.Max = a.Min-lack/2, a.Max+lack/2
	}
}

func (d panel) draw(t *trace.Trace) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text, p.X.Label.Text = d.title, d.y, "time, s"
	x := t.Time
	if d.x != "" {
		x, p.X.Label.Text = t.Column(d.x), "x, m"
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(Ticks), plot.TickerFunc(Ticks)
	p.Add(plotter.NewGrid())
	for i, curve := range d.curves {
		points := make(plotter.XYs, len(x))
		for n, value := range t.Column(curve.variable) {
			points[n] = plotter.XY{X: x[n], Y: value / d.scale}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, fmt.Errorf("plot of %s: %w", curve.variable, err)
		}
		line.LineStyle = LineStyle(i)
		p.Add(line)
		if curve.label != "" {
			p.Legend.Add(curve.label, line)
		}
	}
	d.widen(&p.Y)
	if d.x != "" {
		d.widen(&p.X)
	}
	return p, nil
}
