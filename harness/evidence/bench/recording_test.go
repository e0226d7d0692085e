package bench

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// All cases of recording are measured in turn, for steered vehicles only.
func TestRecordingIsMeasuredInTurn(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.RequiresOne(t, "gcc", "cc")
	s := &Suite{Resources: resources, Rounds: 2, Header: filepath.Join("..", "..", "..", "capi"),
		Library: &library.Library{Path: built.Library(t)}}
	list, err := s.recordingOf(filepath.Join(resources, "models", "generic4w.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if m := &list[i]; len(list) != len(recordingCases) || len(m.Values) != 2 || !(m.Median() > 0) {
			t.Errorf("%v", m)
		}
	}
	packed, err := s.recordingOfFMU(built.FMU(t, built.Model("generic4w"), 3))
	if err != nil {
		t.Fatal(err)
	}
	for i := range packed {
		if m := &packed[i]; len(packed) != len(recordingFMUCases) || len(m.Values) != 2 || !(m.Median() > 0) {
			t.Errorf("FMU: %v", m)
		}
	}
	if _, err := s.recordingOf(filepath.Join(resources, "models", "pendulum.toml")); err == nil ||
		!strings.Contains(err.Error(), "no steered vehicle") {
		t.Errorf("pendulum: %v", err)
	}
}
