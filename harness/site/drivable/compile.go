package drivable

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"skidpad/capi/standalone"
)

// ErrNoCompiler is the error on a machine that cannot compile WebAssembly.
var ErrNoCompiler = errors.New("clang with the target wasm32 and wasm-ld, of the packages clang and lld, compile the " +
	"vehicle; install both")

// Compiles reports whether the machine has the programs that compile WebAssembly.
func Compiles() bool {
	for _, program := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(program); err != nil {
			return false
		}
	}
	return true
}

// compiled is the module of files. It and the files stay in a folder; equal files are not compiled again.
func compiled(files []standalone.File, folder string) ([]byte, error) {
	module := filepath.Join(folder, "vehicle.wasm")
	changed := false
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join(folder, f.Name))
		changed = changed || err != nil || string(have) != f.Text
	}
	if data, err := os.ReadFile(module); err == nil && !changed {
		return data, nil
	}
	if !Compiles() {
		return nil, ErrNoCompiler
	}
	if err := os.RemoveAll(folder); err != nil { // a module of other files
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
			return nil, err
		}
	}
	c := exec.Command("clang", standalone.ModuleCommand("vehicle")...)
	c.Dir = folder
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w; clang: %w: %s", ErrNoCompiler, err, strings.TrimSpace(string(said)))
	}
	return os.ReadFile(module)
}
