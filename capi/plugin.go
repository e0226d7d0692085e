package main

// #include <stdlib.h>
// #include <string.h>
// #include "plugin.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sync"
	"time"
	"unsafe"

	"skidpad/tire"
)

// forces lists the results of every force function.
var forces = []string{"Fx", "Fy", "Mx", "My", "Mz"}

const (
	maxInputs  = 64
	maxOutputs = 64 // of a law
	maxStates  = 64
)

// hostInterface is an interface of functions in libraries and in the host program. The structures of all have one
// layout.
type hostInterface struct {
	abi             uint32
	word, structure string // in messages
	register        string // function that registers one
}

var (
	tireInterface = &hostInterface{C.SKIDPAD_TIRE_ABI, "tire function", "skidpad_tire", "skidpad_register_tire"}
	lawInterface  = &hostInterface{C.SKIDPAD_LAW_ABI, "law", "skidpad_law", "skidpad_register_law"}
	// functions that are called at samples
	controllerInterface = &hostInterface{C.SKIDPAD_CONTROLLER_ABI, "controller", "skidpad_controller",
		"skidpad_register_controller"}
)

// interfaceOf returns the interface with a version, nil for none.
func interfaceOf(abi C.uint32_t) *hostInterface {
	for _, of := range [...]*hostInterface{tireInterface, lawInterface, controllerInterface} {
		if of.abi == uint32(abi) {
			return of
		}
	}
	return nil
}

// largest bounds results [N, N m]. No wheel reaches the bound; much larger results make the states of the vehicle
// infinite.
const largest = 1e9

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

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
		return nil, fmt.Errorf("library %s: %s", library, C.GoString(&reason[0]))
	}
	k, err := pluginKind(found, culprit("function "+symbol+" of the library "+library))
	if err != nil {
		return nil, fmt.Errorf("library %s, function %s: %w", library, symbol, err)
	}
	return k, nil
}

// culprits holds the names of library tire functions in C memory. They stay until the process ends: a crash can come at
// any time.
var culprits struct {
	sync.Mutex
	names map[string]*C.char
}

// culprit returns a name as C text.
func culprit(name string) *C.char {
	culprits.Lock()
	defer culprits.Unlock()
	if text := culprits.names[name]; text != nil {
		return text
	}
	if culprits.names == nil {
		culprits.names = map[string]*C.char{}
	}
	text := (*C.char)(unsafe.Pointer(put(name, cKeep(len(name)+1, 1))))
	culprits.names[name] = text
	return text
}

// pluginKind checks a description and returns its kind; who names the function in crash reports, nil for a function of
// the host.
func pluginKind(given *C.skidpad_tire, who *C.char) (*tire.Kind, error) {
	of := interfaceOf(given.abi)
	if of == nil {
		return nil, fmt.Errorf("it has version %d of the interface; this library has version %d for tires, %d for laws and "+
			"%d for controllers: build it with skidpad_tire.h, skidpad_law.h or skidpad_controller.h of this library",
			uint32(given.abi), tireInterface.abi, lawInterface.abi, controllerInterface.abi)
	}
	var api C.skidpad_tire
	if of != tireInterface && given.size < C.sizeof_skidpad_tire {
		return nil, fmt.Errorf("its %s has %d bytes, not %d; set size to sizeof(%[1]s)", of.structure, uint32(given.size),
			uint32(C.sizeof_skidpad_tire))
	}
	if given.size < C.uint32_t(unsafe.Offsetof(api.outputs)) {
		return nil, fmt.Errorf("its skidpad_tire has %d bytes, not %d; set size to sizeof(skidpad_tire)", uint32(given.size),
			uint32(C.sizeof_skidpad_tire))
	}
	if given.size < C.sizeof_skidpad_tire { // of a force function, without outputs
		C.memcpy(unsafe.Pointer(&api), unsafe.Pointer(given), C.size_t(unsafe.Offsetof(api.outputs)))
	} else {
		api = *given
	}
	switch {
	case api.name == nil:
		return nil, errors.New("its name is NULL; set name to an identifier")
	case !identifier.MatchString(C.GoString(api.name)):
		return nil, fmt.Errorf("its name is %.60q; it must be an identifier: letters, digits and _, and no digit at the "+
			"beginning", C.GoString(api.name))
	case api.init == nil || api.evaluate == nil:
		return nil, errors.New("init or evaluate is NULL")
	case api.inputs == nil:
		return nil, errors.New("inputs is NULL; set it to the names of the inputs")
	case api.input_count < 1 || api.input_count > maxInputs:
		return nil, fmt.Errorf("it asks for %d inputs; 1 to %d are possible", uint32(api.input_count), maxInputs)
	case api.state_count > maxStates:
		return nil, fmt.Errorf("it has %d states; at most %d are possible", uint32(api.state_count), maxStates)
	}
	k := &tire.Kind{Name: C.GoString(api.name), Sampled: of == controllerInterface}
	var err error
	if k.Outputs, err = pluginOutputs(&api); err != nil {
		return nil, err
	}
	if api.text != nil {
		k.Text = C.GoString(api.text)
	}
	for i, input := range unsafe.Slice(api.inputs, int(api.input_count)) {
		if input == nil {
			return nil, fmt.Errorf("the name of input %d is NULL", i)
		}
		k.Inputs = append(k.Inputs, C.GoString(input))
	}
	if k.Sampled {
		if err := checkController(&api, k); err != nil {
			return nil, err
		}
	}
	k.Open = func(o tire.OpenRequest) (tire.Function, error) { return openTire(&api, who, k, o.Tire, o.File) }
	k.Join = func(functions []tire.Function) error { return join(&api, who, functions) }
	return k, nil
}

