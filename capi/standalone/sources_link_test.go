package standalone

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/capi/shim"
	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// Sources need only the memory functions of the C library, and export only the functions of the standard. Two FMUs of
// each version are linked into a program, and into a shared library, which has plain names, too.
func TestSourcesOfSeveralFMUsAreLinked(t *testing.T) {
	testrun.OnlyAll(t)
	allowed := []string{"calloc", "free", "memcpy", "memset"}
	for _, compiler := range []string{"gcc", "clang"} {
		t.Run(compiler, func(t *testing.T) {
			if compiler == "clang" {
				testrun.InStage(t, "compilers")
			}
			testrun.Requires(t, compiler)
			folder := t.TempDir()
			var objects, tokens []string
			for i, name := range []string{"car_a", "car_b", "car_c", "car_d"} {
				model, version := []string{"skidder", "wheel"}[i%2], 2+i/2
				object, token := objectOf(t, filepath.Join(folder, name), compiler, model, name, version)
				objects, tokens = append(objects, object), append(tokens, token)
				names := functionNames(shim.Functions(version), version)
				if got := symbols(t, object, "-u"); slices.ContainsFunc(got, func(s string) bool {
					return !slices.Contains(allowed, s)
				}) {
					t.Errorf("%s of FMI %d needs %q", model, version, got)
				}
				var want []string
				for _, n := range names {
					want = append(want, n, name+"_"+n)
				}
				slices.Sort(want)
				library := filepath.Join(folder, name+".so")
				command(t, compiler, "-shared", "-o", library, object)
				if got := symbols(t, library, "-D", "--defined-only"); !slices.Equal(got, want) {
					t.Errorf("%s of FMI %d shows %d symbols, not %d: %.2000q", model, version, len(got), len(want), got)
				}
			}
			headers, err := filepath.Abs(standardHeaders)
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(folder, "linked")
			command(t, compiler, append([]string{"-isystem", headers, "-o", program, "testdata/linked.c"}, objects...)...)
			command(t, program, tokens...)
			command(t, compiler, append([]string{"-shared", "-o", program + ".so"}, objects...)...)
		})
	}
}

// Sources are C99 without extensions, file by file and all in one unit, as code generators for targets compile them.
func TestSourcesAreStrictC(t *testing.T) {
	testrun.OnlyAll(t)
	headers, err := filepath.Abs(standardHeaders)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{2, 3} {
		folder, _, _ := sourcesOf(t, "skidder_carcass", version, "rk4", "euler")
		sources, err := filepath.Glob(filepath.Join(folder, "*.c"))
		if err != nil {
			t.Fatal(err)
		}
		var unit strings.Builder
		for _, file := range sources {
			fmt.Fprintf(&unit, "#include \"%s\"\n", filepath.Base(file))
		}
		whole := filepath.Join(folder, "unit.c")
		if err := os.WriteFile(whole, []byte(unit.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, compiler := range []string{"gcc", "clang"} {
			if compiler == "clang" {
				testrun.InStage(t, "compilers")
			}
			testrun.Requires(t, compiler)
			flags := slices.Concat(warningsOfC, []string{"-std=c99", "-pedantic-errors", "-fsyntax-only", "-isystem", headers,
				"-I", folder})
			command(t, compiler, append(slices.Clone(flags), sources...)...)
			command(t, compiler, append(slices.Clone(flags), whole)...)
		}
	}
}

// An importer can choose the names: with its own prefix, or without a prefix, as FMPy does on Windows.
func TestImportersChooseNames(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.Requires(t, "gcc")
	headers, err := filepath.Abs(standardHeaders)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{2, 3} {
		folder, _, _ := sourcesOf(t, "wheel", version)
		for _, c := range []struct {
			flags []string
			want  string
		}{
			{nil, "vehicle_"}, {[]string{"-DFMIn_FUNCTION_PREFIX=own_"}, "own_"}, {[]string{"-DFMIn_FUNCTION_PREFIX="}, ""},
			{[]string{"-DFMIn_OVERRIDE_FUNCTION_PREFIX"}, ""},
			{[]string{"-DFMIn_OVERRIDE_FUNCTION_PREFIX", "-DFMIn_ACTUAL_FUNCTION_PREFIX=own_"}, "own_"},
		} {
			object := filepath.Join(folder, "functions.o")
			arguments := slices.Concat([]string{"-std=c99", "-isystem", headers, "-c", "-o", object}, c.flags,
				[]string{filepath.Join(folder, fmt.Sprintf("fmi%d.c", version))})
			for i := range arguments {
				arguments[i] = strings.Replace(arguments[i], "FMIn", fmt.Sprintf("FMI%d", version), 1)
			}
			command(t, "gcc", arguments...)
			got := symbols(t, object, "--defined-only", "--extern-only")
			var want []string
			for _, name := range functionNames(shim.Functions(version), version) {
				want = append(want, c.want+name)
				if c.want == "vehicle_" {
					want = append(want, name)
				}
			}
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("FMI %d, %q: %.1000q", version, c.flags, got)
			}
		}
	}
}

// objectOf compiles the sources of a model, with a name, to a single object.
func objectOf(t *testing.T, folder, compiler, model, name string, version int) (object, token string) {
	t.Helper()
	_, table, err := fmu.Load(fileOf(model), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	own := *table
	own.Token = name
	writeSources(t, folder, model, &own, SourceOptions{version, name})
	headers, err := filepath.Abs(standardHeaders)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob(filepath.Join(folder, "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, file := range sources {
		parts = append(parts, strings.TrimSuffix(file, ".c")+".o")
		command(t, compiler, append(slices.Clone(warningsOfC), "-std=c99", "-O2", "-fPIC", "-isystem", headers, "-c", file,
			"-o", parts[len(parts)-1])...)
	}
	object = filepath.Join(folder, "all.o")
	command(t, compiler, append([]string{"-nostdlib", "-r", "-o", object}, parts...)...)
	return object, name
}

// command runs a program that must succeed.
func command(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	out, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%.3000s", name, arguments, err, out)
	}
	return string(out)
}

var symbol = regexp.MustCompile(`(?m) (\w+)(@\S+)?$`)

// symbols lists the names of an object, without those of the compiler and the linker.
func symbols(t *testing.T, object string, which ...string) (names []string) {
	t.Helper()
	for _, m := range symbol.FindAllStringSubmatch(command(t, "nm", append(which, object)...), -1) {
		if !strings.HasPrefix(m[1], "_") {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

// writeSources writes the sources of a shipped model to a folder.
func writeSources(t *testing.T, folder, model string, table *fmu.Table, o SourceOptions, methods ...string) {
	t.Helper()
	of := instancesOf(t, model, methods...)
	files, err := Sources(of, table, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.Name), []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
