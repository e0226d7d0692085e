package cosim

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/contact"
)

// A motorcycle in space that stays in a vertical plane moves as the one in the plane.
func TestMotorcycleInSpaceMovesInItsPlane(t *testing.T) {
	values := numbered("mass", "vx", 6, 5)
	values["contact.friction"] = 1
	plane, space := begin(t, "motorcycle2d", formula(hill), values), begin(t, "motorcycle3d", formula(hill), values)
	for range 30 {
		plane.to(plane.Time()+0.1, nil)
		space.to(space.Time()+0.1, nil)
		for i := range 6 {
			for _, q := range []string{"x", "z", "vx", "vz"} {
				name := fmt.Sprintf("mass_%d.%s", i+1, q)
				space.near(fmt.Sprintf("%s at %.1f s", name, plane.Time()), space.get(name), plane.get(name), 2e-6)
			}
			space.near("y", space.get(fmt.Sprintf("mass_%d.y", i+1)), 0, 1e-12)
		}
	}
}

// The contact is isotropic in x and y. A partial vehicle that drops onto a slope and rolls down moves the same when
// slope and vehicle are rotated about z.
func TestContactIsIsotropic(t *testing.T) {
	const angle = 0.7
	c, s := math.Cos(angle), math.Sin(angle)
	plain := begin(t, "partial_vehicle3d", map[string]string{"terrain.kind": "plane"},
		map[string]float64{"terrain.height": -0.3, "terrain.slope_x": 0.2, "terrain.slope_y": 0.05, "mass_2.vx": 1,
			"contact.friction": 0.5})
	turned := begin(t, "partial_vehicle3d", map[string]string{"terrain.kind": "plane"}, map[string]float64{
		"terrain.height": -0.3, "terrain.slope_x": c*0.2 - s*0.05, "terrain.slope_y": s*0.2 + c*0.05, "mass_2.vx": c,
		"mass_2.vy": s, "contact.friction": 0.5,
	})
	impacts := 0
	for range 1500 {
		plain.to(plain.Time()+0.001, nil)
		turned.to(turned.Time()+0.001, nil)
		mode := plain.get("contact_R.mode")
		if mode != turned.get("contact_R.mode") {
			t.Fatalf("at %g s the modes are %g and %g", plain.Time(), mode, turned.get("contact_R.mode"))
		}
		if mode == contact.Impact {
			impacts++
		}
		for i := range 3 {
			name := fmt.Sprintf("mass_%d", i+1)
			x, y := plain.get(name+".x"), plain.get(name+".y")
			turned.near(name+".x", turned.get(name+".x"), c*x-s*y, 1e-6)
			turned.near(name+".y", turned.get(name+".y"), s*x+c*y, 1e-6)
			turned.near(name+".z", turned.get(name+".z"), plain.get(name+".z"), 1e-6)
		}
		if t.Failed() {
			return
		}
	}
	if impacts < 3 {
		t.Errorf("only %d impacts", impacts)
	}
}

// An impact leaves the shares of the normal and tangential speeds that it shall: a wheel whose
// springs pull with nothing meets a slope.
func TestImpactLeavesItsShares(t *testing.T) {
	const slope, vert, hor = 0.3, 0.6, 0.7
	values := map[string]float64{"terrain.height": -1, "terrain.slope_x": slope, "contact.e_vert": vert,
		"contact.e_hor": hor, "mass_1.mass": 1000, StepVariable: 1e-5}
	r := begin(t, "partial_vehicle2d", map[string]string{"terrain.kind": "plane"}, values)
	var before, after [2]float64
	for r.get("contact_R.mode") != contact.Impact {
		before = [2]float64{r.get("mass_1.vx"), r.get("mass_1.vz")}
		r.to(r.Time()+1e-5, nil)
	}
	after = [2]float64{r.get("mass_1.vx"), r.get("mass_1.vz")}
	s := math.Hypot(1, slope)
	along := func(v [2]float64) float64 { return (v[0] + slope*v[1]) / s }
	across := func(v [2]float64) float64 { return (-slope*v[0] + v[1]) / s }
	r.near("normal speed", across(after), -vert*across(before), 3e-4) // up to a step of gravity
	r.near("tangential speed", along(after), hor*along(before), 3e-4)
}

