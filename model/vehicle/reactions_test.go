package vehicle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

const swing = `name = "Swing"
reactions = %s
[component.seat]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.rope_left]
type = "rod"
from = "ground"
to = "seat"
length = 1
[component.rope_right]
type = "rod"
from = "ground"
to = "seat"
length = 1
reactions = "seat"
[component.push]
type = "force-driver"
from = "ground"
to = "seat"
axis = "x"
`

// The list of reactions names components by patterns. It sets the axes of components without a key for the axes.
func TestListOfReactions(t *testing.T) {
	for list, want := range map[string][2]string{
		`[]`: {"", "seat"}, `["rope_*"]`: {keys.OfTail, "seat"}, `["rope_left in ground", "*"]`: {"ground", "seat"},
		`["rope_[lr]*"]`: {keys.OfTail, "seat"},
	} {
		m := parse(t, strings.Replace(swing, "%s", list, 1))
		for i, name := range []string{"rope_left", "rope_right"} {
			if have := m.Scope().Find(name).Head().Reactions; have != want[i] {
				t.Errorf("%s: %s has its reaction in %q, want %q", list, name, have, want[i])
			}
		}
	}
}

// A pattern leaves out a reaction whose name a quantity of the file has, and reports it.
func TestQuantitiesInTheWayOfReactions(t *testing.T) {
	text := strings.Replace(swing, "%s", `["rope_l*"]`, 1) +
		"[quantities]\n\"rope_left.Fz\" = { value = \"2*seat.z\", unit = \"m\" }\n"
	m := parse(t, text)
	const want = "2:14: reactions[0] leaves out rope_left, because the quantity rope_left.Fz has the name of its reaction"
	have := m.Scope().Find("rope_left").Head().Reactions
	if have != "" || !strings.Contains(strings.Join(m.Warnings, ""), want) {
		t.Errorf("it has its reaction in %q; warnings %q", have, m.Warnings)
	}
}

func TestFaultsOfReactions(t *testing.T) {
	for _, c := range []struct{ list, change, want string }{
		{`["rpoe_left"]`, "", `test.toml:2:14: reactions[0] is "rpoe_left", and no joint, arm, rod or contact has that ` +
			`name; did you mean "rope_left"?`},
		{`["rope_left", "push"]`, "", `test.toml:2:27: reactions[1] is "push", which is a force-driver; only joints, arms`},
		{`["rope_[left"]`, "", `test.toml:2:14: reactions[0] is "rope_[left", which is no pattern`},
		{`["rope_left in seet"]`, "", "test.toml:7:12: component rope_left has its reaction in axes of the frame " +
			"\"seet\", which no body, joint, arm or road has; frames: ground, seat"},
		{`"rope_left"`, "", `test.toml:2:13: reactions is "rope_left"; it must be a list of strings`},
		{`[1]`, "", `test.toml:2:14: reactions[0] is 1; it must be a string`},
		{`[]`, `reactions = "sea"`, `test.toml:17:13: component rope_right has its reaction in axes of the frame "sea"`},
		{`[]`, `reactions = 1`, `test.toml:17:13: rope_right.reactions is 1; it must be true or false, or the name of a ` +
			`frame`},
		{`[]`, `reactions = ""`, `test.toml:17:13: rope_right.reactions is ""; it must be the name of a frame`},
	} {
		text := strings.Replace(swing, "%s", c.list, 1)
		if c.change != "" {
			text = strings.Replace(text, `reactions = "seat"`, c.change, 1)
		}
		_, err := vehicle.Parse([]byte(text), "test.toml", nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v, want %s", c.list, c.change, err, c.want)
		}
	}
}

// The loader of a model can request more reactions than its file. The requests remain when values change.
func TestReactionsBesideTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "swing.toml")
	if err := os.WriteFile(file, []byte(strings.Replace(swing, "reactions = %s\n", "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.ReadAsking(file, []string{"rope_left in ground"})
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func() (*vehicle.Model, error){
		"values": func() (*vehicle.Model, error) { return m.WithValues(map[string]float64{"seat.mass": 3}, nil) },
		"curves": func() (*vehicle.Model, error) { return m.WithCurves(nil, nil) },
	} {
		other, err := change()
		if err != nil {
			t.Fatal(err)
		}
		if have := other.Scope().Find("rope_left").Head().Reactions; have != "ground" {
			t.Errorf("with other %s the reaction is in %q", what, have)
		}
	}
	_, err = vehicle.ReadAsking(file, []string{"nothing"})
	if err == nil || !strings.Contains(err.Error(), "\"nothing\"") {
		t.Errorf("error %v", err)
	}
}
