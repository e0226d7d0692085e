package lanes

import (
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// startSlots is the number of slots for the start of carcasses, after the results: longitudinal and lateral delayed
// slips, then the resulting states.
const startSlots = 4

// CarcassStart returns code that converts delayed slips at the start of a carcass to states, as tire.Carcass.Start
// does. The carcass is a function of BatchCarcasses. The code reads the arguments of the latest evaluation from a
// memory of the group; slips and states are indices in this memory.
func CarcassStart(f tire.Function) (block *machinecode.Block, memory []float64, slips, states [2]int) {
	member := f.(*batched)
	b := member.group
	for i := range slips {
		slips[i] = (b.first+b.results+i)*b.lanes + member.index%b.lanes
		states[i] = slips[i] + 2*b.lanes
	}
	return b.start, b.memory[member.index/b.lanes], slips, states
}

// start returns the operations of CarcassStart.
func (o *carcassOperations) start() (*machinecode.Builder, error) {
	c := o.build()
	c.deflect()
	b, slot := c.b, o.arguments()+o.fields()+o.results()
	held := c.value(o.holds, c.lawIn)
	touches := b.Less(b.Const(tire.CarcassLifted), c.in[0]) // the load
	var states []machinecode.Value
	for i, q := range b.Loads(slot, 2) {
		p := startEnergy(b, held[tire.CarcassHoldsStiffness+i], held[tire.CarcassHoldsLength+i], q)
		states = append(states, b.Select(touches, p, b.Const(0)))
	}
	store(b, slot+2, states)
	return b, nil
}

// startEnergy returns the state of a delayed slip q. It is corrected by a few units in the last place if the law then
// returns exactly q.
func startEnergy(b *machinecode.Builder, stiffness, length, q machinecode.Value) machinecode.Value {
	root := b.Sqrt(b.Div(stiffness, length))
	p := b.Mul(b.Sqrt(b.Mul(stiffness, length)), q)
	near := []machinecode.Value{p} // from the best candidate on
	above, below := p, p
	for range 3 {
		above, below = neighbour(b, above, b.Add), neighbour(b, below, b.Sub)
		near = append(near, above, below)
	}
	found := p
	for i := len(near) - 1; i >= 0; i-- {
		back := b.Div(b.Div(near[i], root), length)
		found = b.Select(b.Or(b.Less(back, q), b.Less(q, back)), found, near[i])
	}
	return found
}

// neighbour returns the next number above x, by Add, or below x, by Sub, for numbers that are not tiny (Rump,
// Zimmermann, Boldo and Melquiond 2009: Computing predecessor and successor in rounding to nearest, algorithm 2).
func neighbour(b *machinecode.Builder, x machinecode.Value,
	to func(x, y machinecode.Value) machinecode.Value) machinecode.Value {
	const unit = 0x1p-53 // of rounding
	return to(x, b.Mul(b.Abs(x), b.Const(unit*(1+2*unit))))
}
