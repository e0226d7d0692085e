// Package plots draws figures as SVG, PDF or PNG.
package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/trace"
)

// negligible is the share of the least range of an axis below which values are rounding errors.
const negligible = 1e-6

// panel is one diagram: curves over time, or, with x set, over another variable.
type panel struct {
	title, y string
	unit     string  // of the vertical axis; "" where y says it
	span     float64 // the least range of the vertical axis, so that rounding errors look like zero
	x        string
	ground   bool // a path on the ground, in equal scales
	curves   []curve
}

// curve is one variable in a diagram.
type curve struct{ label, variable string }

// wheels are the curves of one quantity at all wheels: those of the vehicle's roles, or the four corners as shipped
// vehicles call them.
func wheels(t *trace.Trace, quantity string) []curve {
	var curves []curve
	for _, w := range t.Wheels(quantity) {
		curves = append(curves, curve{w.Index, w.Variable})
	}
	if curves != nil {
		return curves
	}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		curves = append(curves, curve{corner, "tire_" + corner + "." + quantity})
	}
	return curves
}

// steering returns the recorded steering angles of a run: of the steering wheel, or else of the steering, or else of
// the steered wheels.
func steering(t *trace.Trace) []curve {
	for _, isOne := range []func(component, quantity string) bool{
		func(_, quantity string) bool { return quantity == "wheel_angle" },
		func(component, quantity string) bool { return component == "steering" && quantity == "angle" },
		func(component, quantity string) bool {
			return strings.HasPrefix(component, "steer_") && quantity == "angle"
		},
	} {
		var curves []curve
		for _, c := range t.Channels {
			if component, quantity, _ := strings.Cut(c.Name, "."); isOne(component, quantity) {
				curves = append(curves, curve{c.Name, c.Name})
			}
		}
		if curves != nil {
			return curves
		}
	}
	return []curve{{"", "steering.angle"}} // which is not there
}

// overview are the diagrams of a vehicle, as far as their variables are recorded.
func overview(t *trace.Trace) []panel {
	body := t.Body()
	all := []panel{
		{title: "Speed", y: "vx", unit: "m/s", span: 0.1, curves: []curve{{"", body + ".vx"}}},
		{title: "Steering", y: "angle", unit: "deg", span: 0.1, curves: steering(t)},
		{title: "Lateral acceleration", y: "ay", unit: "m/s2", span: 0.01, curves: []curve{{"", body + ".ay"}}},
		{title: "Yaw rate", y: "wz", unit: "deg/s", span: 0.1, curves: []curve{{"", body + ".wz"}}},
		{title: "Roll and pitch", unit: "deg", span: 0.1,
			curves: []curve{{"roll", body + ".roll"}, {"pitch", body + ".pitch"}}},
		{title: "Wheel loads", y: "Fz", unit: "kN", span: 0.1, curves: wheels(t, "Fz")},
		{title: "Lateral tire forces", y: "Fy", unit: "kN", span: 0.01, curves: wheels(t, "Fy")},
		{title: "Lean, to the right", unit: "deg", span: 0.1, curves: []curve{{"", "rear_frame.angle2"}}},
		{title: "Steer, to the left", unit: "deg", span: 0.1, curves: []curve{{"", "steer.phi"}}},
		{title: "Heading, to the left", unit: "deg", span: 0.1, curves: []curve{{"", "wheel.angle1"}}},
		{title: "Inclination, to the right", unit: "deg", span: 0.1, curves: []curve{{"", "wheel.angle2"}}},
		{title: "Torque of the pendulum's spring", y: "N m", span: 0.01,
			curves: []curve{{"", "pendulum_spring.torque"}}},
		{title: "Gimbal", unit: "deg", span: 0.1, curves: []curve{{"", "gimbal.phi"}}},
		{title: "Slip speeds", unit: "m/s", span: 0.1,
			curves: []curve{{"front", "wheel_F.slip_speed"}, {"rear", "wheel_R.slip_speed"}}},
		{title: "Stiction", y: "1 rolls, 0 slides", span: 1,
			curves: []curve{{"front", "wheel_F.stiction"}, {"rear", "wheel_R.stiction"}}},
		{title: "Forces on the rear wheel", unit: "N", span: 1,
			curves: []curve{{"traction", "traction_R.force"}, {"sliding", "sliding_R.force"},
				{"stabilisation", "stabilisation_R.force"}}},
		{title: "Forces on the front wheel", unit: "N", span: 1,
			curves: []curve{{"traction", "traction_F.force"}, {"sliding", "sliding_F.force"},
				{"stabilisation", "stabilisation_F.force"}}},
		{title: "Heights of the rear", y: "z", unit: "m", span: 0.01,
			curves: []curve{{"contact mass", "mass_1.z"}, {"rim", "mass_2.z"}, {"chassis", "mass_3.z"}}},
		{title: "Heights of the front", y: "z", unit: "m", span: 0.01,
			curves: []curve{{"contact mass", "mass_4.z"}, {"rim", "mass_5.z"}, {"chassis", "mass_6.z"}}},
		{title: "Speeds of the rear", y: "vx", unit: "m/s", span: 0.1,
			curves: []curve{{"contact mass", "mass_1.vx"}, {"rim", "mass_2.vx"}, {"chassis", "mass_3.vx"}}},
		{title: "Modes: 0 air, 1 rolling, 2 impact", y: "mode", span: 2,
			curves: []curve{{"rear", "contact_R.mode"}, {"front", "contact_F.mode"}}},
		{title: "Violation of the constraint", y: "m or m2", span: 0,
			curves: []curve{{"", "constraint_1.value"}}},
		{title: "Violation of the constraint", y: "m2", span: 0, curves: []curve{{"", "rod.value"}}},
		{title: "Path of the front chassis mass", y: "z", unit: "m", span: 0.01, x: "mass_6.x",
			curves: []curve{{"", "mass_6.z"}}},
		{title: "Path of the mass", y: "z", unit: "m", span: 0.1, x: "mass_1.x", curves: []curve{{"", "mass_1.z"}}},
		{title: "Path of the centre of mass", y: "y", unit: "m", span: 0.1, x: body + ".x", ground: true,
			curves: []curve{{"", body + ".y"}}},
	}
	return slices.DeleteFunc(all, func(p panel) bool {
		missing := func(c curve) bool { return !t.Has(c.variable) }
		if slices.ContainsFunc(p.curves, missing) || (p.x != "" && !t.Has(p.x)) {
			return true
		}
		return !slices.ContainsFunc(p.curves, func(c curve) bool {
			return slices.ContainsFunc(t.Column(c.variable), func(v float64) bool {
				return math.Abs(v) > negligible*p.span*display.Factor(p.unit)
			})
		})
	})
}