// pluginOutputs returns the names of the results: forces, or the outputs of a relaxation function.
func pluginOutputs(api *C.skidpad_tire) ([]string, error) {
	if interfaceOf(api.abi) != tireInterface {
		return namedOutputs(api)
	}
	switch {
	case api.outputs == nil && api.output_count == 0:
		return forces, nil
	case api.outputs == nil:
		return nil, fmt.Errorf("output_count is %d and outputs is NULL; set it to the names of the results of a relaxation "+
			"function, or both to 0", uint32(api.output_count))
	case api.output_count < 2 || int(api.output_count) > len(tire.SlipRates)+len(tire.SlipLengths):
		return nil, fmt.Errorf("it has %d outputs; a relaxation function has 2 to %d", uint32(api.output_count),
			len(tire.SlipRates)+len(tire.SlipLengths))
	}
	var k tire.Kind
	for i, output := range unsafe.Slice(api.outputs, int(api.output_count)) {
		if output == nil {
			return nil, fmt.Errorf("the name of output %d is NULL", i)
		}
		k.Outputs = append(k.Outputs, C.GoString(output))
	}
	if !tire.IsRelaxation(&k) {
		return nil, fmt.Errorf("its outputs are %.200q; those of a relaxation function are q1dot, q2dot, then q3dot or not, "+
			"then sigma1, sigma2 or not", k.Outputs)
	}
	if api.state_count != 0 {
		return nil, fmt.Errorf("it has %d states; a relaxation function has none, since q1, q2 and q3 are states of the "+
			"tire", uint32(api.state_count))
	}
	return k.Outputs, nil
}

// namedOutputs returns the names of the results of a law or a controller.
func namedOutputs(api *C.skidpad_tire) (list []string, err error) {
	switch {
	case api.outputs == nil || api.output_count < 1 || api.output_count > maxOutputs:
		return nil, fmt.Errorf("it has %d outputs; set outputs to the names of 1 to %d results", uint32(api.output_count),
			maxOutputs)
	case api.state_count != 0:
		return nil, fmt.Errorf("its member none is not 0; set it to 0: the component has the states of a %s",
			interfaceOf(api.abi).word)
	}
	for i, output := range unsafe.Slice(api.outputs, int(api.output_count)) {
		if output == nil {
			return nil, fmt.Errorf("the name of output %d is NULL", i)
		}
		list = append(list, C.GoString(output))
	}
	return list, nil
}

