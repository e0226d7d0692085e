package animation

import (
	"fmt"
	"iter"
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

// terrainKeys are the texts and the numbers of a terrain that can be set.
var terrainKeys = map[string]struct {
	text   func(t *component.Terrain) *string
	number func(t *component.Terrain) *float64
}{
	"kind":             {text: func(t *component.Terrain) *string { return &t.Kind }},
	"formula":          {text: func(t *component.Terrain) *string { return &t.Formula }},
	"file":             {text: func(t *component.Terrain) *string { return &t.File }},
	"class":            {text: func(t *component.Terrain) *string { return &t.Class }},
	"friction_kind":    {text: func(t *component.Terrain) *string { return &t.Friction.Kind }},
	"friction_formula": {text: func(t *component.Terrain) *string { return &t.Friction.Formula }},
	"friction_file":    {text: func(t *component.Terrain) *string { return &t.Friction.File }},
	"height":           {number: func(t *component.Terrain) *float64 { return &t.Height.Value }},
	"slope_x":          {number: func(t *component.Terrain) *float64 { return &t.SlopeX.Value }},
	"slope_y":          {number: func(t *component.Terrain) *float64 { return &t.SlopeY.Value }},
	"seed":             {number: func(t *component.Terrain) *float64 { return &t.Seed.Value }},
	"friction_left":    {number: func(t *component.Terrain) *float64 { return &t.Friction.Left.Value }},
	"friction_right":   {number: func(t *component.Terrain) *float64 { return &t.Friction.Right.Value }},
}

// SetTerrain changes the terrains of a model as a manoeuvre does.
func SetTerrain(m *vehicle.Model, settings []manoeuvre.FileSetting) {
	for _, s := range settings {
		name, key, _ := strings.Cut(s.Name, ".")
		of := terrainKeys[key]
		for t := range terrains(m) {
			if t.Name != name {
				continue
			}
			if of.text != nil {
				*of.text(t) = s.Value
			}
			if of.number != nil {
				*of.number(t), _ = strconv.ParseFloat(s.Value, 64)
			}
		}
	}
}

// ReadTerrain changes the terrains of a model to the present texts and numbers of a vehicle.
func ReadTerrain(m *vehicle.Model, text func(name string) (string, error), number func(name string) (float64, error)) (
	err error) {
	for t := range terrains(m) {
		for key, of := range terrainKeys {
			name := t.Name + "." + key
			if of.text != nil {
				*of.text(t), err = text(name)
			} else {
				*of.number(t), err = number(name)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// terrains are the terrains of a model.
func terrains(m *vehicle.Model) iter.Seq[*component.Terrain] {
	return func(yield func(*component.Terrain) bool) {
		for _, c := range m.Components {
			if t, is := c.(*component.Terrain); is && !yield(t) {
				return
			}
		}
	}
}
