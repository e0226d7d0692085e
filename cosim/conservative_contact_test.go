package cosim_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// leaning is a free wheel on a conservative contact, without friction, whose height, lean and speeds are start values.
const leaning = `name = "LeaningWheel"
[component.road]
type = "road"
[component.wheel]
type = "rigid-body"
mass = 20
inertia = { axial = 1.5, transverse = 0.8 }
sequence = "312" # heading, lean, spin
[component.tire]
type = "tire"
frame = "wheel"
road = "road"
mass = 0
inertia = { axial = 0, transverse = 0 }
unloaded_radius = 0.355
vertical_stiffness = 3.04e5
vertical_damping = 500
contact = { method = "conservative", width = 0.2 }
rolling_radius = { method = "load-dependent", Fz0 = 5900, B = 8, D = 0.24, F = 0.01 }
slip = { method = "kinematic", minimum_speed = 0.005 }
force = { function = "Brush", parameters = { Ck = 1.1e5, Ca = 8e4, CM = 0, camber = 0, Cr = 0, mu0 = 1 } }
[quantities]
side = { value = "tire.Rs", unit = "m", text = "Y" }
along = { value = "tire.VEx", unit = "m/s", text = "slip velocity on the effective radius" }
across = { value = "tire.VPy", unit = "m/s", text = "velocity of the contact point to the left" }
`

// placed initialises a wheel with values of its variables.
func (r *run) placed(values map[string]float64) {
	r.Helper()
	r.in.Reset()
	for name, x := range values {
		r.set(name, x)
	}
	if err := r.in.Initialise(); err != nil {
		r.Fatal(err)
	}
}

// lowest is P and Y of the specification of standstill and energy, 5.1, as it is written there.
func lowest(free, ring, half, crown, lean float64) (p, y float64) {
	const t = 0.02
	at := func(lean float64) float64 {
		c, s := math.Abs(math.Cos(lean)), math.Abs(math.Sin(lean))
		disc, side := (free-crown)*c+crown, ring*math.Sqrt(c*c+0.05*0.05)+half*s
		switch d := disc - side; {
		case d >= t:
			return disc
		case d <= -t:
			return side
		default:
			return (disc+side)/2 + d*d/(4*t) + t/4
		}
	}
	const step = 1e-5
	return at(lean), -(at(lean+step) - at(lean-step)) / (2 * step)
}

// The table of the specification of standstill and energy, 5.2; its ring is of 0.29 m, that of the tire is 0.82 R.
func TestConservativeContactEqualsTheSpecification(t *testing.T) {
	for _, row := range [][3]float64{ // degrees, P and Y by the formulas for Rs = 0.29 and b = 0.1
		{0, 0.355, 0}, {5, 0.353649, 0.030940}, {20, 0.333591, 0.121417}, {25, 0.321915, 0.138936},
		{30, 0.309934, 0.135352}, {36, 0.296072, 0.129122}, {45, 0.276284, 0.133840}, {60, 0.232326, 0.199901},
		{75, 0.173038, 0.249151}, {89, 0.115343, 0.093810}, {90, 0.114500, 0},
	} {
		p, y := lowest(0.355, 0.29, 0.1, 0, row[0]*math.Pi/180)
		if !(math.Abs(p-row[1]) <= 6e-7 && math.Abs(y-row[2]) <= 6e-7) {
			t.Errorf("%g degrees: P %.7f, Y %.7f, the table has %v", row[0], p, y, row[1:])
		}
	}
	// The engine's ring has a radius of 0.82 R. It equals the ring of the table for R = 0.29/0.82.
	for _, c := range []struct{ contact, radius string }{
		{"width = 0.2", "0.355"}, {"width = 0.2", "0.35365853658536583"}, {"width = 0.3, crown_radius = 0.12", "0.33"},
		{"crown_radius = 0.05", "0.6"}, {"width = 0.3", "0.25"},
	} {
		text := strings.NewReplacer("width = 0.2", c.contact, "unloaded_radius = 0.355", "unloaded_radius = "+c.radius).
			Replace(leaning)
		r := fromText(t, text, "")
		free, crown := r.get("tire.unloaded_radius"), 0.0
		half := 0.28 * free
		if strings.Contains(c.contact, "width") {
			half = r.get("tire.contact_width") / 2
		}
		if strings.Contains(c.contact, "crown") {
			crown = r.get("tire.crown_radius")
		}
		for degrees := -180.0; degrees <= 180; degrees += 2.5 {
			lean := degrees * math.Pi / 180
			p, y := lowest(free, 0.82*free, half, crown, lean)
			if math.Cos(lean) < -1e-9 { // upside down it is a wheel that leans the other way
				y = -y
			}
			r.placed(map[string]float64{"wheel.z": p - 0.02, "wheel.angle2": lean})
			r.near("tire.deflection", 0.02, 1e-12)
			r.near("side", y, 1e-6)
			r.near("tire.gamma", math.Asin(math.Sin(lean)), 1e-12)
			r.near("tire.R_l", (p-0.02)*math.Abs(math.Cos(lean))+y*math.Sin(lean), 1e-6)
		}
	}
}

