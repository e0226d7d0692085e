package sti

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"skidpad/tire"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// direction is a random vector of length 1.
func direction(r *rand.Rand) [3]float64 {
	v := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	return plus([3]float64{}, 1/math.Sqrt(dot(v, v)), v)
}

// somewhere is a random wheel on a random plane, with its axle in earth axes.
func somewhere(r *rand.Rand) (m Motion, p tire.Pose, axle [3]float64) {
	m = Motion{
		Gamma: 0.6 * (2*r.Float64() - 1), VCx: 30 * r.NormFloat64(), VCy: 5 * r.NormFloat64(), VCz: r.NormFloat64(),
		Wx: r.NormFloat64(), Wz: 3 * r.NormFloat64(), Omega: 80 * r.NormFloat64(), Depth: 0.25 + 0.1*r.Float64(),
	}
	m.Side = m.Depth * math.Tan(m.Gamma)
	p.Centre, p.Normal = [3]float64{10 * r.NormFloat64(), 10 * r.NormFloat64(), r.NormFloat64()}, direction(r)
	heading := cross(direction(r), p.Normal)
	p.Heading = plus([3]float64{}, 1/math.Sqrt(dot(heading, heading)), heading)
	left := cross(p.Normal, p.Heading)
	return m, p, plus(plus([3]float64{}, math.Cos(m.Gamma), left), math.Sin(m.Gamma), p.Normal)
}

// turned are the earth components of a vector in axes C.
func turned(a *Arguments, v [3]float64) (e [3]float64) {
	for k := range 3 {
		e[k] = a.Axes[k]*v[0] + a.Axes[3+k]*v[1] + a.Axes[6+k]*v[2]
	}
	return e
}

// The arguments in earth axes equal the motion of the wheel: position, velocity, angular velocity. The y axis of C is
// the axle, and the x axis of C lies in the road.
func TestArgumentsDescribeTheWheel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		m, p, axle := somewhere(r)
		var a Arguments
		m.Put(&a, &p, 0.7)
		left := cross(p.Normal, p.Heading)
		x, y, z := turned(&a, [3]float64{1, 0, 0}), turned(&a, [3]float64{0, 1, 0}), turned(&a, [3]float64{0, 0, 1})
		velocity, rate := turned(&a, a.Velocity), turned(&a, a.Rate)
		wheel := plus(rate, a.Spin, y)
		for k := range 3 {
			near(t, "axle", y[k], axle[k], 1e-14)
			near(t, "heading", x[k], p.Heading[k], 1e-14)
			near(t, "x cross y", cross(x, y)[k], z[k], 1e-14)
			near(t, "velocity", velocity[k], m.VCx*p.Heading[k]+m.VCy*left[k]+m.VCz*p.Normal[k], 1e-13)
		}
		near(t, "rolling of the wheel", dot(wheel, p.Heading), m.Wx, 1e-13)
		near(t, "turning of the wheel", dot(wheel, p.Normal), m.Wz, 1e-13)
		// C goes with the wheel plane: the axle and the heading have the same rate in the road
		near(t, "heading out of the road", dot(cross(rate, x), p.Normal), 0, 1e-13)
		near(t, "height", dot(plus(p.Centre, -1, a.Plane.Point), p.Normal), m.Depth, 1e-14)
		near(t, "friction", a.Plane.Friction, 0.7, 0)
	}
}

