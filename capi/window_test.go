package main

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"skidpad/fmu"
	"skidpad/harness/tests/built"
	"skidpad/tire"
)

// Every message reaches the shim with its status, category and text, in order.
func TestMessagesKeepTheirStatus(t *testing.T) {
	u := newUser(t, 3)
	want := []fmu.Message{
		{Status: fmu.Error, Category: fmu.LogStatusError, Text: "first"},
		{Status: fmu.OK, Category: fmu.LogEvents, Text: "second"},
		{Status: fmu.Warning, Category: fmu.LogStatusWarning, Text: "third"},
		{Status: fmu.Discard, Category: fmu.LogStatusDiscard, Text: "fourth"},
	}
	u.Messages = append(u.Messages, want...)
	u.publish()
	if n := int(u.window.message_count); n != len(want) {
		t.Fatalf("%d messages, want %d", n, len(want))
	}
	for i, m := range unsafe.Slice(u.window.messages, len(want)) {
		category, _ := goText("category", (*byte)(unsafe.Pointer(m.category)))
		text, _ := goText("text", (*byte)(unsafe.Pointer(m.text)))
		if got := (fmu.Message{Status: fmu.Status(m.status), Category: category, Text: text}); got != want[i] {
			t.Errorf("message %d is %+v, want %+v", i, got, want[i])
		}
	}
}

// Results of a step arrive in the fields of the same name.
func TestWindowFieldsOfStepResults(t *testing.T) {
	u := newUser(t, 3)
	for _, want := range []fmu.StepResult{
		{Last: 1}, {Last: 2, EventNeeded: true}, {Last: 3, EarlyReturn: true}, {Last: 4, Set: true},
		{Last: 5, Pause: fmu.PauseForUpdate}, {Last: 6, Pause: fmu.PauseForSignals},
	} {
		stepped(u.window, func(*component) (fmu.StepResult, fmu.Status) { return want, fmu.OK })
		w := u.window
		got := fmu.StepResult{
			Last: float64(w.reached), EventNeeded: w.event_needed != 0, EarlyReturn: w.returned_early != 0,
			Set:   w.set_wanted != 0,
			Pause: fmu.Pause(w.pause),
		}
		if got != want {
			t.Errorf("the window says %+v, want %+v", got, want)
		}
	}
}

// brittle is a tire function that fails while failure is set.
type brittle struct{ failure *error }

func (brittle) Eval(in, out []float64) { clear(out) }
func (b brittle) Fault() error         { return *b.failure }

// After an error in a tire function, a vehicle returns no stale value. A read is rejected while the value cannot be
// computed; later it returns the value at the latest step.
func TestNoStaleValueIsReadAfterAnError(t *testing.T) {
	var failure error
	if err := tire.Register(tire.Kind{
		Name: "brittle", Text: "test", Inputs: []string{"Fz"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
		Open: func(tire.OpenRequest) (tire.Function, error) { return brittle{&failure}, nil },
	}); err != nil {
		t.Fatal(err)
	}
	var handle uintptr
	if s := load(c("../resources/models/generic4w.toml"), nil, nil, &handle, nil, 0); s != statusOK {
		t.Fatalf("load = %d", s)
	}
	defer free(handle)
	if s := setText(handle, c("tire_FL.model"), c("brittle")); s != statusOK {
		t.Fatal(errorText(handle))
	}
	setText(handle, c("tire_FL.file"), c(""))
	if s := initialise(handle); s != statusOK {
		t.Fatal(errorText(handle))
	}
	for range 3 {
		if s := step(handle, 0.01); s != statusOK {
			t.Fatal(errorText(handle))
		}
	}
	reached := stateOf(t, handle)
	read := func(name string) (float64, status) {
		var reference uint32
		value := 0.0
		if s := find(handle, c(name), &reference); s != statusOK {
			t.Fatal(errorText(handle))
		}
		s := get(handle, &reference, 1, &value)
		return value, s
	}
	failure = errors.New("the rubber is gone")
	if s := step(handle, 0.01); s != statusRefused {
		t.Errorf("step = %d", s)
	}
	for range 2 {
		for _, name := range []string{"body.vx", "body.ax", "tire_FL.Fz", "wheel_RR.omega"} {
			if _, s := read(name); s != statusRefused || !strings.Contains(errorText(handle), "the rubber is gone") {
				t.Errorf("%s is read with %d: %s", name, s, errorText(handle))
			}
		}
	}
	failure = nil
	ax, s := read("body.ax")
	if s != statusOK {
		t.Fatal(errorText(handle))
	}
	if stateOf(t, handle) != reached {
		t.Error("the step that failed changed the state")
	}
	if s := restore(handle, unsafe.StringData(reached), int64(len(reached))); s != statusOK {
		t.Fatal(errorText(handle))
	}
	if want, _ := read("body.ax"); ax != want {
		t.Errorf("body.ax is %.17g after the error, %.17g at the latest step", ax, want)
	}
}

// The shim lets one thread at a time into an instance.
func TestOneCallAtATimeEntersAnInstanceOfTheShim(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the host has POSIX threads")
	}
	host := built.Compiled(t, "shim_host", "cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror",
		"testdata/shim_host.c", "shim/handles.c", "-lpthread")
	if text, err := exec.Command(host).CombinedOutput(); err != nil || string(text) != "ok\n" {
		t.Errorf("%v\n%s", err, text)
	}
}
