package fmu_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu"
	"skidpad/tire"
)

// A run that continues from a saved state is bit-identical to the run without a break.
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

		b := instantiate(t, "generic4w", cs3) // of another FMI version, with the parameters of the model file
		b.ok(b.Restore(state))
		if got := b.get("body.ax"); got != before {
			t.Errorf("%s: body.ax is %.17g after the state was restored, %.17g before", method, got, before)
		}
		b.same(method, b.step(0.05, 50), want)
		a.ok(a.Restore(state))
		a.same(method+", same instance", a.step(0.05, 50), want)
	}
}

func TestForeignAndBrokenStatesAreRejected(t *testing.T) {
	a := instantiate(t, "skidder", cs2)
	a.initialise(0)
	_, s := a.DoStep(0, 0.01)
	a.ok(s)
	state := make([]byte, a.StateSize())
	a.ok(a.Save(state))
	checkRejected := func(what string, m *importer, state []byte) {
		t.Helper()
		m.Messages = nil
		if s := m.Restore(state); s != fmu.Error || len(m.Messages) != 1 || m.Messages[0].Status != fmu.Error {
			t.Errorf("%s: status %d, messages %v", what, s, m.Messages)
		}
	}
	for n := 0; n < len(state); n += 97 {
		checkRejected(fmt.Sprintf("%d bytes", n), a, state[:n])
	}
	checkRejected("a byte too many", a, append(slices.Clone(state), 0))
	for k := 0; k < len(state); k += 53 {
		broken := slices.Clone(state)
		broken[k] ^= 0x40
		checkRejected(fmt.Sprintf("byte %d changed", k), a, broken)
	}
	other := instantiate(t, "generic4w", cs2)
	checkRejected("of another model", other, state)
	if len(other.Messages) != 1 || !strings.Contains(other.Messages[0].Text, "belongs to another model") {
		t.Errorf("a state of another model: %v", other.Messages)
	}
	exchange := instantiate(t, "skidder", me2)
	checkRejected("of the other interface", exchange, state)
	events := cs3
	events.EventMode = true
	checkRejected("without event mode", instantiate(t, "skidder", events), state)
	a.ok(a.Restore(state)) // restoring a valid state ends the error
	_, s = a.DoStep(0.01, 0.01)
	a.ok(s)
}

// An importer can write inputs into the window of values. Outputs keep the values of the latest step until the next
// step.
func TestInputsWrittenIntoTheWindowAreKept(t *testing.T) {
	quiet := cs3
	quiet.Logging = false // a log of events would also make the outputs current
	m := instantiate(t, "generic4w", quiet)
	m.initialise(0)
	_, status := m.DoStep(0, 0.001)
	m.ok(status)
	if !m.Writable() || m.Readable() {
		t.Fatalf("after a step the window is writable %v, readable %v", m.Writable(), m.Readable())
	}
	brake := m.ref("brake_FL.torque")
	m.window[brake] = 700
	m.TakeInputs(m.only(brake), true)
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
	if omega := m.get("wheel_FL.omega"); !(omega <= 56.5) {
		t.Errorf("the braked wheel turns with %g rad/s", omega)
	}
}

