package statements

import (
	"math"

	"skidpad/harness/workbench/results/trace"
)

// This file checks the statements of Afzal (2018), chapter 5, about two-wheelers and the tricycle, as section 9.2 of
// the two-wheeler specification reads them, and the specification's own numbers. Peaks are taken from samples every
// 0.05 s.

// twoWheelers are the manoeuvres of these vehicles.
var twoWheelers = []Scenario{
	{Model: "wheel", Manoeuvre: "wheel_roll", FMU: "RollingWheel", Method: "rk4", Checks: WheelRoll},
	{Model: "disc", Manoeuvre: "disc_roll", FMU: "RollingDisc", Method: "dlmm", Checks: DiscRoll},
	{Model: "wheel", Manoeuvre: "wheel_turn_slip", FMU: "RollingWheel", Method: "rk4", Checks: WheelTurnSlip},
	{Model: "wheel", Manoeuvre: "wheel_bearing_friction", FMU: "RollingWheel", Method: "rk4",
		Checks: bearingFriction("W5", -99.580)},
	{Model: "disc", Manoeuvre: "wheel_bearing_friction", FMU: "RollingDisc", Method: "dlmm",
		Checks: bearingFriction("W6", -100.154)},
	{Model: "tricycle", Manoeuvre: "tricycle_turn", FMU: "Tricycle", Method: "rk4", Checks: TricycleTurn},
	{Model: "tricycle", Manoeuvre: "tricycle_circle", FMU: "Tricycle", Method: "rk4", Checks: TricycleCircle},
	{Model: "bicycle_rolling", Manoeuvre: "bicycle_rolling_recovery", FMU: "BicycleRolling", Method: "dlmm",
		Checks: RollingRecovery},
	{Model: "bicycle", Manoeuvre: "bicycle_lean_push", FMU: "Bicycle", Method: "rk4", Checks: BicycleLeanPush},
	{Model: "bicycle", Manoeuvre: "bicycle_weave", FMU: "Bicycle", Method: "rk4", Checks: BicycleWeave},
	{Model: "bicycle", Manoeuvre: "bicycle_capsize", FMU: "Bicycle", Method: "rk4", Checks: BicycleCapsize},
	{Model: "bicycle", Manoeuvre: "bicycle_counter_steer", FMU: "Bicycle", Method: "rk4", Checks: BicycleCounterSteer},
	{Model: "bicycle", Manoeuvre: "bicycle_turn_slip", FMU: "Bicycle", Method: "rk4", Checks: BicycleTurnSlip},
	{Model: "bicycle", Manoeuvre: "bicycle_lean_by_steering", FMU: "Bicycle", Method: "rk4", Checks: LeanBySteering},
	{Model: "bicycle", Manoeuvre: "bicycle_lean_by_torque", FMU: "Bicycle", Method: "rk4", Checks: LeanByTorque},
	{Model: "bicycle", Manoeuvre: "bicycle_standstill", FMU: "Bicycle", Method: "rk4", Checks: Standstill},
	{Model: "bluebike", Manoeuvre: "bluebike_lean_push", FMU: "BlueBike", Method: "rk4", Checks: BlueBikeLeanPush},
	{Model: "bluebike", Manoeuvre: "bluebike_fast", FMU: "BlueBike", Method: "rk4", Checks: BlueBikeFast},
	{Model: "bluebike", Manoeuvre: "bluebike_without_spin", FMU: "BlueBike", Method: "rk4",
		Checks: BlueBikeWithoutSpin},
	{Model: "redbike", Manoeuvre: "redbike_lean_push", FMU: "RedBike", Method: "rk4", Checks: RedBikeLeanPush},
	{Model: "redbike_gyroscope", Manoeuvre: "redbike_gyroscope_balance", FMU: "RedBikeGyroscope", Method: "rk4",
		Checks: GyroscopeBalance},
}

// lean is the turn about the forward axis in the order heading, lean, pitch; positive to the right.
const lean = "rear_frame.angle2"

