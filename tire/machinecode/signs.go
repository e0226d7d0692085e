package machinecode

import "slices"

// Negatives are operations of their own while limbs are paired, so that two operations that differ in signs alone go
// side by side. Then they become operations that machines have.

const signBits = 1 << 63

// signed is a copy of b with explicit operations for negation.
func signed(b *Builder) *Builder {
	c := *b
	c.code = slices.Clone(b.code)
	for k := range c.code {
		i := &c.code[k]
		i.width = 1
		if i.op != opXor {
			continue
		}
		for _, x := range [][2]Value{{i.a, i.b}, {i.b, i.a}} {
			if s := &b.code[x[1]]; s.op == opConst && s.bits == signBits {
				*i = instruction{op: opSign, width: 1, a: x[0], signs: [2]uint8{1}}
				break
			}
		}
	}
	return &c
}

// byTurns are the signs of the first, third ... number.
const byTurns = 0b0101

// sumOf is how a sum with signs is written: as a sum, a difference, or both by turns, of the operands or of the
// operands swapped. It is not plain where that does not do.
func sumOf(width, a, b uint8) (op operation, swapped bool, of [2]uint8, plain bool) {
	all := uint8(1)<<width - 1
	turns := byTurns & all
	switch {
	case a == 0 && b == 0:
		return opAdd, false, of, true
	case a == 0 && b == all:
		return opSub, false, of, true
	case a == all && b == 0:
		return opSub, true, of, true
	case a == 0 && b == turns:
		return opAddSub, false, of, true
	case a == turns && b == 0:
		return opAddSub, true, of, true
	case b == all:
		return opSub, false, [2]uint8{a, 0}, false
	case a == all:
		return opSub, true, [2]uint8{0, b}, false
	}
	return opAdd, false, [2]uint8{a, b}, false
}

// lowered is code with machine operations for signs, and without unused operations.
func lowered(b *Builder) *Builder {
	to := NewSizedBuilder(len(b.code))
	to.tables, to.constants, to.gathered = b.tables, b.constants, b.gathered
	written := make([]Value, len(b.code))
	negative := func(v Value, width, signs uint8) Value {
		if signs == 0 {
			return v
		}
		if width == 1 {
			return to.Neg(v)
		}
		var bits [4]uint64
		for n := range width {
			if signs>>n&1 == 1 {
				bits[n] = signBits
			}
		}
		return to.make(instruction{op: opXor, width: width, a: v, b: to.several(bits, width)})
	}
	copies := map[[2]int32]int32{}
	live := b.live()
	for k, i := range b.code {
		if !live[k] {
			continue
		}
		operands := [3]*Value{&i.a, &i.b, &i.c}
		_, count := i.operands()
		for n := range count {
			*operands[n] = written[*operands[n]]
		}
		switch {
		case i.op == opSum:
			op, swapped, signs, _ := sumOf(i.width, i.signs[0], i.signs[1])
			x, y := negative(i.a, i.width, signs[0]), negative(i.b, i.width, signs[1])
			if swapped {
				x, y = y, x
			}
			written[k] = to.make(instruction{op: op, width: i.width, a: x, b: y})
		case i.op == opSign:
			written[k] = negative(i.a, i.width, i.signs[0])
		case i.op == opGuard && i.width == 1: // what stands beside one number is anything
			to.make(instruction{op: opGuard, a: to.make(instruction{op: opSplat, width: 2, a: i.a})})
		case i.op == opStore:
			to.code = append(to.code, i)
		case i.op == opLoad && i.width > 1:
			key := [2]int32{i.n, int32(i.width)}
			at, known := copies[key]
			if !known {
				at = int32(len(to.copied))
				to.copied = append(to.copied, b.copied[i.n:][:i.width]...)
				copies[key] = at
			}
			i.n = at
			written[k] = to.make(i)
		default:
			written[k] = to.make(i)
		}
	}
	return to
}