// The normal force and its moment about the centre are the gradient of an energy: Y = -dP/dgamma, and
// dN/dgamma = d(N Y)/dh, whatever the inclination, on the disc, on the ring and between them.
func TestConservativeContactIsAGradient(t *testing.T) {
	r := fromText(t, leaning, "")
	random := rand.New(rand.NewPCG(24, 5))
	at := func(height, lean float64) (deflection, force, moment float64) {
		r.placed(map[string]float64{"wheel.z": height, "wheel.angle2": lean})
		return r.get("tire.deflection"), r.get("tire.Fz"), r.get("tire.Fz") * r.get("side")
	}
	for range 200 {
		lean := (random.Float64()*2 - 1) * math.Pi / 2
		p, _ := lowest(0.355, 0.82*0.355, 0.1, 0, lean)
		height := p - 0.005 - 0.05*random.Float64()
		const step = 1e-5
		d, force, moment := at(height, lean)
		left, forceLeft, _ := at(height, lean-step)
		right, forceRight, _ := at(height, lean+step)
		_, _, low := at(height-step, lean)
		_, _, high := at(height+step, lean)
		if got, want := -(right-left)/(2*step), moment/force; !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("lean %g: -dP/dgamma %g, Y %g", lean, got, want)
		}
		if got, want := (forceRight-forceLeft)/(2*step), (high-low)/(2*step); !(math.Abs(got-want) <= 1e-6*3.04e5) {
			t.Errorf("lean %g, deflection %g: dN/dgamma %g, d(N Y)/dh %g", lean, d, got, want)
		}
	}
}

