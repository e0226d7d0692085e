package recording

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"skidpad/harness/workbench/results/trace"
)

// parquetFile has a column for the time, and behind it one for each signal. The metadata of the file hold the facts of
// the run: each fact by its name, and "signals", a JSON object with unit, text and role of each signal by name. Readers
// of Apache Arrow find unit, text and role in the metadata of each column, too.
var parquetFile = format{ending: ".parquet", text: "Parquet, columns with metadata", single: true,
	write: writeParquet, rows: newParquetRows}

// signalsFact is the name of the metadata with all channels.
const signalsFact = "signals"

// described is a channel in the metadata, which have it by its name.
type described struct {
	Unit string `json:"unit"`
	Text string `json:"text"`
	Role string `json:"role,omitempty"`
}

// rowsAtOnce are handed to the library together; mostOfAGroup bounds the numbers of a group of rows, which is kept
// until it is written: 16 MB.
const (
	rowsAtOnce   = 1024
	mostOfAGroup = 1 << 21
)

// parquetRows writes groups of rows, and what is known of the run behind them.
type parquetRows struct {
	*parquet.GenericWriter[any]
	rows     []parquet.Row
	used     int   // of rows
	columnOf []int // by signal: its column; behind them that of the time
	group    int   // rows of a group
	written  int   // of the present group
	single   bool
	fields   []arrowField
	signals  string
	metadata [][2]string // facts
}

func writeParquet(to io.Writer, r *Recording) error { return begins(newParquetRows).writeAll(to, r) }

func newParquetRows(to io.Writer, r *Recording) (rowWriter, error) {
	about, names := map[string]described{"time": {"s", "time", ""}}, []string{"time"}
	for _, c := range r.Channels {
		about[c.Name], names = described{c.Unit, c.Text, c.Role}, append(names, c.Name)
	}
	text, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	level := zstd.SpeedDefault
	if r.Single { // as in folders of manoeuvres, which shall be small
		level = zstd.SpeedBestCompression
	}
	// The bytes of numbers side by side: the first ones of neighbours are alike.
	schema := trace.ParquetSchema("recording", names, func(column string) parquet.Node {
		if r.Single && column != "time" {
			return parquet.Encoded(parquet.Leaf(parquet.FloatType), &parquet.ByteStreamSplit)
		}
		return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.ByteStreamSplit)
	})
	columns := schema.Columns()
	w := &parquetRows{
		GenericWriter: parquet.NewGenericWriter[any](to, schema, parquet.Compression(&zstd.Codec{Level: level})),
		rows:          make([]parquet.Row, rowsAtOnce), columnOf: make([]int, len(r.Channels)+1), single: r.Single,
		signals: string(text),
		group:   max(1, mostOfAGroup/len(columns)/rowsAtOnce) * rowsAtOnce,
	}
	at := map[string]int{}
	for k, path := range columns {
		at[path[0]] = k
		d := about[path[0]]
		f := arrowField{path[0], r.Single && path[0] != "time", [][2]string{{"unit", d.Unit}, {"text", d.Text}}}
		if d.Role != "" {
			f.metadata = append(f.metadata, [2]string{"role", d.Role})
		}
		w.fields = append(w.fields, f)
	}
	for i := range r.Channels {
		w.columnOf[i] = at[r.Channels[i].Name]
	}
	w.columnOf[len(r.Channels)] = at["time"]
	for i := range w.rows {
		w.rows[i] = make(parquet.Row, len(columns))
	}
	return w, nil
}

func (w *parquetRows) row(time float64, values []float64) error {
	row := w.rows[w.used]
	for i, x := range values {
		k := w.columnOf[i]
		if row[k] = parquet.DoubleValue(x).Level(0, 0, k); w.single {
			row[k] = parquet.FloatValue(float32(x)).Level(0, 0, k)
		}
	}
	k := w.columnOf[len(values)]
	row[k] = parquet.DoubleValue(time).Level(0, 0, k)
	if w.used++; w.used < len(w.rows) {
		return nil
	}
	return w.flush()
}

// flush hands rows to the library, which writes them when their group is full.
func (w *parquetRows) flush() error {
	n := w.used
	w.used = 0
	if _, err := w.WriteRows(w.rows[:n]); err != nil {
		return err
	}
	if w.written += n; w.written < w.group {
		return nil
	}
	w.written = 0
	return w.Flush()
}

