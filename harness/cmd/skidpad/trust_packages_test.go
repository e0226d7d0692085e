package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"skidpad/fmu"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// TestASystemNamesALibraryOnlyByPermission: packing runs nothing, but the package would make the library's code run.
func TestASystemNamesALibraryOnlyByPermission(t *testing.T) {
	testrun.Slow(t)
	// Packages take any files for the libraries of FMUs: those of the engine would be compressed for each of these.
	binaries := t.TempDir()
	for _, name := range []string{"skidpad_fmi2.so", "skidpad_fmi3.so", "skidpad-core-0123456789abcdef.so"} {
		platform := filepath.Join(binaries, "x86_64-linux")
		err := errors.Join(os.MkdirAll(platform, 0o755), os.WriteFile(filepath.Join(platform, name), []byte(name), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, library := range []string{"plugin:/nowhere/a.so#b", "sti:marked_sti.so#fiala_", " Plugin:a.so#b"} {
		w := newWorkshop(t)
		system := w.filef("system.toml", `name = "S"
title = "s"
[component.car]
model = "car.toml"
[component.car.parameters]
"tire.model" = %q
`, library)
		out := w.path("system.ssp")
		args := []string{"pack", system, "-o", out, "--fmi", "3", "--binaries", binaries}
		w.refused(args, "system.toml:6:16", "car.parameters: tire.model", fmt.Sprintf("%q", library), "--allow-plugins")
		if _, err := os.Stat(out); err == nil {
			t.Error("the refused package was written")
		}
		if status, _, stderr := try(append(args, "--allow-plugins")...); status != 0 {
			t.Errorf("status %d: %s", status, stderr)
		}
		if names := w.loaded(); names != nil {
			t.Errorf("packing has loaded %q", names)
		}
	}
}

// TestFMUNamesALibraryOnlyByPermittedManoeuvre: the model in its resources cannot name a library, even with a
// matching model description. A manoeuvre needs permission as for a model file, and --set is free.
func TestFMUNamesALibraryOnlyByPermittedManoeuvre(t *testing.T) {
	testrun.Slow(t)
	for _, version := range []int{2, 3} {
		t.Run(strconv.Itoa(version), func(t *testing.T) {
			w := newWorkshop(t)
			w.pack(version)
			simulate := func(name string, more ...string) []string {
				args := []string{"simulate", w.path(name), "--manoeuvre", w.path("roll.toml"), "--out",
					w.path("run.csv")}
				return append(args, more...)
			}
			library := "plugin:" + w.path("marked.so") + "#skidpad_fiala"
			w.manoeuvre(library)
			w.refused(simulate("car.fmu"), "roll.toml:7:16", library, "--allow-plugins")
			w.file("roll.toml", oneTireManoeuvre)
			w.edited("car.fmu", "evil.fmu", func(model string) string {
				return strings.Replace(model, `function = "inputs"`, fmt.Sprintf("function = %q", library), 1)
			})
			w.refused(simulate("evil.fmu"), "model.toml:39:22", library)
			w.file("roll.toml", oneTireManoeuvre+"[parameters]\n"+w.parametersOf(library))
			w.allowed(simulate("car.fmu", "--set", "tire.model="+library), "marked.so")
		})
	}
}

// edited copies an FMU with another model, and with the GUID or token that this model has.
func (w *workshop) edited(from, to string, edit func(model string) string) {
	w.Helper()
	files := w.unpacked(from)
	token := func() string {
		r, err := fmu.Collect(w.file("unpacked/model.toml", string(files["resources/model.toml"])))
		if err != nil {
			w.Fatal(err)
		}
		return r.Token()
	}
	before := token()
	files["resources/model.toml"] = []byte(edit(string(files["resources/model.toml"])))
	description := strings.ReplaceAll(string(files["modelDescription.xml"]), before, token())
	if before == token() || description == string(files["modelDescription.xml"]) {
		w.Fatal("the FMU is as it was")
	}
	files["modelDescription.xml"] = []byte(description)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	z.RegisterCompressor(zip.Deflate,
		func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.HuffmanOnly) }) // quickly
	for name, content := range files {
		entry, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Unix(1e9, 0)})
		if err == nil {
			_, err = entry.Write(content)
		}
		if err != nil {
			w.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		w.Fatal(err)
	}
	w.file(to, archive.String())
}

