package bench

import (
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
)

// Sweeps and recordings are measured next to their bare steps.
func TestSweepsAndRecordingsAreComparedWithTheirSteps(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &Suite{Library: l, Resources: resources, Rounds: 3}
	swept, err := s.sweepBySteps(5, 20)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := s.recordBySteps(30)
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range []Section{swept, recorded} {
		if len(section.List) != 2 || section.List[0].Name != section.Base || section.List[0].Median() <= 0 {
			t.Errorf("%+v", section)
		}
	}
}
