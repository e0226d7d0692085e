package fmu_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/tire"
)

// readings are all ways to read what the model computes from the values set so far.
func (m *importer) readings(settings fmu.Settings) map[string]func() fmu.Status {
	r := m.numbers()
	unknown, known := []uint32{m.table.Initial[len(m.table.Initial)-1].Reference}, []uint32{m.ref("road.z")}
	one, n := []float64{1}, len(m.table.Derivatives)
	calls := map[string]func() fmu.Status{
		"numbers": func() fmu.Status { return m.Get(fmu.Real, r, make([]float64, len(r))) },
		"forward derivatives": func() fmu.Status {
			return m.DirectionalDerivative(unknown, known, one, []float64{0})
		},
		"adjoint derivatives": func() fmu.Status { return m.AdjointDerivative(unknown, known, one, []float64{0}) },
	}
	if settings.Interface == fmu.ModelExchange {
		calls["states"] = func() fmu.Status { return m.GetContinuousStates(make([]float64, n)) }
		calls["derivatives"] = func() fmu.Status { return m.GetDerivatives(make([]float64, n)) }
		calls["indicators"] = func() fmu.Status {
			return m.GetEventIndicators(make([]float64, len(m.table.Indicators)))
		}
	}
	return calls
}

// numbers lists all variables that are numbers.
func (m *importer) numbers() (references []uint32) {
	for _, v := range m.table.Variables {
		if v.Type == fmu.Real {
			references = append(references, v.Reference)
		}
	}
	return references
}

// A start that contradicts itself while an importer tries values is no error: nothing can be computed of it, and the
// importer goes on. What follows is what it would have been without the trial.
func TestATrialInInitializationModeEndsNothing(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3, me2, me3} {
		plain, m := instantiate(t, "disc", settings), instantiate(t, "disc", settings)
		for _, i := range []*importer{plain, m} {
			i.ok(i.SetString([]uint32{i.ref(cosim.AssembleVariable)}, []string{"never"}))
			i.ok(i.EnterInitializationMode(true, 0, false, 0))
		}
		height := m.get("road.z")
		for name, read := range m.readings(settings) {
			m.ok(read())
			m.set("road.z", height+0.25)
			for range 2 {
				m.Messages = nil
				if status := read(); status != fmu.Discard || len(m.Messages) != 1 ||
					!strings.Contains(m.Messages[0].Text, "the start violates constraints by 0.25") {
					t.Errorf("FMI %d, %s: status %d, messages %v", settings.Version, name, status, m.Messages)
				}
			}
			m.set("road.z", height)
			m.ok(read())
		}
		for _, i := range []*importer{plain, m} {
			i.ok(i.ExitInitializationMode())
		}
		if !slices.Equal(stateBytes(m), stateBytes(plain)) {
			t.Errorf("FMI %d: the trials have changed the start", settings.Version)
		}
	}
}

func stateBytes(m *importer) []byte {
	state := make([]byte, m.StateSize())
	m.ok(m.Save(state))
	return state
}

// The same for every value that can be set in Initialization Mode, in steps that no importer means and solvers of
// algebraic loops take.
func TestNoTrialValueEndsAnInstance(t *testing.T) {
	for _, model := range []string{"disc", "halfcar", "generic4w", "bicycle"} {
		m := instantiate(t, model, cs3)
		m.ok(m.EnterInitializationMode(true, 0, false, 0))
		all := m.numbers()
		before, after := make([]float64, len(all)), make([]float64, len(all))
		m.ok(m.Get(fmu.Real, all, before))
		discarded := 0
		for _, v := range m.table.Variables {
			if v.Type != fmu.Real || !v.HasStart() {
				continue
			}
			was := m.get(v.Name)
			for _, trial := range []float64{was + 0.25, 1e9 * (1 + math.Abs(was)), 0} {
				if i, _ := m.system.Find(v.Name); i < 0 || !allowed(m, v.Name, trial) {
					continue
				}
				m.set(v.Name, trial)
				switch status := m.Get(fmu.Real, all, after); status {
				case fmu.Discard:
					discarded++
				case fmu.OK:
				default:
					t.Fatalf("%s, %s = %g: status %d, %v", model, v.Name, trial, status, m.Messages)
				}
				m.Messages = nil
				m.set(v.Name, was)
			}
		}
		m.ok(m.Get(fmu.Real, all, after))
		m.same("values after all trials", after, before)
		if discarded == 0 {
			t.Errorf("%s: every trial can be computed", model)
		}
		m.ok(m.ExitInitializationMode())
	}
}

