package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
)

const (
	degree     = math.Pi / 180
	mostPoints = 4000 // of a curve, before those are left out that are not seen
)

// key is the key plot of a manoeuvre without characteristic values: variables over time, or over another one.
type key struct {
	y      string // of the axis
	scale  float64
	curves []string // label=variable
	over   string   // variable; "" for time
	x      string   // of the axis, with over
	until  float64  // of the first curve: beyond it the vehicle has fallen and the picture ends; 0 for none
}

var (
	yawRate = key{y: "deg/s", scale: degree, curves: []string{"yaw rate=body.wz"}}
	speed   = key{y: "m/s", scale: 1, curves: []string{"speed=body.vx"}}
	lean    = key{y: "deg", scale: degree,
		curves: []string{"lean to the right=rear_frame.angle2", "steer angle=steer.phi"}}
	capsize = key{y: "deg", scale: degree, curves: lean.curves, until: 45}
	rolling = key{y: "y, m", scale: 1, curves: []string{"path=wheel.y"}, over: "wheel.x", x: "x, m"}
	column  = key{y: "m", scale: 1, curves: []string{"contact mass=mass_1.z", "rim=mass_2.z", "chassis=mass_3.z"}}
	chassis = key{y: "m", scale: 1, curves: []string{"rear chassis mass=mass_3.z", "front chassis mass=mass_6.z"}}
	masses  = key{y: "m/s", scale: 1, curves: []string{"contact mass=mass_1.vx", "rim=mass_2.vx", "chassis=mass_3.vx"}}
	slip    = key{y: "m/s", scale: 1, curves: []string{"slip speed, front=wheel_F.slip_speed", "rear=wheel_R.slip_speed"}}
	loads   = key{y: "kN", scale: 1e3, curves: []string{"front left=tire_FL.Fz", "front right=tire_FR.Fz"}}
	track   = key{y: "y, m", scale: 1, curves: []string{"path=frame.y"}, over: "frame.x", x: "x, m"}
)

