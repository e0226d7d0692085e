package machinecode

import "slices"

// assembler writes machine instructions. Registers are numbered from 0 and hold one number or several side by side, the
// width. An operation uses the first ones of wider operands.
type assembler interface {
	registers() int
	// foldable reports whether the second operand of an operation may be a memory operand.
	foldable(op operation, width int) bool
	load(register int, from location, width int)
	// store writes the first numbers of a register, or with upper the second one.
	store(to location, register, width int, upper bool)
	// operate writes dst = op(a, b, c); mem, if it is not nil, stands for the register b, or the only operand.
	operate(i *instruction, width, dst, a, b, c int, mem *location)
	// guard collects the sign bits of a register.
	guard(register int)
	// gather reads, for each number, the one at the place that the register of value holds, of a table that begins
	// first numbers behind the begin of the pool.
	gather(dst, register int, value Value, first []int)
}

// location is where a number lies, counted in numbers: in the memory, the pool of constants, or the fixed numbers.
type location struct {
	of area
	n  int32
}

type area uint8

const (
	inMemory area = iota
	inPool
	inFixed
)

// allocation puts values into registers along straight-line code: what is needed latest gives
// way first (Belady 1966).
type allocation struct {
	code      []instruction
	asm       assembler
	lanes     int
	uses      []int32         // by value, behind each other: the instructions that use it, ascending
	use       []int32         // by value: where in uses the first is that is still to come
	behind    []int32         // by value: where its uses end
	now       int32           // the instruction that is written
	locations []location      // by value
	kept      []bool          // by value: it lies in memory, too, at its place
	in        []int           // register by value, -1 for none
	holds     []Value         // value by register, none for an empty one
	end       int32           // of the memory
	spilt     []int32         // by value: its place in memory, if it had to give way; -1 otherwise
	unused    [5][]int32      // by width: places of such values that are done with
	ending    []Value         // the same, while the last instruction to read them is written
	first     map[Value][]int // of gathers: where the tables begin, in numbers behind the begin of the pool
}

const none = Value(-1)

// width is how many numbers a value has in all lanes.
func (a *allocation) width(v Value) int { return a.lanes * max(1, int(a.code[v].width)) }

// allocate writes the live operations. Spills go to memory from the slot spills on. It returns the end of the memory
// and the constants of the pool. Each lane has its own constants; behind them come the tables, which all lanes share.
func allocate(b *Builder, asm assembler, spills int32, lanes int) (end int32, pool []uint64) {
	n := len(b.code)
	a := &allocation{code: b.code, asm: asm, lanes: lanes, use: make([]int32, n), behind: make([]int32, n),
		locations: make([]location, n), kept: make([]bool, n), in: make([]int, n), end: spills, spilt: make([]int32, n),
		first: map[Value][]int{}}
	live := b.live()
	for k := range b.code {
		a.in[k], a.spilt[k] = -1, -1
		if !live[k] {
			continue
		}
		switch i := &b.code[k]; {
		case i.op == opConst && i.width > 1:
			a.lies(Value(k), location{inPool, int32(len(pool))})
			pool = append(pool, b.constants[i.n][:i.width]...)
		case i.op == opConst:
			a.lies(Value(k), location{inPool, int32(len(pool))})
			for range lanes {
				pool = append(pool, i.bits)
			}
		case i.op == opLoad:
			a.lies(Value(k), location{inMemory, i.n * int32(lanes)})
		case i.op == opFixed:
			a.lies(Value(k), location{inFixed, i.n * int32(lanes)})
		}
	}
	a.findUses(live)
	a.locateTables(b, len(pool))
	a.holds = make([]Value, asm.registers())
	for r := range a.holds {
		a.holds[r] = none
	}
	for k := range b.code {
		if op := b.code[k].op; live[k] && op != opConst && op != opLoad && op != opFixed {
			a.instruction(int32(k))
			for _, v := range a.ending {
				a.unused[a.width(v)] = append(a.unused[a.width(v)], a.spilt[v])
			}
			a.ending = a.ending[:0]
		}
	}
	return a.end, pool
}

// lies notes where a value lies in memory.
func (a *allocation) lies(v Value, p location) { a.locations[v], a.kept[v] = p, true }

// findUses lists the uses of values by live instructions.
func (a *allocation) findUses(live []bool) {
	each := func(do func(v Value, k int32)) {
		for k := range a.code {
			if live[k] {
				list, n := a.code[k].operands()
				for _, v := range list[:n] {
					do(v, int32(k))
				}
			}
		}
	}
	each(func(v Value, _ int32) { a.behind[v]++ })
	end := int32(0)
	for v, n := range a.behind {
		a.use[v], a.behind[v] = end, end
		end += n
	}
	a.uses = make([]int32, end)
	each(func(v Value, k int32) {
		a.uses[a.behind[v]] = k
		a.behind[v]++
	})
}

