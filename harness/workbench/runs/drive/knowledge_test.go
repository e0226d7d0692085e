package drive

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
)

// known is what a driver knows of a single track at two speeds.
func known() *Knowledge {
	return &Knowledge{Vehicle: "track", Mass: 1093.3, Vehicles: []preview.Vehicle{
		{Speed: 10.1, Self: [2][2]float64{{-10.0 / 3, -20.5}, {1e-17, -10}}, Steer: [2]float64{5, 5.0 / 7}},
		{Speed: 20, Self: [2][2]float64{{-5, -20}, {0.1, -5}}, Steer: [2]float64{6, 7}}},
		Limit: preview.Limit{Lateral: []float64{0, 1.1, 8.0 / 3}, More: []float64{0, -0.001, 0.2}}}
}

func written(t *testing.T, k *Knowledge) string {
	t.Helper()
	var b bytes.Buffer
	if err := k.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A file of a driver has every bit of what he knows, with a mass and without.
func TestTheFileOfADriverHasEveryBit(t *testing.T) {
	t.Parallel()
	for _, mass := range []float64{1093.3, 0} {
		want := known()
		want.Mass = mass
		got, err := parseKnowledge([]byte(written(t, want)), "driver.toml")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	// each key of the file has its own numbers
	text := written(t, known())
	for _, line := range []string{"lateral = [-5, -20, 6]", "yaw = [0.1, -5, 7]", "mass = 1093.3 # kg"} {
		if !strings.Contains(text, line) {
			t.Errorf("there is no line %q in\n%s", line, text)
		}
	}
}

// What no driver can know is refused with its place.
func TestFaultyFilesOfDrivers(t *testing.T) {
	t.Parallel()
	text := written(t, known())
	for _, c := range []struct{ old, new, want string }{
		{"vehicle = \"track\"", "", `lacks the key "vehicle"`},
		{"mass = 1093.3", "mass = -1", "mass is -1"},
		{"speed = 20 ", "speed = 10.1 ", "11:9: 10.1 m/s is not above the speed before"},
		{"speed = 20 ", "speed = 201 ", "201 m/s is more than 200 m/s"},
		{"[-5, -20, 6]", "[-5, -20]", "has 2 numbers; it must have 3"},
		{"[0.1, -5, 7]", "[0.1, -5, 7, 1]", "has 4 numbers; it must have 3"},
		{"[-5, -20, 6]", "[-5, -20001, 6]", "at most 10000"},
		{"[0.1, -5, 7]", "[0.1, -5, -7]", "does not turn to the side"},
		{"[0.1, -5, 7]", "[0, 0, 7]", "does not turn to the side"},      // never steady
		{"[0.1, -5, 7]", "[1e-308, 0, 7]", "does not turn to the side"}, // an infinite gain
		{"[0.1, -5, 7]", "[0.1, nan, 7]", "not a finite number"},
		{"[0.1, -5, 7]", "[0.1, \"1 1/s\", 7]", "a number"},
		{"[0, 1.1,", "[0.1, 1.1,", "the first must be 0"},
		{"[0, 1.1,", "[0, 0,", "value 2 is 0 m/s2"},
		{"[0, -0.001,", "[0, -1001,", "at most 1000"},
		{"[0, -0.001,", "[-0.001,", "has 2 numbers; it must have 3"},
		{"[curve]", "[bend]", `"bend"`},
	} {
		faulty := strings.Replace(text, c.old, c.new, 1)
		if faulty == text {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := parseKnowledge([]byte(faulty), "driver.toml")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "driver.toml:") {
			t.Errorf("%s: %v; want %q", c.new, err, c.want)
		}
	}
	many := known()
	for i := range mostSpeeds {
		v := many.Vehicles[1]
		v.Speed += float64(i + 1)
		many.Vehicles = append(many.Vehicles, v)
	}
	if _, err := parseKnowledge([]byte(written(t, many)), "driver.toml"); err == nil ||
		!strings.Contains(err.Error(), "102 speeds; at most 100") {
		t.Errorf("too many speeds: %v", err)
	}
	long := known()
	for i := range mostPoints {
		long.Limit.Lateral = append(long.Limit.Lateral, 3+float64(i)/100)
		long.Limit.More = append(long.Limit.More, 0)
	}
	if _, err := parseKnowledge([]byte(written(t, long)), "driver.toml"); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("at most %d", mostPoints)) {
		t.Errorf("too many points: %v", err)
	}
}

// A driver takes the hands of the manoeuvre, and knows one vehicle only: one of another name or mass is refused.
func TestADriverKnowsOneVehicle(t *testing.T) {
	t.Parallel()
	k := known()
	m := onPath(nil, 20, 1, manoeuvre.Driver{Delay: 0.15})
	want, err := preview.NewDriver(k.Vehicles, k.Limit, preview.Hands{Delay: 0.15})
	if err != nil {
		t.Fatal(err)
	}
	for _, mass := range []float64{0, 1093.3, 1.009 * 1093.3, 0.991 * 1093.3} {
		if got, err := k.Driver(m, "track", mass); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%g kg: %+v, %v; want %+v", mass, got, err, want)
		}
	}
	k.Mass = 0
	if _, err := k.Driver(m, "track", 3000); err != nil {
		t.Errorf("a driver who does not know the mass: %v", err)
	}
	k.Mass = 1093.3
	for _, c := range []struct {
		name string
		mass float64
		want string
	}{{"other", 1093.3, "knows the vehicle track, and not other"}, {"track", 1.011 * 1093.3, "and not with 1105.33 kg"},
		{"track", 0.989 * 1093.3, "and not with 1081.27 kg"}} {
		if _, err := k.Driver(m, c.name, c.mass); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %g kg: %v; want %q", c.name, c.mass, err, c.want)
		}
	}
	m.Driver = nil
	if _, err := k.Driver(m, "track", 0); err == nil || !strings.Contains(err.Error(), "no table [driver]") {
		t.Errorf("a manoeuvre without a driver: %v", err)
	}
}
