// Package durationpb has the declarations of google.golang.org/protobuf that the command needs; see protoreflect.
package durationpb

import "time"

type Duration struct{}

func (*Duration) AsDuration() time.Duration { return 0 }
