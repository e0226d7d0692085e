// Package library loads the shared library of Skidpad and FMUs of any tool, and calls them through skidpad.h and the
// functions of FMI 2.0 and 3.0, without cgo. A library that ends its process or hangs becomes an error: a child process
// loads it first.
package library

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"skidpad/model/bounded"
	"skidpad/model/document"
)

// abiVersion is SKIDPAD_ABI_VERSION of the skidpad.h this file was written for.
const abiVersion = 8

// Library is a loaded shared library of Skidpad. It stays loaded until the
// process ends.
type Library struct {
	Path    string
	Version string

	load          func(path string, tree, reactions *byte, vehicle *uintptr, reason *byte, capacity int64) int32
	free          func(vehicle uintptr) int32
	lastError     func(vehicle uintptr) string
	statusText    func(status int32) string
	variableCount func(vehicle uintptr, count *int64) int32
	describe      func(vehicle uintptr, index int64, variable *cVariable) int32
	setText       func(vehicle uintptr, name, value string) int32
	getText       func(vehicle uintptr, name string, value *byte, capacity int64) int32
	trim          func(vehicle uintptr) int32
	initialise    func(vehicle uintptr) int32
	warnings      func(vehicle uintptr, text *byte, capacity int64) int32
	step          func(vehicle uintptr, h float64) int32
	copy          func(vehicle uintptr, other *uintptr) int32
	stepAll       func(vehicles *uintptr, count int64, h float64, threads int32, statuses *int32) int32
	time          func(vehicle uintptr, time *float64) int32
	stateSize     func(vehicle uintptr, size *int64) int32
	save          func(vehicle uintptr, buffer *byte, capacity int64) int32
	restore       func(vehicle uintptr, buffer *byte, size int64) int32
	reset         func(vehicle uintptr) int32
	modelFiles    func(vehicle uintptr, buffer *byte, capacity int64, size *int64) int32
	rollout       func(vehicle uintptr, steps int64, h float64, in *uint32, inCount int64, inputs *float64, out *uint32,
		outCount int64, outputs *float64, read int32, made *int64) int32

	set, setRates, get uintptr // addresses of functions that are called in every step: see rows

	fleetMake    func(like uintptr, count int64, threads int32, fleet *uintptr) int32
	fleetFree    func(fleet uintptr) int32
	fleetVehicle func(fleet uintptr, index int64) uintptr
	fleetSet     func(fleet uintptr, which *byte, references *uint32, count int64, values *float64, row int64) int32
	fleetBind    func(fleet uintptr, in *uint32, inCount int64, inputs *float64, out *uint32, outCount int64,
		outputs *float64) int32
	fleetStep func(fleet uintptr, which *byte, h float64, statuses *int32) int32
}

// cVariable is skidpad_variable, field by field.
type cVariable struct {
	reference        uint32
	causality        int32
	start            float64
	name, unit, text *byte
	_                [3]float64 // least, largest and nominal value
	kind             int32
}

// The kinds of variables of tires are between those of the model, see skidpad_kind.
const (
	kindCoefficient = 7
	kindRate        = 9
)

// Open loads the shared library at path. A child process loads it first, so a library that ends its process becomes an
// error.
func Open(path string) (*Library, error) {
	err := once(bounded.Library, path, func() error {
		_, err := inChild(task{Kind: "load library", Path: path, Library: path})
		return err
	})
	if err != nil {
		return nil, err
	}
	return load(path)
}

