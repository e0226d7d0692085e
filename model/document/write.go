package document

import (
	"fmt"
	"io"
	"strings"
)

// Write writes a document as TOML that reads as the same document. Each table in the table called parts has a heading
// of its own, before which what comment returns stands as a comment; "" is none.
func Write(w io.Writer, root *Node, parts string, comment func(part string) string) error {
	p := &printer{to: w, parts: parts, comment: comment}
	p.table(root)
	return p.err
}

type printer struct {
	to      io.Writer
	parts   string
	comment func(string) string
	err     error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.to, format, args...)
	}
}

// table writes values before tables and lists of tables, which have headings.
func (p *printer) table(root *Node) {
	for _, key := range root.Keys {
		if n := root.Field(key); !hasHeading(n) {
			p.printf("%s = %s\n", quotedKey(key), inline(n))
		}
	}
	for _, key := range root.Keys {
		n := root.Field(key)
		switch {
		case !hasHeading(n):
		case n.Kind == List:
			for _, item := range n.Items {
				p.heading("\n[["+quotedKey(key)+"]]\n", item)
			}
		case key == p.parts && holdsTables(n):
			for _, name := range n.Keys {
				if text := p.comment(name); text != "" {
					p.printf("\n# %s", text)
				}
				p.heading("\n["+quotedKey(key)+"."+quotedKey(name)+"]\n", n.Field(name))
			}
		default:
			p.heading("\n["+quotedKey(key)+"]\n", n)
		}
	}
}

func (p *printer) heading(text string, n *Node) {
	p.printf("%s", text)
	for _, key := range n.Keys {
		p.printf("%s = %s\n", quotedKey(key), inline(n.Field(key)))
	}
}

// hasHeading: tables, and lists of nothing but tables.
func hasHeading(n *Node) bool {
	if n.Kind == List {
		for _, item := range n.Items {
			if item.Kind != Table {
				return false
			}
		}
		return len(n.Items) > 0
	}
	return n.Kind == Table && len(n.Keys) > 0
}

func holdsTables(n *Node) bool {
	for _, key := range n.Keys {
		if n.Field(key).Kind != Table {
			return false
		}
	}
	return true
}

func inline(n *Node) string {
	var list []string
	switch n.Kind {
	case Text:
		return quoted(n.Text)
	case List:
		for _, item := range n.Items {
			list = append(list, inline(item))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case Table:
		for _, key := range n.Keys {
			list = append(list, quotedKey(key)+" = "+inline(n.Field(key)))
		}
		if list == nil {
			return "{}"
		}
		return "{ " + strings.Join(list, ", ") + " }"
	}
	return n.Text
}

// quotedKey is a key, with quotes where it needs them.
func quotedKey(key string) string {
	for _, c := range key {
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return quoted(key)
		}
	}
	if key == "" {
		return `""`
	}
	return key
}

// quoted is a basic string of TOML.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
