package fmu

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"skidpad/cosim"
)

// A saved state is portable bytes: a mark, a version, interface, mode and flags,
// start and stop time, the window, the engine's state, and a SHA-256 of all that.
// The version of FMI is not in it.
const (
	stateMark    = "SKIDPADF"
	stateVersion = 1
	stateHead    = len(stateMark) + 4 + 4 + 4 + 4 + 8 + 8

	flagEventMode = 1
	flagCurrent   = 2
	flagSetUp     = 4
)

// StateSize returns how many bytes Save writes now.
func (c *Component) StateSize() int {
	return stateHead + 8*len(c.values) + c.engine.StateSize() + sha256.Size
}

// Save writes everything that decides about the future, and the values that can be
// read now, into dst of StateSize bytes.
func (c *Component) Save(dst []byte) Status {
	if err := c.checkCallAllowed(CallGetState); err != nil {
		return c.fail(err)
	}
	if len(dst) != c.StateSize() {
		return c.fail(fmt.Errorf("a buffer of %d bytes; the state has %d", len(dst), c.StateSize()))
	}
	flags := uint32(0)
	for _, f := range [...]struct {
		on  bool
		bit uint32
	}{{c.settings.EventMode, flagEventMode}, {c.current, flagCurrent}, {c.setUp, flagSetUp}} {
		if f.on {
			flags |= f.bit
		}
	}
	b := append(dst[:0], stateMark...)
	for _, v := range [...]uint32{stateVersion, uint32(c.settings.Interface), uint32(c.mode), flags} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.start))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.stop))
	for i, v := range c.values {
		if !c.current && i >= c.inputs[1] {
			v = 0 // left by an earlier time
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	end := len(b) + c.engine.StateSize()
	if err := c.engine.Save(dst[len(b):end]); err != nil {
		return c.fail(err)
	}
	sum := sha256.Sum256(dst[:end])
	copy(dst[end:], sum[:])
	return OK
}

// CheckState reports whether bytes can be a saved state of this FMU, as far as that can
// be told without taking it over.
func (c *Component) CheckState(src []byte) Status {
	if err := c.checkCallAllowed(CallGetState); err != nil {
		return c.fail(err)
	}
	if _, err := c.readState(src); err != nil {
		return c.fail(err)
	}
	return OK
}

// readState returns the numbers of the head: interface, mode, flags.
func (c *Component) readState(src []byte) (head [3]uint32, err error) {
	if len(src) < stateHead+8*len(c.values)+sha256.Size {
		return head, fmt.Errorf("%d bytes are too few for a saved state of this model", len(src))
	}
	if string(src[:len(stateMark)]) != stateMark {
		return head, errors.New("these bytes are not a saved state of an FMU")
	}
	body := src[:len(src)-sha256.Size]
	if sum := sha256.Sum256(body); string(sum[:]) != string(src[len(body):]) {
		return head, errors.New("the saved state is corrupted or cut short")
	}
	at := len(stateMark)
	if v := binary.LittleEndian.Uint32(src[at:]); v != stateVersion {
		return head, fmt.Errorf("the saved state has version %d; this library reads version %d", v, stateVersion)
	}
	for i := range head {
		head[i] = binary.LittleEndian.Uint32(src[at+4+4*i:])
	}
	if head[0] > uint32(CoSimulation) || bits.OnesCount32(head[1]) != 1 || mode(head[1])&anytime == 0 ||
		head[1] > uint32(failed) || head[2] > flagEventMode|flagCurrent|flagSetUp {
		return head, errors.New("the saved state holds values that no instance can have")
	}
	if Interface(head[0]) != c.settings.Interface || (head[2]&flagEventMode != 0) != c.settings.EventMode {
		return head, errors.New("the saved state comes from an instance that was made otherwise: model exchange or " +
			"co-simulation, with or without event mode")
	}
	return head, nil
}

// Restore takes over a saved state. It also ends an error.
func (c *Component) Restore(src []byte) Status {
	if err := c.checkCallAllowed(CallSetState); err != nil {
		return c.fail(err)
	}
	head, err := c.readState(src)
	if err == nil {
		err = c.engine.Restore(src[stateHead+8*len(c.values) : len(src)-sha256.Size])
	}
	if errors.Is(err, cosim.ErrNotState) { // it is somewhere else in states of models with other variables
		err = errors.New("the saved state belongs to another model or tree")
	}
	if err != nil {
		return c.fail(err)
	}
	c.mode, c.pausing = mode(head[1]), suspendedStep{}
	c.setUp, c.current = head[2]&flagSetUp != 0, head[2]&flagCurrent != 0
	numbers := src[stateHead-16:]
	number := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:])) }
	c.start, c.stop = number(0), number(1)
	for i := range c.values {
		c.values[i] = number(2 + i)
	}
	return OK
}
