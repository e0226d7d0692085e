package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Facts of a table stand in JSON and in Parquet; CSV is names and numbers alone.
func TestTablesKeepTheirFacts(t *testing.T) {
	table := &Table{Columns: []string{"b", "a"}, Rows: [][]float64{{1, 2}},
		Facts: map[string]string{"constants": "delta=0.5, from --let"}}
	var b bytes.Buffer
	if err := table.WriteParquet(&b); err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if columns := fmt.Sprint(file.Schema().Columns()); columns != "[[b] [a]]" {
		t.Errorf("the columns are %s, want those of the table in their order", columns)
	}
	if text, has := file.Lookup("constants"); !has || text != "delta=0.5, from --let" {
		t.Errorf("the metadata say %q", text)
	}
	if b.Reset(); table.WriteJSON(&b) != nil {
		t.Fatal("no JSON")
	}
	var read Table
	if err := json.Unmarshal(b.Bytes(), &read); err != nil || read.Facts["constants"] != "delta=0.5, from --let" {
		t.Errorf("%v: %s", err, b.Bytes())
	}
	if b.Reset(); table.WriteCSV(&b) != nil || b.String() != "b,a\n1,2\n" {
		t.Errorf("CSV is %q", b.String())
	}
}
