package trace

import (
	"cmp"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// ParquetSchema is the schema of a table with a column for each name, in this order.
func ParquetSchema(name string, columns []string, leaf func(column string) parquet.Node) *parquet.Schema {
	group := parquet.Group{}
	place := map[string]int{}
	for i, column := range slices.Backward(columns) { // of one name, the first place
		group[column], place[column] = leaf(column), i
	}
	return parquet.NewSchema(name, orderedGroup{group, place})
}

// orderedGroup is a group whose fields are in the order of their places; the library sorts those of its own by name.
type orderedGroup struct {
	parquet.Group
	place map[string]int
}

// Fields lists the columns.
func (g orderedGroup) Fields() []parquet.Field {
	return slices.SortedFunc(slices.Values(g.Group.Fields()),
		func(a, b parquet.Field) int { return cmp.Compare(g.place[a.Name()], g.place[b.Name()]) })
}
