package main

// #include <stdlib.h>
// #include "core_types.h"
import "C"

import (
	"math"
	"unsafe"

	"skidpad/fmu"
)

// The functions of core.h as the shim calls them; component.go implements them.

//export coreInstantiate
func coreInstantiate(settings C.settings_in, reason *C.char, capacity C.size_t) *C.skidpad_window {
	var window *C.skidpad_window
	err := protect(func() (err error) {
		window, err = instantiate(settings)
		return err
	})
	if err != nil {
		putText((*byte)(unsafe.Pointer(reason)), int64(capacity), err.Error())
		return nil
	}
	return window
}

//export coreFree
func coreFree(w *C.skidpad_window) {
	_ = protect(func() error {
		if k := components.find(uintptr(w.id)); k != nil {
			k.free()
		}
		return nil
	})
}

//export coreCall
func coreCall(w *C.skidpad_window, what C.int32_t) C.int32_t {
	if what == C.SKIDPAD_RESET {
		return run(w, true, (*component).reset)
	}
	return on(w, func(k *component) fmu.Status {
		switch what {
		case C.SKIDPAD_EXIT_INITIALIZATION:
			return k.ExitInitializationMode()
		case C.SKIDPAD_TERMINATE:
			return k.Terminate()
		case C.SKIDPAD_ENTER_EVENT_MODE:
			return k.EnterEventMode()
		case C.SKIDPAD_UPDATE_DISCRETE_STATES:
			status := k.UpdateDiscreteStates()
			if at := k.NextSample(); !math.IsInf(at, 1) {
				w.event_defined, w.next_event = 1, C.double(at)
			}
			return status
		case C.SKIDPAD_EVALUATE_DISCRETE_STATES:
			return k.EvaluateDiscreteStates()
		case C.SKIDPAD_ENTER_CONTINUOUS_TIME_MODE:
			return k.EnterContinuousTimeMode()
		case C.SKIDPAD_ENTER_STEP_MODE:
			return k.EnterStepMode()
		case C.SKIDPAD_COMPLETED_INTEGRATOR_STEP:
			return k.CompletedIntegratorStep()
		}
		return k.StatusTerminated()
	})
}

//export coreRefuse
func coreRefuse(w *C.skidpad_window, text C.text_in) C.int32_t {
	return on(w, func(k *component) fmu.Status { return k.RejectCall(C.GoString(text)) })
}

//export coreSetDebugLogging
func coreSetDebugLogging(w *C.skidpad_window, enabled C.int32_t, n C.size_t, categories C.texts_in) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		list, refused := k.texts(categories, n)
		if refused != fmu.OK {
			return refused
		}
		return k.SetDebugLogging(enabled != 0, list)
	})
}

//export coreSetupExperiment
func coreSetupExperiment(w *C.skidpad_window, start C.double, stopDefined C.int32_t, stop C.double) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		return k.SetupExperiment(float64(start), stopDefined != 0, float64(stop))
	})
}

//export coreEnterInitialization
func coreEnterInitialization(w *C.skidpad_window, defined C.int32_t, start C.double, stopDefined C.int32_t,
	stop C.double) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		return k.EnterInitializationMode(defined != 0, float64(start), stopDefined != 0, float64(stop))
	})
}

//export coreGet
func coreGet(w *C.skidpad_window, boolean C.int32_t, references C.references_in, n C.size_t,
	values *C.double) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		kind := fmu.Real
		if boolean != 0 {
			kind = fmu.Boolean
		}
		return k.Get(kind, slice[uint32](references, n), slice[float64](values, n))
	})
}

//export coreSetReal
func coreSetReal(w *C.skidpad_window, references C.references_in, n C.size_t, values C.numbers_in) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		return k.SetReal(slice[uint32](references, n), slice[float64](values, n))
	})
}

//export coreSetBoolean
func coreSetBoolean(w *C.skidpad_window, references C.references_in, n C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		return k.SetBoolean(slice[uint32](references, n))
	})
}

//export coreGetString
func coreGetString(w *C.skidpad_window, references C.references_in, n C.size_t, values C.texts_out) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		texts, status := k.GetString(slice[uint32](references, n))
		if status > fmu.Warning {
			return status
		}
		k.freeTexts()
		out := unsafe.Slice((**C.char)(unsafe.Pointer(values)), len(texts))
		for i, text := range texts {
			c := cText(text)
			k.given = append(k.given, c)
			out[i] = c
		}
		return status
	})
}

//export coreSetString
func coreSetString(w *C.skidpad_window, references C.references_in, n C.size_t, values C.texts_in) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		texts, refused := k.texts(values, n)
		if refused != fmu.OK {
			return refused
		}
		return k.SetString(slice[uint32](references, n), texts)
	})
}

//export coreAbsent
func coreAbsent(w *C.skidpad_window, set C.int32_t, kind C.text_in, references C.references_in, n C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		return k.RejectUnsupportedType(set != 0, C.GoString(kind), slice[uint32](references, min(n, 1)))
	})
}

//export coreSetTime
func coreSetTime(w *C.skidpad_window, time C.double) C.int32_t {
	return on(w, func(k *component) fmu.Status { return k.SetTime(float64(time)) })
}

//export coreSetStates
func coreSetStates(w *C.skidpad_window, x C.numbers_in, n C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		return k.SetContinuousStates(slice[float64](x, n))
	})
}

//export coreRead
func coreRead(w *C.skidpad_window, what C.int32_t, x *C.double, n C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		into := slice[float64](x, n)
		switch what {
		case C.SKIDPAD_STATES:
			return k.GetContinuousStates(into)
		case C.SKIDPAD_DERIVATIVES:
			return k.GetDerivatives(into)
		case C.SKIDPAD_INDICATORS:
			return k.GetEventIndicators(into)
		}
		return k.GetNominals(into)
	})
}

