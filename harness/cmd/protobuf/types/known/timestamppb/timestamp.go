// Package timestamppb has the declarations of google.golang.org/protobuf that the command needs; see protoreflect.
package timestamppb

import "time"

type Timestamp struct{}

func (*Timestamp) AsTime() time.Time { return time.Time{} }
