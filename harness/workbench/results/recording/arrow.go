package recording

import (
	"encoding/base64"
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"
)

// arrowSchema is the key of a Parquet file under which readers of Apache Arrow look for a schema, in which columns have
// metadata of their own. Other readers ignore it.
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

// arrowSchemaOf is a message with a schema, in base64, as the value of arrowSchema is. Its readers know no other
// metadata of the file than those that it has.
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
	var columns []flatbuffers.UOffsetT
	for _, f := range fields {
		name, metadata, children := b.CreateString(f.name), pairs(f.metadata), list(nil)
		precision := int16(doublePrecision)
		if f.single {
			precision = singlePrecision
		}
		b.StartObject(1)
		b.PrependInt16Slot(0, precision, 0)
		number := b.EndObject()
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
