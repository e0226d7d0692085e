package fmu_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/fmu"
)

// save writes files as an archive, whatever they are called.
func save(t *testing.T, files map[string][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.fmu")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, content := range files {
		to, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		to.Write(content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	return path
}

// Every mistake, made alone in a good FMU, is found by its rule.
func TestMistakesAreFound(t *testing.T) {
	const description, terminals = "modelDescription.xml", "terminalsAndIcons/terminalsAndIcons.xml"
	good := map[int]map[string][]byte{}
	for _, version := range []int{2, 3} {
		good[version], _ = packed(t, version)
		if findings, err := fmu.Check(save(t, good[version])); err != nil || len(findings) > 0 {
			t.Fatalf("FMI %d.0 without a mistake: %v %v", version, findings, err)
		}
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
			files[file] = append(append(append([]byte(nil), files[file][:at[0]]...), changed...), files[file][at[1]:]...)
		}
	}
	xml := func(pattern, replacement string) edit { return in(description, pattern, replacement) }
	for _, c := range []struct {
		rule    string
		version int
		edit    edit
	}{
		{"F-ZIP", 2, func(f map[string][]byte) { f[`resources\x`] = nil }},
		{"F-ZIP", 3, func(f map[string][]byte) { f["/x"] = nil }},
		{"F-ZIP", 3, func(f map[string][]byte) { f[".x"] = nil }},
		{"F-BIN-1", 2, func(f map[string][]byte) { delete(f, "binaries/linux64/ForestrySkidder.so") }},
		{"F-BIN-1", 3, xml(`modelIdentifier="ForestrySkidder"`, `modelIdentifier="Forestry-Skidder"`)},
		{"F-XML-5", 2, xml(` guid="[^"]*"`, ` guid=""`)},
		{"F-XML-5", 3, xml(` modelName="[^"]*"`, ``)},
		{"F-XML-1", 3, xml(`generationDateAndTime="[^"]*"`, `generationDateAndTime="yesterday"`)},
		{"F-XML-1", 2, xml(`startTime="0"`, `startTime="zero"`)},
		{"F-XML-2", 2, xml(`(?s)<UnitDefinitions>.*</UnitDefinitions>`, `<UnitDefinitions/>`)},
		{"F-CB-7", 3, xml(`<Category name="logEvents"`, `<Category name="logTire"`)},
		{"6.4", 2, xml(`stopTime="10"`, `stopTime="0"`)},
		{"6.4", 3, xml(`tolerance="1e-06"`, `tolerance="0"`)},
		{"6.4", 3, xml(`stepSize="0.001"`, `stepSize="11"`)},
		{"5.1", 3, xml(`canGetAndSetFMUState`, `canGetAndSetFMUstate`)},
		{"5.1", 2, xml(`providesDirectionalDerivative=`, `providesDirectionalDerivatives=`)},
		{"F-FST-5", 2, xml(`canGetAndSetFMUstate="true"`, `canGetAndSetFMUstate="false"`)},
		{"F-3CS-3", 3, xml(`providesIntermediateUpdate="true"`, `providesIntermediateUpdate="false"`)},
		{"section 7", 3, xml(`(?s)<ModelExchange.*?/>\s*<CoSimulation.*?/>`, ``)},
		{"6.2", 2, xml(`<Unit name="kg">`, `<Unit name="pound">`)},
		{"6.2", 3, xml(`<DisplayUnit name="deg"`, `<DisplayUnit name="grad"`)},
		{"6.2", 3, xml(`factor="3.6"`, `factor="0"`)},
		{"6.2", 3, xml(`<Unit name="m/s">`, `<Unit name="m">`)},
		{"F-VAR-1", 2, xml(`<Real unit="kg" min="0" start="7280"/>`, `<Real unit="kg"/>`)},
		{"F-VAR-1", 3, xml(`(name="tire_FL.Fz" [^>]*)/>`, `$1 start="1"/>`)},
		{"F-VAR-1", 3, xml(`(name="time"[^>]*)/>`, `$1 start="0"/>`)},
		{"F-VAR-2", 3, xml(`(<Boolean name="tire_FL.contact"[^>]*variability=)"discrete"`, `$1"continuous"`)},
		{"F-VAR-3", 3, xml(`causality="independent"`, `causality="local"`)},
		{"F-VAR-4", 3, xml(`valueReference="1"`, `valueReference="0"`)},
		{"F-VAR-4", 2, xml(`valueReference="3"`, `valueReference="4294967295"`)},
		{"F-VAR-5", 2, xml(`name="front.mass"`, `name="front mass"`)},
		{"F-VAR-5", 3, xml(`name="front.mass"`, `name="front.2mass"`)},
		{"F-VAR-5", 3, xml(`name="front.mass"`, `name="rear.mass"`)},
		{"F-VAR-5", 3, xml(`name="front.mass"`, `name=""`)},
		{"F-VAR-7", 2, xml(`<Real unit="kg" min="0"`, `<Real unit="kg" min="8000"`)},
		{"F-VAR-7", 3, xml(`nominal="0.01"`, `nominal="0"`)},
		{"F-VAR-7", 3, xml(`unit="rad" displayUnit="deg"`, `displayUnit="deg"`)},
		{"F-VAR-8", 3, xml(` derivative="\d+"`, ` derivative="99999"`)},
		{"6.1", 2, xml(`(name="front.mass"[^>]*variability=)"fixed"`, `$1"continuous"`)},
		{"6.1", 3, xml(`(name="brake_FL.torque"[^>]*variability=)"continuous"`, `$1"fixed"`)},
		{"6.1", 3, xml(`(name="tire_FL.Fz"[^>]*initial=)"calculated"`, `$1"later"`)},
		{"6.1", 2, xml(`(name="brake_FL.torque"[^>]*variability="continuous")`, `$1 initial="exact"`)},
		{"F-MST-1", 3, xml(`<Output valueReference="\d+"[^>]*/>`, ``)},
		{"F-MST-1", 2, xml(`(<Outputs>\s*<Unknown index=)"\d+"`, `$1"1"`)},
		{"F-MST-2", 3, xml(`(<ContinuousStateDerivative valueReference=)"\d+"`, `$1"0"`)},
		{"F-MST-3", 2, xml(`(<InitialUnknowns>\s*)<Unknown [^>]*/>`, `$1`)},
		{"F-MST-3", 3, xml(`(<InitialUnknown valueReference=)"\d+"`, `$1"0"`)},
		{"F-MST-4", 3, xml(`<EventIndicator valueReference="\d+"`, `<EventIndicator valueReference="0"`)},
		{"F-MST-5", 3, xml(`(<Output [^>]*dependenciesKind="[^"]*)dependent"`, `$1"`)},
		{"F-MST-5", 2, xml(`(<Unknown [^>]*dependencies=")\d+`, `${1}9999`)},
		{"F-TER-1", 3, in(terminals, `fmiVersion="3.0"`, `fmiVersion="2.0"`)},
		{"F-TER-1", 2, in(terminals, `<Terminal name="tire_FL"`, `<Terminal name="tire_FR"`)},
		{"F-TER-2", 3, in(terminals, `variableName="tire_FL.Fx"`, `variableName="tire_FL.weather"`)},
		{"F-TER-2", 3, in(terminals, `memberName="Fx"`, `memberName="Fy"`)},
		{"F-TER-4", 3, func(f map[string][]byte) { delete(f, "terminalsAndIcons/icon.png") }},
	} {
		files := map[string][]byte{}
		for name, content := range good[c.version] {
			files[name] = content
		}
		c.edit(files)
		findings, err := fmu.Check(save(t, files))
		if err != nil {
			t.Errorf("%s in FMI %d.0: %v", c.rule, c.version, err)
			continue
		}
		found := false
		for _, f := range findings {
			found = found || strings.HasPrefix(f.Rule, c.rule)
		}
		if !found {
			t.Errorf("%s in FMI %d.0 is not found: %v", c.rule, c.version, findings)
		}
	}
}

func TestWhatIsNoFMUIsTold(t *testing.T) {
	for says, files := range map[string]map[string][]byte{
		"no modelDescription.xml": {"folder/modelDescription.xml": []byte("<a/>")},
		"fmiVersion":              {"modelDescription.xml": []byte("<a/>")},
		"modelDescription.xml":    {"modelDescription.xml": []byte("<a>")},
		"no single root element":  {"modelDescription.xml": []byte("")},
	} {
		if _, err := fmu.Check(save(t, files)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	if _, err := fmu.Check("xml_test.go"); err == nil || !strings.Contains(err.Error(), "xml_test.go") {
		t.Errorf("error %v", err)
	}
}
