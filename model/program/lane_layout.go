package program

import (
	"slices"

	"skidpad/tire/machinecode"
)

// laneLayout maps slots of a program to numbers of lanes. Constants are in the code. Numbers fixed by parameters belong
// to a Lanes, packed in the order of their first read. All other numbers are needed only during an evaluation, and are
// in a Workspace.
type laneLayout struct {
	of     *layout
	index  []int32 // by slot: index in a workspace, nowhere for none
	kept   []int32 // by slot: index among the fixed numbers, nowhere for none
	fixed  []int32 // slots of the fixed numbers
	zero   slotSet // results that no call returns
	size   int32   // of a workspace
	unread int32   // index for all returned numbers without readers
	copied []int32 // slots of fixed numbers that the workspace also needs
}

const nowhere = -1

// laneParts are the parts of a program that lanes need.
type laneParts struct {
	layout              *layout
	init, before, after *block
	later               []*block  // further blocks that read fixed numbers
	taken               [][]int32 // slots that are read from the workspace
	wanted              [][]int32 // slots for other readers, stored by the blocks
	elsewhere           [][]int32 // slots for other readers, which compute missing numbers themselves
	set                 []int32   // slots that are set before the blocks run
	returned, silent    [][]int32 // slots written by calls, and slots of calls never made
}

// newLaneLayout lays out the numbers of parts of a program.
func newLaneLayout(p *laneParts) *laneLayout {
	blocks := []*block{p.before, p.after}
	n := max(int(p.layout.size), memorySize(p.init, p.before, p.after), memorySize(p.later...))
	l := &laneLayout{of: p.layout, index: make([]int32, n), kept: make([]int32, n)}
	for s := range n {
		l.index[s], l.kept[s] = nowhere, nowhere
	}
	for s := p.layout.states; s < p.layout.returned; s++ {
		l.put(s)
	}
	for _, s := range p.set {
		l.put(s)
	}
	for _, slots := range p.silent {
		for _, s := range slots {
			l.zero.add(s)
		}
	}
	isFixed, reads := fixedSlots(p.init, p.layout), make(slotSet, n)
	read := func(s int32) {
		if reads[s] = true; isFixed(s) {
			l.keep(s)
		}
	}
	for _, b := range append(blocks, p.later...) {
		for k := range b.code {
			for _, s := range b.code[k].reads() {
				read(s)
			}
		}
	}
	shared := sharedAmong(append(blocks, p.init), append(p.wanted, p.taken...)...)
	for _, b := range blocks {
		for k := range b.code {
			if dst := b.code[k].dst; shared.has(dst) {
				l.put(dst)
			}
		}
	}
	for _, slots := range slices.Concat(p.wanted, p.elsewhere) {
		for _, s := range slots {
			read(s)
		}
	}
	for _, slots := range p.taken {
		for _, s := range slots {
			if read(s); l.index[s] == nowhere && (isFixed(s) || l.zero.has(s)) {
				l.put(s)
				l.copied = append(l.copied, s)
			}
		}
	}
	l.putReturned(p.returned, reads)
	return l
}

// putReturned assigns workspace indices to results of calls.
func (l *laneLayout) putReturned(returned [][]int32, reads slotSet) {
	l.unread = l.size
	l.size++
	for _, slots := range returned {
		for _, s := range slots {
			switch {
			case l.index[s] != nowhere:
			case reads[s]:
				l.put(s)
			default:
				l.index[s] = l.unread
			}
		}
	}
}

// put assigns a workspace index to a slot.
func (l *laneLayout) put(slot int32) {
	if l.index[slot] == nowhere {
		l.index[slot] = l.size
		l.size++
	}
}

// keep makes a slot one of the fixed numbers, unless it is a constant.
func (l *laneLayout) keep(slot int32) {
	if int(slot) >= len(l.of.constants) && l.kept[slot] == nowhere {
		l.kept[slot] = int32(len(l.fixed))
		l.fixed = append(l.fixed, slot)
	}
}

// load returns the value of a slot that the code has not computed itself.
func (l *laneLayout) load(b *machinecode.Builder, slot int32) machinecode.Value {
	switch {
	case int(slot) < len(l.of.constants):
		return b.Const(l.of.constants[slot])
	case l.zero.has(slot):
		return b.Const(0)
	case l.kept[slot] != nowhere:
		return b.LoadFixed(l.kept[slot])
	}
	return b.Load(l.index[slot])
}

// laneIndices returns the workspace indices of slots in each lane, by function in the order of sideBySide.
func (l *laneLayout) laneIndices(slots [][]int32) [][]int32 {
	var list [][]int32
	for _, s := range slots {
		for lane := range int32(Width) {
			moved := make([]int32, len(s))
			for k := range s {
				moved[k] = l.index[s[k]]*Width + lane
			}
			list = append(list, moved)
		}
	}
	return list
}

// indices returns the workspace indices of slots.
func (l *laneLayout) indices(slots []int32) []int32 {
	list := make([]int32, len(slots))
	for i, s := range slots {
		list[i] = l.index[s]
	}
	return list
}

// laneStore is a store of a slot at an index of the workspace.
type laneStore struct{ slot, index int32 }

// copies returns the stores of fixed numbers that the workspace also needs, if the layout has an index for them.
func (l *laneLayout) copies() (list []laneStore) {
	for _, s := range l.copied {
		if l.index[s] != nowhere {
			list = append(list, laneStore{s, l.index[s]})
		}
	}
	return list
}

// compile makes code of instructions. The code stores results that have an index in the workspace, then the numbers of
// further.
func (l *laneLayout) compile(code []instruction, further []laneStore) (*machinecode.Code, error) {
	t := newTranslator(len(code), len(l.index))
	t.load = func(slot int32) machinecode.Value { return l.load(t.b, slot) }
	for k := range code {
		v, err := t.instruction(&code[k])
		if err != nil {
			return nil, err
		}
		if at := l.index[code[k].dst]; at != nowhere {
			t.b.Store(at, v)
		}
	}
	for _, s := range further {
		t.b.Store(s.index, t.value(s.slot))
	}
	return machinecode.Compile(t.b, int(l.size), Width)
}

// withElimination returns a layout with the numbers of an elimination after the numbers of its matrices.
func (l *laneLayout) withElimination(e *elimination) *laneLayout {
	to := *l
	to.index, to.kept = slices.Clone(l.index), slices.Clone(l.kept)
	for len(to.index) < int(e.size) {
		to.index, to.kept = append(to.index, nowhere), append(to.kept, nowhere)
	}
	for s := e.given; s < e.size; s++ {
		to.put(s)
	}
	return &to
}

// laneParts returns the parts of a program that lanes need.
func (p *Program) laneParts() *laneParts {
	parts := &laneParts{layout: &p.layout, init: &p.init, before: &p.before, after: &p.after, later: []*block{&p.output},
		taken:     slices.Concat([][]int32{p.rates, p.watched}, p.arguments, p.loads),
		elsewhere: slices.Concat([][]int32{p.outputs}, p.returned)}
	parts.call(p.Calls, p.returned, p.loads)
	return parts
}

// call adds the slots written by calls.
func (p *laneParts) call(calls []Call, returned, loads [][]int32) {
	for i, slots := range returned {
		if loads != nil && len(loads[i]) > 0 {
			slots = append(slices.Clone(slots), loads[i][1])
		}
		if calls[i].Inside {
			p.silent = append(p.silent, slots)
		} else {
			p.returned = append(p.returned, slots)
		}
	}
}
