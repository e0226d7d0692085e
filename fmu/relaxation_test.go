package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// TestARelaxationIsExchangedInEveryFMU: strings make of an FMU with load-dependent lengths that of a model with
// constant ones, to the last bit, in co-simulation and model exchange of both versions.
func TestARelaxationIsExchangedInEveryFMU(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(path)
	}
	lengths := write("lengths.toml", "function = \"ConstantLength\"\n[parameters]\nBlong = 0.31\nBlat = 0.57\n")
	own, err := os.ReadFile("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	tires, err := filepath.Abs("../resources/tires")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(own), `function = "StretchedString", file = "../tires/stretched_string.toml"`,
		`function = "ConstantLength", file = "`+lengths+`"`)
	text = strings.ReplaceAll(text, "../tires", filepath.ToSlash(tires))
	s, err := cosim.Load(write("written.toml", text), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, settings := range []fmu.Settings{cs2, cs3, me2, me3} {
		exchanged := instantiate(t, "generic4w", settings)
		for _, c := range []string{"FL", "FR", "RL", "RR"} {
			name := "tire_" + c + ".relaxation"
			exchanged.ok(exchanged.SetString([]uint32{exchanged.ref(name + ".model"), exchanged.ref(name + ".file")},
				[]string{"ConstantLength", lengths}))
		}
		l := loaded{s, fmu.Describe(s)}
		window := make([]float64, s.First(cosim.Text))
		c, err := fmu.NewComponent(s, l.table, settings, window)
		if err != nil {
			t.Fatal(err)
		}
		written := &importer{TB: t, Component: c, loaded: l, window: window}
		for _, m := range []*importer{exchanged, written} {
			m.set("tire_FL.q2", 0.02)
			m.initialise(0)
		}
		if settings.Interface == fmu.CoSimulation {
			exchanged.same("co-simulation", exchanged.step(0, 50), written.step(0, 50))
			continue
		}
		n := len(written.table.Derivatives)
		var dx [2][]float64
		for i, m := range []*importer{exchanged, written} {
			x := make([]float64, n)
			dx[i] = make([]float64, n)
			m.ok(m.EnterContinuousTimeMode())
			m.ok(m.GetContinuousStates(x))
			for k := range x {
				x[k] += 0.001 * float64(k%7)
			}
			m.ok(m.SetContinuousStates(x))
			m.set("steer_FL.angle", 0.02)
			m.ok(m.GetDerivatives(dx[i]))
		}
		exchanged.same("model exchange", dx[0], dx[1])
	}
}
