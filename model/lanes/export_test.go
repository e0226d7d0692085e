package lanes

import "skidpad/tire"

// Refused runs the machine code of the group of a function and returns the number of failed runs.
func Refused(f tire.Function) (n int) {
	b := f.(*batched).group
	for _, memory := range b.memory {
		if !b.code.Code.Run(memory) {
			n++
		}
	}
	return n
}
