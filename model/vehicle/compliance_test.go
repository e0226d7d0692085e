package vehicle_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Tables of compliances are checked row by row.
func TestWrongTablesOfCompliancesAreRefused(t *testing.T) {
	const model = `name = "Carried"
[component.guide]
type = "suspension"
from = "ground"
to = "carrier"
[component.carrier]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.slide]
type = "prismatic"
from = "carrier"
to = "slid"
axis = "x"
[component.turn]
type = "revolute"
from = "slid"
to = "block"
axis = "z"
[component.block]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.elastic]
type = "compliance"
joints = ["slide", "turn"]
over = "guide"
[[component.elastic.table]]
travel = -1
matrix = [[3, 1], [1, 2]]
preload = [1, 2]
[[component.elastic.table]]
travel = 1
matrix = [[4, 1], [1, 2]]
`
	const parameter = "[parameters]\nq = { value = 1, unit = \"N\" }\n"
	for _, c := range []struct{ old, wrong, want string }{
		{"", "", ""},
		{`over = "guide"`, `over = "block"`, `elastic.over is "block"; it must be a suspension`},
		{`over = "guide"`, `over = "guid"`, `elastic.over is "guid"; it must be a suspension; did you mean "guide"?`},
		{`["slide", "turn"]`, `["slide", "trn"]`, `compliance elastic acts on the joint "trn", which does not exist`},
		{`["slide", "turn"]`, `["slide", "slide"]`, `compliance elastic has the joint "slide" twice`},
		{`["slide", "turn"]`, `["slide", "guide"]`, `compliance elastic has the joint "guide" twice`},
		{`["slide", "turn"]`, `["slide"]`, "elastic.table[0].matrix is"},
		{`over = "guide"`, `over = "guide"` + "\nloss = 0.1", "has one of loss and frequency; give both or neither"},
		{`travel = 1`, `travel = -1`, "elastic.table:"},
		{`travel = 1`, "travel = 1\nsecond = 1", "elastic.table[1] differs from the first row"},
		{"[[4, 1], [1", "[[4, 2], [1", "elastic.table[1].matrix[1][0] is 1, and [0][1] is 2; the matrix must be symmetric"},
		{"[[4,", "[[-4,", "elastic.table[1].matrix[0][0] is -4; a stiffness must not be negative"},
		{"[[4, 1], [1, 2]]", "[[4, 3], [3, 2]]", "elastic.table[1].matrix gives energy in some motion of slide, turn"},
		{"[[3, 1], [1, 2]]", `[["3 N/m", "1 N/rad"], ["1 N", "2 N.m/rad"]]`, ""},
		{"[[3, 1], [1, 2]]", `[[3, 1], [1, "2 N/m"]]`, "elastic.table[0].matrix[1][1]"},
		{"[1, 2]\n", `["1 N", "2 N.m"]` + "\n", ""},
		{"[1, 2]\n", `[1, "2 N"]` + "\n", "elastic.table[0].preload[1]"},
		{"[1, 2]\n", "[1]\n", "elastic.table[0].preload has 1 numbers; give one for each of the 2 joints"},
		{"[1, 2]\n", `["2*q", 2]` + "\n", "has the formula 2*q; a table takes numbers only"},
	} {
		text := strings.Replace(model, c.old, c.wrong, 1) + parameter
		_, err := vehicle.Parse([]byte(text), "elastic.toml", nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v; want %s", c.wrong, c.old, err, c.want)
		}
	}
	m, err := vehicle.Parse([]byte(model), "elastic.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components {
		if e, is := c.(*component.Compliance); is {
			for x, want := range map[float64]float64{-3: 3, 0: 3.5, 5: 4} {
				if k, _, _ := e.Matrix[0][0].Curve.At(x); math.Abs(k-want) > 1e-12 {
					t.Errorf("the stiffness is %g N/m at %g, want %g", k, x, want)
				}
			}
		}
	}
	text := strings.NewReplacer("travel = -1", "travel = -1\nsecond = 1", "travel = 1",
		"travel = 1\nsecond = 2").Replace(model)
	if _, err := vehicle.Parse([]byte(text), "elastic.toml", nil); err == nil ||
		!strings.Contains(err.Error(), "elastic.table has a second variable, and the suspension guide has none") {
		t.Errorf("a second variable without one: %v", err)
	}
}

// On the right side, the second variable of a steered suspension changes its sign. A joint whose coordinate changes its
// sign is refused.
func TestMirroredCompliances(t *testing.T) {
	const corner = `kind = "subsystem"
title = "Corner"
frames = ["chassis", "rack"]
sides = "left"
[component.guide]
type = "suspension"
from = "chassis"
to = "carrier"
steer = "rack"
toe = [[-1, -1, 0], [-1, 1, 0.1], [1, -1, 0], [1, 1, 0.1]]
[component.turn]
type = "revolute"
from = "carrier"
to = "hub"
axis = "z"
mirror = "same"
[component.hub]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.elastic]
type = "compliance"
joints = ["turn"]
over = "guide"
table = [
  { travel = -1, second = -1, matrix = [[100]] },
  { travel = -1, second = 2, matrix = [[400]] },
  { travel = 1, second = -1, matrix = [[100]] },
  { travel = 1, second = 2, matrix = [[400]] },
]
`
	const car = `name = "Car"
[component.chassis]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.slide]
type = "prismatic"
from = "chassis"
to = "bar"
axis = "y"
[component.bar]
type = "point-mass"
mass = 1
[use.F]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "chassis", rack = "slide" }
`
	parse := func(corner string) (*vehicle.Model, error) {
		return vehicle.Parse([]byte(car), "car.toml", func(bounded.Kind, string) ([]byte, error) {
			return []byte(corner), nil
		})
	}
	m, err := parse(corner)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components {
		e, is := c.(*component.Compliance)
		if !is {
			continue
		}
		sign := 1.0
		if e.Name == "elastic_FR" {
			sign = -1
		}
		for _, s := range []float64{-0.5, 0, 1.5} {
			if k, _, _ := e.Matrix[0][0].Surface.At(0.2, sign*s); math.Abs(k-(200+100*s)) > 1e-12*k {
				t.Errorf("%s at %g: %g", e.Name, s, k)
			}
		}
	}
	if _, err := parse(strings.Replace(corner, "mirror = \"same\"\n", "", 1)); err == nil || !strings.Contains(err.Error(),
		`couples the joint turn_FR, whose coordinate changes its sign on the right side; write mirror = "same" in turn_FR`) {
		t.Errorf("a turn about z: %v", err)
	}
}
