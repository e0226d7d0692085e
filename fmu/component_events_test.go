package fmu_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

func fall(m *importer) float64 {
	m.set("front.z", m.table.Variables[m.ref("front.z")].Start+0.4)
	m.set("front.vx", 0)
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		m.set("wheel_"+corner+".omega", 0)
	}
	m.ok(m.EnterInitializationMode(true, 0, false, 0))
	clearance := m.get("tire_FL.R_l") - m.get("tire_FL.unloaded_radius")
	k, d := m.get("tire_FL.vertical_stiffness"), m.get("tire_FL.vertical_damping")
	return (math.Sqrt(d*d+2*k*k*clearance/9.81) - d) / k
}

func TestTouchdownIsAnEventOfModelExchange(t *testing.T) {
	m := instantiate(t, "skidder", me3)
	touch := fall(m)
	m.ok(m.ExitInitializationMode())
	if m.get("tire_FL.contact") != 0 {
		t.Error("the tire has contact in the air")
	}
	m.ok(m.EnterContinuousTimeMode())
	n := len(m.table.Derivatives)
	x, dx, z := make([]float64, n), make([]float64, n), make([]float64, 4)
	m.ok(m.GetContinuousStates(x))
	at, h, events := 0.0, 1e-4, 0
	for range 4000 {
		m.ok(m.GetDerivatives(dx))
		for i := range x {
			x[i] += h * dx[i]
		}
		at += h
		m.ok(m.SetTime(at))
		m.ok(m.SetContinuousStates(x))
		m.ok(m.CompletedIntegratorStep())
		m.ok(m.GetEventIndicators(z))
		if before := m.get("tire_FL.contact"); z[0] > 0 && before == 0 {
			events++
			if !(math.Abs(at-touch) <= 2e-3) {
				t.Errorf("touchdown at %g s, by free fall at %g s", at, touch)
			}
			m.ok(m.EnterEventMode())
			m.ok(m.UpdateDiscreteStates())
			if m.get("tire_FL.contact") != 1 {
				t.Error("no contact after the event of touchdown")
			}
			if m.ok(m.GetEventIndicators(z)); !(z[0] > 0) {
				t.Errorf("the event indicator is %g after its event", z[0])
			}
			m.ok(m.EnterContinuousTimeMode())
			break
		}
	}
	if events != 1 {
		t.Errorf("%d events, want 1", events)
	}
}

func TestStepsEndEarlyAtATouchdownForMastersThatHandleEvents(t *testing.T) {
	for _, early := range []bool{true, false} {
		s := cs3
		s.EventMode, s.EarlyReturn = true, early
		m := instantiate(t, "skidder", s)
		touch := fall(m)
		m.ok(m.ExitInitializationMode())
		m.ok(m.UpdateDiscreteStates())
		m.ok(m.EnterStepMode())
		result, status := m.DoStep(0, 0.5)
		m.ok(status)
		if !result.EventNeeded || result.EarlyReturn != early {
			t.Fatalf("early return allowed %v: %+v", early, result)
		}
		if early && !(math.Abs(result.Last-touch) <= 2e-3) || !early && result.Last != 0.5 ||
			m.get("time") != result.Last {
			t.Errorf("the step ends at %g s, free fall at %g s", result.Last, touch)
		}
		if m.get("tire_FL.contact") != 0 {
			t.Error("contact before the event was handled")
		}
		m.ok(m.EnterEventMode())
		m.ok(m.UpdateDiscreteStates())
		if m.get("tire_FL.contact") != 1 {
			t.Error("no contact after the event was handled")
		}
		m.ok(m.EnterStepMode())
		result, status = m.DoStep(result.Last, 1e-3)
		m.ok(status)
		if result.EarlyReturn || result.EventNeeded {
			t.Errorf("the event comes again: %+v", result)
		}
	}
}

