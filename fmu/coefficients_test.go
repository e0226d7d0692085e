package fmu_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/fmu/fmutest"
)

// unpacked writes an FMU of a model file, with the coefficients of its tires or without, and unpacks it. It returns the
// folder, the description and the archive's files.
func unpacked(t *testing.T, file string, version int, coefficients bool) (folder string, d description,
	files map[string][]byte) {
	t.Helper()
	p, err := fmu.NewPackage(file, fmu.Choice{Coefficients: coefficients}, &fmu.Libraries{}, version, fmu.About{})
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	files = fmutest.Unpack(t, packed.Bytes())
	folder = t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := xml.Unmarshal(files["modelDescription.xml"], &d); err != nil {
		t.Fatal(err)
	}
	return folder, d, files
}

// description is the part of a model description that the tests read, for both versions.
type description struct {
	GUID      string `xml:"guid,attr"`
	Token     string `xml:"instantiationToken,attr"`
	Variables struct {
		List []struct {
			XMLName     xml.Name
			Name        string `xml:"name,attr"`
			Reference   uint32 `xml:"valueReference,attr"`
			Causality   string `xml:"causality,attr"`
			Variability string `xml:"variability,attr"`
			Start       string `xml:"start,attr"`
			Value       struct {
				Value string `xml:"value,attr"`
			} `xml:"Start"`
			String *struct {
				Start string `xml:"start,attr"`
			}
			Real *struct {
				Start string `xml:"start,attr"`
			}
		} `xml:",any"`
	} `xml:"ModelVariables"`
}

func (d *description) token() string { return d.GUID + d.Token }

// texts are the start values of the texts.
func (d *description) texts() map[string]string {
	all := map[string]string{}
	for _, v := range d.Variables.List {
		if v.XMLName.Local == "String" {
			all[v.Name] = v.Value.Value
		} else if v.String != nil {
			all[v.Name] = v.String.Start
		}
	}
	return all
}

// opened makes an instance of an unpacked FMU.
func opened(t *testing.T, folder string, d description, s fmu.Settings) *importer {
	t.Helper()
	system, table, err := fmu.Open(filepath.Join(folder, "resources"), d.token())
	if err != nil {
		t.Fatal(err)
	}
	window := make([]float64, system.First(cosim.Text))
	c, err := fmu.NewComponent(system, table, s, window)
	if err != nil {
		t.Fatal(err)
	}
	return &importer{TB: t, Component: c, loaded: loaded{system, table}, window: window}
}

