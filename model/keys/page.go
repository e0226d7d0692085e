package keys

import (
	"fmt"
	"slices"
	"strings"
)

const pageHead = "| key | form | default | meaning |\n| --- | --- | --- | --- |\n"

// Page is the table of keys in a page of the documentation. Keys of tables are below them, with their path; those of
// one of several kinds have a table of their own, KindsPage.
func Page(list []Key) string {
	var b strings.Builder
	b.WriteString(pageHead)
	writeKeys(&b, "", list)
	return b.String()
}

func writeKeys(b *strings.Builder, prefix string, list []Key) {
	for i := range list {
		k := &list[i]
		path := prefix + k.Name
		fmt.Fprintf(b, "| `%s` |%s\n", path, k.cells())
		inner, within := k.inner()
		writeKeys(b, path+within, inner)
	}
}

// inner are the keys of the tables that a key can hold, and the separator of both in a path.
func (k *Key) inner() (list []Key, within string) {
	switch k.Shape {
	case NamedShape:
		list, _ = k.Value.inner()
		return list, ".NAME."
	case ListShape:
		return k.Value.inner()
	case AnyShape:
		for i := range k.Any {
			if list, within = k.Any[i].inner(); list != nil {
				return list, within
			}
		}
	}
	return k.Keys, "."
}

// TopPage is Page without the keys of tables.
func TopPage(list []Key) string {
	var b strings.Builder
	b.WriteString(pageHead)
	for i := range list {
		fmt.Fprintf(&b, "| `%s` |%s\n", list[i].Name, list[i].cells())
	}
	return b.String()
}

// KindsPage is the table of several kinds of one table, with their keys except for those of some names.
func KindsPage(kinds []Kind, except ...string) string {
	var b strings.Builder
	b.WriteString("| `kind` | key | form | default | meaning |\n| --- | --- | --- | --- | --- |\n")
	for _, kind := range kinds {
		fmt.Fprintf(&b, "| `%s` | | | | %s |\n", kind.Word, kind.Text)
		for i := range kind.Keys {
			if k := &kind.Keys[i]; !slices.Contains(except, k.Name) {
				fmt.Fprintf(&b, "| | `%s` |%s\n", k.Name, k.cells())
			}
		}
	}
	return b.String()
}

// cells are the form, the default and the meaning of a key in a table.
func (k *Key) cells() string {
	form, needed := k.Form("`"), "required"
	if bounds := k.Range(); bounds != "" && k.Whole == nil {
		form += ", " + bounds
	}
	switch {
	case k.Default != "":
		needed = "`" + k.Default + "`"
	case k.Optional:
		needed = "optional"
	}
	return fmt.Sprintf(" %s | %s | %s |", form, needed, k.Text)
}
