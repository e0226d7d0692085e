package check_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/harness/tests/testrun"
)

// tiny has the parts of a small FMU. An empty part means the part of a valid FMU.
type tiny struct {
	prolog, root, interfaces, lists, variables, structure, annotations string
	files                                                              map[string]string // beside the description
	bytes                                                              func(text string) []byte
	pack                                                               func(w *zip.Writer, description []byte)
}

const (
	terminalsFile = "terminalsAndIcons/terminalsAndIcons.xml"
	declaration   = `<?xml version="1.0" encoding="UTF-8"?>`
	input2        = `<ScalarVariable name="u" valueReference="1" causality="input"><Real start="0"/>` +
		`</ScalarVariable>`
	output2    = `<ScalarVariable name="y" valueReference="2" causality="output"><Real/></ScalarVariable>`
	structure2 = `<Outputs><Unknown index="2"/></Outputs><InitialUnknowns><Unknown index="2"/></InitialUnknowns>`
	time3      = `<Float64 name="time" valueReference="0" causality="independent"/>`
	input3     = `<Float64 name="u" valueReference="1" causality="input" start="0"/>`
	output3    = `<Float64 name="y" valueReference="2" causality="output"/>`
	structure3 = `<Output valueReference="2"/><InitialUnknown valueReference="2"/>`
)

// description writes the model description.
func (f tiny) description(version int) string {
	number := "2.0"
	token, variables, structure := "guid", input2+output2, structure2
	if version == 3 {
		number, token, variables, structure = "3.0", "instantiationToken", time3+input3+output3, structure3
	}
	root := fmt.Sprintf(` fmiVersion="%s" modelName="m" %s="{t}" %s`, number, token, f.root)
	if strings.Contains(f.root, "fmiVersion") {
		root = fmt.Sprintf(` modelName="m" %s="{t}" %s`, token, f.root)
	}
	interfaces := cmp.Or(f.interfaces, `<CoSimulation modelIdentifier="m"/>`)
	return fmt.Sprintf(`%s<fmiModelDescription%s>%s%s<ModelVariables>%s</ModelVariables><ModelStructure>%s`+
		`</ModelStructure>%s</fmiModelDescription>`, cmp.Or(f.prolog, declaration), root, interfaces, f.lists,
		cmp.Or(f.variables, variables), strings.TrimPrefix(cmp.Or(f.structure, structure), "none"), f.annotations)
}

// findings writes the FMU and checks it.
func (f tiny) findings(t *testing.T, version int) []check.Finding {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.fmu")
	if err := os.WriteFile(path, f.archive(t, version), 0o600); err != nil {
		t.Fatal(err)
	}
	findings, err := check.FMU(path)
	if err != nil {
		t.Errorf("error %v", err)
	}
	return findings
}

