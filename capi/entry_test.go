package main

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"skidpad/cosim"
	"skidpad/fmu"
)

// counter is a small engine: variable 0 is set by the caller, variable 1 is
// the integral of variable 0 over time.
type counter struct {
	rate, sum, time float64
	inside          chan struct{} // if set, Step sends to inside and waits
	leave           chan struct{}
	panics          bool
}

func (c *counter) Set(i int, value float64) error {
	if i != 0 || math.IsNaN(value) {
		return errors.New("not settable")
	}
	c.rate = value
	return nil
}
func (c *counter) Get(i int) (float64, error)             { return [...]float64{c.rate, c.sum}[i], nil }
func (c *counter) SetText(name, value string) error       { return errors.New("unknown text " + name) }
func (c *counter) Text(name string) (string, error)       { return "", errors.New("unknown text " + name) }
func (c *counter) Trim() (r cosim.TrimResult, err error)  { return r, nil }
func (c *counter) SetRate(i int, rate float64) error      { return nil }
func (c *counter) Initialise() error                      { return nil }
func (c *counter) Time() float64                          { return c.time }
func (c *counter) Jacobian(_, _ []int, _ []float64) error { return errors.New("not differentiable") }
func (c *counter) CarryDerivatives(int, int64) (*cosim.RunDerivatives, error) {
	return nil, errors.New("not differentiable")
}
func (c *counter) Derivatives() *cosim.RunDerivatives  { return nil }
func (c *counter) TireVariables() []cosim.TireVariable { return nil }
func (c *counter) IsTireVariable(int) bool             { return false }
func (c *counter) StateSize() int                      { return 8 }
func (c *counter) Reset()                              { *c = counter{} }
func (c *counter) Close()                              {}
func (c *counter) SetTimeLimit(time.Duration)          {}
func (c *counter) Warnings() []string                  { return nil }
func (c *counter) RangeWarnings() []string             { return nil }
func (c *counter) Notes() []string                     { return nil }
func (c *counter) Save(state []byte) error             { return nil }
func (c *counter) Restore(state []byte) error          { return nil }
func (c *counter) Step(h float64) error {
	if c.panics {
		panic("index out of range")
	}
	if c.inside != nil {
		c.inside <- struct{}{}
		<-c.leave
	}
	c.sum += c.rate * h
	c.time += h
	return nil
}

var counterVariables = []fmu.Variable{
	{Reference: 0, Name: "in.rate", Unit: "1/s", Causality: fmu.Input},
	{Reference: 1, Name: "out.sum", Unit: "1", Causality: fmu.Output},
}

func newCounter(t testing.TB) (*counter, uintptr) {
	c := new(counter)
	handle := newVehicle(c, counterVariables, origin{})
	t.Cleanup(func() { free(handle) })
	return c, handle
}

// c returns text as a C caller passes it.
func c(text string) *byte { return unsafe.StringData(text + "\x00") }

func errorText(handle uintptr) string {
	text, _ := goText("error", lastError(handle))
	return text
}

func TestDeadHandlesAreRejected(t *testing.T) {
	_, released := newCounter(t)
	if s := free(released); s != statusOK {
		t.Fatalf("free = %d", s)
	}
	_, living := newCounter(t)
	var local byte
	for _, handle := range []uintptr{0, 1, 4095, released, living + 1, math.MaxUint, uintptr(unsafe.Pointer(&local))} {
		var x float64
		var n int64
		var ref uint32
		var description cVariable
		for name, s := range map[string]status{
			"free": free(handle), "count": variableCount(handle, &n), "describe": describe(handle, 0, &description),
			"find": find(handle, c("in.rate"), &ref), "set": set(handle, &ref, 1, &x), "get": get(handle, &ref, 1, &x),
			"setRates": setRates(handle, &ref, 1, &x), "jacobian": jacobian(handle, &ref, 1, &ref, 1, &x),
			"directions": setDirections(handle, 1), "tangents": setTangents(handle, &ref, 1, &x),
			"get tangents": getTangents(handle, &ref, 1, &x), "record": record(handle, 0), "back": stepBack(handle),
			"adjoints": addAdjoints(handle, &ref, 1, &x), "get adjoints": getAdjoints(handle, &ref, 1, &x),
			"setText": setText(handle, c("a"), c("b")), "setTimeLimit": setTimeLimit(handle, 1),
			"warnings": warnings(handle, &local, 1), "trim": trim(handle), "initialise": initialise(handle),
			"step": step(handle, 0.1), "rollout": rollout(handle, 1, 0.1, &ref, 1, &x, &ref, 1, &x, 0, &n),
			"time": timeOf(handle, &x), "size": stateSize(handle, &n),
			"save": save(handle, &local, 1), "restore": restore(handle, &local, 1), "reset": reset(handle),
		} {
			if s != statusNoVehicle {
				t.Errorf("%s(%#x) = %d, want %d", name, handle, s, statusNoVehicle)
			}
		}
		if lastError(handle) != nil {
			t.Errorf("lastError(%#x) is not NULL", handle)
		}
	}
}

