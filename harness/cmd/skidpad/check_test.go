package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// writeArchive writes deflated files.
func writeArchive(t *testing.T, path string, files map[string]string) string {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := zip.NewWriter(file)
	for name, content := range files {
		to, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Errors alone make the exit status 1; what a tool may leave out is a warning, and one rule is not written for each of
// a hundred variables.
func TestOnlyErrorsFailTheCheck(t *testing.T) {
	description := func(outputs string) map[string]string {
		var variables strings.Builder
		for i := range 8 {
			fmt.Fprintf(&variables, "<ScalarVariable name=\"\xfc%d\" valueReference=\"%d\" causality=\"output\"><Real/>"+
				"</ScalarVariable>", i, i)
		}
		return map[string]string{"sources/m.c": "", "modelDescription.xml": `<?xml version="1.0" encoding="ISO-8859-1"?>` +
			`<fmiModelDescription fmiVersion="2.0" modelName="m" guid="m"><CoSimulation modelIdentifier="m"/>` +
			`<ModelVariables>` + variables.String() + `</ModelVariables><ModelStructure><Outputs>` + outputs +
			`</Outputs></ModelStructure></fmiModelDescription>`}
	}
	var all strings.Builder
	for i := range 8 {
		fmt.Fprintf(&all, `<Unknown index="%d"/>`, i+1)
	}
	legal := writeArchive(t, filepath.Join(t.TempDir(), "legal.fmu"), description(all.String()))
	status, stdout, stderr := try("check", legal)
	for _, want := range []string{
		": warning: CoSimulation: it lists no source files, and there is sources/m.c (F-SRC-3, FMI 2.0, 2.3)\n",
		": warning: modelDescription.xml: the encoding is ISO-8859-1; the standard requires UTF-8 (F-XML-3, FMI 2.0, 2.2)\n",
		": warning: ü4: it is missing in InitialUnknowns (F-MST-3, FMI 2.0, 2.2.8)\n",
		": warning: 3 more of F-MST-3, which --json lists\n",
		": 0 errors, 10 warnings, 0 hints; 10 findings\n",
	} {
		if status != 0 || stderr != "" || strings.Count(stdout, legal+want) != 1 {
			t.Errorf("status %d, %s: no %q in\n%s", status, stderr, want, stdout)
		}
	}
	var result struct {
		Pass     bool
		Findings []struct{ Grade, Rule, Clause, Place, Text string }
	}
	status, stdout, _ = try("check", legal, "--json")
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || status != 0 || !result.Pass ||
		len(result.Findings) != 10 || result.Findings[0].Grade == "" || result.Findings[0].Clause == "" {
		t.Errorf("status %d, %v: %s", status, err, stdout)
	}
	broken := writeArchive(t, filepath.Join(t.TempDir(), "broken.fmu"), description(`<Unknown index="1"/>`))
	status, stdout, _ = try("check", broken)
	if status != 1 || !strings.Contains(stdout, ": error: 2 more of F-MST-1, which") ||
		!strings.HasSuffix(stdout, broken+": 7 errors, 10 warnings, 0 hints; 17 findings\n") {
		t.Errorf("status %d: %s", status, stdout)
	}
}

// A part of an archive is not checked by itself; the archive is named.
func TestPartsAreNotCheckedAlone(t *testing.T) {
	for _, name := range []string{"SystemStructure.ssd", "modelDescription.xml"} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte("<a/>"), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := try("check", file); status != 1 ||
			!strings.Contains(stderr, file+" is a part of a package or of an FMU; check takes FMUs (X.fmu)") {
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
	}
}

// A package made by skidpad pack passes, and its FMUs run. A package without its FMUs fails.
func TestPackagesAreChecked(t *testing.T) {
	testrun.Slow(t)
	folder := t.TempDir()
	model, err := filepath.Abs("../../../resources/models/pendulum.toml")
	if err != nil {
		t.Fatal(err)
	}
	w := &workshop{T: t, folder: folder}
	system := w.filef("system.toml", `name = "S"
title = "s"
[component.one]
model = %[1]q
[component.two]
model = %[1]q
`, model)
	binaries := filepath.Join(folder, "fmi") // of this platform alone, which are quick to pack
	platform := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-" + runtime.GOOS
	from := filepath.Join(built.Binaries(t), platform)
	if err := os.CopyFS(filepath.Join(binaries, platform), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	packed := w.path("packed.ssp")
	if status, _, stderr := try("pack", system, "-o", packed, "--fmi", "3", "--binaries", binaries); status != 0 {
		t.Fatal(stderr)
	}
	if status, stdout, stderr := try("check", packed); status != 0 || stdout != packed+": 0 findings\n" {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
	files := map[string]string{}
	for name, content := range w.unpacked("packed.ssp") {
		if !strings.HasSuffix(name, ".fmu") {
			files[name] = string(content)
		}
	}
	broken := writeArchive(t, w.path("broken.ssp"), files)
	if status, stdout, _ := try("check", broken); status != 1 || strings.Count(stdout, ": error: ") != 2 ||
		!strings.Contains(stdout, ": error: S.two: source \"resources/") ||
		!strings.Contains(stdout, ".fmu\" is missing in the package (S-2, SSP 2.0, 5.4)\n") {
		t.Errorf("status %d: %s", status, stdout)
	}
}