func TestWithoutEventModeContactsFollowTheForces(t *testing.T) {
	m := instantiate(t, "skidder", cs2)
	touch := fall(m)
	m.ok(m.ExitInitializationMode())
	contact, logged := m.get("tire_FL.contact"), 0
	for k := range 400 {
		result, status := m.DoStep(float64(k)*0.001, 0.001)
		m.ok(status)
		if result.EventNeeded || result.EarlyReturn {
			t.Fatalf("%+v", result)
		}
		if now := m.get("tire_FL.contact"); now != contact && contact == 0 {
			if !(math.Abs(result.Last-touch) <= 2e-3) {
				t.Errorf("touchdown at %g s, by free fall at %g s", result.Last, touch)
			}
			contact = now
		}
	}
	for _, message := range m.Messages {
		if message.Category == fmu.LogEvents && strings.Contains(message.Text, "tire_FL.contact = 1") {
			logged++
		}
	}
	if contact != 1 || logged == 0 {
		t.Errorf("contact %g, %d messages", contact, logged)
	}
}

func TestIntermediateUpdatesComeAfterEverySolverStepAndChangeNothing(t *testing.T) {
	plain := instantiate(t, "generic4w", cs3)
	plain.initialise(0)
	_, status := plain.DoStep(0, 0.02)
	plain.ok(status)
	s := cs3
	l := load(t, "generic4w")
	vx, _ := l.table.Find("body.vx")
	brake, _ := l.table.Find("brake_FL.torque")
	s.Intermediate, s.IntermediateReferences = true, []uint32{vx, brake}
	m := instantiate(t, "generic4w", s)
	m.initialise(0)
	result, status := m.DoStep(0, 0.02)
	pauses, last, speed := 0, 0.0, 20.0
	for result.Pause == fmu.PauseForUpdate {
		m.ok(status)
		pauses++
		if !(result.Last > last) {
			t.Errorf("intermediate update at %g s after one at %g s", result.Last, last)
		}
		last = result.Last
		if v := m.get("body.vx"); v == speed {
			t.Errorf("body.vx is %g still in the intermediate update at %g s", v, result.Last)
		} else {
			speed = v
		}
		result, status = m.Resume(false, 0)
	}
	m.ok(status)
	if pauses != 20 || result.Last != 0.02 {
		t.Errorf("%d intermediate updates, the step ends at %g s", pauses, result.Last)
	}
	for _, name := range []string{"body.vx", "body.z", "wheel_FL.omega"} {
		if got, want := m.get(name), plain.get(name); got != want {
			t.Errorf("%s is %.17g with intermediate updates, %.17g without", name, got, want)
		}
	}
	// others than the named variables cannot be used
	if result, status = m.DoStep(0.02, 0.002); result.Pause != fmu.PauseForUpdate {
		t.Fatal("no intermediate update")
	}
	m.ok(status)
	var v [1]float64
	if m.Get(fmu.Real, []uint32{m.ref("body.vy")}, v[:]) != fmu.Error {
		t.Error("a variable that was not named can be read")
	}
	m.ok(m.Reset())
	m.initialise(0)
	if result, _ = m.DoStep(0, 0.002); result.Pause != fmu.PauseForUpdate {
		t.Fatal("no intermediate update")
	}
	if m.SetReal([]uint32{m.ref("brake_RR.torque")}, []float64{1}) != fmu.Error {
		t.Error("an input that was not named can be set")
	}
}

func TestInputsSetInAnIntermediateUpdateActFromThere(t *testing.T) {
	l := load(t, "generic4w")
	brake, _ := l.table.Find("brake_FL.torque")
	s := cs3
	s.Intermediate, s.IntermediateReferences = true, []uint32{brake}
	a, b := instantiate(t, "generic4w", s), instantiate(t, "generic4w", cs3)
	for _, m := range []*importer{a, b} {
		m.set("steer_FL.rate", 0.5) // goes on while something else is set
		m.initialise(0)
	}
	result, status := a.DoStep(0, 0.02)
	for k := 1; result.Pause == fmu.PauseForUpdate; k++ {
		a.ok(status)
		if k == 10 {
			a.set("brake_FL.torque", 800)
		}
		result, status = a.Resume(false, 0)
	}
	a.ok(status)
	_, status = b.DoStep(0, 0.01)
	b.ok(status)
	b.set("brake_FL.torque", 800)
	_, status = b.DoStep(0.01, 0.01)
	b.ok(status)
	if got, want := a.get("wheel_FL.omega"), b.get("wheel_FL.omega"); got != want || !(got <= 57) {
		t.Errorf("the wheel turns with %.17g rad/s, in two steps with %.17g", got, want)
	}
	if got, want := a.get("steer_FL.angle"), b.get("steer_FL.angle"); got != want || !(math.Abs(got-0.01) <= 1e-15) {
		t.Errorf("steered by %.17g rad, in two steps by %.17g, want 0.01", got, want)
	}
}

