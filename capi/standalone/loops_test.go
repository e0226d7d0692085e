package standalone

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/capi/standalone/text"
	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/tire/machinecode"
)

// unbounded lists functions with search loops, and the largest number of rounds.
var unbounded = map[string]string{
	"op_wide_room":      "6: halves of 64",
	"step_table":        "halves of a table",
	"step_modulo":       "2046 doublings and as many halvings: the exponents of numbers",
	"step_line_section": "lines of a grid along a road",
	"step_integrate":    "1e9 solver steps, see step_divide: as many as the longest one asks for",
	"vehicle_jacobian":  "columns of the Jacobian: groups of them, see vehicle_group_ends",
}

// Loops of generated C have a number of rounds that is known at generation, except the loops in unbounded.
func TestLoopsOfGeneratedCodeHaveBounds(t *testing.T) {
	found := map[string]bool{}
	for _, code := range []string{machinecode.NewText("vehicle").Operations(), text.StepMethods, text.StepGround,
		text.StepLine, text.VehicleRun, text.DerivativesRun} {
		testLoops(t, codeOf(code), found)
	}
	for name, limit := range unbounded {
		if !found[name] {
			t.Errorf("%s, of %s, has no such loop", name, limit)
		}
	}
	testrun.Slow(t)
	in := initialised(t, "generic4w", "solver.method", "euler")
	files, err := Files([]*cosim.Instance{in}, Options{Name: "vehicle", Derivatives: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := testLoops(t, codeOf(files[0].Text), found); n < 60 {
		t.Errorf("%d loops", n)
	}
}

// Planted loops are found.
func TestLoopsWithoutBoundsAreFound(t *testing.T) {
	for _, loop := range []string{
		"for (i = 0; i < x[0]; i++)\n        x[i] = 0;",       // a bound that is a state
		"for (i = 0; i < n; i++)\n        n++;",               // a moving bound
		"for (i = 0; i < 8; i++)\n        i -= 1;",            // a counter that the body changes
		"for (i = 0; i < 8; j++)\n        j = 0;",             // another counter
		"for (i = 0; x[i] > 0; i++)\n        x[i] = 0;",       // a search
		"for (;;) {\n        n = 0;\n    }",                   // no end
		"while (i < 8)\n        i++;",                         // not a count
		"for (i = 8; i < 8; i--) {\n        x[i] = 0;\n    }", // the other way
	} {
		found := map[string]bool{}
		code := "static void planted(double *x, int n)\n{\n    int i, j;\n    " + loop + "\n}\n"
		if boundless(code, found); !found["planted"] {
			t.Error(loop)
		}
	}
}

func testLoops(t *testing.T, code string, found map[string]bool) (loops int) {
	t.Helper()
	here := map[string]bool{}
	loops = boundless(code, here)
	for name := range here {
		if found[name] = true; unbounded[name] == "" {
			t.Errorf("%s has a loop whose number of rounds is not fixed", name)
		}
	}
	return loops
}

var (
	counted = regexp.MustCompile(`^(\w+)(?: \+ \d+)? (<|<=|>|>=) (.*)$`)
	// bounds are constants, members with counts, and values of tables; names come after them
	bounds = regexp.MustCompile(`^(?:(?:\d+ \* )?(?:vehicle_count\()?-?[A-Z0-9]\w*\)?(?: / \d+)?|STEP_\w+\(w\)|` +
		`(?:\w+(?:->|\.))+(?:\w+_count|points|columns)|s->indices\[cell \+ 1\]|` +
		`step_line_(?:blocks\(l\)|block_end\(l, i\))|vehicle_column_entries\[column \+ 1\])(?: && .*)?$`)
	counting = regexp.MustCompile(`^(\w+)(\+\+|--| \+= \w+| -= \w+)(?:, .*)?$`)
)

// boundless collects functions with unbounded loops, and counts all loops.
func boundless(code string, found map[string]bool) (loops int) {
	for name, f := range functionsOf(code) {
		if strings.Contains(f.body, "while (") {
			found[name] = true
			loops++
		}
		for _, at := range regexp.MustCompile(`\bfor \(`).FindAllStringIndex(f.body, -1) {
			loops++
			head := f.body[at[1]:closing(f.body, at[1]-1)]
			body := statementAt(f.body, at[1]+len(head)+1)
			if parts := strings.Split(head, ";"); len(parts) != 3 ||
				!isBounded(f, strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2]), body) {
				found[name] = true
			}
		}
	}
	return loops
}

// isBounded reports whether a loop counts to a bound that the loop does not change.
func isBounded(f function, condition, step, body string) bool {
	c, by := counted.FindStringSubmatch(condition), counting.FindStringSubmatch(step)
	if c == nil || by == nil || c[1] != by[1] || changes(body, c[1]) {
		return false
	}
	if down := strings.Contains(by[2], "-"); down != (c[2][0] == '>') {
		return false
	}
	if bounds.MatchString(c[3]) {
		return true
	}
	// a parameter, or a constant of the function
	limit, _, _ := strings.Cut(c[3], " && ")
	limit = strings.TrimSuffix(strings.TrimPrefix(limit, "5 * "), " / 2")
	isName := regexp.MustCompile(`^\w+$`).MatchString(limit)
	given := slices.Contains(regexp.MustCompile(`\w+`).FindAllString(f.parameters, -1), limit)
	return isName && !changes(body, limit) &&
		(given || regexp.MustCompile(`const (?:size_t|int|int32_t) `+limit+` = `).MatchString(f.body))
}

// changes reports whether a text writes a variable.
func changes(body, name string) bool {
	return regexp.MustCompile(`\b` + name + `(?:\+\+|--| [-+*/]?= )|(?:\+\+|--|&)` + name + `\b`).MatchString(body)
}

// closing returns the index at which the open parenthesis or brace closes.
func closing(code string, from int) int {
	depth := 0
	for k := from; k < len(code); k++ {
		switch code[k] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return len(code)
}

// statementAt returns the statement or block at an index.
func statementAt(code string, from int) string {
	brace, end := strings.IndexByte(code[from:], '{'), strings.IndexByte(code[from:], ';')
	if brace >= 0 && (end < 0 || brace < end) {
		return code[from:closing(code, from+brace)]
	}
	return code[from : from+max(0, end)]
}
