package fmu_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/fmu"
)

// stateReferences lists the states in the order of the state vector.
func (m *importer) stateReferences() (references []uint32) {
	for _, d := range m.table.Derivatives {
		references = append(references, m.table.Variables[d.Reference].State)
	}
	return references
}

// In Continuous-Time Mode states are set by reference like the whole vector, alone or among inputs, with the same bits.
func TestStatesAreSetByReferenceInContinuousTimeMode(t *testing.T) {
	for _, model := range []string{"skidder", "wheel_rolling"} { // of the latter, states without start values
		for _, settings := range []fmu.Settings{me2, me3} {
			whole, single := instantiate(t, model, settings), instantiate(t, model, settings)
			n := len(whole.table.Derivatives)
			x, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
			for _, m := range []*importer{whole, single} {
				m.initialise(0)
				m.ok(m.EnterContinuousTimeMode())
				m.ok(m.GetContinuousStates(x))
			}
			for i := range x {
				x[i] += 0.01 * math.Sin(float64(i+1))
			}
			whole.ok(whole.SetContinuousStates(x))
			whole.ok(whole.GetDerivatives(want))
			references := single.stateReferences()
			for i := n - 1; i >= 0; i-- { // one after the other, in any order
				single.ok(single.SetReal(references[i:i+1], x[i:i+1]))
			}
			single.ok(single.GetContinuousStates(got))
			single.same(model+", states", got, x)
			single.ok(single.Get(fmu.Real, references, got))
			single.same(model+", states by reference", got, x)
			single.ok(single.GetDerivatives(got))
			single.same(model+", derivatives", got, want)

			var input uint32 // and all at once, between inputs
			for _, v := range single.table.Variables {
				if v.Causality == fmu.Input {
					input = v.Reference
				}
			}
			for i := range x {
				x[i] += 0.01
			}
			whole.ok(whole.SetReal([]uint32{input}, []float64{0.03}))
			whole.ok(whole.SetContinuousStates(x))
			whole.ok(whole.GetDerivatives(want))
			single.ok(single.SetReal(append(references, input), append(x, 0.03)))
			single.ok(single.GetDerivatives(got))
			single.same(model+", with an input", got, want)
		}
	}
}

// Values that are not finite are discarded, as by SetContinuousStates, and change nothing.
func TestStatesSetByReferenceAreFinite(t *testing.T) {
	for _, settings := range []fmu.Settings{me2, me3} {
		m := instantiate(t, "skidder", settings)
		m.initialise(0)
		m.ok(m.EnterContinuousTimeMode())
		n := len(m.table.Derivatives)
		before, after := make([]float64, n), make([]float64, n)
		m.ok(m.GetContinuousStates(before))
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if s := m.SetReal(m.stateReferences()[:2], []float64{7, bad}); s != fmu.Discard {
				t.Errorf("%g: status %d", bad, s)
			}
			m.ok(m.GetContinuousStates(after))
			m.same("states", after, before)
		}
	}
}

// Elsewhere states belong to the solver, or are what initialisation made of the start values.
func TestStatesAreSetByReferenceNowhereElse(t *testing.T) {
	for name, settings := range map[string]fmu.Settings{"co-simulation 2.0": cs2, "co-simulation 3.0": cs3,
		"Event Mode 2.0": me2, "Event Mode 3.0": me3} {
		m := instantiate(t, "skidder", settings)
		m.initialise(0)
		m.Messages = nil
		if s := m.SetReal([]uint32{m.ref("front.vx")}, []float64{1}); s != fmu.Error ||
			!strings.Contains(m.Messages[0].Text, "front.vx") {
			t.Errorf("%s: status %d, %v", name, s, m.Messages)
		}
	}
	for _, settings := range []fmu.Settings{me2, me3} { // nor are other variables settable there
		for _, other := range []string{"front.mass", "front.ax", "der(front.vx)", "time"} {
			m := instantiate(t, "skidder", settings)
			m.initialise(0)
			m.ok(m.EnterContinuousTimeMode())
			if s := m.SetReal([]uint32{m.ref(other)}, []float64{1}); s != fmu.Error {
				t.Errorf("%s is set in Continuous-Time Mode: status %d", other, s)
			}
		}
	}
}
