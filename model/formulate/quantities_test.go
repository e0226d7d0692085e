package formulate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

const massOnSpring = `name = "MassOnSpring"

[parameters]
factor = { value = 3, unit = "1" }
kind = { choices = ["soft", "hard"], value = "hard" }

[component.slide]
type = "prismatic"
from = "ground"
to = "mass"
axis = "x"

[component.mass]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }

[component.spring]
type = "spring-damper"
joint = "slide"
stiffness = 50
damping = 4
quadratic_damping = 7
free_length = 0.1

[component.push]
type = "force-driver"
from = "ground"
to = "mass"
axis = "x"

[component.hinge]
type = "revolute"
from = "mass"
to = "vane"
axis = "y"

[component.vane]
type = "rigid-body"
mass = 1
inertia = { xx = 0.5, yy = 0.5, zz = 0.5 }

[component.drag]
type = "spring-damper"
joint = "hinge"
stiffness = 0
quadratic_damping = 0.3
`

// Damping in proportion to the speed is against the motion in both directions, on prismatic and on
// revolute joints: F = -(k (s - s0) + (c + d |v|) v).
func TestQuadraticDamping(t *testing.T) {
	m, err := vehicle.Parse([]byte(massOnSpring), "mass.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, k := machine(t, m, formulate.Options{})
	for _, v := range []float64{-3, 0, 0.5, 2} {
		for _, omega := range []float64{-4, 0, 5} {
			x, dx, y := []float64{v, omega, 0.25, 0.7}, make([]float64, 4), make([]float64, len(p.Outputs))
			k.Derivatives(0, x, []float64{11}, dx)
			k.Outputs(y)
			tension := 50*(0.25-0.1) + (4+7*math.Abs(v))*v
			for what, pair := range map[string][2]float64{
				"acceleration": {dx[0], (11 - tension) / 3}, "angular acceleration": {dx[1], -0.3 * math.Abs(omega) * omega / 0.5},
				"spring.force": {y[output(p, "spring.force")], tension},
				"drag.torque":  {y[output(p, "drag.torque")], 0.3 * math.Abs(omega) * omega},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-13*max(1, math.Abs(pair[1]))) {
					t.Errorf("at %g m/s and %g rad/s: %s = %.15g, expected %.15g", v, omega, what, pair[0], pair[1])
				}
			}
		}
	}
}

// Quantities are formulas over outputs, inputs, parameters, choices, and quantities before them.
func TestQuantitiesAreWhatTheirFormulasSay(t *testing.T) {
	const quantities = `
[parameters.one]
m = { value = 1, unit = "m" }
N = { value = 1, unit = "N" }
v = { value = 1, unit = "m/s" }
[quantities]
"spring.power" = { value = "spring.force*slide.s_dot", unit = "W" }
"all.together" = { value = "factor*push.force + spring.stiffness*one.m + kind*one.N - 2*spring.power/one.v", unit = "N", text = "sorts" }
`
	m, err := vehicle.Parse([]byte(massOnSpring+quantities), "mass.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, k := machine(t, m, formulate.Options{})
	y := make([]float64, len(p.Outputs))
	k.Derivatives(0, []float64{-2, 0, 0.25, 0}, []float64{11}, make([]float64, 4))
	k.Outputs(y)
	power := (7.5 + (4+14)*-2) * -2
	if got := y[output(p, "spring.power")]; got != power {
		t.Errorf("power %g, expected %g", got, power)
	}
	if got, want := y[output(p, "all.together")], 3*11+50+1-2*power; got != want {
		t.Errorf("all together %g, expected %g", got, want)
	}
	if v := p.Outputs[output(p, "all.together")]; v.Unit != "N" || v.Text != "sorts" {
		t.Errorf("described as %+v", v)
	}
}

func TestInvalidQuantitiesAreExplained(t *testing.T) {
	for _, c := range []struct{ name, formula, says string }{
		{"slide.s", "1", "quantity slide.s: there is a variable of that name already"},
		{"push.force", "1", "quantity push.force: there is a variable of that name already"},
		{"spring.stiffness", "1", "quantity spring.stiffness: there is a variable of that name already"},
		{"factor", "1", "quantity factor: there is a variable of that name already"},
		{"now", "1 + now", `quantity now: formula, character 5: unknown name "now"; allowed are published ` +
			`variables, quantities that tire functions can request, inputs and parameters`},
		{
			"pull", "2*slide.Fx",
			`quantity pull: "slide.Fx" is a reaction, which is computed on request only; give slide reactions = true`,
		},
	} {
		m, err := vehicle.Parse([]byte(fmt.Sprintf(`%s
[quantities]
%q = { value = %q, unit = "1" }
`, massOnSpring,
			c.name, c.formula)), "mass.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = formulate.New(m, formulate.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "mass.toml:50:") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}

// Components publish in the order of the file: it is the order of the variables of an FMU.
func TestOutputsKeepTheOrderOfTheFile(t *testing.T) {
	const body = `type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	const spring = `type = "spring-damper"
stiffness = 1
from = "%s"
to = "%s"
`
	order := []string{"zebra", "ant", "mule"}
	text := `name = "Order"
[component.first]
` + body + "[component.second]\n" + body
	for _, name := range order {
		text += "[component." + name + "_spring]\n" + fmt.Sprintf(spring, "first", "second")
		text += "[component." + name + `_eye]
type = "sensor"
from = "first"
to = "second"
`
	}
	m, err := vehicle.Parse([]byte(text), "order.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := machine(t, m, formulate.Options{})
	for _, kind := range []string{"_spring.", "_eye."} {
		var got []string
		for _, v := range p.Outputs {
			if name, _, is := strings.Cut(v.Name, kind); is && !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, order) {
			t.Errorf("outputs %q of %q, in the file %q", kind, got, order)
		}
	}
}