// checkController says what is wrong with the description of a controller alone.
func checkController(api *C.skidpad_tire, k *tire.Kind) error {
	if api.jacobian != nil {
		return errors.New("its member nothing is not NULL; set it to NULL: controllers have no derivatives")
	}
	for _, list := range [...]struct {
		what  string
		names []string
	}{{"input", k.Inputs}, {"result", k.Outputs}} {
		for i, name := range list.names {
			if slices.Contains(list.names[:i], name) {
				return fmt.Errorf("it names the %s %q twice; name each once", list.what, name)
			}
		}
	}
	return nil
}

// pluginTire is a tire with a library function. Its numbers are in the C memory of its group.
type pluginTire struct {
	api      *C.skidpad_tire
	who      *C.char
	names    []string    // of the results
	lengths  int         // index of the first relaxation length among the results
	instance C.uintptr_t // a void * of the library; a pointer type would crash Go if the library uses small numbers
	states   int
	start    []float64 // of the states, until it is in a group
	group    *pluginGroup
	index    int
	fault    error

	// C memory for an evaluation outside of the group
	in                          []float64
	outputs, rates, derivatives guarded
}

// differentiablePlugin is a pluginTire whose library computes derivatives.
type differentiablePlugin struct{ *pluginTire }

func openTire(api *C.skidpad_tire, who *C.char, k *tire.Kind, name, file string) (opened tire.Function, err error) {
	defer memoryError(&err)
	t := &pluginTire{api: api, who: who, names: k.Outputs, lengths: len(k.Outputs), states: int(api.state_count)}
	if at := slices.Index(k.Outputs, tire.SlipLengths[0]); at >= 0 && tire.IsRelaxation(k) {
		t.lengths = at
	}
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
	t.in = cNumbers(len(k.Inputs))
	t.outputs, t.rates, t.derivatives = cGuarded(len(k.Outputs)), cGuarded(t.states),
		cGuarded(len(k.Inputs)*len(k.Outputs))
	states := cGuarded(t.states)
	defer states.free()
	var reason [1024]C.char
	if C.plugin_init(api, who, component, path, cPointer(states.numbers), &t.instance, &reason[0],
		C.size_t(len(reason))) != 0 {
		t.instance = 0 // no instance, whatever init has written
		reason[len(reason)-1] = 0
		text := C.GoString(&reason[0])
		if text == "" {
			text = "init failed without saying why"
		}
		return nil, fmt.Errorf("%s %s: %s", wordOf(api), C.GoString(api.name), text)
	}
	if !states.intact() {
		return nil, fmt.Errorf("%s %s: init wrote outside of its %d states; correct the library", wordOf(api),
			C.GoString(api.name), t.states)
	}
	t.start = slices.Clone(states.numbers)
	if i := slices.IndexFunc(t.start, isNonFinite); i >= 0 {
		return nil, fmt.Errorf("tire function %s: start value of state %d is %v", C.GoString(api.name), i, t.start[i])
	}
	if api.jacobian != nil {
		return differentiablePlugin{t}, nil
	}
	return t, nil
}

// wordOf returns the word for a function in messages.
func wordOf(api *C.skidpad_tire) string {
	of := interfaceOf(api.abi)
	if of == tireInterface && api.outputs != nil {
		return "relaxation function"
	}
	return of.word
}

func isNonFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Close releases the instance. Package cosim closes functions that have a method Close.
func (t *pluginTire) Close() {
	if t.instance != 0 {
		C.plugin_free(t.api, t.who, t.instance)
	}
	cFreeNumbers(t.in)
	for _, g := range [...]*guarded{&t.outputs, &t.rates, &t.derivatives} {
		g.free()
	}
	t.instance, t.in = 0, nil
	if t.group != nil {
		t.group.leave()
		t.group = nil
	}
}

// Member implements tire.Grouped.
func (t *pluginTire) Member() (tire.Group, int) { return t.group, t.index }

// Memory implements tire.Stateful.
func (t *pluginTire) Memory() (x, dx []float64) {
	g := t.group
	return g.x[t.index*t.states:][:t.states], g.dx[t.index*t.states:][:t.states]
}

// SetTimed implements tire.Timed.
func (t *pluginTire) SetTimed(on bool) { t.group.watch.SetTimed(on) }

