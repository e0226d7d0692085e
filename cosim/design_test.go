package cosim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/carried"
	"skidpad/model/vehicle"
)

// designPoints are the points of testdata/design_corner.toml [m].
var designPoints = map[string][3]float64{
	"wheel_centre": {0, 0.74, 0.3}, "lower_front": {0.15, 0.36, 0.2}, "lower_rear": {-0.19, 0.37, 0.195},
	"lower_outer": {0.01, 0.68, 0.18}, "upper_front": {0.11, 0.42, 0.44}, "upper_rear": {-0.15, 0.425, 0.425},
	"upper_outer": {-0.025, 0.64, 0.465}, "tie_inner": {-0.14, 0.355, 0.24}, "tie_outer": {-0.13, 0.665, 0.232},
	"spring_top": {-0.01, 0.48, 0.69}, "spring_bottom": {0, 0.58, 0.205},
}

// chassisPose is the pose of the chassis in testdata/design_car.toml: yaw 0.3, pitch -0.1, roll 0.2.
func chassisPose() (turn [3][3]float64, position, velocity, omega [3]float64) {
	cy, sy, cp, sp, cr, sr := math.Cos(0.3), math.Sin(0.3), math.Cos(-0.1), math.Sin(-0.1), math.Cos(0.2), math.Sin(0.2)
	return [3][3]float64{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr},
		{-sp, cp * sr, cp * cr},
	}, [3]float64{1, 2, 3}, [3]float64{5, 1, -1}, [3]float64{0.1, 0.2, -0.3}
}

// withArms is the car of testdata/design_car.toml without points: each frame on an arm of numbers, and each free body
// with its start.
func withArms() string {
	turn, position, velocity, omega := chassisPose()
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name = \"Arms\"\nsource = \"own\"\ngravity = 9.81\n[roles]\nchassis = \"body\"\n"+
		"[solver]\nmethod = \"rk4\"\nstep = 0.001\n"+
		"[component.body]\ntype = \"rigid-body\"\nmass = 900\ninertia = { xx = 200, yy = 900, zz = 900 }\n"+
		"start = { position = [1, 2, 3], angles = [0.3, -0.1, 0.2], velocity = [5, 1, -1], angular_velocity = "+
		"[0.1, 0.2, -0.3] }\n"+
		"[component.rack]\ntype = \"rigid-body\"\nmass = 3\ninertia = { xx = 0.1, yy = 0.01, zz = 0.1 }\n"+
		"[component.rack_guide]\ntype = \"prismatic\"\nfrom = \"rack_seat\"\nto = \"rack\"\naxis = \"y\"\n"+
		"[component.rack_seat]\ntype = \"rigid-arm\"\nfrom = \"body\"\nto = \"rack_seat\"\ntranslation = [-0.14, 0, 0.24]\n")
	for _, side := range []string{"FL", "FR"} {
		points := map[string][3]float64{}
		s := 1.0
		if side == "FR" {
			s = -1
		}
		for name, x := range designPoints {
			points[name] = [3]float64{x[0], s * x[1], x[2]}
		}
		var arm [3]float64
		for k := range arm {
			arm[k] = (points["lower_front"][k] + points["lower_rear"][k] + points["lower_outer"][k]) / 3
		}
		centre := points["wheel_centre"]
		at := func(body, point string) string {
			x := points[point]
			of := map[string][3]float64{"body": {}, "rack": {-0.14, 0, 0.24}, "lower_" + side: arm,
				"carrier_" + side: centre}[body]
			for k := range x {
				x[k] -= of[k]
			}
			name := body + "_" + point + "_" + side
			fmt.Fprintf(&b, "[component.%[1]s]\ntype = \"rigid-arm\"\nfrom = \"%[2]s\"\nto = \"%[1]s\"\ntranslation = %[3]s\n",
				name,
				body, list3(x))
			return name
		}
		var start [3]float64
		for k := range start {
			start[k] = position[k]
			for j := range 3 {
				start[k] += turn[k][j] * centre[j]
			}
		}
		v := cross(omega, centre)
		for k := range v {
			v[k] += velocity[k]
		}
		lower, carrier := "lower_"+side, "carrier_"+side
		fmt.Fprintf(&b, "[component.%s]\ntype = \"rigid-body\"\nmass = 4\ninertia = { xx = 0.05, yy = 0.06, zz = 0.1 }\n",
			lower)
		fmt.Fprintf(&b, "[component.%s]\ntype = \"rigid-body\"\nmass = 30\ninertia = { xx = 0.5, yy = 0.7, zz = 0.4, "+
			"xy = %g, xz = -0.03, yz = %g }\nstart = { position = %s, angles = [0.3, -0.1, 0.2], velocity = %s, "+
			"angular_velocity = [0.1, 0.2, -0.3] }\n", carrier, 0.02*s, 0.01*s, list3(start), list3(v))
		axis := points["lower_front"]
		for k := range axis {
			axis[k] -= points["lower_rear"][k]
		}
		tail, head := at("body", "lower_front"), at(lower, "lower_front")
		fmt.Fprintf(&b, "[component.lower_hinge_%s]\ntype = \"revolute\"\nfrom = \"%s\"\nto = \"%s\"\naxis = %s\n", side,
			tail, head,
			list3(axis))
		for _, rod := range [][5]string{{"lower_link", lower, "lower_outer", carrier, "spring_bottom"},
			{"upper_fore", "body", "upper_front", carrier, "upper_outer"}, {"upper_aft", "body", "upper_rear", carrier,
				"upper_outer"},
			{"tie", "rack", "tie_inner", carrier, "tie_outer"}} {
			length := 0.0
			for k := range 3 {
				length = math.Hypot(length, points[rod[2]][k]-points[rod[4]][k])
			}
			from, to := at(rod[1], rod[2]), at(rod[3], rod[4])
			fmt.Fprintf(&b, "[component.%s_%s]\ntype = \"rod\"\nfrom = \"%s\"\nto = \"%s\"\nlength = %.17g\n", rod[0], side,
				from, to, length)
		}
		top := at("body", "spring_top")
		fmt.Fprintf(&b, "[component.spring_%[1]s]\ntype = \"spring-damper\"\nfrom = \"%[2]s\"\nto = "+
			"\"%[3]s_spring_bottom_%[1]s\"\n"+
			"stiffness = 62000\ndamping = 4000\nfree_length = 0.55\n", side, top, carrier)
	}
	return withoutRepeated(b.String())
}

