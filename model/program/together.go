package program

import (
	"math"
	"math/rand/v2"
	"sync"

	"skidpad/model/machinecode"
)

// pairs are machine code of two sides at once, by their kinds, made when it is asked for.
type pairs struct {
	sync.Mutex
	of map[[2]SideKind]*sidePair
}

// sidePair is machine code of two sides in the memory of the first, with that of the second for fixed numbers.
// Operations that both have are done once; each value is the one of its side by itself, to the last bit.
type sidePair struct {
	code *machinecode.Code // nil where there can be none
	at   []int32           // by value of the second side: where it stands in the memory, nowhere for its own memory
}

// Together returns the evaluations of two sides that have the same states, inputs and parts; nil where they are no
// machine code that C can call.
func (m *machine) Together(first, second SideKind) (a, b *Straight) {
	s, t := m.Side(first), m.Side(second)
	if s.code.blocks[0] == nil || t.code.blocks[0] == nil || len(s.given)+len(t.given) > 0 {
		return nil, nil
	}
	pair := m.p.pair(first, second)
	if pair.code == nil {
		return nil, nil
	}
	s.v = append(s.v, make([]float64, max(0, pair.code.Slots-len(s.v)))...)
	l := &s.layout
	a = &Straight{States: s.v[l.states:l.inputs], Inputs: s.v[l.inputs:l.returned]}
	if !a.run(pair.code.Job(s.v, t.v)) {
		return nil, nil
	}
	c := *a
	a.read(s.v, s.values)
	for i, slot := range t.values {
		if at := pair.at[i]; at != nowhere {
			c.Results = append(c.Results, &s.v[at])
		} else {
			c.Results = append(c.Results, &t.v[slot])
		}
	}
	return a, &c
}

func (p *Program) pair(first, second SideKind) *sidePair {
	s, t := p.side(first), p.side(second)
	p.pairs.Lock()
	defer p.pairs.Unlock()
	kinds := [2]SideKind{first, second}
	if pair := p.pairs.of[kinds]; pair != nil {
		return pair
	}
	pair := &sidePair{}
	if err := pair.compile(s, t); err != nil || !pair.sameValues(s, t) {
		pair.code = nil
	}
	if p.pairs.of == nil {
		p.pairs.of = map[[2]SideKind]*sidePair{}
	}
	p.pairs.of[kinds] = pair
	return pair
}

func (pair *sidePair) compile(s, t *sideProgram) error {
	own := newTranslator(len(s.code.code)+len(t.code.code), memorySize(&s.code, &t.code))
	own.load = func(slot int32) machinecode.Value {
		if int(slot) < len(s.layout.constants) {
			return own.b.Const(s.layout.constants[slot])
		}
		return own.b.Load(slot)
	}
	other := &translator{b: own.b, values: make([]machinecode.Value, len(own.values))}
	same := func(slot int32) int32 { // of the first side, which has the same parameters, states and inputs
		for _, group := range [...][3]int32{{t.layout.inputs, t.layout.returned, s.layout.inputs},
			{t.layout.states, t.layout.inputs, s.layout.states}, {t.layout.parameters, t.layout.states, s.layout.parameters}} {
			if slot >= group[0] && slot < group[1] {
				return group[2] + slot - group[0]
			}
		}
		return nowhere
	}
	other.load = func(slot int32) machinecode.Value {
		if int(slot) < len(t.layout.constants) {
			return own.b.Const(t.layout.constants[slot])
		}
		if at := same(slot); at != nowhere {
			return own.value(at)
		}
		return own.b.LoadFixed(slot)
	}
	made, err := own.block(&s.code)
	if err != nil {
		return err
	}
	for _, slot := range s.values {
		if made.has(slot) {
			own.b.Store(slot, own.value(slot))
		}
	}
	if made, err = other.block(&t.code); err != nil {
		return err
	}
	size := int32(max(int(s.layout.size), s.native.reserved))
	for _, slot := range t.values {
		at := same(slot)
		if made.has(slot) {
			at = size
			own.b.Store(at, other.value(slot))
			size++
		}
		pair.at = append(pair.at, at)
	}
	limbs := machinecode.LimbsOf(own.b, func(int32) bool { return false }) // nothing is copied
	pair.code, err = compileBlock(own.b, limbs, int(size), int(size))
	return err
}

// block writes all instructions of one, and tells which slots they have made.
func (t *translator) block(b *block) (made slotSet, err error) {
	for k := range b.code {
		if _, err := t.instruction(&b.code[k]); err != nil {
			return nil, err
		}
		made.add(b.code[k].dst)
	}
	return made, nil
}

// sameValues reports whether the values are those of each side by itself, on some memories.
func (pair *sidePair) sameValues(s, t *sideProgram) bool {
	r := rand.New(rand.NewPCG(1, 2)) // the same every time
	size := max(pair.code.Slots, s.native.slots, t.native.slots, int(s.layout.size), int(t.layout.size))
	one, two := make([]float64, size), make([]float64, size)
	for trial := range 4 {
		for k := range one {
			one[k] = (r.Float64() - 0.3) * math.Pow(10, float64(trial-1))
			two[k] = (r.Float64() - 0.3) * math.Pow(10, float64(trial-1))
		}
		copy(one, s.layout.constants)
		copy(two, t.layout.constants)
		copy(two[t.layout.parameters:t.layout.returned], one[s.layout.parameters:s.layout.returned])
		both := append([]float64(nil), one...)
		fixed := append([]float64(nil), two...)
		s.portable.Before(one)
		t.portable.Before(two)
		if !pair.code.RunWith(both, fixed) {
			continue
		}
		for _, slot := range s.values {
			if !sameNumber(both[slot], one[slot]) {
				return false
			}
		}
		for i, slot := range t.values {
			got := fixed[slot]
			if at := pair.at[i]; at != nowhere {
				got = both[at]
			}
			if !sameNumber(got, two[slot]) {
				return false
			}
		}
	}
	return true
}

// sameNumber reports whether two numbers are bit-identical, or both not a number.
func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}
