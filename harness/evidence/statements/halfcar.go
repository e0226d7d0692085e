package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// This file checks the statements of Ikoki (2022), section 3, about the half-car with relaxed rolling constraints, as
// chapter 6 of the half-car specification reads them, and the specification's own numbers: speeds and heights to 0.1 %,
// wheel speeds and forces to 1 %, to 2 % between 11 and 21 s.

// halfCars are the manoeuvres of the half-car.
var halfCars = []Scenario{
	{Model: "halfcar", Manoeuvre: "halfcar_150", FMU: "HalfCar", Method: "rk4",
		Checks: both(HalfCar150, halfCarFigures(
			[4]wheelSpeeds{{10.130, 10.633}, {28.262, 28.924}, {81.547, 94.190}, {109.034, 109.332}},
			[4]float64{196.4, 364.2, 930.8, 1596.4}))},
	{Model: "halfcar", Manoeuvre: "halfcar_550", FMU: "HalfCar", Method: "rk4",
		Checks: both(HalfCar550, halfCarFigures(
			[4]wheelSpeeds{{36.839, 52.294}, {100.649, 122.118}, {196.071, 2581.94}, {263.817, 281.836}},
			[4]float64{195.9, 364.8, 792.2, 1735.0}))},
	{Model: "halfcar", Manoeuvre: "halfcar_700", FMU: "HalfCar", Method: "rk4",
		Checks: both(HalfCar700, halfCarFigures(
			[4]wheelSpeeds{{46.675, 77.993}, {126.631, 171.131}, {209.577, 3398.59}, {287.700, 327.764}},
			[4]float64{204.9, 355.8, 730.9, 1796.3}))},
	{Model: "halfcar", Manoeuvre: "halfcar_550_gamma_100", FMU: "HalfCar", Method: "rk4",
		Checks: both(halfCarStabilised([7]float64{3.71, 25.21, 46.75, 55.77, 67.07, 70.20, 70.15},
			[3]float64{10.1, 26.4, 386.8}, 1.176), halfCarFigures(
			[4]wheelSpeeds{{36.991, 40.538}, {100.859, 105.562}, {223.073, 1547.30}, {280.767, 284.785}},
			[4]float64{176.1, 384.6, 798.1, 1729.1}))},
	{Model: "halfcar", Manoeuvre: "halfcar_550_gamma_200", FMU: "HalfCar", Method: "rk4",
		Checks: both(halfCarStabilised([7]float64{3.72, 25.22, 46.81, 58.28, 68.54, 70.93, 70.52},
			[3]float64{9.7, 25.9, 248.5}, 0.655), halfCarFigures(
			[4]wheelSpeeds{{37.012, 38.980}, {100.885, 103.504}, {233.136, 994.01}, {283.697, 285.930}},
			[4]float64{168.9, 391.8, 799.1, 1728.1}))},
	{Model: "halfcar", Manoeuvre: "halfcar_550_gamma_2000", FMU: "HalfCar", Method: "rk4",
		Checks: both(halfCarStabilised([7]float64{3.72, 25.23, 46.87, 60.76, 69.05, 71.16, 70.65},
			[3]float64{9.3, 25.3, 80.8}, 0.079), halfCarFigures(
			[4]wheelSpeeds{{37.034, 37.261}, {100.914, 101.228}, {243.023, 323.06}, {284.645, 284.907}},
			[4]float64{164.8, 395.9, 799.4, 1727.7}))},
	{Model: "halfcar_printed", Manoeuvre: "halfcar_150_printed_friction", FMU: "HalfCarPrintedFriction", Method: "rk4",
		Checks: printedFriction([7]float64{0.99350, 6.76052, 13.05394, 17.29214, 20.97334, 23.08290, 23.06191}, 21.924)},
	{Model: "halfcar_printed", Manoeuvre: "halfcar_550_printed_friction", FMU: "HalfCarPrintedFriction", Method: "rk4",
		Checks: printedFriction([7]float64{2.61897, 17.41200, 33.14173, 32.66424, 40.86537, 49.33105, 52.03966}, 732.63)},
	{Model: "halfcar_printed", Manoeuvre: "halfcar_700_printed_friction", FMU: "HalfCarPrintedFriction", Method: "rk4",
		Checks: printedFriction([7]float64{3.22603, 22.05130, 40.59334, 33.96582, 35.28184, 52.27919, 58.09302}, 919.18)},
	{Model: "halfcar", Manoeuvre: "halfcar_550_printed_brake", FMU: "HalfCar", Method: "rk4",
		Checks: halfCarPrinted("P3", "speeds with the brake law (35) as it is printed",
			[7]float64{3.68344, 25.16219, 46.30944, 49.01765, 58.48065, 68.12826, 72.81172}, 645.49)},
	{Model: "halfcar", Manoeuvre: "halfcar_550_inner_power", FMU: "HalfCar", Method: "rk4",
		Checks: halfCarPrinted("P4", "speeds with the fourth power of (36) inside of the tanh",
			[7]float64{3.68843, 25.18909, 46.72032, 49.81680, 60.43034, 66.66873, 68.28597}, 634.63)},
}

