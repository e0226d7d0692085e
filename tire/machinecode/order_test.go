package machinecode

import (
	"slices"
	"testing"
)

// stall is how many cycles a processor takes that begins operations in their order, at most two in a cycle, and none
// before its operands are there.
func stall(b *Builder) int32 {
	there := make([]int32, len(b.code))
	cycle, begun := int32(0), 0
	for k := range b.code {
		i := &b.code[k]
		if i.op == opConst || i.op == opLoad {
			continue
		}
		for _, v := range needed(i) {
			if there[v] > cycle {
				cycle, begun = there[v], 0
			}
		}
		there[k] = cycle + i.cycles()
		if begun++; begun == 2 {
			cycle, begun = cycle+1, 0
		}
	}
	return cycle
}

// needed lists the operands of an instruction.
func needed(i *instruction) []Value {
	list, n := i.operands()
	return list[:n]
}

// waiting is how many results are there at most that later operations need.
func waiting(b *Builder) int {
	last := make([]int, len(b.code))
	for k := range b.code {
		for _, v := range needed(&b.code[k]) {
			last[v] = k
		}
	}
	alive, most := 0, 0
	for k := range b.code {
		var ended []Value
		for _, v := range needed(&b.code[k]) {
			if op := b.code[v].op; last[v] == k && op != opConst && op != opLoad && !slices.Contains(ended, v) {
				ended = append(ended, v)
			}
		}
		if alive -= len(ended); last[k] > k && b.code[k].op != opLoad && b.code[k].op != opConst {
			alive++
		}
		most = max(most, alive)
	}
	return most
}

// Chains that are given one after the other run in parallel.
func TestChainsDoNotWaitForEachOther(t *testing.T) {
	b := NewBuilder()
	const chains, links = 12, 20
	for n := range int32(chains) {
		x := b.Load(n)
		for k := range links {
			x = b.Mul(x, b.Const(1+0.01*float64(k)))
		}
		b.Store(chains+n, x)
	}
	given, made := stall(b), stall(ordered(b, 14))
	if given != 3*chains*links || made > given/3 {
		t.Errorf("%d cycles in the given order, %d in that made; three chains beside each other take %d", given, made,
			given/3)
	}
	if alive := waiting(ordered(b, 14)); alive > 14 {
		t.Errorf("%d values are there at a time", alive)
	}
}

// What the longest chain waits for comes first.
func TestTheLongestChainBegins(t *testing.T) {
	b := NewBuilder()
	for n := range int32(18) {
		b.Store(40+n, b.Add(b.Load(n), b.Const(1)))
	}
	x := b.Load(20)
	const links = 30
	for range links {
		x = b.Mul(x, x)
	}
	b.Store(60, x)
	if given, made := stall(b), stall(ordered(b, 14)); given <= 3*links+10 || made > 3*links+2 {
		t.Errorf("%d cycles, %d as given; the chain takes %d", made, given, 3*links)
	}
}

// The sum of quotients of many numbers needs few registers if it is added up at once.
func TestOrderKeepsToTheRegisters(t *testing.T) {
	for registers, most := range map[int]int32{6: 85, 10: 60, 14: 45} { // % of the cycles in the given order
		b := NewBuilder()
		var sum func(from, to int32) Value
		sum = func(from, to int32) Value {
			if to-from == 1 {
				quotient := b.Div(b.Load(2*from), b.Load(2*from+1))
				return b.Sub(quotient, b.Mul(quotient, b.Load(2*from)))
			}
			middle := (from + to) / 2
			return b.Add(sum(from, middle), sum(middle, to))
		}
		b.Store(512, sum(0, 256))
		// some stand half-way when there is no room for more
		if alive := waiting(ordered(b, registers)); alive > registers+22 {
			t.Errorf("%d values at a time for %d registers", alive, registers)
		}
		if given, made := stall(b), stall(ordered(b, registers)); made > given*most/100 {
			t.Errorf("%d registers: %d cycles, %d as given", registers, made, given)
		}
	}
}

// Random programs keep their results, and every operation that a result needs stands there once, behind its operands.
func TestOrderKeepsEveryOperation(t *testing.T) {
	for seed := range uint64(60) {
		v := newVehicle(seed)
		s := newSchedule(v.b)
		for len(s.done) < len(s.given) {
			s.admit()
			s.next(14)
		}
		if s.alive != 0 {
			t.Errorf("seed %d: %d values are there at the end that nothing needs", seed, s.alive)
		}
		made := s.rewrite()
		count := func(b *Builder) map[operation]int {
			list := map[operation]int{}
			for k, live := range b.live() {
				if live {
					list[b.code[k].op]++
				}
			}
			return list
		}
		want, got := count(v.b), count(made)
		for op, n := range want {
			if got[op] != n {
				t.Errorf("seed %d: %d operations of kind %d, not %d", seed, got[op], op, n)
			}
		}
		for k := range made.code {
			for _, x := range needed(&made.code[k]) {
				if int(x) >= k {
					t.Fatalf("seed %d: operation %d needs operation %d", seed, k, x)
				}
			}
		}
		last := int(v.slots) + v.results
		one, other := make([]float64, last), make([]float64, last)
		for i := range v.slots {
			one[i] = v.r.NormFloat64()
			other[i] = one[i]
		}
		if v.b.interpret(one, nil, 1) != made.interpret(other, nil, 1) {
			t.Errorf("seed %d: guards differ", seed)
		}
		for i := range one {
			if !same(one[i], other[i]) {
				t.Fatalf("seed %d: slot %d is %g, in the given order %g", seed, i, other[i], one[i])
			}
		}
	}
}

// Equal operations are one, however many others have been made since.
func TestEqualOperationsAreMerged(t *testing.T) {
	b := NewBuilder()
	write := func() {
		for n := range int32(3000) {
			b.Add(b.Load(n), b.Const(float64(n)))
		}
	}
	write()
	made := len(b.code)
	if write(); len(b.code) != made {
		t.Errorf("%d operations are made again", len(b.code)-made)
	}
}
