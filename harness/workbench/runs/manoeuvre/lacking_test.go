package manoeuvre

import (
	"os"
	"path/filepath"
	"testing"

	"skidpad/model/document"
)

// The error of missing roles says what to write, and where, for each kind of vehicle.
func TestRemediesOfMissingRoles(t *testing.T) {
	folder := t.TempDir()
	path, car := filepath.Join(folder, "straight.toml"), filepath.Join(folder, "car.toml")
	for file, text := range map[string]string{car: "[roles]\nchassis = \"body\"\n", path: `name = "straight"
title = "Straight"
cars = "cars"
step = 0.01
duration = 1
[[input]]
variables = ["@throttle", "@clutch"]
signal = { kind = "constant", value = "body_width" }
`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	own, err := document.Parse([]byte("[roles]\nchassis = \"body\"\n"), "own.toml")
	if err != nil {
		t.Fatal(err)
	}
	const lacks = "Toy lacks roles that straight needs: throttle, clutch, outline. "
	const such = ", such as throttle = { input = \"engine.throttle\" }, " +
		"clutch = { input = \"gearbox.clutch\" }, outline = { width = 1.8, front = 2.2, rear = 2.4 }"
	for _, c := range []struct {
		target Target
		want   string
	}{
		{Target{File: "a/toy.toml"}, "Write [roles] into a/toy.toml or give --car FILE; \"skidpad car a/toy.toml --draft > " +
			"toy_roles.toml\" writes a draft for --car toy_roles.toml"},
		{Target{File: "a/toy.FMU"}, "Give --car FILE; \"skidpad car a/toy.FMU --draft > toy_roles.toml\" writes a draft " +
			"for --car toy_roles.toml"},
		{Target{File: "a/toy.toml", Roles: own.Field("roles")}, "Write them into [roles] of a/toy.toml" + such},
		{Target{File: "a/toy.fmu", Roles: own.Field("roles")},
			"Write them into [roles] of a file, and give it by --car" + such},
		{Target{File: "a/toy.fmu", Car: car}, "Write them into [roles] of " + car + such},
		{Target{}, "Write them into [roles] of its model file, or give --car FILE"},
	} {
		c.target.Model = "Toy"
		if _, err := ReadFor(c.target, path); err == nil || err.Error() != lacks+c.want {
			t.Errorf("%+v: %v, want %s", c.target, err, lacks+c.want)
		}
	}
}
