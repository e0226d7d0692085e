package system

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/shelf"
	"skidpad/model/unit"
	"skidpad/tire"
)

// System is a system of FMUs: components that are made of model files, connections of their
// outputs and inputs, and values of their parameters.
type System struct {
	Name, Title, Source string
	Step                float64 // recommended communication step [s]
	StopTime            float64 // [s]
	Components          []Component
	Connections         []Connection
}

// Component is one FMU of a system.
type Component struct {
	Name, Text string
	Model      string // model file
	Table      *fmu.Table
	Parameters []Parameter
	Outputs    []uint32 // that can be read though nothing is connected to them
}

// Parameter is a value for a parameter, an input or a start value.
type Parameter struct {
	Reference uint32
	Number    float64 // of a Real
	Text      string  // of a String
}

// Connection leads from an output to an input.
type Connection struct{ From, To Port }

// Port is a variable of a component.
type Port struct {
	Component int
	Reference uint32
}

func (s *System) variable(p Port) *fmu.Variable {
	return &s.Components[p.Component].Table.Variables[p.Reference]
}

// Read reads a system file and its models, relative to the system file. allowPlugins accepts parameters that name
// libraries; such libraries run code wherever the package is simulated. The error holds all faults found, one per line,
// each with file:line:column.
func Read(path string, allowPlugins bool) (*System, error) {
	data, err := bounded.System.Read(path)
	if err != nil {
		return nil, fmt.Errorf("system file: %w", err)
	}
	tables := map[string]*fmu.Table{}
	return parse(data, path, allowPlugins, func(model string) (string, *fmu.Table, error) {
		file, err := modelFile(path, model)
		if err != nil {
			return "", nil, err
		}
		if tables[file] == nil {
			s, err := cosim.Load(file, cosim.Options{})
			if err != nil {
				return "", nil, err
			}
			tables[file] = fmu.Describe(s)
		}
		return file, tables[file], nil
	})
}

// modelFile is the path of the model that a system file names: a file from its folder, else the shipped model of that
// name.
func modelFile(system, model string) (string, error) {
	file := bounded.Beside(system, model)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	shipped, err := shelf.Find(model, shelf.Models)
	return cmp.Or(shipped, file), err
}

// reader reads one system file.
type reader struct {
	*keys.Reader
	system   *System
	describe func(model string) (file string, t *fmu.Table, err error)
	fed      map[Port]int // line of the connection that ends at an input
	plugins  bool         // parameters may name libraries
}

func parse(data []byte, file string, allowPlugins bool, describe func(model string) (string, *fmu.Table,
	error)) (*System, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &reader{Reader: keys.NewReader(file, root, nil), system: &System{}, describe: describe, fed: map[Port]int{},
		plugins: allowPlugins}
	r.read(r.Fields(root, "the system file", FileKeys))
	if err := r.Err(); err != nil {
		return nil, err
	}
	return r.system, nil
}

func (r *reader) read(f *keys.Fields) {
	s := r.system
	s.Name, s.Title, s.Source = f.Text("name"), f.Text("title"), f.Text("source")
	if s.Name != "" && !validName.MatchString(s.Name) {
		f.Fault("name", "name is %q; it must be an identifier: a letter, then letters, digits and _", s.Name)
	}
	s.Step, s.StopTime = f.Number("step"), f.Number("stop_time")
	r.components(f)
	for _, c := range f.List("connection") {
		r.connection(c)
	}
	r.outputs(f)
}

// validName is a name of a system or a component.
var validName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

func near(word string, allowed []string) string {
	if nearest := document.Nearest(word, allowed); nearest != "" {
		return fmt.Sprintf("; did you mean %q?", nearest)
	}
	return ""
}

// orSemicolon ends a sentence that a hint may have ended.
func orSemicolon(hint string) string { return cmp.Or(hint, ";") }

// measured is the value of a number, or of a text of a number and its unit, of what is kept in si; NaN where it is
// neither.
func measured(n *document.Node, si string) (float64, error) {
	if n.Kind == document.Number {
		return n.Number, nil
	}
	number, is, err := unit.ParseNumber(n.Text)
	if err != nil || !is {
		return math.NaN(), err
	}
	u, err := unit.Fit(number.Unit, si)
	return u.Of(number.Value), err
}

