package main

// #include <stdlib.h>
// #include "core_types.h"
// static const char *time_limit(void) { return getenv("SKIDPAD_TIME_LIMIT"); }
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"skidpad/cosim"
	"skidpad/fmu"
)

// component is an fmu.Component and its window in C memory.
type component struct {
	*fmu.Component
	window   *C.skidpad_window
	blocks   []unsafe.Pointer   // C memory of the window's arrays
	messages *C.skidpad_message // room for capacity messages
	capacity int
	sent     int       // number of messages with texts in C memory
	given    []*C.char // texts of the latest get_string
	states   map[*savedState]bool
	broken   string // after a panic: the error of every call
	plan     *plan  // of steps without Go, nil where there is none
}

// components holds every living instance.
var components handleTable[component]

// instantiate makes an instance of the FMU whose resources the settings name.
func instantiate(settings C.settings_in) (*C.skidpad_window, error) {
	if err := settle(); err != nil {
		return nil, err
	}
	if settings.resources == nil {
		return nil, errors.New("no resource location is given; the FMU needs its folder resources")
	}
	if settings.token == nil {
		return nil, errors.New("no GUID or instantiation token is given; it is in modelDescription.xml")
	}
	system, table, err := fmu.Open(C.GoString(settings.resources), C.GoString(settings.token))
	if err != nil {
		return nil, err
	}
	use := fmu.Settings{
		Version: int(settings.version), Interface: fmu.ModelExchange, Logging: settings.logging != 0,
		EventMode: settings.event_mode != 0, EarlyReturn: settings.early_return != 0,
		Intermediate: settings.intermediate != 0,
	}
	if settings.cosimulation != 0 {
		use.Interface = fmu.CoSimulation
	}
	if use.IntermediateReferences, err = intermediateReferences(settings); err != nil {
		return nil, err
	}
	if use.TimeLimit, err = limitOfEnvironment(); err != nil {
		return nil, err
	}
	k, err := newComponent(system, table, use)
	if err != nil {
		return nil, err
	}
	return k.window, nil
}

// intermediateReferences copies the list of variables for intermediate updates. Without a callback for updates, the
// list is ignored.
func intermediateReferences(settings C.settings_in) ([]uint32, error) {
	n := settings.reference_count
	switch {
	case settings.intermediate == 0 || n == 0:
		return nil, nil
	case n > maxCount:
		return nil, errCount(n)
	case settings.references == nil:
		return nil, fmt.Errorf("the list of %d required intermediate variables is NULL; pass their value references, or 0 "+
			"as their number", uint64(n))
	}
	return slices.Clone(slice[uint32](settings.references, n)), nil
}

// limitOfEnvironment returns the time limit that the host has set for FMUs, in seconds in the environment; 0 means no
// limit.
func limitOfEnvironment() (time.Duration, error) {
	const name = "SKIDPAD_TIME_LIMIT"
	text := C.time_limit() // os.Getenv has the value from the time when the library was loaded
	if text == nil {
		return 0, nil
	}
	seconds, err := strconv.ParseFloat(C.GoString(text), 64)
	if err != nil {
		return 0, fmt.Errorf("the environment variable %s is %q; it must be a number of seconds", name, C.GoString(text))
	}
	limit, err := timeLimit(seconds)
	if err != nil {
		return 0, fmt.Errorf("the environment variable %s: %w", name, err)
	}
	return limit, nil
}

// newComponent makes an instance with its window.
func newComponent(system *cosim.System, table *fmu.Table, use fmu.Settings) (*component, error) {
	k, made := &component{states: map[*savedState]bool{}}, false
	defer func() { // also after a panic
		if made {
			return
		}
		if k.Component != nil {
			k.Close()
		}
		k.release()
	}()
	k.window = (*C.skidpad_window)(k.block(1, C.sizeof_skidpad_window))
	values := k.numbers(system.First(cosim.Text))
	var err error
	if k.Component, err = fmu.NewComponent(system, table, use, values); err != nil {
		return nil, err
	}
	k.describe(system, table, values)
	k.publish()
	k.window.id = C.uintptr_t(components.add(k))
	made = true
	return k, nil
}

// block returns zeroed C memory that lives as long as the component.
func (k *component) block(n, size int) unsafe.Pointer {
	p := cAllocate(n, size)
	k.blocks = append(k.blocks, p)
	return p
}

func (k *component) numbers(n int) []float64 {
	return unsafe.Slice((*float64)(k.block(n, 8)), n)
}

