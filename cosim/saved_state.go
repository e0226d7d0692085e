package cosim

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Saved states are portable bytes: a mark, a version, the program's fingerprint,
// method, flags, then numbers as little-endian float64, and a SHA-256 of all that.
const (
	stateMark    = "SKIDPAD\x00"
	stateVersion = 1
	stateHead    = len(stateMark) + 4 + sha256.Size + 4 + 4
)

// StateSize returns the number of bytes that Save writes.
func (in *Instance) StateSize() int {
	return stateHead + 8*(3+len(in.p)+2*len(in.u)+len(in.x)) + sha256.Size
}

var errStateSize = errors.New("the buffer is too small for the saved state")

// Save writes the whole state into dst, which must hold StateSize bytes. A
// restored instance continues bit by bit like this one.
func (in *Instance) Save(dst []byte) error {
	size := in.StateSize()
	if len(dst) < size {
		return errStateSize
	}
	b := append(dst[:0], stateMark...)
	b = binary.LittleEndian.AppendUint32(b, stateVersion)
	b = append(b, in.sys.id...)
	b = binary.LittleEndian.AppendUint32(b, uint32(in.methodNumber()))
	flags := uint32(0)
	if in.initialised {
		flags = 1
	}
	b = binary.LittleEndian.AppendUint32(b, flags)
	for _, list := range [...][]float64{{in.t, in.base, in.step}, in.p, in.u, in.rate, in.x} {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	sum := sha256.Sum256(b)
	_ = append(b, sum[:]...)
	return nil
}

func (in *Instance) methodNumber() int {
	for i := range methods {
		if methods[i].name == in.method {
			return i
		}
	}
	return -1
}

// Restore takes over a saved state of the same model and tree. Bytes that are
// corrupted, cut short or of another model are refused without any change.
func (in *Instance) Restore(src []byte) error {
	size := in.StateSize()
	body := size - sha256.Size
	if len(src) < size {
		return fmt.Errorf("a saved state of this model has %d bytes, not %d", size, len(src))
	}
	src = src[:size]
	if string(src[:len(stateMark)]) != stateMark {
		return errors.New("these bytes are not a saved state")
	}
	if sum := sha256.Sum256(src[:body]); string(sum[:]) != string(src[body:]) {
		return errors.New("the saved state is corrupted")
	}
	at := len(stateMark)
	if v := binary.LittleEndian.Uint32(src[at:]); v != stateVersion {
		return fmt.Errorf("the saved state has version %d; this library reads version %d", v, stateVersion)
	}
	at += 4
	if string(src[at:at+len(in.sys.id)]) != string(in.sys.id) {
		return errors.New("the saved state belongs to another model or tree")
	}
	at += len(in.sys.id)
	method := binary.LittleEndian.Uint32(src[at:])
	flags := binary.LittleEndian.Uint32(src[at+4:])
	if int(method) >= len(methods) || flags > 1 {
		return errors.New("the saved state holds an unknown method or flag")
	}
	at += 8
	numbers := make([]float64, (body-at)/8)
	for i := range numbers {
		numbers[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[at+8*i:]))
	}
	if i := finite(numbers); i >= 0 || numbers[2] <= 0 {
		return errors.New("the saved state holds values that no instance can have")
	}
	if name := methods[method].name; name != in.method {
		in.solver, in.method = methods[method].make(len(in.x)), name
	}
	in.t, in.base, in.step = numbers[0], numbers[1], numbers[2]
	numbers = numbers[3:]
	numbers = numbers[copy(in.p, numbers):]
	numbers = numbers[copy(in.u, numbers):]
	numbers = numbers[copy(in.rate, numbers):]
	copy(in.x, numbers)
	in.initialised, in.fresh = flags == 1, false
	in.machine.SetParameters(in.p)
	if in.initialised && in.method == "linearly-implicit" {
		in.warm()
	}
	return nil
}
