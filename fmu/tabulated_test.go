package fmu

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// An FMU of a vehicle with tables in place of corners holds the tables: neither points nor links are in it, and its
// importer makes no tables. It is the vehicle that the model file makes.
func TestResourcesHoldTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "axle.toml")
	if err := os.WriteFile(path, []byte(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [0.1, 0, -0.5] }
[use.R]
file = "corner_five_link"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }
suspension = "tabulated"
[roles]
chassis = "body"
axles = [["tire_RL", "tire_RR"]]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := NewPackage(path, Choice{Reactions: []string{"susp_*"}}, &Libraries{}, 3, About{})
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(p.Resources.Files))
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "subsystems/") }) {
		t.Errorf("the resources are %q", names)
	}
	folder := t.TempDir()
	for name, data := range p.Resources.Files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := vehicle.Read(filepath.Join(folder, ModelFile))
	if err != nil || m.Tabulated {
		t.Fatalf("the model of the FMU asks for tables: %v", err)
	}
	system, table, err := Open(folder, p.Table.Token)
	if err != nil {
		t.Fatal(err)
	}
	if system.Tabulated() != nil || len(table.Variables) != len(p.Table.Variables) {
		t.Errorf("the FMU has %d variables, the vehicle %d", len(table.Variables), len(p.Table.Variables))
	}
	for i := range table.Variables {
		if a, b := &table.Variables[i], &p.Table.Variables[i]; a.Name != b.Name || a.Start != b.Start {
			t.Errorf("variable %s starts at %v, of the vehicle %s at %v", a.Name, a.Start, b.Name, b.Start)
		}
	}
}
