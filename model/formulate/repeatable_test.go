package formulate_test

import (
	"strings"
	"testing"

	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// legs has constraints between points that many speeds move.
const legs = `name = "Legs"

[component.carrier]
type = "rigid-body"
mass = 50
inertia = { xx = 3, yy = 5, zz = 4, xz = 0.4 }

[component.spin]
type = "revolute"
from = "carrier"
to = "second"
axis = "y"

[component.second]
type = "rigid-body"
mass = 8
inertia = { xx = 0.4, yy = 0.6, zz = 0.5 }

[component.mast]
type = "rigid-arm"
from = "carrier"
to = "post"
translation = [0.3, 0.4, 1.2]

[component.lamp]
type = "point-mass"
frame = "post"
mass = 1

[component.boom]
type = "rigid-arm"
from = "second"
to = "hook"
translation = [0.5, 0.1, 0.2]

[component.load]
type = "point-mass"
frame = "hook"
mass = 2

[component.knee]
type = "right-angle"
corner = "second"
from = "ground"
to = "post"

[component.frame]
type = "parallelogram"
corner = "second"
from = "post"
opposite = "hook"
to = "ground"
`

// TestAModelHasOneProgram: the same text leads to the same equations, sums in the same order, however often it is
// formulated. A difference would be one in the last bits of all results.
func TestAModelHasOneProgram(t *testing.T) {
	m, err := vehicle.Parse([]byte(legs), "legs.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	first := ""
	for range 60 {
		f, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := f.Count().Constraints; n != 4 {
			t.Fatalf("%d constraints, want those of the right angle and of the parallelogram along three axes", n)
		}
		var roots []*expr.Expr
		for _, s := range f.States() {
			roots = append(roots, s.Rate)
		}
		var text strings.Builder
		for _, d := range formulate.Statements(roots) {
			text.WriteString(d.Name() + " = " + d.Args()[0].String() + "\n")
		}
		if first == "" {
			first = text.String()
		}
		if text.String() != first {
			t.Fatal("the same model has other equations when it is formulated again")
		}
	}
}
