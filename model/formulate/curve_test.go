package formulate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/curve"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// A spring and a damper given by tables publish the forces of their curves. Jacobians hold the slopes: inside, at the
// points, at the floating-point numbers next to the points, and beyond the ends.
func TestProgramsEvaluateCurves(t *testing.T) {
	x, v := []float64{-0.1, -0.03, 0, 0.01, 0.3}, []float64{-1, -0.2, 0, 0.4, 1.5}
	force, drag := []float64{-2000, -300, 0, 500, 4000}, []float64{-900, -600, 0, 1500, 2500}
	rows := func(x, y []float64) string {
		var list []string
		for i := range x {
			list = append(list, fmt.Sprintf("[%.17g, %.17g]", x[i], y[i]))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	text := strings.Replace(massOnSpring, "quadratic_damping = 7\n",
		"spring_force = "+rows(x, force)+"\ndamper_force = "+rows(v, drag)+"\n", 1)
	m, err := vehicle.Parse([]byte(text), "curves.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, machine := machine(t, m, formulate.Options{})
	spring, err := curve.Monotone(x, force)
	if err != nil {
		t.Fatal(err)
	}
	damper, err := curve.Monotone(v, drag)
	if err != nil {
		t.Fatal(err)
	}
	state := func(name string) int {
		for i := range p.States {
			if p.States[i].Name == name {
				return i
			}
		}
		t.Fatal("no state " + name)
		return 0
	}
	output := 0
	for p.Outputs[output].Name != "spring.force" {
		output++
	}
	at, rate := []float64{-0.4, 0.7, 0.1 + 0.123}, []float64{-7, 0.111, 3}
	for i := range x {
		at = append(at, 0.1+x[i])
		rate = append(rate, v[i], math.Nextafter(v[i], 9), math.Nextafter(v[i], -9))
	}
	j := machine.Jacobian(program.OutputQuantity, program.StateQuantity)
	jac := make([]float64, j.Rows*j.Columns)
	y, dx := make([]float64, len(p.Outputs)), make([]float64, len(p.States))
	z := make([]float64, len(p.States))
	var u [8]float64
	for _, s := range at {
		for _, w := range rate {
			z[state("slide.s")], z[state("slide.s_dot")] = s, w
			machine.Derivatives(0, z, u[:len(p.Inputs)], dx)
			machine.Outputs(y)
			j.Evaluate(z, u[:len(p.Inputs)], jac)
			f, stiffness, _ := spring.At(s - 0.1)
			d, damping, _ := damper.At(w)
			for _, c := range []struct {
				what      string
				got, want float64
			}{
				{"force", y[output], 50*(s-0.1) + f + 4*w + d},
				{"stiffness", jac[output*j.Columns+state("slide.s")], 50 + stiffness},
				{"damping", jac[output*j.Columns+state("slide.s_dot")], 4 + damping},
			} {
				if math.Abs(c.got-c.want) > 1e-12*(math.Abs(c.want)+5000) {
					t.Errorf("at %.17g m, %.17g m/s the %s is %.15g, want %.15g", s, w, c.what, c.got, c.want)
				}
			}
		}
	}
}
