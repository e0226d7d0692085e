package bench

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Steps of generated C and of the library are measured in turn. Different states are an error.
func TestWholeVehiclesAreMeasuredInTurn(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.RequiresOne(t, "gcc", "cc")
	s := &Suite{Resources: resources, Rounds: 2, Header: filepath.Join("..", "..", "..", "capi"),
		Library: &library.Library{Path: built.Library(t)}}
	file := filepath.Join(resources, "models", "halfcar.toml")
	list, err := s.wholeVehicle(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, both := range list {
		if len(list) != len(wholeMethods) || len(both[0].Values) != 2 || len(both[1].Values) != 2 ||
			!(both[0].Median() > 0) || !(both[1].Median() > 0) {
			t.Errorf("%s: %v", wholeMethods[i], both)
		}
	}
	good := wholeC
	defer func() { wholeC = good }()
	wholeC = strings.Replace(good, "MUST(get(v, at,", "vehicle_state(&c)[0] += 1e-9;\n\t\tMUST(get(v, at,", 1)
	if _, err := s.wholeVehicle(file); err == nil || !strings.Contains(err.Error(), "other states than those") {
		t.Errorf("other states: %v", err)
	}
}
