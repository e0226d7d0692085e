package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"skidpad/harness/animation"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/output"
	"skidpad/harness/trace"
	"skidpad/model"
	"skidpad/model/bounded"
	"skidpad/model/component"
)

// animateVerb makes a page that plays a recorded run.
func animateVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "animate RESULT.csv --model MODEL.toml [flags]\n\n"+
		"Writes an HTML animation of a recorded run: wheels, bodies, masses, springs and rods as the model file\n"+
		"has them, where the recorded variables put them. The page is self-contained.",
		"  skidpad simulate resources/models/bicycle.toml \\\n    --manoeuvre "+
			"resources/manoeuvres/bicycle_counter_steer.toml --out ride.csv\n"+
			"  skidpad animate ride.csv --model resources/models/bicycle.toml -o ride.html")
	modelFile := flags.String("model", "", "model `FILE`, TOML (required)")
	inputsFile := flags.String("inputs", "", "CSV `FILE` of the inputs, for motion drivers that steer")
	manoeuvreFile := flags.String("manoeuvre", "", "manoeuvre `FILE`, TOML, for the terrain that it sets")
	car := carFlag(flags)
	out := flags.String("o", "animation.html", "`FILE` to write")
	results, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *modelFile == "" {
		return usageError{errors.New("--model is missing")}
	}
	if err := checkOutputs([]string{"-o", *out, ".html", ".htm"}); err != nil {
		return err
	}
	m, err := model.Read(*modelFile)
	if err != nil {
		return err
	}
	if *manoeuvreFile != "" {
		manoeuvre, err := manoeuvre.ReadFor(manoeuvre.Target{Model: m.Name, Car: *car}, *manoeuvreFile)
		if err != nil {
			return err
		}
		setTerrain(m, manoeuvre.Settings)
	}
	run := recorded{columns: map[string][]float64{}}
	for _, file := range []string{results[0], *inputsFile} {
		if file == "" {
			continue
		}
		if err := run.read(file); err != nil {
			return err
		}
	}
	scene, err := animation.New(m, &run)
	if err != nil {
		return err
	}
	if err := output.WriteFile(*out, scene.Write); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %d shapes, %d moments\n", *out, len(scene.Shapes), len(scene.Times))
	return nil
}

// recorded is a run read from CSV files.
type recorded struct {
	times   []float64
	columns map[string][]float64
}

func (r *recorded) Times() []float64             { return r.times }
func (r *recorded) Column(name string) []float64 { return r.columns[name] }

// read adds the columns of a file; its moments must be those of the first one.
func (r *recorded) read(path string) error {
	file, err := bounded.Table.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	trace, err := trace.ReadCSV(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if r.times == nil {
		r.times = trace.Time
	}
	if len(trace.Time) != len(r.times) {
		return fmt.Errorf("%s has %d moments, the first file has %d", path, len(trace.Time), len(r.times))
	}
	for _, name := range trace.Names {
		r.columns[name] = trace.Column(name)
	}
	return nil
}

// setTerrain changes the terrains of a model as a manoeuvre does.
func setTerrain(m *model.Model, settings []manoeuvre.FileSetting) {
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
