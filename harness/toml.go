package harness

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// position is a place in a file, counted from 1.
type position struct{ line, column int }

// document is a TOML file under examination: it knows where every key stands
// and gathers what is wrong with the file.
type document struct {
	file   string
	places map[string]position // by path: "input[0].signal.time[3]"
	faults []fault
}

// fault is one thing wrong with a file.
type fault struct {
	at   position
	text string
}

// table is one table of a document. Reading a key marks it as known.
type table struct {
	doc    *document
	path   string
	values map[string]any
	known  map[string]bool
}

// parseDocument reads the TOML of a file.
func parseDocument(file string, data []byte) (*document, *table, error) {
	var values map[string]any
	if err := toml.Unmarshal(data, &values); err != nil {
		if syntax, is := errors.AsType[*toml.DecodeError](err); is {
			line, column := syntax.Position()
			return nil, nil, fmt.Errorf("%s:%d:%d: %w", file, line, column, err)
		}
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	doc := &document{file: file, places: places(data)}
	return doc, &table{doc, "", values, map[string]bool{}}, nil
}

// err returns all faults found, in the order of the file.
func (d *document) err() error {
	slices.SortStableFunc(d.faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.at.line, b.at.line), cmp.Compare(a.at.column, b.at.column))
	})
	var all []error
	for _, f := range d.faults {
		all = append(all, fmt.Errorf("%s:%d:%d: %s", d.file, f.at.line, f.at.column, f.text))
	}
	return errors.Join(all...)
}

// fault notes what is wrong at path, or at the nearest place above it.
func (d *document) fault(path, format string, arguments ...any) {
	at := position{1, 1}
	for ; path != ""; path = parent(path) {
		if place, known := d.places[path]; known {
			at = place
			break
		}
	}
	d.faults = append(d.faults, fault{at, fmt.Sprintf(format, arguments...)})
}

// key returns the path and the value of a key.
func (t *table) key(name string) (path string, value any, given bool) {
	t.known[name] = true
	value, given = t.values[name]
	return join(t.path, name), value, given
}

// text reads a key that must be a text and not empty.
func (t *table) text(name string) string {
	path, value, given := t.key(name)
	text, is := value.(string)
	switch {
	case !given:
		t.doc.fault(t.path, "key %q is missing; it is a text", name)
	case !is || text == "":
		t.doc.fault(path, "%q is %v; it must be a text that is not empty", name, value)
	}
	return text
}

// number reads a key that must be a finite number.
func (t *table) number(name string) float64 {
	path, value, given := t.key(name)
	if !given {
		t.doc.fault(t.path, "key %q is missing; it is a number", name)
		return 0
	}
	return t.doc.number(path, name, value)
}

// positive reads a key that must be a finite number above zero.
func (t *table) positive(name string) float64 {
	before := len(t.doc.faults)
	x := t.number(name)
	if x <= 0 && len(t.doc.faults) == before {
		t.doc.fault(join(t.path, name), "%q is %g; it must be above 0", name, x)
	}
	return x
}

// number reads one value that must be a finite number.
func (d *document) number(path, name string, value any) float64 {
	switch x := value.(type) {
	case int64:
		return float64(x)
	case float64:
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x
		}
	}
	d.fault(path, "%q holds %v; it must be a finite number", name, value)
	return 0
}

// list reads a key that must be a list with at least one element.
func (t *table) list(name, of string) []any {
	path, value, given := t.key(name)
	list, is := value.([]any)
	switch {
	case !given:
		t.doc.fault(t.path, "key %q is missing; it is a list of %s", name, of)
	case !is || len(list) == 0:
		t.doc.fault(path, "%q is %v; it must be a list of %s with at least one element", name, value, of)
		return nil
	}
	return list
}

// texts reads a key that must be a list of texts.
func (t *table) texts(name string) []string {
	var texts []string
	for i, element := range t.list(name, "texts") {
		text, is := element.(string)
		if !is || text == "" {
			t.doc.fault(index(join(t.path, name), i), "%q holds %v; it must hold texts that are not empty", name, element)
		}
		texts = append(texts, text)
	}
	return texts
}

