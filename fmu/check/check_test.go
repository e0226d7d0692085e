package check_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/fmu/fmutest"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/tests/testrun"
)

// save writes files as an archive, whatever they are called.
func save(t testing.TB, files map[string][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.fmu")
	saveAs(t, path, zip.Deflate, files)
	return path
}

func saveAs(t testing.TB, path string, method uint16, files map[string][]byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, content := range files {
		to, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		to.Write(content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// moved gives a file of an archive another name.
func moved(files map[string][]byte, from, to string) {
	files[to] = files[from]
	delete(files, from)
}

// valueReference reads the number of a variable in a model description.
func valueReference(t *testing.T, description []byte, name string) string {
	t.Helper()
	found := regexp.MustCompile(`name="` + regexp.QuoteMeta(name) +
		`" valueReference="(\d+)"`).FindSubmatch(description)
	if found == nil {
		t.Fatalf("no variable %s", name)
	}
	return string(found[1])
}

// Every mistake, made alone in a good FMU, is found by its rule.
func TestMistakesAreFound(t *testing.T) {
	testrun.Slow(t)
	const description, terminals = "modelDescription.xml", "terminalsAndIcons/terminalsAndIcons.xml"
	good := map[int]map[string][]byte{}
	for _, version := range []int{2, 3} {
		good[version], _ = fmutest.Pack(t, "../../resources/models/skidder.toml", version)
		if findings, err := check.FMU(save(t, good[version])); err != nil || len(findings) > 0 {
			t.Fatalf("FMI %d.0 without a mistake: %v %v", version, findings, err)
		}
	}
	for name, content := range good[3] { // which FMUs of 2.0 can have, too
		if strings.HasPrefix(name, "terminalsAndIcons/") {
			good[2][name] = content
		}
	}
	if findings, err := check.FMU(save(t, good[2])); err != nil || len(findings) > 0 {
		t.Fatalf("FMI 2.0 with terminals: %v %v", findings, err)
	}
	type edit func(files map[string][]byte)
	in := func(file, pattern, replacement string) edit {
		return func(files map[string][]byte) {
			re := regexp.MustCompile(pattern)
			at := re.FindIndex(files[file])
			if at == nil {
				t.Fatalf("%s does not hold %s", file, pattern)
			}
			changed := re.ReplaceAll(files[file][at[0]:at[1]], []byte(replacement))
			files[file] = append(append(append([]byte(nil), files[file][:at[0]]...), changed...),
				files[file][at[1]:]...)
		}
	}
	xml := func(pattern, replacement string) edit { return in(description, pattern, replacement) }
	for _, c := range []struct {
		rule    string
		version int
		edit    edit
	}{
		{"F-ZIP-4", 2, func(f map[string][]byte) { f[`resources\x`] = nil }},
		{"F-ZIP-4", 3, func(f map[string][]byte) { f["/x"] = nil }},
		{"F-ZIP-5", 3, func(f map[string][]byte) { f[".x"] = nil }},
		{"F-ZIP-5", 2, func(f map[string][]byte) { f["resources/Kennlinie für Reifen.txt"] = nil }},
		{"F-BIN-2", 2, func(f map[string][]byte) {
			moved(f, "binaries/linux64/ForestrySkidder.so", "binaries/linux64/Skidder.so")
		}},
		{"F-BIN-1", 3, xml(`modelIdentifier="ForestrySkidder"`, `modelIdentifier="Forestry-Skidder"`)},
		{"F-BIN-1", 2, xml(`modelIdentifier="ForestrySkidder"`, `modelIdentifier="../../resources/evil"`)},
		{"F-BIN-1", 3, func(f map[string][]byte) {
			long := strings.Repeat("x", 250) // with .dylib no file name
			moved(f, "binaries/x86_64-linux/ForestrySkidder.so", "binaries/x86_64-linux/"+long+".so")
			moved(f, "binaries/x86_64-windows/ForestrySkidder.dll", "binaries/x86_64-windows/"+long+".dll")
			xml(`modelIdentifier="ForestrySkidder"`, `modelIdentifier="`+long+`"`)(f)
		}},
		{"F-XML-10", 2, xml(` guid="[^"]*"`, ` guid=""`)},
		{"F-XML-5", 2, xml(` guid="[^"]*"`, ``)},
		{"F-XML-5", 3, xml(` modelName="[^"]*"`, ``)},
		{"F-XML-1", 3, xml(`generationDateAndTime="[^"]*"`, `generationDateAndTime="yesterday"`)},
		{"F-XML-1", 2, xml(`startTime="0"`, `startTime="zero"`)},
		{"F-XML-2", 2, xml(`(?s)<UnitDefinitions>.*</UnitDefinitions>`, `<UnitDefinitions/>`)},
		{"F-LOG-1", 3, xml(`<Category name="logEvents"`, `<Category name="logTire"`)},
		{"F-EXP-1", 2, xml(`stopTime="10"`, `stopTime="0"`)},
		{"F-EXP-1", 3, xml(`tolerance="0.0001"`, `tolerance="0"`)},
		{"F-EXP-1", 3, xml(`stepSize="0.001"`, `stepSize="11"`)},
		{"F-XML-4", 3, xml(`canGetAndSetFMUState`, `canGetAndSetFMUstate`)},
		{"F-XML-4", 2, xml(`providesDirectionalDerivative=`, `providesDirectionalDerivatives=`)},
		{"F-FLG-1", 2, xml(`canGetAndSetFMUstate="true"`, `canGetAndSetFMUstate="false"`)},
		{"F-FLG-2", 3, xml(`providesIntermediateUpdate="true"`, `providesIntermediateUpdate="false"`)},
		{"F-XML-7", 3, xml(`(?s)<ModelExchange.*?/>\s*<CoSimulation.*?/>`, ``)},
		{"F-UNI-5", 2, xml(`<Unit name="kg">`, `<Unit name="pound">`)},
		{"F-UNI-4", 3, xml(`<DisplayUnit name="deg"`, `<DisplayUnit name="grad"`)},
		{"F-UNI-2", 3, xml(`factor="3.6"`, `factor="0"`)},
		{"F-UNI-1", 3, xml(`<Unit name="m/s">`, `<Unit name="m">`)},
		{"F-VAR-1", 2, xml(`<Real unit="kg" min="0" start="7280"/>`, `<Real unit="kg"/>`)},
		{"F-VAR-1", 3, xml(`(name="tire_FL.Fz" [^>]*)/>`, `$1 start="1"/>`)},
		{"F-VAR-1", 3, xml(`(name="time"[^>]*)/>`, `$1 start="0"/>`)},
		{"F-VAR-2", 3, xml(`(<Boolean name="tire_FL.contact"[^>]*variability=)"discrete"`, `$1"continuous"`)},
		{"F-VAR-3", 3, xml(`causality="independent"`, `causality="local"`)},
		{"F-VAR-4", 3, xml(`valueReference="1"`, `valueReference="0"`)},
		{"F-VAR-13", 2, xml(`valueReference="3"`, `valueReference="4294967295"`)},
		{"F-VAR-4", 2, xml(`valueReference="3"`, `valueReference="4294967296"`)},
		{"F-VAR-6", 2, xml(`name="front.mass"`, `name="front mass"`)},
		{"F-VAR-6", 3, xml(`name="front.mass"`, `name="front.2mass"`)},
		{"F-VAR-5", 3, xml(`name="front.mass"`, `name="rear.mass"`)},
		{"F-VAR-5", 3, xml(`name="front.mass"`, `name=""`)},
		{"F-VAR-7", 2, xml(`<Real unit="kg" min="0"`, `<Real unit="kg" min="8000"`)},
		{"F-VAR-7", 3, xml(`nominal="0.01"`, `nominal="0"`)},
		{"F-UNI-6", 3, xml(`unit="rad" displayUnit="deg"`, `displayUnit="deg"`)},
		{"F-VAR-8", 3, xml(` derivative="\d+"`, ` derivative="99999"`)},
		{"F-VAR-11", 2, xml(`(name="front.mass"[^>]*variability=)"fixed"`, `$1"continuous"`)},
		{"F-VAR-11", 3, xml(`(name="brake_FL.torque"[^>]*variability=)"continuous"`, `$1"fixed"`)},
		{"F-VAR-11", 3, xml(`(name="tire_FL.Fz"[^>]*initial=)"calculated"`, `$1"later"`)},
		{"F-VAR-11", 2, xml(`(name="brake_FL.torque"[^>]*variability="continuous")`, `$1 initial="exact"`)},
		{"F-MST-1", 3, xml(`<Output valueReference="\d+"[^>]*/>`, ``)},
		{"F-MST-1", 2, xml(`(<Outputs>\s*<Unknown index=)"\d+"`, `$1"1"`)},
		{"F-MST-2", 3, xml(`(<ContinuousStateDerivative valueReference=)"\d+"`, `$1"0"`)},
		{"F-MST-3", 2, xml(`(<InitialUnknowns>\s*)<Unknown [^>]*/>`, `$1`)},
		{"F-MST-3", 3, xml(`(<InitialUnknown valueReference=)"\d+"`, `$1"0"`)},
		{"F-MST-4", 3, xml(`<EventIndicator valueReference="\d+"`, `<EventIndicator valueReference="0"`)},
		{"F-MST-5", 3, xml(`(<Output [^>]*dependenciesKind="[^"]*)dependent"`, `$1"`)},
		{"F-MST-5", 2, xml(`(<Unknown [^>]*dependencies=")\d+`, `${1}9999`)},
		{"F-TER-1", 3, in(terminals, `fmiVersion="3.0"`, `fmiVersion="2.0"`)},
		{"F-TER-1", 2, in(terminals, `fmiVersion="3.0"`, `fmiVersion="2.0"`)},
		{"F-TER-1", 2, in(terminals, `<Terminal name="tire_FL"`, `<Terminal name="tire_FR"`)},
		{"F-TER-2", 3, in(terminals, `variableName="tire_FL.Fx"`, `variableName="tire_FL.weather"`)},
		{"F-TER-2", 3, in(terminals, `memberName="Fx"`, `memberName="Fy"`)},
		{"F-TER-5", 3, func(f map[string][]byte) { delete(f, "terminalsAndIcons/icon.png") }},
		{"F-BIN-2", 3, func(f map[string][]byte) {
			moved(f, "binaries/x86_64-windows/ForestrySkidder.dll", "binaries/x86_64-windows/Skidder.dll")
		}},
		{"F-BIN-5", 3, func(f map[string][]byte) {
			moved(f, "binaries/x86_64-linux/ForestrySkidder.so", "binaries/linux64/ForestrySkidder.so")
		}},
		{"F-XML-2", 2, xml(`(?s)(<UnitDefinitions>.*</UnitDefinitions>)\s*(<LogCategories>.*</LogCategories>)`,
			`$2$1`)},
		{"F-XML-2", 3, xml(`(<DefaultExperiment [^>]*/>)`, `$1$1`)},
		{"F-XML-2", 3, xml(`(?s)<ModelStructure>.*</ModelStructure>`, ``)},
		{"F-XML-2", 2, xml(`(?s)(<ScalarVariable name="front.mass"[^>]*>).*?(</ScalarVariable>)`, `$1$2`)},
		{"F-XML-4", 3, xml(`<LogCategories>`, `<Wheels/><LogCategories>`)},
		{"F-XML-4", 2, xml(`modelName=`, `instantiationToken="x" modelName=`)},
		{"F-XML-8", 3, xml(`modelName=`,
			`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="fmi3.xsd" modelName=`)},
		{"F-XML-4", 3, xml(`<Boolean name="tire_FL.contact"`, `<Boolean unit="1" name="tire_FL.contact"`)},
		{"F-XML-4", 2, xml(`<Real unit="kg"`, `<Real mass="kg"`)},
		{"F-XML-1", 3, xml(`hasEventMode="true"`, `hasEventMode="yes"`)},
		{"F-XML-1", 2, xml(`start="7280"`, `start="heavy"`)},
		{"F-XML-1", 3, xml(`start="7280"`, `start="+INF"`)},
		{"F-XML-1", 3, xml(`generationDateAndTime="[^"]*"`, `generationDateAndTime="2001-09-09 01:46:40"`)},
		{"F-MST-8", 2, xml(`numberOfEventIndicators="4"`, `numberOfEventIndicators="four"`)},
		{"F-VAR-15", 3, xml(`(name="front.mass")`, `$1 intermediateUpdate="true"`)},
		{"F-FLG-3", 3, xml(`hasEventMode=`, `fixedInternalStepSize="0" hasEventMode=`)},
		{"F-UNI-2", 2, xml(`<BaseUnit kg="1"/>`, `<BaseUnit kg="1" factor="0"/>`)},
		{"F-UNI-3", 3, xml(`<DisplayUnit name="deg"`, `<DisplayUnit inverse="true" offset="1" name="deg"`)},
		{"F-VAR-14", 2, xml(`(name="rear.mass" valueReference=)"\d+"`, `$1"`+valueReference(t, good[2][description],
			"front.mass")+`"`)},
		{"F-VAR-5", 3, xml(`(<Float64 name="front.mass"[^>]*)/>`, `$1><Alias name="rear.mass"/></Float64>`)},
		{"F-TYP-3", 3, xml(`unit="kg"`, `declaredType="Mass" unit="kg"`)},
		{"F-TYP-1", 3, xml(`<LogCategories>`,
			`<TypeDefinitions><Float64Type name="front.mass"/></TypeDefinitions><LogCategories>`)},
		{"F-TYP-1", 2, xml(`<LogCategories>`,
			`<TypeDefinitions><SimpleType name="a"><Real/></SimpleType><SimpleType name="a"><Real/></SimpleType>`+
				`</TypeDefinitions><LogCategories>`)},
		{"F-TYP-2", 2, xml(`<LogCategories>`,
			`<TypeDefinitions><SimpleType name="a"><Enumeration><Item name="x" value="1"/><Item name="y" value="1"/>`+
				`</Enumeration></SimpleType></TypeDefinitions><LogCategories>`)},
		{"F-TYP-3", 3, xml(`</ModelVariables>`,
			`<Enumeration name="gear" valueReference="9999" causality="parameter" start="1"/></ModelVariables>`)},
		{"F-VAR-8", 3, xml(`unit="kg"`, `reinit="true" unit="kg"`)},
		{"F-VAR-9", 2, xml(`name="front.mass"`, `canHandleMultipleSetPerTimeInstant="true" name="front.mass"`)},
		{"F-VAR-10", 3, xml(`(<Float64 name="front.mass"[^>]*)/>`, `$1><Dimension/></Float64>`)},
		{"F-VAR-10", 3, xml(`(<Float64 name="front.mass"[^>]*)/>`, `$1><Dimension start="0"/></Float64>`)},
		{"F-VAR-10", 3, xml(`(<Float64 name="front.mass"[^>]*)start="7280"/>`,
			`$1 start="1 2"><Dimension start="3"/></Float64>`)},
		{"F-VAR-10", 3, xml(`(<Float64 name="front.mass"[^>]*)/>`, `$1><Dimension valueReference="0"/></Float64>`)},
		{"F-VAR-10", 3, xml(`</ModelVariables>`,
			`<Binary name="image" valueReference="9999" causality="parameter"><Start value="abc"/></Binary></ModelVariables>`)},
		{"F-MST-6", 2, xml(`(<InitialUnknowns>\s*)(<Unknown [^>]*/>)(\s*)(<Unknown [^>]*/>)`, `$1$4$3$2`)},
		{"F-MST-6", 3, xml(`(<InitialUnknown [^>]*/>)`, `$1$1`)},
		{"F-MST-6", 3, xml(`(<EventIndicator [^>]*/>)`, `$1$1`)},
		{"F-MST-5", 3, xml(`(<Output [^>]*dependenciesKind="[^"]*)dependent`, `${1}sometimes`)},
		{"F-MST-5", 3, xml(`(<InitialUnknown [^>]*dependenciesKind="[^"]*)dependent`, `${1}tunable`)},
		{"F-MST-7", 3, xml(`(<Output [^>]*dependencies=")(\d+)( [^"]*" dependenciesKind=")`, `$1$2 $2$3 dependent `)},
		{"F-MST-7", 3, xml(`(<Output [^>]*dependencies=")\d+`,
			`${1}`+valueReference(t, good[3][description], "tire_FL.Fz"))},
		{"F-TER-1", 3, in(terminals, `</Terminals>`,
			`<Terminal name="a" matchingRule="bus"><Terminal name="b" matchingRule="bus"/><Terminal name="b" `+
				`matchingRule="bus"/></Terminal></Terminals>`)},
		{"F-TER-3", 2, in(terminals, `matchingRule="plug"`, `matchingRule="socket"`)},
		{"F-TER-6", 2, in(terminals, `variableKind="signal"`, `variableKind="force"`)},
		{"F-TER-2", 3, in(terminals, `variableName="tire_FL.Fx"`, `variableName="tire_FL.Fz_signed"`)},
		{"F-TER-5", 3, in(terminals, `<Icon x1="-100"`, `<Icon x1="100"`)},
		{"F-TER-4", 3, in(terminals, `<CoordinateSystem x1="-100"`, `<CoordinateSystem x1="left"`)},
		{"F-TER-4", 3, in(terminals, `</Terminals>`,
			`<Terminal name="a" matchingRule="bus"><TerminalGraphicalRepresentation x1="0" y1="0" x2="1" y2="1" `+
				`iconBaseName="../icon"/></Terminal></Terminals>`)},
	} {
		files := map[string][]byte{}
		for name, content := range good[c.version] {
			files[name] = content
		}
		c.edit(files)
		findings, err := check.FMU(save(t, files))
		if err != nil {
			t.Errorf("%s in FMI %d.0: %v", c.rule, c.version, err)
			continue
		}
		found := false
		for _, f := range findings {
			found = found || f.Rule == c.rule
		}
		if !found {
			t.Errorf("%s in FMI %d.0 is not found: %v", c.rule, c.version, findings)
		}
	}
}

func TestNonFMUsAreReported(t *testing.T) {
	testrun.Slow(t)
	for says, files := range map[string]map[string][]byte{
		"no modelDescription.xml in its root; it lies in folder: pack the files": {
			"folder/modelDescription.xml": []byte("<a/>")},
		"no modelDescription.xml in its root": {"x": nil},
		"fmiVersion":                          {"modelDescription.xml": []byte("<a/>")},
		"modelDescription.xml":                {"modelDescription.xml": []byte("<a>")},
		"no single root element":              {"modelDescription.xml": []byte("")},
	} {
		if _, err := check.FMU(save(t, files)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	if _, err := check.FMU(save(t, map[string][]byte{"modelDescription.xml": make([]byte, 65<<20)})); err == nil ||
		!strings.Contains(err.Error(),
			`"modelDescription.xml" unpacks to 68157440 bytes; a modelDescription.xml has at most 64 MiB`) {
		t.Errorf("error %v", err)
	}
	if _, err := check.FMU("check_test.go"); err == nil || !strings.Contains(err.Error(), "check_test.go") {
		t.Errorf("error %v", err)
	}
}

// Whatever a model description holds, it is checked or refused.
func FuzzCheck(f *testing.F) {
	for _, version := range []int{2, 3} {
		files, _ := fmutest.Pack(f, "../../resources/models/wheel.toml", version) // a small one with a tire
		three, _ := fmutest.Pack(f, "../../resources/models/wheel.toml", 3)
		fuzzinputs.Add(f, files["modelDescription.xml"], three["terminalsAndIcons/terminalsAndIcons.xml"])
	}
	fuzzinputs.Add(f, []byte(`<a fmiVersion="3.0"><ModelVariables><Float64 start="1"><Dimension start="99999999999"/>`+
		`<Dimension valueReference="7"/></Float64></ModelVariables></a>`), []byte(`<a/>`))
	path := filepath.Join(f.TempDir(), "x.fmu") // each process of the fuzzer has its own
	f.Fuzz(func(t *testing.T, description, terminals []byte) {
		saveAs(t, path, zip.Store, map[string][]byte{"modelDescription.xml": description,
			"terminalsAndIcons/terminalsAndIcons.xml": terminals})
		findings, err := check.FMU(path)
		for _, finding := range findings {
			if err != nil || finding.Rule == "" || finding.Grade == "" || finding.Text == "" {
				t.Errorf("%+v, error %v", finding, err)
			}
		}
	})
}
