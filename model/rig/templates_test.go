package rig_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/kc"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// wishbones are the links of corner_double_wishbone with its defaults and ideal joints.
var wishbones = links{
	wheel: [3]float64{0, 0.74, 0.3},
	rods: [][2][3]float64{{{0.15, 0.36, 0.2}, {0.01, 0.68, 0.18}}, {{-0.19, 0.37, 0.195}, {0.01, 0.68, 0.18}},
		{{0.11, 0.42, 0.44}, {-0.025, 0.64, 0.465}}, {{-0.15, 0.425, 0.425}, {-0.025, 0.64, 0.465}},
		{{-0.14, 0.355, 0.24}, {-0.13, 0.665, 0.232}}},
}

// swing is the angle of an arm about an axis through a pivot, from its place in the design position. A rod joins its
// end to a point that has moved from before to after. The angle is the smaller root of a cos x + b sin x = c.
func swing(axis, pivot, end, before, after kc.Vector) float64 {
	length := end.Minus(before).Size().V
	arm, to := end.Minus(pivot), after.Minus(pivot)
	along := axis.Times(axis.Dot(arm))
	across := arm.Minus(along)
	a, b := across.Dot(to).V, axis.Cross(across).Dot(to).V
	c := (arm.Dot(arm).V+to.Dot(to).V-length*length)/2 - along.Dot(to).V
	middle, half := math.Atan2(b, a), math.Acos(c/math.Hypot(a, b))
	if math.Abs(middle-half) < math.Abs(middle+half) {
		return middle - half
	}
	return middle + half
}

// turned is a point that has turned about an axis through a pivot.
func turned(axis, pivot, point kc.Vector, angle float64) kc.Vector {
	p := pose{axis[0].V * angle, axis[1].V * angle, axis[2].V * angle}
	return p.turn(point.Minus(pivot)).Plus(pivot)
}

