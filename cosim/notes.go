package cosim

import "slices"

// notes is an instance as seen by the rules that warn.
type notes struct{ *Instance }

// atStart returns the warnings about the state at the start.
func (in notes) atStart() []notice {
	loads := in.loads()
	if loads == nil {
		loads = in.nominal()
	}
	return slices.Concat(loads, in.sizes(), in.motion(), in.speeds(), in.undetermined())
}
