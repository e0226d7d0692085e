package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skidpad/harness/tests/testrun"
)

// rooms are the folders with sources of Go.
var rooms = []string{"capi", "cosim", "fmu", "harness", "model", "tire"}

// format finds files that gofmt would change.
func format(j *job) error {
	text, err := j.output("gofmt", append([]string{"-l"}, rooms...)...)
	if err == nil && text != "" {
		err = fmt.Errorf("not formatted; run gofmt -w on: %s", strings.Join(strings.Fields(text), " "))
	}
	return err
}

// vet runs go vet for this system and for other systems. C compilers of other systems may be missing: for Windows vet
// checks all packages without C, for Arm64 the only package with code for that processor.
func vet(j *job) error {
	faults := []error{j.command("go", "vet", "./...")}
	withoutC, err := j.output("go", "list", "-f", "{{if not .CgoFiles}}{{.ImportPath}}{{end}}", "./...")
	faults = append(faults, err)
	for system, packages := range map[string]string{"windows/amd64": withoutC, "linux/arm64": "./tire/machinecode"} {
		goos, goarch, _ := strings.Cut(system, "/")
		variables := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}
		faults = append(faults, j.with(variables, "go", append([]string{"vet"}, strings.Fields(packages)...)...))
	}
	return errors.Join(faults...)
}

// sources calls a function with each file below a folder, and its name there, whose name has one of the endings.
func sources(folder string, f func(name string, text []byte) error, endings ...string) error {
	for _, room := range rooms {
		err := fs.WalkDir(os.DirFS(folder), room, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains(endings, path.Ext(name)) {
				return err
			}
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			return f(name, text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// racing lists the packages for the race detector: packages that start goroutines or use package sync for more than a
// sync.Once, and five packages whose tests start goroutines.
func racing() ([]string, error) {
	found := map[string]bool{}
	for _, tests := range []string{"fmu/check", "fmu/system", "harness/workbench/runs/drive",
		"harness/workbench/runs/sweep", "harness/evidence/verify"} {
		found[tests] = true
	}
	err := sources(".", func(name string, text []byte) error {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found[path.Dir(name)] = true
			case *ast.SelectorExpr:
				from, _ := n.X.(*ast.Ident)
				if from != nil && (from.Name == "atomic" || from.Name == "sync" && !strings.HasPrefix(n.Sel.Name, "Once")) {
					found[path.Dir(name)] = true
				}
			}
			return true
		})
		return nil
	}, ".go")
	var list []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, "./"+name)
	}
	return list, err
}

// mostTime is the time that the tests of a package may take. Slow tests of a full run share the processors with other
// stages.
func (j *job) mostTime() string {
	if j.size == standard {
		return "30m"
	}
	return "90m"
}

// race runs the packages with goroutines under the race detector, without slow tests, and thinned in full runs, too. Of
// the engine it runs the tests that start goroutines.
func race(j *job) error {
	packages, err := racing()
	if err != nil {
		return err
	}
	tests, err := concurrent(engine, threads)
	if err != nil {
		return err
	}
	thinned := []string{testrun.Variable + "=" + testrun.Thinned} // more of the same would show no more races
	flags := []string{"-race", "-short", "-timeout", "30m"}
	others := slices.DeleteFunc(packages, func(name string) bool { return name == "./"+engine })
	return errors.Join(j.goTest(thinned, slices.Concat(flags, others)...),
		j.goTest(thinned, slices.Concat(flags, []string{"-run", "^(" + strings.Join(tests, "|") + ")$", "./" + engine})...))
}

// inBrowser runs the tests whose names end in InChromium.
func inBrowser(j *job) error {
	found := map[string]bool{}
	err := sources(".", func(name string, text []byte) error {
		if strings.HasSuffix(name, "_test.go") && bytes.Contains(text, []byte("InChromium(t *testing.T)")) {
			found["./"+path.Dir(name)] = true
		}
		return nil
	}, ".go")
	if err != nil {
		return err
	}
	return j.goTest(nil, append([]string{"-timeout", "20m", "-run", "InChromium$"}, slices.Sorted(maps.Keys(found))...)...)
}

