package vehicle

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/unit"
)

// Read reads and validates a model file; files that it names are opened relative to it, unless their paths are
// absolute.
// The error holds all faults found, one per line, each with file:line:column.
func Read(path string) (*Model, error) { return ReadAsking(path, nil) }

// ReadAsking is Read with more elements of the list of reactions.
func ReadAsking(path string, reactions []string) (*Model, error) {
	data, err := bounded.Model.Read(path)
	if err != nil {
		return nil, fmt.Errorf("model file: %w", err)
	}
	return ParseAsking(data, path, reactions)
}

// Parse validates a model file held in memory. name is its path for messages. open reads the files named by the model
// and its bases, by paths from its folder.
func Parse(data []byte, name string, open bounded.Files) (*Model, error) {
	return parse(data, name, open, changes{})
}

// ParseAsking is Parse with more elements of the list of reactions, for the text of a file at a path.
func ParseAsking(data []byte, path string, reactions []string) (*Model, error) {
	m, err := parse(data, path, Opener(path), changes{reactions: reactions})
	if err == nil {
		m.File = path
	}
	return m, err
}

// WithCurves is the model with other files of curves, by the names of Model.CurveFiles; open reads the files that the
// model names.
func (m *Model) WithCurves(instead map[string]string, open bounded.Files) (*Model, error) {
	other, err := parse(m.data, m.read, open, changes{curves: instead, reactions: m.reactions})
	if err != nil {
		return nil, err
	}
	other.File = m.File
	return other, nil
}

// changes replace values of a model file, and add reactions.
type changes struct {
	values    map[string]float64 // of parameters and start values
	curves    map[string]string  // files of curves
	reactions []string           // further elements of the list of reactions
}

func parse(data []byte, name string, open bounded.Files, c changes) (*Model, error) {
	d, err := ParseDocument(data, name, open)
	if err != nil {
		return nil, err
	}
	return read(d, data, name, open, c)
}

// ReadRoot reads a model without bases and uses from its table, which belongs to a file at a path. The model has no
// text: WithValues and WithCurves need a model that was parsed.
func ReadRoot(root *document.Node, path string) (*Model, error) {
	d := &Document{Root: root, Sources: []Source{{Name: path, root: root}}, origins: map[string]*document.Origin{}}
	m, err := read(d, nil, path, Opener(path), changes{})
	if err == nil {
		m.File = path
	}
	return m, err
}

