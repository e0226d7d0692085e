package program

// slotSet says of each slot of a memory whether it belongs to a set. Slots beyond its length do not.
type slotSet []bool

func (s slotSet) has(slot int32) bool { return uint(slot) < uint(len(s)) && s[slot] }

// add makes a slot of the memory part of the set; what is no slot is left out.
func (s *slotSet) add(slot int32) {
	if slot < 0 {
		return
	}
	for int(slot) >= len(*s) {
		*s = append(*s, make([]bool, int(slot)+1-len(*s))...)
	}
	(*s)[slot] = true
}

// memorySize is how many slots a memory has of which blocks know.
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
