// Package built gives tests what build.sh makes, each once for all tests of a package, and the files of the
// repository, wherever the package of the test lies.
package built

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"skidpad/fmu"
)

// folder is for what build.sh makes.
var folder string

// Main runs the tests of a package.
func Main(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "harness"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// root is the folder of the repository, relative to that of the test.
var root = sync.OnceValue(func() string {
	for up := "."; ; up = filepath.Join("..", up) {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			return up
		}
		if absolute, err := filepath.Abs(up); err != nil || absolute == filepath.Dir(absolute) {
			panic("the test does not run in the repository")
		}
	}
})

// Path is that of a file or folder of the repository.
func Path(elements ...string) string {
	return filepath.Join(append([]string{root()}, elements...)...)
}

// Manoeuvre is the path of a shipped manoeuvre.
func Manoeuvre(name string) string { return Path("resources", "manoeuvres", name+".toml") }

// Model is the path of a shipped model.
func Model(name string) string { return Path("resources", "models", name+".toml") }

// run runs a command in the folder of the repository; its output is part of the error.
func run(name string, arguments ...string) error {
	command := exec.Command(name, arguments...)
	command.Dir = root()
	if text, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}

// part builds a part of the library with build.sh, given the verb and its place.
func part(verb string, place ...string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		path := filepath.Join(append([]string{folder}, place...)...)
		return path, run("./build.sh", verb, path)
	})
}

var (
	library = part("library", "libskidpad.so")
	tires   = part("tires", "tires")
	fmi     = part("fmi", "fmi", map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]+"-"+
		runtime.GOOS)
	command = sync.OnceValues(func() (string, error) {
		path := filepath.Join(folder, "skidpad")
		return path, run("go", "build", "-o", path, "./harness/cmd/skidpad")
	})
)

// the returns what is built, or ends the test.
func the(t testing.TB, build func() (string, error)) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("build.sh needs a POSIX shell")
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Library returns the path of the library as it is delivered.
func Library(t testing.TB) string { return the(t, library) }

// Tires returns the folder of the example tire libraries.
func Tires(t testing.TB) string { return the(t, tires) }

// Command returns the path of the command. It has no library beside it.
func Command(t testing.TB) string { return the(t, command) }

// Binaries returns the folder with the libraries of FMUs, one folder for each platform.
func Binaries(t testing.TB) string { return filepath.Dir(the(t, fmi)) }

// packed are the names of the models whose FMUs are there.
var (
	packing sync.Mutex
	packed  = map[string]bool{}
)

// FMUs returns a folder with folders fmi2 and fmi3, which hold the FMUs of shipped models, called like these.
func FMUs(t testing.TB, models ...string) string {
	t.Helper()
	packing.Lock()
	defer packing.Unlock()
	libraries, err := fmu.ReadLibraries(Binaries(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range models {
		if packed[model] {
			continue
		}
		for _, version := range []int{2, 3} {
			if err := pack(model, libraries, version); err != nil {
				t.Fatal(err)
			}
		}
		packed[model] = true
	}
	return folder
}

// pack writes the FMU of a model.
func pack(model string, libraries *fmu.Libraries, version int) error {
	p, err := fmu.NewPackage(Model(model), libraries, version, fmu.About{Version: "0", Generated: time.Unix(1e9, 0)})
	if err != nil {
		return err
	}
	to := filepath.Join(folder, fmt.Sprintf("fmi%d", version))
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(to, p.Table.Name+".fmu"))
	if err != nil {
		return err
	}
	if err := p.Write(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// Update is the flag of tests that write results into the documentation.
var Update = flag.Bool("update", false, "write results into the documentation")
