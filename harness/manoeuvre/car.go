package manoeuvre

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/keys"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// car is what a driver finds in a vehicle, so that one manoeuvre fits many: a file of resources/cars, whose
// constants, drivers, stops and start values count where a manoeuvre has none of its own.
type car struct {
	file   string
	root   *document.Node
	reader *manoeuvreReader

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
	return nil, fmt.Errorf("no car file in %s lists the model %q (listed: %s); add it to \"models\" in a car file, or "+
		"name a car file with --car",
		folder, model, strings.Join(known, ", "))
}

// readCar reads the car file of a model.
func readCar(file, model string) (*car, error) {
	c, err := openCar(file)
	if err == nil && !slices.Contains(c.models, model) {
		err = fmt.Errorf("%s does not list the model %q (listed: %s); add it to \"models\" there", file, model,
			strings.Join(c.models, ", "))
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
	c := &car{file: file, root: root}
	r := c.newReader()
	c.models = r.Texts(root, "models")
	return c, r.Err()
}

// newReader reads the car's file without faults from before.
func (c *car) newReader() *manoeuvreReader {
	return &manoeuvreReader{Reader: keys.Reader{Faults: document.Faults{File: c.file}}}
}

// fresh is a car of the same file, of which nothing is read yet but the models.
func (c *car) fresh() *car {
	return &car{file: c.file, root: c.root, models: c.models, reader: c.newReader()}
}

// read reads the file except for its constants, which those of the manoeuvre may follow, into m.
func (c *car) read(m *Manoeuvre) {
	r, n := c.reader, c.root
	m.Car = r.File
	r.Keys(n, "models", "constants", "body", "front", "rear", "suspension", "group", "start", "steering",
		"speed_control", "path_follower", "stop")
	m.Models = c.models
	c.body, c.front, c.rear = r.Text(n, "body"), r.Texts(n, "front"), r.Texts(n, "rear")
	if n.Field("suspension") != nil {
		for _, n := range r.List(n, "suspension", document.Table) {
			r.Keys(n, "travel", "stops", "unsprung")
			corner := Corner{r.Text(n, "travel"), math.Inf(-1), math.Inf(1), r.Text(n, "unsprung")}
			if stops := n.Field("stops"); stops != nil {
				if at := r.Numbers(n, "stops"); len(at) == 2 && at[0] < at[1] {
					corner.Rebound, corner.Bump = at[0], at[1]
				} else if at != nil {
					r.At(stops, `"stops" has the travel at the stop of rebound and, above it, that at the stop of bump`)
				}
			}
			c.corners = append(c.corners, corner)
		}
	}
	if list := r.Field(n, "group", document.Table); list != nil {
		for _, name := range list.Keys {
			g := inputGroup{name: name}
			for _, n := range r.List(list, name, document.Table) {
				r.Keys(n, "variables", "factor")
				set := inputSet{r.Texts(n, "variables"), 1}
				if n.Field("factor") != nil {
					set.factor = r.Number(n, "factor")
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
	name := r.Text(n, "group")
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

// SteeredCar is what a car file says for figures of steering.
type SteeredCar struct {
	Body      string
	Wheelbase float64 // m
	Drivers   []string
	Ratio     float64 // of the angle of the drivers to that of the road wheels
}

// ReadSteeredCar reads the file for a model among those of a folder, such as resources/cars.
func ReadSteeredCar(folder, model string) (*SteeredCar, error) {
	c, err := findCar(folder, model)
	if err != nil {
		return nil, err
	}
	r := c.newReader()
	r.Constants = map[string]float64{}
	r.readConstants(c.root, nil, nil)
	car := &SteeredCar{Body: r.Text(c.root, "body"), Wheelbase: r.Constants["wheelbase"], Ratio: 1}
	if n := r.Field(c.root, "steering", document.Table); n != nil {
		car.Drivers = r.Texts(n, "drivers")
		if n.Field("ratio") == nil { // the drivers turn the steering wheel
			car.Ratio = r.Constants["steering_ratio"]
		}
	}
	return car, r.Err()
}
