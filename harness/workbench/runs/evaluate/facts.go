package evaluate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Constant is a constant of a manoeuvre with where its value comes from: the file, --let, or a run before.
type Constant struct {
	manoeuvre.ConstantValue
	Origin string
}

// ranBefore begins the origin of constants that a run before has found.
const ranBefore = "run of "

// InForce lists the constants of a manoeuvre with their origins: the file, a replacement by the user, or the prerun.
func InForce(m *manoeuvre.Manoeuvre, replaced, found []manoeuvre.ConstantValue) (list []Constant) {
	for _, c := range m.Constants {
		named := func(o manoeuvre.ConstantValue) bool { return o.Name == c.Name }
		origin := "file"
		switch {
		case slices.ContainsFunc(replaced, named):
			origin = "--let"
		case slices.ContainsFunc(found, named):
			origin = ranBefore + m.Prerun.File + " before"
		}
		list = append(list, Constant{c, origin})
	}
	return list
}

// String is NAME=VALUE, with the origin where that is not the file.
func (c Constant) String() string {
	if c.Origin == "file" {
		return fmt.Sprintf("%s=%v", c.Name, c.Value)
	}
	return fmt.Sprintf("%s=%v, from %s", c.Name, c.Value, strings.Replace(c.Origin, "run", "the run", 1))
}

// tiresOf lists the force functions and parameter files of tires, each once with the tires that have it.
func tiresOf(s drive.Subject, tires []string) (list []string) {
	texts, can := s.(interface{ Text(string) (string, error) })
	if !can {
		return nil
	}
	var kinds []string
	of := map[string][]string{}
	for _, tire := range tires {
		function, err := texts.Text(tire + ".model")
		if err != nil {
			continue // an FMU of another tool
		}
		if file, err := texts.Text(tire + ".file"); err == nil && file != "" {
			function += ", " + filepath.Base(file)
		}
		if of[function] == nil {
			kinds = append(kinds, function)
		}
		of[function] = append(of[function], tire)
	}
	for _, kind := range kinds {
		list = append(list, kind+" ("+strings.Join(of[kind], " ")+")")
	}
	return list
}

// parametersOf are the numbers that are parameters of a vehicle, before any of them is set [SI].
func parametersOf(s drive.Subject) map[string]float64 {
	lister, can := s.(interface{ Adjustable() []string })
	if !can {
		return nil
	}
	values := map[string]float64{}
	for _, name := range lister.Adjustable() {
		if v, err := s.Find(name); err == nil && v.Causality != library.Input {
			values[name] = v.Start
		}
	}
	return values
}

// carried is the mean load of the wheels in the first second as a mass [kg], so it is less than the mass of the vehicle
// by the lift; 0 without tires.
func (e *Result) carried() float64 {
	r := e.Runs[0].Record
	sum, rows := 0.0, 0
	for i, t := range r.Time {
		if t > r.Time[0]+1 {
			break
		}
		rows++
		for _, tire := range slices.Concat(r.Front, r.Rear) {
			sum += tire.Load[i]
		}
	}
	if rows == 0 {
		return 0
	}
	return sum / float64(rows) / e.Runs[0].gravity
}

// FileFact is the name of a file with the beginning of its hash, as in figures.json and other reports. The date of a
// file would only be the date of its copy.
func FileFact(file string) string {
	const digits = 12
	name := filepath.Base(file)
	if hash, err := digest(file); err == nil {
		name += ", SHA-256 " + hash[:digits]
	}
	return name
}

// controllerFacts are the facts of the controllers that were put into the vehicle.
func (e *Result) controllerFacts() (list []string) {
	for _, file := range e.controllers {
		list = append(list, FileFact(file))
	}
	return list
}

// facts are the facts in the heading of a report.
func (e *Result) facts() []report.Fact {
	m := e.Manoeuvre
	list := []report.Fact{{Name: "Vehicle", Value: e.Vehicle}}
	add := func(name, value string) {
		if value != "" {
			list = append(list, report.Fact{Name: name, Value: value})
		}
	}
	if e.file != "" {
		add("Model file", FileFact(e.file))
	}
	if c := e.control; c != nil {
		add("Control", fmt.Sprintf("a program outside of the vehicle, each %g s, sets %s", c.Sample,
			strings.Join(c.Outputs, ", ")))
	}
	add("Controllers", strings.Join(e.controllerFacts(), "; "))
	if m.Car != "" {
		add("Car file", filepath.Base(m.Car))
	}
	add("Tires", strings.Join(e.Runs[0].Tires, "; "))
	if e.Mass > 0 {
		add("Mass", fmt.Sprintf("%.5g kg", e.Mass))
	} else if mass := e.carried(); mass > 0 {
		add("Mass that the wheels carry in the first second", fmt.Sprintf("%.5g kg", mass))
	}
	add("Manoeuvre", m.Name)
	add("Source", m.Source)
	if ratio := e.ratio(); m.Steering != nil && ratio != nil {
		add("Steering wheel to road wheels", fmt.Sprintf("%g to 1", *ratio))
	}
	add("Version", harness.Version)
	add("Driver, with the constants below", driverText(m))
	return list
}
