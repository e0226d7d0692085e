package cosim_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// Uneven ground on a plane road is refused; the message says what to write.
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

// loadWarnings starts the forestry skidder with a changed file, and returns the warnings about loads.
func loadWarnings(t *testing.T, change string, before func(r *run)) (list []string) {
	t.Helper()
	r := fromText(t, `base = "skidder.toml"
name = "Changed"
title = "Changed"
`+change, "")
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

// Tires that hang, or carry another weight than the vehicle's, are reported at the start with place and remedy. After
// trim there is no report, whatever the weight is by then.
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
			"tires carry less than a fifth of an even share of 41173 N: tire_FL 3019 N, tire_RL 3043 N"},
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

// startWarnings starts a shipped model after a call of before, and returns the warnings.
func startWarnings(t *testing.T, model string, before func(r *run)) (list []string) {
	t.Helper()
	r := instance(t, load(t, model, ""), "rk4", 0.001)
	defer r.in.Close()
	before(r)
	r.start(noInput)
	for _, w := range r.in.Warnings() {
		if strings.HasPrefix(w, cosim.WarningPrefix) {
			list = append(list, w)
		}
	}
	return list
}

// A warning reports an axle whose springs between points do not bear the load of the chassis. It gives a factor for
// their force. A load times the factor is accepted. The other axle has no warning.
func TestSpringsByPointsBearTheChassis(t *testing.T) {
	testrun.Slow(t)
	warnings := func(name string, factor float64) []string {
		return startWarnings(t, "road_car", func(r *run) { r.set(name, factor*r.get(name)) })
	}
	for _, c := range []struct{ load, tires string }{{"load_F", "tire_FL, tire_FR"}, {"load_R", "tire_RL, tire_RR"}} {
		for _, factor := range []float64{0.6, 1.5} {
			list := warnings(c.load, factor)
			if len(list) != 1 || !strings.Contains(list[0], c.tires+" bear") {
				t.Fatalf("%s times %g: %q", c.load, factor, list)
			}
			var share, up, times float64
			text := strings.ReplaceAll(list[0][strings.Index(list[0], "bear"):], ",", " ,")
			if _, err := fmt.Sscanf(text, "bear %g of the load on them , so that the chassis accelerates there by %g m/s2 , "+
				"upward positive; give these springs %g times", &share, &up, &times); err != nil {
				t.Fatal(err, text)
			}
			if math.Abs(share-1-up/9.81) > 0.05 || math.Abs(times*share-1) > 0.05 || (share-1)*(factor-1) < 0 {
				t.Errorf("%s times %g: share %g, acceleration %g, factor %g", c.load, factor, share, up, times)
			}
			if list := warnings(c.load, factor*times); len(list) > 0 {
				t.Errorf("%s times %g: %q", c.load, factor*times, list)
			}
		}
		if list := warnings(c.load, 0); len(list) != 1 || !strings.Contains(list[0], "give these springs more force") {
			t.Errorf("%s is 0: %q", c.load, list)
		}
	}
}

// A car that rolls at the start gives no warning, whatever the file contains. If only its speed or only its wheels were
// set, a warning names the joints and the required angular velocity.
func TestWheelsThatDoNotRollAtTheStart(t *testing.T) {
	wheels := []string{"wheel_FL", "wheel_FR", "wheel_RL", "wheel_RR"}
	for name, c := range map[string]struct {
		speed, spin float64 // m/s, rad/s; 0 for the value of the file
		want        string  // "" for none
	}{
		"file":            {0, 0, ""},
		"backwards":       {-10, -32.8, ""},
		"speed alone":     {30, 0, "the vehicle travels at 30 m/s, and its wheels turn at"},
		"backwards alone": {-10, 0, "write start = { omega = -3"},
		"wheels alone":    {0, 1, "its wheels turn at 1 rad/s: wheel_FL, wheel_FR, wheel_RL, wheel_RR; write start"},
	} {
		list := startWarnings(t, "passenger_car", func(r *run) {
			if c.speed != 0 {
				r.set("body.vx", c.speed)
			}
			for _, wheel := range wheels {
				if c.spin != 0 {
					r.set(wheel+".omega", c.spin)
				}
			}
		})
		if text := strings.Join(list, "\n"); (c.want == "") != (text == "") || !strings.Contains(text, c.want) ||
			len(list) > 1 {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
	// a warning of the file about its own start values is dropped where other start values are set
	const slow = `base = "passenger_car.toml"
name = "Slow"
title = "Slow"
[component.body]
start = { velocity = [3, 0, 0] }
`
	for _, set := range []bool{false, true} {
		r := fromText(t, slow, "")
		for _, wheel := range wheels {
			if set {
				r.set(wheel+".omega", 3/0.305)
			}
		}
		r.start(noInput)
		if text := strings.Join(r.in.Warnings(), "\n"); strings.Contains(text, "its wheels turn at") == set ||
			strings.Count(text, "its wheels") > 1 {
			t.Errorf("wheels are set, %t: %q", set, text)
		}
		r.in.Close()
	}
}

// A car that was trimmed on level ground starts on rough roads without a warning of its loads, though the bumps under
// its tires change them. A car that starts in the air or in the ground gives a warning on any road.
func TestRoughRoadsCauseNoStartWarnings(t *testing.T) {
	for seed := range testrun.Either(4, 20) {
		for _, raised := range []float64{0, 0.3, -0.15} {
			list := startWarnings(t, "passenger_car", func(r *run) {
				if _, err := r.in.Trim(); err != nil {
					t.Fatal(err)
				}
				z, _ := r.sys.Find("body.z")
				at, err := r.in.Get(z)
				if err != nil {
					t.Fatal(err)
				}
				r.set("body.z", at+raised)
				for _, text := range [][2]string{{"road.kind", "iso8608"}, {"road.class", "C"}} {
					if err := r.in.SetText(text[0], text[1]); err != nil {
						t.Fatal(err)
					}
				}
				r.set("road.seed", float64(seed+1))
			})
			if falls := strings.Contains(strings.Join(list, "\n"), "falls or jumps"); falls != (raised != 0) {
				t.Errorf("seed %d, %g m higher: %q", seed+1, raised, list)
			}
		}
	}
}
