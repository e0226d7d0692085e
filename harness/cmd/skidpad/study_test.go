package main

import (
	"strings"
	"testing"

	"skidpad/harness/tests/built"
)

// TestStudyPrintsPublishedValues: a part of a study with settling, and its summary; what it does not vary is
// refused.
func TestStudyPrintsPublishedValues(t *testing.T) {
	study := []string{"sweep", "--library", built.Library(t), "--study",
		shippedFile("sweeps", "comfort_damping.toml"), "--param", "spring_2.stiffness+spring_4.stiffness=5e4"}
	status, stdout, stderr := try(append(study, "--param", "spring_2.damping+spring_4.damping=3000")...)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if status != good || len(lines) != 2 || !strings.HasSuffix(lines[0], ",largest,published,difference_percent") ||
		!strings.HasPrefix(lines[1], "50000,3000,5.355") || !strings.Contains(lines[1], ",5.408,-0.9") ||
		!strings.Contains(stderr, "1 of 1 values are within 2 % of those published") {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
	status, _, stderr = try(append(study, "--param", "rod.length=1")...)
	if want := "the study does not vary rod.length; it varies spring_2"; status != wrongUsage ||
		!strings.Contains(stderr, want) {
		t.Errorf("status %d, %s", status, stderr)
	}
}
