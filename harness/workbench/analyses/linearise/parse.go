package linearise

import (
	"fmt"
	"math"
	"strings"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
)

// ParseValues reads NAME=FIRST:LAST:STEP or NAME=VALUE, the value of --at. Numbers can have a unit.
func ParseValues(text string) (manoeuvre.Variation, error) {
	name, list, ok := strings.Cut(text, "=")
	v := manoeuvre.Variation{Name: name}
	if !ok || name == "" {
		return v, fmt.Errorf("--at %q is neither NAME=FIRST:LAST:STEP nor NAME=VALUE", text)
	}
	var numbers []float64
	for part := range strings.SplitSeq(list, ":") {
		x, err := v.ParseNumber("--at", part)
		if err != nil {
			return v, err
		}
		numbers = append(numbers, x)
	}
	switch len(numbers) {
	case 1:
		v.Values = numbers
		return v, nil
	case 3:
	default:
		return v, fmt.Errorf("--at %s: FIRST:LAST:STEP or a single value is expected", text)
	}
	var err error
	if v.Values, err = Steps(numbers[0], numbers[1], numbers[2]); err != nil {
		return v, fmt.Errorf("--at %s: %w", text, err)
	}
	return v, nil
}

// Steps are values from the first to the last.
func Steps(first, last, step float64) ([]float64, error) {
	steps := math.Round((last - first) / step)
	const most = 1_000_000
	if !(steps >= 0 && steps < most) || math.Abs(first+steps*step-last) > 1e-6*math.Abs(step) {
		return nil, fmt.Errorf("steps of %g do not lead from %g to %g, or there are more than %d", step, first, last,
			most)
	}
	values := make([]float64, int(steps)+1)
	for i := range values {
		values[i] = first + float64(i)*step
	}
	return values, nil
}

// ForBode reads what a Bode plot is of: INPUT:OUTPUT, and FIRST:LAST:COUNT of frequencies [rad/s].
func (l *Result) ForBode(of, frequencies string) error {
	var ok bool
	if l.Input, l.Output, ok = strings.Cut(of, ":"); !ok {
		return fmt.Errorf("--bode %q is not INPUT:OUTPUT", of)
	}
	spread, err := manoeuvre.ParseVariation("frequencies=" + frequencies)
	if err != nil {
		return err
	}
	first, last := spread.Values[0], spread.Values[len(spread.Values)-1]
	if len(spread.Values) < 2 || first <= 0 || last <= first {
		return fmt.Errorf("--frequencies %s: they must be above 0 and rise", frequencies)
	}
	l.Frequencies = linear.LogSpace(first, last, len(spread.Values))
	return nil
}