// archive writes the FMU.
func (f tiny) archive(t *testing.T, version int) []byte {
	t.Helper()
	data := []byte(f.description(version))
	if f.bytes != nil {
		data = f.bytes(string(data))
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if f.pack != nil {
		f.pack(w, data)
	} else {
		put(w, zip.FileHeader{Name: "modelDescription.xml", Method: zip.Deflate}, data)
	}
	files := f.files
	if files == nil {
		files = map[string]string{map[int]string{2: "binaries/linux64/m.so",
			3: "binaries/x86_64-linux/m.so"}[version]: ""}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		put(w, zip.FileHeader{Name: name, Method: zip.Deflate}, []byte(files[name]))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// put adds an entry.
func put(w *zip.Writer, h zip.FileHeader, content []byte) {
	to, err := w.CreateHeader(&h)
	if err == nil {
		_, err = to.Write(content)
	}
	if err != nil {
		panic(err)
	}
}

// scalar is a variable of FMI 2.0, with attributes behind its name and its value reference.
func scalar(name string, reference int, attributes, value string) string {
	return fmt.Sprintf(`<ScalarVariable name="%s" valueReference="%d" %s>%s</ScalarVariable>`+
		``, name, reference, attributes,
		value)
}

// charset declares an encoding and writes each character as its byte.
func charset(name string) func(text string) []byte {
	return func(text string) []byte {
		text = strings.Replace(text, "UTF-8", name, 1)
		var b []byte
		for _, c := range text {
			b = append(b, byte(c))
		}
		return b
	}
}

// terminals is a file of terminals beside a library.
func terminals(platform, list string) map[string]string {
	return map[string]string{"binaries/" + platform + "/m.so": "",
		terminalsFile: declaration + `<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals>` +
			`` + list + `</Terminals></fmiTerminalsAndIcons>`}
}

// built are the sources m.c and a build description, without a library.
func built(version, identifier, file string) map[string]string {
	return map[string]string{"sources/m.c": "", "sources/buildDescription.xml": declaration + fmt.Sprintf(
		`<fmiBuildDescription fmiVersion="%s"><BuildConfiguration modelIdentifier="%s"><SourceFileSet language="C99">`+
			`<SourceFile name="%s"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>`, version, identifier, file)}
}

// dialect is an allowed difference from the FMUs of this module, and a similar FMU that violates the standard.
type dialect struct {
	what    string
	version int
	legal   tiny
	notes   string // rules of warnings and hints that the legal one is told
	broken  tiny   // none where the standard allows everything
	rule    string // which it breaks
}

var dialects = []dialect{
	{"encoding ISO-8859-1", 2, tiny{root: `author="Mülle" `, bytes: charset("ISO-8859-1")}, "F-XML-3", tiny{}, ""},
	{"encoding windows-1252", 3, tiny{root: `author="Mülle"`, bytes: charset("windows-1252")}, "F-XML-3",
		tiny{}, ""},
	{"UTF-8 with a byte order mark", 2, tiny{prolog: "\xef\xbb\xbf" + declaration}, "", tiny{}, ""},
	{"UTF-16", 3, tiny{bytes: func(text string) []byte {
		b := []byte{0xff, 0xfe}
		for _, c := range strings.Replace(text, "UTF-8", "UTF-16", 1) {
			b = append(b, byte(c), 0)
		}
		return b
	}}, "F-XML-3", tiny{}, ""},
	{"no declaration", 2, tiny{prolog: "\n"}, "", tiny{}, ""},
	{"date with fraction and offset", 2,
		tiny{root: `generationDateAndTime="2024-05-21T11:14:39.717437+00:00"`}, "F-XML-9",
		tiny{root: `generationDateAndTime="2024-05-21T11:14:39.717437+0000"`}, "F-XML-1"},
	{"date without zone", 2, tiny{root: `generationDateAndTime="2024-11-15T16:00:38"`}, "F-XML-9",
		tiny{root: `generationDateAndTime="2024-11-15 16:00:38"`}, "F-XML-1"},
	{"last moment of a day", 3, tiny{root: `generationDateAndTime="2024-02-29T24:00:00Z"`}, "",
		tiny{root: `generationDateAndTime="2023-02-29T12:00:00Z"`}, "F-XML-1"},
	{"date with a far zone", 3, tiny{root: `generationDateAndTime="2024-02-29T12:00:00.5-14:00"`}, "F-XML-9",
		tiny{root: `generationDateAndTime="2024-02-29T12:00:00-14:30"`}, "F-XML-1"},
	{"patch level of FMI 3.0", 3, tiny{root: `fmiVersion="3.0.2"`}, "", tiny{}, ""},
	{"next minor version", 3, tiny{root: `fmiVersion="3.1-alpha.1"`,
		interfaces: `<CoSimulation modelIdentifier="m" canDoMore="true"/>`}, "F-XML-6",
		tiny{interfaces: `<CoSimulation modelIdentifier="m" canInterpolateInputs="true"/>`}, "F-XML-4"},
	{"model exchange alone", 2, tiny{interfaces: `<ModelExchange modelIdentifier="m"/>` +
		``, root: `numberOfEventIndicators="0"`},
		"", tiny{interfaces: " "}, "F-XML-7"},
	{"model exchange alone", 3, tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`}, "",
		tiny{interfaces: `<ModelExchange modelIdentifier="m n"/>`}, "F-BIN-1"},
	{"scheduled execution", 3, tiny{interfaces: `<ScheduledExecution modelIdentifier="m"/>`,
		variables: time3 + `<Clock name="c" valueReference="1" causality="input" priority="1" ` +
			`intervalVariability="constant"` +
			` intervalDecimal="0.01"/><Int32 name="y" valueReference="2" causality="output" clocks="1"/>`}, "",
		tiny{interfaces: `<ScheduledExecution modelIdentifier="m"/>`, variables: time3 +
			`<Clock name="c" valueReference="1" causality="input" intervalVariability="triggered"/>` +
			`` + output3}, "F-CLK-3"},
	{"both interfaces, co-simulation first", 2, tiny{interfaces: `<CoSimulation modelIdentifier="m"/>` +
		`<ModelExchange modelIdentifier="m"/>`}, "", tiny{lists: `<LogCategories><Category name="a"/>` +
		`</LogCategories>` +
		`<TypeDefinitions><SimpleType name="T"><Real/></SimpleType></TypeDefinitions>`}, "F-XML-2"},
	{"flags as 1 and 0", 2, tiny{interfaces: `<CoSimulation modelIdentifier="m" canGetAndSetFMUstate="1" ` +
		`canSerializeFMUstate="1" canHandleVariableCommunicationStepSize=" true " canRunAsynchronuously="0"/>`}, "",
		tiny{interfaces: `<CoSimulation modelIdentifier="m" canSerializeFMUstate="1"/>`}, "F-FLG-1"},
	{"sources only", 2, tiny{interfaces: `<CoSimulation modelIdentifier="m"><SourceFiles><File name="m.c"/>` +
		`</SourceFiles>` +
		`</CoSimulation>`, files: map[string]string{"sources/m.c": ""}}, "",
		tiny{interfaces: `<CoSimulation modelIdentifier="m"><SourceFiles><File name="n.c"/></SourceFiles>` +
			`</CoSimulation>`,
			files: map[string]string{"sources/m.c": ""}}, "F-SRC-1"},
	{"sources only", 3, tiny{files: map[string]string{"sources/m.c": "",
		"sources/buildDescription.xml": declaration +
			`<fmiBuildDescription fmiVersion="3.0"><BuildConfiguration modelIdentifier="m"><SourceFileSet ` +
			`language="C99">` +
			`<SourceFile name="m.c"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>`}}, "",
		tiny{files: map[string]string{"resources/m.c": ""}}, "F-BIN-3"},
	{"sources that others include", 2, tiny{interfaces: `<CoSimulation modelIdentifier="m"><SourceFiles>` +
		`<File name="all.c"/></SourceFiles></CoSimulation>`, files: map[string]string{
		"sources/all.c": "#include <stdio.h>\n # include \"a/m.c\"\n", "sources/a/m.c": "#include \"n.cpp\"",
		"sources/a/n.cpp": "#include \"../all.c\"", "sources/a/m.h": ""}}, "", tiny{}, ""},
	{"sources of one interface", 2, tiny{interfaces: `<ModelExchange modelIdentifier="m"><SourceFiles>` +
		`<File name="m.c"/></SourceFiles></ModelExchange><CoSimulation modelIdentifier="m"/>`,
		files: map[string]string{"sources/m.c": "", "sources/n.c": "", "binaries/linux64/m.so": ""}}, "F-SRC-3",
		tiny{interfaces: `<CoSimulation modelIdentifier="m"><SourceFiles><File name="../m.c"/></SourceFiles>` +
			`</CoSimulation>`, files: map[string]string{"m.c": "", "sources/n.h": ""}}, "F-SRC-1"},
	{"a build description goes before the list of an interface", 2, tiny{
		interfaces: `<CoSimulation modelIdentifier="m"><SourceFiles><File name="n.c"/></SourceFiles></CoSimulation>`,
		files:      built("3.0", "m", "m.c")}, "",
		tiny{interfaces: `<CoSimulation modelIdentifier="m"><SourceFiles><File name="m.c"/></SourceFiles></CoSimulation>`,
			files: built("3.0", "m", "n.c")}, "F-SRC-1"},
	{"a build description that leaves out a file", 3, tiny{files: map[string]string{"sources/n.c": "",
		"sources/buildDescription.xml": built("3.0", "m", "m.c")["sources/buildDescription.xml"], "sources/m.c": ""}},
		"F-SRC-3", tiny{}, ""},
	{"a build description of another version", 3, tiny{files: built("3.0.1", "m", "m.c")}, "F-SRC-4",
		tiny{files: map[string]string{"sources/buildDescription.xml": "<a"}}, "F-SRC-1"},
	{"a build description of another model", 3, tiny{files: built("3.0", "n", "m.c")}, "F-SRC-4", tiny{}, ""},
	{"a build description of FMI 2.0", 2, tiny{files: built("2.0", "m", "m.c")}, "F-SRC-4", tiny{}, ""},
	{"sources without a build description", 3, tiny{files: map[string]string{"sources/m.c": ""}}, "F-SRC-3",
		tiny{}, ""},
	{"sources that were left out beside a library", 2, tiny{interfaces: `<CoSimulation modelIdentifier="m">` +
		`<SourceFiles>` +
		`<File name="m.c"/></SourceFiles></CoSimulation>`}, "F-SRC-2", tiny{files: map[string]string{}}, "F-BIN-3"},
	{"static libraries and helpers of a platform", 2, tiny{files: map[string]string{"binaries/linux64/m.so": "",
		"binaries/linux64/libhelper.so": "", "binaries/win32/VisualStudio8/m.lib": "",
		"binaries/win64/readme.txt": ""}}, "",
		tiny{files: map[string]string{"binaries/linux64/n.so": ""}}, "F-BIN-3"},
	{"a platform with helpers only", 3, tiny{files: map[string]string{"binaries/x86_64-linux/m.so": "",
		"binaries/aarch64-linux/n.so": ""}}, "F-BIN-2",
		tiny{files: map[string]string{"binaries/linux64/m.so": ""}}, "F-BIN-5"},
	{"folders, extra files and layered standards", 3,
		tiny{files: map[string]string{"binaries/x86_64-linux/m.so": "",
			"extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml": "<a/>", "vendor/x y.bin": "", "model.png": "",
			"documentation/index.html": "", "documentation/licenses/license.spdx": ""}}, "",
		tiny{files: map[string]string{"binaries/x86_64-linux/m.so": "", "documentation/licenses/MIT.txt": ""}},
		"F-DOC-1"},
	{"hidden files and names beyond ASCII", 2, tiny{files: map[string]string{"binaries/linux64/m.so": "",
		".DS_Store":            "",
		"resources/Kühler.csv": ""}}, "F-ZIP-5", tiny{files: map[string]string{`binaries\linux64\m.so`: ""}},
		"F-ZIP-4"},
	{"stored entries and entries of folders", 2, tiny{pack: func(w *zip.Writer, data []byte) {
		w.CreateRaw(&zip.FileHeader{Name: "binaries/", Method: zip.Store, ReaderVersion: 10})
		w.CreateRaw(&zip.FileHeader{Name: "resources/", Method: zip.Deflate, Flags: 8, ReaderVersion: 20})
		raw(w, zip.FileHeader{Name: "modelDescription.xml", ReaderVersion: 10}, data)
	}}, "", tiny{pack: func(w *zip.Writer, data []byte) {
		put(w, zip.FileHeader{Name: "modelDescription.xml", Method: zip.Store}, data) // with its size behind it
	}}, "F-ZIP"},
	{"sizes behind deflated entries", 3, tiny{pack: func(w *zip.Writer, data []byte) {
		put(w, zip.FileHeader{Name: "modelDescription.xml", Method: zip.Deflate}, data)
	}}, "", tiny{pack: func(w *zip.Writer, data []byte) {
		raw(w, zip.FileHeader{Name: "modelDescription.xml", ReaderVersion: 45}, data)
	}}, "F-ZIP"},
	{"no structure but its element", 2, tiny{variables: input2, structure: "none"}, "",
		tiny{structure: "none"}, "F-MST-1"},
	{"no structure but its element", 3, tiny{variables: time3, structure: "none"}, "", tiny{structure: "none"},
		"F-MST-1"},
	{"initial unknowns are absent", 2, tiny{structure: `<Outputs><Unknown index="2"/></Outputs>`}, "F-MST-3",
		tiny{structure: structure2 + `<Derivatives><Unknown index="1"/></Derivatives>`}, "F-MST-2"},
	{"initial unknowns are absent", 3, tiny{structure: `<Output valueReference="2"/>`}, "F-MST-3",
		tiny{structure: structure3 + `<InitialUnknown valueReference="9"/>`}, "F-MST-5"},
	{"outputs in any order", 2, tiny{variables: output2 + scalar("z", 3, `causality="output"`, "<Real/>"),
		structure: `<Outputs><Unknown index="2"/><Unknown index="1"/></Outputs><InitialUnknowns><Unknown ` +
			`index="1"/>` +
			`<Unknown index="2"/></InitialUnknowns>`}, "",
		tiny{variables: output2 + scalar("z", 3, `causality="output"`, "<Real/>"),
			structure: `<Outputs><Unknown index="2"/><Unknown index="1"/></Outputs><InitialUnknowns><Unknown ` +
				`index="2"/>` +
				`<Unknown index="1"/></InitialUnknowns>`}, "F-MST-6"},
	{"dependencies on parameters, twice", 2, tiny{variables: input2 + output2 +
		scalar("p", 3, `causality="calculatedParameter" variability="fixed"`, "<Real/>"), structure: `<Outputs>` +
		`<Unknown index="2" dependencies="1 1 3" dependenciesKind="dependent fixed tunable"/></Outputs>` +
		`<InitialUnknowns>` +
		`<Unknown index="2"/><Unknown index="3"/></InitialUnknowns>`}, "F-MST-7",
		tiny{structure: `<Outputs><Unknown index="2" dependencies="1" dependenciesKind=""/></Outputs>`}, "F-MST-5"},
	{"states of an FMU for co-simulation", 2, tiny{variables: scalar("x", 1, `initial="exact"`, `<Real `+
		`start="0"/>`) +
		scalar("der(x)", 2, ``, `<Real derivative="1"/>`) + scalar("y", 3, `causality="output"`, "<Real/>"),
		structure: `<Outputs><Unknown index="3" dependencies="1"/></Outputs><Derivatives><Unknown index="2"/>` +
			`</Derivatives>` +
			`<InitialUnknowns><Unknown index="2" dependencies="1"/><Unknown index="3"/></InitialUnknowns>`}, "",
		tiny{variables: scalar("x", 1, ``, `<Real/>`) + scalar("y", 2, `causality="output"`, `<Real `+
			`derivative="7"/>`)},
		"F-VAR-8"},
	{"derivative of a discrete variable", 2, tiny{variables: scalar("x", 1, `variability="discrete"`, `<Real/>`) +
		scalar("y", 2, `causality="output"`, `<Real derivative="1"/>`)}, "F-VAR-16", tiny{}, ""},
	{"reinit of a state", 2, tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`,
		variables: scalar("x", 1, `initial="exact"`, `<Real reinit="true" start="0"/>`) + scalar("y", 2,
			`causality="output"`, `<Real derivative="1"/>`)}, "",
		tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`, variables: input2 + scalar("y", 2,
			`causality="output"`, `<Real reinit="true"/>`)}, "F-VAR-8"},
	{"inputs that may be set once", 2, tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`,
		variables: scalar("u", 1, `causality="input" canHandleMultipleSetPerTimeInstant="false"`, `<Real `+
			`start="0"/>`) +
			output2}, "", tiny{variables: scalar("u", 1, `causality="input" `+
		`canHandleMultipleSetPerTimeInstant="false"`,
		`<Real start="0"/>`) + output2}, "F-VAR-9"},
	{"value references beyond 2^31", 2, tiny{variables: scalar("u", 4294967295, `causality="input"`, `<Real `+
		`start="0"/>`) +
		output2}, "F-VAR-13", tiny{variables: scalar("u", -1, `causality="input"`, `<Real start="0"/>`+
		``) + output2}, "F-VAR-4"},
	{"aliases", 2, tiny{variables: scalar("p", 1, `causality="parameter" variability="fixed"`, `<Real `+
		`start="1"/>`) +
		scalar("y", 1, `causality="output"`, `<Real/>`)}, "", tiny{variables: input2 + output2 +
		scalar("p", 1, `causality="parameter" variability="fixed"`, `<Real start="1"/>`)}, "F-VAR-14"},
	{"constants with one reference", 2, tiny{variables: scalar("a", 1, `variability="constant"`, `<Integer `+
		`start="1"/>`) +
		output2 + scalar("b", 1, `variability="constant"`, `<Integer start="1"/>`)}, "",
		tiny{variables: scalar("a", 1, `variability="constant"`, `<Integer start="1"/>`) + output2 +
			scalar("b", 1, `variability="constant"`, `<Integer start="2"/>`)}, "F-VAR-14"},
	{"aliases", 3, tiny{variables: time3 + input3 + `<Float64 name="y" valueReference="2" causality="output">` +
		`<Alias name="z" description="the same"/><Alias name="w"/></Float64>`}, "",
		tiny{variables: time3 + input3 + `<Float64 name="y" valueReference="2" causality="output"><Alias ` +
			`name="u"/></Float64>`},
		"F-VAR-5"},
	{"variability by default", 2, tiny{variables: input2 + scalar("y", 2, `causality="output"`, `<Integer/>`+
		``)}, "F-VAR-12",
		tiny{variables: input2 + scalar("y", 2, `causality="output" variability="continuous"`, `<Integer/>`+
			``)}, "F-VAR-2"},
	{"units without definition", 2, tiny{variables: scalar("u", 1, `causality="input"`, `<Real unit="furlong" `+
		`start="0"/>`) +
		output2}, "F-UNI-5", tiny{variables: scalar("u", 1, `causality="input"`,
		`<Real unit="furlong" displayUnit="m" start="0"/>`) + output2}, "F-UNI-6"},
	{"units", 3, tiny{lists: `<UnitDefinitions><Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" ` +
		`factor="1000"/>` +
		`<DisplayUnit name="1/mm" factor="1000" inverse="true"/></Unit></UnitDefinitions>` +
		``, variables: time3 + output3 +
		`<Float64 name="u" valueReference="1" causality="input" unit="m" displayUnit="mm" start="0"/>`}, "",
		tiny{variables: time3 + output3 + `<Float64 name="u" valueReference="1" causality="input" unit="m" ` +
			`start="0"/>`},
		"F-UNI-4"},
	{"unit by the type", 2, tiny{lists: `<UnitDefinitions><Unit name="K"><BaseUnit K="1"/><DisplayUnit ` +
		`name="degC" ` +
		`offset="-273.15"/></Unit></UnitDefinitions><TypeDefinitions><SimpleType name="Temperature"><Real ` +
		`unit="K"/>` +
		`</SimpleType></TypeDefinitions>`, variables: scalar("u", 1, `causality="input"`,
		`<Real declaredType="Temperature" displayUnit="degC" start="300"/>`) + output2}, "",
		tiny{variables: scalar("u", 1, `causality="input"`, `<Real declaredType="Temperature" start="300"/>`+
			``) + output2},
		"F-TYP-3"},
	{"infinite limits", 3, tiny{variables: time3 + output3 +
		`<Float64 name="u" valueReference="1" causality="input" min="-INF" max="INF" start="NaN"/>`}, "",
		tiny{variables: time3 + output3 + `<Float64 name="u" valueReference="1" causality="input" ` +
			`start="inf"/>`}, "F-XML-1"},
	{"the largest number in 16 digits", 2, tiny{variables: scalar("u", 1, `causality="input"`,
		`<Real min="-1.797693134862316E+308" max="1.797693134862316E+308" start="0."/>`) + output2}, "",
		tiny{variables: scalar("u", 1, `causality="input"`, `<Real max="NaN" start="0"/>`) + output2}, "F-XML-1"},
	{"limits out of order", 2, tiny{variables: scalar("u", 1, `causality="input"`, `<Real min="1" max="2" `+
		`start="3"/>`) +
		output2}, "F-VAR-7", tiny{variables: scalar("u", 1, `causality="input"`, `<Real max="INF" start="3"/>`+
		``) + output2},
		"F-XML-1"},
	{"arrays", 3, tiny{variables: time3 + output3 +
		`<UInt64 name="n" valueReference="3" causality="structuralParameter" variability="tunable" start="2"/>` +
		`<UInt64 name="k" valueReference="4" variability="constant" start="2"/>` +
		`<Float32 name="A" valueReference="5" causality="parameter" start="1 2&#10;3 4"><Dimension ` +
		`valueReference="3"/>` +
		`<Dimension valueReference="4"/></Float32>` +
		`<Float64 name="B" valueReference="6" causality="input" start="1"><Dimension start="3"/></Float64>`}, "",
		tiny{variables: time3 + output3 + `<UInt64 name="n" valueReference="3" ` +
			`causality="structuralParameter" start="0"/>` +
			`<Float64 name="A" valueReference="5" causality="input" start="1"><Dimension valueReference="3"/>` +
			`</Float64>`},
		"F-VAR-10"},
	{"structural parameters without arrays", 3, tiny{variables: time3 + output3 +
		`<Boolean name="b" valueReference="3" causality="structuralParameter" variability="fixed" ` +
		`start="true"/>`}, "",
		tiny{variables: time3 + output3 + `<UInt64 name="n" valueReference="3" ` +
			`causality="structuralParameter" start="1 1">` +
			`<Dimension start="2"/></UInt64>`}, "F-VAR-10"},
	{"all types", 3, tiny{lists: `<TypeDefinitions><EnumerationType name="Gear"><Item name="low" value="-1"/>` +
		`<Item ` +
		`name="high" value="1"/></EnumerationType></TypeDefinitions>`, variables: time3 + output3 +
		`<Enumeration name="gear" valueReference="5" causality="parameter" declaredType="Gear" start="-1"/>` +
		`<Int8 name="a" valueReference="6" causality="input" start="-128"/>` +
		`<UInt64 name="b" valueReference="7" causality="input" start="+18446744073709551615"/>` +
		`<String name="'any thing'" valueReference="8" causality="parameter"><Start value=""/></String>` +
		`<Binary name="blob" valueReference="9" causality="input" mimeType="x" maxSize="2"><Start ` +
		`value="0aFF"/></Binary>` +
		`<Binary name="none" valueReference="10" causality="input"><Start value=""/></Binary>`}, "",
		tiny{variables: time3 + output3 + `<Int8 name="a" valueReference="6" causality="input" start="128"/>` +
			``}, "F-XML-1"},
	{"enumerations", 2, tiny{lists: `<TypeDefinitions><SimpleType name="Gear"><Enumeration><Item name="low" ` +
		`value="-1"/>` +
		`<Item name="high" value="7"/></Enumeration></SimpleType></TypeDefinitions>`, variables: output2 + input2 +
		scalar("g", 3, `causality="parameter" variability="fixed"`, `<Enumeration declaredType="Gear" `+
			`min="-1" start="7"/>`),
		structure: strings.ReplaceAll(structure2, "2", "1")}, "",
		tiny{lists: `<TypeDefinitions><SimpleType name="Gear"><Enumeration/></SimpleType></TypeDefinitions>` +
			``}, "F-TYP-2"},
	{"clocks", 3, tiny{variables: time3 + `<Clock name="c" valueReference="1" causality="local" ` +
		`intervalVariability=` +
		`"countdown"/><Clock name="d" valueReference="4" causality="input" intervalVariability="fixed" ` +
		`intervalDecimal="1" ` +
		`shiftDecimal="0" supportsFraction="true" resolution="10" intervalCounter="10"/>` +
		`<Int32 name="y" valueReference="2" causality="output" clocks="1 4" previous="3"/>` +
		`<Int32 name="before" valueReference="3" clocks="1"/>`,
		structure: `<Output valueReference="2" dependencies="1"/><ClockedState valueReference="2"/>` +
			`<InitialUnknown valueReference="3"/>`}, "",
		tiny{variables: time3 + `<Clock name="c" valueReference="1" causality="local" ` +
			`intervalVariability="sometimes"/>` +
			output3}, "F-CLK-3"},
	{"no clocked states", 3, tiny{}, "", tiny{structure: structure3 + `<ClockedState valueReference="2"/>`}, "F-MST-9"},
	{"what is clocked", 3, tiny{variables: time3 + `<Clock name="c" valueReference="1" causality="output" ` +
		`intervalVariability="triggered"/><Float64 name="y" valueReference="2" causality="output" ` +
		`variability="discrete" ` +
		`clocks="1"/>`, structure: `<Output valueReference="1"/><Output valueReference="2"/>`}, "",
		tiny{variables: time3 + input3 + `<Int32 name="y" valueReference="2" causality="output" clocks="1"/>` +
			``}, "F-CLK-1"},
	{"previous values", 3, tiny{variables: time3 + `<Clock name="c" valueReference="1" causality="input" ` +
		`intervalVariability="triggered"/><Int32 name="y" valueReference="2" causality="output" clocks="1" ` +
		`previous="3"/>` +
		`<Int32 name="before" valueReference="3"/>`, structure: `<Output valueReference="2"/>`}, "",
		tiny{variables: time3 + `<Clock name="c" valueReference="1" causality="input" ` +
			`intervalVariability="triggered"/>` +
			`<Int32 name="y" valueReference="2" causality="output" clocks="1" previous="2"/>`}, "F-CLK-2"},
	{"intermediate update", 3, tiny{interfaces: `<CoSimulation modelIdentifier="m" ` +
		`providesIntermediateUpdate="true" ` +
		`canReturnEarlyAfterIntermediateUpdate="true" hasEventMode="true" fixedInternalStepSize="1E-3"/>` +
		``, variables: output3 +
		`<Float64 name="time" valueReference="0" causality="independent" intermediateUpdate="true"/>` +
		`<Float64 name="u" valueReference="1" causality="input" intermediateUpdate="true" start="0"/>`}, "",
		tiny{variables: time3 + output3 + `<Int32 name="u" valueReference="1" causality="input" ` +
			`intermediateUpdate="true" ` +
			`start="0"/>`}, "F-VAR-15"},
	{"event indicators", 3, tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`, variables: time3 + output3 +
		`<Float64 name="z" valueReference="3"/>`, structure: structure3 + `<EventIndicator ` +
		`valueReference="3"/>`}, "",
		tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`, variables: time3 + output3 +
			`<Float64 name="z" valueReference="3"/>`, structure: structure3 + `<InitialUnknown ` +
			`valueReference="3"/>` +
			`<EventIndicator valueReference="3"/>`}, "F-MST-4"},
	{"annotations of vendors", 2, tiny{lists: `<VendorAnnotations><Tool name="a"><x xmlns="urn:x" y="1"><y/>` +
		`</x></Tool>` +
		`</VendorAnnotations>`, variables: input2 + scalar("y", 2, `causality="output"`,
		`<Real/><Annotations><Tool name="a"><z/></Tool></Annotations>`)}, "", tiny{lists: `<Vendor/>`}, "F-XML-4"},
	{"annotations everywhere", 3, tiny{interfaces: `<CoSimulation modelIdentifier="m"><Annotations>` +
		`<Annotation type="a.b">` +
		`text<x/></Annotation></Annotations></CoSimulation>`, annotations: `<Annotations><Annotation ` +
		`type="a.b"/></Annotations>`,
		variables: time3 + input3 + `<Float64 name="y" valueReference="2" causality="output"><Annotations>` +
			`<Annotation ` +
			`type="a.b"/></Annotations></Float64>`}, "", tiny{lists: `<Annotations/>`}, "F-XML-2"},
	{"attributes with a namespace", 3, tiny{root: `xmlns:v="urn:vendor" xmlns:xsi="http://www.w3.org/2001/` +
		`XMLSchema-instance" xsi:noNamespaceSchemaLocation="fmi3ModelDescription.xsd"`,
		interfaces: `<CoSimulation modelIdentifier="m" v:canFly="true" v:modelIdentifier="n"/>`}, "F-XML-8",
		tiny{root: `xmlns:v="urn:vendor" v:x="1"`}, "F-XML-4"},
	{"attributes of the other version", 3, tiny{}, "", tiny{root: `guid="{t}"`}, "F-XML-4"},
	{"no list of derivatives", 2, tiny{}, "", tiny{structure: structure2 + `<Derivatives/>`}, "F-XML-2"},
	{"patch level of FMI 2.0", 2, tiny{}, "", tiny{root: `fmiVersion="2.0.4"`}, "F-XML-11"},
	{"versions of files", 3, tiny{root: `fmiVersion="3.0.1"`, files: terminals("x86_64-linux", "")}, "F-TER-7",
		tiny{variables: time3 + input3 + output3 + `<Float128 name="x" valueReference="9"/>`}, "F-XML-4"},
	{"intervals by types of clocks", 3, tiny{lists: `<TypeDefinitions><ClockType name="T" intervalVariability="fixed" ` +
		`intervalDecimal="0.1"/></TypeDefinitions>`, variables: time3 + input3 + output3 + `<Clock name="c" ` +
		`valueReference="3" causality="input" declaredType="T" intervalVariability="fixed"/>`}, "",
		tiny{variables: time3 + input3 + output3 + `<Clock name="c" valueReference="3" causality="input" ` +
			`intervalVariability="fixed"/>`}, "F-CLK-3"},
	{"initial clocks", 3, tiny{variables: time3 + `<Clock name="c" valueReference="2" causality="output" ` +
		`intervalVariability="triggered"/>`}, "", tiny{variables: time3 + `<Clock name="c" valueReference="2" ` +
		`causality="output" intervalVariability="triggered" priority="1"/>`}, "F-CLK-3"},
	{"log categories", 2, tiny{lists: `<LogCategories><Category name="logAll" description="d"/><Category ` +
		`name="mine"/>` +
		`</LogCategories>`}, "", tiny{lists: `<LogCategories><Category name="a"/><Category name="a"/>` +
		`</LogCategories>`},
		"F-LOG-1"},
	{"a default experiment with a start only", 2, tiny{lists: `<DefaultExperiment startTime="100"/>`}, "",
		tiny{lists: `<DefaultExperiment startTime="now"/>`}, "F-XML-1"},
	{"a step beyond the stop", 3, tiny{lists: `<DefaultExperiment stopTime="1" stepSize="2"/>` +
		``}, "F-EXP-1", tiny{}, ""},
	{"naming convention", 3, tiny{root: `variableNamingConvention="flat"`}, "",
		tiny{root: `variableNamingConvention="nested"`}, "F-XML-1"},
	{"names that are not structured", 2, tiny{root: `variableNamingConvention="structured"`,
		variables: scalar("Band-Limited input", 1, `causality="input"`, `<Real start="0"/>`) + output2}, "F-VAR-6",
		tiny{variables: scalar("", 1, `causality="input"`, `<Real start="0"/>`) + output2}, "F-VAR-5"},
	{"structured names", 3, tiny{root: `variableNamingConvention="structured"`, variables: time3 + output3 +
		`<Float64 name="der(a[1,2].'b c'.d_1,2)" valueReference="1" causality="input" start="0"/>` +
		``}, "", tiny{}, ""},
	{"no independent variable", 2, tiny{}, "", tiny{variables: input2 + output2 +
		strings.Repeat(scalar("t", 3, `causality="independent"`, `<Real/>`), 2)}, "F-VAR-3"},
	{"a start of what is initially approx", 2, tiny{variables: input2 + scalar("y", 2, `causality="output" `+
		`initial="approx"`,
		`<Real start="1"/>`)}, "", tiny{variables: input2 + scalar("y", 2, `causality="output" `+
		`initial="approx"`, `<Real/>`)},
		"F-VAR-1"},
	{"initial of an input", 3, tiny{variables: time3 + output3 +
		`<Float64 name="u" valueReference="1" causality="input" initial="exact" start="0"/>`}, "",
		tiny{variables: time3 + output3 +
			`<Float64 name="u" valueReference="1" causality="input" initial="approx" start="0"/>`}, "F-VAR-11"},
	{"third-party rules for terminals", 3, tiny{files: terminals("x86_64-linux", `<Terminal name="a" `+
		`matchingRule="org.fmi-ls-bus.network-`+
		`terminal"><TerminalMemberVariable variableName="u" variableKind="signal"/></Terminal>`)}, "",
		tiny{files: terminals("x86_64-linux", `<Terminal name="a" matchingRule="socket"/>`)}, "F-TER-3"},
	{"terminals of FMI 2.0", 2, tiny{files: terminals("linux64", `<Terminal name="a" matchingRule="plug" `+
		`terminalKind="k">`+
		`<TerminalMemberVariable variableName="u" memberName="u" variableKind="com.example.kind"/>`+
		`<Terminal name="a" matchingRule="sequence"/></Terminal>`)}, "F-TER-6",
		tiny{files: terminals("linux64", `<Terminal name="a" matchingRule="bus"><TerminalMemberVariable `+
			`variableName="u" `+
			`variableKind="signal"/></Terminal>`)}, "F-TER-2"},
	{"flipped icons", 3, tiny{files: map[string]string{"binaries/x86_64-linux/m.so": "",
		"terminalsAndIcons/icon.png": "",
		terminalsFile: `<fmiTerminalsAndIcons fmiVersion="3.0"><GraphicalRepresentation>` +
			`<CoordinateSystem x1="0" y1="0" x2="1" y2="1"/><Icon x1="1" y1="0" x2="0" y2="1"/>` +
			`</GraphicalRepresentation>` +
			`</fmiTerminalsAndIcons>`}}, "",
		tiny{files: map[string]string{"binaries/x86_64-linux/m.so": "", terminalsFile: `<a ` +
			`fmiVersion="3.0"><GraphicalRepresentation><CoordinateSystem x1="1" y1="0" x2="0" y2="1"/>` +
			`</GraphicalRepresentation></a>`}}, "F-TER-4"},
}

