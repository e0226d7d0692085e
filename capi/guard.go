package main

import (
	"errors"
	"fmt"
)

// status is a skidpad_status of skidpad.h.
type status int32

const (
	statusOK        status = 0
	statusNoVehicle status = -1
	statusArgument  status = -2
	statusModel     status = -3
	statusRefused   status = -4
	statusBusy      status = -5
	statusInternal  status = -6
)

// argumentError is an error in what the caller passed.
type argumentError string

func (e argumentError) Error() string { return string(e) }

// defect is a panic that was caught at the border.
type defect struct{ cause any }

func (d *defect) Error() string {
	return fmt.Sprintf("defect of the library: %v; release the vehicle and load it anew", d.cause)
}

// errBroken is what a vehicle answers after a defect.
var errBroken = &defect{"an earlier call on this vehicle panicked"}

// statusOf maps an error to the status a caller sees.
func statusOf(err error) status {
	if err == nil {
		return statusOK
	}
	if _, is := errors.AsType[argumentError](err); is {
		return statusArgument
	}
	if _, is := errors.AsType[*defect](err); is {
		return statusInternal
	}
	return statusRefused
}

// protect runs call and turns a panic into a *defect. Besides it, only memoryError recovers.
func protect(call func() error) (err error) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case errMemory:
			err = errMemory
		default:
			err = &defect{cause}
		}
	}()
	return call()
}

// guard runs one call on the vehicle that handle names and says how it went.
// Two calls on one vehicle never overlap: the second is refused. A call after a
// defect is refused, because the vehicle's state is unknown then.
func guard(handle uintptr, call func(*vehicle) error) status {
	return guardAll(handle, func(v *vehicle) error {
		if v.broken {
			return errBroken
		}
		return call(v)
	})
}

// guardAll is guard without the refusal after a defect.
func guardAll(handle uintptr, call func(*vehicle) error) status {
	v := vehicles.find(handle)
	if v == nil {
		return statusNoVehicle
	}
	if !v.busy.CompareAndSwap(false, true) {
		return statusBusy
	}
	defer v.busy.Store(false)
	if v.released { // by another thread, after find
		return statusNoVehicle
	}
	err := protect(func() error { return call(v) })
	s := statusOf(err)
	if err != nil {
		v.failure = err.Error()
	}
	if s == statusInternal {
		v.broken = true
	}
	return s
}
