package machinecode

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"
)

// Value is the result of an operation.
type Value int32

// operation is the kind of an instruction.
type operation uint8

const (
	opConst      operation = iota
	opLoad                 // a slot of the memory
	opFixed                // a slot of the fixed numbers
	opAdd                  // a + b
	opSub                  // a - b
	opMul                  // a b
	opDiv                  // a/b
	opMulAdd               // a b + c, rounded once
	opMulSub               // a b - c, rounded once
	opSubMul               // c - a b, rounded once
	opSqrt                 // of a
	opLarger               // a > b ? a : b
	opSmaller              // a < b ? a : b
	opAnd                  // of the bits
	opAndNot               // the bits of b that a does not have
	opOr                   // of the bits
	opXor                  // of the bits
	opLess                 // all bits set if a < b, none otherwise
	opNotLess              // all bits set if a >= b or either is NaN
	opUnordered            // all bits set if a or b is NaN
	opShiftLeft            // of the bits of a, by n
	opShiftRight           // of the bits of a, by n; zeros come in
	opSelect               // b where the sign bit of a is set, c elsewhere
	opGather               // number a, truncated, of table n; a is a number that the table has
	opStore                // a into slot n
	opGuard                // gives up where a's sign bit is set

	// What follows stands in code of several numbers side by side only.

	opPair   // a, and b behind it
	opSplat  // the first of a, all over
	opUpper  // what stands behind as many numbers of a as are wanted
	opAddSub // a - b, a + b, by turns
	opSum    // a + b with signs; ends up as others
	opSign   // a with signs; ends up as opXor
)

// instruction is one operation.
type instruction struct {
	op      operation
	width   uint8 // how many numbers stand side by side, of each lane; 0 for one
	a, b, c Value
	n       int32    // slot, table, or places to shift; of several numbers, which of the builder's lists
	bits    uint64   // of a constant
	signs   [2]uint8 // of a and b, a bit for each number: it is negated
	upper   bool     // of a store: the second number of a
}

// Builder collects operations in the order of their making. Equal operations are merged.
type Builder struct {
	code   []instruction
	known  []Value // a hash table of operations, none for no entry; a power of two long
	made   int     // how many it holds
	tables [][]float64

	constants [][4]uint64 // of several numbers side by side
	gathered  [][4]int32  // tables, side by side
	copied    []int32     // slots that code wants side by side
}

// NewBuilder returns an empty one.
func NewBuilder() *Builder { return NewSizedBuilder(0) }

// NewSizedBuilder returns an empty builder with room for a number of operations.
func NewSizedBuilder(n int) *Builder {
	b := &Builder{code: make([]instruction, 0, n)}
	b.grow(max(1<<8, 1<<bits.Len(uint(2*n))))
	return b
}

func (b *Builder) make(i instruction) Value {
	at := i.hash() & uint64(len(b.known)-1)
	for ; b.known[at] != none; at = (at + 1) & uint64(len(b.known)-1) {
		if v := b.known[at]; b.code[v] == i {
			return v
		}
	}
	v := Value(len(b.code))
	b.code = append(b.code, i)
	b.known[at] = v
	if b.made++; 2*b.made > len(b.known) {
		b.grow(4 * len(b.known))
	}
	return v
}

// grow makes the hash table n long.
func (b *Builder) grow(n int) {
	old := b.known
	b.known = make([]Value, n)
	for at := range b.known {
		b.known[at] = none
	}
	for _, v := range old {
		if v == none {
			continue
		}
		at := b.code[v].hash() & uint64(n-1)
		for ; b.known[at] != none; at = (at + 1) & uint64(n-1) {
		}
		b.known[at] = v
	}
}

func (i *instruction) hash() uint64 {
	h := mix(uint64(i.op)|uint64(i.width)<<8|uint64(i.signs[0])<<16|uint64(i.signs[1])<<24|uint64(uint32(i.n))<<32, i.bits)
	return mix(mix(h, uint64(uint32(i.a))|uint64(uint32(i.b))<<32), uint64(uint32(i.c)))
}

func (b *Builder) two(op operation, x, y Value) Value { return b.make(instruction{op: op, a: x, b: y}) }

// Const is a constant.
func (b *Builder) Const(x float64) Value {
	return b.make(instruction{op: opConst, bits: math.Float64bits(x)})
}

// Load is the value of a slot before any Store.
func (b *Builder) Load(slot int32) Value { return b.make(instruction{op: opLoad, n: slot}) }

// Loads are the values of n slots from one on.
func (b *Builder) Loads(slot, n int) []Value {
	list := make([]Value, n)
	for i := range list {
		list[i] = b.Load(int32(slot + i))
	}
	return list
}

// LoadFixed is a slot of the fixed numbers of Code.RunWith.
func (b *Builder) LoadFixed(slot int32) Value { return b.make(instruction{op: opFixed, n: slot}) }

// Store puts x into a slot that is not loaded.
func (b *Builder) Store(slot int32, x Value) {
	b.code = append(b.code, instruction{op: opStore, a: x, n: slot})
}