// describe fills in the constant fields of the window.
func (k *component) describe(system *cosim.System, table *fmu.Table, values []float64) {
	w := k.window
	first := func(kind cosim.Kind) C.uint32_t { return C.uint32_t(system.First(kind)) }
	w.values, w.count = (*C.double)(unsafe.SliceData(values)), C.uint32_t(len(values))
	describeInputs(w, system, k.block)
	w.unread_from, w.unread_to = first(cosim.Contact), first(cosim.Ended)
	w.derivatives_from, w.indicators_from = first(cosim.Rate), first(cosim.Indicator)
	w.state_count, w.indicator_count = C.uint32_t(len(table.Derivatives)), C.uint32_t(len(table.Indicators))
	states := unsafe.Slice((*uint32)(k.block(len(table.Derivatives), 4)), len(table.Derivatives))
	for i, d := range table.Derivatives {
		states[i] = table.Variables[d.Reference].State
	}
	w.states = (C.references_in)(unsafe.Pointer(unsafe.SliceData(states)))
}

// publish hands the shim the permissions for calls without Go and the messages to log.
func (k *component) publish() {
	w := k.window
	w.readable, w.writable, w.keeps = flag(k.Readable()), flag(k.Writable()), flag(k.OutputsHeld())
	k.publishPlan()
	if k.sent == 0 && len(k.Messages) == 0 {
		return
	}
	if err := protect(k.send); err != nil {
		w.messages, w.message_count = &C.core_no_memory[0], 1
	}
}

// send puts the messages into the window.
func (k *component) send() error {
	k.freeMessages()
	if n := len(k.Messages); n > k.capacity {
		C.free(unsafe.Pointer(k.messages))
		k.messages, k.capacity = nil, 0
		k.messages, k.capacity = (*C.skidpad_message)(cAllocate(n, C.sizeof_skidpad_message)), n
	}
	list := unsafe.Slice(k.messages, k.capacity)
	for ; k.sent < len(k.Messages); k.sent++ {
		m := k.Messages[k.sent]
		both := cText(m.Category + "\x00" + m.Text) // one block: there is memory for both or for none
		text := (*C.char)(unsafe.Add(unsafe.Pointer(both), len(m.Category)+1))
		list[k.sent] = C.skidpad_message{status: C.int32_t(m.Status), category: both, text: text}
	}
	k.window.messages, k.window.message_count = k.messages, C.size_t(k.sent)
	k.Messages = k.Messages[:0]
	return nil
}

func flag(on bool) C.int32_t {
	if on {
		return 1
	}
	return 0
}

func (k *component) freeMessages() {
	for _, m := range unsafe.Slice(k.messages, k.capacity)[:k.sent] {
		C.free(unsafe.Pointer(m.category)) // and the text behind it
	}
	k.sent = 0
}

func (k *component) freeTexts() {
	for _, text := range k.given {
		C.free(unsafe.Pointer(text))
	}
	k.given = k.given[:0]
}

// free ends the instance and releases its remaining saved states.
func (k *component) free() {
	components.remove(uintptr(k.window.id))
	k.closeEngine(k.Component)
	for s := range k.states {
		s.free()
	}
	k.freeMessages()
	k.freeTexts()
	C.free(unsafe.Pointer(k.messages))
	k.release()
}

func (k *component) release() {
	k.dropPlan()
	for _, p := range k.blocks {
		C.free(p)
	}
}

// on runs a call on the instance of a window. A panic breaks the instance only, until it is revived.
func on(w *C.skidpad_window, call func(k *component) fmu.Status) C.int32_t {
	return run(w, true, unlessBroken(call))
}

// unlessBroken refuses a call after a panic.
func unlessBroken(call func(k *component) fmu.Status) func(k *component) fmu.Status {
	return func(k *component) fmu.Status {
		if k.broken != "" {
			return k.RejectCall(k.broken)
		}
		return call(k)
	}
}

// run is like on, for calls that are also allowed after a panic. With keep, outputs may be read before the next step.
func run(w *C.skidpad_window, keep bool, call func(k *component) fmu.Status) C.int32_t {
	k := components.find(uintptr(w.id))
	if k == nil {
		return C.int32_t(fmu.Error)
	}
	status := fmu.Error
	err := protect(func() error {
		k.takeSteps()
		if w.inputs_written != 0 {
			w.inputs_written = 0
			written := unsafe.Slice((*byte)(w.written), int(w.inputs_to-w.inputs_from))
			k.TakeInputs(written, keep)
			clear(written)
		}
		status = call(k)
		return nil
	})
	switch err {
	case nil:
	case errMemory: // the call has changed nothing
		status = k.RejectCall(err.Error())
	default:
		status = k.breakDown(err)
	}
	k.publish()
	return C.int32_t(status)
}

// breakDown stores the error of a panic.
func (k *component) breakDown(cause error) fmu.Status {
	k.broken = cause.Error() +
		"; reset the instance or set an FMU state of it to go on, or free it: everything else is refused"
	return k.RejectCall(k.broken)
}

