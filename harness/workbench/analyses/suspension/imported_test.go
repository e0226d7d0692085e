package suspension_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/hardpoints"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// imported makes an axle of a file of another program.
func imported(t *testing.T, name string) (*hardpoints.Import, *hardpoints.Axle) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	in, err := hardpoints.Read(text, hardpoints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	axle, err := in.Axle("axle", name)
	if err != nil {
		t.Fatal(err)
	}
	return in, axle
}

// Two printed listings of another program have two decimals. The figures of their points differ by their rounding; the
// roll centre also by the rounding of the points, 0.05 mm.
func TestPrintedListings(t *testing.T) {
	for name, radius := range map[string]float64{"listing_v4.txt": 0.2794, "listing_v5.txt": 0.225} {
		in, axle := imported(t, name)
		r, err := suspension.Measure(axle.Model, axle.Model.Roles, suspension.Options{Options: rig.Options{Axle: 1}})
		if err != nil {
			t.Fatal(err)
		}
		figures := map[string]rig.Figure{}
		for _, f := range r.Figures {
			figures[f.Key] = f
		}
		if len(in.Printed) != 7 || in.Radius != radius {
			t.Errorf("%s: %d printed figures, radius %g m", name, len(in.Printed), in.Radius)
		}
		for _, p := range in.Printed {
			f := figures[p.Figure]
			bar := map[string]float64{"rad": 0.0051 * math.Pi / 180, "m": 0.0051e-3}[f.Unit]
			if p.Figure == "roll_centre_one_wheel" {
				bar = 0.05e-3
			}
			if !(math.Abs(f.Left.V-p.Value) < bar) || !(math.Abs(f.Right.V-p.Value) < bar) {
				t.Errorf("%s: %s is %g and %g %s, printed %s: %g", name, p.Figure, f.Left.V, f.Right.V, f.Unit, p.From, p.Value)
			}
		}
	}
}

