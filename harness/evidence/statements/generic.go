package statements

import (
	"math"
	"slices"

	"skidpad/harness/workbench/results/trace"
)

// This file checks the statements G1 to G9 and G13 of Morency (2007), section 5.3, about the generic four-wheeled
// vehicle. The bounds put the words of the paper into numbers; the acceptance table of the vehicle models lists both.

// staticLoadFL is the front left wheel load of the generic vehicle at rest, N:
// the exact equilibrium at 9.81 m/s^2 without rolling resistance.
const staticLoadFL = 5706.2

// GenericSine checks a sine steer of the generic vehicle with Pacejka tires.
func GenericSine(t *trace.Trace) []Check {
	end := t.Time[len(t.Time)-1]
	early, late := func(name string) (float64, float64) { return trace.Peak(t.Range(name, 0, 5)) },
		func(name string) (float64, float64) { return trace.Peak(t.Range(name, 5, end)) }
	fyTime1, fy1 := early("tire_FL.Fy")
	fyTime2, fy2 := late("tire_FL.Fy")
	mzTime1, mz1 := early("tire_FL.Mz")
	mzTime2, mz2 := late("tire_FL.Mz")

	_, turning := trace.Maximum(t.Range("tire_FL.Fz", 1, 4.5))
	_, returning := trace.Minimum(t.Range("tire_FL.Fz", 6, 9.5))
	_, sinking := trace.Peak(t.Range("body.vz", 0, 0.5))
	z := t.Column("body.z")
	_, heave := trace.Peak(t.Time, trace.Mapped(z, func(x float64) float64 { return x - z[0] }))

	return []Check{
		NewCheck("G1", "sine steer completes a wide lane change",
			above("y(10)", t.At("body.y", 10), 20, 1, "m"),
			Below("|yaw(10)|", math.Abs(t.At("body.yaw", 10)), 0.05, 1, "rad")),
		NewCheck("G2", "yaw rate and roll follow a sine like the steer",
			slices.Concat(
				[]Part{lobes(t, "body.wz", "yaw rate")}, extremes(t, "body.wz", "yaw rate"),
				[]Part{lobes(t, "body.roll", "roll")}, extremes(t, "body.roll", "roll"))...),
		NewCheck("G3", "front left load drops in the left turn, then rises",
			Below("largest 1..4.5 s", turning, staticLoadFL, 1, "N"),
			above("smallest 6..9.5 s", returning, staticLoadFL, 1, "N")),
		NewCheck("G4", "the second Fy and Mz peaks of FL exceed the first",
			above("|Fy| second", fy2, fy1, 1, "N"),
			above("|Mz| second", mz2, mz1, 1, "N m")),
		NewCheck("G5", "Fy and Mz of FL peak at 2.5..3 s and 7.5..8 s",
			inRange("Fy", fyTime1, 2.5, 3, 1, "s"), inRange("Fy", fyTime2, 7.5, 8, 1, "s"),
			inRange("Mz", mzTime1, 2.5, 3, 1, "s"), inRange("Mz", mzTime2, 7.5, 8, 1, "s")),
		NewCheck("G13", "the initial state is nearly an equilibrium",
			Below("|vz| to 0.5 s", sinking, 0.01, 1, "m/s"),
			Below("|z - z(0)|", heave, 0.002, 1e-3, "mm"),
			Below("|az(0)|", math.Abs(t.At("body.az", 0)), 0.05, 1, "m/s^2")),
	}
}

// GenericBraking checks the braking of the generic vehicle.
func GenericBraking(t *trace.Trace) []Check {
	_, pitch := trace.Maximum(t.Time, t.Column("body.pitch"))
	var coasting, coasted float64 = math.Inf(-1), math.Inf(-1)
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		coasting = math.Max(coasting, t.At(tire+".Fx", 1.9))
		coasted = math.Max(coasted, t.At(tire+".Fx", 9))
	}
	vx := func(time float64) float64 { return t.At("body.vx", time) }
	my := func(tire string, time float64) float64 { return math.Abs(t.At(tire+".My", time)) }
	return []Check{
		NewCheck("G6", "braking slows from about 20 to about 7 m/s",
			Part{formatValue("vx(0)", vx(0), 1, "m/s"), "20", vx(0) == 20},
			inRange("vx(5)", vx(5), 5.5, 7.5, 1, "m/s")),
		NewCheck("G7", "the body pitches forward several degrees",
			inRange("max pitch", pitch, 1.5*degree, 4*degree, degree, "deg")),
		NewCheck("G8", "without brake torque Fx is negative and the vehicle slows",
			Below("largest Fx(1.9)", coasting, 0, 1, "N"),
			Below("largest Fx(9)", coasted, 0, 1, "N"),
			Below("vx(1.9) - vx(1)", vx(1.9)-vx(1), 0, 1, "m/s"),
			Below("vx(10) - vx(8)", vx(10)-vx(8), 0, 1, "m/s")),
		NewCheck("G9", "rolling resistance follows load, front grows under braking",
			above("|My_FL(3.5)|", my("tire_FL", 3.5), my("tire_FL", 1.5), 1, "N m"),
			Below("|My_RL(3.5)|", my("tire_RL", 3.5), my("tire_RL", 1.5), 1, "N m")),
	}
}