// raw adds an entry that is stored with its size in front.
func raw(w *zip.Writer, h zip.FileHeader, content []byte) {
	h.CRC32 = crc32.ChecksumIEEE(content)
	h.CompressedSize64, h.UncompressedSize64 = uint64(len(content)), uint64(len(content))
	to, err := w.CreateRaw(&h)
	if err == nil {
		_, err = to.Write(content)
	}
	if err != nil {
		panic(err)
	}
}

// A legal FMU gives no error, however it differs from our own FMUs, and only the warnings and hints of its row. The
// illegal form of the row breaks the rule of the row.
func TestLegalFMUsHaveNoErrors(t *testing.T) {
	for _, d := range dialects {
		t.Run(fmt.Sprintf("%s %d", strings.ReplaceAll(d.what, " ", "-"), d.version), func(t *testing.T) {
			var notes []string
			for _, f := range d.legal.findings(t, d.version) {
				if f.Grade == check.Error {
					t.Errorf("the legal FMU: %v", f)
				}
				notes = append(notes, f.Rule)
			}
			slices.Sort(notes)
			if got := strings.Join(slices.Compact(notes), " "); got != d.notes {
				t.Errorf("the legal FMU is told %q, want %q", got, d.notes)
			}
			if d.rule == "" {
				return
			}
			found := d.broken.findings(t, d.version)
			if !slices.ContainsFunc(found,
				func(f check.Finding) bool { return f.Rule == d.rule && f.Grade == check.Error }) {
				t.Errorf("%s is not found: %v", d.rule, found)
			}
		})
	}
}

