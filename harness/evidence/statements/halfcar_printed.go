package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// This file checks the laws of Ikoki (2022) as printed, and figures 5 to 14. The numbers are from the specification of
// the rest of the sources, 5.1 and 5.2; an independent program has computed them.

// halfCarPrinted are the speeds at 1, 5, 10, ... 30 s, to 0.1 %, and of the rear wheel at 15 s, to 1 %.
func halfCarPrinted(name, statement string, v [7]float64, rear float64) func(*trace.Trace) []Check {
	return func(t *trace.Trace) []Check {
		var parts []Part
		for i, time := range []float64{1, 5, 10, 15, 20, 25, 30} {
			parts = append(parts, near(fmt.Sprintf("v(%g)", time), t.At(forwardSpeed, time), v[i], 1e-3*v[i], 1, "m/s"))
		}
		return []Check{NewCheck(name, statement,
			append(parts, near("w_R(15)", rearWheel(t, 15), rear, 0.01*rear, 1, "m/s"))...)}
	}
}

// printedFriction adds that the friction of (33) as it is printed brakes the car while the motor drives it: until the
// brakes of the wheels act.
func printedFriction(v [7]float64, rear float64) func(*trace.Trace) []Check {
	speeds := halfCarPrinted("P1", "speeds with the friction law (33) as it is printed", v, rear)
	return func(t *trace.Trace) []Check {
		_, most := trace.Maximum(during(t, t.Column("contact_R.sliding"), 0.01, 22))
		return append(speeds(t), NewCheck("P2", "a torque that drives the car brakes it",
			Below("largest friction until 22 s, forward", most, 0, 1, "N")))
	}
}

// wheelSpeeds are the rotational speeds of the front and the rear wheel against the ground at one time [rad/s].
type wheelSpeeds struct{ front, rear float64 }

// frontWheelSpin and rearWheelSpin are such speeds.
func frontWheelSpin(t *trace.Trace, time float64) float64 {
	return t.At("pitch.omega", time) + t.At("arm_F.omega", time) + t.At("wheel_F.omega", time)
}

func rearWheelSpin(t *trace.Trace, time float64) float64 { return rearWheel(t, time) / 0.25 }

// halfCarFigures checks the speeds of the wheels at 2, 5, 15 and 25 s, to 1 %, to 2 % at 15 s. To the same tolerances
// it checks mu N of the front and the rear wheel at 15 and 25 s. The front wheel must not reach its limit before the
// brakes act.
func halfCarFigures(spin [4]wheelSpeeds, grip [4]float64) func(*trace.Trace) []Check {
	return func(t *trace.Trace) []Check {
		var parts []Part
		share := func(time float64) float64 {
			if time == 15 {
				return 0.02
			}
			return 0.01
		}
		for i, time := range []float64{2, 5, 15, 25} {
			parts = append(parts,
				relative(fmt.Sprintf("front at %g s", time), frontWheelSpin(t, time), spin[i].front, share(time), 1e-3, "rad/s"),
				relative(fmt.Sprintf("rear at %g s", time), rearWheelSpin(t, time), spin[i].rear, share(time), 1e-3, "rad/s"))
		}
		var limits []Part
		for i, name := range []string{"contact_F.grip", "contact_R.grip", "contact_F.grip", "contact_R.grip"} {
			time := []float64{15, 15, 25, 25}[i]
			limits = append(limits,
				relative(fmt.Sprintf("%s at %g s", name, time), t.At(name, time), grip[i], share(time), 0.1, "N"))
		}
		var used float64
		limit := t.Column("contact_F.grip")
		for i, force := range idealFront(t) {
			if t.Time[i] <= 20 {
				used = max(used, math.Abs(force)/limit[i])
			}
		}
		return []Check{
			NewCheck("F1", "rotational speeds of the wheels in the figures 6, 7, 13 and 14", parts...),
			NewCheck("F2", "limits of grip in the figures 8 to 12", limits...),
			NewCheck("F3", "the friction limit does not saturate the front reaction, contrary to the paper",
				Below("largest share of mu N until 20 s", used, 0.19, 1, "")),
		}
	}
}

// both makes the checks of two functions.
func both(first, second func(*trace.Trace) []Check) func(*trace.Trace) []Check {
	return func(t *trace.Trace) []Check { return append(first(t), second(t)...) }
}
