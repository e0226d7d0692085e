package cosim

// refresh evaluates the outputs if anything has changed since they were.
func (in *Instance) refresh() error {
	if in.fresh {
		return nil
	}
	in.rates(in.since, in.x, in.dx)
	in.machine.Outputs(in.y)
	if err := in.tires.fault(); err != nil {
		return err
	}
	in.fresh, in.ledger.current = true, false
	return nil
}

// inputsAt continues the inputs over dt [s] from the time of their values: linearly at their rates. Prescribed
// motions continue by position + rate dt + acceleration dt^2/2 and rate + acceleration dt. The rate of a rate counts
// as acceleration, too.
func (in *Instance) inputsAt(dt float64) {
	if dt == 0 {
		copy(in.continued, in.u)
		return
	}
	n := len(in.continued)
	to, u, rate := in.continued, in.u[:n], in.rate[:n]
	for i := range to {
		to[i] = u[i] + dt*rate[i]
	}
	for _, m := range in.sys.program.Motions {
		rate, acceleration := in.u[m.Rate], 0.0
		if m.Acceleration >= 0 {
			acceleration = in.u[m.Acceleration]
		}
		in.continued[m.Position] += dt * (rate + dt/2*(acceleration+in.rate[m.Rate]))
		in.continued[m.Rate] += dt * acceleration
	}
}

// timeAfter is a time after the inputs were set [s].
func (in *Instance) timeAfter(since float64) float64 {
	if s := &in.pendingStep; s.active {
		return s.inputTime + since
	}
	return in.t + since
}

// arrange brings everything that the equations refer to a time after the inputs were set, and to a state.
func (in *Instance) arrange(since float64, x []float64) {
	in.inputsAt(since)
	t := in.timeAfter(since)
	in.updateLocalPlanes(t, x)
	in.sendPoses(t, x)
	in.tires.setStates(x)
}

// rates evaluates the derivatives at a time after the inputs were set. Time itself is in no equation, so results do not
// depend on how an importer counts it.
func (in *Instance) rates(since float64, x, dx []float64) {
	in.arrange(since, x)
	n := len(in.sys.program.States)
	in.machine.Derivatives(in.t, x[:n], in.continued, dx[:n])
	in.tires.rates(dx)
	if in.ledger.works > 0 {
		in.machine.Returned(in.ledger.returned)
		in.ledger.powers(x, dx)
	}
}

// linearise prepares solutions of (I - c J) k = b with a matrix J without the states of tire functions: the solvers
// concerned keep their order with any matrix. It writes the k for the rates b.
func (in *Instance) linearise(since float64, x, k []float64, c float64) {
	in.arrange(since, x)
	n := len(in.sys.program.States)
	in.linearisation.At(x[:n], in.continued, c, k[:n])
	in.tires.rates(k)
	if in.ledger.works > 0 {
		in.linearisation.Returned(in.ledger.returned)
		in.ledger.powers(x, k)
	}
}
