package program_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/model/expr"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// unlike returns a different number for each result.
type unlike struct{}

func (unlike) Eval(_, out []float64) {
	for k := range out {
		out[k] = 100 * math.Sin(float64(k+1))
	}
}

// Slots hold the quantities that their names in generated C denote. Names change no operation.
func TestNamesInGeneratedC(t *testing.T) {
	for _, name := range []string{"bicycle", "generic4w", "pendulum"} {
		m, err := vehicle.Read(built.Path("resources", "models", name+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		source := f.Source()
		plain, err := program.Build(source)
		if err != nil {
			t.Fatal(err)
		}
		source.Names = f.Names()
		p, err := program.Build(source)
		if err != nil {
			t.Fatal(err)
		}
		if p.Fingerprint() != plain.Fingerprint() {
			t.Errorf("%s: names change the program", name)
		}
		machine := p.NewTape()
		for i := range p.Calls {
			if err := machine.Bind(i, unlike{}, p.Calls[i].Inputs); err != nil {
				t.Fatal(err)
			}
		}
		random := rand.New(rand.NewPCG(24, 2))
		values, symbols := map[*expr.Expr]float64{}, map[string]*expr.Expr{}
		parameters, x, u := make([]float64, len(p.Parameters)), make([]float64, len(p.States)), make([]float64, len(p.Inputs))
		for i, v := range p.Parameters {
			parameters[i] = v.Start
			values[source.Parameters[i].Symbol] = v.Start
		}
		for i, v := range p.Inputs {
			u[i] = v.Start + 0.1*random.NormFloat64()
			values[source.Inputs[i].Symbol] = u[i]
		}
		machine.SetParameters(parameters)
		machine.Start(u, x)
		for i := range x {
			x[i] += 0.1 * random.NormFloat64()
			values[source.States[i].Symbol] = x[i]
		}
		machine.Derivatives(0, x, u, make([]float64, len(x)))
		machine.Outputs(make([]float64, len(p.Outputs)))
		memory := program.Numbers(machine)
		returned, next := make([]float64, machine.ReturnedCount()), 0
		machine.Returned(returned)
		for i := range source.Calls {
			for _, r := range source.Calls[i].Returned {
				values[r] = returned[next]
				next++
			}
			if load := source.Calls[i].Load; load != nil {
				values[load] = returned[next]
				next++
			}
		}
		evaluator := expr.NewEvaluator(values)
		for _, d := range source.Names.Definitions() {
			symbols[source.Names.Of(d)] = d
		}
		text := p.C("model")
		for slot, held := range p.Named() {
			read, err := source.Pool.Parse(held, func(name string) *expr.Expr {
				d := symbols[name]
				if d == nil {
					return nil
				}
				return source.Pool.Scale(d.Value(), d) // the name denotes this
			})
			if err != nil {
				t.Fatalf("%s: %v", held, err)
			}
			want, got := evaluator.Value(read), memory[slot]
			if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%s: slot %d holds %g; %s is %g", name, slot, got, held, want)
			}
		}
		if n := len(p.Named()); n < 2 || !strings.Contains(text, "/* ") {
			t.Errorf("%s: %d slots have names", name, n)
		}
		if name == "bicycle" && !strings.Contains(text, "const double v_rear_hub_x = (v[") {
			t.Error("bicycle: v_rear_hub_x is no variable")
		}
		if strings.Contains(plain.C("model"), "R_rear_frame") {
			t.Error(fmt.Sprint(name, ": names without being asked for"))
		}
	}
}