// On steadily rising terrain a wheel moves as on resting terrain with a correspondingly faster fall: it drops,
// bounces and rolls the same (Galileo).
func TestRisingTerrain(t *testing.T) {
	const rate = 0.2
	values := map[string]float64{"terrain.height": -0.3, "mass_1.vx": 0.5, "mass_2.vx": 0.5, "mass_3.vx": 0.5}
	for _, velocity := range []string{"rim", "terrain"} {
		texts := func(terrain string) map[string]string {
			texts := formula(terrain)
			texts["contact.rolling_velocity"] = velocity
			return texts
		}
		rising := begin(t, "partial_vehicle2d", texts("0.2*t + 0.1*x"), values)
		falling := begin(t, "partial_vehicle2d", texts("0.1*x"),
			merged(values, map[string]float64{"mass_1.vz": -rate, "mass_2.vz": -rate, "mass_3.vz": -rate}))
		seen := map[float64]int{}
		for range 3000 {
			rising.to(rising.Time()+0.001, nil)
			falling.to(falling.Time()+0.001, nil)
			mode := rising.get("contact_R.mode")
			seen[mode]++
			rising.near("mode", mode, falling.get("contact_R.mode"), 0)
			for _, mass := range []string{"mass_1", "mass_2", "mass_3"} {
				rising.near(mass+".x", rising.get(mass+".x"), falling.get(mass+".x"), 1e-9)
				rising.near(mass+".z", rising.get(mass+".z"), falling.get(mass+".z")+rate*rising.Time(), 1e-9)
				rising.near(mass+".vz", rising.get(mass+".vz"), falling.get(mass+".vz")+rate, 1e-7)
			}
			if t.Failed() {
				t.Fatalf("at %.3f s", rising.Time())
			}
		}
		if seen[contact.Impact] < 3 || seen[contact.Air] == 0 || seen[contact.Rolling] == 0 {
			t.Errorf("%s: modes were seen as often as %v", velocity, seen)
		}
	}
}

// A wheel that moves in a vertical plane sees the slope along that plane only.
func TestSlopeAcrossAPlaneOfMotion(t *testing.T) {
	values := map[string]float64{"terrain.height": -0.3, "terrain.slope_x": 0.2}
	straight := begin(t, "partial_vehicle2d", map[string]string{"terrain.kind": "plane"}, values)
	across := begin(t, "partial_vehicle2d", map[string]string{"terrain.kind": "plane"},
		merged(values, map[string]float64{"terrain.slope_y": 0.4}))
	for _, r := range []*ride{straight, across} {
		r.to(2, nil)
	}
	for i := range straight.x {
		across.near(across.stateName(i), across.x[i], straight.x[i], 0)
	}
}

// A wheel triggers an event at each change of its mode, until the event is handled, and at no other time. A wheel
// that rolls from the start and continues to roll triggers none.
func TestEventsAreChangesOfMode(t *testing.T) {
	for _, height := range []float64{0, -0.3} {
		r := begin(t, "motorcycle2d", nil, map[string]float64{"terrain.height": height})
		r.SetEventHandling(true)
		mode, events := r.get("contact_R.mode")+3*r.get("contact_F.mode"), 0
		for range 500 {
			r.to(r.Time()+0.001, nil)
			now := r.get("contact_R.mode") + 3*r.get("contact_F.mode")
			pending, err := r.ContactChangePending()
			if err != nil || pending != (now != mode) {
				t.Fatalf("at %g s modes go from %g to %g, event: %v, %v", r.Time(), mode, now, pending, err)
			}
			if mode = now; pending {
				events++
			}
			for _, want := range []bool{pending, false} {
				if changed, err := r.UpdateContacts(); err != nil || changed != want {
					t.Fatalf("at %g s: changed %v, %v", r.Time(), changed, err)
				}
			}
		}
		if events == 0 {
			t.Errorf("terrain at %g m: no event", height)
		}
	}
}

