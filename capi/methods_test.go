package main

import (
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/model/solver"
)

// step.c has the methods that package solver lists as methods in C, and host programs try each of them.
func TestMethodsInC(t *testing.T) {
	var quoted []string
	for _, m := range solver.Methods() {
		if _, is := methods[m.Name]; is != m.InC {
			t.Errorf("%s: in C %v, in package solver %v", m.Name, is, m.InC)
		}
		if m.InC {
			quoted = append(quoted, `"`+m.Name+`"`)
		}
	}
	if len(quoted) != len(methods) {
		t.Errorf("step.c has %d methods, package solver %q", len(methods), quoted)
	}
	list := strings.Join(quoted, ", ")
	for _, file := range []string{"programs/paths.c", "programs/vehicles.c", "conformance/importer.py"} {
		text, err := os.ReadFile(built.Path("harness", "hosts", file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), list) {
			t.Errorf("harness/hosts/%s does not try the methods %s", file, list)
		}
	}
}
