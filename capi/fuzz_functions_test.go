package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/tire"
)

// cDescription is skidpad_tire, field by field, skidpad_law and skidpad_controller.
type cDescription struct {
	abi, size                           uint32
	name, text                          *byte
	inputs                              **byte
	inputCount, stateCount              uint32
	init, evaluate, jacobian, err, free *byte
	outputs                             **byte
	outputCount                         uint32
}

// arena is C memory for the strings and arrays of descriptions.
type arena struct{ left []byte }

// take returns n bytes, nil if the arena is used up.
func (a *arena) take(n int) unsafe.Pointer {
	n = (n + 7) &^ 7
	if n > len(a.left) {
		return nil
	}
	p := unsafe.Pointer(&a.left[0])
	a.left = a.left[n:]
	return p
}

// text returns a C string; NULL for the word NULL and without room.
func (a *arena) text(s string) *byte {
	p := a.take(len(s) + 1)
	if s == "NULL" || p == nil {
		return nil
	}
	copy(unsafe.Slice((*byte)(p), len(s)+1), s+"\x00")
	return (*byte)(p)
}

// names returns a list of strings, repeated until it is longer than a description may count.
func (a *arena) names(list string) **byte {
	names := unsafe.Slice((**byte)(a.take(66*8)), 66)
	parts := strings.Split(list, ",")
	for i := range names {
		names[i] = nil
		if i < len(parts) {
			names[i] = a.text(parts[i])
		} else if i > 0 {
			names[i] = names[i-len(parts)]
		}
	}
	return &names[0]
}

// FuzzRegister registers random descriptions of tires, relaxations, laws and controllers, with the functions for tires,
// laws and controllers. Errors have a reason, and a registered function equals its description.
func FuzzRegister(f *testing.F) {
	whole := uint32(unsafe.Sizeof(cDescription{}))
	for _, seed := range []struct {
		abi, size, inputs, states, outputs uint32
		name, asked, returned              string
		nulls, wanted                      byte
	}{
		{1001, whole, 3, 0, 2, "FuzzLaw", "speed,wish,z", "throttle,z_dot", 0, 1},
		{1, whole, 2, 0, 0, "FuzzTire", "Fz,alpha", "", 16, 0},
		{1, whole, 2, 0, 4, "FuzzRelaxation", "q1,q2", "q1dot,q2dot,sigma1,sigma2", 0, 0},
		{1, whole - 16, 2, 1, 0, "FuzzOld", "Fz,alpha", "", 16, 0},
		{1, whole, 2, 0, 0, "NotALaw", "Fz,alpha", "", 16, 1},
		{1001, whole, 1, 0, 1, "NotATire", "speed", "y", 0, 0},
		{1001, whole, 64, 0, 64, "Many", "a,b,NULL", "c", 0, 1},
		{2001, whole, 3, 0, 2, "FuzzController", "speed,wish,z", "throttle,z_next", 0, 2},
		{2001, whole, 2, 0, 2, "Twice", "speed,speed", "throttle,z_next", 0, 2},
		{2001, whole, 1, 0, 1, "NotALaw2", "speed", "y", 0, 1},
	} {
		fuzzinputs.Add(f, seed.abi, seed.size, seed.inputs, seed.states, seed.outputs, seed.name, seed.asked, seed.returned,
			seed.nulls, seed.wanted)
	}
	code := (*byte)(cKeep(1, 1)) // never called
	memory := unsafe.Slice((*byte)(cKeep(1<<16, 1)), 1<<16)
	identifier := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	f.Fuzz(func(t *testing.T, abi, size, inputs, states, outputs uint32, name, asked, returned string, nulls,
		which byte) {
		wanted := [...]uint32{1, 1001, 2001}[which%3]
		a := &arena{memory}
		given := (*cDescription)(a.take(int(whole)))
		*given = cDescription{abi: abi, size: size, inputs: a.names(asked), inputCount: inputs, stateCount: states,
			init: code, evaluate: code, outputs: a.names(returned), outputCount: outputs, name: a.text(name)}
		for bit, clear := range []func(){
			func() { given.name = nil }, func() { given.inputs = nil }, func() { given.init = nil },
			func() { given.evaluate = nil }, func() { given.outputs = nil },
		} {
			if nulls&(1<<bit) != 0 {
				clear()
			}
		}
		reason := [64]byte{60: 0x55}
		s := registerFunction(unsafe.Pointer(given), wanted, &reason[0], 60)
		why, _, ended := bytes.Cut(reason[:60], []byte{0})
		if !ended || reason[60] != 0x55 || (s == statusOK) != (len(why) == 0) || s < statusBusy || s > statusOK {
			t.Fatalf("status %d, reason %q", s, reason)
		}
		if s != statusOK {
			return
		}
		name, _, _ = strings.Cut(name, "\x00")
		k, err := tire.Lookup(name)
		if err != nil || !identifier.MatchString(name) || abi != wanted || k.Sampled != (abi == 2001) ||
			len(k.Inputs) != int(inputs) || inputs > 64 || abi > 1 && (len(k.Outputs) != int(outputs) || states > 0) {
			t.Fatalf("%q is registered: %+v, %v", name, k, err)
		}
	})
}

