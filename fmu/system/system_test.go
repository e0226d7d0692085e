package system

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/fmu/fmutest"
	"skidpad/harness/tests/fuzzinputs"
)

const laneChange = "../../resources/systems/lane_change.toml"

// Every shipped system is one, with all its connections.
func TestShippedSystems(t *testing.T) {
	files, err := filepath.Glob("../../resources/systems/*.toml")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d systems: %v", len(files), err)
	}
	for _, file := range files {
		if _, err := Read(file, false); err != nil {
			t.Error(err)
		}
	}
}

// models describes two small models to systems in tests.
func models(t testing.TB) func(name string) (string, *fmu.Table, error) {
	known := map[string]*fmu.Table{}
	for _, name := range []string{"driver_lane_change.toml", "tire_pacejka2002.toml",
		"point_pendulum.toml", "wheel.toml"} {
		s, err := cosim.Load(filepath.Join("../../resources/models", name), cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		known[name] = fmu.Describe(s)
	}
	return func(name string) (string, *fmu.Table, error) {
		if known[name] == nil {
			return "", nil, errors.New("open " + name + ": no such file")
		}
		return name, known[name], nil
	}
}

// pair is a system without faults: two components, one connection.
const pair = `name = "Pair"
outputs = ["driver.driver.path"]
[component.driver]
model = "driver_lane_change.toml"
parameters = { speed = "25 m/s", "solver.method" = "heun", "driver.x" = 3, "driver.angle" = 0.1 }
[component.other]
model = "driver_lane_change.toml"
[[connection]]
from = "driver.driver.path"
to = "other.driver.y"
`

func TestSystemMatchesItsFile(t *testing.T) {
	s, err := parse([]byte(pair), "pair.toml", false, models(t))
	if err != nil {
		t.Fatal(err)
	}
	c := s.Components[0]
	got := map[string]any{}
	for _, p := range c.Parameters {
		v := c.Table.Variables[p.Reference]
		got[v.Name] = p.Number
		if v.Type == fmu.String {
			got[v.Name] = p.Text
		}
	}
	want := map[string]any{"speed": 25.0, "solver.method": "heun", "driver.x": 3.0, "driver.angle": 0.1}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %v, not %v", name, got[name], value)
		}
	}
	if len(got) != len(want) || len(c.Outputs) != 1 || c.Table.Variables[c.Outputs[0]].Name != "driver.path" {
		t.Errorf("parameters %v, outputs %v", got, c.Outputs)
	}
	if len(s.Connections) != 1 || s.variable(s.Connections[0].From).Name != "driver.path" ||
		s.variable(s.Connections[0].To).Name != "driver.y" || s.Connections[0].To.Component != 1 {
		t.Errorf("connections %+v", s.Connections)
	}
	if s.Name != "Pair" || s.Step != 0.001 || s.StopTime != 10 {
		t.Errorf("system %+v", s)
	}
}

