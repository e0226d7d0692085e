package fmu_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"skidpad/fmu"
	"skidpad/fmu/check"
	"skidpad/fmu/fmutest"
	"skidpad/harness/tests/testrun"
)

// standIns are sources that name their table's token and the given text.
func standIns(text string) func(t *fmu.Table) ([]fmu.Source, error) {
	return func(t *fmu.Table) ([]fmu.Source, error) {
		return []fmu.Source{{Name: t.Name + ".c", Text: "#include \"core.h\"\n" + text, Compiled: true},
			{Name: "core.c", Text: "const char *token = \"" + t.Token + "\";\n", Compiled: true},
			{Name: "core.h", Text: "\n"}}, nil
	}
}

// withSources packs an FMU with sources.
func withSources(t *testing.T, libraries *fmu.Libraries, version int, text string) (*fmu.Package, []byte) {
	t.Helper()
	p, err := fmu.NewPackage(skidder, fmu.Choice{}, libraries, version,
		fmu.About{Version: "1.2.3", Generated: time.Unix(1e9, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.AddSources(standIns(text)); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	return p, packed.Bytes()
}

// An FMU with sources lists them as both versions ask for: what is compiled under each interface of FMI 2.0, and in the
// build description. Headers are not listed. The checker finds nothing, with and without libraries, and the bytes are
// always the same.
func TestSourcesArePackedAndListed(t *testing.T) {
	testrun.Slow(t)
	const listed = `<File name="ForestrySkidder.c"/> <File name="core.c"/>`
	for _, version := range []int{2, 3} {
		for what, libraries := range map[string]*fmu.Libraries{"beside libraries": fmutest.Libraries(t), "alone": {}} {
			_, packed := withSources(t, libraries, version, "int x;\n")
			if _, again := withSources(t, libraries, version, "int x;\n"); !bytes.Equal(packed, again) {
				t.Errorf("FMI %d.0, sources %s: two packages differ", version, what)
			}
			path := filepath.Join(t.TempDir(), "x.fmu")
			if err := os.WriteFile(path, packed, 0o600); err != nil {
				t.Fatal(err)
			}
			if findings, err := check.FMU(path); err != nil || len(findings) > 0 {
				t.Errorf("FMI %d.0, sources %s: %v %v", version, what, findings, err)
			}
			sets, err := check.Sources(path)
			if err != nil || len(sets) != 1 || sets[0].Language != "C99" || sets[0].Platform+sets[0].Compiler != "" ||
				!slices.Equal(sets[0].Files, []string{"ForestrySkidder.c", "core.c"}) {
				t.Errorf("FMI %d.0, sources %s: %+v %v", version, what, sets, err)
			}
			files := fmutest.Unpack(t, packed)
			if files["sources/core.h"] == nil || (files["terminalsAndIcons/terminalsAndIcons.xml"] != nil) != (version == 3) {
				t.Errorf("FMI %d.0, sources %s: files are missing", version, what)
			}
			description := strings.Join(strings.Fields(string(files["modelDescription.xml"])), " ")
			for _, kind := range []string{"ModelExchange", "CoSimulation"} {
				found := regexp.MustCompile(`<` + kind + ` [^>]*> <SourceFiles> ` + listed + ` </SourceFiles> </` + kind + `>`).
					MatchString(description)
				if found != (version == 2) {
					t.Errorf("FMI %d.0, sources %s: listed under %s: %t", version, what, kind, found)
				}
			}
		}
	}
}

// The token covers model and sources: other sources have another one, and the sources have that of the description. An
// engine beside the sources takes it, and no other.
func TestTheTokenCoversTheSources(t *testing.T) {
	bare, err := fmu.NewPackage(skidder, fmu.Choice{}, &fmu.Libraries{}, 3, fmu.About{})
	if err != nil {
		t.Fatal(err)
	}
	one, packed := withSources(t, &fmu.Libraries{}, 3, "int x;\n")
	other, _ := withSources(t, &fmu.Libraries{}, 3, "int y;\n")
	tokens := []string{bare.Table.Token, one.Table.Token, other.Table.Token}
	slices.Sort(tokens)
	if len(slices.Compact(tokens)) != 3 || slices.Contains(tokens, "") {
		t.Errorf("tokens %q", tokens)
	}
	files := fmutest.Unpack(t, packed)
	token := one.Table.Token
	if !strings.Contains(string(files["sources/core.c"]), `"`+token+`"`) ||
		!strings.Contains(string(files["modelDescription.xml"]), `instantiationToken="`+token+`"`) {
		t.Errorf("token %s: %s", token, files["sources/core.c"])
	}
	resources := filepath.Join(written(t, one), "resources")
	if _, _, err := fmu.Open(resources, token); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{bare.Table.Token, other.Table.Token} {
		if _, _, err := fmu.Open(resources, wrong); err == nil || !strings.Contains(err.Error(), "do not belong together") {
			t.Errorf("with another token: error %v", err)
		}
	}
	refused := errors.New("refused")
	if err := bare.AddSources(func(*fmu.Table) ([]fmu.Source, error) { return nil, refused }); err != refused {
		t.Errorf("error %v", err)
	}
}

// The model description of an FMU with sources declares the capabilities that libraries and sources share. The rest of
// the description does not change.
func TestSourcesDeclareWhatTheyCanDo(t *testing.T) {
	flags := map[int][]string{
		2: {},
		3: {"providesIntermediateUpdate", "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate",
			"hasEventMode", "intermediateUpdate"},
	}
	kept := map[int][]string{
		2: {"providesDirectionalDerivative", "canGetAndSetFMUstate", "canSerializeFMUstate", "canInterpolateInputs",
			"completedIntegratorStepNotNeeded", "canHandleVariableCommunicationStepSize", "canNotUseMemoryManagementFunctions"},
		3: {"providesDirectionalDerivatives", "providesAdjointDerivatives", "canGetAndSetFMUState",
			"canSerializeFMUState", "canHandleVariableCommunicationStepSize", "providesEvaluateDiscreteStates"},
	}
	for _, version := range []int{2, 3} {
		bare, _ := fmutest.Pack(t, skidder, version)
		_, packed := withSources(t, fmutest.Libraries(t), version, "int x;\n")
		before := string(bare["modelDescription.xml"])
		after := string(fmutest.Unpack(t, packed)["modelDescription.xml"])
		for _, flag := range flags[version] {
			if !strings.Contains(before, " "+flag+`="`) || strings.Contains(after, " "+flag+`="`) {
				t.Errorf("FMI %d.0: %s", version, flag)
			}
			before = regexp.MustCompile(` `+flag+`="[^"]*"`).ReplaceAllString(before, "")
		}
		for _, flag := range kept[version] {
			if strings.Count(after, " "+flag+`="true"`) != strings.Count(before, " "+flag+`="true"`) ||
				!strings.Contains(after, " "+flag+`="true"`) {
				t.Errorf("FMI %d.0: no %s", version, flag)
			}
		}
		plain := func(text string) string {
			text = regexp.MustCompile(`(guid|instantiationToken)="[^"]*"`).ReplaceAllString(text, "")
			text = regexp.MustCompile(`(?s)\s*<SourceFiles>.*?</SourceFiles>`).ReplaceAllString(text, "")
			return regexp.MustCompile(`(?s)>\s*</(ModelExchange|CoSimulation)>`).ReplaceAllString(text, "/>")
		}
		if plain(before) != plain(after) {
			t.Errorf("FMI %d.0: the descriptions differ in more: %s", version, firstDifference(plain(before), plain(after)))
		}
	}
}

// firstDifference shows where two texts differ first.
func firstDifference(a, b string) string {
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] {
			return fmt.Sprintf("%.60q, %.60q", a[k:], b[k:])
		}
	}
	return "in length"
}
