package cosim_test

import (
	"crypto/sha256"
	"testing"

	"skidpad/cosim"
)

// seal makes the checksum at the end of a saved state right again.
func seal(state []byte) []byte {
	body := len(state) - sha256.Size
	sum := sha256.Sum256(state[:body])
	copy(state[body:], sum[:])
	return state
}

// A saved state is bytes from outside: whatever they are, an instance takes them
// over and saves the same bytes again, or refuses them and stays as it is.
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
	f.Add([]byte(good), uint16(0), byte(0), false)
	f.Add([]byte(good), uint16(50), byte(1), true)
	f.Add([]byte(nil), uint16(0), byte(0), false)
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
