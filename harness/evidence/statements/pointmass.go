package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// The statements of van Iwaarden (2003), sections 1.7, 3.6 and chapter 6, about vehicles of point
// masses, with the numbers of the partial-vehicle specification, section 6.

// pointMasses are the manoeuvres of these vehicles, which have solver and step of their own.
var pointMasses = []Scenario{
	{Model: "point_pendulum", Manoeuvre: "point_pendulum_swing", FMU: "PointPendulum", Method: "dlmm",
		Checks: PendulumSwing},
	{Model: "point_pendulum", Manoeuvre: "point_pendulum_off", FMU: "PointPendulum", Method: "dlmm",
		Checks: PendulumOff},
	{Model: "motorcycle2d_vertical", Manoeuvre: "motorcycle1_equilibrium_undamped", FMU: "MotorcycleModel1",
		Method: "dlmm", Checks: Motorcycle1Undamped},
	{Model: "motorcycle2d_vertical", Manoeuvre: "motorcycle1_equilibrium", FMU: "MotorcycleModel1", Method: "dlmm",
		Checks: Motorcycle1Equilibrium},
	{Model: "motorcycle2d_vertical", Manoeuvre: "motorcycle1_force", FMU: "MotorcycleModel1", Method: "dlmm",
		Checks: Motorcycle1Force},
	{Model: "motorcycle2d_vertical", Manoeuvre: "motorcycle1_drive", FMU: "MotorcycleModel1", Method: "dlmm",
		Checks: Motorcycle1Drive},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_equilibrium_undamped", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Undamped},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_equilibrium", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Equilibrium},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_force", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Force},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_drive", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Drive},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_hill", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Hill},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_friction", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Friction},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_drop", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2Drop},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_drop_slope", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2DropSlope},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_drop_wave", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2DropWave},
	{Model: "motorcycle2d", Manoeuvre: "motorcycle2_rough_ride", FMU: "MotorcycleModel2", Method: "dlmm",
		Checks: Motorcycle2RoughRide},
	{Model: "partial_vehicle2d", Manoeuvre: "partial_vehicle2d_drop", FMU: "PartialVehicle2D", Method: "dlmm",
		Checks: PartialVehicleDrop},
	{Model: "partial_vehicle3d", Manoeuvre: "partial_vehicle3d_drop", FMU: "PartialVehicle3D", Method: "dlmm",
		Checks: PartialVehicleOnPlane},
	{Model: "motorcycle3d", Manoeuvre: "motorcycle3d_hill", FMU: "Motorcycle3D", Method: "dlmm",
		Checks: Motorcycle2Hill},
	{Model: "fourwheel_pointmass", Manoeuvre: "fourwheel_drop", FMU: "PartialVehicles", Method: "dlmm",
		Checks: FourWheelDrop},
	{Model: "fourwheel_pointmass", Manoeuvre: "fourwheel_drop_slope", FMU: "PartialVehicles", Method: "dlmm",
		Checks: FourWheelDropSlope},
}

// near requires the value of the specification, within a tolerance.
func near(what string, x, want, tolerance, scale float64, unit string) Part {
	return inRange(what, x, want-tolerance, want+tolerance, scale, unit)
}

const millimetre = 1e-3

// violation is the largest magnitude of what remains of a constraint.
func violation(t *trace.Trace, name string) float64 {
	_, v := trace.Peak(t.Time, t.Column(name))
	return v
}

// chassisAngle is positive with the front up [rad].
func chassisAngle(t *trace.Trace) []float64 {
	angle := make([]float64, len(t.Time))
	for i := range angle {
		angle[i] = math.Atan2(t.Column("mass_6.z")[i]-t.Column("mass_3.z")[i],
			t.Column("mass_6.x")[i]-t.Column("mass_3.x")[i])
	}
	return angle
}

// first returns when a condition on a variable holds for the first time, not a number if never.
func first(t *trace.Trace, name string, is func(float64) bool) float64 {
	for i, v := range t.Column(name) {
		if is(v) {
			return t.Time[i]
		}
	}
	return math.NaN()
}

func impact(mode float64) bool { return mode == 2 }

