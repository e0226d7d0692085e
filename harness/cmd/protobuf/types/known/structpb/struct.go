// Package structpb has the declarations of google.golang.org/protobuf that the command needs; see protoreflect.
package structpb

import "google.golang.org/protobuf/reflect/protoreflect"

type Struct struct{ Fields map[string]*Value }

func (*Struct) ProtoReflect() protoreflect.Message { return nil }
func (s *Struct) GetFields() map[string]*Value     { return s.Fields }

type ListValue struct{ Values []*Value }

func (*ListValue) ProtoReflect() protoreflect.Message { return nil }
func (l *ListValue) GetValues() []*Value              { return l.Values }

type Value struct{}

func (*Value) GetKind() any { return nil }

type (
	Value_NullValue   struct{}
	Value_NumberValue struct{ NumberValue float64 }
	Value_StringValue struct{ StringValue string }
	Value_BoolValue   struct{ BoolValue bool }
	Value_StructValue struct{ StructValue *Struct }
	Value_ListValue   struct{ ListValue *ListValue }
)
