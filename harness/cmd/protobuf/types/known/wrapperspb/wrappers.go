// Package wrapperspb has the declarations of google.golang.org/protobuf that the command needs; see protoreflect.
package wrapperspb

type BoolValue struct{}

func (*BoolValue) GetValue() (v bool) { return v }

type Int32Value struct{}

func (*Int32Value) GetValue() (v int32) { return v }

type Int64Value struct{}

func (*Int64Value) GetValue() (v int64) { return v }

type UInt32Value struct{}

func (*UInt32Value) GetValue() (v uint32) { return v }

type UInt64Value struct{}

func (*UInt64Value) GetValue() (v uint64) { return v }

type FloatValue struct{}

func (*FloatValue) GetValue() (v float32) { return v }

type DoubleValue struct{}

func (*DoubleValue) GetValue() (v float64) { return v }

type StringValue struct{}

func (*StringValue) GetValue() (v string) { return v }

type BytesValue struct{}

func (*BytesValue) GetValue() (v []byte) { return v }
