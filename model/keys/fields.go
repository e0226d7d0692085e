package keys

import (
	"cmp"
	"fmt"

	"skidpad/model/document"
	"skidpad/model/unit"
)

// Fields is a table of the file read by a list of keys. The Reader records an error of a value; the value is then the
// value of a key that is not given.
type Fields struct {
	Reader *Reader
	Table  *document.Node // nil for an optional table that is not given
	Path   string         // of the table in messages
	// Turning is for components on a revolute joint, whose numbers may have other units.
	Turning bool
	keys    []Key
	each    *Key // of a table by names of the file's own
}

func (f *Fields) find(name string) *Key {
	if f.each != nil {
		k := *f.each
		k.Name = name
		return &k
	}
	for i := range f.keys {
		if f.keys[i].Name == name {
			return &f.keys[i]
		}
	}
	return nil
}

// get returns key and value; the value is nil where it is not given.
func (f *Fields) get(name string) (*Key, *document.Node) {
	k := f.find(name)
	if k == nil {
		panic("keys: key " + name + " is not described in " + f.Path)
	}
	if f.Table == nil {
		return k, nil
	}
	n := f.Table.Field(name)
	if n != nil && k.Shape == AnyShape {
		k = k.Of(n)
	}
	return k, n
}

// Names lists the keys of a table, in the order of the file.
func (f *Fields) Names() []string {
	if f.Table == nil {
		return nil
	}
	return f.Table.Keys
}

// Given reports whether the table holds a key.
func (f *Fields) Given(name string) bool {
	_, n := f.get(name)
	return n != nil
}

// Require notes a key that need not be given everywhere, but must be here, and reports whether it is given.
func (f *Fields) Require(name string) bool {
	k, n := f.get(name)
	if n == nil && f.Table != nil {
		f.Reader.At(f.Table, "%s lacks the key %q: %s (%s)", f.Path, name, k.Text, k.describe())
	}
	return n != nil
}

// Node returns the value of a key, nil where it is not given.
func (f *Fields) Node(name string) *document.Node {
	_, n := f.get(name)
	return n
}

// Position returns the position of a key's value, or of the table if the key is not given.
func (f *Fields) Position(name string) Position {
	switch n := f.Node(name); {
	case n != nil:
		return f.Reader.Position(n)
	case f.Table != nil:
		return f.Reader.Position(f.Table)
	}
	return Position{}
}

// Fault records an error of a key, at the table if the key is not given.
func (f *Fields) Fault(name, format string, args ...any) {
	f.Reader.At(cmp.Or(f.Node(name), f.Table), format, args...)
}

// FaultOfTable records an error of the whole table.
func (f *Fields) FaultOfTable(format string, args ...any) {
	f.Reader.At(f.Table, format, args...)
}

// FaultAt records an error at a position.
func (f *Fields) FaultAt(p Position, format string, args ...any) {
	f.Reader.Place(p, format, args...)
}

func (f *Fields) reportInvalid(n *document.Node, k *Key) {
	if n.Kind == document.Text && n.Text == "" && k.Shape == TextShape {
		remedy := ""
		if k.Optional {
			remedy = ", or leave the key out"
		}
		f.Reader.At(n, "%s is empty; give it at least one character%s", f.PathOf(k.Name), remedy)
		return
	}
	f.Reader.At(n, "%s is %s; it must be %s", f.PathOf(k.Name), n, k.describe())
}

// PathOf returns the path of a key in messages.
func (f *Fields) PathOf(key string) string {
	if f.Table == f.Reader.Root {
		return key
	}
	return f.Path + "." + key
}

// Text returns a text or a word, its default where it is not given.
func (f *Fields) Text(name string) string {
	k, n := f.get(name)
	switch {
	case n == nil:
		return k.Default
	case n.Kind != document.Text || n.Text == "":
		f.reportInvalid(n, k)
		return k.Default
	}
	if len(k.Choices) > 0 {
		for _, c := range k.Choices {
			if n.Text == c {
				return c
			}
		}
		f.reportInvalid(n, k)
		return k.Choices[0]
	}
	switch k.Shape {
	case FrameShape:
		f.Reader.CheckIdentifier(n, "frame", n.Text)
	case NodeShape:
		f.Reader.CheckIdentifier(n, "node", n.Text)
	}
	return n.Text
}

