package program

// LaneSide evaluates a computation beside the rates in lanes.
type LaneSide struct {
	of     *Lanes
	kind   SideKind
	memory laneMemory
	values []int32 // their places
}

// Side returns what evaluates a computation that is given nothing, with the machines' parameters. It needs a workspace
// that is prepared after that. An error says why there can be none.
func (l *Lanes) Side(kind SideKind) (*LaneSide, error) {
	p := l.machines[0].p.side(kind)
	if err := p.lanes.compile(p.laneParts); err != nil {
		return nil, err
	}
	s := &LaneSide{of: l, kind: kind, values: p.lanes.layout.placesOf(p.values)}
	s.memory = laneMemory{code: &p.lanes, slots: p.lanes.before.Slots}
	s.memory.finish(p.lanes.layout, func(lane int) []float64 { return l.machines[lane].Side(kind).v })
	l.plain.slots = max(l.plain.slots, s.memory.slots)
	return s, nil
}

// laneParts are the parts of a side of which lanes are made.
func (s *sideProgram) laneParts() *laneParts {
	return &laneParts{layout: &s.layout, init: &s.init, before: &s.code, after: &block{}, taken: [][]int32{s.values}}
}

// Evaluate computes the values at states x and inputs u in all lanes; Value reads them, until the workspace is used for
// something else.
func (s *LaneSide) Evaluate(x, u []float64) {
	l := s.of
	v := l.room[:s.memory.slots*Width]
	s.memory.put(v, point{x, u})
	if s.memory.code.before.RunWith(v, s.memory.fixed) {
		return
	}
	for lane, m := range l.machines {
		take(l.one.x, x, lane)
		take(l.one.u, u, lane)
		side := m.Side(s.kind)
		side.Evaluate(l.one.x, l.one.u, nil)
		for i, at := range s.values {
			v[int(at)*Width+lane] = side.Value(i)
		}
	}
}

// Value is a computed value of one lane.
func (s *LaneSide) Value(i, lane int) float64 { return s.of.room[int(s.values[i])*Width+lane] }
