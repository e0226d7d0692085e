package subsystem

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/vectors"
)

// File is a subsystem file that a model uses, directly or through others.
type File struct {
	Name string // its path
	Data []byte

	source     *source
	chosen     choices
	root       *document.Node    // what the choices leave
	removed    map[string]string // names of what they do not leave, each with the reason
	mentioned  map[string]bool   // in the values of components and uses
	given      []string          // frames and components that the user gives
	left       bool              // it is written for the left side
	order      []Entry
	uses       map[string]*use
	givenNodes []string       // nodes that the user gives
	nodes      map[string]ref // own nodes, including nodes from uses
	names      map[string]ref // own frames and components, including names from uses
	chain      []string       // of files that led to it first
	depth      int            // of nested uses, from this file on
	wrong      bool           // something is, and has been reported
}

// Idle are the parameters that no formula of the file names, nor a change that a use makes.
func (f *File) Idle() map[string]*document.Node {
	idle := map[string]*document.Node{}
	parameters := f.source.root.Field("parameters")
	for _, name := range tableKeys(parameters) {
		if !hasParameter(f.source.named, parameters.Field(name), name) {
			idle[name] = parameters.Field(name)
		}
	}
	return idle
}

// ref is a name of a file: its base, and the suffix that uses within the file have given it.
type ref struct{ base, suffix string }

// local is the name in the file.
func (r ref) local() string { return in(r.base, r.suffix) }

// in is a name with a suffix.
func in(base, suffix string) string {
	if suffix == "" {
		return base
	}
	return base + "_" + suffix
}

// Entry is a component or a use at its place in the order of a model.
type Entry struct {
	Table string // "component" or "use"
	Name  string
}

// Order lists components and uses of a file as they stand in it.
func Order(root *document.Node) []Entry {
	var list []Entry
	at := map[Entry]*document.Node{}
	for _, table := range []string{"component", "use"} {
		if n := root.Field(table); n != nil && n.Kind == document.Table {
			for _, name := range n.Keys {
				e := Entry{table, name}
				list, at[e] = append(list, e), n.Field(name)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(at[a].Line, at[b].Line), cmp.Compare(at[a].Column, at[b].Column))
	})
	return list
}

const (
	mostDepth = 16        // uses of files within each other
	mostFiles = 256       // subsystem files of a model
	most      = 10_000    // components of a model by uses, also instances, also names of a file
	mostNodes = 2_000_000 // keys and values that instances copy
)

// load makes a file once for each list of choices. user is the value of the key file of the use.
func (x *expander) load(user *document.Node, s *source, chosen choices, chain []string) *File {
	key := s.relative + " " + chosen.String()
	if f := x.files[key]; f != nil {
		if len(chain)-1+f.depth > mostDepth {
			x.At(user, "use is too deep: at most %d subsystem files may use one another, and %s is the first of %d", mostDepth,
				s.relative, f.depth)
			return nil
		}
		return f
	}
	f := &File{Name: s.file, Data: s.data, source: s, chosen: chosen, uses: map[string]*use{},
		chain: append(slices.Clone(chain), s.relative), mentioned: map[string]bool{}}
	if x.files[key] = f; !slices.ContainsFunc(x.list, func(o *File) bool { return o.source == s }) {
		x.list = append(x.list, f)
	}
	f.root, f.removed = s.remaining(chosen)
	before := x.Len()
	x.check(f, user)
	f.depth = 1
	for _, u := range f.uses {
		f.depth = max(f.depth, 1+u.file.depth)
	}
	f.wrong = x.Len() > before
	return f
}

