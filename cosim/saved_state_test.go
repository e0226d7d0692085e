package cosim_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/fuzzinputs"
)

// seal corrects the checksum at the end of a saved state.
func seal(state []byte) []byte {
	body := len(state) - 4
	binary.LittleEndian.PutUint32(state[body:], crc32.Checksum(state[:body], crc32.MakeTable(crc32.Castagnoli)))
	return state
}

// Two states with different contacts are restored by turns: one in the air, and one on the road.
func TestRestoredStatesHaveTheirContacts(t *testing.T) {
	s := load(t, "generic4w", "")
	car := func(height float64) *run {
		r := instance(t, s, "heun", 0.001)
		r.set("body.z", height)
		r.start(noInput)
		return r
	}
	low := car(0)
	height := low.get("body.z")
	standing, flying := low.save(), car(height+5).save()
	if low.get("tire_FL.contact") != 1 || car(height+5).get("tire_FL.contact") != 0 {
		t.Fatal("one stands and one flies")
	}
	r := car(0)
	for k, state := range [][]byte{standing, flying, standing, standing, flying} {
		r.restore(state)
		if !bytes.Equal(r.save(), state) {
			t.Errorf("restore %d: other bytes are saved", k)
		}
	}
}

// A vehicle that has run also checks the libraries of a state.
func TestRestoredStatesCannotNameNewLibraries(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "heun", 0.001)
	r.start(noInput)
	counted := func(text string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	}
	for function, text := range map[string]string{"Pacejka02": "tire_FL.model",
		"StretchedString": "tire_FL.relaxation.model"} {
		forged := seal(bytes.Replace(r.save(), counted(function), counted("plugin:/nowhere/unnamed.so#function"), 1))
		if err := r.in.Restore(forged); err == nil || !strings.Contains(err.Error(), "has not named before") ||
			!strings.Contains(err.Error(), "set "+text+" to that text first") {
			t.Errorf("%s: the error is %v", text, err)
		}
	}
}

// A saved state is bytes from outside. For any bytes, an instance either restores them and saves the same bytes again,
// or refuses them and keeps its state.
func FuzzRestore(f *testing.F) {
	sys := load(f, "pendulum", "")
	in, err := sys.Instantiate()
	if err != nil {
		f.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		f.Fatal(err)
	}
	save := func(in *cosim.Instance) string {
		state := make([]byte, in.StateSize())
		if err := in.Save(state); err != nil {
			f.Fatal(err)
		}
		return string(state)
	}
	good := save(in)
	fuzzinputs.Add(f, []byte(good), uint16(0), byte(0), false)
	fuzzinputs.Add(f, []byte(good), uint16(50), byte(1), true)
	fuzzinputs.Add(f, []byte(nil), uint16(0), byte(0), false)
	f.Fuzz(func(t *testing.T, state []byte, at uint16, flip byte, sealed bool) {
		state = append([]byte(nil), state...)
		if len(state) > 0 {
			state[int(at)%len(state)] ^= flip
		}
		if sealed && len(state) == len(good) {
			seal(state)
		}
		before := save(in)
		if in.Restore(state) == nil {
			before = string(state[:len(good)])
		}
		if save(in) != before {
			t.Error("the instance is in a state that nobody gave it")
		}
	})
}
