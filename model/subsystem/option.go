package subsystem

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/shelf"
	"skidpad/model/vectors"
)

// source is a subsystem file before its options are chosen.
type source struct {
	file, relative string // its path, and the path from the folder of the model
	data           []byte
	root           *document.Node
	options        map[string]*option
	conditions     map[*document.Node]condition // of components, uses and parameters with the key when
	named          map[string]bool              // in its formulas, and in formulas of changes by uses
	wrong          bool                         // something is, and has been reported
}

// option is a choice that a use of the file has.
type option struct {
	choices []string // the first is the default
	parts   []string // names that conditions have behind the option: these parts can differ
}

// choices are the choices for a file, by the name of the option, or "option.part" where a part differs.
type choices map[string]string

// of is the choice for an option or a part.
func (c choices) of(name string) string {
	if choice, is := c[name]; is {
		return choice
	}
	name, _, _ = strings.Cut(name, ".")
	return c[name]
}

// String lists the choices as a use would write them.
func (c choices) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%s = %q", name, c[name]))
	}
	return strings.Join(list, ", ")
}

// condition is the value of a key `when`: lists of comparisons, joined by "or"; within a list, "and" joins them.
type condition [][]comparison

// comparison compares the choice for an option, or for a part of one.
type comparison struct {
	name, choice string
	differs      bool // "!=" in place of "=="
}

func (c condition) holds(chosen choices) bool {
	return slices.ContainsFunc(c, func(all []comparison) bool {
		return !slices.ContainsFunc(all, func(one comparison) bool {
			return (chosen.of(one.name) == one.choice) == one.differs
		})
	})
}

// with is the choices that decide a condition.
func (c condition) with(chosen choices) choices {
	deciding := choices{}
	for _, all := range c {
		for _, one := range all {
			deciding[one.name] = chosen.of(one.name)
		}
	}
	return deciding
}

// conditional are the tables whose entries can have the key when.
var conditional = []string{"component", "use", "parameters"}

// source reads a file once. user is the value of the key file of a use, its text a path from the folder of the model.
func (x *expander) source(user *document.Node, chain []string) *source {
	relative := path.Clean(filepath.ToSlash(user.Text))
	if i := slices.Index(chain, relative); i >= 0 {
		x.At(user, "use leads in a circle: %s; one of these files must do without the next",
			strings.Join(append(slices.Clone(chain[i:]), relative), ", "))
		return nil
	}
	if len(chain) > mostDepth {
		x.At(user, "use is one too deep: at most %d subsystem files may use one another, here do %s", mostDepth,
			strings.Join(append(slices.Clone(chain[1:]), relative), ", "))
		return nil
	}
	if s := x.sources[relative]; s != nil {
		return s
	}
	if len(x.sources) == mostFiles {
		x.At(user, "%s is one subsystem file too many; a model can have %d", relative, mostFiles)
		return nil
	}
	data, err := x.Open(bounded.Model, user.Text)
	if err != nil {
		if near := document.Nearest(user.Text, shelf.Names(shelf.Subsystems)); near != "" {
			err = fmt.Errorf("%w; Skidpad has a subsystem %q", err, near)
		}
		x.AtEach(user, "file", err)
		return nil
	}
	s := &source{file: bounded.Beside(x.model, user.Text), relative: relative, data: data,
		options: map[string]*option{}, conditions: map[*document.Node]condition{}, named: map[string]bool{}}
	x.sources[relative] = s
	if s.root, err = document.Parse(data, s.file); err != nil {
		x.Include(err)
		s.wrong = true
		return s
	}
	before := x.Len()
	x.Include(x.rebase(s.root, path.Dir(filepath.ToSlash(user.Text))))
	x.readOptions(s)
	s.wrong = x.Len() > before
	return s
}

