package fmu_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu"
)

// An FMU has the coefficients that its model exposes, under the references that the packed model gives them again, and
// the roles of its model; one that the force function does not have is refused with its place.
func TestExposedCoefficientsAndRolesGoIntoFMUs(t *testing.T) {
	base, err := filepath.Abs(filepath.Join("..", "resources", "models", "generic4w.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "exposed.toml")
	write := func(coefficient string) {
		text := "base = \"" + filepath.ToSlash(base) + `"
name = "Exposed"
title = "T"
[roles]
engine_speed = false
wheelbase = 2.5
[component.tire_RL]
expose = ["` + coefficient + "\", \"PKY1\"]\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("LMUY")
	for version := 2; version <= 3; version++ {
		folder, d, files := unpacked(t, file, version, false)
		_, table, err := fmu.Open(filepath.Join(folder, "resources"), d.token())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, v := range d.Variables.List {
			if !strings.HasSuffix(v.Name, ".LMUY") && !strings.HasSuffix(v.Name, ".PKY1") {
				continue
			}
			names = append(names, v.Name)
			if int(v.Reference) >= len(table.Variables) || table.Variables[v.Reference].Name != v.Name {
				t.Errorf("FMI %d: %s is another variable of the FMU than of its description", version, v.Name)
			}
		}
		if slices.Sort(names); !slices.Equal(names, []string{"tire_RL.LMUY", "tire_RL.PKY1"}) {
			t.Errorf("FMI %d: %q", version, names)
		}
		roles := string(files["extra/skidpad/roles.toml"])
		for _, line := range []string{"[roles]\n", "chassis = \"body\"\n", "wheelbase = 2.5\n", "open = 600.0"} {
			if !strings.Contains(roles, line) {
				t.Errorf("FMI %d: no %q in the roles\n%s", version, line, roles)
			}
		}
		if strings.Contains(roles, "engine_speed") {
			t.Error("a role that is false is none")
		}
	}
	write("LMUI")
	if _, err := fmu.NewPackage(file, fmu.Choice{}, &fmu.Libraries{}, 2, fmu.About{}); err == nil ||
		!strings.Contains(err.Error(), `exposed.toml:8:11: tire_RL.expose names "LMUI", which is not a coefficient of `) {
		t.Error(err)
	}
}
