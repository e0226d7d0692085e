package formulate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// In still air all derivatives at standstill are 0. In a wind of w m/s from the left, the derivative of the drag by the
// forward speed is the derivative of -rho A CD/2 w^2 tanh(u s/m). The derivative of the side force is 0, because its
// angle is 90 degrees to either side.
func TestAirHasDerivativesAtStandstill(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Hull"
gravity = 0
[component.body]
type = "rigid-body"
mass = 900
inertia = { xx = 400, yy = 1500, zz = 1700 }
[component.air]
type = "aerodynamics"
frame = "body"
area = 2
length = 2.5
density = 1.2
drag = 0.3
lift_front = 0.1
side_force = 2
roll_moment = 0.4
yaw_moment = 0.6
side_force_curve = [[-1, 0.1], [0, 0], [1, -0.1]]
`), "hull.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, machine := machine(t, m, formulate.Options{})
	output := func(name string) int {
		return slices.IndexFunc(p.Outputs, func(v program.Variable) bool { return v.Name == name })
	}
	state := func(name string) int {
		return slices.IndexFunc(p.States, func(v program.Variable) bool { return v.Name == name })
	}
	input := slices.IndexFunc(p.Inputs, func(v program.Variable) bool { return v.Name == "air.wind_y" })
	for _, by := range []program.Quantity{program.StateQuantity, program.InputQuantity} {
		j := machine.Jacobian(program.OutputQuantity, by)
		values := make([]float64, j.Rows*j.Columns)
		for _, wind := range []float64{0, -20} {
			x, u, dx := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States))
			u[input] = wind
			machine.Derivatives(0, x, u, dx)
			j.Evaluate(x, u, values)
			for i, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("wind %g m/s: d(%s) is %g", wind, p.Outputs[i/j.Columns].Name, v)
				}
			}
			if by == program.InputQuantity {
				continue
			}
			for name, want := range map[string]float64{"air.Fx": -1.2 * 2 * 0.3 / 2 * wind * wind, "air.Fy": 0, "air.Fz": 0} {
				if got := values[output(name)*j.Columns+state("body.vx")]; !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
					t.Errorf("wind %g m/s: d(%s)/d(body.vx) = %g, want %g", wind, name, got, want)
				}
			}
		}
	}
}

// Each coefficient can depend on the height of the frame by itself, which is an output then.
func TestEachCoefficientCanDependOnTheHeight(t *testing.T) {
	for _, key := range []string{"drag", "lift_front", "lift_rear", "side_force", "roll_moment", "yaw_moment"} {
		text := `name = "Hull"
` + hull + `[component.air]
type = "aerodynamics"
frame = "hull"
area = 2
length = 2.5
` + key + "_curve = " + overHeight(0.1, 2, 3, 4) + "\n"
		m, err := vehicle.Parse([]byte(text), "hull.toml", nil)
		if err == nil {
			var p *program.Program
			if p, err = formulate.Program(m, formulate.Options{}); err == nil && !slices.ContainsFunc(p.Outputs,
				func(v program.Variable) bool { return v.Name == "air.height" }) {
				t.Errorf("%s: the height is no output", key)
			}
		}
		if err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

const hull = `
[component.hull]
type = "rigid-body"
mass = 1000
inertia = { xx = 400, yy = 1500, zz = 1700 }
`

// overHeight are points of the coefficient c + slope beta + byHeight z + twist beta z.
func overHeight(c, slope, byHeight, twist float64) string {
	var rows []string
	for _, beta := range []float64{-0.6, -0.1, 0.4} {
		for _, z := range []float64{-0.2, 0.1, 0.3} {
			rows = append(rows, fmt.Sprintf("[%g, %g, %g]", beta, z, c+slope*beta+byHeight*z+twist*beta*z))
		}
	}
	return "[" + strings.Join(rows, ", ") + "]"
}
