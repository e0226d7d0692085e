package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// sourceFMU writes an FMU of sources with one source file set, and returns what check says of it.
func sourceFMU(t *testing.T, set string, files map[string]string) (status int, stdout string) {
	t.Helper()
	all := map[string]string{"modelDescription.xml": `<?xml version="1.0" encoding="UTF-8"?>` +
		`<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="m"><CoSimulation modelIdentifier="m"/>` +
		`<ModelVariables><Float64 name="time" valueReference="0" causality="independent"/></ModelVariables>` +
		`<ModelStructure/></fmiModelDescription>`,
		"sources/buildDescription.xml": `<fmiBuildDescription fmiVersion="3.0"><BuildConfiguration modelIdentifier="m">` +
			set + `</BuildConfiguration></fmiBuildDescription>`}
	maps.Copy(all, files)
	path := writeArchive(t, filepath.Join(t.TempDir(), "m.fmu"), all)
	status, stdout, stderr := try("check", path)
	if stderr != "" {
		t.Error(stderr)
	}
	return status, strings.ReplaceAll(stdout, path, "m.fmu")
}

// The C compiler reads the sources of an FMU with the headers of the standard, which the FMU does not have, and with
// what the build description says. What it refuses is an error, as there is nothing else to run.
func TestSourcesAreCompiledByTheCheck(t *testing.T) {
	testrun.RequiresOne(t, "cc", "gcc", "clang")
	testrun.RequiresOne(t, "c++", "g++", "clang++")
	const good = "#define FMI3_FUNCTION_PREFIX m_\n#include \"fmi3Functions.h\"\n#include \"deep.h\"\n" +
		"const char *fmi3GetVersion(void) { return VERSION; }\ndouble y = DEEP;\n"
	const set = `<SourceFileSet language="C99"><SourceFile name="a/m.c"/>` +
		`<PreprocessorDefinition name="VERSION" value="&quot;3.0&quot;"/><IncludeDirectory name="inc"/></SourceFileSet>`
	deep := map[string]string{"sources/a/m.c": good, "sources/inc/deep.h": "#define DEEP 1.0\n"}
	with := func(name, text string) map[string]string {
		files := maps.Clone(deep)
		files[name] = text
		return files
	}
	const refused = "m.fmu: error: sources/buildDescription.xml: the C compiler refuses sources/a/m.c: "
	for name, c := range map[string]struct {
		set    string
		files  map[string]string
		status int
		want   string
	}{
		"everything is there": {set, deep, 0, "m.fmu: 0 findings\n"},
		"a header is missing": {set, with("sources/a/m.c", "#include \"tool.h\"\n"), 1,
			refused + "sources/a/m.c:1:10: fatal error:"},
		"a folder is not named": {strings.Replace(set, `<IncludeDirectory name="inc"/>`, "", 1), deep, 1,
			refused + "sources/a/m.c:3:10: fatal error:"},
		"a definition is missing": {strings.Replace(set, "VERSION", "OTHER", 1), deep, 1, refused + "sources/a/m.c:4:"},
		"another type than the standard's": {set, with("sources/a/m.c", "#include \"fmi3Functions.h\"\n"+
			"int fmi3GetVersion(void) { return 3; }\n"), 1, refused},
		"for another platform": {set, map[string]string{"sources/a/m.c": "#error",
			"sources/buildDescription.xml": `<fmiBuildDescription fmiVersion="3.0">` +
				`<BuildConfiguration modelIdentifier="m" platform="ppc64-linux">` + set +
				`</BuildConfiguration></fmiBuildDescription>`}, 0, "m.fmu: 0 findings\n"},
		"for another compiler": {strings.Replace(set, `language="C99"`, `compiler="VisualC"`, 1),
			with("sources/a/m.c", "#error"), 0, "m.fmu: 0 findings\n"},
		"in C++": {strings.Replace(set, "C99", "C++17", 1), with("sources/a/m.c", "template <class T> T x;\n"), 0,
			"m.fmu: 0 findings\n"},
		"C++ by its name": {`<SourceFileSet><SourceFile name="m.cpp"/></SourceFileSet>`,
			map[string]string{"sources/m.cpp": "template <class T> T x;\n"}, 0, "m.fmu: 0 findings\n"},
		"C++ where C is named": {set, with("sources/a/m.c", "template <class T> T x;\n"), 1, refused + "sources/a/m.c:1:"},
		"in another language": {strings.Replace(set, "C99", "Fortran", 1), with("sources/a/m.c", "#error"), 0,
			"m.fmu: 0 findings\n"},
		"options are no options": {strings.Replace(set, `"VERSION"`, `"VERSION=1 -o out -fplugin=evil.so -D X"`, 1),
			with("sources/a/m.c", "int x;"), 0, "m.fmu: 0 findings\n"},
		"a folder outside of the FMU": {strings.Replace(set, `"inc"`, `"../../../../../../usr/include/linux"`, 1),
			with("sources/a/m.c", "#include \"fb.h\"\n"), 1, refused + "sources/a/m.c:1:10: fatal error:"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout := sourceFMU(t, c.set, c.files)
			if status != c.status || !strings.HasPrefix(stdout, c.want) {
				t.Errorf("status %d, want %d: %s, want %s", status, c.status, stdout, c.want)
			}
			if c.status != 0 && !strings.Contains(stdout, "(F-SRC-5, FMI 3.0, 2.5.1.3)\n") {
				t.Errorf("no rule in %s", stdout)
			}
		})
	}
}

// A source file that never ends costs no more than a share of memory, and tells so.
func TestEndlessSourcesAreRejected(t *testing.T) {
	testrun.OnlyAll(t)
	testrun.RequiresOne(t, "cc", "gcc", "clang")
	set := `<SourceFileSet><SourceFile name="m.c"/></SourceFileSet>`
	for _, text := range []string{"#include \"/dev/zero\"\n", "#include \"m.c\"\n"} {
		if status, stdout := sourceFMU(t, set, map[string]string{"sources/m.c": text}); status != 1 ||
			!strings.Contains(stdout, "F-SRC-5") {
			t.Errorf("%s: status %d, %s", text, status, stdout)
		}
	}
}
