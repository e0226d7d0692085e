package harness

import (
	"math"
	"sort"

	"skidpad/model/expr"
)

// Signal is a function of time with its first two derivatives, so that a
// prescribed motion can be given with its rate and acceleration.
type Signal interface {
	// At returns the value and its derivatives at t seconds. Where a signal has
	// a corner, they are those of the side t is about to enter.
	At(t float64) (value, rate, acceleration float64)
}

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

func (p PiecewiseLinear) At(t float64) (value, rate, acceleration float64) {
	last := len(p.Time) - 1
	i := sort.Search(last+1, func(i int) bool { return p.Time[i] > t }) // first point after t
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

func (s Steps) At(t float64) (value, rate, acceleration float64) {
	// communication points are rounded multiples of a step
	i := sort.Search(len(s.Time), func(i int) bool { return s.Time[i] > t+1e-9 })
	if i == 0 {
		return 0, 0, 0
	}
	return s.Value[i-1], 0, 0
}

// Formula is a formula over time [s] with its derivatives.
type Formula struct {
	time  *expr.Expr
	value [3]*expr.Expr
}

// ParseFormula reads a formula over the name time.
func ParseFormula(text string) (*Formula, error) {
	pool := expr.NewPool()
	f := &Formula{time: pool.Sym("time", expr.Input)}
	value, err := pool.Parse(text, func(name string) *expr.Expr {
		if name == "time" {
			return f.time
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
	at := expr.NewEvaluator(map[*expr.Expr]float64{f.time: t})
	return at.Value(f.value[0]), at.Value(f.value[1]), at.Value(f.value[2])
}
