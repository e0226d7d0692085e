package main

import (
	"path/filepath"
	"testing"

	"skidpad/harness/tests/built"
)

// A saved state names a tire library only if --set names the same library. So the command runs a vehicle, set up in
// Python, with a library of the user, and a state from elsewhere runs no code.
func TestSavedStateNamesOnlyLibrariesOfTheUser(t *testing.T) {
	w := newWorkshop(t)
	w.file("roll.toml", oneTireManoeuvre)
	loaded, err := openLibrary(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	car, err := loaded.Load(w.path("car.toml"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer car.Close()
	if err := car.SetText("tire.model", "inputs"); err != nil {
		t.Fatal(err)
	}
	state, err := car.Save()
	if err != nil {
		t.Fatal(err)
	}
	function := "plugin:" + w.path("marked.so") + "#skidpad_fiala"
	args := append([]string{"sweep", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"), "--param", "tire.mass=20,21",
		"--out", w.path("sweep.csv"), "--state", w.file("state", string(forged(state, "inputs", function)))}, core(t)...)
	w.refused(args, w.path("marked.so"), "which this process has not named before")
	w.refused(append(args, "--set", "tire.model=plugin:"+w.path("other.so")+"#skidpad_fiala"), w.path("marked.so"))
	file, err := filepath.Abs("../../../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	w.allowed(append(args, "--set", "tire.model="+function, "--set", "tire.file="+file), "marked.so")
}
