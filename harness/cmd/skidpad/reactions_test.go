package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/recording"
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
		"reactions[0] is \"tire_FL\", which is a tire; only joints, arms, rods and": {"--reactions", "tire_FL"},
	} {
		if status, _, stderr := try(append(args, more...)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %s", more, status, stderr)
		}
	}
}

// manoeuvre --reactions records the reactions in the runs of --out: along the vertical of the ground a wheel bearing
// carries what its tire does, less the wheel.
func TestReactionsInTheRunsOfAManoeuvre(t *testing.T) {
	testrun.Slow(t)
	folder := t.TempDir()
	args := []string{"manoeuvre", "generic4w", "--manoeuvre", "brake", "--library", built.Library(t), "--reactions",
		"wheel_FL", "--in", "ground"}
	if status, _, stderr := try(args...); status != 2 || !strings.Contains(stderr, "--reactions: there is no --out") {
		t.Errorf("without --out: status %d, %s", status, stderr)
	}
	if status, _, stderr := try("pack", "s.toml", "-o", "s.ssp", "--reactions", "*"); status != 2 ||
		!strings.Contains(stderr, "--reactions: it is for FMUs of models") {
		t.Errorf("a system with reactions: status %d, %s", status, stderr)
	}
	if status, _, stderr := try(append(args, "--full", "--out", folder)...); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	run, err := recording.Read(filepath.Join(folder, "run_1.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tire_FL.Fz", "wheel_FL.Fz"} {
		if !run.Has(name) {
			t.Fatalf("no column %s of %q", name, run.Names())
		}
	}
	const wheelWeight, braking = 28 * 9.81, 3.6 // N, s
	load, bearing := run.At("tire_FL.Fz", braking), run.At("wheel_FL.Fz", braking)
	if load < 5000 || !(math.Abs(bearing+load-wheelWeight) < 5) { // in axes of the tail, which pitches, by 225 N
		t.Errorf("the road lifts the wheel with %g N, the bearing with %g N, the wheel weighs %g N", load, bearing,
			wheelWeight)
	}
}

// An FMU that was packed with reactions has them as outputs, with the bits of the model file.
func TestReactionsOfAPackedModel(t *testing.T) {
	testrun.OnlyAll(t) // package fmu tests the same within the process
	fmu := filepath.Join(t.TempDir(), "pendulum.fmu")
	asked := []string{"--reactions", "*_joint,upper_arm in upper", "--in", "ground"}
	if status, _, stderr := try(append([]string{"pack", "double_pendulum", "-o", fmu, "--binaries", built.Binaries(t)},
		asked...)...); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	run := []string{"--manoeuvre", "double_pendulum_swing", "--duration", "0.01", "--record",
		"*_joint.[FM]?,upper_arm.[FM]?"}
	status, packed, stderr := try(append([]string{"simulate", fmu}, run...)...)
	if status != 0 {
		t.Fatalf("the FMU: status %d, %s", status, stderr)
	}
	status, direct, stderr := try(append(append([]string{"simulate", "double_pendulum", "--library", built.Library(t)},
		run...), asked...)...)
	if status != 0 || direct != packed || strings.Count(direct, "\n") != 12 {
		t.Errorf("status %d, %s; the model file gives\n%s, the FMU\n%s", status, stderr, direct, packed)
	}
	if status, _, stderr = try(append([]string{"simulate", fmu, "--reactions", "*"}, run...)...); status != 2 ||
		!strings.Contains(stderr, "pack it again, with --reactions") {
		t.Errorf("an FMU with other reactions: status %d, %s", status, stderr)
	}
}
