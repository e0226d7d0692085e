package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// stepping loads a shipped model and makes a step, so that C can make the next step. It skips the test on systems where
// C never steps.
func stepping(t *testing.T, model string) (handle uintptr, v *vehicle) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("every step enters Go here")
	}
	if s := load(c("../resources/models/"+model+".toml"), nil, nil, &handle, nil, 0); s != statusOK {
		t.Fatalf("load = %d", s)
	}
	t.Cleanup(func() { free(handle) })
	if initialise(handle) != statusOK || step(handle, 0.001) != statusOK {
		t.Fatal(errorText(handle))
	}
	return handle, vehicles.find(handle)
}

// Vehicles that are stepped together stay in lanes: C steps only groups of up to three vehicles.
func TestCStepsSmallGroups(t *testing.T) {
	first, v := stepping(t, "generic4w")
	list := [4]uintptr{first}
	for i := range list[1:] {
		if copyVehicle(first, &list[i+1]) != statusOK || initialise(list[i+1]) != statusOK {
			t.Fatal("no copy")
		}
		defer free(list[i+1])
	}
	for _, of := range []struct {
		count   int64
		without bool // Go makes later steps
	}{{1, true}, {4, false}, {3, true}, {4, false}} {
		if s := stepAll(&list[0], of.count, 0.001, 1, nil); s != statusOK {
			t.Fatal(errorText(first))
		}
		if without := v.slot.window != nil; without != of.without {
			t.Errorf("after a step of %d vehicles, C steps the first one: %v", of.count, without)
		}
	}
	step(first, 0.001)
	if v.slot.window == nil || v.own.plan.c.ready == 0 {
		t.Error("C cannot make the next step of a vehicle that was stepped alone")
	}
	reset(first)
	if v.slot.window != nil {
		t.Error("C can step a vehicle that is not initialised")
	}
}

// C steps with each of its methods, also a vehicle without states.
func TestCStepsWithAllItsMethods(t *testing.T) {
	for _, model := range []string{"generic4w", "tire_pacejka2002"} {
		handle, v := stepping(t, model)
		for method := range methods {
			reset(handle)
			if setText(handle, c("solver.method"), c(method)) != statusOK || initialise(handle) != statusOK ||
				step(handle, 0.001) != statusOK {
				t.Fatal(errorText(handle))
			}
			if v.slot.window == nil || v.own.plan.c.ready == 0 {
				t.Errorf("%s, %s: C cannot make the next step", model, method)
			}
		}
	}
}

// C finds a vehicle as long as the vehicle lives, and its slot is reused.
func TestVehicleSlotsAreReused(t *testing.T) {
	_, handle := newCounter(t)
	v := vehicles.find(handle)
	if uintptr(v.slot.handle) != handle {
		t.Errorf("the slot of %#x says %#x", handle, uintptr(v.slot.handle))
	}
	free(handle)
	if v.slot.handle != 0 {
		t.Error("C finds a vehicle that was freed")
	}
	before := vehicles.used
	for range 10 * handlesPerSlot {
		free(newVehicle(new(counter), counterVariables, origin{}))
	}
	if used := vehicles.used - before; used > 11 {
		t.Errorf("%d slots used for %d vehicles, one alive at a time; a slot has %d handles", used, 10*handlesPerSlot,
			handlesPerSlot)
	}
}

// Numbers left in memory by an attempted step of C are not values of the vehicle: the core computes them again before
// it warns about them.
func TestAttemptedCStepLeavesNoTrace(t *testing.T) {
	handle, v := stepping(t, "passenger_car")
	said := func() string {
		var text [1 << 12]byte
		if s := warnings(handle, &text[0], int64(len(text))); s != statusOK {
			t.Fatal(errorText(handle))
		}
		line, _ := goText("warnings", &text[0])
		return line
	}
	said() // messages of the start
	plan, _ := v.engine.(*cosim.Instance).Plan()
	for _, tried := range []bool{false, true} {
		at := plan.At(plan.Rows[0].At)
		before := *at
		*at = 2 * plan.Watch.Limits[0].High
		if tried {
			v.own.plan.c.tried = 1
		}
		if text := said(); strings.Contains(text, "outside of the range") == tried {
			t.Errorf("tried: %v, warnings: %q", tried, text)
		}
		*at = before
		said()
	}
}

// A vehicle stepped by C has the same warnings, and saves the same table of warnings, as a vehicle stepped by Go.
// Warnings concern crushed and leaning tires, and parameter ranges that the vehicle leaves and enters again.
func TestCStepsWarnLikeGoSteps(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("every step enters Go here")
	}
	host := built.Compiled(t, "twins", "gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I.",
		"testdata/twins.c", "-ldl")
	parameters, err := filepath.Abs("../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	for i, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		for k, step := range []string{"0.001", "0.01"} { // one solver step, and several
			if !testrun.All() && k != i%2 {
				continue
			}
			if said, err := exec.Command(host, built.Library(t), built.Model("generic4w"), parameters, method,
				step).CombinedOutput(); err != nil {
				t.Errorf("%s, steps of %s s: %v\n%s", method, step, err, said)
			}
		}
	}
}

// A point that has been read is evaluated once: the next step reuses the rates of the reading, unless something has
// changed since. Values and states equal the values and states of a vehicle stepped by Go.
func TestAPointIsEvaluatedOnce(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("every step enters Go here")
	}
	host := built.Compiled(t, "evaluations", "gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I.",
		"testdata/evaluations.c", "-ldl")
	if said, err := exec.Command(host, built.Library(t), built.Model("generic4w")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// An input far out, whose step has finite states and an infinite output, is refused, also where C makes the steps.
func TestAStepWithAnInfiniteOutputIsRefused(t *testing.T) {
	model := filepath.Join(t.TempDir(), "far.toml")
	if err := os.WriteFile(model, []byte(`name = "Far"

[component.filter]
type = "equations"
inputs = [{ name = "demand", unit = "1", value = 4 }]
states = [{ name = "level", unit = "1", rate = "1 - level" }]
outputs = [{ name = "square", unit = "1", value = "demand*demand" }]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	host := built.Compiled(t, "far_input", "gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I.",
		"testdata/far_input.c", "-ldl")
	if said, err := exec.Command(host, built.Library(t), model, "filter.demand").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