// The generic suspensions of Project Chrono move as an independent program computes it: Newton's method for the pose of
// the carrier with constant lengths of links, and the top of the strut on a line of the carrier.
func TestChronoSuspensionsMove(t *testing.T) {
	// toe, camber [rad], x and y of the wheel centre from the design position [m], at -40 and 40 mm of travel
	for template, want := range map[string][2][4]float64{
		"DoubleWishbone": {
			{0.02687184327654357, 0.006943802201145295, 0.005391766994069593, -0.006609611150169298},
			{-0.017436793571989087, -0.011015018361253784, -0.0036326808249575403, 0.0014688929838039652}},
		"MacPhersonStrut": {
			{0.0217296610484771, 0.011996021974834185, 0.0038981989751864735, -0.0020585839081900034},
			{-0.024449260727286003, -0.008171835459707509, -0.004461889821520025, -0.0010867945584220736}},
		"MultiLink": {
			{-0.0016053679399502102, 0.017570643946741092, 0.003891596087152093, 0.003188178124105702},
			{0.0017124461224963124, -0.024842999358362212, -0.0028101242678801952, -0.006696344605159364}},
	} {
		_, axle := imported(t, "chrono_"+template+".json")
		r, err := rig.New(axle.Model, rig.Options{Axle: 1, Roles: axle.Model.Roles})
		if err != nil {
			t.Fatal(err)
		}
		design, err := r.Solve(rig.Given{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range []float64{-0.04, 0.04} {
			s, err := r.Solve(rig.Given{Travel: [2]float64{z, z}}, design)
			if err != nil {
				t.Fatal(err)
			}
			for side := range s.Wheels {
				w, at := &s.Wheels[side], &design.Wheels[side]
				got := [4]float64{w.Toe().V, w.Camber().V, w.Centre[0].V - at.Centre[0].V, w.Centre[1].V - at.Centre[1].V}
				for k, name := range []string{"toe", "camber", "x", "y"} {
					if math.Abs(got[k]-want[i][k]) > 1e-9 {
						t.Errorf("%s, wheel %d at %g m: %s is %.12g, want %.12g", template, side, z, name, got[k], want[i][k])
					}
				}
			}
		}
	}
}

// Springs, dampers and masses of a Chrono file are those of the corner; the spring has its force in the design
// position.
func TestValuesOfChronoSuspensions(t *testing.T) {
	_, axle := imported(t, "chrono_DoubleWishbone.json")
	for _, want := range []string{`stiffness = "369149 N/m"`, `damping = "22459 N.s/m"`, `arm_mass = "23.965 kg"`,
		`carrier_mass = "19.45 kg"`, `spring_on = "lower"`, `travel_per_turn = -50`} {
		if !strings.Contains(axle.Text, want) {
			t.Errorf("the axle has no %s:\n%s", want, axle.Text)
		}
	}
	length := math.Sqrt(0.024*0.024 + 0.059*0.059 + 0.3*0.3)
	for _, p := range axle.Model.Parameters {
		if force := 369149 * (0.339 - length); p.Name == "load_F" && math.Abs(p.Value.Value-force) > 1e-6 {
			t.Errorf("the spring pushes with %g N, want %g N", p.Value.Value, force)
		}
	}
	in, axle := imported(t, "chrono_MacPhersonStrut.json")
	if notes := strings.Join(in.Notes, "\n"); !strings.Contains(notes, "the spring pulls with 1.2") {
		t.Errorf("notes: %s", notes)
	}
	if unused := strings.Join(axle.Unused, "\n"); unused != "" {
		t.Errorf("unused: %s", unused)
	}
}

// vector is a point or a direction.
type vector [3]float64

func (a vector) plus(b vector) vector   { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vector) minus(b vector) vector  { return a.plus(b.times(-1)) }
func (a vector) times(s float64) vector { return vector{s * a[0], s * a[1], s * a[2]} }
func (a vector) dot(b vector) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vector) size() float64          { return math.Sqrt(a.dot(a)) }
func (a vector) unit() vector           { return a.times(1 / a.size()) }
func (a vector) mirrored() vector       { return vector{a[0], -a[1], a[2]} }

// about turns a vector about a unit vector (Rodrigues).
func (a vector) about(axis vector, angle float64) vector {
	across := vector{axis[1]*a[2] - axis[2]*a[1], axis[2]*a[0] - axis[0]*a[2], axis[0]*a[1] - axis[1]*a[0]}
	sin, cos := math.Sincos(angle)
	return a.times(cos).plus(across.times(sin)).plus(axis.times(axis.dot(a) * (1 - cos)))
}

// rotated turns a vector by a rotation vector.
func rotated(a, by vector) vector {
	if by.size() == 0 {
		return a
	}
	return a.about(by.unit(), by.size())
}

// newton solves equations from 0 by Newton's method with differences.
func newton(t *testing.T, unknowns int, of func(x []float64) []float64) []float64 {
	t.Helper()
	x := make([]float64, unknowns)
	for range 20 {
		f, j := of(x), mat.NewDense(unknowns, unknowns, nil)
		for k := range x {
			const h = 1e-6
			at := x[k]
			x[k] = at + h
			high := of(x)
			x[k] = at - h
			low := of(x)
			x[k] = at
			for i := range f {
				j.Set(i, k, (high[i]-low[i])/(2*h))
			}
		}
		var step mat.VecDense
		if err := step.SolveVec(j, mat.NewVecDense(unknowns, f)); err != nil {
			t.Fatal(err)
		}
		for k := range x {
			x[k] -= step.AtVec(k)
		}
	}
	return x
}

// rigOf puts an imported axle on the rig.
func rigOf(t *testing.T, template string, o rig.Options) *rig.Rig {
	t.Helper()
	_, axle := imported(t, "chrono_"+template+".json")
	if unused := strings.Join(axle.Unused, "\n"); unused != "" {
		t.Errorf("unused by the axle: %s", unused)
	}
	o.Axle, o.Roles = 1, axle.Model.Roles
	r, err := rig.New(axle.Model, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantWheel compares a wheel with a place and a spin axis, both with y outward.
func wantWheel(t *testing.T, of string, w, design *rig.State, side int, centre, spin vector) {
	t.Helper()
	got, at := &w.Wheels[side], &design.Wheels[side]
	toe, camber := math.Atan2(spin[0], spin[1]), -math.Asin(spin[2])
	for name, values := range map[string][2]float64{"toe": {got.Toe().V, toe}, "camber": {got.Camber().V, camber},
		"x": {got.Centre[0].V - at.Centre[0].V, centre[0]}, "y": {got.Centre[1].V - at.Centre[1].V, centre[1]}} {
		if math.Abs(values[0]-values[1]) > 1e-9 {
			t.Errorf("%s, wheel %d: %s is %.12g, want %.12g", of, side, name, values[0], values[1])
		}
	}
}

// The wheel of Chrono's trailing arm turns about the line of both pivots. Its spring pulls in the design position.
func TestChronoTrailingArmMoves(t *testing.T) {
	outer, inner, wheel := vector{0.5, 0.9, 0}, vector{0.42, 0.6, -0.05}, vector{0, 1.1, 0}
	top, bottom := vector{0.3, 0.8, 0.4}, vector{0.3, 0.8, 0}
	axis := outer.minus(inner).unit()
	turn := func(p vector, angle float64) vector { return inner.plus(p.minus(inner).about(axis, angle)) }
	r := rigOf(t, "SemiTrailingArm", rig.Options{Forces: true})
	design, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range []float64{-0.08, -0.03, 0, 0.05, 0.08} {
		s, err := r.Solve(rig.Given{Travel: [2]float64{z, z}}, design)
		if err != nil {
			t.Fatal(err)
		}
		angle := newton(t, 1, func(x []float64) []float64 { return []float64{turn(wheel, x[0])[2] - z} })[0]
		for side := range 2 {
			wantWheel(t, fmt.Sprintf("travel %g", z), s, design, side, turn(wheel, angle).minus(wheel),
				vector{0, 1, 0}.about(axis, angle))
		}
		wantTension(t, r, s, "spring_FL", 350000*(turn(bottom, angle).minus(top).size()-0.356))
	}
}

// wantTension compares the force of a spring.
func wantTension(t *testing.T, r *rig.Rig, s *rig.State, name string, want float64) {
	t.Helper()
	list, err := r.Forces(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if f.Component == name {
			if math.Abs(f.Tension-want) > 1e-3 {
				t.Errorf("%s has %g N, want %g N", name, f.Tension, want)
			}
			return
		}
	}
	t.Errorf("no force of %s", name)
}

// Chrono's solid axle moves as its four links and the heights of both wheels demand. Its Panhard rod yields.
func TestChronoSolidAxleMoves(t *testing.T) {
	wheel := vector{0, 0.91, 0}
	links := [][2]vector{{{0.355, 0.5, 0.15}, {-0.055, 0.475, 0.15}}, {{0.45, 0.35, -0.045}, {0.01, 0.6, -0.075}}}
	spring := [2]vector{{-0.08, 0.56, 0.3}, {-0.065, 0.575, -0.025}}
	panhard := [2]vector{{-0.1, -0.61, 0.02}, {-0.1, 0.61, -0.02}}
	move := func(p vector, x []float64) vector {
		return rotated(p, vector(x[:3])).plus(vector(x[3:]))
	}
	r := rigOf(t, "SolidAxle", rig.Options{Forces: true})
	design, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, travel := range [][2]float64{{0, 0}, {0.05, 0.05}, {-0.06, -0.06}, {0.04, -0.03}, {-0.02, 0.06}} {
		s, err := r.Solve(rig.Given{Travel: travel}, design)
		if err != nil {
			t.Fatal(err)
		}
		x := newton(t, 6, func(x []float64) (f []float64) {
			for _, l := range links {
				for _, ends := range [][2]vector{l, {l[0].mirrored(), l[1].mirrored()}} {
					f = append(f, move(ends[1], x).minus(ends[0]).size()-l[0].minus(l[1]).size())
				}
			}
			return append(f, move(wheel, x)[2]-travel[0], move(wheel.mirrored(), x)[2]-travel[1])
		})
		left := move(wheel, x).minus(wheel)
		right := move(wheel.mirrored(), x).mirrored().minus(wheel)
		spin := rotated(vector{0, 1, 0}, vector(x[:3]))
		name := fmt.Sprintf("travel %v", travel)
		wantWheel(t, name, s, design, 0, left, spin)
		wantWheel(t, name, s, design, 1, right, spin.times(-1).mirrored())
		wantTension(t, r, s, "spring_FL", 267062*(move(spring[1], x).minus(spring[0]).size()-0.3948))
		wantTension(t, r, s, "panhard_elastic_F",
			2e6*(move(panhard[1], x).minus(panhard[0]).size()-panhard[1].minus(panhard[0]).size()))
	}
}

// usesOf are the tables of an imported axle at a frame of a car, with the suffix of its use.
func usesOf(axle *hardpoints.Axle, frame, use string) string {
	uses, _, _ := strings.Cut(axle.Text[strings.Index(axle.Text, "\n[use."):], "\n[roles]")
	uses = strings.NewReplacer(`"chassis" }`, `"`+frame+`" }`, `chassis = "chassis"`, `chassis = "`+frame+`"`,
		`rack = "chassis"`, `rack = "`+frame+`"`, "[use.F", "[use."+use).Replace(uses)
	return uses
}

// Cars with an imported front axle, steered, and another imported axle behind drive 10 s through a slalom. Their loops
// stay closed, their wheels carry the weight on average, and turns to both sides are alike.
func TestCarsOfImportedAxlesDrive(t *testing.T) {
	testrun.Slow(t)
	for template, mass := range map[string]float64{ // of the rear axle
		"MultiLink": 2 * (17 + 3.201 + 15.204), "SemiTrailingArm": 2 * (17 + 2), "SolidAxle": 44.958 + 2*17,
	} {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			sys, weight := carOfImports(t, template, mass)
			load := 0.0
			if template == "SemiTrailingArm" { // its spring is 44 mm too short for its points
				load = 8000
			}
			drive(t, sys, weight, load)
		})
	}
}

// carOfImports is a car with imported wishbones in front and another imported axle behind, and its weight. mass is that
// of the rear axle.
func carOfImports(t *testing.T, template string, mass float64) (sys *cosim.System, weight float64) {
	t.Helper()
	_, front := imported(t, "chrono_DoubleWishbone.json")
	_, rear := imported(t, "chrono_"+template+".json")
	m, err := vehicle.Parse([]byte(`name = "Car"
gravity = 9.81
[component]
road = { type = "terrain" }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1.4, 0, -0.2] }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [-1.4, 0, -0.2] }
[component.body]
type = "rigid-body"
mass = 1500
inertia = { xx = 500, yy = 2000, zz = 2200 }
start = { position = [0, 0, 0.5135], velocity = [15, 0, 0] }
`+usesOf(front, "front", "F")+usesOf(rear, "rear", "R")+`
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]
`), "car.toml", vehicle.Opener("car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = cosim.New(m, cosim.Options{}); err != nil {
		t.Fatal(err)
	}
	return sys, 9.81 * (1500 + 3 + 2*(17+19.45+23.965) + mass)
}

// A car of imported axles whose tires carry a sixth of its weight at the start has a rest and a turn, in the place and
// with the heading of the start.
func TestCarOfImportedAxlesSettles(t *testing.T) {
	testrun.Slow(t)
	sys, weight := carOfImports(t, "MultiLink", 2*(17+3.201+15.204))
	for speed, angle := range map[float64]float64{0: 0, 15: 0.2} {
		in, err := sys.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		variable := func(name string) int {
			i, _ := sys.Find(name)
			return i
		}
		start := map[string]float64{"body.vx": speed, "body.x": 7, "body.y": -3, "body.yaw": 0.4,
			"steering_S.angle": angle}
		for name, v := range start {
			if err := in.Set(variable(name), v); err != nil {
				t.Fatal(err)
			}
		}
		if result, err := in.Trim(); err != nil {
			t.Fatalf("at %g m/s: %v %+v", speed, err, result)
		}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		values := make([]float64, len(sys.Variables()))
		if err := in.Values(values); err != nil {
			t.Fatal(err)
		}
		load := 0.0
		for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
			load += values[variable("tire_"+wheel+".Fz")]
		}
		if math.Abs(load/weight-1) > 1e-4 { // a car that moves slows down, with its nose up
			t.Errorf("at %g m/s: the wheels carry %g N, the car weighs %g N", speed, load, weight)
		}
		for name, v := range start {
			if math.Abs(values[variable(name)]-v) > 1e-9 {
				t.Errorf("at %g m/s: %s is %g, not %g", speed, name, values[variable(name)], v)
			}
		}
		if a := values[variable("body.az")]; speed == 0 && math.Abs(a) > 1e-6 {
			t.Errorf("at rest the body accelerates by %g m/s2", a)
		}
	}
}

// drive drives a car for 10 s. Its steering wheel turns by 0.5 rad to both sides, with a period of 4 s, after 2 s.
func drive(t *testing.T, sys *cosim.System, weight, load float64) {
	t.Helper()
	in, err := sys.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	variable := func(name string) int {
		i, ok := sys.Find(name)
		if !ok {
			t.Fatalf("no variable %s", name)
		}
		return i
	}
	set := func(name string, v float64) {
		if err := in.Set(variable(name), v); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.SetText("solver.method", "rk4"); err != nil {
		t.Fatal(err)
	}
	set(cosim.StepVariable, 0.001)
	if load > 0 {
		set("load_R", load)
	}
	for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
		set("wheel_"+wheel+".omega", 15/0.31)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	values := make([]float64, len(sys.Variables()))
	loads, most, least := 0.0, 0.0, 0.0
	const steps = 1000
	for k := range steps {
		at := 0.01 * float64(k)
		if from := at - 2; from > 0 {
			set("steering_S.angle", 0.5*math.Sin(math.Pi/2*from))
			set("steering_S.rate", 0.5*math.Pi/2*math.Cos(math.Pi/2*from))
		}
		if err := in.Step(0.01); err != nil {
			t.Fatal(err)
		}
		if err := in.Values(values); err != nil {
			t.Fatal(err)
		}
		if at > 2 {
			for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
				loads += values[variable("tire_"+wheel+".Fz")] / (0.8 * steps)
			}
			most, least = max(most, values[variable("body.wz")]), min(least, values[variable("body.wz")])
		}
	}
	position, rate := in.Violation()
	if !(position < 1e-5 && rate < 1e-4) {
		t.Errorf("the loops are open by %g, their rates %g", position, rate)
	}
	if !(math.Abs(loads/weight-1) < 3e-3) {
		t.Errorf("the wheels carry %g N on average, the car weighs %g N", loads, weight)
	}
	if !(most > 0.1 && most < 0.13 && math.Abs(most+least) < 0.05*most) {
		t.Errorf("yaw rates from %g to %g rad/s", least, most)
	}
}

// The spring of Chrono's multi-link suspension stands on the trailing link, beside its line. The carrier moves as its
// five links demand; a universal joint on the chassis and the place of the outer end give the orientation of the link.
func TestSpringOnChronosTrailingLink(t *testing.T) {
	wheel := vector{0, 0.95, 0}
	links := [][2]vector{{{0.06, 0.547, 0.082}, {0.056, 0.864, 0.151}}, {{-0.157, 0.508, 0.062}, {0.056, 0.864, 0.151}},
		{{0.036, 0.338, -0.133}, {0.029, 0.842, -0.093}}, {{-0.257, 0.32, -0.116}, {-0.144, 0.862, -0.056}},
		{{0.723, 0.599, -0.072}, {0, 0.864, -0.156}}}
	onChassis, onLink := vector{-0.272, 0.962, 0}.unit(), vector{0, 0, 1}
	top, bottom, damperTop := vector{0.181, 0.641, 0.11}, vector{0.181, 0.669, -0.164}, vector{0.171, 0.628, 0.315}
	damperBottom := vector{0.181, 0.669, -0.162}
	inner, outer := links[4][0], links[4][1]
	move := func(p vector, x []float64) vector {
		return wheel.plus(rotated(p.minus(wheel), vector(x[:3]))).plus(vector(x[3:]))
	}
	r := rigOf(t, "MultiLink", rig.Options{Forces: true})
	design, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var lengths [2]float64 // of the damper
	for i, z := range []float64{-0.01, 0.01, -0.06, 0.06} {
		s, err := r.Solve(rig.Given{Travel: [2]float64{z, z}}, design)
		if err != nil {
			t.Fatal(err)
		}
		x := newton(t, 6, func(x []float64) (f []float64) {
			for _, l := range links {
				f = append(f, move(l[1], x).minus(l[0]).size()-l[0].minus(l[1]).size())
			}
			return append(f, move(wheel, x)[2]-z)
		})
		for side := range 2 {
			wantWheel(t, fmt.Sprintf("travel %g", z), s, design, side, move(wheel, x).minus(wheel),
				rotated(vector{0, 1, 0}, vector(x[:3])))
		}
		swing := func(p vector, angles []float64) vector {
			return inner.plus(p.minus(inner).about(onLink, angles[1]).about(onChassis, angles[0]))
		}
		angles := newton(t, 2, func(angles []float64) []float64 {
			gap := swing(outer, angles).minus(move(outer, x))
			return []float64{gap[1], gap[2]}
		})
		wantTension(t, r, s, "spring_fore_FL", 120000*(swing(bottom, angles).minus(top).size()-0.339))
		if i < 2 {
			lengths[i] = swing(damperBottom, angles).minus(damperTop).size()
		}
	}
	figures, err := r.Figures()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(figures, func(f rig.Figure) bool { return f.Key == "motion_ratio of damper_fore_FL" })
	want := (lengths[0] - lengths[1]) / 0.02
	if i < 0 || math.Abs(figures[i].Left.V-want) > 1e-4 {
		t.Errorf("the motion ratio of the damper is not %g: %+v", want, figures)
	}
}
