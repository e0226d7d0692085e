package vehicle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/shelf"
	"skidpad/model/subsystem"
)

// Document is the merged content of a model file, its bases and the subsystem files that it uses.
type Document struct {
	Root       *document.Node // with all components; it has no uses
	Sources    []Source       // the model file, its base, the base of that and so on
	Subsystems []*subsystem.File
	UsedFiles  []*document.Node // where uses name subsystem files
	Tabulated  []subsystem.Tabulated
	Choices    []string // for options of subsystem files, of each use that has some, such as "F: joints = \"ideal\""

	origins  map[string]*document.Origin // of components of subsystems, by name
	exports  []subsystem.Export
	bindings []subsystem.Binding
	vectors  []subsystem.Vector
	tables   []subsystem.Table
	alone    bool            // a subsystem file that is a model of its own
	doubts   document.Faults // files beside the model that take the place of shipped ones
}

// Source is one of the files of a document.
type Source struct {
	Name string // its path
	Data []byte
	Base *document.Node // names its base; nil where it has none

	root *document.Node
}

// mostBases bounds the bases that follow one another.
const mostBases = 16

// ReadDocument reads a model file with its bases. Files that they name are named from the folder
// of the model file then.
func ReadDocument(path string) (*Document, error) {
	data, err := bounded.Model.Read(path)
	if err != nil {
		return nil, fmt.Errorf("model file: %w", err)
	}
	return ParseDocument(data, path, Opener(path))
}

// Opener returns a reader of the files that a model file names.
func Opener(modelFile string) bounded.Files {
	return func(kind bounded.Kind, file string) ([]byte, error) {
		return kind.Read(bounded.Beside(modelFile, file))
	}
}

// ParseDocument is ReadDocument for the bytes of a file. name is its path for messages. open reads other files, by
// paths from its folder.
func ParseDocument(data []byte, name string, open bounded.Files) (*Document, error) {
	d := &Document{}
	file, folder := name, "."
	for {
		root, err := document.Parse(data, file)
		if err != nil {
			return nil, err
		}
		if err := d.place(root, folder, open); err != nil {
			return nil, err
		}
		single := isSubsystem(root) && len(d.Sources) == 0
		if single {
			if root, err = alone(root); err != nil {
				return nil, err
			}
			d.alone = true
		} else if isSubsystem(root) {
			var f document.Faults
			f.At(root.Field("kind"), "the file is a subsystem, which is a part of a model; a model uses it by [use.NAME] with "+
				"file = %q", filepath.Base(file))
			return nil, f.Err()
		}
		base := root.Field("base")
		d.Sources = append(d.Sources, Source{file, data, base, root})
		if base == nil {
			break
		}
		fail := func(format string, args ...any) (*Document, error) {
			var f document.Faults
			f.At(base, format, args...)
			return nil, f.Err()
		}
		if base.Kind != document.Text || base.Text == "" {
			return fail("base is %s; it must be a string, the model file of which this one is a variant", base)
		}
		relative, err := d.placeOf(base, folder, open, shelf.Models)
		if err != nil {
			return fail("base: %v", err)
		}
		file, folder = bounded.Beside(name, relative), path.Dir(filepath.ToSlash(relative))
		var chain []string
		for _, s := range d.Sources {
			chain = append(chain, s.Name)
		}
		switch i := slices.Index(chain, file); {
		case i >= 0:
			return fail("base leads in a circle: %s; one of these files must do without a base",
				strings.Join(append(chain[i:], file), ", "))
		case len(chain) > mostBases:
			return fail("base is one too many: at most %d may follow one another, here do %s", mostBases,
				strings.Join(append(chain[1:], file), ", "))
		}
		if data, err = open(bounded.Model, relative); err != nil {
			return fail("base: %v", err)
		}
	}
	order := d.merge()
	if err := d.expand(order, name, open); err != nil {
		return nil, err
	}
	if d.alone {
		d.openRoles()
	}
	d.connectInputs()
	return d, nil
}

// expand inserts the components of uses, writes vectors by their coordinates, and removes the components that variants
// remove.
func (d *Document) expand(order []subsystem.Entry, name string, open bounded.Files) error {
	var f document.Faults
	for _, key := range []string{"component", "use"} {
		if n := d.Root.Field(key); n != nil && n.Kind != document.Table {
			f.At(n, "%s is %s; it is written as [%s.NAME]", key, n, key)
		}
	}
	if f.Len() > 0 {
		return f.Err()
	}
	removes := func(e subsystem.Entry) bool { return d.Root.Field(e.Table).Field(e.Name).Field("remove") != nil }
	if d.Root.Field("use") == nil && !subsystem.HasVectors(d.Root.Field("parameters")) &&
		!subsystem.HasDesign(d.Root.Field("component")) &&
		!slices.ContainsFunc(order, removes) {
		return nil
	}
	x, err := subsystem.Expand(d.Root, order, name, open, func(root *document.Node, folder string) error {
		return d.place(root, folder, open)
	})
	if err != nil {
		return err
	}
	d.Root, d.Subsystems, d.UsedFiles, d.tables = x.Root, x.Files, x.FileNodes, x.Tables
	d.Tabulated, d.Choices = x.Tabulated, x.Choices
	d.origins, d.exports, d.bindings, d.vectors = x.Origins, x.Exports, x.Bindings, x.Vectors
	return nil
}

