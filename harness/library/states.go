package library

import (
	"errors"
	"fmt"
	"unsafe"
)

// errNoState is the error of an FMU whose state is not saved.
func (f *FMU) errNoState(capability string) error {
	return fmt.Errorf("%s does not let its state be saved: %s is false in its description", f.ModelName, capability)
}

// capability is the name of an attribute of capabilities about the state.
func (f *FMU) capability(verb string) string {
	return "can" + verb + map[int]string{2: "FMUstate", 3: "FMUState"}[f.Version]
}

// Save returns the state as bytes, of an FMU for co-simulation.
func (c *Instance) Save() ([]byte, error) {
	if !c.fmu.SerializesState {
		return nil, c.fmu.errNoState(c.fmu.capability("Serialize"))
	}
	if c.integrator != nil {
		return nil, fmt.Errorf("%s is for model exchange: its states are integrated outside of it, and are not saved",
			c.fmu.ModelName)
	}
	state, err := c.keep()
	if err != nil {
		return nil, err
	}
	var size uint64
	var bytes []byte
	f := &c.fmu.common
	err = c.check(f.stateSize(c.handle, state, &size))
	if err == nil {
		bytes = make([]byte, size)
		err = c.check(f.serialize(c.handle, state, unsafe.SliceData(bytes), size))
	}
	return bytes, errors.Join(err, c.drop(state))
}

// Restore brings back a saved state, at the time it was saved.
func (c *Instance) Restore(bytes []byte, time float64) error {
	if !c.fmu.SerializesState {
		return c.fmu.errNoState(c.fmu.capability("Serialize"))
	}
	var state uintptr
	f := &c.fmu.common
	if err := c.check(f.deserialize(c.handle, unsafe.SliceData(bytes), uint64(len(bytes)), &state)); err != nil {
		return err
	}
	return errors.Join(c.bringBack(state, time), c.drop(state))
}

// keep saves the state in memory of the FMU, until drop.
func (c *Instance) keep() (state uintptr, err error) {
	if !c.fmu.SavesState {
		return 0, c.fmu.errNoState(c.fmu.capability("GetAndSet"))
	}
	return state, c.check(c.fmu.common.getState(c.handle, &state))
}

func (c *Instance) bringBack(state uintptr, time float64) error {
	c.time, c.over = time, false
	if c.events != nil {
		c.events.seek(time)
	}
	return c.check(c.fmu.common.setState(c.handle, state))
}

func (c *Instance) drop(state uintptr) error {
	return c.check(c.fmu.common.freeState(c.handle, &state))
}
