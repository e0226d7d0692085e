package formulate_test

import (
	"math"
	"slices"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// FuzzSignals adds components of equations to a sled. They are refused, or each driven input has the value of its
// driver, at two states.
func FuzzSignals(f *testing.F) {
	const law = "[component.one]\ntype = \"equations\"\n"
	for _, seed := range []string{
		law + `inputs = [{ name = "u", unit = "m/s2", from = "probe.ax" }, { name = "wish", unit = "1", value = 3 }]
states = [{ name = "x", unit = "m/s2", rate = "100*(u - x)", value = 0.5 }]
outputs = [{ name = "y", unit = "N", value = "-0.1*x*wish", to = ["push.force"] }]
`,
		law + `inputs = [{ name = "u", unit = "1", from = "two.y" }]
outputs = [{ name = "y", unit = "1", value = "max(0, 2*u + 1)", to = ["two.v"] }]
[component.two]
type = "equations"
inputs = [{ name = "v", unit = "1" }, { name = "t", unit = "s", from = "time" }]
states = [{ name = "y", unit = "1", rate = "v - y + t", to = [] }]
`,
		law + `outputs = [{ name = "y", unit = "N", value = "-0.1*probe.ax", to = ["push.force"] }]
`,
		law + `function = "plugin:law.so#law"
file = "gains.txt"
inputs = [{ name = "u", unit = "m/s", from = "rail.s_dot" }]
states = [{ name = "x", unit = "m" }]
outputs = [{ name = "y", unit = "N", to = ["push.force"] }]
`,
	} {
		fuzzinputs.Add(f, seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := vehicle.Parse([]byte(sled+text), "fuzz.toml", nil)
		if err != nil {
			return
		}
		p, err := formulate.Program(m, formulate.Options{})
		if err != nil || len(p.Calls) > 0 {
			return
		}
		drivesWhatItSays(t, p)
	})
}

// drivesWhatItSays compares the driven inputs of a program with their drivers, at two states.
func drivesWhatItSays(t *testing.T, p *program.Program) {
	t.Helper()
	tape := p.NewTape()
	values, u := make([]float64, len(p.Parameters)), make([]float64, len(p.Inputs))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	tape.SetParameters(values)
	x, dx, y := make([]float64, len(p.States)), make([]float64, len(p.States)), make([]float64, len(p.Outputs))
	tape.Start(u, x)
	for range 2 {
		tape.Derivatives(0.25, x, u, dx)
		tape.Outputs(y)
		for i, v := range p.Outputs {
			if v.Driver == "" {
				continue
			}
			by := func(list []program.Variable) int {
				return slices.IndexFunc(list, func(other program.Variable) bool { return other.Name == v.Driver })
			}
			driver := math.NaN()
			if k := by(p.Outputs); k >= 0 {
				driver = y[k]
			} else if k := by(p.States); k >= 0 {
				driver = x[k]
			}
			if y[i] != driver && !(math.IsNaN(y[i]) && math.IsNaN(driver)) {
				t.Errorf("%s is %v, and %s, which drives it, is %v", v.Name, y[i], v.Driver, driver)
			}
		}
		for i := range x {
			x[i] += 0.1
		}
	}
}
