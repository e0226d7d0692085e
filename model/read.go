package model

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/unit"
)

// Read reads and validates a model file; files that it names are opened relative to it, unless their paths are absolute.
// The error holds all faults found, one per line, each with file:line:column.
func Read(path string) (*Model, error) {
	data, err := bounded.Model.Read(path)
	if err != nil {
		return nil, fmt.Errorf("model file: %w", err)
	}
	m, err := Parse(data, path, Opener(path))
	if err != nil {
		return nil, err
	}
	m.File = path
	return m, nil
}

// Parse validates a model file held in memory. name is its path for messages; open reads what
// it and its bases name, by paths from its folder.
func Parse(data []byte, name string, open bounded.Files) (*Model, error) {
	d, err := parseDocument(data, name, open)
	if err != nil {
		return nil, err
	}
	r := &reader{
		Faults: document.Faults{File: name}, document: d, root: d.Root, open: open, pool: expr.NewPool(),
		parameters: map[string]float64{}, dimensions: dimensions{}, model: &Model{Fingerprint: d.fingerprint()},
	}
	r.read()
	if r.Len() == 0 {
		r.validate()
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return r.model, nil
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

func (r *reader) identifier(n *document.Node, what, name string) {
	if !identifier.MatchString(name) {
		r.At(n, "%s %q is not an identifier: a letter, then letters, digits and _", what, name)
	}
}

// printable returns a name of the file as messages show it: a message is one
// line, whatever a quoted key holds.
func printable(name string) string {
	if group, own, ok := strings.Cut(name, "."); ok && identifier.MatchString(group) && identifier.MatchString(own) {
		return name
	}
	if identifier.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

func (r *reader) read() {
	m := r.model
	f := r.fields(r.root, "the model file", TopKeys)
	m.Name, m.Title, m.Source = f.text("name"), f.text("title"), f.text("source")
	r.checkOwnNames()
	if n := r.root.Field("name"); n != nil && n.Kind == document.Text {
		r.identifier(n, "model name", n.Text)
	}
	r.readParameters(r.root.Field("parameters"))
	r.readGravity(f)
	m.Outputs = f.texts("outputs")
	solver := f.table("solver")
	m.Solver = Solver{solver.text("method"), solver.scalar("step").Value, solver.text("multipliers"), solver.scalar("constraint_tolerance").Value}
	m.StopTime = f.table("experiment").scalar("stop_time").Value
	r.readTrees(r.root.Field("tree"))
	r.readQuantities(r.root.Field("quantities"))
	r.readComponents(r.root.Field("component"))
}

func (r *reader) readGravity(f *fields) {
	zero := Scalar{Text: "0"}
	m := r.model
	k, n := f.get("gravity")
	switch {
	case n == nil:
		m.Gravity = Vector{zero, zero, {Value: -9.81, Text: "-9.81"}}
	case n.Kind == document.List:
		m.Gravity = f.vector("gravity")
	default:
		g := r.scalar(n, "gravity", k)
		if g.Value < 0 {
			r.At(n, "gravity is %s; a single number g stands for [0, 0, -g] and must not be negative: write %s, or 0 for none", n, negated(g).Text)
		}
		m.Gravity = Vector{zero, zero, negated(g)}
	}
}

var parameterKeys = []Key{
	scalar("value", "", "", "start value"),
	{Name: "unit", Shape: TextShape, Text: "unit"},
	{Name: "text", Shape: TextShape, Optional: true, Text: "description"},
}

var choiceKeys = []Key{
	{Name: "choices", Shape: TextsShape, Text: "what it can be"},
	{Name: "value", Shape: TextShape, Optional: true, Text: "what it is at the start; default: the first of the choices"},
	{Name: "text", Shape: TextShape, Optional: true, Text: "description"},
}

// reserved names would be shadowed in formulas, would shadow gravity, or are variables
// of every model.
var reserved = []string{"pi", "gravity_x", "gravity_y", "gravity_z", "time", "solver"}

func (r *reader) readParameters(n *document.Node) {
	if n == nil {
		return
	}
	if n.Kind != document.Table {
		r.At(n, "parameters is %s; it must be a table", n)
		return
	}
	for _, name := range n.Keys {
		at := n.Field(name)
		r.identifier(at, "parameter", name)
		if slices.Contains(reserved, name) {
			r.At(at, "parameter %s has a name of the engine's own; reserved are %s", name, strings.Join(reserved, ", "))
		}
		if !grouped(at) {
			r.readParameter(at, name)
			continue
		}
		for _, own := range at.Keys {
			r.identifier(at.Field(own), "parameter", own)
			r.readParameter(at.Field(own), name+"."+own)
		}
		r.parameters[name] = math.NaN() // no component may have the name
	}
}

// grouped reports whether a parameter's table is one of several parameters: [parameters.rod]
// with length is rod.length.
func grouped(n *document.Node) bool {
	for _, key := range n.Keys {
		if n.Field(key).Kind != document.Table {
			return false
		}
	}
	return n.Kind == document.Table && len(n.Keys) > 0
}

func (r *reader) readParameter(at *document.Node, name string) {
	r.parameters[name] = math.NaN() // until its value is read
	path := "parameter " + printable(name)
	p := Parameter{Name: name, Pos: r.position(at)}
	if at.Kind == document.Table && at.Field("choices") != nil {
		r.readChoice(r.fields(at, path, choiceKeys), p)
		return
	}
	f := r.fields(at, path, parameterKeys)
	if f.node == nil {
		return
	}
	p.Unit, p.Text = f.unit("unit"), f.text("text")
	if exponents, err := unit.ParseSI(p.Unit); err == nil {
		r.dimensions[name] = dimensionOf(exponents)
	}
	v := f.node.Field("value")
	if v == nil {
		return
	}
	if v.Kind != document.Number {
		r.At(v, "%s.value is %s; it must be a number", f.path, v)
		return
	}
	p.Value = f.scalar("value")
	r.model.Parameters = append(r.model.Parameters, p)
	r.parameters[name] = p.Value.Value
}

// readChoice reads a parameter that is one of several texts.
func (r *reader) readChoice(f *fields, p Parameter) {
	p.Unit, p.Text, p.Choices = "1", f.text("text"), f.texts("choices")
	if len(p.Choices) == 0 {
		r.At(f.node.Field("choices"), "%s.choices is empty; it needs at least one text", f.path)
		return
	}
	value := f.text("value")
	if value == "" {
		value = p.Choices[0]
	}
	i := slices.Index(p.Choices, value)
	if i < 0 {
		r.At(f.node.Field("value"), "%s.value is %q; choices are %q", f.path, value, p.Choices)
		return
	}
	p.Value = Scalar{Value: float64(i), Text: strconv.Itoa(i), Pos: p.Pos}
	r.model.Parameters = append(r.model.Parameters, p)
	r.parameters[p.Name] = p.Value.Value
}

var quantityKeys = []Key{
	{Name: "value", Shape: TextShape, Text: "formula over published variables, inputs and parameters"},
	{Name: "unit", Shape: TextShape, Text: "unit"},
	{Name: "text", Shape: TextShape, Optional: true, Text: "description"},
}

func (r *reader) readQuantities(n *document.Node) {
	if n == nil {
		return
	}
	if n.Kind != document.Table {
		r.At(n, "quantities is %s; it must be a table", n)
		return
	}
	pool := expr.NewPool() // of syntax only: what names mean is known when the equations are formulated
	for _, name := range n.Keys {
		at := n.Field(name)
		path := "quantity " + printable(name)
		component, own, dotted := strings.Cut(name, ".")
		if !identifier.MatchString(component) || dotted && !identifier.MatchString(own) || slices.Contains(reserved, component) {
			r.At(at, "%s: a quantity is called like a variable, NAME or COMPONENT.NAME, both of letters, digits and _, and not %s", path, strings.Join(reserved, ", "))
		}
		f := r.fields(at, path, quantityKeys)
		q := Quantity{Name: name, Unit: f.unit("unit"), Text: f.text("text"), Formula: f.text("value"), Pos: r.position(at)}
		if f.node == nil || q.Formula == "" {
			continue
		}
		value := f.node.Field("value")
		q.Pos = r.position(value)
		if _, err := r.pool.Parse(q.Formula, func(name string) *expr.Expr { return pool.Sym(name, expr.Input) }); err != nil {
			r.At(value, "%s.value: %v", path, err)
		}
		r.model.Quantities = append(r.model.Quantities, q)
	}
}

func (r *reader) readTrees(n *document.Node) {
	m := r.model
	if n == nil {
		stabilised := r.fields(nil, "tree.baumgarte", baumgarteKeys)
		m.Trees = []Tree{{Name: "default", BaumgarteAlpha: stabilised.scalar("alpha"), BaumgarteBeta: stabilised.scalar("beta"), Formulation: Formulations[0], Pos: r.position(r.root)}}
		return
	}
	if n.Kind != document.List || len(n.Items) == 0 {
		r.At(n, "tree is %s; trees are written as [[tree]]", n)
		return
	}
	for _, item := range n.Items {
		f := r.fields(item, "tree", treeKeys)
		b := f.table("baumgarte")
		t := Tree{
			Name: f.text("name"), Prefer: f.texts("prefer"), Forbid: f.texts("forbid"),
			Translation: f.texts("translation"), Rotation: f.texts("rotation"),
			BaumgarteAlpha: b.scalar("alpha"), BaumgarteBeta: b.scalar("beta"), Formulation: f.text("formulation"),
			Pos: r.position(item),
		}
		if slices.ContainsFunc(m.Trees, func(o Tree) bool { return o.Name == t.Name }) {
			r.At(item, "there are two trees %q; every tree needs its own name", t.Name)
		}
		m.Trees = append(m.Trees, t)
	}
}

func (r *reader) readComponents(n *document.Node) {
	if n == nil {
		return // missing: reported with the top keys
	}
	if n.Kind != document.Table {
		r.At(n, "component is %s; components are written as [component.NAME]", n)
		return
	}
	if len(n.Keys) == 0 {
		r.At(n, "component is empty; a model has at least one [component.NAME]")
	}
	var words []string
	for i := range ComponentTypes {
		words = append(words, ComponentTypes[i].Word)
	}
	for _, name := range n.Keys {
		at := n.Field(name)
		r.identifier(at, "component", name)
		if slices.Contains(reserved, name) {
			r.At(at, "component %s has a name of the engine's own; reserved are %s", name, strings.Join(reserved, ", "))
		}
		if _, taken := r.parameters[name]; taken {
			r.At(at, "component %s has the name of a parameter; rename one of them, because variables of both would begin alike", name)
		}
		name = printable(name)
		if at.Kind != document.Table {
			r.At(at, "component %s is %s; it must be a table", name, at)
			continue
		}
		word := at.Field("type")
		if word == nil {
			r.lacksType(at, name, n, words)
			continue
		}
		i := slices.Index(words, word.Text)
		if word.Kind != document.Text || i < 0 {
			hint := ""
			if near := document.Nearest(word.Text, words); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			r.At(word, "component %s has the unknown type %s%s types are %q", name, word, hintOrSemicolon(hint), words)
			continue
		}
		t := &ComponentTypes[i]
		typeKey := Key{Name: "type", Shape: TextShape, Text: "component type"}
		keys := append([]Key{typeKey, textKey}, t.Keys...)
		f := r.fields(at, "component "+name, keys)
		f.path = name
		h := Header{Name: name, Type: t.Word, Text: f.text("text"), Pos: r.position(at)}
		if c := t.build(h, f); c != nil {
			r.model.Components = append(r.model.Components, c)
		}
	}
}