// plain are the manoeuvres without characteristic values, with the vehicles that drive them.
var plain = []struct {
	model, manoeuvre string
	key              key
}{
	{"generic4w", "generic4w_sine", yawRate},
	{"generic4w", "generic4w_braking", speed},
	{"skidder", "skidder_sine", key{y: "deg/s", scale: degree, curves: []string{"front=front.wz", "rear=rear.wz"}}},
	{"skidder", "skidder_braking", key{y: "m/s", scale: 1, curves: []string{"speed=front.vx"}}},
	{"passenger_car", "passenger_car_sine", yawRate},
	{"passenger_car", "passenger_car_braking", speed},
	{"tractor_semitrailer", "tractor_semitrailer_sine", key{y: "deg/s", scale: degree,
		curves: []string{"tractor=tractor.wz", "semitrailer=trailer.wz"}}},
	{"tractor_semitrailer", "tractor_semitrailer_braking", key{y: "m/s", scale: 1, curves: []string{"speed=tractor.vx"}}},
	{"car_trailer", "car_trailer_sine", yawRate},
	{"truck3", "truck3_sine", yawRate},
	{"generic4w_fourpost", "generic4w_fourpost_heave", key{y: "m", scale: 1, curves: []string{"body=body.z"}}},
	{"generic4w_fourpost", "generic4w_fourpost_pitch", key{y: "deg", scale: degree, curves: []string{"pitch=body.pitch"}}},
	{"generic4w_fourpost", "generic4w_fourpost_roll", key{y: "deg", scale: degree, curves: []string{"roll=body.roll"}}},
	{"generic4w_fourpost", "generic4w_fourpost_warp", loads},
	{"bicycle", "bicycle_lean_push", lean},
	{"bicycle", "bicycle_weave", lean},
	{"bicycle", "bicycle_capsize", capsize},
	{"bicycle", "bicycle_counter_steer", lean},
	{"bicycle", "bicycle_lean_by_steering", lean},
	{"bicycle", "bicycle_lean_by_torque", lean},
	{"bicycle", "bicycle_standstill", lean},
	{"bicycle", "bicycle_turn_slip", lean},
	{"bicycle_rolling", "bicycle_rolling_recovery", lean},
	{"bluebike", "bluebike_lean_push", lean},
	{"bluebike", "bluebike_fast", lean},
	{"bluebike", "bluebike_without_spin", lean},
	{"redbike", "redbike_lean_push", lean},
	{"redbike_gyroscope", "redbike_gyroscope_balance", key{y: "deg", scale: degree,
		curves: []string{"lean to the right=rear_frame.angle2", "gimbal=gimbal.phi"}}},
	{"tricycle", "tricycle_turn", track},
	{"tricycle", "tricycle_circle", track},
	{"wheel", "wheel_roll", rolling},
	{"wheel", "wheel_turn_slip", key{y: "deg", scale: degree, curves: []string{"heading=wheel.angle1",
		"inclination to the right=wheel.angle2"}}},
	{"wheel", "wheel_bearing_friction", rolling},
	{"disc", "disc_roll", rolling},
	{"halfcar", "halfcar_150", slip},
	{"halfcar", "halfcar_550", slip},
	{"halfcar", "halfcar_550_gamma_100", slip},
	{"halfcar", "halfcar_550_gamma_200", slip},
	{"halfcar", "halfcar_550_gamma_2000", slip},
	{"halfcar", "halfcar_700", slip},
	{"halfcar_printed", "halfcar_150_printed_friction", slip},
	{"halfcar_printed", "halfcar_550_printed_friction", slip},
	{"halfcar_printed", "halfcar_700_printed_friction", slip},
	{"halfcar", "halfcar_550_printed_brake", slip},
	{"halfcar", "halfcar_550_inner_power", slip},
	{"motorcycle2d_vertical", "motorcycle1_drive", masses},
	{"motorcycle2d_vertical", "motorcycle1_equilibrium", chassis},
	{"motorcycle2d_vertical", "motorcycle1_equilibrium_undamped", chassis},
	{"motorcycle2d_vertical", "motorcycle1_force", chassis},
	{"motorcycle2d", "motorcycle2_comfort", chassis},
	{"motorcycle2d", "motorcycle2_drive", masses},
	{"motorcycle2d", "motorcycle2_drop", column},
	{"motorcycle2d", "motorcycle2_drop_slope", column},
	{"motorcycle2d", "motorcycle2_drop_wave", column},
	{"motorcycle2d", "motorcycle2_equilibrium", chassis},
	{"motorcycle2d", "motorcycle2_equilibrium_undamped", chassis},
	{"motorcycle2d", "motorcycle2_force", chassis},
	{"motorcycle2d", "motorcycle2_friction", masses},
	{"motorcycle2d", "motorcycle2_hill", column},
	{"motorcycle2d", "motorcycle2_rough_ride", column},
	{"motorcycle3d", "motorcycle3d_hill", column},
	{"partial_vehicle2d", "partial_vehicle2d_drop", column},
	{"partial_vehicle3d", "partial_vehicle3d_drop", column},
	{"fourwheel_pointmass", "fourwheel_drop", column},
	{"fourwheel_pointmass", "fourwheel_drop_slope", column},
	{"pendulum", "pendulum_swing", key{y: "deg", scale: degree, curves: []string{"angle=joint.phi"}}},
	{"double_pendulum", "double_pendulum_swing", key{y: "deg", scale: degree,
		curves: []string{"upper joint=upper_joint.phi", "lower joint=lower_joint.phi"}}},
	{"point_pendulum", "point_pendulum_swing", key{y: "z, m", scale: 1, curves: []string{"path=mass_1.z"},
		over: "mass_1.x", x: "x, m"}},
	{"point_pendulum", "point_pendulum_off", key{y: "m2", scale: 1,
		curves: []string{"violation=rod.value"}}},
	{"fuse_box", "fuse_box_fan", key{y: "A", scale: 1,
		curves: []string{"battery=battery.current", "fan=blower.current", "heater=heater.current"}}},
}

