package rig_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/bounded"
	"skidpad/model/kc"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// links is a carrier of a left wheel on rods, each from the chassis to the carrier, and on a strut. The top of the
// strut is a point of the chassis, on a line of the carrier through bottom.
type links struct {
	wheel       [3]float64
	rods        [][2][3]float64
	top, bottom [3]float64 // no strut where they are equal
	rack        float64    // shift to the left of the inner end of the last rod
}

var (
	macPherson = links{
		wheel: [3]float64{0, 0.75, 0.3},
		rods: [][2][3]float64{{{0.1, 0.36, 0.19}, {0.005, 0.71, 0.18}}, {{-0.25, 0.37, 0.2}, {0.005, 0.71, 0.18}},
			{{-0.14, 0.36, 0.24}, {-0.13, 0.69, 0.232}}},
		top: [3]float64{-0.04, 0.58, 0.86}, bottom: [3]float64{0.0, 0.68, 0.35},
	}
	fiveLinks = links{
		wheel: [3]float64{0, 0.75, 0.3},
		rods: [][2][3]float64{{{0.12, 0.4, 0.16}, {0.02, 0.7, 0.17}}, {{-0.2, 0.38, 0.19}, {-0.03, 0.7, 0.18}},
			{{0.1, 0.45, 0.42}, {0.0, 0.66, 0.44}}, {{-0.16, 0.44, 0.41}, {-0.04, 0.65, 0.45}},
			{{-0.15, 0.39, 0.25}, {-0.14, 0.68, 0.24}}},
	}
)

func (l *links) strut() bool { return l.top != l.bottom }

