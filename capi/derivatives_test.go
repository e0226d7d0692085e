package main

import (
	"math"
	"strings"
	"testing"
)

// Directions and the way back give one number, whichever call makes the steps; the vehicle stays at the end of the run.
// A reset ends the derivatives.
func TestDerivativesOfARun(t *testing.T) {
	var handles [3]uintptr
	for i := range handles {
		var err error
		if handles[i], err = loadModel("../resources/models/generic4w.toml", "", nil); err != nil {
			t.Fatal(err)
		}
		defer free(handles[i])
	}
	must := func(handle uintptr, s status) {
		t.Helper()
		if s != statusOK {
			t.Fatal(s, errorText(handle))
		}
	}
	reference := func(name string) (r uint32) {
		must(handles[0], find(handles[0], c(name), &r))
		return r
	}
	by, seeds := []uint32{reference("body.mass"), reference("body.vx")}, []float64{100, 1, 0, 2} // two directions
	of, weights := []uint32{reference("body.vx"), reference("tire_FL.Fz")}, []float64{3, 0.1}
	drive := reference("drive_RL.torque")
	var forwards [3][]float64
	for i, handle := range handles {
		must(handle, setText(handle, c("solver.method"), c("rk4")))
		must(handle, record(handle, 0))
		must(handle, setDirections(handle, 2))
		must(handle, setTangents(handle, &by[0], 2, &seeds[0]))
		must(handle, initialise(handle))
		torque := 300.0
		must(handle, set(handle, &drive, 1, &torque))
		if i == 0 {
			for range 20 {
				must(handle, step(handle, 0.01))
			}
		}
	}
	statuses := make([]status, 2)
	for range 10 {
		must(handles[1], stepAll(&handles[1], 2, 0.01, 2, &statuses[0]))
	}
	var made int64
	zero := make([]float64, 10)
	must(handles[1], rollout(handles[1], 10, 0.01, nil, 0, nil, &of[0], 1, &zero[0], 0, &made))
	for range 10 {
		must(handles[2], stepAll(&handles[2], 1, 0.01, 1, &statuses[0]))
	}
	for i, handle := range handles {
		values := make([]float64, 4)
		must(handle, getTangents(handle, &of[0], 2, &values[0]))
		forwards[i] = values
		before, after := 0.0, 0.0
		must(handle, get(handle, &of[1], 1, &before))
		must(handle, addAdjoints(handle, &of[0], 2, &weights[0]))
		for range 20 {
			must(handle, stepBack(handle))
		}
		adjoints := make([]float64, 2)
		must(handle, getAdjoints(handle, &by[0], 2, &adjoints[0]))
		for k := range 2 {
			along := values[k]*weights[0] + values[2+k]*weights[1]
			against := adjoints[0]*seeds[k] + adjoints[1]*seeds[2+k]
			if !(math.Abs(along-against) <= 1e-12*math.Abs(along)) || along == 0 {
				t.Errorf("vehicle %d, direction %d: %.17g forwards, %.17g backwards", i, k, along, against)
			}
			if values[k] != forwards[0][k] {
				t.Errorf("vehicle %d has another derivative: %v, %v", i, values[k], forwards[0][k])
			}
		}
		if must(handle, get(handle, &of[1], 1, &after)); after != before {
			t.Error("the way back has moved the vehicle")
		}
		if s := step(handle, 0.01); s != statusRefused || !strings.Contains(errorText(handle), "gone back") {
			t.Error(s, errorText(handle))
		}
		must(handle, reset(handle))
		if s := stepBack(handle); s != statusRefused || !strings.Contains(errorText(handle), "not recorded") {
			t.Error(s, errorText(handle))
		}
		if s := getTangents(handle, &of[0], 2, &values[0]); s != statusRefused ||
			!strings.Contains(errorText(handle), "no directions") {
			t.Error(s, errorText(handle))
		}
		must(handle, initialise(handle))
		must(handle, step(handle, 0.01))
	}
}

// Wrong arguments are named, and nothing is written.
func TestDerivativesRefuseWrongArguments(t *testing.T) {
	handle, err := loadModel("../resources/models/generic4w.toml", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(handle)
	var ref uint32
	var x float64
	nan := math.NaN()
	if setDirections(handle, 1) != statusOK || record(handle, 1<<20) != statusOK {
		t.Fatal(errorText(handle))
	}
	for _, call := range []struct {
		make   func() status
		reason string
	}{
		{func() status { return setDirections(handle, -1) }, "allowed are 0 to"},
		{func() status { return setDirections(handle, math.MaxInt64) }, "allowed are 0 to"},
		{func() status { return record(handle, -1) }, "must not be negative"},
		{func() status { return setTangents(handle, nil, 1, &x) }, "references is NULL"},
		{func() status { return setTangents(handle, &ref, 1, nil) }, "values is NULL"},
		{func() status { return setTangents(handle, &ref, -1, &x) }, "n_references is -1"},
		{func() status { return setTangents(handle, &ref, 1, &nan) }, "finite"},
		{func() status { return getTangents(handle, &ref, 1, nil) }, "values is NULL"},
		{func() status { return getTangents(handle, &ref, 1, &x) }, "not initialised"},
		{func() status { return addAdjoints(handle, &ref, 1, nil) }, "values is NULL"},
		{func() status { return addAdjoints(handle, &ref, 1, &x) }, "not initialised"},
		{func() status { return getAdjoints(handle, nil, 1, &x) }, "references is NULL"},
		{func() status { return stepBack(handle) }, "not initialised"},
	} {
		if s := call.make(); s == statusOK || !strings.Contains(errorText(handle), call.reason) {
			t.Errorf("status %d, %s; wanted %s", s, errorText(handle), call.reason)
		}
	}
	if x != 0 {
		t.Error("a refused call has written")
	}
}
