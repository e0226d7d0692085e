package cosim_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// choose gives all freely moving components the kind of speeds that the word names.
func choose(m *vehicle.Model, word string) {
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidBody:
			c.Speeds = word
		case *component.Tire:
			c.Speeds = word
		case *component.FreeJoint:
			c.Speeds = word
		}
	}
}

// choices are the kinds of speeds of bodies, tires and free joints, the default first.
var choices = []string{"", "body", "ground", "rates"}

// TestSpeedsDoNotChangeTheMotion: bodies, chains and rods with free joints move the same with all speeds and in all
// trees, also against the edges, and their energy balances.
func TestSpeedsDoNotChangeTheMotion(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		text  string
		trees []string
		names []string
	}{
		{twoBodies, []string{"absolute", "indirect", "turned", "moved", "reversed"}, []string{"a.x", "a.vx", "a.wz", "b.y",
			"b.wx", "b.ax", "link.x", "link.roll", "link.wy", "spring.force", "disc.wx", "hinge.Fx", "hinge.My"}},
		{freeChain(), []string{"absolute", "indirect"}, []string{"b0.x", "b5.wz", "link5.x", "link2.yaw", "spring4.force"}},
		{twoRods, []string{"relative", "measured"}, []string{"first.x", "second.y", "second.wx", "second.az", "above.yaw"}},
	} {
		var want []float64
		for k, word := range choices {
			for i, tree := range c.trees {
				if !testrun.Either((i+k)%2 == 0 || tree == "reversed" && word == "rates", true) {
					continue
				}
				m, err := vehicle.Parse([]byte(c.text), "free.toml", nil)
				if err != nil {
					t.Fatal(err)
				}
				choose(m, word)
				s, err := cosim.New(m, cosim.Options{Tree: tree})
				if err != nil {
					t.Fatal(err)
				}
				r := instance(t, s, "rk4", 0.00025)
				r.text("energy.record", "true")
				r.start(noInput)
				var got []float64
				for range 3 {
					for _, name := range c.names {
						got = append(got, r.get(name))
					}
					r.drive(noInput, 0.00025, r.in.Time()+0.25)
				}
				if want == nil {
					want = got
				}
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
						t.Errorf("%s, %s, %q: %s is %.14g, want %.14g", m.Name, tree, word, c.names[i%len(c.names)], got[i], want[i])
					}
				}
				if e := r.get("energy.balance"); !(math.Abs(e) <= 1e-9) {
					t.Errorf("%s, %s, %q: the balance of energy is %g J", m.Name, tree, word, e)
				}
			}
		}
	}
}

// yawing returns start values of a turning vehicle.
func yawing(body string) map[string]float64 {
	return map[string]float64{body + ".yaw": 0.7, body + ".vx": 12, body + ".vy": 0.2, body + ".wz": 0.1}
}

