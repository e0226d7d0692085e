package machinecode

// ordered is b with its operations in an order in which few have to wait for their operands. Processors look some
// hundred operations ahead, but only a few dozen of those can wait at a time. Results are the same: no operation
// changes.
//
// It is list scheduling within a window of the given order. Of the ready operations it takes the operation that can
// begin first, then the operation with the longest chain of dependents. While more values are needed than there are
// registers, it takes the operation that leaves the fewest values.
func ordered(b *Builder, registers int) *Builder {
	s := newSchedule(b)
	for len(s.done) < len(s.given) {
		s.admit()
		s.next(registers)
	}
	return s.rewrite()
}

// window is how many operations of the given order the next one is chosen from. With fewer, chains wait; with more,
// values wait, in memory.
const window = 60

// issues is how many operations are thought to begin in a cycle.
const issues = 2

// schedule is an order in the making.
type schedule struct {
	b        *Builder
	given    []Value    // the operations in the given order, without constants and loads, which have no place in it
	operands [][3]Value // by value: which it waits for, each once
	arity    []uint8    // by value: how many these are
	users    []Value    // by value, behind each other
	firstOf  []int32    // by value: where its users begin; one more entry than there are values
	waits    []int32    // by value: for how many operands
	left     []int32    // by value: users that are still to come
	chain    []int32    // by value: cycles until the last result that depends on it
	from     []int32    // by value: the first cycle with all operands available

	admitted int // of the given ones
	ready    []Value
	done     []Value
	cycle    int32
	begun    int // in this cycle
	alive    int // values that are there and have users to come
}

func newSchedule(b *Builder) *schedule {
	n := len(b.code)
	s := &schedule{b: b, operands: make([][3]Value, n), arity: make([]uint8, n), waits: make([]int32, n),
		firstOf: make([]int32, n+1), left: make([]int32, n), chain: make([]int32, n), from: make([]int32, n)}
	live := b.live()
	for k := range b.code {
		if !live[k] || s.floats(Value(k)) {
			continue
		}
		s.given = append(s.given, Value(k))
		list, count := b.code[k].operands()
		for i, v := range list[:count] {
			if !s.floats(v) && (i == 0 || v != list[0]) && (i < 2 || v != list[1]) {
				s.operands[k][s.arity[k]] = v
				s.arity[k]++
				s.left[v]++
			}
		}
		s.waits[k] = int32(s.arity[k])
	}
	for k := n - 1; k >= 0; k-- {
		s.chain[k] += b.code[k].cycles()
		for _, v := range s.needs(Value(k)) {
			s.chain[v] = max(s.chain[v], s.chain[k])
		}
	}
	s.findUsers()
	return s
}

// findUsers lists the users of each value, ascending.
func (s *schedule) findUsers() {
	for k, n := range s.left {
		s.firstOf[k+1] = s.firstOf[k] + n
	}
	s.users = make([]Value, s.firstOf[len(s.left)])
	filled := make([]int32, len(s.left))
	for _, k := range s.given {
		for _, v := range s.needs(k) {
			s.users[s.firstOf[v]+filled[v]] = k
			filled[v]++
		}
	}
}

// needs lists the values that an operation waits for, each once.
func (s *schedule) needs(v Value) []Value { return s.operands[v][:s.arity[v]] }

func (s *schedule) usersOf(v Value) []Value { return s.users[s.firstOf[v]:s.firstOf[v+1]] }

// floats reports whether a value is there from the begin.
func (s *schedule) floats(v Value) bool {
	op := s.b.code[v].op
	return op == opConst || op == opLoad || op == opFixed
}

// cycles is how long processors take for the result of an operation, about.
func (i *instruction) cycles() int32 {
	switch i.op {
	case opConst, opLoad, opFixed, opStore, opGuard:
		return 0
	case opAdd, opSub, opMul, opAddSub, opMulAdd, opMulSub, opSubMul:
		return 3
	case opDiv:
		return 13
	case opSqrt:
		return 20
	case opGather:
		return 14
	}
	return 1
}

// admit fills the window.
func (s *schedule) admit() {
	for s.admitted < len(s.given) && s.admitted < len(s.done)+window {
		v := s.given[s.admitted]
		s.admitted++
		if s.waits[v] -= admission; s.waits[v] == -admission {
			s.ready = append(s.ready, v)
		}
	}
}

// admission is subtracted from the number of results that an operation waits for when the operation is admitted: a
// number below 0 means that the operation is in the window.
const admission = 1 << 8

// more is how many more values there are after an operation.
func (s *schedule) more(v Value) int32 {
	n := int32(1)
	if op := s.b.code[v].op; op == opStore || op == opGuard {
		n = 0
	}
	for _, x := range s.needs(v) {
		if s.left[x] == 1 {
			n--
		}
	}
	return n
}

// next takes an operation.
func (s *schedule) next(registers int) {
	best, key := 0, [4]int32{}
	for i, v := range s.ready {
		begin, more := max(s.cycle, s.from[v]), s.more(v)
		k := [4]int32{begin, -s.chain[v], more, int32(v)}
		if s.alive >= registers {
			k = [4]int32{more, begin, -s.chain[v], int32(v)}
		}
		if i == 0 || before(&k, &key) {
			best, key = i, k
		}
	}
	v := s.ready[best]
	s.ready[best] = s.ready[len(s.ready)-1]
	s.ready = s.ready[:len(s.ready)-1]
	s.alive += int(s.more(v))
	for _, x := range s.needs(v) {
		s.left[x]--
	}
	s.done = append(s.done, v)
	if s.from[v] > s.cycle {
		s.cycle, s.begun = s.from[v], 0
	}
	for _, u := range s.usersOf(v) {
		s.from[u] = max(s.from[u], s.cycle+s.b.code[v].cycles())
		if s.waits[u]--; s.waits[u] == -admission {
			s.ready = append(s.ready, u)
		}
	}
	if s.begun++; s.begun == issues {
		s.cycle, s.begun = s.cycle+1, 0
	}
}

// before reports whether a stands before b in lexicographic order.
func before(a, b *[4]int32) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// rewrite writes the operations in the order found.
func (s *schedule) rewrite() *Builder {
	to := *s.b
	to.code, to.known = make([]instruction, 0, len(s.b.code)), nil
	at := make([]Value, len(s.b.code))
	emit := func(v Value) {
		i := s.b.code[v]
		operands := [3]*Value{&i.a, &i.b, &i.c}
		list, count := i.operands()
		for n, x := range list[:count] {
			*operands[n] = at[x]
		}
		at[v] = Value(len(to.code))
		to.code = append(to.code, i)
	}
	live := s.b.live()
	for k := range s.b.code {
		if live[k] && s.floats(Value(k)) {
			emit(Value(k))
		}
	}
	for _, v := range s.done {
		emit(v)
	}
	return &to
}
