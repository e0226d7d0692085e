package formulate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// Roles with unknown names are rejected with their place: components when the file is read, variables with the
// equations.
func TestRolesNameExistingVariables(t *testing.T) {
	base, err := filepath.Abs(filepath.Join("..", "..", "resources", "models", "generic4w.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for role, says := range map[string]string{
		`chassis = "bodi"`: `mine.toml:5:11: roles.chassis names "bodi", but there is no component "bodi"; did you ` +
			`mean "body"?`,
		`axles = [["tire_FL", "body"], ["tire_RL", "tire_RR"]]`: `mine.toml:5:22: roles.axles names "body", which ` +
			`is not a tire`,
		`throttle = { inputs = ["tire_FL.Fz"] }`: `mine.toml:5:24: roles.throttle names "tire_FL.Fz", which is not ` +
			`an input`,
		`engine_speed = "wheel_FL.omeg"`: `roles.engine_speed names "wheel_FL.omeg", which is not a variable that ` +
			`the vehicle publishes; did you mean "wheel_FL.omega"?`,
		`start = { "body.vq" = 1 }`: `roles.start names "body.vq", which is not a variable that has a start value`,
		`chassis = "body"`:          "",
	} {
		file := filepath.Join(t.TempDir(), "mine.toml")
		text := "base = \"" + filepath.ToSlash(base) + `"
name = "Mine"
title = "T"
[roles]
` + role + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := vehicle.Read(file)
		if err == nil {
			_, err = formulate.New(m, formulate.Options{})
		}
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v\nwant %s", role, err, says)
		}
	}
}