// A description for the wrong registration function, or in a structure that is too small, is rejected with the reason.
func TestInvalidRegistrationsAreRejected(t *testing.T) {
	whole := uint32(unsafe.Sizeof(cDescription{}))
	code := (*byte)(cKeep(1, 1)) // never called
	for _, c := range []struct {
		abi, size, inputs uint32
		wanted            uint32
		want              string
	}{
		{1, whole, 2, 1001, "it is a tire function; register it by skidpad_register_tire"},
		{1001, whole, 2, 1, "it is a law; register it by skidpad_register_law"},
		{2001, whole, 2, 1001, "it is a controller; register it by skidpad_register_controller"},
		{1001, whole, 2, 2001, "it is a law; register it by skidpad_register_law"},
		{2002, whole, 2, 2001, "its abi is 2002, and that of a controller is 2001; build it with skidpad_controller.h of " +
			"this library"},
		{7, whole, 2, 1, "it has version 7 of the interface; this library has version 1 for tires, 1001 for laws and 2001 " +
			"for controllers: build it with skidpad_tire.h, skidpad_law.h or skidpad_controller.h of this library"},
		{1001, whole - 8, 2, 1001, "its skidpad_law has 88 bytes, not 96; set size to sizeof(skidpad_law)"},
		{1, 8, 2, 1, "its skidpad_tire has 8 bytes, not 96; set size to sizeof(skidpad_tire)"},
		{1001, whole, 65, 1001, "it asks for 65 inputs; 1 to 64 are possible"},
	} {
		a := &arena{unsafe.Slice((*byte)(cKeep(1<<12, 1)), 1<<12)}
		given := (*cDescription)(a.take(int(whole)))
		*given = cDescription{abi: c.abi, size: c.size, inputs: a.names("a,b"), inputCount: c.inputs, init: code,
			evaluate: code, outputs: a.names("q1dot,q2dot"), outputCount: 2, name: a.text("Refused")}
		var reason [300]byte
		s := registerFunction(unsafe.Pointer(given), c.wanted, &reason[0], int64(len(reason)))
		if text, _, _ := strings.Cut(string(reason[:]), "\x00"); s == statusOK || text != c.want {
			t.Errorf("status %d, %q, want %q", s, text, c.want)
		}
	}
}

// scripted returns the library of functions that follow a script in their parameter file.
func scripted(t testing.TB) string {
	t.Helper()
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	return "plugin:" + built.Compiled(t, "scripted.so", "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC",
		"-shared", "-I.", "testdata/scripted.c") + "#"
}

