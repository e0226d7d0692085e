package fmu_test

import (
	"bytes"
	"encoding/xml"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// startValue is a start value of a model description, of any type.
type startValue struct {
	name, text string
	reference  uint32
}

// startValues reads the start values of all variables in a model description of either version.
func startValues(t *testing.T, text []byte) (list []startValue) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	var v startValue
	for {
		token, err := d.Token()
		if token == nil {
			if len(list) == 0 {
				t.Fatal("no start values", err)
			}
			return list
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes := map[string]string{}
		for _, a := range e.Attr {
			attributes[a.Name.Local] = a.Value
		}
		if r, ok := attributes["valueReference"]; ok && attributes["name"] != "" {
			n, err := strconv.ParseUint(r, 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			v = startValue{name: attributes["name"], reference: uint32(n)}
		}
		start, ok := attributes["start"]
		if e.Name.Local == "Start" {
			start, ok = attributes["value"]
		}
		if ok && v.name != "" {
			v.text = start
			list = append(list, v)
		}
	}
}

// The start values of the model description are bit-identical to the values of an instance before any set call: in
// Instantiated, in Initialization Mode and before the first step, for all shipped models.
func TestStartValuesEqualTheInstance(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		model := strings.TrimSuffix(filepath.Base(file), ".toml")
		table := load(t, model).table
		for _, settings := range []fmu.Settings{cs2, cs3} {
			var text bytes.Buffer
			describe := table.ModelDescription2
			if settings.Version == 3 {
				describe = table.ModelDescription3
			}
			if err := describe(&text, table.Name, fmu.About{}); err != nil {
				t.Fatal(err)
			}
			m := instantiate(t, model, settings)
			list := startValues(t, text.Bytes())
			compare := func(state string) {
				for _, v := range list {
					if m.table.Variables[v.reference].Type == fmu.String {
						got, status := m.GetString([]uint32{v.reference})
						if m.ok(status); got[0] != v.text {
							t.Errorf("%s %d, %s: %s is %q, in the description %q", model, settings.Version, state, v.name,
								got[0], v.text)
						}
						continue
					}
					want, err := strconv.ParseFloat(v.text, 64)
					if got := m.get(v.name); err != nil || math.Float64bits(got) != math.Float64bits(want) {
						t.Errorf("%s %d, %s: %s is %.17g, in the description %s", model, settings.Version, state, v.name, got,
							v.text)
					}
				}
			}
			compare("Instantiated")
			m.ok(m.EnterInitializationMode(true, 0, false, 0))
			compare("Initialization Mode")
			m.ok(m.ExitInitializationMode())
			compare("Step Mode")
		}
	}
}

// FMI 3.0 declares the solver step of models with wheel contacts, whose communication steps are integer multiples of
// the solver step, and no step of other models. Both versions have the tolerance with which CVODE follows jumps of
// inputs.
func TestDescriptionsTellStepsAndTolerance(t *testing.T) {
	for model, contacts := range map[string]bool{"motorcycle2d": true, "motorcycle3d": true, "partial_vehicle2d": true,
		"skidder": false, "generic4w": false} {
		table := load(t, model).table
		var two, three bytes.Buffer
		if table.ModelDescription2(&two, table.Name, fmu.About{}) != nil ||
			table.ModelDescription3(&three, table.Name, fmu.About{}) != nil {
			t.Fatal(model)
		}
		fixed := ` fixedInternalStepSize="` + strconv.FormatFloat(table.Step, 'g', -1, 64) + `"`
		if got := strings.Contains(three.String(), fixed); got != contacts ||
			!contacts && strings.Contains(three.String(), "fixedInternalStepSize") ||
			strings.Contains(two.String(), "fixedInternalStepSize") {
			t.Errorf("%s: fixedInternalStepSize is %v, want %v", model, got, contacts)
		}
		for version, text := range []string{two.String(), three.String()} {
			if !strings.Contains(text, ` tolerance="0.0001"`) {
				t.Errorf("%s %d: no tolerance of 1e-4", model, version+2)
			}
		}
		m := instantiate(t, model, cs3)
		m.initialise(0)
		if _, s := m.DoStep(0, 3*table.Step); s != fmu.OK {
			t.Errorf("%s: a multiple of the step has status %d", model, s)
		}
		if _, s := m.DoStep(3*table.Step, 1.5*table.Step); (s == fmu.Error) != contacts {
			t.Errorf("%s: one and a half steps have status %d", model, s)
		}
	}
}