// A system in any folder names shipped models, with and without their ending. A file of its folder comes first.
func TestSystemsNameShippedModels(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "pair.toml")
	own := "name = \"Own\"\n[component.driver]\ntype = \"equations\"\n" +
		"inputs = [{ name = \"y\", unit = \"m\" }]\noutputs = [{ name = \"path\", unit = \"m\", value = \"y\" }]\n"
	text := strings.Replace(pair, "\nparameters = {", "\n# {", 1)
	for _, test := range []struct{ first, second, beside, want string }{
		{"driver_lane_change", "driver_lane_change.toml", "", "LaneChangeDriver, LaneChangeDriver"},
		{"driver_lane_change", "driver_lane_change.toml", own, "LaneChangeDriver, Own"},
	} {
		text := strings.Replace(text, `"driver_lane_change.toml"`, `"`+test.first+`"`, 1)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if test.beside != "" {
			if err := os.WriteFile(filepath.Join(folder, test.second), []byte(test.beside), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Read(file, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Components[0].Table.Name + ", " + s.Components[1].Table.Name; got != test.want {
			t.Errorf("%s and %s: the models are %s, not %s", test.first, test.second, got, test.want)
		}
	}
	missing := strings.ReplaceAll(text, "driver_lane_change.toml", "no_such_model")
	if err := os.WriteFile(file, []byte(missing), 0o644); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(folder, "no_such_model") + ": no such file"
	if _, err := Read(file, false); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a model that is nowhere: %v", err)
	}
}

// Each error gives its place, the rule and what to do.
func TestBrokenSystemsAreExplained(t *testing.T) {
	describe := models(t)
	const path, end = `from = "driver.driver.path"`, `to = "other.driver.y"`
	for _, test := range []struct{ old, new, want string }{
		{`from = "driver.driver.path"`, `from = "drive.driver.path"`,
			`s.toml:9:8: "drive.driver.path": there is no component "drive"; did you mean "driver"? ` +
				`components are driver, other`},
		{path, `from = "driver.driver.paht"`,
			`s.toml:9:8: "driver.driver.paht": the model LaneChangeDriver has no variable "driver.paht"; did you mean ` +
				`"driver.path"?`},
		{path, `from = "driver"`,
			`s.toml:9:8: "driver" names no variable; it must be COMPONENT.VARIABLE, such as vehicle.body.x`},
		{path, `from = "driver.driver.yaw"`,
			`s.toml:9:8: a connection begins at driver.driver.yaw, which is an input; it must begin at an output`},
		{end, `to = "other.driver.path"`,
			`s.toml:10:6: a connection ends at other.driver.path, which is an output; it must end at an input`},
		{end, `to = "other.speed"`,
			`s.toml:10:6: a connection ends at other.speed, which is a parameter; it must end at an input`},
		{end, `to = "other.driver.yaw"`,
			`s.toml:9:8: driver.driver.path is in m, other.driver.yaw in rad; both ends of a connection must be in one unit`},
		{end, end + `
[[connection]]
from = "other.driver.path"
` + end,
			`s.toml:13:6: a connection ends at other.driver.y, where that of line 10 ends already; an input takes one output`},
		{end, "", `s.toml:8:3: connection[0] lacks the key "to": input, COMPONENT.VARIABLE`},
		{path, path + "\nvariables = []",
			`s.toml:10:1: variables names none; leave it out where from and to are whole names`},
		{path, `from = "driver.driver"` + "\nvariables = [7]",
			`s.toml:10:14: variables holds 7; it must be a text: "Fz", or "Fx -> Fx_input"`},
		{path + "\n" + end, "from = \"driver.driver\"\nto = \"other.driver\"\nvariables = [\"path -> y\", \"lack -> " +
			"y\"]", `s.toml:11:27: a connection ends at other.driver.y, where that of line 11 ends already`},
		{`[component.other]
model = "driver_lane_change.toml"`, `[component.other]
model = "missing.toml"`, `s.toml:7:9: model missing.toml cannot be used: open missing.toml: no such file`},
		{`[component.other]
model = "driver_lane_change.toml"`, `[component.other]`, `s.toml:6:12: component other lacks the key "model": model file or name of a shipped model (a string)`},
		{`[component.other]
model = "driver_lane_change.toml"`, `[component.Driver]
model = "driver_lane_change.toml"`, `s.toml:6:12: component Driver differs from another one in capital letters only; give it another name`},
		{`[component.other]`, `[component."2nd"]`, `s.toml:6:12: component "2nd" is not called by an identifier`},
		{`speed = "25 m/s"`, `sped = 25`,
			`s.toml:5:23: driver.parameters names "sped", which the model LaneChangeDriver does not have; ` +
				`did you mean "speed"?`},
		{`speed = "25 m/s"`, `speed = "fast"`,
			`s.toml:5:24: driver.parameters: speed is "fast"; it must be a finite number [m/s]`},
		{`speed = "25 m/s"`, `speed = "25 kg"`,
			`driver.parameters: speed is "25 kg": kg is not a unit for what must be in m/s`},
		{`speed = "25 m/s"`, `speed = inf`, `driver.parameters: speed is inf; it must be a finite number [m/s]`},
		{`"solver.method" = "heun"`, `"solver.method" = 4`, `driver.parameters: solver.method is 4; it must be a text`},
		{`"solver.method" = "heun"`, `"solver.step" = -4`, `must not be negative`},
		{`speed = "25 m/s"`, `"driver.path" = 25`,
			`driver.parameters names "driver.path", which is an output; parameters, inputs and start values can be set`},
		{`outputs = ["driver.driver.path"]`, `outputs = ["driver.driver.x"]`,
			`s.toml:2:12: outputs names driver.driver.x, which is an input; only outputs can be listed`},
		{`outputs = ["driver.driver.path"]`, `outputs = ["driver.driver.path", "driver.driver.path"]`,
			`s.toml:2:34: outputs names driver.driver.path twice; name it once`},
		{`name = "Pair"`, `name = "A pair"`, `s.toml:1:8: name is "A pair"; it must be an identifier`},
		{`name = "Pair"`, `nmae = "Pair"`,
			`s.toml:1:8: unknown key "nmae" in the system file; did you mean "name"? allowed keys`},
		{`name = "Pair"`, "name = \"Pair\"\nstep = 0", `s.toml:2:8: step is 0; it must be above 0`},
	} {
		if !strings.Contains(pair, test.old) {
			t.Fatalf("%q is not in the file", test.old)
		}
		_, err := parse([]byte(strings.Replace(pair, test.old, test.new, 1)), "s.toml", false, describe)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q instead of %q: %v\nwant %s", test.new, test.old, err, test.want)
		}
	}
	for text, want := range map[string]string{
		"name = \"Empty\"\n": "there is no component; a system has at least one [component.NAME]",
		// a fmu.Boolean to a number
		strings.NewReplacer("driver_lane_change.toml\"\nparameters", "wheel.toml\"\n#", "outputs", "#",
			"driver.driver.path", "driver."+truth(t, describe)).Replace(pair): "is a Boolean, other.driver.y a " +
			"number; both ends of a connection must be of one type",
	} {
		if _, err := parse([]byte(text), "s.toml", false, describe); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
	if _, err := Read("nowhere.toml", false); err == nil ||
		!strings.Contains(err.Error(), "system file: open nowhere.toml") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestSharesAboveOneAreRejected(t *testing.T) {
	s, err := cosim.Load("../../resources/models/passenger_car.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := fmu.Describe(s)
	for value, want := range map[string]string{"1": "", "1.001": "s.toml:4:38: car.parameters: final_drive.share is " +
		"1.001; it must not be above 1"} {
		text := `name = "Car"
[component.car]
model = "car.toml"
parameters = { "final_drive.share" = ` +
			value + " }\n"
		_, err := parse([]byte(text), "s.toml", false,
			func(name string) (string, *fmu.Table, error) { return name, table, nil })
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(got, want) {
			t.Errorf("%s: %v\nwant %q", value, err, want)
		}
	}
}

// truth is the name of an output of the wheel that is not a number.
func truth(t *testing.T, describe func(string) (string, *fmu.Table, error)) string {
	_, table, _ := describe("wheel.toml")
	for _, v := range table.Variables {
		if v.Type == fmu.Boolean && v.Causality == fmu.Output {
			return v.Name
		}
	}
	t.Fatal("the wheel has no output that is a fmu.Boolean")
	return ""
}

// In the lane change no value depends on itself at one time: a master needs no iteration.
func TestLaneChangeHasNoAlgebraicLoop(t *testing.T) {
	s, err := Read(laneChange, false)
	if err != nil {
		t.Fatal(err)
	}
	source := map[Port]Port{}
	for _, c := range s.Connections {
		source[c.To] = c.From
	}
	const visiting, done = 1, 2
	state := map[Port]int{}
	var visit func(p Port)
	visit = func(p Port) {
		if state[p] == visiting {
			t.Fatalf("%s.%s depends on itself", s.Components[p.Component].Name, s.variable(p).Name)
		}
		if state[p] == done {
			return
		}
		state[p] = visiting
		for _, o := range s.Components[p.Component].Table.Outputs {
			if o.Reference != p.Reference {
				continue
			}
			for _, d := range o.Dependencies {
				if from, fed := source[Port{p.Component, d}]; fed {
					visit(from)
				}
			}
		}
		state[p] = done
	}
	for _, c := range s.Connections {
		visit(c.From)
	}
	if len(state) < 40 {
		t.Errorf("%d outputs visited", len(state))
	}
}

// Packages of equal systems have equal bytes. Each component has the FMU of its model.
func TestSystemPackageHoldsItsFMUs(t *testing.T) {
	s, err := Read(laneChange, false)
	if err != nil {
		t.Fatal(err)
	}
	libraries, about := &fmu.Libraries{}, fmu.About{Version: "1", Generated: time.Unix(0, 0)}
	var once, twice, tire bytes.Buffer
	for _, w := range []*bytes.Buffer{&once, &twice} {
		if err := s.Write(w, libraries, 3, about); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(once.Bytes(), twice.Bytes()) {
		t.Error("two packages differ")
	}
	files := fmutest.Unpack(t, once.Bytes())
	p, err := fmu.NewPackage("../../resources/models/tire_pacejka2002.toml", fmu.Choice{}, libraries, 3, about)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(&tire); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		if !bytes.Equal(files["resources/"+name+".fmu"], tire.Bytes()) {
			t.Errorf("the FMU of %s differs from the FMU of its model", name)
		}
	}
	if len(files) != 7 || files["resources/vehicle.fmu"] == nil || files["resources/driver.fmu"] == nil {
		t.Errorf("%d files", len(files))
	}
	var ssd struct {
		Connections []struct{} `xml:"System>Connections>Connection"`
	}
	if err := xml.Unmarshal(files["SystemStructure.ssd"], &ssd); err != nil {
		t.Fatal(err)
	}
	if n := len(ssd.Connections); n != len(s.Connections) {
		t.Errorf("%d connections in the description, %d in the system", n, len(s.Connections))
	}
	if err := s.Write(&once, libraries, 4, about); err == nil || !strings.Contains(err.Error(), "there is no FMI 4") {
		t.Errorf("FMI 4: %v", err)
	}
}

// Values of parameters stand in the description, with texts and numbers told apart.
func TestSystemDescriptionHoldsParameters(t *testing.T) {
	s, err := parse([]byte(pair), "pair.toml", false, models(t))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.description(&b, fmu.About{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<ssv:ParameterSet version="1.0" name="Pair">`, `<ssv:Parameter name="speed">` + "\n" + strings.Repeat("  ",
			10) + `<ssv:Real value="25"/>`, `<ssv:String value="heun"/>`, `<ssv:Parameter name="driver.x">`,
		`<osp:FixedStepAlgorithm baseStepSize="0.001"/>`,
		`<oms:FixedStepMaster description="oms-ma" stepSize="0.001" relativeTolerance="1e-6"/>`,
		`<ssd:Connector name="driver.path" kind="output"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is not in\n%s", want, b.String())
		}
	}
}

// Every file is either a system, whose connections join outputs and inputs of the same unit, or rejected with the
// file's name.
func FuzzParse(f *testing.F) {
	describe := models(f)
	shipped, err := os.ReadFile(laneChange)
	if err != nil {
		f.Fatal(err)
	}
	fuzzinputs.Add(f, []byte(pair))
	fuzzinputs.Add(f, []byte(`name = "A"
[component.a]
model = "a\n'"
`))
	fuzzinputs.Add(f, bytes.ReplaceAll(shipped, []byte("../models/"), nil))
	fuzzinputs.Add(f, []byte(`name = "A"
[component.a]
model = "wheel.toml"
[[connection]]
from = "a.b"
to = "a.c"
variables = ["x -> y", 1]
`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parse(data, "fuzz.toml", false, describe)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "fuzz.toml:") {
					t.Fatalf("%q does not say where", line)
				}
			}
			return
		}
		fed := map[Port]bool{}
		for _, c := range s.Connections {
			from, to := s.variable(c.From), s.variable(c.To)
			if from.Causality != fmu.Output || to.Causality != fmu.Input || from.Unit != to.Unit ||
				from.Type != to.Type || fed[c.To] {
				t.Fatalf("connection %+v", c)
			}
			fed[c.To] = true
		}
		var b bytes.Buffer
		if err := s.description(&b, fmu.About{}); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
	})
}
