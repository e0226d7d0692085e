package tire_test

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/tire"
	"skidpad/tire/tiretest"
)

func TestLookupListsAvailableFunctions(t *testing.T) {
	want := append(slices.Sorted(maps.Keys(tiretest.Parameters(t, tires))), "inputs")
	if got := tire.Names(); !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
	_, err := tire.Lookup("Swift")
	if err == nil {
		t.Fatal("Swift is found")
	}
	for _, name := range append(want, "Swift") {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("error %q lacks %s", err, name)
		}
	}
}

func TestRegisterRefusesTakenNamesAndIncompleteKinds(t *testing.T) {
	whole := *tiretest.Lookup(t, "Fiala")
	if err := tire.Register(whole); err == nil || !strings.Contains(err.Error(), "Fiala") {
		t.Errorf("a second Fiala: error %v", err)
	}
	whole.Name = "Bald"
	for part, remove := range map[string]func(k *tire.Kind){
		"name": func(k *tire.Kind) { k.Name = "" }, "inputs": func(k *tire.Kind) { k.Inputs = nil },
		"outputs": func(k *tire.Kind) { k.Outputs = nil }, "constructor": func(k *tire.Kind) { k.New = nil },
	} {
		k := whole
		remove(&k)
		if err := tire.Register(k); err == nil {
			t.Errorf("accepted without %s", part)
		}
	}
}

func TestOrderParametersNamesErrors(t *testing.T) {
	ordered, missing, unknown := tiretest.Lookup(t, "ConstantLength").OrderParameters(map[string]float64{"Blat": 2,
		"Zoo": 1, "Alpha": 3})
	if !slices.Equal(ordered, []float64{0, 2}) || !slices.Equal(missing, []string{"Blong"}) ||
		!slices.Equal(unknown, []string{"Alpha", "Zoo"}) {
		t.Errorf("ordered %v, missing %v, unknown %v", ordered, missing, unknown)
	}
}

// Instances of a vehicle share the array of its parameters, and may be made by several threads at once.
func TestParametersAreOnlyRead(t *testing.T) {
	for name, p := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		shared := append(slices.Clone(p), make([]float64, len(k.Optional)+8)...)
		if _, err := k.New(shared[:len(p)]); err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(shared[:len(p)], p) || slices.ContainsFunc(shared[len(p):], func(v float64) bool { return v != 0 }) {
			t.Errorf("%s writes its parameters or behind them", name)
		}
	}
}

// Every fault of a parameter list is named, with what is allowed.
func TestInvalidParametersAreRejected(t *testing.T) {
	for _, c := range []struct {
		kind, parameter string
		value           float64
		allowed         string
	}{
		{"Fiala", "CS", 0, "positive"},
		{"Fiala", "Calpha", -117000, "positive"}, // the sign of dFy/dalpha is the model's
		{"Fiala", "mu1", -0.1, "zero or positive"},
		{"Pacejka02", "Fz0", 0, "positive"},
		{"Pacejka02", "V0", -16.6, "positive"},
		{"Pacejka02", "PCx1", math.NaN(), "finite"},
		{"StretchedString", "Fz0", -4850, "positive"},
		{"StretchedString", "PTx3", math.Inf(1), "finite"},
		{"StretchedStringLimited", "Vlow", -1, "zero or positive"},
		{"ConstantLength", "Blat", 0, "positive"},
	} {
		k := tiretest.Lookup(t, c.kind)
		p := slices.Clone(tiretest.Parameters(t, tires)[c.kind])
		p[slices.IndexFunc(k.Parameters, func(i tire.ParameterInfo) bool { return i.Name == c.parameter })] = c.value
		_, err := k.New(p)
		if err == nil {
			t.Errorf("%s takes %s = %g", c.kind, c.parameter, c.value)
			continue
		}
		for _, fragment := range []string{c.kind, c.parameter, "must be " + c.allowed} {
			if !strings.Contains(err.Error(), fragment) {
				t.Errorf("error %q lacks %q", err, fragment)
			}
		}
	}
	if _, err := tiretest.Lookup(t, "Fiala").New([]float64{0.1, -1, -2, 0, 1, 1}); err == nil ||
		strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two faults must be two lines: %v", err)
	}
	for _, name := range tire.Names() {
		if len(tiretest.Lookup(t, name).Parameters) == 0 {
			continue
		}
		if _, err := tiretest.Lookup(t, name).New(nil); err == nil || !strings.Contains(err.Error(), "not 0") {
			t.Errorf("%s without parameters: error %v", name, err)
		}
	}
}

// FuzzNamesOfLibraries: whatever Find hands to a loader is named a library before, and is refused for files.
func FuzzNamesOfLibraries(f *testing.F) {
	for _, name := range []string{"plugin:a.so#b", "sti:a.so#b?c", " Plugin:a.so#b", "Fiala", "inputs", "", "plug",
		"plugin", "xplugin:a#b"} {
		fuzzinputs.Add(f, name)
	}
	loaded := false
	for _, s := range []tire.Scheme{tire.Plugin, tire.STI} {
		tire.SetLoader(s, func(library, symbol, options string) (*tire.Kind, error) {
			loaded = true
			return nil, errors.New("loads nothing")
		})
	}
	f.Fuzz(func(t *testing.T, name string) {
		loaded = false
		_, _ = tire.Find(name, "")
		if loaded && (!tire.NamesLibrary(name) || tire.LibraryAllowed(name, "")) {
			t.Errorf("%q is loaded: named a library %v, allowed %v", name, tire.NamesLibrary(name),
				tire.LibraryAllowed(name, ""))
		}
		_, err := tire.LookupForFile(name)
		if _, known := tire.Lookup(name); (err == nil) != (known == nil) || loaded && err == nil {
			t.Errorf("%q for a file: %v", name, err)
		}
		if slices.Contains(tire.Names(), name) && tire.NamesLibrary(name) {
			t.Errorf("%q is built in", name)
		}
	})
}