func TestHandlesAreNeverReused(t *testing.T) {
	seen := map[uintptr]bool{}
	for range 2000 {
		handle := newVehicle(new(counter), counterVariables, origin{})
		if seen[handle] || handle < 4096 {
			t.Fatalf("handle %#x repeats or is a small number", handle)
		}
		seen[handle] = true
		free(handle)
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	_, handle := newCounter(t)
	refs, values := [2]uint32{0, 7}, [2]float64{1, 2}
	buffer := [8]byte{}
	long := strings.Repeat("x", maxText)
	for _, test := range []struct {
		status status
		says   string
	}{
		{variableCount(handle, nil), "count is NULL"},
		{describe(handle, 0, nil), "variable is NULL"},
		{describe(handle, -1, new(cVariable)), "variable index -1"},
		{describe(handle, 2, new(cVariable)), "2 variables"},
		{find(handle, nil, &refs[0]), "name is NULL"},
		{find(handle, c("in.rate"), nil), "reference is NULL"},
		{find(handle, c("in.rat"), &refs[0]), `"in.rat"`},
		{find(handle, c(long), &refs[0]), "longer than"},
		{set(handle, nil, 1, &values[0]), "NULL"},
		{set(handle, &refs[0], 1, nil), "NULL"},
		{set(handle, &refs[0], -1, &values[0]), "count -1"},
		{set(handle, &refs[0], 3, &values[0]), "count 3"},
		{set(handle, &refs[0], 2, &values[0]), "value reference 7"},
		{setRates(handle, nil, 1, &values[0]), "NULL"},
		{setRates(handle, &refs[1], 1, &values[0]), "value reference 7"},
		{get(handle, nil, 1, &values[0]), "NULL"},
		{get(handle, &refs[0], 1, nil), "NULL"},
		{get(handle, &refs[0], math.MinInt64, &values[0]), "count"},
		{get(handle, &refs[0], math.MaxInt64, &values[0]), "count"},
		{get(handle, &refs[1], 1, &values[0]), "value reference 7"},
		{jacobian(handle, nil, 1, &refs[0], 1, &values[0]), "of is NULL"},
		{jacobian(handle, &refs[0], 1, nil, 1, &values[0]), "by is NULL"},
		{jacobian(handle, &refs[0], 1, &refs[0], 1, nil), "matrix is NULL"},
		{jacobian(handle, &refs[0], -1, &refs[0], 1, &values[0]), "n_of is -1; allowed are 0 to 2"},
		{jacobian(handle, &refs[0], 1, &refs[0], math.MaxInt64, &values[0]), "n_by is 9223372036854775807"},
		{jacobian(handle, &refs[1], 1, &refs[0], 1, &values[0]), "value reference 7"},
		{jacobian(handle, &refs[0], 1, &refs[1], 1, &values[0]), "value reference 7"},
		{setText(handle, nil, c("rk4")), "name is NULL"},
		{setText(handle, c("solver.method"), nil), "value is NULL"},
		{rollout(handle, -1, 0.1, nil, 0, nil, nil, 0, nil, 0, nil), "steps is -1"},
		{rollout(handle, 1, 0.1, nil, 1, &values[0], nil, 0, nil, 0, nil), "NULL"},
		{rollout(handle, 1, 0.1, &refs[0], 1, nil, nil, 0, nil, 0, nil), "NULL"},
		{rollout(handle, 1, 0.1, nil, 0, nil, &refs[0], 1, nil, 0, nil), "NULL"},
		{rollout(handle, 1, 0.1, &refs[0], -1, &values[0], nil, 0, nil, 0, nil), "count -1"},
		{rollout(handle, 1, 0.1, nil, 0, nil, &refs[0], 1, &values[0], 2, nil), "read is 2"},
		{rollout(handle, 1, 0.1, &refs[1], 1, &values[0], nil, 0, nil, 0, nil), "value reference 7"},
		{rollout(handle, 1, 0.1, nil, 0, nil, &refs[1], 1, &values[0], 0, nil), "value reference 7"},
		{timeOf(handle, nil), "time is NULL"},
		{stateSize(handle, nil), "size is NULL"},
		{save(handle, nil, 8), "buffer is NULL"},
		{save(handle, &buffer[0], 7), "buffer of 7 bytes"},
		{restore(handle, nil, 8), "buffer is NULL"},
		{restore(handle, &buffer[0], -8), "buffer of -8 bytes"},
	} {
		if test.status != statusArgument {
			t.Errorf("status %d for %q, want %d", test.status, test.says, statusArgument)
		}
	}
	// The text belongs to the latest failure.
	set(handle, &refs[0], 2, &values[0])
	if text := errorText(handle); !strings.Contains(text, "unknown value reference 7") {
		t.Errorf("last error %q", text)
	}
	setText(handle, c("colour"), c("red"))
	if text := errorText(handle); text != "unknown text colour" {
		t.Errorf("last error %q", text)
	}
}

// A rollout repeats set, step and get, in this order, or set, get and step. A rejected step ends the rollout, which
// returns the number of steps before.
func TestRolloutEqualsSingleCalls(t *testing.T) {
	_, one := newCounter(t)
	_, other := newCounter(t)
	_, early := newCounter(t)
	in, out := uint32(0), uint32(1)
	inputs, want, got := [3]float64{2, 3, -1}, [3]float64{}, [4]float64{3: 99}
	var before [3]float64
	var made int64
	initialise(one)
	initialise(other)
	initialise(early)
	for n := range inputs {
		set(one, &in, 1, &inputs[n])
		get(one, &out, 1, &before[n])
		step(one, 0.5)
		get(one, &out, 1, &want[n])
	}
	if s := rollout(early, 3, 0.5, &in, 1, &inputs[0], &out, 1, &got[0], readAfterInputs, &made); s != statusOK ||
		made != 3 || [3]float64(got[:3]) != before || got[3] != 99 || before == want {
		t.Errorf("read before steps: status %d, %d steps, %v, want %v", s, made, got, before)
	}
	if s := rollout(other, 3, 0.5, &in, 1, &inputs[0], &out, 1, &got[0], readAfterStep, &made); s != statusOK ||
		made != 3 || [3]float64(got[:3]) != want || got[3] != 99 || want[0] == want[1] {
		t.Errorf("status %d, %d steps, %v, want %v", s, made, got, want)
	}
	inputs[1] = math.NaN()
	if s := rollout(other, 3, 0.5, &in, 1, &inputs[0], &out, 1, &got[0], readAfterStep, &made); s >= statusOK ||
		made != 1 {
		t.Errorf("a number that is none: status %d after %d steps", s, made)
	}
	if s := rollout(other, 0, 0.5, nil, 0, nil, nil, 0, nil, readAfterInputs, &made); s != statusOK || made != 0 {
		t.Errorf("no steps: status %d, %d steps", s, made)
	}
}

func TestPanicBreaksOnlyItsVehicle(t *testing.T) {
	engine, handle := newCounter(t)
	_, other := newCounter(t)
	engine.panics = true
	if s := step(handle, 0.1); s != statusInternal {
		t.Fatalf("step = %d, want %d", s, statusInternal)
	}
	if text := errorText(handle); !strings.Contains(text, "index out of range") {
		t.Errorf("last error %q does not tell the panic", text)
	}
	engine.panics = false
	if s := step(handle, 0.1); s != statusInternal || engine.time != 0 {
		t.Errorf("a step after a defect gives %d and reaches the engine", s)
	}
	if s := step(other, 0.1); s != statusOK {
		t.Errorf("another vehicle suffers: %d", s)
	}
	if s := free(handle); s != statusOK {
		t.Errorf("free after a defect = %d", s)
	}
}

func TestBusyVehicleRejectsSecondCall(t *testing.T) {
	engine, handle := newCounter(t)
	engine.inside, engine.leave = make(chan struct{}), make(chan struct{})
	done := make(chan status)
	go func() { done <- step(handle, 0.5) }()
	<-engine.inside
	if s := step(handle, 0.5); s != statusBusy {
		t.Errorf("step during a step = %d, want %d", s, statusBusy)
	}
	if s := free(handle); s != statusBusy {
		t.Errorf("free during a step = %d, want %d", s, statusBusy)
	}
	if lastError(handle) != nil {
		t.Error("last error of a busy vehicle is not NULL")
	}
	close(engine.leave)
	if s := <-done; s != statusOK || engine.time != 0.5 {
		t.Errorf("the first step ended with %d at %g s", s, engine.time)
	}
}

func TestVehiclesInManyThreadsAreIndependent(t *testing.T) {
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for range 50 {
				engine := new(counter)
				handle := newVehicle(engine, counterVariables, origin{})
				ref, rate := uint32(0), float64(worker)
				set(handle, &ref, 1, &rate)
				for range 10 {
					step(handle, 1)
				}
				ref = 1
				var sum float64
				get(handle, &ref, 1, &sum)
				if sum != 10*rate {
					t.Errorf("worker %d: sum %g, want %g", worker, sum, 10*rate)
				}
				free(handle)
			}
		})
	}
	wait.Wait()
}

