package main

// #include <stdint.h>
// #include "skidpad.h"
import "C"

import "unsafe"

// The functions of skidpad.h as skidpad.c calls them. skidpad.h documents each function; entry.go implements it.

//export goLoad
func goLoad(
	path, tree, reactions unsafe.Pointer, handle *C.uintptr_t, reason unsafe.Pointer, capacity C.int64_t,
) C.int32_t {
	return C.int32_t(load((*byte)(path), (*byte)(tree), (*byte)(reactions), (*uintptr)(unsafe.Pointer(handle)),
		(*byte)(reason), int64(capacity)))
}

//export goFree
func goFree(handle C.uintptr_t) C.int32_t { return C.int32_t(free(uintptr(handle))) }

//export goLastError
func goLastError(handle C.uintptr_t) unsafe.Pointer {
	return unsafe.Pointer(lastError(uintptr(handle)))
}

//export goVariableCount
func goVariableCount(handle C.uintptr_t, count *C.int64_t) C.int32_t {
	return C.int32_t(variableCount(uintptr(handle), (*int64)(count)))
}

//export goDescribe
func goDescribe(handle C.uintptr_t, index C.int64_t, variable unsafe.Pointer) C.int32_t {
	return C.int32_t(describe(uintptr(handle), int64(index), (*cVariable)(variable)))
}

//export goFind
func goFind(handle C.uintptr_t, name unsafe.Pointer, reference *C.uint32_t) C.int32_t {
	return C.int32_t(find(uintptr(handle), (*byte)(name), (*uint32)(reference)))
}

//export goSet
func goSet(handle C.uintptr_t, references unsafe.Pointer, count C.int64_t, values unsafe.Pointer) C.int32_t {
	return C.int32_t(set(uintptr(handle), (*uint32)(references), int64(count), (*float64)(values)))
}

//export goSetRates
func goSetRates(handle C.uintptr_t, references unsafe.Pointer, count C.int64_t, rates unsafe.Pointer) C.int32_t {
	return C.int32_t(setRates(uintptr(handle), (*uint32)(references), int64(count), (*float64)(rates)))
}

//export goGet
func goGet(handle C.uintptr_t, references unsafe.Pointer, count C.int64_t, values unsafe.Pointer) C.int32_t {
	return C.int32_t(get(uintptr(handle), (*uint32)(references), int64(count), (*float64)(values)))
}

//export goJacobian
func goJacobian(handle C.uintptr_t, of unsafe.Pointer, nOf C.int64_t, by unsafe.Pointer, nBy C.int64_t,
	matrix unsafe.Pointer) C.int32_t {
	return C.int32_t(jacobian(uintptr(handle), (*uint32)(of), int64(nOf), (*uint32)(by), int64(nBy), (*float64)(matrix)))
}

//export goSetDirections
func goSetDirections(handle C.uintptr_t, count C.int64_t) C.int32_t {
	return C.int32_t(setDirections(uintptr(handle), int64(count)))
}

//export goSetTangents
func goSetTangents(handle C.uintptr_t, references unsafe.Pointer, n C.int64_t, values unsafe.Pointer) C.int32_t {
	return C.int32_t(setTangents(uintptr(handle), (*uint32)(references), int64(n), (*float64)(values)))
}

//export goGetTangents
func goGetTangents(handle C.uintptr_t, references unsafe.Pointer, n C.int64_t, values unsafe.Pointer) C.int32_t {
	return C.int32_t(getTangents(uintptr(handle), (*uint32)(references), int64(n), (*float64)(values)))
}

//export goRecord
func goRecord(handle C.uintptr_t, memory C.int64_t) C.int32_t {
	return C.int32_t(record(uintptr(handle), int64(memory)))
}

//export goAddAdjoints
func goAddAdjoints(handle C.uintptr_t, references unsafe.Pointer, n C.int64_t, values unsafe.Pointer) C.int32_t {
	return C.int32_t(addAdjoints(uintptr(handle), (*uint32)(references), int64(n), (*float64)(values)))
}

//export goStepBack
func goStepBack(handle C.uintptr_t) C.int32_t { return C.int32_t(stepBack(uintptr(handle))) }

