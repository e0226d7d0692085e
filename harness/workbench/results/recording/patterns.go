package recording

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"skidpad/model/roles"
)

// Choose returns which variables patterns choose, outputs before locals. A pattern chooses names, with * for any text,
// ? for any character and [a-c] for one of some; with - before it, it leaves them out. Where all patterns leave out,
// the rest of the outputs is chosen. A pattern that no name fits is an error.
func Choose(patterns, outputs, locals []string, vehicle *roles.Roles) ([]string, error) {
	patterns, err := withoutRoles(patterns, vehicle)
	if err != nil {
		return nil, err
	}
	names := slices.Concat(outputs, locals)
	chosen := make([]bool, len(names))
	if !slices.ContainsFunc(patterns, func(p string) bool { return !strings.HasPrefix(p, "-") }) {
		for i := range outputs {
			chosen[i] = true
		}
	}
	for _, p := range patterns {
		pattern, out := strings.CutPrefix(p, "-")
		fits, exact := false, slices.Contains(names, pattern) // as an element of an array, y[2], is
		for i, name := range names {
			ok, err := name == pattern, error(nil)
			if !exact {
				ok, err = path.Match(pattern, name)
			}
			if err != nil {
				return nil, fmt.Errorf("%q is no pattern: %w; * stands for any text, ? for any character, [a-c] for one of "+
					"some", p, err)
			}
			if ok {
				fits, chosen[i] = true, !out
			}
		}
		if !fits {
			return nil, fmt.Errorf("no output or local variable fits %q; there are %s", p, some(names))
		}
	}
	var list []string
	for i, name := range names {
		if chosen[i] {
			list = append(list, name)
		}
	}
	if list == nil {
		return nil, fmt.Errorf("%q leave no output", patterns)
	}
	return list, nil
}

// Split cuts a list of patterns at its commas, except for those in the brackets of an element of an array, a[1,2].
func Split(list string) (patterns []string) {
	depth, begin := 0, 0
	for i, c := range list {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth <= 0:
			patterns, begin = append(patterns, list[begin:i]), i+1
		}
	}
	return append(patterns, list[begin:])
}

// ChooseInOrder is Choose in the order of the patterns, once each; a pattern in rate() gives rate(NAME) for each name
// that fits. A name without marks of patterns need not be an output or a local variable.
func ChooseInOrder(patterns, outputs, locals []string, vehicle *roles.Roles) ([]string, error) {
	var list []string
	if !slices.ContainsFunc(patterns, func(p string) bool { return !strings.HasPrefix(strings.TrimSpace(p), "-") }) {
		list = slices.Clone(outputs)
	}
	for _, p := range patterns {
		p, leave := strings.CutPrefix(strings.TrimSpace(p), "-")
		inner, rate := strings.CutPrefix(p, "rate(")
		if rate {
			inner = strings.TrimSuffix(inner, ")")
		}
		names := []string{inner}
		if leave || strings.ContainsAny(inner, "*?[@") {
			var err error
			if names, err = Choose(names, outputs, locals, vehicle); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			if rate {
				name = "rate(" + name + ")"
			}
			switch i := slices.Index(list, name); {
			case leave && i >= 0:
				list = slices.Delete(list, i, i+1)
			case !leave && i < 0:
				list = append(list, name)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%q leave no output", patterns)
	}
	return list, nil
}

// some lists a few names.
func some(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// withoutRoles puts the names of the vehicle in place of roles.
func withoutRoles(patterns []string, vehicle *roles.Roles) (list []string, err error) {
	if vehicle == nil {
		vehicle = &roles.Roles{}
	}
	for _, pattern := range patterns {
		pattern, leave := strings.CutPrefix(strings.TrimSpace(pattern), "-")
		names, err := vehicle.Pattern(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if leave {
				name = "-" + name
			}
			list = append(list, name)
		}
	}
	return list, nil
}
