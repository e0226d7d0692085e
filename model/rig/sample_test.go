package rig_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/kc"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// sample is one double wishbone by an independent program; testdata/double_wishbone.json explains its keys.
type sample struct {
	Inputs struct {
		Radius   float64
		SpinAxis [3]float64            `json:"spin_axis"`
		Points   map[string][3]float64 // of the left wheel, from the ground under the axle
		Spring   struct {
			K             float64
			Free          float64 `json:"free_length"`
			Bump, Rebound [2]float64
		}
		Bushings map[string]struct{ K, C [3]float64 }
	}
	Rigid, Compliant results
	Rack             results `json:"compliant_rack"`
}

type results struct {
	RackStiffness float64 `json:"rack_stiffness"`
	States        []struct {
		Given struct {
			Travel, Fx, Fy, Drive, Mz, Load [2]float64
			Rack                            float64
		}
		Read struct {
			Left, Right reading
			RackTravel  float64 `json:"rack_travel"`
			RackForce   float64 `json:"rack_force"`
		}
	}
	Figures map[string]float64
	// by point and figure
	Sensitivities map[string]map[string][3]float64
	Screw         map[string]float64 `json:"screw_axis"`
}

type reading struct {
	Toe, Camber, X, Y, Z, Fz, Spring float64
	FrontView                        float64 `json:"camber_front_view"`
	ContactX                         float64 `json:"contact_x"`
	ContactY                         float64 `json:"contact_y"`
	ContactZ                         float64 `json:"contact_z"`
}

