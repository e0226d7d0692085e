package main

import (
	"strconv"

	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// ride is a curve of a figure: a vehicle in a manoeuvre with some values set.
type ride struct {
	label, model, manoeuvre string
	values                  map[string]float64
	duration                float64 // s; 0 for that of the manoeuvre
	reference               bool    // that others are drawn over
}

// rides are a figure with a curve of one variable, or of some, for each ride.
type rides struct {
	title string
	key   key
	rides []ride
}

func (f rides) draw(w *workshop) ([]byte, error) {
	p := &report.Plot{Title: f.title, X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: f.key.y, Span: 1e-6}}
	if f.key.over != "" {
		p.X.Label, p.EqualScales = f.key.x, true
	}
	for _, r := range f.rides {
		plan := drive.Plan{Duration: r.duration}
		for name, value := range r.values {
			plan.Settings = append(plan.Settings,
				manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(value, 'g', -1, 64)})
		}
		_, result, err := w.run(r.model, r.manoeuvre, plan)
		if err != nil {
			return nil, err
		}
		curves := f.key.of(result.Trace, r.label)
		for i := range curves {
			curves[i].Broad = r.reference
		}
		p.Curves = append(p.Curves, curves...)
	}
	return drawPlot(p)
}

// wheelAndDisc are the same start of a wheel on a brush tire and, below it, of a disc that rolls without slip.
func wheelAndDisc(wheel, disc string, values map[string]float64) []ride {
	return []ride{{label: "disc without slip", model: "disc", manoeuvre: disc, values: values, reference: true},
		{label: "brush tire", model: "wheel", manoeuvre: wheel, values: values}}
}

// pushed are bicycles after a push of 10 N m at different speeds, with the same stiffness CM of both tires.
func pushed(model string, cm, duration float64, speeds ...float64) (list []ride) {
	for _, v := range speeds {
		list = append(list, ride{label: strconv.FormatFloat(v, 'g', -1, 64) + " m/s", model: model,
			manoeuvre: model + "_lean_push", values: at(v, bothTires(cm)), duration: duration})
	}
	return list
}

// turnSlip are wheels with different moments against turn slip.
func turnSlip(stiffnesses ...float64) (list []ride) {
	for _, cm := range stiffnesses {
		list = append(list, ride{label: "CM " + strconv.FormatFloat(cm, 'g', -1, 64), model: "wheel",
			manoeuvre: "wheel_turn_slip", values: map[string]float64{"tire.CM": cm}})
	}
	return list
}

var (
	leaning     = key{y: "lean to the right, deg", scale: degree, curves: []string{"=rear_frame.angle2"}}
	falling     = key{y: leaning.y, scale: degree, curves: leaning.curves, until: 60}
	centrePath  = key{y: "y, m", scale: 1, curves: []string{"=wheel.y"}, over: "wheel.x", x: "x of the wheel's centre, m"}
	bicyclePath = key{y: "y, m", scale: 1, curves: []string{"=rear_frame.y"}, over: "rear_frame.x", x: "x, m"}
	friction    = map[string]float64{"angular_damping": 0.01}
	tricycles   = []ride{{label: "CM 0.3", model: "tricycle", manoeuvre: "tricycle_turn"},
		{label: "CM 0", model: "tricycle", manoeuvre: "tricycle_circle"}}
)

// bothTires are the values for a stiffness against turn slip.
func bothTires(cm float64) map[string]float64 {
	return map[string]float64{"tire_R.CM": cm, "tire_F.CM": cm}
}

// alone is the one ride of a manoeuvre, for some curves or until a time.
func alone(model, manoeuvre string, duration float64) []ride {
	return []ride{{model: model, manoeuvre: manoeuvre, duration: duration}}
}

// at adds the speed of a start to values.
func at(speed float64, values map[string]float64) map[string]float64 {
	all := map[string]float64{"speed": speed}
	for name, value := range values {
		all[name] = value
	}
	return all
}

