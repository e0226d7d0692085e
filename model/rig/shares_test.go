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

// A bushing between two moving bodies, a carrier on a bushing of its own and a hub, has forces on both.
func TestSharesOfBushingsBetweenBodies(t *testing.T) {
	car := func(stiffness string) *vehicle.Model {
		var b strings.Builder
		b.WriteString(`name = "Mounts"
gravity = 9.81
[roles]
chassis = "body"
road = "road"
axles = [["tire_L", "tire_R"]]
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 800, inertia = { xx = 200, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
`)
		for side, sign := range map[string]string{"L": "", "R": "-"} {
			b.WriteString(strings.NewReplacer("_S", "_"+side, "SIGN", sign, "STIFFNESS", stiffness).Replace(`
[component.arm_S]
type = "rigid-arm"
from = "body"
to = "arm_S"
translation = [0, SIGN0.7, -0.2]
[component.base_S]
type = "bushing"
from = "arm_S"
to = "carrier_S"
stiffness = [4e6, 2e6, 3e6]
rotational_stiffness = [50000, 80000, 70000]
[component.carrier_S]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [0, SIGN0.7, 0.3] }
[component.mount_S]
type = "bushing"
from = "carrier_S"
to = "hub_S"
stiffness = STIFFNESS
rotational_stiffness = [60000, 60000, 40000]
[component.hub_S]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [0, SIGN0.7, 0.3] }
[component.wheel_S]
type = "revolute"
from = "hub_S"
to = "tire_S"
axis = "y"
[component.tire_S]
type = "tire"
road = "road"
mass = 20
inertia = { axial = 1, transverse = 0.5 }
unloaded_radius = 0.31
vertical_stiffness = 2e5
vertical_damping = 100
rolling_radius = { method = "loaded" }
slip = { method = "kinematic" }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 1e5, Calpha = 1e5, Cr = 0, mu0 = 1, mu1 = 0.5 } }
`))
		}
		m, err := vehicle.Parse([]byte(b.String()), "mounts.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	of, parts := sharesOf(t, car("[2e6, 3e6, 1e6]"), rig.Options{Axle: 1})
	rigid, _ := sharesOf(t, car("[1e10, 1e10, 1e10]"), rig.Options{Axle: 1})
	for key, whole := range of {
		if got, want := parts[key]["mount_L"], whole-rigid[key]; math.Abs(got-want) > 0.02*math.Abs(whole)+1e-11 {
			t.Errorf("the bushing contributes %v to %s, not %v of %v", got, key, want, whole)
		}
	}
	if x := parts["lateral_parallel_contact_y"]["mount_L"]; !(x > 1e-7) {
		t.Errorf("the bushing contributes %v m/N", x)
	}
}
