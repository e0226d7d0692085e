package program

// LaneSide evaluates a computation beside the rates in lanes.
type LaneSide struct {
	of     *Lanes
	kind   SideKind
	memory laneMemory
	first  int     // of its slots in the part of a workspace that sides have
	values []int32 // their places
	given  []int32 // those of what it is given
	number []float64
}

// Side returns what evaluates a computation with the machines' parameters. It needs a workspace that is prepared after
// that. An error says why there can be none.
func (l *Lanes) Side(kind SideKind) (*LaneSide, error) {
	p := l.machines[0].p.side(kind)
	if err := p.lanes.compile(p.laneParts); err != nil {
		return nil, err
	}
	at := p.lanes.layout
	s := &LaneSide{of: l, kind: kind, first: l.beside, values: at.placesOf(p.values), given: at.placesOf(p.given),
		number: make([]float64, len(p.given))}
	s.memory = laneMemory{code: &p.lanes, slots: p.lanes.before.Slots}
	s.memory.finish(at, func(lane int) []float64 { return l.machines[lane].Side(kind).v })
	l.beside += s.memory.slots
	l.own = append(l.own, s)
	return s, nil
}

// laneParts are the parts of a side of which lanes are made.
func (s *sideProgram) laneParts() *laneParts {
	return &laneParts{layout: &s.layout, init: &s.init, before: &s.code, after: &block{}, taken: [][]int32{s.values},
		returned: [][]int32{s.given}}
}

// Ledger says what the values are, of Energies; Len is how many there are.
func (s *LaneSide) Ledger() []LedgerEntry { return s.of.machines[0].Side(s.kind).Ledger() }

// Len returns the number of values.
func (s *LaneSide) Len() int { return len(s.values) }

// room is the part of the workspace in use that belongs to it.
func (s *LaneSide) room() []float64 { return s.of.sides[s.first*Width:][:s.memory.slots*Width] }

// Give takes the numbers that Evaluate is given from the latest Read: its results from one on.
func (s *LaneSide) Give(r *Readout, first int) {
	v, from := s.room(), s.of.room[(int(r.first)+first)*Width:]
	for i, at := range s.given {
		moveLanes((*[Width]float64)(v[at*Width:]), (*[Width]float64)(from[i*Width:]))
	}
}

// Evaluate computes the values at states x and inputs u in all lanes; Value reads them, until others use the workspace.
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

// Value is a computed value of one lane.
func (s *LaneSide) Value(i, lane int) float64 { return s.room()[int(s.values[i])*Width+lane] }
