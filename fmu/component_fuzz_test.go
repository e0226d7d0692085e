package fmu_test

import (
	"slices"
	"testing"

	"skidpad/fmu"
	"skidpad/harness/tests/fuzzinputs"
)

func FuzzCalls(f *testing.F) {
	fuzzinputs.Add(f, []byte{0, 1, 2, 3, 4, 5, 6, 7}, true, false)
	fuzzinputs.Add(f, []byte{1, 2, 9, 9, 9, 20, 21, 9, 5}, false, true)
	f.Fuzz(func(t *testing.T, calls []byte, three, exchange bool) {
		s := fmu.Settings{Version: 2, Interface: fmu.CoSimulation, Logging: true}
		if three {
			s.Version, s.EventMode, s.EarlyReturn, s.Intermediate = 3, len(calls)%2 == 0, len(calls)%3 == 0,
				len(calls)%5 == 0
		}
		if exchange {
			s.Interface, s.EventMode, s.Intermediate = fmu.ModelExchange, false, false
		}
		m := instantiate(t, "skidder", s)
		state := []byte{}
		value := make([]float64, 40)
		n := len(m.table.Derivatives)
		for i, c := range calls[:min(len(calls), 200)] {
			m.Messages = m.Messages[:0]
			x := float64(i) * 0.001
			var status fmu.Status
			switch r := []uint32{uint32(c) * 3}; c % 29 {
			case 0:
				status = m.SetupExperiment(x, c&1 == 0, x+1)
			case 1:
				status = m.EnterInitializationMode(s.Version == 3, x, false, 0)
			case 2:
				status = m.ExitInitializationMode()
			case 3:
				status = m.Terminate()
			case 4:
				status = m.Get(fmu.Real, r, value)
			case 5:
				status = m.SetReal(r, value)
			case 6:
				_, status = m.DoStep(m.now(), 0.001)
			case 7:
				_, status = m.Resume(c&64 == 0, x)
			case 8:
				status = m.EnterEventMode()
			case 9:
				status = m.UpdateDiscreteStates()
			case 10:
				status = m.EnterContinuousTimeMode()
			case 11:
				status = m.EnterStepMode()
			case 12:
				status = m.SetTime(x)
			case 13:
				status = m.GetContinuousStates(value[:n])
			case 14:
				status = m.SetContinuousStates(value[:n])
			case 15:
				status = m.GetDerivatives(value[:n])
			case 16:
				status = m.GetEventIndicators(value[:4])
			case 17:
				state = make([]byte, m.StateSize())
				status = m.Save(state)
			case 18:
				status = m.Restore(state)
			case 19:
				status = m.DirectionalDerivative(r, r, value[:1], value[:1])
			case 20:
				status = m.AdjointDerivative(r, r, value[:1], value[:1])
			case 21:
				status = m.SetInputDerivatives(r, []int32{int32(c % 3)}, value[:1])
			case 22:
				status = m.GetOutputDerivatives(r, []int32{int32(c % 3)}, value[:1])
			case 23:
				_, status = m.GetString(r)
			case 24:
				status = m.SetString(r, []string{"rk4"})
			case 25:
				status = m.GetNominals(value[:n])
			case 26:
				status = m.CompletedIntegratorStep()
			case 27:
				_, status = m.Dependencies(r[0])
			case 28:
				status = m.EvaluateDiscreteStates()
			}
			if status != fmu.OK && len(m.Messages) == 0 {
				t.Fatalf("call %d of %v returns %d without a message", i, calls, status)
			}
			if status == fmu.Error && m.Terminate() != fmu.Error {
				t.Fatal("the instance goes on after an error")
			}
		}
		m.ok(m.Reset())
		m.initialise(0)
		if v := m.get("front.vx"); v != 10 {
			t.Errorf("front.vx is %g after Reset", v)
		}
	})
}

func (m *importer) now() float64 {
	var v [1]float64
	m.Get(fmu.Real, []uint32{m.ref("time")}, v[:])
	return v[0]
}

func FuzzRestoreComponent(f *testing.F) {
	m := instantiate(f, "pendulum", cs3)
	m.initialise(0)
	state := make([]byte, m.StateSize())
	m.ok(m.Save(state))
	fuzzinputs.Add(f, state, uint16(3), byte(1))
	fuzzinputs.Add(f, state[:40], uint16(0), byte(0))
	f.Fuzz(func(t *testing.T, bytes []byte, at uint16, flip byte) {
		bytes = slices.Clone(bytes)
		if len(bytes) > 0 {
			bytes[int(at)%len(bytes)] ^= flip
		}
		m := instantiate(t, "pendulum", cs3)
		m.initialise(0)
		if s := m.Restore(bytes); s == fmu.OK {
			again := make([]byte, m.StateSize())
			m.ok(m.Save(again))
			if !slices.Equal(again, bytes) {
				t.Error("a restored state is not the one that was given")
			}
		} else if len(m.Messages) == 0 {
			t.Error("refused without a message")
		}
	})
}
