package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// This file checks the tractor-semitrailer against the laws of mechanics, and against reports of Fancher, Ervin,
// Winkler and Gillespie (1986) and others on such vehicles.

// tractorSemitrailers are the manoeuvres of the tractor-semitrailer.
var tractorSemitrailers = []Scenario{
	{Model: "tractor_semitrailer", Manoeuvre: "tractor_semitrailer_sine", FMU: "TractorSemitrailer", Method: "rk4",
		Checks: TractorSine},
	{Model: "tractor_semitrailer", Manoeuvre: "tractor_semitrailer_braking", FMU: "TractorSemitrailer", Method: "rk4",
		Checks: TractorBraking},
}

var tractorWheels = []string{"1L", "1R", "2L", "2R", "3L", "3R", "4L", "4R", "5L", "5R"}

// loads are the smallest of all wheel loads, and the sum of those of some axles at a time [N].
func tractorLoads(t *trace.Trace, time float64, axles string) (least, sum float64) {
	least = math.Inf(1)
	for _, wheel := range tractorWheels {
		_, low := trace.Minimum(t.Time, t.Column("tire_"+wheel+".Fz"))
		least = min(least, low)
	}
	for _, axle := range axles {
		sum += t.At(fmt.Sprintf("tire_%cL.Fz", axle), time) + t.At(fmt.Sprintf("tire_%cR.Fz", axle), time)
	}
	return least, sum
}

// TractorSine checks a sinusoidal steering-wheel input. The trailer follows later and with more lateral acceleration,
// after Fancher and others by up to a half more at 0.4 Hz. The joint of the fifth wheel opens by the difference of the
// yaw angles.
func TractorSine(t *trace.Trace) []Check {
	first, tractor := trace.Peak(t.Range("tractor.ay", 2.5, 5))
	second, trailer := trace.Peak(t.Range("trailer.ay", 2.5, 5))
	joint := 0.0
	for i := range t.Time {
		joint = max(joint, math.Abs(t.Column("trailer.yaw")[i]-t.Column("tractor.yaw")[i]-t.Column("kingpin.phi")[i]))
	}
	cot := func(wheel string) float64 { return 1 / math.Tan(t.At("steer_"+wheel+".angle", 0.6)) }
	least, _ := tractorLoads(t, 0, "")
	lag := math.Mod(second-first+1.25, 1.25) // of one swing behind the other
	return []Check{
		NewCheck("A1", "the lateral acceleration of the trailer lags by more than the way between the centres takes",
			inRange("lag", lag, (2.333+5.004)/22.2, 0.8, 1, "s")),
		NewCheck("A2", "and is larger, by less than a half", inRange("trailer/tractor", trailer/tractor, 1, 1.5, 1, ""),
			inRange("tractor", tractor, 1, 2, 1, "m/s2")),
		NewCheck("A3", "no wheel leaves the ground", above("least load", least, 0, 1e3, "kN")),
		NewCheck("A4", "the kingpin's angle is the difference of the headings",
			Below("off by", joint, 0.1*degree, degree, "deg")),
		NewCheck("A5", "the front wheels turn after Ackermann",
			near("cot right - cot left", cot("1R")-cot("1L"), 2*0.88/3.7, 1e-9, 1, "")),
	}
}

// TractorBraking checks straight braking: momentum, and moments about the kingpin, with wheels, drag and rolling
// resistance.
func TractorBraking(t *trace.Trace) []Check {
	const begin, end, brake = 2.0, 3.9, 92000
	deceleration := (t.At("tractor.vx", begin) - t.At("tractor.vx", end)) / (end - begin)
	middle := (begin + end) / 2
	radius := func(axle string) float64 { return t.At("tire_"+axle+"L.R_eff", middle) }
	force := t.At("engine.torque", middle) * 2.85 / radius("2")
	mass, trailer := 5815+30560+540+1045+3*680+3.8*math.Pow(2.85/radius("2"), 2), 0.0
	for _, axle := range []struct {
		name           string
		share, inertia float64
	}{{"1", 0.19, 13}, {"2", 0.27, 24}, {"3", 0.18, 15}, {"4", 0.18, 15}, {"5", 0.18, 15}} {
		_, load := tractorLoads(t, middle, axle.name)
		brakes := -axle.share*brake/radius(axle.name) - 0.0055*0.538*load/radius(axle.name)
		force += brakes
		mass += 2 * axle.inertia / math.Pow(radius(axle.name), 2)
		if axle.name >= "3" {
			trailer += brakes
		}
	}
	force += t.At("tractor_air.Fx", middle) + t.At("trailer_air.Fx", middle)
	const sprung, unsprung, g = 30560.0, 3 * 680.0, 9.81
	bogie := (sprung*(5.004*g-0.8*deceleration) + unsprung*(7.7*g-(0.5034-1.15)*deceleration) + 1.15*trailer) / 7.7
	_, found := tractorLoads(t, middle, "345")
	_, all := tractorLoads(t, middle, "12345")
	_, jack := trace.Peak(t.Time, t.Column("kingpin.phi"))
	_, slip := trace.Minimum(t.Time, t.Column("tire_5L.kappa"))
	return []Check{
		NewCheck("A6", "the vehicle slows by the torque of the brakes, the engine's drag, air and rolling resistance",
			near("deceleration", deceleration, -force/mass, 0.01*deceleration, 1, "m/s2")),
		NewCheck("A7", "the trailer leans on the kingpin as moments about it say",
			near("load of its axles", found, bogie, 0.02*bogie, 1e3, "kN"),
			near("load of all", all, (sprung+unsprung+5815+540+1045)*g, 2e3, 1e3, "kN")),
		NewCheck("A8", "it stays straight, and no wheel locks",
			Below("angle of the kingpin", jack, 0.01*degree, degree, "deg"), above("least slip", slip, -0.15, 1, "")),
	}
}
