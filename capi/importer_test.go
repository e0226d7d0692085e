package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"skidpad/fmu/archive"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// unpacked returns the folder of the FMU of the generic vehicle, without the libraries of other systems.
func unpacked(t *testing.T, version int) string {
	t.Helper()
	return unpackedFrom(t, filepath.Join(built.FMUs(t, "generic4w"), fmt.Sprintf("fmi%d", version), "GenericVehicle.fmu"))
}

// unpackedFrom returns the folder of an FMU, without the libraries of other systems.
func unpackedFrom(t *testing.T, packed string) string {
	t.Helper()
	a, err := archive.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	folder := t.TempDir()
	if err := a.Extract(folder, func(name string) bool {
		return !strings.HasPrefix(name, "binaries/") || strings.Contains(name, "linux")
	}); err != nil {
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
	hosts := built.Path("harness", "hosts", "programs")
	return built.Compiled(t, name, "gcc", append([]string{"-std=gnu11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra",
		"-Werror", "-I" + hosts, "testdata/" + name + ".c", filepath.Join(hosts, "host.c"), "-pthread", "-ldl", "-lm"},
		options...)...)
}

// imports runs an importer, which reports errors.
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

// For every error in its arguments, fmi3InstantiateCoSimulation returns no instance and logs one message with the
// reason. Importers may name all outputs as intermediate variables, also discrete ones.
func TestRejectedInstantiationNamesTheReason(t *testing.T) {
	testrun.Slow(t)
	_, table := genericVehicle(t)
	imports(t, exec.Command(importer(t, "instantiations"), unpacked(t, 3),
		strconv.Itoa(len(table.Variables))))
}

// Hosts with rounded times get no message, in steps of C and of Go. Hosts with larger errors get one warning.
func TestRoundedCommunicationPointsAreAccepted(t *testing.T) {
	testrun.Slow(t)
	program := importer(t, "times")
	for _, version := range []int{2, 3} {
		imports(t, exec.Command(program, unpacked(t, version)))
	}
	imports(t, exec.Command(program, unpackedFrom(t, built.FMU(t, built.Terrain(t, "generic4w"), 3))))
}