// Spent implements tire.Timed.
func (t *pluginTire) Spent() time.Duration { return t.group.watch.Spent() }

// Eval implements tire.Function.
func (t *pluginTire) Eval(in, out []float64) {
	copy(t.in, in)
	x, _ := t.Memory()
	outputs := t.outputs.numbers
	begin := t.group.watch.Begin()
	failed := C.plugin_evaluate(t.api, t.who, 1, &t.group.instances[t.index], cPointer(t.in), cPointer(x),
		cPointer(outputs), cPointer(t.rates.numbers))
	t.group.watch.End(begin)
	t.checkGuards("evaluate", &t.outputs, &t.rates)
	t.outputs.set()
	t.rates.set()
	t.check(failed, outputs, nil)
	copy(out, outputs)
}

// Jacobian implements tire.Differentiable.
func (t differentiablePlugin) Jacobian(in, jac []float64) {
	copy(t.in, in)
	x, _ := t.Memory()
	derivatives := t.derivatives.numbers
	begin := t.group.watch.Begin()
	failed := C.plugin_jacobian(t.api, t.who, t.instance, cPointer(t.in), cPointer(x), cPointer(derivatives)) != 0
	t.group.watch.End(begin)
	t.checkGuards("jacobian", &t.derivatives)
	t.derivatives.set()
	if failed || slices.ContainsFunc(derivatives, isNonFinite) {
		t.note(errors.New("its derivatives failed or are not finite"))
		clear(derivatives)
	}
	copy(jac, derivatives)
}

// check records a failed call or impossible results, and clears the results then.
func (t *pluginTire) check(failed C.int32_t, outputs, rates []float64) {
	switch {
	case failed != 0:
		t.fail(failed)
	default:
		if i := slices.IndexFunc(outputs, isNonFinite); i >= 0 {
			t.note(fmt.Errorf("%s = %v; results must be finite", t.names[i], outputs[i]))
		} else if interfaceOf(t.api.abi) != tireInterface {
			return
		} else if i := slices.IndexFunc(outputs, func(v float64) bool { return math.Abs(v) > largest }); i >= 0 {
			t.note(fmt.Errorf("%s = %g; %s must be between -%g and %g", t.names[i], outputs[i], t.quantities(), largest,
				largest))
		} else if i := t.negativeLength(outputs); i >= 0 {
			t.note(fmt.Errorf("%s = %g; a relaxation length in m is not negative", t.names[i], outputs[i]))
		} else if i := slices.IndexFunc(rates, isNonFinite); i >= 0 {
			t.note(fmt.Errorf("rate of state %d = %v; results must be finite", i, rates[i]))
		} else {
			return
		}
	}
	clear(outputs)
	clear(rates)
}

// quantities describes the results in messages.
func (t *pluginTire) quantities() string {
	if t.names[0] == forces[0] {
		return "forces in N and moments in N m"
	}
	return "rates of slips in 1/s and lengths in m"
}

// negativeLength returns the index of a relaxation length below 0, -1 for none.
func (t *pluginTire) negativeLength(outputs []float64) int {
	i := slices.IndexFunc(outputs[t.lengths:], func(v float64) bool { return v < 0 })
	if i < 0 {
		return i
	}
	return t.lengths + i
}

// checkGuards records writes outside of results by a function of the library.
func (t *pluginTire) checkGuards(function string, results ...*guarded) {
	for _, g := range results {
		if !g.intact() {
			t.note(fmt.Errorf("%s wrote outside of the %d numbers of its results; correct the library", function,
				len(g.numbers)))
		}
	}
}

// hasOwnError reports whether the library has an error text for this tire. In a failed group, the tires with error
// texts are at fault.
func (t *pluginTire) hasOwnError() bool {
	c := C.plugin_error(t.api, t.who, t.instance)
	return c != nil && *c != 0
}

