package cosim

import (
	"testing"

	"skidpad/model/vehicle"
)

// Networks are bit-identical in machine code, portable code and lanes.
func TestNetworksAreBitIdenticalOnEveryPath(t *testing.T) {
	m, err := vehicle.Read("testdata/networks.toml")
	if err != nil {
		t.Fatal(err)
	}
	identicalOnEveryPath(t, m)
}