// numbers reads a key that must be a list of finite numbers.
func (t *table) numbers(name string) []float64 {
	var numbers []float64
	for i, element := range t.list(name, "numbers") {
		numbers = append(numbers, t.doc.number(index(join(t.path, name), i), name, element))
	}
	return numbers
}

// table reads a key that must be a table; nil when it is missing or is none.
func (t *table) table(name string) *table {
	path, value, given := t.key(name)
	values, is := value.(map[string]any)
	switch {
	case !given:
		return nil
	case !is:
		t.doc.fault(path, "%q is %v; it must be a table", name, value)
		return nil
	}
	return &table{t.doc, path, values, map[string]bool{}}
}

// tables reads a key that must be a list of tables, written as [[name]].
func (t *table) tables(name string) []*table {
	path, value, _ := t.key(name)
	list, is := value.([]any)
	if !is || len(list) == 0 {
		t.doc.fault(path, "at least one table [[%s]] is needed", name)
		return nil
	}
	var tables []*table
	for i, element := range list {
		values, is := element.(map[string]any)
		if !is {
			t.doc.fault(index(path, i), "%q holds %v; it must hold tables, written as [[%s]]", name, element, name)
			continue
		}
		tables = append(tables, &table{t.doc, index(path, i), values, map[string]bool{}})
	}
	return tables
}

// refuseUnknown notes every key that nobody has read.
func (t *table) refuseUnknown() {
	allowed := slices.Sorted(maps.Keys(t.known))
	for _, name := range slices.Sorted(maps.Keys(t.values)) {
		if !t.known[name] {
			t.doc.fault(join(t.path, name), "unknown key %q; allowed here are %q", name, allowed)
		}
	}
}

// Paths: keys are joined by an unlikely byte, because a quoted key may hold any
// character; elements of lists are written [i].

func join(path, key string) string    { return path + "\x00" + key }
func index(path string, i int) string { return fmt.Sprintf("%s\x00[%d]", path, i) }
func parent(path string) string       { return path[:strings.LastIndexByte(path, 0)] }

// places finds where every key and every element of a valid TOML text stands.
func places(data []byte) map[string]position {
	p := &placer{found: map[string]position{}, counts: map[string]int{}}
	p.parser.Reset(data)
	prefix := ""
	for p.parser.NextExpression() {
		switch e := p.parser.Expression(); e.Kind {
		case unstable.Table:
			prefix = p.keys("", e.Key(), false)
		case unstable.ArrayTable:
			prefix = p.keys("", e.Key(), true)
		case unstable.KeyValue:
			p.keyValue(prefix, e)
		}
	}
	return p.found
}

// placer gathers places; counts holds how many tables [[path]] were seen.
type placer struct {
	parser unstable.Parser
	found  map[string]position
	counts map[string]int
}

// keys notes a dotted key below prefix and returns its path. With element the
// last key opens a further table of a list.
func (p *placer) keys(prefix string, keys unstable.Iterator, element bool) string {
	for keys.Next() {
		prefix = join(prefix, string(keys.Node().Data))
		p.note(prefix, keys.Node())
		if element && keys.IsLast() {
			p.counts[prefix]++
		}
		if n := p.counts[prefix]; n > 0 {
			prefix = index(prefix, n-1)
			p.note(prefix, keys.Node())
		}
	}
	return prefix
}

func (p *placer) keyValue(prefix string, node *unstable.Node) {
	p.value(p.keys(prefix, node.Key(), false), node.Value())
}

func (p *placer) value(path string, node *unstable.Node) {
	children := node.Children()
	switch node.Kind {
	case unstable.Array:
		for i := 0; children.Next(); i++ {
			p.note(index(path, i), children.Node())
			p.value(index(path, i), children.Node())
		}
	case unstable.InlineTable:
		for children.Next() {
			p.keyValue(path, children.Node())
		}
	}
}

// note keeps the first place of a path.
func (p *placer) note(path string, node *unstable.Node) {
	if _, known := p.found[path]; known || node.Raw.Length == 0 {
		return
	}
	start := p.parser.Shape(node.Raw).Start
	p.found[path] = position{start.Line, start.Column}
}
