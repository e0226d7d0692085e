package manoeuvre

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/unit"
)

// File is a manoeuvre file; With makes manoeuvres of it with different constants. It and the file of its car are read
// once; manoeuvres can be made in several goroutines.
type File struct {
	path   string
	target Target
	root   *document.Node
	find   func(folder string) (*car, error) // reads the car
}

// Open reads a manoeuvre file for a target.
func Open(target Target, path string) (*File, error) {
	data, err := bounded.Manoeuvre.Read(path)
	if err != nil {
		return nil, err
	}
	return OpenText(target, path, data)
}

// OpenText is Open for the bytes of a file at path.
func OpenText(target Target, path string, data []byte) (*File, error) {
	root, err := document.Parse(data, path)
	if err != nil {
		return nil, err
	}
	var once sync.Once
	var found *car
	return &File{path: path, target: target, root: root, find: func(folder string) (*car, error) {
		once.Do(func() { found, err = target.open(path, folder) })
		return found, err
	}}, nil
}

// Read reads a manoeuvre file that names its models, with some constants replaced. All errors are reported together,
// with file, line and column.
func Read(path string, others ...ConstantValue) (*Manoeuvre, error) {
	return ReadFor(Target{}, path, others...)
}

// ReadFor is Read that also accepts files for any car: it reads the car file of the target.
func ReadFor(target Target, path string, others ...ConstantValue) (*Manoeuvre, error) {
	f, err := Open(target, path)
	if err != nil {
		return nil, err
	}
	return f.With(others...)
}

// Parse is Read for the bytes of a file called file.
func Parse(file string, data []byte, others ...ConstantValue) (*Manoeuvre, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	return build(file, root, nil, nil, func(string) (*car, error) {
		return nil, errors.New("the manoeuvre is for any car, and no vehicle is named")
	}, others)
}