// load loads the shared library at path into this process.
func load(path string) (*Library, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, fmt.Errorf("cannot load the library %s: %w", path, err)
	}
	l := &Library{Path: path}
	var version func() int32
	var versionText func() string
	for name, function := range map[string]any{
		"skidpad_abi_version":    &version,
		"skidpad_version":        &versionText,
		"skidpad_load_reactions": &l.load,
		"skidpad_free":           &l.free,
		"skidpad_last_error":     &l.lastError,
		"skidpad_status_text":    &l.statusText,
		"skidpad_variable_count": &l.variableCount,
		"skidpad_describe":       &l.describe,
		"skidpad_set_text":       &l.setText,
		"skidpad_get_text":       &l.getText,
		"skidpad_trim":           &l.trim,
		"skidpad_initialise":     &l.initialise,
		"skidpad_warnings":       &l.warnings,
		"skidpad_step":           &l.step,
		"skidpad_copy":           &l.copy,
		"skidpad_step_all":       &l.stepAll,
		"skidpad_time":           &l.time,
		"skidpad_state_size":     &l.stateSize,
		"skidpad_save":           &l.save,
		"skidpad_restore":        &l.restore,
		"skidpad_reset":          &l.reset,
		"skidpad_model_files":    &l.modelFiles,
		"skidpad_rollout":        &l.rollout,
		"skidpad_fleet_make":     &l.fleetMake,
		"skidpad_fleet_free":     &l.fleetFree,
		"skidpad_fleet_vehicle":  &l.fleetVehicle,
		"skidpad_fleet_set":      &l.fleetSet,
		"skidpad_fleet_bind":     &l.fleetBind,
		"skidpad_fleet_step":     &l.fleetStep,
	} {
		address, err := symbol(handle, name)
		if err != nil {
			return nil, fmt.Errorf("%s has no function %s: %w", path, name, err)
		}
		purego.RegisterFunc(function, address)
	}
	for name, address := range map[string]*uintptr{
		"skidpad_set": &l.set, "skidpad_set_rates": &l.setRates, "skidpad_get": &l.get,
	} {
		if *address, err = symbol(handle, name); err != nil {
			return nil, fmt.Errorf("%s has no function %s: %w", path, name, err)
		}
	}
	if v := version(); v != abiVersion {
		return nil, fmt.Errorf("%s has interface version %d, this harness needs %d", path, v, abiVersion)
	}
	l.Version = versionText()
	return l, nil
}

// Vehicle is one vehicle of the library. Close it when done. Like its handle it
// may be used by one goroutine at a time.
type Vehicle struct {
	Variables []Variable

	library *Library
	handle  uintptr
	directory
	lasting  int  // how many of Variables are the model's, which stay
	outdated bool // a text has changed, and with it perhaps which coefficients tires have
	changed  bool // a text may differ from the model file's
}

// Load loads a model file; tree "" takes the model's first tree selection.
func (l *Library) Load(model, tree string) (*Vehicle, error) { return l.LoadReactions(model, tree, "") }

// LoadReactions is Load with reactions that are asked for, separated by commas.
func (l *Library) LoadReactions(model, tree, reactions string) (*Vehicle, error) {
	reason := make([]byte, 1<<16)
	v := &Vehicle{library: l}
	treeText, asked := append([]byte(tree), 0), append([]byte(reactions), 0)
	if s := l.load(model, &treeText[0], &asked[0], &v.handle, &reason[0], int64(len(reason))); s != 0 {
		text, _, _ := bytes.Cut(reason, []byte{0})
		return nil, errors.New(string(text))
	}
	return v, v.describe()
}

// Know makes formulas of the model file known, which errors about unknown variables name.
func (v *Vehicle) Know(formulas func() []document.Formula) { v.formulas = formulas }

// describe lists the variables. Variables of the model stay. Coefficients and peaks of tires stand behind them in the
// list and follow from texts.
func (v *Vehicle) describe() error {
	var count int64
	if err := v.check(v.library.variableCount(v.handle, &count)); err != nil {
		return err
	}
	v.Variables, v.outdated = slices.Clip(v.Variables[:v.lasting]), false
	for i := int64(v.lasting); i < count; i++ {
		var c cVariable
		if err := v.check(v.library.describe(v.handle, i, &c)); err != nil {
			return err
		}
		v.Variables = append(v.Variables,
			Variable{Name: goString(c.name), Unit: goString(c.unit), Text: goString(c.text),
				Reference: c.reference, Causality: Causality(c.causality), Start: c.start})
		if c.kind < kindCoefficient || c.kind == kindRate {
			v.lasting = len(v.Variables)
		}
	}
	formulas := v.formulas
	v.directory = newDirectory(v.Variables)
	v.formulas = formulas
	return nil
}

