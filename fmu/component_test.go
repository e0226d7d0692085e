package fmu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

var systems sync.Map // models that tests have loaded, by name

type loaded struct {
	system *cosim.System
	table  *fmu.Table
}

func load(t testing.TB, model string) loaded {
	t.Helper()
	if l, ok := systems.Load(model); ok {
		return l.(loaded)
	}
	s, err := cosim.Load("../resources/models/"+model+".toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := loaded{s, fmu.Describe(s)}
	systems.Store(model, l)
	return l
}

// importer drives an instance as a master does.
type importer struct {
	testing.TB
	*fmu.Component
	loaded
	window []float64
}

var (
	cs2 = fmu.Settings{Version: 2, Interface: fmu.CoSimulation, Logging: true}
	me2 = fmu.Settings{Version: 2, Interface: fmu.ModelExchange, Logging: true}
	cs3 = fmu.Settings{Version: 3, Interface: fmu.CoSimulation, Logging: true}
	me3 = fmu.Settings{Version: 3, Interface: fmu.ModelExchange, Logging: true}
)

func instantiate(t testing.TB, model string, s fmu.Settings) *importer {
	t.Helper()
	l := load(t, model)
	window := make([]float64, l.system.First(cosim.Text))
	c, err := fmu.NewComponent(l.system, l.table, s, window)
	if err != nil {
		t.Fatal(err)
	}
	return &importer{t, c, l, window}
}

func (m *importer) ok(s fmu.Status) {
	m.Helper()
	if s != fmu.OK {
		m.Fatalf("status %d: %v", s, m.Messages)
	}
}

func (m *importer) ref(name string) uint32 {
	m.Helper()
	r, ok := m.table.Find(name)
	if !ok {
		m.Fatalf("no variable %s", name)
	}
	return r
}

func (m *importer) get(name string) float64 {
	m.Helper()
	var v [1]float64
	r := m.ref(name)
	m.ok(m.Get(m.table.Variables[r].Type, []uint32{r}, v[:]))
	return v[0]
}

func (m *importer) set(name string, value float64) {
	m.Helper()
	m.ok(m.SetReal([]uint32{m.ref(name)}, []float64{value}))
}

func (m *importer) initialise(start float64) {
	m.Helper()
	m.ok(m.EnterInitializationMode(true, start, false, 0))
	m.ok(m.ExitInitializationMode())
}

// step makes n steps of 1 ms with steering and brakes and returns all outputs.
func (m *importer) step(from float64, n int) []float64 {
	m.Helper()
	var outputs []uint32
	for _, o := range m.table.Outputs {
		if m.table.Variables[o.Reference].Type == fmu.Real {
			outputs = append(outputs, o.Reference)
		}
	}
	var all []float64
	values := make([]float64, len(outputs))
	for k := range n {
		m.set("steer_FL.angle", 0.03*math.Sin(0.005*float64(k)))
		m.set("steer_FL.rate", 0.15*math.Cos(0.005*float64(k)))
		m.set("brake_RR.torque", 2*float64(k))
		_, s := m.DoStep(from+float64(k)*0.001, 0.001)
		m.ok(s)
		m.ok(m.Get(fmu.Real, outputs, values))
		all = append(all, values...)
	}
	return all
}

func (m *importer) same(what string, got, want []float64) {
	m.Helper()
	if len(got) != len(want) {
		m.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			m.Fatalf("%s: value %d is %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

func TestBothVersionsAndEveryResetGiveTheSameBits(t *testing.T) {
	a, b := instantiate(t, "generic4w", cs2), instantiate(t, "generic4w", cs3)
	a.initialise(0)
	b.initialise(0)
	want := a.step(0, 100)
	b.same("FMI 3.0", b.step(0, 100), want)
	a.ok(a.Reset())
	a.initialise(0)
	a.same("after Reset", a.step(0, 100), want)
	a.ok(a.Terminate())
	a.ok(a.Reset())
	a.initialise(0)
	a.same("after Terminate and Reset", a.step(0, 100), want)
}

// Time is in no equation: the same manoeuvre a thousand seconds later gives the same
// bits, although its communication points are rounded differently.
func TestResultsDoNotDependOnTheStartTime(t *testing.T) {
	a, b := instantiate(t, "generic4w", cs3), instantiate(t, "generic4w", cs3)
	a.initialise(0)
	b.initialise(1000.1)
	b.same("a thousand seconds later", b.step(1000.1, 200), a.step(0, 200))
	if got, want := b.get("time"), 1000.1+199*0.001+0.001; got != want {
		t.Errorf("time %.17g, want %.17g", got, want)
	}
}

func TestStepsEndExactlyWhereTheMasterSays(t *testing.T) {
	m := instantiate(t, "skidder", cs2)
	m.initialise(0)
	at := 0.0
	for _, h := range []float64{0.001, 0.0007, 1e-5, 0.0123, 0.001, 1.0 / 3, 0.02} {
		result, s := m.DoStep(at, h)
		m.ok(s)
		at += h
		if result.Last != at || m.get("time") != at {
			t.Errorf("step of %g s ends at %.17g, time is %.17g, want %.17g", h, result.Last, m.get("time"), at)
		}
	}
	// rounding of the master's sums is its own affair, another point is not
	if _, s := m.DoStep(at+1e-14, 0.001); s != fmu.OK {
		t.Errorf("a communication point off by rounding gives status %d", s)
	}
	if _, s := m.DoStep(at+0.001+1e-8, 0.001); s != fmu.Warning {
		t.Errorf("a communication point off by 1e-8 s gives status %d", s)
	}
	if _, s := m.DoStep(at, 0.001); s != fmu.Error {
		t.Errorf("a communication point of the past gives status %d", s)
	}
}

func TestSimulationEndsAtTheStopTime(t *testing.T) {
	m := instantiate(t, "skidder", cs3)
	m.ok(m.EnterInitializationMode(true, 0, true, 0.3))
	m.ok(m.ExitInitializationMode())
	at := 0.0
	for range 3 { // 0.1 + 0.1 + 0.1 is a bit more than 0.3
		_, s := m.DoStep(at, 0.1)
		m.ok(s)
		at += 0.1
	}
	if _, s := m.DoStep(at, 0.001); s != fmu.Error {
		t.Errorf("a step beyond the stop time gives status %d", s)
	}
}

// With every solver and in both interfaces: a state saved, applied to another instance
// and from bytes, continues with the same bits.
func TestSavedStatesContinueBitByBit(t *testing.T) {
	for _, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		a := instantiate(t, "generic4w", cs2)
		a.ok(a.SetString([]uint32{a.ref("solver.method")}, []string{method}))
		a.set("body.mass", 2000)
		a.initialise(0)
		a.step(0, 50)
		a.set("brake_FL.torque", 123) // after the latest step: outputs stay as they are
		before := a.get("body.ax")
		state := make([]byte, a.StateSize())
		a.ok(a.Save(state))
		want := a.step(0.05, 50)

		b := instantiate(t, "generic4w", cs3) // of the other version, with the file's values
		b.ok(b.Restore(state))
		if got := b.get("body.ax"); got != before {
			t.Errorf("%s: body.ax is %.17g after the state was restored, %.17g before", method, got, before)
		}
		b.same(method, b.step(0.05, 50), want)
		a.ok(a.Restore(state))
		a.same(method+", same instance", a.step(0.05, 50), want)
	}
}

func TestForeignAndBrokenStatesAreRefused(t *testing.T) {
	a := instantiate(t, "skidder", cs2)
	a.initialise(0)
	_, s := a.DoStep(0, 0.01)
	a.ok(s)
	state := make([]byte, a.StateSize())
	a.ok(a.Save(state))
	refused := func(what string, m *importer, state []byte) {
		t.Helper()
		m.Messages = nil
		if s := m.Restore(state); s != fmu.Error || len(m.Messages) != 1 || m.Messages[0].Status != fmu.Error {
			t.Errorf("%s: status %d, messages %v", what, s, m.Messages)
		}
	}
	for n := 0; n < len(state); n += 97 {
		refused(fmt.Sprintf("%d bytes", n), a, state[:n])
	}
	refused("a byte too many", a, append(slices.Clone(state), 0))
	for k := 0; k < len(state); k += 53 {
		broken := slices.Clone(state)
		broken[k] ^= 0x40
		refused(fmt.Sprintf("byte %d changed", k), a, broken)
	}
	other := instantiate(t, "generic4w", cs2)
	refused("of another model", other, state)
	exchange := instantiate(t, "skidder", me2)
	refused("of the other interface", exchange, state)
	events := cs3
	events.EventMode = true
	refused("without event mode", instantiate(t, "skidder", events), state)
	a.ok(a.Restore(state)) // and the good one ends the error
	_, s = a.DoStep(0.01, 0.01)
	a.ok(s)
}

func TestCallsOutOfOrderAreErrorsThatResetEnds(t *testing.T) {
	get := func(m *importer) fmu.Status {
		var v [1]float64
		return m.Get(fmu.Real, []uint32{m.ref("tire_FL.Fz")}, v[:])
	}
	for _, c := range []struct {
		name     string
		settings fmu.Settings
		calls    func(m *importer) fmu.Status
	}{
		{"step before initialisation", cs2, func(m *importer) fmu.Status { _, s := m.DoStep(0, 0.001); return s }},
		{"exit without enter", cs3, func(m *importer) fmu.Status { return m.ExitInitializationMode() }},
		{"initialise twice", cs3, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.EnterInitializationMode(true, 0, false, 0)
		}},
		{"set-up after initialisation", cs2, func(m *importer) fmu.Status { m.initialise(0); return m.SetupExperiment(0, false, 0) }},
		{"step of zero length", cs3, func(m *importer) fmu.Status { m.initialise(0); _, s := m.DoStep(0, 0); return s }},
		{"step of negative length", cs2, func(m *importer) fmu.Status { m.initialise(0); _, s := m.DoStep(0, -1); return s }},
		{"step that is not a number", cs2, func(m *importer) fmu.Status { m.initialise(0); _, s := m.DoStep(0, math.NaN()); return s }},
		{"step in model exchange", me2, func(m *importer) fmu.Status { m.initialise(0); _, s := m.DoStep(0, 0.001); return s }},
		{"time in co-simulation", cs2, func(m *importer) fmu.Status { m.initialise(0); return m.SetTime(1) }},
		{"states in event mode", me3, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.SetContinuousStates(make([]float64, len(m.table.Derivatives)))
		}},
		{"too few states", me3, func(m *importer) fmu.Status {
			m.initialise(0)
			m.ok(m.EnterContinuousTimeMode())
			return m.SetContinuousStates([]float64{1})
		}},
		{"event mode that was not asked for", cs3, func(m *importer) fmu.Status { m.initialise(0); return m.EnterEventMode() }},
		{"parameter after initialisation", cs3, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.SetReal([]uint32{m.ref("front.mass")}, []float64{1})
		}},
		{"text after initialisation", cs3, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.SetString([]uint32{m.ref("solver.method")}, []string{"euler"})
		}},
		{"computed value", cs2, func(m *importer) fmu.Status { return m.SetReal([]uint32{m.ref("tire_FL.Fz")}, []float64{1}) }},
		{"time as a variable", cs2, func(m *importer) fmu.Status { return m.SetReal([]uint32{m.ref("time")}, []float64{1}) }},
		{"parameter that is not a number", cs2, func(m *importer) fmu.Status {
			return m.SetReal([]uint32{m.ref("front.mass")}, []float64{math.NaN()})
		}},
		{"infinite input", cs3, func(m *importer) fmu.Status {
			return m.SetReal([]uint32{m.ref("brake_FL.torque")}, []float64{math.Inf(1)})
		}},
		{"unknown reference", cs3, func(m *importer) fmu.Status {
			var v [1]float64
			return m.Get(fmu.Real, []uint32{math.MaxUint32}, v[:])
		}},
		{"Real as Boolean", cs3, func(m *importer) fmu.Status {
			var v [1]float64
			return m.Get(fmu.Boolean, []uint32{m.ref("front.vx")}, v[:])
		}},
		{"unknown solver", cs3, func(m *importer) fmu.Status {
			return m.SetString([]uint32{m.ref("solver.method")}, []string{"guess"})
		}},
		{"unknown tire", cs3, func(m *importer) fmu.Status {
			m.ok(m.SetString([]uint32{m.ref("tire_FL.model")}, []string{"Rubber"}))
			m.ok(m.EnterInitializationMode(true, 0, false, 0))
			return m.ExitInitializationMode()
		}},
		{"unknown category", cs2, func(m *importer) fmu.Status { return m.SetDebugLogging(true, []string{"logWeather"}) }},
		{"stop before start", cs2, func(m *importer) fmu.Status { return m.SetupExperiment(1, true, 0.5) }},
		{"output derivative of order 0", cs2, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.GetOutputDerivatives([]uint32{m.ref("front.vx")}, []int32{0}, make([]float64, 1))
		}},
		{"terminate before initialisation", cs3, func(m *importer) fmu.Status { return m.Terminate() }},
	} {
		m := instantiate(t, "skidder", c.settings)
		if s := c.calls(m); s != fmu.Error || len(m.Messages) == 0 || m.Messages[len(m.Messages)-1].Category != fmu.LogStatusError {
			t.Errorf("%s: status %d, messages %v", c.name, s, m.Messages)
			continue
		}
		if s := m.Terminate(); s != fmu.Error {
			t.Errorf("%s: Terminate after an error gives status %d", c.name, s)
		}
		if s := get(m); s != fmu.OK {
			t.Errorf("%s: values cannot be read after an error", c.name)
		}
		m.ok(m.Reset())
		m.initialise(0)
		if load := m.get("tire_FL.Fz"); math.Abs(load-41162.5) > 1 {
			t.Errorf("%s: after Reset the front left tire carries %g N", c.name, load)
		}
	}
}