// An input under a wheel is the same as terrain of that height.
func TestTerrainUnderOneWheelIsAnInput(t *testing.T) {
	lifted := begin(t, "motorcycle2d", nil, nil)
	lifted.set("contact_F.terrain_z", 0.1)
	step := begin(t, "motorcycle2d", formula("0.1*step(x - 0.5)"), nil)
	start := step.get("contact_F.mode")
	step.near("the front starts below its terrain", start, contact.Air, 0)
	lifted.near("the front has started on the ground", lifted.get("contact_F.mode"), contact.Rolling, 0)
	lifted.to(2, nil)
	step.to(2, nil)
	for _, name := range []string{"mass_4.z", "mass_5.z", "mass_6.z", "mass_3.z"} {
		lifted.near(name, lifted.get(name), step.get(name), 1e-4)
	}
	lifted.near("front contact", lifted.get("contact_F.z"), 0.1, 1e-3)
}

// A state saved in the middle of a bounce continues to the last bit, in another instance too.
func TestSavedInTheMiddleOfABounce(t *testing.T) {
	texts := formula(rough)
	texts[multipliersVariable] = "stage"
	values := merged(suspension(10000, 500), numbered("mass", "mass", 6, 5), numbered("mass", "vx", 6, 20),
		map[string]float64{"contact.friction": 1})
	r := begin(t, "motorcycle2d", texts, values)
	seen := map[float64]bool{}
	for r.Time() < 3 {
		r.to(r.Time()+0.001, nil)
		mode := r.get("contact_F.mode")
		if seen[mode] || r.Time() < 1.4 {
			continue
		}
		seen[mode] = true
		saved := make([]byte, r.StateSize())
		if err := r.Save(saved); err != nil {
			t.Fatal(err)
		}
		other, err := r.sys.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Restore(saved); err != nil {
			t.Fatal(err)
		}
		again := make([]byte, other.StateSize())
		if err := other.Save(again); err != nil {
			t.Fatal(err)
		}
		if string(again) != string(saved) {
			t.Error("saving what was restored gives other bytes")
		}
		for range 500 {
			for _, in := range []*Instance{r.Instance, other} {
				if err := in.Step(0.001); err != nil {
					t.Fatal(err)
				}
			}
			for i := range r.x {
				if math.Float64bits(r.x[i]) != math.Float64bits(other.x[i]) {
					t.Fatalf("saved in mode %g: %s differs at %g s", mode, r.stateName(i), r.Time())
				}
			}
		}
		if err := r.Restore(saved); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != 3 {
		t.Errorf("saved in the modes %v only", seen)
	}
}

// A failed step loses nothing: modes and normals are as before, too.
func TestFailedStepOfContacts(t *testing.T) {
	r := begin(t, "motorcycle2d", nil, map[string]float64{"terrain.height": -0.5})
	r.to(0.306, nil)
	x, u, along := append([]float64(nil), r.x...), append([]float64(nil), r.u...), append([]float64(nil), r.along...)
	r.set("force_6z.force", 1e308)
	if err := r.Step(0.01); err == nil {
		t.Fatal("a step to infinity succeeds")
	}
	r.set("force_6z.force", 0)
	for i := range x {
		r.near(r.stateName(i), r.x[i], x[i], 0)
	}
	for i := range u {
		r.near(r.sys.program.Inputs[i].Name, r.u[i], u[i], 0)
	}
	for i := range along {
		r.near("place along the road", r.along[i], along[i], 0)
	}
	r.to(0.4, nil)
	undisturbed := begin(t, "motorcycle2d", nil, map[string]float64{"terrain.height": -0.5})
	undisturbed.to(0.4, nil)
	for i := range x {
		r.near(r.stateName(i), r.x[i], undisturbed.x[i], 0)
	}
}

// What cannot be is refused with name and remedy.
func TestInvalidContactsAreRefused(t *testing.T) {
	s, err := SharedModel("motorcycle2d", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variable string
		value    float64
		text     string
		want     string
	}{
		{"contact.e_vert", 1.1, "", "contact_R.e_vert = contact.e_vert is 1.1; it must not be above 1"},
		{"contact.e_hor", -0.1, "", "e_hor = contact.e_hor is -0.1; it must not be negative"},
		{"contact_F.initial_mode", 2, "", "contact_F.initial_mode = 2: it must be 0, 1 or -1"},
		{"contact_F.terrain_z", math.NaN(), "", "must be a finite number"},
		{"mass_1.mass", 0, "", "mass_1.mass = 0: the value must be above 0"},
		{"spring_1.stiffness", -1, "", "must not be negative"},
		{"spring_1.damping", -1, "", "must not be negative"},
		{"spring_1.free_length", -1, "", "must not be negative"},
		{StepVariable, 0, "", "must be above 0"},
		{"contact.rolling_velocity", 0, "tarmac", `it must be one of ["rim" "terrain"]`},
		{"terrain.kind", 0, "hilly", `there is no terrain of the kind "hilly"`},
		{"terrain.kind", 0, "table", `needs the key "file"`},
		{multipliersVariable, 0, "half", `it must be one of ["step" "stage"]`},
		{MethodVariable, 0, "dlm", `there is no solver method "dlm"`},
	} {
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		if c.text != "" {
			err = in.SetText(c.variable, c.text)
		} else {
			i, ok := s.Find(c.variable)
			if !ok {
				t.Fatalf("no variable %s", c.variable)
			}
			err = in.Set(i, c.value)
		}
		if err == nil {
			err = in.Initialise()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %g %s: %v; want %s", c.variable, c.value, c.text, err, c.want)
		}
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	height, _ := s.Find("mass_3.z")
	err = errors.Join(in.Set(height, 0.8), in.SetText(AssembleVariable, "never"), in.Initialise())
	if err == nil || !strings.Contains(err.Error(), "violates constraints by 0.05") {
		t.Error(err)
	}
	r := begin(t, "motorcycle2d", nil, nil)
	if err := r.Step(0.0015); err == nil ||
		!strings.Contains(err.Error(), "not an integer multiple of the solver step") {
		t.Errorf("a communication step of 1.5 solver steps: %v", err)
	}
	if err := r.Step(0.003); err != nil || r.Time() != 0.003 {
		t.Errorf("a communication step of three solver steps: %v", err)
	}
	// rounding errors of a communication step that an importer has computed
	for _, rounding := range []float64{1e-11, -1e-11} {
		rounded := begin(t, "motorcycle2d", nil, nil)
		if err := rounded.Step(0.001); err != nil {
			t.Error(err)
		}
		if err := rounded.Step(0.002 + rounding); err != nil {
			t.Error(err)
		}
		for i := range r.x {
			rounded.near(rounded.stateName(i), rounded.x[i], r.x[i], 0)
		}
	}
}

// variantOf loads a model file with some of its text replaced.
func variantOf(t *testing.T, file, tree string, replace ...string) *ride {
	t.Helper()
	data, err := os.ReadFile("../resources/models/" + file + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("%s does not hold %q", file, replace[i])
		}
		text = strings.ReplaceAll(text, replace[i], replace[i+1])
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "tires"), os.DirFS("../resources/tires")); err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "../tires", "tires")
	if err := os.WriteFile(filepath.Join(folder, "road.csv"), []byte("x,z\n0,0\n3,0.05\n10,0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, file+".toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, Options{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	return &ride{in, t}
}

const roadComponent = "[component.road]\ntype = \"road\"\n"

// Tires behave the same on a plane terrain and on the same plane as a road: flat, inclined along x, as a formula, and
// with a moving plane.
func TestTiresOnPlaneTerrain(t *testing.T) {
	testrun.Slow(t)
	const slope = 0.08
	along := fmt.Sprintf("angles = [0, %.17g, 0]\n", math.Atan(-slope))
	for _, c := range []struct {
		name, road, terrain string
		inputs              map[string]float64 // of the road, and of the terrain
		lift                float64
	}{
		{"flat", roadComponent, "kind = \"flat\"\n", nil, 0},
		{"inclined", roadComponent + along, fmt.Sprintf("kind = \"plane\"\nslope_x = %g\n", slope), nil, 0},
		{"formula", roadComponent + along, fmt.Sprintf("kind = \"formula\"\nformula = \"%g*x\"\n", slope), nil, 0},
		{"slippery", roadComponent, "kind = \"flat\"\n", map[string]float64{"road.mu": 0.3}, 0},
		{"rising", roadComponent, "kind = \"formula\"\nformula = \"0.01*t\"\n", map[string]float64{"road.z_dot": 0.01},
			0},
		{"lifted", roadComponent, "kind = \"flat\"\n", map[string]float64{"road.z": 0.02}, 0.02},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := variantOf(t, "generic4w", "", roadComponent, c.road)
			b := variantOf(t, "generic4w", "", roadComponent, `[component.road]
type = "terrain"
`+c.terrain)
			for _, r := range []*ride{a, b} {
				if err := r.Initialise(); err != nil {
					t.Fatal(err)
				}
				for name, v := range c.inputs {
					if _, ok := r.sys.Find(name); ok {
						r.set(name, v)
					}
				}
			}
			if c.lift != 0 {
				for _, w := range []string{"FL", "FR", "RL", "RR"} {
					b.set("tire_"+w+".terrain_z", c.lift)
				}
			}
			for n := range 2000 {
				for _, r := range []*ride{a, b} {
					r.steer(0.02, 2)
					if err := r.Step(0.001); err != nil {
						t.Fatal(err)
					}
				}
				if n%100 != 99 {
					continue
				}
				for _, name := range []string{"body.x", "body.y", "body.z", "body.yaw", "body.roll", "body.pitch",
					"body.vx", "body.vy", "body.wz", "tire_FL.Fx", "tire_FL.Fy", "tire_RR.Fz", "tire_RL.Mz",
					"wheel_RR.omega"} {
					want := a.get(name)
					b.near(fmt.Sprintf("%s at %.1f s", name, b.Time()), b.get(name), want, 1e-7*(1+math.Abs(want)))
				}
			}
		})
	}
}

