package rig_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
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
	Axes             map[string][3][3]float64 `json:"bushing_axes"`
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
	Screw   map[string]float64 `json:"screw_axis"`
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

// car is a model of the sample: ideal joints, or bushings with ball joints and tie rods.
func (s *sample) car(t *testing.T, bushings bool) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString(`name = "Sample"
gravity = 0
[roles]
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
		y := float64(1 - 2*side)
		point := func(name string) [3]float64 {
			p := s.Inputs.Points[name]
			return [3]float64{p[0], y * p[1], p[2]}
		}
		add := func(text string, values ...any) {
			b.WriteString(strings.ReplaceAll(fmt.Sprintf(text, values...), "_N", "_"+name))
		}
		list := func(v [3]float64) string { return fmt.Sprintf("[%.17g, %.17g, %.17g]", v[0], v[1], v[2]) }
		minus := func(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
		arm := func(from, to string, v [3]float64) {
			add("[component.to_%s]\ntype = \"rigid-arm\"\nfrom = \"%s\"\nto = \"%[1]s\"\ntranslation = %[3]s\n", to, from,
				list(v))
		}
		body := func(name string, at [3]float64, start bool) {
			add("[component.%s]\ntype = \"rigid-body\"\nmass = 2\n"+
				"inertia = { xx = 0.05, yy = 0.05, zz = 0.05 }\n", name)
			if start {
				add("start = { position = %s }\n", list(at))
			}
		}
		rod := func(name, from, to string, length [3]float64) {
			d := math.Sqrt(length[0]*length[0] + length[1]*length[1] + length[2]*length[2])
			add("[component.%s]\ntype = \"rod\"\nfrom = \"%s\"\nto = \"%s\"\nlength = %.17g\n", name, from, to, d)
		}
		ball := func(name, from, to string) {
			add("[component.%s]\ntype = \"spherical\"\nfrom = \"%s\"\nto = \"%s\"\n", name, from, to)
		}
		bush := func(at, arm string) {
			k := s.Inputs.Bushings[at]
			axes := s.Axes[at]
			first, second := axes[0], axes[1] // right: (Sx, Sy, -Sz)
			first[1], second[1] = y*first[1], y*second[1]
			add("[component.bush_%s_N]\ntype = \"bushing\"\nfrom = \"%[1]s_N\"\nto = \"%s\"\naxes = [%s, %s]\nstiffness = %s\n"+
				"rotational_stiffness = %s\n", at, arm, list(first), list(second), list(k.K), list(k.C))
		}
		for _, p := range []string{"lower_front", "lower_rear", "upper_front", "upper_rear", "spring_top"} {
			if bushings || p != "lower_rear" {
				arm("body", p+"_N", point(p))
			}
		}
		arm("bar", "tie_inner_N", point("tie_inner"))
		carrier := point("wheel_centre")
		body("carrier_N", carrier, bushings)
		for _, p := range []string{"lower_outer", "upper_outer", "tie_outer"} {
			arm("carrier_N", "carrier_"+p+"_N", minus(point(p), carrier))
		}
		lower := point("lower_front")
		if bushings {
			lower = [3]float64{}
			for _, p := range []string{"lower_front", "lower_rear", "lower_outer"} {
				for i, v := range point(p) {
					lower[i] += v / 3
				}
			}
			upper := point("upper_outer")
			body("lower_N", lower, true)
			body("upper_N", upper, true)
			for _, p := range []string{"lower_front", "lower_rear"} {
				arm("lower_N", "arm_"+p+"_N", minus(point(p), lower))
				bush(p, "arm_"+p+"_N")
			}
			for _, p := range []string{"upper_front", "upper_rear"} {
				arm("upper_N", "arm_"+p+"_N", minus(point(p), upper))
				bush(p, "arm_"+p+"_N")
			}
			ball("upper_ball_N", "upper_N", "carrier_upper_outer_N")
		} else {
			body("lower_N", lower, false)
			add("[component.hinge_N]\ntype = \"revolute\"\nfrom = \"lower_front_N\"\nto = \"lower_N\"\naxis = %s\n",
				list(minus(point("lower_front"), point("lower_rear"))))
			rod("upper_fore_N", "upper_front_N", "carrier_upper_outer_N", minus(point("upper_front"), point("upper_outer")))
			rod("upper_aft_N", "upper_rear_N", "carrier_upper_outer_N", minus(point("upper_rear"), point("upper_outer")))
		}
		arm("lower_N", "arm_lower_outer_N", minus(point("lower_outer"), lower))
		arm("lower_N", "arm_spring_N", minus(point("spring_bottom"), lower))
		ball("lower_ball_N", "arm_lower_outer_N", "carrier_lower_outer_N")
		rod("tie_N", "tie_inner_N", "carrier_tie_outer_N", minus(point("tie_inner"), point("tie_outer")))
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
					near(0, "toe", w.Toe(), want.Toe, c.angle)
					near(0, "camber", w.Camber(), want.Camber, c.angle)
					near(0, "camber from the front", w.CamberFrontView(), want.FrontView, c.angle)
					near(1, "x", w.Centre[0]-s.Inputs.Points["wheel_centre"][0], want.X, c.length)
					near(1, "y", w.Centre[1]-s.Inputs.Points["wheel_centre"][1], want.Y, c.length)
					near(1, "z", got.Travel[side], want.Z, c.length)
					p := w.Contact()
					near(1, "contact x", p[0], want.ContactX, c.length)
					near(1, "contact y", y*p[1], want.ContactY, c.length)
					near(1, "contact z", p[2], want.ContactZ, c.length)
					near(2, "force of the pad", got.Pads[side], want.Fz, c.force)
					near(1, "length of the spring", got.Values[side], want.Spring, c.length)
					near(1, "rack", got.Rack, state.Read.RackTravel, c.length)
					near(2, "force on the rack", got.RackForce, state.Read.RackForce, c.force)
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
				for side, got := range []float64{list[i].Left, list[i].Right} {
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
		for key, got := range map[string]float64{"castor": axis.Castor(), "inclination": axis.Inclination(), "trail": trail,
			"scrub": scrub, "hub_trail": hubTrail, "hub_offset": hubOffset} {
			if want := s.Rigid.Screw[key]; !(math.Abs(got/want-1) < 1e-9) {
				t.Errorf("%s %s is %.12g, not %.12g", name, key, got, want)
			}
		}
	}
}
