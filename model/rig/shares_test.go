package rig_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// sharesOf are the figures of compliance and the contributions, by key and component.
func sharesOf(t *testing.T, m *vehicle.Model, o rig.Options) (of map[string]float64,
	parts map[string]map[string]float64) {
	t.Helper()
	o.Yields = true
	r, err := rig.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	figures, list, err := r.Shares()
	if err != nil {
		t.Fatal(err)
	}
	of, parts = map[string]float64{}, map[string]map[string]float64{}
	for i, f := range figures {
		of[f.Key], parts[f.Key] = f.Left.V, map[string]float64{}
		for _, s := range list {
			parts[f.Key][s.Component] = s.Of[i]
		}
	}
	return of, parts
}

// A rigid bushing acts as a very stiff bushing. The displacement of a bushing under the weight makes the difference.
func TestSharesOfBushings(t *testing.T) {
	const column = "column = \"torsion\"\n" // couples both wheels
	m := shippedAxle(t, column+corners("corner_double_wishbone", `joints = "bushings"`))
	of, parts := sharesOf(t, m, rig.Options{Axle: 1})
	if n := len(parts["lateral_parallel_toe"]); n != 5 {
		t.Fatalf("%d components: %v", n, parts["lateral_parallel_toe"])
	}
	r, err := rig.New(m, rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	for key, f := range figures(t, r) {
		if x, is := of[key]; is && math.Abs(x/f.Left.V-1) > 1e-3 {
			t.Errorf("%s is %v, and %v by least squares", key, x, f.Left.V)
		}
	}
	for _, name := range []string{"lower_fore", "upper_aft"} {
		rigid, _ := sharesOf(t, shippedAxle(t, column+corners("corner_double_wishbone", `joints = "bushings"`)+
			"\n[use.F.component."+name+"]\nstiffness = [1e10, 1e10, 1e10]\n"), rig.Options{Axle: 1})
		for key, whole := range of {
			got := parts[key][name+"_FL"]
			largest := 0.0
			for _, x := range parts[key] {
				largest = max(largest, math.Abs(x))
			}
			if want := whole - rigid[key]; math.Abs(got-want) > 0.02*largest {
				t.Errorf("%s contributes %v to %s, not %v", name, got, key, want)
			}
		}
	}
	// one after the other carries the load: the contributions are nearly the whole
	for _, key := range []string{"lateral_parallel_contact_y", "lateral_opposed_contact_y", "aligning_opposed_toe"} {
		sum := 0.0
		for _, x := range parts[key] {
			sum += x
		}
		if math.Abs(sum/of[key]-1) > 0.03 {
			t.Errorf("%s is %v, the sum of the contributions %v", key, of[key], sum)
		}
	}
}

// Without the column the axle is the one with a rigid column. Both joints of the passenger car that yield make all of
// its compliance.
func TestSharesOfColumnsAndJoints(t *testing.T) {
	const slide, role = `type = "motion-driver", kind = "translation"`, `steering = { input = "wheel.angle" }`
	steering := func(column string) string {
		return `wheel = { type = "steering", rack = { driver = "slide", travel_per_turn = "48 mm/rev" }` + column + " }"
	}
	of, parts := sharesOf(t, rackCar(t, slide, steering(", column = { stiffness = 100 }"), role), rig.Options{Axle: 1})
	stiff, _ := sharesOf(t, rackCar(t, slide, steering(", column = { stiffness = 1e9 }"), role), rig.Options{Axle: 1})
	for key, whole := range of {
		if got, want := parts[key]["wheel"], whole-stiff[key]; math.Abs(got-want) > 0.01*math.Abs(whole)+1e-12 {
			t.Errorf("the column contributes %v to %s, not %v", got, key, want)
		}
	}
	car, err := vehicle.Read("../../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	of, parts = sharesOf(t, car, rig.Options{Axle: 1})
	for key, main := range map[string]string{"aligning_parallel_toe": "toe_bushing_FL",
		"lateral_parallel_camber": "camber_bushing_FL"} {
		sum := 0.0
		for _, x := range parts[key] {
			sum += x
		}
		if len(parts[key]) != 2 || math.Abs(sum/of[key]-1) > 0.02 || parts[key][main]/of[key] < 0.95 {
			t.Errorf("%s is %v of %v", key, of[key], parts[key])
		}
	}
	bare, err := rig.New(car, rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := bare.Shares(); err == nil || !strings.Contains(err.Error(), "not formulated") {
		t.Errorf("shares without Options.Yields: %v", err)
	}
}
