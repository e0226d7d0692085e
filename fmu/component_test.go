package fmu_test

import (
	"math"
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
	window      []float64
	initialised bool // once, by initialise
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
	return &importer{TB: t, Component: c, loaded: l, window: window}
}

// DoStep makes a step as the shim does: it goes on after the pauses for signals.
func (m *importer) DoStep(t, h float64) (fmu.StepResult, fmu.Status) {
	result, status := m.Component.DoStep(t, h)
	for result.Pause == fmu.PauseForSignals {
		var after fmu.Status
		result, after = m.Resume(false, 0)
		status = max(status, after)
	}
	return result, status
}

func (m *importer) ok(s fmu.Status) {
	m.Helper()
	if s != fmu.OK {
		m.Fatalf("status %d: %v", s, m.Messages)
	}
}

// only marks one of the inputs as written.
func (m *importer) only(reference uint32) []byte {
	from, to := m.Inputs()
	which := make([]byte, to-from)
	which[int(reference)-from] = 1
	return which
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
	m.initialised = true
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

func TestStepsEndExactlyAtTheCommunicationPoint(t *testing.T) {
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
	// the importer may round its sums; another point in time is an error
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
		{"set-up after initialisation", cs2,
			func(m *importer) fmu.Status { m.initialise(0); return m.SetupExperiment(0, false, 0) }},
		{"step of zero length", cs3, func(m *importer) fmu.Status {
			m.initialise(0)
			_, s := m.DoStep(0, 0)
			return s
		}},
		{"step of negative length", cs2, func(m *importer) fmu.Status {
			m.initialise(0)
			_, s := m.DoStep(0, -1)
			return s
		}},
		{"step that is not a number", cs2, func(m *importer) fmu.Status {
			m.initialise(0)
			_, s := m.DoStep(0, math.NaN())
			return s
		}},
		{"step in model exchange", me2, func(m *importer) fmu.Status {
			m.initialise(0)
			_, s := m.DoStep(0, 0.001)
			return s
		}},
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
		{"event mode that was not asked for", cs3,
			func(m *importer) fmu.Status { m.initialise(0); return m.EnterEventMode() }},
		{"parameter after initialisation", cs3, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.SetReal([]uint32{m.ref("front.mass")}, []float64{1})
		}},
		{"text after initialisation", cs3, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.SetString([]uint32{m.ref("solver.method")}, []string{"euler"})
		}},
		{"computed value", cs2, func(m *importer) fmu.Status {
			return m.SetReal([]uint32{m.ref("tire_FL.Fz")}, []float64{1})
		}},
		{"time as a variable", cs2,
			func(m *importer) fmu.Status { return m.SetReal([]uint32{m.ref("time")}, []float64{1}) }},
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
		{"unknown category", cs2,
			func(m *importer) fmu.Status { return m.SetDebugLogging(true, []string{"logWeather"}) }},
		{"stop before start", cs2, func(m *importer) fmu.Status { return m.SetupExperiment(1, true, 0.5) }},
		{"output derivative of order 0", cs2, func(m *importer) fmu.Status {
			m.initialise(0)
			return m.GetOutputDerivatives([]uint32{m.ref("front.vx")}, []int32{0}, make([]float64, 1))
		}},
		{"terminate before initialisation", cs3, func(m *importer) fmu.Status { return m.Terminate() }},
	} {
		m := instantiate(t, "skidder", c.settings)
		if s := c.calls(m); s != fmu.Error || len(m.Messages) == 0 ||
			m.Messages[len(m.Messages)-1].Category != fmu.LogStatusError {
			t.Errorf("%s: status %d, messages %v", c.name, s, m.Messages)
			continue
		}
		if s := m.Terminate(); s != fmu.Error {
			t.Errorf("%s: Terminate after an error gives status %d", c.name, s)
		}
		if s := get(m); (s == fmu.OK) != m.initialised {
			t.Errorf("%s: what is computed is read after an error with status %d; initialised: %v", c.name,
				s, m.initialised)
		}
		m.ok(m.Reset())
		m.initialise(0)
		if load := m.get("tire_FL.Fz"); !(math.Abs(load-41162.5) <= 1) {
			t.Errorf("%s: after Reset the front left tire carries %g N", c.name, load)
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

// An FMU logs at its start that the vehicle does not stand still with its solver. It logs nothing if the vehicle stands
// still, if the importer integrates, or if the category is off.
func TestTheNoteOfAStartIsLogged(t *testing.T) {
	for _, c := range []struct {
		what     string
		settings fmu.Settings
		method   string
		without  bool // the category
		notes    int
	}{
		{"FMI 2", cs2, "rk4", false, 1}, {"FMI 3", cs3, "heun", false, 1}, {"stands", cs3, "linearly-implicit", false, 0},
		{"model exchange", me3, "", false, 0}, {"no category", cs3, "rk4", true, 0},
	} {
		m := instantiate(t, "skidder", c.settings)
		if c.without {
			m.ok(m.SetDebugLogging(true, []string{fmu.LogTire}))
			m.ok(m.SetDebugLogging(false, []string{fmu.LogSolver}))
		}
		if c.method != "" {
			m.ok(m.SetString([]uint32{m.ref("solver.method")}, []string{c.method}))
		}
		for range 2 { // again after a reset
			m.Messages = nil
			m.initialise(0)
			notes := 0
			for _, message := range m.Messages {
				if message.Category == fmu.LogSolver && strings.HasPrefix(message.Text, cosim.NotePrefix+"with "+c.method) &&
					strings.Contains(message.Text, "does not stand still") {
					notes++
				}
			}
			if notes != c.notes {
				t.Errorf("%s: %d notes, want %d, among %v", c.what, notes, c.notes, m.Messages)
			}
			m.ok(m.Reset())
			if c.method != "" {
				m.ok(m.SetString([]uint32{m.ref("solver.method")}, []string{c.method}))
			}
		}
	}
}

// fall lifts the skidder and returns how long its wheels bear nothing: there is no

// suspension, so that all of it falls freely, and a tire begins to bear where its spring

// and its damper add up to something, k (c - g t^2/2) = d g t for the clearance c.

// A brake that is applied in the middle of a step acts from there on.

// Inputs that an importer writes into the window are not lost when outputs of the latest

// step are made current first.

// What has been set in a step that is discarded is undone with it.

// Model exchange integrated by the test's own Runge-Kutta method agrees with

// co-simulation by rk4.

// A step that blows up is discarded: the instance is where it was, and can go on.

// derivativePoint is a place in continuous time near the start.

// What the model description does not list has no influence, to the last bit.

// In Initialization Mode parameters and start values act through the initial state.

// FuzzCalls makes calls in any order: no panic, errors only with a message, and an

// instance that Reset always brings back.

// now is the instance's time, whatever its mode.

// FuzzRestoreComponent: bytes from outside are taken over whole or not at all.
