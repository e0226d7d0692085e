package live

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Setting is a number of the vehicle that pages change, between two bounds.
type Setting struct {
	Name  string  `json:"name"` // of a variable
	Text  string  `json:"text"`
	Unit  string  `json:"unit"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
	Now   bool    `json:"now"` // it acts at the next slice; others wait until the vehicle stands

	reference uint32
	start     float64 // without a change
	began     bool
}

// Tire is a tire that pages choose for all wheels.
type Tire struct {
	Name     string // that pages show
	Function string
	File     string
}

// Settings are the settings of a vehicle that pages can change. The methods without an export belong to the loop.
type Settings struct {
	List  []Setting
	Tires []Tire
	Of    []string // names of the tires of the wheels

	now      []float64 // values of List, when they were read last
	fits     []string  // names of the chosen tires, by Of
	given    []string  // texts of the model's tires, before any choice
	mutex    sync.Mutex
	waiting  map[string]float64 // values that wait for a vehicle that stands
	waitTire string             // tire that waits; "" for none
}

// Range returns the bounds of a setting: half of the start and twice the start. The friction of a road goes from 0.1 to
// 1.2. If the start is 0, a speed goes from -15 to 15 m/s, and another number from -1 to 1.
func Range(v *library.Variable) (least, most float64) {
	switch {
	case strings.HasSuffix(v.Name, ".mu"):
		return 0.1, 1.2
	case v.Start == 0 && v.Unit == "m/s":
		return -15, 15
	case v.Start == 0:
		return -1, 1
	}
	least, most = v.Start/2, 2*v.Start
	return min(least, most), max(least, most)
}

// NewSettings finds the settings with names.
func NewSettings(s Subject, names []string, tires []Tire, wheels []string) (*Settings, error) {
	list := &Settings{Tires: tires, Of: wheels, waiting: map[string]float64{}}
	for _, name := range names {
		v, err := s.Find(name)
		if err != nil {
			return nil, err
		}
		if v.Causality == library.Output || v.Causality == library.Local || v.Driver() != "" {
			return nil, fmt.Errorf("%s cannot be set; a slider needs a parameter or an input", name)
		}
		x := Setting{Name: name, Text: v.Text, Unit: v.Unit, reference: v.Reference, start: math.NaN(),
			Now: v.Causality == library.Input || v.Causality == library.Tunable}
		x.Least, x.Most = Range(&v)
		list.List = append(list.List, x)
	}
	list.now = make([]float64, len(list.List))
	list.fits = slices.Repeat([]string{ModelTires}, len(wheels))
	return list, nil
}

// begin reads the values of a vehicle that has been initialised.
func (s *Settings) begin(v Subject) error {
	if s.given == nil {
		for _, wheel := range s.Of {
			text, err := fitted(v, wheel)
			if err != nil {
				return err
			}
			s.given = append(s.given, text)
		}
	}
	if err := s.read(v); err != nil {
		return err
	}
	for i := range s.List {
		if x := &s.List[i]; !x.began {
			x.began, x.start = true, s.now[i]
		}
	}
	return nil
}

// fitted are function and file of a tire.
func fitted(v Subject, tire string) (string, error) {
	function, err := v.Text(tire + ".model")
	if err != nil {
		return "", err
	}
	file, err := v.Text(tire + ".file")
	return function + "\n" + file, err
}

// read reads the present values.
func (s *Settings) read(v Subject) error {
	for i := range s.List {
		if err := v.Get([]uint32{s.List[i].reference}, s.now[i:i+1]); err != nil {
			return err
		}
	}
	for i, wheel := range s.Of {
		text, err := fitted(v, wheel)
		if err != nil {
			return err
		}
		if s.fits[i] = ModelTires; text != s.given[i] {
			for _, t := range s.Tires {
				if text == t.Function+"\n"+t.File {
					s.fits[i] = t.Name
				}
			}
		}
	}
	return nil
}

// changed are the settings that differ from the start.
func (s *Settings) changed() (list []manoeuvre.Setting) {
	for i, name := range s.fits {
		list = append(list, s.tire(s.Of[i], name)...)
	}
	for i := range s.List {
		if x := &s.List[i]; x.began && s.now[i] != x.start {
			list = append(list, number(x.Name, s.now[i]))
		}
	}
	return list
}

func number(name string, value float64) manoeuvre.Setting {
	return manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(value, 'g', -1, 64)}
}

func (s *Settings) tire(wheel, name string) []manoeuvre.Setting {
	at := slices.IndexFunc(s.Tires, func(t Tire) bool { return t.Name == name })
	if at < 0 {
		return nil
	}
	return []manoeuvre.Setting{{Name: wheel + ".model", Value: s.Tires[at].Function},
		{Name: wheel + ".file", Value: s.Tires[at].File}}
}

// Want lets a setting wait until the vehicle stands, or is reset.
func (s *Settings) Want(name string, value float64) error {
	at := slices.IndexFunc(s.List, func(x Setting) bool { return x.Name == name })
	switch {
	case at < 0:
		return fmt.Errorf("%s is none of the settings of this page; --param %s of 'skidpad view' adds it", name, name)
	case !(value >= s.List[at].Least && value <= s.List[at].Most):
		return fmt.Errorf("%s = %g; %g to %g is possible", name, value, s.List[at].Least, s.List[at].Most)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.waiting[name] = value
	return nil
}

// WantTire lets a tire for all wheels wait until the vehicle stands, or is reset; "" are the tires of the model.
func (s *Settings) WantTire(name string) error {
	if name != ModelTires && !slices.ContainsFunc(s.Tires, func(t Tire) bool { return t.Name == name }) {
		return fmt.Errorf("there is no tire %q; 'skidpad list tires' shows the tires", name)
	}
	if len(s.Of) == 0 {
		return errors.New("the vehicle has no tires that could be changed")
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.waitTire = name
	return nil
}

// ModelTires is the name of the tires of the model.
const ModelTires = "as in the model"

// Waiting reports whether something waits.
func (s *Settings) Waiting() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.waiting) > 0 || s.waitTire != ""
}

// takeWaiting takes what waits as present values.
func (s *Settings) takeWaiting() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i := range s.List {
		if value, waits := s.waiting[s.List[i].Name]; waits {
			s.now[i] = value
		}
	}
	if s.waitTire != "" {
		for i := range s.fits {
			s.fits[i] = s.waitTire
		}
	}
	s.forget()
}

func (s *Settings) forget() { clear(s.waiting); s.waitTire = "" }

// take are the settings that differ from the start, with what waits, which no longer waits.
func (s *Settings) take() *Snapshot {
	other := Settings{List: s.List, Tires: s.Tires, Of: s.Of, now: slices.Clone(s.now), fits: slices.Clone(s.fits)}
	s.mutex.Lock()
	other.waiting, other.waitTire = maps.Clone(s.waiting), s.waitTire
	s.forget()
	s.mutex.Unlock()
	snapshot := &Snapshot{waiting: maps.Clone(other.waiting), waitTire: other.waitTire}
	other.takeWaiting()
	snapshot.Settings = other.changed()
	return snapshot
}

// PutBack lets wait again what a snapshot has taken, except for newer values.
func (s *Settings) PutBack(of *Snapshot) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name, value := range of.waiting {
		if _, newer := s.waiting[name]; !newer {
			s.waiting[name] = value
		}
	}
	s.waitTire = cmp.Or(s.waitTire, of.waitTire)
}

// Values are the present values and the chosen tire, for pages.
type Values struct {
	Numbers []float64
	Tire    string
}

func (s *Settings) values() *Values {
	v := &Values{Numbers: slices.Clone(s.now), Tire: ModelTires}
	if len(s.fits) > 0 {
		v.Tire = s.fits[0]
	}
	return v
}

// Snapshot is the state of a vehicle that stands: states and inputs by name, and its settings.
type Snapshot struct {
	Values   []manoeuvre.StartValue
	Settings []manoeuvre.Setting

	waiting  map[string]float64
	waitTire string
}

// States are the names of the states and inputs of a vehicle that can be set before its start. The vehicle is a spare
// one that is not initialised.
func States(s Subject, all []library.Variable) (names []string) {
	for _, v := range all {
		state, is := strings.CutPrefix(v.Name, "der(")
		name := strings.TrimSuffix(state, ")")
		if !is {
			if v.Causality != library.Input || v.Driver() != "" || v.Kind != library.Number {
				continue
			}
			name = v.Name
		}
		if x, err := s.Find(name); err == nil && s.SetNamed(name, x.Start) == nil {
			names = append(names, name)
		}
	}
	return names
}
