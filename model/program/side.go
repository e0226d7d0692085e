package program

import "cmp"

// SideKind selects a computation beside the rates.
type SideKind uint8

// The computations.
const (
	// Residuals: the violations of the constraints, then their rates.
	Residuals SideKind = iota
	// Drift: corrections of the rates of the coordinates, in their order, such that the rates of the constraints become
	// the opposite of the given numbers.
	Drift
	// Projection: F (h + H w) for given w, with h the residuals, H their Jacobian by speeds and
	// coordinates, and F = H^T (H H^T)^-1; by speed, then by coordinate.
	Projection
	// Gradients: the derivatives H of the residuals by speeds and coordinates, row by row.
	Gradients
	// Driven: the derivatives of the residuals by inputs, row by row.
	Driven
	// Wheels: the centres of the wheels on uneven roads.
	Wheels
	// Poses: for each tire, in the order of the force functions: the wheel's centre, its heading and the road's normal.
	// Axes are the axes of the road, on uneven roads the axes of the ground.
	Poses
	// Energies: the energies stored in the parts of Ledger and the powers they supply and dissipate, then the powers of
	// each tire. The given numbers are the results of the external calls.
	Energies
	// Redundancy: for each constraint, the partial derivatives of its rate by the speeds, then the contribution of a
	// multiplier of 1 to each of Shared.
	Redundancy
	// Ends: the margins of the end conditions, and of the tables that runs must not leave.
	Ends
	// SlipRates: for each braked tire, the rate with which its slip stops the vehicle at standstill, per unit of slip
	// stiffness [1/(N s)].
	SlipRates
	// Share: the weight divided evenly among the tires of the model [N].
	Share
	// Samples: the next values of all samplers, then the arguments of the functions of samplers. The given numbers are
	// the results of the external calls, if a value depends on them.
	Samples
	// Bounded: the values of the formulas over parameters that have bounds.
	Bounded
	sideKinds
)

// sideProgram is the code of a side.
type sideProgram struct {
	layout   layout
	init     block
	code     block
	given    []int32
	values   []int32
	ledger   []LedgerEntry
	portable Code
	native   Code
	lanes    laneCode
}

func (p *Program) side(kind SideKind) *sideProgram {
	p.jacobians.Lock() // the pool has one user at a time
	defer p.jacobians.Unlock()
	if s := p.sides[kind]; s != nil {
		return s
	}
	source := p.source.Side(kind)
	s := &sideProgram{ledger: source.Ledger}
	c := newCompiler(cmp.Or(source.Of, p.source), 1<<10)
	for _, x := range source.Given {
		s.given = append(s.given, c.layout.size)
		c.slotOf[x] = c.layout.size
		c.layout.size++
	}
	var values []ref
	for _, x := range source.Values {
		values = append(values, c.g.lower(x))
	}
	c.optimise(values, productForm)
	s.values = c.emitter(&s.init).roots(&s.code, values)
	s.layout = c.layOutMemory(&s.init, &s.code)
	c.shift(s.given, s.values)
	shared := sharedAmong([]*block{&s.init, &s.code}, s.values)
	// generated C contains these, also for processors without fused operations
	if kind != Ends && kind != Bounded && kind != Samples {
		fuse(&s.init, shared)
		fuse(&s.code, shared)
	}
	nothing := func([]float64) {}
	s.portable = Code{Init: newTape(&s.init).runner(), Before: newTape(&s.code).runner(), After: nothing}
	var err error
	if s.native, err = nativeCode(&s.init, &s.code, &block{}, &s.layout, shared, s.portable); err != nil {
		s.native = s.portable
	}
	p.sides[kind] = s
	return s
}

// Side evaluates a computation beside the rates for one machine. It is not safe for concurrent
// use.
type Side struct {
	*sideProgram
	code Code
	v    []float64
}

// Side implements Machine.
func (m *machine) Side(kind SideKind) *Side {
	s := m.sides[kind]
	if s == nil {
		p := m.p.side(kind)
		s = &Side{sideProgram: p, code: p.portable}
		if m.code.native {
			s.code = p.native
		}
		s.v = make([]float64, max(int(p.layout.size), s.code.slots))
		copy(s.v, p.layout.constants)
		s.setParameters(m.parameter)
		m.sides[kind] = s
	}
	return s
}

func (s *Side) setParameters(p []float64) {
	copy(s.v[s.layout.parameters:], p)
	s.code.Init(s.v)
}

// Given returns the number of given numbers.
func (s *Side) Given() int { return len(s.given) }

// Len returns the number of values.
func (s *Side) Len() int { return len(s.values) }

// Evaluate computes the values at state x, inputs u and given numbers; Value reads them.
func (s *Side) Evaluate(x, u, given []float64) {
	l := &s.layout
	copy(s.v[l.states:l.inputs], x)
	copy(s.v[l.inputs:l.returned], u)
	for i, slot := range s.given {
		s.v[slot] = given[i]
	}
	s.code.Before(s.v)
}

// Ledger describes the values of Energies.
func (s *Side) Ledger() []LedgerEntry { return s.ledger }

// Value returns a computed value.
func (s *Side) Value(i int) float64 { return s.v[s.values[i]] }

// Ledger describes the values of Energies.
func (p *Program) Ledger() []LedgerEntry { return p.side(Energies).ledger }
