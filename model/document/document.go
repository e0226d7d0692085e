// Package document reads TOML files into trees whose nodes know their place, so
// that a reader of a file can name line and column of every error in it.
//
//	bytes -> Parse -> Node (table, list, string, number, Boolean)
//	Node  -> Faults: what is wrong, gathered and sorted by place
//
// Keys keep the order of the file. The package does not know the meaning of the files.
package document

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds.
const (
	Table Kind = iota
	List
	Text
	Number
	Truth
	Other // dates and times
)

// String returns the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"a table", "a list", "a text", "a number", "true or false", "a date or time"}[k]
}

// Node is one value of a document.
type Node struct {
	Kind         Kind
	File         string  // as it was named to Parse
	Line, Column int     // where it stands, counted from 1; of tables, where their key does
	Text         string  // Text: the text; Number and Truth: as written
	Number       float64 // Number only
	Items        []*Node // List
	Keys         []string
	Fields       map[string]*Node // Table
	Origin       *Origin          // nil where the file was not used by another as a subsystem
}

// Field returns the value of a key, nil when there is none, also of no node.
func (n *Node) Field(key string) *Node {
	if n == nil {
		return nil
	}
	return n.Fields[key]
}

// Place is where a fault of a key stands: at its value, or at the table that has none.
func (n *Node) Place(key string) *Node { return cmp.Or(n.Fields[key], n) }

// Without is a table without a key.
func (n *Node) Without(key string) *Node {
	m := *n
	m.Keys = slices.DeleteFunc(slices.Clone(n.Keys), func(k string) bool { return k == key })
	m.Fields = maps.Clone(n.Fields)
	delete(m.Fields, key)
	return &m
}

// String describes the node for messages.
func (n *Node) String() string {
	switch n.Kind {
	case Text:
		return strconv.Quote(n.Text)
	case Number, Truth:
		return n.Text
	case List:
		return fmt.Sprintf("a list of %d", len(n.Items))
	}
	return n.Kind.String()
}

// Parse reads a document; name is the file's name for messages.
func Parse(data []byte, name string) (*Node, error) {
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return nil, fmt.Errorf("%s is a zip archive, such as an FMU; the file must be TOML", name)
	}
	if err := checkSize(data, name); err != nil {
		return nil, err
	}
	var decoded map[string]any
	if _, err := decode(data, name, &decoded); err != nil {
		return nil, err
	}
	s := &scanner{data: data, line: 1, file: name, faults: Faults{File: name}, inline: map[*Node]bool{}}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) { // the mark of UTF-8 is no text
		s.at, s.begins = 3, 3
	}
	root := s.document(decoded)
	if err := s.faults.Err(); err != nil {
		return nil, err
	}
	return root, nil
}

func (n *Node) put(key string, child *Node) {
	if _, known := n.Fields[key]; !known {
		n.Keys = append(n.Keys, key)
	}
	n.Fields[key] = child
}

// number reads a TOML number; the parser has checked its form.
func number(text string) float64 {
	plain := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return float64(i)
	}
	if strings.HasSuffix(plain, "nan") { // TOML allows a sign before it, Go does not
		return math.NaN()
	}
	x, _ := strconv.ParseFloat(plain, 64)
	return x
}

// Merge returns a table with the keys of both: values of over replace values of base, except for tables in both, which
// are merged in the same way. Keys of base come first; the table stands where over does. Neither is changed.
func Merge(base, over *Node) *Node {
	merged := *over
	merged.Keys, merged.Fields = slices.Clone(base.Keys), maps.Clone(base.Fields)
	for _, key := range over.Keys {
		child := over.Field(key)
		if of := base.Field(key); of != nil && of.Kind == Table && child.Kind == Table {
			child = Merge(of, child)
		}
		merged.put(key, child)
	}
	return &merged
}

// Fault is one thing wrong with a file.
type Fault struct {
	File         string
	Line, Column int
	Problem      string
	Origins      []*Origin // of the instances with the error; none for errors outside subsystems
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s%s", f.File, f.Line, f.Column, f.Problem, usedBy(f.Origins))
}

// Faults gathers the errors of a file, and of the files that it refers to.
type Faults struct {
	File string
	list []*Fault
}

// Add notes a fault at a place of the file.
func (f *Faults) Add(line, column int, format string, args ...any) {
	f.At(&Node{File: f.File, Line: line, Column: column}, format, args...)
}

// At records an error at a node, in the file of the node; a nil node means the beginning of the file. Characters of the
// file that would break the line of the message, or move the cursor of a terminal, are written as escapes.
func (f *Faults) At(n *Node, format string, args ...any) {
	if n == nil {
		n = &Node{File: f.File, Line: 1, Column: 1}
	}
	x := &Fault{File: n.File, Line: n.Line, Column: n.Column, Problem: inLine(fmt.Sprintf(format, args...))}
	if n.Origin != nil {
		x.Origins = []*Origin{n.Origin}
	}
	f.list = append(f.list, x)
}

// inLine writes the characters of a text that are not graphic as Go and TOML escape them: \n, \u001b.
func inLine(text string) string {
	notGraphic := func(r rune) bool { return !unicode.IsGraphic(r) }
	if strings.IndexFunc(text, notGraphic) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if notGraphic(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Include adds the faults of an error that another gathered.
func (f *Faults) Include(err error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			f.Include(e)
		}
		return
	}
	fault := (*Fault)(nil)
	if errors.As(err, &fault) {
		f.list = append(f.list, fault)
	} else if err != nil {
		f.Add(1, 1, "%v", err)
	}
}

// Len returns how many faults there are.
func (f *Faults) Len() int { return len(f.list) }

// Err returns all faults by file and place, one per line; nil for none.
func (f *Faults) Err() error {
	slices.SortStableFunc(f.list, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var all []error
	for _, x := range mergeInstances(f.list) {
		all = append(all, x)
	}
	return errors.Join(all...)
}

// Nearest returns the allowed word closest to a wrong one, "" when none is close. Of USE.NAME it is NAME_USE, the name
// that a component or a parameter of a subsystem has in the model.
func Nearest(word string, allowed []string) string {
	if use, rest, found := strings.Cut(word, "."); found {
		name, quantity, _ := strings.Cut(rest, ".")
		flat := name + "_" + use
		if quantity != "" {
			flat += "." + quantity
		}
		if slices.Contains(allowed, flat) {
			return flat
		}
	}
	best, distance := "", 1+len(word)/2
	for _, a := range allowed {
		if d := edits(strings.ToLower(word), strings.ToLower(a)); d < distance {
			best, distance = a, d
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
