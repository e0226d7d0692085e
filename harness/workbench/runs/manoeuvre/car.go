package manoeuvre

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// Target is the vehicle that a manoeuvre for any car is read for.
type Target struct {
	Model string         // its name
	File  string         // its model file or FMU, for messages; "" without
	Car   string         // its car file; "" for the file in the manoeuvre's folder "cars" that lists the model
	Roles *document.Node // its own table [roles]; nil without

	// Track reads the track of a word in a manoeuvre file of a folder; nil for CSV files in the folder and shipped tracks.
	Track Track

	// Spins are the variables of the angular velocities of the wheels, by the tires on them, as far as the vehicle
	// declares them; nil if it cannot.
	Spins func() (map[string]string, error)

	// Find finds numbers that the vehicle's roles do not state, by the names of Findable; nil where nothing can.
	Find func(*roles.Roles) (map[string]float64, error)
}

// car holds the data of a vehicle that adapt one manoeuvre to many vehicles: its roles and, if there is one, a car
// file. Constants, drivers, stops and start values of the car file apply where the manoeuvre has none.
type car struct {
	target Target
	file   string         // "" without
	root   *document.Node // of the file; nil without
	roles  *roles.Roles
	listed bool // the file was found by the name of the model
	find   func() (map[string]float64, error)
	doubts []string // about what the file states, with places
	reader *manoeuvreReader
}

// open makes the car of a target. folder is the folder of the car files, as the manoeuvre at path names it.
func (t Target) open(path, folder string) (*car, error) {
	c := &car{target: t}
	var err error
	switch {
	case t.Model == "":
		return nil, errors.New("the manoeuvre is for cars, and no model is named that it is to be made with")
	case t.Car != "":
		c.file = t.Car
		if c.root, err = readCar(t.Car, t.Model); err != nil {
			return nil, err
		}
	case folder != "":
		if c.file, c.root, err = listedCar(bounded.Beside(path, folder), t.Model); err != nil {
			return nil, err
		}
		c.listed = c.root != nil
	}
	if c.root != nil {
		r := newReader(c.file, c.root)
		if r.fields(); r.Len() > 0 {
			return nil, r.Err()
		}
	}
	return c, c.readRoles()
}

// readRoles reads the roles of the car. Roles of a car file named by the user replace roles of the vehicle; roles of a
// file found by the name of the model only complete them.
func (c *car) readRoles() error {
	t := c.target
	table := t.Roles
	if c.root != nil && c.root.Field("roles") != nil {
		switch own := c.root.Field("roles"); {
		case table == nil || own.Kind != document.Table:
			table = own
		case c.listed: // what the vehicle itself says counts more
			table = roles.Merge(own, table)
		default:
			table = roles.Merge(table, own)
		}
	}
	faults := document.Faults{File: c.file}
	c.roles = roles.Read(table, &faults)
	if err := cmp.Or(faults.Err(), c.fillSpins()); err != nil {
		return err
	}
	c.find = sync.OnceValues(func() (map[string]float64, error) {
		if t.Find == nil || c.roles.Chassis == "" || len(c.roles.Axles) == 0 {
			return nil, nil
		}
		return t.Find(c.roles)
	})
	return nil
}

// fillSpins takes the variables of the wheels that the role "spin" leaves out from the vehicle itself.
func (c *car) fillSpins() error {
	lacks := func(w roles.Wheel) bool { return w.Spin == "" }
	if c.target.Spins == nil || !slices.ContainsFunc(c.roles.Wheels(), lacks) {
		return nil
	}
	spins, err := c.target.Spins()
	if err != nil {
		return err
	}
	for i := range c.roles.Axles {
		for _, side := range [][]roles.Wheel{c.roles.Axles[i].Left, c.roles.Axles[i].Right} {
			for k := range side {
				if lacks(side[k]) {
					side[k].Spin = spins[side[k].Tire]
				}
			}
		}
	}
	return nil
}

// Resolved returns the roles of the vehicle, completed and replaced by the roles of its car file.
func (t Target) Resolved() (*roles.Roles, error) {
	c, err := t.open("", "")
	if err != nil {
		return nil, err
	}
	r := c.fresh().reader
	if c.roles.Chassis == "" {
		r.lack("chassis")
	}
	if len(c.roles.Axles) == 0 {
		r.lack("axles")
	}
	return c.roles, r.lacking("the table of the car")
}

// isOther reports whether a file is no car file: a manoeuvre, a model, a subsystem or a study, which may lie beside
// them.
func isOther(root *document.Node) bool {
	return slices.ContainsFunc([]string{"step", "component", "use", "base", "kind", "manoeuvre"},
		func(key string) bool { return root.Field(key) != nil })
}

// listedCar is the car file among those of a folder that lists a model; "" where there is none.
func listedCar(folder, model string) (string, *document.Node, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		return "", nil, err
	}
	for _, file := range files {
		root, models, err := openCar(file)
		if err != nil {
			return "", nil, err
		}
		if slices.Contains(models, model) {
			return file, root, nil
		}
	}
	return "", nil, nil
}

// readCar reads the car file of a model; one that lists no models is for any.
func readCar(file, model string) (*document.Node, error) {
	root, models, err := openCar(file)
	if err == nil && models != nil && !slices.Contains(models, model) {
		err = fmt.Errorf("%s does not list the model %q (listed: %s); add it to \"models\" there, or remove \"models\"",
			file, model, strings.Join(models, ", "))
	}
	return root, err
}