// readOptions reads the options of a file, and its conditions.
func (x *expander) readOptions(s *source) {
	n := s.root.Field("options")
	if n != nil && n.Kind != document.Table {
		return // reported with the keys of the file
	}
	before, reserved := x.Len(), keys.NamesOf(UseKeys)
	for _, name := range tableKeys(n) {
		at := n.Field(name)
		x.CheckIdentifier(at, "option", name)
		if slices.Contains(reserved, name) {
			x.At(at, "the option %s has the name of a key of uses; rename it; reserved are %s", name,
				strings.Join(reserved, ", "))
		}
		o := &option{}
		for _, item := range at.Items {
			if item.Kind != document.Text || !suffixForm.MatchString(item.Text) || slices.Contains(o.choices, item.Text) {
				x.At(item, "options.%s has the choice %s; choices are different words of letters, digits and _",
					keys.Printable(name), item)
			}
			o.choices = append(o.choices, item.Text)
		}
		if at.Kind != document.List || len(at.Items) < 2 {
			x.At(at, "options.%s is %s; it must be a list of at least two choices, the default first: [\"ideal\", \"bushings\"]",
				keys.Printable(name), at)
		}
		s.options[name] = o
	}
	if x.Len() > before {
		return
	}
	for _, table := range conditional {
		for _, name := range tableKeys(s.root.Field(table)) {
			x.readConditions(s, s.root.Field(table).Field(name), table == "component")
		}
	}
	for _, o := range s.options {
		slices.Sort(o.parts)
	}
}

// readConditions reads the condition of an entry, and those of tables within it.
func (x *expander) readConditions(s *source, n *document.Node, within bool) {
	if when := n.Field("when"); when != nil {
		s.conditions[n] = x.condition(when, s.options)
	}
	for _, key := range n.Keys {
		if child := n.Field(key); within && child.Kind == document.Table {
			x.readConditions(s, child, within)
		}
	}
}

// condition reads the value of a key when.
func (x *expander) condition(n *document.Node, options map[string]*option) condition {
	const form = `it must compare options with choices, such as "joints == ideal and spring_on != rocker"`
	if n.Kind != document.Text {
		x.At(n, "when is %s; %s", n, form)
		return nil
	}
	c, ok := parseCondition(n.Text)
	if !ok {
		x.At(n, "when is %q; %s", n.Text, form)
		return nil
	}
	for _, one := range slices.Concat(c...) {
		name, part, ofPart := strings.Cut(one.name, ".")
		switch o := options[name]; {
		case o == nil:
			x.At(n, "when names the option %q, which the file does not have%s its options: %s", name,
				keys.HintOrSemicolon(didYouMean(name, slices.Collect(maps.Keys(options)))),
				orNothing(slices.Sorted(maps.Keys(options))))
			return nil
		case !slices.Contains(o.choices, one.choice):
			x.At(n, "when compares %s with %q%s its choices: %s", name, one.choice,
				keys.HintOrSemicolon(didYouMean(one.choice, o.choices)), strings.Join(o.choices, ", "))
			return nil
		case ofPart && !suffixForm.MatchString(part):
			x.At(n, "when names the part %q of %s; a part is a word of letters, digits and _", part, name)
			return nil
		case ofPart && !slices.Contains(o.parts, part):
			o.parts = append(o.parts, part)
		}
	}
	return c
}

// parseCondition reads comparisons, joined by "or" and "and".
func parseCondition(text string) (c condition, ok bool) {
	c = condition{nil}
	words := strings.Fields(text)
	for i := 0; ; i += 4 {
		if len(words) < i+3 || words[i+1] != "==" && words[i+1] != "!=" {
			return nil, false
		}
		last := len(c) - 1
		c[last] = append(c[last], comparison{words[i], words[i+2], words[i+1] == "!="})
		switch {
		case len(words) == i+3:
			return c, true
		case words[i+3] == "or":
			c = append(c, nil)
		case words[i+3] != "and":
			return nil, false
		}
	}
}

