package manoeuvre

import (
	"cmp"
	"slices"
	"strconv"

	"skidpad/harness/keys"
)

// Setting is a parameter or a text that is set before initialisation.
type Setting struct{ Name, Value string }

// FileSetting is a Setting of a file, which may come from anyone.
type FileSetting struct {
	Setting
	Place   string       // file:line:column
	Written keys.Written // where it has a unit
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
