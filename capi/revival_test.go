package main

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/tire"
)

// frail is a tire function that panics on request.
type frail struct{ evaluations int } // not of size 0, so that addresses differ

var frailty struct {
	eval, close atomic.Bool
	panics      atomic.Int64
}

func (f *frail) Eval(in, out []float64) {
	if f.evaluations++; frailty.eval.Load() {
		if frailty.panics.Add(1)%2 == 0 {
			panic("a tire function that was made to fail")
		}
		panic(errors.New("another value of a tire function that was made to fail"))
	}
	out[0], out[1] = 0, -8e4*in[0]
	clear(out[2:])
}

func (f *frail) Close() {
	if frailty.close.Load() {
		panic("a tire function that cannot be closed")
	}
}

// mountFrailTires mounts frail tires on the generic vehicle with set, which sets a text.
func mountFrailTires(t *testing.T, set func(name, value string)) {
	t.Helper()
	frailty.eval.Store(false)
	frailty.close.Store(false)
	t.Cleanup(func() { frailty.eval.Store(false); frailty.close.Store(false) })
	if _, err := tire.Lookup("frail"); err != nil {
		if err := tire.Register(tire.Kind{
			Name: "frail", Text: "test", Inputs: []string{"alpha", "Fz"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
			Open: func(tire.OpenRequest) (tire.Function, error) { return new(frail), nil },
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
		set("tire_"+wheel+".model", "frail")
	}
}

func genericVehicle(t *testing.T) (*cosim.System, *fmu.Table) {
	t.Helper()
	s, table, err := fmu.Load("../resources/models/generic4w.toml", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, table
}

// fmuUser drives an instance as the shim does.
type fmuUser struct {
	*testing.T
	*component
	text string // messages of the latest call
}

func newUser(t *testing.T, version int) *fmuUser {
	t.Helper()
	s, table := genericVehicle(t)
	k, err := newComponent(s, table, fmu.Settings{Version: version, Interface: fmu.CoSimulation, Logging: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { coreFree(k.window) })
	return &fmuUser{T: t, component: k}
}

func (u *fmuUser) took(status int32) fmu.Status {
	var texts []string
	for _, m := range unsafe.Slice(u.messages, u.sent) {
		text, _ := goText("message", (*byte)(unsafe.Pointer(m.text)))
		texts = append(texts, text)
	}
	u.text = strings.Join(texts, "\n")
	return fmu.Status(status)
}

func (u *fmuUser) on(call func(k *component) fmu.Status) fmu.Status {
	return u.took(int32(on(u.window, call)))
}

func (u *fmuUser) reset() fmu.Status { return u.took(int32(coreCall(u.window, 2))) } // SKIDPAD_RESET

func (u *fmuUser) must(status fmu.Status) {
	u.Helper()
	if status != fmu.OK {
		u.Fatalf("status %d: %s", status, u.text)
	}
}

// begin mounts the tires and initialises.
func (u *fmuUser) begin(start float64) {
	u.Helper()
	mountFrailTires(u.T, func(name, value string) {
		v, _ := u.table(name)
		u.must(u.on(func(k *component) fmu.Status { return k.SetString([]uint32{v}, []string{value}) }))
	})
	u.must(u.on(func(k *component) fmu.Status { return k.EnterInitializationMode(true, start, false, 0) }))
	u.must(u.on((*component).exitInitialization))
}

func (k *component) exitInitialization() fmu.Status { return k.ExitInitializationMode() }

func (u *fmuUser) table(name string) (uint32, bool) {
	_, table := genericVehicle(u.T)
	return table.Find(name)
}

// step makes a step of 10 ms with a steered wheel.
func (u *fmuUser) step(t float64) fmu.Status {
	steer, _ := u.table("steer_FL.angle")
	if status := u.on(func(k *component) fmu.Status {
		return k.SetReal([]uint32{steer}, []float64{0.02})
	}); status != fmu.OK {
		return status
	}
	return u.advance(t)
}

func (u *fmuUser) advance(t float64) fmu.Status {
	return u.took(int32(stepped(u.window, func(k *component) (fmu.StepResult, fmu.Status) { return k.DoStep(t, 0.01) })))
}

func (u *fmuUser) save() stateHandle {
	u.Helper()
	var state stateHandle
	u.must(u.took(int32(coreStateGet(u.window, &state))))
	return state
}

// peek returns the present state.
func (u *fmuUser) peek() []byte {
	u.Helper()
	state := u.save()
	defer coreStateFree(u.window, &state)
	return u.saved(state)
}

func (u *fmuUser) saved(state stateHandle) []byte {
	return slices.Clone(savedStates.find(uintptr(state)).bytes)
}

// run makes ten steps from the start and returns the state reached.
func (u *fmuUser) run() []byte {
	u.Helper()
	u.begin(0)
	for i := range 10 {
		u.must(u.step(float64(i) * 0.01))
	}
	return u.peek()
}

// breakDown makes the next step panic.
func (u *fmuUser) breakDown(t float64) {
	u.Helper()
	frailty.eval.Store(true)
	if status := u.step(t); status != fmu.Error {
		u.Fatalf("status %d of a step with a panic in a tire function", status)
	}
	u.tells("made to fail", "reset", "free")
	frailty.eval.Store(false)
}

// tells checks that the messages of the latest call contain words.
func (u *fmuUser) tells(words ...string) {
	u.Helper()
	for _, word := range words {
		if !strings.Contains(u.text, word) {
			u.Errorf("the message %q does not say %q", u.text, word)
		}
	}
}

// After a panic, every call is rejected with a message. After Reset, the run is bit-identical to the first run.
func TestResetRevivesAnInstanceAfterAPanic(t *testing.T) {
	for _, version := range []int{2, 3} {
		want := newUser(t, version).run()
		u := newUser(t, version)
		u.begin(0)
		for i := range 3 {
			u.must(u.step(float64(i) * 0.01))
		}
		u.breakDown(0.03)
		broken := u.Component
		for i, call := range []func(k *component) fmu.Status{
			func(k *component) fmu.Status { return k.Terminate() },
			func(k *component) fmu.Status { return k.Get(fmu.Real, []uint32{0}, []float64{0}) },
			func(k *component) fmu.Status { return k.getState(new(stateHandle)) },
			func(k *component) fmu.Status { return k.SetDebugLogging(true, nil) },
		} {
			if status := u.on(call); status != fmu.Error {
				t.Errorf("call %d after a panic has status %d", i, status)
			}
			u.tells("made to fail", "reset", "free")
		}
		if status := u.advance(0.03); status != fmu.Error {
			t.Errorf("a step after a panic has status %d", status)
		}
		u.tells("made to fail", "reset", "free")
		u.must(u.reset())
		if got := u.peek(); !slices.Equal(got, newUser(t, version).peek()) {
			t.Errorf("FMI %d: an instance recreated is not what it was after instantiation", version)
		}
		if u.Component == broken {
			t.Error("the component that panicked lives on")
		}
		if got := u.run(); !slices.Equal(got, want) {
			t.Errorf("FMI %d: the run after a reset differs from a first one", version)
		}
		u.must(u.on(func(k *component) fmu.Status { return k.SetDebugLogging(false, nil) }))
		frailty.eval.Store(true) // and again
		if status := u.advance(0.1); status != fmu.Error || (u.text == "") != (version == 3) {
			t.Errorf("FMI %d: status %d, message %q without logging", version, status, u.text)
		}
		frailty.eval.Store(false)
		u.must(u.reset())
		if status := u.on((*component).exitInitialization); status != fmu.Error || (u.text == "") != (version == 3) {
			t.Errorf("FMI %d: status %d, message %q: the reset after a panic switches logging on", version, status, u.text)
		}
		u.must(u.reset())
		// as in the first run: logging decides when values are computed
		u.must(u.on(func(k *component) fmu.Status { return k.SetDebugLogging(true, nil) }))
		if got := u.run(); !slices.Equal(got, want) {
			t.Errorf("FMI %d: the run after a second reset differs from a first one", version)
		}
	}
}

// Saved states outlive a panic: they can be freed, and a run from a saved state is bit-identical.
func TestASavedStateRevivesAnInstanceAfterAPanic(t *testing.T) {
	u := newUser(t, 3)
	u.begin(0)
	u.must(u.step(0))
	state := u.save()
	u.must(u.step(0.01))
	after := u.save()
	want := u.saved(after)
	u.breakDown(0.02)
	if status := u.took(int32(coreStateFree(u.window, &after))); status != fmu.OK || after != 0 {
		t.Errorf("a state cannot be freed after a panic: %d %s", status, u.text)
	}
	if status := u.took(int32(coreStateSet(u.window, 12345))); status != fmu.Error || u.broken == "" {
		t.Errorf("what is no state revives the instance: %d", status)
	}
	u.must(u.took(int32(coreStateSet(u.window, state))))
	u.must(u.step(0.01))
	again := u.save()
	if got := u.saved(again); !slices.Equal(got, want) {
		t.Error("the step from a state set after a panic differs from the one before it")
	}
	u.breakDown(0.02)
	id := uintptr(u.window.id)
	coreFree(u.window)
	if savedStates.find(uintptr(state)) != nil || components.find(id) != nil {
		t.Error("an instance that was freed after a panic leaves states or itself behind")
	}
}

// A panic of Reset itself, or of closing the old component, also ends in a working instance.
func TestResetThatPanicsRevives(t *testing.T) {
	want := newUser(t, 3).run()
	u := newUser(t, 3)
	u.begin(0)
	frailty.close.Store(true)
	u.must(u.reset())
	u.tells("cannot be closed")
	if got := u.run(); !slices.Equal(got, want) {
		t.Error("the run after a reset that panicked differs from a first one")
	}
	u.breakDown(0.1)
	frailty.close.Store(true)
	u.must(u.reset())
	u.tells("cannot be closed")
	u.begin(0)
	state := u.save()
	frailty.close.Store(true)
	id := uintptr(u.window.id)
	coreFree(u.window)
	if savedStates.find(uintptr(state)) != nil || components.find(id) != nil {
		t.Error("an instance whose tires cannot be closed leaves states or itself behind")
	}
}

// The error of an instance that cannot be recreated says that it must be freed.
func TestFailedRevivalIsReported(t *testing.T) {
	u := newUser(t, 3)
	u.begin(0)
	u.breakDown(0)
	whole := u.Component
	u.Component = new(fmu.Component) // without a model for a new component
	if status := u.reset(); status != fmu.Error {
		t.Errorf("status %d", status)
	}
	u.Component = whole
	if status := u.on((*component).exitInitialization); status != fmu.Error {
		t.Errorf("status %d", status)
	}
	u.tells("cannot be recreated", "free it")
}

// newFrailVehicle returns an initialised vehicle of skidpad.h.
func newFrailVehicle(t *testing.T) uintptr {
	t.Helper()
	var handle uintptr
	if s := load(c("../resources/models/generic4w.toml"), nil, nil, &handle, nil, 0); s != statusOK {
		t.Fatalf("load = %d", s)
	}
	t.Cleanup(func() { free(handle) })
	startFrail(t, handle)
	return handle
}

func startFrail(t *testing.T, handle uintptr) {
	t.Helper()
	mountFrailTires(t, func(name, value string) {
		if s := setText(handle, c(name), c(value)); s != statusOK {
			t.Fatalf("setText = %d: %s", s, errorText(handle))
		}
	})
	if s := initialise(handle); s != statusOK {
		t.Fatalf("initialise = %d: %s", s, errorText(handle))
	}
}

func TestResetAndRestoreReviveAVehicleAfterAPanic(t *testing.T) {
	ten := func(handle uintptr) string {
		for range 10 {
			if s := step(handle, 0.01); s != statusOK {
				t.Fatalf("step = %d: %s", s, errorText(handle))
			}
		}
		return stateOf(t, handle)
	}
	handle := newFrailVehicle(t)
	start := []byte(stateOf(t, handle))
	want := ten(handle)
	for name, revive := range map[string]func() status{
		"reset":   func() status { return reset(handle) },
		"restore": func() status { return restore(handle, &start[0], int64(len(start))) },
	} {
		frailty.eval.Store(true)
		if s := step(handle, 0.01); s != statusInternal {
			t.Fatalf("step = %d", s)
		}
		frailty.eval.Store(false)
		var x float64
		for what, s := range map[string]status{"step": step(handle, 0.01), "time": timeOf(handle, &x),
			"initialise": initialise(handle)} {
			if text := errorText(handle); s != statusInternal || !strings.Contains(text, "made to fail") ||
				strings.Count(text, "reset the vehicle") != 1 || !strings.Contains(text, "free") {
				t.Errorf("%s after a panic = %d: %q", what, s, text)
			}
		}
		frailty.close.Store(true) // a panic of Close does not matter
		if s := revive(); s != statusOK {
			t.Fatalf("%s = %d: %s", name, s, errorText(handle))
		}
		frailty.close.Store(false)
		if name == "reset" {
			startFrail(t, handle)
		}
		if got := ten(handle); got != want {
			t.Errorf("the run after %s differs from a first one", name)
		}
	}
	frailty.close.Store(true)
	if s := reset(handle); s != statusOK {
		t.Fatalf("a reset that panics = %d: %s", s, errorText(handle))
	}
	startFrail(t, handle)
	if got := ten(handle); got != want {
		t.Error("the run after a reset that panicked differs from a first one")
	}
	frailty.close.Store(true)
	if s := free(handle); s != statusOK || vehicles.find(handle) != nil {
		t.Errorf("free = %d", s)
	}
}

// A joint step uses the new engine of a recreated vehicle. A panic in a joint step breaks all its vehicles, whatever
// the values of the panics.
func TestRecreatedVehiclesStepTogether(t *testing.T) {
	list := []uintptr{newFrailVehicle(t), newFrailVehicle(t), newFrailVehicle(t)}
	all := func(want status) {
		t.Helper()
		if s := stepAll(&list[0], int64(len(list)), 0.01, 2, nil); s != want {
			t.Fatalf("stepAll = %d, want %d: %s", s, want, errorText(list[0]))
		}
	}
	all(statusOK)
	want := stateOf(t, list[0])
	frailty.eval.Store(true)
	all(statusInternal)
	frailty.eval.Store(false)
	all(statusInternal)
	for _, handle := range list {
		if s := step(handle, 0.01); s != statusInternal || !strings.Contains(errorText(handle), "made to fail") {
			t.Errorf("step = %d: %s", s, errorText(handle))
		}
	}
	for _, handle := range slices.Backward(list) {
		if s := reset(handle); s != statusOK {
			t.Fatalf("reset = %d: %s", s, errorText(handle))
		}
		startFrail(t, handle)
	}
	all(statusOK)
	for _, handle := range list {
		if stateOf(t, handle) != want {
			t.Error("a vehicle recreated does not step as it did")
		}
	}
	frailty.eval.Store(true)
	if s := step(list[1], 0.01); s != statusInternal {
		t.Fatalf("step = %d", s)
	}
	frailty.eval.Store(false)
	if s := reset(list[1]); s != statusOK {
		t.Fatalf("reset = %d", s)
	}
	startFrail(t, list[1])
	all(statusOK)
	if stateOf(t, list[1]) != want {
		t.Error("the fleet steps the engine that panicked")
	}
}