// allowed reports whether a value is in the range of a variable: one outside is an error.
func allowed(m *importer, name string, value float64) bool {
	probe, err := m.system.Instantiate()
	if err != nil {
		m.Fatal(err)
	}
	i, _ := m.system.Find(name)
	return probe.Check(i, value) == nil
}

// A tire that asks for a shorter step ends no model exchange: the importer's solver goes back to another state.
func TestATireCanAskASolverForAShorterStep(t *testing.T) {
	for _, settings := range []fmu.Settings{me2, me3} {
		m := withAilingTire(t, settings)
		m.ok(m.EnterContinuousTimeMode())
		n := len(m.table.Derivatives)
		x, dx := make([]float64, n), make([]float64, n)
		m.ok(m.GetContinuousStates(x))
		m.ok(m.SetContinuousStates(x))
		ailing.failure = fmt.Errorf("too far: %w", tire.ErrShorter)
		for range 2 {
			if s := m.GetDerivatives(dx); s != fmu.Discard {
				t.Errorf("FMI %d: derivatives: status %d, %v", settings.Version, s, m.Messages)
			}
			if s := m.Get(fmu.Real, []uint32{m.ref("front.ax")}, dx[:1]); s != fmu.Discard {
				t.Errorf("FMI %d: a number: status %d, %v", settings.Version, s, m.Messages)
			}
		}
		ailing.failure = nil
		m.ok(m.SetContinuousStates(x))
		m.ok(m.GetDerivatives(dx))
	}
}

// What an importer names wrongly stays an error, in Initialization Mode, too.
func TestAMistakeInInitializationModeIsAnError(t *testing.T) {
	for name, call := range map[string]func(m *importer) fmu.Status{
		"a reference": func(m *importer) fmu.Status {
			return m.Get(fmu.Real, []uint32{uint32(len(m.table.Variables))}, []float64{0})
		},
		"an unknown": func(m *importer) fmu.Status {
			return m.DirectionalDerivative([]uint32{m.ref("wheel.mass")}, []uint32{m.ref("road.z")}, []float64{1},
				[]float64{0})
		},
		"a known": func(m *importer) fmu.Status {
			return m.AdjointDerivative([]uint32{m.table.Initial[0].Reference}, []uint32{m.table.Initial[0].Reference},
				[]float64{1}, []float64{0})
		},
	} {
		m := instantiate(t, "disc", cs3)
		m.ok(m.EnterInitializationMode(true, 0, false, 0))
		if status := call(m); status != fmu.Error {
			t.Errorf("%s: status %d, %v", name, status, m.Messages)
		}
	}
}

// Every continuous output of the model description has a derivative after a step. The derivative of a discrete output
// is 0; requesting it is not an error.
func TestEveryOutputHasADerivative(t *testing.T) {
	for _, model := range []string{"generic4w", "skidder", "disc"} {
		for _, settings := range []fmu.Settings{cs2, cs3} {
			m := instantiate(t, model, settings)
			m.initialise(0)
			_, status := m.DoStep(0, 0.001)
			m.ok(status)
			for _, v := range m.table.Variables {
				if v.Type != fmu.Real || v.Causality != fmu.Output {
					continue
				}
				slope := []float64{math.NaN()}
				status := m.GetOutputDerivatives([]uint32{v.Reference}, []int32{1}, slope)
				if status != fmu.OK || math.IsNaN(slope[0]) || v.Variability == fmu.Discrete && slope[0] != 0 {
					t.Fatalf("%s, %s: derivative %g, status %d, %v", model, v.Name, slope[0], status, m.Messages)
				}
			}
			for _, name := range []string{"solver.ended", "solver.ended_at"} {
				if v := m.table.Variables[m.ref(name)]; v.Variability != fmu.Discrete {
					t.Errorf("%s: %s is %v", model, name, v.Variability)
				}
			}
			_, status = m.DoStep(0.001, 0.001)
			m.ok(status)
		}
	}
}

