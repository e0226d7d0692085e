// Package modelfile tells what a model file, or an FMU, says of itself: the name of the model and the files it is made
// of. It reads model files by the engine's parser.
package modelfile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Name is the name of the model in a model file or an FMU.
func Name(path string) (string, error) {
	if isFMU(path) {
		opened, err := archive.Open(path)
		if err != nil {
			return "", err
		}
		defer opened.Close()
		data, err := opened.Description()
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		d, err := library.ParseDescription(data)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		return d.ModelName, nil
	}
	data, err := bounded.Model.Read(path)
	if err != nil {
		return "", err
	}
	root, err := document.Parse(data, path)
	if err != nil {
		return "", err
	}
	if name := root.Field("name"); name != nil && name.Kind == document.Text && name.Text != "" {
		return name.Text, nil
	}
	_, err = vehicle.Read(path) // which tells what is wrong
	return "", err
}

// Target is the vehicle of a model file or an FMU, for manoeuvres of any car; car is its car file, "" without.
func Target(path, car string) (t manoeuvre.Target, err error) {
	t = manoeuvre.Target{File: path, Car: car, Spins: func() (map[string]string, error) { return Spins(path) }}
	if t.Model, err = Name(path); err == nil {
		t.Roles, err = Roles(path)
	}
	return t, err
}

// Spins are the variables of the angular velocities of wheels, by their tires, in a model file: the variables of
// revolute joints that carry the frames of tires and have numbers as start values. Of an FMU there are none.
func Spins(path string) (map[string]string, error) {
	if isFMU(path) {
		return nil, nil
	}
	m, err := vehicle.Read(path)
	if err != nil {
		return nil, err
	}
	free := map[string]bool{}
	g := m.Graph()
	for i := range g.Edges {
		if motion := g.Edges[i].Space.Motion; motion != nil && !motion.Prescribed && !motion.Speed.Start.Formula {
			free[motion.Speed.Name] = true
		}
	}
	spins := map[string]string{}
	for _, c := range m.Components {
		tire, is := c.(*component.Tire)
		if !is {
			continue
		}
		for _, a := range m.Scope().Axles() {
			if spin := a.Joint + ".omega"; a.Wheel.Frame == tire.Frame && free[spin] {
				spins[tire.Name] = spin
			}
		}
	}
	return spins, nil
}

// Roles is the table [roles] of a model file or an FMU; nil where it has none.
func Roles(path string) (*document.Node, error) {
	if !isFMU(path) {
		d, err := vehicle.ReadDocument(path)
		if err != nil {
			return nil, err
		}
		return d.Root.Field("roles"), nil
	}
	opened, err := archive.Open(path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	if !slices.Contains(opened.Names(), roles.File) {
		return nil, nil
	}
	data, err := opened.Read(roles.File, bounded.Car)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	root, err := document.Parse(data, path+"/"+roles.File)
	if err != nil {
		return nil, err
	}
	return root.Field("roles"), nil
}

// Sources are a model file, its bases and the subsystem files that it uses, or an FMU alone.
func Sources(path string) ([]string, error) {
	if isFMU(path) {
		return []string{path}, nil
	}
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, s := range d.Sources {
		files = append(files, s.Name)
	}
	for _, f := range d.Subsystems {
		files = append(files, f.Name)
	}
	return files, nil
}

// FMUVariables are the variables of an FMU; only its model description is read.
func FMUVariables(path string) ([]library.Variable, error) {
	opened, err := archive.Open(path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	data, err := opened.Description()
	if err != nil {
		return nil, err
	}
	d, err := library.ParseDescription(data)
	if err != nil {
		return nil, err
	}
	return d.Variables, nil
}

func isFMU(path string) bool { return strings.EqualFold(filepath.Ext(path), ".fmu") }