// Copy makes another vehicle of the same model.
func (v *Vehicle) Copy() (*Vehicle, error) {
	other := &Vehicle{Variables: v.Variables, library: v.library, directory: v.directory, lasting: v.lasting,
		outdated: v.outdated || v.changed}
	return other, v.check(v.library.copy(v.handle, &other.handle))
}

// StepAll advances vehicles by h seconds on a number of threads, 0 for one for each processor. failed has the error of
// each failed vehicle, nil for a vehicle that has stepped. err is an error of the whole call.
func (l *Library) StepAll(vehicles []*Vehicle, h float64, threads int) (failed []error, err error) {
	handles, statuses := make([]uintptr, len(vehicles)), make([]int32, len(vehicles))
	for i, v := range vehicles {
		handles[i] = v.handle
	}
	failed = make([]error, len(vehicles))
	status := l.stepAll(unsafe.SliceData(handles), int64(len(handles)), h, int32(threads), unsafe.SliceData(statuses))
	any := false
	for i, s := range statuses {
		failed[i] = vehicles[i].check(s)
		any = any || failed[i] != nil
	}
	if status != 0 && !any {
		return nil, errors.New(l.statusText(status))
	}
	return failed, nil
}

// Close releases the vehicle.
func (v *Vehicle) Close() error { return v.check(v.library.free(v.handle)) }

// Find returns the variable called name.
func (v *Vehicle) Find(name string) (Variable, error) {
	found, err := v.directory.Find(name)
	if err != nil && v.outdated {
		if err := v.describe(); err != nil {
			return found, err
		}
		return v.directory.Find(name)
	}
	return found, err
}

// References returns the value references of the variables called names.
func (v *Vehicle) References(names ...string) ([]uint32, error) {
	references, err := v.directory.References(names...)
	if err != nil && v.outdated {
		if err := v.describe(); err != nil {
			return nil, err
		}
		return v.directory.References(names...)
	}
	return references, err
}

// All are the variables that the vehicle had when it was loaded.
func (v *Vehicle) All() []Variable { return v.Variables }

// Refresh lists the variables again: which coefficients tires have follows from texts.
func (v *Vehicle) Refresh() error { return v.describe() }

// Adjustable names the numbers that can be set before initialisation, the coefficients of tires too.
func (v *Vehicle) Adjustable() []string {
	if v.outdated {
		if err := v.describe(); err != nil {
			return nil
		}
	}
	return v.directory.Adjustable()
}

// Set sets values[i] of references[i].
func (v *Vehicle) Set(references []uint32, values []float64) error {
	return v.rows(v.library.set, references, values)
}

// TakesRates reports that inputs can change linearly within a step.
func (v *Vehicle) TakesRates() bool { return true }

// SetRates lets inputs references[i] change by rates[i] per second.
func (v *Vehicle) SetRates(references []uint32, rates []float64) error {
	return v.rows(v.library.setRates, references, rates)
}

// rows calls a function of references and values by its address, without reflection.
func (v *Vehicle) rows(function uintptr, references []uint32, values []float64) error {
	if len(references) == 0 {
		return nil
	}
	status, _, _ := purego.SyscallN(function, v.handle, uintptr(unsafe.Pointer(&references[0])),
		uintptr(len(references)), uintptr(unsafe.Pointer(&values[0])))
	return v.check(int32(status))
}

// Get reads references[i] into values[i].
func (v *Vehicle) Get(references []uint32, values []float64) error {
	return v.rows(v.library.get, references, values)
}

// SetNamed sets one variable by name.
func (v *Vehicle) SetNamed(name string, value float64) error {
	references, err := v.References(name)
	if err != nil {
		return err
	}
	return v.Set(references, []float64{value})
}

// SetText sets a text such as "solver.method".
func (v *Vehicle) SetText(name, value string) error {
	if !strings.HasPrefix(name, "solver.") { // which no tire follows from
		v.outdated, v.changed = true, true
	}
	return v.check(v.library.setText(v.handle, name, value))
}

// Text reads a text such as "energy.ledger", up to 64 KiB of it.
func (v *Vehicle) Text(name string) (string, error) { return v.text(name, 1<<16) }