// On a crosswise wave all wheels stand on ground of equal slope. Friction holds a vehicle at rest along the crest as
// on the tangent plane. The normal of the local plane is the normal of the surface: forces follow the slope at the
// foot of the wheel's centre.
func TestTiresOnCurvedTerrain(t *testing.T) {
	b := variantOf(t, "generic4w", "", roadComponent,
		`[component.road]
type = "terrain"
kind = "formula"
formula = "0.3*(1 - cos(0.05*x))"
`)
	if err := b.Initialise(); err != nil {
		t.Fatal(err)
	}
	flat := loaded(t, "generic4w", "", nil, nil)
	highest := newSpan()
	for range 6000 { // 120 m of waves of 126 m and 0.6 m
		if err := b.Step(0.001); err != nil {
			t.Fatal(err)
		}
		if err := flat.Step(0.001); err != nil {
			t.Fatal(err)
		}
		x := b.get("body.x")
		highest.add(b.get("body.z")-0.3*(1-math.Cos(0.05*x)), b.Time())
	}
	// 20 m/s on a curvature of 7.5e-4 1/m: 0.3 m/s2, which is 3 % of the weight
	b.within("lowest ride", highest.low, 0.83, 0.9)
	b.within("highest ride", highest.high, 0.88, 0.95)
	// beyond rolling resistance, which the flat road has too, nothing takes energy
	x, v, w := b.get("body.x"), b.get("body.vx"), flat.get("body.vx")
	potential := 9.81 * 0.3 * (1 - math.Cos(0.05*x))
	b.near("energy on the wave", v*v/2+potential, w*w/2, 0.5)
}

