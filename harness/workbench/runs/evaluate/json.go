package evaluate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"path/filepath"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
)

// resultJSON is a file figures.json.
type resultJSON struct {
	Vehicle   string             `json:"vehicle"`
	Model     fileJSON           `json:"model"`
	Car       string             `json:"car,omitempty"`
	Put       []string           `json:"controllers,omitempty"` // files put into the vehicle
	Tires     []string           `json:"tires,omitempty"`
	Mass      float64            `json:"mass,omitempty"`         // kg
	Carried   float64            `json:"carried_mass,omitempty"` // kg, by the wheels in the first second
	Control   *controlJSON       `json:"control,omitempty"`
	Manoeuvre string             `json:"manoeuvre"`
	Title     string             `json:"title"`
	Version   string             `json:"version"`
	Ratio     *float64           `json:"ratio"` // null where it is not known
	Kind      string             `json:"kind"`  // of characteristic values
	Options   map[string]float64 `json:"options,omitempty"`
	Signals   signalsJSON        `json:"signals"`
	Files     map[string]string  `json:"files"`
	Constants map[string]float64 `json:"constants"`
	Origins   map[string]string  `json:"origins"`              // of the constants
	Values    map[string]float64 `json:"parameters,omitempty"` // of the file, before the settings of runs, SI
	Runs      []runJSON          `json:"runs"`
	Figures   []figureJSON       `json:"figures"`
}

// fileJSON is a model file; its hash is among Files.
type fileJSON struct {
	File string `json:"file"`
}

// signalsJSON are the variables of the recorded runs from which the characteristic values are read.
type signalsJSON struct {
	Body     string  `json:"body"`
	Steering string  `json:"steering,omitempty"`        // "" where nothing steers
	Factor   float64 `json:"steering_factor,omitempty"` // angle of the steering wheel for one of that variable
	Torque   string  `json:"steering_torque,omitempty"` // of a steering wheel that is free
}

// controlJSON is a program outside of the vehicle that sets inputs at samples.
type controlJSON struct {
	Sample  float64  `json:"sample"` // s
	Signals []string `json:"signals"`
	Outputs []string `json:"outputs"`
}

type runJSON struct {
	Varied     map[string]float64    `json:"varied"`
	Parameters map[string]string     `json:"parameters"`
	Start      map[string]float64    `json:"start"`
	Verdict    string                `json:"verdict"`
	Phases     []drive.PhaseInterval `json:"phases"`
	Figures    []figureJSON          `json:"figures"`
	Warnings   []library.Warning     `json:"warnings"` // of the run and its start
	Energy     *drive.Energy         `json:"energy,omitempty"`
}

// WriteJSON writes the vehicle, constants with their origins, settings of each run, phases, verdicts and figures in SI
// units. It adds the version of the library and hashes (SHA-256) of the given files and of the car file: the files that
// the figures depend on.
func (e *Result) WriteJSON(to io.Writer, files ...string) error {
	data := resultJSON{
		Vehicle: e.Vehicle, Tires: e.Runs[0].Tires, Mass: e.Mass, Carried: e.carried(),
		Manoeuvre: e.Manoeuvre.Name, Title: e.Manoeuvre.Title, Version: harness.Version,
		Ratio: e.ratio(), Kind: e.Manoeuvre.KeyFigures.Kind, Options: map[string]float64{}, Signals: e.signals(),
		Files: map[string]string{}, Constants: valuesOf(e.Manoeuvre.Constants),
		Origins: map[string]string{}, Values: e.Runs[0].file,
		Figures: figuresOf(e.Figures),
	}
	for _, o := range e.Manoeuvre.KeyFigures.Options.Numbers() {
		data.Options[o.Name] = *o.Value
	}
	for _, c := range e.Constants {
		data.Origins[c.Name] = c.Origin
	}
	if e.file != "" {
		data.Model = fileJSON{filepath.Base(e.file)}
	}
	if c := e.control; c != nil {
		data.Control = &controlJSON{c.Sample, append([]string{}, c.Signals...), c.Outputs}
	}
	for _, file := range e.controllers {
		data.Put = append(data.Put, filepath.Base(file))
	}
	if e.Manoeuvre.Car != "" {
		data.Car = filepath.Base(e.Manoeuvre.Car)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if data.Files[name] != "" { // a model may be called like its base
			name = filepath.ToSlash(file)
		}
		if err := data.note(name, file); err != nil {
			return err
		}
	}
	if car := e.Manoeuvre.Car; car != "" { // which may be called like its model
		if err := data.note("cars/"+filepath.Base(car), car); err != nil {
			return err
		}
	}
	for _, r := range e.Runs {
		parameters, start := map[string]string{}, map[string]float64{}
		for _, s := range r.Result.Settings {
			parameters[s.Name] = s.Value
		}
		for _, s := range r.Start {
			start[s.Variable] = s.Value
		}
		data.Runs = append(data.Runs, runJSON{
			valuesOf(r.Varied), parameters, start, r.Result.Verdict, r.Result.Phases, figuresOf(r.Figures),
			append([]library.Warning{}, r.Result.Warnings...), r.Result.Energy,
		})
	}
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(data)
}

// signals are the variables of the first run.
func (e *Result) signals() signalsJSON {
	m, run := e.Manoeuvre, e.Runs[0].Result
	s := signalsJSON{Body: m.KeyFigures.Body}
	if m.Steering == nil {
		return s
	}
	wheel := m.Steering.Drivers[0]
	if name := wheel + ".wheel_angle"; run.Trace.Has(name) {
		s.Steering, s.Factor = name, 1
	}
	if name := wheel + ".wheel_torque"; run.Trace.Has(name) {
		s.Torque = name
		return s
	}
	for _, quantity := range []string{".angle", ".position"} {
		if name := wheel + quantity; run.Inputs.Has(name) {
			s.Steering, s.Factor = name, run.Turns
		}
	}
	return s
}

// ratio is the angle of the steering wheel to the angle of the road wheels, nil where it is not known.
func (e *Result) ratio() *float64 {
	if ratio := e.Runs[0].Record.Ratio; !math.IsNaN(ratio) {
		return &ratio
	}
	return nil
}

// note adds the hash of a file.
func (d *resultJSON) note(name, file string) error {
	hash, err := digest(file)
	d.Files[name] = hash
	return err
}

// digest is the hash (SHA-256) of a model, a manoeuvre, a car or an FMU; the file has been read before.
func digest(file string) (string, error) {
	content, err := bounded.FMU.Open(file)
	if err != nil {
		return "", err
	}
	defer content.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// valuesOf are constants by name.
func valuesOf(list []manoeuvre.ConstantValue) map[string]float64 {
	m := map[string]float64{}
	for _, c := range list {
		m[c.Name] = c.Value
	}
	return m
}