// A wrench at the contact point in W is written as FORCES and TORQUE by earth vectors and read back unchanged. Its
// power equals the power of the forces at the centre.
func TestWrenchesComeBackAndKeepTheirPower(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		m, p, axle := somewhere(r)
		want := Wrench{[3]float64{4e3 * r.NormFloat64(), 3e3 * r.NormFloat64(), 6e3 * r.Float64()},
			[3]float64{200 * r.NormFloat64(), 50 * r.NormFloat64(), 100 * r.NormFloat64()}}
		var a Arguments
		m.Put(&a, &p, 1)
		left := cross(p.Normal, p.Heading)
		earth := func(v [3]float64) [3]float64 {
			return plus(plus(plus([3]float64{}, v[0], p.Heading), v[1], left), v[2], p.Normal)
		}
		// the contact point is where the wheel plane, the road and the plane of the axle and the normal meet
		down := plus(plus([3]float64{}, math.Sin(m.Gamma), left), -math.Cos(m.Gamma), p.Normal)
		arm := plus([3]float64{}, m.Depth/math.Cos(m.Gamma), down)
		near(t, "arm along the axle", dot(arm, axle), 0, 1e-14)
		force, moment := earth(want.Force), plus(earth(want.Moment), 1, cross(arm, earth(want.Force)))
		for i := range 3 {
			axis := turned(&a, [3]float64{map[bool]float64{true: 1}[i == 0], map[bool]float64{true: 1}[i == 1],
				map[bool]float64{true: 1}[i == 2]})
			a.Force[i], a.Torque[i] = dot(axis, force), dot(axis, moment)
		}
		got := m.Take(&a)
		for i := range 3 {
			near(t, "force", got.Force[i], want.Force[i], 1e-12)
			// of an arm times 6 kN
			if !(math.Abs(got.Moment[i]-want.Moment[i]) <= 1e-12*(1e3+math.Abs(want.Moment[i]))) {
				t.Errorf("moment is %.15g, want %.15g", got.Moment[i], want.Moment[i])
			}
		}
		// power on both sides of the interface
		wheel := plus(turned(&a, a.Rate), a.Spin, axle)
		contact := plus(turned(&a, a.Velocity), 1, cross(wheel, arm))
		inC := dot(a.Force, a.Velocity) + dot(a.Torque, plus(a.Rate, a.Spin, [3]float64{0, 1, 0}))
		inW := dot(earth(got.Force), contact) + dot(earth(got.Moment), wheel)
		if !(math.Abs(inC-inW) <= 1e-12*(math.Abs(dot(a.Force, a.Velocity))+math.Abs(a.Torque[1]*a.Spin)+1e5)) {
			t.Errorf("power is %.15g W in C, %.15g W in W", inC, inW)
		}
	}
}

// pose is a wheel of the references, on a road that moves.
type pose struct {
	Road struct {
		RQ [3][3]float64 `json:"R_Q"`
		R  [3]float64    `json:"r_Q"`
		V  [3]float64    `json:"v_Q"`
		W  [3]float64    `json:"omega_Q"`
	} `json:"road"`
	Wheel struct {
		R    [3]float64 `json:"r_C"`
		V    [3]float64 `json:"v_C"`
		W    [3]float64 `json:"omega_C"`
		USym [3]float64 `json:"uSym"`
	} `json:"wheel"`
	Result map[string]any `json:"result"`
}

// The contact of a tire of this module, from the arguments that a host would give for poses of an independent
// computation, relative to the road: its intermediates agree to 1e-10.
func TestContactOfIndependentPoses(t *testing.T) {
	data, err := os.ReadFile("../../resources/references/tires/tire_intermediates.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Rows []pose }
	if err := json.Unmarshal(data, &file); err != nil || len(file.Rows) == 0 {
		t.Fatal(len(file.Rows), err)
	}
	c := carcass{radius: 0.355, stiffness: 3.04e5, damping: 500, rolling: rolling{"load-dependent", 5900, 8, 0.24,
		0.01}, minimumSpeed: 0.01}
	for n, row := range file.Rows {
		inRoad := func(v [3]float64) (q [3]float64) {
			for i := range 3 {
				for k := range 3 {
					q[i] += row.Road.RQ[k][i] * v[k]
				}
			}
			return q
		}
		r := plus(row.Wheel.R, -1, row.Road.R)
		velocity := inRoad(plus(plus(row.Wheel.V, -1, row.Road.V), -1, cross(row.Road.W, r)))
		w, axle := inRoad(plus(row.Wheel.W, -1, row.Road.W)), inRoad(row.Wheel.USym)
		// any axes with the axle as y may be C, and the spin may be on either side
		a := Arguments{Centre: inRoad(r), Spin: 7, Plane: Plane{Normal: [3]float64{0, 0, 1}, Friction: 1, Ground: 1}}
		x := cross(axle, [3]float64{0, 0, 1})
		x = plus([3]float64{}, 1/math.Sqrt(dot(x, x)), x)
		for k, e := range [...][3]float64{x, axle, cross(x, axle)} {
			copy(a.Axes[3*k:], e[:])
			a.Velocity[k], a.Rate[k] = dot(velocity, e), dot(w, e)
		}
		a.Rate[1] -= a.Spin
		var v variables
		c.contactOf(&a, &v, false)
		for i, name := range names[:vWn] {
			near(t, "pose "+string(rune('0'+n%10))+": "+name, v[i], row.Result[name].(float64), 1e-10)
		}
		near(t, "turning", v[vWn], w[2], 1e-12)
	}
}