// A library behind backslashes has the names of its folders as the one fault; it is found all the same.
func TestBackslashesAreOneFault(t *testing.T) {
	for _, f := range (tiny{files: map[string]string{`binaries\linux64\m.so`: ""}}).findings(t, 2) {
		if f.Rule != "F-ZIP-4" {
			t.Error(f)
		}
	}
}

// A description of a Modelica tool with 50 000 variables and 10 MB is read, and takes time in proportion to its size.
func TestLargeDescriptionsAreRead(t *testing.T) {
	testrun.Slow(t)
	const n = 50_000
	var variables, derivatives strings.Builder
	for i := range n {
		of := i/2*2 + 1 // each second one is the derivative of the one before it
		value := `<Real start="0" reinit="true"/>`
		initial := "exact"
		if i%2 == 1 {
			value, initial = fmt.Sprintf(`<Real derivative="%d"/>`, of), "calculated"
			fmt.Fprintf(&derivatives, `<Unknown index="%d" dependencies=""/>`, i+1)
		}
		variables.WriteString(scalar(fmt.Sprintf("house.room[%d].wall.layer.state", i), i, fmt.Sprintf(
			`initial="%s" description="%s"`, initial, strings.Repeat("long text ", 8)), value))
	}
	f := tiny{interfaces: `<ModelExchange modelIdentifier="m"/>`, variables: variables.String(),
		structure: "<Derivatives>" + derivatives.String() + "</Derivatives><InitialUnknowns>" + derivatives.String() +
			"</InitialUnknowns>"}
	if size := len(f.description(2)); size < 10_000_000 {
		t.Fatalf("%d bytes", size)
	}
	if found := f.findings(t, 2); len(found) > 0 {
		t.Errorf("%d findings, first %v", len(found), found[0])
	}
}
