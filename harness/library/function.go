package library

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The versions of skidpad_tire.h and skidpad_law.h, whose descriptions have one layout.
const (
	tireABI = 1
	lawABI  = 1001
)

// Function is a function in a library by skidpad_tire.h or skidpad_law.h, beside those that the core itself opens. It
// stays loaded until the process ends.
type Function struct {
	Name            string
	Inputs, Outputs []string // Outputs of a force function: nil
	States          int      // internal ones

	path, symbol string
	tried        sync.Map // by parameter file

	init     func(component, file *byte, states *float64, instance *uintptr, reason *byte, capacity uintptr) int32
	evaluate func(n uintptr, instances *uintptr, in, states, out, rates *float64) int32
	jacobian func(instance uintptr, in, states, derivatives *float64) int32 // nil where there is none
	fault    func(instance uintptr) *byte                                   // may be nil, as the next one
	free     func(instance uintptr)
}

// cFunction is skidpad_tire, field by field, and skidpad_law.
type cFunction struct {
	abi, size                              uint32
	name                                   *byte
	_                                      *byte // text
	inputs                                 **byte
	inputCount, stateCount                 uint32
	init, evaluate, jacobian, fault, freed uintptr
	outputs                                **byte
	outputCount                            uint32
}

// OpenFunction opens the function that a library exports as symbol; a child process does so first.
func OpenFunction(path, name string) (*Function, error) {
	functions.Lock()
	defer functions.Unlock()
	key := [2]string{path, name}
	if f := functions.opened[key]; f != nil {
		return f, nil
	}
	if _, err := inChild(task{Kind: "open function", Path: path, Library: path, Symbol: name}); err != nil {
		return nil, err
	}
	f, err := openFunction(path, name)
	if err == nil {
		functions.opened[key] = f
	}
	return f, err
}

// try makes a function of a component and calls it with zeros, in a child process. What the function says of them is
// no fault.
func (f *Function) try(component, file string, results int, r *reporter) error {
	r.begin("init of the function " + f.symbol)
	o, err := f.make(component, file, results)
	if err != nil {
		return err
	}
	r.begin("evaluate of the function " + f.symbol)
	in := make([]float64, len(f.Inputs))
	o.Eval(in, make([]float64, results))
	if f.Differentiates() {
		r.begin("jacobian of the function " + f.symbol)
		o.Jacobian(in, make([]float64, results*len(in)))
	}
	return nil
}

// functions are the open functions, by library and symbol.
var functions = struct {
	sync.Mutex
	opened map[[2]string]*Function
}{opened: map[[2]string]*Function{}}

// openFunction opens it in this process.
func openFunction(path, name string) (*Function, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, fmt.Errorf("library %s: it cannot be loaded: %w", path, err)
	}
	address, err := symbol(handle, name)
	if err != nil {
		return nil, fmt.Errorf("library %s: it exports no function %s", path, name)
	}
	var entry func(abi uint32) *cFunction
	purego.RegisterFunc(&entry, address)
	c := entry(tireABI)
	if c == nil {
		c = entry(lawABI)
	}
	f, err := c.function()
	if err != nil {
		return nil, fmt.Errorf("library %s, function %s: %w", path, name, err)
	}
	f.path, f.symbol = path, name
	return f, nil
}

// function takes a description over.
func (c *cFunction) function() (*Function, error) {
	const most = 64
	switch {
	case c == nil || c.abi != tireABI && c.abi != lawABI:
		return nil, fmt.Errorf("it does not serve version %d of the interface of tires, nor version %d of that of laws",
			tireABI, lawABI)
	case uintptr(c.size) < unsafe.Offsetof(c.outputs) || c.abi == lawABI && uintptr(c.size) < unsafe.Sizeof(*c):
		return nil, fmt.Errorf("its description has %d bytes; set size to that of the structure", c.size)
	case c.name == nil || c.inputs == nil || c.init == 0 || c.evaluate == 0:
		return nil, errors.New("name, inputs, init or evaluate of its description is NULL")
	case c.inputCount < 1 || c.inputCount > most || c.stateCount > most:
		return nil, fmt.Errorf("it has %d inputs and %d states; 1 to %d and up to %[3]d are possible", c.inputCount,
			c.stateCount, most)
	}
	f := &Function{Name: goString(c.name), States: int(c.stateCount), Inputs: texts(c.inputs, c.inputCount)}
	if uintptr(c.size) >= unsafe.Sizeof(*c) && c.outputs != nil {
		if c.outputCount < 1 || c.outputCount > most {
			return nil, fmt.Errorf("it has %d outputs; 1 to %d are possible", c.outputCount, most)
		}
		f.Outputs = texts(c.outputs, c.outputCount)
	}
	if slices.Contains(f.Inputs, "") || slices.Contains(f.Outputs, "") {
		return nil, errors.New("a name of its inputs or outputs is missing")
	}
	purego.RegisterFunc(&f.init, c.init)
	purego.RegisterFunc(&f.evaluate, c.evaluate)
	if c.jacobian != 0 {
		purego.RegisterFunc(&f.jacobian, c.jacobian)
	}
	if c.fault != 0 {
		purego.RegisterFunc(&f.fault, c.fault)
	}
	if c.freed != 0 {
		purego.RegisterFunc(&f.free, c.freed)
	}
	return f, nil
}

