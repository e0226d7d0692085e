package vehicle_test

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// freeCarriers is a car whose wheel carriers are free bodies on five rods each.
func freeCarriers() string {
	var s strings.Builder
	s.WriteString(`name = "Free"
gravity = 9.81
[component.road]
type = "road"
[component.body]
type = "rigid-body"
mass = 800
inertia = { xx = 300, yy = 1000, zz = 1100 }
start = { position = [0, 0, 0.5], velocity = [10, 0, 0] }
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]
`)
	for i, name := range []string{"FL", "FR", "RL", "RR"} {
		side, x := float64(1-i%2*2), 1.3
		if i > 1 {
			x = -1.3
		}
		fmt.Fprintf(&s, `[component.upright_%[1]s]
type = "rigid-body"
mass = 15
inertia = { xx = 0.5, yy = 0.5, zz = 0.5 }
start = { position = [%[2]g, %[3]g, 0.31], velocity = [10, 0, 0] }
[component.wheel_%[1]s]
type = "revolute"
from = "upright_%[1]s"
to = "rim_%[1]s"
axis = "y"
start = { omega = 32 }
[component.tire_%[1]s]
type = "tire"
frame = "rim_%[1]s"
road = "road"
mass = 20
inertia = { axial = 1, transverse = 0.6 }
unloaded_radius = 0.32
vertical_stiffness = 2e5
vertical_damping = 200
rolling_radius = { method = "unloaded" }
slip = { method = "kinematic" }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 2e4, Calpha = 1.5e4, Cr = 0.01, mu0 = 1, mu1 = 0.8 } }
[component.top_%[1]s]
type = "rigid-arm"
from = "body"
to = "top_%[1]s"
translation = [%[2]g, %[4]g, 0.3]
[component.coil_%[1]s]
type = "spring-damper"
from = "top_%[1]s"
to = "upright_%[1]s"
stiffness = 30000
damping = 3000
free_length = 0.58
`, name, x, 0.75*side, 0.65*side)
		for k, inner := range [][3]float64{{0.15, -0.1, 0}, {-0.15, -0.1, 0}, {0.15, 0.15, 0}, {-0.15, 0.15, 0}, {-0.2, 0.03,
			-0.12}} {
			outer := inner[2]
			fmt.Fprintf(&s, `[component.in_%[1]d_%[2]s]
type = "rigid-arm"
from = "body"
to = "in_%[1]d_%[2]s"
translation = [%[3]g, %[4]g, %[5]g]
[component.out_%[1]d_%[2]s]
type = "rigid-arm"
from = "upright_%[2]s"
to = "out_%[1]d_%[2]s"
translation = [%[6]g, %[7]g, %[8]g]
[component.rod_%[1]d_%[2]s]
type = "rod"
from = "in_%[1]d_%[2]s"
to = "out_%[1]d_%[2]s"
length = "sqrt((%[9]g)^2 + 0.35^2)"
`, k, name, x+inner[0], 0.35*side, inner[1]-0.19, outer, -0.05*side, inner[1], inner[0]-outer)
		}
	}
	return s.String()
}

// Carriers can be free bodies, without joints between body and wheels. The wheels still share the weight: the car gives
// no warnings, and a tire with a stiffness in a wrong unit gives a warning with finite numbers.
func TestCarsOfFreeCarriers(t *testing.T) {
	car := freeCarriers()
	_, rest, _ := strings.Cut(car, "[component.upright_FL]")
	body, _, _ := strings.Cut(car, "[roles]")
	for _, text := range []string{car, body + "[component.upright_FL]" + rest} { // with roles and without
		m, err := vehicle.Parse([]byte(text), "free.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Warnings) > 0 {
			t.Errorf("warnings: %s", strings.Join(m.Warnings, "\n"))
		}
		if m, err = vehicle.Parse([]byte(strings.Replace(text, "2e5", "200", 1)), "free.toml", nil); err != nil {
			t.Fatal(err)
		}
		found := strings.Join(m.Warnings, "\n")
		if !strings.Contains(found, "tire_FL deflects by 12 m under an even share of the weight (2.31e+03 N)") ||
			strings.Contains(found, "Inf") {
			t.Errorf("a tire of 200 N/m: %s", found)
		}
	}
}