// check reads the file's own keys, and the files that it uses.
func (x *expander) check(f *File, user *document.Node) {
	if kind := f.root.Field("kind"); kind == nil {
		x.At(user, "%s is not a subsystem file: it lacks kind = \"subsystem\" in its first lines", f.Name)
		return
	}
	top := x.Fields(f.root, "the subsystem file", FileKeys)
	top.Text("kind")
	top.Text("title")
	top.Text("source")
	f.given, f.left = top.Texts("frames"), top.Text("sides") == "left"
	for i, name := range f.given {
		n := top.Node("frames").Items[i]
		x.CheckIdentifier(n, "frame", name)
		if slices.Contains(f.given[:i], name) {
			x.At(n, "frames lists %q twice", name)
		}
		if c := f.root.Field("component"); c != nil && c.Field(name) != nil {
			x.At(n, "frames lists %q, which is the name of a component of the file; rename one of them", name)
		}
	}
	x.readNodes(f, top)
	x.checkParameters(f)
	for _, table := range []string{"component", "use", "exports"} {
		if n := f.root.Field(table); n != nil && n.Kind != document.Table {
			x.At(n, "%s is %s; it must be a table", table, n)
			return
		}
	}
	for _, table := range []string{"component", "use"} {
		if n := f.root.Field(table); n != nil {
			AddNames(f.mentioned, n)
		}
	}
	for name := range f.mentioned {
		f.source.named[name] = true
	}
	f.order = Order(f.root)
	if len(f.order) == 0 {
		x.At(f.root, "the subsystem file has no [component.NAME] and no [use.NAME]; it needs at least one")
	}
	for _, e := range f.order {
		if e.Table == "use" {
			if u := x.readUse(e.Name, f.root.Field("use").Field(e.Name), f); u != nil {
				f.uses[e.Name] = u
			}
		}
	}
	f.names = x.namesOf(f)
	f.nodes = nodesIn(f.order, f.uses, f.root.Field("component"), f.givenNodes)
	x.checkCount(f.nodes, f.root)
	x.checkGivenNodes(f.order, f.uses, f.root.Field("component"), f.givenNodes)
	addRemoved(f.removed, f.names, f.uses)
	x.checkExports(f)
}

func (x *expander) checkParameters(f *File) {
	n := f.root.Field("parameters")
	if n == nil {
		return
	}
	if n.Kind != document.Table {
		x.At(n, "parameters is %s; it must be a table", n)
		return
	}
	for _, name := range n.Keys {
		at := n.Field(name)
		x.CheckIdentifier(at, "parameter", name)
		if slices.Contains(keys.Reserved, name) {
			x.At(at, "parameter %s has a name of the engine's own; reserved are %s", name, strings.Join(keys.Reserved, ", "))
		}
		if c := f.root.Field("component"); c != nil && c.Field(name) != nil {
			x.At(at, "parameter %s has the name of a component; rename one of them, because both get the same suffix", name)
		}
		if IsVector(at) {
			x.checkVector(at, name, FileVectorKeys)
			x.checkTrue(at.Field("share"), "parameter "+name+".share")
			for axis := range vectors.Axes {
				if own := vectors.Coordinate(name, axis); n.Field(own) != nil {
					x.At(n.Field(own), "parameter %s has the name of a coordinate of the vector %s; rename one of them", own, name)
				}
			}
			continue
		}
		p := x.Fields(at, "parameter "+keys.Printable(name), ParameterKeys)
		if p.Table == nil {
			continue
		}
		p.AnyUnit("unit")
		p.Text("text")
		v := p.Node("value")
		switch {
		case v != nil && v.Kind != document.Number && (v.Kind != document.Text || !keys.IsQuantity(v.Text)):
			x.At(v, "parameter %s.value is %s; it must be a number, or one with a unit such as \"5 mm\"", name, v)
		case !p.Given("unit") && (v == nil || v.Kind == document.Number):
			x.At(at, "parameter %s lacks its unit; write unit = \"m\", \"N/mm\" or another, \"1\" for a pure number", name)
		}
		x.checkTrue(p.Node("share"), "parameter "+name+".share")
	}
}

// checkTrue notes a value that is not true, the only one that some keys have.
func (x *expander) checkTrue(n *document.Node, path string) bool {
	if n != nil && (n.Kind != document.Truth || n.Text != "true") {
		x.At(n, "%s is %s; it must be true, or not be given", path, n)
		return false
	}
	return n != nil
}

// namesOf lists the frames and components of a file that it does not get from the user. If a component of the file and
// a component of a use have the same name, the name belongs to the use.
func (x *expander) namesOf(f *File) map[string]ref {
	names := x.namesIn(f.order, f.uses, f.root.Field("component"))
	for _, name := range f.given {
		delete(names, name)
	}
	return names
}

// namesIn lists the frames and components of a file or the model.
func (x *expander) namesIn(order []Entry, uses map[string]*use, components *document.Node) map[string]ref {
	names := map[string]ref{}
	for _, e := range order {
		if u := uses[e.Name]; e.Table == "use" && u != nil {
			x.addNamesOfUse(names, u)
		}
	}
	for _, e := range order {
		if e.Table == "component" {
			addNames(names, e.Name, components.Field(e.Name))
		}
	}
	return names
}

