package vehicle_test

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// sprung returns the text of a model with a spring on a joint of a type. The parameter k has the unit; stiffness and
// length are formulas.
func sprung(joint, unit, stiffness, length string) string {
	return fmt.Sprintf(`
name = "Sprung"
[parameters]
k = { value = 2e4, unit = %q }
l = { value = 0.4, unit = "m" }
m = { value = 3, unit = "kg" }
t = { value = 2, unit = "s" }
angle = { value = 0.1, unit = "rad" }
[component.body]
type = "rigid-body"
mass = "m"
inertia = { xx = 1, yy = 1, zz = 1 }
[component.joint]
type = %q
from = "ground"
to = "body"
axis = "x"
[component.spring]
type = "spring-damper"
joint = "joint"
stiffness = %q
free_length = %q
`, unit, joint, stiffness, length)
}

// A formula has the dimension of its key. A number in a sum has the dimension of its neighbour. A number that
// multiplies a quantity with a dimension has none.
func TestFormulasHaveTheUnitOfTheirKey(t *testing.T) {
	for _, c := range []struct{ joint, unit, stiffness, length, want string }{
		{"prismatic", "N/m", "k", "l", ""},
		{"prismatic", "kg/s2", "2*k/3", "l/2 + 0.1", ""},
		{"revolute", "N.m/rad", "k", "angle", ""},
		{"prismatic", "N/m", "9.81*k/0.1", "0.35*cos(angle)", ""}, // 0.35 times a pure number may be a length
		{"prismatic", "kg", "k*9.81/0.1", "l", "the unit kg; it must have N/m; a number that multiplies has no unit"},
		{"prismatic", "N/m", "k", "t/0.3 + 0.1", "the unit s; it must have m"},
		{"prismatic", "N/m", "k", "2*(angle + 0.3)*3", ""},
		{"prismatic", "N/m", "k", "min(0.3, l) - 0.1*sqrt(l*0.4)*sqrt(l)", ""},
		{"prismatic", "N/m", "k", "sin(0.2) + 2*0.3", ""}, // numbers alone fit any unit
		{"prismatic", "N/m", "k", "l*exp(l)", "exp needs a pure number, not one in m"},
		{"prismatic", "kg", "k", "l", `spring.stiffness is "k": the formula has the unit kg; it must have N/m`},
		{"prismatic", "kg", "2*k", "l", "the unit kg; it must have N/m"},
		{"revolute", "N/m", "k", "angle", "the unit kg/s2; it must have N.m/rad"},
		{"prismatic", "N.m/rad", "k", "l", "the unit kg.m2/s2; it must have N/m"},
		{"prismatic", "N/m", "k", "angle", "the unit 1; it must have m"},
		{"revolute", "N.m/rad", "k", "l", "the unit m; it must have rad"},
		{"prismatic", "N/m", "k + m", "l", "the formula adds quantities in kg and in kg/s2"},
		{"prismatic", "kg", "-k", "l", "the unit kg; it must have N/m"},
		{"prismatic", "kg", "9.81*k*(0.3 + 0.1*angle)/l", "l", "the unit kg/m; it must have N/m"},
		{"prismatic", "N/m", "(0.3 + 0.1*angle)*(k + 5)", "l", ""},
		{"prismatic", "N/m", "k", "-angle", "the unit 1; it must have m"},
		{"prismatic", "N/m", "k - l*m/t/t/l*2", "l", ""},
		{"prismatic", "N/m", "m/t^2", "max(l, 0.3)", ""},
		{"prismatic", "N/m", "m/t", "l", "the unit kg/s; it must have N/m"},
		{"prismatic", "N/m", "k", "max(l, t)", "max compares quantities in m and in s"},
		{"prismatic", "N/m", "k", "l*sin(t)", "sin needs a pure number, not one in s"},
		{"prismatic", "N/m", "k", "sqrt(l*l)", ""},
		{"prismatic", "N/m", "k", "sqrt(l)", "the unit m0.5; it must have m"},
		{"prismatic", "N/m", "k", "abs(l)*atan2(m, m)*sign(t)", ""},
		{"prismatic", "N/m", "k", "l*atan2(m, t)", "atan2 compares quantities in kg and in s"},
		{"prismatic", "mm", "k", "l", `spring.stiffness is "k": the formula has the unit m; it must have N/m`},
		{"prismatic", "lbs", "k", "l", `parameter k.unit: unit "lbs" is not known`},
	} {
		_, err := vehicle.Parse([]byte(sprung(c.joint, c.unit, c.stiffness, c.length)), "sprung.toml", nil)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s joint, k in %s, stiffness %s, length %s: %q; want %q", c.joint, c.unit, c.stiffness, c.length, got,
				c.want)
		}
	}
}

