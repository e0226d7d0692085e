package reduction

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

const degree = math.Pi / 180

// write makes an axle of two shipped corners by points, in a file of its own.
func write(t *testing.T, corner, keys, more string) (string, *vehicle.Model) {
	t.Helper()
	text := fmt.Sprintf(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [0.1, 0, -0.5] }
rack = { type = "rigid-body", design = [0.1, 0, -0.5], mass = 3, inertia = { xx = 0.1, yy = 0.01, zz = 0.1 } }
slide = { type = "motion-driver", kind = "translation", from = "front", to = "rack", axis = [0, -1, 0] }
%s
[use.F]
file = "%s"
at = ["L", "R"]
frames = { chassis = "front", rack = "rack", road = "road" }
parameters = { toe = 0.002, camber = -0.01 }
%s
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"]]
steering = { drivers = ["slide"], ratio = "80 rad/m" }
`, more, corner, keys)
	path := filepath.Join(t.TempDir(), "axle.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, m
}

// A vehicle with tables moves its wheels as the vehicle itself, over the whole range and for any combination of travels
// and rack. Its figures have the same values, and the travel of the wheels moves the same mass.
func TestTablesMoveTheWheelsAlike(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct{ corner, keys string }{
		{"corner_double_wishbone", ""}, {"corner_macpherson", `steered = "no"`},
		{"corner_five_link", ""},
	} {
		name := c.corner + ", " + c.keys
		path, m := write(t, c.corner, c.keys, "")
		o := rig.Options{Axle: 1, Bodies: true}
		axle, err := Reduce(path, m, m.Roles, o, 1e-6)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		full, err := rig.New(m, o)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := rig.New(axle.Model, o)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 7))
		for range 20 {
			g := rig.Given{Travel: [2]float64{0.16*r.Float64() - 0.08, 0.16*r.Float64() - 0.08}, Rack: 0.08*r.Float64() - 0.04}
			a, err := full.Solve(g, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := tables.Solve(g, nil)
			if err != nil {
				t.Fatal(err)
			}
			for side := range 2 {
				v, w := &a.Wheels[side], &b.Wheels[side]
				for k := range 3 {
					if d := math.Abs(v.Centre[k].V - w.Centre[k].V); d > 2e-6 {
						t.Errorf("%s at %v: the centre of the %s wheel differs by %g m", name, g, rig.Sides[side], d)
					}
				}
				if d := math.Abs(v.Toe().V - w.Toe().V); d > 2e-6 {
					t.Errorf("%s at %v: toe differs by %g rad", name, g, d)
				}
				if d := math.Abs(v.Camber().V - w.Camber().V); d > 2e-6 {
					t.Errorf("%s at %v: camber differs by %g rad", name, g, d)
				}
			}
		}
		for i := range axle.Full {
			f := &axle.Full[i]
			of, allowed := axle.WithTables(f.Key), 0.005
			if f.Key == "wheel_rate" || f.Key == "roll_stiffness" {
				allowed = 0.002
			}
			if of == nil { // a screw axis needs a rack
				if f.Missing == "" && (axle.Tables.Steered() || f.Key == "wheel_rate") {
					t.Errorf("%s: no %s with tables", name, f.Key)
				}
				continue
			}
			for side, x := range [2][2]float64{{f.Left.V, of.Left.V}, {f.Right.V, of.Right.V}} {
				// hub trails of some 0.2 mm have a floor
				if d := math.Abs(x[0] - x[1]); d > allowed*math.Abs(x[0])+3e-5 {
					t.Errorf("%s: %s at the %s is %g, with tables %g", name, f.Key, rig.Sides[side], x[0], x[1])
				}
			}
		}
		// twice the energy of the left corner that turns about an axis through the origin
		turning := func(bodies []rig.Body, w [3]float64) (sum float64) {
			for i := range bodies {
				b := &bodies[i]
				if b.Place[1] < 0.2 {
					continue
				}
				for k := range 3 {
					l, m := (k+1)%3, (k+2)%3
					v := w[l]*b.Place[m] - w[m]*b.Place[l]
					sum += b.Mass*v*v + w[k]*(b.Inertia[k][0]*w[0]+b.Inertia[k][1]*w[1]+b.Inertia[k][2]*w[2])
				}
			}
			return sum
		}
		var bodies [2][]rig.Body
		var moved, mass [2]float64
		for i, r := range []*rig.Rig{full, tables} {
			if bodies[i], err = r.Bodies(); err != nil {
				t.Fatal(err)
			}
			for k := range bodies[i] {
				moved[i], mass[i] = moved[i]+bodies[i][k].Bounce(), mass[i]+bodies[i][k].Mass
			}
		}
		if math.Abs(moved[1]/moved[0]-1) > 1e-3 || math.Abs(mass[1]/mass[0]-1) > 1e-9 {
			t.Errorf("%s: travel moves %g kg of %g, with tables %g kg of %g", name, moved[0], mass[0], moved[1], mass[1])
		}
		if len(axle.Links) > 0 {
			continue // parts of their masses are at the wheel centres
		}
		for range 6 {
			w := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			if a, b := turning(bodies[0], w), turning(bodies[1], w); math.Abs(a-b) > 1e-6*a {
				t.Errorf("%s: turning about %.2f has the energy %.9g J, with tables %.9g J", name, w, a, b)
			}
		}
	}
}

// Two masses of 2 kg at a distance of 2 l have the inertia 4 l^2 about each axis across their line, for any line.
func TestLumpsHaveTheirInertia(t *testing.T) {
	var l lump
	for _, place := range [][3]float64{{1.3, 2.4, 3}, {0.7, 1.6, 3}} {
		l.add(2, place, [3][3]float64{})
	}
	place, inertia := l.centre([3]float64{1, 1, 1}, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
	// of the line (0.6, 0.8, 0) with l = 0.5: 4 l^2 (1 - u u^T)
	want := [3][3]float64{{0.64, -0.48, 0}, {-0.48, 0.36, 0}, {0, 0, 1}}
	for i := range 3 {
		if math.Abs(place[i]-[3]float64{0, 1, 2}[i]) > 1e-12 {
			t.Errorf("the centre is at %v", place)
		}
		for k := range 3 {
			if math.Abs(inertia[i][k]-want[i][k]) > 1e-12 {
				t.Errorf("the inertia is %v", inertia)
			}
		}
	}
}

// Toe and camber change alike under loads at any travel and any position of the rack, and the figures are equal.
func TestTablesYieldAlike(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		corner, keys string
		straight     string  // springs between chassis and hub
		modes        [2]int  // as they are and softened
		share        float64 // of the effect: largest error
		over         int     // variables of the table
	}{
		{"corner_double_wishbone", `steered = "no"`, "", [2]int{4, 1}, 0.05, 1},
		{"corner_macpherson", "", "spring_FL", [2]int{4, 1}, 0.05, 2},
		{"corner_five_link", "", "spring_FL", [2]int{5, 0}, 0.1, 1},
	} {
		path, m := write(t, c.corner, c.keys+"\njoints = \"bushings\"", "")
		axle, err := Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-5)
		if err != nil {
			t.Fatalf("%s: %v", c.corner, err)
		}
		var modes [2]int
		for _, mode := range axle.Modes {
			if mode.Softened {
				modes[1]++
			} else {
				modes[0]++
			}
		}
		if straight := strings.Join(axle.Straight, " "); straight != c.straight {
			t.Errorf("%s: springs between points are %q", c.corner, straight)
		}
		if modes != c.modes || len(axle.Yields) != 8 {
			t.Errorf("%s: %d modes, as they are and softened, and %d loads", c.corner, modes, len(axle.Yields))
		}
		for _, y := range axle.Yields {
			if y.Error > c.share*y.Effect+0.005*degree || y.Effect == 0 {
				t.Errorf("%s: %s changes by %.4f deg, with an error of %.4f deg", c.corner, y.Text, y.Effect/degree,
					y.Error/degree)
			}
		}
		for _, of := range axle.Model.Components {
			e, is := of.(*component.Compliance)
			if is && !(e.Loss.Value/(2*math.Pi*e.Frequency.Value) > firstStep) {
				t.Errorf("%s: explicit steps excite the hub with a loss factor of %g", c.corner, e.Loss.Value)
			}
			if is && e.Second != (c.over == 2) {
				t.Errorf("%s: the table of the compliance does not go over %d variables", c.corner, c.over)
			}
		}
		for i := range axle.Full {
			f := &axle.Full[i]
			of, allowed := axle.WithTables(f.Key), 0.005
			floor := map[string]float64{"rad/N": 1e-8, "rad/N.m": 1e-7, "m/N": 1e-9, "m/N.m": 1e-9}[f.Unit]
			switch f.Key {
			case "wheel_rate", "ride_rate", "roll_stiffness":
				allowed = 0.002
			case "lateral_parallel_contact_y", "lateral_opposed_contact_y": // the motion that is limited is sideways
				floor = 4e-8
			case "support_brake":
				floor = 2.5e-4
			case "scrub", "hub_trail": // of a screw axis, and not of joints
				floor = 5e-4
			}
			if f.Missing != "" || of == nil || strings.HasPrefix(f.Key, "motion_ratio") {
				continue
			}
			if d := math.Abs(f.Left.V - of.Left.V); d > allowed*math.Abs(f.Left.V)+max(floor, 1e-9) {
				t.Errorf("%s: %s is %.6g, with tables %.6g", c.corner, f.Key, f.Left.V, of.Left.V)
			}
		}
	}
}

// Parts of the vehicle that name the suspension are told, and so are parts that the file does not have.
func TestReductionsTellTheirLimits(t *testing.T) {
	path, m := write(t, "corner_double_wishbone", `steered = "no"`,
		`watch = { type = "sensor", from = "body", to = "lower_FL" }`)
	axle, err := Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	if len(axle.Dropped) != 1 || axle.Dropped[0] != "watch" || axle.Model == nil {
		t.Errorf("without %q, %q", axle.Dropped, axle.Notes)
	}
	path, m = write(t, "corner_five_link", "[use.F.component]\n"+
		`pull = { type = "force-driver", from = "chassis", to = "carrier", axis = "z" }`, "")
	axle, err = Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-5)
	if err != nil || len(axle.Dropped) != 1 || axle.Dropped[0] != "pull_FL" {
		t.Errorf("a force on the carrier%v, %v", axle, err)
	}
}

// Springs between the wheels and on angles act as those of the vehicle itself, for any combination of travels: the pads
// have the same forces. A bar on a yielding hub turns it.
func TestPartsBetweenTheWheelsActAlike(t *testing.T) {
	testrun.Slow(t)
	const rockers = `spring_on = "rocker"
[use.FP]
file = "pushrod_rocker"
frames = { chassis = "front", left = "carrier_FL", right = "carrier_FR" }
third = "yes"
bar = "yes"
parameters = { bar_stiffness = 400, third_stiffness = 40000 }
[use.FP.component]
third.damping = 700
`
	const links = `joints = "bushings"
[use.FB]
file = "bar_droplinks"
frames = { chassis = "front", left = "carrier_FL", right = "carrier_FR" }
parameters = { pivot = [190, 420, 250], lever_end = [20, 560, 255], link_end = [15, 600, 380], torsion = 250 }
`
	const torsion = `steered = "no"
[use.F.component]
lower_hinge.mirror = "same"
twist = { type = "spring-damper", joint = "lower_hinge", stiffness = 900, free_length = 0.1 }
`
	for _, c := range []struct {
		name, corner, keys, more string
		tolerance                float64
		pads                     float64 // largest difference of forces [N]
		roll                     float64 // largest relative difference of roll camber
		between                  []string
	}{
		{"rockers", "corner_double_wishbone", "steered = \"no\"\n" + rockers, "", 2e-6, 2, 1e-3,
			[]string{"bar_FP", "third_FP"}},
		{"drop links", "corner_five_link", links, "", 1e-6, 40, 2e-3, []string{"bar_FB"}},
		{"arms", "corner_double_wishbone", torsion,
			`bar = { type = "anti-roll-bar", left = "lower_hinge_FL", right = "lower_hinge_FR", stiffness = 1500 }`,
			1e-5, 3, 1e-3, []string{"bar"}},
	} {
		path, m := write(t, c.corner, c.keys, c.more)
		o := rig.Options{Axle: 1}
		axle, err := Reduce(path, m, m.Roles, o, c.tolerance)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if !slices.Equal(axle.Between.Keys, c.between) || len(axle.Dropped) > 0 || axle.Model == nil {
			t.Fatalf("%s: between %q, without %q, %q", c.name, axle.Between.Keys, axle.Dropped, axle.Notes)
		}
		full, err := rig.New(m, o)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := rig.New(axle.Model, o)
		if err != nil {
			t.Fatal(err)
		}
		rolls := 0.0
		for _, travel := range [][2]float64{{0.03, -0.03}, {-0.03, 0.03}, {0.04, 0.01}, {0, -0.025}, {-0.02, -0.03}} {
			a, err := full.Solve(rig.Given{Travel: travel}, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := tables.Solve(rig.Given{Travel: travel}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for side := range 2 {
				if d := math.Abs(a.Pads[side].V - b.Pads[side].V); d > c.pads {
					t.Errorf("%s at %v: the pads differ by %g N of %g N", c.name, travel, d, a.Pads[side].V)
				}
			}
			rolls = max(rolls, math.Abs(a.Pads[0].V-a.Pads[1].V))
		}
		if rolls < 1000 {
			t.Errorf("%s: the pads differ by %g N only", c.name, rolls)
		}
		for i := range axle.Full {
			f := &axle.Full[i]
			of, allowed := axle.WithTables(f.Key), 0.0
			switch f.Key {
			case "wheel_rate", "roll_stiffness":
				allowed = 2e-3
			case "roll_camber":
				allowed = c.roll
			case "roll_steer", "lateral_parallel_toe", "lateral_parallel_camber", "lateral_opposed_toe", "braking_toe":
				allowed = 2e-3
			default:
				continue
			}
			for side, x := range [2][2]float64{{f.Left.V, of.Left.V}, {f.Right.V, of.Right.V}} {
				if math.Abs(x[0]-x[1]) > allowed*math.Abs(x[0]) {
					t.Errorf("%s: %s at the %s is %g, with tables %g", c.name, f.Key, rig.Sides[side], x[0], x[1])
				}
			}
		}
	}
}

func TestImpossibleReductionsAreRefused(t *testing.T) {
	reduce := func(path string, o rig.Options, tolerance float64) error {
		m, err := vehicle.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Reduce(path, m, m.Roles, o, tolerance)
		return err
	}
	five, _ := write(t, "corner_five_link", "", "")
	uneven, _ := write(t, "corner_five_link", "", "[component.upper_fore_FR]\nlength = 0.27\n")
	rigid := filepath.Join(t.TempDir(), "rigid.toml")
	if err := os.WriteFile(rigid, []byte(`name = "Rigid"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 } }
