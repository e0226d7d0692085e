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

// argumentError is an error in the arguments of the caller.
type argumentError string

func (e argumentError) Error() string { return string(e) }

// recoveredPanic is a panic that was recovered at the Go/C boundary.
type recoveredPanic struct{ cause any }

func (d *recoveredPanic) Error() string { return fmt.Sprintf("defect of the library: %v", d.cause) }

// statusOf maps an error to the status a caller sees.
func statusOf(err error) status {
	if err == nil {
		return statusOK
	}
	if _, is := errors.AsType[argumentError](err); is {
		return statusArgument
	}
	if _, is := errors.AsType[*recoveredPanic](err); is {
		return statusInternal
	}
	return statusRefused
}

// protect runs call and turns a panic into a *recoveredPanic. Only protect and memoryError recover panics.
func protect(call func() error) (err error) {
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case errMemory:
			err = errMemory
		default:
			err = &recoveredPanic{cause}
		}
	}()
	return call()
}

// guard runs a call on the vehicle of a handle and returns its status. Two calls on one vehicle never overlap: guard
// rejects the second call. guard also rejects calls after a defect, because the state of the vehicle is unknown then.
func guard(handle uintptr, call func(*vehicle) error) status {
	return guardDefective(handle, func(v *vehicle) error {
		if v.broken != nil {
			return v.broken
		}
		return call(v)
	})
}

// guardDefective is guard for calls that are allowed after a defect.
func guardDefective(handle uintptr, call func(*vehicle) error) status {
	v := vehicles.find(handle)
	if v == nil {
		return statusNoVehicle
	}
	if !v.enter() {
		return statusBusy
	}
	defer v.leave()
	if v.released { // by another thread, after find
		return statusNoVehicle
	}
	return v.finish(protect(func() error {
		v.takeSteps()
		return call(v)
	}))
}

// finish stores the reason of a failed call, and breaks the vehicle after a defect.
func (v *vehicle) finish(err error) status {
	s := statusOf(err)
	if s == statusInternal && err != v.broken {
		v.broken = fmt.Errorf("%w; reset the vehicle or restore a state to go on, or free it: everything else is refused",
			err)
		err = v.broken
	}
	if err != nil {
		v.failure = err.Error()
	}
	return s
}

// revive replaces an engine that panicked by a new engine, so that no half-done change survives.
func (v *vehicle) revive() error {
	if v.broken == nil {
		return nil
	}
	var fresh engine
	err := protect(func() (err error) {
		fresh, err = v.another()
		return err
	})
	if err != nil {
		v.broken = &recoveredPanic{fmt.Sprintf("the vehicle cannot be recreated after an earlier one: %v; free it", err)}
		return v.broken
	}
	old := v.engine
	v.engine, v.broken = fresh, nil
	_ = protect(func() error { old.Close(); return nil }) // a tire function that panics keeps its resources
	return nil
}
