package subsystem

import (
	"maps"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/vectors"
)

// Expansion is a model without uses: the components of its uses are in it.
type Expansion struct {
	Root      *document.Node              // of the model
	Files     []*File                     // in the order of their first use
	FileNodes []*document.Node            // values of the keys file of uses, in all files
	Tables    []Table                     // of points, in the order of their first use
	Origins   map[string]*document.Origin // of components, by name
	Exports   []Export
	Bindings  []Binding
	Vectors   []Vector // whose coordinates are parameters
	Tabulated []Tabulated
	Choices   []string // for options, of each use of the model that has some
}

// Tabulated is a use whose corners run as tables.
type Tabulated struct {
	Use  string
	Node *document.Node // that asks for the tables
}

// Export is a name that a subsystem gives a component, or a quantity of one.
type Export struct {
	Instance string // the suffix of its names
	Name     string
	Variable string // of the model: a component, or a variable of one
}

// Binding is a formula that a use gives for a parameter with a unit.
type Binding struct {
	Value *document.Node // over parameters of the model
	Path  string         // for messages
	Unit  string
}

// Rebase makes the names of files in a document that lies in a folder relative to the folder of the model.
type Rebase func(root *document.Node, folder string) error

// Expand puts the components of all uses into a model, and carries out changes and removals of components. model is the
// path of the model file, order the order of its components and uses.
func Expand(root *document.Node, order []Entry, model string, open bounded.Files, rebase Rebase) (*Expansion, error) {
	x := &expander{
		Reader: keys.NewReader(model, root, open), model: model, rebase: rebase, sources: map[string]*source{},
		files: map[string]*File{}, owners: map[string]*document.Origin{}, pointFrames: map[string]*pointFrame{},
		nodeOwners: map[string]*document.Origin{},
		result:     &Expansion{Origins: map[string]*document.Origin{}},
	}
	order = x.withoutRemoved(root, order)
	if own := root.Field("parameters"); HasVectors(own) {
		changed := *root
		changed.Fields = maps.Clone(root.Fields)
		changed.Fields["parameters"] = x.ownVectors(own, "")
		root = &changed
		x.Root = root
	}
	uses := map[string]*use{}
	for _, e := range order {
		if e.Table == "use" {
			if u := x.readUse(e.Name, root.Field("use").Field(e.Name), nil); u != nil {
				uses[e.Name] = u
			}
		}
	}
	if err := x.Err(); err != nil {
		return nil, err
	}
	components := root.Field("component")
	names, removed := x.namesIn(order, uses, components), map[string]string{}
	nodes := nodesIn(order, uses, components, nil)
	x.checkCount(nodes, root)
	x.checkGivenNodes(order, uses, components, nil)
	addRemoved(removed, names, uses)
	before := x.Len()
	for _, name := range tableKeys(components) {
		if reason := removed[name]; reason != "" {
			x.At(components.Field(name), "component %s changes a component that %s", name, reason)
		}
	}
	for _, key := range root.Keys {
		if key != "parameters" && key != "name" && key != "source" {
			x.checkRemoved(root.Field(key), removed)
		}
	}
	if x.Len() > before {
		return nil, x.Err()
	}
	items := x.level(order, uses, components, &scope{names: names, nodes: nodes})
	x.checkGivenFrames(root.Field("component"))
	items = x.designed(items)
	if err := x.Err(); err != nil {
		return nil, err
	}
	x.result.Root, x.result.Files, x.result.FileNodes = x.flat(root, items), x.list, x.fileNodes
	return x.result, x.Err()
}

type expander struct {
	*keys.Reader
	model       string
	rebase      Rebase
	sources     map[string]*source // by path from the folder of the model
	files       map[string]*File   // by path and choices
	list        []*File
	fileNodes   []*document.Node            // values of the keys file of uses
	parameters  []parameter                 // that instances have
	givenFrames []givenFrame                // by uses of the model
	owners      map[string]*document.Origin // instances by the names that they make
	nodeOwners  map[string]*document.Origin // instances by the nodes that they make
	pointFrames map[string]*pointFrame      // BODY@POINT, by the name of the frame
	result      *Expansion
	instances   int
	made        int  // components
	nodes       int  // copied
	full        bool // a limit is reached, and has been reported
}

// givenFrame is a frame, or a component, of the model that a use gives.
type givenFrame struct {
	path  string
	value *document.Node
}

