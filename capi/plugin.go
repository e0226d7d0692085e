package main

// #include <stdlib.h>
// #include "plugin.h"
import "C"

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"skidpad/tire"
)

// forces are the results of every tire function.
var forces = []string{"Fx", "Fy", "Mx", "My", "Mz"}

const (
	maxInputs = 64
	maxStates = 64
)

// openPlugin finds the tire function that a library exports as symbol.
func openPlugin(library, symbol, _ string) (kind *tire.Kind, err error) {
	defer memoryError(&err)
	path := cText(library)
	defer C.free(unsafe.Pointer(path))
	name := cText(symbol)
	defer C.free(unsafe.Pointer(name))
	var reason [1024]C.char
	found := C.plugin_open(path, name, &reason[0], C.size_t(len(reason)))
	if found == nil {
		return nil, fmt.Errorf("tire library %s: %s", library, C.GoString(&reason[0]))
	}
	k, err := pluginKind(found)
	if err != nil {
		return nil, fmt.Errorf("tire library %s, function %s: %w", library, symbol, err)
	}
	return k, nil
}

// pluginKind checks a description and makes a kind of it.
func pluginKind(given *C.skidpad_tire) (*tire.Kind, error) {
	if given.abi != C.SKIDPAD_TIRE_ABI {
		return nil, fmt.Errorf("it has version %d of the tire interface, this library has version %d; build it with the skidpad_tire.h of this library", uint32(given.abi), uint32(C.SKIDPAD_TIRE_ABI))
	}
	if given.size < C.sizeof_skidpad_tire {
		return nil, fmt.Errorf("its skidpad_tire has %d bytes, not %d; set size to sizeof(skidpad_tire)", uint32(given.size), uint32(C.sizeof_skidpad_tire))
	}
	api := *given
	switch {
	case api.name == nil:
		return nil, errors.New("its name is NULL")
	case api.init == nil || api.evaluate == nil:
		return nil, errors.New("init or evaluate is NULL")
	case api.inputs == nil || api.input_count < 1 || api.input_count > maxInputs:
		return nil, fmt.Errorf("it asks for %d inputs; 1 to %d are possible", uint32(api.input_count), maxInputs)
	case api.state_count > maxStates:
		return nil, fmt.Errorf("it has %d states; at most %d are possible", uint32(api.state_count), maxStates)
	}
	k := &tire.Kind{Name: C.GoString(api.name), Outputs: forces}
	if api.text != nil {
		k.Text = C.GoString(api.text)
	}
	for i, input := range unsafe.Slice(api.inputs, int(api.input_count)) {
		if input == nil {
			return nil, fmt.Errorf("the name of input %d is NULL", i)
		}
		k.Inputs = append(k.Inputs, C.GoString(input))
	}
	k.Open = func(o tire.Opening) (tire.Function, error) { return openTire(&api, k.Inputs, o.Tire, o.File) }
	k.Join = func(functions []tire.Function) error { return join(&api, functions) }
	return k, nil
}

// pluginTire is one tire of a function in a library. Its numbers lie in the C memory
// of its group.
type pluginTire struct {
	api      *C.skidpad_tire
	names    []string // of the inputs
	instance unsafe.Pointer
	states   int
	start    []float64 // of the states, until it is in a group
	group    *pluginGroup
	place    int
	fault    error
	single   []float64 // C memory for an evaluation of its own: inputs, outputs, rates
}

// differentiablePlugin is a pluginTire with derivatives of its own.
type differentiablePlugin struct{ *pluginTire }

