package reduction

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// variant writes a variant of a model in its folder.
func variant(t *testing.T, path, more string) string {
	t.Helper()
	file := filepath.Join(filepath.Dir(path), "variant.toml")
	text := "base = \"axle.toml\"\nname = \"Fast\"\ntitle = \"Axle by tables\"\n" + more
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func tabulated(t *testing.T, path string) (*vehicle.Model, *Tabulated, error) {
	t.Helper()
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Tabulated {
		t.Fatal("no use of the model asks for tables")
	}
	with, err := Tabulate(path, m)
	return m, with, err
}

// A model with the key has the wheel motion of its corners, without their links, points and parameters. Its own parts
// and parameters remain.
func TestUsesRunAsTables(t *testing.T) {
	const own = `box = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
shelf = { type = "rigid-arm", from = "body", to = "box", translation = [0, 0, "lift"] }
[parameters]
lift = { value = 0.02, unit = "m" }`
	path, _ := write(t, "corner_five_link", `steered = "yes"`, own)
	full, with, err := tabulated(t, variant(t, path, "[use.F]\nsuspension = \"tabulated\""))
	if err != nil {
		t.Fatal(err)
	}
	m := with.Model
	for name, kept := range map[string]bool{"susp_FL": true, "susp_FR": true, "spring_FR": true, "box": true,
		"shelf": true, "upper_fore_FL": false} {
		if found := m.Scope().Find(name) != nil; found != kept {
			t.Errorf("the model has %s: %v", name, found)
		}
	}
	var names []string
	for _, p := range m.Parameters {
		names = append(names, p.Name)
	}
	points := func(name string) bool { return strings.Contains(name, "_F_") }
	if !slices.Contains(names, "lift") || slices.ContainsFunc(names, points) {
		t.Errorf("parameters are %q", names)
	}
	for _, w := range m.Warnings {
		if !slices.Contains(full.Warnings, w) {
			t.Errorf("a new warning: %s", w)
		}
	}
	if m.Name != "Fast" || m.File != full.File {
		t.Errorf("the model is %s of %s", m.Name, m.File)
	}
	a, err := rig.New(full, rig.Options{Axle: 1, Roles: full.Roles})
	if err != nil {
		t.Fatal(err)
	}
	b, err := rig.New(m, rig.Options{Axle: 1, Roles: m.Roles})
	if err != nil {
		t.Fatal(err)
	}
	g := rig.Given{Travel: [2]float64{0.03, -0.05}}
	x, err := a.Solve(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Solve(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for side := range 2 {
		v, w := &x.Wheels[side], &y.Wheels[side]
		if math.Abs(v.Toe().V-w.Toe().V) > 2e-6 || math.Abs(v.Camber().V-w.Camber().V) > 2e-6 ||
			math.Abs(v.Centre[0].V-w.Centre[0].V) > 2e-6 || math.Abs(x.Pads[side].V/y.Pads[side].V-1) > 0.002 {
			t.Errorf("the %s wheel moves otherwise", rig.Sides[side])
		}
	}
}

func TestTabulatedUsesAreChecked(t *testing.T) {
	path, _ := write(t, "corner_five_link", "", "")
	for _, c := range []struct{ more, want string }{
		{"[use.F]\nsuspension = \"fast\"",
			`variant.toml:5:14: use F.suspension is "fast"; it must be one of the words mechanism, tabulated`},
		{"[use.F]\nsuspension = \"tabulated\"\nat = \"L\"", "write at = [\"L\", \"R\"]"},
		{"[use.F]\nsuspension = \"tabulated\"\n[use.F.component]\n" +
			"pull = { type = \"force-driver\", from = \"chassis\", to = \"carrier\", axis = \"z\" }",
			"variant.toml:5:14: use F as tables: tables have no place for pull_FL"},
		{"[use.F]\nsuspension = \"tabulated\"\n[roles]\naxles = [[\"tire_FR\", \"tire_FL\"]]",
			"variant.toml:5:14: use F as tables: no axle in [roles] has wheels of its instances L and R; name them in axles = " +
				"[[\"tire_FL\", \"tire_FR\"], ...]"},
		{"[use.F]\nsuspension = \"tabulated\"\n[component.upper_fore_FR]\nlength = 0.27",
			"variant.toml:5:14: use F as tables: "},
	} {
		file := variant(t, path, c.more)
		m, err := vehicle.Read(file)
		if err == nil {
			_, err = Tabulate(file, m)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.more, err, c.want)
		}
	}
}

// The axle of a use has one of its instances on each side, and no twins.
func TestAxlesOfUsesHaveBothInstances(t *testing.T) {
	wheels := func(tires ...string) (list []roles.Wheel) {
		for _, tire := range tires {
			list = append(list, roles.Wheel{Tire: tire})
		}
		return list
	}
	m := &vehicle.Model{Roles: &roles.Roles{Axles: []roles.Axle{
		{Left: wheels("tire_FL", "twin_FL"), Right: wheels("tire_FR", "twin_FR")},
		{Left: wheels("tire_FL"), Right: wheels("tire_RR")},
		{Left: wheels("tire_FL"), Right: wheels("tire_FR")},
	}}}
	if axle, err := axleOf(m, "F"); axle != 3 || err != nil {
		t.Errorf("the axle of F is %d: %v", axle, err)
	}
	if _, err := axleOf(m, "R"); err == nil || !strings.Contains(err.Error(), `[["tire_RL", "tire_RR"], ...]`) {
		t.Errorf("there is no axle of R: %v", err)
	}
}