// Holds reports whether a condition holds for choices, by the name of the option. The condition is that of a file that
// has been read.
func Holds(when string, chosen map[string]string) bool {
	c, _ := parseCondition(when)
	return c.holds(chosen)
}

// didYouMean suggests one of some words.
func didYouMean(word string, among []string) string {
	if near := document.Nearest(word, among); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// keysOfUse are the keys of a use of a file: options come after the keys of all uses.
func (s *source) keysOfUse() []keys.Key {
	list := slices.Clone(UseKeys)
	if s != nil {
		for _, name := range tableKeys(s.root.Field("options")) {
			list = append(list, keys.Key{Name: name, Optional: true})
		}
	}
	return list
}

// choose reads the choices of a use. An option of the user's own file can stand for a choice: it passes its own on.
func (x *expander) choose(f *keys.Fields, s *source, user *File) choices {
	chosen := choices{}
	set := func(full string, n *document.Node) {
		name, _, ofPart := strings.Cut(full, ".")
		o, choice := s.options[name], n.Text
		passes := n.Kind == document.Text && user != nil && user.source.options[n.Text] != nil &&
			!slices.Contains(o.choices, n.Text)
		if passes {
			choice = user.chosen.of(n.Text)
			for _, part := range o.parts {
				if own, is := user.chosen[n.Text+"."+part]; is && !ofPart {
					chosen[name+"."+part] = own
				}
			}
		}
		switch {
		case n.Kind == document.Text && slices.Contains(o.choices, choice):
			chosen[full] = choice
		case passes:
			x.At(n, "%s is the option %s of this file, whose choice is %q; %s has the choices %s", f.PathOf(full), n.Text,
				choice, s.file, strings.Join(o.choices, ", "))
		default:
			x.At(n, "%s is %s%s it must be one of %s", f.PathOf(full), n,
				keys.HintOrSemicolon(didYouMean(n.Text, o.choices)), strings.Join(o.choices, ", "))
		}
	}
	for _, name := range tableKeys(s.root.Field("options")) {
		o, n := s.options[name], f.Node(name)
		chosen[name] = o.choices[0]
		switch {
		case n == nil:
		case n.Kind != document.Table:
			set(name, n)
		default:
			if otherwise := n.Field("default"); otherwise != nil {
				set(name, otherwise)
			}
			for _, part := range n.Keys {
				switch {
				case part == "default":
				case !slices.Contains(o.parts, part):
					x.At(n.Field(part), "%s.%s: %s has no part of this name%s parts whose %s can differ: %s", f.PathOf(name),
						keys.Printable(part), s.file, keys.HintOrSemicolon(didYouMean(part, o.parts)), name, orNothing(o.parts))
				default:
					set(name+"."+part, n.Field(part))
				}
			}
		}
	}
	return chosen
}

// remaining is the file without the components, uses and parameters that the choices leave out, and the names that go
// with them, each with the reason.
func (s *source) remaining(chosen choices) (root *document.Node, removed map[string]string) {
	removed = map[string]string{}
	if len(s.options) == 0 {
		return s.root, removed
	}
	m := *s.root
	m.Fields = maps.Clone(s.root.Fields)
	kept, gone := map[string]ref{}, map[string]string{}
	for _, table := range conditional {
		all := s.root.Field(table)
		if all == nil || all.Kind != document.Table {
			continue
		}
		rest := *all
		rest.Keys, rest.Fields = nil, map[string]*document.Node{}
		for _, name := range all.Keys {
			entry := all.Field(name)
			if left := s.left(entry, chosen); left != nil {
				put(&rest, name, left)
				addNames(kept, name, left)
				continue
			}
			when := entry.Field("when")
			reason := fmt.Sprintf("exists only when %s (%s:%d:%d); here %s", when.Text, when.File, when.Line, when.Column,
				s.conditions[entry].with(chosen))
			names := map[string]ref{name: {}}
			addNames(names, name, entry)
			for own := range names {
				gone[own] = reason
			}
		}
		m.Fields[table] = &rest
	}
	given := s.root.Field("frames")
	for name, reason := range gone {
		_, is := kept[name]
		isGiven := given != nil && slices.ContainsFunc(given.Items, func(n *document.Node) bool { return n.Text == name })
		if !is && !isGiven {
			removed[name] = reason
		}
	}
	if exports := s.root.Field("exports"); exports != nil && exports.Kind == document.Table {
		for _, name := range exports.Keys {
			owner, _, _ := strings.Cut(exports.Field(name).Text, ".")
			if removed[owner] != "" {
				exports = exports.Without(name)
			}
		}
		m.Fields["exports"] = exports
	}
	return &m, removed
}

// left returns an entry without the tables whose conditions fail, or nil where its own condition fails.
func (s *source) left(n *document.Node, chosen choices) *document.Node {
	if n.Kind != document.Table {
		return n
	}
	if c, is := s.conditions[n]; is && !c.holds(chosen) {
		AddNames(s.named, n)
		return nil
	}
	rest := *n
	rest.Keys, rest.Fields = nil, map[string]*document.Node{}
	for _, key := range n.Keys {
		child := s.left(n.Field(key), chosen)
		if child == nil || key == "when" && s.conditions[n] != nil {
			continue
		}
		if value := s.conditional(n.Field(key)); value != nil {
			child = value
		}
		put(&rest, key, child)
	}
	return &rest
}

// conditional is the value in a table { when = ..., value = ... }, which stands for a key with a condition; nil for
// other tables.
func (s *source) conditional(n *document.Node) *document.Node {
	if s.conditions[n] == nil || len(n.Keys) != 2 {
		return nil
	}
	return n.Field("value")
}

// needs reports whether a use must give a frame or a parameter without a value: names that only removed parts of a file
// have need none.
func (f *File) needs(name string) bool {
	return len(f.source.options) == 0 || hasParameter(f.mentioned, f.root.Field("parameters").Field(name), name)
}

// hasParameter reports whether a parameter, or a coordinate of a vector, is among names.
func hasParameter(names map[string]bool, parameter *document.Node, name string) bool {
	has := names[name]
	for axis := range vectors.Axes {
		has = has || IsVector(parameter) && (names[vectors.Coordinate(name, axis)] || names[name+"."+vectors.Axes[axis]])
	}
	return has
}

// addRemoved adds the names that the files of uses do not have by their options. names are those that exist.
func addRemoved(removed map[string]string, names map[string]ref, uses map[string]*use) {
	for _, u := range uses {
		for i := range u.instances {
			for name, reason := range u.file.removed {
				removed[in(name, i.suffix)] = reason
			}
		}
	}
	maps.DeleteFunc(removed, func(name, _ string) bool {
		_, is := names[name]
		return is
	})
}

// removed is the reason why a file or its user does not have a name, "" without one.
func (r resolver) removed(name string) string {
	if r.s.file == nil {
		return ""
	}
	reason := r.s.file.removed[name]
	if reason == "" && r.user != nil {
		return r.user.resolver().removed(name)
	}
	return reason
}

// checkRemoved reports the names in a part of the model that options have removed.
func (x *expander) checkRemoved(n *document.Node, removed map[string]string) {
	if n == nil || len(removed) == 0 {
		return
	}
	if n.Kind == document.Text && !keys.IsQuantity(n.Text) {
		for _, word := range words.FindAllString(n.Text, -1) {
			word, _, _ = strings.Cut(word, ".")
			switch reason := removed[word]; {
			case reason == "":
			case word == n.Text:
				x.At(n, "%q %s", word, reason)
			default:
				x.At(n, "%q names %s, which %s", n.Text, word, reason)
			}
		}
	}
	for _, item := range n.Items {
		x.checkRemoved(item, removed)
	}
	for _, key := range n.Keys {
		if key != "text" && key != "title" && key != "unit" {
			x.checkRemoved(n.Field(key), removed)
		}
	}
}
