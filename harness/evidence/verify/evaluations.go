package verify

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"skidpad/cosim"
	"skidpad/harness/evidence/statements"
	"skidpad/model/bounded"
	"skidpad/model/solver"
	"skidpad/tire"
)

// counted is the name of Fiala's function as one that counts its calls.
const counted = "Fiala, counted"

// calls of all counted tires.
var calls atomic.Int64

// registerCounted makes the counted function known, once.
var registerCounted = sync.OnceValue(func() error {
	fiala, err := tire.Lookup("Fiala")
	if err != nil {
		return err
	}
	kind := tire.Kind{Name: counted, Text: "calls are counted", Inputs: fiala.Inputs, Outputs: fiala.Outputs,
		Open: func(r tire.OpenRequest) (tire.Function, error) {
			data, err := bounded.Tire.Read(r.File)
			if err != nil {
				return nil, err
			}
			parameters, err := tire.ParseFile(data, r.File)
			if err != nil {
				return nil, err
			}
			f, err := fiala.New(parameters.Values)
			return countedTire{f}, err
		}}
	return tire.Register(kind)
})

type countedTire struct{ tire.Function }

func (t countedTire) Eval(in, out []float64) {
	calls.Add(1)
	t.Function.Eval(in, out)
}

// countEvaluations makes the check T4: every step costs the same. The equations are a straight line of instructions
// without a branch; tires that count their calls tell how often a step goes through it.
func (v *Verification) countEvaluations(result *Verified) error {
	for _, model := range []string{"generic4w", "skidder"} {
		if v.Model != "" && v.Model != model || v.Manoeuvre != "" {
			continue
		}
		for _, method := range []string{"euler", "heun", "rk4"} {
			check, err := v.evaluations(model, method)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", model, method, err)
			}
			result.Statements = append(result.Statements, VerifiedStatement{model + ", " + method, check})
		}
	}
	return nil
}

// evaluations counts the evaluations of the equations in each step of a vehicle on its way into a turn, by the calls of
// a counting tire function. The steering changes before every step: a step whose inputs have not changed takes its
// first rates from the last reading.
func (v *Verification) evaluations(model, method string) (statements.Check, error) {
	none := statements.Check{}
	if err := registerCounted(); err != nil {
		return none, err
	}
	system, err := cosim.Load(filepath.Join(v.Resources, "models", model+".toml"), cosim.Options{})
	if err != nil {
		return none, err
	}
	in, err := system.Instantiate()
	if err != nil {
		return none, err
	}
	defer in.Close()
	tires := 0
	for _, variable := range system.Variables() {
		name, isTire := strings.CutSuffix(variable.Name, ".model")
		if !isTire || variable.Kind != cosim.Text || strings.Contains(name, ".") {
			continue
		}
		tires++
		file := "fiala_generic4w.toml"
		if model == "skidder" {
			file = "fiala_skidder_front.toml"
		}
		if err := in.SetText(variable.Name, counted); err != nil {
			return none, err
		}
		if err := in.SetText(name+".file", filepath.Join("..", "tires", file)); err != nil {
			return none, err
		}
	}
	if err := in.SetText("solver.method", method); err != nil {
		return none, err
	}
	if err := in.Initialise(); err != nil {
		return none, err
	}
	const steps, step = 2000, 0.001
	least, largest := 0, 0
	for n := range steps {
		for _, name := range []string{"steer_FL.angle", "steer_FR.angle", "articulation.angle"} {
			at, found := system.Find(name)
			if !found {
				continue
			}
			if err := in.Set(at, 0.05*float64(n+1)/steps); err != nil {
				return none, err
			}
		}
		before := calls.Load()
		if err := in.Step(step); err != nil {
			return none, err
		}
		count := int(calls.Load() - before)
		if least, largest = min(least, count), max(largest, count); n == 0 {
			least, largest = count, count
		}
	}
	if least%tires != 0 || largest%tires != 0 {
		return none, fmt.Errorf("%d tires were called %d to %d times", tires, least, largest)
	}
	of, _ := solver.Lookup(method)
	cost := system.Program().RateCost.Total()
	part := statements.SameInEveryStep(fmt.Sprintf("%d steps", steps), least/tires, largest/tires, int(of.Evaluations))
	return statements.NewCheck("T4",
		fmt.Sprintf("all steps do the same instructions (%d operations in an evaluation)", cost), part), nil
}
