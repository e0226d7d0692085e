package fmu_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"skidpad/model/vehicle"
)

const skidder = "../resources/models/skidder.toml"

func TestPackagesHaveTheRequiredFiles(t *testing.T) {
	for version, want := range map[int][]string{
		2: {
			"binaries/aarch64-linux/ForestrySkidder.so", "binaries/aarch64-linux/skidpad-core-0123abcd.so",
			"binaries/linux64/ForestrySkidder.so",
			"binaries/linux64/skidpad-core-0123abcd.so", "binaries/win64/ForestrySkidder.dll",
			"binaries/win64/skidpad-core-0123abcd.dll", "model.png",
		},
		3: {
			"binaries/aarch64-linux/ForestrySkidder.so", "binaries/aarch64-linux/skidpad-core-0123abcd.so",
			"binaries/x86_64-linux/ForestrySkidder.so",
			"binaries/x86_64-linux/skidpad-core-0123abcd.so", "binaries/x86_64-windows/ForestrySkidder.dll",
			"binaries/x86_64-windows/skidpad-core-0123abcd.dll",
			"documentation/diagram.png", "terminalsAndIcons/icon.png", "terminalsAndIcons/icon.svg",
			"terminalsAndIcons/terminalsAndIcons.xml",
		},
	} {
		want = append(want, "documentation/index.html", "modelDescription.xml", "resources/model.toml",
			"resources/tires/fiala_skidder_front.toml",
			"resources/tires/fiala_skidder_rear.toml")
		slices.Sort(want)
		files, archive := fmutest.Pack(t, skidder, version)
		if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
			t.Errorf("FMI %d.0 holds %q, want %q", version, got, want)
		}
		if string(files["binaries/aarch64-linux/ForestrySkidder.so"]) != fmt.Sprintf("skidpad_fmi%d.aarch64-linux",
			version) {
			t.Errorf("the library of FMI %d.0 is %q", version, files["binaries/aarch64-linux/ForestrySkidder.so"])
		}
		if _, again := fmutest.Pack(t, skidder, version); !bytes.Equal(archive, again) {
			t.Errorf("two packages of FMI %d.0 differ", version)
		}
		path := filepath.Join(t.TempDir(), "x.fmu")
		if err := os.WriteFile(path, archive, 0o644); err != nil {
			t.Fatal(err)
		}
		if findings, err := check.FMU(path); err != nil || len(findings) > 0 {
			t.Errorf("FMI %d.0: %v %v", version, findings, err)
		}
	}
}

// Readers that stream need sizes in front; old ones know neither zip64 nor other methods.
func TestArchivesCanBeReadByEveryone(t *testing.T) {
	_, archive := fmutest.Pack(t, skidder, 2)
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if f.Flags&8 != 0 || f.Method != zip.Deflate || f.ReaderVersion > 20 || f.Mode() != 0o644 || len(f.Extra) > 0 {
			t.Errorf("%s: flags %d, method %d, version %d, mode %v, %d bytes more", f.Name, f.Flags, f.Method,
				f.ReaderVersion, f.Mode(), len(f.Extra))
		}
		if date := f.Modified.Format(time.DateOnly); date != "1980-01-01" {
			t.Errorf("%s is of %s", f.Name, date)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("names are not sorted: %q", names)
	}
}

func TestModelDescriptionsMatchTheTable(t *testing.T) {
	files, _ := fmutest.Pack(t, skidder, 2)
	text := string(files["modelDescription.xml"])
	for _, want := range []string{
		`<?xml version="1.0" encoding="UTF-8"?>` + "\n<fmiModelDescription fmiVersion=\"2.0\"",
		`modelName="ForestrySkidder"`,
		`generationDateAndTime="2001-09-09T01:46:40Z"`, `numberOfEventIndicators="4"`, `canRunAsynchronuously="false"`,
		`canGetAndSetFMUstate="true"`,
		`<Real unit="kg" min="0" start="7280"/>`, `<BaseUnit kg="1" m="2" s="-2"/>`,
		`<DisplayUnit name="deg" factor="57.29577951308232"/>`,
		`<String start="tires/fiala_skidder_front.toml"/>`, `name="tire_FL.contact"`, `displayUnit="rpm"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("FMI 2.0 lacks %s", want)
		}
	}
	files, _ = fmutest.Pack(t, skidder, 3)
	text = string(files["modelDescription.xml"])
	for _, want := range []string{
		`fmiVersion="3.0"`, `canGetAndSetFMUState="true"`, `providesAdjointDerivatives="true"`, `hasEventMode="true"`,
		`<Start value="rk4"/>`,
		`intermediateUpdate="true"`, `<EventIndicator valueReference=`, `causality="independent"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("FMI 3.0 lacks %s", want)
		}
	}
}

