package manoeuvre

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/runs/constants"
)

// Setting is a parameter or a text that is set before initialisation.
type Setting struct {
	Name, Value string            // a number in SI units
	Written     constants.Written // where it has a unit
}

// ParseSetting reads the value of a parameter or a string, such as 1100, "1100 kg" or Fiala; position is that of
// the setting, for messages. A name of a file is never a number with a unit.
func ParseSetting(position, name, value string) (Setting, error) {
	if namesFile(name) {
		return Setting{Name: name, Value: value}, nil
	}
	if number, _, _ := strings.Cut(strings.TrimSpace(value), " "); isInfinite(number) {
		return Setting{}, fmt.Errorf("%s: %q is %q: %s is not a finite number", position, name, value, number)
	}
	x, written, is, err := constants.ParseWritten(position, name, value)
	if err == nil && is {
		value = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return Setting{name, value, written}, err
}

// isInfinite reports whether a text stands for a number that is not finite, or too large to be one.
func isInfinite(text string) bool {
	x, err := strconv.ParseFloat(text, 64)
	return errors.Is(err, strconv.ErrRange) || err == nil && (math.IsInf(x, 0) || math.IsNaN(x))
}

// FileSetting is a Setting of a file, which may come from anyone.
type FileSetting struct {
	Setting
	Place string // file:line:column
}

// Plain are settings without their places.
func Plain(settings []FileSetting) []Setting {
	var list []Setting
	for _, s := range settings {
		list = append(list, s.Setting)
	}
	return list
}

// TextsFirst puts texts before numbers: which coefficients a tire has follows from its function.
func TextsFirst(settings []Setting) []Setting {
	sorted := slices.Clone(settings)
	slices.SortStableFunc(sorted, func(a, b Setting) int { return cmp.Compare(order(a), order(b)) })
	return sorted
}

// order is 0 for a text and 1 for a number.
func order(s Setting) int {
	if _, err := strconv.ParseFloat(s.Value, 64); err != nil {
		return 0
	}
	return 1
}