// The local plane is the one above which the wheel's centre stands: its foot is the place.
func TestLocalPlaneIsBelowTheCentre(t *testing.T) {
	b := variantOf(t, "generic4w", "", roadComponent,
		`[component.road]
type = "terrain"
kind = "formula"
formula = "0.05*sin(2*x)*cos(3*y)"
`)
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	b.inputsAt(0)
	b.updateLocalPlanes(0, b.x)
	for i, u := range b.sys.program.Uneven {
		centre := vector{b.sides.wheels.Value(3 * i), b.sides.wheels.Value(3*i + 1), b.sides.wheels.Value(3*i + 2)}
		slopes := [2]float64{b.continued[u.SlopeX], b.continued[u.SlopeY]}
		above := centre[2] - b.continued[u.Height] - slopes[0]*centre[0] - slopes[1]*centre[1]
		lean := above / (1 + slopes[0]*slopes[0] + slopes[1]*slopes[1])
		x, y := centre[0]+lean*slopes[0], centre[1]+lean*slopes[1]
		b.near("slope at the foot", slopes[0], 0.1*math.Cos(2*x)*math.Cos(3*y), 2e-3)
		b.near("slope at the foot", slopes[1], -0.15*math.Sin(2*x)*math.Sin(3*y), 2e-3)
		b.near("height at the foot", b.continued[u.Height]+slopes[0]*x+slopes[1]*y,
			0.05*math.Sin(2*x)*math.Cos(3*y), 1e-4)
	}
}