// car is a model with these links on both sides.
func (l *links) car(t *testing.T) *vehicle.Model {
	t.Helper()
	var b strings.Builder
	b.WriteString("name = \"Links\"\ngravity = 0\n[roles]\nchassis = \"body\"\naxles = [[\"tire_L\", \"tire_R\"]]\n" +
		"[component.road]\ntype = \"road\"\n" +
		"[component.body]\ntype = \"rigid-body\"\nmass = 1000\ninertia = { xx = 300, yy = 1000, zz = 1000 }\n")
	for side, name := range []string{"L", "R"} {
		list := func(v, from [3]float64) string {
			return fmt.Sprintf("[%.17g, %.17g, %.17g]", v[0]-from[0], float64(1-2*side)*(v[1]-from[1]), v[2]-from[2])
		}
		add := func(text string, values ...any) {
			b.WriteString(strings.ReplaceAll(fmt.Sprintf(text, values...), "_N", "_"+name))
		}
		arm := func(from, to, at string) {
			add("[component.to_%s]\ntype = \"rigid-arm\"\nfrom = \"%s\"\nto = \"%[1]s\"\ntranslation = %[3]s\n", to, from, at)
		}
		none := [3]float64{}
		add("[component.carrier_N]\ntype = \"rigid-body\"\nmass = 20\ninertia = { xx = 0.5, yy = 0.5, zz = 0.5 }\n"+
			"start = { position = %s }\n", list(l.wheel, none))
		ends := map[[3]float64]string{}
		end := func(body, prefix string, at, from [3]float64) string {
			if ends[at] == "" {
				ends[at] = fmt.Sprintf("%s%d_N", prefix, len(ends))
				arm(body, ends[at], list(at, from))
			}
			return ends[at]
		}
		for i, r := range l.rods {
			d := 0.0
			for k := range 3 {
				d += (r[0][k] - r[1][k]) * (r[0][k] - r[1][k])
			}
			inner, outer := end("body", "inner", r[0], none), end("carrier_N", "outer", r[1], l.wheel)
			add("[component.rod%d_N]\ntype = \"rod\"\nfrom = \"%s\"\nto = \"%s\"\nlength = %.17g\n", i, inner, outer,
				math.Sqrt(d))
		}
		add("[component.idle_N]\ntype = \"rod\"\nfrom = \"body\"\nto = \"carrier_N\"\nlength = 0.5\nactive = 0\n")
		if l.strut() {
			top, bottom := end("body", "top", l.top, none), end("carrier_N", "bottom", l.bottom, l.wheel)
			add("[component.strut_N]\ntype = \"strut\"\nfrom = \"%s\"\nto = \"%s\"\naxis = %s\n", top, bottom,
				list(l.top, l.bottom))
			add("[component.spring_N]\ntype = \"spring-damper\"\njoint = \"strut_N\"\nstiffness = 30000\nfree_length = 0.6\n")
		} else {
			add("[component.spring_N]\ntype = \"spring-damper\"\nfrom = \"body\"\nto = \"carrier_N\"\nstiffness = 30000\n" +
				"free_length = 0.9\n")
		}
		add(`[component.spin_N]
type = "revolute"
from = "carrier_N"
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
`)
	}
	m, err := vehicle.Parse([]byte(b.String()), "links.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pose is a rotation and a displacement of the carrier.
type pose [6]float64

// turn rotates a vector by the rotation vector (Rodrigues).
func (p *pose) turn(v kc.Vector) kc.Vector {
	axis := kc.At(p[0], p[1], p[2])
	a := axis.Size().V
	if a == 0 {
		return v
	}
	axis = axis.Scaled(1 / a)
	along := axis.Times(axis.Dot(v))
	return v.Scaled(math.Cos(a)).Plus(axis.Cross(v).Scaled(math.Sin(a))).Plus(along.Scaled(1 - math.Cos(a)))
}

// place is where a point of the carrier goes.
func (l *links) place(p *pose, at [3]float64) kc.Vector {
	w := kc.At(l.wheel[0], l.wheel[1], l.wheel[2])
	return p.turn(kc.At(at[0], at[1], at[2]).Minus(w)).Plus(w).Plus(kc.At(p[3], p[4], p[5]))
}

// misfit are the violations of all links, and of the height of the wheel.
func (l *links) misfit(p *pose, travel float64) (f [6]float64) {
	i := 0
	for _, r := range l.rods {
		inner, outer := kc.At(r[0][0], r[0][1], r[0][2]), kc.At(r[1][0], r[1][1], r[1][2])
		length := outer.Minus(inner).Size().V
		if i++; i == len(l.rods) {
			inner = inner.Plus(kc.At(0, l.rack, 0))
		}
		f[i-1] = l.place(p, r[1]).Minus(inner).Size().V - length
	}
	if l.strut() {
		top, bottom := kc.At(l.top[0], l.top[1], l.top[2]), kc.At(l.bottom[0], l.bottom[1], l.bottom[2])
		off := top.Minus(l.place(p, l.bottom)).Cross(p.turn(top.Minus(bottom)))
		f[i], f[i+1] = off[0].V, off[1].V
		i += 2
	}
	f[i] = p[5] - travel
	return f
}

// solve finds the pose by Newton's method with differences.
func (l *links) solve(travel float64) (p pose) {
	for range 30 {
		f := l.misfit(&p, travel)
		j := mat.NewDense(6, 6, nil)
		for k := range p {
			const h = 1e-6
			high, low := p, p
			high[k], low[k] = p[k]+h, p[k]-h
			a, b := l.misfit(&high, travel), l.misfit(&low, travel)
			for i := range f {
				j.Set(i, k, (a[i]-b[i])/(2*h))
			}
		}
		var x mat.VecDense
		if x.SolveVec(j, mat.NewVecDense(6, f[:])) != nil {
			break
		}
		for k := range p {
			p[k] -= x.AtVec(k)
		}
	}
	return p
}

// A carrier on a strut or on five links moves as its links allow, which Newton's method finds for the links alone. The
// steering axis of the strut goes through its top; five links have a screw axis, but no rack here.
func TestKinematicsOfLinks(t *testing.T) {
	for name, l := range map[string]*links{"strut": &macPherson, "five links": &fiveLinks} {
		r, err := rig.New(l.car(t), rig.Options{Axle: 1, Radius: 0.3})
		if err != nil {
			t.Fatal(name, err)
		}
		from, err := r.Solve(rig.Given{}, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, travel := range []float64{-0.08, -0.04, -0.01, 0.02, 0.05, 0.08} {
			s, err := r.Solve(rig.Given{Travel: [2]float64{travel, travel}}, from)
			if err != nil {
				t.Fatal(name, err)
			}
			p := l.solve(travel)
			want := kc.Wheel{Centre: l.place(&p, l.wheel), Spin: p.turn(kc.At(0, 1, 0)), Radius: 0.3}
			for side, w := range s.Wheels {
				for i := range 3 {
					if math.Abs(w.Centre[i].V-want.Centre[i].V) > 1e-9 || math.Abs(w.Spin[i].V-want.Spin[i].V) > 1e-9 {
						t.Errorf("%s, %s at %v: %v, not %v", name, rig.Sides[side], travel, w, want)
						break
					}
				}
			}
		}
		of := figures(t, r)
		if name == "strut" {
			axis := kc.Between(kc.At(0.005, 0.71, 0.18), kc.At(l.top[0], l.top[1], l.top[2]))
			if got := of["castor"]; math.Abs(got.Left.V-axis.Castor().V) > 1e-9 ||
				math.Abs(got.Right.V-got.Left.V) > 1e-12 {
				t.Errorf("castor is %v, not %v", got, axis.Castor().V)
			}
		} else if !strings.Contains(of["castor"].Missing, "no rack") {
			t.Errorf("castor is %v", of["castor"])
		}
	}
}
