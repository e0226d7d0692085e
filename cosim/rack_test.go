package cosim

import (
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// racks is the machine with racks of all kinds.
func racks(t *testing.T) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Read("../harness/testdata/racks.toml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRacksAreBitIdenticalOnEveryPath(t *testing.T) {
	testrun.Slow(t)
	identicalOnEveryPath(t, racks(t))
}

// The bodies gain the power of the torques on the steering wheels less the power that columns and damping lose.
func TestPowersOfRacks(t *testing.T) {
	found := checkPowers(t, racks(t), "default", nil)
	for _, name := range []string{"free", "twisted", "whole"} {
		if share := found[name][program.DissipatedPower]; !(share > 1e-9) {
			t.Errorf("%s has %g of the exchanged power; its damping does not act", name, share)
		}
	}
}
