package fmu_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// The reference behind the last one names nothing, whatever it is used for.
func TestReferencesEndWithTheTable(t *testing.T) {
	beyond := []uint32{uint32(len(load(t, "skidder").table.Variables))}
	one := []float64{1}
	for name, call := range map[string]func(m *importer) fmu.Status{
		"Get":           func(m *importer) fmu.Status { return m.Get(fmu.Real, beyond, []float64{0}) },
		"Get a Boolean": func(m *importer) fmu.Status { return m.Get(fmu.Boolean, beyond, []float64{0}) },
		"GetString":     func(m *importer) fmu.Status { _, s := m.GetString(beyond); return s },
		"SetReal":       func(m *importer) fmu.Status { return m.SetReal(beyond, one) },
		"SetString":     func(m *importer) fmu.Status { return m.SetString(beyond, []string{""}) },
		"SetBoolean":    func(m *importer) fmu.Status { return m.SetBoolean(beyond) },
		"a derivative of it": func(m *importer) fmu.Status {
			return m.DirectionalDerivative(beyond, []uint32{m.ref("brake_FL.torque")}, one, []float64{0})
		},
		"a derivative by it": func(m *importer) fmu.Status {
			return m.AdjointDerivative([]uint32{m.ref("front.ax")}, beyond, one, []float64{0})
		},
		"what it depends on": func(m *importer) fmu.Status { _, s := m.Dependencies(beyond[0]); return s },
		"SetInputDerivatives": func(m *importer) fmu.Status {
			return m.SetInputDerivatives(beyond, []int32{1}, one)
		},
		"GetOutputDerivatives": func(m *importer) fmu.Status {
			return m.GetOutputDerivatives(beyond, []int32{1}, []float64{0})
		},
	} {
		m := instantiate(t, "skidder", cs2)
		m.initialise(0)
		m.Messages = nil
		if s := call(m); s != fmu.Error || len(m.Messages) != 1 ||
			!strings.Contains(m.Messages[0].Text, "unknown value reference") {
			t.Errorf("%s: status %d, messages %v", name, s, m.Messages)
		}
		m.ok(m.Reset())
		last := []uint32{beyond[0] - 1}
		if _, s := m.Dependencies(last[0]); s != fmu.OK {
			t.Errorf("the last reference is unknown: %v", m.Messages)
		}
	}
	l := load(t, "skidder")
	s := cs3
	s.Intermediate, s.IntermediateReferences = true, beyond
	if c, err := fmu.NewComponent(l.system, l.table, s, make([]float64, l.system.First(cosim.Text))); err == nil {
		c.Close()
		t.Error("an intermediate variable that there is not is taken")
	}
}

// A restored instance asks for SetupExperiment if the saved one would have, whatever it was told itself.
func TestSavedStatesKnowWhetherTheExperimentWasSetUp(t *testing.T) {
	for _, setUp := range []bool{false, true} {
		from, to := instantiate(t, "skidder", cs2), instantiate(t, "skidder", cs2)
		if setUp {
			from.ok(from.SetupExperiment(3, false, 0))
		} else {
			to.ok(to.SetupExperiment(3, false, 0))
		}
		state := make([]byte, from.StateSize())
		from.ok(from.Save(state))
		to.ok(to.Restore(state))
		want, start := fmu.Warning, 0.0
		if setUp {
			want, start = fmu.OK, 3
		}
		if got := to.EnterInitializationMode(false, 0, false, 0); got != want {
			t.Errorf("set up %v: status %d after the state was restored, want %d: %v", setUp, got, want, to.Messages)
		}
		to.ok(to.ExitInitializationMode())
		if got := to.get("time"); got != start {
			t.Errorf("set up %v: the start is at %g s, want %g", setUp, got, start)
		}
	}
}

// After a discarded step the importer may end the simulation in both versions, and read where it stands.
func TestASimulationCanEndAfterADiscardedStep(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3} {
		m := instantiate(t, "skidder", settings)
		m.ok(m.SetString([]uint32{m.ref("solver.method")}, []string{"euler"}))
		m.set("solver.step", 0.5)
		m.initialise(0)
		speed := m.get("front.vx")
		if _, s := m.DoStep(0, 50); s != fmu.Discard {
			t.Fatalf("status %d: %v", s, m.Messages)
		}
		if settings.Version == 2 {
			failed := instantiate(t, "skidder", settings)
			failed.ok(failed.SetString([]uint32{failed.ref("solver.method")}, []string{"euler"}))
			failed.set("solver.step", 0.5)
			failed.initialise(0)
			failed.DoStep(0, 50)
			failed.Messages = nil
			if _, s := failed.DoStep(0, 0.001); s != fmu.Error || len(failed.Messages) != 1 ||
				!strings.Contains(failed.Messages[0].Text, "which Reset, Terminate and setting an FMU state end") {
				t.Errorf("a step after a discarded one: status %d, %v", s, failed.Messages)
			}
		}
		m.ok(m.Terminate())
		if got := m.get("front.vx"); got != speed || math.IsNaN(got) {
			t.Errorf("FMI %d.0: the speed is %g m/s after Terminate, want %g", settings.Version, got, speed)
		}
		if _, s := m.DoStep(0, 0.001); s != fmu.Error {
			t.Errorf("FMI %d.0: a step after Terminate has status %d", settings.Version, s)
		}
	}
}