// Loggers of FMI 2.0 format messages like printf, and # marks references in both.
func TestMessagesAreEscapedForTheirVersion(t *testing.T) {
	for version, want := range map[int]string{2: "100%% ##", 3: "100% ##"} {
		s := cs2
		s.Version = version
		m := instantiate(t, "skidder", s)
		m.Refuse("100% #")
		if m.Messages[0].Text != want {
			t.Errorf("FMI %d logs %q, want %q", version, m.Messages[0].Text, want)
		}
	}
}

func TestLoggingIsDeliveredWhereItIsOn(t *testing.T) {
	for _, c := range []struct {
		version int
		on      bool
		errors  int
		others  bool
	}{{2, false, 1, false}, {2, true, 1, true}, {3, false, 0, false}, {3, true, 1, true}} {
		m := instantiate(t, "skidder", fmu.Settings{Version: c.version, Interface: fmu.CoSimulation, Logging: c.on})
		m.initialise(0)
		if others := len(m.Messages) > 0; others != c.others {
			t.Errorf("FMI %d, logging %v: messages %v", c.version, c.on, m.Messages)
		}
		m.Messages = nil
		m.ExitInitializationMode()
		if len(m.Messages) != c.errors {
			t.Errorf("FMI %d, logging %v: messages of an error %v", c.version, c.on, m.Messages)
		}
	}
	m := instantiate(t, "skidder", cs3)
	m.ok(m.SetDebugLogging(false, []string{fmu.LogTire}))
	m.initialise(0)
	for _, message := range m.Messages {
		if message.Category == fmu.LogTire {
			t.Errorf("a message of a category that is off: %v", message)
		}
	}
}

