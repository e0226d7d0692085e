package subsystem

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// scope is an instance of a file, which resolves the names of the file; or the model, where names are final.
type scope struct {
	file     *File // nil of the model
	user     *scope
	suffix   string                    // of all names
	right    bool                      // it is the mirror image of what its file has
	given    map[string]*document.Node // values that the user gives for frames, with their names in the model
	formulas map[string]*document.Node // values of parameters, over the model's parameters
	added    map[string]bool           // names that changes of the use add
	names    map[string]ref            // of the model, nil of a file
	// The same of nodes.
	givenNodes map[string]*document.Node
	addedNodes map[string]bool
	nodes      map[string]ref
	origin     *document.Origin
}

// newScope binds frames and parameters of an instance.
func (x *expander) newScope(u *use, i instance, user *scope) *scope {
	s := &scope{file: u.file, user: user, suffix: user.suffix + i.suffix, right: user.right != i.right,
		given: map[string]*document.Node{}, formulas: map[string]*document.Node{}, added: map[string]bool{}}
	for name := range u.added {
		s.added[name] = !user.has(name)
	}
	s.origin = &document.Origin{File: u.file.Name, Use: u.node, Text: "use " + u.name, At: i.at,
		Choices: u.file.chosen.String(), Suffix: s.suffix, By: user.origin}
	for _, name := range tableKeys(u.frames) {
		bound := *i.of(u.frames.Field(name))
		found, is := user.resolver().find(bound.Text)
		if !is {
			x.At(&bound, "use %s.frames.%s is %q, which no component or use of this file names%s its frames: %s", u.name, name,
				bound.Text, keys.HintOrSemicolon(nearest(bound.Text, user.file.names)), namesOf(user.file))
		} else if user.file == nil {
			x.givenFrames = append(x.givenFrames, givenFrame{"use " + u.name + ".frames." + name, &bound})
		}
		bound.Text = found
		s.given[name] = &bound
	}
	x.bindNodes(u, i, user, s)
	for _, name := range tableKeys(u.file.root.Field("parameters")) {
		var value *document.Node
		if u.parameters != nil {
			value = u.parameters.Field(name)
		}
		if own := u.file.root.Field("parameters").Field(name); IsVector(own) {
			x.bindVector(u, i, name, value, s)
		} else {
			s.formulas[name] = x.bind(u, i, name, value, s)
		}
	}
	return s
}

// binding is how a number of a file becomes a parameter of the model.
type binding struct {
	own       *document.Node // its table in the file
	name      string         // in the file
	parameter string         // name in the model
	vector    string         // of which it is a coordinate, "" of none
	path      string         // for messages
	flips     bool           // the parameter has the opposite sign
}

// bind returns the value of a parameter of an instance: the formula of the use, or a parameter of the model.
func (x *expander) bind(u *use, i instance, name string, value *document.Node, s *scope) *document.Node {
	b := binding{own: u.file.root.Field("parameters").Field(name), name: name, parameter: name + "_" + s.suffix,
		path: "use " + u.name + ".parameters." + name}
	if b.own.Field("share") != nil {
		b.parameter = name + "_" + s.user.suffix + u.name
		if value != nil && value.Kind == document.List {
			x.At(value, "%s is a list, but all instances share one parameter; give one value", b.path)
			return value
		}
	}
	return x.bindTo(u, i.of(value), s, b)
}

// bindTo is bind for one number.
func (x *expander) bindTo(u *use, value *document.Node, s *scope, b binding) *document.Node {
	shared := b.own.Field("share") != nil
	if value != nil && value.Kind == document.Text && !keys.IsQuantity(value.Text) {
		r := resolver{s: s.user}
		bound := x.formula(value, r, s.user.origin)
		x.result.Bindings = append(x.result.Bindings, Binding{bound, b.path, unitOf(b.own)})
		return bound
	}
	p := parameter{name: b.parameter, node: b.own, vector: b.vector}
	place := b.own
	if b.own.Field("value") != nil {
		place = b.own.Field("value")
	}
	if value != nil {
		p.node, place = withValue(b.own, value), value
	}
	if !slices.ContainsFunc(x.parameters, func(o parameter) bool { return shared && o.name == p.name }) {
		node := *p.node
		node.Keys, node.Fields = nil, map[string]*document.Node{}
		for _, key := range p.node.Keys {
			child := p.node.Field(key)
			if key == "value" && b.flips {
				child = keys.Opposed(child)
			}
			if key != "share" {
				put(&node, key, x.copied(child, s.origin))
			}
		}
		node.Origin = s.origin
		p.node = &node
		x.parameters = append(x.parameters, p)
	}
	text := p.name
	if b.flips {
		text = "-(" + text + ")"
	}
	return &document.Node{Kind: document.Text, Text: text, File: place.File, Line: place.Line, Column: place.Column}
}

// withValue is the table of a parameter with another value, which may have a unit of its own.
func withValue(own, value *document.Node) *document.Node {
	p := *own
	p.Keys = []string{"value"}
	p.Fields = map[string]*document.Node{"value": value}
	for _, key := range own.Keys {
		if key != "value" {
			p.Keys, p.Fields[key] = append(p.Keys, key), own.Field(key)
		}
	}
	return &p
}

// unitOf is the SI unit of a parameter, "" where none can be read.
func unitOf(parameter *document.Node) string {
	name := ""
	if u := parameter.Field("unit"); u != nil {
		name = u.Text
	} else if v := parameter.Field("value"); v != nil {
		number, _, _ := unit.ParseNumber(v.Text)
		name = number.Unit
	}
	u, err := unit.Parse(name)
	if err != nil {
		return ""
	}
	return u.Base(name)
}

