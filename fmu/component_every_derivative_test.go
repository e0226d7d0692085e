package fmu_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// derivatives asks an instance for derivatives by and of every variable in one state of the state
// machine.
type derivatives struct {
	*importer
	state            string
	knowns, unknowns []uint32 // that are allowed
	revive           func()   // after an error
}

// every finds out by rules of the standard what is allowed: in Initialization Mode start values
// count, afterwards the continuous states.
func (m *importer) every(state string) *derivatives {
	d := &derivatives{importer: m, state: state}
	saved := make([]byte, m.StateSize())
	m.ok(m.Save(saved))
	d.revive = func() { m.ok(m.Restore(saved)) }
	var states []uint32
	for _, u := range m.table.Derivatives {
		states = append(states, m.table.Variables[u.Reference].State)
	}
	for i := range m.table.Variables {
		v := &m.table.Variables[i]
		if v.Type != fmu.Real {
			continue
		}
		known, unknown := v.Causality == fmu.Parameter || v.Causality == fmu.Input || v.Causality == fmu.Independent,
			v.Causality == fmu.Output || v.Derivative
		if state == "Initialization Mode" {
			known, unknown = known || v.HasStart(), unknown || slices.Contains(states, v.Reference)
		} else {
			known = known || slices.Contains(states, v.Reference)
		}
		if known {
			d.knowns = append(d.knowns, v.Reference)
		}
		if unknown {
			d.unknowns = append(d.unknowns, v.Reference)
		}
	}
	return d
}

// ask makes a call; 0 is the result where there is no finite derivative, which a message must say.
func (d *derivatives) ask(call func(unknowns, knowns []uint32, seed, result []float64) fmu.Status, unknowns,
	knowns []uint32, seed []float64, n int) []float64 {
	d.Helper()
	result := make([]float64, n)
	d.Messages = nil
	switch s := call(unknowns, knowns, seed, result); {
	case s == fmu.Discard && len(d.Messages) == 1 && strings.Contains(d.Messages[0].Text, "no finite derivative"):
		return nil
	case s != fmu.OK:
		d.Errorf("%s, unknowns %v, knowns %v: status %d, %v", d.state, unknowns, knowns, s, d.Messages)
		d.revive()
		return nil
	}
	for _, x := range result {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			d.Errorf("%s, unknowns %v, knowns %v: %v", d.state, unknowns, knowns, result)
			break
		}
	}
	return result
}

// refused makes a call that is not allowed.
func (d *derivatives) refused(unknown, known uint32) {
	d.Helper()
	call := d.DirectionalDerivative
	if (unknown+known)%2 == 1 {
		call = d.AdjointDerivative
	}
	d.Messages = nil
	if s := call([]uint32{unknown}, []uint32{known}, []float64{1}, []float64{0}); s != fmu.Error ||
		len(d.Messages) != 1 || d.Messages[0].Text == "" {
		d.Errorf("%s: d %s/d %s has status %d, messages %v", d.state, d.table.Variables[unknown].Name,
			d.table.Variables[known].Name, s, d.Messages)
	}
	d.revive()
}

// compare asks for everything that is allowed, and checks whether both kinds of derivatives agree.
func (d *derivatives) compare(r *rand.Rand) {
	d.Helper()
	columns := make([][]float64, len(d.knowns))
	for k, known := range d.knowns {
		columns[k] = d.ask(d.DirectionalDerivative, d.unknowns, []uint32{known}, []float64{1}, len(d.unknowns))
		if v := &d.table.Variables[known]; v.Causality == fmu.Independent || v.Name == cosim.StepVariable ||
			v.Name == cosim.ToleranceVariable {
			for i, x := range columns[k] {
				if x != 0 {
					d.Errorf("%s: %s by %s, which no equation mentions, is %g", d.state,
						d.table.Variables[d.unknowns[i]].Name, v.Name, x)
				}
			}
		}
	}
	for i, unknown := range d.unknowns {
		row := d.ask(d.AdjointDerivative, []uint32{unknown}, d.knowns, []float64{1}, len(d.knowns))
		if i == 0 { // named twice, it counts twice
			if twice := d.ask(d.AdjointDerivative, []uint32{unknown, unknown}, d.knowns, []float64{0.5, 0.5},
				len(d.knowns)); !slices.Equal(row, twice) {
				d.Errorf("%s: the halves of an unknown are not the unknown", d.state)
			}
		}
	}
	if halves := d.ask(d.DirectionalDerivative, d.unknowns, []uint32{d.knowns[0], d.knowns[0]}, []float64{0.5, 0.5},
		len(d.unknowns)); !slices.Equal(halves, columns[0]) {
		d.Errorf("%s: the halves of a known are not the known", d.state)
	}
	direction, weights := make([]float64, len(d.knowns)), make([]float64, len(d.unknowns))
	for k, known := range d.knowns {
		direction[k] = max(0.01, math.Abs(d.at(known))) * r.NormFloat64()
	}
	for i := range d.unknowns {
		weights[i] = r.NormFloat64()
	}
	forwards, backwards, size := 0.0, 0.0, 0.0
	along := d.ask(d.DirectionalDerivative, d.unknowns, d.knowns, direction, len(d.unknowns))
	against := d.ask(d.AdjointDerivative, d.unknowns, d.knowns, weights, len(d.knowns))
	if along == nil || against == nil || slices.ContainsFunc(columns, func(c []float64) bool { return c == nil }) {
		d.Logf("%s: not all derivatives are finite", d.state)
		return
	}
	for i, x := range along {
		forwards += weights[i] * x
	}
	for k, x := range against {
		backwards += direction[k] * x
		for i, w := range weights {
			size += math.Abs(w * columns[k][i] * direction[k])
		}
	}
	if !(math.Abs(forwards-backwards) <= 1e-12*size) {
		d.Errorf("%s: u.(J v) = %.17g, v.(J'u) = %.17g, of terms of %g", d.state, forwards, backwards, size)
	}
}

