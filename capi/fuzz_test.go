package main

import (
	"encoding/binary"
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/fuzzinputs"
)

// FuzzEntries makes random calls with a vehicle, a simple substitute, wrong handles, wrong counts and wrong values. No
// call may panic, write out of bounds, or return a status unknown to skidpad.h.
func FuzzEntries(f *testing.F) {
	system, err := cosim.Load("../resources/models/skidder.toml", cosim.Options{})
	if err != nil {
		f.Fatal(err)
	}
	variables := fmu.Describe(system).Variables
	fuzzinputs.Add(f, []byte{})
	fuzzinputs.Add(f, []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"))
	fuzzinputs.Add(f, []byte{7, 0, 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f, 12, 0, 1, 12, 1, 1})
	f.Fuzz(func(t *testing.T, program []byte) {
		next := func() byte {
			if len(program) == 0 {
				return 0
			}
			b := program[0]
			program = program[1:]
			return b
		}
		word := func() uint64 {
			var b [8]byte
			program = program[copy(b[:], program):]
			return binary.LittleEndian.Uint64(b[:])
		}
		_, simple := newCounter(t)
		instance, err := system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		skidder := newVehicle(instance, variables, origin{})
		defer free(skidder)
		handles := []uintptr{simple, skidder, 0, 1, skidder + 1}
		for len(program) > 0 {
			call := next()
			if call == 255 {
				handles = append(handles, uintptr(word()))
				continue
			}
			handle := handles[int(next())%len(handles)]
			references := [5]uint32{uint32(next()), uint32(next()), 1, 0, 0xdeadbeef}
			values := [5]float64{math.Float64frombits(word()), 1, 2, 3, 4}
			buffer := [17]byte{16: 0x55}
			text := append(append([]byte(nil), program[:min(len(program), 9)]...), 0)
			count := int64(int8(next()))
			if count > 4 {
				count = math.MaxInt64 - count
			}
			var (
				reference = &references[0]
				value     = &values[0]
				name      = &text[0]
				state     = &buffer[0]
				number    int64
				described cVariable
				s         status
			)
			if call&0x80 != 0 {
				reference, value, name, state = nil, nil, nil, nil
			}
			switch call % 28 {
			case 0:
				s = free(handle)
			case 1:
				lastError(handle)
			case 2:
				s = variableCount(handle, &number)
			case 3:
				s = describe(handle, count, &described)
			case 4:
				s = find(handle, name, reference)
			case 5:
				s = set(handle, reference, count, value)
			case 6:
				s = get(handle, reference, count, value)
			case 7:
				s = setText(handle, name, name)
			case 8:
				s = trim(handle)
			case 9:
				s = initialise(handle)
			case 10:
				if !(values[0] > 0.1) { // many solver steps are no error, only slow
					s = step(handle, values[0])
				}
			case 11:
				s = timeOf(handle, value)
			case 12:
				s = save(handle, state, min(count, 16))
			case 13:
				s = restore(handle, state, min(count, 16))
			case 14:
				s = reset(handle)
			case 15:
				var loaded uintptr
				if s = load(name, name, name, &loaded, state, min(count, 16)); loaded != 0 {
					free(loaded)
				}
			case 16:
				s = setRates(handle, reference, count, value)
			case 17:
				var other uintptr
				if s = copyVehicle(handle, &other); other != 0 {
					handles = append(handles, other)
					defer free(other)
				}
			case 19: // the arrays are for one step
				if !(values[0] > 0.1) {
					steps := min(int64(int8(next())), 1)
					s = rollout(handle, steps, values[0], reference, count, value, reference, count, value, int32(count%3), &number)
				}
			case 20: // the arrays are for a few numbers
				s = jacobian(handle, reference, min(count, 2), reference, min(count, 2), value)
			case 21:
				s = setDirections(handle, min(count, 1))
			case 22:
				s = record(handle, count<<16)
			case 23:
				s = setTangents(handle, reference, count, value)
			case 24:
				s = getTangents(handle, reference, count, value)
			case 25:
				s = addAdjoints(handle, reference, count, value)
			case 26:
				s = stepBack(handle)
			case 27:
				s = getAdjoints(handle, reference, count, value)
			case 18:
				list, statuses := [4]uintptr{handle, handles[int(next())%len(handles)], handles[int(next())%len(handles)]},
					[4]status{3: 99}
				if s = stepAll(&list[0], min(count, 3), math.Mod(values[0], 0.1), int32(count), &statuses[0]); statuses[3] != 99 {
					t.Fatal("stepAll wrote beyond the end of its array")
				}
			}
			if s > statusOK || s < statusBusy { // statusInternal would be a defect
				t.Fatalf("call %d: status %d", call%28, s)
			}
			if references[4] != 0xdeadbeef || values[4] != 4 || buffer[16] != 0x55 {
				t.Fatalf("call %d wrote beyond the end of an array", call%28)
			}
		}
	})
}
