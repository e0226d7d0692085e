package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/model/curve"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// surfaceRows are the points of a surface in a model file.
func surfaceRows(points []curve.PointOfSurface) string {
	var list []string
	for _, p := range points {
		list = append(list, fmt.Sprintf("[%.17g, %.17g, %.17g]", p.X, p.Y, p.Z))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func randomSurface(r *rand.Rand, x, y []float64, scale float64) (list []curve.PointOfSurface) {
	for _, x := range x {
		for _, y := range y {
			list = append(list, curve.PointOfSurface{X: x, Y: y, Z: scale * r.NormFloat64()})
		}
	}
	return list
}

// A spring and a damper given by surfaces publish their forces, in the tape and in machine code. Jacobians hold the
// derivatives: inside, at the lines of the grid, and beyond the ends.
func TestProgramsEvaluateSurfaces(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	x, v, amperes := []float64{-0.1, -0.03, 0.02, 0.3}, []float64{-1, 0, 0.4, 1.5, 2}, []float64{0, 0.5, 2}
	force, drag := randomSurface(r, x, v, 1000), randomSurface(r, v, amperes, 1000)
	text := strings.Replace(massOnSpring, "quadratic_damping = 7\n", "spring_force = { points = "+surfaceRows(force)+
		", smooth = \"spline\" }\ndamper_force = "+surfaceRows(drag)+"\n", 1)
	m, err := vehicle.Parse([]byte(text), "surfaces.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	spring, err := curve.NewSurface(force, curve.Smooth, false)
	if err != nil {
		t.Fatal(err)
	}
	damper, err := curve.NewSurface(drag, curve.Monotone, false)
	if err != nil {
		t.Fatal(err)
	}
	find := func(list []program.Variable, name string) int {
		for i := range list {
			if list[i].Name == name {
				return i
			}
		}
		t.Fatal("no " + name)
		return 0
	}
	at, rate, current := find(p.States, "slide.s"), find(p.States, "slide.s_dot"), find(p.Inputs, "spring.current")
	output := find(p.Outputs, "spring.force")
	byState := tape.Jacobian(program.OutputQuantity, program.StateQuantity)
	byInput := tape.Jacobian(program.OutputQuantity, program.InputQuantity)
	states, inputs := make([]float64, byState.Rows*byState.Columns), make([]float64, byInput.Rows*byInput.Columns)
	z, dx := make([]float64, len(p.States)), make([]float64, len(p.States))
	u, y := make([]float64, len(p.Inputs)), make([]float64, len(p.Outputs))
	for range 300 {
		z[at], z[rate], u[current] = 0.1+0.5*r.Float64()-0.2, 4*r.Float64()-1.5, 3*r.Float64()-0.5
		if r.IntN(3) == 0 {
			z[at], z[rate] = 0.1+x[r.IntN(len(x))], v[r.IntN(len(v))]
		}
		tape.Derivatives(0, z, u, dx)
		tape.Outputs(y)
		byState.Evaluate(z, u, states)
		byInput.Evaluate(z, u, inputs)
		f, fx, fv := spring.At(z[at]-0.1, z[rate])
		d, dv, da := damper.At(z[rate], u[current])
		size := 1 + math.Abs(f) + math.Abs(fx) + math.Abs(fv) + math.Abs(d) + math.Abs(dv) + math.Abs(da)
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"force", y[output], 50*(z[at]-0.1) + f + 4*z[rate] + d},
			{"stiffness", states[output*byState.Columns+at], 50 + fx},
			{"damping", states[output*byState.Columns+rate], 4 + fv + dv},
			{"force of the current", inputs[output*byInput.Columns+current], da},
		} {
			if !(math.Abs(c.got-c.want) < 1e-10*size) {
				t.Fatalf("%s at (%g, %g, %g): %.15g, want %.15g", c.what, z[at], z[rate], u[current], c.got, c.want)
			}
		}
	}
}

// A surface that is constant along its second variable gives the bits of the curve.
func TestConstantSurfacesAreCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	var points [][2]float64
	var grid []curve.PointOfSurface
	for i := range 9 {
		x := -0.1 + 0.03*float64(i) + 0.01*r.Float64()
		points = append(points, [2]float64{x, 1000 * r.NormFloat64()})
		for _, y := range []float64{-1, 0.3, 2} {
			grid = append(grid, curve.PointOfSurface{X: x, Y: y, Z: points[i][1]})
		}
	}
	var rows []string
	for _, p := range points {
		rows = append(rows, fmt.Sprintf("[%.17g, %.17g]", p[0], p[1]))
	}
	for _, smooth := range []string{"monotone", "spline", "linear"} {
		var rates [2][]float64
		for i, text := range []string{"[" + strings.Join(rows, ", ") + "]", surfaceRows(grid)} {
			r := rand.New(rand.NewPCG(31, 3))
			m, err := vehicle.Parse([]byte(strings.Replace(massOnSpring, "quadratic_damping = 7\n",
				"spring_force = { points = "+text+`, smooth = "`+smooth+"\" }\n", 1)), "surfaces.toml", nil)
			if err != nil {
				t.Fatal(err)
			}
			p, tape := machine(t, m, formulate.Options{})
			z, u, dx := make([]float64, len(p.States)), make([]float64, len(p.Inputs)), make([]float64, len(p.States))
			for range 200 {
				for k := range z {
					z[k] = 0.3 * r.NormFloat64()
				}
				tape.Derivatives(0, z, u, dx)
				rates[i] = append(rates[i], dx...)
			}
		}
		for k, x := range rates[0] {
			if x != rates[1][k] {
				t.Fatalf("%s: %.17g by the curve, %.17g by the surface", smooth, x, rates[1][k])
			}
		}
	}
}
