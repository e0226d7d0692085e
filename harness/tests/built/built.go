// Package built gives tests the products of build.sh and the paths of files of the repository, from any package. In the
// stages of ./build.sh test these products are the products of the stage build, in its folder: tests that change a
// product must copy it. Elsewhere a product is made when the first test of a package requests it.
package built

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// Out is the environment variable with the absolute path of the folder that the stage build has filled from these
// sources. It is unset in a developer's own go test.
const Out = "SKIDPAD_OUT"

// folder is for what is made for the tests of this package.
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

// Path is the path of a file or folder of the repository.
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

// shipped returns the path of a part in the folder of the stage build.
func shipped(elements ...string) (string, error) {
	out := os.Getenv(Out)
	if !filepath.IsAbs(out) {
		return "", fmt.Errorf("%s is %q; it must be the absolute path of the folder that ./build.sh build fills", Out, out)
	}
	path := filepath.Join(append([]string{out}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s names a folder that lacks a part: %w; run ./build.sh build, or unset %s", Out, err, Out)
	}
	return path, nil
}

// own is a path in the folder of this package.
func own(elements ...string) (string, error) {
	if folder == "" {
		return "", errors.New("the tests of this package do not run by built.Main; call it in TestMain")
	}
	return filepath.Join(append([]string{folder}, elements...)...), nil
}

// part is the path of a part of the product: in the folder of the stage build, or, made by the function, in the folder
// of this package.
func part(build func(path string) error, elements ...string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		if os.Getenv(Out) != "" {
			return shipped(elements...)
		}
		path, err := own(elements...)
		if err != nil {
			return "", err
		}
		return path, build(path)
	})
}

// verb has build.sh make a part.
func verb(name string) func(path string) error {
	return func(path string) error { return run("./build.sh", name, path) }
}

// platform is the name of the folder with the libraries of FMUs for this system, suffix what libraries end in.
var (
	platform = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-" + runtime.GOOS
	suffix   = map[bool]string{true: ".dylib", false: ".so"}[runtime.GOOS == "darwin"]
)

var (
	library = part(verb("library"), "libskidpad"+suffix)
	tires   = part(verb("tires"), "tires")
	fmi     = part(verb("fmi"), "fmi", platform)
	program = part(func(path string) error { return run("go", "build", "-o", path, "./harness/cmd/skidpad") }, "skidpad")
)

// command is the program in a folder without the library.
var command = sync.OnceValues(func() (string, error) {
	path, err := program()
	if err != nil || os.Getenv(Out) == "" {
		return path, err
	}
	alone, wrong := own("skidpad")
	content, err := os.ReadFile(path)
	if err := errors.Join(wrong, err); err != nil {
		return "", err
	}
	return alone, os.WriteFile(alone, content, 0o755)
})

// binaries is a folder with the libraries of FMUs for this system alone, since more would take longer to pack.
var binaries = sync.OnceValues(func() (string, error) {
	path, err := fmi()
	if err != nil || os.Getenv(Out) == "" {
		return filepath.Dir(path), err
	}
	alone, err := own("fmi")
	if err != nil {
		return "", err
	}
	return alone, errors.Join(os.Mkdir(alone, 0o755), os.Symlink(path, filepath.Join(alone, platform)))
})

// libraries are the libraries of FMUs, compressed once.
var libraries = sync.OnceValues(func() (*fmu.Libraries, error) {
	path, err := binaries()
	if err != nil {
		return nil, err
	}
	return fmu.ReadLibraries(path)
})

// require returns what is built, or ends the test.
func require[T any](t testing.TB, build func() (T, error)) T {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("build.sh needs a POSIX shell")
	}
	result, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Library returns the path of the library as it is delivered.
func Library(t testing.TB) string {
	t.Helper()
	return require(t, library)
}

// Tires returns the folder of the example tire libraries.
func Tires(t testing.TB) string {
	t.Helper()
	return require(t, tires)
}

// Command returns the path of the command. It has no library beside it.
func Command(t testing.TB) string {
	t.Helper()
	return require(t, command)
}

// Binaries returns the folder with the libraries of FMUs. It contains the folder of this system only.
func Binaries(t testing.TB) string {
	t.Helper()
	return require(t, binaries)
}

// compiled are the results of Compiled by name.
var compiled sync.Map

// Compiled returns the path of a program or library that a compiler makes in the folder of the test. It is made once
// for all tests of a package that ask for the name. Without the compiler the test is skipped, or fails as in
// testrun.Requires.
func Compiled(t testing.TB, name, compiler string, arguments ...string) string {
	t.Helper()
	testrun.Requires(t, compiler)
	once, _ := compiled.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		path, err := own(name)
		if err != nil {
			return "", err
		}
		if text, err := exec.Command(compiler, append(arguments, "-o", path)...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s %q: %w\n%s", compiler, arguments, err, text)
		}
		return path, nil
	}))
	return require(t, once.(func() (string, error)))
}

// about has the version and the date that the FMUs state.
var about = fmu.About{Version: "0", Generated: time.Unix(1e9, 0)}

// FMU packs a model file for FMI 2 or 3 and returns the path of the FMU.
func FMU(t testing.TB, model string, version int) string {
	t.Helper()
	path, err := pack(model, require(t, libraries), version, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// packed are the names of the models whose FMUs are there.
var (
	packing sync.Mutex
	packed  = map[string]bool{}
)

// FMUs returns a folder with folders fmi2 and fmi3, which hold the FMUs of models that are delivered as such. An FMU is
// called like its model.
func FMUs(t testing.TB, models ...string) string {
	t.Helper()
	packing.Lock()
	defer packing.Unlock()
	folder := folder
	if out := os.Getenv(Out); out != "" {
		folder = out
	}
	for _, model := range models {
		if packed[model] {
			continue
		}
		for _, version := range []int{2, 3} {
			if err := provide(t, model, version); err != nil {
				t.Fatal(err)
			}
		}
		packed[model] = true
	}
	return folder
}

// provide sees to it that there is the FMU of a delivered model.
func provide(t testing.TB, model string, version int) error {
	t.Helper()
	subfolder := fmt.Sprintf("fmi%d", version)
	if os.Getenv(Out) == "" {
		_, err := pack(Model(model), require(t, libraries), version, filepath.Join(folder, subfolder))
		return err
	}
	var head struct{ Name string }
	if _, err := toml.DecodeFile(Model(model), &head); err != nil {
		return err
	}
	_, err := shipped(subfolder, head.Name+".fmu")
	return err
}

// pack writes the FMU of a model file into a folder and returns its path.
func pack(model string, libraries *fmu.Libraries, version int, folder string) (string, error) {
	p, err := fmu.NewPackage(model, fmu.Choice{}, libraries, version, about)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(folder, p.Table.Name+".fmu")
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(p.Write(file), file.Close())
}

// Update is the flag of tests that write results into the documentation.
var Update = flag.Bool("update", false, "write results into the documentation")
