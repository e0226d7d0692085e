package program

// fuse merges a product without other users into its sum: one operation, rounded once, replaces two. Only derivatives
// are fused, because their last bits are not compared with other code. Shared slots keep their values.
func fuse(b *block, shared slotSet) {
	size := memorySize(b)
	uses := make([]int32, size)
	product := make([]int32, size) // by slot: index of the instruction that computes it, plus 1
	for k := range b.code {
		i := &b.code[k]
		if i.op == opNeg || i.op >= opCall && !takesTwo(i.op) {
			uses[i.a]++
		} else {
			uses[i.a]++
			uses[i.b]++
		}
		if i.op == opMul {
			product[i.dst] = int32(k + 1)
		}
	}
	taken := make([]bool, len(b.code))
	free := func(slot int32) (int32, bool) {
		return product[slot] - 1, product[slot] > 0 && uses[slot] == 1 && !shared.has(slot)
	}
	for k := range b.code {
		i := &b.code[k]
		if i.op != opAdd && i.op != opSub || i.a == i.b {
			continue
		}
		if m, ok := free(i.b); ok { // a +- product
			op := opMulAdd
			if i.op == opSub {
				op = opSubMul
			}
			taken[m] = true
			*i = instruction{op: op, dst: i.dst, a: b.code[m].a, b: b.code[m].b, c: i.a}
		} else if m, ok := free(i.a); ok { // product +- b
			op := opMulAdd
			if i.op == opSub {
				op = opMulSub
			}
			taken[m] = true
			*i = instruction{op: op, dst: i.dst, a: b.code[m].a, b: b.code[m].b, c: i.b}
		}
	}
	kept := b.code[:0]
	for k, i := range b.code {
		if !taken[k] {
			kept = append(kept, i)
		}
	}
	b.code = kept
}