func openTire(api *C.skidpad_tire, inputs []string, name, file string) (opened tire.Function, err error) {
	defer memoryError(&err)
	t := &pluginTire{api: api, names: inputs, states: int(api.state_count)}
	defer func() {
		if opened == nil {
			t.Close()
		}
	}()
	component := cText(name)
	defer C.free(unsafe.Pointer(component))
	var path *C.char
	if file != "" {
		path = cText(file)
		defer C.free(unsafe.Pointer(path))
	}
	t.single = cNumbers(len(inputs)*(1+len(forces)) + len(forces) + t.states)
	states := cNumbers(t.states)
	defer cFreeNumbers(states)
	var reason [1024]C.char
	if C.plugin_init(api, component, path, cPointer(states), &t.instance, &reason[0], C.size_t(len(reason))) != 0 {
		t.instance = nil // there is none, whatever stands there
		reason[len(reason)-1] = 0
		text := C.GoString(&reason[0])
		if text == "" {
			text = "init failed without saying why"
		}
		return nil, fmt.Errorf("tire function %s: %s", C.GoString(api.name), text)
	}
	t.start = slices.Clone(states)
	if i := slices.IndexFunc(t.start, unusable); i >= 0 {
		return nil, fmt.Errorf("tire function %s: start value of state %d is %v", C.GoString(api.name), i, t.start[i])
	}
	if api.jacobian != nil {
		return differentiablePlugin{t}, nil
	}
	return t, nil
}