func share(values []float64, is func(float64) bool) float64 {
	n := 0
	for _, v := range values {
		if is(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

func rolls(mode float64) bool { return mode == 1 }

// PendulumSwing: section 3.6.
func PendulumSwing(t *trace.Trace) []Check {
	x, z := PendulumAtOneSecond()
	return []Check{
		NewCheck("P1", "the deviation stays very small and does not grow",
			Below("largest |P|", violation(t, "rod.value"), 1e-9, 1, "m2")),
		NewCheck("P2", "the pendulum swings as it does in its angle",
			Below("error at 1 s", math.Hypot(t.At("mass_1.x", 1)-x, t.At("mass_1.z", 1)-z), 6e-8, 1, "m")),
	}
}

// PendulumOff: section 3.2.4.
func PendulumOff(t *trace.Trace) []Check {
	return []Check{NewCheck("P3", "a violation at the start is corrected in a step",
		near("P(0)", t.Column("rod.value")[0], 0.5625, 1e-12, 1, "m2"),
		near("P after a step", t.At("rod.value", 0.01), -2.0e-5, 1e-7, 1, "m2"),
		Below("P(1)", math.Abs(t.At("rod.value", 1)), 1e-9, 1, "m2"))}
}

// Motorcycle1Undamped: section 6.2.1, first part.
func Motorcycle1Undamped(t *trace.Trace) []Check {
	_, high := trace.Maximum(t.Time, t.Column("mass_3.z"))
	_, low := trace.Minimum(t.Time, t.Column("mass_2.z"))
	return []Check{NewCheck("M1", "springs swing, front equals rear, the constraint holds",
		near("highest chassis", high, 1.14, 1e-3, 1, "m"), near("lowest rim", low, 0.0909, 5e-4, 1, "m"),
		Below("violation", violation(t, "constraint_1.value"), 1e-12, 1, "m2"),
		Below("front - rear", distanceOf(t, "mass_3.z", "mass_6.z"), 1e-12, 1, "m"))}
}

// distanceOf is the largest difference of two variables.
func distanceOf(t *trace.Trace, a, b string) float64 {
	largest := 0.0
	for i, v := range t.Column(a) {
		largest = max(largest, math.Abs(v-t.Column(b)[i]))
	}
	return largest
}

// Motorcycle1Equilibrium: section 6.2.1, second part.
func Motorcycle1Equilibrium(t *trace.Trace) []Check {
	return []Check{NewCheck("M2", "dampers bring it to rest",
		near("rim at 1 s", t.At("mass_2.z", 1), 0.380390, 1e-5, 1, "m"),
		near("chassis at 1 s", t.At("mass_3.z", 1), 0.770587, 1e-5, 1, "m"))}
}

// Motorcycle1Force: section 6.2.2.
func Motorcycle1Force(t *trace.Trace) []Check {
	return []Check{
		NewCheck("M3", "the front goes down, the rear keeps its height",
			near("m5", t.At("mass_5.z", 3), 0.28038, 1e-5, 1, "m"),
			near("m6", t.At("mass_6.z", 3), 0.57057, 1e-5, 1, "m"),
			near("m3", t.At("mass_3.z", 3), 0.77057, 1e-5, 1, "m"),
			near("x1", t.At("mass_1.x", 3), 0.010102, 1e-6, 1, "m")),
		NewCheck("M4", "the constraint deviates a little, and is corrected",
			near("largest violation", violation(t, "constraint_1.value"), 1.9e-6, 1e-7, 1, "m2"),
			Below("at the end", math.Abs(t.At("constraint_1.value", 3)), 1e-12, 1, "m2")),
	}
}

// Motorcycle1Drive: section 6.2.3.
func Motorcycle1Drive(t *trace.Trace) []Check {
	_, angle := trace.Peak(t.Time, chassisAngle(t))
	return []Check{NewCheck("M5", "the chassis does not react to forces along the road",
		Below("largest angle", angle, 1e-12, 1, "rad"),
		near("speed at 1 s", t.At("mass_1.vx", 1), 16.6667, 1e-3, 1, "m/s"),
		near("way", t.At("mass_1.x", 3), 33.3333, 1e-3, 1, "m"))}
}

// Motorcycle2Undamped: section 6.3.1, first part.
func Motorcycle2Undamped(t *trace.Trace) []Check {
	_, low := trace.Minimum(t.Time, t.Column("mass_3.z"))
	_, high := trace.Maximum(t.Time, t.Column("mass_3.z"))
	return []Check{NewCheck("N1", "small swings, wheels mostly on the ground, front equals rear",
		near("lowest chassis", low, 0.73837, 1e-5, 1, "m"), near("highest chassis", high, 0.74400, 1e-5, 1, "m"),
		near("share of rolling", share(t.Column("contact_R.mode"), rolls), 0.79, 0.01, 1, ""),
		Below("front - rear", distanceOf(t, "mass_3.z", "mass_6.z"), 1e-13, 1, "m"))}
}

// Motorcycle2Equilibrium: section 6.3.1, second part.
func Motorcycle2Equilibrium(t *trace.Trace) []Check {
	return []Check{NewCheck("N2", "it comes to rest a little below the static height",
		near("rim", t.At("mass_2.z", 12), 0.35926, 1e-5, 1, "m"),
		near("chassis", t.At("mass_3.z", 12), 0.73964, 1e-5, 1, "m"))}
}

// Motorcycle2Force: section 6.3.2.
func Motorcycle2Force(t *trace.Trace) []Check {
	angle := chassisAngle(t)
	when, low := trace.Minimum(t.Time, angle)
	return []Check{
		NewCheck("N3", "the front goes down; chassis forward, rims backward",
			near("x3(1)", t.At("mass_3.x", 1), 0.053, 1e-3, 1, "m"),
			near("x2(1)", t.At("mass_2.x", 1), -0.037, 1e-3, 1, "m"),
			near("m5(1)", t.At("mass_5.z", 1), 0.260, 1e-3, 1, "m"),
			near("m6(1)", t.At("mass_6.z", 1), 0.540, 1e-3, 1, "m")),
		NewCheck("N4", "it swings into its new position",
			near("lowest angle", low, -0.377, 1e-3, 1, "rad"), near("when", when, 0.69, 0.005, 1, "s"),
			near("m5(6)", t.At("mass_5.z", 6), 0.2688, 1e-4, 1, "m"),
			near("m2(6)", t.At("mass_2.z", 6), 0.3879, 1e-4, 1, "m")),
		NewCheck("N5", "the length deviates hardly, and is corrected",
			Below("largest", violation(t, "constraint_1.value"), 5e-12, 1, "m")),
	}
}

// Motorcycle2Drive: section 6.3.3.
func Motorcycle2Drive(t *trace.Trace) []Check {
	angle := chassisAngle(t)
	at := func(time float64) float64 { return angle[t.Row(time)] }
	return []Check{NewCheck("N6", "front up while it accelerates, down while it brakes",
		near("angle at 0.99 s", at(0.99), 0.0413, 5e-4, 1, "rad"), near("at 2 s", at(2), -0.0007, 1e-4, 1, "rad"),
		Below("at 2.9 s", at(2.9), -0.040, 1, "rad"),
		near("speed at 1 s", t.At("mass_3.vx", 1), 12.5, 0.005, 1, "m/s"),
		near("at 3 s", t.At("mass_3.vx", 3), 0.008, 0.005, 1, "m/s"))}
}

// Motorcycle2Hill: section 6.5.1.
func Motorcycle2Hill(t *trace.Trace) []Check {
	_, chassis := trace.Minimum(t.Time, t.Column("mass_6.vx"))
	_, rim := trace.Minimum(t.Time, t.Column("mass_5.vx"))
	up := func(height float64) bool { return height > 0.01 }
	return []Check{
		NewCheck("N7", "the front starts up, then the rear",
			near("front 1 cm up", first(t, "contact_F.z", up), 0.876, 0.002, 1, "s"),
			near("rear", first(t, "contact_R.z", up), 1.074, 0.002, 1, "s")),
		NewCheck("N8", "slowest on top, the rims slower than the chassis",
			near("chassis", chassis, 2.453, 0.02, 1, "m/s"), near("rim", rim, 2.343, 0.02, 1, "m/s"),
			Below("rim - chassis", rim-chassis, 0, 1, "m/s")),
		NewCheck("N9", "at the end near the initial speed",
			inRange("speed", t.At("mass_3.vx", 5), 4.9, 5.05, 1, "m/s")),
	}
}

// Motorcycle2Friction: section 6.5.2.
func Motorcycle2Friction(t *trace.Trace) []Check {
	_, mode := t.Range("contact_R.mode", 0.001, 1)
	_, later := t.Range("contact_R.mode", 0.791, 10)
	return []Check{
		NewCheck("N10", "the speed decays like an exponential",
			near("rate from 2 to 8 s", math.Log(t.At("mass_3.vx", 2)/t.At("mass_3.vx", 8))/6, 0.5, 1e-3, 1, "1/s"),
			near("speed at 10 s", t.At("mass_3.vx", 10), 0.1590, 1e-3, 1, "m/s")),
		NewCheck("N11", "but not in the first second, while the wheels bounce",
			near("share of rolling", share(mode, rolls), 0.635, 0.005, 1, ""),
			near("later", share(later, rolls), 1, 1e-12, 1, "")),
	}
}

// Motorcycle2Drop: section 6.5.3.
func Motorcycle2Drop(t *trace.Trace) []Check {
	when, low := trace.Minimum(t.Time, t.Column("mass_3.z"))
	_, rebound := t.Range("mass_3.z", 0.4, 1)
	_, high := trace.Maximum(rebound, rebound)
	return []Check{NewCheck("N12", "it falls, bounces less high than it started, and ends near rest",
		near("first impact", first(t, "contact_R.mode", impact), 0.309, 1e-3, 1, "s"),
		near("lowest chassis", low, 0.1908, 1e-4, 1, "m"), near("when", when, 0.384, 1e-3, 1, "s"),
		near("rebound", high, 0.2848, 1e-4, 1, "m"), near("chassis at 1 s", t.At("mass_3.z", 1), 0.2704, 1e-4, 1, "m"))}
}

// Motorcycle2DropSlope: section 6.5.4.
func Motorcycle2DropSlope(t *trace.Trace) []Check {
	return []Check{NewCheck("N13", "the front touches first; then it rolls down backwards",
		near("front", first(t, "contact_F.mode", impact), 0.3931, 1.5e-3, 1, "s"),
		near("rear", first(t, "contact_R.mode", impact), 0.4423, 1.5e-3, 1, "s"),
		near("speed at 1 s", t.At("mass_3.vx", 1), -1.855, 1e-3, 1, "m/s"),
		near("angle at 1 s", chassisAngle(t)[t.Row(1)], 0.2005, 2e-4, 1, "rad"))}
}

// Motorcycle2DropWave: section 6.5.5.
func Motorcycle2DropWave(t *trace.Trace) []Check {
	return []Check{NewCheck("N14", "it rolls from the crest at 0 to that at 4 pi",
		near("rear", first(t, "contact_R.mode", impact), 0.4438, 1.5e-3, 1, "s"),
		near("front", first(t, "contact_F.mode", impact), 0.4684, 1.5e-3, 1, "s"),
		near("place at 5 s", (t.At("mass_3.x", 5)+t.At("mass_6.x", 5))/2, 12.24, 0.1, 1, "m"))}
}

// Motorcycle2RoughRide: section 1.7. The ride is sensitive: events and ends are compared, to 5 %.
func Motorcycle2RoughRide(t *trace.Trace) []Check {
	var passages, ends []Part
	for i, x := range []float64{20, 25, 35, 50, 62.57, 75.13, 80} {
		want := []float64{0.984, 1.258, 1.822, 2.677, 3.424, 4.204, 4.513}[i]
		passages = append(passages,
			near(fmt.Sprintf("%g m", x), first(t, "contact_F.x", func(v float64) bool { return v >= x }), want,
				0.05*want, 1, "s"))
	}
	for i, v := range []float64{18.35, 17.73, 16.82, 15.93, 14.30, 11.59} {
		ends = append(ends, near(fmt.Sprintf("%d s", i+1), t.At("mass_3.vx", float64(i+1)), v, 0.05*v, 1, "m/s"))
	}
	worst := 0.0
	for _, name := range []string{"constraint_1.value", "constraint_2.value", "constraint_3.value"} {
		worst = max(worst, violation(t, name))
	}
	return []Check{
		NewCheck("N15", "the front passes ramps, hill and slope", passages...),
		NewCheck("N16", "it gets slower", ends...),
		NewCheck("N17", "the constraints hold", Below("largest violation", worst, 2e-9, 1, "m2")),
	}
}

// PartialVehicleDrop: a wheel falls half a metre; first contact as of a body.
func PartialVehicleDrop(t *trace.Trace) []Check {
	return []Check{NewCheck("V1", "a wheel falls, bounces and stands",
		near("first impact", first(t, "contact_R.mode", impact), 0.309, 1e-3, 1, "s"),
		near("height of the rim", t.At("mass_2.z", 2), -0.5+0.379, 2e-3, 1, "m"))}
}

// PartialVehicleOnPlane: it leaves along the line of steepest descent.
func PartialVehicleOnPlane(t *trace.Trace) []Check {
	return []Check{NewCheck("V2", "a wheel on an inclined plane goes down where it is steepest",
		near("vy/vx", t.At("mass_2.vy", 2)/t.At("mass_2.vx", 2), -2, 1e-3, 1, ""),
		Below("vx", t.At("mass_2.vx", 2), -0.5, 1, "m/s"))}
}

// FourWheelDrop: partial-vehicle specification, 6.6.
func FourWheelDrop(t *trace.Trace) []Check {
	when, low := trace.Minimum(t.Time, t.Column("mass_3.z"))
	return []Check{NewCheck("F1", "all wheels touch at once, and it comes to rest",
		near("impact", first(t, "contact_FL.mode", impact), math.Sqrt(0.2/9.81), 1e-3, 1, "s"),
		near("lowest chassis", low, 0.5542, 1e-4, 1, "m"), near("when", when, 0.246, 1e-3, 1, "s"),
		near("rim", t.At("mass_2.z", 3), 134.97e-3, 0.1e-3, millimetre, "mm"),
		near("chassis", t.At("mass_3.z", 3), 610.45e-3, 0.1e-3, millimetre, "mm"))}
}

// FourWheelDropSlope: the rectangle of the corners stays one.
func FourWheelDropSlope(t *trace.Trace) []Check {
	corner := func(a, b int, time float64) float64 {
		sum := 0.0
		for _, axis := range []string{"x", "y", "z"} {
			d := t.At(fmt.Sprintf("mass_%d.%s", a, axis), time) - t.At(fmt.Sprintf("mass_%d.%s", b, axis), time)
			sum += d * d
		}
		return math.Sqrt(sum)
	}
	return []Check{NewCheck("F2", "track and wheelbase stay what they are",
		near("|p3 - p9|", corner(3, 9, 3), 1.5, 1e-9, 1, "m"), near("|p6 - p12|", corner(6, 12, 3), 1.5, 1e-9, 1, "m"),
		near("|p3 - p6|", corner(3, 6, 3), 2.4, 1e-9, 1, "m"), near("|p9 - p12|", corner(9, 12, 3), 2.4, 1e-9, 1, "m"))}
}

// PendulumAtOneSecond is the pendulum of 1 m, let go at the horizontal, in its angle:
// phi” = -g sin phi, with steps so short that only rounding is left.
func PendulumAtOneSecond() (x, z float64) {
	const h, steps = 1e-5, 100000
	phi, w := math.Pi/2, 0.0
	f := func(phi float64) float64 { return -9.81 * math.Sin(phi) }
	for range steps {
		a1, v1 := f(phi), w
		a2, v2 := f(phi+h/2*v1), w+h/2*a1
		a3, v3 := f(phi+h/2*v2), w+h/2*a2
		a4, v4 := f(phi+h*v3), w+h*a3
		phi, w = phi+h/6*(v1+2*v2+2*v3+v4), w+h/6*(a1+2*a2+2*a3+a4)
	}
	return math.Sin(phi), -math.Cos(phi)
}
