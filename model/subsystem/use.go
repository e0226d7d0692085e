package subsystem

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/vectors"
)

// use is one use of a file.
type use struct {
	name                                 string
	node                                 *document.Node
	file                                 *File
	at                                   []string // nil: one instance without
	count, first                         int      // count is 0 where it is no array
	frames, nodes, parameters, component *document.Node
	added, addedNodes                    map[string]bool // names in changes that the file does not have
}

// instance is one of the instances of a use.
type instance struct {
	element int    // of an array, from 0
	at      string // name in messages, "" for the only instance
	suffix  string // that the use gives to names
	right   bool   // it is on the right side
}

// readUse reads a use in a file, nil in the model, with the file that it uses. It returns nil where the use is wrong,
// which has been reported.
func (x *expander) readUse(name string, n *document.Node, user *File) *use {
	before, path := x.Len(), "use "+keys.Printable(name)
	if !suffixForm.MatchString(name) {
		x.At(n, "%s: a use is called by letters, digits and _, which end the names of what it makes", path)
	}
	chain := []string{x.model}
	if user != nil {
		chain = user.chain
	}
	var s *source
	if file := n.Field("file"); file != nil && file.Kind == document.Text && file.Text != "" {
		x.fileNodes = append(x.fileNodes, file)
		if s = x.source(file, chain); s == nil || s.wrong {
			return nil // the names of its options are not known
		}
	}
	f := x.Fields(n, path, s.keysOfUse())
	if f.Table == nil {
		return nil
	}
	if x.Len() > before {
		return nil
	}
	if f.Given("remove") {
		x.At(f.Node("remove"), "%s.remove takes out the use of a base; without a base that has it, leave the use out", path)
		return nil
	}
	u := &use{name: name, node: n, first: 1, at: f.Texts("at")}
	f.Text("file")
	if s != nil {
		if chosen := x.choose(f, s, user); x.Len() == before {
			u.file = x.load(f.Node("file"), s, chosen, chain)
			if user == nil && len(chosen) > 0 {
				x.result.Choices = append(x.result.Choices, name+": "+chosen.String())
			}
		}
	}
	u.count = x.whole(f, "count", 1, most, 0)
	u.first = x.whole(f, "first", 0, 1_000_000, 1)
	if f.Given("first") && !f.Given("count") {
		x.At(f.Node("first"), "%s.first goes with count, which numbers the elements of an array", path)
	}
	x.checkAt(f, u)
	x.readTabulated(f, u, user)
	for _, table := range []struct {
		key string
		to  **document.Node
	}{{"frames", &u.frames}, {"nodes", &u.nodes}, {"parameters", &u.parameters}, {"component", &u.component}} {
		v := f.Node(table.key)
		if v != nil && v.Kind != document.Table {
			x.At(v, "%s.%s is %s; it must be a table", path, table.key, v)
		}
		*table.to = v
	}
	if x.Len() > before || u.file == nil || u.file.wrong {
		return nil
	}
	if points := f.Node("points"); points != nil {
		x.givePoints(u, points)
	}
	x.checkNames(u, "frames", u.frames, u.file.given)
	x.checkNames(u, "nodes", u.nodes, u.file.givenNodes)
	x.checkGiven(u)
	x.checkLists(u)
	if x.Len() > before {
		return nil
	}
	u.added, u.addedNodes = u.findAdded(), u.findAddedNodes()
	return u
}

// readTabulated notes a use of the model whose corners run as tables.
func (x *expander) readTabulated(f *keys.Fields, u *use, user *File) {
	n := f.Node("suspension")
	switch {
	case f.Text("suspension") != tabulated:
	case user != nil:
		x.At(n, "%s: a subsystem has no tables; write the key into the use of the model", f.PathOf("suspension"))
	case u.count > 0 || (f.Given("at") || u.file != nil && u.file.left) &&
		(!slices.Contains(u.at, "L") || !slices.Contains(u.at, "R")):
		x.At(n, "%s is %s, for both wheels of an axle: write at = [\"L\", \"R\"] for corners, no at for a file with both "+
			"wheels, and no count", f.PathOf("suspension"), n)
	default:
		x.result.Tabulated = append(x.result.Tabulated, Tabulated{Use: u.name, Node: n})
	}
}

