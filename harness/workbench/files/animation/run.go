package animation

import (
	"fmt"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Run is a run that was read from files.
type Run struct {
	times   []float64
	columns map[string][]float64
}

// Times implements Source.
func (r *Run) Times() []float64 { return r.times }

// Column implements Source.
func (r *Run) Column(name string) []float64 { return r.columns[name] }

// ReadRun reads a run from files, such as those of its outputs and its inputs, which must have the same samples; a
// file "" is left out.
func ReadRun(files ...string) (*Run, error) {
	run := &Run{columns: map[string][]float64{}}
	for _, file := range files {
		if file == "" {
			continue
		}
		if err := run.add(file); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// add adds the columns of a file; its samples must be those of the first one.
func (r *Run) add(path string) error {
	trace, err := recording.Read(path)
	if err != nil {
		return err
	}
	if r.times == nil {
		r.times = trace.Time
	}
	if len(trace.Time) != len(r.times) {
		return fmt.Errorf("%s has %d samples, the first file has %d", path, len(trace.Time), len(r.times))
	}
	for _, name := range trace.Names() {
		r.columns[name] = trace.Column(name)
	}
	return nil
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
