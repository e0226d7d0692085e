package vehicle

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/unit"
)

// WithValues is the model as read from its file with other numbers, SI, by the names of parameters. Names are:
// parameters of [parameters]; <component>.<key>, with a part of a table or vector behind "_", as in body.inertia_xx;
// start values of joints. Names without a number in the file change nothing. open reads the files named in the file.
func (m *Model) WithValues(values map[string]float64, open bounded.Files) (*Model, error) {
	other, err := parse(m.data, m.read, open, changes{values: values, reactions: m.reactions})
	if err != nil {
		return nil, err
	}
	other.File = m.File
	return other, nil
}

// withValue is the table of a model file with another value of a parameter.
func withValue(root *document.Node, name string, value float64) *document.Node {
	parameters, components := root.Field("parameters"), root.Field("component")
	if n, found := withParameter(parameters, name, value); found {
		return withField(root, "parameters", n)
	}
	owner, key, _ := strings.Cut(name, ".")
	if n, found := withParameter(fieldOf(parameters, owner), key, value); found {
		return withField(root, "parameters", withField(parameters, owner, n))
	}
	table := fieldOf(components, owner)
	n, found := withNumber(table, key, value)
	if !found {
		start, starts := withNumber(fieldOf(table, "start"), key, value)
		if !starts {
			return root
		}
		n = withField(table, "start", start)
	}
	return withField(root, "component", withField(components, owner, n))
}

// fieldOf is the value of a key of a table; nil if the table or the key is missing.
func fieldOf(n *document.Node, key string) *document.Node {
	if n == nil {
		return nil
	}
	return n.Field(key)
}

// withParameter is a table of parameters with another value of one of them, in SI.
func withParameter(table *document.Node, name string, value float64) (*document.Node, bool) {
	p := fieldOf(table, name)
	given := fieldOf(p, "value")
	if given == nil {
		return nil, false
	}
	written := ""
	if u := p.Field("unit"); u != nil {
		written = u.Text
	} else if number, is, err := unit.ParseNumber(given.Text); is && err == nil {
		written = number.Unit
	} else {
		return nil, false
	}
	u, err := unit.Parse(written)
	if err != nil {
		return nil, false
	}
	base := *given
	base.Kind, base.Text = document.Text, u.Base(written)
	changed := withField(withField(p, "value", numberAt(given, value)), "unit", &base)
	return withField(table, name, changed), true
}

// withNumber is a table or a vector with another value of a number in it, which a path with "_" leads to.
func withNumber(n *document.Node, path string, value float64) (*document.Node, bool) {
	if n == nil {
		return nil, false
	}
	if n.Kind == document.Number || path == "" && n.Kind == document.Table && n.Field("from") != nil { // of a tire's file
		return numberAt(n, value), path == ""
	}
	if _, is, err := unit.ParseNumber(n.Text); n.Kind == document.Text && is && err == nil {
		return numberAt(n, value), path == ""
	}
	if i := slices.Index([]string{"x", "y", "z"}, path); n.Kind == document.List && len(n.Items) == 3 && i >= 0 {
		item, found := withNumber(n.Items[i], "", value)
		changed := *n
		changed.Items = slices.Clone(n.Items)
		changed.Items[i] = item
		return &changed, found
	}
	for _, key := range n.Keys {
		rest, leads := strings.CutPrefix(path, key)
		if !leads || rest != "" && rest[0] != '_' {
			continue
		}
		if field, found := withNumber(n.Field(key), strings.TrimPrefix(rest, "_"), value); found {
			return withField(n, key, field), true
		}
	}
	return nil, false
}

// withField is a table with another value of a key.
func withField(table *document.Node, key string, value *document.Node) *document.Node {
	changed := *table
	changed.Fields = maps.Clone(table.Fields)
	if changed.Fields[key] == nil {
		changed.Keys = append(slices.Clone(table.Keys), key)
	}
	changed.Fields[key] = value
	return &changed
}

// numberAt is a number in the place of another value.
func numberAt(n *document.Node, value float64) *document.Node {
	changed := *n
	changed.Kind, changed.Number, changed.Text = document.Number, value, strconv.FormatFloat(value, 'g', -1, 64)
	return &changed
}