// Unit returns the name of an SI unit.
func (f *Fields) Unit(name string) string {
	s := f.Text(name)
	if s == "" {
		return s
	}
	if _, err := unit.ParseSI(s); err != nil {
		f.Fault(name, "%s: %v", f.PathOf(name), err)
	}
	return s
}

// AnyUnit returns a unit, also a unit outside SI, with its SI unit; ok is false if it is not given, or wrong.
func (f *Fields) AnyUnit(name string) (u unit.Unit, si string, ok bool) {
	s := f.Text(name)
	if s == "" {
		return u, s, false
	}
	u, err := unit.Parse(s)
	if err != nil {
		f.Fault(name, "%s: %v", f.PathOf(name), err)
		return u, s, false
	}
	return u, u.Base(s), true
}

// Frame returns an optional frame name.
func (f *Fields) Frame(name, otherwise string) string {
	if s := f.Text(name); s != "" {
		return s
	}
	return otherwise
}

// Texts returns a list of texts.
func (f *Fields) Texts(name string) []string {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		f.reportInvalid(n, k)
		return nil
	}
	if len(n.Items) == 0 && k.Filled {
		f.Reader.At(n, "%s is empty; it needs at least one element", f.PathOf(name))
	}
	var list []string
	for i, item := range n.Items {
		if item.Kind != document.Text || item.Text == "" {
			f.Reader.At(item, "%s[%d] is %s; it must be %s", f.PathOf(name), i, item, TextShape)
			continue
		}
		if k.Shape == FramesShape {
			f.Reader.CheckIdentifier(item, "frame", item.Text)
		}
		list = append(list, item.Text)
	}
	return list
}

// Sub returns a table within the table, also one by names of the file's own.
func (f *Fields) Sub(name string) *Fields {
	k, n := f.get(name)
	if k.Shape == NamedShape {
		return f.Reader.Named(n, f.PathOf(name), k.Value)
	}
	return f.Reader.fields(n, f.PathOf(name), k.Keys, k.Stray)
}

// Kind returns the table of a key that has one of several kinds, and the word of the kind; "" where it is not given or
// none of them.
func (f *Fields) Kind(name string) (string, *Fields) {
	k, n := f.get(name)
	if n == nil {
		return "", nil
	}
	return f.Reader.kind(n, f.PathOf(name), k.Kinds)
}

// List returns the tables in a list of tables.
func (f *Fields) List(name string) []*Fields {
	k, n := f.get(name)
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		f.reportInvalid(n, k)
		return nil
	}
	var list []*Fields
	for i, item := range n.Items {
		list = append(list, f.Reader.Fields(item, fmt.Sprintf("%s[%d]", f.PathOf(name), i), k.Keys))
	}
	return list
}

// NonEmptyList returns the tables of a list, which must not be empty.
func (f *Fields) NonEmptyList(name string) []*Fields {
	if n := f.Node(name); n != nil && n.Kind == document.List && len(n.Items) == 0 {
		f.Fault(name, "%s is empty; it needs at least one table", f.PathOf(name))
	}
	return f.List(name)
}

// Items are the values in a list, none where it is not given.
func (f *Fields) Items(name string) []*document.Node {
	k, n := f.get(name)
	switch {
	case n == nil:
		return nil
	case n.Kind != document.List:
		f.reportInvalid(n, k)
	}
	return n.Items
}

// Truth returns whether a key is true, its default where it is not given.
func (f *Fields) Truth(name string) bool {
	k, n := f.get(name)
	switch {
	case n == nil:
		return k.Default == "true"
	case n.Kind != document.Truth:
		f.reportInvalid(n, k)
	}
	return n.Text == "true"
}