// A tire that lies, at any height and with any speeds, also exactly flat, has finite forces that are the same again.
func TestLyingTireIsFiniteAndDeterministic(t *testing.T) {
	for _, c := range []struct{ name, road string }{
		{"road", ""}, {"terrain", `type = "terrain"
kind = "plane"
slope_x = 0.1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := leaning
			if c.road != "" {
				text = strings.Replace(text, `type = "road"`, c.road, 1)
			}
			a, b := fromText(t, text, ""), fromText(t, text, "")
			random := rand.New(rand.NewPCG(24, 53))
			for n := range 100 {
				values := map[string]float64{"wheel.z": 0.1 * random.Float64(), "wheel.angle2": math.Pi / 2,
					"wheel.angle1": random.NormFloat64()}
				if n%2 > 0 {
					values["wheel.angle2"] = math.Pi/2 + 1e-7*random.NormFloat64()
				}
				for _, name := range []string{"vx", "vy", "vz", "wx", "wy", "wz"} {
					values["wheel."+name] = 5 * random.NormFloat64()
				}
				for _, r := range []*run{a, b} {
					r.placed(values)
					r.drive(func(*run, float64) {}, 0.001, 0.02)
				}
				for i := range a.sys.Variables() {
					x, _ := a.in.Get(i)
					y, _ := b.in.Get(i)
					if math.IsNaN(x) || math.IsInf(x, 0) || x != y {
						t.Fatalf("%s is %g, and %g again", a.sys.Variables()[i].Name, x, y)
					}
				}
			}
		})
	}
}

// A tire that lies flat has the heading of its frame: rotating the tire rotates all results.
func TestFlatTireHasTheHeadingOfItsFrame(t *testing.T) {
	r := fromText(t, leaning, "")
	at := func(heading float64) (list []float64) {
		r.placed(map[string]float64{"wheel.angle1": heading, "wheel.angle2": math.Pi / 2, "wheel.z": 0.1, "wheel.vx": 2,
			"wheel.vy": 0.3, "wheel.vz": -1, "wheel.wx": 0.1, "wheel.wy": 3, "wheel.wz": 0.2})
		for _, name := range []string{"tire.Fx", "tire.Fy", "tire.Fz", "tire.kappa", "tire.alpha"} {
			list = append(list, r.get(name))
		}
		return list
	}
	for _, heading := range []float64{0.7, 2, -1.5} {
		for i, want := range at(0) {
			if got := at(heading)[i]; !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) || want == 0 {
				t.Errorf("heading %g: number %d is %g, %g straight ahead", heading, i, got, want)
			}
		}
	}
}

// A wheel that turns about its spin axis alone, on its side on a road of any inclination, has equations without a
// heading: 0 is not divided by.
func TestExactlyFlatTireIsFinite(t *testing.T) {
	testrun.Slow(t)
	for degrees := 1; degrees < 90; degrees++ {
		slope := float64(degrees) * math.Pi / 180
		road := fmt.Sprintf("type = \"road\"\nangles = [0, 0, %.17g]", slope)
		r := fromText(t, strings.Replace(leaning, `type = "road"`, road, 1), "")
		r.placed(map[string]float64{"wheel.angle2": math.Pi/2 + slope, "wheel.z": 0.1, "wheel.wy": 3})
		for _, name := range []string{"tire.Fx", "tire.Fy", "tire.Fz", "tire.kappa", "tire.alpha", "wheel.az"} {
			if x := r.get(name); math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%d degrees: %s is %g", degrees, name, x)
			}
		}
	}
}

// In a plane, where nothing leans, a conservative contact without power is a loaded one.
func TestConservativeContactInAPlane(t *testing.T) {
	planar := strings.NewReplacer(`[component.wheel]
type = "rigid-body"
mass = 20
inertia = { axial = 1.5, transverse = 0.8 }
sequence = "312" # heading, lean, spin
`, `[component.forward]
type = "prismatic"
from = "ground"
to = "carriage"
axis = "x"
start = { s_dot = 10 }
[component.lift]
type = "prismatic"
from = "carriage"
to = "bearing"
axis = "z"
start = { s = 0.33 }
[component.pitch]
type = "revolute"
from = "bearing"
to = "body"
axis = "y"
start = { phi = 0.6, omega = 0.3 }
[component.body]
type = "rigid-body"
mass = 300
inertia = { xx = 20, yy = 30, zz = 20 }
[component.hub]
type = "revolute"
from = "body"
to = "wheel"
axis = "y"
start = { omega = 30 }
`, "vertical_damping = 500", "", "mass = 0", "mass = 20", "axial = 0, transverse = 0", "axial = 1.5, transverse = 0.8").Replace(leaning)
	var rides []*run
	for _, contact := range []string{`method = "conservative", power = "no"`, `method = "loaded"`} {
		r := fromText(t, strings.Replace(planar, `method = "conservative", width = 0.2`, contact, 1), "")
		r.placed(nil)
		r.drive(func(*run, float64) {}, 0.001, 0.5)
		rides = append(rides, r)
	}
	for i, v := range rides[0].sys.Program().States {
		want := rides[1].get(v.Name)
		if got := rides[0].get(v.Name); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("state %d, %s: %g, loaded %g", i, v.Name, got, want)
		}
	}
}

// A wheel with its spring loses the power of the forces along the road at the velocities of the slip, at any
// inclination. Without the key power, the longitudinal force has a different arm.
func TestLongitudinalForceActsWhereSlipIsMeasured(t *testing.T) {
	for _, c := range []struct {
		contact string
		exact   bool
	}{{"width = 0.2", true}, {`width = 0.2, power = "yes"`, true}, {`width = 0.2, power = "no"`, false}} {
		r := fromText(t, strings.NewReplacer("width = 0.2", c.contact, "vertical_damping = 500", "").Replace(leaning), "")
		random := rand.New(rand.NewPCG(24, 54))
		most, touching := 0.0, 0
		for range 200 {
			lean := 1.4 * (2*random.Float64() - 1)
			p, _ := lowest(0.355, 0.82*0.355, 0.1, 0, lean)
			values := map[string]float64{"wheel.angle2": lean, "wheel.z": p - 0.03*random.Float64()}
			for _, name := range []string{"vx", "vy", "vz", "wx", "wz"} {
				values["wheel."+name] = random.NormFloat64()
			}
			const step = 1e-6
			values["solver.step"] = step
			values["wheel.vx"] += 10
			values["wheel.wy"] = 30 + 3*random.NormFloat64()
			r.placed(values)
			energy := func() float64 {
				sum := 20 * 9.81 * r.get("wheel.z")
				for name, inertia := range map[string]float64{"vx": 20, "vy": 20, "vz": 20, "wx": 0.8, "wy": 1.5, "wz": 0.8} {
					v := r.get("wheel." + name)
					sum += inertia * v * v / 2
				}
				d := max(0, r.get("tire.deflection"))
				return sum + 3.04e5*d*d/2
			}
			power := func() float64 {
				return r.get("tire.Fx")*r.get("along") + r.get("tire.Fy")*r.get("across")
			}
			e, before := energy(), power()
			r.drive(func(*run, float64) {}, step, step)
			got, want := (energy()-e)/step, (before+power())/2
			if before != 0 {
				touching++
			}
			off := math.Abs(got-want) / (1 + math.Abs(want))
			most = max(most, off)
			if c.exact && !(off <= 1e-4) {
				t.Errorf("%v: a power of %g W, want %g", values, got, want)
			}
		}
		if !c.exact && !(most > 0.01) || touching < 150 {
			t.Errorf("%s: the powers differ by %g, %d wheels touch", c.contact, most, touching)
		}
	}
}

// A Magic Formula whose rolling resistance has a term in Fx does not receive the same power twice; a note says so.
func TestPowerOfRollingResistanceIsNotCountedTwice(t *testing.T) {
	const brush = `function = "Brush", parameters = { Ck = 1.1e5, Ca = 8e4, CM = 0, camber = 0, Cr = 0, mu0 = 1 }`
	for _, c := range []struct {
		contact, force string
		power, note    bool
	}{
		{"", brush, true, false},
		{"", `function = "MF61", file = "../tires/mf61_205_60R15.tir"`, false, true},
		{`, power = "no"`, `function = "MF61", file = "../tires/mf61_205_60R15.tir"`, false, false},
		{`, power = "yes"`, `function = "MF61", file = "../tires/mf61_205_60R15.tir"`, true, false},
		{`, power = "no"`, brush, false, false},
		{"", `function = "Pacejka02", file = "../tires/pacejka2002.toml"`, true, false},
	} {
		r := fromText(t, strings.NewReplacer(", width = 0.2", c.contact, brush, c.force).Replace(leaning), "")
		r.in.Reset()
		if err := r.in.SetText("solver.method", "euler"); err != nil {
			t.Fatal(err)
		}
		for name, x := range map[string]float64{"wheel.z": 0.335, "wheel.vx": 10, "wheel.wy": 32, "solver.step": 0.001} {
			r.set(name, x)
		}
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(r.in.Warnings(), "\n")
		if strings.Contains(notes, "tire: contact.power is \"no\", because") != c.note {
			t.Errorf("%s, %s: notes %q", c.contact, c.force, notes)
		}
		if fx := r.get("tire.Fx"); !(math.Abs(fx) > 10) {
			t.Fatalf("the force is %g N", fx)
		}
		// upright, the moment beyond the arm of the loaded radius and the function's own moment comes from the key
		fx, arm, spin := r.get("tire.Fx"), r.get("tire.R_l"), r.get("wheel.wy")
		missing := r.get("tire.R_eff") - arm
		extra, want := fx*arm-r.get("tire.My"), 0.0
		r.drive(func(*run, float64) {}, 0.001, 0.001) // Euler's
		extra += 1.5 * (r.get("wheel.wy") - spin) / 0.001
		if c.power {
			want = -fx * missing
		}
		if !(math.Abs(missing) > 1e-3 && math.Abs(extra-want) <= 1e-9*math.Abs(fx)) {
			t.Errorf("%s, %s: a moment of %g N m, want %g", c.contact, c.force, extra, want)
		}
	}
}