//export coreCounts
func coreCounts(w *C.skidpad_window, states, indicators *C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		nx, nz, status := k.Counts()
		*states, *indicators = C.size_t(nx), C.size_t(nz)
		return status
	})
}

//export coreStep
func coreStep(w *C.skidpad_window, time, h C.double) C.int32_t {
	return stepped(w, func(k *component) (fmu.StepResult, fmu.Status) { return k.DoStep(float64(time), float64(h)) })
}

//export coreResume
func coreResume(w *C.skidpad_window, early C.int32_t, deadline C.double) C.int32_t {
	return stepped(w, func(k *component) (fmu.StepResult, fmu.Status) { return k.Resume(early != 0, float64(deadline)) })
}

//export coreSetInputDerivatives
func coreSetInputDerivatives(w *C.skidpad_window, references C.references_in, n C.size_t, orders C.orders_in,
	values C.numbers_in) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		return k.SetInputDerivatives(slice[uint32](references, n), slice[int32](orders, n), slice[float64](values, n))
	})
}

//export coreGetOutputDerivatives
func coreGetOutputDerivatives(w *C.skidpad_window, references C.references_in, n C.size_t, orders C.orders_in,
	values *C.double) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(n); refused != fmu.OK {
			return refused
		}
		return k.GetOutputDerivatives(slice[uint32](references, n), slice[int32](orders, n), slice[float64](values, n))
	})
}

//export coreStatusTime
func coreStatusTime(w *C.skidpad_window, time *C.double) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		t, status := k.StatusTime()
		*time = C.double(t)
		return status
	})
}

//export coreStatusUnknown
func coreStatusUnknown(w *C.skidpad_window, kind C.text_in) C.int32_t {
	return on(w, func(k *component) fmu.Status { return k.StatusUnknown(C.GoString(kind)) })
}

//export coreStateGet
func coreStateGet(w *C.skidpad_window, state *stateHandle) C.int32_t {
	return on(w, func(k *component) fmu.Status { return k.getState(state) })
}

//export coreStateSet
func coreStateSet(w *C.skidpad_window, state stateHandle) C.int32_t {
	return run(w, true, func(k *component) fmu.Status {
		s, refused := k.state(state)
		if s == nil {
			return refused
		}
		if k.broken != "" {
			if status := k.revive(); status != fmu.OK {
				return status
			}
		}
		return k.Restore(s.bytes)
	})
}

//export coreStateFree
func coreStateFree(w *C.skidpad_window, state *stateHandle) C.int32_t {
	return run(w, true, func(k *component) fmu.Status {
		if *state == 0 {
			return fmu.OK
		}
		s, refused := k.state(*state)
		if s == nil {
			return refused
		}
		s.free()
		*state = 0
		return fmu.OK
	})
}

//export coreStateSize
func coreStateSize(w *C.skidpad_window, state stateHandle, size *C.size_t) C.int32_t {
	return run(w, true, func(k *component) fmu.Status {
		s, refused := k.state(state)
		if s == nil {
			return refused
		}
		*size = C.size_t(len(s.bytes))
		return fmu.OK
	})
}

//export coreStateWrite
func coreStateWrite(w *C.skidpad_window, state stateHandle, bytes *C.uint8_t, size C.size_t) C.int32_t {
	return run(w, true, func(k *component) fmu.Status {
		s, refused := k.state(state)
		if s == nil {
			return refused
		}
		if size != C.size_t(len(s.bytes)) {
			return k.RejectCall("the buffer for a serialized state must have the size that SerializedFMUStateSize says")
		}
		copy(slice[byte](bytes, size), s.bytes)
		return fmu.OK
	})
}

//export coreStateRead
func coreStateRead(w *C.skidpad_window, bytes C.bytes_in, size C.size_t, state *stateHandle) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		if refused := k.count(size); refused != fmu.OK {
			return refused
		}
		given := slice[byte](bytes, size)
		if status := k.CheckState(given); status != fmu.OK {
			return status
		}
		s := k.newState(len(given))
		copy(s.bytes, given)
		*state = stateHandle(s.handle)
		return fmu.OK
	})
}

//export coreDerivatives
func coreDerivatives(w *C.skidpad_window, adjoint C.int32_t, unknowns C.references_in, nUnknowns C.size_t,
	knowns C.references_in, nKnowns C.size_t,
	seed C.numbers_in, nSeed C.size_t, sensitivity *C.double, nSensitivity C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		for _, n := range [...]C.size_t{nUnknowns, nKnowns, nSeed, nSensitivity} {
			if refused := k.count(n); refused != fmu.OK {
				return refused
			}
		}
		of, by := slice[uint32](unknowns, nUnknowns), slice[uint32](knowns, nKnowns)
		from, to := slice[float64](seed, nSeed), slice[float64](sensitivity, nSensitivity)
		if adjoint != 0 {
			return k.AdjointDerivative(of, by, from, to)
		}
		return k.DirectionalDerivative(of, by, from, to)
	})
}

//export coreDependencies
func coreDependencies(w *C.skidpad_window, reference C.uint32_t, count *C.size_t, references *C.uint32_t,
	n C.size_t) C.int32_t {
	return on(w, func(k *component) fmu.Status {
		list, status := k.Dependencies(uint32(reference))
		if status != fmu.OK {
			return status
		}
		if n > 0 && n != C.size_t(len(list)) {
			return k.RejectCall("the arrays for dependencies must have the length that GetNumberOfVariableDependencies says")
		}
		*count = C.size_t(len(list))
		copy(slice[uint32](references, n), list)
		return fmu.OK
	})
}
