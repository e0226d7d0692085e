package main

// #include "slots.h"
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"skidpad/cosim"
)

// fleet is the state that stepAll keeps with the first of its vehicles. A vehicle that was recreated after a defect has
// another engine under the same handle.
type fleet struct {
	engines []*cosim.Instance
	made    *cosim.Fleet
}

// copyVehicle: see skidpad_copy.
func copyVehicle(handle uintptr, other *uintptr) status {
	return guard(handle, func(v *vehicle) error {
		if other == nil {
			return argumentError("copy is NULL")
		}
		e, err := v.another()
		if err != nil {
			return err
		}
		*other = newVehicle(e, v.variables, v.origin)
		return nil
	})
}

// mostVehicles bounds the number of vehicles of a joint step.
const mostVehicles = 1 << 20

// stepAll: see skidpad_step_all.
func stepAll(handles *uintptr, count int64, h float64, threads int32, statuses *status) (result status) {
	if count == 0 {
		return statusOK
	}
	if handles == nil || count < 0 || count > mostVehicles || threads < 0 {
		return statusArgument
	}
	var results []status
	if statuses != nil {
		results = unsafe.Slice(statuses, count)
	}
	return guardAll(unsafe.Slice(handles, count), func(held []*vehicle) status {
		if count <= C.STEP_FEW {
			for _, v := range held {
				v.stepsAlone()
			}
		}
		var errs []error
		err := protect(func() (err error) {
			errs, err = held[0].stepAll(held, h, int(threads))
			return err
		})
		for i, v := range held {
			each := err
			if each == nil {
				each = errs[i]
			}
			s := v.finish(each)
			if result == statusOK {
				result = s
			}
			if results != nil {
				results[i] = s
			}
		}
		return result
	})
}

// guardAll runs one call on several vehicles, as guard does on one.
func guardAll(list []uintptr, call func(held []*vehicle) status) status {
	held, s := lockAll(list)
	defer func() {
		for _, v := range held {
			v.leave()
		}
	}()
	if s != statusOK {
		return s
	}
	return call(held)
}

// lockAll marks vehicles as busy, as guard does. The caller must release the returned vehicles.
func lockAll(list []uintptr) (held []*vehicle, s status) {
	for _, handle := range list {
		v := vehicles.find(handle)
		if v == nil {
			return held, statusNoVehicle
		}
		if !v.enter() {
			return held, statusBusy
		}
		held = append(held, v)
		if v.released {
			return held, statusNoVehicle
		}
		if v.broken != nil {
			return held, v.finish(v.broken)
		}
		v.takeSteps()
		v.stepsWithOthers()
	}
	return held, statusOK
}

// stepAll steps all vehicles; v is the first of them.
func (v *vehicle) stepAll(all []*vehicle, h float64, threads int) ([]error, error) {
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	if runtime.GOMAXPROCS(0) < threads {
		runtime.GOMAXPROCS(threads)
	}
	if v.fleet == nil || !slices.EqualFunc(v.fleet.engines, all, func(in *cosim.Instance, w *vehicle) bool {
		return w.engine == engine(in)
	}) {
		var engines []*cosim.Instance
		for i, w := range all {
			in, ok := w.engine.(*cosim.Instance)
			if !ok {
				return nil, argumentError(fmt.Sprintf("vehicle %d cannot be stepped together with others", i))
			}
			engines = append(engines, in)
		}
		made, err := cosim.NewFleet(engines)
		if err != nil {
			return nil, err
		}
		v.fleet = &fleet{engines, made}
	}
	return v.fleet.made.Step(h, threads), nil
}
