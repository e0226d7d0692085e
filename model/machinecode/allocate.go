package machinecode

// assembler writes machine instructions. Registers are numbered from 0; a memory place is a
// slot of the memory or a constant of the pool.
type assembler interface {
	registers() int
	// foldable reports whether the second operand of an operation may be a memory operand.
	foldable(op operation) bool
	load(register int, from place)
	store(slot int32, register int)
	// operate writes dst = op(a, b, c); mem, if it is not nil, stands for the register b.
	operate(i *instruction, dst, a, b, c int, mem *place)
	// guard collects the sign bit of a register.
	guard(register int)
	// gather reads, for each lane, the number at the place that the register of value holds, of a table that begins
	// first numbers behind the begin of the pool.
	gather(dst, register int, value Value, first int)
}

// place is where a number lies in memory.
type place struct {
	pool bool
	n    int32 // constant or slot
}

// allocation puts values into registers along straight-line code: what is needed latest gives
// way first (Belady 1966).
type allocation struct {
	code   []instruction
	asm    assembler
	uses   [][]int32       // by value: the instructions that use it, ascending
	place  map[Value]place // of values that lie in memory, too
	in     []int           // register by value, -1 for none
	holds  []Value         // value by register, none for an empty one
	slots  int32           // next free slot
	spilt  map[Value]int32 // slots of values that had to give way
	unused []int32         // slots of such values that are done with
	ending []int32         // the same, while the last instruction to read them is written
	tables []int           // where they begin, in numbers behind the begin of the pool
}

const none = Value(-1)

// allocate writes the live operations. Spills go to slots from first on; it returns the
// number of slots in use at the end, and the constants of the pool. Behind these, of which each lane has its own, come
// the tables, of which all lanes have one.
func allocate(b *Builder, asm assembler, first int32, lanes int) (slots int32, pool []uint64) {
	a := &allocation{code: b.code, asm: asm, uses: make([][]int32, len(b.code)), place: map[Value]place{},
		in: make([]int, len(b.code)), slots: first, spilt: map[Value]int32{}}
	live := b.live()
	for k := range b.code {
		a.in[k] = -1
		if !live[k] {
			continue
		}
		switch i := &b.code[k]; i.op {
		case opConst:
			a.place[Value(k)] = place{true, int32(len(pool))}
			pool = append(pool, i.bits)
		case opLoad:
			a.place[Value(k)] = place{false, i.n}
		default:
			for _, v := range i.operands() {
				a.uses[v] = append(a.uses[v], int32(k))
			}
		}
	}
	at := lanes * len(pool)
	for _, t := range b.tables {
		a.tables = append(a.tables, at)
		at += len(t)
	}
	a.holds = make([]Value, asm.registers())
	for r := range a.holds {
		a.holds[r] = none
	}
	for k := range b.code {
		if op := b.code[k].op; live[k] && op != opConst && op != opLoad {
			a.instruction(int32(k))
			a.unused, a.ending = append(a.unused, a.ending...), a.ending[:0]
		}
	}
	return a.slots, pool
}

// instruction writes instruction k.
func (a *allocation) instruction(k int32) {
	i := &a.code[k]
	switch i.op {
	case opStore:
		a.asm.store(i.n, a.register(i.a, k))
		a.release(k, i.a)
		return
	case opGuard:
		a.asm.guard(a.register(i.a, k))
		a.release(k, i.a)
		return
	case opMulAdd, opMulSub, opSubMul:
		a.fused(k)
		return
	case opGather:
		ra := a.register(i.a, k)
		a.release(k, i.a)
		dst := a.free(k)
		a.asm.gather(dst, ra, i.a, a.tables[i.n])
		a.put(Value(k), dst)
		return
	}
	first, second := i.a, i.b
	one := i.op == opSqrt || i.op == opShiftLeft
	if commutes(i.op) && a.in[first] < 0 && (a.in[second] >= 0 || a.soon(second, k) && !a.soon(first, k)) {
		first, second = second, first
	}
	swapped := *i
	swapped.a, swapped.b = first, second
	ra := a.register(first, k)
	rb, rc := ra, 0
	var mem *place
	if !one {
		p, inMemory := a.place[second]
		if a.in[second] < 0 && inMemory && a.asm.foldable(i.op) && !a.soon(second, k) {
			mem = &p
		} else {
			rb = a.register(second, k)
		}
	}
	if i.op == opSelect {
		rc = a.register(i.c, k)
	}
	a.release(k, i.operands()...)
	dst := a.free(k)
	a.asm.operate(&swapped, dst, ra, rb, rc, mem)
	a.put(Value(k), dst)
}

