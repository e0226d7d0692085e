package vehicle_test

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// Implausible points and loads of a shipped corner get one warning each, with the points and their numbers.
func TestDoubtsAboutHardPoints(t *testing.T) {
	for _, c := range []struct {
		name, parameters string
		want             []string
	}{
		{"plausible", "", nil},
		{"front behind rear", "lower_front = [-150, 360, 200]\nlower_rear = [190, 370, 195]",
			[]string{"lower_front lies behind lower_rear (use F, L): x is -0.15 and 0.19 m"}},
		{"a spring that pulls", `load = "-2 kN"`, []string{"spring_carrier_FL pulls with 2000 N in the design position: " +
			"its points are 0.4953 m apart there, and its free_length is 0.4509 m"}},
		{"a spring that pushes a little", `load = "2 N"`, nil},
		{"a free spring", `load = "0 N"`, nil},
		{"metres", `lower_outer = ["10 m", "680 m", "180 m"]`, []string{"lower_outer is 680 m away (y)"}},
		{"other side", `tie_outer = [-130, -665, 232]`, []string{"points of a left side have y < 0 (use F, L): tie_outer"}},
	} {
		text := fmt.Sprintf(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1, 0, -0.5], angles = [0.3, 0, 0] }
[use.F]
file = "corner_double_wishbone"
at = ["L", "R"]
frames = { chassis = "front", rack = "front", road = "road" }
spring_on = "carrier"
[use.F.parameters]
%s
[roles]
chassis = "body"
`, c.parameters)
		m, err := vehicle.Parse([]byte(text), "axle.toml", vehicle.Opener("axle.toml"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, w := range m.Warnings {
			if strings.Contains(w, "lies behind") || strings.Contains(w, "pulls") || strings.Contains(w, "away") ||
				strings.Contains(w, "left side") {
				got = append(got, w)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: %s; want %s", c.name, got[i], want)
			}
		}
	}
}

// Wheels on free carriers have places that the layout does not know: the other axle alone says nothing about the centre
// of mass.
func TestCentreOfMassOfACarWithFreeCarriers(t *testing.T) {
	const text = `name = "Car"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 1200, inertia = { xx = 300, yy = 1500, zz = 1600 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1.2, 0, -0.5] }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [-1.3, 0, -0.5] }
[use.F]
file = "corner_double_wishbone"
at = ["L", "R"]
steered = "no"
frames = { chassis = "front", road = "road" }
[use.R]
file = "corner_five_link"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }
[roles]
chassis = "body"
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]
`
	m, err := vehicle.Parse([]byte(text), "car.toml", vehicle.Opener("car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(m.Warnings, "\n"); strings.Contains(all, "centre of mass") {
		t.Error(all)
	}
}
