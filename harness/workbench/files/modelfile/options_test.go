package modelfile

import (
	"os"
	"path/filepath"
	"testing"
)

// Choices are those of the file and its base, parts that differ and defaults too; models without options have none.
func TestOptionsAreThoseOfUses(t *testing.T) {
	const models = "../../../../resources/models/"
	if of := Options(models + "passenger_car.toml"); of != "" {
		t.Errorf("the passenger car has the options %q", of)
	}
	path := filepath.Join(t.TempDir(), "fast.toml")
	if err := os.WriteFile(path, []byte(`base = "road_car"
name = "Fast"
title = "Road car with tables behind"
[use.F]
joints = { default = "bushings", top = "ideal" }
[use.R]
suspension = "tabulated"
`), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = `S: column = "torsion", hand_wheel = "free"
F: joints = "bushings", joints.top = "ideal", steered = "yes"
R: damper = "with_spring", joints = "bushings", spring_on = "carrier", steered = "no"
R: suspension = "tabulated"`
	if of := Options(path); of != want {
		t.Errorf("the options are\n%s\nwant\n%s", of, want)
	}
}