// locateTables finds the tables of each gather; the first one lies at a number behind the begin of the pool.
func (a *allocation) locateTables(b *Builder, at int) {
	var begin []int
	for _, t := range b.tables {
		begin = append(begin, at)
		at += len(t)
	}
	for k := range b.code {
		i := &b.code[k]
		if i.op != opGather {
			continue
		}
		for n := range a.width(Value(k)) {
			table := i.n
			if i.width > 1 {
				table = b.gathered[i.n][n]
			}
			a.first[Value(k)] = append(a.first[Value(k)], begin[table])
		}
	}
}

// instruction writes instruction k.
func (a *allocation) instruction(k int32) {
	i := &a.code[k]
	a.now = k
	switch i.op {
	case opStore:
		a.asm.store(location{inMemory, i.n * int32(a.lanes)}, a.register(i.a, k), a.lanes, i.upper)
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
		a.asm.gather(dst, ra, i.a, a.first[Value(k)])
		a.put(Value(k), dst)
		return
	}
	width := a.width(Value(k))
	if p := a.locations[i.a]; a.kept[i.a] && a.in[i.a] < 0 && (i.op == opSplat || i.op == opUpper) {
		a.release(k, i.a)
		dst := a.free(k)
		if i.op == opUpper {
			p.n += int32(width)
			a.asm.load(dst, p, width)
		} else {
			a.asm.operate(i, width, dst, 0, 0, 0, &p)
		}
		a.put(Value(k), dst)
		return
	}
	first, second := i.a, i.b
	_, operands := i.operands()
	one := operands == 1
	if commutes(i.op) && a.in[first] < 0 && (a.in[second] >= 0 || a.soon(second, k) && !a.soon(first, k)) {
		first, second = second, first
	}
	swapped := *i
	swapped.a, swapped.b = first, second
	ra := a.register(first, k)
	rb, rc := ra, 0
	var mem *location
	if !one {
		p := a.locations[second]
		if a.in[second] < 0 && a.kept[second] && a.asm.foldable(i.op, width) && !a.soon(second, k) {
			mem = &p
		} else {
			rb = a.register(second, k)
		}
	}
	if i.op == opSelect {
		rc = a.register(i.c, k)
	}
	list, n := i.operands()
	a.release(k, list[:n]...)
	dst := a.free(k)
	a.asm.operate(&swapped, width, dst, ra, rb, rc, mem)
	a.put(Value(k), dst)
}

// fused writes an operation on three operands, which takes the place of its last one.
func (a *allocation) fused(k int32) {
	i, width := a.code[k], a.width(Value(k))
	if a.in[i.a] < 0 && (a.in[i.b] >= 0 || a.soon(i.b, k) && !a.soon(i.a, k)) {
		i.a, i.b = i.b, i.a
	}
	ra := a.register(i.a, k)
	var rb int
	var mem *location
	if p := a.locations[i.b]; a.in[i.b] < 0 && a.kept[i.b] && a.asm.foldable(i.op, width) && !a.soon(i.b, k) &&
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
	a.asm.operate(&i, width, dst, ra, rb, rc, mem)
	a.release(k, i.a, i.b, i.c)
	a.put(Value(k), dst)
}

func commutes(op operation) bool {
	switch op {
	case opAdd, opMul, opAnd, opOr, opXor, opUnordered, opSum:
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
	a.asm.load(r, a.locations[v], a.width(v))
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

// next is the first use of a value from instruction k on, -1 for none. k is not before the instruction that is written.
func (a *allocation) next(v Value, k int32) int32 {
	for a.use[v] < a.behind[v] && a.uses[a.use[v]] < a.now {
		a.use[v]++
	}
	for _, u := range a.uses[a.use[v]:a.behind[v]] {
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
		if a.spilt[v] >= 0 && !slices.Contains(a.ending, v) {
			a.ending = append(a.ending, v)
		}
	}
}

// free returns an empty register. If all are full, it frees a register whose value instruction k does not need, with
// the latest next use.
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
	if !a.kept[v] {
		s := a.spill(a.width(v))
		p := location{inMemory, s}
		a.asm.store(p, victim, a.width(v), false)
		a.lies(v, p)
		a.spilt[v] = s
	}
	a.in[v], a.holds[victim] = -1, none
	return victim
}

// spill returns a place for a value that gives way. Wide ones lie at multiples of their width.
func (a *allocation) spill(width int) int32 {
	if n := len(a.unused[width]); n > 0 {
		s := a.unused[width][n-1]
		a.unused[width] = a.unused[width][:n-1]
		return s
	}
	for ; a.end%int32(width) != 0; a.end++ {
		a.unused[1] = append(a.unused[1], a.end)
	}
	s := a.end
	a.end += int32(width)
	return s
}