// TestNothingThatIsReadInPassingLoadsALibrary: pages and characteristic values take a manoeuvre without running its
// vehicle.
func TestNothingThatIsReadInPassingLoadsALibrary(t *testing.T) {
	w := newWorkshop(t)
	w.manoeuvre("plugin:" + w.path("marked.so") + "#skidpad_fiala")
	w.file("run.csv", "time,tire.x\n0,1\n1,2\n")
	status, _, stderr := try("animate", w.path("run.csv"), "--model", w.path("car.toml"), "--manoeuvre",
		w.path("roll.toml"),
		"-o", w.path("page.html"))
	if status != 0 {
		t.Error(stderr)
	}
	if _, err := manoeuvre.Read(w.path("roll.toml")); err != nil {
		t.Error(err)
	}
	if names := w.loaded(); names != nil {
		t.Errorf("loaded %q", names)
	}
}

// TestASavedStateCannotNameALibrary: neither of the library nor of an FMU, until the host has named it itself.
func TestASavedStateCannotNameALibrary(t *testing.T) {
	testrun.Slow(t)
	type subject interface {
		SetText(name, value string) error
		Save() ([]byte, error)
		Initialise() error
	}
	file, err := filepath.Abs("../../../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"model", "FMI 2", "FMI 3"} {
		w := newWorkshop(t)
		loaded := "plugin:" + w.path("marked.so") + "#skidpad_fiala"
		var fresh func() (s subject, restore func([]byte) error)
		if kind == "model" {
			core, err := openLibrary(built.Library(t))
			if err != nil {
				t.Fatal(err)
			}
			fresh = func() (subject, func([]byte) error) {
				v, err := core.Load(w.path("car.toml"), "")
				if err != nil {
					t.Fatal(err)
				}
				return v, v.Restore
			}
		} else {
			w.pack(int(kind[4] - '0'))
			f, err := library.OpenFMU(w.path("car.fmu"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			fresh = func() (subject, func([]byte) error) {
				c, err := f.Instantiate("car", f.Token)
				if err != nil {
					t.Fatal(err)
				}
				return c, func(state []byte) error { return c.Restore(state, 0) }
			}
		}
		state := func() []byte { // before initialisation, of a vehicle with the tire of this workshop
			s, _ := fresh()
			if err := s.SetText("tire.model", "inputs"); err != nil {
				t.Fatal(err)
			}
			state, err := s.Save()
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			return forged(state, "inputs", loaded)
		}()
		_, restore := fresh()
		err := restore(state)
		if err == nil || !strings.Contains(err.Error(), w.path("marked.so")) ||
			!strings.Contains(err.Error(), "set tire.model") {
			t.Errorf("%s: error %v", kind, err)
		}
		named, restore := fresh()
		if err := named.SetText("tire.model", loaded); err != nil {
			t.Fatal(err)
		}
		if err := restore(state); err != nil {
			t.Errorf("%s, named by the host: %v", kind, err)
		}
		if names := w.loaded(); names != nil {
			t.Errorf("%s: states have loaded %q", kind, names)
		}
		if err := errors.Join(named.SetText("tire.file", file), named.Initialise()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if names := w.loaded(); len(names) != 1 {
			t.Errorf("%s: the host's library is not loaded", kind)
		}
	}
}

// forged is a saved state with another text, and with the checksums that belong to it: of the engine, and of the FMU
// around it.
func forged(state []byte, from, to string) []byte {
	counted := func(text string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	}
	signed := func(body []byte) []byte {
		sum := sha256.Sum256(body)
		return append(bytes.Clone(body), sum[:]...)
	}
	inner := bytes.Index(state, []byte("SKIDPAD\x00"))
	end := len(state)
	if inner > 0 {
		end -= sha256.Size
	}
	body := bytes.Replace(state[inner:end-crc32.Size], counted(from), counted(to), 1)
	forged := slices.Concat(state[:inner], body)
	forged = binary.LittleEndian.AppendUint32(forged, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	if inner > 0 {
		forged = signed(forged)
	}
	return forged
}
