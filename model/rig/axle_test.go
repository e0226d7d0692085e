package rig_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// panhardAxle is a rigid axle on two lower links, an upper link and a Panhard rod, all in planes across or along the
// vehicle. The slopes are dz/dx of the links towards the chassis, and dz/dy of the rod.
func panhardAxle(t *testing.T, lower, upper, panhard float64) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString(`name = "Panhard"
gravity = 9.81
[roles]
chassis = "body"
road = "road"
axles = [["tire_L", "tire_R"]]
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 800, inertia = { xx = 200, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
axle = { type = "rigid-body", mass = 80, inertia = { xx = 10, yy = 1, zz = 10 }, design = [0, 0, -0.2] }
`)
	point := func(name string, x, y, z float64) {
		fmt.Fprintf(&b, "[parameters.%s]\nvalue = [%g, %g, %g]\nunit = \"m\"\n", name, x, y, z-0.5) // from the chassis
	}
	rod := func(name string, onAxle, onBody [3]float64) {
		point(name+"_axle", onAxle[0], onAxle[1], onAxle[2])
		point(name+"_body", onBody[0], onBody[1], onBody[2])
		fmt.Fprintf(&b, "[component.%s]\ntype = \"rod\"\nfrom = \"body@%s_body\"\nto = \"axle@%s_axle\"\n", name, name, name)
	}
	rod("lower_L", [3]float64{0, 0.4, 0.2}, [3]float64{0.5, 0.4, 0.2 + 0.5*lower})
	rod("lower_R", [3]float64{0, -0.4, 0.2}, [3]float64{0.5, -0.4, 0.2 + 0.5*lower})
	rod("upper", [3]float64{0, 0, 0.45}, [3]float64{0.5, 0, 0.45 + 0.5*upper})
	rod("panhard", [3]float64{0, -0.5, 0.35 - 0.5*panhard}, [3]float64{0, 0.5, 0.35 + 0.5*panhard})
	for side, sign := range map[string]float64{"L": 1, "R": -1} {
		point("hub_"+side, 0, 0.7*sign, 0.3)
		point("seat_"+side, 0, 0.5*sign, 0.35)
		point("top_"+side, 0, 0.5*sign, 0.65)
		b.WriteString(strings.ReplaceAll(`[component.spring_L]
type = "spring-damper"
from = "body@top_L"
to = "axle@seat_L"
stiffness = 30000
free_length = { load = 4000 }
[component.wheel_L]
type = "revolute"
from = "axle@hub_L"
to = "tire_L"
axis = "y"
[component.tire_L]
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
`, "_L", "_"+side))
	}
	m, err := vehicle.Parse([]byte(b.String()), "panhard.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A rigid axle with a Panhard rod rolls about the point where the rod crosses the middle of the vehicle, by kinematics
// and by forces. Its wheels keep their camber to the ground, and the slope of the lower links steers the axle. Links
// carry braking with locked wheels at the contact, also the torque of a live axle with the other sign, and driving at
// the wheel centres.
func TestPanhardAxle(t *testing.T) {
	const low, high, radius = 0.2, 0.45, 0.3
	for _, c := range []struct{ lower, upper, panhard float64 }{{0, 0, 0}, {0.12, -0.2, 0.15}, {-0.08, 0.1, -0.2}} {
		r, err := rig.New(panhardAxle(t, c.lower, c.upper, c.panhard), rig.Options{Axle: 1, Radius: radius})
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, r)
		// forces forward of the lower links and of the upper link on the axle, for a force forward at a height
		support := func(force, height float64) float64 {
			upper := -force * (height - low) / (high - low)
			return -((-force-upper)*c.lower + upper*c.upper)
		}
		for key, want := range map[string]float64{
			"roll_centre": 0.35, "roll_centre_by_force": 0.35, "roll_camber": 1, "roll_steer": -c.lower,
			"support_brake": support(-1, 0), "support_drive": support(1, radius),
		} {
			if f := got[key]; math.Abs(f.Left.V-want) > 2e-5 || math.Abs(f.Right.V-want) > 2e-5 {
				t.Errorf("%+v: %s is %v and %v, not %v (%s)", c, key, f.Left.V, f.Right.V, want, f.Missing)
			}
		}
	}
}