// A step allocates nothing with any solver and any terrain.
func TestStepsOnTerrainAllocateNothing(t *testing.T) {
	testrun.Slow(t)
	onTable := variantOf(t, "generic4w", "tire", roadComponent,
		`[component.road]
type = "terrain"
kind = "table"
file = "road.csv"
`)
	for _, method := range []string{"dlmm", "dlmm-euler", "clmm", "stabilised-ode", "post-stabilisation",
		"coordinate-projection", "half-explicit", "half-explicit-both", "linearly-implicit", "rk4"} {
		texts := formula(rough)
		texts[MethodVariable] = method
		rides := map[string]*ride{
			"motorcycle": begin(t, "motorcycle2d", texts, numbered("mass", "vx", 6, 5)),
			"four wheels": begin(t, "fourwheel_pointmass", map[string]string{MethodVariable: method,
				"terrain.kind": "grid", "terrain.file": "../roads/moguls.asc"},
				map[string]float64{"terrain.height": -0.3}),
		}
		in, err := onTable.sys.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		car := &ride{in, t}
		if err := car.SetText(MethodVariable, method); err != nil {
			t.Fatal(err)
		}
		if err := car.Initialise(); err != nil {
			t.Fatal(err)
		}
		rides["car"] = car
		for name, r := range rides {
			r.to(0.02, nil)
			if n := testing.AllocsPerRun(100, func() {
				if err := r.Step(0.001); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%s, %s: %g allocations a step", name, method, n)
			}
		}
	}
}

// Springs too stiff for explicit steps are named before a run diverges, with a stable step. The named step holds the
// vehicle, while steps a fifth longer than the warning's limit throw it about.
func TestWarningOfStiffSprings(t *testing.T) {
	values := map[string]float64{"terrain.height": -0.01, "spring_1.stiffness": 4e6, "spring_1.damping": 10}
	steps := func(h float64) (warnings []string, highest float64) {
		r := begin(t, "partial_vehicle2d", nil, merged(values, map[string]float64{StepVariable: h}))
		warnings = r.Warnings()
		for range int(1 / h) {
			if r.Step(h) != nil {
				return warnings, math.Inf(1)
			}
			highest = max(highest, math.Abs(r.get("mass_3.z")))
		}
		return warnings, highest
	}
	rho := math.Sqrt(4e6 * 2) // contact mass and rim of 1 kg each
	fine, low := steps(2.4 / rho)
	coarse, high := steps(3 / rho)
	if len(fine) != 0 || !(low <= 2) {
		t.Errorf("steps of 2.4 by the largest eigenvalue: %q, up to %g m", fine, low)
	}
	if len(coarse) != 1 || !(high >= 10) {
		t.Fatalf("steps of 3 by the largest eigenvalue: %q, up to %g m", coarse, high)
	}
	var estimate, step, enough float64
	if _, err := fmt.Sscanf(coarse[0], "the largest eigenvalue is about %g 1/s, too large for explicit steps of %g "+
		"s; steps of %g s are short enough", &estimate, &step, &enough); err != nil {
		t.Fatalf("%s: %v", coarse[0], err)
	}
	if !(math.Abs(estimate/rho-1) <= 0.02 && math.Abs(enough*rho/2.5-1) <= 0.06) {
		t.Errorf("%s; the eigenvalue of both masses is %g 1/s", coarse[0], rho)
	}
	down := begin(t, "partial_vehicle2d", nil, map[string]float64{"mass_2.z": -0.3, "mass_3.z": -0.7})
	if list := down.Warnings(); len(list) != 1 ||
		!strings.Contains(list[0], "contact_R: the rim, at -0.3 m, is not above the contact mass") {
		t.Errorf("upside down: %q", list)
	}
}