// withoutRepeated leaves out tables that stand in a text before.
func withoutRepeated(text string) string {
	seen, kept := map[string]bool{}, ""
	for _, table := range strings.SplitAfter(text, "\n[") {
		head, _, _ := strings.Cut(table, "]")
		if !seen[head] {
			kept += table
		}
		seen[head] = true
	}
	return kept
}

func rideOf(t *testing.T, m *vehicle.Model, err error, values map[string]float64) *ride {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	r := &ride{in, t}
	for name, v := range values {
		r.set(name, v)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return r
}

// A car by points starts and moves as the same car whose frames are on arms of numbers and whose carriers have written
// starts.
func TestCarByPointsIsTheCarByArms(t *testing.T) {
	m, err := vehicle.Read("testdata/design_car.toml")
	points := rideOf(t, m, err, nil)
	m, err = vehicle.Parse([]byte(withArms()), "arms.toml", nil)
	arms := rideOf(t, m, err, nil)
	if points.assembled != "" {
		t.Errorf("the start by points was assembled: %s", points.assembled)
	}
	for _, moment := range []string{"start", "end"} {
		for i, v := range points.sys.program.States {
			name := v.Name
			if got, want := points.x[i], arms.x[indexOfState(t, arms, name)]; math.Abs(got-want) > 2e-12*max(1, math.Abs(want)) {
				t.Errorf("%s: %s is %.17g by points, %.17g by arms", moment, name, got, want)
			}
		}
		if position, rate := points.Violation(); moment == "start" && max(position, rate) > 1e-14 {
			t.Errorf("the start by points violates constraints by %.3g, %.3g", position, rate)
		}
		for range 20 {
			if err := points.Step(0.005); err != nil {
				t.Fatal(err)
			}
			if err := arms.Step(0.005); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func indexOfState(t *testing.T, r *ride, name string) int {
	t.Helper()
	for i, v := range r.sys.program.States {
		if v.Name == name {
			return i
		}
	}
	t.Fatalf("there is no state %s", name)
	return -1
}

// Points are parameters: rods, arms and starts of carriers follow them, and the pose of the chassis.
func TestStartsAndLengthsFollowPoints(t *testing.T) {
	m, err := vehicle.Read("testdata/design_car.toml")
	r := rideOf(t, m, err, map[string]float64{"lower_outer_F_y": 0.7, "wheel_centre_FL_z": 0.32, "tie_outer_FR_x": -0.12,
		"body.yaw": 0, "body.pitch": 0, "body.roll": 0, "body.x": -4, "body.vx": 2, "body.wz": 0.5, "body.wx": 0,
		"body.wy": 0})
	if r.assembled != "" {
		t.Errorf("the start was assembled: %s", r.assembled)
	}
	if position, rate := r.Violation(); max(position, rate) > 1e-14 {
		t.Errorf("the start violates constraints by %.3g, %.3g", position, rate)
	}
	for name, want := range map[string]float64{
		"carrier_FL.x": -4, "carrier_FL.y": 2.74, "carrier_FL.z": 3.32, "carrier_FR.z": 3.3, "carrier_FR.y": 1.26,
		"carrier_FL.yaw": 0, "carrier_FL.vx": 2 - 0.5*0.74, "carrier_FR.vx": 2 + 0.5*0.74, "carrier_FL.wz": 0.5,
	} {
		if got := r.x[indexOfState(t, r, name)]; math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("%s starts at %.17g, want %.17g", name, got, want)
		}
	}
}

// The right side of a car that moves straight is the mirror image of the left.
func TestRightSideByPointsIsTheMirrorImage(t *testing.T) {
	m, err := vehicle.Read("testdata/design_car.toml")
	r := rideOf(t, m, err, map[string]float64{"body.yaw": 0, "body.pitch": 0, "body.roll": 0, "body.y": 0, "body.vy": 0,
		"body.wx": 0, "body.wz": 0})
	for range 20 {
		if err := r.Step(0.005); err != nil {
			t.Fatal(err)
		}
	}
	for name, sign := range map[string]float64{"x": 1, "y": -1, "z": 1, "yaw": -1, "pitch": 1, "roll": -1, "vy": -1,
		"wy": 1, "wz": -1} {
		left, right := r.x[indexOfState(t, r, "carrier_FL."+name)], r.x[indexOfState(t, r, "carrier_FR."+name)]
		if math.Abs(left-sign*right) > 1e-11 || math.Abs(left) < 1e-9 {
			t.Errorf("carrier %s is %.15g on the left, %.15g on the right", name, left, right)
		}
	}
}

// Start values of the file come before the design position, each edge and level for itself. Where a speed is not in the
// file, the body is at rest in the design frame at the place of the file.
func TestStartsOfTheFileComeBeforeTheDesignPosition(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Part"
source = "own"
[component.body]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [1, 2, 3], angles = [0.5, 0, 0], velocity = [4, 0, 0], angular_velocity = [0, 0, 2] }
[component.part]
type = "rigid-body"
design = [0, 1, 0]
design_in = "body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [7, 8, 9], angular_velocity = [0.1, 0.2, 0.3] }
[solver]
method = "rk4"
step = 0.001
`), "part.toml", nil)
	r := rideOf(t, m, err, nil)
	sin, cos := math.Sincos(0.5)
	for name, want := range map[string]float64{"x": 7, "y": 8, "z": 9, "yaw": 0.5, "vx": 4 - 2*6*cos + 2*6*sin,
		"vy": 2*6*cos + 2*6*sin, "wx": 0.1, "wy": 0.2, "wz": 0.3} {
		if got := r.x[indexOfState(t, r, "part."+name)]; math.Abs(got-want) > 1e-14 {
			t.Errorf("part.%s starts at %.17g, want %.17g", name, got, want)
		}
	}
}

// In the design position a spring has its load, and the point of a strut lies on its line.
func TestLoadsOfTheDesignPosition(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Strut"
source = "own"
[parameters]
top = { value = [-20, 560, 880], unit = "mm" }
seat = { value = [10, 640, 400], unit = "mm" }
rate = { value = 25, unit = "N/mm" }
load = { value = 3800, unit = "N" }
[component.carrier]
type = "rigid-body"
design = "seat"
mass = 30
inertia = { xx = 1, yy = 1, zz = 1 }
[component.tube]
type = "strut"
from = "ground@top"
to = "carrier@seat"
[component.spring]
type = "spring-damper"
joint = "tube"
stiffness = "rate"
free_length = { load = "load" }
[solver]
method = "rk4"
step = 0.001
`), "strut.toml", nil)
	r := rideOf(t, m, err, map[string]float64{"seat_x": 0.03, "rate": 30e3})
	if position, rate := r.Violation(); max(position, rate) > 1e-15 || r.assembled != "" {
		t.Errorf("the start violates the strut by %.3g, %.3g", position, rate)
	}
	length := math.Sqrt(0.05*0.05 + 0.08*0.08 + 0.48*0.48)
	for name, want := range map[string]float64{"tube.length": length, "spring.force": -3800} {
		if got := r.get(name); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s is %.17g, want %.17g", name, got, want)
		}
	}
}

