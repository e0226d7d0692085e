// Package protoreflect stands for the package of this name in google.golang.org/protobuf, in the command alone. The
// library for Parquet files can write messages of Protocol Buffers, and the command has none. The declarations that
// this library needs make the command 1.4 MB smaller than the packages themselves. No value of these types is made.
package protoreflect

type ProtoMessage interface{ ProtoReflect() Message }

type Message interface {
	Descriptor() MessageDescriptor
	Has(FieldDescriptor) bool
	Get(FieldDescriptor) Value
	Interface() ProtoMessage
}

type MessageDescriptor interface{ Fields() FieldDescriptors }

type FieldDescriptors interface{ ByName(Name) FieldDescriptor }

type FieldDescriptor interface{ Kind() Kind }

type Name string

type Kind int8

const MessageKind Kind = 11

type Value struct{}

func (Value) Message() Message { return nil }
func (Value) Interface() any   { return nil }
func (Value) IsValid() bool    { return false }

type MapKey struct{}

func (MapKey) Interface() any { return nil }
func (MapKey) String() string { return "" }
func (MapKey) Value() Value   { return Value{} }

type List interface {
	Len() int
	Get(int) Value
}

type Map interface {
	Len() int
	Range(func(MapKey, Value) bool)
}
