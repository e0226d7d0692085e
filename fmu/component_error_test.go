package fmu_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"skidpad/fmu"
	"skidpad/tire"
)

// ailing is a force function that fails while it is told to.
var ailing struct {
	register sync.Once
	failure  error
}

type ailingTire struct{}

func (ailingTire) Eval(in, out []float64) { clear(out) }
func (ailingTire) Fault() error           { return ailing.failure }

// withAilingTire returns an instance of the skidder with that function at one wheel.
func withAilingTire(t *testing.T, s fmu.Settings) *importer {
	t.Helper()
	ailing.register.Do(func() {
		err := tire.Register(tire.Kind{
			Name: "Ailing", Inputs: []string{"Fz"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
			Open: func(tire.OpenRequest) (tire.Function, error) { return ailingTire{}, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	ailing.failure = nil
	t.Cleanup(func() { ailing.failure = nil })
	m := instantiate(t, "skidder", s)
	m.ok(m.SetString([]uint32{m.ref("tire_FL.model"), m.ref("tire_FL.file")}, []string{"Ailing", ""}))
	m.initialise(0)
	return m
}

// computed lists variables of every kind that the model computes.
func (m *importer) computed() (references []uint32) {
	for _, v := range m.table.Variables {
		if v.Type == fmu.Real && !v.HasStart() && v.Causality != fmu.Independent {
			references = append(references, v.Reference)
		}
	}
	return append(references, m.ref("front.x"), m.ref("front.vx"))
}

// refuses checks that a call which ends with status gave an error that names a cause.
func (m *importer) refuses(what, cause string, status fmu.Status) {
	m.Helper()
	if status != fmu.Error || len(m.Messages) == 0 || !strings.Contains(m.Messages[len(m.Messages)-1].Text, cause) {
		m.Errorf("%s: status %d, messages %v; want an error that names %q", what, status, m.Messages, cause)
	}
	m.Messages = nil
}

// What the model cannot compute is refused after an error, again and again; it is never a value of another time.
func TestNoValueOfAnotherTimeIsReadAfterAnError(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3} {
		m := withAilingTire(t, settings)
		m.set("brake_FL.torque", 50)
		for k := range 5 {
			_, status := m.DoStep(0.01*float64(k), 0.01)
			m.ok(status)
		}
		state := make([]byte, m.StateSize())
		m.ok(m.Save(state))
		ailing.failure = errors.New("the rubber is gone")
		_, status := m.DoStep(0.05, 0.01)
		m.refuses("the step", "the rubber is gone", status)
		for range 2 {
			for _, r := range m.computed() {
				value := []float64{0}
				m.refuses(m.table.Variables[r].Name, "the rubber is gone", m.Get(fmu.Real, []uint32{r}, value))
			}
			contact := m.ref("tire_FL.contact")
			m.refuses("a contact", "the rubber is gone", m.Get(fmu.Boolean, []uint32{contact}, []float64{0}))
			m.refuses("a derivative", "the rubber is gone",
				m.GetOutputDerivatives([]uint32{m.ref("front.vx")}, []int32{1}, []float64{0}))
		}
		if m.Readable() {
			t.Error("the importer's side may read the window")
		}
		if time, brake := m.get("time"), m.get("brake_FL.torque"); time != 0.05 || brake != 50 { // what needs no tire
			t.Errorf("time %g s, brake torque %g N m; want 0.05 and 50", time, brake)
		}
		ailing.failure = nil // one that passes leaves the values of the latest step
		references := m.computed()
		got, want := make([]float64, len(references)), make([]float64, len(references))
		m.ok(m.Get(fmu.Real, references, got))
		m.ok(m.Restore(state))
		m.ok(m.Get(fmu.Real, references, want))
		m.same("values after the error", got, want)
	}
}

// The same in model exchange, for all ways to read.
func TestNoDerivativeOfAnotherTimeIsReadAfterAnError(t *testing.T) {
	for _, settings := range []fmu.Settings{me2, me3} {
		m := withAilingTire(t, settings)
		m.ok(m.EnterContinuousTimeMode())
		n := len(m.table.Derivatives)
		x, dx := make([]float64, n), make([]float64, n)
		m.ok(m.GetContinuousStates(x))
		m.ok(m.GetDerivatives(dx))
		x[0]++
		m.ok(m.SetTime(0.5))
		m.ok(m.SetContinuousStates(x))
		ailing.failure = errors.New("the rubber is gone")
		for range 2 {
			m.refuses("derivatives", "the rubber is gone", m.GetDerivatives(dx))
			m.refuses("states", "the rubber is gone", m.GetContinuousStates(x))
			m.refuses("indicators", "the rubber is gone",
				m.GetEventIndicators(make([]float64, len(m.table.Indicators))))
			for _, r := range m.computed() {
				m.refuses(m.table.Variables[r].Name, "the rubber is gone", m.Get(fmu.Real, []uint32{r}, []float64{0}))
			}
		}
	}
}

// An error before initialisation leaves what has a start value readable, and nothing else.
func TestUncomputedValuesAreRejectedAfterAnError(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3, me2, me3} {
		m := instantiate(t, "skidder", settings)
		m.set("front.mass", 7000)
		m.refuses("an unknown reference", "unknown value reference",
			m.SetReal([]uint32{uint32(len(m.table.Variables))}, []float64{1}))
		if mass := m.get("front.mass"); mass != 7000 {
			t.Errorf("the mass is %g kg, want 7000", mass)
		}
		m.refuses("front.ax", "front.ax has no value before initialisation",
			m.Get(fmu.Real, []uint32{m.ref("front.ax")}, []float64{0}))
	}
}
