package verify

import (
	"fmt"
	"math"
	"strings"

	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
)

// Comparison says how far one quantity is from its reference over a whole run.
type Comparison struct {
	Quantity, Unit string
	Max, RMS       float64 // of the difference at the samples of the reference
	At             float64 // s, where the difference is largest
	Range          float64 // of the reference
	Bound          float64 // what the largest difference may be
}

// Pass reports whether the quantity is within its bound.
func (c *Comparison) Pass() bool { return c.Max <= c.Bound }

// Compare compares the quantities of a run with those of a reference that have the same
// name, at the reference's samples. bound gives the largest difference allowed.
func Compare(
	run, reference *trace.Trace, bound func(quantity, unit string, signal float64) float64,
) []Comparison {
	var list []Comparison
	for i, channel := range run.Channels {
		name := channel.Name
		if !reference.Has(name) {
			continue
		}
		wanted := reference.Column(name)
		c := Comparison{Quantity: name, Unit: channel.Unit}
		sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
		for n, time := range reference.Time {
			want := wanted[n]
			d := math.Abs(trace.Wrapped(name, run.Values[i][run.Row(time)]-want))
			if d > c.Max || math.IsNaN(d) && !math.IsNaN(c.Max) {
				c.Max, c.At = d, time
			}
			sum += d * d
			low, high = min(low, want), max(high, want)
		}
		c.RMS, c.Range = math.Sqrt(sum/float64(len(reference.Time))), high-low
		c.Bound = bound(name, c.Unit, c.Range)
		list = append(list, c)
	}
	return list
}

// share is the largest difference relative to the range of the signal, "-" for one that
// hardly moves.
func (c *Comparison) share() string {
	if c.Range <= c.Bound {
		return "-"
	}
	return fmt.Sprintf("%.1e", c.Max/c.Range)
}

// unmatchedOutputs names the outputs of a run that a reference does not have.
func unmatchedOutputs(run, reference *trace.Trace) []string {
	var names []string
	for _, name := range run.Names() {
		if !reference.Has(name) && !drive.IsEnergy(name) && !strings.HasPrefix(name, "solver.") {
			names = append(names, name)
		}
	}
	return names
}

// trajectoryBound is the allowed difference of RK4 at 1 ms, or finer, from an exact solution: 1e-6 m, 1e-7 rad, 1e-6
// m/s, 1e-4 rad/s of wheel spin. Any other quantity may differ by 1e-5 of its range or of a small value for a vehicle,
// whichever is larger. This is far below the effect of 1e-4 rad/s of wheel spin on tire forces (0.2 N) and so on
// accelerations. The small value of the carcass, 1 J^0.5, corresponds to a force of some 400 N of a car tire. Those of
// networks are far below the voltages, currents, pressures and flows of a vehicle.
func trajectoryBound(quantity, unit string, signal float64) float64 {
	component, kind, _ := strings.Cut(quantity, ".")
	rotor := strings.HasPrefix(component, "rotor") // of a machine, faster than wheels
	turning := strings.HasPrefix(component, "wheel") || strings.HasPrefix(component, "tire") || rotor
	switch unit {
	case "m", "m/s":
		return 1e-6
	case "rad":
		if kind == "phi" || kind == "spin" || rotor {
			return 1e-4 // the angle that a wheel has rolled
		}
		return 1e-7
	case "rad/s":
		if turning {
			return 1e-4
		}
		return 1e-6
	}
	small := map[string]float64{"N": 1000, "N.m": 100, "m/s2": 1, "1": 1, "J^0.5": 1,
		"V": 1, "A": 1, "C": 0.1, "W": 100, "K": 1, "Pa": 1e5, "m3/s": 1e-5, "m3": 1e-4}
	return 1e-5 * max(signal, small[unit])
}

// worst names the comparison that uses most of its bound.
func worst(list []Comparison) *Comparison {
	var w *Comparison
	for i := range list {
		if c := &list[i]; w == nil || !(c.Max/c.Bound <= w.Max/w.Bound) {
			w = c
		}
	}
	return w
}

// String is the comparison in one line.
func (c *Comparison) String() string {
	return fmt.Sprintf("%s off by %.2g %s at %.4g s, allowed %.2g", c.Quantity, c.Max, c.Unit, c.At, c.Bound)
}