// samples are the values at multiples of 0.05 s between two times.
func samples(t *trace.Trace, name string, from, to float64) (times, values []float64) {
	column := t.Column(name)
	for i, time := range t.Time {
		if n := time / 0.05; time >= from-1e-9 && time <= to+1e-9 && math.Abs(n-math.Round(n)) < 1e-6 {
			times, values = append(times, time), append(values, column[i])
		}
	}
	return times, values
}

// highest is the largest sample, and its time.
func highest(t *trace.Trace, name string, from, to float64) (time, value float64) {
	return trace.Maximum(samples(t, name, from, to))
}

// lowest is the least sample, and its time.
func lowest(t *trace.Trace, name string, from, to float64) (time, value float64) {
	return trace.Minimum(samples(t, name, from, to))
}

// WheelRoll: section 7.1.
func WheelRoll(t *trace.Trace) []Check {
	_, high := trace.Maximum(t.Time, t.Column("tire.gamma"))
	return []Check{NewCheck("W1", "a wheel on a brush tire turns as the disc does",
		near("heading at 50 s", t.At("wheel.angle1", 50), -27.83800, 2e-5, 1, "rad"),
		near("largest lean", high, 11.314*degree, 2e-3*degree, degree, "deg"))}
}

// DiscRoll: section 7.1.
func DiscRoll(t *trace.Trace) []Check {
	_, high := trace.Maximum(t.Time, t.Column("wheel.angle2"))
	return []Check{NewCheck("W2", "the disc that rolls without slip",
		near("heading at 50 s", t.At("wheel.angle1", 50), -27.86269, 2e-5, 1, "rad"),
		near("largest lean", high, 11.311*degree, 2e-3*degree, degree, "deg"),
		Below("height of the contact point", violation(t, "contact.value"), 1e-12, 1, "m"))}
}

// WheelTurnSlip: section 7.2.
func WheelTurnSlip(t *trace.Trace) []Check {
	return []Check{NewCheck("W3", "a moment against turn slip straightens the path",
		near("heading at 20 s", t.At("wheel.angle1", 20), -0.94529, 2e-5, 1, "rad"),
		Below("|lean| at 20 s", math.Abs(t.At("tire.gamma", 20)), 1e-3*degree, degree, "deg")),
		NewCheck("W4", "the moment lags the turn slip by the relaxation length by the speed, 1.5 m/s at the start",
			near("lag", turnSlipRelaxation(t, 0.3)/1.5, 0.08, 2e-4, 1, "s"))}
}

// TricycleTurn: section 8.
func TricycleTurn(t *trace.Trace) []Check {
	return []Check{
		NewCheck("T1", "the bob swings to the outside, and nothing is there before",
			near("torque at 5 s", -t.At("pendulum_spring.torque", 5), 0.150369, 2e-6, 1, "N m"),
			Below("angle at 5 s", t.At("pendulum.phi", 5), 0, 1, "rad"),
			Below("|torque| at 3.9 s", math.Abs(t.At("pendulum_spring.torque", 3.9)), 1e-9, 1, "N m")),
		NewCheck("T2", "with a moment against turn slip the path becomes straight",
			near("yaw rate at 5 s", t.At("frame.wz", 5), 0.103803, 2e-6, 1, "rad/s"),
			near("at 20 s", t.At("frame.wz", 20), 1.087e-4, 1e-6, 1, "rad/s"),
			near("heading at 40 s", t.At("frame.yaw", 40), 0.30282, 2e-5, 1, "rad")),
	}
}

// TricycleCircle: section 8.
func TricycleCircle(t *trace.Trace) []Check {
	return []Check{NewCheck("T3", "without it the tricycle goes round",
		near("yaw rate at 5 s", t.At("frame.wz", 5), 0.138183, 2e-6, 1, "rad/s"),
		near("at 40 s", t.At("frame.wz", 40), 0.105387, 2e-6, 1, "rad/s"),
		near("heading at 40 s", t.At("frame.yaw", 40), 4.27780, 2e-5, 1, "rad"))}
}

