package linear

// AtStart linearises at the start, which must be a steady motion.
func (l *Model) AtStart() *System {
	copy(l.u, l.start)
	l.machine.SetParameters(l.parameters)
	l.machine.Start(l.u, l.x)
	return l.lineariseAtState()
}

// Again is the model as formulated, without later settings.
func (l *Model) Again() (*Model, error) { return of(l.source, l.tree, l.program) }
