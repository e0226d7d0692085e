package cosim

import "slices"

// notes is an instance as the rules that warn see it.
type notes struct{ *Instance }

// atStart are the warnings about the state at the start.
func (in notes) atStart() []notice {
	loads := in.loads()
	if loads == nil {
		loads = in.nominal()
	}
	return slices.Concat(loads, in.sizes(), in.motion(), in.speeds(), in.undetermined())
}
