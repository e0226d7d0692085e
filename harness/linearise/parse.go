package linearise

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"skidpad/harness/manoeuvre"
	"skidpad/model/linear"
)

// ParseValues reads NAME=FIRST:LAST:STEP or NAME=VALUE, the value of --at.
func ParseValues(text string) (manoeuvre.Variation, error) {
	name, list, ok := strings.Cut(text, "=")
	v := manoeuvre.Variation{Name: name}
	if !ok || name == "" {
		return v, fmt.Errorf("--at %q is neither NAME=FIRST:LAST:STEP nor NAME=VALUE", text)
	}
	var numbers []float64
	for part := range strings.SplitSeq(list, ":") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || x-x != 0 {
			return v, fmt.Errorf("--at %s: %q is not a finite number", text, part)
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
	steps := math.Round((numbers[1] - numbers[0]) / numbers[2])
	const most = 1_000_000
	if !(steps >= 0 && steps < most) || math.Abs(numbers[0]+steps*numbers[2]-numbers[1]) > 1e-6*math.Abs(numbers[2]) {
		return v, fmt.Errorf("--at %s: steps of %g do not lead from %g to %g, or there are more than %d", text,
			numbers[2], numbers[0], numbers[1], most)
	}
	for i := range int(steps) + 1 {
		v.Values = append(v.Values, numbers[0]+float64(i)*numbers[2])
	}
	return v, nil
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