// Derivatives of outputs can be read wherever outputs can: masters ask in Initialization Mode. Start values set so far
// count there, and the derivatives are the same before the first step. The place of a vehicle changes with its speed.
func TestOutputDerivativesBeforeTheFirstStep(t *testing.T) {
	for _, model := range []string{"generic4w", "skidder", "disc"} {
		for _, settings := range []fmu.Settings{cs2, cs3, {Version: 3, Interface: fmu.CoSimulation, EventMode: true}} {
			m := instantiate(t, model, settings)
			var outputs []uint32
			for _, v := range m.table.Variables {
				if v.Type == fmu.Real && v.Causality == fmu.Output {
					outputs = append(outputs, v.Reference)
				}
			}
			orders, slopes := slices.Repeat([]int32{1}, len(outputs)), [3][]float64{}
			for k := range slopes {
				slopes[k] = slices.Repeat([]float64{math.NaN()}, len(outputs))
			}
			want := fmu.OK
			if settings.Version == 2 { // as for the outputs
				want = fmu.Warning
			}
			if status := m.GetOutputDerivatives(outputs, orders, slopes[0]); status != want {
				t.Errorf("%s, FMI %d: status %d in Instantiated, want %d", model, settings.Version, status, want)
			}
			if model == "generic4w" {
				m.set("body.vx", 17)
			}
			m.ok(m.EnterInitializationMode(true, 0, false, 0))
			m.ok(m.GetOutputDerivatives(outputs, orders, slopes[1]))
			if model == "generic4w" {
				if got := slopes[1][slices.Index(outputs, m.ref("body.x"))]; !(math.Abs(got-17) <= 1e-13) {
					t.Errorf("FMI %d: body.x changes with %g m/s, want 17", settings.Version, got)
				}
			} else {
				m.same(model+" in Instantiated and Initialization Mode", slopes[0], slopes[1])
			}
			m.ok(m.ExitInitializationMode())
			m.ok(m.GetOutputDerivatives(outputs, orders, slopes[2]))
			m.same(model+" in Initialization Mode and before the first step", slopes[1], slopes[2])
		}
	}
}

// Maestro passes the reference of der(x) for the derivative of the output x. States that are no outputs have none, and
// neither has FMI 3.0.
func TestDerivativesOfOutputsByTheNameOfTheDerivative(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3} {
		m := instantiate(t, "generic4w", settings)
		m.initialise(0)
		m.set("brake_FL.torque", 300)
		_, status := m.DoStep(0, 0.1)
		m.ok(status)
		slopes, orders := []float64{math.NaN(), math.NaN()}, []int32{1, 2}
		for _, v := range m.table.Variables {
			if !v.Derivative {
				continue
			}
			m.Component.Messages = nil
			output := m.table.Variables[v.State].Causality == fmu.Output && settings.Version == 2
			status := m.GetOutputDerivatives([]uint32{v.Reference, v.Reference}, orders, slopes)
			switch {
			case output && status != fmu.OK, !output && status != fmu.Error:
				t.Fatalf("FMI %d, %s: status %d, %v", settings.Version, v.Name, status, m.Messages)
			case !output:
				m.ok(m.Reset())
				m.initialise(0)
				continue
			}
			// rates and tangents are computed by different code
			if want := m.get(v.Name); !(math.Abs(slopes[0]-want) <= 1e-12*(1+math.Abs(want))) || slopes[1] != 0 {
				t.Errorf("%s: derivatives %g, want %g and 0", v.Name, slopes, want)
			}
		}
	}
}

// In an intermediate update, derivatives are available for the named variables only.
func TestDerivativesInAnUpdateAreOfNamedOutputs(t *testing.T) {
	l := load(t, "generic4w")
	vx, _ := l.table.Find("body.vx")
	for name, want := range map[string]fmu.Status{"body.vx": fmu.OK, "body.vy": fmu.Error} {
		s := cs3
		s.Intermediate, s.IntermediateReferences = true, []uint32{vx}
		m := instantiate(t, "generic4w", s)
		m.initialise(0)
		if result, _ := m.DoStep(0, 0.002); result.Pause != fmu.PauseForUpdate {
			t.Fatal("no intermediate update")
		}
		if status := m.GetOutputDerivatives([]uint32{m.ref(name)}, []int32{1}, []float64{0}); status != want {
			t.Errorf("%s: status %d, want %d", name, status, want)
		}
	}
}
