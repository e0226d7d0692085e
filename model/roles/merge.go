package roles

import (
	"slices"

	"skidpad/model/document"
)

// instead are keys that stand for each other in the table of a role.
var instead = [][2]string{{"input", "inputs"}, {"input", "drivers"}}

// Merge is a table of roles over another one, key by key. An input replaces the inputs or drivers of the other table,
// and vice versa.
func Merge(base, over *Node) *Node {
	merged := document.Merge(base, over)
	for _, key := range over.Keys {
		o, b := over.Field(key), base.Field(key)
		if b == nil || o.Kind != document.Table || b.Kind != document.Table {
			continue
		}
		to := merged.Field(key) // a table of its own
		for _, pair := range instead {
			for i := range pair {
				given, other := pair[i], pair[1-i]
				if o.Field(given) != nil && o.Field(other) == nil && b.Field(other) != nil {
					delete(to.Fields, other)
					to.Keys = slices.DeleteFunc(to.Keys, func(k string) bool { return k == other })
				}
			}
		}
	}
	return merged
}
