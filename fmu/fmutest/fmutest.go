// Package fmutest packs FMUs for tests.
package fmutest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"skidpad/fmu"
	"skidpad/fmu/archive"
	"skidpad/model/bounded"
)

// Pack packs a model file with stand-ins for libraries and returns its files and the archive.
func Pack(t testing.TB, modelFile string, version int) (files map[string][]byte, packed []byte) {
	t.Helper()
	p, err := fmu.NewPackage(modelFile, fmu.Choice{}, Libraries(t), version,
		fmu.About{Version: "1.2.3", Generated: time.Unix(1e9, 0)})
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := p.Write(&written); err != nil {
		t.Fatal(err)
	}
	return Unpack(t, written.Bytes()), written.Bytes()
}

// Libraries are stand-ins for the libraries of three platforms.
func Libraries(t testing.TB) *fmu.Libraries {
	t.Helper()
	binaries := t.TempDir()
	for platform, suffix := range map[string]string{"x86_64-linux": "so", "x86_64-windows": "dll",
		"aarch64-linux": "so"} {
		for _, name := range []string{"skidpad_fmi2.", "skidpad_fmi3.", "skidpad-core-0123abcd."} {
			path := filepath.Join(binaries, platform, name+suffix)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(name+platform), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	libraries, err := fmu.ReadLibraries(binaries)
	if err != nil {
		t.Fatal(err)
	}
	return libraries
}

// Unpack returns all files of an archive.
func Unpack(t testing.TB, packed []byte) map[string][]byte {
	t.Helper()
	a, err := archive.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range a.Names() {
		if files[name], err = a.Read(name, bounded.FMU); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
