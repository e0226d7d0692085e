package program

// LaneSide evaluates a computation beside the rates in lanes.
type LaneSide struct {
	of     *Lanes
	kind   SideKind
	memory laneMemory
	first  int     // first slot in the part of a workspace for sides
	values []int32 // workspace indices of the values
	given  []int32 // workspace indices of the given numbers
	number []float64
}

// Side returns an evaluator of a computation with the machines' parameters. Workspaces must be prepared after this
// call. An error gives the reason for no evaluator.
func (l *Lanes) Side(kind SideKind) (*LaneSide, error) {
	p := l.machines[0].p.side(kind)
	if err := p.lanes.compile(p.laneParts); err != nil {
		return nil, err
	}
	at := p.lanes.layout
	s := &LaneSide{of: l, kind: kind, first: l.beside, values: at.indices(p.values), given: at.indices(p.given),
		number: make([]float64, len(p.given))}
	s.memory = laneMemory{code: &p.lanes, slots: p.lanes.before.Slots}
	s.memory.finish(at, func(lane int) []float64 { return l.machines[lane].Side(kind).v })
	l.beside += s.memory.slots
	l.own = append(l.own, s)
	return s, nil
}

// laneParts returns the parts of a side that lanes need.
func (s *sideProgram) laneParts() *laneParts {
	return &laneParts{layout: &s.layout, init: &s.init, before: &s.code, after: &block{}, taken: [][]int32{s.values},
		returned: [][]int32{s.given}}
}

// Ledger describes the values of Energies.
func (s *LaneSide) Ledger() []LedgerEntry { return s.of.machines[0].Side(s.kind).Ledger() }

// Len returns the number of values.
func (s *LaneSide) Len() int { return len(s.values) }

// room returns the part of the current workspace for this side.
func (s *LaneSide) room() []float64 { return s.of.sides[s.first*Width:][:s.memory.slots*Width] }

// Give copies the given numbers of Evaluate from the results of the latest Read, from result first on.
func (s *LaneSide) Give(r *Readout, first int) {
	v, from := s.room(), s.of.room[(int(r.first)+first)*Width:]
	for i, at := range s.given {
		moveLanes((*[Width]float64)(v[at*Width:]), (*[Width]float64)(from[i*Width:]))
	}
}

// Evaluate computes the values at states x and inputs u in all lanes. Value reads them, until other lanes use the
// workspace.
func (s *LaneSide) Evaluate(x, u []float64) {
	l, v := s.of, s.room()
	s.memory.put(v, point{x, u})
	if s.memory.code.before.RunWith(v, s.memory.fixed) {
		return
	}
	for lane, m := range l.machines {
		take(l.one.x, x, lane)
		take(l.one.u, u, lane)
		side := m.Side(s.kind)
		for i, at := range s.given {
			s.number[i] = v[int(at)*Width+lane]
		}
		side.Evaluate(l.one.x, l.one.u, s.number)
		for i, at := range s.values {
			v[int(at)*Width+lane] = side.Value(i)
		}
	}
}

// Value returns a computed value of a lane.
func (s *LaneSide) Value(i, lane int) float64 { return s.room()[int(s.values[i])*Width+lane] }
