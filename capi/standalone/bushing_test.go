package standalone

import (
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// Bushings of all laws are bit-identical to the library in C.
func TestBushingsInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	s, err := cosim.Load("../../cosim/testdata/bushings.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range testrun.Either([]string{"rk4"}, []string{"rk4", "euler", "linearly-implicit"}) {
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(in.Close)
		if err := in.SetText("solver.method", method); err != nil {
			t.Fatal(err)
		}
		if steps := testModel(t, in, "gcc -O1 -march=native"); steps == 0 {
			t.Error("no step was compared")
		}
	}
}
