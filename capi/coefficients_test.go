package main

import (
	"strings"
	"testing"
	"unsafe"
)

// listed returns the variables of a vehicle by name.
func listed(t *testing.T, handle uintptr) map[string]cVariable {
	t.Helper()
	var count int64
	if s := variableCount(handle, &count); s != statusOK {
		t.Fatal(errorText(handle))
	}
	all := map[string]cVariable{}
	for i := range count {
		var v cVariable
		if s := describe(handle, i, &v); s != statusOK {
			t.Fatal(errorText(handle))
		}
		name := goString(v.name)
		if _, twice := all[name]; twice || goString(v.unit) == "" {
			t.Errorf("%s is listed twice, or without a unit", name)
		}
		all[name] = v
	}
	var v cVariable
	if s := describe(handle, count, &v); s != statusArgument {
		t.Errorf("variable %d of %d: status %d", count, count, s)
	}
	return all
}

func goString(text *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}

// TestTheLibraryListsCoefficientsOfThePresentTires: the list follows the texts, references stay, and all calls with
// numbers accept coefficients.
func TestTheLibraryListsCoefficientsOfThePresentTires(t *testing.T) {
	var handle, other uintptr
	if s := load(c("../resources/models/generic4w.toml"), nil, nil, &handle, nil, 0); s != statusOK {
		t.Fatal("the model cannot be loaded")
	}
	defer free(handle)
	before := listed(t, handle)
	scale, stiffness := before["tire_FL.LMUY"], before["tire_FL.PKY1"]
	if scale.causality != causalityTunable || scale.start != 1 || stiffness.causality != 0 || stiffness.start == 0 {
		t.Errorf("LMUY is %+v, PKY1 %+v", scale, stiffness)
	}
	var found uint32
	if s := find(handle, c("tire_FL.PKY1"), &found); s != statusOK || found != stiffness.reference {
		t.Errorf("PKY1 has the references %d and %d", found, stiffness.reference)
	}
	if s := find(handle, c("tire_FL.Calpha"), &found); s != statusArgument {
		t.Error("a coefficient of another function is found")
	}
	value, got := 0.5, 0.0
	check := func(what string, s, want status) {
		t.Helper()
		if s != want {
			t.Errorf("%s: status %d, want %d; %s", what, s, want, errorText(handle))
		}
	}
	check("set", set(handle, &scale.reference, 1, &value), statusOK)
	check("get", get(handle, &scale.reference, 1, &got), statusOK)
	if got != 0.5 {
		t.Errorf("LMUY is %g", got)
	}
	used := map[uint32]bool{}
	for _, v := range before {
		used[v.reference] = true
	}
	unknown := uint32(0)
	for used[unknown] {
		unknown++
	}
	check("a reference between", get(handle, &unknown, 1, &got), statusArgument)
	unknown = 1 << 31
	check("a reference beyond", set(handle, &unknown, 1, &value), statusArgument)
	check("a rate", setRates(handle, &scale.reference, 1, &value), statusRefused)
	check("another function", setText(handle, c("tire_FL.model"), c("Fiala")), statusOK)
	check("its file", setText(handle, c("tire_FL.file"), c("../tires/fiala_generic4w.toml")), statusOK)
	after := listed(t, handle)
	if _, still := after["tire_FL.PKY1"]; still || after["tire_FL.Calpha"].start <= 0 ||
		after["tire_FR.PKY1"].reference != before["tire_FR.PKY1"].reference {
		t.Error("the list does not follow the function")
	}
	if len(after) >= len(before) {
		t.Errorf("%d variables, %d with the larger function", len(after), len(before))
	}
	check("what Fiala lacks", initialise(handle), statusRefused)
	if !strings.Contains(errorText(handle), "tire_FL.LMUY") {
		t.Error(errorText(handle))
	}
	check("reset", reset(handle), statusOK)
	if again := listed(t, handle); len(again) != len(before) {
		t.Errorf("%d variables after a reset, %d before", len(again), len(before))
	}
	check("copy", copyVehicle(handle, &other), statusOK)
	defer free(other)
	check("set", set(handle, &scale.reference, 1, &value), statusOK)
	check("initialise", initialise(handle), statusOK)
	value = 0.25
	check("between steps", set(handle, &scale.reference, 1, &value), statusOK)
	check("not between steps", set(handle, &stiffness.reference, 1, &value), statusRefused)
	check("get of the copy", get(other, &scale.reference, 1, &got), statusOK)
	if got != 1 {
		t.Errorf("the copy has %g", got)
	}
}
