package measured

import (
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Names maps the names of a file.
type Names struct {
	columns map[string]string // by headers or their titles: keys, with - before keys of the other sign
	tests   map[string]string
}

// ReadNames reads a TOML file with the tables [names] of columns and [tests]: names in the tables = names in kc.csv. A
// minus before the name of a column turns its sign round.
func ReadNames(path string) (*Names, error) {
	text, err := bounded.Measured.Read(path)
	if err != nil {
		return nil, err
	}
	root, err := document.Parse(text, path)
	if err != nil {
		return nil, err
	}
	n := &Names{columns: map[string]string{}, tests: map[string]string{}}
	faults := document.Faults{File: path}
	var tests []string
	for _, t := range testNames {
		tests = append(tests, t.name)
	}
	for _, key := range root.Keys {
		of := root.Fields[key]
		to, allowed := n.columns, known
		switch {
		case key != "names" && key != "tests":
			faults.At(of, "key %s is unknown; the file has the tables [names] and [tests]", key)
			continue
		case of.Kind != document.Table:
			faults.At(of, "%s: it must be a table, such as \"Toe L\" = \"toe_left\"", key)
			continue
		case key == "tests":
			to, allowed = n.tests, tests
		}
		for _, name := range of.Keys {
			value := of.Fields[name]
			plain := value.Text
			if key == "names" {
				plain = strings.TrimPrefix(plain, "-")
			}
			if value.Kind != document.Text || !slices.Contains(allowed, plain) {
				faults.At(value, "%s: it must be one of %s", name, strings.Join(allowed, ", "))
				continue
			}
			to[name] = value.Text
		}
	}
	return n, faults.Err()
}

// column finds the key and the sign of a column. The title is the header without the unit.
func (n *Names) column(header, title string) (key string, sign float64) {
	for _, name := range []string{header, title} {
		if key, has := n.columns[name]; has {
			if plain, minus := strings.CutPrefix(key, "-"); minus {
				return plain, -1
			}
			return key, 1
		}
	}
	return title, 1
}

// test is the name of a test.
func (n *Names) test(name string) string {
	if key, has := n.tests[name]; has {
		return key
	}
	return name
}
