package model

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
)

// Document is what a model file and its bases say together.
type Document struct {
	Root    *document.Node
	Sources []Source // the model file, its base, the base of that and so on
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
	return parseDocument(data, path, Opener(path))
}

// Opener returns what reads the files that a model file names.
func Opener(modelFile string) bounded.Files {
	return func(kind bounded.Kind, file string) ([]byte, error) {
		file = filepath.FromSlash(file)
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(modelFile), file)
		}
		return kind.Read(file)
	}
}

// parseDocument is ReadDocument for the bytes of a file; open reads its bases, by paths from its folder.
func parseDocument(data []byte, name string, open bounded.Files) (*Document, error) {
	d := &Document{}
	file, folder := name, "."
	for {
		root, err := document.Parse(data, file)
		if err != nil {
			return nil, err
		}
		for _, n := range fileNames(root) {
			n.Text = from(folder, n.Text)
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
		relative := from(folder, base.Text)
		file, folder = filepath.FromSlash(relative), path.Dir(filepath.ToSlash(relative))
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(name), file)
		}
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
	d.merge()
	return d, nil
}

// merge makes the root of the sources. A component with a type of its own is another one than that of the base.
func (d *Document) merge() {
	for _, s := range slices.Backward(d.Sources) {
		if d.Root == nil {
			d.Root = s.root
			continue
		}
		d.Root = document.Merge(d.Root, s.root)
		if own := s.root.Field("component"); own != nil {
			for _, name := range own.Keys {
				if c := own.Field(name); c.Field("type") != nil {
					d.Root.Field("component").Fields[name] = c
				}
			}
		}
	}
}

// from returns the path of a file that is named in a folder.
func from(folder, file string) string {
	if folder == "." || filepath.IsAbs(filepath.FromSlash(file)) {
		return file
	}
	return path.Join(folder, file)
}

// fingerprint is the checksum of the last base, or that of a variant with the checksum of its base before it.
func (d *Document) fingerprint() string {
	var sum []byte
	for _, s := range slices.Backward(d.Sources) {
		next := sha256.Sum256(append(sum, s.Data...))
		sum = next[:]
	}
	return hex.EncodeToString(sum)
}

// FileNames lists the names of files that the model refers to.
func (d *Document) FileNames() []*document.Node { return fileNames(d.Root) }

// FileKind is what a file may be that the model refers to: the largest of what the key can name.
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
			r.At(own.Base, "the variant has no %s of its own; give it one, because that of its base, %s, stands for "+
				"another model", key, of)
		}
	}
}

// lacksType notes that a component has no type.
func (r *reader) lacksType(at *document.Node, name string, components *document.Node, types []string) {
	if len(r.document.Sources) == 1 {
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
	r.At(at, "component %s lacks the key \"type\", and no base gives it one%s types are %q", name,
		keys.HintOrSemicolon(hint), types)
}
