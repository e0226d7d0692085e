// Package anypb has the declarations of google.golang.org/protobuf that the command needs; see protoreflect.
package anypb

import "google.golang.org/protobuf/reflect/protoreflect"

type Any struct{}

func (*Any) ProtoReflect() protoreflect.Message               { return nil }
func (*Any) GetTypeUrl() string                               { return "" }
func (*Any) GetValue() []byte                                 { return nil }
func (*Any) UnmarshalNew() (protoreflect.ProtoMessage, error) { return nil, nil }
