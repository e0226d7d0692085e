package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// The statements S1 to S8 of Morency (2007), section 5.4, about the articulated
// forestry skidder.

// SkidderSine checks a sine steer by articulation.
func SkidderSine(t *trace.Trace) []Check {
	_, fy := trace.Peak(t.Time, t.Column("tire_FL.Fy"))
	_, mz := trace.Peak(t.Time, t.Column("tire_FL.Mz"))
	return []Check{
		NewCheck("S1", "sine steer completes a lane change",
			above("y(10)", t.At("front.y", 10), 15, 1, "m"),
			Below("|yaw(10)|", math.Abs(t.At("front.yaw", 10)), 0.05, 1, "rad")),
		NewCheck("S2", "yaw rate and roll are sinusoidal like the articulation",
			append(extremes(t, "front.wz", "yaw rate"), extremes(t, "front.roll", "roll")...)...),
		NewCheck("S3", "significant Fy and Mz",
			above("peak |Fy_FL|", fy, 5e3, 1e3, "kN"),
			above("peak |Mz_FL|", mz, 1e3, 1e3, "kN m")),
	}
}

// SkidderBraking checks the braking of the skidder.
func SkidderBraking(t *trace.Trace) []Check {
	_, pitch := trace.Maximum(t.Time, t.Column("front.pitch"))
	_, settling := t.Range("front.pitch", 4, 10)
	swings := signChanges(settling, 1e-5)
	rolling := 0.0
	for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		_, my := trace.Peak(t.Time, t.Column(tire+".My"))
		rolling = math.Max(rolling, my)
	}
	return []Check{
		NewCheck("S4", "braking slows from 10 to about 2 m/s",
			inRange("vx(10)", t.At("front.vx", 10), 1.7, 2.7, 1, "m/s")),
		NewCheck("S5", "the front body pitches forward about 1.5 degrees",
			inRange("max pitch", pitch, 1.0*degree, 1.7*degree, degree, "deg")),
		NewCheck("S6", "front load rises and rear load falls under braking",
			above("Fz_FL(3)", t.At("tire_FL.Fz", 3), 41.2e3, 1e3, "kN"),
			Below("Fz_RL(3)", t.At("tire_RL.Fz", 3), 41.2e3, 1e3, "kN")),
		NewCheck("S7", "pitch settles to zero with oscillation",
			Below("|pitch(10)|", math.Abs(t.At("front.pitch", 10)), 1e-3, 1, "rad"),
			Part{fmt.Sprintf("sign changes after 4 s %d", swings), "> 0", swings > 0}),
		NewCheck("S8", "My is zero, Fx settles to zero, speed stays after braking",
			Below("peak |My|", rolling, 1e-6, 1, "N m"),
			Below("|Fx_FL(10)|", math.Abs(t.At("tire_FL.Fx", 10)), 50, 1, "N"),
			Below("|vx(10) - vx(5)|", math.Abs(t.At("front.vx", 10)-t.At("front.vx", 5)), 0.02, 1, "m/s")),
	}
}
