package formulate_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// mixed has different tires at its two wheels.
const mixed = `name = "Mixed"
[component.road]
type = "road"
[component.body]
type = "rigid-body"
mass = 500
inertia = { xx = 50, yy = 200, zz = 200 }
start = { position = [0, 0, 0.6], velocity = [20, 0, 0] }
[component.arm_F]
type = "rigid-arm"
from = "body"
to = "fork_F"
translation = [1.2, 0, -0.26]
[component.arm_R]
type = "rigid-arm"
from = "body"
to = "fork_R"
translation = [-1.2, 0, -0.26]
[component.wheel_F]
type = "revolute"
from = "fork_F"
to = "tire_F"
axis = "y"
start = { omega = 57.5 }
[component.wheel_R]
type = "revolute"
from = "fork_R"
to = "tire_R"
axis = "y"
start = { omega = 57.5 }
[component.tire_F]
type = "tire"
frame = "tire_F"
road = "road"
mass = 20
inertia = { axial = 1.5, transverse = 1 }
unloaded_radius = 0.355
vertical_stiffness = 3e5
vertical_damping = 500
rolling_radius = { method = "loaded" }
slip = { method = "kinematic", minimum_speed = 0.005 }
force = { function = "Fiala", file = "../../resources/tires/fiala_generic4w.toml" }
[component.tire_R]
type = "tire"
frame = "tire_R"
road = "road"
mass = 20
inertia = { axial = 1.5, transverse = 1 }
unloaded_radius = 0.355
vertical_stiffness = 3e5
vertical_damping = 500
rolling_radius = { method = "loaded" }
slip = { method = "delayed", relaxation = { function = "StretchedString", file = "../../resources/tires/stretched_string.toml" } }
force = { function = "Pacejka02", file = "../../resources/tires/pacejka2002.toml" }
`

// Morency (2007), Figure 4.7: tires of one vehicle can have different functions and different slip. The tire without
// delay has no states; its slips are expressions of the motion, those of the other are states.
func TestMixedTires(t *testing.T) {
	m, err := vehicle.Parse([]byte(mixed), "mixed.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var internal []string
	own := map[*expr.Expr]bool{}
	for _, s := range f.Internal {
		internal = append(internal, s.Name)
		own[s.Symbol] = true
	}
	if !slices.Equal(internal, []string{"tire_R.q1", "tire_R.q2"}) {
		t.Errorf("states of tires: %v", internal)
	}
	if len(f.Speeds) != 8 || len(f.States()) != 18 {
		t.Errorf("%d speeds, %d states", len(f.Speeds), len(f.States()))
	}
	var calls []string
	for _, c := range f.Calls {
		calls = append(calls, c.Name+" "+c.Function)
		for i, name := range c.Inputs {
			if name != "S" && name != "alpha" {
				continue
			}
			symbols := map[*expr.Expr]bool{}
			leaves(c.Arguments[i], symbols)
			delayed, moving := 0, 0
			for s := range symbols {
				if own[s] {
					delayed++
				} else if s.Role() == expr.State {
					moving++
				}
			}
			if rear := strings.HasPrefix(c.Name, "tire_R"); rear && delayed != 1 || !rear && (delayed != 0 || moving == 0) {
				t.Errorf("%s of %s depends on %d states of tires and %d of the motion", name, c.Name, delayed, moving)
			}
		}
		for _, name := range []string{"Fz", "S", "alpha", "Omega"} {
			if strings.HasSuffix(c.Name, ".force") && !slices.Contains(c.Inputs, name) {
				t.Errorf("%s lacks the input %s", c.Name, name)
			}
		}
	}
	want := []string{"tire_F.force Fiala", "tire_R.force Pacejka02", "tire_R.relaxation StretchedString"}
	if !slices.Equal(calls, want) {
		t.Errorf("calls %v, want %v", calls, want)
	}
}

// leaves collects the symbols in an expression.
func leaves(e *expr.Expr, found map[*expr.Expr]bool) {
	if e.Kind() == expr.Symbol {
		found[e] = true
	}
	for _, a := range e.Args() {
		leaves(a, found)
	}
}
