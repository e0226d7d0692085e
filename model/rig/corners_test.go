package rig_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// shippedAxle is an axle of shipped subsystems, on a chassis front with its origin on the ground, and a rack bar_S.
func shippedAxle(t *testing.T, uses string) *vehicle.Model {
	t.Helper()
	text := `name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [0, 0, -0.5] }
[use.S]
file = "../subsystems/rack.toml"
frames = { chassis = "front" }
` + uses + `
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"]]
steering = { input = "steering_S.angle" }
`
	const path = "../../resources/models/axle.toml"
	m, err := vehicle.Parse([]byte(text), path, vehicle.Opener(path))
	if err != nil {
		t.Fatalf("%s: %v", uses, err)
	}
	return m
}

// corners are the corners of an axle by points.
func corners(file, options string) string {
	return fmt.Sprintf(`[use.F]
file = "../subsystems/%s.toml"
at = ["L", "R"]
frames = { chassis = "front", rack = "bar_S", road = "road" }
parameters.toe = 0.002
parameters.camber = -0.01
%s
`, file, options)
}

// rockers are push rods and rockers on the carriers of an axle.
const rockers = `spring_on = "rocker"
[use.P]
file = "../subsystems/pushrod_rocker.toml"
frames = { chassis = "front", left = "carrier_FL", right = "carrier_FR" }
`

