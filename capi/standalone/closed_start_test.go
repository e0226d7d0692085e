package standalone

import (
	"encoding/binary"
	"slices"
	"testing"

	"skidpad/cosim"
)

// Generated code does not assemble a start: it returns an error where the library would close open loops, and starts
// again with parameters that leave no loop open.
func TestGeneratedCodeRefusesStartsWithOpenLoops(t *testing.T) {
	s, err := cosim.Load("../../cosim/testdata/design_car.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var both [2]*cosim.Instance
	for i := range both {
		if both[i], err = s.Instantiate(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(both[i].Close)
	}
	in, library := both[0], both[1]
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	var asWritten []float64
	moved := -1
	for i, p := range s.Program().Parameters {
		asWritten = append(asWritten, p.Start)
		if p.Name == "rack_guide.s" {
			moved = i
		}
	}
	open := slices.Clone(asWritten)
	open[moved] = 0.01
	v := &vehicleInC{order: binary.NativeEndian}
	for _, parameters := range [][]float64{asWritten, open, asWritten} {
		v.say('r')
		v.say('p', parameters)
		v.say('i')
	}
	v.run(t, compiled(t, generated(t, in), "gcc -O0"))
	const accepted, refused = 0, 3
	for i, want := range []int{accepted, refused, accepted} {
		if status := v.status(t); status != want {
			t.Errorf("start %d: status %d, want %d", i, status, want)
		}
	}
	at, _ := s.Find("rack_guide.s")
	if err := library.Set(at, open[moved]); err != nil {
		t.Fatal(err)
	}
	if err := library.Initialise(); err != nil {
		t.Errorf("the library does not assemble the start: %v", err)
	}
}