// evaluated are the manoeuvres with characteristic values: which plot of their report is the key plot, by how its title
// begins or ends. Those without a vehicle are driven by the passenger car.
var evaluated = []struct {
	manoeuvre, plot, model string
}{
	{"slowly_increasing_steer", "Steering wheel by lateral acceleration", ""},
	{"circle_speed", "Steering wheel by lateral acceleration", ""},
	{"circle_radius", "Steering wheel by lateral acceleration", ""},
	{"circle_angle", "Steering wheel by lateral acceleration", ""},
	{"step_steer", "Yaw rate", ""},
	{"sine_steer", "Yaw rate", ""},
	{"frequency_response", "Yaw rate by steering wheel: gain", ""},
	{"sine_with_dwell", "Yaw rate", ""},
	{"fishhook", "Roll angle", ""},
	{"j_turn", "Roll angle", ""},
	{"double_lane_change", "on the track", ""},
	{"obstacle_avoidance", "on the track", ""},
	{"power_off_in_turn", "Yaw rate", ""},
	{"brake_in_turn", "Yaw rate", ""},
	{"steering_release", "Yaw rate", "passenger_car_free"},
	{"weave", "Lateral acceleration", ""},
	{"straight_running", "Path of the centre of mass", ""},
	{"crosswind", "Path of the centre of mass", ""},
	{"brake", "Speed", ""},
	{"brake_distance", "Speed", ""},
	{"brake_lane_change", "Path of the centre of mass", "passenger_car_controlled"},
	{"split_friction", "Path of the centre of mass", ""},
	{"slope", "Speed", ""},
	{"standing", "Wheel loads", ""},
	{"skidpad", "Path of the centre of mass", "formula_student"},
	{"reversing", "Path of the centre of mass", ""},
	{"acceleration", "Speed", ""},
	{"standing_start", "Speed", "electric_car"},
	{"acceleration_75m", "Speed", "formula_student"},
	{"speed_profile", "Speed", ""},
	{"acceleration_from_rest", "Speed", "passenger_car_manual"},
	{"maximum_speed", "Speed", ""},
	{"driving_cycle", "Power of the battery", "electric_axle_car"},
	{"coast_down", "Speed", ""},
	{"rough_road", "Density of vertical accelerations", ""},
	{"plank", "Wheel loads", ""},
	{"pothole", "Wheel loads", ""},
	{"ramp", "Wheel loads", ""},
	{"roof", "Wheel loads", ""},
	{"four_post", "Wheel loads", "generic4w_fourpost"},
	{"car_trailer_snaking", "Yaw rate", "car_trailer"},
	{"tractor_semitrailer_lane_change", "Path of the centre of mass", "tractor_semitrailer"},
	{"tractor_semitrailer_turn", "Path of the centre of mass", "tractor_semitrailer"},
	{"tractor_semitrailer_brake_in_turn", "Speed", "tractor_semitrailer"},
}

func (w *workshop) model(name string) string {
	return filepath.Join(w.resources, "models", name+".toml")
}

func (w *workshop) manoeuvre(name string) string {
	return filepath.Join(w.resources, "manoeuvres", name+".toml")
}

// run drives a vehicle through a manoeuvre.
func (w *workshop) run(model, name string, plan drive.Plan) (*manoeuvre.Manoeuvre, *drive.Result, error) {
	if plan.Manoeuvre == nil {
		var err error
		if plan.Manoeuvre, err = manoeuvre.Read(w.manoeuvre(name)); err != nil {
			return nil, nil, err
		}
	}
	v, err := w.library.Load(w.model(model), "")
	if err != nil {
		return nil, nil, err
	}
	result, err := drive.Simulate(v, plan)
	return plan.Manoeuvre, result, errors.Join(err, v.Close())
}