// KeepStores drops the stores into other slots, and with them what nothing else needs.
func (b *Builder) KeepStores(wanted func(slot int32) bool) {
	for k := range b.code {
		if i := &b.code[k]; i.op == opStore && !wanted(i.n) {
			*i = instruction{op: opConst} // which nothing reads
		}
	}
}

// Freeze puts the numbers of known slots in place of what is loaded from them.
func (b *Builder) Freeze(known func(slot int32) (number float64, is bool)) {
	for k := range b.code {
		if i := &b.code[k]; i.op == opLoad {
			if x, is := known(i.n); is {
				*i = instruction{op: opConst, bits: math.Float64bits(x)}
			}
		}
	}
}

// Stored lists the slots of stores.
func (b *Builder) Stored() (slots []int32) { return b.slotsOf(opStore) }

// Loaded lists the slots that are loaded.
func (b *Builder) Loaded() (slots []int32) { return b.slotsOf(opLoad) }

func (b *Builder) slotsOf(op operation) (slots []int32) {
	for k := range b.code {
		if i := &b.code[k]; i.op == op {
			slots = append(slots, i.n)
		}
	}
	return slots
}

// Guard makes the code report that its results are worthless where the sign bit of mask is set.
func (b *Builder) Guard(mask Value) { b.make(instruction{op: opGuard, a: mask}) }

// Add is x + y.
func (b *Builder) Add(x, y Value) Value { return b.two(opAdd, x, y) }

// Sub is x - y.
func (b *Builder) Sub(x, y Value) Value { return b.two(opSub, x, y) }

// Mul is x y.
func (b *Builder) Mul(x, y Value) Value { return b.two(opMul, x, y) }

// Div is x/y.
func (b *Builder) Div(x, y Value) Value { return b.two(opDiv, x, y) }

// MulAdd is x y + z, rounded once.
func (b *Builder) MulAdd(x, y, z Value) Value {
	return b.make(instruction{op: opMulAdd, a: x, b: y, c: z})
}

// MulSub is x y - z, rounded once.
func (b *Builder) MulSub(x, y, z Value) Value {
	return b.make(instruction{op: opMulSub, a: x, b: y, c: z})
}

// SubMul is z - x y, rounded once.
func (b *Builder) SubMul(x, y, z Value) Value {
	return b.make(instruction{op: opSubMul, a: x, b: y, c: z})
}

// Sqrt is the square root of x.
func (b *Builder) Sqrt(x Value) Value { return b.make(instruction{op: opSqrt, a: x}) }

// Less is a mask: x < y.
func (b *Builder) Less(x, y Value) Value { return b.two(opLess, x, y) }

// NotLess is a mask: x >= y, or either is NaN.
func (b *Builder) NotLess(x, y Value) Value { return b.two(opNotLess, x, y) }

// Unordered is a mask: x or y is NaN.
func (b *Builder) Unordered(x, y Value) Value { return b.two(opUnordered, x, y) }

// Select is x where the mask is set, y elsewhere.
func (b *Builder) Select(mask, x, y Value) Value {
	return b.make(instruction{op: opSelect, a: mask, b: x, c: y})
}

// And is a mask, or bits: what both x and y have.
func (b *Builder) And(x, y Value) Value { return b.two(opAnd, x, y) }

// AndNot is a mask, or bits: what y has and x does not.
func (b *Builder) AndNot(x, y Value) Value { return b.two(opAndNot, x, y) }

// Or is a mask, or bits: what x or y has.
func (b *Builder) Or(x, y Value) Value { return b.two(opOr, x, y) }

// Not is the mask that is set where x is not.
func (b *Builder) Not(x Value) Value {
	return b.xor(x, b.make(instruction{op: opConst, bits: math.MaxUint64}))
}

// Look is values[index] with the index rounded towards 0: the first value if the index is below 0 or NaN, the last
// value beyond the end. The code takes ownership of values.
func (b *Builder) Look(values []float64, index Value) Value {
	table := indexOfTable(b.tables, values)
	if table < 0 {
		table = len(b.tables)
		b.tables = append(b.tables, values)
	}
	limited := b.smaller(b.larger(index, b.Const(0)), b.Const(float64(len(values)-1)))
	return b.make(instruction{op: opGather, a: limited, n: int32(table)})
}

// indexOfTable finds the table that holds values, -1 if there is none.
func indexOfTable(tables [][]float64, values []float64) int {
	first := unsafe.SliceData(values)
	return slices.IndexFunc(tables, func(t []float64) bool {
		return unsafe.SliceData(t) == first && len(t) == len(values)
	})
}

func (b *Builder) larger(x, y Value) Value  { return b.two(opLarger, x, y) }
func (b *Builder) smaller(x, y Value) Value { return b.two(opSmaller, x, y) }
func (b *Builder) xor(x, y Value) Value     { return b.two(opXor, x, y) }

func (b *Builder) shiftLeft(x Value, n int32) Value {
	return b.make(instruction{op: opShiftLeft, a: x, n: n})
}

func (b *Builder) shiftRight(x Value, n int32) Value {
	return b.make(instruction{op: opShiftRight, a: x, n: n})
}

