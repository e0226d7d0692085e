package linear

// AtStart linearises at the start, which must be a steady motion.
func (l *Model) AtStart() *System {
	copy(l.u, l.start)
	l.machine.SetParameters(l.parameters)
	l.begin(l.x)
	s, err := l.lineariseAtState()
	if err != nil {
		panic(err)
	}
	return s
}

// Again is the model as formulated, without later settings.
func (l *Model) Again() (*Model, error) { return of(l.source, l.tree, l.program) }
