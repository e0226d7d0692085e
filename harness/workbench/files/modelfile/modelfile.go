// Package modelfile reads the name, the roles, the wheels and the list of files of a model file or an FMU. The
// parser of the engine reads the model files.
package modelfile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/harness/library"
	"skidpad/harness/workbench/files/tracks"
	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// Name returns the name of the model in a model file or an FMU.
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
	_, err = vehicle.Read(path) // its error states what is wrong with the file
	return "", err
}

// Target returns the vehicle of a model file or an FMU, for manoeuvres that any car can run. car is the path of its car
// file; with "" the manoeuvre finds one.
func Target(path, car string) (t manoeuvre.Target, err error) {
	t = manoeuvre.Target{File: path, Car: car, Spins: func() (map[string]string, error) { return Spins(path) },
		Track: func(folder, word string, o course.Options) (*course.Course, error) {
			file, err := tracks.Find(word, folder, filepath.Dir(path))
			if err != nil {
				return nil, err
			}
			return tracks.Read(file, o)
		}}
	if t.Model, err = Name(path); err == nil {
		t.Roles, err = Roles(path)
	}
	return t, err
}

// Spins returns the names of the variables with the angular velocities of wheels; the keys are the names of the tires.
// In a model file these variables are the speeds of the revolute joints that carry the frames of tires, if the motion
// of the joint is not prescribed and the start value of its speed is a number. For an FMU the result is nil.
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

// Roles returns the table [roles] of a model file or an FMU, nil if it has none.
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

// Sources returns the paths of a model file, its bases and the subsystem files that it uses. For an FMU it returns the
// path of the FMU alone.
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

// FMUVariables returns the variables of an FMU. It reads the model description only.
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