// whole reads a whole number of a range.
func (x *expander) whole(f *keys.Fields, key string, low, high, otherwise int) int {
	n := f.Node(key)
	if n == nil {
		return otherwise
	}
	if n.Kind != document.Number || n.Number != math.Trunc(n.Number) || n.Number < float64(low) ||
		n.Number > float64(high) {
		x.At(n, "%s is %s; it must be a whole number from %d to %d", f.PathOf(key), n, low, high)
		return otherwise
	}
	return int(n.Number)
}

func (x *expander) checkAt(f *keys.Fields, u *use) {
	n := f.Node("at")
	if n != nil && len(n.Items) == 0 {
		x.At(n, "%s is empty; name the instances, such as [\"L\", \"R\"], or leave the key out for one", f.PathOf("at"))
	}
	for i, name := range u.at {
		item := n.Items[min(i, len(n.Items)-1)]
		switch {
		case !suffixForm.MatchString(name):
			x.At(item, "%s[%d] is %q; it must be of letters, digits and _, as it ends names", f.PathOf("at"), i, name)
		case slices.Contains(u.at[:i], name):
			x.At(item, "%s lists %q twice; every instance needs its own name", f.PathOf("at"), name)
		case u.file == nil || u.file.wrong:
		case u.file.left && name != "L" && name != "R":
			x.At(item, "%s[%d] is %q; %s has sides = \"left\", so that its instances are L and R", f.PathOf("at"), i, name,
				u.file.Name)
		case !u.file.left && name == "R":
			x.At(item, "%s names R, which is the mirrored side, but %s is not mirrored; leave \"at\" out where the file "+
				"makes both sides itself, write sides = \"left\" into it, or "+
				"give the instance another name", f.PathOf("at"), u.file.Name)
		}
	}
}

