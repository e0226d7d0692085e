package trim

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"skidpad/model/document"
)

// edit replaces bytes of a text.
type edit struct {
	from, to int
	text     string
}

// editor changes the text of a model file. What is not changed keeps every byte.
type editor struct {
	data  []byte
	begin []int // of the lines
	root  *document.Node
	edits []edit
	tail  strings.Builder // at the end of the file
}

// Rewrite is the text of a model file with changed start values. Values of the file itself are replaced in place.
// Values from bases and subsystems, and missing values, are added to the component's table, or as a table at the end.
func Rewrite(data []byte, name string, changes []Change) ([]byte, error) {
	root, err := document.Parse(data, name)
	if err != nil {
		return nil, err
	}
	e := &editor{data: data, root: root, begin: []int{0}}
	for i, b := range data {
		if b == '\n' {
			e.begin = append(e.begin, i+1)
		}
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		e.begin[0] = 3
	}
	inserts, last := map[*document.Node][]string{}, ""
	var into []*document.Node
	for i := range changes {
		c := &changes[i]
		path := append([]string{"component", c.component}, c.path...)
		n, rest := e.deepest(path)
		switch {
		case len(rest) == 0:
			e.replace(n, c)
		case len(path)-len(rest) < 2 && !e.inline(n): // there is no table of the component
			if c.component != last {
				fmt.Fprintf(&e.tail, "\n[component.%s]\n", c.component)
				last = c.component
			}
			fmt.Fprintf(&e.tail, "%s = %s\n", strings.Join(rest[len(rest)-len(c.path):], "."), c.value())
		default:
			if inserts[n] == nil {
				into = append(into, n)
			}
			inserts[n] = append(inserts[n], strings.Join(rest, ".")+" = "+c.value())
		}
	}
	for _, n := range into {
		e.insert(n, inserts[n])
	}
	return e.text(), nil
}

// deepest is the last node on a path that the file itself has, and what of the path leads on.
func (e *editor) deepest(path []string) (*document.Node, []string) {
	n := e.root
	for len(path) > 0 && n.Kind == document.Table && n.Field(path[0]) != nil {
		n, path = n.Field(path[0]), path[1:]
	}
	return n, path
}

func (e *editor) at(n *document.Node) int { return e.begin[n.Line-1] + n.Column - 1 }

// inline reports whether a table is written in braces.
func (e *editor) inline(n *document.Node) bool {
	return n != e.root && e.at(n) < len(e.data) && e.data[e.at(n)] == '{'
}

// replace changes numbers where they stand.
func (e *editor) replace(n *document.Node, c *Change) {
	items := n.Items
	if !c.list {
		items = []*document.Node{n}
	}
	for i, item := range items {
		if !c.differs(i) {
			continue
		}
		from := e.at(item)
		to := from + len(item.Text)
		if item.Kind == document.Text {
			to = from + 1 + bytes.IndexByte(e.data[from+1:], e.data[from]) + 1
		}
		e.edits = append(e.edits, edit{from, to, c.number(i)})
	}
}

// insert adds keys to a table.
func (e *editor) insert(n *document.Node, lines []string) {
	at := e.at(n)
	if e.inline(n) {
		end, empty := e.closing(at)
		text := strings.Join(lines, ", ")
		if !empty {
			text = ", " + text
		} else {
			text = " " + text + " "
		}
		e.edits = append(e.edits, edit{end, end, text})
		return
	}
	start := e.begin[n.Line-1]
	before := string(e.data[start:at])
	if heading := strings.TrimSpace(before); strings.HasPrefix(heading, "[") {
		end := bytes.IndexByte(e.data[at:], ']')
		if strings.Contains(string(e.data[at:at+end]), ".") { // the heading belongs to a nested table
			e.tailOf(n, lines)
			return
		}
		next := len(e.data)
		if n.Line < len(e.begin) {
			next = e.begin[n.Line]
		} else {
			lines[0] = "\n" + lines[0]
		}
		e.edits = append(e.edits, edit{next, next, strings.Join(lines, "\n") + "\n"})
		return
	}
	name := e.data[at:]
	name = name[:bytes.IndexAny(name, ".= \t")]
	for i, line := range lines {
		lines[i] = before + string(name) + "." + line
	}
	e.edits = append(e.edits, edit{start, start, strings.Join(lines, "\n") + "\n"})
}

// tailOf adds keys of a component at the end of the file: TOML allows a heading for a table that only has tables.
func (e *editor) tailOf(n *document.Node, lines []string) {
	for name, of := range e.root.Field("component").Fields {
		if of == n {
			fmt.Fprintf(&e.tail, "\n[component.%s]\n%s\n", name, strings.Join(lines, "\n"))
		}
	}
}

// closing is the place behind the last value of an inline table, before its brace, and whether the table is empty.
func (e *editor) closing(at int) (end int, empty bool) {
	depth, quote, last := 0, byte(0), at
	for i := at; i < len(e.data); i++ {
		b := e.data[i]
		switch {
		case quote != 0:
			if b == '\\' && quote == '"' {
				i++
			} else if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == '#':
			i += bytes.IndexByte(append(e.data[i:len(e.data):len(e.data)], '\n'), '\n')
			continue
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			if depth--; depth == 0 {
				return last + 1, last == at
			}
		}
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			last = i
		}
	}
	return len(e.data), false
}

// text is the changed one.
func (e *editor) text() []byte {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, x := range e.edits {
		out = append(append(out, e.data[at:x.from]...), x.text...)
		at = x.to
	}
	out = append(out, e.data[at:]...)
	if e.tail.Len() > 0 {
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, e.tail.String()...)
	}
	return out
}