// angleOfHeight is the angle of an arm about an axis to the left. A point of the arm behind the pivot has a height.
func angleOfHeight(axis, pivot, point kc.Vector, height float64) float64 {
	low, high := -0.5, 0.5
	for range 60 {
		if middle := (low + high) / 2; turned(axis, pivot, point, middle)[2].V < height {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// forcesOf are the loads of the joints of an axle at travels of both wheels.
func forcesOf(t *testing.T, r *rig.Rig, left, right float64) map[string]rig.JointForce {
	t.Helper()
	s, err := r.Solve(rig.Given{Travel: [2]float64{left, right}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Forces(s)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]rig.JointForce{}
	for _, f := range list {
		of[f.Component] = f
	}
	return of
}

// Springs on rockers, and a third spring between rockers, have the lengths that follow from the links of the carrier by
// Newton's method, and from the rod and the rocker in closed form. The torque of a bar between rockers follows from the
// difference of their angles: with spring, third spring and rod it leaves the rocker at rest.
func TestPushrodRockers(t *testing.T) {
	r, err := rig.New(shippedAxle(t, corners("corner_double_wishbone", `spring_on = "rocker"`)+`[use.P]
file = "../subsystems/pushrod_rocker.toml"
frames = { chassis = "front", left = "carrier_FL", right = "carrier_FR" }
third = "yes"
bar = "yes"
parameters = { mass = 1e-9, third_load = 100 }
`), rig.Options{Axle: 1, Forces: true})
	if err != nil {
		t.Fatal(err)
	}
	axis, pivot := kc.At(1, 0, 0), kc.At(0, 0.4, 0.48)
	outer, inner := [3]float64{0, 0.64, 0.215}, kc.At(0, 0.46, 0.495)
	onRocker, top, third := kc.At(0, 0.418, 0.54), kc.At(0, 0.13, 0.55), kc.At(0.03, 0.405, 0.545)
	for _, travel := range [][2]float64{{-0.05, -0.05}, {0, 0}, {0.03, 0.03}, {0.04, -0.02}} {
		of := forcesOf(t, r, travel[0], travel[1])
		var angles [2]float64
		var seats [2]kc.Vector // mirrored to the left
		var rods [2]kc.Vector  // unit vectors from the carrier to the rocker
		for side, name := range []string{"L", "R"} {
			p := wishbones.solve(travel[side])
			before, after := kc.At(outer[0], outer[1], outer[2]), wishbones.place(&p, outer)
			angles[side] = swing(axis, pivot, inner, before, after)
			seats[side] = turned(axis, pivot, third, angles[side])
			length := top.Minus(turned(axis, pivot, onRocker, angles[side])).Size().V
			free := top.Minus(onRocker).Size().V + 4500./45000
			if got, want := of["spring_P"+name].Tension, 45000*(length-free); math.Abs(got-want) > 1e-3 {
				t.Errorf("travel %v, %s: the spring has %v N, not %v", travel, name, got, want)
			}
			rod := turned(axis, pivot, inner, angles[side]).Minus(after)
			rods[side] = rod.Times(kc.Of(1 / rod.Size().V))
		}
		apart := seats[0].Minus(kc.At(seats[1][0].V, -seats[1][1].V, seats[1][2].V))
		length := apart.Size().V
		pull := 10000 * (length - 2*0.405 - 100./10000)
		if got := of["third_P"].Tension; math.Abs(got-pull) > 1e-3 {
			t.Errorf("travel %v: the third spring has %v N, not %v", travel, got, pull)
		}
		// moments about the axis of the left rocker, of all that acts on it
		about := func(at, force kc.Vector) float64 { return axis.Dot(at.Minus(pivot).Cross(force)).V }
		seat := turned(axis, pivot, onRocker, angles[0])
		line := top.Minus(seat)
		moment := about(seat, line.Times(kc.Of(of["spring_PL"].Tension/line.Size().V))) +
			about(seats[0], apart.Times(kc.Of(-of["third_P"].Tension/length))) +
			about(turned(axis, pivot, inner, angles[0]), rods[0].Times(kc.Of(-of["rod_PL"].Tension))) -
			20*(angles[0]-angles[1])
		if math.Abs(moment) > 1e-4 {
			t.Errorf("travel %v: a moment of %v N m turns the left rocker", travel, moment)
		}
	}
}

// An anti-roll bar twists by the difference of the angles of its levers. The angles follow from the links of the
// carrier. The drop links hold the torque of the bar.
func TestBarWithDropLinks(t *testing.T) {
	r, err := rig.New(shippedAxle(t, corners("corner_double_wishbone", `spring_on = "carrier"`)+`[use.B]
file = "../subsystems/bar_droplinks.toml"
frames = { chassis = "front", left = "carrier_FL", right = "carrier_FR" }
parameters = { lever_mass = 1e-9, torsion = 700 }
`), rig.Options{Axle: 1, Forces: true})
	if err != nil {
		t.Fatal(err)
	}
	axis, pivot, end := kc.At(0, 1, 0), kc.At(-0.22, 0.48, 0.25), kc.At(-0.05, 0.56, 0.255)
	onWheel := [3]float64{-0.055, 0.595, 0.53}
	for _, travel := range [][2]float64{{0.03, 0.03}, {0.04, -0.03}, {0, 0.02}} {
		of := forcesOf(t, r, travel[0], travel[1])
		var angles [2]float64
		var arms [2]float64 // moment of the link about the bar per tension
		for side := range 2 {
			p := wishbones.solve(travel[side])
			after := wishbones.place(&p, onWheel)
			angles[side] = swing(axis, pivot, end, kc.At(onWheel[0], onWheel[1], onWheel[2]), after)
			at := turned(axis, pivot, end, angles[side])
			line := after.Minus(at)
			arms[side] = axis.Dot(at.Minus(pivot).Cross(line)).V / line.Size().V
		}
		torque := 700 * (angles[0] - angles[1])
		for side, name := range []string{"L", "R"} {
			want := torque * float64(1-2*side) / arms[side]
			if got := of["link_B"+name].Tension; math.Abs(got-want) > 1e-3 {
				t.Errorf("travel %v, %s: the drop link has %v N, not %v", travel, name, got, want)
			}
		}
	}
}

// With all options of the shipped rack, a turn of the steering wheel shifts it by travel_per_turn. The wheels turn
// as Newton's method finds for the links alone.
func TestShippedRack(t *testing.T) {
	const perRadian = -0.05 / (2 * math.Pi)
	const toe, camber = 0.002, -0.01
	spin := kc.At(math.Cos(camber)*math.Sin(toe), math.Cos(camber)*math.Cos(toe), -math.Sin(camber))
	const column = "column = \"torsion\"\nparameters = { stiffness = 1e10 }\n" // which the weight hardly twists
	for _, options := range []string{"", column, "hand_wheel = \"free\"\n", column + "hand_wheel = \"free\"\n"} {
		r, err := rig.New(shippedAxle(t, options+corners("corner_double_wishbone", "")), rig.Options{Axle: 1})
		if err != nil {
			t.Fatalf("%s: %v", options, err)
		}
		for _, angle := range []float64{-2, 1.5} {
			s, err := r.Solve(rig.Given{Rack: angle}, nil)
			if err != nil {
				t.Fatalf("%s: %v", options, err)
			}
			for side, sign := range []float64{1, -1} {
				steered := wishbones
				steered.rack = sign * angle * perRadian
				p := steered.solve(0)
				wheel := kc.Wheel{Spin: p.turn(spin)}
				want := wheel.Toe().V
				if got := s.Wheels[side].Toe().V; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s%s at %v: toe is %v, not %v", options, rig.Sides[side], angle, got, want)
				}
			}
			if left := s.Wheels[0].Toe().V < 0; left != (angle > 0) {
				t.Errorf("%s at %v: toe of the left wheel is %v", options, angle, s.Wheels[0].Toe().V)
			}
		}
	}
}

// The complete cars have usual figures. Links whose sleeves are springs have no motion ratios.
func TestShippedCarsByPoints(t *testing.T) {
	testrun.Slow(t)
	const deg = math.Pi / 180
	type span struct{ least, most float64 }
	for _, c := range []struct {
		car  string
		axle int
		in   map[string]span
	}{
		{"formula_student", 1, map[string]span{"toe_per_travel": {-1 * deg, 1 * deg},
			"camber_per_travel": {-60 * deg, -30 * deg}, "wheel_rate": {18e3, 26e3}, "motion_ratio": {0.65, 0.75},
			"roll_centre": {0.03, 0.06}, "roll_stiffness": {280 / deg, 400 / deg}, "castor": {4 * deg, 7 * deg},
			"anti_dive":      {0.05, 0.2},
			"steer_per_rack": {0.18, 0.25}}},
		{"formula_student", 2, map[string]span{"toe_per_travel": {0, 2 * deg}, "camber_per_travel": {-60 * deg, -30 * deg},
			"wheel_rate": {20e3, 28e3}, "motion_ratio": {0.65, 0.75}, "roll_centre": {0.04, 0.08},
			"roll_stiffness": {250 / deg, 380 / deg}, "anti_squat": {0.1, 0.4}}},
		{"road_car", 1, map[string]span{"toe_per_travel": {-5 * deg, 0}, "camber_per_travel": {-25 * deg, -8 * deg},
			"wheel_rate": {22e3, 32e3}, "motion_ratio": {0.9, 1}, "roll_centre": {0.04, 0.1},
			"roll_stiffness": {900 / deg, 1500 / deg}, "castor": {3 * deg, 7 * deg}, "anti_dive": {0.05, 0.3},
			"lateral_parallel_toe": {0, 0.1e-3 * deg}, "driving_x": {0, 2e-6}, "steer_per_rack": {0.055, 0.065}}},
		{"road_car", 2, map[string]span{"toe_per_travel": {0, 3 * deg}, "camber_per_travel": {-40 * deg, -20 * deg},
			"wheel_rate": {18e3, 28e3}, "motion_ratio": {0.85, 0.95}, "roll_centre": {0.08, 0.13},
			"roll_stiffness": {500 / deg, 900 / deg}, "anti_squat": {0.3, 0.6}, "anti_lift": {0.1, 0.3},
			"driving_x": {0, 2e-6}}},
	} {
		m, err := vehicle.Read("../../resources/models/" + c.car + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Warnings) > 0 {
			t.Errorf("%s: %s", c.car, strings.Join(m.Warnings, "\n"))
		}
		r, err := rig.New(m, rig.Options{Axle: c.axle})
		if err != nil {
			t.Fatal(err)
		}
		of := figures(t, r)
		for key, in := range c.in {
			if x := of[key]; !(x.Left.V >= in.least && x.Left.V <= in.most) {
				t.Errorf("%s, axle %d: %s is %v %s, not from %v to %v", c.car, c.axle, key, x.Left.V, x.Missing, in.least,
					in.most)
			}
		}
		for key := range of {
			if strings.Contains(key, "elastic") {
				t.Errorf("%s, axle %d: %s", c.car, c.axle, key)
			}
		}
	}
}

// A wheel on a semi-trailing arm turns about the line of both pivots of the arm. Sleeves in place of the hinge move it
// nearly alike.
func TestSemiTrailingArm(t *testing.T) {
	const toe, camber = 0.002, -0.01
	inner, outer := kc.At(0.33, 0.23, 0.3), kc.At(0.42, 0.61, 0.29)
	axis := outer.Minus(inner)
	axis = axis.Times(kc.Of(1 / axis.Size().V))
	centre := kc.At(0, 0.73, 0.3)
	spin := kc.At(math.Cos(camber)*math.Sin(toe), math.Cos(camber)*math.Cos(toe), -math.Sin(camber))
	for options, tolerance := range map[string]float64{"": 1e-9, `joints = "bushings"`: 0.3 * math.Pi / 180} {
		axle := strings.Replace(corners("corner_semi_trailing", options), `, rack = "bar_S"`, "", 1)
		r, err := rig.New(shippedAxle(t, axle), rig.Options{Axle: 1})
		if err != nil {
			t.Fatalf("%s: %v", options, err)
		}
		for _, travel := range []float64{-0.06, 0, 0.06} {
			s, err := r.Solve(rig.Given{Travel: [2]float64{travel, travel}}, nil)
			if err != nil {
				t.Fatalf("%s: %v", options, err)
			}
			angle := angleOfHeight(axis, inner, centre, 0.3+travel)
			want := kc.Wheel{Centre: turned(axis, inner, centre, angle), Spin: turned(axis, kc.At(0, 0, 0), spin, angle)}
			for side := range 2 {
				got := &s.Wheels[side]
				if math.Abs(got.Toe().V-want.Toe().V) > tolerance || math.Abs(got.Camber().V-want.Camber().V) > tolerance ||
					math.Abs(got.Centre[1].V-want.Centre[1].V) > tolerance {
					t.Errorf("%s%s at %v: toe %v, camber %v; want %v, %v", options, rig.Sides[side], travel, got.Toe().V,
						got.Camber().V, want.Toe().V, want.Camber().V)
				}
			}
		}
	}
}

// An axle whose links lie along the vehicle rolls about the line of its Panhard rod: with a level rod the roll centre
// is as high as the rod. Wheels of a rigid axle keep their camber relative to the ground.
func TestAxleOnLinksAndPanhardRod(t *testing.T) {
	for _, height := range []float64{0.25, 0.4} {
		r, err := rig.New(shippedAxle(t, fmt.Sprintf(`[use.F]
file = "../subsystems/axle_links.toml"
frames = { chassis = "front", road = "road" }
[use.F.parameters]
lower_front = [520, 500, 240]
lower_rear = [20, 500, 240]
upper_front = [400, 0, 430]
upper_rear = [0, 0, 430]
panhard_chassis = ["-120 mm", "500 mm", "%[1]g m"]
panhard_axle = ["-120 mm", "-500 mm", "%[1]g m"]
`, height)), rig.Options{Axle: 1})
		if err != nil {
			t.Fatal(err)
		}
		of := figures(t, r)
		for key, want := range map[string]float64{"roll_centre": height, "roll_centre_by_force": height, "roll_steer": 0,
			"roll_camber": 1, "motion_ratio": 1, "toe_per_travel": 0, "camber_per_travel": 0} {
			if got := of[key]; got.Missing != "" || math.Abs(got.Left.V-want) > 1e-3 {
				t.Errorf("rod at %v m: %s is %v, not %v %s", height, key, got.Left.V, want, got.Missing)
			}
		}
		if why := of["roll_centre_one_wheel"].Missing; !strings.Contains(why, "depends on the other wheel") {
			t.Errorf("rod at %v m: the path of one wheel has a roll centre: %+v", height, of["roll_centre_one_wheel"])
		}
	}
}

// An axle on four links moves as their lengths and the heights of both wheels demand, and a Panhard rod that
// yields has a force.
func TestAxleOnFourLinks(t *testing.T) {
	for links, yields := range map[string]bool{"four": false, "four_panhard": true} {
		text := `[use.F]
file = "../subsystems/axle_links.toml"
links = "` + links + `"
frames = { chassis = "front", road = "road" }
parameters = { upper_front = [380, 200, 440], upper_rear = [-10, 420, 430] }
`
		r, err := rig.New(shippedAxle(t, text), rig.Options{Axle: 1, Forces: true})
		if err != nil {
			t.Fatal(err)
		}
		of := forcesOf(t, r, 0.03, -0.02)
		if got := of["panhard_elastic_F"].Tension; (got != 0) != yields {
			t.Errorf("%s: the Panhard rod has %v N", links, got)
		}
		for _, rod := range []string{"upper_FL", "upper_FR", "lower_FL", "lower_FR"} {
			if _, is := of[rod]; !is {
				t.Errorf("%s: no force of %s", links, rod)
			}
		}
	}
}

// When both wheels of a twist beam move alike, the arms turn about the line of their pivots. When the wheels move
// opposite to each other, each arm turns about the line from its pivot to the shear centre of a stiff beam.
func TestTwistBeam(t *testing.T) {
	const toe, camber = 0.002, -0.01
	for _, joints := range []string{"ideal", "bushings"} {
		r, err := rig.New(shippedAxle(t, `[use.F]
file = "../subsystems/axle_twist_beam.toml"
frames = { chassis = "front", road = "road" }
joints = "`+joints+`"
parameters = { toe = 0.002, camber = -0.01, beam_shear = 1e10, beam_bending = 1e8 }
`), rig.Options{Axle: 1})
		if err != nil {
			t.Fatal(err)
		}
		pivot, shear, centre := kc.At(0.43, 0.56, 0.31), kc.At(0.25, 0, 0.32), kc.At(0, 0.74, 0.3)
		spin := kc.At(math.Cos(camber)*math.Sin(toe), math.Cos(camber)*math.Cos(toe), -math.Sin(camber))
		tolerance := 1e-5
		if joints == "bushings" {
			tolerance = 0.2 * math.Pi / 180
		}
		for _, travel := range [][2]float64{{0.03, 0.03}, {-0.03, -0.03}, {0.002, -0.002}} {
			s, err := r.Solve(rig.Given{Travel: travel}, nil)
			if err != nil {
				t.Fatalf("%s: %v", joints, err)
			}
			axis := kc.At(0, 1, 0)
			if travel[0] != travel[1] {
				axis = pivot.Minus(shear)
				axis = axis.Times(kc.Of(1 / axis.Size().V))
			}
			for side := range 2 {
				angle := angleOfHeight(axis, pivot, centre, 0.3+travel[side])
				want := kc.Wheel{Spin: turned(axis, kc.At(0, 0, 0), spin, angle)}
				got := &s.Wheels[side]
				if math.Abs(got.Toe().V-want.Toe().V) > tolerance || math.Abs(got.Camber().V-want.Camber().V) > tolerance {
					t.Errorf("%s, %s at %v: toe %v, camber %v; want %v, %v", joints, rig.Sides[side], travel, got.Toe().V,
						got.Camber().V, want.Toe().V, want.Camber().V)
				}
			}
		}
	}
}

// The motion ratio of a wheel is the ratio of the spring on its rocker. Yielding links have no ratio.
func TestMotionRatioBesideYieldingLinks(t *testing.T) {
	r, err := rig.New(shippedAxle(t, corners("corner_five_link", "joints = \"bushings\"\n"+rockers)), rig.Options{Axle: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := figures(t, r)["motion_ratio"]; !(got.Left.V > 0.7 && got.Left.V < 0.95) {
		t.Errorf("the motion ratio is %v %s", got.Left.V, got.Missing)
	}
}
