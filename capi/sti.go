package main

// #include <stdlib.h>
// #include "sti.h"
import "C"

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/sti"
)

// openRoutine returns the kind of tires that a routine of the Standard Tyre Interface computes.
func openRoutine(library, symbol, options string) (*tire.Kind, error) {
	name, err := sti.NewName(library, symbol, options)
	if err != nil {
		return nil, fmt.Errorf("tire library %s, routine %s: %w", library, symbol, err)
	}
	k := name.Kind(func(o tire.OpenRequest) (sti.Routine, error) { return loadRoutine(name, o) })
	open := k.Open
	k.Open = func(o tire.OpenRequest) (tire.Function, error) {
		f, err := open(o)
		if err != nil {
			return nil, fmt.Errorf("tire library %s, routine %s: %w", library, symbol, err)
		}
		return f, nil
	}
	return k, nil
}

// stiLibrary is a library in use. Most libraries keep internal state between calls, so they serve one vehicle at a
// time. Each further vehicle gets a copy of the file, which the system loads as a separate library.
type stiLibrary struct {
	source  string // path in the model
	file    string // path of the loaded file
	folder  string // folder of a copy, else ""
	vehicle any    // user of the library; nil if shared
	numbers []bool // by IDTYRE - 1: used by a tire
}

// stiLibraries holds the libraries in use, and the tires by IDROAD - 1.
var stiLibraries struct {
	sync.Mutex
	list  []*stiLibrary
	tires [C.STI_TIRES]*stiRoutine
}

