package document

import (
	"bytes"
	"strings"

	"github.com/BurntSushi/toml"
)

// scanner finds the places of all keys and values of a document that the library has already read, and which is
// therefore valid TOML.
type scanner struct {
	data   []byte
	at     int
	line   int
	begins int // of the line, in data
	file   string
	faults Faults
	// inline holds the tables that are written in braces, which nothing may extend.
	inline map[*Node]bool
}

// position is where the next byte stands.
func (s *scanner) position() (line, column int) { return s.line, s.at - s.begins + 1 }

// skip moves to an index of data, over lines.
func (s *scanner) skip(to int) {
	for {
		end := bytes.IndexByte(s.data[s.at:to], '\n')
		if end < 0 {
			s.at = to
			return
		}
		s.at += end + 1
		s.line, s.begins = s.line+1, s.at
	}
}

// blank skips white space and, where lines may end, ends of lines and comments.
func (s *scanner) blank(lines bool) {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == ' ' || c == '\t':
			s.at++
		case lines && (c == '\n' || c == '\r'):
			s.skip(s.at + 1)
		case lines && c == '#':
			s.skip(indexFrom(s.data, s.at, '\n'))
		default:
			return
		}
	}
}

// next returns the next byte behind white space, 0 at the end.
func (s *scanner) next(lines bool) byte {
	if s.blank(lines); s.at == len(s.data) {
		return 0
	}
	return s.data[s.at]
}

func (s *scanner) newTable(line, column int) *Node {
	return &Node{Kind: Table, File: s.file, Line: line, Column: column, Fields: map[string]*Node{}}
}

// document reads all tables; decoded is the library's result.
func (s *scanner) document(decoded map[string]any) *Node {
	root := s.newTable(1, 1)
	table, values := root, decoded
	for {
		switch s.next(true) {
		case 0:
			return root
		case '[':
			s.at++
			list := s.data[s.at] == '['
			if list {
				s.at++
			}
			table, values = s.table(root, decoded, list)
			s.skip(s.at + bytes.IndexByte(s.data[s.at:], ']') + 1)
			if list {
				s.at++
			}
		default:
			s.keyValue(table, values)
		}
	}
}

// part is one name of a dotted key.
type part struct {
	name         string
	line, column int
}

// key reads a dotted key.
func (s *scanner) key() (parts []part) {
	for {
		c := s.next(false)
		p := part{}
		p.line, p.column = s.position()
		from := s.at
		if c == '"' || c == '\'' {
			s.at = stringEnd(s.data, s.at) + 1
			p.name = unquoted(string(s.data[from:s.at]))
		} else {
			for s.at < len(s.data) && !strings.ContainsRune(" \t.=]", rune(s.data[s.at])) {
				s.at++
			}
			p.name = string(s.data[from:s.at])
		}
		parts = append(parts, p)
		if s.next(false) != '.' {
			return parts
		}
		s.at++
	}
}