// checkGivenFrames checks that another part of the model has each frame that uses of the model give.
func (x *expander) checkGivenFrames(components *document.Node) {
	known := map[string]ref{}
	for _, name := range tableKeys(components) {
		known[name] = ref{base: name} // also where its type is not known, which is reported with the component
		addNames(known, name, components.Field(name))
	}
	for name := range x.owners {
		known[name] = ref{base: name}
	}
	for _, g := range x.givenFrames {
		if _, is := known[g.value.Text]; !is && g.value.Text != component.GroundFrame {
			x.At(g.value, "%s is %q, which no other component or use of the model names%s frames are those of bodies, joints, "+
				"arms and roads", g.path, g.value.Text, keys.HintOrSemicolon(nearest(g.value.Text, known)))
		}
	}
}

// parameter is one of the model that an instance has.
type parameter struct {
	name   string
	node   *document.Node
	vector string // of which it is a coordinate, "" of none
}

// item is a component of the model, with its name in the file at hand.
type item struct {
	ref
	name  string // in the model
	table *document.Node
}

// withoutRemoved leaves out the uses of bases that a variant removes.
func (x *expander) withoutRemoved(root *document.Node, order []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(order), func(e Entry) bool {
		n := root.Field(e.Table).Field(e.Name)
		return e.Table == "use" && n.Kind == document.Table && n.Field("remove") != nil &&
			x.removes(n, "file", "use "+keys.Printable(e.Name))
	})
}

// removes reports whether a table of a variant removes the base's table. key is a key of the base's table.
func (x *expander) removes(n *document.Node, key, path string) bool {
	remove, of := n.Field("remove"), n.Field(key)
	switch {
	case remove == nil:
		return false
	case !x.checkTrue(remove, path+".remove"):
	case of == nil:
		x.At(remove, "%s.remove: there is no %s to take out", path, path)
	case of.File == remove.File:
		x.At(remove, "%s.remove stands beside other keys; it takes out what a base or a use has, and stands alone", path)
	default:
		return true
	}
	return true
}

// level makes the components of a model or an instance, in its order, and applies changes to the components of its
// uses.
func (x *expander) level(order []Entry, uses map[string]*use, components *document.Node, s *scope) []item {
	ofUse, made := map[string][]item{}, map[string]bool{}
	for _, e := range order {
		if u := uses[e.Name]; e.Table == "use" && u != nil {
			for i := range u.instances {
				ofUse[e.Name] = append(ofUse[e.Name], x.instance(u, i, s)...)
			}
			for _, i := range ofUse[e.Name] {
				made[i.local()] = true
			}
		}
	}
	var items []item
	for _, e := range order {
		switch {
		case x.full:
			return nil
		case e.Table == "use":
			items = append(items, ofUse[e.Name]...)
		case !made[e.Name]:
			items = x.own(items, e.Name, components.Field(e.Name), s)
		}
	}
	for _, e := range order {
		if e.Table == "component" && made[e.Name] {
			items = x.change(items, e.Name, components.Field(e.Name), s.resolver())
		}
	}
	return items
}

// own adds a component of the file itself.
func (x *expander) own(items []item, name string, n *document.Node, s *scope) []item {
	path := "component " + keys.Printable(name)
	if n.Kind == document.Table && n.Field("remove") != nil && x.removes(n, "type", path) {
		return items
	}
	i := item{ref: ref{base: name}, name: in(name, s.suffix), table: n}
	if s.file != nil {
		if x.made++; x.made > most {
			x.fill(n, "the model has more than %d components by uses; use fewer instances", most)
		}
		origin := s.component(i.name)
		x.result.Origins[i.name] = origin
		i.table = x.resolve(n, TypeOf(n), s.resolver(), origin)
	} else if len(x.result.Vectors) > 0 || n.Field("design") != nil {
		i.table = x.resolve(n, TypeOf(n), s.resolver(), nil)
	}
	return append(items, i)
}

// fill notes that a limit is reached.
func (x *expander) fill(n *document.Node, format string, args ...any) {
	if !x.full {
		x.At(n, format, args...)
	}
	x.full = true
}