const forwardSpeed = "forward.s_dot"

// rearWheel is the speed of the circumference of the rear wheel with the radius at rest [m/s].
func rearWheel(t *trace.Trace, time float64) float64 {
	return 0.25 * (t.At("pitch.omega", time) + t.At("arm_R.omega", time) + t.At("wheel_R.omega", time))
}

// relative requires the value of the specification, within a share of this value plus half of its last digit.
func relative(what string, x, want, share, digit float64, unit string) Part {
	return near(what, x, want, share*math.Abs(want)+digit/2, 1, unit)
}

// halfCarSpeeds checks the speeds at 1, 5, 10, ... 30 s, the speeds of the rear wheel at 2, 5, 15 s, and the slip at 5
// s.
func halfCarSpeeds(t *trace.Trace, v [7]float64, rear [3]float64, slip float64) Check {
	var parts []Part
	for i, time := range []float64{1, 5, 10, 15, 20, 25, 30} {
		parts = append(parts, relative(fmt.Sprintf("v(%g)", time), t.At(forwardSpeed, time), v[i], 1e-3, 0.01, "m/s"))
	}
	for i, time := range []float64{2, 5, 15} {
		parts = append(parts, relative(fmt.Sprintf("w_R(%g)", time), rearWheel(t, time), rear[i],
			map[bool]float64{false: 0.01, true: 0.02}[time == 15], 0.1, "m/s"))
	}
	return NewCheck("H10", "speeds of the specification's table",
		append(parts, relative("slip at 5 s", t.At("wheel_R.slip_speed", 5), slip, 0.01, 0.001, "m/s"))...)
}

func halfCarStabilised(v [7]float64, rear [3]float64, slip float64) func(*trace.Trace) []Check {
	return func(t *trace.Trace) []Check {
		return []Check{halfCarSpeeds(t, v, rear, slip), halfCarTraction(t, 0.9325)}
	}
}

// halfCarTraction: the largest share of the grip.
func halfCarTraction(t *trace.Trace, want float64) Check {
	_, share := trace.Maximum(t.Time, shareOfGrip(t, "wheel_R", t.Column("traction_R.force")))
	return NewCheck("H3", "traction is bounded by the friction limit",
		near("largest share of mu N", share, want, 0.002, 1, ""), Below("it", share, 0.94, 1, ""))
}

// shareOfGrip divides forces on a wheel by mu N.
func shareOfGrip(t *trace.Trace, wheel string, forces []float64) []float64 {
	share := make([]float64, len(forces))
	for i, load := range t.Column(wheel + ".Fz") {
		share[i] = forces[i] / ((0.15 + 0.7*math.Pow(math.Tanh((t.Time[i]-15)/6), 4)) * load)
	}
	return share
}

// idealFront is the ideal force of the front wheel in the source's sign, against the road's [N].
func idealFront(t *trace.Trace) []float64 {
	force := trace.Mapped(t.Column("traction_F.force"), func(x float64) float64 { return -x })
	for i, x := range t.Column("stabilisation_F.force") {
		force[i] -= x
	}
	return force
}

// during cuts values to a time.
func during(t *trace.Trace, values []float64, from, to float64) (times, cut []float64) {
	for i, time := range t.Time {
		if time >= from-1e-9 && time <= to+1e-9 {
			times, cut = append(times, time), append(cut, values[i])
		}
	}
	return times, cut
}

// falling is when the speed falls for the first and for the last time.
func falling(t *trace.Trace) (from, to float64) {
	from = math.NaN()
	v := t.Column(forwardSpeed)
	for i := 1; i < len(v); i++ {
		if v[i] < v[i-1] {
			if to = t.Time[i]; from != from {
				from = to
			}
		}
	}
	return from, to
}

