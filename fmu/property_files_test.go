package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// Property files are packed with the model and keep their suffix. The log of the importer has the warnings about the
// file at the start of the run, and a warning when a tire leaves the range of the file. Neither changes the status.
func TestPropertyFilesArePackedAndWatched(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile("../resources/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	limits := `[SLIP_ANGLE_RANGE]
ALPMIN = -0.004
ALPMAX = 0.004
[ART]
X = 1
[DIMENSION]`
	write("tires/car.tir", strings.Replace(read("tires/pacejka2002.tir"), "[DIMENSION]", limits, 1))
	write("tires/stretched_string.toml", read("tires/stretched_string.toml"))
	write("models/car.toml", strings.ReplaceAll(read("models/generic4w.toml"), "pacejka2002.toml", "car.tir"))

	packed, err := fmu.Collect(filepath.Join(folder, "models", "car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if packed.Files["tires/car.tir"] == nil ||
		!strings.Contains(string(packed.Files[fmu.ModelFile]), `file = "tires/car.tir"`) {
		t.Fatal("the property file is not packed")
	}
	for name, content := range packed.Files {
		write("unpacked/"+name, string(content))
	}
	system, table, err := fmu.Open(filepath.Join(folder, "unpacked"), packed.Token())
	if err != nil {
		t.Fatal(err)
	}
	window := make([]float64, system.First(cosim.Text))
	c, err := fmu.NewComponent(system, table, cs3, window)
	if err != nil {
		t.Fatal(err)
	}
	m := &importer{TB: t, Component: c, loaded: loaded{system: system, table: table}, window: window}
	m.initialise(0)
	messages := func() (files, ranges int) {
		for _, message := range m.Messages {
			if message.Category == fmu.LogStatusWarning {
				if strings.Contains(message.Text, "car.tir:") && strings.Contains(message.Text, "[ART]") {
					files++
				}
				if strings.HasPrefix(message.Text, "tire_FL: at ") &&
					strings.HasSuffix(message.Text, "which ends at -0.004") {
					ranges++
				}
			}
		}
		return files, ranges
	}
	if files, ranges := messages(); files != 4 || ranges != 0 { // one for each of the four tires
		t.Errorf("%d warnings about the file and %d about its ranges at the start: %v", files, ranges, m.Messages)
	}
	for k := range 300 {
		m.set("steer_FL.angle", 1e-4*float64(k))
		m.set("steer_FL.rate", 0.1)
		_, s := m.DoStep(float64(k)*1e-3, 1e-3)
		m.ok(s)
	}
	if files, ranges := messages(); files != 4 || ranges != 1 {
		t.Errorf("%d warnings about the file and %d about its ranges after the turn: %v", files, ranges, m.Messages)
	}
	if alpha := m.get("tire_FL.alpha"); !(alpha < -0.004) {
		t.Errorf("the output tire_FL.alpha is %g rad, within the range of the file", alpha)
	}
}
