package vehicle_test

import (
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// Tables of bushings are checked row by row.
func TestWrongTablesOfBushingsAreRefused(t *testing.T) {
	const model = `name = "Carried"
[component.guide]
type = "suspension"
from = "ground"
to = "carrier"
[component.carrier]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.block]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.bush]
type = "bushing"
from = "carrier"
to = "block"
over = "guide"
[[component.bush.table]]
travel = -1
matrix = [[3, 1, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
[[component.bush.table]]
travel = 1
matrix = [[4, 1, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
`
	const parameter = "[parameters]\nq = { value = 1, unit = \"N\" }\n"
	for _, c := range []struct{ old, wrong, want string }{
		{"", "", ""},
		{`over = "guide"` + "\n", "", "bushing bush has one of table and over; give both or neither"},
		{`over = "guide"`, `over = "block"`, `bush.over is "block"; it must be a suspension`},
		{`over = "guide"`, `over = "guid"`, `bush.over is "guid"; it must be a suspension; did you mean "guide"?`},
		{`over = "guide"`, `over = "guide"` + "\nstiffness = [1, 1, 1]", "bush.table stands beside matrix, stiffness"},
		{`travel = 1`, `travel = -1`, "bush.table over travel:"},
		{"[4, 1,", "[4, 2,", "bush.table[1].matrix[1][0] is 1, and [0][1] is 2; the matrix must be symmetric"},
		{"[4, 1,", "[-4, 1,", "bush.table[1].matrix[0][0] is -4; a stiffness must not be negative"},
		{"[[3, 1, 0, 0, 0, 0], [1, 2", "[[3, 9, 0, 0, 0, 0], [9, 2",
			"bush.table[0].matrix gives energy in some motion of dx, dy"},
		{"travel = 1", "travel = 1\npreload = [\"2*q\", 0, 0]",
			"has the formula 2*q; a table takes numbers only"},
	} {
		text := strings.Replace(model, c.old, c.wrong, 1) + parameter
		_, err := vehicle.Parse([]byte(text), "bush.toml", nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q in place of %q: %v; want %s", c.wrong, c.old, err, c.want)
		}
	}
}
