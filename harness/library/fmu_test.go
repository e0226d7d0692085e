package library

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skidpad/fmu/archive"
	"skidpad/fmu/check"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/tests/testrun"
)

func TestMain(m *testing.M) {
	RunAsChild()
	built.Main(m)
}

func TestTheShippedFMUsPassTheirExercise(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	folder := built.FMUs(t, "generic4w", "skidder", "motorcycle2d", "point_pendulum")
	for _, name := range []string{"fmi2/GenericVehicle.fmu", "fmi3/GenericVehicle.fmu", "fmi2/ForestrySkidder.fmu",
		"fmi3/ForestrySkidder.fmu", "fmi2/MotorcycleModel2.fmu", "fmi3/MotorcycleModel2.fmu",
		"fmi3/PointPendulum.fmu"} {
		wrong, err := Exercise(filepath.Join(folder, name))
		if err != nil || len(wrong) > 0 {
			t.Errorf("%s: %v %q", name, err, wrong)
		}
		findings, err := check.FMU(filepath.Join(folder, name))
		if err != nil || len(findings) > 0 {
			t.Errorf("%s: %v %v", name, err, findings)
		}
	}
}

func TestAnFMUIsUnpackedAndRemoved(t *testing.T) {
	f, err := OpenFMU(filepath.Join(built.FMUs(t, "generic4w", "skidder"), "fmi2", "ForestrySkidder.fmu"))
	if err != nil {
		t.Fatal(err)
	}
	if f.ModelName != "ForestrySkidder" || f.Version != 2 || f.StopTime != 10 || f.Step != 0.001 {
		t.Errorf("%+v", f.Description)
	}
	if _, err := os.Stat(filepath.Join(f.Folder, "resources", "model.toml")); err != nil {
		t.Error(err)
	}
	c, err := f.Instantiate("a", f.Token)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetNamed("tire_FL.Fz", 1); err == nil || !strings.Contains(err.Error(), "tire_FL.Fz is computed") {
		t.Errorf("setting an output: %v", err)
	}
	c.Close()
	if c, err = f.Instantiate("a", f.Token); err != nil {
		t.Fatal(err)
	}
	textsAreRead(t, c)
	c.Close()
	if _, err := f.Instantiate("a", "100% #1#"); err == nil ||
		!strings.Contains(err.Error(), "instantiation token 100% #1# is") {
		t.Errorf("wrong token: %v", err)
	}
	f.Close()
	if _, err := os.Stat(f.Folder); err == nil {
		t.Error("the unpacked files are still there")
	}
}

// textsAreRead reads strings of the skidder, including a string that was set, and a variable that is not a string.
func textsAreRead(t *testing.T, c *Instance) {
	t.Helper()
	if text, err := c.Text("tire_FL.model"); err != nil || text != "Fiala" {
		t.Errorf("the tire function is %q, %v", text, err)
	}
	if err := c.SetText("solver.method", "rk4"); err != nil {
		t.Fatal(err)
	}
	if text, err := c.Text("solver.method"); err != nil || text != "rk4" {
		t.Errorf("the method is %q, %v", text, err)
	}
	for _, name := range []string{"tire_FL.Fz", "none"} {
		if text, err := c.Text(name); err == nil {
			t.Errorf("%s is the text %q", name, text)
		}
	}
}