// read reads a document.
func read(d *Document, data []byte, name string, open bounded.Files, c changes) (*Model, error) {
	for _, name := range slices.Sorted(maps.Keys(c.values)) {
		d.Root = withValue(d.Root, name, c.values[name])
	}
	if len(c.reactions) > 0 {
		d.Root = withReactions(d.Root, c.reactions)
	}
	r := &reader{Reader: keys.NewReader(name, d.Root, open), document: d, values: c.values,
		model: &Model{Fingerprint: d.fingerprint(), data: data, read: name, reactions: c.reactions}}
	r.doubts.Include(d.doubts.Err())
	r.Instead = c.curves
	r.read()
	r.model.CurveFiles, r.model.Formulas = r.CurveFiles, r.Formulas
	if r.Len() == 0 {
		r.scope = component.NewScope(r.model.Components)
		r.followDrivers()
		r.validate()
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	r.model.StartWarnings = linesOf(r.starts.Err())
	r.model.Warnings = append(linesOf(r.doubts.Err()), r.model.StartWarnings...)
	return r.model, nil
}

// linesOf are the lines of an error, none of nil.
func linesOf(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

// reader reads one model file.
type reader struct {
	*keys.Reader
	document *Document
	model    *Model
	scope    *component.Scope   // of the components that are read
	doubts   document.Faults    // about allowed but implausible values
	starts   document.Faults    // the same about the motion at the start
	values   map[string]float64 // that the file does not have
}

func (r *reader) read() {
	m := r.model
	r.readParameters(r.Root.Field("parameters"))
	r.turnAxes()
	f := r.Fields(r.Root, "the model file", TopKeys)
	m.Name, m.Title, m.Source = f.Text("name"), f.Text("title"), f.Text("source")
	r.checkOwnNames()
	if n := r.Root.Field("name"); n != nil && n.Kind == document.Text {
		r.CheckIdentifier(n, "model name", n.Text)
	}
	r.readGravity(f)
	m.Outputs = f.Texts("outputs")
	m.ReactionLength = f.Scalar("reaction_length")
	m.Steady = f.Text("start") == SteadyStart
	solver := f.Sub("solver")
	m.Solver = Solver{solver.Text("method"), solver.Scalar("step").Value, solver.Text("jacobian"),
		solver.Text("multipliers"),
		solver.Text("assemble"),
		solver.Scalar("constraint_tolerance").Value}
	m.StopTime = f.Sub("experiment").Scalar("stop_time").Value
	r.readTrees(r.Root.Field("tree"))
	r.readQuantities(r.Root.Field("quantities"))
	if r.wrongBindings() {
		return // each would be reported once more by every key that uses it
	}
	r.readComponents(r.Root.Field("component"))
	r.askForReactions(f.Texts(keys.ReactionsKey))
	m.Roles = roles.Read(r.Root.Field("roles"), &r.Faults)
	m.Tabulated = len(r.document.Tabulated) > 0
	m.Origins, m.Exports = r.document.origins, r.document.exports
}

// wrongBindings notes formulas that uses give for parameters of subsystems, and reports whether there are any.
func (r *reader) wrongBindings() bool {
	before := r.Len()
	for _, b := range r.document.bindings {
		r.Scalar(b.Value, b.Path, &keys.Key{Name: b.Path, Unit: b.Unit})
	}
	return r.Len() > before
}

func (r *reader) readGravity(f *keys.Fields) {
	zero, m, n := keys.Zero(), r.model, f.Node("gravity")
	switch {
	case n == nil:
		m.Gravity = keys.Vector{zero, zero, {Value: -9.81, Text: "-9.81"}}
	case n.Kind == document.List:
		m.Gravity = f.Vector("gravity")
	default:
		g := f.Scalar("gravity")
		if g.Value < 0 {
			r.At(n, "gravity is %s; a single number g stands for [0, 0, -g] and must not be negative: write %s, or 0 "+
				"for none", n, g.Negated().Text)
		}
		m.Gravity = keys.Vector{zero, zero, g.Negated()}
	}
}

// ParameterKeys are the keys of a parameter that is a number.
var ParameterKeys = []keys.Key{
	{Name: "value", Text: "start value"},
	{Name: "unit", Shape: keys.TextShape, Optional: true,
		Text: "unit of the value; not needed where the value has one, as in \"0.7 m\""},
	{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"},
}

// ChoiceKeys are the keys of a parameter that is one of several texts.
var ChoiceKeys = []keys.Key{
	{Name: "choices", Shape: keys.TextsShape, Text: "what it can be"},
	{Name: "value", Shape: keys.TextShape, Optional: true,
		Text: "what it is at the start; default: the first of the choices"},
	{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"},
}

func (r *reader) readParameters(n *document.Node) {
	for _, v := range r.document.vectors {
		r.Parameters[v.Name] = math.NaN() // no component may have the name
	}
	if n == nil {
		return
	}
	if n.Kind != document.Table {
		r.At(n, "parameters is %s; it must be a table", n)
		return
	}
	for _, name := range n.Keys {
		at := n.Field(name)
		r.CheckIdentifier(at, "parameter", name)
		if slices.Contains(keys.Reserved, name) {
			r.At(at, "parameter %s has a name of the engine's own; reserved are %s", name,
				strings.Join(keys.Reserved, ", "))
		}
		if !grouped(at) {
			r.readParameter(at, name)
			continue
		}
		for _, own := range at.Keys {
			r.CheckIdentifier(at.Field(own), "parameter", own)
			r.readParameter(at.Field(own), name+"."+own)
		}
		r.Parameters[name] = math.NaN() // no component may have the name
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
	r.Parameters[name] = math.NaN() // until its value is read
	path := "parameter " + keys.Printable(name)
	if at.Kind != document.Table {
		r.At(at, "%s is %s; it must be a table: write %s.value = %s", path, at, name, at)
		return
	}
	p := Parameter{Name: name, Pos: r.Position(at)}
	if at.Field("choices") != nil {
		r.readChoice(r.Fields(at, path, ChoiceKeys), p)
		return
	}
	f := r.Fields(at, path, ParameterKeys)
	p.Text = f.Text("text")
	r.readValue(f, &p)
	if p.Unit == "" {
		return
	}
	r.model.Parameters = append(r.model.Parameters, p)
	r.Parameters[name] = p.Value.Value
}

// readValue reads number and unit of a parameter: a number in the unit that stands beside it, or with its own.
func (r *reader) readValue(f *keys.Fields, p *Parameter) {
	v, named := f.Table.Field("value"), f.Node("unit")
	u, si, known := f.AnyUnit("unit")
	if v == nil || named != nil && !known {
		return
	}
	if v.Kind == document.Text {
		number, is, err := unit.ParseNumber(v.Text)
		switch {
		case is && named == nil:
			if u, err = unit.Parse(number.Unit); err == nil {
				si, known = u.Base(number.Unit), true
			}
		case is:
			_, err = unit.Fit(number.Unit, si)
		case err == nil:
			r.At(v, "%s.value is %s; it must be a number, or one with a unit such as \"5 mm\"; formulas stand in components",
				f.Path, v)
			return
		}
		if err != nil {
			r.At(v, "%s.value is %s: %v", f.Path, v, err)
			return
		}
	} else if v.Kind != document.Number {
		r.At(v, "%s.value is %s; it must be a number", f.Path, v)
		return
	}
	if !known {
		r.At(f.Table, "%s lacks its unit; write unit = \"m\", \"N/mm\" or another, \"1\" for a pure number, or a value such "+
			"as \"5 mm\"", f.Path)
		return
	}
	p.Value, p.Unit = f.ScalarIn("value", si), si
	if v.Kind == document.Number && u.SI != "" {
		p.Value.Value, p.Value.Unit = u.Of(p.Value.Value), f.Text("unit")
		p.Value.Text = strconv.FormatFloat(p.Value.Value, 'g', -1, 64)
	}
	r.Measure(p.Name, u.Exponents)
}

// readChoice reads a parameter that is one of several texts.
func (r *reader) readChoice(f *keys.Fields, p Parameter) {
	p.Unit, p.Text, p.Choices = "1", f.Text("text"), f.Texts("choices")
	if len(p.Choices) == 0 {
		r.At(f.Table.Field("choices"), "%s.choices is empty; it needs at least one text", f.Path)
		return
	}
	value := f.Text("value")
	if value == "" {
		value = p.Choices[0]
	}
	i := slices.Index(p.Choices, value)
	if i < 0 {
		r.At(f.Table.Field("value"), "%s.value is %q; choices are %q", f.Path, value, p.Choices)
		return
	}
	p.Value = keys.Scalar{Value: float64(i), Text: strconv.Itoa(i), Pos: p.Pos}
	r.model.Parameters = append(r.model.Parameters, p)
	r.Parameters[p.Name] = p.Value.Value
	r.Measure(p.Name, unit.Exponents{})
}

// QuantityKeys are the keys of a quantity.
var QuantityKeys = []keys.Key{
	{Name: "value", Shape: keys.TextShape, Text: "formula over published variables, inputs and parameters"},
	{Name: "unit", Shape: keys.TextShape,
		Text: "unit; the formula is in SI, and importers show the quantity in the unit"},
	{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"},
}

func (r *reader) readQuantities(n *document.Node) {
	if n == nil {
		return
	}
	if n.Kind != document.Table {
		r.At(n, "quantities is %s; it must be a table", n)
		return
	}
	for _, name := range n.Keys {
		at := n.Field(name)
		path := "quantity " + keys.Printable(name)
		component, own, dotted := strings.Cut(name, ".")
		if !keys.IsIdentifier(component) || dotted && !keys.IsIdentifier(own) ||
			slices.Contains(keys.Reserved, component) {
			r.At(at, "%s: a quantity is called like a variable, NAME or COMPONENT.NAME, both of letters, digits and "+
				"_, and not %s", path, strings.Join(keys.Reserved, ", "))
		}
		f := r.Fields(at, path, QuantityKeys)
		q := Quantity{Name: name, Text: f.Text("text"), Formula: f.Text("value"), Pos: r.Position(at)}
		if f.Table == nil || q.Formula == "" {
			continue
		}
		var u unit.Unit
		if u, q.Unit, _ = f.AnyUnit("unit"); u.SI != "" {
			q.Display = f.Text("unit")
		}
		value := f.Table.Field("value")
		q.Pos = r.Position(value)
		if err := keys.CheckFormula(q.Formula, func(string) bool { return true }); err != nil {
			r.At(value, "%s.value: %v", path, err)
		}
		r.model.Quantities = append(r.model.Quantities, q)
	}
}

func (r *reader) readTrees(n *document.Node) {
	m := r.model
	if n == nil {
		stabilised := r.Fields(nil, "tree.baumgarte", baumgarteKeys)
		m.Trees = []Tree{{
			Name: "default", Selection: graph.Selection{Pos: r.Position(r.Root)},
			BaumgarteAlpha: stabilised.Scalar("alpha"), BaumgarteBeta: stabilised.Scalar("beta"),
			Formulation: Formulations[0],
		}}
		return
	}
	if n.Kind != document.List || len(n.Items) == 0 {
		r.At(n, "tree is %s; trees are written as [[tree]]", n)
		return
	}
	for _, item := range n.Items {
		f := r.Fields(item, "tree", treeKeys)
		b := f.Sub("baumgarte")
		t := Tree{
			Name: f.Text("name"),
			Selection: graph.Selection{
				Prefer: f.Texts("prefer"), Forbid: f.Texts("forbid"),
				Translation: f.Texts("translation"), Rotation: f.Texts("rotation"),
				Scalar: [3][]string{f.Texts("electrical"), f.Texts("hydraulic"), f.Texts("thermal")},
				Pos:    r.Position(item),
			},
			BaumgarteAlpha: b.Scalar("alpha"), BaumgarteBeta: b.Scalar("beta"), Formulation: f.Text("formulation"),
		}
		if slices.ContainsFunc(m.Trees, func(o Tree) bool { return o.Name == t.Name }) {
			r.At(item, "there are two trees %q; every tree needs its own name", t.Name)
		}
		m.Trees = append(m.Trees, t)
	}
}

// followDrivers sets the defaults of stabilisation for constraints that follow given motions.
func (r *reader) followDrivers() {
	driven := slices.ContainsFunc(r.scope.Graph().Edges, func(e graph.Edge) bool {
		m := e.Space.Motion
		return m != nil && m.Prescribed && m.Lead == nil && m.Acceleration != "" // a road has none
	})
	if !driven {
		return
	}
	follow := func(s *keys.Scalar, given bool) {
		if !given {
			s.Value, s.Text = drivenBaumgarte, strconv.Itoa(drivenBaumgarte)
		}
	}
	list := r.Root.Field("tree")
	for i := range r.model.Trees {
		t := &r.model.Trees[i]
		var own *document.Node
		if list != nil {
			own = fieldOf(list.Items[i], "baumgarte")
		}
		follow(&t.BaumgarteAlpha, fieldOf(own, "alpha") != nil)
		follow(&t.BaumgarteBeta, fieldOf(own, "beta") != nil)
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
	for i := range component.Types {
		words = append(words, component.Types[i].Word)
	}
	for _, name := range n.Keys {
		at := n.Field(name)
		r.CheckIdentifier(at, "component", name)
		if slices.Contains(keys.Reserved, name) {
			r.At(at, "component %s has a name of the engine's own; reserved are %s", name,
				strings.Join(keys.Reserved, ", "))
		}
		if _, taken := r.Parameters[name]; taken {
			r.At(at, "component %s has the name of a parameter; rename one of them, because variables of both would "+
				"begin alike", name)
		}
		name = keys.Printable(name)
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
			r.At(word, "component %s has the unknown type %s%s types are %q", name, word, keys.HintOrSemicolon(hint),
				words)
			continue
		}
		t := &component.Types[i]
		typeKey := keys.Key{Name: "type", Shape: keys.TextShape, Text: "component type"}
		textKey := keys.Key{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"}
		all := append([]keys.Key{typeKey, textKey}, t.Keys...)
		f := r.Fields(at, "component "+name, all)
		f.Path = name
		h := keys.Header{Name: name, Type: t.Word, Text: f.Text("text"), Pos: r.Position(at)}
		if slices.ContainsFunc(t.Keys, func(k keys.Key) bool { return k.Name == keys.ReactionsKey }) {
			h.Reactions = readReactions(f)
		}
		if slices.ContainsFunc(t.Keys, func(k keys.Key) bool { return k.Name == keys.HeatKey && k.Shape == keys.NodeShape }) {
			h.Heat = f.Text(keys.HeatKey)
		}
		r.model.Components = append(r.model.Components, t.Read(h, f))
	}
}
