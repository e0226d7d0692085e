package roles

import (
	"encoding/json"
	"strings"

	"skidpad/model/document"
)

// File is the name of the roles in an FMU.
const File = "extra/skidpad/roles.toml"

// Text writes a table as the TOML table of that name, its values inline.
func Text(name string, n *Node) string {
	var b strings.Builder
	b.WriteString("[" + name + "]\n")
	for _, key := range n.Keys {
		writeKey(&b, key)
		b.WriteString(" = ")
		writeValue(&b, n.Field(key))
		b.WriteString("\n")
	}
	return b.String()
}

// quoted writes a text: strings of JSON are valid strings of TOML.
func quoted(text string) string {
	q, _ := json.Marshal(text) // a text always can be written
	return strings.ReplaceAll(string(q), "\x7f", `\u007f`)
}

func writeKey(b *strings.Builder, key string) {
	if key != "" && !strings.ContainsFunc(key, func(c rune) bool { return !identifierRune(c) }) {
		b.WriteString(key)
	} else {
		b.WriteString(quoted(key))
	}
}

func writeValue(b *strings.Builder, n *Node) {
	switch n.Kind {
	case document.Text:
		b.WriteString(quoted(n.Text))
	case document.List:
		b.WriteString("[")
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, item)
		}
		b.WriteString("]")
	case document.Table:
		b.WriteString("{")
		for i, key := range n.Keys {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(" ")
			writeKey(b, key)
			b.WriteString(" = ")
			writeValue(b, n.Field(key))
		}
		b.WriteString(" }")
	default:
		b.WriteString(n.Text)
	}
}