func TestTheTextsOfAVariableLiveUntilFree(t *testing.T) {
	_, handle := newCounter(t)
	var first, second cVariable
	describe(handle, 0, &first)
	describe(handle, 1, &second)
	name, _ := goText("name", first.name)
	unit, _ := goText("unit", second.unit)
	if name != "in.rate" || unit != "1" || first.reference != 0 || second.reference != 1 {
		t.Errorf("described %q in %q", name, unit)
	}
}

func TestSetGetAndStepAllocateNothing(t *testing.T) {
	for _, model := range []string{"generic4w", "skidder"} {
		for _, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
			var handle uintptr
			if s := load(c("../resources/models/"+model+".toml"), nil, nil, &handle, nil, 0); s != statusOK {
				t.Fatalf("load %s = %d", model, s)
			}
			setText(handle, c("solver.method"), c(method))
			if s := initialise(handle); s != statusOK {
				t.Fatalf("initialise %s = %d: %s", model, s, errorText(handle))
			}
			var brake, load uint32
			find(handle, c("brake_FL.torque"), &brake)
			find(handle, c("tire_RR.Fz"), &load)
			torque, force, failed := 0.0, 0.0, 0
			if n := testing.AllocsPerRun(200, func() {
				torque += 1
				if set(handle, &brake, 1, &torque) != statusOK || setRates(handle, &brake, 1, &torque) != statusOK ||
					step(handle, 0.001) != statusOK || get(handle, &load, 1, &force) != statusOK {
					failed++
				}
			}); n != 0 || failed > 0 {
				t.Errorf("%s, %s: %g allocations in a step, %d steps failed", model, method, n, failed)
			}
			if !(force >= 1e3) {
				t.Errorf("%s, %s: wheel load %g N", model, method, force)
			}
			free(handle)
		}
	}
}