// Start values of a body with a design position are differences: lengths along axes of the design frame, angles, and
// speeds in axes of the turned body.
func TestStartValuesInDesignAreDifferences(t *testing.T) {
	m, err := vehicle.Read("testdata/design_car.toml")
	r := rideOf(t, m, err, nil)
	r.Reset()
	for name, v := range map[string]float64{"carrier_FL.x": 0.01, "carrier_FL.y": -0.02, "carrier_FL.z": 0.03,
		"carrier_FL.yaw": 0.04, "carrier_FL.pitch": 0.05, "carrier_FL.roll": -0.06, "carrier_FL.vx": 0.7,
		"carrier_FL.vz": -0.8, "carrier_FL.wy": 0.9} {
		r.set(name, v)
	}
	if err := r.connect(); err != nil {
		t.Fatal(err)
	}
	r.place()
	turn, position, velocity, omega := chassisPose()
	place := designPoints["wheel_centre"]
	place = [3]float64{place[0] + 0.01, place[1] - 0.02, place[2] + 0.03}
	cy, sy, cp := math.Cos(0.34), math.Sin(0.34), math.Cos(-0.05)
	sp, cr, sr := math.Sin(-0.05), math.Cos(0.14), math.Sin(0.14)
	carrier := [3][3]float64{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr},
		{-sp, cp * sr, cp * cr},
	}
	seen := [3]float64{ // in axes of the chassis
		velocity[0] + omega[1]*place[2] - omega[2]*place[1],
		velocity[1] + omega[2]*place[0] - omega[0]*place[2],
		velocity[2] + omega[0]*place[1] - omega[1]*place[0],
	}
	want := map[string]float64{"carrier_FL.yaw": 0.34, "carrier_FL.pitch": -0.05, "carrier_FL.roll": 0.14}
	for k, axis := range []string{"x", "y", "z"} {
		at, v, w := position[k], 0.0, 0.0
		for j := range 3 {
			at += turn[k][j] * place[j]
			for i := range 3 {
				v += carrier[i][k] * turn[i][j] * seen[j]
				w += carrier[i][k] * turn[i][j] * omega[j]
			}
		}
		want["carrier_FL."+axis] = at
		want["carrier_FL.v"+axis] = v + []float64{0.7, 0, -0.8}[k]
		want["carrier_FL.w"+axis] = w + []float64{0, 0.9, 0}[k]
	}
	for name, v := range want {
		if got := r.x[indexOfState(t, r, name)]; math.Abs(got-v) > 1e-13*max(1, math.Abs(v)) {
			t.Errorf("%s starts at %.17g, want %.17g", name, got, v)
		}
	}
}