// With is the manoeuvre with other values for some of its constants.
func (f *File) With(others ...ConstantValue) (*Manoeuvre, error) {
	var own *roles.Roles
	if f.target.Roles != nil {
		own = roles.Read(f.target.Roles, &document.Faults{}) // which the reader of the model has checked
	}
	m, err := build(f.path, f.root, own, f.target.Track, f.find, others)
	if err != nil {
		return nil, err
	}
	if !m.ForAny && f.target.Car != "" {
		return nil, fmt.Errorf(`%s: the manoeuvre is for %s alone and takes no car file; one for any car has "cars"`,
			f.path, strings.Join(m.Models, ", "))
	}
	for i := range m.Settings {
		s := &m.Settings[i]
		if namesFile(s.Name) && s.Value != "" && !bounded.IsAbsolute(s.Value) {
			if s.Value = bounded.Beside(f.path, s.Value); bounded.IsAbsolute(s.Value) {
				continue // of a shipped manoeuvre
			}
			if s.Value, err = filepath.Abs(s.Value); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// namesFile reports whether a parameter names a file.
func namesFile(parameter string) bool {
	return strings.HasSuffix(parameter, ".file") || strings.HasSuffix(parameter, ".friction_file")
}

// build makes the manoeuvre of a file; own are the vehicle's roles, track reads its tracks, find reads the car for the
// folder of car files that the manoeuvre names.
func build(
	file string, root *document.Node, own *roles.Roles, track Track, find func(folder string) (*car, error),
	others []ConstantValue,
) (*Manoeuvre, error) {
	r := newReader(file, root)
	r.own, r.readTrack = own, track
	if track == nil {
		r.readTrack = shippedTrack
	}
	f := r.Fields(root, "the manoeuvre", FileKeys)
	m := &Manoeuvre{Name: f.Text("name"), Title: f.Text("title"), Source: f.Text("source")}
	if !r.models(f, m, find, others) {
		return nil, cmp.Or(r.unfound, r.Err())
	}
	m.Constants = r.readConstants(f.Sub("constants"), m.Constants, others)
	for _, other := range others {
		if !slices.ContainsFunc(m.Constants, func(c ConstantValue) bool { return c.Name == other.Name }) {
			r.Add(1, 1, "there is no constant %q to replace; constants are %q",
				other.Name, slices.Sorted(maps.Keys(r.Constants)))
		}
	}
	m.Roles = own
	m.Record = f.Texts("record")
	if r.car != nil {
		m.Roles = r.car.roles
		r.car.read(m)
	}
	r.tables(f, m)
	if len(r.Absent()) == 0 {
		r.unknownUnits(others)
	}
	if err := r.err(m.Name); err != nil {
		return nil, err
	}
	return m, nil
}

// hasPlace reports whether an error is one of faults with places.
func hasPlace(err error) bool {
	var fault *document.Fault
	return errors.As(err, &fault)
}

// err is the error of everything that is wrong with a manoeuvre and its car. Roles that are missing stand alone: what
// else is wrong may only follow from them.
func (r *manoeuvreReader) err(name string) error {
	if r.car == nil {
		return errors.Join(r.Err(), r.lackOwn(name))
	}
	car := r.car.reader
	for _, reader := range []*manoeuvreReader{car, r} {
		r.lackConstants(reader.Absent())
	}
	for _, role := range car.lacks {
		r.lack(role)
	}
	return cmp.Or(car.unfound, r.lacking(name), r.ErrAfter(car.Reader))
}

// models reads the names of the manoeuvre's models. For a manoeuvre for any car it also reads the constants of the car;
// it reports whether there is a car if the manoeuvre needs one.
func (r *manoeuvreReader) models(
	f *keys.Fields, m *Manoeuvre, find func(folder string) (*car, error), others []ConstantValue,
) bool {
	folder := f.Table // for any car, without a folder of car files
	switch {
	case f.Given("cars"):
		folder = f.Node("cars")
		if f.Given("models") {
			f.Fault("models", `a manoeuvre has both "models" and "cars"; the files of the cars name their models`)
		}
	case f.Given("models"):
		m.Models = f.Texts("models")
		return true
	}
	cars := f.Text("cars")
	found, err := find(cars)
	if err != nil {
		if r.unfound = err; !hasPlace(err) {
			r.unfound = nil
			r.At(folder, "%v", err)
		}
		return false
	}
	r.car = found.fresh()
	r.Where = "[constants] of the manoeuvre or of a car file"
	if r.car.file != "" {
		r.Where += ", " + r.car.file
	}
	car := r.car.reader
	car.Constants, car.Units, car.Compared = r.Constants, r.Units, r.Compared
	car.places, car.declared = r.places, r.declared
	m.ForAny = true
	m.Constants = r.car.constants(slices.Concat(wordsOf(f.Table), wordsOf(r.car.root)), others)
	if r.car.root != nil {
		m.Constants = car.readConstants(car.fields().Sub("constants"), m.Constants, others)
	}
	return true
}

// tables reads all but models and constants.
func (r *manoeuvreReader) tables(f *keys.Fields, m *Manoeuvre) {
	m.Step = f.Number("step")
	if !f.Given("phase") {
		f.Require("duration")
		m.Duration = f.Number("duration")
	} else if f.Given("duration") {
		f.Fault("duration", `a manoeuvre of phases has no "duration"; each phase has one`)
	}
	m.Settings = r.parameters(f.Sub("parameters"))
	m.Start = append(m.Start, r.start(f)...)
	m.Inputs = r.inputs(f) // without them the vehicle is left to itself
	for _, law := range f.List("feedback") {
		m.Feedback = append(m.Feedback, r.feedback(law)...)
	}
	r.steering(f, m)
	r.drivers(f, m)
	r.lookAhead(f, m)
	r.pedals(f, m)
	m.EndAt = r.endAt(f)
	m.Track = r.track(f)
	r.phases(f, m)
	r.evaluation(f, m)
}

// parameters reads the table [parameters].
func (r *manoeuvreReader) parameters(f *keys.Fields) (settings []FileSetting) {
	for _, name := range f.Names() {
		v := f.Node(name)
		value := v.Text
		switch v.Kind {
		case document.Number:
			f.Number(name)
		case document.Text:
			if _, is, _ := unit.ParseNumber(v.Text); is && !namesFile(name) {
				value = strconv.FormatFloat(r.Number(v, f.PathOf(name), &keys.Key{Unit: keys.AnyUnit}), 'g', -1, 64)
			}
		default:
			f.Fault(name, "%s is %s; it must be a number or a text", f.PathOf(name), v)
		}
		position := fmt.Sprintf("%s:%d:%d", v.File, v.Line, v.Column)
		settings = append(settings, FileSetting{Setting{r.variable(v, name), value, r.Written(v, name)}, position})
	}
	return settings
}
