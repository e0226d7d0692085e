package animation

import (
	"encoding/xml"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

const drawnModel = `name = "Drawn"
title = "A <drawn> model"
[component.body]
type = "rigid-body"
mass = 500
inertia = { xx = 100, yy = 300, zz = 320 }
[component.rack]
type = "motion-driver"
from = "body"
to = "rack"
axis = "y"
kind = "translation"
[component.a]
type = "rigid-arm"
from = "body"
to = "point_a"
translation = [1, 0, 0]
[component.b]
type = "rigid-arm"
from = "body"
to = "point_b"
translation = [0, 0.5, 0]
[component.c]
type = "rigid-arm"
from = "body"
to = "point_c"
translation = [0, 0, -0.25]
[component.tie]
type = "rod"
from = "point_a"
to = "low"
length = 1
[component.low_arm]
type = "rigid-arm"
from = "ground"
to = "low"
translation = [1, 0, 0]
[component.coil]
type = "spring-damper"
from = "point_b"
to = "low"
stiffness = 1
damping = 1
free_length = 1
[component.rubber]
type = "bushing"
from = "point_c"
to = "low"
along = "x"
stiffness = [1, 1, 1]
rotational_stiffness = [1, 1, 1]
[component.rack_load]
type = "spring-damper"
from = "rack"
to = "low"
stiffness = 1
damping = 1
free_length = 1
`

func drawn(t *testing.T) *Scene {
	t.Helper()
	m, err := vehicle.Parse([]byte(drawnModel), "drawn.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"body.x", "body.y", "body.z", "body.yaw", "body.pitch", "body.roll", "rack.position"}
	s, err := Still(m, names, []float64{2, 0, 1, math.Pi / 2, 0, 0, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each part is drawn in each view, names are escaped, and the file is XML.
func TestDrawingsShowAllParts(t *testing.T) {
	var text strings.Builder
	if err := drawn(t).Draw(&text); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(text.String()), new(any)); err != nil {
		t.Error(err)
	}
	for _, part := range []string{"body", "rack", "a", "b", "c", "tie", "low_arm", "coil", "rubber", "rack_load"} {
		if got := strings.Count(text.String(), "<title>"+part+"</title>"); got < 3 {
			t.Errorf("%s is drawn %d times", part, got)
		}
	}
	for _, want := range []string{"A &lt;drawn&gt; model", ">point_a<", ">point_b<", ">low<", `<g id="side" `,
		`<g id="front" `, `<g id="top" `} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// The body is turned by 90 degrees to the left, so that its point ahead is on the left side. All views have one scale:
// x and z are to the right and upward in the side, y and z in the front, x and y in the top.
func TestDrawingsProjectPoints(t *testing.T) {
	s := drawn(t)
	want := map[string]vector{"point_a": {2, 1, 1}, "point_b": {1.5, 0, 1}, "point_c": {2, 0, 0.75}, "low": {1, 0, 0},
		"rack": {1.9, 0, 1}}
	seen := 0
	d := &drawing{scene: s}
	d.measure()
	d.name()
	d.arrange()
	var at [len(views)][2]float64 // of low
	for v := range views {
		at[v] = d.project(v, want["low"])
	}
	for i, name := range s.Names {
		p, is := want[name]
		if !is {
			continue
		}
		seen++
		for k, x := range s.at(i).r {
			if !(math.Abs(x-p[k]) < 1e-12) {
				t.Errorf("%s is at %v, not %v", name, s.at(i).r, p)
			}
		}
		for v, axes := range [][2]int{{0, 2}, {1, 2}, {0, 1}} {
			q := d.project(v, s.at(i).r)
			right, up := d.scale*(p[axes[0]]-want["low"][axes[0]]), d.scale*(p[axes[1]]-want["low"][axes[1]])
			if !(math.Abs(q[0]-at[v][0]-right) < 1e-9 && math.Abs(at[v][1]-q[1]-up) < 1e-9) {
				t.Errorf("%s in view %s is at %v", name, views[v].name, q)
			}
			x, y := q[0]+d.corner[v][0], q[1]+d.corner[v][1]
			if !(x >= 0 && y >= 0 && x <= d.size[0] && y <= d.size[1]) {
				t.Errorf("%s in view %s is outside: %v of %v", name, views[v].name, q, d.size)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d points of %d", seen, len(want))
	}
}

// A sleeve is along its axis, a bar along its travel, a coil has its radius about the line between its ends.
func TestShapesOfDrawings(t *testing.T) {
	s := drawn(t)
	of := func(kind, name string) [][]vector {
		for i := range s.Shapes {
			if s.Shapes[i].Kind == kind && s.Shapes[i].Name == name {
				return s.lines(&s.Shapes[i])
			}
		}
		t.Fatalf("no %s %s", kind, name)
		return nil
	}
	near := func(a, b vector) bool { return math.Abs(a[0]-b[0])+math.Abs(a[1]-b[1])+math.Abs(a[2]-b[2]) < 1e-9 }
	if l := of("sleeve", "rubber")[0]; !near(l[0], vector{2, -0.025, 0.75}) || !near(l[1], vector{2, 0.025, 0.75}) {
		t.Errorf("sleeve %v", l)
	}
	if l := of("bar", "rack")[0]; !near(l[0], vector{2.05, 0, 1}) || !near(l[1], vector{1.75, 0, 1}) {
		t.Errorf("bar %v", l)
	}
	if l := of("plate", "body")[0]; len(l) != 4 || !near(l[0], vector{2, 1, 1}) || !near(l[3], l[0]) {
		t.Errorf("plate %v", l)
	}
	l := of("spring", "coil")[0]
	a, b := l[0], l[len(l)-1]
	if !near(a, vector{1.5, 0, 1}) || !near(b, vector{1, 0, 0}) {
		t.Errorf("coil from %v to %v", a, b)
	}
	for _, p := range l[1 : len(l)-1] {
		along, off, length := 0.0, 0.0, 0.0
		for k := range 3 {
			along += (p[k] - a[k]) * (b[k] - a[k])
			length += (b[k] - a[k]) * (b[k] - a[k])
		}
		for k := range 3 {
			off = math.Hypot(off, p[k]-a[k]-along/length*(b[k]-a[k]))
		}
		if !(math.Abs(off-coilRadius) < 1e-9) {
			t.Fatalf("the coil is %g m off its line", off)
		}
	}
}

// The spring of a suspension by curves stands above the carrier and follows the carrier. Hinges and slides are along
// their axes, a ball joint is at its place, and a wheel has the width of the tire.
func TestShapesOfJoints(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Joints"
[component.corner]
type = "suspension"
from = "ground"
to = "carrier"
[component.coil]
type = "spring-damper"
joint = "corner"
stiffness = 1
[component.damper]
type = "spring-damper"
joint = "corner"
damping = 1
[component.hinge]
type = "revolute"
from = "carrier"
to = "tire"
axis = "y"
[component.tire]
type = "tire"
road = "road"
mass = 10
inertia = { axial = 1, transverse = 0.5 }
unloaded_radius = 0.31
vertical_stiffness = 2e5
vertical_damping = 100
rolling_radius = { method = "loaded" }
slip = { method = "kinematic" }
force = { function = "Fiala", parameters = { D2 = 0.16, CS = 1e5, Calpha = 1e5, Cr = 0, mu0 = 1, mu1 = 0.5 } }
[component.road]
type = "road"
[component.slide]
type = "prismatic"
from = "carrier"
to = "block"
axis = "y"
[component.block]
type = "point-mass"
mass = 1
[component.ball]
type = "spherical"
from = "carrier"
to = "stick"
[component.stick]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`), "joints.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Still(m, []string{"corner.travel", "slide.s", "hinge.phi", "ball.angle1", "ball.angle2", "ball.angle3"},
		[]float64{0.05, 0.2, 0, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]vector{"coil spring": {{0, 0, 0.35}, {0, 0, 0.05}},
		"hinge hinge": {{0, -0.03, 0.05}, {0, 0.03, 0.05}},
		"slide bar":   {{0, 0.05, 0.05}, {0, 0.35, 0.05}}, "ball ball": {{-0.012, 0, 0.05}, {0.012, 0, 0.05}},
		"tire wheel": {{0.31, -0.08, 0.05}, {0.31, -0.08, 0.05}}}
	for i := range s.Shapes {
		shape := &s.Shapes[i]
		ends, is := want[shape.Name+" "+shape.Kind]
		if !is {
			continue
		}
		delete(want, shape.Name+" "+shape.Kind)
		line := s.lines(shape)[0]
		for k, p := range []vector{line[0], line[len(line)-1]} {
			for axis := range p {
				if math.Abs(p[axis]-ends[k][axis]) > 1e-12 {
					t.Errorf("%s is from %v to %v", shape.Name, line[0], line[len(line)-1])
				}
			}
		}
	}
	if slices.ContainsFunc(s.Shapes, func(of Shape) bool { return of.Name == "damper" }) {
		t.Error("two springs are drawn for one joint")
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
