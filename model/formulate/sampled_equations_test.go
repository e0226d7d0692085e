package formulate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Next values equal their formulas, at random held values, inputs and modes: the mode by its table first, then outputs
// with the new mode, then states with the new outputs; a condition of interventions counts when it begins to hold.
func TestSampledEquationsEqualTheirFormulas(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Arms"
[parameters]
gain = { value = 40, unit = "1" }
[component.arm]
type = "sampled-equations"
sample = 0.02
inputs = [{ name = "wanted", unit = "rad", value = 0.25 }]
modes = [
  { mode = "rest", condition = "abs(lately) > 0.5", next = "run" },
  { mode = "run", condition = "wanted < 0 and lately < 0", next = "rest" },
  { mode = "run", condition = "wanted < 0", next = "stop" },
]
states = [{ name = "sum", unit = "rad.s", value = 0.5, next = "sum + sample*lack" }, { name = "lately", unit = "rad", next = "wanted" }]
outputs = [{ name = "lack", unit = "rad", value = "wanted - lately" }, { name = "act", unit = "rad", start = 3, value = "select(mode == run, gain*lack, sum)" }]
intervenes = "select(mode == run and abs(act) > 30, 2, 0) + max(sum - 1, 0)"
`), "arms.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	if len(p.Samplers) != 1 || len(p.Samplers[0].Values) != 7 || len(p.Inputs) != 8 || p.Controls != 7 {
		t.Fatalf("samplers %v, %d inputs, %d controls", p.Samplers, len(p.Inputs), p.Controls)
	}
	tape.Start(make([]float64, 8), nil)
	constants := make([]float64, p.ConstantCount())
	tape.Constants(constants)
	s := p.Samplers[0]
	if constants[s.Sample] != 0.02 || constants[s.Phase] != 0 || constants[s.Active] != 1 {
		t.Errorf("sample %g, phase %g, active %g", constants[s.Sample], constants[s.Phase], constants[s.Active])
	}
	side := tape.Side(program.Samples)
	r, began := rand.New(rand.NewPCG(3, 4)), map[bool]int{}
	for range 200 {
		u := []float64{r.NormFloat64(), 0, 0, 0, 0, 0, 0, 0}
		at := map[string]float64{"arm.sum": r.NormFloat64(), "arm.lately": r.NormFloat64(), "arm.mode": float64(r.IntN(3)),
			"arm.lack": r.NormFloat64(), "arm.act": r.NormFloat64(), "arm.intervening": float64(r.IntN(2)),
			"arm.interventions": float64(r.IntN(5))}
		for _, v := range s.Values {
			u[v.Control] = at[v.Name]
		}
		side.Evaluate(nil, u, nil)
		wanted, lately, mode := u[0], at["arm.lately"], at["arm.mode"]
		switch {
		case mode == 0 && math.Abs(lately) > 0.5:
			mode = 1
		case mode == 1 && wanted < 0 && lately < 0:
			mode = 0
		case mode == 1 && wanted < 0:
			mode = 2
		}
		lack := wanted - lately
		act := at["arm.sum"]
		if mode == 1 {
			act = 40 * lack
		}
		want := map[string]float64{"arm.mode": mode, "arm.lack": lack, "arm.act": act, "arm.lately": wanted,
			"arm.sum": at["arm.sum"] + 0.02*lack, "arm.intervening": 0, "arm.interventions": at["arm.interventions"]}
		if mode == 1 && math.Abs(act) > 30 || at["arm.sum"] > 1 {
			want["arm.intervening"] = 1
			if at["arm.intervening"] == 0 {
				want["arm.interventions"]++
			}
			began[want["arm.interventions"] > at["arm.interventions"]]++
		}
		for i, v := range s.Values {
			if got := side.Value(i); math.Abs(got-want[v.Name]) > 1e-14*(1+math.Abs(want[v.Name])) {
				t.Errorf("%s becomes %g, by its formula %g", v.Name, got, want[v.Name])
			}
		}
	}
	if began[true] < 5 || began[false] < 5 {
		t.Errorf("%v interventions began and went on; the test needs both", began)
	}
	i := slices.IndexFunc(s.Values, func(v program.SampledValue) bool { return v.Name == "arm.act" })
	if constants[s.Values[i].Start] != 3 {
		t.Error("the start value is lost")
	}
}