// Every shipped corner by points has plausible kinematics, equal on both sides, for all its options. With bushings it
// is at rest near the design position and moves nearly alike.
func TestShippedCornersByPoints(t *testing.T) {
	const deg = math.Pi / 180
	type span struct{ least, most float64 }
	for _, c := range []struct {
		file, options string
		ideal         int // index of the row with the same options and ideal joints, -1 for this one
		wheelRate     span
	}{
		0: {"corner_double_wishbone", `spring_on = "lower"`, -1, span{16e3, 22e3}},
		1: {"corner_double_wishbone", `spring_on = "upper"` + "\n" + `steered = "no"`, -1, span{16e3, 24e3}},
		2: {"corner_double_wishbone", `spring_on = "carrier"`, -1, span{28e3, 36e3}},
		3: {"corner_double_wishbone", `joints = "bushings"`, 0, span{19e3, 25e3}},
		4: {"corner_double_wishbone", `joints = "bushings"` + "\n" + `spring_on = "upper"` + "\n" + `steered = "no"`, 1,
			span{19e3, 28e3}},
		5:  {"corner_double_wishbone", `joints = "bushings"` + "\n" + `spring_on = "carrier"`, 2, span{31e3, 40e3}},
		6:  {"corner_macpherson", `steered = "yes"`, -1, span{24e3, 28e3}},
		7:  {"corner_macpherson", `joints = "bushings"` + "\n" + `steered = "no"`, 6, span{25e3, 30e3}},
		8:  {"corner_macpherson", `joints = { default = "bushings", top = "ideal" }`, 6, span{25e3, 30e3}},
		13: {"corner_double_wishbone", rockers, -1, span{26e3, 32e3}},
		14: {"corner_double_wishbone", "joints = \"bushings\"\n" + rockers, 13, span{26e3, 35e3}},
		15: {"corner_five_link", "steered = \"yes\"\n" + rockers, -1, span{24e3, 34e3}},
		9:  {"corner_five_link", ``, -1, span{20e3, 28e3}},
		10: {"corner_five_link", `steered = "yes"`, -1, span{20e3, 28e3}},
		11: {"corner_five_link", `joints = "bushings"`, 9, span{20e3, 28e3}},
		12: {"corner_five_link", `joints = "bushings"` + "\n" + `steered = "yes"`, 10, span{20e3, 28e3}},
	} {
		name := c.file + ", " + c.options
		r, err := rig.New(shippedAxle(t, corners(c.file, c.options)), rig.Options{Axle: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := [3]*rig.State{}
		for i, travel := range []float64{-0.01, 0, 0.01} {
			if s[i], err = r.Solve(rig.Given{Travel: [2]float64{travel, travel}}, nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			a, b := &s[i].Wheels[0], &s[i].Wheels[1]
			if math.Abs(a.Toe().V-b.Toe().V) > 1e-9 || math.Abs(a.Camber().V-b.Camber().V) > 1e-9 {
				t.Errorf("%s: toe %v and %v, camber %v and %v at left and right", name, a.Toe().V, b.Toe().V, a.Camber().V,
					b.Camber().V)
			}
		}
		near := 1e-9 // of the design position [rad]
		if c.ideal >= 0 {
			near = 0.3 * deg
		}
		wheel := &s[1].Wheels[0]
		if math.Abs(wheel.Toe().V-0.002) > near || math.Abs(wheel.Camber().V+0.01) > near {
			t.Errorf("%s: toe-in %v, camber %v at rest; 0.002, -0.01 are given", name, wheel.Toe().V, wheel.Camber().V)
		}
		slope := func(of func(*rig.State) float64) float64 { return (of(s[2]) - of(s[0])) / 0.02 }
		for key, x := range map[string]struct {
			slope float64
			in    span
		}{
			"toe [deg/m]":    {slope(func(s *rig.State) float64 { return s.Wheels[0].Toe().V }) / deg, span{-5, 5}},
			"camber [deg/m]": {slope(func(s *rig.State) float64 { return s.Wheels[0].Camber().V }) / deg, span{-45, -10}},
			"force [N/m]":    {slope(func(s *rig.State) float64 { return s.Pads[0].V }), c.wheelRate},
		} {
			if !(x.slope >= x.in.least && x.slope <= x.in.most) {
				t.Errorf("%s: %s over travel is %.4g, not from %g to %g", name, key, x.slope, x.in.least, x.in.most)
			}
		}
		if load := s[1].Pads[0].V; !(load > 2500 && load < 5500) {
			t.Errorf("%s: the pad carries %.0f N", name, load)
		}
	}
}

// A short toe link that yields comes into line with the steering axis. Large steps lead to another assembly of the
// links, with another toe; the curve follows small steps along this one, or ends where the axle snaps through.
func TestCurvesStayOnOneAssembly(t *testing.T) {
	axle := func(inner string) *rig.Rig {
		r, err := rig.New(shippedAxle(t, corners("corner_five_link", "joints = \"bushings\"\nparameters.toe_inner = "+inner)),
			rig.Options{Axle: 1})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := axle("[-194, 674, 202]")
	given := func(z float64) rig.Given { return rig.Given{Travel: [2]float64{-z, z}} }
	small, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	large, err := r.Solve(given(0.004), small)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 8; i++ {
		if small, err = r.Solve(given(0.0005*float64(i)), small); err != nil {
			t.Fatal(err)
		}
	}
	toe := small.Wheels[rig.Left].Toe().V
	if math.Abs(large.Wheels[rig.Left].Toe().V-toe) < 0.01 {
		t.Errorf("large and small steps lead to a toe of %v", toe)
	}
	c, _, err := r.Curve("roll", false)
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.Index(c.At, 0.004); i < 0 || math.Abs(c.States[i].Wheels[rig.Left].Toe().V-toe) > 1e-9 {
		t.Errorf("the curve has other states than small steps: %v, %v", c.At, c.Ends)
	}
	if c, _, err = axle("[-186, 678, 162]").Curve("roll", false); err != nil || len(c.Ends) != 2 ||
		!strings.Contains(c.Ends[1], "from 0.00025 to 0.0005 m the axle snaps through") {
		t.Errorf("the axle snaps through, but %v, %+v", err, c)
	}
}

// The rig finds the places of parts that move: their start values are refused, others may be set.
func TestStartValuesOnTheRig(t *testing.T) {
	m := shippedAxle(t, corners("corner_double_wishbone", ""))
	for name, refused := range map[string]bool{"lower_hinge_FL.phi": true, "body.z": false, "stiffness_F": false} {
		_, err := rig.New(m, rig.Options{Axle: 1, Set: []rig.Setting{{Name: name, Value: 0.5}}})
		if got := err != nil && strings.Contains(err.Error(), name+" is a start value, and has no effect"); got != refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