// fused writes an operation on three operands, which takes the place of its last one.
func (a *allocation) fused(k int32) {
	i := a.code[k]
	if a.in[i.a] < 0 && (a.in[i.b] >= 0 || a.soon(i.b, k) && !a.soon(i.a, k)) {
		i.a, i.b = i.b, i.a
	}
	ra := a.register(i.a, k)
	var rb int
	var mem *place
	if p, inMemory := a.place[i.b]; a.in[i.b] < 0 && inMemory && a.asm.foldable(i.op) && !a.soon(i.b, k) &&
		i.b != i.c && i.b != i.a {
		mem = &p
	} else {
		rb = a.register(i.b, k)
	}
	rc := a.register(i.c, k)
	dst := rc
	if a.next(i.c, k+1) >= 0 || i.c == i.a || i.c == i.b {
		dst = a.free(k)
	} else {
		a.release(k, i.c)
	}
	a.asm.operate(&i, dst, ra, rb, rc, mem)
	a.release(k, i.a, i.b, i.c)
	a.put(Value(k), dst)
}

func commutes(op operation) bool {
	switch op {
	case opAdd, opMul, opAnd, opOr, opXor, opUnordered:
		return true
	}
	return false
}

// register makes sure that a value is in a register while instruction k is written.
func (a *allocation) register(v Value, k int32) int {
	if r := a.in[v]; r >= 0 {
		return r
	}
	r := a.free(k)
	a.asm.load(r, a.place[v])
	a.put(v, r)
	return r
}

func (a *allocation) put(v Value, r int) { a.in[v], a.holds[r] = r, v }

// horizon is how many instructions ahead a use must be for a value in memory to be worth a
// register.
const horizon = 24

// soon reports whether a value is used again soon after instruction k.
func (a *allocation) soon(v Value, k int32) bool {
	use := a.next(v, k+1)
	return use >= 0 && use <= k+horizon
}

// next is the first use of a value from instruction k on, -1 for none.
func (a *allocation) next(v Value, k int32) int32 {
	for _, u := range a.uses[v] {
		if u >= k {
			return u
		}
	}
	return -1
}

// release empties the registers of values that are not used after instruction k.
func (a *allocation) release(k int32, values ...Value) {
	for _, v := range values {
		if a.next(v, k+1) >= 0 {
			continue
		}
		if r := a.in[v]; r >= 0 {
			a.in[v], a.holds[r] = -1, none
		}
		if s, ok := a.spilt[v]; ok {
			a.ending = append(a.ending, s)
			delete(a.spilt, v)
		}
	}
}

// free returns an empty register; its value, if all are full, is one that instruction k does
// not need and that is needed latest.
func (a *allocation) free(k int32) int {
	victim, latest := -1, int32(-1)
	for r, v := range a.holds {
		if v == none {
			return r
		}
		if use := a.next(v, k); use > k && use > latest {
			victim, latest = r, use
		}
	}
	v := a.holds[victim]
	if _, kept := a.place[v]; !kept {
		s := a.slots
		if n := len(a.unused); n > 0 {
			s, a.unused = a.unused[n-1], a.unused[:n-1]
		} else {
			a.slots++
		}
		a.asm.store(s, victim)
		a.place[v], a.spilt[v] = place{false, s}, s
	}
	a.in[v], a.holds[victim] = -1, none
	return victim
}