// openCar reads which models a car file is for.
func openCar(file string) (root *document.Node, models []string, err error) {
	data, err := bounded.Car.Read(file)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("car file: %w", err)
		}
		return nil, nil, err
	}
	if root, err = document.Parse(data, file); err != nil {
		return nil, nil, err
	}
	r := keys.NewReader(file, root, nil)
	if !isOther(root) { // the other keys of such a file do not matter here
		models = r.Named(root, "the car", &carModelsKey).Texts("models")
	}
	return root, models, r.Err()
}

// fresh is the same car with nothing read yet.
func (c *car) fresh() *car {
	other := *c
	other.reader = newReader(c.file, c.root)
	other.reader.car = &other
	return &other
}

// fields are the tables of the car file.
func (r *manoeuvreReader) fields() *keys.Fields { return r.Fields(r.Root, "the car", CarKeys) }

// read reads the file except for its constants, which those of the manoeuvre may follow, into m.
func (c *car) read(m *Manoeuvre) {
	r := c.reader
	m.Models, m.Car, m.CarListed = []string{c.target.Model}, c.file, c.listed
	c.drivers(m)
	m.Start = c.start()
	m.doubts = c.doubts
	if c.root != nil {
		f := r.fields()
		m.Start = append(m.Start, r.start(f)...)
		if f.Given("stop") {
			m.Stops = nil
		}
		r.drivers(f, m)
	}
}

// CarNotes names the car file if it was found by the name of the model, statements of the car file that the vehicle
// contradicts, and wheels that do not start at the speed of the manoeuvre.
func (m *Manoeuvre) CarNotes() (notes []string) {
	if m.CarListed {
		notes = append(notes, fmt.Sprintf("car file %s, which lists %s", m.Car, strings.Join(m.Models, ", ")))
	}
	for _, doubt := range m.doubts {
		notes = append(notes, "warning: "+doubt)
	}
	return notes
}

// SteeredCar holds the data of a vehicle for steering figures.
type SteeredCar struct {
	Body      string
	Wheelbase float64 // m
	Drivers   []string
	Slides    bool    // the drivers slide, as a rack does
	Ratio     float64 // angle or travel [m] of the drivers by the angle of the road wheels
	Roles     *roles.Roles
}

// ReadSteeredCar reads it of a target.
func ReadSteeredCar(t Target) (*SteeredCar, error) {
	c, err := t.open("", "")
	if err != nil {
		return nil, err
	}
	c = c.fresh()
	r := c.reader
	c.constants([]string{"wheelbase", "steering_ratio"}, nil)
	if c.root != nil {
		r.readConstants(r.fields().Sub("constants"), nil, nil)
	}
	if c.roles.Chassis == "" {
		r.lack("chassis")
	}
	if c.roles.Steering == nil {
		r.lack("steering")
	}
	needed, s := []string{"wheelbase"}, c.roles.Steering
	if s != nil && (s.Wheel || s.Rack) {
		needed = append(needed, "steering_ratio")
	}
	for _, name := range needed {
		if _, known := r.Constants[name]; !known {
			r.lack(ofRoles[name])
		}
	}
	if err := cmp.Or(r.unfound, errors.Join(r.lacking("a handling diagram"), r.Err())); err != nil {
		return nil, err
	}
	car := &SteeredCar{Body: c.roles.Chassis, Wheelbase: r.Constants["wheelbase"], Drivers: c.roles.Steering.Drivers,
		Ratio: 1, Roles: c.roles}
	switch {
	case s.Wheel: // the drivers turn the steering wheel
		car.Ratio = r.Constants["steering_ratio"]
	case s.Rack:
		car.Slides, car.Ratio = true, r.Constants["steering_ratio"]/s.Ratio
	}
	return car, nil
}

// DrivenCar is the data of a vehicle for somebody who drives it by hand.
type DrivenCar struct {
	Roles      *roles.Roles
	Steering   *Steering     // nil for a vehicle that nobody can steer
	Speed      *SpeedControl // nil for a vehicle without drive
	Brakes     []roles.Set   // with their factors, for a deceleration
	Start      []StartValue  // that the roles prescribe
	Ratio      float64       // of the steering-wheel angle to the angle of the road wheels
	Wheelbase  float64       // m
	Understeer float64       // rad/(m/s2) at the road wheels
}

// ReadDrivenCar reads it of a target, for a start at a speed [m/s], or NaN for the vehicle's own start. Numbers that
// the roles do not state are found.
func ReadDrivenCar(t Target, speed float64) (*DrivenCar, error) {
	c, err := t.open("", "")
	if err != nil {
		return nil, err
	}
	c = c.fresh()
	r, m := c.reader, &Manoeuvre{}
	if c.roles.Chassis == "" {
		r.lack("chassis")
	}
	steered := c.roles.Steering != nil && len(c.roles.Axles) > 0
	var needed []string
	if steered {
		needed = Findable
	}
	c.constants(needed, nil)
	if c.root != nil {
		r.readConstants(r.fields().Sub("constants"), nil, nil)
	}
	if !math.IsNaN(speed) {
		r.Constants["speed"] = speed
	}
	c.read(m)
	car := &DrivenCar{Roles: c.roles, Speed: m.SpeedControl, Start: m.Start}
	if steered {
		for _, name := range needed {
			if _, known := r.Constants[name]; !known && name != "understeer" {
				r.lack(ofRoles[name])
			}
		}
		car.Steering, car.Ratio = m.Steering, r.Constants["steering_ratio"]
		car.Wheelbase, car.Understeer = r.Constants["wheelbase"], r.Constants["understeer"]
	}
	for _, set := range c.roles.Brake {
		if set.Factor == 0 {
			set.Factor = r.brakeFactor(nil)
		}
		car.Brakes = append(car.Brakes, set)
	}
	return car, cmp.Or(r.unfound, errors.Join(r.lacking("driving by hand"), r.Err()))
}
