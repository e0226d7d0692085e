package cosim_test

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/testrun"
)

// Uneven ground on a plane road is refused with what to write.
func TestPlaneRoadsHaveNoGround(t *testing.T) {
	s, err := cosim.SharedModel("skidder", "")
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := in.SetText("road.kind", "rdf"); err == nil || !strings.Contains(err.Error(), "road is a road, which is a "+
		"plane without \"road.kind\"; for uneven ground write type = \"terrain\" in [component.road]") {
		t.Error(err)
	}
}

// The tires of every shipped model carry it at the start.
func TestShippedModelsStandOnTheirTires(t *testing.T) {
	testrun.Slow(t)
	files, _ := filepath.Glob("../resources/models/*.toml")
	for _, file := range files {
		s, err := cosim.SharedModel(strings.TrimSuffix(filepath.Base(file), ".toml"), "")
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Initialise(); err != nil {
			t.Error(file, err)
			continue
		}
		for _, w := range in.Warnings() {
			if strings.HasPrefix(w, cosim.WarningPrefix) {
				t.Error(w)
			}
		}
		in.Close()
	}
}

// loadWarnings starts the forestry skidder with a change of its file, and returns what it says of its loads.
func loadWarnings(t *testing.T, change string, before func(r *run)) (list []string) {
	t.Helper()
	r := fromText(t, "base = \"skidder.toml\"\nname = \"Changed\"\ntitle = \"Changed\"\n"+change, "")
	defer r.in.Close()
	if before != nil {
		before(r)
	}
	r.start(noInput)
	for _, w := range r.in.Warnings() {
		if strings.HasPrefix(w, cosim.WarningPrefix) && strings.Contains(w, "falls or jumps") {
			list = append(list, w)
		}
	}
	return list
}

// Tires that hang, or carry another weight than the vehicle's, are reported at the start with place and remedy; once
// the start is trimmed they are not, whatever the weight is by then.
func TestTiresThatDoNotCarryTheVehicle(t *testing.T) {
	raised := "[component.front]\nstart = { position = [0, 0, 1.6] }\n"
	for _, c := range []struct {
		change string
		before func(r *run)
		want   string // "" for none
	}{
		{raised, nil, "the tires carry 0 N in all, 0 of the weight"},
		{"[component.front]\nstart = { position = [0, 0, 1.35] }\n", nil, "of the weight"},
		{"", func(r *run) { r.set("front.mass", 20000) }, "of the weight"},
		{"", func(r *run) {
			r.set("front.mass", 8000)
			if _, err := r.in.Trim(); err != nil {
				r.Fatal(err)
			}
		}, ""},
		{"[component.front]\nstart = { angles = [0, 0, 0.06] }\n", nil,
			"tires carry too little of an even share of 41173 N: tire_FL 3019 N, tire_RL 3043 N"},
	} {
		list := loadWarnings(t, c.change, c.before)
		switch text := strings.Join(list, "\n"); {
		case c.want == "" && text != "":
			t.Errorf("%q: %s", c.change, text)
		case c.want != "" && (len(list) != 1 || !strings.Contains(text, c.want) ||
			!strings.Contains(text, "skidder.toml:173:12: at the start") || !strings.Contains(text, "skidpad trim MODEL")):
			t.Errorf("%q, want %q: %s", c.change, c.want, text)
		}
	}
}