//export goGetAdjoints
func goGetAdjoints(handle C.uintptr_t, references unsafe.Pointer, n C.int64_t, values unsafe.Pointer) C.int32_t {
	return C.int32_t(getAdjoints(uintptr(handle), (*uint32)(references), int64(n), (*float64)(values)))
}

//export goSetText
func goSetText(handle C.uintptr_t, name, value unsafe.Pointer) C.int32_t {
	return C.int32_t(setText(uintptr(handle), (*byte)(name), (*byte)(value)))
}

//export goGetText
func goGetText(handle C.uintptr_t, name, value unsafe.Pointer, capacity C.int64_t) C.int32_t {
	return C.int32_t(getText(uintptr(handle), (*byte)(name), (*byte)(value), int64(capacity)))
}

//export goSetTimeLimit
func goSetTimeLimit(handle C.uintptr_t, seconds C.double) C.int32_t {
	return C.int32_t(setTimeLimit(uintptr(handle), float64(seconds)))
}

//export goWarnings
func goWarnings(handle C.uintptr_t, text unsafe.Pointer, capacity C.int64_t) C.int32_t {
	return C.int32_t(warnings(uintptr(handle), (*byte)(text), int64(capacity)))
}

//export goRegister
func goRegister(function unsafe.Pointer, abi C.uint32_t, reason unsafe.Pointer, capacity C.int64_t) C.int32_t {
	return C.int32_t(registerFunction(function, uint32(abi), (*byte)(reason), int64(capacity)))
}

//export goTrim
func goTrim(handle C.uintptr_t) C.int32_t { return C.int32_t(trim(uintptr(handle))) }

//export goInitialise
func goInitialise(handle C.uintptr_t) C.int32_t { return C.int32_t(initialise(uintptr(handle))) }

//export goStep
func goStep(handle C.uintptr_t, h C.double) C.int32_t {
	return C.int32_t(step(uintptr(handle), float64(h)))
}

//export goCopy
func goCopy(handle C.uintptr_t, other *C.uintptr_t) C.int32_t {
	return C.int32_t(copyVehicle(uintptr(handle), (*uintptr)(unsafe.Pointer(other))))
}

//export goStepAll
func goStepAll(handles unsafe.Pointer, count C.int64_t, h C.double, threads C.int32_t,
	statuses unsafe.Pointer) C.int32_t {
	return C.int32_t(stepAll((*uintptr)(handles), int64(count), float64(h), int32(threads), (*status)(statuses)))
}

//export goFleetMake
func goFleetMake(like C.uintptr_t, count C.int64_t, threads C.int32_t, fleet *C.uintptr_t) C.int32_t {
	return C.int32_t(makeFleet(uintptr(like), int64(count), int32(threads), (*uintptr)(unsafe.Pointer(fleet))))
}

//export goFleetFree
func goFleetFree(fleet C.uintptr_t) C.int32_t { return C.int32_t(freeFleet(uintptr(fleet))) }

//export goFleetVehicle
func goFleetVehicle(fleet C.uintptr_t, index C.int64_t) C.uintptr_t {
	return C.uintptr_t(fleetVehicle(uintptr(fleet), int64(index)))
}

//export goFleetSet
func goFleetSet(fleet C.uintptr_t, mask, references unsafe.Pointer, count C.int64_t, values unsafe.Pointer,
	row C.int64_t) C.int32_t {
	return C.int32_t(setFleet(uintptr(fleet), (*uint8)(mask), (*uint32)(references), int64(count), (*float64)(values),
		int64(row)))
}

//export goFleetGet
func goFleetGet(fleet C.uintptr_t, mask, references unsafe.Pointer, count C.int64_t, values unsafe.Pointer,
	row C.int64_t) C.int32_t {
	return C.int32_t(getFleet(uintptr(fleet), (*uint8)(mask), (*uint32)(references), int64(count), (*float64)(values),
		int64(row)))
}

