package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/fmu"
)

// Suspicious values of a model file are logged at the start, as a warning that does not change the status.
func TestWarningsOfModelsAreLogged(t *testing.T) {
	base, err := filepath.Abs("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "up.toml")
	text := "base = '" + base + `'
name = "Up"
title = "Up"
gravity = [0, 0, 9.81]
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{2, 3} {
		folder, d, _ := unpacked(t, file, version, false)
		m := opened(t, folder, d, fmu.Settings{Version: version, Interface: fmu.CoSimulation, Logging: true})
		m.initialise(0)
		found := 0
		for _, x := range m.Messages {
			if strings.HasPrefix(x.Text, "warning: ") && strings.Contains(x.Text, "gravity points up") {
				if found++; x.Category != fmu.LogStatusWarning || x.Status != fmu.OK {
					t.Errorf("%+v", x)
				}
			}
		}
		if m.step(0, 5); found != 1 {
			t.Errorf("FMI %d: %d warnings among %v", version, found, m.Messages)
		}
	}
}
