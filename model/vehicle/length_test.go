package vehicle_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// ledCorner is a corner whose spring has a length over the travel of its suspension.
const ledCorner = `kind = "subsystem"
title = "Corner"
frames = ["chassis", "rack"]
sides = "left"
[component.susp]
type = "suspension"
from = "chassis"
to = "carrier"
steer = "rack"
toe = [[-1, -1, 0], [-1, 1, 0.2], [1, -1, 0.1], [1, 1, 0.4]]
[component.carrier]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "susp"
stiffness = 2e4
free_length = 0.6
length = [[-1, -1, 0.9], [-1, 1, 1.1], [1, -1, 0.4], [1, 1, 0.3]]
`

// ledCar reads two such corners, with changes of the corner.
func ledCar(changes ...string) (*vehicle.Model, error) {
	const car = `name = "Car"
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 9, yy = 9, zz = 9 }
[component.slide]
type = "prismatic"
from = "body"
to = "bar"
axis = "y"
[component.bar]
type = "point-mass"
mass = 3
[use.F]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "body", rack = "slide" }
`
	corner := strings.NewReplacer(changes...).Replace(ledCorner)
	files := func(bounded.Kind, string) ([]byte, error) { return []byte(corner), nil }
	return vehicle.Parse([]byte(car), "car.toml", files)
}

// On the right side the length is read at the opposite motion of the rack, because the mirror image moves the rack to
// the other side. Surfaces over the travel of another suspension stay.
func TestLengthsOverARackAreMirrored(t *testing.T) {
	for _, c := range []struct {
		changes []string
		sign    float64
	}{
		{nil, -1},
		{[]string{"\nlength = ", "\nlength = { points = ", "0.3]]", "0.3]] }"}, -1},
		{[]string{`steer = "rack"`, `other = "other"`, "[component.carrier]", `[component.other]
type = "suspension"
from = "chassis"
to = "disc"
[component.disc]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.carrier]`}, 1},
	} {
		m, err := ledCar(c.changes...)
		if err != nil {
			t.Fatal(err)
		}
		left, _ := component.Named[*component.SpringDamper](m.Scope(), "spring_FL")
		right, _ := component.Named[*component.SpringDamper](m.Scope(), "spring_FR")
		for _, at := range [][2]float64{{0.3, 0.5}, {-0.4, 0.2}, {0.1, -0.7}} {
			a, _, _ := left.LengthSurface.At(at[0], at[1])
			b, _, _ := right.LengthSurface.At(at[0], c.sign*at[1])
			if math.Abs(a-b) > 1e-15 || a == 0 {
				t.Errorf("%v: the length at %v is %g at the left, %g at the right", c.changes, at, a, b)
			}
		}
	}
}

// A spring without a length of its own reaches as far as its coordinate.
func TestReachOfSprings(t *testing.T) {
	m, err := ledCar()
	if err != nil {
		t.Fatal(err)
	}
	spring, _ := component.Named[*component.SpringDamper](m.Scope(), "spring_FL")
	length, slope := spring.Reach(0.5) // of the plane's corners at 0 of the rack: 1 at -1, 0.35 at 1
	if math.Abs(length-(1-0.75*0.65)) > 1e-15 || math.Abs(slope+0.325) > 1e-15 {
		t.Errorf("the length is %g, with the slope %g", length, slope)
	}
	if m, err = ledCar("[[-1, -1, 0.9], [-1, 1, 1.1], [1, -1, 0.4], [1, 1, 0.3]]", "[[-1, 0.9], [1, 0.5]]"); err != nil {
		t.Fatal(err)
	}
	spring, _ = component.Named[*component.SpringDamper](m.Scope(), "spring_FL")
	if length, slope = spring.Reach(0.5); math.Abs(length-0.6) > 1e-15 || math.Abs(slope+0.2) > 1e-15 {
		t.Errorf("the length over the travel alone is %g, with the slope %g", length, slope)
	}
	if m, err = ledCar("length = [[-1, -1, 0.9], [-1, 1, 1.1], [1, -1, 0.4], [1, 1, 0.3]]\n", ""); err != nil {
		t.Fatal(err)
	}
	spring, _ = component.Named[*component.SpringDamper](m.Scope(), "spring_FL")
	if length, slope = spring.Reach(0.5); length != 0.5 || slope != 1 {
		t.Errorf("without a length: %g, %g", length, slope)
	}
}

func TestWrongLengthsAreRefused(t *testing.T) {
	for _, c := range []struct {
		want    string
		changes []string
	}{
		{`spring_FL.length goes over the travel of a suspension; name one as joint, or leave length out`,
			[]string{`joint = "susp"`, "from = \"chassis\"\nto = \"carrier\""}},
		{`spring_FL.length goes over the travel of a suspension`, []string{`type = "suspension"`, `type = "prismatic"`,
			`steer = "rack"`, `axis = "z"`, "toe = [[-1, -1, 0], [-1, 1, 0.2], [1, -1, 0.1], [1, 1, 0.4]]\n", ""}},
		{`acts on the joint`, []string{`joint = "susp"`, `joint = "sus"`}},
		{`spring_FL.length is a surface, and susp_FL has no second variable: give susp_FL the key steer or other`,
			[]string{"steer = \"rack\"\n", "", "toe = [[-1, -1, 0], [-1, 1, 0.2], [1, -1, 0.1], [1, 1, 0.4]]\n", ""}},
		{`spring_FL.free_length is -0.6; a length must not be negative`, []string{"free_length = 0.6", "free_length = -0.6"}},
		{`spring_FL.length[0][1] is "3 deg": deg is not a unit for what must be in m`,
			[]string{"[[-1, -1, 0.9]", `[[-1, "3 deg", 0.9]`}},
		{`spring_FL.length is 3; it must be a curve`,
			[]string{"[[-1, -1, 0.9], [-1, 1, 1.1], [1, -1, 0.4], [1, 1, 0.3]]", "3"}},
	} {
		_, err := ledCar(c.changes...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.changes, err, c.want)
		}
	}
}

// A spring on an arm bears the weight through the slope of its length: this is plausible, and a spring that is too long
// or too short is not.
func TestLedSpringsBearTheWeight(t *testing.T) {
	guide := func(free string) []string {
		return []string{`type = "prismatic"`, "type = \"suspension\"\nside = \"left\"",
			"axis = \"z\"\nstart = { s = 0.0 }", "", "stiffness = 25000",
			"stiffness = 1e5\nlength = [[-0.1, 0.55], [0.1, 0.45]]",
			"free_length = -0.1177", "free_length = " + free, "damping = 2000", "damping = 8000"}
	}
	if m, err := parsePlain(t, guide("0.55885")...); err != nil || len(m.Warnings) > 0 {
		t.Error(err, m.Warnings)
	}
	for free, want := range map[string]string{"0.44": "pulls the wheel up at the start", "0.75": "of the weight"} {
		m, err := parsePlain(t, guide(free)...)
		if err != nil || !strings.Contains(strings.Join(m.Warnings, "\n"), want) {
			t.Errorf("free length %s: %v, %q; want %s", free, err, m.Warnings, want)
		}
	}
}