// unquoted returns the name in a quoted key.
func unquoted(key string) string {
	if key[0] == '\'' || !strings.Contains(key, `\`) {
		return key[1 : len(key)-1]
	}
	var named map[string]int
	if _, err := toml.Decode(key+" = 0", &named); err != nil {
		panic("document: a key that has been read before: " + err.Error())
	}
	for name := range named {
		return name
	}
	return ""
}

// table reads the key of a heading and walks down to its table; the heading of a list adds a further table.
func (s *scanner) table(n *Node, values map[string]any, list bool) (*Node, map[string]any) {
	parts := s.key()
	for i, p := range parts {
		child := n.Fields[p.name]
		last := list && i == len(parts)-1
		switch {
		case child == nil && last:
			child = &Node{Kind: List, File: s.file, Line: p.line, Column: p.column}
			n.put(p.name, child)
		case child == nil:
			child = s.newTable(p.line, p.column)
			n.put(p.name, child)
		case s.inline[child]:
			s.extended(p)
		}
		if last {
			child.Items = append(child.Items, s.newTable(p.line, p.column))
		}
		of, found := values[p.name].([]map[string]any)
		at := len(child.Items) - 1
		switch {
		case child.Kind == List && found && 0 <= at && at < len(of):
			n, values = child.Items[at], of[at]
		case child.Kind == Table:
			n = child
			values, _ = values[p.name].(map[string]any)
		default: // the library takes a list of tables for one that is given as a value
			s.twice(p)
			return s.newTable(p.line, p.column), nil
		}
	}
	return n, values
}

func (s *scanner) twice(p part) {
	s.faults.Add(p.line, p.column, "not valid TOML: %s is given twice", p.name)
}

func (s *scanner) extended(p part) {
	s.faults.Add(p.line, p.column, "not valid TOML: %s is written in braces above, and nothing can be added to it here",
		p.name)
}

// keyValue reads a key with its value into a table; values is the same table as the library read it.
func (s *scanner) keyValue(n *Node, values map[string]any) {
	parts := s.key()
	last := parts[len(parts)-1]
	for _, p := range parts[:len(parts)-1] {
		child := n.Fields[p.name]
		switch {
		case child == nil:
			child = s.newTable(p.line, p.column)
			n.put(p.name, child)
		case s.inline[child]:
			s.extended(p)
		case child.Kind != Table:
			s.twice(p)
			child = s.newTable(p.line, p.column)
		}
		n = child
		values, _ = values[p.name].(map[string]any)
	}
	if n.Fields[last.name] != nil {
		s.twice(last)
	}
	s.next(false)
	s.at++ // =
	s.next(false)
	n.put(last.name, s.value(values[last.name], last.line, last.column))
}

// value reads a value. The position of a list is the position of its key, or of its bracket in a list; every other
// value has its own position.
func (s *scanner) value(read any, line, column int) *Node {
	n := &Node{File: s.file, Line: line, Column: column}
	switch c := s.data[s.at]; c {
	case '[':
		n.Kind = List
		s.at++
		for s.next(true) != ']' {
			l, c := s.position()
			n.Items = append(n.Items, s.value(item(read, len(n.Items)), l, c))
			if s.next(true) == ',' {
				s.at++
			}
		}
		s.at++
	case '{':
		n.Kind, n.Fields = Table, map[string]*Node{}
		n.Line, n.Column = s.position()
		values, _ := read.(map[string]any)
		s.at++
		for s.next(true) != '}' {
			s.keyValue(n, values)
			if s.next(true) == ',' {
				s.at++
			}
		}
		s.at++
		s.inline[n] = true
	default:
		n.Line, n.Column = s.position()
		s.scalar(n, read)
	}
	return n
}

// item returns an element of the library's result for a list.
func item(list any, i int) any {
	switch list := list.(type) {
	case []any:
		return list[i]
	case []map[string]any:
		return list[i]
	}
	return nil
}

// scalar reads a text as the library has, and everything else as it is written.
func (s *scanner) scalar(n *Node, read any) {
	if text, is := read.(string); is {
		n.Kind, n.Text = Text, text
		s.skip(stringEnd(s.data, s.at) + 1)
		return
	}
	from := s.at
	for s.at < len(s.data) && !strings.ContainsRune(",]}#\r\n", rune(s.data[s.at])) {
		s.at++
	}
	n.Text = strings.TrimRight(string(s.data[from:s.at]), " \t")
	switch read.(type) {
	case int64, float64:
		n.Kind, n.Number = Number, number(n.Text)
	case bool:
		n.Kind = Truth
	default:
		n.Kind = Other
	}
}

// decode reads a document by the library and returns its content, and its keys; the error names the place.
func decode(data []byte, name string, to any) (toml.MetaData, error) {
	faults := Faults{File: name}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		faults.Add(1, 1, "not valid TOML: the file is UTF-16; save it as UTF-8")
		return toml.MetaData{}, faults.Err()
	}
	known, err := toml.Decode(string(data), to)
	if err == nil {
		return known, nil
	}
	line, column, problem := 1, 1, err.Error()
	if syntax, is := err.(toml.ParseError); is {
		line, column, problem = syntax.Position.Line, max(syntax.Position.Col, 1), syntax.Message
	}
	faults.Add(line, column, "not valid TOML: %s", strings.TrimPrefix(problem, "toml: "))
	return known, faults.Err()
}