func (r *reader) components(f *keys.Fields) {
	table := f.Sub("component")
	if len(table.Names()) == 0 {
		f.Fault("component", "there is no component; a system has at least one [component.NAME] with the key \"model\"")
		return
	}
	for i, name := range table.Names() {
		c := Component{Name: name}
		switch {
		case !validName.MatchString(name):
			table.Fault(name, "component %q is not called by an identifier: a letter, then letters, digits and _", name)
		case slices.ContainsFunc(table.Names()[:i], func(other string) bool { return strings.EqualFold(other, name) }):
			table.Fault(name, "component %s differs from another one in capital letters only; give it another name, because "+
				"some systems do not tell their files apart", name)
		default:
			t := r.Fields(table.Node(name), "component "+name, componentKeys)
			c.Text = t.Text("text")
			if model := t.Text("model"); model != "" {
				r.model(t, &c, model)
			}
		}
		r.system.Components = append(r.system.Components, c) // without a table where it is wrong
	}
}

// model describes the model of a component and sets its parameters.
func (r *reader) model(f *keys.Fields, c *Component, model string) {
	file, t, err := r.describe(model)
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			f.Fault("model", "model %s cannot be used: %s", model, line)
		}
		return
	}
	c.Model, c.Table = file, t
	parameters := f.Sub("parameters")
	for _, name := range parameters.Names() {
		if p, ok := r.parameter(c, name, parameters.Node(name)); ok {
			c.Parameters = append(c.Parameters, p)
		}
	}
}

func (r *reader) parameter(c *Component, name string, n *document.Node) (p Parameter, ok bool) {
	reference, known := c.Table.Find(name)
	if !known {
		r.At(n, "%s.parameters names %q, which the model %s does not have%s", c.Name, name, c.Table.Name,
			near(name, names(c.Table, settable)))
		return p, false
	}
	v := &c.Table.Variables[reference]
	x := n.Number
	var wrong error
	if v.Type == fmu.Real {
		x, wrong = measured(n, v.Unit)
	}
	switch {
	case !settable(v):
		r.At(n, "%s.parameters names %q, which is %s; parameters, inputs and start values can be set", c.Name, name,
			article(v.Causality))
	case v.Type == fmu.String && n.Kind != document.Text:
		r.At(n, "%s.parameters: %s is %s; it must be a text", c.Name, name, n)
	case v.Type == fmu.String && tire.NamesLibrary(n.Text) && !r.plugins:
		r.At(n, "%s.parameters: %s = %q names a library, whose code would run wherever the package is simulated; if "+
			"you trust it, pack with --allow-plugins", c.Name, name, n.Text)
	case wrong != nil:
		r.At(n, "%s.parameters: %s is %s: %v", c.Name, name, n, wrong)
	case v.Type == fmu.Real && (math.IsNaN(x) || math.IsInf(x, 0)):
		r.At(n, "%s.parameters: %s is %s; it must be a finite number [%s]", c.Name, name, n, v.Unit)
	case v.Type == fmu.Real && v.AtLeastZero && x < 0:
		r.At(n, "%s.parameters: %s is %s; it must not be negative", c.Name, name, n)
	case v.Type == fmu.Real && v.AtMostOne && x > 1:
		r.At(n, "%s.parameters: %s is %s; it must not be above 1", c.Name, name, n)
	default:
		return Parameter{Reference: reference, Number: x, Text: n.Text}, true
	}
	return p, false
}

// settable tells variables that have a start value.
func settable(v *fmu.Variable) bool { return v.HasStart() && v.Type != fmu.Boolean }

// names lists the variables of a kind.
func names(t *fmu.Table, which func(v *fmu.Variable) bool) []string {
	var list []string
	for i := range t.Variables {
		if which(&t.Variables[i]) {
			list = append(list, t.Variables[i].Name)
		}
	}
	return list
}

func article(c fmu.Causality) string {
	return [...]string{"a parameter", "an input", "an output", "a local variable", "the time"}[c]
}

