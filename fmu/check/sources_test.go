package check_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/harness/tests/fuzzinputs"
)

// What a compiler has to know is read from the descriptions: files, folders, definitions, platform and compiler. What a
// compiler refuses is an error where nothing else can run.
func TestSourcesAreListedForCompilers(t *testing.T) {
	sets := func(f tiny, version int) []check.SourceSet {
		t.Helper()
		path := filepath.Join(t.TempDir(), "m.fmu")
		if err := os.WriteFile(path, f.archive(t, version), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := check.Sources(path)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	described := built("3.0", "m", "m.c")
	described["sources/buildDescription.xml"] = declaration + `<fmiBuildDescription fmiVersion="3.0">` +
		`<BuildConfiguration modelIdentifier="m" platform="x86_64-linux">` +
		`<SourceFileSet language="C++17" compiler="gcc"><SourceFile name="m.c"/><SourceFile name="gone.c"/>` +
		`<PreprocessorDefinition name="A" value="1"/><PreprocessorDefinition name="B"/><IncludeDirectory name="a/b"/>` +
		`</SourceFileSet><SourceFileSet><SourceFile name="m.c"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>`
	two := sets(tiny{files: described}, 3)
	if len(two) != 2 || !slices.Equal(two[0].Files, []string{"m.c"}) || !slices.Equal(two[0].Include, []string{"a/b"}) ||
		!slices.Equal(two[0].Definitions, []string{"A=1", "B"}) || two[0].Platform != "x86_64-linux" ||
		two[0].Compiler != "gcc" || two[0].Language != "C++17" || two[1].Language != "" || two[1].Definitions != nil ||
		two[1].Platform != "x86_64-linux" {
		t.Errorf("%+v", two)
	}
	interfaces := `<ModelExchange modelIdentifier="m"><SourceFiles><File name="m.c"/></SourceFiles></ModelExchange>` +
		`<CoSimulation modelIdentifier="m"><SourceFiles><File name="m.c"/></SourceFiles></CoSimulation>`
	for library, rule := range map[string]string{"binaries/linux64/m.so": "F-SRC-6", "resources/x": "F-SRC-5"} {
		one := sets(tiny{interfaces: interfaces, files: map[string]string{"sources/m.c": "", library: ""}}, 2)
		if len(one) != 1 || one[0].Place != "ModelExchange" {
			t.Fatalf("%s: %+v", library, one)
		}
		want := check.Finding{Grade: check.Error, Rule: rule, Clause: "FMI 2.0, 2.3", Place: "ModelExchange", Text: "no"}
		if rule == "F-SRC-6" {
			want.Grade = check.Warning
		}
		if found := one[0].Refused("no"); found != want {
			t.Errorf("%+v, want %+v", found, want)
		}
	}
}

// Whatever a build description and a source file hold, the check ends, and lists nothing but files of the archive.
func FuzzSources(f *testing.F) {
	described := built("3.0", "m", "m.c")["sources/buildDescription.xml"]
	fuzzinputs.Add(f, []byte(described), []byte("#include \"n.c\"\n"))
	fuzzinputs.Add(f, []byte(strings.Replace(described, "<SourceFileSet ", `<SourceFileSet compiler="gcc" `, 1)), []byte(
		" # include \"../sources/m.c\"\n#include \"../../../n.c\""))
	path := filepath.Join(f.TempDir(), "m.fmu")
	f.Fuzz(func(t *testing.T, build, source []byte) {
		for version := 2; version <= 3; version++ {
			saveAs(t, path, zip.Store, map[string][]byte{"modelDescription.xml": []byte(tiny{}.description(version)),
				"sources/buildDescription.xml": build, "sources/m.c": source, "sources/n.c": source})
			if _, err := check.FMU(path); err != nil {
				t.Fatal(err)
			}
			sets, err := check.Sources(path)
			for _, set := range sets {
				for _, name := range set.Files {
					if clean := filepath.ToSlash(filepath.Clean(name)); err != nil || clean != "m.c" && clean != "n.c" &&
						clean != "buildDescription.xml" {
						t.Errorf("%q is listed, error %v", name, err)
					}
				}
			}
		}
	})
}