// Overview is a figure of a run: speed, steering, lateral acceleration, yaw rate, roll and pitch of the chassis, wheel
// loads and lateral forces, and the path in equal scales. The roles of the channels select the variables; without roles
// the first body and the tires FL, FR, RL, RR are drawn. Of vehicles of point masses it has heights, speeds, modes of
// the wheel contacts, the first constraint and a path; of relaxed wheels slip, stiction and forces. Diagrams of
// variables that were not recorded, or that are 0 within rounding errors, are left out.
func Overview(t *trace.Trace, caption string) (*Figure, error) {
	const columns = 2
	panels := overview(t)
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

// Label is the label of an axis: a quantity and its unit, [-] for a number; without a known unit the name stands alone.
func Label(name, unit string) string {
	switch unit {
	case "":
		return name
	case "1":
		return name + " [-]"
	}
	return name + " [" + unit + "]"
}

// widen gives an axis the least range.
func (d panel) widen(a *plot.Axis) {
	if lack := d.span - (a.Max - a.Min); lack > 0 {
		a.Min, a.Max = a.Min-lack/2, a.Max+lack/2
	}
}

// pointsOfCurve is the largest number of points of a curve, more than one for each point of its panel's width.
const pointsOfCurve = 700

func (d panel) draw(t *trace.Trace) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text, p.X.Label.Text = d.title, display.Label(d.y, d.unit), "time, s"
	factor := display.Factor(d.unit) // SI value of one of the unit
	x := t.Time
	if d.x != "" {
		x, p.X.Label.Text = t.Column(d.x), "x, m"
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(Ticks), plot.TickerFunc(Ticks)
	p.Add(plotter.NewGrid())
	for i, curve := range d.curves {
		thinX, thinY := Thinned(x, t.Column(curve.variable), pointsOfCurve)
		points := make(plotter.XYs, len(thinX))
		for n, value := range thinY {
			points[n] = plotter.XY{X: thinX[n], Y: value / factor}
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
