package tire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/unit"
	"skidpad/tire/tir"
)

// Parameters is the content of a tire parameter file.
type Parameters struct {
	Function, Title, Source string
	Values                  []float64          // in the order of the function's Kind
	Warnings                []string           // of a property file, each with its place
	Sizes                   map[string]float64 // what a property file says of the wheel, by its keys, in SI units
}

// SizeKeys are the keys of what a property file says of the wheel beside the force function.
var SizeKeys = []string{"UNLOADED_RADIUS", "VERTICAL_STIFFNESS", "VERTICAL_DAMPING", "FNOMIN", "BREFF", "DREFF",
	"FREFF", "WIDTH"}

// ParseFile reads a tire parameter file: a property file (.tir) for the function of its Magic
// Formula version, as ReadFile does, or
//
//	function = "Fiala"
//	title = "..."     # optional
//	source = "..."    # optional
//	[parameters]      # all parameters of the function, by name
//	D2 = 0.16
//
// name stands for the file in messages. The error holds all faults found, one a
// line, each with file:line:column.
func ParseFile(data []byte, name string) (*Parameters, error) {
	return ReadFile(data, name, ReadOptions{})
}

// ReadOptions are the options for reading a parameter file. Sides and versions apply to property files only; other
// files ignore them.
type ReadOptions struct {
	Function  string  // "" for the one that the file is for
	Side      string  // of the vehicle, left or right; "" for the side of the file
	Downgrade bool    // a file of Magic Formula 6.x may be read with the equations of version 5.2
	Combined  string  // what combines slips; "" for the coefficients of the file
	Radius    float64 // unloaded radius [m] of the tire, for property files that do not have it; 0: they must
}

// ReadFile reads a tire parameter file for a use.
func ReadFile(data []byte, name string, u ReadOptions) (p *Parameters, err error) {
	if line, what := tir.Foreign(data); line > 0 {
		return nil, fmt.Errorf("%s:%d:1: %s", name, line, what)
	}
	if isPropertyFile(data, name) {
		p, err = readProperties(data, name, u)
	} else if p, err = parseTOML(data, name); err == nil && u.Function != "" && p.Function != u.Function {
		err = fmt.Errorf("%s holds parameters of %s, not of %s", name, p.Function, u.Function)
	}
	if err != nil {
		return nil, err
	}
	k, err := Lookup(p.Function)
	if err != nil {
		return nil, err
	}
	if problem := k.uncombined(p.Values); problem != "" && u.Combined != CombinedByEllipse {
		p.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf("%s:1:1: %s", name, problem))
	}
	return p, nil
}

func parseTOML(data []byte, name string) (*Parameters, error) {
	root, err := document.Parse(data, name)
	if err != nil {
		return nil, err
	}
	faults := &document.Faults{File: name}
	p := &Parameters{}
	for _, key := range root.Keys {
		n := root.Field(key)
		text := map[string]*string{"function": &p.Function, "title": &p.Title, "source": &p.Source}[key]
		switch {
		case text != nil && n.Kind != document.Text:
			faults.At(n, "%s is %s; it must be a text", key, n)
		case text != nil:
			*text = n.Text
		case key != "parameters":
			faults.At(n, "unknown key %q; allowed are function, title, source, parameters", key)
		}
	}
	function := root.Field("function")
	if function == nil {
		faults.At(root, "the key \"function\" is missing; tire functions are %s", strings.Join(Names(), ", "))
		return nil, faults.Err()
	}
	if function.Kind != document.Text {
		return nil, faults.Err()
	}
	kind, err := LookupForFile(p.Function)
	if err != nil {
		faults.At(function, "%v", err)
		return nil, faults.Err()
	}
	p.Values = kind.read(root.Field("parameters"), root, faults)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// read reads a table of parameters.
func (k *Kind) read(table, root *document.Node, faults *document.Faults) []float64 {
	if table != nil && table.Kind != document.Table {
		faults.At(table, "parameters is %s; it must be a table with the %d parameters of %s", table,
			len(k.Parameters), k.Name)
		return nil
	}
	if table == nil {
		faults.At(root, "the table [parameters] with the %d parameters of %s is missing", len(k.Parameters), k.Name)
		return nil
	}
	values := map[string]float64{}
	for _, name := range table.Keys {
		n := table.Field(name)
		x, err := k.value(name, n)
		if err != nil {
			faults.At(n, "parameter %s is %s%v", name, n, err)
		}
		values[name] = x
	}
	ordered, missing, unknown := k.OrderParameters(values)
	var all []string
	for _, p := range k.Parameters {
		all = append(all, p.Name)
	}
	for _, p := range k.Optional {
		all = append(all, p.Name)
	}
	for _, name := range unknown {
		hint := ""
		if near := document.Nearest(name, all); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		faults.At(table.Field(name), "%s has no parameter %q%s", k.Name, name, hint)
	}
	if len(missing) > 0 {
		faults.At(table, "parameters of %s are missing: %s", k.Name, strings.Join(missing, ", "))
	}
	if faults.Len() > 0 {
		return nil
	}
	if _, err := k.New(ordered); err != nil {
		refused := []error{err}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			refused = several.Unwrap()
		}
		for _, err := range refused {
			node := table
			if p := (*parameterError)(nil); errors.As(err, &p) && table.Field(p.parameter) != nil {
				node = table.Field(p.parameter)
			}
			faults.At(node, "%v", err)
		}
	}
	return ordered
}

// value reads the number of a parameter, which may have a unit.
func (k *Kind) value(name string, n *document.Node) (float64, error) {
	if n.Kind == document.Text {
		number, is, err := unit.ParseNumber(n.Text)
		if is {
			var u unit.Unit
			u, err = unit.Fit(number.Unit, cmp.Or(k.UnitOf(name), number.Unit))
			number.Value = u.Of(number.Value)
		}
		if err != nil {
			return 0, fmt.Errorf(": %w", err)
		}
		if is && !math.IsInf(number.Value, 0) {
			return number.Value, nil
		}
	}
	if n.Kind != document.Number || math.IsNaN(n.Number) || math.IsInf(n.Number, 0) {
		return 0, errors.New("; it must be a finite number, or one with a unit, such as \"55 mm\"")
	}
	return n.Number, nil
}

// UnitOf is the SI unit of a parameter, "" for one that there is not.
func (k *Kind) UnitOf(parameter string) string {
	for _, p := range k.Parameters {
		if p.Name == parameter {
			return p.Unit
		}
	}
	for _, p := range k.Optional {
		if p.Name == parameter {
			return p.Unit
		}
	}
	return ""
}

// WriteTOML writes parameters as a TOML file. Reading it is bit-identical.
func WriteTOML(p *Parameters) ([]byte, error) {
	kind, err := Lookup(p.Function)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "function = %q\n", p.Function)
	for _, text := range [][2]string{{"title", p.Title}, {"source", p.Source}} {
		if text[1] != "" {
			fmt.Fprintf(&b, "%s = %s\n", text[0], basic(text[1]))
		}
	}
	b.WriteString("\n[parameters]\n")
	list := kind.Parameters
	if len(p.Values) > len(list) {
		list = withUse(list, p.Values)
	}
	for i, info := range list {
		fmt.Fprintf(&b, "%s = %s", info.Name, decimal(p.Values[i]))
		if info.Unit != "1" {
			fmt.Fprintf(&b, " # %s", info.Unit)
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}

// basic is a basic string of TOML. Bytes that are no UTF-8 are replaced.
func basic(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "?") {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// decimal is a number of TOML: with a point, or an exponent.
func decimal(x float64) string {
	text := tir.Number(x)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
