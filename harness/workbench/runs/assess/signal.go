package assess

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// Signal is a formula over a run, and how it becomes one value.
type Signal struct {
	formula   string
	unit      string
	reduce    string  // one of reductions
	phase     string  // "" for the whole run
	from, to  float64 // s after the phase began; +Inf for its end
	constants map[string]float64
	place     string // for messages
}

// timeName is the time [s] since the phase began, in formulas.
const timeName = "time"

// signal reads the signal of a check.
func (r *reader) signal(f *keys.Fields) *Signal {
	s := &Signal{formula: f.Text("signal"), unit: f.Text("unit"), reduce: f.Text("reduce"), phase: f.Text("phase"),
		from: f.Number("from"), to: math.Inf(1), constants: r.Constants}
	n := f.Node("signal")
	s.place = fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column)
	if f.Given("to") {
		s.to = f.Number("to")
	}
	if s.from > s.to {
		f.Fault("from", "%s is %g s, after %s, which is %g s", f.PathOf("from"), s.from, f.PathOf("to"), s.to)
	}
	if roles.Mentions(s.formula) {
		return s // it is read with the roles of the vehicle
	}
	if _, err := signal.ParseLaw(s.formula, r.Constants); err != nil {
		f.Fault("signal", "%s is %s: %v", f.PathOf("signal"), n, err)
	}
	return s
}

// resultUnit is the unit of the value.
func (s *Signal) resultUnit() string {
	if s.reduce == "longest" || s.reduce == "first" {
		return "s"
	}
	return s.unit
}

// signalLaw is a signal with the variables of a vehicle.
type signalLaw struct {
	*Signal
	*signal.Law
}

// law is the signal with variables in place of roles.
func (s *Signal) law(vehicle *roles.Roles) (*signalLaw, error) {
	formula, err := vehicle.Formula(s.formula)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.place, err)
	}
	law, err := signal.ParseLaw(formula, s.constants)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.place, err)
	}
	return &signalLaw{s, law}, nil
}

// of is the value of a run, or NaN and why it is missing.
func (s *signalLaw) of(run *drive.Result) (value float64, missing string) {
	recorded := run.Trace.Beside(run.Inputs)
	begin, end := recorded.Time[0], recorded.Time[len(recorded.Time)-1]
	if s.phase != "" {
		i := slices.IndexFunc(run.Phases, func(p drive.PhaseInterval) bool { return p.Name == s.phase })
		if i < 0 {
			return math.NaN(), fmt.Sprintf("the run does not reach the phase %q", s.phase)
		}
		begin, end = run.Phases[i].Begin, run.Phases[i].End
	}
	until := min(end, begin+s.to)
	if run.Verdict != "" && until >= recorded.Time[len(recorded.Time)-1] {
		return math.NaN(), "the run ended early: " + run.Verdict
	}
	const rounding = 1e-9 // s
	first := sort.SearchFloat64s(recorded.Time, begin+s.from-rounding)
	last := sort.SearchFloat64s(recorded.Time, until+rounding) - 1
	if first > last {
		return math.NaN(), fmt.Sprintf("the phase ends before %g s", s.from)
	}
	columns := make([][]float64, len(s.Reads))
	for i, name := range s.Reads {
		if name == timeName {
			continue
		}
		if !recorded.Has(name) {
			return math.NaN(), fmt.Sprintf("%s: the vehicle has no output %q, and the manoeuvre sets no such input", s.place,
				name)
		}
		columns[i] = recorded.Column(name)
	}
	values := make([]float64, last-first+1)
	read := make([]float64, len(columns))
	for row := first; row <= last; row++ {
		for i, column := range columns {
			if column == nil {
				read[i] = recorded.Time[row] - begin
			} else {
				read[i] = column[row]
			}
		}
		values[row-first] = s.Value(read)
	}
	value = reduced(s.reduce, recorded.Time[first:last+1], values)
	switch {
	case s.reduce == "first" && math.IsInf(value, 1):
		return math.NaN(), "the signal is never above 0"
	case math.IsNaN(value):
		return value, "the signal has no value"
	}
	if s.reduce == "first" {
		value -= begin
	}
	return value, ""
}

// reduced makes one value of a signal: of reduce "first" the time, +Inf where the signal is never above 0.
func reduced(reduce string, time, values []float64) float64 {
	if slices.ContainsFunc(values, math.IsNaN) {
		return math.NaN()
	}
	last := len(values) - 1
	switch reduce {
	case "largest":
		return slices.Max(values)
	case "least":
		return slices.Min(values)
	case "last":
		return values[last]
	case "mean":
		if last == 0 {
			return values[0]
		}
		sum := 0.0
		for i := 1; i <= last; i++ {
			sum += (values[i] + values[i-1]) / 2 * (time[i] - time[i-1])
		}
		return sum / (time[last] - time[0])
	case "longest":
		longest, since := 0.0, math.NaN()
		for i, x := range values {
			if x > 0 && math.IsNaN(since) {
				since = time[i]
			}
			if !(x > 0) {
				since = math.NaN()
			}
			if x > 0 {
				longest = max(longest, time[i]-since)
			}
		}
		return longest
	}
	if i := slices.IndexFunc(values, func(x float64) bool { return x > 0 }); i >= 0 {
		return time[i]
	}
	return math.Inf(1)
}