// halfCarBody: H11, H9.
func halfCarBody(t *trace.Trace, braked float64) []Check {
	_, pitch := trace.Peak(t.Time, t.Column("pitch.phi"))
	_, front := trace.Peak(during(t, shareOfGrip(t, "wheel_F", idealFront(t)), 0, 20))
	_, slides := trace.Peak(during(t, t.Column("sliding_F.force"), 0, 15))
	return []Check{
		NewCheck("H11", "the chassis hardly pitches", Below("largest pitch", pitch, 0.01, 1, "rad")),
		NewCheck("H7", "the free front wheel does not slide before the brake",
			Below("sliding until 15 s", slides, 1e-6, 1, "N"),
			Below("ideal force by mu N until 20 s", front, 0.19, 1, "")),
		NewCheck("H9", "both wheels brake after 22.5 s",
			relative("force on the front wheel at 25 s", t.At("contact_F.force", 25), braked, 0.01, 0.1, "N")),
	}
}

// HalfCar150: H1, H2, H6 and the rest.
func HalfCar150(t *trace.Trace) []Check {
	ratio := func(time float64) float64 { return rearWheel(t, time) / t.At(forwardSpeed, time) }
	from, _ := falling(t)
	return append([]Check{
		halfCarSpeeds(t, [7]float64{1.02, 7.07, 14.18, 20.39, 25.58, 27.28, 26.46}, [3]float64{2.7, 7.2, 23.5}, 0.166),
		NewCheck("H1", "the rear wheel is faster than the front in the phase of low grip only",
			near("w_R/v at 15 s", ratio(15), 1.155, 0.002, 1, ""), Below("at 5 s", ratio(5), 1.03, 1, ""),
			Below("at 25 s", ratio(25), 1.03, 1, "")),
		halfCarTraction(t, 0.928),
		NewCheck("H6", "the speed falls under the brake only", near("from", from, 23.25, 0.25, 1, "s")),
		NewCheck("H9", "the car slows down", Below("v(30) - v(25)", t.At(forwardSpeed, 30)-t.At(forwardSpeed, 25), 0, 1,
			"m/s")),
	}, halfCarBody(t, -200.2)...)
}

// HalfCar550: H4, H6, H8.
func HalfCar550(t *trace.Trace) []Check {
	from, to := falling(t)
	return append([]Check{
		halfCarSpeeds(t, [7]float64{3.68, 25.16, 46.31, 49.02, 58.48, 65.98, 67.93}, [3]float64{13.1, 30.5, 645.5},
			5.367),
		NewCheck("H4", "front and rear differ on good grip already",
			near("w_R/v at 2 s", rearWheel(t, 2)/t.At(forwardSpeed, 2), 1.42, 0.01, 1, "")),
		halfCarTraction(t, 0.9325),
		NewCheck("H6", "the speed falls in the phase of low grip", near("from", from, 12.5, 0.25, 1, "s"),
			near("to", to, 17, 0.25, 1, "s")),
		NewCheck("H8", "the ideal force of the front wheel comes near zero",
			near("at 15 s", -t.At("traction_F.force", 15)-t.At("stabilisation_F.force", 15), 0.28, 0.01, 1, "N")),
	}, halfCarBody(t, -215.3)...)
}

// HalfCar700: H5, H6, H8.
func HalfCar700(t *trace.Trace) []Check {
	from, to := falling(t)
	_, least := trace.Minimum(during(t, idealFront(t), 11.8, 17.9))
	_, most := trace.Maximum(during(t, idealFront(t), 11.8, 17.9))
	_, traction := trace.Maximum(during(t, t.Column("traction_R.force"), 13, 17))
	slides := shareOfGrip(t, "wheel_R", t.Column("sliding_R.force"))
	_, sliding := trace.Minimum(during(t, slides, 13, 17))
	_, largest := trace.Maximum(during(t, slides, 13, 17))
	return append([]Check{
		halfCarSpeeds(t, [7]float64{4.66, 31.66, 56.14, 52.39, 56.55, 71.95, 76.60}, [3]float64{19.5, 42.8, 849.6},
			11.125),
		NewCheck("H5", "in the phase of low grip nothing but sliding friction is left",
			Below("traction", traction, 20, 1, "N"), above("sliding by mu N", sliding, 0.984, 1, ""),
			Below("largest", largest, 1, 1, "")),
		halfCarTraction(t, 0.9325),
		NewCheck("H6", "the speed falls in the phase of low grip", near("from", from, 11.25, 0.25, 1, "s"),
			near("to", to, 18.25, 0.25, 1, "s")),
		NewCheck("H8", "the ideal force of the front wheel is negative there", near("least", least, -3.8, 0.05, 1, "N"),
			Below("largest", most, 0, 1, "N")),
	}, halfCarBody(t, -221.8)...)
}
