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

// protect runs call and turns a panic into a *recoveredPanic. Besides it, only memoryError recovers.
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

// guard runs one call on the vehicle that handle names and says how it went.
// Two calls on one vehicle never overlap: the second is refused. A call after a
// defect is refused, because the vehicle's state is unknown then.
func guard(handle uintptr, call func(*vehicle) error) status {
	return guardDefective(handle, func(v *vehicle) error {
		if v.broken != nil {
			return v.broken
		}
		return call(v)
	})
}

// guardDefective is guard without the refusal after a defect.
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

// finish keeps why a call failed, and breaks the vehicle after a defect.
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

// revive puts a new engine in the place of one that panicked, so that nothing half-done survives.
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
	_ = protect(func() error { old.Close(); return nil }) // what cannot be released stays until the process ends
	return nil
}
