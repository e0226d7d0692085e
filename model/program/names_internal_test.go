package program

// Numbers returns the values of a machine, for tests outside of the package.
func Numbers(m Machine) []float64 { return m.(*machine).v }
