package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
)

// TestACHostDrivesAndMisusesTheLibrary compiles testdata/host.c against the
// delivered header and library and lets it run.
func TestACHostDrivesAndMisusesTheLibrary(t *testing.T) {
	library := built.Library(t)
	host := built.Compiled(t, "host", "cc", "-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I.",
		"testdata/host.c", library, "-Wl,-rpath,"+filepath.Dir(library), "-lm", "-lpthread")
	for _, model := range [][]string{
		{"generic4w.toml", "steer_FL", "brake_FL.torque", "body.vx"},
		{"skidder.toml", "articulation", "brake_FL.torque", "front.vx"},
	} {
		run := exec.Command(host, append([]string{filepath.Join("..", "resources", "models", model[0])}, model[1:]...)...)
		// A library must not depend on what its host is set to.
		run.Env = append(os.Environ(), "GOGC=1", "GODEBUG=cgocheck=1")
		text, err := run.CombinedOutput()
		if err != nil || string(text) != "ok\n" {
			t.Errorf("%s: %v\n%s", model[0], err, text)
		}
	}
}

// TestTheLibraryExportsWhatTheHeaderDeclares: nothing else is visible, so that names of two Go libraries in a process
// do not collide.
func TestTheLibraryExportsWhatTheHeaderDeclares(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF")
	}
	header, err := os.ReadFile("skidpad.h")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, match := range regexp.MustCompile(`(?m)^SKIDPAD_API .*?\b(skidpad_\w+|SKIDPAD_\w+)\(`).FindAllSubmatch(header,
		-1) {
		declared = append(declared, string(match[1]))
	}
	slices.Sort(declared)

	library, err := elf.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	defer library.Close()
	symbols, err := library.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	for _, symbol := range symbols {
		if symbol.Section != elf.SHN_UNDEF && symbol.Section != elf.SHN_ABS {
			exported = append(exported, symbol.Name)
		}
	}
	slices.Sort(exported)
	if !slices.Equal(declared, exported) {
		t.Errorf("declared %q\nexported %q", declared, exported)
	}
	if needed, _ := library.ImportedLibraries(); len(needed) != 1 || !strings.HasPrefix(needed[0], "libc.") {
		t.Errorf("depends on %q, want libc alone", needed)
	}
}

// TestLibraryImportsNoPackageThatAffectsTheHost: no package starts threads, installs handlers, reads the arguments of
// the host or loads system frameworks (rule G-21 of the shared-library specification).
func TestLibraryImportsNoPackageThatAffectsTheHost(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	dependencies := strings.Fields(string(list))
	if len(dependencies) < 10 {
		t.Fatalf("go list names %q only", dependencies)
	}
	for _, forbidden := range []string{"net", "net/http", "os/user", "crypto/x509", "plugin", "os/signal", "flag"} {
		if slices.Contains(dependencies, forbidden) {
			t.Errorf("the library imports %s", forbidden)
		}
	}
}