func (w *parquetRows) end(facts []Fact) error {
	if err := w.flush(); err != nil {
		return err
	}
	for _, f := range facts {
		w.metadata = append(w.metadata, [2]string{f.Name, f.Text})
	}
	w.SetKeyValueMetadata(signalsFact, w.signals)
	for _, m := range w.metadata {
		w.SetKeyValueMetadata(m[0], m[1])
	}
	w.SetKeyValueMetadata(arrowSchema, arrowSchemaOf(w.fields, w.metadata))
	return w.Close()
}

// arrowSchema is the key of a Parquet file for the Arrow schema, which gives columns their own metadata. Other readers
// ignore it.
const arrowSchema = "ARROW:schema"

// arrowField is a column of numbers.
type arrowField struct {
	name     string
	single   bool
	metadata [][2]string // keys and values
}

// Of the schema of Apache Arrow, format version 1.5 (Schema.fbs, Message.fbs): places of fields in their tables, and
// values of enumerations.
const (
	messageVersion, messageHeaderType, messageHeader, messageFields = 0, 1, 2, 5
	schemaColumns, schemaMetadata, schemaFields                     = 1, 2, 4
	fieldName, fieldType, fieldTypeTable, fieldChildren             = 0, 2, 3, 5
	fieldMetadata, fieldFields                                      = 6, 7
	version5, schemaHeader, floatingPoint                           = 4, 1, 3
	singlePrecision, doublePrecision                                = 1, 2
)

// arrowSchemaOf is a message with a schema, in base64, as the value of arrowSchema is. Arrow readers know only the
// metadata of this schema: the facts, and units, texts and roles of the columns.
func arrowSchemaOf(fields []arrowField, metadata [][2]string) string {
	b := flatbuffers.NewBuilder(0)
	list := func(items []flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		b.StartVector(flatbuffers.SizeUOffsetT, len(items), flatbuffers.SizeUOffsetT)
		for i := len(items) - 1; i >= 0; i-- {
			b.PrependUOffsetT(items[i])
		}
		return b.EndVector(len(items))
	}
	made := map[[2]string]flatbuffers.UOffsetT{} // wheels have the same units and texts: each stands in the file once
	pairs := func(metadata [][2]string) flatbuffers.UOffsetT {
		var all []flatbuffers.UOffsetT
		for _, m := range metadata {
			if made[m] == 0 {
				key, value := b.CreateSharedString(m[0]), b.CreateString(m[1])
				b.StartObject(len(m))
				b.PrependUOffsetTSlot(0, key, 0)
				b.PrependUOffsetTSlot(1, value, 0)
				made[m] = b.EndObject()
			}
			all = append(all, made[m])
		}
		return list(all)
	}
	ofPrecision := func(precision int16) flatbuffers.UOffsetT {
		b.StartObject(1)
		b.PrependInt16Slot(0, precision, 0)
		return b.EndObject()
	}
	double, single, children := ofPrecision(doublePrecision), ofPrecision(singlePrecision), list(nil)
	var columns []flatbuffers.UOffsetT
	for _, f := range fields {
		name, metadata, number := b.CreateString(f.name), pairs(f.metadata), double
		if f.single {
			number = single
		}
		b.StartObject(fieldFields)
		b.PrependUOffsetTSlot(fieldName, name, 0)
		b.PrependByteSlot(fieldType, floatingPoint, 0)
		b.PrependUOffsetTSlot(fieldTypeTable, number, 0)
		b.PrependUOffsetTSlot(fieldChildren, children, 0)
		b.PrependUOffsetTSlot(fieldMetadata, metadata, 0)
		columns = append(columns, b.EndObject())
	}
	all, known := list(columns), pairs(metadata)
	b.StartObject(schemaFields)
	b.PrependUOffsetTSlot(schemaColumns, all, 0)
	b.PrependUOffsetTSlot(schemaMetadata, known, 0)
	schema := b.EndObject()
	b.StartObject(messageFields)
	b.PrependInt16Slot(messageVersion, version5, 0)
	b.PrependByteSlot(messageHeaderType, schemaHeader, 0)
	b.PrependUOffsetTSlot(messageHeader, schema, 0)
	b.Finish(b.EndObject())

	message := b.FinishedBytes()
	padding := (8 - len(message)%8) % 8
	out := binary.LittleEndian.AppendUint32(nil, 0xFFFFFFFF)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(message)+padding))
	out = append(append(out, message...), make([]byte, padding)...)
	return base64.StdEncoding.EncodeToString(out)
}