// change applies a table to the components with a name: one component, or, with the name in the file of a nested use,
// all of its instances. A table with its own type replaces the component.
func (x *expander) change(items []item, name string, n *document.Node, r resolver) []item {
	is, nested := func(i item) bool { return i.local() == name }, false
	if !slices.ContainsFunc(items, is) {
		is, nested = func(i item) bool { return i.base == name }, true
	}
	path := "component " + keys.Printable(name)
	if n.Kind != document.Table {
		x.At(n, "%s is %s; it must be a table", path, n)
		return items
	}
	if remove := n.Field("remove"); remove != nil {
		if x.checkTrue(remove, path+".remove") && len(n.Keys) > 1 {
			x.At(remove, "%s.remove stands beside other keys; it takes out what a base or a use has, and stands alone", path)
		}
		return slices.DeleteFunc(items, is)
	}
	for k := range items {
		i := &items[k]
		if !is(*i) {
			continue
		}
		t := TypeOf(n)
		own := n.Field("type") != nil
		if !own {
			t = TypeOf(i.table)
		}
		origin := x.result.Origins[i.name]
		changed := n
		switch {
		case r.s.file == nil && len(x.result.Vectors) > 0:
			changed = x.resolve(n, t, r, nil)
		case r.s.file != nil:
			if nested {
				r.inner = i.suffix
			}
			changed = x.resolve(n, t, r, origin)
		}
		if !own {
			changed = merged(i.table, changed)
			changed.File, changed.Line, changed.Column = i.table.File, i.table.Line, i.table.Column
			changed.Origin = i.table.Origin
		} else if r.s.file == nil {
			delete(x.result.Origins, i.name) // it is the model's own
		}
		i.table = changed
	}
	return items
}

// merged is document.Merge, except that an inner table with its own function or method replaces the old table: its
// other keys belong to the old function.
func merged(base, over *document.Node) *document.Node {
	under := base
	for _, key := range over.Keys {
		child, of := over.Field(key), base.Field(key)
		if of == nil || child.Kind != document.Table || of.Kind != document.Table {
			continue
		}
		if child.Field("function") != nil || child.Field("method") != nil {
			under = under.Without(key)
			continue
		}
		kept := *under
		kept.Fields = maps.Clone(under.Fields)
		kept.Fields[key] = merged(of, child)
		over, under = over.Without(key), &kept
	}
	m := document.Merge(under, over)
	m.File, m.Line, m.Column = over.File, over.Line, over.Column
	return m
}

// instance makes the components of one instance of a use.
func (x *expander) instance(u *use, i instance, user *scope) []item {
	if x.instances++; x.instances > most {
		x.fill(u.node, "use %s is one instance too many; a model has at most %d", u.name, most)
	}
	if x.full {
		return nil
	}
	before, s := x.Len(), x.newScope(u, i, user)
	x.claim(s)
	x.claimNodes(s)
	items := x.level(u.file.order, u.file.uses, u.file.root.Field("component"), s)
	for _, name := range tableKeys(u.component) {
		items = x.override(items, u, name, s)
	}
	if u.file.left && x.Len() == before {
		x.checkMirrored(items, u)
	}
	if i.right {
		x.mirror(items)
	}
	x.export(u.file, s)
	for k := range items { // the names that they have in the file of the user
		items[k].suffix = i.suffix + items[k].suffix
	}
	return items
}

// override applies [use.F.component.NAME], or adds a component with a type.
func (x *expander) override(items []item, u *use, name string, s *scope) []item {
	n := u.component.Field(name)
	r := resolver{s: s, user: s.user}
	AddNames(s.file.source.named, n)
	known := map[string]ref{}
	for _, i := range items {
		known[i.local()], known[i.base] = i.ref, i.ref
	}
	switch _, has := known[name]; {
	case has:
		return x.change(items, name, n, r)
	case s.file.removed[name] != "":
		x.At(n, "use %s changes the component %s, which %s", u.name, name, s.file.removed[name])
		return items
	case TypeOf(n) == nil:
		x.At(n, "use %s changes the component %s, which %s does not have%s its components: %s", u.name,
			keys.Printable(name), u.file.Name, keys.HintOrSemicolon(nearest(name, known)), listed(items))
		return items
	}
	i := item{ref: ref{base: name}, name: in(name, s.suffix)}
	x.result.Origins[i.name] = s.component(i.name)
	i.table = x.resolve(n, TypeOf(n), r, x.result.Origins[i.name])
	return append(items, i)
}

