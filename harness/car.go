package harness

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// car is what a driver finds in a vehicle, so that one manoeuvre fits many: a file of resources/cars, whose
// constants, drivers, stops and start values count where a manoeuvre has none of its own.
type car struct {
	reader *manoeuvreReader
	root   *document.Node

	models  []string
	groups  []inputGroup
	body    string
	front   []string // tires of the front axle, from the left
	rear    []string
	corners []Corner
}

// inputGroup are inputs that a manoeuvre drives by one name, "drive" or "brake", each set to the signal times a factor.
type inputGroup struct {
	name string
	sets []inputSet
}

// inputSet are inputs that take a signal alike.
type inputSet struct {
	variables []string
	factor    float64
}

// findCar reads the file for a model among those of a folder.
func findCar(folder, model string) (*car, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		return nil, err
	}
	var known []string
	for _, file := range files {
		c, err := openCar(file)
		if err != nil {
			return nil, err
		}
		if slices.Contains(c.models, model) {
			return c, nil
		}
		known = append(known, c.models...)
	}
	return nil, fmt.Errorf("no car file in %s lists the model %q (listed: %s); add it to \"models\" in a car file, or name a car file with --car",
		folder, model, strings.Join(known, ", "))
}

// readCar reads the car file of a model.
func readCar(file, model string) (*car, error) {
	c, err := openCar(file)
	if err == nil && !slices.Contains(c.models, model) {
		err = fmt.Errorf("%s does not list the model %q (listed: %s); add it to \"models\" there", file, model, strings.Join(c.models, ", "))
	}
	return c, err
}

// openCar reads which models a car file is for.
func openCar(file string) (*car, error) {
	data, err := bounded.Car.Read(file)
	if err != nil {
		return nil, err
	}
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &manoeuvreReader{Faults: document.Faults{File: file}}
	c := &car{reader: r, root: root, models: r.texts(root, "models")}
	return c, r.Err()
}

// read reads the file except for its constants, which those of the manoeuvre may follow, into m.
func (c *car) read(m *Manoeuvre) {
	r, n := c.reader, c.root
	m.Car = r.File
	r.keys(n, "models", "constants", "body", "front", "rear", "suspension", "group", "start", "steering", "speed_control", "path_follower", "stop")
	m.Models = c.models
	c.body, c.front, c.rear = r.text(n, "body"), r.texts(n, "front"), r.texts(n, "rear")
	if n.Field("suspension") != nil {
		for _, n := range r.list(n, "suspension", document.Table) {
			r.keys(n, "travel", "stops", "unsprung")
			corner := Corner{r.text(n, "travel"), math.Inf(-1), math.Inf(1), r.text(n, "unsprung")}
			if stops := n.Field("stops"); stops != nil {
				if at := r.numbers(n, "stops"); len(at) == 2 && at[0] < at[1] {
					corner.Rebound, corner.Bump = at[0], at[1]
				} else if at != nil {
					r.At(stops, `"stops" has the travel at the stop of rebound and, above it, that at the stop of bump`)
				}
			}
			c.corners = append(c.corners, corner)
		}
	}
	if list := r.field(n, "group", document.Table); list != nil {
		for _, name := range list.Keys {
			g := inputGroup{name: name}
			for _, n := range r.list(list, name, document.Table) {
				r.keys(n, "variables", "factor")
				set := inputSet{r.texts(n, "variables"), 1}
				if n.Field("factor") != nil {
					set.factor = r.number(n, "factor")
				}
				g.sets = append(g.sets, set)
			}
			c.groups = append(c.groups, g)
		}
	}
	m.Start = r.start(n)
	r.drivers(n, m)
}

// group returns the inputs that go by a name in the car.
func (r *manoeuvreReader) group(n *document.Node) []inputSet {
	name := r.text(n, "group")
	var known []string
	if r.car != nil {
		for _, g := range r.car.groups {
			if g.name == name {
				return g.sets
			}
			known = append(known, g.name)
		}
	}
	if name != "" {
		r.At(n.Field("group"), "there is no group %q of inputs; the car has %q", name, known)
	}
	return nil
}

// ModelName is the name of the model in a model file or an FMU.
func ModelName(path string) (string, error) {
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
		d, err := ParseDescription(data)
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
	if name := root.Field("name"); name != nil && name.Kind == document.Text {
		return name.Text, nil
	}
	_, err = model.Read(path) // which tells what is wrong
	return "", err
}

// ModelFiles are a model file and its bases, or an FMU alone.
func ModelFiles(path string) ([]string, error) {
	if isFMU(path) {
		return []string{path}, nil
	}
	d, err := model.ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, s := range d.Sources {
		files = append(files, s.Name)
	}
	return files, nil
}

func isFMU(path string) bool { return strings.EqualFold(filepath.Ext(path), ".fmu") }
