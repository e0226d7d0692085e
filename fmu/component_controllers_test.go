package fmu_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/fmu"
	"skidpad/tire"
)

// pulled is a mass with a controller in formulas that acts each 10 ms, the first time after 3 ms.
const pulled = `name = "Pulled"
gravity = [0, 0, 0]
solver = { method = "rk4", step = 0.001 }
[component]
block = { type = "point-mass", mass = 2, start = { position = [0.3, 0, 0], velocity = [-0.2, 0, 0] } }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.hold]
sample = 0.01
phase = 0.003
inputs = [{ name = "x", unit = "m", from = "block.x" }, { name = "extra", unit = "N" }]
type = "sampled-equations"
states = [{ name = "sum", unit = "m.s", next = "sum + sample*x" }]
outputs = [
  { name = "pull", unit = "N", value = "80*x + 900*sum" },
  { name = "force", unit = "N", start = 0.7, value = "extra - pull", to = ["push.force"] },
]
`

// pulledByFunction is the same by a function.
func pulledByFunction() string {
	text, _, _ := strings.Cut(pulled, "type = \"sampled-equations\"")
	return text + `type = "controller"
states = [{ name = "sum", unit = "m.s" }]
outputs = [{ name = "pull", unit = "N" }, { name = "force", unit = "N", start = 0.7, to = ["push.force"] }]
`
}

// pull is the law of pulled; it counts its calls.
type pull struct{ calls *int }

func (p pull) Eval(in, out []float64) {
	*p.calls++
	x, extra, sum, sample := in[0], in[1], in[2], in[3]
	out[0] = 80*x + 900*sum
	out[1], out[2] = extra-out[0], sum+sample*x
}

// exchanged integrates an instance in model exchange by Euler steps with time events, and returns values after each.
func exchanged(m *importer, steps int, h float64) (list []float64) {
	m.Helper()
	m.ok(m.UpdateDiscreteStates())
	m.ok(m.EnterContinuousTimeMode())
	n := len(m.table.Derivatives)
	x, dx := make([]float64, n), make([]float64, n)
	for k := range steps {
		at := float64(k) * h
		if next := m.NextSample(); at >= next-1e-9 {
			m.ok(m.EnterEventMode())
			m.set("hold.extra", float64(k%7))
			m.ok(m.UpdateDiscreteStates())
			m.ok(m.EnterContinuousTimeMode())
		}
		m.ok(m.GetContinuousStates(x))
		m.ok(m.GetDerivatives(dx))
		for i := range x {
			x[i] += h * dx[i]
		}
		m.ok(m.SetTime(at + h))
		m.ok(m.SetContinuousStates(x))
		list = append(list, m.get("block.x"), m.get("hold.force"), m.get("hold.sum"))
	}
	return list
}

// stepped makes communication steps, and returns values after each.
func stepped(m *importer, steps int, h float64) (list []float64) {
	m.Helper()
	for k := range steps {
		m.set("hold.extra", float64(k%7))
		_, status := m.DoStep(float64(k)*h, h)
		m.ok(status)
		list = append(list, m.get("block.x"), m.get("hold.force"), m.get("hold.sum"))
	}
	return list
}

// In co-simulation and model exchange of both versions, a function that importers name by a string parameter has the
// bits of the same law in formulas, and is called once at each sample.
func TestFunctionsOfControllersHaveTheBitsOfFormulas(t *testing.T) {
	calls := new(int)
	err := tire.Register(tire.Kind{Name: "PullLaw", Sampled: true, Inputs: []string{"x", "extra", "sum", "sample"},
		Outputs: []string{"pull", "force", "sum_next"},
		Open:    func(tire.OpenRequest) (tire.Function, error) { return pull{calls}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		settings fmu.Settings
		run      func(m *importer, steps int, h float64) []float64
	}{"cs2": {cs2, stepped}, "cs3": {cs3, stepped}, "me2": {me2, exchanged}, "me3": {me3, exchanged}} {
		*calls = 0
		formulas, function := instantiateText(t, pulled, c.settings), instantiateText(t, pulledByFunction(), c.settings)
		i := function.ref("hold.function")
		if v := function.table.Variables[i]; v.Type != fmu.String || v.Causality != fmu.Parameter {
			t.Fatalf("hold.function is %v", v)
		}
		function.ok(function.SetString([]uint32{i}, []string{"PullLaw"}))
		var runs [2][]float64
		for k, m := range []*importer{formulas, function} {
			m.initialise(0)
			runs[k] = c.run(m, 60, 0.001)
		}
		for k, want := range runs[0] {
			if math.Float64bits(runs[1][k]) != math.Float64bits(want) {
				t.Fatalf("%s: value %d is %.17g by the function, %.17g by formulas", name, k, runs[1][k], want)
			}
		}
		if *calls != 6 { // at 3, 13, ..., 53 ms
			t.Errorf("%s: %d calls, want 6", name, *calls)
		}
	}
}