func (x *expander) addNamesOfUse(names map[string]ref, u *use) {
	for i := range u.instances {
		for _, r := range u.file.names {
			own := ref{r.base, i.suffix + r.suffix}
			names[own.local()] = own
		}
		for name := range u.added {
			own := ref{name, i.suffix}
			names[own.local()] = own
		}
		if len(names) > most {
			x.At(u.node, "use %s makes more than %d names of components and frames; use fewer instances", u.name, most)
			return
		}
	}
}

func tableKeys(n *document.Node) []string {
	if n == nil {
		return nil
	}
	return n.Keys
}

// addNames adds a component that is not a change of another, and its frames.
func addNames(names map[string]ref, name string, n *document.Node) {
	addNamesOf(names, name, n, TypeOf(n))
}

// addNamesOf adds a component of a type, nil for none that is known, and its frames.
func addNamesOf(names map[string]ref, name string, n *document.Node, t *component.Type) {
	if t == nil || n.Kind != document.Table {
		return
	}
	add := func(name string) {
		if _, is := names[name]; !is {
			names[name] = ref{base: name}
		}
	}
	add(name)
	addFrame := func(frame *document.Node) {
		if frame != nil && frame.Kind == document.Text && frame.Text != component.GroundFrame &&
			!strings.Contains(frame.Text, "@") {
			add(frame.Text)
		}
	}
	for i := range t.Keys {
		switch frame := n.Field(t.Keys[i].Name); {
		case t.Keys[i].Shape == keys.FrameShape:
			addFrame(frame)
		case t.Keys[i].Shape == keys.FramesShape && frame != nil:
			for _, item := range frame.Items {
				addFrame(item)
			}
		}
	}
}

// findAdded finds the names in the changes of a use that its file does not have: names of added components, and of
// frames.
func (u *use) findAdded() map[string]bool {
	all, added := map[string]ref{}, map[string]bool{}
	for _, name := range tableKeys(u.component) {
		n := u.component.Field(name)
		t := TypeOf(n)
		if t == nil {
			t = u.file.typeOf(name)
		}
		addNamesOf(all, name, n, t)
	}
	for name := range all {
		if _, is := u.file.names[name]; !is && !slices.Contains(u.file.given, name) && u.file.typeOf(name) == nil {
			added[name] = true
		}
	}
	return added
}

// typeOf is the type of a component by its name in changes: a component of the file itself, or of a nested use with its
// name there, or with its suffix.
func (f *File) typeOf(name string) *component.Type {
	if c := f.root.Field("component"); c != nil && c.Field(name) != nil {
		if t := TypeOf(c.Field(name)); t != nil {
			return t
		}
	}
	for _, u := range f.uses {
		for i := range u.instances {
			own := strings.TrimSuffix(name, "_"+i.suffix)
			if u.component != nil && u.component.Field(own) != nil {
				if t := TypeOf(u.component.Field(own)); t != nil {
					return t
				}
			}
			if t := u.file.typeOf(own); t != nil {
				return t
			}
		}
	}
	return nil
}

// TypeOf is the type of a component, nil where it has none that is known.
func TypeOf(n *document.Node) *component.Type {
	if n == nil || n.Kind != document.Table {
		return nil
	}
	word := n.Field("type")
	if word == nil || word.Kind != document.Text {
		return nil
	}
	i := slices.IndexFunc(component.Types, func(t component.Type) bool { return t.Word == word.Text })
	if i < 0 {
		return nil
	}
	return &component.Types[i]
}

func (x *expander) checkExports(f *File) {
	n := f.root.Field("exports")
	for _, name := range tableKeys(n) {
		v := n.Field(name)
		x.CheckIdentifier(v, "export", name)
		owner, _, _ := strings.Cut(v.Text, ".")
		if _, own := f.names[owner]; v.Kind != document.Text || !own {
			x.At(v, "exports.%s is %s; it must be a component of the file, or one of its quantities, \"%s\"%s",
				keys.Printable(name), v, "component.quantity", nearest(owner, f.names))
		}
	}
}

// nearest suggests a name of a file.
func nearest(name string, names map[string]ref) string {
	var list []string
	for n := range names {
		list = append(list, n)
	}
	slices.Sort(list)
	if near := document.Nearest(name, list); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// namesOf lists the names of a file for messages.
func namesOf(f *File) string {
	list := slices.Clone(f.given)
	for name := range f.names {
		list = append(list, name)
	}
	slices.Sort(list)
	return orNothing(list)
}

var suffixForm = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
