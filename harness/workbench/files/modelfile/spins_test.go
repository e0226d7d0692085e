package modelfile

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// The variables of wheels belong to joints with numbers as start values.
func TestSpinsOfAModelFile(t *testing.T) {
	base, err := filepath.Abs("../../../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "given.toml")
	text := "base = '" + base + `'
name = "Given"
title = "Given"
[component]
wheel_RL.start.omega = "2*wheel_RL_speed"
[parameters]
wheel_RL_speed = { value = 28, unit = "rad/s", text = "half of the speed" }
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]map[string]string{
		base: {"tire_FL": "wheel_FL.omega", "tire_FR": "wheel_FR.omega", "tire_RL": "wheel_RL.omega",
			"tire_RR": "wheel_RR.omega"},
		file:      {"tire_FL": "wheel_FL.omega", "tire_FR": "wheel_FR.omega", "tire_RR": "wheel_RR.omega"},
		"car.fmu": nil,
	} {
		if spins, err := Spins(path); err != nil || !maps.Equal(spins, want) {
			t.Errorf("%s: %v, %v; want %v", path, spins, err, want)
		}
	}
}