// RollingRecovery: Meijaard et al. (2007): self-stable between weave and capsize speed.
func RollingRecovery(t *trace.Trace) []Check {
	_, largest := trace.Peak(t.Time, t.Column(lean))
	return []Check{NewCheck("R1", "at 4.6 m/s a bicycle that rolls without slip rights itself, and is faster then",
		above("largest lean", largest, 0.02, 1, "rad"),
		Below("|lean| at 20 s", math.Abs(t.At(lean, 20)), 1e-3, 1, "rad"),
		above("gain of speed", t.At("wheel_R.omega", 20)*0.3-4.6, 1e-4, 1, "m/s"))}
}

// BicycleLeanPush: section 9.3, inv1_v5.
func BicycleLeanPush(t *trace.Trace) []Check {
	_, leaning := highest(t, lean, 4, 20)
	lagging, steering := lowest(t, "steer.phi", 4, 20)
	when, _ := highest(t, lean, 4, 20)
	return []Check{
		NewCheck("I1", "at 5 m/s a push decays",
			near("lean", leaning, 0.015669, 2e-6, 1, "rad"),
			near("steer to the right", -steering, 0.012059, 2e-6, 1, "rad"),
			near("heading at 20 s", t.At("rear_frame.angle1", 20), -0.0690, 5e-4, 1, "rad"),
			Below("|lean| at 20 s", math.Abs(t.At(lean, 20)), 1e-3, 1, "rad")),
		NewCheck("I2", "the steer follows the lean, to the same side, later", above("lag", lagging-when, 0, 1, "s")),
	}
}

// BicycleWeave: section 9.2, inv. 1.
func BicycleWeave(t *trace.Trace) []Check {
	_, early := highest(t, lean, 5, 9)
	_, late := highest(t, lean, 16, 20)
	return []Check{NewCheck("I3", "at 4.2 m/s, below the weave speed, the oscillation grows",
		above("lean in 16 .. 20 s by that in 5 .. 9 s", late/early, 1.2, 1, ""))}
}

// BicycleCapsize: section 9.2, inv. 1; the rest of the sources, 3.2.
func BicycleCapsize(t *trace.Trace) []Check {
	end := t.Time[len(t.Time)-1]
	return []Check{NewCheck("I4", "at 7.5 m/s, above the capsize speed, it leans ever more",
		near("lean at 40 s", t.At(lean, 40), 0.7008, 2e-3, 1, "rad")),
		NewCheck("I14", "it has fallen, and the run ends", near("at", end, 44.7, 0.2, 1, "s"),
			above("|lean|", math.Abs(t.At(lean, end)), 1.5, 1, "rad"))}
}

// BicycleCounterSteer: section 9.3.
func BicycleCounterSteer(t *trace.Trace) []Check {
	_, left := highest(t, "rear_frame.angle1", 4, 20)
	_, leaning := highest(t, lean, 4, 20)
	return []Check{NewCheck("I5", "a steer torque to the left ends in a turn to the right",
		near("heading to the left", left, 0.0182, 2e-4, 1, "rad"),
		near("lean to the right", leaning, 0.0493, 1e-4, 1, "rad"),
		near("heading at 20 s", t.At("rear_frame.angle1", 20), -0.21224, 2e-5, 1, "rad"))}
}

// BicycleTurnSlip: section 9.3, inv2_v5.
func BicycleTurnSlip(t *trace.Trace) []Check {
	_, leaning := highest(t, lean, 4, 20)
	_, steering := lowest(t, "steer.phi", 4, 20)
	return []Check{NewCheck("I6", "with CM = 0.3, at 5 m/s, a push decays",
		near("lean", leaning, 0.015038, 2e-6, 1, "rad"), near("steer", -steering, 0.012230, 2e-6, 1, "rad"),
		Below("|lean| at 20 s", math.Abs(t.At(lean, 20)), 1e-3, 1, "rad"))}
}

// circle is the time of a full turn to the right, not a number where there is none.
func circle(t *trace.Trace) float64 {
	return first(t, "rear_frame.angle1", func(heading float64) bool { return heading <= -2*math.Pi })
}