func TestReasonOfFailedLoadFitsTheBuffer(t *testing.T) {
	path := c("no-such-file.toml")
	for _, capacity := range []int64{0, 1, 5, 500} {
		room := bytes.Repeat([]byte{'#'}, 501)
		handle := uintptr(99)
		if s := load(path, nil, nil, &handle, &room[0], capacity); s != statusModel || handle != 0 {
			t.Errorf("load = %d, handle %d", s, handle)
		}
		if room[capacity] != '#' {
			t.Errorf("capacity %d: written beyond the end", capacity)
		}
		if capacity > 0 {
			text, _ := goText("error", &room[0])
			if capacity == 500 && !strings.Contains(text, "no-such-file.toml") {
				t.Errorf("error %q does not name the file", text)
			}
			if int64(len(text)) >= capacity {
				t.Errorf("capacity %d: text of %d bytes", capacity, len(text))
			}
		}
	}
	var handle uintptr
	if s := load(nil, nil, nil, &handle, nil, 0); s != statusArgument {
		t.Errorf("load without a path = %d", s)
	}
	if s := load(path, nil, nil, nil, nil, 0); s != statusArgument {
		t.Errorf("load without a handle = %d", s)
	}
	if s := load(path, nil, nil, &handle, nil, 10); s != statusArgument {
		t.Errorf("load with a capacity but no buffer = %d", s)
	}
	if s := load(path, nil, nil, &handle, nil, -1); s != statusArgument {
		t.Errorf("load with a negative capacity = %d", s)
	}
}

// Notes of a start are read once per start, regardless of the warnings read before.
func TestEveryStartHasItsNotes(t *testing.T) {
	var handle uintptr
	path, reason := c("../resources/models/skidder.toml"), make([]byte, 1000)
	if s := load(path, nil, nil, &handle, &reason[0], 1000); s != statusOK {
		t.Fatal(string(reason))
	}
	defer free(handle)
	read := func() string {
		text := make([]byte, 4000)
		if s := warnings(handle, &text[0], 4000); s != statusOK {
			t.Fatal(errorText(handle))
		}
		return string(text[:bytes.IndexByte(text, 0)])
	}
	for _, method := range []string{"rk4", "heun", "rk4"} {
		if s := setText(handle, c("solver.method"), c(method)); s != statusOK {
			t.Fatal(errorText(handle))
		}
		if s := initialise(handle); s != statusOK {
			t.Fatal(errorText(handle))
		}
		if text := read(); !strings.Contains(text, "with "+method+" in steps of 0.001 s the vehicle does not stand still") {
			t.Errorf("%s: %q", method, text)
		}
		if again := read(); again != "" {
			t.Errorf("%s, read again: %q", method, again)
		}
		if s := step(handle, 0.001); s != statusOK {
			t.Fatal(errorText(handle))
		}
		if s := reset(handle); s != statusOK {
			t.Fatal(errorText(handle))
		}
	}
}