// checkNames: the use gives all frames, or all nodes, that the file wants, and no others.
func (x *expander) checkNames(u *use, what string, given *document.Node, wanted []string) {
	path, meant := "use "+u.name, map[string]bool{}
	for _, name := range tableKeys(given) {
		if !slices.Contains(wanted, name) {
			hint, near := "", document.Nearest(name, wanted)
			meant[near] = true
			if near != "" {
				hint = "; did you mean \"" + near + "\"?"
			}
			x.At(given.Field(name), "%s.%s gives %q, which %s does not want%s it wants %s", path, what, name,
				u.file.Name, keys.HintOrSemicolon(hint), orNothing(wanted))
		}
	}
	var missing []string
	for _, name := range wanted {
		if (given == nil || given.Field(name) == nil) && !meant[name] && u.file.needs(name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		x.At(u.node, "%s lacks the %s %s that %s wants; write %s = { %s = \"...\" }", path, what,
			strings.Join(missing, ", "), u.file.Name, what, strings.Join(missing, " = \"...\", "))
	}
}

func isName(n *document.Node) bool { return n.Kind == document.Text && n.Text != "" }

func orNothing(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// checkGiven: the use gives all parameters that have no value, and none that the file does not have.
func (x *expander) checkGiven(u *use) {
	path, own := "use "+u.name, u.file.root.Field("parameters")
	for _, name := range tableKeys(u.parameters) {
		if reason := u.file.removed[name]; reason != "" {
			x.At(u.parameters.Field(name), "%s.parameters gives %q, which %s", path, name, reason)
			continue
		}
		if own == nil || own.Field(name) == nil {
			hint := ""
			if near := document.Nearest(name, tableKeys(own)); near != "" {
				hint = "; did you mean \"" + near + "\"?"
			}
			x.At(u.parameters.Field(name), "%s.parameters gives %q, which %s does not have%s its parameters: %s", path,
				keys.Printable(name), u.file.Name, keys.HintOrSemicolon(hint), orNothing(tableKeys(own)))
		}
	}
	var missing []string
	for _, name := range tableKeys(own) {
		p := own.Field(name)
		if p.Field("value") == nil && u.file.needs(name) && (u.parameters == nil || u.parameters.Field(name) == nil) {
			text := name
			if unit := p.Field("unit"); unit != nil {
				text += " [" + unit.Text + "]"
			}
			if about := p.Field("text"); about != nil {
				text += ", " + about.Text
			}
			missing = append(missing, text)
		}
	}
	if len(missing) > 0 {
		x.At(u.node, "%s lacks parameters that have no value in %s: %s; write parameters = { name = value }", path,
			u.file.Name, strings.Join(missing, "; "))
	}
}

// checkLists: values have their forms, and lists one for each element.
func (x *expander) checkLists(u *use) {
	for _, table := range []struct {
		node *document.Node
		what string
		fits func(*document.Node) bool
	}{
		{u.frames, "frames", isName},
		{u.nodes, "nodes", isName},
		{u.parameters, "parameters", func(n *document.Node) bool {
			return n.Kind == document.Number || n.Kind == document.Text && n.Text != ""
		}},
	} {
		form := map[string]string{"frames": "a name", "nodes": "a name", "parameters": "a number, a quantity such as " +
			"\"12 mm\", or a formula"}
		for _, name := range tableKeys(table.node) {
			path := "use " + u.name + "." + table.what + "." + keys.Printable(name)
			v := table.node.Field(name)
			if own := u.file.root.Field("parameters").Field(name); table.what == "parameters" && (IsVector(own) || own == nil) {
				if own != nil { // else it has been reported
					x.checkGivenVector(u, path, v)
				}
				continue
			}
			values := []*document.Node{v}
			if v.Kind == document.List {
				values = v.Items
				switch {
				case u.count == 0:
					x.At(v, "%s is a list; lists have one value for each element of an array, and the use has no count; give %s",
						path, form[table.what])
					continue
				case len(v.Items) != u.count:
					x.At(v, "%s is %s; the array has %d elements, so that a list has %d", path, v, u.count, u.count)
					continue
				}
			}
			for _, item := range values {
				if !table.fits(item) {
					x.At(item, "%s is %s; it must be %s", path, item, form[table.what])
				}
			}
		}
	}
}

// checkGivenVector: a vector is a formula or three values; an array may have a list of lists.
func (x *expander) checkGivenVector(u *use, path string, v *document.Node) {
	each := []*document.Node{v}
	if v.Kind == document.List && slices.ContainsFunc(v.Items, isList) && u.count > 0 {
		if each = v.Items; len(each) != u.count {
			x.At(v, "%s is %s; the array has %d elements, so that a list of vectors has %d", path, v, u.count, u.count)
			return
		}
	}
	for _, n := range each {
		fits := n.Kind == document.Text && n.Text != "" && !keys.IsQuantity(n.Text)
		if n.Kind == document.List && len(n.Items) == len(vectors.Axes) {
			fits = !slices.ContainsFunc(n.Items, func(item *document.Node) bool {
				return item.Kind != document.Number && (item.Kind != document.Text || item.Text == "")
			})
		}
		if !fits {
			x.At(n, "%s is %s; it must be a vector: [x, y, z], or a formula of vectors", path, n)
		}
	}
}

// instances yields the instances of the use: elements of the array outside, at inside.
func (u *use) instances(yield func(instance) bool) {
	for k := range max(u.count, 1) {
		base, number := u.name, ""
		if u.count > 0 {
			number = strconv.Itoa(u.first + k)
			base = number
		}
		at := u.at
		if at == nil {
			at = []string{""}
		}
		for _, side := range at {
			i := instance{element: k, at: number + side, suffix: base + side}
			i.right = u.file.left && (side == "R" || side == "" && u.count == 0 && u.name == "R")
			if !yield(i) {
				return
			}
		}
	}
}

// of is the value of a key that may hold a list with one for each element.
func (i instance) of(n *document.Node) *document.Node {
	if n != nil && n.Kind == document.List {
		return n.Items[i.element]
	}
	return n
}