// fail records a failed call with the error text of the tire.
func (t *pluginTire) fail(failed C.int32_t) {
	text := ""
	if t.hasOwnError() {
		text = ": " + C.GoString(C.plugin_error(t.api, t.who, t.instance))
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
	watch          tire.Stopwatch
	api            *C.skidpad_tire
	who            *C.char
	tires          []*pluginTire
	living         int
	results        int // of each tire
	instances      []C.uintptr_t
	in, out, x, dx []float64
	guards         [2]guarded // of out and dx
}

// join groups the tires of one function.
func join(api *C.skidpad_tire, who *C.char, functions []tire.Function) (err error) {
	n, inputs, states := len(functions), int(api.input_count), int(api.state_count)
	g := &pluginGroup{api: api, who: who, living: n, results: cmp.Or(int(api.output_count), len(forces))}
	defer memoryError(&err)
	defer func() {
		if g.instances == nil {
			g.release()
		}
	}()
	g.in, g.x = cNumbers(n*inputs), cNumbers(n*states)
	g.guards = [...]guarded{cGuarded(n * g.results), cGuarded(n * states)}
	g.out, g.dx = g.guards[0].numbers, g.guards[1].numbers
	g.instances = unsafe.Slice((*C.uintptr_t)(cAllocate(n, C.sizeof_uintptr_t)), n)
	for k, f := range functions {
		t, ok := f.(*pluginTire)
		if !ok {
			t = f.(differentiablePlugin).pluginTire
		}
		t.group, t.index = g, k
		g.tires, g.instances[k] = append(g.tires, t), t.instance
		copy(g.x[k*states:], t.start)
	}
	return nil
}

// leave frees the memory when the last tire leaves.
func (g *pluginGroup) leave() {
	if g.living--; g.living == 0 {
		g.release()
	}
}

func (g *pluginGroup) release() {
	cFreeNumbers(g.in)
	cFreeNumbers(g.x)
	for i := range g.guards {
		g.guards[i].free()
	}
	C.free(unsafe.Pointer(unsafe.SliceData(g.instances)))
}

// Argument implements tire.Group.
func (g *pluginGroup) Argument(k, a int) *float64 { return &g.in[k*int(g.api.input_count)+a] }

// Result implements tire.Group.
func (g *pluginGroup) Result(k, r int) *float64 { return &g.out[k*g.results+r] }

// Memories returns the memories of inputs and outputs.
func (g *pluginGroup) Memories() [][]float64 { return [][]float64{g.in, g.out} }

// Eval implements tire.Group.
func (g *pluginGroup) Eval() {
	begin := g.watch.Begin()
	failed := C.plugin_evaluate(g.api, g.who, C.size_t(len(g.tires)), &g.instances[0], cPointer(g.in), cPointer(g.x),
		cPointer(g.out), cPointer(g.dx))
	g.watch.End(begin)
	if !g.guards[0].intact() || !g.guards[1].intact() {
		for _, t := range g.tires {
			t.checkGuards("evaluate", &g.guards[0], &g.guards[1])
		}
		g.guards[0].set()
		g.guards[1].set()
	}
	if failed != 0 && slices.ContainsFunc(g.tires, (*pluginTire).hasOwnError) {
		for _, t := range g.tires {
			if t.hasOwnError() {
				t.fail(failed)
			}
		}
		clear(g.out)
		clear(g.dx)
		return
	}
	for k, t := range g.tires {
		t.check(failed, g.out[k*g.results:][:g.results], g.dx[k*t.states:][:t.states])
	}
}

// registerFunction registers a function of the host that has the interface of a version; see skidpad_register_tire,
// skidpad_register_law, skidpad_register_controller.
func registerFunction(given unsafe.Pointer, abi uint32, reason *byte, capacity int64) status {
	err := protect(func() error {
		if err := settle(); err != nil {
			return err
		}
		if given == nil {
			return argumentError("the function to register is NULL")
		}
		description := (*C.skidpad_tire)(given)
		wanted, is := interfaceOf(C.uint32_t(abi)), interfaceOf(description.abi)
		switch {
		case is == wanted:
		case is != nil:
			return fmt.Errorf("it is a %s; register it by %s", is.word, is.register)
		case wanted != tireInterface:
			return fmt.Errorf("its abi is %d, and that of a %s is %d; build it with %s.h of this library",
				uint32(description.abi), wanted.word, wanted.abi, wanted.structure)
		}
		k, err := pluginKind(description, nil)
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
