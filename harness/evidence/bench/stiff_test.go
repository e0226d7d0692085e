package bench

import (
	"path/filepath"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Steps with both matrices are measured next to steps of euler.
func TestStiffStepsAreMeasured(t *testing.T) {
	testrun.OnlyAll(t)
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &Suite{Resources: resources, Rounds: 3, Library: l}
	list, err := s.stiffOf(filepath.Join(resources, "models", "generic4w.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		m := &list[i]
		t.Logf("%s: %.0f ns", m.Name, m.Median())
		if !(m.Median() > 0) {
			t.Errorf("%s takes %g ns", m.Name, m.Median())
		}
	}
	if len(list) != 3 {
		t.Errorf("there are %d measurements", len(list))
	}
}
