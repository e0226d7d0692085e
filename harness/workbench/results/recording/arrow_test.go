package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/parquet-go/parquet-go"
)

// table is one of a FlatBuffer.
type table struct{ flatbuffers.Table }

func (t table) at(field int) flatbuffers.UOffsetT {
	return flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*field)))
}

func (t table) text(field int) string {
	return string(t.ByteVector(t.at(field) + t.Pos))
}

func (t table) number(field int) int16 {
	if t.at(field) == 0 {
		return 0
	}
	return t.GetInt16(t.at(field) + t.Pos)
}

func (t table) sub(field int) table {
	return table{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.at(field) + t.Pos)}}
}

func (t table) list(field int) (items []table) {
	if t.at(field) == 0 { // it is missing
		return nil
	}
	begin := t.Vector(t.at(field))
	for i := range t.VectorLen(t.at(field)) {
		items = append(items, table{flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(begin + flatbuffers.UOffsetT(4*i))}})
	}
	return items
}

func pairsIn(list []table) (pairs [][2]string) {
	for _, p := range list {
		pairs = append(pairs, [2]string{p.text(0), p.text(1)})
	}
	return pairs
}

// The columns of the Arrow schema carry units, texts and roles, in the order and the precision of the file. The schema
// carries all facts, because Arrow readers take its metadata for the metadata of the file.
func TestParquetFilesHaveMetadataOfColumns(t *testing.T) {
	r := recordingOf([]float64{0, 1}, []Fact{{"title", "Zwölf"}, {"set", ""}},
		[]signal{{"b.x", "m", "place", "@chassis.x", []float64{1, 2}}, {"a.v", "m/s", "speed", "", []float64{3, 4}}})
	for _, single := range []bool{false, true} {
		r.Single = single
		var file bytes.Buffer
		if err := writeParquet(&file, r); err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		value, _ := f.Lookup("ARROW:schema")
		data, err := base64.StdEncoding.DecodeString(value)
		if err != nil || len(data) < 8 {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		if begin, size := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:]); begin != 0xFFFFFFFF ||
			int(size) != len(data)-8 || size%8 != 0 {
			t.Errorf("the message begins with %#x and %d of %d bytes", begin, size, len(data))
		}
		data = data[8:]
		message := table{flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}}
		if v := message.number(0); v != 4 { // V5
			t.Errorf("version %d", v)
		}
		if kind := data[message.at(1)+message.Pos]; kind != 1 { // Schema
			t.Errorf("the message is of kind %d", kind)
		}
		schema := message.sub(2)
		facts := [][2]string{{"title", "Zwölf"}, {"set", ""}}
		if got := pairsIn(schema.list(2)); !slices.Equal(got, facts) {
			t.Errorf("metadata %q; want %q", got, facts)
		}
		var order []string
		for _, path := range f.Schema().Columns() {
			order = append(order, path[0])
		}
		want := map[string][][2]string{"time": {{"unit", "s"}, {"text", "time"}},
			"b.x": {{"unit", "m"}, {"text", "place"}, {"role", "@chassis.x"}}, "a.v": {{"unit", "m/s"}, {"text", "speed"}}}
		columns := schema.list(1)
		if len(columns) != len(order) {
			t.Fatalf("%d columns of %v", len(columns), order)
		}
		for i, c := range columns {
			name, precision := c.text(0), int16(2)
			if single && name != "time" {
				precision = 1
			}
			if name != order[i] || data[c.at(2)+c.Pos] != 3 || c.sub(3).number(0) != precision || c.at(5) == 0 ||
				len(c.list(5)) != 0 {
				t.Errorf("column %d is %q of kind %d and precision %d; want %q", i, name, data[c.at(2)+c.Pos],
					c.sub(3).number(0), order[i])
			}
			if got := pairsIn(c.list(6)); !slices.Equal(got, want[name]) {
				t.Errorf("%s has %q; want %q", name, got, want[name])
			}
		}
	}
}