// drawKey drives a vehicle through a manoeuvre without characteristic values and draws its key plot.
func drawKey(w *workshop, model, name string, k key) ([]byte, error) {
	var record []string
	for _, c := range k.curves {
		_, variable, _ := strings.Cut(c, "=")
		record = append(record, variable)
	}
	if k.over != "" {
		record = append(record, k.over)
	}
	m, result, err := w.run(model, name, drive.Plan{Record: record})
	if err != nil {
		return nil, err
	}
	p := &report.Plot{Title: m.Title, X: report.Axis{Label: "time, s"}, Y: report.Axis{Label: k.y, Span: 1e-6}}
	if k.over != "" {
		p.X.Label, p.EqualScales = k.x, true
	}
	if k.until > 0 {
		p.Title += fmt.Sprintf(", up to a lean of %g deg", k.until)
	}
	p.Curves = k.of(result.Trace, "")
	if len(k.curves) == 1 && k.over == "" { // its legend is the label of the axis
		label, _, _ := strings.Cut(k.curves[0], "=")
		p.Y.Label = label + ", " + k.y
	}
	return drawPlot(p)
}

// of returns the curves of a run. A run with a label passes it to its curves.
func (k key) of(t *trace.Trace, run string) (curves []report.Curve) {
	x := t.Time
	if k.over != "" {
		x = t.Column(k.over)
	}
	if k.until > 0 {
		_, variable, _ := strings.Cut(k.curves[0], "=")
		beyond := func(y float64) bool { return math.Abs(y/k.scale) > k.until }
		if end := slices.IndexFunc(t.Column(variable), beyond); end > 0 {
			x = x[:end]
		}
	}
	stride := len(x)/mostPoints + 1
	for _, c := range k.curves {
		label, variable, _ := strings.Cut(c, "=")
		curve := report.Curve{Label: cmp.Or(run, label)}
		y := t.Column(variable)
		for i := 0; i < len(x); i += stride {
			curve.X, curve.Y = append(curve.X, x[i]), append(curve.Y, y[i]/k.scale)
		}
		curves = append(curves, curve)
	}
	return curves
}

// evaluator makes runs of a vehicle.
func (w *workshop) evaluator(model string) (*evaluate.Evaluator, error) {
	target, err := modelfile.Target(w.model(model), "")
	return &evaluate.Evaluator{Target: target, Open: func() (drive.Subject, func(), error) {
		v, err := w.library.Load(w.model(model), "")
		return v, func() { v.Close() }, err
	}}, err
}

// labelled is the label of the vertical axis of a plot whose title begins or ends with title: the plotted quantity and
// its unit. An axis that names its quantity, such as "y, m", keeps its label, unless the other axis is time.
func labelled(title string, p *report.Plot) string {
	unit := p.Y.Label
	if at := strings.LastIndex(unit, ", "); at >= 0 {
		if p.X.Label != "time, s" {
			return unit
		}
		unit = unit[at+2:]
	}
	quantity, by, _ := strings.Cut(title, " by ")
	quantity, _, _ = strings.Cut(quantity, " of ")
	if _, share, is := strings.Cut(by, ": "); is {
		quantity += " " + share
	}
	return strings.ToLower(quantity[:1]) + quantity[1:] + ", " + unit
}

// numbered matches the run number at the beginning of legend texts of reports.
var numbered = regexp.MustCompile(`^run \d+ `)

// drawEvaluated makes the runs of a manoeuvre with characteristic values and draws its key plot.
func drawEvaluated(w *workshop, model, name, plot string) ([]byte, error) {
	e, err := w.evaluator(model)
	if err != nil {
		return nil, err
	}
	result, err := e.Evaluate(w.manoeuvre(name))
	if err != nil {
		return nil, err
	}
	for _, p := range result.Plots().Plots {
		if strings.HasPrefix(p.Title, plot) || strings.HasSuffix(p.Title, plot) {
			p.Y.Label = labelled(plot, p)
			p.Title = result.Manoeuvre.Title
			for i, c := range p.Curves {
				p.Curves[i].Label = numbered.ReplaceAllString(c.Label, "")
			}
			return drawPlot(p)
		}
	}
	return nil, fmt.Errorf("the report of %s has no plot %q", name, plot)
}
