package main

import (
	"archive/zip"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packedModel is the archive of a vehicle.
func packedModel(t *testing.T, handle uintptr) []byte {
	t.Helper()
	var size int64
	if s := modelFiles(handle, nil, 0, &size); s != statusOK {
		t.Fatal(s, vehicles.find(handle).failure)
	}
	packed := make([]byte, size)
	if s := modelFiles(handle, &packed[0], size-1, &size); s != statusOK || packed[0] != 0 {
		t.Errorf("a buffer that is one byte short: %v, first byte %d", s, packed[0])
	}
	if s := modelFiles(handle, &packed[0], size, &size); s != statusOK || size != int64(len(packed)) {
		t.Fatal(s, size)
	}
	return packed
}

// unpack writes an archive into a folder and returns the path of the model file.
func unpack(t *testing.T, packed []byte, folder string) string {
	t.Helper()
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, filepath.FromSlash(files.File[0].Name))
}

// A vehicle loaded from the packed files of another vehicle in another folder, with the saved state of that vehicle,
// continues its motion. Variants find their base models, tires find the files named by texts.
func TestModelFilesRecreateTheVehicle(t *testing.T) {
	for name, model := range map[string]string{"file": "../resources/models/skidder_carcass.toml",
		"shipped": "skidpad:/models/skidder_carcass.toml"} {
		t.Run(name, func(t *testing.T) { recreate(t, model) })
	}
}

func recreate(t *testing.T, model string) {
	t.Helper()
	handle, err := loadModel(model, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(handle)
	v := vehicles.find(handle)
	if err := v.engine.SetText("tire_FL.file", "../tires/fiala_generic4w.toml"); err != nil { // the model has another
		t.Fatal(err)
	}
	if err := v.engine.Initialise(); err != nil {
		t.Fatal(err)
	}
	state := make([]byte, v.engine.StateSize())
	if err := v.engine.Save(state); err != nil {
		t.Fatal(err)
	}
	packed := packedModel(t, handle)
	if !bytes.Equal(packed, packedModel(t, handle)) {
		t.Error("two archives of the same files differ")
	}
	other, err := loadModel(unpack(t, packed, t.TempDir()), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(other)
	w := vehicles.find(other)
	if err := w.engine.Restore(state); err != nil {
		t.Fatal(err)
	}
	for _, e := range []engine{v.engine, w.engine} {
		if err := e.Step(0.5); err != nil {
			t.Fatal(err)
		}
	}
	for i := range v.variables {
		a, errA := v.engine.Get(i)
		b, errB := w.engine.Get(i)
		if (errA == nil) != (errB == nil) || math.Float64bits(a) != math.Float64bits(b) {
			t.Fatalf("%s: %v here, %v there", v.variables[i].Name, a, b)
		}
	}
}

// Changed files, missing files and wrong arguments are rejected.
func TestInvalidModelFilesAreRejected(t *testing.T) {
	folder := t.TempDir()
	data, err := os.ReadFile("../resources/models/pendulum.toml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "pendulum.toml")
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(data)
	handle, err := loadModel(path, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(handle)
	packedModel(t, handle)
	var size int64
	var one byte
	for _, c := range []struct {
		what     string
		buffer   *byte
		capacity int64
		size     *int64
	}{{"no size", &one, 1, nil}, {"no buffer", nil, 1, &size}, {"a negative capacity", &one, -1, &size}} {
		if s := modelFiles(handle, c.buffer, c.capacity, c.size); s != statusArgument {
			t.Errorf("%s: %v", c.what, s)
		}
	}
	shipped, err := loadModel("skidpad:/models/skidder_carcass.toml", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer free(shipped)
	own, err := filepath.Abs("../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	v := vehicles.find(shipped)
	if err := v.engine.SetText("tire_FL.file", own); err != nil {
		t.Fatal(err)
	}
	if s := modelFiles(shipped, nil, 0, &size); s != statusRefused || !strings.Contains(v.failure, "expand") {
		t.Errorf("an own tire of a shipped model: %v, %s", s, v.failure)
	}
	write(append(data, "# later"...))
	if s := modelFiles(handle, nil, 0, &size); s != statusRefused {
		t.Errorf("a file that has changed: %v", s)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if s := modelFiles(handle, nil, 0, &size); s != statusRefused {
		t.Errorf("a file that is missing: %v", s)
	}
}