// acquireLibrary returns the library for a tire and a number (IDTYRE) that is unique in the library.
func acquireLibrary(name sti.Name, vehicle any) (l *stiLibrary, number int, err error) {
	source := name.Library
	if absolute, err := filepath.Abs(source); err == nil && strings.ContainsAny(source, `/\`) {
		source = absolute
	}
	if name.Shared {
		vehicle = nil
	}
	s := &stiLibraries
	s.Lock()
	defer s.Unlock()
	used := false
	for _, other := range s.list {
		if other.source == source {
			used = used || other.folder == ""
			if other.vehicle == vehicle {
				l = other
			}
		}
	}
	if l == nil {
		l = &stiLibrary{source: source, file: name.Library, vehicle: vehicle}
		if used {
			if err := l.copy(); err != nil {
				return nil, 0, fmt.Errorf("another vehicle uses this library, and %w; if it serves several vehicles at once, "+
					"add the option library=shared", err)
			}
		}
		s.list = append(s.list, l)
	}
	if number = slices.Index(l.numbers, false); number < 0 {
		number, l.numbers = len(l.numbers), append(l.numbers, false)
	}
	l.numbers[number] = true
	return l, number + 1, nil
}

// copy creates a private copy of the file.
func (l *stiLibrary) copy() error {
	data, err := bounded.Library.Read(l.source)
	if err != nil {
		return fmt.Errorf("copying it requires its path: %w", err)
	}
	if l.folder, err = os.MkdirTemp("", "skidpad-sti-"); err == nil {
		l.file = filepath.Join(l.folder, filepath.Base(l.source))
		err = os.WriteFile(l.file, data, 0o700)
	}
	if err != nil {
		os.RemoveAll(l.folder)
		return fmt.Errorf("it cannot be copied: %w", err)
	}
	return nil
}

// assignRoadID gives a tire its number for road routines (IDROAD).
func (r *stiRoutine) assignRoadID() error {
	s := &stiLibraries
	s.Lock()
	defer s.Unlock()
	free := slices.Index(s.tires[:], nil)
	if free < 0 {
		return fmt.Errorf("this process has %d tires of such routines, the largest possible number; release some vehicles",
			len(s.tires))
	}
	s.tires[free] = r
	r.tire.fixed.idroad = C.int32_t(free + 1)
	C.sti_place(r.tire.fixed.idroad, r.tire)
	return nil
}

// releaseRoadID releases the IDROAD of the tire.
func (r *stiRoutine) releaseRoadID() {
	s := &stiLibraries
	s.Lock()
	defer s.Unlock()
	if at := slices.Index(s.tires[:], r); at >= 0 {
		s.tires[at] = nil
		C.sti_place(C.int32_t(at+1), nil)
	}
}

// releaseLibrary ends the use by one tire.
func (l *stiLibrary) releaseLibrary(number int) {
	s := &stiLibraries
	s.Lock()
	defer s.Unlock()
	l.numbers[number-1] = false
	if slices.Contains(l.numbers, true) {
		return
	}
	s.list = slices.DeleteFunc(s.list, func(other *stiLibrary) bool { return other == l })
	if l.folder != "" {
		os.RemoveAll(l.folder)
	}
}

// stiRoutine is a routine with the arguments of one tire, in C memory.
type stiRoutine struct {
	library *stiLibrary
	number  int            // IDTYRE
	handle  unsafe.Pointer // of the loaded library
	tire    *C.sti_tire
	arrays  sti.Arrays
}

func loadRoutine(name sti.Name, o tire.OpenRequest) (routine sti.Routine, err error) {
	defer memoryError(&err)
	l, number, err := acquireLibrary(name, o.Vehicle)
	if err != nil {
		return nil, err
	}
	r := &stiRoutine{library: l, number: number}
	defer func() {
		if routine == nil {
			r.Close()
		}
	}()
	r.tire = (*C.sti_tire)(cAllocate(1, C.sizeof_sti_tire))
	t := r.tire
	t.fixed.ndev, t.fixed.idtyre = messages, C.int32_t(number)
	t.abi, t.road = C.int32_t(name.ABI), C.int32_t(name.Road)
	t.who = culprit("routine " + name.Routine + " of the tire library " + l.source)
	t.chtdst, t.nchtds = cText(o.File), C.int32_t(len(o.File))
	if err := r.assignRoadID(); err != nil {
		return nil, err
	}
	path := cText(l.file)
	defer C.free(unsafe.Pointer(path))
	symbol := cText(name.Routine)
	defer C.free(unsafe.Pointer(symbol))
	var reason [1024]C.char
	if r.handle = C.sti_load(path, symbol, &t.routine, &reason[0], C.size_t(len(reason))); r.handle == nil {
		text := C.GoString(&reason[0])
		if l.folder != "" {
			return nil, fmt.Errorf("another vehicle uses this library, and of a copy the system says: %s; if it serves "+
				"several vehicles at once, add the option library=shared", text)
		}
		return nil, fmt.Errorf("%s", text)
	}
	return r, nil
}

// messages is the logical unit for messages (NDEV): the standard output of Fortran.
const messages = 6

// The arguments in C and in Go have the same layout, or this does not compile.
var _, _, _ = [1]int{}[unsafe.Sizeof(sti.Arguments{})-C.sizeof_sti_arguments],
	[1]int{}[unsafe.Offsetof(sti.Arguments{}.Plane)-unsafe.Offsetof(C.sti_arguments{}.plane)],
	[1]int{}[unsafe.Offsetof(sti.Arguments{}.Model)-unsafe.Offsetof(C.sti_arguments{}.tyrmod)]

// Arguments implements sti.Routine.
func (r *stiRoutine) Arguments() *sti.Arguments {
	return (*sti.Arguments)(unsafe.Pointer(&r.tire.fixed))
}

// Allocate implements sti.Routine.
func (r *stiRoutine) Allocate() (arrays *sti.Arrays, err error) {
	defer memoryError(&err)
	r.release()
	t, a, s := r.tire, &r.arrays, r.Arguments().Sizes
	for _, x := range [...]struct {
		list *[]float64
		at   **C.double
		size int32
	}{
		{&a.States, &t.deqvar, s.States}, {&a.Initial, &t.deqini, s.States}, {&a.Rates, &t.deqder, s.States},
		{&a.Parameters, &t.typarr, s.Parameters},
		{&a.Road, &t.ropar, s.Road}, {&a.Outputs, &t.varinf, s.Outputs}, {&a.Work, &t.wrkarr, s.Work},
	} {
		*x.list = cNumbers(int(x.size))
		*x.at = cPointer(*x.list)
	}
	t.iwrkar = (*C.int32_t)(cAllocate(int(s.Integers), 4))
	a.Integers = unsafe.Slice((*int32)(unsafe.Pointer(t.iwrkar)), s.Integers)
	return a, nil
}

// release frees the arrays.
func (r *stiRoutine) release() {
	t := r.tire
	for _, at := range [...]**C.double{&t.deqvar, &t.deqini, &t.deqder, &t.typarr, &t.ropar, &t.varinf, &t.wrkarr} {
		C.free(unsafe.Pointer(*at))
		*at = nil
	}
	C.free(unsafe.Pointer(t.iwrkar))
	t.iwrkar, r.arrays = nil, sti.Arrays{}
}

// Call implements sti.Routine.
func (r *stiRoutine) Call() { C.sti_call(r.tire) }

// Close implements sti.Routine.
func (r *stiRoutine) Close() {
	r.releaseRoadID()
	if r.tire != nil {
		r.release()
		C.free(unsafe.Pointer(r.tire.chtdst))
		C.free(unsafe.Pointer(r.tire))
	}
	if r.handle != nil {
		C.sti_unload(r.handle)
	}
	r.library.releaseLibrary(r.number)
}
