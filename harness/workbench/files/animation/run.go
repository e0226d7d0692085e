package animation

import (
	"fmt"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// ReadRun reads a run from several files, such as one of outputs and one of inputs. The files must have the same
// samples; the name "" is skipped.
func ReadRun(files ...string) (run *trace.Trace, err error) {
	for _, file := range files {
		if file == "" {
			continue
		}
		next, err := recording.Read(file)
		if err != nil {
			return nil, err
		}
		if run == nil {
			run = next
		}
		if len(next.Time) != len(run.Time) {
			return nil, fmt.Errorf("%s has %d samples, the first file has %d", file, len(next.Time), len(run.Time))
		}
		run = run.Beside(next)
	}
	return run, nil
}

// SetTerrain changes the terrains of a model as a manoeuvre does.
func SetTerrain(m *vehicle.Model, settings []manoeuvre.FileSetting) {
	for _, s := range settings {
		name, key, _ := strings.Cut(s.Name, ".")
		for _, c := range m.Components {
			t, ok := c.(*component.Terrain)
			if !ok || t.Name != name {
				continue
			}
			number, _ := strconv.ParseFloat(s.Value, 64)
			switch key {
			case "kind":
				t.Kind = s.Value
			case "formula":
				t.Formula = s.Value
			case "file":
				t.File = s.Value
			case "height":
				t.Height.Value = number
			case "slope_x":
				t.SlopeX.Value = number
			case "slope_y":
				t.SlopeY.Value = number
			}
		}
	}
}