func (d *derivatives) at(r uint32) float64 {
	d.Helper()
	var v [1]float64
	d.ok(d.Get(fmu.Real, []uint32{r}, v[:]))
	return v[0]
}

// everywhere visits a state of the state machine.
func (m *importer) everywhere(state string, r *rand.Rand) {
	m.Helper()
	d := m.every(state)
	d.compare(r)
	for i := range m.table.Variables {
		v := uint32(i)
		if !slices.Contains(d.knowns, v) {
			d.refused(d.unknowns[0], v)
		}
		if !slices.Contains(d.unknowns, v) {
			d.refused(v, d.knowns[0])
		}
	}
}

// hiddenStates makes a model whose states are no outputs, and returns its name.
func hiddenStates(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../resources/models/driver_lane_change.toml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "hidden_states.toml")
	if err := os.WriteFile(path, append([]byte("outputs = [\"driver.torque\", \"driver.acceleration\"]\n"), text...),
		0o600); err != nil {
		t.Fatal(err)
	}
	s, err := cosim.Load(path, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.First(cosim.Rate) == s.First(cosim.State) {
		t.Fatal("all states are outputs")
	}
	systems.Store("hidden_states", loaded{s, fmu.Describe(s)})
	return "hidden_states"
}

// Every variable is tried as known and as unknown, in every state, for all models. Derivatives are finite, or an error
// states the reason. Directional and adjoint derivatives agree with one matrix.
func TestDerivativesByAndOfEveryVariable(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(err, len(files))
	}
	files = append(files, hiddenStates(t))
	for i, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for j, settings := range []fmu.Settings{cs2, me2, {Version: 3, Interface: fmu.CoSimulation, Logging: true,
				EventMode: true}, me3} {
				if !testrun.All() && (i+j+j/2)%2 != 0 { // each model with one interface of each version
					continue
				}
				if settings.Interface == fmu.ModelExchange && load(t, name).system.HasDiscreteContacts() {
					continue // co-simulation only
				}
				r := rand.New(rand.NewPCG(41, 42))
				m := instantiate(t, name, settings)
				illegal := func(state string) {
					t.Helper()
					m.Messages = nil
					if s := m.DirectionalDerivative([]uint32{0}, []uint32{0}, []float64{1},
						[]float64{0}); s != fmu.Error || len(m.Messages) != 1 || !strings.Contains(m.Messages[0].Text,
						"not allowed in") {
						t.Errorf("%s: status %d, %v", state, s, m.Messages)
					}
				}
				illegal("Instantiated")
				illegal("after an error")
				m.ok(m.Reset())
				m.ok(m.EnterInitializationMode(true, 0, false, 0))
				m.everywhere("Initialization Mode", r)
				m.ok(m.ExitInitializationMode())
				if settings.Interface == fmu.ModelExchange || settings.EventMode {
					m.everywhere("Event Mode", r)
				}
				if settings.Interface == fmu.ModelExchange {
					m.ok(m.EnterContinuousTimeMode())
					m.everywhere("Continuous-Time Mode", r)
				} else {
					if settings.EventMode {
						m.ok(m.EnterStepMode())
					}
					_, s := m.DoStep(0, 0.01)
					m.ok(s)
					m.everywhere("Step Mode", r)
				}
				m.ok(m.Terminate())
				m.everywhere("Terminated", r)
			}
		})
	}
}