func readSample(t *testing.T) *sample {
	t.Helper()
	data, err := os.ReadFile("testdata/double_wishbone.json")
	if err != nil {
		t.Fatal(err)
	}
	s := &sample{}
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// formulas are the coordinates of a point or of a vector.
type formulas [3]string

func (f formulas) String() string { return fmt.Sprintf("[%q, %q, %q]", f[0], f[1], f[2]) }

func (f formulas) minus(g formulas) (d formulas) {
	for i := range d {
		d[i] = fmt.Sprintf("(%s - %s)", f[i], g[i])
	}
	return d
}

func (f formulas) size() string { return fmt.Sprintf("sqrt(%s^2 + %s^2 + %s^2)", f[0], f[1], f[2]) }

// turned are the angles about z and y that turn x to the direction.
func (f formulas) turned() formulas {
	return formulas{fmt.Sprintf("atan2(%s, %s)", f[1], f[0]),
		fmt.Sprintf("atan2(-%s, sqrt(%s^2 + %s^2))", f[2], f[0], f[1]), "0"}
}

// car is a model of the sample, with points as parameters of both sides: ideal joints, or bushings with ball joints and
// tie rods.
func (s *sample) car(t *testing.T, bushings bool) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString("name = \"Sample\"\ngravity = 0\n[parameters]\n")
	for _, name := range slices.Sorted(maps.Keys(s.Inputs.Points)) {
		v := s.Inputs.Points[name]
		fmt.Fprintf(&b, "%s = { value = [%.17g, %.17g, %.17g], unit = \"m\" }\n", name, v[0], v[1], v[2])
	}
	b.WriteString(`[roles]
chassis = "body"
axles = [["tire_L", "tire_R"]]
[component.road]
type = "road"
[component.body]
type = "rigid-body"
mass = 1000
inertia = { xx = 300, yy = 1000, zz = 1000 }
[component.rack]
type = "prismatic"
from = "body"
to = "bar"
axis = "y"
[component.bar]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.01, zz = 0.1 }
`)
	for side, name := range []string{"L", "R"} {
		y, mirror := float64(1-2*side), []string{"", "-"}[side]
		point := func(name string) formulas { return formulas{name + ".x", mirror + name + ".y", name + ".z"} }
		add := func(text string, values ...any) {
			b.WriteString(strings.ReplaceAll(fmt.Sprintf(text, values...), "_N", "_"+name))
		}
		arm := func(from, to string, v formulas) {
			add("[component.to_%s]\ntype = \"rigid-arm\"\nfrom = \"%s\"\nto = \"%[1]s\"\ntranslation = %[3]v\n", to, from, v)
		}
		body := func(name string, at formulas, start bool) {
			add("[component.%s]\ntype = \"rigid-body\"\nmass = 2\n"+
				"inertia = { xx = 0.05, yy = 0.05, zz = 0.05 }\n", name)
			if start {
				add("start = { position = %v }\n", at)
			}
		}
		rod := func(name, from, to string, along formulas) {
			add("[component.%s]\ntype = \"rod\"\nfrom = \"%s\"\nto = \"%s\"\nlength = %q\n", name, from, to, along.size())
		}
		ball := func(name, from, to string) {
			add("[component.%s]\ntype = \"spherical\"\nfrom = \"%s\"\nto = \"%s\"\n", name, from, to)
		}
		bush := func(at, arm string, centre, along formulas) {
			k := s.Inputs.Bushings[at]
			for _, end := range []struct {
				from, to string
				place    formulas
			}{{"body", at + "_N", point(at)}, {arm, "arm_" + at + "_N", point(at).minus(centre)}} {
				add("[component.to_%s]\ntype = \"rigid-arm\"\nfrom = \"%s\"\nto = \"%[1]s\"\ntranslation = %[3]v\n"+
					"sequence = \"321\"\nangles = %[4]v\n", end.to, end.from, end.place, along.turned())
			}
			add("[component.bush_%s_N]\ntype = \"bushing\"\nfrom = \"%[1]s_N\"\nto = \"arm_%[1]s_N\"\nalong = \"x\"\n"+
				"stiffness = [%[2]v, %[3]v, %[4]v]\nrotational_stiffness = [%[5]v, %[6]v, %[7]v]\n", at, k.K[0], k.K[1], k.K[2],
				k.C[0], k.C[1], k.C[2])
		}
		fixed := []string{"spring_top"}
		if !bushings {
			fixed = append(fixed, "lower_front", "upper_front", "upper_rear")
		}
		for _, p := range fixed {
			arm("body", p+"_N", point(p))
		}
		arm("bar", "tie_inner_N", point("tie_inner"))
		carrier := point("wheel_centre")
		body("carrier_N", carrier, bushings)
		for _, p := range []string{"lower_outer", "upper_outer", "tie_outer"} {
			arm("carrier_N", "carrier_"+p+"_N", point(p).minus(carrier))
		}
		lower := point("lower_front")
		if bushings {
			lower = point("lower_outer")
			upper := point("upper_outer")
			body("lower_N", lower, true)
			body("upper_N", upper, true)
			for _, p := range []string{"lower_front", "lower_rear"} {
				bush(p, "lower_N", lower, point("lower_front").minus(point("lower_rear")))
			}
			for _, p := range []string{"upper_front", "upper_rear"} {
				bush(p, "upper_N", upper, point("upper_front").minus(point("upper_rear")))
			}
			ball("upper_ball_N", "upper_N", "carrier_upper_outer_N")
			ball("lower_ball_N", "lower_N", "carrier_lower_outer_N")
		} else {
			body("lower_N", lower, false)
			add("[component.hinge_N]\ntype = \"revolute\"\nfrom = \"lower_front_N\"\nto = \"lower_N\"\naxis = %v\n",
				point("lower_front").minus(point("lower_rear")))
			rod("upper_fore_N", "upper_front_N", "carrier_upper_outer_N", point("upper_front").minus(point("upper_outer")))
			rod("upper_aft_N", "upper_rear_N", "carrier_upper_outer_N", point("upper_rear").minus(point("upper_outer")))
			arm("lower_N", "arm_lower_outer_N", point("lower_outer").minus(lower))
			ball("lower_ball_N", "arm_lower_outer_N", "carrier_lower_outer_N")
		}
		arm("lower_N", "arm_spring_N", point("spring_bottom").minus(lower))
		rod("tie_N", "tie_inner_N", "carrier_tie_outer_N", point("tie_inner").minus(point("tie_outer")))
		spring := &s.Inputs.Spring
		bump, rebound := spring.Bump[0]-spring.Free, spring.Rebound[0]-spring.Free
		add(`[component.spring_N]
type = "spring-damper"
from = "spring_top_N"
to = "arm_spring_N"
stiffness = %.17g
free_length = %.17g
spring_force = { points = [[%.17g, %.17g], [%.17g, 0], [%.17g, 0], [%.17g, %.17g]], smooth = "linear" }
`, spring.K, spring.Free, bump-1, -spring.Bump[1], bump, rebound, rebound+1, spring.Rebound[1])
		u := s.Inputs.SpinAxis
		size := math.Sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2])
		add(`[component.hub_N]
type = "rigid-arm"
from = "carrier_N"
to = "hub_N"
sequence = "312"
angles = [%.17g, %.17g, 0]
[component.spin_N]
type = "revolute"
from = "hub_N"
to = "tire_N"
axis = "y"
[component.tire_N]
type = "tire"
road = "road"
mass = 10
inertia = { axial = 0.8, transverse = 0.5 }
unloaded_radius = 0.31
vertical_stiffness = 2e5
rolling_radius = { method = "load-dependent", Fz0 = 4000, B = 8, D = 0.24, F = 0.01 }
slip = { method = "kinematic" }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 9e4, Calpha = 8e4, Cr = 0.01, mu0 = 1, mu1 = 0.8 } }
`, -y*math.Atan2(u[0], u[1]), y*math.Asin(u[2]/size))
	}
	m, err := vehicle.Parse([]byte(b.String()), "sample.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestStatesOfTheSample(t *testing.T) {
	s := readSample(t)
	for _, c := range []struct {
		name                 string
		bushings             bool
		options              rig.Options
		of                   *results
		length, angle, force float64
	}{
		{"ideal joints", false, rig.Options{}, &s.Rigid, 1e-9, 1e-9, 1e-3},
		{"bushings", true, rig.Options{}, &s.Compliant, 1e-8, 1e-8, 1e-3},
		{"bushings and an elastic rack", true, rig.Options{Rack: rig.RackElastic, Rate: 1.5e6}, &s.Rack, 1e-8, 1e-8, 1e-3},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Axle, c.options.Radius = 1, s.Inputs.Radius
			r, err := rig.New(s.car(t, c.bushings), c.options)
			if err != nil {
				t.Fatal(err)
			}
			design, err := r.Solve(rig.Given{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			worst := [3]float64{}
			for _, state := range c.of.States {
				given := rig.Given{Travel: state.Given.Travel, Rack: state.Given.Rack, Pads: state.Given.Load,
					ByPads: state.Given.Load != [2]float64{}}
				for side := range 2 {
					l := &given.Loads[side]
					l.Contact = [3]float64{state.Given.Fx[side], state.Given.Fy[side], 0}
					l.Centre[0], l.Moment[2] = state.Given.Drive[side], state.Given.Mz[side]
				}
				got, err := r.Solve(given, design)
				if err != nil {
					t.Error(err)
					continue
				}
				if got.Steps > 8 { // from the design position, not a neighbour
					t.Errorf("%s: %d steps", given, got.Steps)
				}
				for side, want := range []reading{state.Read.Left, state.Read.Right} {
					w := &got.Wheels[side]
					y := float64(1 - 2*side)
					near := func(kind int, name string, got, want, bar float64) {
						worst[kind] = max(worst[kind], math.Abs(got-want))
						if !(math.Abs(got-want) <= bar) {
							t.Errorf("%s: %s %s is %.12g, not %.12g", given, rig.Sides[side], name, got, want)
						}
					}
					near(0, "toe", w.Toe().V, want.Toe, c.angle)
					near(0, "camber", w.Camber().V, want.Camber, c.angle)
					near(0, "camber from the front", w.CamberFrontView().V, want.FrontView, c.angle)
					near(1, "x", w.Centre[0].V-s.Inputs.Points["wheel_centre"][0], want.X, c.length)
					near(1, "y", w.Centre[1].V-s.Inputs.Points["wheel_centre"][1], want.Y, c.length)
					near(1, "z", got.Travel[side], want.Z, c.length)
					p := w.Contact()
					near(1, "contact x", p[0].V, want.ContactX, c.length)
					near(1, "contact y", y*p[1].V, want.ContactY, c.length)
					near(1, "contact z", p[2].V, want.ContactZ, c.length)
					near(2, "force of the pad", got.Pads[side].V, want.Fz, c.force)
					near(1, "length of the spring", got.Values[side].V, want.Spring, c.length)
					near(1, "rack", got.Rack, state.Read.RackTravel, c.length)
					near(2, "force on the rack", got.RackForce.V, state.Read.RackForce, c.force)
				}
			}
			t.Logf("%.2g rad, %.2g m, %.2g N", worst[0], worst[1], worst[2])
		})
	}
}