// TestStartValuesOfTextsNameFilesOfTheArchive: of tires, tires alone, terrains and maps of friction. An importer that
// sets all texts to their start values has the FMU that it had before.
func TestStartValuesOfTextsNameFilesOfTheArchive(t *testing.T) {
	source := t.TempDir()
	for name, from := range map[string]string{"models/sub/model.toml": "",
		"roads/winding.crg":      "../resources/roads/winding.crg",
		"tires/pacejka2002.toml": "../resources/tires/pacejka2002.toml",
		"roads/ice.asc":          "../resources/roads/ice.asc"} {
		path := filepath.Join(source, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		content := []byte(`name = "Heath"
[component.heath]
type = "terrain"
kind = "crg"
file = "../../roads/winding.crg"
friction = { kind = "grid", file = "../../roads/ice.asc" }
[component.stone]
type = "point-mass"
mass = 1
[component.tire]
type = "tire-forces"
force = { function = "Pacejka02", file = "../../tires/pacejka2002.toml" }
`)
		if from != "" {
			var err error
			if content, err = os.ReadFile(from); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]int{filepath.Join(source, "models/sub/model.toml"): 3,
		"../resources/models/tire_pacejka2002.toml": 1, "../resources/models/generic4w.toml": 8} {
		for _, version := range []int{2, 3} {
			folder, d, files := unpacked(t, file, version, false)
			found := 0
			for name, start := range d.texts() {
				if !strings.HasSuffix(name, "file") || start == "" {
					continue
				}
				found++
				if files["resources/"+start] == nil {
					t.Errorf("%s, FMI %d: %s starts with %q, which the archive does not have", filepath.Base(file),
						version, name, start)
				}
			}
			if found != want {
				t.Errorf("%s, FMI %d: %d texts name files, want %d", filepath.Base(file), version, found, want)
			}
			for _, kind := range []fmu.Interface{fmu.CoSimulation, fmu.ModelExchange} {
				m := opened(t, folder, d, fmu.Settings{Version: version, Interface: kind})
				for name, start := range d.texts() {
					if status := m.SetString([]uint32{m.ref(name)}, []string{start}); status != fmu.OK {
						t.Fatalf("%s = %q: %v", name, start, m.Messages)
					}
				}
				m.initialise(0)
				m.Close()
			}
		}
	}
}

// TestCoefficientsAreShownOnRequestOnly: without the request, an FMU has no variables for coefficients. With the
// request, coefficients follow all other variables, with the values of the files, and only scale factors are tunable.
func TestCoefficientsAreShownOnRequestOnly(t *testing.T) {
	const model = "../resources/models/generic4w.toml"
	for _, version := range []int{2, 3} {
		folder, plain, files := unpacked(t, model, version, false)
		m := opened(t, folder, plain, fmu.Settings{Version: version, Interface: fmu.CoSimulation})
		count := len(plain.Variables.List)
		if status := m.Get(fmu.Real, []uint32{uint32(count)}, []float64{0}); status != fmu.Error ||
			len(files["resources/tire-parameters.txt"]) > 0 {
			t.Errorf("FMI %d: a reference beyond the variables gives status %d", version, status)
		}
		folder, shown, more := unpacked(t, model, version, true)
		if plain.token() == shown.token() {
			t.Errorf("FMI %d: both have the token %s", version, plain.token())
		}
		if _, _, err := fmu.Open(filepath.Join(folder, "resources"), plain.token()); err == nil {
			t.Errorf("FMI %d: the token of the other one is accepted", version)
		}
		variables := func(files map[string][]byte) []byte {
			_, list, _ := bytes.Cut(files["modelDescription.xml"], []byte("<ModelVariables>"))
			list, _, _ = bytes.Cut(list, []byte("  </ModelVariables>"))
			return list
		}
		if !bytes.HasPrefix(variables(more), variables(files)) {
			t.Errorf("FMI %d: the variables in front differ", version)
		}
		names := map[string]string{}
		for i, v := range shown.Variables.List {
			if v.Reference != uint32(i) || i < count && v.Name != plain.Variables.List[i].Name {
				t.Fatalf("FMI %d: variable %d is %s with the reference %d", version, i, v.Name, v.Reference)
			}
			if i >= count {
				names[v.Name] = v.Variability
				if v.Causality != "parameter" {
					t.Errorf("%s is %s", v.Name, v.Causality)
				}
			}
		}
		relaxation := 10
		if len(names) != 4*(117+8+relaxation) || names["tire_FL.LMUY"] != "tunable" ||
			names["tire_RR.PKY1"] != "fixed" || names["tire_FL.relaxation.FNOMIN"] != "fixed" ||
			names["tire_FL.LSGKP"] != "tunable" {
			t.Errorf("FMI %d: %d coefficients; %v", version, len(names), names)
		}
	}
}

// TestFMUCoefficientsEqualTheEngine: set before initialisation and between steps, saved, restored and reset.
func TestFMUCoefficientsEqualTheEngine(t *testing.T) {
	const model = "../resources/models/generic4w.toml"
	for _, version := range []int{2, 3} {
		folder, d, _ := unpacked(t, model, version, true)
		m := opened(t, folder, d, fmu.Settings{Version: version, Interface: fmu.CoSimulation, Logging: true})
		if got := m.get("tire_FL.LMUY"); got != 1 {
			t.Errorf("LMUY is %g", got)
		}
		m.set("tire_FL.PKY1", 20)
		m.initialise(0)
		if !slices.ContainsFunc(m.Messages,
			func(x fmu.Message) bool { return strings.HasPrefix(x.Text, "tire_FL.PKY1 = 20 instead of ") }) {
			t.Errorf("the start does not report PKY1: %v", m.Messages)
		}
		first := m.step(0, 50)
		state := make([]byte, m.StateSize())
		m.ok(m.Save(state))
		m.set("tire_FL.LMUY", 0.4)
		if m.get("tire_FL.LMUY") != 0.4 || m.get("tire_FL.PKY1") != 20 {
			t.Error("coefficients are not what was set")
		}
		worn := m.step(0.05, 50)
		in, err := m.system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		m.same("the engine", m.bySteps(in, map[string]float64{"tire_FL.PKY1": 20}, 0), first)
		m.same("the engine with LMUY", m.bySteps(in, map[string]float64{"tire_FL.LMUY": 0.4}, 0.05), worn)
		grown := make([]byte, m.StateSize())
		m.ok(m.Save(grown))
		if len(grown) <= len(state) {
			t.Error("the state has no room for LMUY")
		}
		m.ok(m.Restore(state))
		if m.get("tire_FL.LMUY") != 1 || m.get("tire_FL.PKY1") != 20 {
			t.Error("restoring has not brought the coefficients back")
		}
		m.set("tire_FL.LMUY", 0.4)
		m.same("after restoring", m.step(0.05, 50), worn)
		m.ok(m.Reset())
		if m.get("tire_FL.LMUY") != 1 || m.get("tire_FL.PKY1") == 20 {
			t.Error("a reset has not brought the file's values back")
		}
	}
}

// bySteps steps an engine as importer.step does, and returns all outputs.
func (m *importer) bySteps(in *cosim.Instance, set map[string]float64, from float64) []float64 {
	m.Helper()
	for name, v := range set {
		i, _ := m.system.FindCoefficient(name)
		if err := in.Set(i, v); err != nil {
			m.Fatal(err)
		}
	}
	if from == 0 {
		if err := in.Initialise(); err != nil {
			m.Fatal(err)
		}
	}
	put := func(name string, v float64) {
		if err := in.Set(int(m.ref(name)), v); err != nil {
			m.Fatal(err)
		}
	}
	var all []float64
	for k := range 50 { // as importer.step does
		put("steer_FL.angle", 0.03*math.Sin(0.005*float64(k)))
		put("steer_FL.rate", 0.15*math.Cos(0.005*float64(k)))
		put("brake_RR.torque", 2*float64(k))
		if err := in.Step(0.001); err != nil {
			m.Fatal(err)
		}
		for _, o := range m.table.Outputs {
			if m.table.Variables[o.Reference].Type == fmu.Real {
				v, err := in.Get(int(o.Reference))
				if err != nil {
					m.Fatal(err)
				}
				all = append(all, v)
			}
		}
	}
	return all
}

// TestWhenCoefficientsCanBeSet: fixed coefficients can be set before initialisation; scale factors also where an
// importer may set tunable parameters. No coefficient accepts an invalid value.
func TestWhenCoefficientsCanBeSet(t *testing.T) {
	folder2, d2, _ := unpacked(t, "../resources/models/generic4w.toml", 2, true)
	folder3, d3, _ := unpacked(t, "../resources/models/generic4w.toml", 3, true)
	refused := func(m *importer, name string, v float64, says string) {
		t.Helper()
		m.Messages = nil
		if status := m.SetReal([]uint32{m.ref(name)}, []float64{v}); status != fmu.Error ||
			!strings.Contains(fmt.Sprint(m.Messages), says) {
			t.Errorf("%s = %g: status %d, %v", name, v, status, m.Messages)
		}
	}
	for _, x := range []struct {
		folder string
		d      description
		s      fmu.Settings
	}{{folder2, d2, cs2}, {folder2, d2, me2}, {folder3, d3, cs3}, {folder3, d3, me3}} {
		ready := func() *importer {
			m := opened(t, x.folder, x.d, x.s)
			m.initialise(0)
			return m
		}
		refused(opened(t, x.folder, x.d, x.s), "tire_FL.LMUY", -1, "positive")
		refused(opened(t, x.folder, x.d, x.s), "tire_FL.PKY1", math.NaN(), "finite")
		refused(ready(), "tire_FL.LMUY", 0, "positive")
		refused(ready(), "tire_FL.PKY1", 20, "tire_FL.PKY1")
		m := ready()
		before := m.get("der(body.vy)")
		m.set("tire_FL.LVY", 5) // vertical shift: a force without slip
		if x.s.Interface == fmu.ModelExchange {
			if after := m.get("der(body.vy)"); after == before {
				t.Errorf("FMI %d: the rate %g stays in Event Mode", x.s.Version, after)
			}
			if x.s.Version == 2 {
				m.UpdateDiscreteStates()
			}
			m.ok(m.EnterContinuousTimeMode())
			refused(m, "tire_FL.LMUY", 0.5, "Continuous-Time Mode")
		} else if after := m.get("der(body.vy)"); after != before {
			t.Errorf("FMI %d: outputs of a step change before the next one", x.s.Version)
		}
		m = ready()
		m.Messages = nil
		if status := m.DirectionalDerivative([]uint32{m.ref("body.ay")}, []uint32{m.ref("tire_FL.LMUY")}, []float64{1},
			[]float64{0}); status != fmu.Error || len(m.Messages) != 1 ||
			!strings.Contains(m.Messages[0].Text, "differentiated by tire_FL.LMUY, a coefficient") {
			t.Errorf("a derivative by a coefficient has status %d, messages %v", status, m.Messages)
		}
	}
}

// TestInitialUnknownsDependOnCoefficients: rates and outputs with a tire's forces do, states and inputs' copies do not.
func TestInitialUnknownsDependOnCoefficients(t *testing.T) {
	s, err := cosim.Load("../resources/models/generic4w.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := fmu.DescribeWithCoefficients(s)
	number, _ := table.Find("tire_FL.LMUY")
	relaxation, _ := table.Find("tire_FL.LSGAL")
	for _, u := range table.Initial {
		name := table.Variables[u.Reference].Name
		if !slices.IsSorted(u.Dependencies) {
			t.Errorf("dependencies of %s are not sorted", name)
		}
		for of, want := range map[uint32]map[string]bool{
			number: {"tire_FL.Fy": true, "der(body.vy)": true, "tire_RL.Fy": false, "tire_FL.Fz": false,
				"der(tire_FL.q2)": false},
			relaxation: {"tire_FL.Fy": false, "der(body.vy)": false, "der(tire_FL.q2)": true, "der(tire_RL.q2)": false},
		} {
			if depends, ask := want[name]; ask && depends != slices.Contains(u.Dependencies, of) {
				t.Errorf("%s depends on %s: %v", name, table.Variables[of].Name, !depends)
			}
		}
	}
}