func unusable(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Close implements what package cosim asks of functions that hold something.
func (t *pluginTire) Close() {
	if t.instance != nil {
		C.plugin_free(t.api, t.instance)
	}
	cFreeNumbers(t.single)
	t.instance, t.single = nil, nil
	if t.group != nil {
		t.group.leave()
		t.group = nil
	}
}

// Member implements tire.Grouped.
func (t *pluginTire) Member() (tire.Group, int) { return t.group, t.place }

// Memory implements tire.Dynamic.
func (t *pluginTire) Memory() (x, dx []float64) {
	g := t.group
	return g.x[t.place*t.states:][:t.states], g.dx[t.place*t.states:][:t.states]
}

// Eval implements tire.Function.
func (t *pluginTire) Eval(in, out []float64) {
	n := len(t.names)
	inputs, outputs, rates := t.single[:n], t.single[n:n+len(forces)], t.single[n+len(forces):]
	copy(inputs, in)
	x, _ := t.Memory()
	t.check(C.plugin_evaluate(t.api, 1, &t.group.instances[t.place], cPointer(inputs), cPointer(x), cPointer(outputs), cPointer(rates)), outputs, nil)
	copy(out, outputs)
}

// Jacobian implements tire.Differentiable.
func (t differentiablePlugin) Jacobian(in, jac []float64) {
	n := len(t.names)
	inputs, derivatives := t.single[:n], t.single[n:n*(1+len(forces))]
	copy(inputs, in)
	x, _ := t.Memory()
	failed := C.plugin_jacobian(t.api, t.instance, cPointer(inputs), cPointer(x), cPointer(derivatives)) != 0
	if failed || slices.ContainsFunc(derivatives, unusable) {
		t.note(errors.New("its derivatives failed or are not finite"))
		clear(derivatives)
	}
	copy(jac, derivatives)
}

// check notes a failed call and results that no force can have, and clears them.
func (t *pluginTire) check(failed C.int32_t, outputs, rates []float64) {
	switch {
	case failed != 0:
		t.fail(failed)
	default:
		if i := slices.IndexFunc(outputs, unusable); i >= 0 {
			t.note(fmt.Errorf("%s = %v; results must be finite", forces[i], outputs[i]))
		} else if i := slices.IndexFunc(rates, unusable); i >= 0 {
			t.note(fmt.Errorf("rate of state %d = %v; results must be finite", i, rates[i]))
		} else {
			return
		}
	}
	clear(outputs)
	clear(rates)
}

// blamed tells whether the tire has a text about a failure: of a group that failed it is one that made it fail.
func (t *pluginTire) blamed() bool {
	c := C.plugin_error(t.api, t.instance)
	return c != nil && *c != 0
}

// fail notes a failed call, with what the tire says of it.
func (t *pluginTire) fail(failed C.int32_t) {
	text := ""
	if t.blamed() {
		text = ": " + C.GoString(C.plugin_error(t.api, t.instance))
	}
	t.note(fmt.Errorf("evaluate returned %d%s", int32(failed), text))
}

func (t *pluginTire) note(err error) {
	if t.fault == nil {
		t.fault = fmt.Errorf("%s: %w", C.GoString(t.api.name), err)
	}
}

// Fault implements tire.Fallible.
func (t *pluginTire) Fault() error {
	err := t.fault
	t.fault = nil
	return err
}

// pluginGroup holds the tires of one vehicle that have the same function.
type pluginGroup struct {
	api            *C.skidpad_tire
	tires          []*pluginTire
	living         int
	instances      []unsafe.Pointer
	in, out, x, dx []float64
}

// join makes a group of tires of one function.
func join(api *C.skidpad_tire, functions []tire.Function) (err error) {
	n, inputs, states := len(functions), int(api.input_count), int(api.state_count)
	g := &pluginGroup{api: api, living: n}
	defer memoryError(&err)
	defer func() {
		if g.instances == nil {
			g.release()
		}
	}()
	g.in, g.out = cNumbers(n*inputs), cNumbers(n*len(forces))
	g.x, g.dx = cNumbers(n*states), cNumbers(n*states)
	g.instances = unsafe.Slice((*unsafe.Pointer)(cAllocate(n, int(unsafe.Sizeof(uintptr(0))))), n)
	for k, f := range functions {
		t, ok := f.(*pluginTire)
		if !ok {
			t = f.(differentiablePlugin).pluginTire
		}
		t.group, t.place = g, k
		g.tires, g.instances[k] = append(g.tires, t), t.instance
		copy(g.x[k*states:], t.start)
	}
	return nil
}

// leave gives the memory back when the last tire has left.
func (g *pluginGroup) leave() {
	if g.living--; g.living == 0 {
		g.release()
	}
}

func (g *pluginGroup) release() {
	for _, list := range [...][]float64{g.in, g.out, g.x, g.dx} {
		cFreeNumbers(list)
	}
	C.free(unsafe.Pointer(unsafe.SliceData(g.instances)))
}

// Argument implements tire.Group.
func (g *pluginGroup) Argument(k, a int) *float64 { return &g.in[k*int(g.api.input_count)+a] }

// Result implements tire.Group.
func (g *pluginGroup) Result(k, r int) *float64 { return &g.out[k*len(forces)+r] }

// Eval implements tire.Group.
func (g *pluginGroup) Eval() {
	failed := C.plugin_evaluate(g.api, C.size_t(len(g.tires)), &g.instances[0], cPointer(g.in), cPointer(g.x), cPointer(g.out), cPointer(g.dx))
	if failed != 0 && slices.ContainsFunc(g.tires, (*pluginTire).blamed) {
		for _, t := range g.tires {
			if t.blamed() {
				t.fail(failed)
			}
		}
		clear(g.out)
		clear(g.dx)
		return
	}
	for k, t := range g.tires {
		t.check(failed, g.out[k*len(forces):][:len(forces)], g.dx[k*t.states:][:t.states])
	}
}

// cNumbers returns n zeros in C memory; at least one, so that it has an address.
func cNumbers(n int) []float64 {
	return unsafe.Slice((*float64)(cAllocate(n, 8)), max(n, 1))[:n]
}

func cFreeNumbers(list []float64) { C.free(unsafe.Pointer(unsafe.SliceData(list))) }

func cPointer(list []float64) *C.double { return (*C.double)(unsafe.Pointer(unsafe.SliceData(list))) }

// registerTire registers a tire function of the host; see skidpad_register_tire.
func registerTire(given unsafe.Pointer, reason *byte, capacity int64) status {
	err := protect(func() error {
		if err := settle(); err != nil {
			return err
		}
		if given == nil {
			return argumentError("tire is NULL")
		}
		k, err := pluginKind((*C.skidpad_tire)(given))
		if err != nil {
			return err
		}
		return tire.Register(*k)
	})
	text := ""
	if err != nil {
		text = err.Error()
	}
	putText(reason, capacity, text)
	return statusOf(err)
}
