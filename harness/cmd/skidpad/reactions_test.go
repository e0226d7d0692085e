package main

import (
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// --reactions adds outputs to the model and to what is recorded; --in gives their axes.
func TestReactionsOfTheCommand(t *testing.T) {
	testrun.Slow(t)
	args := []string{"simulate", "generic4w", "--manoeuvre", "generic4w_sine", "--duration", "0.01", "--library",
		built.Library(t)}
	all := []string{"wheel_FL.Fx", "wheel_FL.Fy", "wheel_FL.Fz", "wheel_FL.Mx", "wheel_FL.My", "wheel_FL.Mz"}
	status, stdout, stderr := try(append(args, "--reactions", "wheel_FL", "--record", "body.x")...)
	header, _, _ := strings.Cut(stdout, "\n")
	if want := "time,body.x," + strings.Join(all, ","); status != 0 || header != want {
		t.Errorf("status %d, %s, want %s; %s", status, header, want, stderr)
	}
	status, stdout, stderr = try(append(args, "--reactions", "wheel_*, susp_FL in body", "--in", "ground")...)
	header, _, _ = strings.Cut(stdout, "\n")
	for _, name := range append(all, "wheel_RR.Mz", "susp_FL.Fx", "body.x") {
		if status != 0 || !slices.Contains(strings.Split(header, ","), name) {
			t.Errorf("status %d, no column %s: %s, %s", status, name, header, stderr)
		}
	}
	for want, more := range map[string][]string{
		"--in: there is no --reactions":                                             {"--in", "ground"},
		"reactions[0] is \"tire_FL\", which is a tire; reactions are those of join": {"--reactions", "tire_FL"},
	} {
		if status, _, stderr := try(append(args, more...)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %s", more, status, stderr)
		}
	}
}