// FuzzFunctionsInLibraries lets laws and relaxation functions return random results, fail and write out of bounds. The
// error then names the component and the reason, and the instance does not change. Accepted results are finite.
func FuzzFunctionsInLibraries(f *testing.F) {
	library := scripted(f)
	model := filepath.Join(f.TempDir(), "rotor.toml")
	err := os.WriteFile(model, []byte(`name = "Rotor"
[component.rotor]
type = "rigid-body"
mass = 1
inertia = { axial = 2, transverse = 2, axis = "y" }
[component.shaft]
type = "revolute"
from = "ground"
to = "rotor"
axis = "y"
torque = "input"
start = { omega = 3 }
[component.law]
type = "equations"
function = "NotYet"
inputs = [{ name = "speed", unit = "rad/s", from = "shaft.omega" }]
states = [{ name = "z", unit = "rad" }]
outputs = [{ name = "torque", unit = "N.m", to = ["shaft.torque"] }]
`), 0o600)
	if err != nil {
		f.Fatal(err)
	}
	rotor, err := cosim.Load(model, cosim.Options{})
	if err != nil {
		f.Fatal(err)
	}
	wheel, err := cosim.Load("../resources/models/wheel.toml", cosim.Options{})
	if err != nil {
		f.Fatal(err)
	}
	number := func(list ...float64) (b []byte) {
		for _, v := range list {
			for k := range 8 {
				b = append(b, byte(math.Float64bits(v)>>(8*k)))
			}
		}
		return b
	}
	numbers := number(0.5, -1, 0.1, -0.2, 0.3, 0, 0.3, 0)
	for kind := range byte(3) {
		for _, head := range [][8]byte{{}, {1}, {0, 7, 0, 0, 1}, {0, 0, 1, 9}, {0, 0, 2}, {0, 0, 3, 5}} {
			fuzzinputs.Add(f, kind, append(head[:], numbers...))
		}
		fuzzinputs.Add(f, kind, append(make([]byte, 8), number(math.NaN(), 0, 2e9, 1, math.Inf(1), 1e300)...))
	}
	file := filepath.Join(f.TempDir(), "script")
	f.Fuzz(func(t *testing.T, kind byte, script []byte) {
		if err := os.WriteFile(file, script, 0o600); err != nil {
			t.Fatal(err)
		}
		system, owner, symbol := rotor, "law", "law"
		if kind%3 > 0 {
			system, owner, symbol = wheel, "tire.relaxation", [...]string{"relaxation", "with_lengths"}[kind%3-1]
		}
		in, err := system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		d := &driven{t, in}
		d.text(owner+".model", library+symbol)
		d.text(owner+".file", file)
		names := func(err error) {
			t.Helper()
			named := strings.Contains(err.Error(), strings.TrimSuffix(owner, ".relaxation"))
			if !named && !strings.HasPrefix(err.Error(), "not a finite number: ") { // the torque was large
				t.Fatalf("nothing is named: %v", err)
			}
		}
		if err := in.Initialise(); err != nil {
			names(err)
			return
		}
		d.takes(names)
	})
}

// takes steps an instance and computes derivatives. A failure changes nothing and names the owner of the function.
func (d *driven) takes(names func(error)) {
	d.Helper()
	before, after := make([]byte, d.StateSize()), make([]byte, d.StateSize())
	for range 3 {
		if err := d.Save(before); err != nil {
			d.Fatal(err)
		}
		if err := d.Step(1e-3); err == nil {
			continue
		} else if names(err); d.Save(after) != nil || !bytes.Equal(before, after) {
			d.Fatalf("a step that failed has changed the instance: %v", err)
		}
		return
	}
	var states []int
	for i, v := range d.System().Variables() {
		if v.Kind == cosim.State {
			states = append(states, i)
			if x, err := d.Get(i); err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				d.Fatalf("%s = %v: %v", v.Name, x, err)
			}
		}
	}
	seed, result := make([]float64, len(states)), make([]float64, len(states))
	for i := range seed {
		seed[i] = 1
	}
	rates := make([]int, 0, len(states))
	for _, i := range states {
		rate, known := d.System().Find(fmt.Sprintf("der(%s)", d.System().Variables()[i].Name))
		if !known {
			return
		}
		rates = append(rates, rate)
	}
	if err := d.Directional(rates, states, seed, result); err != nil {
		names(err)
		return
	}
	for i, v := range result {
		if math.IsNaN(v) {
			d.Fatalf("the rate of state %d changes by %v", i, v)
		}
	}
}