func texts(list **byte, count uint32) (names []string) {
	for _, text := range unsafe.Slice(list, count) {
		names = append(names, goString(text))
	}
	return names
}

// Differentiates reports whether the function tells derivatives.
func (f *Function) Differentiates() bool { return f.jacobian != nil }

// Opened is a function with the parameters of one component. It is used by one goroutine at a time.
type Opened struct {
	of                         *Function
	instance                   [1]uintptr
	in                         []float64
	states, rates, out, slopes framed
	failure                    error
}

// Open makes the function of a component with a parameter file, "" for none. results is their number. A child process
// does so first, once for each file.
func (f *Function) Open(component, file string, results int) (*Opened, error) {
	if _, done := f.tried.Load(file); !done {
		t := task{Kind: "try function", Path: f.path, Library: f.path, Symbol: f.symbol, Component: component, File: file,
			Results: results}
		if _, err := inChild(t); err != nil {
			return nil, err
		}
		f.tried.Store(file, true)
	}
	return f.make(component, file, results)
}

// make makes it in this process.
func (f *Function) make(component, file string, results int) (*Opened, error) {
	o := &Opened{of: f, in: make([]float64, len(f.Inputs)), states: newFramed(f.States), rates: newFramed(f.States),
		out: newFramed(results), slopes: newFramed(results * len(f.Inputs))}
	name, reason := append([]byte(component), 0), make([]byte, 1024)
	var path *byte
	if file != "" {
		path = &append([]byte(file), 0)[0]
	}
	if f.init(&name[0], path, o.states.at(), &o.instance[0], &reason[0], uintptr(len(reason))) != 0 {
		reason[len(reason)-1] = 0
		text := goString(&reason[0])
		if text == "" {
			text = "init failed without saying why"
		}
		return nil, fmt.Errorf("function %s: %s", f.Name, text)
	}
	if !o.states.intact() {
		return nil, fmt.Errorf("function %s: init wrote outside of its %d states; correct the library", f.Name, f.States)
	}
	if f.free != nil {
		runtime.AddCleanup(o, f.free, o.instance[0])
	}
	return o, nil
}

// Eval computes results; where the function fails they are 0, and Fault says why.
func (o *Opened) Eval(in, out []float64) {
	copy(o.in, in)
	status := o.of.evaluate(1, &o.instance[0], &o.in[0], o.states.at(), o.out.at(), o.rates.at())
	o.judge("evaluate", status, o.out)
	copy(out, o.out.numbers)
}

// Jacobian computes the derivatives of the results by the inputs, row by row; only where the function Differentiates.
func (o *Opened) Jacobian(in, derivatives []float64) {
	copy(o.in, in)
	o.judge("jacobian", o.of.jacobian(o.instance[0], &o.in[0], o.states.at(), o.slopes.at()), o.slopes)
	copy(derivatives, o.slopes.numbers)
}

// judge notes what is wrong with results, and clears them.
func (o *Opened) judge(function string, status int32, results framed) {
	var err error
	switch {
	case !results.intact() || !o.rates.intact():
		err = fmt.Errorf("%s: %s wrote outside of the %d numbers of its results; correct the library", o.of.Name, function,
			len(results.numbers))
	case status != 0:
		err = fmt.Errorf("%s: %s returned %d%s", o.of.Name, function, status, o.says())
	case slices.ContainsFunc(results.numbers, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
		err = fmt.Errorf("%s: a result of %s is not finite", o.of.Name, function)
	default:
		return
	}
	clear(results.numbers)
	if o.failure == nil {
		o.failure = err
	}
}

// says is the reason of a failure that the function gives.
func (o *Opened) says() string {
	if o.of.fault != nil {
		if text := goString(o.of.fault(o.instance[0])); text != "" {
			return ": " + text
		}
	}
	return ""
}

// Memory is where the internal states lie, and their rates.
func (o *Opened) Memory() (states, rates []float64) { return o.states.numbers, o.rates.numbers }

// Fault says why evaluations since its last call have failed, nil if none has.
func (o *Opened) Fault() error {
	err := o.failure
	o.failure = nil
	return err
}

// framed are numbers that a library writes, with a frame around that it must not write to.
type framed struct{ all, numbers []float64 }

// frame is the width of a frame on each side, and the value of its numbers.
const (
	frame   = 16
	painted = -1.2345e-300
)

func newFramed(n int) framed {
	f := framed{all: make([]float64, n+2*frame)}
	f.numbers = f.all[frame : frame+n]
	for i := range frame {
		f.all[i], f.all[frame+n+i] = painted, painted
	}
	return f
}

// at is the address of the first number, or of where it would be.
func (f framed) at() *float64 { return &f.all[frame] }

// intact reports whether nobody has written to the frame.
func (f framed) intact() bool {
	written := func(v float64) bool { return v != painted }
	return !slices.ContainsFunc(f.all[:frame], written) && !slices.ContainsFunc(f.all[frame+len(f.numbers):], written)
}
