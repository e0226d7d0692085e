package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// The statements that compare two runs: G10 and G11 about the tire model, G12
// and S9 about the step size.

// FialaBraking is G10. fiala must have the rolling resistance 0.00344 m of the Pacejka set. With the printed 0.01 m the
// vehicle coasts down three times faster, which contradicts the figures of Morency (2007).
func FialaBraking(pacejka, fiala *trace.Trace) Check {
	_, pitch1 := trace.Maximum(pacejka.Time, pacejka.Column("body.pitch"))
	_, pitch2 := trace.Maximum(fiala.Time, fiala.Column("body.pitch"))
	return NewCheck("G10", "Fiala (Cr = 0.00344 m) and Pacejka brake alike",
		Below("largest |dvx|", distance(pacejka, fiala, "body.vx"), 0.1, 1, "m/s"),
		Below("|d max pitch|", math.Abs(pitch1-pitch2), 0.1*degree, degree, "deg"))
}

// FialaSine is G11.
func FialaSine(pacejka, fiala *trace.Trace) Check {
	relative := func(name string) float64 {
		_, p := trace.Peak(pacejka.Time, pacejka.Column(name))
		_, f := trace.Peak(fiala.Time, fiala.Column(name))
		return math.Abs(f/p - 1)
	}
	end := math.Abs(fiala.At("body.y", 10)/pacejka.At("body.y", 10) - 1)
	return NewCheck("G11", "Fiala and Pacejka differ per tire, hardly per vehicle",
		Below("yaw rate peak by", relative("body.wz"), 0.05, 0.01, "%"),
		Below("roll peak by", relative("body.roll"), 0.1, 0.01, "%"),
		Below("y(10) by", end, 0.1, 0.01, "%"),
		above("Mz_FL peak by", relative("tire_FL.Mz"), 0.05, 0.01, "%"))
}

// Tolerance is the largest difference allowed in one variable.
type Tolerance struct {
	Variable string
	Bound    float64 // in the variable's unit
}

// The tolerances of G12 and S9: twice the largest difference, over 10 s at
// samples of 0.05 s, between explicit Euler and a converged solution that an
// independent simulation showed.
var (
	GenericSineEuler = []Tolerance{ // at 1 ms
		{"body.vx", 2 * 9e-4}, {"body.y", 2 * 6e-3}, {"body.wz", 2 * 6e-5},
		{"body.pitch", 2 * 6e-6}, {"body.roll", 2 * 2e-5}, {"wheel_FL.omega", 2 * 0.13},
	}
	GenericBrakingEuler = []Tolerance{ // at 0.5 ms; at 1 ms the wheel spin is unstable below 10 m/s
		{"body.vx", 2 * 1.6e-3}, {"body.y", 2 * 7e-5}, {"body.wz", 2 * 1.6e-4},
		{"body.pitch", 2 * 2e-5}, {"wheel_FL.omega", 2 * 0.17},
	}
	SkidderSineEuler = []Tolerance{ // at 1 ms
		{"front.vx", 2 * 4e-5}, {"front.y", 2 * 5e-3}, {"front.wz", 2 * 2e-5},
		{"front.pitch", 2 * 3e-7}, {"front.roll", 2 * 1e-5}, {"wheel_FL.omega", 2 * 2e-4},
	}
	SkidderBrakingEuler = []Tolerance{ // at 1 ms
		{"front.vx", 2 * 3e-3}, {"front.pitch", 2 * 1.2e-4}, {"wheel_FL.omega", 2 * 5e-3},
	}
)

// Converged compares an explicit Euler run with a converged one.
func Converged(name, statement string, euler, fine *trace.Trace, tolerances []Tolerance) Check {
	var parts []Part
	for _, tolerance := range tolerances {
		parts = append(parts, Below("d "+tolerance.Variable, distance(euler, fine, tolerance.Variable), tolerance.Bound,
			1, ""))
	}
	return NewCheck(name, statement, parts...)
}

// distance is the largest difference of one variable between two runs.
func distance(a, b *trace.Trace, variable string) float64 {
	end := a.Time[len(a.Time)-1]
	largest := 0.0
	for n := 0; float64(n)*trace.Sampling <= end+1e-9; n++ {
		time := float64(n) * trace.Sampling
		largest = math.Max(largest, math.Abs(a.At(variable, time)-b.At(variable, time)))
	}
	return largest // NaN if any sample is
}

// BitEqual checks that two traces hold the same numbers, to the last bit.
func BitEqual(name, statement string, a, b *trace.Trace) Check {
	differ, total := 0, 0
	worst := ""
	for i, column := range a.Values {
		other := b.Column(a.Channels[i].Name)
		for k := range column {
			total++
			if k >= len(other) || column[k] != other[k] {
				if differ++; worst == "" && k < len(other) {
					worst = fmt.Sprintf(", first %s at %g s: %.17g and %.17g", a.Channels[i].Name, a.Time[k], column[k],
						other[k])
				}
			}
		}
	}
	return Check{
		Name: name, Statement: statement, Measured: fmt.Sprintf("%d of %d values differ%s", differ, total, worst),
		Bound: "= 0",
		Pass:  differ == 0 && total > 0 && len(a.Time) == len(b.Time),
	}
}