// TestSpeedsOfVehiclesDoNotChangeTheirMotion: steered and braked, in the tree of bodies and in the tree of tires. The
// page lists the operations of each choice.
func TestSpeedsOfVehiclesDoNotChangeTheirMotion(t *testing.T) {
	testrun.Slow(t)
	const page = "../docs/model-files.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	rows := "| vehicle | tree | default | `\"body\"` | `\"ground\"` | `\"rates\"` |\n" +
		"| --- | --- | --- | --- | --- | --- |\n"
	for _, c := range []struct {
		name, tree, body string
		inputs           []input
		starts           map[string]float64
	}{
		{"generic4w", "default", "body", []input{genericSine, genericBrake}, yawing("body")},
		{"generic4w", "tire", "body", []input{genericSine, genericBrake}, nil},
		{"skidder", "default", "front", []input{skidderSine, skidderBrake}, yawing("front")},
		{"skidder", "tire", "front", []input{skidderSine, skidderBrake}, nil},
		{"bicycle", "", "rear_frame", nil, map[string]float64{"speed": 4, "steer.phi": 0.1}},
	} {
		if !testrun.Either(c.tree != "tire", true) && !*update {
			continue
		}
		names := []string{".x", ".y", ".z", ".yaw", ".roll", ".vx", ".vy", ".wz", ".wx", ".ay"}
		row := fmt.Sprintf("| `%s` | %s |", c.name, cmp.Or(c.tree, "default"))
		var want []float64
		for _, word := range choices {
			m, err := vehicle.Read("../resources/models/" + c.name + ".toml")
			if err != nil {
				t.Fatal(err)
			}
			choose(m, word)
			s, err := cosim.New(m, cosim.Options{Tree: c.tree})
			if err != nil {
				t.Fatal(err)
			}
			cost := s.Program().RateCost
			row += fmt.Sprintf(" %d + %d |", cost.Additions, cost.Multiplications)
			r := instance(t, s, "rk4", 0.0001)
			drive := func(r *run, now float64) {
				for _, u := range c.inputs {
					u(r, now+2.05) // where the brakes come on
				}
			}
			for name, v := range c.starts {
				r.set(name, v)
			}
			r.start(drive)
			r.drive(drive, 0.0001, testrun.Either(0.01, 0.5))
			var got []float64
			for _, name := range names {
				got = append(got, r.get(c.body+name))
			}
			if want == nil {
				want = got
			}
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
					t.Errorf("%s, %s, %q: %s is %.14g, want %.14g", c.name, c.tree, word, names[i], got[i], want[i])
				}
			}
		}
		if row += "\n"; !*update && !strings.Contains(string(text), "\n"+row) {
			t.Errorf("docs/model-files.md does not have the row\n%srun go test ./cosim -run SpeedsOfVehicles -update", row)
		}
		rows += row
	}
	if *update {
		before, rest, _ := strings.Cut(string(text), "<!-- begin speeds -->\n")
		_, after, _ := strings.Cut(rest, "<!-- end speeds -->")
		all := before + "<!-- begin speeds -->\n" + rows + "<!-- end speeds -->" + after
		if err := os.WriteFile(page, []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSpeedsFollowTheirNames: speeds are components in axes of the body or of ground, or rates of angles. They follow
// from the start values of the file, which keep their meaning, and agree with differences of coordinates over time.
func TestSpeedsFollowTheirNames(t *testing.T) {
	states := map[string][]string{
		"":       {"a.vx", "a.wx", "link.x_dot", "link.wx"},
		"body":   {"a.vx", "a.wx", "link.vx", "link.wx"},
		"ground": {"a.x_dot", "a.wx_ground", "link.vx_ground", "link.wx_ground"},
		"rates":  {"a.x_dot", "a.yaw_dot", "link.x_dot", "link.yaw_dot"},
	}
	for _, word := range choices {
		m, err := vehicle.Parse([]byte(twoBodies), "free.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		choose(m, word)
		s, err := cosim.New(m, cosim.Options{Tree: "indirect"})
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, v := range s.Program().States {
			names = append(names, v.Name)
			if strings.HasPrefix(v.Text, "state: ") {
				t.Errorf("%q: %s has no description", word, v.Name)
			}
		}
		for _, name := range states[word] {
			if !slices.Contains(names, name) {
				t.Errorf("%q: %s is no state; there are %v", word, name, names)
			}
		}
		r := instance(t, s, "rk4", 1e-4)
		r.set("a.wy", -0.9)
		r.start(noInput)
		if v, w := r.get("a.vx"), r.get("a.wy"); math.Abs(v-0.3) > 1e-15 || math.Abs(w+0.9) > 1e-15 {
			t.Errorf("%q: the start is vx %g and wy %g, not those of the file and of the user", word, v, w)
		}
		checkRates(t, r, word, names)
	}
}

// checkRates compares states that are rates with differences of coordinates, and components in ground with the
// published components in axes of the bodies.
func checkRates(t *testing.T, r *run, word string, names []string) {
	t.Helper()
	ground := func(body string, v [3]float64) (turned [3]float64) { // by 3-2-1 angles
		for k, axis := range []string{"roll", "pitch", "yaw"} {
			i, j := (k+1)%3, (k+2)%3
			sin, cos := math.Sincos(r.get(body + "." + axis))
			v[i], v[j] = cos*v[i]-sin*v[j], sin*v[i]+cos*v[j]
		}
		return v
	}
	three := func(of string) (v [3]float64) {
		for i := range 3 {
			v[i] = r.get(fmt.Sprintf(of, "xyz"[i:i+1]))
		}
		return v
	}
	type pair struct {
		name string
		want float64
	}
	var list []pair
	if word == "ground" {
		for i, w := range ground("a", three("a.w%s")) {
			list = append(list, pair{fmt.Sprintf("a.w%c_ground", "xyz"[i]), w})
		}
		for i, w := range ground("b", three("link.w%s")) { // in axes of b, whose tail is the hook of a
			list = append(list, pair{fmt.Sprintf("link.w%c_ground", "xyz"[i]), w})
		}
	}
	for _, p := range list {
		if got := r.get(p.name); !(math.Abs(got-p.want) <= 1e-13) {
			t.Errorf("%q: %s is %.15g, want %.15g", word, p.name, got, p.want)
		}
	}
	if word == "body" || word == "ground" {
		link := ground("b", three("link.v%s"))
		if word == "ground" {
			link = three("link.v%s_ground")
		}
		vb, va := ground("b", three("b.v%s")), ground("a", three("a.v%s"))
		w, lever := ground("a", three("a.w%s")), ground("a", [3]float64{0.1, 0.05, -0.1})
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			hook := va[i] + w[j]*lever[k] - w[k]*lever[j]
			if !(math.Abs(link[i]-(vb[i]-hook)) <= 1e-13) {
				t.Errorf("%q: velocity %d of the link is %.15g in ground, want %.15g", word, i, link[i], vb[i]-hook)
			}
		}
	}
	const h = 1e-4
	before := map[string]float64{}
	rates := func(do func(rate, of string)) {
		for _, name := range names {
			if of, is := strings.CutSuffix(name, "_dot"); is {
				do(name, of)
			}
		}
	}
	rates(func(_, of string) { before[of] = r.get(of) })
	r.drive(noInput, h, r.in.Time()+h)
	middle := map[string]float64{}
	rates(func(rate, of string) { middle[of] = r.get(rate) })
	r.drive(noInput, h, r.in.Time()+h)
	rates(func(rate, of string) {
		if difference := (r.get(of) - before[of]) / (2 * h); !(math.Abs(difference-middle[of]) <= 1e-6) {
			t.Errorf("%q: %s is %.10g, but %s changes at %.10g", word, rate, middle[of], of, difference)
		}
	})
}

// TestTrimWithChosenSpeeds: straight driving and rest have the same start values as with the default speeds. A turn,
// whose velocity changes in ground, is refused, and the message says what to do.
func TestTrimWithChosenSpeeds(t *testing.T) {
	testrun.Slow(t)
	trimmed := func(word string, start map[string]float64) (map[string]float64, error) {
		m := withFiala(t)
		choose(m, word)
		s, err := cosim.New(m, cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := instance(t, s, "rk4", 0.001)
		for name, v := range start {
			r.set(name, v)
		}
		if _, err := r.in.Trim(); err != nil {
			return nil, err
		}
		got := map[string]float64{}
		for _, name := range []string{"body.z", "body.pitch", "body.roll", "susp_FL.s", "wheel_FL.omega", "body.vx"} {
			got[name] = r.get(name)
		}
		return got, nil
	}
	for _, start := range []map[string]float64{{"body.vx": 15, "body.pitch": 0.01}, {"body.vx": 0}} {
		if start["body.vx"] == 0 && !testrun.Either(false, true) {
			continue
		}
		want, err := trimmed("", start)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range testrun.Either([]string{"rates"}, []string{"ground", "rates"}) {
			got, err := trimmed(word, start)
			if err != nil {
				t.Errorf("%s, %v: %v", word, start, err)
			}
			for name, v := range want {
				if !(math.Abs(got[name]-v) <= 1e-5*max(1, math.Abs(v))) {
					t.Errorf("%s, %v: %s is %.9g, want %.9g", word, start, name, got[name], v)
				}
			}
		}
	}
	_, err := trimmed("ground", map[string]float64{"steer_FL.angle": 0.01, "steer_FR.angle": 0.01})
	if err == nil || !strings.Contains(err.Error(), "trim without the key body.speeds") {
		t.Errorf("a turn is trimmed: %v", err)
	}
}