// Inputs, states and outputs of equations and of linear equations must have SI units.
func TestUnitsOfVariables(t *testing.T) {
	for _, rest := range []string{
		`[component.e]
type = "equations"
inputs = [{ name = "u", unit = "km/h" }]`,
		`[component.e]
type = "equations"
states = [{ name = "x", unit = "km/h", rate = "0" }]`,
		`[component.e]
type = "equations"
outputs = [{ name = "y", unit = "km/h", value = "0" }]`,
		`[component.e]
type = "linear-equations"
states = [{ name = "x.v", unit = "km/h" }]
A = [[-1]]`,
	} {
		_, err := vehicle.Parse([]byte(sprung("prismatic", "N/m", "k", "l")+rest), "units.toml", nil)
		if err == nil || !strings.Contains(err.Error(), `unit: unit "km/h" is not an SI unit; write "m/s", with values in `+
			`it (1 km/h = 0.277778 m/s)`) {
			t.Errorf("%s: %v", rest, err)
		}
	}
}

// The stiffness of an anti-roll bar between revolute joints is in N.m/rad.
func TestUnitsOfABarOnRevoluteJoints(t *testing.T) {
	bar := strings.NewReplacer(`joint = "joint"`, "left = \"joint\"\nright = \"other\"", `free_length = ""`,
		`[component.other]
type = "revolute"
from = "body"
to = "end"
axis = "x"`,
		"spring-damper", "anti-roll-bar")
	for unit, want := range map[string]string{"N.m/rad": "", "N/m": "it must have N.m/rad"} {
		_, err := vehicle.Parse([]byte(bar.Replace(sprung("revolute", unit, "k", ""))), "bar.toml", nil)
		if err != nil && strings.Contains(err.Error(), "it must have") != (want != "") || want != "" &&
			(err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("in %s: %v; want %q", unit, err, want)
		}
	}
}

// Gravity as one number points down; gravity that points up must be given as a vector.
func TestGravityAsOneNumberPointsDown(t *testing.T) {
	text := func(gravity string) []byte {
		return []byte(`name = "G"
gravity = ` + gravity + `
[parameters]
g = { value = -1, unit = "m/s2" }
h = { value = 1, unit = "m" }
[component.p]
type = "point-mass"
mass = 1
`)
	}
	for gravity, want := range map[string]string{
		"-9.81": "gravity is -9.81; a single number g stands for [0, 0, -g] and must not be negative: write 9.81, or 0 " +
			"for none",
		`"g"`: "must not be negative", `"h"`: "the formula has the unit m; it must have m/s2",
	} {
		if _, err := vehicle.Parse(text(gravity), "g.toml", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("gravity = %s: %v; want %q", gravity, err, want)
		}
	}
	for gravity, z := range map[string]float64{"0": 0, "9.81": -9.81, `"-g"`: -1, "[0, 0, 1.62]": 1.62} {
		if m, err := vehicle.Parse(text(gravity), "g.toml", nil); err != nil || m.Gravity[2].Value != z {
			t.Errorf("gravity = %s: %v; want %v along z", gravity, err, z)
		}
	}
}
