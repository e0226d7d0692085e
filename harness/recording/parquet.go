package recording

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetFile has a column for each signal. What is known of the run is in the metadata of the file: a fact by its
// name, and "signals", a JSON object of unit, text and role by the name of each signal.
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
	options := []parquet.WriterOption{schema, parquet.Compression(&parquet.Zstd),
		parquet.KeyValueMetadata("signals", string(text))}
	for _, f := range r.Facts {
		options = append(options, parquet.KeyValueMetadata(f.Name, f.Text))
	}
	w := parquet.NewGenericWriter[any](to, options...)
	columns := schema.Columns()
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
