package fmu_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// An FMU has the exposed coefficients of its model, under the references of the packed model, and the roles of its
// model. A coefficient that the force function does not have is rejected with its position.
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
		!strings.Contains(err.Error(), `exposed.toml:8:11: tire_RL.expose names "LMUI", which is neither a coefficient nor `+
			"a peak of ") {
		t.Error(err)
	}
}

// exposing is a model file with other keys of a tire of a shipped model.
func exposing(t *testing.T, model, keys string) (file string) {
	t.Helper()
	base, err := filepath.Abs(filepath.Join("..", "resources", "models", model+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "exposed.toml")
	text := "base = \"" + filepath.ToSlash(base) + "\"\nname = \"Exposed\"\ntitle = \"T\"\n[component.tire_RL]\n" + keys
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Peaks that a model exposes are local variables of its FMUs of every kind, with the values of the engine at the point
// that the importer has reached. Without them the FMU has none.
func TestExposedPeaksAreLocalVariables(t *testing.T) {
	testrun.Slow(t)
	file := exposing(t, "generic4w", `expose = ["utilisation", "mu_y_peak", "LMUY"]`)
	want := []string{"tire_RL.mu_y_peak", "tire_RL.utilisation"}
	for _, settings := range []fmu.Settings{cs2, cs3, me2, me3} {
		folder, d, _ := unpacked(t, file, settings.Version, settings.Version == 2)
		m := opened(t, folder, d, settings)
		var names []string
		for _, v := range m.table.Variables {
			if v.Kind == cosim.Peak {
				names = append(names, v.Name)
				if v.Causality != fmu.Local || v.Variability != fmu.Continuous || v.HasStart() || v.Unit != "1" {
					t.Errorf("%+v", v)
				}
			}
		}
		if slices.Sort(names); !slices.Equal(names, want) {
			t.Fatalf("%q", names)
		}
		in, err := m.system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		index := map[string]int{}
		for _, v := range in.TireVariables() {
			index[v.Name] = v.Index
		}
		compare := func(when string) {
			t.Helper()
			for _, name := range want {
				x, err := in.Get(index[name])
				if got := m.get(name); got != x || err != nil || x <= 0 {
					t.Errorf("%+v, %s: %s is %v, in the engine %v, %v", settings, when, name, got, x, err)
				}
			}
		}
		brake, _ := m.system.Find("brake_RL.torque")
		m.set("brake_RL.torque", 300)
		if err := in.Set(brake, 300); err != nil {
			t.Fatal(err)
		}
		m.initialise(0)
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		compare("at the start")
		if settings.Interface == fmu.CoSimulation {
			for k := range 20 {
				_, status := m.DoStep(0.001*float64(k), 0.001)
				m.ok(status)
				if err := in.Step(0.001); err != nil {
					t.Fatal(err)
				}
			}
		} else {
			m.ok(m.EnterContinuousTimeMode())
			x := make([]float64, len(m.table.Derivatives))
			m.ok(m.GetContinuousStates(x))
			for i := range x {
				x[i] -= 0.001
			}
			m.ok(m.SetContinuousStates(x))
			if err := in.SetStates(x); err != nil {
				t.Fatal(err)
			}
		}
		compare("later")
		if s := m.SetReal([]uint32{m.ref(want[0])}, []float64{1}); s != fmu.Error ||
			!strings.Contains(m.Messages[len(m.Messages)-1].Text, want[0]+" is computed by the model and cannot be set") {
			t.Errorf("setting a peak: %v, %v", s, m.Messages)
		}
	}
	if _, found := fmu.Describe(load(t, "generic4w").system).Find(want[0]); found {
		t.Error("the FMU of a model that exposes nothing has peaks")
	}
}

// A tire function without peaks discards the reading, and the instance goes on.
func TestPeaksOfFunctionsWithoutAreDiscarded(t *testing.T) {
	folder, d, _ := unpacked(t, exposing(t, "generic4w", `expose = ["utilisation"]`), 3, false)
	m := opened(t, folder, d, cs3)
	m.ok(m.SetString([]uint32{m.ref("tire_RL.model")}, []string{"inputs"}))
	m.initialise(0)
	if s := m.Get(fmu.Real, []uint32{m.ref("tire_RL.utilisation")}, make([]float64, 1)); s != fmu.Discard ||
		!strings.Contains(m.Messages[len(m.Messages)-1].Text,
			"tire_RL.utilisation: the force function inputs asks for none of") {
		t.Errorf("%v, %v", s, m.Messages)
	}
	m.step(0, 2)
	file := exposing(t, "generic4w_outside", `expose = ["utilisation"]`)
	_, err := fmu.NewPackage(file, fmu.Choice{}, &fmu.Libraries{}, 2, fmu.About{})
	if err == nil || !strings.Contains(err.Error(),
		`tire_RL.expose names "utilisation": the force function inputs asks for none of S`) {
		t.Error(err)
	}
}
