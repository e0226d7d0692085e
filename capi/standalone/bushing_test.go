package standalone

import (
	"path/filepath"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// Bushings of all laws are bit-identical to the library in C.
func TestBushingsInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	identicalInC(t, "../../cosim/testdata/bushings.toml")
}

// So is a compliance.
func TestCompliancesInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	identicalInC(t, "../../cosim/testdata/compliance.toml")
}

// So are racks of all kinds.
func TestRacksInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	identicalInC(t, "../../harness/testdata/racks.toml")
}

func identicalInC(t *testing.T, path string) {
	t.Helper()
	s, err := cosim.Load(path, cosim.Options{})
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

// So are networks.
func TestNetworksInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	identicalInC(t, "../../cosim/testdata/networks.toml")
}

// So are the networks of the acceptance tests, one by one.
func TestNetworksOneByOneInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.OnlyAll(t)
	files, err := filepath.Glob("../../cosim/testdata/networks/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { identicalInC(t, file) })
	}
}