// has reports whether a name is one of the file or of the model.
func (s *scope) has(name string) bool {
	if s.file == nil {
		_, is := s.names[name]
		return is
	}
	_, is := s.resolver().find(name)
	return is
}

// component is the origin of one component of an instance.
func (s *scope) component(name string) *document.Origin {
	o := *s.origin
	o.Component = name
	return &o
}

func (s *scope) resolver() resolver { return resolver{s: s} }

// resolver resolves names and formulas of a file to names and formulas of the model. With a user it resolves the user's
// text about an instance: a name belongs to the file, or else to the user, or else is added to the instance.
type resolver struct {
	s, user *scope
	inner   string            // suffix of the nested use, for changes by the name in its file
	own     map[string]string // variables of the component whose formulas are resolved, with the keys of their lists
}

// find is the name in the model of a frame or a component.
func (r resolver) find(name string) (string, bool) {
	if r.s.file == nil || name == component.GroundFrame {
		return name, true
	}
	if n := r.s.given[name]; n != nil {
		return n.Text, true
	}
	if own, is := r.s.file.names[name]; is {
		return in(own.base, r.s.suffix+own.suffix), true
	}
	return name, false
}

func (r resolver) name(name string) string {
	found, is := r.find(name)
	if !is && r.user != nil && r.s.added[name] {
		return in(name, r.s.suffix+r.inner)
	}
	if !is && r.user != nil {
		return r.user.resolver().name(name)
	}
	return found
}

// variable is a component, or a variable of one.
func (r resolver) variable(name string) string {
	owner, rest, dotted := strings.Cut(name, ".")
	if dotted {
		rest = "." + rest
	}
	return r.name(owner) + rest
}

// parameter is the value that replaces a parameter.
func (r resolver) parameter(name string) (*document.Node, bool) {
	if r.s.file == nil {
		return nil, true
	}
	if n := r.s.formulas[name]; n != nil {
		return n, true
	}
	if r.user != nil {
		return r.user.resolver().parameter(name)
	}
	return nil, slices.Contains(keys.Reserved, name)
}

// words are roles, which belong to the model and keep their names, numbers and names.
var words = regexp.MustCompile(`@[A-Za-z_]+(\[[^\]]*\])?[A-Za-z0-9_.]*|` +
	`(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*`)

// single is a formula that needs no parentheses within another.
var single = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// formula is a number of a file as a formula over the parameters of the model. A formula that is only a parameter gets
// the position of that parameter's value.
func (x *expander) formula(n *document.Node, r resolver, origin *document.Origin) *document.Node {
	m := *n
	m.Origin = origin
	if n.Kind != document.Text || keys.IsQuantity(n.Text) || len(n.Text) > expr.MaxFormula {
		return &m
	}
	m.Text = x.inNumbers(&m, r)
	if r.s.file == nil {
		return &m
	}
	if of, _ := r.parameter(strings.TrimSpace(m.Text)); of != nil {
		x.checkMeaning(&m, strings.TrimSpace(m.Text), of, r)
		m.Text, m.File, m.Line, m.Column = of.Text, of.File, of.Line, of.Column
		if origin != nil {
			read := *origin
			read.Read = n
			m.Origin = &read
		}
		return &m
	}
	m.Text = x.replaced(&m, m.Text, func(name string) (string, bool) {
		of, known := r.parameter(name)
		x.checkMeaning(&m, name, of, r)
		reason := r.removed(name)
		switch {
		case of == nil && reason != "":
			x.At(&m, "the formula %q names %s, which %s", m.Text, name, reason)
			return name, true
		case of == nil:
			return name, known
		case single.MatchString(of.Text):
			return of.Text, true
		}
		return "(" + of.Text + ")", true
	})
	return &m
}

// checkMeaning reports an ambiguous name in a user's text about an instance: both files have a parameter with this
// name, but the two are not the same parameter.
func (x *expander) checkMeaning(n *document.Node, name string, of *document.Node, r resolver) {
	if r.user == nil || of == nil || of.Text == name || r.s.formulas[name] == nil {
		return
	}
	other := r.user.formulas[name]
	if own := x.Root.Field("parameters"); r.user.file == nil && own != nil {
		other = own.Field(name)
	}
	if other != nil && (r.user.file == nil || other.Text != of.Text) {
		x.At(n, "the formula names %s, which is a parameter here, and another one of %s (%s): rename the one here", name,
			r.s.file.Name, of.Text)
	}
}

// replaced exchanges the names in a formula.
func (x *expander) replaced(n *document.Node, text string, by func(string) (string, bool)) string {
	var b strings.Builder
	at := 0
	for _, m := range words.FindAllStringIndex(text, -1) {
		name := text[m[0]:m[1]]
		b.WriteString(text[at:m[0]])
		at = m[1]
		function := strings.HasPrefix(strings.TrimLeft(text[at:], " \t"), "(")
		if c := name[0]; function || c == '@' || c >= '0' && c <= '9' || c == '.' {
			b.WriteString(name)
			continue
		}
		other, known := by(name)
		switch {
		case known:
		case unit.HoldsUnit(text):
			x.At(n, "the formula %q has a unit inside; a unit stands behind a number alone, such as \"5 mm\": make the "+
				"number a parameter", text)
		default:
			x.At(n, "the formula %q names %s, which is no parameter of this file; write it into [parameters] of the file, "+
				"and give it in the use", text, name)
		}
		b.WriteString(other)
		if b.Len() > expr.MaxFormula {
			x.At(n, "the formula %s is longer than %d characters with what its parameters stand for; give some of them a "+
				"name in [parameters] of the model", fmt.Sprintf("%q", text), expr.MaxFormula)
			return text
		}
	}
	b.WriteString(text[at:])
	return b.String()
}