// In 2.0 references are indices counted from 1, in 3.0 value references: both descriptions
// have the same structure.
func TestBothDescriptionsHaveTheSameStructure(t *testing.T) {
	type structure struct{ unknown, dependencies string }
	table := describe(t, "skidder")
	read := func(version int, list string) (result []structure) {
		files, _ := fmutest.Pack(t, skidder, version)
		d := xml.NewDecoder(bytes.NewReader(files["modelDescription.xml"]))
		inside := false
		name := func(reference string) string {
			var r int
			fmt.Sscan(reference, &r)
			if version == 2 {
				r--
			}
			return table.Variables[r].Name
		}
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return result
			}
			if err != nil {
				t.Fatal(err)
			}
			e, start := token.(xml.StartElement)
			if end, ok := token.(xml.EndElement); ok && end.Name.Local == list {
				inside = false
			}
			if !start {
				continue
			}
			if e.Name.Local == list && version == 2 {
				inside = true
				continue
			}
			if version == 2 && !inside || version == 3 && e.Name.Local != list {
				continue
			}
			var s structure
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "index", "valueReference":
					s.unknown = name(a.Value)
				case "dependencies":
					for _, r := range strings.Fields(a.Value) {
						s.dependencies += name(r) + " "
					}
				}
			}
			result = append(result, s)
		}
	}
	for two, three := range map[string]string{"Outputs": "Output", "Derivatives": "ContinuousStateDerivative",
		"InitialUnknowns": "InitialUnknown"} {
		a, b := read(2, two), read(3, three)
		if len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("%s: %d entries in FMI 2.0, %d in 3.0, or different ones", two, len(a), len(b))
		}
	}
}

