package recording

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetFile has a column for each signal. What is known of the run is in the metadata of the file: a fact by its
// name, and "signals", a JSON object of unit, text and role by the name of each signal. Readers of Apache Arrow find
// these three in the metadata of each column, too.
var parquetFile = format{ending: ".parquet", text: "Parquet, columns with metadata", single: true, write: writeParquet}

// rowsAtOnce are written together.
const rowsAtOnce = 1024

func writeParquet(to io.Writer, r *Recording) error {
	type described struct {
		Unit string `json:"unit"`
		Text string `json:"text"`
		Role string `json:"role,omitempty"`
	}
	about := map[string]described{"time": {"s", "time", ""}}
	group := parquet.Group{"time": parquet.Leaf(parquet.DoubleType)}
	values := map[string][]float64{"time": r.Time}
	for _, s := range r.Signals {
		group[s.Name] = parquet.Leaf(parquet.DoubleType)
		if r.Single {
			group[s.Name] = parquet.Leaf(parquet.FloatType)
		}
		about[s.Name], values[s.Name] = described{s.Unit, s.Text, s.Role}, s.Values
	}
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	schema := parquet.NewSchema("recording", group)
	options := []parquet.WriterOption{schema, parquet.Compression(&parquet.Zstd)}
	metadata := [][2]string{{"signals", string(text)}}
	for _, f := range r.Facts {
		metadata = append(metadata, [2]string{f.Name, f.Text})
	}
	for _, m := range metadata {
		options = append(options, parquet.KeyValueMetadata(m[0], m[1]))
	}
	columns := schema.Columns()
	var fields []arrowField
	for _, path := range columns {
		d := about[path[0]]
		f := arrowField{path[0], r.Single && path[0] != "time", [][2]string{{"unit", d.Unit}, {"text", d.Text}}}
		if d.Role != "" {
			f.metadata = append(f.metadata, [2]string{"role", d.Role})
		}
		fields = append(fields, f)
	}
	options = append(options, parquet.KeyValueMetadata(arrowSchema, arrowSchemaOf(fields, metadata)))
	w := parquet.NewGenericWriter[any](to, options...)
	for begin := 0; begin < len(r.Time); begin += rowsAtOnce {
		var rows []parquet.Row
		for n := begin; n < min(len(r.Time), begin+rowsAtOnce); n++ {
			row := make(parquet.Row, len(columns))
			for k, path := range columns {
				x := values[path[0]][n]
				if row[k] = parquet.DoubleValue(x).Level(0, 0, k); r.Single && path[0] != "time" {
					row[k] = parquet.FloatValue(float32(x)).Level(0, 0, k)
				}
			}
			rows = append(rows, row)
		}
		if _, err := w.WriteRows(rows); err != nil {
			return err
		}
	}
	return w.Close()
}
