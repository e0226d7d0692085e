package vehicle_test

import (
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// FuzzSlip writes the slip of a tire. It is refused with a place, or steady slip has no relaxation.
func FuzzSlip(f *testing.F) {
	const name = "../../resources/models/wheel.toml"
	data, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	at := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "slip = ") {
			at = i
		}
	}
	lines = append(lines[:at], lines[at+1:]...)
	model := strings.Join(lines, "\n")
	const relaxed = `[component.tire.slip]
method = "delayed"
low_speed_damping = 0
`
	for _, seed := range []string{
		relaxed + "states = 3\nq1 = 0.1\nq2 = -0.1\nq3 = 0.01\nrelaxation = { function = \"BrushRelaxation\", " +
			"file = \"../tires/brush_relaxation.toml\" }\n",
		relaxed + "states = 2\nrelaxation = { function = \"ConstantLength\", parameters = { Blong = 0.3, Blat = 0.5 } }\n",
		"[component.tire.slip]\nmethod = \"carcass\"\ndamping = 0.1\nrelaxation = { function = \"StretchedString\", " +
			"file = \"../tires/stretched_string.toml\" }\n",
		relaxed + "states = 3\nrelaxation = { function = \"plugin:lib.so#f\" }\n",
	} {
		fuzzinputs.Add(f, seed)
	}
	files := map[string]string{}
	for _, tire := range []string{"brush_wheel", "brush_relaxation", "stretched_string"} {
		data, err := os.ReadFile("../../resources/tires/" + tire + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		files["../tires/"+tire+".toml"] = string(data)
	}
	open := inMemory(files)
	f.Fuzz(func(t *testing.T, slip string) {
		m, err := vehicle.Parse([]byte(model+"\n"+slip), "fuzz.toml", open)
		if err != nil {
			if !strings.Contains(err.Error(), "fuzz.toml") && !strings.Contains(err.Error(), "/tires/") {
				t.Fatalf("no place: %v", err)
			}
			return
		}
		for _, c := range m.Components {
			tire, is := c.(*component.Tire)
			if is && !tire.Slip.Delayed && (tire.Slip.TurnSlip || tire.Slip.Relaxation.Name != "") {
				t.Fatal("steady slip has a relaxation")
			}
		}
	})
}
