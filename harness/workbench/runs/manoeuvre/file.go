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

	"skidpad/harness/workbench/runs/keys"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/roles"
	"skidpad/model/unit"
)

// File is a manoeuvre file, of which manoeuvres with different constants are made. It and the file of its car are read
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

// Read reads a manoeuvre file that names its models, with other values for some of its constants.
// Everything wrong with it is reported together, with file, line and column.
func Read(path string, others ...ConstantValue) (*Manoeuvre, error) {
	return ReadFor(Target{}, path, others...)
}

// ReadFor is Read for files, too, that are for any car: what the target has is in a car file.
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
	return build(file, root, nil, func(string) (*car, error) {
		return nil, errors.New("the manoeuvre is for any car, and no vehicle is named")
	}, others)
}

// With is the manoeuvre with other values for some of its constants.
func (f *File) With(others ...ConstantValue) (*Manoeuvre, error) {
	var own *roles.Roles
	if f.target.Roles != nil {
		own = roles.Read(f.target.Roles, &document.Faults{}) // which the reader of the model has checked
	}
	m, err := build(f.path, f.root, own, f.find, others)
	if err != nil {
		return nil, err
	}
	if !m.ForAny && f.target.Car != "" {
		return nil, fmt.Errorf(`%s: the manoeuvre is for %s alone and takes no car file; one for any car has "cars"`,
			f.path, strings.Join(m.Models, ", "))
	}
	for i := range m.Settings {
		s := &m.Settings[i]
		if namesFile(s.Name) && s.Value != "" && !filepath.IsAbs(s.Value) {
			if s.Value, err = filepath.Abs(keys.RelativeTo(f.path, s.Value)); err != nil {
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

// build makes the manoeuvre of a file; own are the vehicle's roles, find reads the car for the folder of car files that
// the manoeuvre names.
func build(
	file string, root *document.Node, own *roles.Roles, find func(folder string) (*car, error), others []ConstantValue,
) (*Manoeuvre, error) {
	r := &manoeuvreReader{driven: map[string]*document.Node{}, own: own}
	r.Faults, r.Constants, r.Units = document.Faults{File: file}, map[string]float64{}, map[string]string{}
	r.Compared, r.places, r.declared = map[string]bool{}, map[string]*document.Node{}, map[string]bool{}
	r.Table(root, FileKeys)
	m := &Manoeuvre{
		Name: r.Text(root, "name"), Title: r.Text(root, "title"), Source: r.OptionalText(root, "source"),
	}
	if !r.models(root, m, find, others) {
		return nil, cmp.Or(r.unfound, r.Err())
	}
	m.Constants = r.readConstants(root, m.Constants, others)
	for _, other := range others {
		if !slices.ContainsFunc(m.Constants, func(c ConstantValue) bool { return c.Name == other.Name }) {
			r.Add(1, 1, "there is no constant %q to replace; constants are %q",
				other.Name, slices.Sorted(maps.Keys(r.Constants)))
		}
	}
	m.Roles = own
	if root.Field("record") != nil {
		m.Record = r.Texts(root, "record")
	}
	if r.car != nil {
		m.Roles = r.car.roles
		r.car.read(m)
	}
	r.tables(root, m)
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
	return cmp.Or(car.unfound, r.lacking(name), r.ErrAfter(&car.Reader))
}

// models reads which models the manoeuvre is for, and of a manoeuvre for any car the constants of the car; it reports
// whether there is a car where there must be one.
func (r *manoeuvreReader) models(
	root *document.Node, m *Manoeuvre, find func(folder string) (*car, error), others []ConstantValue,
) bool {
	folder, models, cars := root.Field("cars"), root.Field("models"), ""
	switch {
	case folder != nil:
		cars = r.Text(root, "cars")
		if models != nil {
			r.At(models, `a manoeuvre has both "models" and "cars"; the files of the cars name their models`)
		}
	case models != nil:
		m.Models = r.Texts(root, "models")
		return true
	default: // for any car, without a folder of car files
		folder = root
	}
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
	m.Constants = r.car.constants(slices.Concat(wordsOf(root), wordsOf(r.car.root)), others)
	if r.car.root != nil {
		m.Constants = r.car.reader.readConstants(r.car.root, m.Constants, others)
	}
	return true
}

// tables reads all but models and constants.
func (r *manoeuvreReader) tables(root *document.Node, m *Manoeuvre) {
	m.Step = r.Positive(root, "step")
	if root.Field("phase") == nil {
		m.Duration = r.Positive(root, "duration")
	} else if n := root.Field("duration"); n != nil {
		r.At(n, `a manoeuvre of phases has no "duration"; each phase has one`)
	}
	m.Settings = r.parameters(root)
	m.Start = append(m.Start, r.start(root)...)
	m.Inputs = r.inputs(root) // without them the vehicle is left to itself
	if laws := root.Field("feedback"); laws != nil && r.Is(laws, "feedback", document.List) {
		for _, law := range laws.Items {
			if r.Is(law, "feedback", document.Table) {
				m.Feedback = append(m.Feedback, r.feedback(law)...)
			}
		}
	}
	r.drivers(root, m)
	m.EndAt = r.endAt(root)
	m.Track = r.track(root)
	r.phases(root, m)
	r.evaluation(root, m)
}

// parameters reads the table [parameters].
func (r *manoeuvreReader) parameters(root *document.Node) (settings []FileSetting) {
	table := root.Field("parameters")
	if table == nil || !r.Is(table, "parameters", document.Table) {
		return nil
	}
	for _, name := range table.Keys {
		v := table.Field(name)
		value := v.Text
		switch v.Kind {
		case document.Number:
			r.Finite(v, name)
		case document.Text:
			if _, is, _ := unit.ParseNumber(v.Text); is && !namesFile(name) {
				value = strconv.FormatFloat(r.Quantity(v, name, document.AnyUnit), 'g', -1, 64)
			}
		default:
			r.At(v, "%q holds %v; it must be a number or a text", name, v)
		}
		place := fmt.Sprintf("%s:%d:%d", v.File, v.Line, v.Column)
		settings = append(settings, FileSetting{Setting{r.variable(v, name), value, r.Written(v, name)}, place})
	}
	return settings
}
