package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"skidpad/fmu/archive"
	"skidpad/harness/built"
)

// unpacked returns the folder of an FMU of a model of this repository.
func unpacked(t *testing.T, model string, version int) string {
	t.Helper()
	a, err := archive.Open(built.FMU(t, built.Model(model), version))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	folder := t.TempDir()
	if err := a.Extract(folder, func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	return folder
}

// importer compiles a program of testdata that imports FMUs.
func importer(t *testing.T, name string, options ...string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the program is for Linux")
	}
	hosts := built.Path("harness", "hosts")
	return built.Compiled(t, name, "gcc", append([]string{"-std=gnu11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra",
		"-Werror", "-I" + hosts, "testdata/" + name + ".c", filepath.Join(hosts, "host.c"), "-pthread", "-ldl", "-lm"},
		options...)...)
}

// imports runs an importer, which says what is wrong.
func imports(t *testing.T, run *exec.Cmd) {
	t.Helper()
	figures, err := os.Create(filepath.Join(t.TempDir(), "figures"))
	if err != nil {
		t.Fatal(err)
	}
	defer figures.Close()
	run.ExtraFiles = []*os.File{figures}
	said, err := run.CombinedOutput()
	if why, _ := os.ReadFile(figures.Name()); err != nil || len(said) > 0 {
		t.Errorf("%v\n%s%s", err, why, said)
	}
}

// Every error in the arguments of fmi3InstantiateCoSimulation gives no instance and one message that names the reason.
// Importers may name all outputs as intermediate variables, also discrete ones.
func TestInstancesOfCoSimulationAreRefusedWithTheReason(t *testing.T) {
	_, table := genericVehicle(t)
	imports(t, exec.Command(importer(t, "instantiations"), unpacked(t, "generic4w", 3),
		strconv.Itoa(len(table.Variables))))
}
