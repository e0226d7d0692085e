package program

// slotSet is a set of slots: it has a Boolean for each slot. Slots beyond its length do not belong to the set.
type slotSet []bool

func (s slotSet) has(slot int32) bool { return uint(slot) < uint(len(s)) && s[slot] }

// add adds a slot to the set, and ignores negative numbers.
func (s *slotSet) add(slot int32) {
	if slot < 0 {
		return
	}
	for int(slot) >= len(*s) {
		*s = append(*s, make([]bool, int(slot)+1-len(*s))...)
	}
	(*s)[slot] = true
}

// memorySize returns the number of memory slots used by blocks.
func memorySize(blocks ...*block) int {
	n := int32(0)
	for _, b := range blocks {
		for k := range b.code {
			i := &b.code[k]
			n = max(n, i.dst+1, i.a+1, i.b+1, i.c+1)
		}
	}
	return int(n)
}

// sharedSlots lists the slots that are read outside of the block that writes them.
func (p *Program) sharedSlots() slotSet {
	blocks := p.blocks()
	return sharedAmong(blocks[:], append([][]int32{p.rates, p.outputs, p.begins, p.watched}, p.arguments...)...)
}

// sharedAmong lists slots that several blocks write, slots that one block writes and another reads, and the slots of
// lists.
func sharedAmong(blocks []*block, lists ...[]int32) slotSet {
	size := memorySize(blocks...)
	shared := make(slotSet, size)
	writtenIn := make([]int32, size) // number of the latest block that writes the slot, from 1
	for k, b := range blocks {
		for i := range b.code {
			dst := b.code[i].dst
			if at := writtenIn[dst]; at > 0 && at != int32(k+1) {
				shared[dst] = true
			}
			writtenIn[dst] = int32(k + 1)
		}
	}
	own := make([]int32, size) // number of a block that writes the slot, among the blocks so far, from 1
	for k, b := range blocks {
		for i := range b.code {
			own[b.code[i].dst] = int32(k + 1)
		}
		for i := range b.code {
			for _, s := range b.code[i].reads() {
				if at := writtenIn[s]; at > 0 && at != int32(k+1) && own[s] != int32(k+1) {
					shared[s] = true
				}
			}
		}
	}
	for _, list := range lists {
		for _, s := range list {
			shared.add(s)
		}
	}
	return shared
}
