// Package drivable makes pages in which readers drive a shipped vehicle, without a server:
//
//	model file -> C (capi/standalone) -> WebAssembly (clang) -> the page of the live view (files/view)
//
// The driver's law is the Go text of runs/live, translated by package translate.
package drivable

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"skidpad/capi/standalone"
	"skidpad/cosim"
	"skidpad/harness/site/translate"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/view"
	"skidpad/harness/workbench/results/web"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/live"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/reduction"
	"skidpad/model/vehicle"
)

const (
	slice = 1e-3  // s, between two commands of the law
	reach = 100.0 // m, of the ground about the start
)

// Models are the shipped models with pages, and their names in links.
var Models = []struct{ Name, Title string }{
	{"passenger_car_manual", "passenger car"}, {"formula_student", "Formula Student"},
}

// description is what scripts/inpage.js runs.
type description struct {
	Look      animation.Look       `json:"look"`
	Signals   []signal             `json:"signals"`
	Choices   []view.Signal        `json:"choices"` // outputs for plots
	Placement *animation.Placement `json:"placement"`
	Placing   []int                `json:"placing"` // outputs of the module that Placement reads
	Module    string               `json:"module"`  // deflated, in base64
	Inputs    []string             `json:"inputs"`  // of the module
	Outputs   []string             `json:"outputs"`
	Ends      []string             `json:"ends"` // conditions that end a run
	Step      float64              `json:"step"` // slice [s]
	Driver    any                  `json:"driver"`
	Controls  any                  `json:"controls"`
	Set       []int                `json:"set"`    // inputs of the module that Controls sets
	Speed     int                  `json:"speed"`  // output
	Engine    int                  `json:"engine"` // output, -1 without
}

// signal is a quantity on the page.
type signal struct {
	view.Signal
	Output int `json:"output"` // of the module; -1 for a quantity of the driver
}

// Page is the page of a shipped model at standstill. Root is the repository. Folder holds the compiled module from one
// call to the next. Links are HTML for the last line of the page.
func Page(root, model, folder string, links template.HTML) ([]byte, error) {
	script, err := scriptOf(root, model, folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	return view.Alone(script, links)
}

// scriptOf is the script that makes the vehicle of a model in a page.
func scriptOf(root, model, folder string) (web.Script, error) {
	d, err := describe(root, model, folder)
	if err != nil {
		return "", err
	}
	law, err := lawOf(root)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(d) // JSON escapes the sign <
	return web.Own("namespace", "numbers", "placement", "inpage") + web.Script("Skidpad.law = "+law+";\n"+
		"Skidpad.connect = () => new Skidpad.InPage("+string(data)+");\n"), err
}

// lawOf is the driver's law in JavaScript.
func lawOf(root string) (string, error) {
	const folder = "harness/workbench/runs/live"
	var files []translate.Source
	for _, name := range []string{"law.go", "servo.go", "controls.go"} {
		text, err := os.ReadFile(filepath.Join(root, folder, name))
		if err != nil {
			return "", err
		}
		files = append(files, translate.Source{Name: folder + "/" + name, Text: text})
	}
	return translate.JavaScript(files)
}

// describe makes the vehicle of a model.
func describe(root, model, folder string) (*description, error) {
	path := filepath.Join(root, "resources", "models", model+".toml")
	m, err := reduction.Read(path)
	if err != nil {
		return nil, err
	}
	target, err := modelfile.Target(path, "")
	if err != nil {
		return nil, err
	}
	system, err := cosim.New(m, cosim.Options{})
	if err != nil {
		return nil, err
	}
	target.Find = finder(system)
	car, err := manoeuvre.ReadDrivenCar(target, 0)
	if err != nil {
		return nil, err
	}
	in, err := instantiate(system)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	plan := &drive.Plan{Manoeuvre: &manoeuvre.Manoeuvre{Name: "drive", Start: car.Start, Roles: car.Roles}}
	if _, err := plan.Prepare(in, slice); err != nil {
		return nil, err
	}
	shown := view.Shown(animation.Variables(m, in.Outputs()), in, car.Roles)
	const alone = true // in time with the slices: nothing is read seldom
	if err := shown.Offer(in, car.Roles, alone); err != nil {
		return nil, err
	}
	files, err := standalone.Files([]*cosim.Instance{in.Instance}, standalone.Options{Name: "vehicle", Frozen: true,
		Module: true})
	if err != nil {
		return nil, err
	}
	d := &description{Choices: shown.Choices, Step: slice, Engine: -1}
	if err := d.read(files); err != nil {
		return nil, err
	}
	d.Driver, d.Controls, err = live.Described(in, car, live.UsualAcceleration)
	if err != nil {
		return nil, err
	}
	if err := d.connect(shown, car); err != nil {
		return nil, err
	}
	if err := d.place(m, in, shown.Outputs[:shown.Placing]); err != nil {
		return nil, err
	}
	module, err := compiled(files, folder)
	if err != nil {
		return nil, err
	}
	d.Module, err = packed(module)
	return d, err
}

// read takes the names of the module's variables from its tables in JavaScript.
func (d *description) read(files []standalone.File) error {
	var tables struct {
		Inputs, Outputs []struct{ Name string }
		Ends            []string
	}
	at := slices.IndexFunc(files, func(f standalone.File) bool { return f.Name == "vehicle.mjs" })
	_, text, _ := strings.Cut(files[at].Text, "ends } = ")
	text, _, _ = strings.Cut(text, "\n\n")
	if err := json.Unmarshal([]byte(text), &tables); err != nil {
		return fmt.Errorf("vehicle.mjs: %w", err)
	}
	for _, x := range tables.Inputs {
		d.Inputs = append(d.Inputs, x.Name)
	}
	for _, x := range tables.Outputs {
		d.Outputs = append(d.Outputs, x.Name)
	}
	d.Ends = tables.Ends
	return nil
}

// connect finds the module's variables that driver and page use.
func (d *description) connect(shown view.Options, car *manoeuvre.DrivenCar) error {
	var faults []error
	find := func(list []string, name string) int {
		i := slices.Index(list, name)
		if i < 0 {
			faults = append(faults, fmt.Errorf("the module has no %s", name))
		}
		return i
	}
	for _, name := range d.Controls.(map[string]any)["names"].([]any) {
		d.Set = append(d.Set, find(d.Inputs, name.(string)))
	}
	d.Speed = find(d.Outputs, car.Roles.Chassis+".vx")
	if car.Roles.EngineSpeed != "" {
		d.Engine = find(d.Outputs, car.Roles.EngineSpeed)
	}
	for _, name := range shown.Outputs[:shown.Placing] {
		d.Placing = append(d.Placing, find(d.Outputs, name))
	}
	for _, s := range shown.Signals {
		of := signal{s, -1}
		if !slices.Contains(view.OfRows, s) {
			of.Output = find(d.Outputs, s.Name)
		}
		d.Signals = append(d.Signals, of)
	}
	return errors.Join(faults...)
}

// place makes the picture, from the values of outputs at the start.
func (d *description) place(m *vehicle.Model, in subject, outputs []string) error {
	references, err := in.References(outputs...)
	if err != nil {
		return err
	}
	values := make([]float64, len(outputs))
	if err := in.Get(references, values); err != nil {
		return err
	}
	poser, err := animation.NewPoser(m, outputs, values, reach)
	if err != nil {
		return err
	}
	d.Look, d.Placement = poser.Look(), poser.Placement
	return nil
}

// packed is deflated data in base64.
func packed(data []byte) (string, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	err = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}