// text reads a string; most strings are short. A string that fills the buffer is read again with a larger buffer.
func (v *Vehicle) text(name string, most int) (string, error) {
	for room := min(1<<12, most); ; room = min(16*room, most) {
		value := make([]byte, room)
		if err := v.check(v.library.getText(v.handle, name, &value[0], int64(room))); err != nil {
			return "", err
		}
		if text, _, _ := bytes.Cut(value, []byte{0}); len(text) < room-1 || room == most {
			return string(text), nil
		}
	}
}

// Trim replaces the start state by a steady motion.
func (v *Vehicle) Trim() error { return v.check(v.library.trim(v.handle)) }

// Initialise computes the initial state.
func (v *Vehicle) Initialise() error { return v.check(v.library.initialise(v.handle)) }

// Notes returns the vehicle's messages about its file and its start, after Initialise: warnings for the author of the
// file, which begin with WarningPrefix, and notes.
func (v *Vehicle) Notes() ([]string, error) {
	text := make([]byte, 1<<16)
	if err := v.check(v.library.warnings(v.handle, &text[0], int64(len(text)))); err != nil {
		return nil, err
	}
	return notesAmong(strings.Split(goString(&text[0]), "\n")), nil
}

// WarningPrefix begins warnings.
const WarningPrefix = "warning: "

// notesAmong are the messages that are warnings, and notes without what marks them.
func notesAmong(messages []string) (notes []string) {
	for _, m := range messages {
		if strings.HasPrefix(m, WarningPrefix) {
			notes = append(notes, m)
		} else if note, found := strings.CutPrefix(m, "note: "); found {
			notes = append(notes, note)
		}
	}
	return notes
}

// Step advances the vehicle by h seconds.
func (v *Vehicle) Step(h float64) error { return v.check(v.library.step(v.handle, h)) }

// Advance sets inputs, advances the vehicle by h seconds, and reads outputs, in one call.
func (v *Vehicle) Advance(h float64, in []uint32, inputs []float64, out []uint32, outputs []float64) error {
	return v.check(v.library.rollout(v.handle, 1, h, unsafe.SliceData(in), int64(len(in)), unsafe.SliceData(inputs),
		unsafe.SliceData(out), int64(len(out)), unsafe.SliceData(outputs), readAfterStep, nil))
}

// readAfterStep is SKIDPAD_READ_AFTER_STEP.
const readAfterStep = 0

// ModelFiles is a ZIP archive with the files of the vehicle, the model file first.
func (v *Vehicle) ModelFiles() ([]byte, error) {
	var size int64
	if err := v.check(v.library.modelFiles(v.handle, nil, 0, &size)); err != nil {
		return nil, err
	}
	archive := make([]byte, size)
	return archive, v.check(v.library.modelFiles(v.handle, unsafe.SliceData(archive), size, &size))
}

// Time is the vehicle's time, s.
func (v *Vehicle) Time() (float64, error) {
	var time float64
	err := v.check(v.library.time(v.handle, &time))
	return time, err
}

// Save returns the complete state.
func (v *Vehicle) Save() ([]byte, error) {
	var size int64
	if err := v.check(v.library.stateSize(v.handle, &size)); err != nil {
		return nil, err
	}
	state := make([]byte, size)
	return state, v.check(v.library.save(v.handle, unsafe.SliceData(state), size))
}

// Restore brings back a saved state.
func (v *Vehicle) Restore(state []byte) error {
	v.outdated, v.changed = true, true
	return v.check(v.library.restore(v.handle, unsafe.SliceData(state), int64(len(state))))
}

// Reset brings the vehicle back to the moment after Load.
func (v *Vehicle) Reset() error {
	v.outdated, v.changed = v.outdated || v.changed, false
	return v.check(v.library.reset(v.handle))
}

// check turns a status into an error.
func (v *Vehicle) check(status int32) error {
	if status == 0 {
		return nil
	}
	if reason := v.library.lastError(v.handle); reason != "" {
		return errors.New(reason)
	}
	return errors.New(v.library.statusText(status))
}

// goString copies a C text; that of NULL is empty.
func goString(text *byte) string {
	if text == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}
