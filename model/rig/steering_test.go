package rig_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// rackCar is a car of struts in front and five links behind, with a steering of some kind.
func rackCar(t *testing.T, slide, steering, role string) *vehicle.Model {
	t.Helper()
	text := fmt.Sprintf(`name = "Car"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 1200, inertia = { xx = 300, yy = 1500, zz = 1600 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1.2, 0, -0.5] }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [-1.3, 0, -0.5] }
rack = { type = "rigid-body", design = [1.2, 0, -0.5], mass = 3, inertia = { xx = 0.1, yy = 0.01, zz = 0.1 } }
slide = { %s, from = "front", to = "rack", axis = [0, -1, 0] }
%s
[use.F]
file = "../subsystems/corner_macpherson.toml"
at = ["L", "R"]
frames = { chassis = "front", rack = "rack", road = "road" }
[use.R]
file = "../subsystems/corner_five_link.toml"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]
%s
`, slide, steering, role)
	const path = "../../resources/models/rack_car.toml"
	m, err := vehicle.Parse([]byte(text), path, vehicle.Opener(path))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Racks are found by each kind of steering. A rack of 48 mm/rev has one overall ratio, and one torque at the steering
// wheel, whether the torque is a load on a coordinate or follows by virtual work. A column twists by the torque, so
// that the road wheels yield to aligning moments to one side, and not to opposed ones.
func TestRacksOfSteerings(t *testing.T) {
	const (
		driver, joint = `type = "motion-driver", kind = "translation"`, `type = "prismatic", motion = "input"`
		rack, stiff   = `rack = { driver = "slide", travel_per_turn = "48 mm/rev" }`, 100.0
		c, role       = 0.048 / (2 * math.Pi), `steering = { input = "wheel.angle" }`
	)
	var toe, opposed, torque, ratio [6]float64
	for i, of := range []struct{ slide, steering, role, rack string }{
		{driver, "", `steering = { drivers = ["slide"], ratio = "130.8996939 rad/m" }`, "slide"},
		{driver, `wheel = { type = "steering", ` + rack + ` }`, role, "wheel"},
		{joint, `wheel = { type = "steering", ` + rack + ` }`, role, "wheel"},
		{joint, `wheel = { type = "steering", ` + rack + `, hand_wheel = { inertia = 0.05 } }`, role, "slide"},
		{driver, `wheel = { type = "steering", ` + rack + `, column = { stiffness = 100 } }`, role, "wheel"},
		{joint, `wheel = { type = "steering", ` + rack + `, column = { stiffness = 100 }, hand_wheel = { inertia = 0.05 } }`,
			role, "wheel"},
	} {
		r, err := rig.New(rackCar(t, of.slide, of.steering, of.role), rig.Options{Axle: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, r)
		if r.Rack != of.rack || math.Abs(got["c_factor"].Left.V-c) > 1e-9 {
			t.Errorf("%s: rack %s, %v m/rad", of.steering, r.Rack, got["c_factor"].Left.V)
		}
		toe[i], opposed[i] = got["aligning_parallel_toe"].Left.V, got["aligning_opposed_toe"].Left.V
		torque[i], ratio[i] = got["hand_torque_per_aligning"].Left.V, got["overall_ratio"].Left.V
		// the ends of the curve are at 40 mm of the rack
		if circle := got["turning_circle"].Left.V; math.Abs(circle-16.96) > 0.04 {
			t.Errorf("%s: turning circle %v m", of.steering, circle)
		}
		if load := got["rack_load_per_aligning"]; i == 0 && math.Abs(load.Left.V*c-torque[i]) > 1e-12 ||
			i > 0 && load.Key != "" {
			t.Errorf("%s: load on the rack %+v, torque %v", of.steering, load, torque[i])
		}
	}
	for i := 1; i < len(torque); i++ {
		near := 1e-6
		if i > 3 {
			near = 0.01 // by the twist under the weight
		}
		if math.Abs(torque[i]/torque[0]-1) > near || math.Abs(ratio[i]/ratio[0]-1) > near ||
			math.Abs(opposed[i]-opposed[0]) > 1e-12 {
			t.Errorf("steering %d: torque %v, ratio %v, opposed %v; %v, %v, %v with the rack alone", i, torque[i], ratio[i],
				opposed[i], torque[0], ratio[0], opposed[0])
		}
	}
	if math.Abs(torque[4]-torque[5]) > 1e-9 || math.Abs(toe[4]-toe[5]) > 1e-12 || math.Abs(toe[1]-toe[3]) > 1e-12 {
		t.Errorf("torque %v, toe %v", torque, toe)
	}
	// 1 N m on each wheel twists the column by the torque over the stiffness, and the ratio gives the angle of the wheels
	if got, want := toe[4]-toe[1], torque[4]/stiff/ratio[4]; math.Abs(got/want-1) > 4e-3 {
		t.Errorf("the column adds %v rad/(N m), not %v", got, want)
	}
	// moments to the left are held by a torque to the right: the work on both sides of the steering gear is equal
	if math.Abs(torque[0]*ratio[0]+2) > 5e-3 {
		t.Errorf("torque %v at the ratio %v", torque[0], ratio[0])
	}
	for _, axle := range []int{1, 2} {
		r, err := rig.New(rackCar(t, `type = "prismatic"`, "", ""), rig.Options{Axle: axle})
		if err != nil {
			t.Fatal(err)
		}
		got := figures(t, r)
		says := map[int]string{1: "no steering wheel shifts the rack", 2: "does not turn the wheels"}[axle]
		for _, key := range []string{"c_factor", "overall_ratio", "hand_torque_per_aligning"} {
			if f := got[key]; !strings.Contains(f.Missing, says) {
				t.Errorf("%s is missing: %q does not say %q", key, f.Missing, says)
			}
		}
	}
}

// Figures of a screw axis, and the load on a rack that an input moves, have derivatives: here by points of five links,
// against differences.
func TestDerivativesOfScrewAxes(t *testing.T) {
	m := shippedAxle(t, corners("corner_five_link", `steered = "yes"`))
	r, err := rig.New(m, rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"lower_fore_inner_F_z", "upper_aft_outer_F_y", "toe_outer_F_x", "wheel_centre_F_y"}
	list, err := r.Sensitivities(names)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		const h = 1e-5
		var ends [2]map[string]rig.Figure
		for i, sign := range []float64{-1, 1} {
			moved, err := rig.New(m, rig.Options{Axle: 1, Set: []rig.Setting{{Name: s.Parameter, Value: s.Value + sign*h}}})
			if err != nil {
				t.Fatal(err)
			}
			ends[i] = figures(t, moved)
		}
		checked := 0
		for _, f := range s.Figures {
			switch f.Key {
			case "castor", "inclination", "trail", "scrub", "hub_trail", "hub_offset",
				"hand_torque_per_aligning":
			default:
				continue
			}
			checked++
			want := (ends[1][f.Key].Left.V - ends[0][f.Key].Left.V) / (2 * h)
			if scale := max(0.05, math.Abs(want)); math.Abs(f.Left.D-want) > 1e-4*scale ||
				math.Abs(f.Left.D-f.Right.D) > 1e-6*scale {
				t.Errorf("d %s/d %s is %v and %v, not %v", f.Key, s.Parameter, f.Left.D, f.Right.D, want)
			}
		}
		if checked != 7 {
			t.Errorf("%d figures", checked)
		}
	}
}

// A car whose brakes have no distribution has anti-dive and anti-lift by the share of the role, and the message names
// the role where it is missing.
func TestShareOfTheFrontBrakes(t *testing.T) {
	var antis [2][2]rig.Figure // by share given, axle
	for i, share := range []string{"", ", front_share = 0.7"} {
		m := rackCar(t, `type = "prismatic"`, "", `brake = { inputs = ["brake_FL.torque", "brake_RL.torque"]`+share+" }")
		ratio := 0.0 // wheelbase to height, by the figure of driving, which has no share
		for _, axle := range []int{1, 0} {
			r, err := rig.New(m, rig.Options{Axle: axle + 1})
			if err != nil {
				t.Fatal(err)
			}
			got := figures(t, r)
			key := []string{"anti_dive", "anti_lift"}[axle]
			antis[i][axle] = got[key]
			if axle == 1 {
				ratio = got["anti_squat"].Left.V / got["support_drive"].Left.V
			}
			want := got["support_brake"].Left.V * []float64{0.7, -0.3}[axle] * ratio
			if i == 1 && !(math.Abs(got[key].Left.V/want-1) < 2e-3) {
				t.Errorf("%s is %v, not %v", key, got[key].Left.V, want)
			}
		}
	}
	for axle, f := range antis[0] {
		if !strings.Contains(f.Missing, "brake.front_share") {
			t.Errorf("axle %d: %+v", axle+1, f)
		}
	}
}
