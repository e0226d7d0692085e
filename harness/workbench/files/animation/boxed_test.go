package animation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/roles"
)

// box is a vehicle with two axles, the second one with twins on the left.
func box() *Box {
	wheels := func(names ...string) (list []roles.Wheel) {
		for _, name := range names {
			list = append(list, roles.Wheel{Tire: name})
		}
		return list
	}
	return &Box{Title: "car", Wheelbase: 2.5, Roles: &roles.Roles{Chassis: "body",
		Outline: &roles.Outline{Width: 2, Front: 1.9, Rear: 2.3}, Axles: []roles.Axle{
			{Left: wheels("FL"), Right: wheels("FR"), Radius: 0.35}, {Left: wheels("LO", "LI"), Right: wheels("R")}}}}
}

// Position and angles place the chassis; x, y and yaw are needed. Other variables are no part of it.
func TestVariablesOfABox(t *testing.T) {
	for _, c := range []struct{ outputs, want string }{
		{"body.roll body.x body.y body.yaw body.vx other.z", "body.x body.y body.yaw body.roll"},
		{"body.x body.y body.z body.pitch", ""}, {"body.x body.yaw", ""}, {"body.y body.yaw", ""}, {"", ""},
	} {
		if got := strings.Join(box().Variables(strings.Fields(c.outputs)), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.outputs, got, c.want)
		}
	}
}

// Wheels stand on the ground at the start, at the corners of the wheelbase within the outline, and move with the
// chassis: yaw turns x to y, pitch is positive with the front down.
func TestWheelsOfABox(t *testing.T) {
	names := []string{"body.x", "body.y", "body.z", "body.yaw", "body.pitch", "FL.Fx", "FL.Fy", "FL.Fz"}
	p := box().NewPoser(names, []float64{10, 5, 0.6, 0, 0, 0, 0, 3000}, 20)
	if p.Absent != "" || len(p.Shapes) != 5 || p.Shell == nil || p.Shell.Frame != p.Chassis || p.Look().Absent != "" ||
		p.Title != "car" {
		t.Fatalf("%q, %q, %v", p.Title, p.Absent, p.Shapes)
	}
	if len(p.Forces) != 1 || p.Shapes[p.Forces[0].Shape].Name != "FL" {
		t.Errorf("forces %v", p.Forces)
	}
	near := func(frame string, x, y, z float64) {
		t.Helper()
		got := p.Poses[slices.Index(p.Names, frame)]
		for k, want := range [...]float64{x, y, z} {
			if math.Abs(got[k]-want) > 1e-9 {
				t.Errorf("%s is at %v, not %v", frame, got[:3], []float64{x, y, z})
				return
			}
		}
	}
	front := 1.9 - 1.7*0.31/0.68 // 1.7 m of the outline are beyond the axles
	near("FL", 10+front, 5.85, 0.35)
	near("FR", 10+front, 4.15, 0.35)
	near("LO", 10+front-2.5, 5.85, 0.31)
	near("LI", 10+front-2.5, 5.63, 0.31)
	near("R", 10+front-2.5, 4.15, 0.31)
	p.Place([]float64{0, 0, 0.6, math.Pi / 2, 0, 0, 0, 0})
	near("FL", -0.85, front, 0.35)
	p.Place([]float64{0, 0, 0.6, 0, math.Pi / 2, 0, 0, 0})
	near("FL", 0.35-0.6, 0.85, 0.6-front)
	if g := p.Ground; len(g) != 1 || g[0].Z[0] != 0 || g[0].X[0] > -10 {
		t.Errorf("%v", g)
	}
	for _, x := range p.Shell.Points {
		if x[0] > 1.9+0.01 || x[0] < -2.3-0.01 {
			t.Errorf("the shell has the point %v", x)
		}
	}
}

// Without a wheelbase the outline gives one; a wheelbase longer than the outline counts as none. A single wheel is in
// the middle.
func TestAxlesOfABox(t *testing.T) {
	for _, wheelbase := range []float64{0, 4.2, 9} {
		b := box()
		b.Wheelbase = wheelbase
		if _, got := b.axles(); math.Abs(got-2.5) > 1e-9 {
			t.Errorf("%g m: the wheelbase is %g m", wheelbase, got)
		}
	}
	b := box()
	b.Roles.Axles[1].Left, b.Roles.Axles[1].Right[0].Tire = nil, "tail"
	p := b.NewPoser([]string{"body.x", "body.y", "body.yaw"}, make([]float64, 3), 20)
	if at := p.Poses[slices.Index(p.Names, "tail")]; at[1] != 0 || math.Abs(at[2]-0.31) > 1e-9 {
		t.Errorf("the wheel is at %v", at)
	}
	b.Roles.Axles = b.Roles.Axles[1:]
	if p := b.NewPoser([]string{"body.x", "body.y", "body.yaw"}, make([]float64, 3), 20); len(p.Shapes) != 1 ||
		math.IsNaN(p.Poses[1][0]) {
		t.Errorf("one axle: %v", p.Poses)
	}
}

// A box that cannot be drawn says what lacks, and has one frame and no shapes.
func TestABoxThatCannotBeDrawn(t *testing.T) {
	placed := []string{"body.x", "body.y", "body.yaw"}
	for _, c := range []struct {
		says      string
		variables []string
		change    func(*roles.Roles)
	}{
		{"x, y and yaw", []string{"FL.Fx", "FL.Fy", "FL.Fz"}, func(*roles.Roles) {}},
		{"no outline", placed, func(r *roles.Roles) { r.Outline = nil }},
		{"no axles", placed, func(r *roles.Roles) { r.Axles = nil }},
	} {
		b := box()
		c.change(b.Roles)
		p := b.NewPoser(c.variables, make([]float64, 3), 20)
		if !strings.Contains(p.Look().Absent, c.says) || len(p.Shapes) != 0 || p.Shell != nil || len(p.Poses) != 1 ||
			p.Frames != 1 || p.Poses[0][3] != 1 {
			t.Errorf("%s: %q, %v, %v", c.says, p.Absent, p.Shapes, p.Poses)
		}
	}
}
