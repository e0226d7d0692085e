package manoeuvre

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"skidpad/harness/workbench/runs/constants"
)

// Variation is a parameter or start value, or several that are alike, and the values they take
// in a sweep.
type Variation struct {
	Name   string // of several: with + between
	Values []float64
	// Written is the first value with a unit. The unit must fit the variables.
	Written constants.Written

	plain bool // a value without a unit was read, which is not 0
}

// ParseNumber reads a number, or one with a unit, of the values of a flag. Where one has a unit, all have, of one kind;
// 0 needs none.
func (v *Variation) ParseNumber(flag, text string) (float64, error) {
	text = strings.TrimSpace(text)
	if x, written, is, err := constants.ParseWritten(flag, v.Name, text); is || err != nil {
		if err == nil {
			err = written.Fits(v.Written.SI())
		}
		if v.Written == (constants.Written{}) {
			v.Written = written
		}
		if err == nil && v.plain {
			err = v.mixed(flag)
		}
		return x, err
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		return 0, fmt.Errorf("%s %s: %q is not a finite number, with a unit or without", flag, v.Name, text)
	}
	if v.plain = v.plain || x != 0; v.plain && v.Written != (constants.Written{}) {
		return 0, v.mixed(flag)
	}
	return x, nil
}

// mixed is the error for values with and without a unit.
func (v *Variation) mixed(flag string) error {
	return fmt.Errorf("%s %s: some values have a unit, others have none; write it behind each, or all in SI units", flag,
		v.Name)
}

// ParseVariation reads NAME=FIRST:LAST:COUNT, evenly spaced, or NAME=VALUE,VALUE,... For
// several that take the same values NAME is NAME+NAME. Values can have a unit.
func ParseVariation(text string) (Variation, error) {
	name, list, ok := strings.Cut(text, "=")
	v := Variation{Name: name}
	if !ok || name == "" {
		return v, fmt.Errorf("%q is neither NAME=FIRST:LAST:COUNT nor a list NAME=VALUE,VALUE", text)
	}
	number := func(s string) (float64, error) { return v.ParseNumber("--param", s) }
	if parts := strings.Split(list, ":"); len(parts) == 3 {
		first, err1 := number(parts[0])
		last, err2 := number(parts[1])
		count, err3 := strconv.Atoi(strings.TrimSpace(parts[2]))
		if err3 != nil || count < 2 || count > MostRuns {
			err3 = fmt.Errorf("%s: the count %q is not a whole number from 2 to %d", text, parts[2], MostRuns)
		}
		if err := errors.Join(err1, err2, err3); err != nil {
			return v, err
		}
		for i := range count {
			v.Values = append(v.Values, first+(last-first)*float64(i)/float64(count-1))
		}
		return v, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		x, err := number(part)
		if err != nil {
			return v, err
		}
		v.Values = append(v.Values, x)
	}
	return v, nil
}

// MostRuns bounds the combinations of what varies.
const MostRuns = 10_000_000