[use.R]
file = "rigid_axle"
frames = { chassis = "body", road = "road" }
parameters = { x = 0, z = -0.44, half_track = 0.8, mass = "90 kg", load = 4000, spring = "50 N/mm", damper = 3000, half_spring = 0.6 }
[roles]
chassis = "body"
axles = [["tire_RL", "tire_RR"]]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	unsprung, _ := write(t, "corner_five_link", "[use.F.component]\nspring = { remove = true }", "")
	lopsided, _ := write(t, "corner_double_wishbone", `spring_on = "rocker"
steered = "no"
[use.FP]
file = "pushrod_rocker"
frames = { chassis = "front", left = "carrier_FL", right = "carrier_FR" }
[use.FP.component]
spring_R.stiffness = 46000
`, "")
	opposed, _ := write(t, "corner_double_wishbone", `steered = "no"`,
		`bar = { type = "anti-roll-bar", left = "lower_hinge_FL", right = "lower_hinge_FR", stiffness = 400 }`)
	for _, c := range []struct {
		path      string
		axle      int
		tolerance float64
		want      string
	}{
		{lopsided, 1, 1e-5, "spring_FPL has no equal spring_FPR on the other side"},
		{opposed, 1, 1e-5, "lower_hinge_FL and lower_hinge_FR, which bar joins, turn differently"},
		{unsprung, 1, 1e-5, "no spring bears the left wheel of axle 1"},
		{rigid, 1, 1e-6, "joins their carriers to a part that is neither a carrier nor the chassis"},
		{five, 2, 1e-6, "there is no axle 2"},
		{five, 1, 1e-13, "give a larger tolerance"},
		{uneven, 1, 1e-6, "the tables of one corner need equal sides"},
	} {
		err := reduce(c.path, rig.Options{Axle: c.axle}, c.tolerance)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.path, err, c.want)
		}
	}
}