// connection reads one connection, or several between the same ends with variables.
func (r *reader) connection(f *keys.Fields) {
	from, to := f.Text("from"), f.Text("to")
	if from == "" || to == "" {
		return
	}
	if !f.Given("variables") {
		r.connect(f.Node("from"), from, f.Node("to"), to)
		return
	}
	if pairs := f.Node("variables"); pairs.Kind == document.List && len(pairs.Items) == 0 {
		r.At(pairs, "variables names none; leave it out where from and to are whole names, else list those behind them: "+
			"\"Fz\", or \"Fx -> Fx_input\"")
	}
	for _, pair := range f.Items("variables") {
		if pair.Kind != document.Text {
			r.At(pair, "variables holds %s; it must be a text: \"Fz\", or \"Fx -> Fx_input\"", pair)
			continue
		}
		out, in, differ := strings.Cut(pair.Text, "->")
		if !differ {
			in = out
		}
		r.connect(pair, from+"."+strings.TrimSpace(out), pair, to+"."+strings.TrimSpace(in))
	}
}

func (r *reader) connect(fromAt *document.Node, from string, toAt *document.Node, to string) {
	a, okA := r.port(fromAt, from)
	b, okB := r.port(toAt, to)
	if !okA || !okB {
		return
	}
	x, y := r.system.variable(a), r.system.variable(b)
	line, fed := r.fed[b]
	switch {
	case x.Causality != fmu.Output:
		r.At(fromAt, "a connection begins at %s, which is %s; it must begin at an output", from, article(x.Causality))
	case y.Causality != fmu.Input:
		r.At(toAt, "a connection ends at %s, which is %s; it must end at an input", to, article(y.Causality))
	case x.Type != y.Type:
		r.At(fromAt, "%s is a Boolean, %s a number; both ends of a connection must be of one type", from, to)
	case x.Unit != y.Unit:
		r.At(fromAt, "%s is in %s, %s in %s; both ends of a connection must be in one unit", from, x.Unit, to, y.Unit)
	case fed:
		r.At(toAt, "a connection ends at %s, where that of line %d ends already; an input takes one output", to, line)
	default:
		r.fed[b] = toAt.Line
		r.system.Connections = append(r.system.Connections, Connection{a, b})
	}
}

// port finds COMPONENT.VARIABLE. What belongs to a component that is wrong itself is not reported.
func (r *reader) port(n *document.Node, text string) (p Port, ok bool) {
	component, variable, dotted := strings.Cut(text, ".")
	if !dotted {
		r.At(n, "%q names no variable; it must be COMPONENT.VARIABLE, such as vehicle.body.x", text)
		return p, false
	}
	var components []string
	for i := range r.system.Components {
		c := &r.system.Components[i]
		if c.Name != component {
			components = append(components, c.Name)
			continue
		}
		if c.Table == nil {
			return p, false
		}
		reference, known := c.Table.Find(variable)
		if !known {
			r.At(n, "%q: the model %s has no variable %q%s", text, c.Table.Name, variable,
				near(variable, names(c.Table, func(v *fmu.Variable) bool {
					return v.Causality == fmu.Input || v.Causality == fmu.Output
				})))
		}
		return Port{i, reference}, known
	}
	r.At(n, "%q: there is no component %q%s components are %s", text, component,
		orSemicolon(near(component, components)), strings.Join(components, ", "))
	return p, false
}

// outputs reads what shall be had from outside although nothing is connected to it.
func (r *reader) outputs(f *keys.Fields) {
	seen := map[Port]bool{}
	for _, n := range f.Items("outputs") {
		if n.Kind != document.Text {
			r.At(n, "outputs holds %s; it must be a text such as \"vehicle.body.x\"", n)
			continue
		}
		p, ok := r.port(n, n.Text)
		switch {
		case !ok:
		case r.system.variable(p).Causality != fmu.Output:
			r.At(n, "outputs names %s, which is %s; only outputs can be listed", n.Text,
				article(r.system.variable(p).Causality))
		case seen[p]:
			r.At(n, "outputs names %s twice; name it once", n.Text)
		default:
			seen[p] = true
			c := &r.system.Components[p.Component]
			c.Outputs = append(c.Outputs, p.Reference)
		}
	}
}