// merge makes the root of the sources, and returns the order of components and uses: entries of a base come first. A
// component with its own type, or a use with its own file, replaces the base's entry of the same name.
func (d *Document) merge() (order []subsystem.Entry) {
	for _, s := range slices.Backward(d.Sources) {
		for _, e := range subsystem.Order(s.root) {
			if !slices.Contains(order, e) {
				order = append(order, e)
			}
		}
		if d.Root == nil {
			d.Root = s.root
			continue
		}
		d.Root = document.Merge(d.Root, s.root)
		for table, key := range map[string]string{"component": "type", "use": "file"} {
			if own := s.root.Field(table); own != nil {
				for _, name := range own.Keys {
					if c := own.Field(name); c.Field(key) != nil {
						d.Root.Field(table).Fields[name] = c
					}
				}
			}
		}
	}
	return order
}

// place replaces the names of files in a document that lies in a folder: by paths from the folder of the model, or by
// paths of shipped files.
func (d *Document) place(root *document.Node, folder string, open bounded.Files) error {
	uses := map[*document.Node]bool{}
	if n := root.Field("use"); n != nil {
		for _, key := range n.Keys {
			if file := n.Field(key).Field("file"); file != nil {
				uses[file] = true
			}
		}
	}
	var f document.Faults
	for _, n := range fileNames(root) {
		folders := []string{shelf.Tires, shelf.Roads}
		if uses[n] {
			folders = []string{shelf.Subsystems}
		}
		text, err := d.placeOf(n, folder, open, folders...)
		if err != nil {
			f.At(n, "file: %v", err)
			continue
		}
		n.Text = text
	}
	return f.Err()
}

// placeOf returns the path of the file that a node names in a folder. The name of a shipped file stands for that file,
// unless a file of the name lies in the folder.
func (d *Document) placeOf(n *document.Node, folder string, open bounded.Files, shelves ...string) (string, error) {
	relative := from(folder, n.Text)
	shipped, err := shelf.Find(n.Text, shelves...)
	exists := func(file string) bool {
		_, err := open(bounded.Model, file)
		return err == nil
	}
	if shipped == "" && err == nil || exists(relative) {
		return relative, nil
	}
	for _, ending := range shelf.Endings {
		if own := relative + ending; exists(own) {
			d.doubts.At(n, "%s beside the file takes the place of the shipped file of that name; write %q, or rename it",
				path.Base(own), n.Text+ending)
			return own, nil
		}
	}
	return shipped, err
}

// from returns the path of a file that is named in a folder.
func from(folder, file string) string {
	if folder == "." || bounded.IsAbsolute(file) {
		return file
	}
	return path.Join(folder, file)
}

// fingerprint is a checksum of all files: the last base, each variant after its base, then the subsystem files and the
// tables of points.
func (d *Document) fingerprint() string {
	var sum []byte
	for _, s := range slices.Backward(d.Sources) {
		next := sha256.Sum256(append(sum, s.Data...))
		sum = next[:]
	}
	for _, f := range d.Subsystems {
		next := sha256.Sum256(append(sum, f.Data...))
		sum = next[:]
	}
	for _, t := range d.tables {
		next := sha256.Sum256(append(sum, t.Data...))
		sum = next[:]
	}
	return hex.EncodeToString(sum)
}

// Origins returns the origins of the components of subsystems, by name.
func (d *Document) Origins() map[string]*document.Origin { return d.origins }

// PathOf is the path of a subsystem file, by the node that names it.
func (d *Document) PathOf(usedFile *document.Node) string {
	return bounded.Beside(d.Sources[0].Name, usedFile.Text)
}

// FileNames lists the names of files that the model refers to.
func (d *Document) FileNames() []*document.Node {
	list := fileNames(d.Root)
	for _, t := range d.tables {
		list = append(list, t.Name)
	}
	return list
}

// FileKind is the kind of a file that the model refers to: the largest kind that the key allows.
func (d *Document) FileKind(name *document.Node) bounded.Kind {
	if components := d.Root.Field("component"); components != nil {
		for _, key := range components.Keys {
			c := components.Field(key)
			if t := c.Field("type"); t != nil && t.Text == "terrain" && slices.Contains(fileNames(c), name) {
				return bounded.Road
			}
		}
	}
	return bounded.TireData
}

// fileNames lists the values of all keys called file that are texts.
func fileNames(n *document.Node) []*document.Node {
	var list []*document.Node
	for _, item := range n.Items {
		list = append(list, fileNames(item)...)
	}
	for _, key := range n.Keys {
		field := n.Field(key)
		if key == "file" && field.Kind == document.Text && field.Text != "" {
			list = append(list, field)
		}
		list = append(list, fileNames(field)...)
	}
	return list
}

// checkOwnNames: a variant is not called like its base.
func (r *reader) checkOwnNames() {
	own := r.document.Sources[0]
	for _, key := range []string{"name", "title"} {
		if of := r.Root.Field(key); of != nil && own.root.Field(key) == nil {
			r.At(own.Base, "the variant has no %s of its own; give it one; the %s %s belongs to its base", key, key, of)
		}
	}
}

// lacksType notes that a component has no type.
func (r *reader) lacksType(at *document.Node, name string, components *document.Node, types []string) {
	if len(r.document.Sources) == 1 && len(r.document.Subsystems) == 0 {
		r.At(at, "component %s lacks the key \"type\", one of %q", name, types)
		return
	}
	var others []string
	for _, other := range components.Keys {
		if components.Field(other).Field("type") != nil {
			others = append(others, other)
		}
	}
	hint := ""
	if near := document.Nearest(name, others); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	r.At(at, "component %s lacks the key \"type\", and no base or use gives it one%s types are %q", name,
		keys.HintOrSemicolon(hint), types)
}
