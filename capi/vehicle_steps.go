package main

// #include <stdlib.h>
// #include "slots.h"
import "C"

import (
	"math"
	"sync/atomic"
	"unsafe"

	"skidpad/cosim"
)

// ownSteps lets C set inputs of a vehicle, step it and read its values without Go. After a step, C checks only the end
// conditions of runs; skidpad_warnings collects warnings of tires and springs.
type ownSteps struct {
	window *C.skidpad_window
	alone  bool             // the latest step was of this vehicle alone, or of at most STEP_FEW vehicles
	plan   *plan            // nil before there is one
	blocks []unsafe.Pointer // C memory of the window
}

func (o *ownSteps) block(n, size int) unsafe.Pointer {
	p := cAllocate(n, size)
	o.blocks = append(o.blocks, p)
	return p
}

// newOwnSteps creates the window of a vehicle. The window has no parameters.
func newOwnSteps(s *cosim.System) (o *ownSteps) {
	o = &ownSteps{}
	defer func() {
		if o.window == nil {
			o.release()
		}
	}()
	w := (*C.skidpad_window)(o.block(1, C.sizeof_skidpad_window))
	w.values, w.count = (*C.double)(o.block(s.First(cosim.State), 8)), C.uint32_t(s.First(cosim.State))
	describeInputs(w, s, o.block)
	w.read_from = w.inputs_from
	w.unread_from, w.unread_to = C.uint32_t(s.First(cosim.Energy)), C.uint32_t(s.First(cosim.Ended))
	w.writable = 1
	o.window = w
	return o
}

// describeInputs writes to a window which variables are inputs, and which inputs must not be negative.
func describeInputs(w *C.skidpad_window, s *cosim.System, block func(n, size int) unsafe.Pointer) {
	from, to := s.First(cosim.Input), s.First(cosim.Output)
	w.inputs_from, w.inputs_to = C.uint32_t(from), C.uint32_t(to)
	w.written = (*C.uint8_t)(block(to-from, 1))
	nonnegative := (*bool)(block(to-from, 1))
	for i, v := range s.Variables()[from:to] {
		unsafe.Slice(nonnegative, to-from)[i] = v.Nonnegative
	}
	w.nonnegative = (*C.uint8_t)(unsafe.Pointer(nonnegative))
}

// release frees the C memory.
func (o *ownSteps) release() {
	if o.plan != nil {
		o.plan.release()
		o.plan = nil
	}
	for _, p := range o.blocks {
		C.free(p)
	}
}

// inputs returns the inputs in the window, and flags of the inputs that were set since the last call of Go.
func (o *ownSteps) inputs() (values []float64, written []byte) {
	w := o.window
	n := int(w.inputs_to - w.inputs_from)
	values = unsafe.Slice((*float64)(unsafe.Pointer(w.values)), int(w.count))[w.inputs_from:w.inputs_to]
	return values, unsafe.Slice((*byte)(w.written), n)
}

// stepsAlone lets C step a vehicle that is stepped alone. Go steps the vehicles in lanes.
func (v *vehicle) stepsAlone() {
	if in, ok := v.engine.(*cosim.Instance); ok && v.own == nil {
		_ = protect(func() error { v.own = newOwnSteps(in.System()); return nil }) // else every step enters Go
	}
	if v.own != nil {
		v.own.alone = true
	}
}

// stepsWithOthers lets Go step the vehicle.
func (v *vehicle) stepsWithOthers() {
	if v.own != nil {
		v.own.alone = false
	}
}

// takeSteps takes over the steps of C and the inputs set by C, and withdraws the window from C.
func (v *vehicle) takeSteps() {
	o := v.own
	if o == nil || v.slot.window == nil {
		return
	}
	v.slot.window = nil
	in := v.engine.(*cosim.Instance)
	p := o.plan.c
	if p.stepped != 0 {
		in.Stepped(float64(p.time))
	}
	if p.tried != 0 {
		in.Tried()
	}
	p.stepped, p.tried = 0, 0
	if o.window.inputs_written != 0 {
		o.window.inputs_written = 0
		values, written := o.inputs()
		in.SetInputs(values, written)
		clear(written)
	}
}

// publishSteps lets C set inputs, step and read, if the engine has a plan for C.
func (v *vehicle) publishSteps() {
	o := v.own
	if o == nil || !o.alone || v.broken != nil {
		return
	}
	in, ok := v.engine.(*cosim.Instance)
	if !ok {
		return
	}
	of, _ := in.Plan()
	if of == nil || !in.Planned() {
		return
	}
	if o.plan == nil || o.plan.of != of {
		if o.plan != nil {
			o.plan.release()
		}
		if o.plan = newPlan(of, o.window, false); o.plan == nil {
			return
		}
	}
	p := o.plan.c
	due, uncut := in.StepsBetweenSamples()
	p.time, p.stop, p.watching = C.double(in.Time()), C.double(math.Inf(1)), flag(in.Watching())
	p.due, p.uncut = C.double(due), C.double(uncut)
	p.fresh, p.inputs_are, p.ready = C.STEP_NOTHING, C.STEP_INPUTS_WRITTEN, 1
	values, _ := o.inputs()
	in.Inputs(values)
	o.window.plan, o.window.readable = p, 0
	v.slot.window = o.window
}

// enter begins a call on a vehicle. It returns false if a call of Go or C is under way. leave ends the call.
func (v *vehicle) enter() bool {
	return atomic.CompareAndSwapInt32((*int32)(&v.slot.inside), 0, 1)
}

func (v *vehicle) leave() {
	if !v.released {
		v.publishSteps()
	}
	atomic.StoreInt32((*int32)(&v.slot.inside), 0)
}
