package main

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// skidder returns n initialised skidders with different masses.
func skidder(t *testing.T, n int) []uintptr {
	t.Helper()
	s, err := cosim.Load("../resources/models/skidder.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	list := []uintptr{newVehicle(in, fmu.Describe(s).Variables[:s.First(cosim.Indicator)], origin{})}
	for len(list) < n {
		var other uintptr
		if s := copyVehicle(list[0], &other); s != statusOK {
			t.Fatalf("copy = %d: %s", s, errorText(list[0]))
		}
		list = append(list, other)
	}
	var mass uint32
	if s := find(list[0], c("front.mass"), &mass); s != statusOK {
		t.Fatal("no mass")
	}
	for i, handle := range list {
		t.Cleanup(func() { free(handle) })
		value := 6000 + 100*float64(i)
		if s := set(handle, &mass, 1, &value); s != statusOK {
			t.Fatalf("set = %d: %s", s, errorText(handle))
		}
		if s := initialise(handle); s != statusOK {
			t.Fatalf("initialise = %d: %s", s, errorText(handle))
		}
	}
	return list
}

func stateOf(t *testing.T, handle uintptr) string {
	t.Helper()
	var size int64
	stateSize(handle, &size)
	state := make([]byte, size)
	if s := save(handle, &state[0], size); s != statusOK {
		t.Fatalf("save = %d: %s", s, errorText(handle))
	}
	return string(state)
}

// TestStepAllEqualsSingleSteps: copies keep their own parameters, and all states are the same
// bytes.
func TestStepAllEqualsSingleSteps(t *testing.T) {
	alone, together := skidder(t, 6), skidder(t, 6)
	statuses := make([]status, 6)
	for range 20 {
		if s := stepAll(&together[0], 6, 0.01, 2, &statuses[0]); s != statusOK {
			t.Fatalf("stepAll = %d, %v: %s", s, statuses, errorText(together[0]))
		}
		for _, handle := range alone {
			if s := step(handle, 0.01); s != statusOK {
				t.Fatalf("step = %d: %s", s, errorText(handle))
			}
		}
	}
	for i := range alone {
		if stateOf(t, alone[i]) != stateOf(t, together[i]) {
			t.Errorf("vehicle %d is not where it is alone", i)
		}
	}
	if stateOf(t, alone[0]) == stateOf(t, alone[1]) {
		t.Error("the copies are all the same")
	}
}

// TestFleetOwnsItsVehicles: the host cannot release a vehicle of a fleet, and the fleet goes on.
func TestFleetOwnsItsVehicles(t *testing.T) {
	var handle uintptr
	if s := makeFleet(skidder(t, 1)[0], 3, 1, &handle); s != statusOK {
		t.Fatalf("makeFleet = %d", s)
	}
	member := fleetVehicle(handle, 1)
	if s := free(member); s != statusArgument || !strings.Contains(errorText(member), "skidpad_fleet_free") {
		t.Errorf("free = %d: %s", s, errorText(member))
	}
	if s := stepFleet(handle, nil, 0.01, nil); s != statusOK {
		t.Errorf("stepFleet = %d", s)
	}
	if s := freeFleet(handle); s != statusOK {
		t.Errorf("freeFleet = %d", s)
	}
	if s := free(member); s != statusNoVehicle {
		t.Errorf("free after that of the fleet = %d", s)
	}
}

// TestInvalidStepAllIsRejected, and nothing moves.
func TestInvalidStepAllIsRejected(t *testing.T) {
	list := skidder(t, 3)
	_, simple := newCounter(t)
	before := stateOf(t, list[0])
	for what, test := range map[string]struct {
		handles []uintptr
		count   int64
		h       float64
		threads int32
		want    status
	}{
		"twice":       {[]uintptr{list[0], list[1], list[0]}, 3, 0.01, 0, statusBusy},
		"released":    {[]uintptr{list[0], 12345}, 2, 0.01, 0, statusNoVehicle},
		"NULL":        {[]uintptr{list[0], 0}, 2, 0.01, 0, statusNoVehicle},
		"other":       {[]uintptr{list[0], simple}, 2, 0.01, 0, statusArgument},
		"count":       {list, -1, 0.01, 0, statusArgument},
		"huge":        {list, math.MaxInt64, 0.01, 0, statusArgument},
		"threads":     {list, 3, 0.01, -1, statusArgument},
		"no step":     {list, 3, 0, 0, statusRefused},
		"NaN":         {list, 3, math.NaN(), 0, statusRefused},
		"backwards":   {list, 3, -0.01, 0, statusRefused},
		"without end": {list, 3, math.Inf(1), 0, statusRefused},
	} {
		statuses := make([]status, 3)
		if s := stepAll(&test.handles[0], test.count, test.h, test.threads, &statuses[0]); s != test.want {
			t.Errorf("%s: status %d, want %d", what, s, test.want)
		}
	}
	if s := stepAll(nil, 1, 0.01, 0, nil); s != statusArgument {
		t.Errorf("no handles: status %d", s)
	}
	if s := stepAll(nil, 0, 0.01, 0, nil); s != statusOK {
		t.Errorf("nothing to do: status %d", s)
	}
	if s := copyVehicle(list[0], nil); s != statusArgument {
		t.Errorf("copy to NULL: status %d", s)
	}
	if stateOf(t, list[0]) != before {
		t.Error("a refused step moved a vehicle")
	}
	if s := stepAll(&list[0], 3, 0.01, 0, nil); s != statusOK {
		t.Errorf("afterwards: status %d: %s", s, errorText(list[0]))
	}
	if s := reset(list[1]); s != statusOK {
		t.Fatal(s)
	}
	if s := stepAll(&list[0], 3, 0.01, 0, nil); s != statusRefused {
		t.Errorf("one is not initialised: status %d", s)
	}
}

// A rollout of a fleet writes the outputs after each step, or before it with the inputs of the step set; another value
// of read is refused before a vehicle moves.
func TestRolloutsOfFleetsReadBeforeOrAfterTheirSteps(t *testing.T) {
	for _, read := range []int32{readAfterStep, readAfterInputs, 2, -1} {
		var handle uintptr
		if s := makeFleet(skidder(t, 1)[0], 4, 1, &handle); s != statusOK {
			t.Fatalf("makeFleet = %d", s)
		}
		one := fleetVehicle(handle, 0)
		var torque uint32
		var x [2]uint32
		if s := min(find(one, c("drive_FL.torque"), &torque), find(one, c("drive_FL.torque"), &x[0]),
			find(one, c("front.x"), &x[1])); s != statusOK {
			t.Fatal("no torque or position")
		}
		position := func() (at float64) {
			if s := get(one, &x[1], 1, &at); s != statusOK {
				t.Fatalf("get = %d: %s", s, errorText(one))
			}
			return at
		}
		var given [4]float64
		var seen [8]float64
		if s := bindFleet(handle, &torque, 1, &given[0], &x[0], 2, &seen[0]); s != statusOK {
			t.Fatalf("bindFleet = %d: %s", s, errorText(one))
		}
		inputs, outputs, before := []float64{10, 20, 30}, make([]float64, 3*8), position()
		s := rolloutFleet(handle, 3, 0.01, &inputs[0], 0, &outputs[0], read, nil)
		first, last := outputs[1], outputs[2*8+1]
		switch read {
		case readAfterStep:
			if s != statusOK || first == before || last != position() {
				t.Errorf("after steps: status %d (%s), positions from %g: %g and %g, at the end %g", s, errorText(one), before,
					first, last, position())
			}
		case readAfterInputs:
			if s != statusOK || first != before || last == position() || outputs[8] != 20 {
				t.Errorf("before steps: status %d (%s), positions from %g: %g and %g, at the end %g", s, errorText(one), before,
					first, last, position())
			}
		default:
			if s != statusArgument || !strings.Contains(errorText(one), "SKIDPAD_READ_AFTER_INPUTS") || position() != before {
				t.Errorf("read %d: status %d: %s", read, s, errorText(one))
			}
		}
		if s := freeFleet(handle); s != statusOK {
			t.Errorf("freeFleet = %d", s)
		}
	}
}