func TestTextsOfAnFMU3AreRead(t *testing.T) {
	f, err := OpenFMU(filepath.Join(built.FMUs(t, "generic4w", "skidder"), "fmi3", "ForestrySkidder.fmu"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := f.Instantiate("a", f.Token)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	textsAreRead(t, c)
}

// An interrupted command leaves no unpacked files behind, and never unpacks libraries of other platforms.
func TestAnInterruptedCommandLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run, temporary := commandLine(t, "simulate",
		filepath.Join(built.FMUs(t, "generic4w", "skidder"), "fmi3", "GenericVehicle.fmu"), "--manoeuvre",
		built.Manoeuvre("generic4w_sine"), "--paced", "--out", filepath.Join(folder, "sine.csv"))
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer run.Process.Kill()
	for {
		if found, _ := filepath.Glob(filepath.Join(temporary, "fmu*", "binaries", "*",
			"GenericVehicle.so")); len(found) > 0 {
			if others, _ := filepath.Glob(filepath.Join(temporary, "fmu*", "binaries", "*")); len(others) != 1 {
				t.Errorf("unpacked are %q", others)
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	run.Wait()
	if status := run.ProcessState.ExitCode(); status != 130 {
		t.Errorf("status %d, not 130", status)
	}
	checkEmpty(t, temporary)
}

// repacked writes the files of an FMU with a change, without the libraries for other systems, which take long to pack.
func repacked(t *testing.T, source string, edit func(files map[string][]byte)) string {
	t.Helper()
	archive, err := zip.OpenReader(source)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files := map[string][]byte{}
	for _, entry := range archive.File {
		if of, is := strings.CutPrefix(entry.Name, "binaries/"); is && !strings.HasPrefix(of, platform(2)+"/") &&
			!strings.HasPrefix(of, platform(3)+"/") {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		r.Close()
		files[entry.Name] = b.Bytes()
	}
	edit(files)
	path := filepath.Join(t.TempDir(), "edited.fmu")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	w.RegisterCompressor(zip.Deflate,
		func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.HuffmanOnly) })
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
	file.Close()
	return path
}

func TestBrokenFMUsAreTold(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	good := filepath.Join(built.FMUs(t, "generic4w", "skidder"), "fmi3", "ForestrySkidder.fmu")
	const description = "modelDescription.xml"
	library := "binaries/" + platform(3) + "/ForestrySkidder" + librarySuffix()
	replace := func(old, new string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			if !bytes.Contains(files[description], []byte(old)) {
				t.Fatalf("the description does not hold %s", old)
			}
			files[description] = bytes.Replace(files[description], []byte(old), []byte(new), 1)
		}
	}
	for _, c := range []struct {
		says string
		edit func(files map[string][]byte)
	}{
		{"no modelDescription.xml", func(f map[string][]byte) { delete(f, description) }},
		{"no library for this platform", func(f map[string][]byte) { delete(f, library) }},
		{"no library for this platform", replace(`modelIdentifier="ForestrySkidder"`, `modelIdentifier="Other"`)},
		{"ForestrySkidder", func(f map[string][]byte) { f[library] = []byte("no library") }},
		{"no function fmi2", func(f map[string][]byte) {
			replace(`fmiVersion="3.0"`, `fmiVersion="2.0"`)(f)
			if platform(2) != platform(3) {
				f["binaries/"+platform(2)+"/ForestrySkidder"+librarySuffix()] = f[library]
			}
		}},
		{"fmiVersion", replace(`fmiVersion="3.0"`, `fmiVersion="1.0"`)},
		{"modelDescription.xml", func(f map[string][]byte) { f[description] = []byte("<fmiModel") }},
		{"is not a clean relative path", func(f map[string][]byte) { f["../outside"] = []byte("x") }},
		{"value reference", replace(`valueReference="0"`, `valueReference="zero"`)},
	} {
		f, err := OpenFMU(repacked(t, good, func(files map[string][]byte) {
			// the second CoSimulation attribute follows that of ModelExchange
			files[description] = bytes.Replace(files[description],
				[]byte("<ModelExchange modelIdentifier=\"ForestrySkidder\""),
				[]byte("<ModelExchange modelIdentifier=\"X\""), 1)
			c.edit(files)
		}))
		if err == nil {
			f.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
	noArchive := filepath.Join(t.TempDir(), "text.fmu")
	os.WriteFile(noArchive, []byte("no archive"), 0o644)
	if _, err := OpenFMU(noArchive); err == nil || !strings.Contains(err.Error(), "text.fmu") {
		t.Errorf("no archive: %v", err)
	}
}

// A changed resource does not belong to its model description any more.
func TestResourcesMustBelongToTheDescription(t *testing.T) {
	testrun.Slow(t)
	path := repacked(t, filepath.Join(built.FMUs(t, "generic4w", "skidder"), "fmi2", "GenericVehicle.fmu"),
		func(files map[string][]byte) {
			files["resources/model.toml"] = bytes.Replace(files["resources/model.toml"], []byte("mass = 2077"),
				[]byte("mass = 2078"), 1)
		})
	f, err := OpenFMU(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Instantiate("a", f.Token); err == nil || !strings.Contains(err.Error(), "do not belong together") {
		t.Errorf("error %v", err)
	}
}

func TestResourceLocationsAreFileURIs(t *testing.T) {
	f := &FMU{Folder: "/tmp/a b/ä%"}
	if got := f.resourceURI(); got != "file:///tmp/a%20b/%C3%A4%25/resources" {
		t.Errorf("URI %s", got)
	}
}

// An FMU in a folder with every kind of letter finds its resources.
func TestFoldersMayHaveAnyName(t *testing.T) {
	for _, version := range []string{"fmi2", "fmi3"} {
		folder := filepath.Join(t.TempDir(), "a b%20#+{ü}")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := unpackInto(folder, filepath.Join(built.FMUs(t, "generic4w", "skidder"), version,
			"ForestrySkidder.fmu"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.load(); err != nil {
			t.Fatal(err)
		}
		c, err := f.Instantiate("a", f.Token)
		if err != nil {
			t.Errorf("%s: %v", version, err)
			continue
		}
		c.Close()
	}
}

// State of one version and process is taken by the other version.
func TestSavedBytesMoveBetweenTheVersions(t *testing.T) {
	testrun.Slow(t)
	var states [2][]byte
	var speed [2][1]float64
	for i, version := range []string{"fmi2", "fmi3"} {
		f, err := OpenFMU(filepath.Join(built.FMUs(t, "generic4w", "skidder"), version, "GenericVehicle.fmu"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := f.Instantiate(version, f.Token)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Initialise(); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			if err := c.Restore(states[0], 0.1); err != nil {
				t.Fatal(err)
			}
		}
		for range 100 {
			if err := c.Step(0.001); err != nil {
				t.Fatal(err)
			}
			if i == 0 && math.Abs(c.time-0.1) < 1e-9 {
				if states[0], err = c.Save(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if i == 0 {
			for range 100 {
				if err := c.Step(0.001); err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err := c.References("body.vx")
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Get(r, speed[i][:]); err != nil {
			t.Fatal(err)
		}
	}
	if speed[0] != speed[1] || speed[0][0] == 20 {
		t.Errorf("body.vx is %.17g in FMI 2.0, %.17g in FMI 3.0", speed[0][0], speed[1][0])
	}
}

func FuzzParseDescription(f *testing.F) {
	fuzzinputs.Add(f, []byte(`<fmiModelDescription fmiVersion="3.0" modelName="a" instantiationToken="t"><CoSimulation `+
		`modelIdentifier="a"/><ModelVariables><Float64 name="x" valueReference="1" causality="output"/></ModelVariables>`+
		`</fmiModelDescription>`))
	fuzzinputs.Add(f, []byte(`<fmiModelDescription fmiVersion="2.0" guid="t"><CoSimulation modelIdentifier="a"/>`+
		`<ModelVariables><ScalarVariable name="x" valueReference="1"><Real start="1"/></ScalarVariable></ModelVariables>`+
		`</fmiModelDescription>`))
	fuzzinputs.Add(f, []byte(`<fmiModelDescription fmiVersion="3.0" instantiationToken="t"><ModelExchange `+
		`modelIdentifier="a"/><ModelVariables><UInt64 name="n" valueReference="1" causality="structuralParameter" `+
		`start="2"/><Float32 name="x" valueReference="2" start="1 2 3 4"><Dimension start="2"/><Dimension `+
		`valueReference="1"/><Alias name="y"/></Float32></ModelVariables></fmiModelDescription>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ParseDescription(data)
		if err == nil && len(d.Variables) > mostElements+len(data) {
			t.Errorf("%d variables", len(d.Variables))
		}
		if err == nil && d.Version != 2 && d.Version != 3 {
			t.Errorf("version %d", d.Version)
		}
		if err == nil && archive.CheckLibraryName(d.Identifier) != nil {
			t.Errorf("modelIdentifier %q", d.Identifier)
		}
	})
}