func TestUnitsAreDecomposed(t *testing.T) {
	table := *describe(t, "skidder")
	unit := func(name string) string {
		table.Variables = []fmu.Variable{{Name: "a.b", Unit: name, Causality: fmu.Input}}
		var b bytes.Buffer
		if err := table.ModelDescription3(&b, "a", fmu.About{}); err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`(?s)<Unit name=.*?</Unit>`).FindString(b.String())
	}
	for name, base := range map[string]string{
		"N.m/rad": `kg="1" m="2" s="-2" rad="-1"`, "N.s/m": `kg="1" s="-1"`, "1/s": `s="-1"`, "kg.m2": `kg="1" m="2"`,
		"rad/s2": `s="-2" rad="1"`,
		"W":      `kg="1" m="2" s="-3"`, "N/m": `kg="1" s="-2"`,
	} {
		if got := unit(name); !strings.Contains(got, "<BaseUnit "+base+"/>") {
			t.Errorf("%s: %s, want %s", name, got, base)
		}
	}
	if got := unit("1"); !strings.Contains(got, "<BaseUnit/>") {
		t.Errorf("1: %s", got)
	}
	for _, name := range []string{"furlong", "m99", "N..m", "/s"} {
		if got := unit(name); got == "" || strings.Contains(got, "BaseUnit") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestCollectedModelsStayTheSame(t *testing.T) {
	for _, name := range []string{"skidder", "generic4w", "truck3", "pendulum"} {
		source := filepath.Join("../resources/models", name+".toml")
		first, err := fmu.Collect(source)
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		for file, content := range first.Files {
			path := filepath.Join(folder, filepath.FromSlash(file))
			os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		second, err := fmu.Collect(filepath.Join(folder, fmu.ModelFile))
		if err != nil {
			t.Fatal(err)
		}
		if first.Token() != second.Token() || !maps.EqualFunc(first.Files, second.Files, bytes.Equal) {
			t.Errorf("%s is collected differently from its own package", name)
		}
		if _, _, err := fmu.Open(folder, "{"+first.Token()+"}"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := vehicle.Read(filepath.Join(folder, fmu.ModelFile)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// CRG files that a road refers to are collected with it, under names that cannot collide.
func TestCRGFilesAreCollectedWithTheirReferences(t *testing.T) {
	data, err := os.ReadFile("../resources/roads/winding.crg")
	if err != nil {
		t.Fatal(err)
	}
	source := t.TempDir()
	for name, text := range map[string]string{
		"models/model.toml": `name = "Heath"
[component.heath]
type = "terrain"
kind = "crg"
file = "../roads/road.crg"
[component.stone]
type = "point-mass"
mass = 1
`,
		"roads/road.crg": `$CT
$ROAD_CRG_FILE
 measured
/road.crg ! in two lines
$
$ROAD_CRG_MODS
REFPOINT_U_FRACTION = 0
$
`,
		"roads/measured/road.crg": string(data),
	} {
		path := filepath.Join(source, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	first, err := fmu.Collect(filepath.Join(source, "models/model.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if string(first.Files["tires/road_2.crg"]) != string(data) || len(first.Files) != 3 {
		t.Errorf("collected: %v", slices.Sorted(maps.Keys(first.Files)))
	}
	folder := t.TempDir()
	for file, content := range first.Files {
		path := filepath.Join(folder, filepath.FromSlash(file))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := fmu.Open(folder, "{"+first.Token()+"}"); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(source, "roads/measured/road.crg")); err != nil {
		t.Fatal(err)
	}
	if _, err := fmu.Collect(filepath.Join(source, "models/model.toml")); err == nil ||
		!strings.Contains(err.Error(), "model.toml:5:8") || !strings.Contains(err.Error(), "road.crg: ") {
		t.Errorf("without the file: %v", err)
	}
}

// Files of one name from two folders are two files.
func TestEqualNamesOfDifferentFilesStayDistinct(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/tire.toml", "one")
	write("b/tire.toml", "two")
	write("model.toml", `[x.force]
file = "a/tire.toml"
[y]
force = { file = 'b/tire.toml', slip = { file = "a/tire.toml" } }
`)
	r, err := fmu.Collect(filepath.Join(folder, "model.toml"))
	if err != nil {
		t.Fatal(err)
	}
	want := `[x.force]
file = "tires/tire.toml"
[y]
force = { file = "tires/tire_2.toml", slip = { file = "tires/tire.toml" } }
`
	if got := string(r.Files["model.toml"]); got != want || string(r.Files["tires/tire.toml"]) != "one" ||
		string(r.Files["tires/tire_2.toml"]) != "two" {
		t.Errorf("%q", r.Files)
	}
	write("b/Tire.toml", "three") // other systems do not tell it from tire.toml
	write("model.toml", `[x]
file = "a/tire.toml"
[y]
file = "b/Tire.toml"
`)
	if r, err = fmu.Collect(filepath.Join(folder, "model.toml")); err != nil ||
		string(r.Files["tires/Tire_2.toml"]) != "three" {
		t.Errorf("%q, error %v", r, err)
	}
	for _, name := range []string{`a"b.toml`, `a\b.toml`, "réar.toml"} {
		write(name, "four")
		write("model.toml", "[x]\nfile = '"+name+"'\n")
		if _, err := fmu.Collect(filepath.Join(folder, "model.toml")); err == nil ||
			!strings.Contains(err.Error(), "model.toml:2:") {
			t.Errorf("the file name %s: error %v", name, err)
		}
	}
	write("model.toml", "[x]\nfile = \"missing.toml\"\n")
	if _, err := fmu.Collect(filepath.Join(folder, "model.toml")); err == nil ||
		!strings.Contains(err.Error(), "model.toml:2:") || !strings.Contains(err.Error(), "missing.toml") {
		t.Errorf("error %v", err)
	}
}

func TestPackagesWithoutLibrariesAreRejected(t *testing.T) {
	for folder, says := range map[string]string{t.TempDir(): "no FMI libraries", "/nowhere": "nowhere"} {
		if _, err := fmu.ReadLibraries(folder); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "x86_64-linux"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "x86_64-linux", "skidpad_fmi2.so"), []byte("shim"),
		0o600); err != nil {
		t.Fatal(err)
	}
	half, err := fmu.ReadLibraries(folder)
	if err != nil {
		t.Fatal(err)
	}
	for version, says := range map[int]string{1: "no FMI 1", 2: "holds 1 of the 2 libraries of FMI 2",
		3: "holds 0 of the 2 libraries of FMI 3"} {
		if _, err := fmu.NewPackage("../resources/models/skidder.toml", fmu.Choice{}, half, version,
			fmu.About{}); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}