// Bodies that follow a turning chassis keep their places on the chassis. Carry finds the rates of their coordinates,
// and Accelerate the change of their speeds with the speed of travel.
func TestBodiesThatFollowTheChassisKeepTheirPlaces(t *testing.T) {
	m, err := vehicle.Read("testdata/design_car.toml")
	r := rideOf(t, m, err, nil)
	var names []string
	for _, v := range r.sys.program.States {
		names = append(names, v.Name)
	}
	bodies := carried.Find(m, names)
	if bodies == nil || bodies.Rates() != 12 {
		t.Fatalf("found %v, want the two carriers", bodies)
	}
	for i := range r.x {
		r.x[i] += 0.1 * math.Sin(float64(3*i+1))
	}
	relative := make([]float64, bodies.Rates())
	r.rates(0, r.x, r.dx)
	bodies.Relative(r.x, r.dx, relative)
	if slices.Max(relative) < 0.1 {
		t.Errorf("the bodies move relative to the chassis by %v", relative)
	}
	bodies.Follow(r.x)
	r.rates(0, r.x, r.dx)
	bodies.Relative(r.x, r.dx, relative)
	for i, v := range relative {
		if math.Abs(v) > 1e-13 {
			t.Errorf("%s moves relative to the chassis by %g", bodies.Name(i), v)
		}
	}
	kept := slices.Clone(r.dx)
	for i, name := range names {
		if strings.HasPrefix(name, "carrier") && i >= r.sys.program.Speeds {
			kept[i] = 7
		}
	}
	bodies.Carry(r.x, kept)
	for i, v := range kept {
		if math.Abs(v-r.dx[i]) > 1e-12 {
			t.Errorf("%s changes at %g with the chassis, want %g", names[i], v, r.dx[i])
		}
	}
	travel, change := slices.Index(names, "body.vx"), make([]float64, len(names))
	bodies.Accelerate(r.x, map[int]float64{travel: -2}, change)
	before := slices.Clone(r.x)
	r.x[travel] -= 2
	bodies.Follow(r.x)
	for i, v := range change {
		if got := r.x[i] - before[i]; i != travel && math.Abs(got-v) > 1e-13 {
			t.Errorf("%s changes by %g, want %g", names[i], v, got)
		}
	}
}
