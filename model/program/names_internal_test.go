package program

// Named returns what the slots of a program hold, by names of definitions, for tests outside of the package.
func (p *Program) Named() map[int32]string {
	named := map[int32]string{}
	for slot, n := range p.named {
		named[slot] = n.text
	}
	return named
}

// Numbers returns the values of a machine, for tests outside of the package.
func Numbers(m Machine) []float64 { return m.(*machine).v }