// inCompilers runs the tests that the stage compilers has for itself.
func inCompilers(j *job) error {
	folders := []string{"./capi/standalone", "./tire/machinecode", "./harness/site/drivable"}
	var tests []string
	for _, folder := range folders {
		list, err := left(folder, "compilers")
		if err != nil {
			return err
		}
		tests = append(tests, list...)
	}
	run := []string{"-timeout", "30m", "-run", "^(" + strings.Join(tests, "|") + ")$"}
	return j.goTest(nil, append(run, folders...)...)
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz[A-Za-z0-9_]+)\(`)

// targets lists the fuzz targets of each package.
func targets() (map[string][]string, error) {
	list := map[string][]string{}
	err := sources(".", func(name string, text []byte) error {
		if strings.HasSuffix(name, "_test.go") {
			for _, match := range fuzzTarget.FindAllSubmatch(text, -1) {
				list[path.Dir(name)] = append(list[path.Dir(name)], string(match[1]))
			}
		}
		return nil
	}, ".go")
	return list, err
}

// fuzzing makes a stage that gives each fuzz target, of some packages or of all, a number of inputs that coverage
// guides.
func fuzzing(inputs int, packages ...string) func(*job) error {
	return func(j *job) error {
		list, err := targets()
		if err != nil {
			return err
		}
		if len(packages) > 0 {
			maps.DeleteFunc(list, func(name string, _ []string) bool { return !slices.Contains(packages, name) })
		}
		return j.fuzz(list, inputs)
	}
}

// fuzz runs fuzz targets. The targets of a package share one program. Coverage is counted only in packages that take
// inputs apart: after each input the fuzzer looks through all counters, and most of them would be in plots and the
// runtime.
func (j *job) fuzz(list map[string][]string, inputs int) error {
	flags := []string{"test", "-c", "-vet=off", "-ldflags", "-s -w"}
	for _, pack := range []string{"skidpad/...", "github.com/BurntSushi/toml/...", "encoding/xml", "archive/zip"} {
		flags = append(flags, "-gcflags", pack+"=-d=libfuzzer")
	}
	var faults []error
	for _, pack := range slices.Sorted(maps.Keys(list)) {
		program := filepath.Join(j.scratch, "program")
		if err := j.command("go", append(flags, "-o", program, "./"+pack)...); err != nil {
			faults = append(faults, err)
			continue
		}
		for _, target := range list[pack] {
			fmt.Fprintln(j.log, pack, target)
			c := j.start(program, "-test.run", "^$", "-test.fuzz", "^"+target+"$", "-test.fuzztime", fmt.Sprintf("%dx", inputs),
				"-test.fuzzminimizetime", "100x", "-test.fuzzcachedir", filepath.Join(j.scratch, "inputs"))
			c.Dir = pack
			before := corpus(pack, target)
			if err := c.Start(); err != nil {
				return err
			}
			if err := j.finish(c); err != nil {
				faults = append(faults, fmt.Errorf("%s %s: %w%s", pack, target, err, newInputs(pack, target, before)))
				j.counts.failed++
				continue
			}
			j.counts.passed++
		}
	}
	return errors.Join(faults...)
}

// corpus lists the files with kept inputs of a fuzz target.
func corpus(pack, target string) []string {
	names, _ := filepath.Glob(filepath.Join(pack, "testdata", "fuzz", target, "*"))
	return names
}

// newInputs prints the inputs that the fuzzer has added to the corpus of a target, since the output of a run may be all
// that remains of it.
func newInputs(pack, target string, before []string) string {
	var text bytes.Buffer
	for _, name := range corpus(pack, target) {
		if !slices.Contains(before, name) {
			input, _ := os.ReadFile(name)
			fmt.Fprintf(&text, "\n%s fails; correct the fault and keep the file in the corpus:\n%s", name, input)
		}
	}
	return text.String()
}