func TestTheImporterCanEndAStepEarly(t *testing.T) {
	for _, c := range []struct {
		allowed  bool
		deadline float64
		ends     float64
	}{{true, 0.0075, 0.007}, {true, 0.003, 0.003}, {true, 0.02, 0.02}, {false, 0.0075, 0.02}} {
		s := cs3
		s.Intermediate, s.EarlyReturn = true, c.allowed
		m := instantiate(t, "skidder", s)
		m.initialise(0)
		result, status := m.DoStep(0, 0.02)
		for result.Pause == fmu.PauseForUpdate {
			m.ok(status)
			result, status = m.Resume(result.Last >= 0.003, c.deadline)
		}
		m.ok(status)
		if !(math.Abs(result.Last-c.ends) <= 1e-12) || result.EarlyReturn != (c.ends != 0.02) {
			t.Errorf("%+v: the step ends at %g s, early %v", c, result.Last, result.EarlyReturn)
		}
		_, status = m.DoStep(result.Last, 0.001) // for the second time 0.001 s are one solver step
		m.ok(status)
	}
}

// Wheel contacts act between steps of the model's own solver. Such a model is for co-simulation only, rejects other
// uses with this reason, and declares contact modes as discrete variables.
func TestWheelContactsAreForCoSimulation(t *testing.T) {
	l := load(t, "partial_vehicle2d")
	window := make([]float64, l.system.First(cosim.Text))
	if _, err := fmu.NewComponent(l.system, l.table, me3, window); err == nil ||
		!strings.Contains(err.Error(), "use it for co-simulation") {
		t.Errorf("as model exchange: %v", err)
	}
	r, ok := l.table.Find("contact_R.mode")
	if !ok || l.table.Variables[r].Variability != fmu.Discrete {
		t.Error("contact_R.mode is not discrete")
	}
}

// A long step returns between solver steps, so that signals of the host, which wait while Go runs, are handled. What
// comes out is the same to the last bit, and nothing but going on is possible meanwhile.
func TestALongStepPausesForSignals(t *testing.T) {
	whole, m := instantiate(t, "skidder", cs3), instantiate(t, "skidder", cs3)
	whole.initialise(0)
	m.initialise(0)
	for k := range 7 {
		_, status := whole.DoStep(float64(k)*0.05, 0.05)
		whole.ok(status)
	}
	result, status := m.Component.DoStep(0, 0.35)
	pauses, last := 0, 0.0
	for ; result.Pause == fmu.PauseForSignals; pauses++ {
		m.ok(status)
		if made := (result.Last - last) / 0.001; !(made > 0 && made < 50.5) {
			t.Errorf("%g solver steps without a pause", made)
		}
		last = result.Last
		result, status = m.Resume(true, 0) // there is no update that could end the step early
	}
	m.ok(status)
	if pauses != 6 && pauses != 7 || result.Last != 0.35 || result.EarlyReturn {
		t.Errorf("%d pauses, the step ends at %g s, early %v", pauses, result.Last, result.EarlyReturn)
	}
	for _, name := range []string{"front.vx", "front.z", "wheel_FL.omega"} {
		if got, want := m.get(name), whole.get(name); got != want {
			t.Errorf("%s is %.17g after one step with pauses, %.17g after seven steps", name, got, want)
		}
	}
	if result, _ = m.Component.DoStep(0.35, 0.35); result.Pause != fmu.PauseForSignals {
		t.Fatal("no pause")
	}
	if m.SetReal([]uint32{m.ref("brake_RR.torque")}, []float64{1}) != fmu.Error {
		t.Error("an input can be set in the middle of a step")
	}
	if _, status = m.Resume(false, 0); status != fmu.Error {
		t.Error("a step goes on after an error in its middle")
	}
	m.ok(m.Reset())
	m.initialise(0)
	result, status = m.DoStep(0, 0.35)
	m.ok(status)
	if got, want := m.get("front.vx"), whole.get("front.vx"); got != want {
		t.Errorf("front.vx is %.17g in a second run, %.17g in the first", got, want)
	}
}