// afzal are the figures of Afzal (2018). Where the number of a figure is not known, the name says what it shows.
var afzal = []picture{
	{name: "figure_afzal_4_7.svg", draw: rides{"Turn slip of a wheel, delayed by the tire, at 1.5 m/s",
		key{y: "rad/m", scale: 1, curves: []string{"=tire.q3"}}, turnSlip(0.1, 0.3, 0.5, 1)}.draw},
	{name: "figure_afzal_4_8.svg", draw: rides{"Path of a wheel with a moment against turn slip, 20 s", centrePath,
		turnSlip(0.1, 0.3, 0.5, 1)}.draw},
	{name: "figure_afzal_4_9.svg", draw: rides{"Path of a wheel without moment against turn slip, 20 s", centrePath,
		turnSlip(0)}.draw},
	{name: "figure_afzal_5_1.svg", draw: rides{"Wheel and disc at 1.5 m/s, 50 s", centrePath,
		wheelAndDisc("wheel_roll", "disc_roll", at(1.5, nil))}.draw},
	{name: "figure_afzal_5_2.svg", draw: rides{"Wheel and disc at 2 m/s, 50 s", centrePath,
		wheelAndDisc("wheel_roll", "disc_roll", at(2, nil))}.draw},
	{name: "figure_afzal_5_3.svg", draw: rides{"Wheel and disc at 2.5 m/s, 50 s", centrePath,
		wheelAndDisc("wheel_roll", "disc_roll", at(2.5, nil))}.draw},
	{name: "figure_afzal_5_4.svg", draw: rides{"Wheel and disc at 5 m/s, 50 s", centrePath,
		wheelAndDisc("wheel_roll", "disc_roll", at(5, nil))}.draw},
	{name: "figure_afzal_5_5.svg", draw: rides{"Wheel and disc with bearing friction at 2 m/s, 30 s", centrePath,
		wheelAndDisc("wheel_bearing_friction", "wheel_bearing_friction", at(2, friction))}.draw},
	{name: "figure_afzal_5_6.svg", draw: rides{"Wheel and disc with bearing friction at 5 m/s, 30 s", centrePath,
		wheelAndDisc("wheel_bearing_friction", "wheel_bearing_friction", at(5, friction))}.draw},
	{name: "figure_afzal_5_8.svg", draw: rides{"Tricycle after a pulse of steer torque: yaw rate",
		key{y: "deg/s", scale: degree, curves: []string{"=frame.wz"}}, tricycles}.draw},
	{name: "figure_afzal_tricycle_path.svg", draw: rides{"Path of the tricycle, 40 s",
		key{y: "y, m", scale: 1, curves: []string{"=frame.y"}, over: "frame.x", x: "x, m"}, tricycles}.draw},
	{name: "figure_afzal_tricycle_pendulum.svg", draw: rides{"Torque of the spring on the tricycle's pendulum",
		key{y: "N m", scale: -1, curves: []string{"=pendulum_spring.torque"}}, tricycles}.draw},
	{name: "figure_afzal_investigation_1_weave.svg", long: true, draw: rides{
		"Benchmark bicycle, CM 0: push near the weave speed", leaning, pushed("bicycle", 0, 20, 4.2, 4.3, 4.4, 4.5)}.draw},
	{name: "figure_afzal_investigation_1_capsize.svg", long: true, draw: rides{
		"Benchmark bicycle, CM 0: push near the capsize speed", leaning, pushed("bicycle", 0, 40, 5.9, 6.2, 6.7, 7.5)}.draw},
	{name: "figure_afzal_investigation_1_counter_steer.svg", draw: rides{
		"Benchmark bicycle at 5 m/s: steer torque to the left", key{y: "deg", scale: degree, curves: []string{
			"steer angle=steer.phi", "heading=rear_frame.angle1", "lean to the right=rear_frame.angle2"}},
		alone("bicycle", "bicycle_counter_steer", 0)}.draw},
	{name: "figure_afzal_c_12.svg", long: true, draw: rides{
		"Benchmark bicycle at 7.5 m/s: from a push to a lean of 60 deg",
		falling, alone("bicycle", "bicycle_capsize", 0)}.draw},
	{name: "figure_afzal_investigation_2_weave.svg", long: true, draw: rides{
		"Benchmark bicycle, CM 0.3: push near the weave speed", leaning,
		pushed("bicycle", 0.3, 20, 4.4, 4.6, 5)}.draw},
	{name: "figure_afzal_investigation_2_capsize.svg", long: true, draw: rides{
		"Benchmark bicycle, CM 0.3: push near the capsize speed", leaning, pushed("bicycle", 0.3, 30, 8, 9.5)}.draw},
	{name: "figure_afzal_blue_weave.svg", long: true, draw: rides{"Blue bike, CM 0.3: push near the weave speed", leaning,
		pushed("bluebike", 0.3, 20, 5.3, 5.9, 20)}.draw},
	{name: "figure_afzal_blue_capsize.svg", long: true, draw: rides{
		"Blue bike at 11.5 m/s: push without and with turn slip", leaning, []ride{
			{label: "CM 0", model: "bluebike", manoeuvre: "bluebike_lean_push", values: at(11.5, bothTires(0)), duration: 30},
			{label: "CM 0.3", model: "bluebike", manoeuvre: "bluebike_lean_push", values: at(11.5, nil), duration: 30},
		}}.draw},
	{name: "figure_afzal_red.svg", long: true, draw: rides{"Red bike, CM 0.3: push near the weave speed", leaning,
		pushed("redbike", 0.3, 20, 7.2, 8)}.draw},
	{name: "figure_afzal_investigation_4_lean_by_steering.svg", long: true, draw: rides{
		"Lean by steering: path at 6.5 m/s, 40 s", bicyclePath, []ride{
			{label: "CM 0.3", model: "bicycle", manoeuvre: "bicycle_lean_by_steering", duration: 40},
			{label: "CM 0", model: "bicycle", manoeuvre: "bicycle_lean_by_steering", values: bothTires(0), duration: 40},
		}}.draw},
	{name: "figure_afzal_investigation_4_lean_by_torque.svg", long: true, draw: rides{
		"Lean by a lean torque: paths, 40 s", bicyclePath, []ride{
			{label: "5 m/s", model: "bicycle", manoeuvre: "bicycle_lean_by_torque", values: at(5, nil), duration: 40},
			{label: "7 m/s", model: "bicycle", manoeuvre: "bicycle_lean_by_torque", values: at(7, nil), duration: 40},
			{label: "8 m/s", model: "bicycle", manoeuvre: "bicycle_lean_by_torque", values: at(8, nil), duration: 40},
		}}.draw},
	{name: "figure_afzal_investigation_4_standstill.svg", long: true, draw: rides{
		"The attempt to balance at standstill, from 0.01 rad", key{y: "deg", scale: degree,
			curves: []string{"lean to the right=rear_frame.angle2", "steer angle=steer.phi"}},
		alone("bicycle", "bicycle_standstill", 2.5)}.draw},
	{name: "figure_afzal_gyroscope.svg", draw: rides{"Red bike with gyroscope, standing, from 1 degree of lean",
		key{y: "deg", scale: degree, curves: []string{"lean to the right=rear_frame.angle2", "gimbal=gimbal.phi"}},
		alone("redbike_gyroscope", "redbike_gyroscope_balance", 0)}.draw},
}