// LeanBySteering: section 9.4, 1.
func LeanBySteering(t *trace.Trace) []Check {
	return []Check{NewCheck("C1", "the steer torque holds a lean: a curve in about 30 s",
		near("lean at 60 s", t.At(lean, 60), 7.419*degree, 0.02*degree, degree, "deg"),
		near("steer", t.At("steer.phi", 60), -1.826*degree, 0.01*degree, degree, "deg"),
		near("full circle", circle(t), 32.9, 0.1, 1, "s"))}
}

// LeanByTorque: section 9.4, 2.
func LeanByTorque(t *trace.Trace) []Check {
	return []Check{NewCheck("C2", "a torque on the frame holds a lean: a curve in 37 s",
		near("lean at 60 s", t.At(lean, 60), 7.135*degree, 0.02*degree, degree, "deg"),
		near("steer", t.At("steer.phi", 60), -1.534*degree, 0.01*degree, degree, "deg"),
		near("full circle", circle(t), 37.35, 0.1, 1, "s"))}
}

// Standstill: section 9.4, 3.
func Standstill(t *trace.Trace) []Check {
	_, leaning := trace.Peak(t.Time, t.Column(lean))
	return []Check{NewCheck("C3", "the law for standstill does not balance", above("lean", leaning, 0.1, 1, "rad"))}
}

// BlueBikeLeanPush: section 9.3.
func BlueBikeLeanPush(t *trace.Trace) []Check {
	_, leaning := highest(t, lean, 4, 20)
	return []Check{NewCheck("B4", "the blue bike is stable at 5.9 m/s", near("lean", leaning, 0.05412, 1e-5, 1, "rad"),
		Below("|lean| at 20 s", math.Abs(t.At(lean, 20)), 0.02, 1, "rad"))}
}

// BlueBikeFast: section 9.3.
func BlueBikeFast(t *trace.Trace) []Check {
	_, leaning := highest(t, lean, 4, 20)
	return []Check{NewCheck("B5", "and at 20 m/s", near("lean", leaning, 0.01367, 1e-5, 1, "rad"),
		Below("|lean| at 20 s", math.Abs(t.At(lean, 20)), 0.005, 1, "rad"))}
}

// BlueBikeWithoutSpin: section 9.2: the wheels of Afzal (2018) do not turn at the start; this explains the paper's
// higher speeds, by the factor 1/0.944.
func BlueBikeWithoutSpin(t *trace.Trace) []Check {
	return []Check{NewCheck("B6",
		"wheels that do not turn at the start take a part of the speed: limits of the source are above ours",
		near("speed at 4 s of 5.9 m/s", t.At("rear_frame.vx", 4), 5.572, 0.01, 1, "m/s"),
		Below("|lean| at 30 s", math.Abs(t.At(lean, 30)), 0.02, 1, "rad"))}
}

// RedBikeLeanPush: section 9.1: stable above 7.51 m/s.
func RedBikeLeanPush(t *trace.Trace) []Check {
	_, early := highest(t, lean, 4, 8)
	_, late := highest(t, lean, 16, 20)
	return []Check{NewCheck("B7", "the red bike is stable at 8 m/s, not between 2.4 and 3.8 as printed",
		Below("lean in 16 .. 20 s by that in 4 .. 8 s", late/early, 1, 1, ""))}
}

// GyroscopeBalance: section 9.5.
func GyroscopeBalance(t *trace.Trace) []Check {
	_, leaning := trace.Peak(t.Time, t.Column(lean))
	_, gimbal := trace.Peak(t.Time, t.Column("gimbal.phi"))
	_, rate := trace.Peak(t.Time, t.Column("gimbal.omega"))
	return []Check{NewCheck("C4", "a gyroscope holds the standing bike, steering held",
		Below("lean", leaning, 1.01*degree, degree, "deg"),
		near("gimbal", gimbal, 19*degree, 0.5*degree, degree, "deg"), near("its rate", rate, 1.96, 0.02, 1, "rad/s"),
		Below("|lean| at 5 s", math.Abs(t.At(lean, 5)), 0.1*degree, degree, "deg"))}
}