// claim records the names made by an instance; each name belongs to one instance.
func (x *expander) claim(s *scope) {
	names := slices.Collect(maps.Keys(s.file.names))
	for name, own := range s.added {
		if own {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if s.file.names[name].suffix != "" {
			continue // of a use within the file, which has claimed it
		}
		name = in(name, s.suffix)
		if other := x.owners[name]; other != nil {
			x.At(s.origin.Use, "%s makes %s, which is a name of %s, too; give one of the uses another name, or an array "+
				"another first", s.origin.Text, name, other)
			return
		}
		x.owners[name] = s.origin
	}
}

func (x *expander) export(f *File, s *scope) {
	n := f.root.Field("exports")
	for _, name := range tableKeys(n) {
		x.result.Exports = append(x.result.Exports, Export{s.suffix, name, s.resolver().variable(n.Field(name).Text)})
	}
}

// flat is the root of the model with all components, and the parameters of instances after its own.
func (x *expander) flat(root *document.Node, items []item) *document.Node {
	flat := *root
	flat.Keys, flat.Fields = nil, map[string]*document.Node{}
	copied := func(key string) *document.Node {
		n := document.Node{Kind: document.Table, File: root.File, Line: 1, Column: 1}
		if old := root.Field(key); old != nil {
			n = *old
		}
		n.Keys, n.Fields = slices.Clone(n.Keys), map[string]*document.Node{}
		for _, k := range n.Keys {
			n.Fields[k] = root.Field(key).Field(k)
		}
		return &n
	}
	for _, key := range root.Keys {
		if key != "use" && key != "component" && key != "parameters" {
			put(&flat, key, x.ofModel(key, root.Field(key)))
		}
	}
	if parameters := copied("parameters"); root.Field("parameters") != nil || len(x.parameters) > 0 {
		named := map[string]bool{}
		for _, i := range items {
			AddNames(named, i.table)
		}
		for _, b := range x.result.Bindings {
			AddNames(named, b.Value)
		}
		for _, p := range x.parameters {
			if !named[p.name] && !namesVector(named, p.vector) {
				continue // changes have left nothing that depends on it
			}
			if other := parameters.Field(p.name); other != nil {
				x.At(p.node, "a use makes the parameter %s, a name that is taken at %s:%d:%d; rename one of them", p.name,
					other.File, other.Line, other.Column)
				continue
			}
			put(parameters, p.name, p.node)
		}
		put(&flat, "parameters", parameters)
	}
	if root.Field("component") != nil || len(items) > 0 {
		components := copied("component")
		components.Keys, components.Fields = nil, map[string]*document.Node{}
		for _, i := range items {
			put(components, i.name, i.table)
		}
		put(&flat, "component", components)
	}
	return &flat
}

// ofModel is a value of the model outside of its components: gravity and quantities can name vectors.
func (x *expander) ofModel(key string, n *document.Node) *document.Node {
	r := resolver{s: &scope{}}
	switch {
	case len(x.result.Vectors) == 0:
	case key == "gravity" && n.Kind == document.Text && !keys.IsQuantity(n.Text):
		return x.vector(n, r, nil, key)
	case key == "gravity":
		return x.each(n, nil, func(n *document.Node) *document.Node { return x.formula(n, r, nil) })
	case key == "quantities" && n.Kind == document.Table:
		m := *n
		m.Fields = map[string]*document.Node{}
		for _, name := range n.Keys {
			q := *n.Field(name)
			if v := q.Field("value"); v != nil {
				q.Fields = maps.Clone(q.Fields)
				q.Fields["value"] = x.overVariables(v, r, nil)
			}
			m.Fields[name] = &q
		}
		return &m
	}
	return n
}

// namesVector reports whether one of the coordinates of a vector is among names.
func namesVector(named map[string]bool, vector string) bool {
	for axis := range vectors.Axes {
		if vector != "" && named[vectors.Coordinate(vector, axis)] {
			return true
		}
	}
	return false
}

// AddNames adds the names in all strings of a table, except in descriptions and units.
func AddNames(to map[string]bool, n *document.Node) {
	if n.Kind == document.Text && !keys.IsQuantity(n.Text) {
		for _, word := range words.FindAllString(n.Text, -1) {
			to[word] = true
		}
		if body, point, is := strings.Cut(n.Text, "@"); is && body != "" {
			to[point] = true
		}
	}
	for _, item := range n.Items {
		AddNames(to, item)
	}
	for key, child := range n.Fields {
		if key != "text" {
			AddNames(to, child)
		}
	}
}

// listed are the names of components for messages.
func listed(items []item) string {
	var names []string
	for _, i := range items {
		names = append(names, i.local())
	}
	return orNothing(names)
}