// After a discarded step, inputs that were set in its intermediate updates have their earlier values again.
func TestDiscardedStepsRestoreTheirInputs(t *testing.T) {
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
	for k := 0; result.Pause == fmu.PauseForUpdate; k++ {
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
		t.Fatal("the step ends without an event at touchdown")
	}
	state := make([]byte, a.StateSize())
	a.ok(a.Save(state))
	b := instantiate(t, "skidder", s) // starts on its wheels, unlike a
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
		if settings.Version == 2 { // FMI 2.0 also reports the last successful time
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

// failing is a force function that fails once failure is set. A shorter step may avoid the failure or not.
type failing struct {
	failure          error   // returned by Fault; nil for none
	from             int     // number of evaluations that succeed
	evaluated, asked int     // numbers of calls of Eval and of Fault
	steep            bool    // results are NaN at other loads than the latest
	latest           float64 // load of the latest evaluation [N], while steep is false
}

var (
	failingTires []*failing
	template     failing // from which new functions take failure and from
)

func (f *failing) Eval(in, out []float64) {
	f.evaluated++
	clear(out)
	if !f.steep {
		f.latest = in[0]
	} else if in[0] != f.latest {
		out[0] = math.NaN()
	}
}

func (f *failing) Fault() error {
	if f.asked++; f.asked > 1000 {
		panic("Fault is called without end")
	}
	if f.evaluated > f.from {
		return f.failure
	}
	return nil
}

// The failure of a tire discards the step if a shorter step may avoid it, and ends the run otherwise.
func TestFailedTiresDiscardOrEnd(t *testing.T) {
	err := tire.Register(tire.Kind{
		Name: "Failing", Inputs: []string{"Fz"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
		Open: func(tire.OpenRequest) (tire.Function, error) {
			failingTires = append(failingTires, &failing{failure: template.failure, from: template.from})
			return failingTires[len(failingTires)-1], nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		failure error
		want    fmu.Status
	}{{fmt.Errorf("too fast: %w", tire.ErrShorter), fmu.Discard}, {errors.New("burst"), fmu.Error}} {
		m := instantiate(t, "skidder", cs3)
		m.ok(m.SetString([]uint32{m.ref("tire_FL.model"), m.ref("tire_FL.file")}, []string{"Failing", ""}))
		m.initialise(0)
		_, status := m.DoStep(0, 0.01)
		m.ok(status)
		failingTires[len(failingTires)-1].failure = c.failure
		result, status := m.DoStep(0.01, 0.01)
		if status != c.want || result.Last != 0.01 {
			t.Errorf("%v: status %d, %g s reached, want %d and 0.01 s", c.failure, status, result.Last, c.want)
		}
		m.ok(m.Reset())
		m.ok(m.SetString([]uint32{m.ref("tire_FL.model"), m.ref("tire_FL.file")}, []string{"Failing", ""}))
		m.initialise(0)
		tire := failingTires[len(failingTires)-1]
		derivative := func() fmu.Status {
			return m.DirectionalDerivative([]uint32{m.ref("front.ax")}, []uint32{m.ref("front.mass")},
				[]float64{1}, []float64{0})
		}
		m.ok(derivative())
		tire.steep = true
		if status := derivative(); status != fmu.Discard ||
			!strings.Contains(m.Messages[len(m.Messages)-1].Text,
				"no finite derivative at this point: the derivative of front.ax is NaN") {
			t.Errorf("a derivative that does not exist: status %d, %v", status, m.Messages)
		}
		tire.steep = false
		m.ok(derivative())
		tire.failure = c.failure
		if status := derivative(); status != fmu.Error ||
			!strings.Contains(m.Messages[len(m.Messages)-1].Text, c.failure.Error()) {
			t.Errorf("%v in a derivative: status %d, %v", c.failure, status, m.Messages)
		}
	}
	// a tire that fails from any evaluation of the initialisation on ends the initialisation
	defer func() { template = failing{} }()
	for from := range 12 {
		template = failing{failure: errors.New("worn out"), from: from}
		m := instantiate(t, "skidder", cs3)
		m.ok(m.SetString([]uint32{m.ref("tire_FL.model"), m.ref("tire_FL.file")}, []string{"Failing", ""}))
		m.ok(m.EnterInitializationMode(true, 0, false, 0))
		status, tire := m.ExitInitializationMode(), failingTires[len(failingTires)-1]
		if status == fmu.OK && tire.evaluated > from ||
			status != fmu.OK && status != fmu.Error {
			t.Errorf("a failure after evaluation %d of %d gives the status %d", from, tire.evaluated, status)
		}
	}
}
