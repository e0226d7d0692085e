package linear

// AtStart linearises at the start, which must be a steady motion.
func (l *Model) AtStart() *System {
	copy(l.u, l.start)
	l.machine.SetParameters(l.parameters)
	l.machine.Start(l.u, l.x)
	return l.lineariseAtState()
}
