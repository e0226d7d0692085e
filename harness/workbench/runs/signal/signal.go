// Package signal has the functions of time that inputs follow, and formulas over what a vehicle publishes.
package signal

import (
	"maps"
	"math"
	"sort"

	"skidpad/model/expr"
)

// Signal is a function of time with its first two derivatives, so that a
// prescribed motion can be given with its rate and acceleration.
type Signal interface {
	// At returns the value and its derivatives at t seconds. At a corner of a signal, they belong to the side that t is
	// about to enter.
	At(t float64) (value, rate, acceleration float64)
}

// cornered is a signal with corners. Before is At on the side that t leaves.
type cornered interface {
	Before(t float64) (value, rate, acceleration float64)
}

// Before returns the value and the derivatives of a signal at t seconds, on the side that t leaves.
func Before(s Signal, t float64) (value, rate, acceleration float64) {
	if c, ok := s.(cornered); ok {
		return c.Before(t)
	}
	return s.At(t)
}

// rounding is how far a corner may be from a communication point that is meant to be the same [s]: communication
// points are rounded multiples of a step.
const rounding = 1e-9

// Constant is the same value at all times.
type Constant float64

func (c Constant) At(float64) (value, rate, acceleration float64) { return float64(c), 0, 0 }

// Sine is Amplitude sin(2 pi t/Period).
type Sine struct {
	Amplitude float64
	Period    float64 // s, > 0
}

func (s Sine) At(t float64) (value, rate, acceleration float64) {
	w := 2 * math.Pi / s.Period
	sin, cos := math.Sincos(w * t)
	return s.Amplitude * sin, s.Amplitude * w * cos, -s.Amplitude * w * w * sin
}

// PiecewiseLinear passes through (Time[i], Value[i]) in straight lines and is
// constant before the first and after the last point. Time increases strictly.
type PiecewiseLinear struct{ Time, Value []float64 }

func (p PiecewiseLinear) At(t float64) (value, rate, acceleration float64) { return p.at(t, rounding) }

// Before is At on the side that t leaves.
func (p PiecewiseLinear) Before(t float64) (value, rate, acceleration float64) {
	return p.at(t, -rounding)
}

// at is the value at t on the straight line at t + side.
func (p PiecewiseLinear) at(t, side float64) (value, rate, acceleration float64) {
	last := len(p.Time) - 1
	i := sort.Search(last+1, func(i int) bool { return p.Time[i] > t+side }) // first point after t
	switch i {
	case 0:
		return p.Value[0], 0, 0
	case last + 1:
		return p.Value[last], 0, 0
	}
	rate = (p.Value[i] - p.Value[i-1]) / (p.Time[i] - p.Time[i-1])
	return p.Value[i-1] + rate*(t-p.Time[i-1]), rate, 0
}

// Steps is Value[i] from Time[i] on, and zero before the first time. Time increases strictly.
type Steps PiecewiseLinear

func (s Steps) At(t float64) (value, rate, acceleration float64) { return s.at(t + rounding) }

// Before is At on the side that t leaves.
func (s Steps) Before(t float64) (value, rate, acceleration float64) { return s.at(t - rounding) }

func (s Steps) at(t float64) (value, rate, acceleration float64) {
	i := sort.Search(len(s.Time), func(i int) bool { return s.Time[i] > t })
	if i == 0 {
		return 0, 0, 0
	}
	return s.Value[i-1], 0, 0
}

// Formula is a formula over time [s] with its derivatives.
type Formula struct {
	time      *expr.Expr
	constants map[*expr.Expr]float64
	value     [3]*expr.Expr
}

// ParseFormula reads a formula over the name time and constants.
func ParseFormula(text string, constants map[string]float64) (*Formula, error) {
	pool := expr.NewPool()
	f := &Formula{time: pool.Sym("time", expr.Input), constants: map[*expr.Expr]float64{}}
	value, err := pool.Parse(text, func(name string) *expr.Expr {
		if name == "time" {
			return f.time
		}
		if x, constant := constants[name]; constant {
			symbol := pool.Sym(name, expr.Parameter)
			f.constants[symbol] = x
			return symbol
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rate := pool.Diff(value, f.time)
	f.value = [3]*expr.Expr{value, rate, pool.Diff(rate, f.time)}
	return f, nil
}

func (f *Formula) At(t float64) (value, rate, acceleration float64) {
	values := maps.Clone(f.constants)
	values[f.time] = t
	at := expr.NewEvaluator(values)
	return at.Value(f.value[0]), at.Value(f.value[1]), at.Value(f.value[2])
}

// SineWithDwell is one period of a sine with its second peak held for Dwell, then 0 (after FMVSS 126); its duration is
// 1/Frequency + Dwell.
type SineWithDwell struct {
	Amplitude float64
	Frequency float64 // Hz, > 0
	Dwell     float64 // s, >= 0
}

func (s SineWithDwell) At(t float64) (value, rate, acceleration float64) { return s.at(t, rounding) }

// Before is At on the side that t leaves.
func (s SineWithDwell) Before(t float64) (value, rate, acceleration float64) {
	return s.at(t, -rounding)
}

// at is the value at t on the part of the signal at t + side.
func (s SineWithDwell) at(t, side float64) (value, rate, acceleration float64) {
	peak := 0.75 / s.Frequency
	switch part := t + side; {
	case part >= 1/s.Frequency+s.Dwell:
		return 0, 0, 0
	case part >= peak+s.Dwell:
		t -= s.Dwell
	case part >= peak:
		return -s.Amplitude, 0, 0
	}
	return Sine{s.Amplitude, 1 / s.Frequency}.At(t)
}

// Chirp is a sine whose frequency rises in proportion to time from First to Last, and begins again after Period. The
// mean of both times Period is a whole number, so that it has no jumps.
type Chirp struct {
	Amplitude   float64
	First, Last float64 // Hz
	Period      float64 // s, > 0
}

func (c Chirp) At(t float64) (value, rate, acceleration float64) { return c.at(t, rounding) }

// Before is At on the side that t leaves.
func (c Chirp) Before(t float64) (value, rate, acceleration float64) { return c.at(t, -rounding) }

// at is the value at t in the period at t + side.
func (c Chirp) at(t, side float64) (value, rate, acceleration float64) {
	t -= c.Period * math.Floor((t+side)/c.Period)
	rise := (c.Last - c.First) / c.Period
	sin, cos := math.Sincos(2 * math.Pi * (c.First*t + rise*t*t/2))
	w := 2 * math.Pi * (c.First + rise*t)
	return c.Amplitude * sin, c.Amplitude * w * cos, c.Amplitude * (2*math.Pi*rise*cos - w*w*sin)
}

// Scaled is a signal times a factor.
type Scaled struct {
	Signal
	Factor float64
}

func (s Scaled) At(t float64) (value, rate, acceleration float64) {
	value, rate, acceleration = s.Signal.At(t)
	return s.Factor * value, s.Factor * rate, s.Factor * acceleration
}

// Before is At on the side that t leaves.
func (s Scaled) Before(t float64) (value, rate, acceleration float64) {
	value, rate, acceleration = Before(s.Signal, t)
	return s.Factor * value, s.Factor * rate, s.Factor * acceleration
}