func TestFiguresOfTheSample(t *testing.T) {
	s := readSample(t)
	for _, c := range []struct {
		name     string
		bushings bool
		options  rig.Options
		of       *results
	}{
		{"ideal joints", false, rig.Options{}, &s.Rigid},
		{"bushings", true, rig.Options{}, &s.Compliant},
		{"bushings and an elastic rack", true, rig.Options{Rack: rig.RackElastic, Rate: 1.5e6}, &s.Rack},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Axle, c.options.Radius = 1, s.Inputs.Radius
			r, err := rig.New(s.car(t, c.bushings), c.options)
			if err != nil {
				t.Fatal(err)
			}
			list, err := r.Figures()
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for key, want := range c.of.Figures {
				i := slices.IndexFunc(list, func(f rig.Figure) bool { return f.Key == key })
				if i < 0 {
					t.Errorf("there is no figure %s", key)
					continue
				}
				for side, got := range []float64{list[i].Left.V, list[i].Right.V} {
					worst = max(worst, math.Abs(got/want-1))
					if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
						t.Errorf("%s %s is %.12g, not %.12g", rig.Sides[side], key, got, want)
					}
				}
			}
			t.Logf("%.2g", worst)
		})
	}
}

// With ideal joints the screw axis of the carrier goes through both ball joints.
func TestScrewAxisOfTheSample(t *testing.T) {
	s := readSample(t)
	r, err := rig.New(s.car(t, false), rig.Options{Axle: 1, Radius: s.Inputs.Radius})
	if err != nil {
		t.Fatal(err)
	}
	design, err := r.Solve(rig.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for side, name := range rig.Sides {
		axis, missing := r.ScrewAxis(design, side)
		if missing != "" {
			t.Fatal(missing)
		}
		w := &design.Wheels[side]
		trail, scrub := axis.Trail(w)
		hubTrail, hubOffset := axis.HubTrail(w)
		for key, got := range map[string]kc.Number{"castor": axis.Castor(), "inclination": axis.Inclination(), "trail": trail,
			"scrub": scrub, "hub_trail": hubTrail, "hub_offset": hubOffset} {
			if want := s.Rigid.Screw[key]; !(math.Abs(got.V/want-1) < 1e-9) {
				t.Errorf("%s %s is %.12g, not %.12g", name, key, got.V, want)
			}
		}
	}
}

// Derivatives by the coordinates of all points, of both wheels together, equal those of the independent program by
// complex steps.
func TestSensitivitiesOfTheSample(t *testing.T) {
	s := readSample(t)
	for _, c := range []struct {
		name     string
		bushings bool
		of       *results
	}{{"ideal joints", false, &s.Rigid}, {"bushings", true, &s.Compliant}} {
		t.Run(c.name, func(t *testing.T) {
			r, err := rig.New(s.car(t, c.bushings), rig.Options{Axle: 1, Radius: s.Inputs.Radius})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for point := range c.of.Sensitivities {
				for _, axis := range []string{"_x", "_y", "_z"} {
					names = append(names, point+axis)
				}
			}
			list, err := r.Sensitivities(names)
			if err != nil {
				t.Fatal(err)
			}
			worst, of := 0.0, ""
			for _, got := range list {
				point, axis := got.Parameter[:len(got.Parameter)-2], int(got.Parameter[len(got.Parameter)-1]-'x')
				for key, want := range c.of.Sensitivities[point] {
					i := slices.IndexFunc(got.Figures, func(f rig.Figure) bool { return f.Key == key })
					size := math.Sqrt(want[0]*want[0] + want[1]*want[1] + want[2]*want[2])
					for _, f := range []kc.Number{got.Figures[i].Left, got.Figures[i].Right} {
						miss := math.Abs(f.D-want[axis]) / (size + 0.01*math.Abs(f.V))
						if miss > worst {
							worst, of = miss, fmt.Sprintf("%s by %s: %.12g, not %.12g", key, got.Parameter, f.D, want[axis])
						}
					}
				}
			}
			if t.Logf("%.2g: %s", worst, of); worst > 1e-6 {
				t.Error(of)
			}
			if !c.bushings { // their stiffness does not scale
				turnedAndScaled(t, s, list)
			}
		})
	}
}

// turnedAndScaled checks directions in which the derivatives are known. A turn of all points about y turns castor.
// Larger points make larger lengths and leave angles.
func turnedAndScaled(t *testing.T, s *sample, list []rig.Sensitivity) {
	t.Helper()
	along := func(key string, direction func(p [3]float64) [3]float64) (sum, value float64) {
		for _, by := range list {
			point, axis := by.Parameter[:len(by.Parameter)-2], int(by.Parameter[len(by.Parameter)-1]-'x')
			i := slices.IndexFunc(by.Figures, func(f rig.Figure) bool { return f.Key == key })
			sum += direction(s.Inputs.Points[point])[axis] * by.Figures[i].Left.D
			value = by.Figures[i].Left.V
		}
		return sum, value
	}
	rearward := func(p [3]float64) [3]float64 { return [3]float64{-p[2], 0, p[0]} }
	if got, _ := along("castor", rearward); math.Abs(got-1) > 1e-9 {
		t.Errorf("a turn rearward by 1 changes castor by %v", got)
	}
	larger := func(p [3]float64) [3]float64 { return p }
	for _, key := range []string{"castor", "inclination"} {
		if got, _ := along(key, larger); math.Abs(got) > 1e-9 {
			t.Errorf("larger points change %s by %v", key, got)
		}
	}
	for _, key := range []string{"hub_trail", "hub_offset"} {
		if got, want := along(key, larger); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("larger points change %s by %v, not by itself, %v", key, got, want)
		}
	}
}
