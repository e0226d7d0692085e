package drive

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/manoeuvre"
)

// The variables of a vehicle that knows conditions that end runs.
const (
	endAtVariable   = "solver.end_at"
	endedVariable   = "solver.ended"
	endedAtVariable = "solver.ended_at"
)

// endMonitor looks at what ends a run: what the vehicle itself watches after every solver step, and conditions of
// the manoeuvre, at communication points.
type endMonitor struct {
	references []uint32 // of number and time, nil where the vehicle watches nothing
	values     [2]float64
	meanings   []string // of the numbers: "rolled-over body"
	asked      string   // text of the conditions to watch; "" for those of the model
	elsewhere  bool     // someone else looks
	conditions []conditionMonitor
	names      []string // of conditions, for the verdict
}

// formulaInstead says what else ends a run.
const formulaInstead = `a formula can be given for any vehicle, { formula = "abs(body.roll)", above = 0.5 }`

// connect selects the end conditions of the vehicle before it is initialised, unless the vehicle's own selection
// applies.
func (e *endMonitor) connect(s Subject, list []manoeuvre.EndCondition) error {
	var names []string
	for _, c := range list {
		if c.When == nil {
			names = append(names, c.Name)
			continue
		}
		w, err := newWatch(s, c.When)
		if err != nil {
			return fmt.Errorf("end_at: %w", err)
		}
		e.conditions, e.names = append(e.conditions, w), append(e.names, c.Name)
	}
	v, err := s.Find(endedVariable)
	if err != nil {
		if names = slices.DeleteFunc(names, func(name string) bool { return name == "none" }); len(names) > 0 {
			return fmt.Errorf("end_at: the vehicle knows no condition %q: it has no wheels, or another program made it; %s",
				names[0], formulaInstead)
		}
		return nil
	}
	if list != nil {
		text := "none"
		if len(names) > 0 {
			text = strings.Join(names, ", ")
		}
		e.asked = text
		if err := s.SetText(endAtVariable, text); err != nil {
			return fmt.Errorf("end_at: %w; fallen is for one or two wheels, rolled-over for bodies, below-road and crushed "+
				"for tires; %s", err, formulaInstead)
		}
	}
	_, meanings, _ := strings.Cut(v.Text, ": ")
	for i, meaning := range strings.Split(meanings, ", ") {
		e.meanings = append(e.meanings, strings.TrimPrefix(meaning, fmt.Sprintf("%d ", i+1)))
	}
	e.references, err = s.References(endedVariable, endedAtVariable)
	return err
}

// verdict is why a run is over at t seconds, "" where it is not.
func (e *endMonitor) verdict(s Subject, t float64) (string, error) {
	if e.references != nil && !e.elsewhere {
		if err := s.Get(e.references, e.values[:]); err != nil {
			return "", err
		}
		if number := int(e.values[0]); number > 0 && number <= len(e.meanings) {
			name, component, _ := strings.Cut(e.meanings[number-1], " ")
			return fmt.Sprintf("%s at %.6g s (%s)", name, e.values[1], component), nil
		}
	}
	for i := range e.conditions {
		holds, err := e.conditions[i].holds(s, t)
		if err != nil {
			return "", err
		}
		if holds {
			return fmt.Sprintf("%s at %.6g s", e.names[i], t), nil
		}
	}
	return "", nil
}
