package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// A program with different or missing accelerations is not timed.
func TestPeersWithDifferentAccelerationsAreRejected(t *testing.T) {
	four, err := vehicle.Parse(fourLimbs, "four_limbs.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := treeOf(four)
	if err != nil {
		t.Fatal(err)
	}
	b, err := subjectOf("four limbs", four)
	if err != nil {
		t.Fatal(err)
	}
	states, err := tree.randomStates(b.program)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := b.machine(b.program.Tape(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float64
	for i := range states {
		want = append(want, states[i].accelerations(b.program, machine, b.u))
	}
	compare := func(change func(list []float64) []float64) error {
		var lines strings.Builder
		for i := range want {
			list := append([]float64{}, want[i]...)
			if i == len(want)-1 {
				list = change(list)
			}
			for _, v := range list {
				fmt.Fprintln(&lines, v)
			}
		}
		file := filepath.Join(t.TempDir(), "numbers")
		if err := os.WriteFile(file, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return (&peer{binary: "cat", file: file}).agrees(states, want)
	}
	if err := compare(func(list []float64) []float64 { return list }); err != nil {
		t.Errorf("the same accelerations are rejected: %v", err)
	}
	other := func(list []float64) []float64 { list[21] += 1e-8 * (1 + max(list[21], -list[21])); return list }
	if err := compare(other); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprint("state ", len(states)-1)) {
		t.Errorf("another acceleration of the last joint at the last state: %v", err)
	}
	if err := compare(func(list []float64) []float64 { return list[1:] }); err == nil ||
		!strings.Contains(err.Error(), "439 accelerations for 20 states, expected 440") {
		t.Errorf("too few accelerations: %v", err)
	}
}

// Programs are searched for in the given folder. A model with other states than its tree is rejected.
func TestMissingPeersAreNamed(t *testing.T) {
	s := &Suite{Resources: resources, Rounds: 1}
	if _, err := s.Peers(t.TempDir()); err == nil || !strings.Contains(err.Error(), "mujoco-core") {
		t.Errorf("without packages: %v", err)
	}
	models := trees(t)
	tree, err := treeOf(models[0])
	if err != nil {
		t.Fatal(err)
	}
	b, err := subjectOf("car", models[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.randomStates(b.program); err == nil || !strings.Contains(err.Error(), "travel_FL.s") {
		t.Errorf("states of another model: %v", err)
	}
}