// operands returns the operands of an instruction; the first n are in use.
func (i *instruction) operands() (list [3]Value, n int) {
	list = [...]Value{i.a, i.b, i.c}
	switch i.op {
	case opConst, opLoad, opFixed:
		return list, 0
	case opSqrt, opShiftLeft, opShiftRight, opStore, opGuard, opGather, opSplat, opUpper, opSign:
		return list, 1
	case opSelect, opMulAdd, opMulSub, opSubMul:
		return list, 3
	}
	return list, 2
}

// Slots is how many slots of the memory the operations reach.
func (b *Builder) Slots() (n int) {
	for k := range b.code {
		if i := &b.code[k]; i.op == opLoad || i.op == opStore {
			n = max(n, int(i.n)+1)
		}
	}
	return n
}

// Arithmetic is how many operations a lane does, without those that only move numbers.
func (b *Builder) Arithmetic() (n int) {
	live := b.live()
	for k := range b.code {
		switch b.code[k].op {
		case opConst, opLoad, opFixed, opStore, opGuard:
		default:
			if live[k] {
				n++
			}
		}
	}
	return n
}

// fixedSlots is how many slots of fixed numbers the operations reach.
func (b *Builder) fixedSlots() (n int) {
	for k := range b.code {
		if i := &b.code[k]; i.op == opFixed {
			n = max(n, int(i.n)+1)
		}
	}
	return n
}

// live tells which operations a store or a guard needs.
func (b *Builder) live() []bool {
	live := make([]bool, len(b.code))
	for k := len(b.code) - 1; k >= 0; k-- {
		i := &b.code[k]
		if i.op == opStore || i.op == opGuard {
			live[k] = true
		}
		if live[k] {
			list, n := i.operands()
			for _, v := range list[:n] {
				live[v] = true
			}
		}
	}
	return live
}

// interpret runs the operations on a memory and on fixed numbers; slot s of lane l is v[s*lanes+l], and fixed numbers
// have the same order. It reports whether all guards passed.
func (b *Builder) interpret(v, fixed []float64, lanes int) bool {
	values := make([]float64, len(b.code))
	good := true
	for l := range lanes {
		for k := range b.code {
			i := &b.code[k]
			switch i.op {
			case opStore:
				v[int(i.n)*lanes+l] = values[i.a]
			case opGuard:
				good = good && !math.Signbit(values[i.a])
			case opLoad:
				values[k] = v[int(i.n)*lanes+l]
			case opFixed:
				values[k] = fixed[int(i.n)*lanes+l]
			case opGather:
				values[k] = b.tables[i.n][int(values[i.a])]
			default:
				values[k] = i.evaluate(values)
			}
		}
	}
	return good
}

// evaluate is one operation.
func (i *instruction) evaluate(values []float64) float64 {
	at := func(v Value) float64 { return values[v] }
	switch i.op {
	case opConst:
		return math.Float64frombits(i.bits)
	case opAdd:
		return at(i.a) + at(i.b)
	case opSub:
		return at(i.a) - at(i.b)
	case opMul:
		return at(i.a) * at(i.b)
	case opDiv:
		return at(i.a) / at(i.b)
	case opMulAdd:
		return math.FMA(at(i.a), at(i.b), at(i.c))
	case opMulSub:
		return math.FMA(at(i.a), at(i.b), -at(i.c))
	case opSubMul:
		return math.FMA(-at(i.a), at(i.b), at(i.c))
	case opSqrt:
		return math.Sqrt(at(i.a))
	case opLarger:
		if at(i.a) > at(i.b) {
			return at(i.a)
		}
		return at(i.b)
	case opSmaller:
		if at(i.a) < at(i.b) {
			return at(i.a)
		}
		return at(i.b)
	case opSelect:
		if math.Signbit(at(i.a)) {
			return at(i.b)
		}
		return at(i.c)
	}
	return i.evaluateBits(values)
}

// evaluateBits is one operation on the bits of numbers, or one that makes a mask.
func (i *instruction) evaluateBits(values []float64) float64 {
	at := func(v Value) float64 { return values[v] }
	word := func(v Value) uint64 { return math.Float64bits(values[v]) }
	mask := func(set bool) float64 {
		if set {
			return math.Float64frombits(math.MaxUint64)
		}
		return 0
	}
	switch i.op {
	case opAnd:
		return math.Float64frombits(word(i.a) & word(i.b))
	case opAndNot:
		return math.Float64frombits(word(i.b) &^ word(i.a))
	case opOr:
		return math.Float64frombits(word(i.a) | word(i.b))
	case opXor:
		return math.Float64frombits(word(i.a) ^ word(i.b))
	case opLess:
		return mask(at(i.a) < at(i.b))
	case opNotLess:
		return mask(!(at(i.a) < at(i.b)))
	case opUnordered:
		return mask(math.IsNaN(at(i.a)) || math.IsNaN(at(i.b)))
	case opShiftLeft:
		return math.Float64frombits(word(i.a) << uint(i.n))
	case opShiftRight:
		return math.Float64frombits(word(i.a) >> uint(i.n))
	}
	panic("machinecode: no such operation")
}