// fall lifts the skidder and returns how long its wheels bear nothing: there is no
// suspension, so that all of it falls freely, and a tire begins to bear where its spring
// and its damper add up to something, k (c - g t^2/2) = d g t for the clearance c.
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
			if math.Abs(at-touch) > 2e-3 {
				t.Errorf("touchdown at %g s, by free fall at %g s", at, touch)
			}
			m.ok(m.EnterEventMode())
			m.ok(m.UpdateDiscreteStates())
			if m.get("tire_FL.contact") != 1 {
				t.Error("no contact after the event of touchdown")
			}
			if m.ok(m.GetEventIndicators(z)); z[0] <= 0 {
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
		if early && math.Abs(result.Last-touch) > 2e-3 || !early && result.Last != 0.5 || m.get("time") != result.Last {
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
			if math.Abs(result.Last-touch) > 2e-3 {
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
	for result.Paused {
		m.ok(status)
		pauses++
		if result.Time <= last {
			t.Errorf("intermediate update at %g s after one at %g s", result.Time, last)
		}
		last = result.Time
		if v := m.get("body.vx"); v == speed {
			t.Errorf("body.vx is %g still in the intermediate update at %g s", v, result.Time)
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
	if result, status = m.DoStep(0.02, 0.002); !result.Paused {
		t.Fatal("no intermediate update")
	}
	m.ok(status)
	var v [1]float64
	if m.Get(fmu.Real, []uint32{m.ref("body.vy")}, v[:]) != fmu.Error {
		t.Error("a variable that was not named can be read")
	}
	m.ok(m.Reset())
	m.initialise(0)
	if result, _ = m.DoStep(0, 0.002); !result.Paused {
		t.Fatal("no intermediate update")
	}
	if m.SetReal([]uint32{m.ref("brake_RR.torque")}, []float64{1}) != fmu.Error {
		t.Error("an input that was not named can be set")
	}
}

// A brake that is applied in the middle of a step acts from there on.
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
	for k := 1; result.Paused; k++ {
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
	if got, want := a.get("wheel_FL.omega"), b.get("wheel_FL.omega"); got != want || got > 57 {
		t.Errorf("the wheel turns with %.17g rad/s, in two steps with %.17g", got, want)
	}
	if got, want := a.get("steer_FL.angle"), b.get("steer_FL.angle"); got != want || math.Abs(got-0.01) > 1e-15 {
		t.Errorf("steered by %.17g rad, in two steps by %.17g, want 0.01", got, want)
	}
}

// Inputs that an importer writes into the window are not lost when outputs of the latest
// step are made current first.
func TestInputsWrittenIntoTheWindowAreKept(t *testing.T) {
	quiet := cs3
	quiet.Logging = false // a log of events makes outputs current, too
	m := instantiate(t, "generic4w", quiet)
	m.initialise(0)
	_, status := m.DoStep(0, 0.001)
	m.ok(status)
	if !m.Writable() || m.Readable() {
		t.Fatalf("after a step the window is writable %v, readable %v", m.Writable(), m.Readable())
	}
	brake := m.ref("brake_FL.torque")
	m.window[brake] = 700
	m.TakeInputs(true)
	before := m.get("body.ax")
	if got := m.get("brake_FL.torque"); got != 700 || m.window[brake] != 700 {
		t.Errorf("the brake torque is %g N m, want 700", got)
	}
	other := instantiate(t, "generic4w", cs3)
	other.initialise(0)
	_, status = other.DoStep(0, 0.001)
	other.ok(status)
	if want := other.get("body.ax"); before != want {
		t.Errorf("body.ax is %.17g after an input was set, %.17g without", before, want)
	}
	_, status = m.DoStep(0.001, 0.02)
	m.ok(status)
	if omega := m.get("wheel_FL.omega"); omega > 56.5 {
		t.Errorf("the braked wheel turns with %g rad/s", omega)
	}
}

// What has been set in a step that is discarded is undone with it.
func TestADiscardedStepTakesItsInputsBack(t *testing.T) {
	l := load(t, "skidder")
	brake, _ := l.table.Find("brake_FL.torque")
	s := cs3
	s.Intermediate, s.IntermediateReferences = true, []uint32{brake}
	m := instantiate(t, "skidder", s)
	m.ok(m.SetString([]uint32{m.ref("solver.method")}, []string{"euler"}))
	m.set("solver.step", 0.5)
	m.initialise(0)
	m.set("brake_FL.torque", 10)
	result, status := m.DoStep(0, 50)
	for k := 0; result.Paused; k++ {
		m.ok(status)
		if k == 0 {
			m.set("brake_FL.torque", 20)
		}
		result, status = m.Resume(false, 0)
	}
	if status != fmu.Discard {
		t.Fatalf("status %d", status)
	}
	if got := m.get("brake_FL.torque"); got != 10 {
		t.Errorf("the brake torque is %g N m after the step was discarded, want 10", got)
	}
}

func TestSavedStatesHoldContactsAndTheStopTime(t *testing.T) {
	s := cs3
	s.EventMode = true
	a := instantiate(t, "skidder", s)
	a.set("front.z", a.table.Variables[a.ref("front.z")].Start+0.4)
	a.ok(a.EnterInitializationMode(true, 0, true, 0.6))
	a.ok(a.ExitInitializationMode())
	a.ok(a.UpdateDiscreteStates())
	a.ok(a.EnterStepMode())
	result, status := a.DoStep(0, 0.5)
	if a.ok(status); !result.EventNeeded {
		t.Fatal("no touchdown")
	}
	state := make([]byte, a.StateSize())
	a.ok(a.Save(state))
	b := instantiate(t, "skidder", s) // stands on its wheels
	b.initialise(0)
	b.ok(b.Restore(state))
	b.ok(b.EnterEventMode())
	if b.get("tire_FL.contact") != 0 {
		t.Error("the restored instance has contact before the event is handled")
	}
	b.ok(b.UpdateDiscreteStates())
	if b.get("tire_FL.contact") != 1 {
		t.Error("the restored instance has no contact after the event")
	}
	b.ok(b.EnterStepMode())
	if _, status := b.DoStep(0.5, 0.2); status != fmu.Error {
		t.Error("the restored instance goes beyond the stop time")
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
		for result.Paused {
			m.ok(status)
			result, status = m.Resume(result.Time >= 0.003, c.deadline)
		}
		m.ok(status)
		if math.Abs(result.Last-c.ends) > 1e-12 || result.EarlyReturn != (c.ends != 0.02) {
			t.Errorf("%+v: the step ends at %g s, early %v", c, result.Last, result.EarlyReturn)
		}
		_, status = m.DoStep(result.Last, 0.001) // for the second time 0.001 s are one solver step
		m.ok(status)
	}
}

// Model exchange integrated by the test's own Runge-Kutta method agrees with
// co-simulation by rk4.
func TestModelExchangeAgreesWithCoSimulation(t *testing.T) {
	for _, model := range []string{"generic4w", "skidder"} {
		cs, me := instantiate(t, model, cs2), instantiate(t, model, me2)
		cs.initialise(0)
		me.initialise(0)
		me.ok(me.EnterContinuousTimeMode())
		n := len(me.table.Derivatives)
		x, y, at := make([]float64, n), make([]float64, n), 0.0
		me.ok(me.GetContinuousStates(x))
		const h = 0.001
		for step := range 300 {
			if step == 100 {
				for _, m := range []*importer{cs, me} {
					m.set("brake_FL.torque", 500)
				}
			}
			k := make([][]float64, 4)
			for stage, c := range []float64{0, 0.5, 0.5, 1} {
				for i := range x {
					y[i] = x[i]
					if stage > 0 {
						y[i] += c * h * k[stage-1][i]
					}
				}
				me.ok(me.SetTime(at + c*h))
				me.ok(me.SetContinuousStates(y))
				k[stage] = make([]float64, n)
				me.ok(me.GetDerivatives(k[stage]))
			}
			for i := range x {
				x[i] += h / 6 * (k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i])
			}
			_, s := cs.DoStep(at, h)
			cs.ok(s)
			at += h
			me.ok(me.SetTime(at))
			me.ok(me.SetContinuousStates(x))
		}
		for i, d := range cs.table.Derivatives {
			name := cs.table.Variables[cs.table.Variables[d.Reference].State].Name
			if got, want := me.get(name), cs.get(name); math.Abs(got-want) > 1e-10*max(1, math.Abs(want)) || got != x[i] {
				t.Errorf("%s: %s is %.15g in model exchange, %.15g in co-simulation", model, name, got, want)
			}
		}
	}
}

func TestStatesThatAreNotFiniteAreDiscardedAndKept(t *testing.T) {
	m := instantiate(t, "skidder", me3)
	m.initialise(0)
	m.ok(m.EnterContinuousTimeMode())
	n := len(m.table.Derivatives)
	x, dx, again := make([]float64, n), make([]float64, n), make([]float64, n)
	m.ok(m.GetContinuousStates(x))
	m.ok(m.GetDerivatives(dx))
	bad := slices.Clone(x)
	bad[3] = math.NaN()
	if s := m.SetContinuousStates(bad); s != fmu.Discard {
		t.Errorf("status %d", s)
	}
	m.ok(m.GetDerivatives(again))
	m.same("derivatives", again, dx)
}

// A step that blows up is discarded: the instance is where it was, and can go on.
func TestAStepThatBlowsUpIsDiscarded(t *testing.T) {
	for _, settings := range []fmu.Settings{cs2, cs3} {
		m := instantiate(t, "skidder", settings)
		m.ok(m.SetString([]uint32{m.ref("solver.method")}, []string{"euler"}))
		m.set("solver.step", 0.5)
		m.initialise(0)
		state := make([]byte, m.StateSize())
		m.ok(m.Save(state))
		speed := m.get("front.vx")
		result, s := m.DoStep(0, 50)
		if s != fmu.Discard || result.Last != 0 || m.get("front.vx") != speed || m.get("time") != 0 {
			t.Fatalf("status %d, %+v, time %g", s, result, m.get("time"))
		}
		if settings.Version == 2 { // and FMI 2.0 tells how far it came
			reached, status := m.StatusTime()
			if m.ok(status); reached != 0 {
				t.Errorf("last successful time %g", reached)
			}
			m.ok(m.Restore(state))
		}
		_, s = m.DoStep(0, 0.001)
		m.ok(s)
	}
}

// derivativePoint is a place in continuous time near the start.
func derivativePoint(m *importer, r *rand.Rand) (states, inputs []uint32) {
	for _, d := range m.table.Derivatives {
		states = append(states, m.table.Variables[d.Reference].State)
	}
	for _, v := range m.table.Variables {
		if v.Causality == fmu.Input {
			inputs = append(inputs, v.Reference)
			m.set(v.Name, v.Start+0.02*r.Float64())
		}
	}
	x := make([]float64, len(states))
	m.ok(m.GetContinuousStates(x))
	for i := range x {
		x[i] += 0.002 * r.NormFloat64()
	}
	m.ok(m.SetContinuousStates(x))
	return states, inputs
}

func TestDirectionalDerivativesAgreeWithDifferences(t *testing.T) {
	m := instantiate(t, "skidder", me2)
	m.initialise(0)
	m.ok(m.EnterContinuousTimeMode())
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		states, inputs := derivativePoint(m, r)
		var unknowns []uint32
		for _, u := range slices.Concat(m.table.Derivatives, m.table.Outputs) {
			if m.table.Variables[u.Reference].Type == fmu.Real {
				unknowns = append(unknowns, u.Reference)
			}
		}
		knowns := slices.Concat(states, inputs)
		seed := make([]float64, len(knowns))
		for i := range seed {
			seed[i] = r.NormFloat64()
		}
		got := make([]float64, len(unknowns))
		m.ok(m.DirectionalDerivative(unknowns, knowns, seed, got))
		at := make([]float64, len(knowns))
		m.ok(m.Get(fmu.Real, knowns, at))
		values := func(h float64) []float64 {
			moved := make([]float64, len(knowns))
			for i := range moved {
				moved[i] = at[i] + h*seed[i]
			}
			m.ok(m.SetContinuousStates(moved[:len(states)]))
			m.ok(m.SetReal(inputs, moved[len(states):]))
			y := make([]float64, len(unknowns))
			m.ok(m.Get(fmu.Real, unknowns, y))
			return y
		}
		const h = 2e-6
		up, up2, down, down2 := values(h), values(2*h), values(-h), values(-2*h)
		values(0)
		for i, u := range unknowns {
			want := (8*(up[i]-down[i]) - (up2[i] - down2[i])) / (12 * h)
			noise := 1e-14 * (math.Abs(up[i]) + 1e4) / h
			if math.Abs(got[i]-want) > 1e-6*max(1, math.Abs(want))+noise {
				t.Errorf("%s changes by %.9g, by differences %.9g", m.table.Variables[u].Name, got[i], want)
			}
		}
		// the adjoint is the same matrix: weights W, seeds S: W (J S) = (W J) S
		weights, adjoint := make([]float64, len(unknowns)), make([]float64, len(knowns))
		for i := range weights {
			weights[i] = r.NormFloat64()
		}
		m.ok(m.AdjointDerivative(unknowns, knowns, weights, adjoint))
		left, right, scale := 0.0, 0.0, 0.0
		for i := range weights {
			left += weights[i] * got[i]
			scale += math.Abs(weights[i] * got[i])
		}
		for j := range adjoint {
			right += adjoint[j] * seed[j]
		}
		if math.Abs(left-right) > 1e-9*scale {
			t.Errorf("directional derivatives give %.12g, adjoint ones %.12g", left, right)
		}
	}
}

// What the model description does not list has no influence, to the last bit.
func TestDerivativesOutsideOfTheDependenciesAreZero(t *testing.T) {
	m := instantiate(t, "generic4w", me3)
	m.initialise(0)
	m.ok(m.EnterContinuousTimeMode())
	states, inputs := derivativePoint(m, rand.New(rand.NewPCG(7, 8)))
	zeros, others := 0, 0
	for _, u := range slices.Concat(m.table.Derivatives, m.table.Outputs) {
		if m.table.Variables[u.Reference].Type != fmu.Real {
			continue
		}
		knowns := slices.Concat(states, inputs)
		row := make([]float64, len(knowns))
		m.ok(m.AdjointDerivative([]uint32{u.Reference}, knowns, []float64{1}, row))
		for j, known := range knowns {
			switch {
			case slices.Contains(u.Dependencies, known):
				if row[j] != 0 {
					others++
				}
			case row[j] != 0:
				t.Errorf("%s depends on %s by %g, which is not declared", m.table.Variables[u.Reference].Name, m.table.Variables[known].Name, row[j])
			default:
				zeros++
			}
		}
	}
	if zeros < 1000 || others < 1000 {
		t.Errorf("%d zeros and %d other derivatives", zeros, others)
	}
}

// In Initialization Mode parameters and start values act through the initial state.
func TestDerivativesInInitializationModeAgreeWithDifferences(t *testing.T) {
	m := instantiate(t, "generic4w", cs3)
	m.ok(m.EnterInitializationMode(true, 0, false, 0))
	knowns := []uint32{m.ref("spring_FL.stiffness"), m.ref("body.mass"), m.ref("body.vx"), m.ref("body.z"), m.ref("brake_FL.torque"), m.ref("tire_FL.vertical_stiffness"), m.ref("solver.step")}
	unknowns := []uint32{m.ref("body.az"), m.ref("tire_FL.Fz"), m.ref("der(wheel_FL.omega)"), m.ref("spring_FL.force"), m.ref("body.ax")}
	for j, known := range knowns {
		got := make([]float64, len(unknowns))
		m.ok(m.DirectionalDerivative(unknowns, []uint32{known}, []float64{1}, got))
		name := m.table.Variables[known].Name
		at := m.get(name)
		h := 1e-4 * max(0.01, math.Abs(at))
		var y [2][]float64
		for k, d := range []float64{h, -h} {
			m.set(name, at+d)
			y[k] = make([]float64, len(unknowns))
			m.ok(m.Get(fmu.Real, unknowns, y[k]))
		}
		m.set(name, at)
		for i, u := range unknowns {
			want := (y[0][i] - y[1][i]) / (2 * h)
			if math.Abs(got[i]-want) > 1e-5*math.Abs(want)+1e-12*(math.Abs(y[0][i])+1)/h {
				t.Errorf("%d: %s by %s is %.9g, by differences %.9g", j, m.table.Variables[u].Name, name, got[i], want)
			}
		}
	}
}

func TestOutputDerivativesAreTheSlopeOfTheOutputs(t *testing.T) {
	m := instantiate(t, "generic4w", cs2)
	m.initialise(0)
	names := []string{"body.vx", "body.x", "body.z", "tire_FL.Fy", "wheel_FL.omega", "body.wz"}
	var references []uint32
	for _, name := range names {
		references = append(references, m.ref(name))
	}
	run := func(t, h float64, n int) float64 {
		for range n {
			_, s := m.DoStep(t, h)
			m.ok(s)
			t += h
		}
		return t
	}
	m.set("steer_FL.angle", 0.01)
	m.set("brake_FL.torque", 400)
	at := run(0, 0.001, 200)
	m.set("steer_FL.rate", 0.2)
	m.ok(m.SetInputDerivatives([]uint32{m.ref("brake_FL.torque")}, []int32{1}, []float64{5000}))
	const h = 1e-5
	before, slope, after := make([]float64, len(names)), make([]float64, len(names)), make([]float64, len(names))
	m.ok(m.Get(fmu.Real, references, before))
	at = run(at, h, 1)
	orders := slices.Repeat([]int32{1}, len(names))
	m.ok(m.GetOutputDerivatives(references, orders, slope))
	run(at, h, 1)
	m.ok(m.Get(fmu.Real, references, after))
	for i, name := range names {
		if want := (after[i] - before[i]) / (2 * h); math.Abs(slope[i]-want) > 2e-3*math.Abs(want)+1e-6 {
			t.Errorf("slope of %s is %g, by differences %g", name, slope[i], want)
		}
	}
	m.ok(m.GetOutputDerivatives(references, slices.Repeat([]int32{2}, len(names)), slope))
	if slope[0] != 0 {
		t.Error("derivatives of the second order are not available and must be 0")
	}
}

// FuzzCalls makes calls in any order: no panic, errors only with a message, and an
// instance that Reset always brings back.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7}, true, false)
	f.Add([]byte{1, 2, 9, 9, 9, 20, 21, 9, 5}, false, true)
	f.Fuzz(func(t *testing.T, calls []byte, three, exchange bool) {
		s := fmu.Settings{Version: 2, Interface: fmu.CoSimulation, Logging: true}
		if three {
			s.Version, s.EventMode, s.EarlyReturn, s.Intermediate = 3, len(calls)%2 == 0, len(calls)%3 == 0, len(calls)%5 == 0
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

// now is the instance's time, whatever its mode.
func (m *importer) now() float64 {
	var v [1]float64
	m.Get(fmu.Real, []uint32{m.ref("time")}, v[:])
	return v[0]
}

// FuzzRestoreComponent: bytes from outside are taken over whole or not at all.
func FuzzRestoreComponent(f *testing.F) {
	m := instantiate(f, "pendulum", cs3)
	m.initialise(0)
	state := make([]byte, m.StateSize())
	m.ok(m.Save(state))
	f.Add(state, uint16(3), byte(1))
	f.Add(state[:40], uint16(0), byte(0))
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