//export goFleetInitialise
func goFleetInitialise(fleet C.uintptr_t, mask unsafe.Pointer, trim C.int32_t, statuses unsafe.Pointer) C.int32_t {
	return C.int32_t(initialiseFleet(uintptr(fleet), (*uint8)(mask), int32(trim), (*status)(statuses)))
}

//export goFleetReset
func goFleetReset(fleet C.uintptr_t, mask unsafe.Pointer) C.int32_t {
	return C.int32_t(resetFleet(uintptr(fleet), (*uint8)(mask)))
}

//export goRollout
func goRollout(handle C.uintptr_t, steps C.int64_t, h C.double, in unsafe.Pointer, nIn C.int64_t,
	inputs, out unsafe.Pointer, nOut C.int64_t, outputs unsafe.Pointer, read C.int32_t, made unsafe.Pointer) C.int32_t {
	return C.int32_t(rollout(uintptr(handle), int64(steps), float64(h), (*uint32)(in), int64(nIn), (*float64)(inputs),
		(*uint32)(out), int64(nOut), (*float64)(outputs), int32(read), (*int64)(made)))
}

//export goFleetBind
func goFleetBind(fleet C.uintptr_t, in unsafe.Pointer, nIn C.int64_t, inputs, out unsafe.Pointer, nOut C.int64_t,
	outputs unsafe.Pointer) C.int32_t {
	return C.int32_t(bindFleet(uintptr(fleet), (*uint32)(in), int64(nIn), (*float64)(inputs), (*uint32)(out),
		int64(nOut), (*float64)(outputs)))
}

//export goFleetStep
func goFleetStep(fleet C.uintptr_t, mask unsafe.Pointer, h C.double, statuses unsafe.Pointer) C.int32_t {
	return C.int32_t(stepFleet(uintptr(fleet), (*uint8)(mask), float64(h), (*status)(statuses)))
}

//export goFleetRollout
func goFleetRollout(fleet C.uintptr_t, steps C.int64_t, h C.double, inputs unsafe.Pointer, byVehicle C.int32_t,
	outputs unsafe.Pointer, read C.int32_t, statuses unsafe.Pointer) C.int32_t {
	return C.int32_t(rolloutFleet(uintptr(fleet), int64(steps), float64(h), (*float64)(inputs), int32(byVehicle),
		(*float64)(outputs), int32(read), (*status)(statuses)))
}

//export goFleetSave
func goFleetSave(fleet C.uintptr_t, mask, states unsafe.Pointer, size C.int64_t) C.int32_t {
	return C.int32_t(saveFleet(uintptr(fleet), (*uint8)(mask), (*byte)(states), int64(size)))
}

//export goFleetRestore
func goFleetRestore(fleet C.uintptr_t, states unsafe.Pointer, size C.int64_t,
	source, statuses unsafe.Pointer) C.int32_t {
	return C.int32_t(restoreFleet(uintptr(fleet), (*byte)(states), int64(size), (*int64)(source), (*status)(statuses)))
}

//export goTime
func goTime(handle C.uintptr_t, time *C.double) C.int32_t {
	return C.int32_t(timeOf(uintptr(handle), (*float64)(time)))
}

//export goStateSize
func goStateSize(handle C.uintptr_t, size *C.int64_t) C.int32_t {
	return C.int32_t(stateSize(uintptr(handle), (*int64)(size)))
}

//export goSave
func goSave(handle C.uintptr_t, buffer unsafe.Pointer, capacity C.int64_t) C.int32_t {
	return C.int32_t(save(uintptr(handle), (*byte)(buffer), int64(capacity)))
}

//export goRestore
func goRestore(handle C.uintptr_t, buffer unsafe.Pointer, size C.int64_t) C.int32_t {
	return C.int32_t(restore(uintptr(handle), (*byte)(buffer), int64(size)))
}

//export goModelFiles
func goModelFiles(handle C.uintptr_t, buffer unsafe.Pointer, capacity C.int64_t, size *C.int64_t) C.int32_t {
	return C.int32_t(modelFiles(uintptr(handle), (*byte)(buffer), int64(capacity), (*int64)(size)))
}

//export goReset
func goReset(handle C.uintptr_t) C.int32_t { return C.int32_t(reset(uintptr(handle))) }
