package cosim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/program"
)

// The variables of conditions that end runs, which a model has that has such conditions.
const (
	endAtVariable   = "solver.end_at"
	endedVariable   = "solver.ended"
	endedAtVariable = "solver.ended_at"
)

// noEnd is the text for no condition.
const noEnd = "none"

// ended is what has become true of the conditions that end runs. The engine goes on: harnesses and importers end runs.
type ended struct {
	watched []int   // indices of the conditions that are looked at, nil for none
	number  float64 // of the condition that became true first, counted from 1; 0 for none
	at      float64 // time at which the solver step ended in which it did [s]
	told    bool    // it has been said
}

// namedEnds are the conditions that a text names, which resets need not read again.
type namedEnds struct {
	text       string
	conditions []int
}

// endNames are the names of a program's conditions, each once.
func endNames(ends []program.End) []string {
	var names []string
	for _, e := range ends {
		names = append(names, e.Name)
	}
	return slices.Compact(names) // they are in the order of their names
}

// defaultEnds is what the text of the conditions says in a model file's stead.
func defaultEnds(ends []program.End) string {
	var names []string
	for _, e := range ends {
		if e.Default {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return noEnd
	}
	return strings.Join(slices.Compact(names), ", ")
}

// endsOf finds the conditions that a text names: "none", or names with commas between them.
func (s *System) endsOf(text string) ([]int, error) {
	var list []int
	if strings.TrimSpace(text) == noEnd {
		return nil, nil
	}
	known := endNames(s.program.Ends)
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%s is %q; it must be %s, or a list of %s with commas between them", endAtVariable, text,
				noEnd, strings.Join(known, ", "))
		}
		for i, e := range s.program.Ends {
			if e.Name == name && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	slices.Sort(list) // of two that become true in one step, the first counts
	return list, nil
}

// isEnd reports whether a number is that of a condition, or 0.
func (s *System) isEnd(number float64) bool {
	return number >= 0 && number <= float64(len(s.program.Ends)) && number == math.Trunc(number)
}

// watchEnds takes over which conditions are looked at.
func (in *Instance) watchEnds(texts []string) error {
	in.ends.watched = nil
	if len(in.sys.program.Ends) == 0 {
		return nil
	}
	if text := texts[in.sys.texts.endAt]; in.endAt == nil || text != in.endAt.text {
		watched, err := in.sys.endsOf(text)
		if err != nil {
			return err
		}
		in.endAt = &namedEnds{text, watched}
	}
	in.ends.watched = in.endAt.conditions
	return nil
}

// lookForEnd notes the first condition that has become true by the end of a solver step at time t, with the inputs of
// that time. On terrain, the ground is that of the latest evaluation.
func (in *Instance) lookForEnd(t float64) {
	if in.ends.number != 0 || len(in.ends.watched) == 0 {
		return
	}
	if in.sides.wheels == nil {
		in.inputsAt(in.since)
	}
	if k := in.endNow(); k != 0 {
		in.ends.number, in.ends.at = k, t
	}
}

// endNow is the number of the first condition that is true at the state with the inputs as they are continued.
func (in *Instance) endNow() float64 {
	side := in.sides.ends
	side.Evaluate(in.x[:len(in.sys.program.States)], in.continued, nil)
	for _, i := range in.ends.watched {
		if side.Value(i) > 0 {
			return float64(i + 1)
		}
	}
	return 0
}

// endValue is variable k of those of the conditions that end runs: the number, then the time. Where someone else
// integrates, and steps are not known, they are those of the present state. The outputs must be fresh.
func (in *Instance) endValue(k int) float64 {
	number, at := in.ends.number, in.ends.at
	if in.externallyIntegrated && len(in.ends.watched) > 0 {
		if number = in.endNow(); number != 0 {
			at = in.t
		}
	}
	if k == 0 {
		return number
	}
	return at
}

// endWarning says once that a condition has become true.
func (in *Instance) endWarning() []string {
	if in.ends.number == 0 || in.ends.told {
		return nil
	}
	in.ends.told = true
	return []string{in.endText()}
}

// endText says which condition has become true.
func (in *Instance) endText() string {
	e := in.sys.program.Ends[int(in.ends.number)-1]
	return fmt.Sprintf("%s: %s at %.6g s; what follows is beyond what the model is for (%s)", e.Component, e.Name,
		in.ends.at, endAtVariable)
}
