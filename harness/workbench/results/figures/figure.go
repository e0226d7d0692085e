package figures

import (
	"fmt"
	"math"
)

// Figure is a characteristic value. Value is NaN where it is missing.
type Figure struct {
	ID         string // "K_u"
	Definition string
	Unit       string
	Value      float64
	Time       float64 // when it was read [s], NaN where that is no single time
	Missing    string  // reason of a missing value
}

// Plot is a diagram of runs.
type Plot struct {
	Title, X, Y string // of the axes, with units
	Log         bool   // both axes
	Of          int    // the run that it shows, counted from 1; 0 for no single one
	Curves      []Curve
}

// Curve is a line of a plot.
type Curve struct {
	Label string // "" for the label of the run
	Run   int    // counted from 0
	X, Y  []float64
}

// Kind is a set of characteristic values.
type Kind struct {
	Name      string
	Text      string         // what is evaluated
	New       func() Options // of the kind
	Answer    []string       // figures of the answer; the test is named after the first
	Phases    []string       // that a run must have
	Following bool           // a following unit is needed
	Corners   bool           // suspensions are evaluated, where a car names them
	Batteries bool           // batteries are evaluated, where a vehicle has them
	Bounded   bool           // the largest deceleration that the tires allow is found for each run
	Inputs    []string       // of a half-car, which has no phases and no steering: keys that name inputs; nil for others
	Run       func(r *Record, options Options) []Figure
	All       func(runs []*Record, options Options) []Figure // of all runs together; nil for none
	Plots     func(runs []*Record, options Options) []Plot   // what the test is about, the first first; nil for none
}

// Of are the characteristic values of a run. If the run ended early, the reasons of missing values include the verdict
// of the run.
func (k *Kind) Of(r *Record, options Options) []Figure {
	list := k.Run(r, options)
	for i := range list {
		if r.Verdict != "" && list[i].Missing != "" {
			list[i].Missing += ": " + r.Verdict
		}
	}
	return list
}

// OfAll are the characteristic values of all runs together, none for a kind without. The reason of a missing value
// includes the verdict of the first run that ended early, and the number of further runs that ended early.
func (k *Kind) OfAll(runs []*Record, options Options) []Figure {
	if k.All == nil {
		return nil
	}
	ended, reason := 0, ""
	for i, r := range runs {
		if r.Verdict != "" {
			if ended++; ended == 1 {
				reason = fmt.Sprintf(": run %d: %s", i+1, r.Verdict)
			}
		}
	}
	if ended > 1 {
		reason += fmt.Sprintf(" (and %d more)", ended-1)
	}
	list := k.All(runs, options)
	for i := range list {
		if list[i].Missing != "" {
			list[i].Missing += reason
		}
	}
	return list
}

// kinds, in the order of the documentation.
var kinds = []Kind{slowlyIncreasingSteer, steadyCircleSpeed, steadyCircleRadius, stepSteer, sineSteer,
	frequencyResponse, sineWithDwell, straightBraking, brakeDistance, laneChange, rollover, disturbedTurn,
	steeringRelease, weave, straightRunning, crosswind, ride, obstacle, fourPost, standing, skidpad, acceleration,
	accelerationFromRest, speedChanges, drivingCycle, coastDown, articulatedSine, articulatedTurn,
	articulatedBraking, snaking, halfCar}

// Find returns a kind by its name, nil if there is none.
func Find(name string) *Kind {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	return nil
}

// Names lists the names of all kinds.
func Names() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return names
}

// figure makes a Figure without a time.
func figure(id, definition, unit string, value float64) Figure {
	return Figure{ID: id, Definition: definition, Unit: unit, Value: value, Time: math.NaN()}.checked()
}

// read makes a Figure with a time.
func read(id, definition, unit string, value, time float64) Figure {
	return Figure{ID: id, Definition: definition, Unit: unit, Value: value, Time: time}.checked()
}

// or sets the reason of a missing value if the value is NaN.
func (f Figure) or(format string, args ...any) Figure {
	if math.IsNaN(f.Value) {
		f.Missing = fmt.Sprintf(format, args...)
	}
	return f
}

// checked replaces infinite values by missing ones, and gives every missing value a reason.
func (f Figure) checked() Figure {
	switch {
	case math.IsInf(f.Value, 0):
		f.Value, f.Time, f.Missing = math.NaN(), math.NaN(), "infinite"
	case math.IsNaN(f.Value) && f.Missing == "":
		f.Time, f.Missing = math.NaN(), "not to be had from this run"
	}
	return f
}

// notReached is why there are no figures of a phase.
const notReached = "the run did not reach the phase"

// whole is a figure of all of a phase, which is missing where the run ended within it.
func (f Figure) whole(r *Record, phase string) Figure {
	if n := len(r.Phases); r.Verdict != "" && n > 0 && r.Phases[n-1].Name == phase {
		return f.without("the run ended in the phase " + phase)
	}
	return f
}

// without returns the figure as missing; an earlier reason is kept.
func (f Figure) without(reason string) Figure {
	if f.Missing == "" {
		f.Value, f.Time, f.Missing = math.NaN(), math.NaN(), reason
	}
	return f
}

// stillGrows and stillFalls are why there is no largest and no least value of a run that ended early.
const stillGrows, stillFalls = "it still grows when the run ends", "it still falls when the run ends"

// largest is the value of x with the largest magnitude from row first to row last, at its time.
func (r *Record) largest(id, definition, unit string, x []float64, first, last int) Figure {
	row := Peak(x, first, last)
	if row < 0 {
		return figure(id, definition, unit, math.NaN()).or(notReached)
	}
	f := read(id, definition, unit, x[row], r.Time[row])
	if r.cut(row) {
		return f.without(stillGrows)
	}
	return f
}
