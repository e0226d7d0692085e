package cosim_test

import (
	"bytes"
	"math"
	"testing"
)

// TestSavedStatesHoldCoefficients: an instance that restores a state uses the coefficients of the state and drops its
// own ones. A state without coefficients keeps the byte layout of older versions.
func TestSavedStatesHoldCoefficients(t *testing.T) {
	s := load(t, "generic4w", "")
	save := func(r *run) []byte {
		t.Helper()
		state := make([]byte, r.in.StateSize())
		if err := r.in.Save(state); err != nil {
			t.Fatal(err)
		}
		return state
	}
	on := func(r *run, from float64) []float64 {
		for k := range 50 {
			genericSine(r, from+float64(k)*0.005)
			if err := r.in.Step(0.005); err != nil {
				t.Fatal(err)
			}
		}
		return r.values()
	}
	equal := func(what string, got, want []float64) {
		t.Helper()
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%s: %s is %g, want %g", what, s.Variables()[i].Name, got[i], want[i])
			}
		}
	}
	worn, plain, other := instance(t, s, "heun", 0.001), instance(t, s, "heun", 0.001), instance(t, s, "heun", 0.001)
	worn.set("tire_FL.PKY1", 0.8*worn.get("tire_FL.PKY1"))
	worn.start(genericSine)
	plain.start(genericSine)
	on(worn, 0)
	on(plain, 0)
	worn.set("tire_RR.LMUY", 0.5)
	wornState, plainState := save(worn), save(plain)
	wornEnd, plainEnd := on(worn, 0.25), on(plain, 0.25)
	other.start(genericSine)
	for range 2 {
		if err := other.in.Restore(wornState); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(save(other), wornState) {
			t.Error("a restored state is saved with other bytes")
		}
		equal("with coefficients", on(other, 0.25), wornEnd)
		if other.get("tire_RR.LMUY") != 0.5 {
			t.Error("the coefficient is not restored")
		}
		if err := other.in.Restore(plainState); err != nil {
			t.Fatal(err)
		}
		equal("without", on(other, 0.25), plainEnd)
		if other.get("tire_RR.LMUY") != 1 {
			t.Error("the coefficient is not that of the file")
		}
	}
	if grown := len(wornState) - len(plainState); grown != 4+2*(4+len("tire_FL.PKY1")+8) {
		t.Errorf("two coefficients take %d bytes", grown)
	}
	// before initialisation
	worn.in.Reset()
	worn.set("tire_FL.PKY1", 12)
	if err := other.in.Restore(save(worn)); err != nil || other.get("tire_FL.PKY1") != 12 {
		t.Errorf("%v, PKY1 = %g", err, other.get("tire_FL.PKY1"))
	}
}

// TestDamagedCoefficientsOfASavedStateAreRefused, and change nothing.
func TestDamagedCoefficientsOfASavedStateAreRefused(t *testing.T) {
	s := load(t, "generic4w", "")
	r := instance(t, s, "heun", 0.001)
	r.set("tire_FL.LMUX", 0.75)
	r.set("tire_FL.LMUY", 0.5)
	r.start(noInput)
	state := make([]byte, r.in.StateSize())
	if err := r.in.Save(state); err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(state, []byte("tire_FL.LMUX"))
	entry := len("tire_FL.LMUX") + 8
	for what, change := range map[string]func(b []byte){
		"another name":           func(b []byte) { copy(b[at:], "tire_FL.NONE") },
		"a name of another tire": func(b []byte) { copy(b[at:], "tire_XX.LMUX") },
		"the same twice":         func(b []byte) { copy(b[at:], "tire_FL.LMUY") },
		"not ascending":          func(b []byte) { copy(b[at:], "tire_FL.LMUY"); copy(b[at+entry+4:], "tire_FL.LMUX") },
		"a longer name":          func(b []byte) { b[at-4] = 255; b[at-1] = 255 },
		"a name to the end":      func(b []byte) { b[at-1] = 1 },
		"too many":               func(b []byte) { b[at-8] = 200 },
		"none":                   func(b []byte) { b[at-8] = 0 },
		"infinite":               func(b []byte) { copy(b[at+12:], []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x7f}) },
		"negative friction":      func(b []byte) { copy(b[at+12:], []byte{0, 0, 0, 0, 0, 0, 0xf0, 0xbf}) },
		"an unknown flag":        func(b []byte) { b[44] = 7 },
	} {
		b := bytes.Clone(state)
		change(b)
		seal(b)
		if err := r.in.Restore(b); err == nil {
			t.Errorf("%s is accepted", what)
		}
		now := make([]byte, r.in.StateSize())
		if err := r.in.Save(now); err != nil || !bytes.Equal(now, state) {
			t.Errorf("%s has changed the instance", what)
		}
	}
}
