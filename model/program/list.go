package program

import (
	"cmp"
	"slices"
	"sync"

	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// outputCode is the block of the outputs, compiled at first use.
type outputCode struct {
	once  sync.Once
	block *Block // nil without machine code
}

// outputsInCode returns machine code of the outputs, nil without machine code. It does not use the slots reserved by
// the code of the rates, whose number is equal in all code of a program.
func (p *Program) outputsInCode(reserved int) *Block {
	p.outputCode.once.Do(func() {
		operations, err := blockOperations(&p.output, p.sharedSlots())
		if err != nil {
			return
		}
		code, err := machinecode.Compile(operations, reserved, 1)
		if err != nil {
			return
		}
		portable := newTape(&p.output).runner()
		if sameResults(&p.output, &p.layout, p.sharedSlots(), portable, runner(code, portable), code) == nil {
			p.outputCode.block = listedBlock(&p.output, p.sharedSlots(), code)
		}
	})
	return p.outputCode.block
}

// coded is a group whose Eval runs a block on each of several memories. Operations use the first size numbers of a
// memory; the numbers between from and to never change.
type coded interface {
	Code() (block *Block, memories [][]float64, size, from, to int)
}

// outside is a group whose Eval calls a function outside of Go on these memories.
type outside interface{ Memories() [][]float64 }

// Straight implements Machine.
func (m *machine) Straight(to *Listed) (rates, outputs *Straight) {
	if m.code.blocks[0] == nil || !m.calls.listed() {
		return nil, nil
	}
	shown := m.p.outputsInCode(m.code.reserved)
	if shown == nil {
		return nil, nil
	}
	m.v = append(m.v, make([]float64, max(0, shown.Code.Slots-len(m.v)))...)
	l := &m.p.layout
	rates = to.begin(m.v, l, int(l.size), m.code.init)
	rates.evaluate(to, &m.code, &m.calls, &m.p.copies)
	rates.read(m.p.rates)
	rates.Collect = m.p.copies.sideBySide(m.p.rates)
	outputs = &Straight{Memory: rates.Memory, States: Nowhere, Inputs: Nowhere}
	outputs.run(shown, rates.Memory)
	outputs.read(m.p.outputs)
	var written slotSet
	for k := range m.p.output.code {
		written.add(m.p.output.code[k].dst)
	}
	for _, slot := range m.p.outputs {
		outputs.Own = append(outputs.Own, written.has(slot))
	}
	return rates, outputs
}

// ReturnedAt implements Machine.
func (m *machine) ReturnedAt(rates *Straight) (list []Place) {
	eachReturned(m.p.returned, m.p.loads, func(slot int32) {
		list = append(list, Place{rates.Memory, int(slot)})
	})
	return list
}

// Beginning implements Machine.
func (m *machine) Beginning(of *Straight) *Beginning {
	b := &Beginning{Run: Run{listedBlock(&m.p.begin, m.p.startSlots(), nil), of.Memory, Nowhere}}
	for _, slot := range m.p.begins {
		b.States = append(b.States, Place{of.Memory, int(slot)})
	}
	for _, slot := range m.p.constants {
		b.Constants = append(b.Constants, Place{of.Memory, int(slot)})
	}
	return b
}

// Straight lists At and Solve, and adds the memories to the listing; nil if only Go can run them.
func (l *Linearisation) Straight(to *Listed, residuals *Side) *Linear {
	e, p := l.evaluator, l.plan
	if !l.native || e.code.blocks[0] == nil || p.blocks == nil || !e.slopes.listed() {
		return nil
	}
	at := to.begin(e.v, &e.layout, int(p.size), e.code.init)
	at.evaluate(to, &e.code, &e.slopes, l.copies)
	place := func(slot int32) Place { return Place{at.Memory, int(slot)} }
	made := &Linear{At: at, C: place(p.step), Given: place(p.given), Right: place(p.right),
		Factors: Run{p.blocks[factorBlock], at.Memory, Nowhere}, Solves: Run{p.blocks[solveBlock], at.Memory, Nowhere}}
	if residuals != nil && l.Corrects() {
		run := Run{p.blocks[correctBlock], at.Memory, Nowhere}
		made.Correction = &Correction{Speeds: p.speeds, By: place(p.violations), Run: run}
		if made.Correction.Residuals = residuals.Straight(to); made.Correction.Residuals == nil {
			return nil
		}
	}
	return made
}

// Straight lists the evaluation of a side, and adds the memory to the listing; nil if only Go can run it. The given
// numbers are at these places.
func (s *Side) Straight(to *Listed, given ...Place) *Straight {
	if s.code.blocks[0] == nil || len(given) != len(s.given) {
		return nil
	}
	list := to.begin(s.v, &s.layout, int(s.layout.size), s.code.init)
	var moves []Move
	for i, from := range given {
		moves = append(moves, Move{from, Place{list.Memory, int(s.given[i])}})
	}
	if len(moves) > 0 {
		list.Parts = append(list.Parts, Part{Moves: moves, Called: Nowhere})
	}
	list.run(s.code.blocks[0], list.Memory)
	list.read(s.values)
	return list
}

// begin adds a memory with a layout and begins an evaluation on the memory. Operations use the first size numbers of
// the memory; init runs when the parameters have changed.
func (l *Listed) begin(v []float64, of *layout, size int, init *Block) *Straight {
	k := l.Add(v, Memory{Size: size, To: len(of.constants), Parameters: int(of.parameters), Init: init})
	return &Straight{Memory: k, States: int(of.states), Inputs: int(of.inputs)}
}

// addGroups adds the memories of groups.
func (l *Listed) addGroups(c *calls) {
	for _, g := range c.groups {
		switch of := g.(type) {
		case coded:
			_, memories, size, from, to := of.Code()
			if l.PlaceOf(&memories[0][0]).Memory != Nowhere {
				continue // another evaluation has the same group
			}
			for _, numbers := range memories {
				l.Add(numbers, Memory{Size: size, From: from, To: to, Parameters: Nowhere})
			}
		case outside:
			l.Groups = append(l.Groups, g)
			for _, numbers := range of.Memories() {
				l.Add(numbers, Memory{Size: len(numbers), Parameters: Nowhere})
			}
		}
	}
}

// listed reports whether a listing can contain the calls.
func (c *calls) listed() bool {
	return len(c.single) == 0 && !slices.ContainsFunc(c.groups, func(g tire.Group) bool {
		_, isCoded := g.(coded)
		_, isOutside := g.(outside)
		return !isCoded && !isOutside
	})
}

// evaluate adds both blocks and the calls between them.
func (s *Straight) evaluate(of *Listed, code *Code, c *calls, copied *copies) {
	of.addGroups(c)
	s.run(code.blocks[0], s.Memory)
	s.call(of, c, copied)
	s.run(code.blocks[1], s.Memory)
}

func (s *Straight) run(block *Block, memories ...int) {
	part := Part{Called: Nowhere}
	for _, k := range memories {
		part.Runs = append(part.Runs, Run{block, k, Nowhere})
	}
	s.Parts = append(s.Parts, part)
}

// call adds external calls, in the order of calls.make.
func (s *Straight) call(of *Listed, c *calls, copied *copies) {
	here := func(slot int32) Place { return Place{s.Memory, int(slot)} }
	var arguments, results []Move
	for _, m := range c.gather {
		arguments = append(arguments, Move{here(m.slot), of.PlaceOf(m.at)})
	}
	for _, m := range c.scatter {
		results = append(results, Move{of.PlaceOf(m.at), here(m.slot)})
	}
	for _, m := range c.kept {
		results = append(results, Move{here(m[0]), here(m[1])})
	}
	s.move(arguments, copied)
	for _, g := range c.groups {
		if is, ok := g.(coded); ok {
			block, memories, _, _, _ := is.Code()
			var numbers []int
			for _, v := range memories {
				numbers = append(numbers, of.PlaceOf(&v[0]).Memory)
			}
			s.run(block, numbers...)
		} else {
			s.Parts = append(s.Parts, Part{Called: slices.Index(of.Groups, g)})
		}
	}
	s.move(results, copied)
}

// move adds moves, grouped by their pair of memories.
func (s *Straight) move(list []Move, copied *copies) {
	slices.SortStableFunc(list, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.From.Memory, b.From.Memory), cmp.Compare(a.To.Memory, b.To.Memory))
	})
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].From.Memory == list[0].From.Memory && list[n].To.Memory == list[0].To.Memory {
			n++
		}
		s.Parts = append(s.Parts, Part{Moves: list[:n:n], Copy: copied.moves(list[:n]), Called: Nowhere})
		list = list[n:]
	}
}

func (s *Straight) read(slots []int32) {
	for _, slot := range slots {
		s.Results = append(s.Results, Place{s.Memory, int(slot)})
	}
}
