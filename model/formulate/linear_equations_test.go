package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// randomEquations is the text of linear equations with about half of the elements zero, and its
// matrices and values by name.
func randomEquations(r *rand.Rand, states, inputs, outputs int) (text string, matrices map[string][][]float64,
	values map[string][]float64) {
	matrices, values = map[string][][]float64{}, map[string][]float64{}
	var b strings.Builder
	b.WriteString(`name = "Random"
[component.linear]
type = "linear-equations"
`)
	for _, list := range []struct {
		key, unit string
		n         int
	}{{"states", "m", states}, {"inputs", "N", inputs}, {"outputs", "V", outputs}} {
		fmt.Fprintf(&b, "%s = [\n", list.key)
		for i := range list.n {
			value, rate := 10*r.Float64()-5, 0.0
			fmt.Fprintf(&b, "{ name = \"%s.q%d\", unit = %q, value = %v", strings.TrimSuffix(list.key, "s"), i, list.unit, value)
			if list.key == "states" {
				rate = r.Float64()
				fmt.Fprintf(&b, ", rate = %v", rate)
				values["rates"] = append(values["rates"], rate)
			}
			b.WriteString(" },\n")
			values[list.key] = append(values[list.key], value)
		}
		b.WriteString("]\n")
	}
	for _, m := range []struct {
		name          string
		rows, columns int
	}{{"A", states, states}, {"B", states, inputs}, {"C", outputs, states}, {"D", outputs, inputs}} {
		fmt.Fprintf(&b, "%s = [\n", m.name)
		for range m.rows {
			row := make([]float64, m.columns)
			for k := range row {
				if r.IntN(2) > 0 {
					row[k] = math.Ldexp(r.NormFloat64(), r.IntN(40)-20)
				}
			}
			matrices[m.name] = append(matrices[m.name], row)
			b.WriteString(strings.ReplaceAll(fmt.Sprintln(row), " ", ", "))
			b.WriteString(",")
		}
		b.WriteString("]\n")
	}
	return b.String(), matrices, values
}

// Rates, outputs and start values equal matrix arithmetic, at 40 states and 200 outputs. No result depends on a
// variable with a zero in its row.
func TestLinearEquationsEqualTheirMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text, matrices, values := randomEquations(r, 40, 12, 200)
	m, err := vehicle.Parse([]byte(text), "random.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	x, u := make([]float64, 40), slices.Clone(values["inputs"])
	tape.Start(u, x)
	if !slices.Equal(x, values["states"]) {
		t.Errorf("states start at %v, not at their values %v", x, values["states"])
	}
	for i, v := range p.Inputs {
		if v.Start != values["inputs"][i] || v.Unit != "N" || v.Name != fmt.Sprintf("input.q%d", i) {
			t.Errorf("input %d is %+v", i, v)
		}
	}
	rates, outputs := make([]float64, 40), make([]float64, len(p.Outputs))
	steady := true
	for range 2 {
		tape.Derivatives(0, x, u, rates)
		tape.Outputs(outputs)
		check := func(name string, got, constant float64, rows ...[]float64) {
			t.Helper()
			want, size := constant, math.Abs(constant)
			for k, c := range slices.Concat(rows...) {
				term := 0.0
				if k < len(x) {
					term = c * (x[k] - values["states"][k])
				} else {
					term = c * (u[k-len(x)] - values["inputs"][k-len(x)])
				}
				want, size = want+term, size+math.Abs(term)
			}
			if math.Abs(got-want) > 1e-14*size {
				t.Errorf("%s is %v, by the matrices %v", name, got, want)
			}
		}
		for i := range x {
			check(p.States[i].Name+"'", rates[i], values["rates"][i], matrices["A"][i], matrices["B"][i])
			if steady && rates[i] != values["rates"][i] {
				t.Errorf("in the steady motion the rate of %s is %v", p.States[i].Name, rates[i])
			}
		}
		for i := range 200 {
			k := slices.IndexFunc(p.Outputs, func(v program.Variable) bool { return v.Name == fmt.Sprintf("output.q%d", i) })
			check(p.Outputs[k].Name, outputs[k], values["outputs"][i], matrices["C"][i], matrices["D"][i])
		}
		for k := range x {
			x[k] += r.NormFloat64()
		}
		for k := range u {
			u[k] += r.NormFloat64()
		}
		steady = false
	}
	for i, d := range p.Dependencies(program.StateQuantity) {
		var states, inputs []int
		for k := range x {
			if matrices["A"][i][k] != 0 {
				states = append(states, k)
			}
		}
		for k := range u {
			if matrices["B"][i][k] != 0 {
				inputs = append(inputs, k)
			}
		}
		if !slices.Equal(d.States, states) || !slices.Equal(d.Inputs, inputs) {
			t.Errorf("the rate of %s depends on states %v and inputs %v, by the matrices %v and %v", p.States[i].Name, d.States,
				d.Inputs, states, inputs)
		}
	}
}

// Position, rate and acceleration of a prescribed motion stay together, and others by themselves.
// Formulas in matrices follow their parameters.
func TestLinearEquationsKeepMotionsAndFormulas(t *testing.T) {
	m, err := vehicle.Parse([]byte(`
name = "Spring"
[parameters]
stiffness = { value = 40, unit = "N/m" }
mass = { value = 10, unit = "kg" }
[component.linear]
type = "linear-equations"
states = [{ name = "load.z", unit = "m" }, { name = "load.z_dot", unit = "m/s" }]
inputs = [
  { name = "push.force", unit = "N" },
  { name = "base.z", unit = "m" },
  { name = "base.rate", unit = "m/s", rate_of = "base.z" },
  { name = "road.z", unit = "m" },
  { name = "road.rate", unit = "m/s", rate_of = "road.z" },
  { name = "base.acceleration", unit = "m/s2", rate_of = "base.rate" },
]
A = [[0, 1], ["-stiffness/mass", 0]]
`), "spring.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	want := []program.Motion{{Position: 1, Rate: 2, Acceleration: 5}, {Position: 3, Rate: 4, Acceleration: -1}}
	if !slices.Equal(p.Motions, want) {
		t.Errorf("motions %v, not %v", p.Motions, want)
	}
	rates := make([]float64, 2)
	for _, stiffness := range []float64{40, 90} {
		var parameters []float64
		for _, v := range p.Parameters {
			if parameters = append(parameters, v.Start); v.Name == "stiffness" {
				parameters[len(parameters)-1] = stiffness
			}
		}
		tape.SetParameters(parameters)
		tape.Derivatives(0, []float64{0.5, 3}, make([]float64, 6), rates)
		if rates[0] != 3 || rates[1] != -0.5*stiffness/10 {
			t.Errorf("stiffness %v: rates %v", stiffness, rates)
		}
	}
}
