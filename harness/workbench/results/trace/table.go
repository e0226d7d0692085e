package trace

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/workbench/results/output"
)

// Table is the result of a sweep: a row for each combination; the last variation changes fastest.
type Table struct {
	Columns []string
	Rows    [][]float64
	Facts   map[string]string // facts about all rows; CSV files, with only names and numbers, leave them out
}

// WriteCSV writes the table as text.
func (t *Table) WriteCSV(to io.Writer) error {
	w := csv.NewWriter(to)
	if err := w.Write(t.Columns); err != nil {
		return err
	}
	text := make([]string, len(t.Columns))
	for _, row := range t.Rows {
		for i, x := range row {
			text[i] = strconv.FormatFloat(x, 'g', -1, 64)
		}
		if err := w.Write(text); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// WriteJSON writes the table as an object of columns, which are names, rows of numbers, and facts; numbers that are not
// finite are null.
func (t *Table) WriteJSON(to io.Writer) error {
	rows := make([][]*float64, len(t.Rows))
	for i, row := range t.Rows {
		for _, x := range row {
			rows[i] = append(rows[i], output.Number(x))
		}
	}
	return json.NewEncoder(to).Encode(map[string]any{"columns": t.Columns, "rows": rows, "facts": t.Facts})
}

// WriteParquet writes the table as a Parquet file of double columns; its metadata are the facts.
func (t *Table) WriteParquet(to io.Writer) error {
	schema := ParquetSchema("sweep", t.Columns,
		func(string) parquet.Node { return parquet.Leaf(parquet.DoubleType) })
	column := map[string]int{}
	for i, path := range schema.Columns() {
		column[path[0]] = i
	}
	options := []parquet.WriterOption{schema, parquet.Compression(&parquet.Zstd)}
	for _, name := range slices.Sorted(maps.Keys(t.Facts)) {
		options = append(options, parquet.KeyValueMetadata(name, t.Facts[name]))
	}
	w := parquet.NewGenericWriter[any](to, options...)
	for _, row := range t.Rows {
		r := make(parquet.Row, len(row))
		for i, x := range row {
			k := column[t.Columns[i]]
			r[k] = parquet.DoubleValue(x).Level(0, 0, k)
		}
		if _, err := w.WriteRows([]parquet.Row{r}); err != nil {
			return err
		}
	}
	return w.Close()
}

// ParquetSchema is the schema of a table with a column for each name, in this order.
func ParquetSchema(name string, columns []string, leaf func(column string) parquet.Node) *parquet.Schema {
	group := parquet.Group{}
	index := map[string]int{}
	for i, column := range slices.Backward(columns) { // of one name, the first index
		group[column], index[column] = leaf(column), i
	}
	return parquet.NewSchema(name, orderedGroup{group, index})
}

// orderedGroup is a group with fields in the order of index; groups of the library sort by name.
type orderedGroup struct {
	parquet.Group
	index map[string]int
}

// Fields lists the columns.
func (g orderedGroup) Fields() []parquet.Field {
	return slices.SortedFunc(slices.Values(g.Group.Fields()),
		func(a, b parquet.Field) int { return cmp.Compare(g.index[a.Name()], g.index[b.Name()]) })
}