// reset is Reset, also after a panic and if it panics itself.
func (k *component) reset() fmu.Status {
	if k.broken == "" {
		status := fmu.Error
		err := protect(func() error { status = k.Reset(); return nil })
		if err == nil {
			return status
		}
	}
	return k.revive()
}

// revive replaces a component that panicked by a new component, so that no half-done change survives. Saved states
// stay.
func (k *component) revive() fmu.Status {
	old := k.Component
	var fresh *fmu.Component
	err := protect(func() (err error) {
		fresh, err = old.Renew()
		return err
	})
	if err != nil {
		k.broken = "the instance cannot be recreated after a defect of the library: " + err.Error() + "; free it"
		return k.RejectCall(k.broken)
	}
	k.Component, k.broken = fresh, ""
	k.closeEngine(old)
	return fmu.OK
}

// closeEngine releases the resources of a component. Resources of tire functions that panic stay.
func (k *component) closeEngine(of *fmu.Component) {
	if err := protect(func() error { of.Close(); return nil }); err != nil {
		k.Note("what tire functions hold could not be released and stays until the process ends: " + err.Error())
	}
}

// stepped runs a call that steps the instance.
func stepped(w *C.skidpad_window, call func(k *component) (fmu.StepResult, fmu.Status)) C.int32_t {
	var result fmu.StepResult
	status := run(w, false, unlessBroken(func(k *component) (s fmu.Status) {
		result, s = call(k)
		return s
	}))
	w.reached, w.pause = C.double(result.Last), C.int32_t(result.Pause)
	w.event_needed, w.returned_early, w.set_wanted = flag(result.EventNeeded), flag(result.EarlyReturn), flag(result.Set)
	return status
}

// maxCount bounds the length of arrays that a caller passes.
const maxCount = 1 << 24

func errCount(n C.size_t) error {
	return fmt.Errorf("an array of %d elements; at most %d are taken", uint64(n), maxCount)
}

// count rejects array sizes that no caller can have.
func (k *component) count(n C.size_t) fmu.Status {
	if n > maxCount {
		return k.RejectCall(errCount(n).Error())
	}
	return fmu.OK
}

// texts copies the caller's texts.
func (k *component) texts(values C.texts_in, n C.size_t) ([]string, fmu.Status) {
	if refused := k.count(n); refused != fmu.OK {
		return nil, refused
	}
	var list []string
	for _, text := range unsafe.Slice((**byte)(unsafe.Pointer(values)), int(n)) {
		s, err := goText("a text", text)
		if err != nil {
			return nil, k.RejectCall(err.Error())
		}
		list = append(list, s)
	}
	return list, fmu.OK
}

// slice returns the caller's array of n elements.
func slice[T any, P ~*E, E any](p P, n C.size_t) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(p)), int(n))
}

// stateHandle names a saved state. It is a number because the Go runtime follows values of pointer types.
type stateHandle = C.uintptr_t

// savedState is a state that an importer holds, in C memory.
type savedState struct {
	handle uintptr
	bytes  []byte
	owner  *component
}

// savedStates holds all saved states, so that any value of a handle is safe.
var savedStates handleTable[savedState]

// newState makes room for a state of size bytes.
func (k *component) newState(size int) *savedState {
	s := &savedState{owner: k, bytes: unsafe.Slice((*byte)(cAllocate(size, 1)), size)}
	k.states[s] = true // freed with the instance, also if there is no memory for a handle
	s.handle = savedStates.add(s)
	return s
}

func (s *savedState) free() {
	savedStates.remove(s.handle)
	delete(s.owner.states, s)
	C.free(unsafe.Pointer(unsafe.SliceData(s.bytes)))
}

// state returns the saved state of a handle.
func (k *component) state(handle stateHandle) (*savedState, fmu.Status) {
	if s := savedStates.find(uintptr(handle)); s != nil {
		return s, fmu.OK
	}
	return nil, k.RejectCall("the handle is not a state from GetFMUState or DeSerializeFMUState, or the state was freed")
}

// getState saves the instance, into the state that *state names, or into a new state.
func (k *component) getState(state *stateHandle) fmu.Status {
	size := k.StateSize()
	var s *savedState
	if *state != 0 {
		old, refused := k.state(*state)
		if old == nil {
			return refused
		}
		s = old
	}
	into := s
	if s == nil || len(s.bytes) != size {
		into = k.newState(size) // before the old one is freed: there may be no memory
	}
	if status := k.Save(into.bytes); status != fmu.OK {
		if into != s {
			into.free()
		}
		return status
	}
	if s != nil && into != s {
		s.free()
	}
	*state = stateHandle(into.handle)
	return fmu.OK
}
