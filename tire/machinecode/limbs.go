package machinecode

import (
	"cmp"
	"slices"
)

// Limbs are packed operations: operations that a vehicle repeats with other numbers (left and right, front and rear)
// are put side by side. Results are bit-identical to the single operations.
//
// Operations are paired from results down to operands (superword-level parallelism, Larsen and Amarasinghe 2000). Two
// that depend on their operands in the same way, signs apart, become one of twice the width. Then pairs are paired.
type Limbs struct {
	b     *Builder
	slots int // of copies
}

// LimbsOf finds the limbs of b, for memories with some fixed slots: they change seldom, and Code.Prepare must be called
// after a change. It returns nil if limbs bring no gain.
func LimbsOf(b *Builder, fixed func(slot int32) bool) *Limbs {
	if !packs {
		return nil
	}
	return findLimbs(b, fixed)
}

// findLimbs does the same for processors that have no packed operations, too: Text has them.
func findLimbs(b *Builder, fixed func(slot int32) bool) *Limbs {
	wide := signed(b)
	before := len(wide.code)
	for width := uint8(1); width < full; width *= 2 {
		l := newPairing(wide, width, fixed)
		l.find()
		pairs := l.count()
		if width == 1 && before > many && pairs < before/fewPairs {
			return nil
		}
		if pairs == 0 {
			break
		}
		wide = l.rewrite()
	}
	if len(wide.code) > before*9/10 {
		return nil
	}
	wide = lowered(wide)
	return &Limbs{wide, len(wide.copied)}
}

// For code with many operations, fewer than one pair in fewPairs operations saves no shipped vehicle a tenth of the
// operations, with moves subtracted. Rewriting such code would waste time.
const (
	many     = 20000
	fewPairs = 8
)

// full is the largest width: that of whole YMM registers.
const full = 4

// Copies is how many slots a memory needs for copies of fixed ones.
func (l *Limbs) Copies() int { return l.slots }

// Compile makes code for memories with the given number of slots; the slots from copies on hold copies.
func (l *Limbs) Compile(copies, slots int) (*Code, error) {
	c, err := assemble(l.moved(copies), slots, 1, true)
	if err != nil {
		return nil, err
	}
	c.copied, c.copies = l.b.copied, copies
	return c, nil
}

// moved returns the operations for memories whose copies begin at a slot.
func (l *Limbs) moved(copies int) *Builder {
	moved := *l.b
	moved.code = slices.Clone(l.b.code)
	for k := range moved.code {
		if i := &moved.code[k]; i.op == opLoad && i.width > 1 {
			i.n += int32(copies)
		}
	}
	return &moved
}

// pairing pairs operations of one width.
type pairing struct {
	b       *Builder
	width   uint8
	fixed   func(slot int32) bool
	live    []bool
	terms   [][3]term // operands of operations of the width
	arity   []uint8
	hash    []uint64 // equal for operations that may be paired; for leaves and other widths, see newPairing
	depth   []int32  // of operations below; only equal ones are paired, so that no pair waits for itself
	partner []Value
	second  []bool  // of its pair
	crossed []bool  // by first of a pair: the operands of the second one are the other way round
	beside  []Value // by leaf: the one that was wanted beside it, or none

	to      *Builder
	written []Value // by value: the copy of the value or of its pair
}

// Hashes of values that are not paired themselves.
const (
	foreign = iota // of another width
	leaf           // put side by side where that is wanted
)

func newPairing(b *Builder, width uint8, fixed func(slot int32) bool) *pairing {
	n := len(b.code)
	l := &pairing{b: b, width: width, fixed: fixed, live: b.live(), hash: make([]uint64, n), terms: make([][3]term, n),
		arity: make([]uint8, n), depth: make([]int32, n),
		partner: make([]Value, n), second: make([]bool, n), crossed: make([]bool, n), beside: make([]Value, n)}
	for k := range b.code {
		l.partner[k], l.beside[k] = none, none
		i := &b.code[k]
		list, n := i.operands()
		for _, v := range list[:n] {
			l.depth[k] = max(l.depth[k], l.depth[v]+1)
		}
		if i.op == opSign { // which are part of those that use them
			l.depth[k]--
		}
		switch {
		case i.width != width || i.op == opStore || i.op == opGuard:
			l.hash[k] = foreign
			continue
		case i.op == opConst || i.op == opLoad || i.op == opFixed || i.op == opPair || i.op == opSplat || i.op == opUpper:
			l.hash[k] = leaf
			continue
		}
		l.findTerms(Value(k))
		h := mix(uint64(i.op), 0)
		switch i.op {
		case opAdd, opSub:
			h = mix(uint64(opSum), 0)
		case opShiftLeft, opShiftRight:
			h = mix(h, uint64(i.n))
		}
		var below [3]uint64
		terms := l.terms[k][:l.arity[k]]
		for t, x := range terms {
			below[t] = l.hash[x.of]
		}
		if commutes(i.op) || i.op == opSub {
			slices.Sort(below[:len(terms)])
		}
		for _, x := range below[:len(terms)] {
			h = mix(h, x)
		}
		l.hash[k] = max(h, leaf+1)
	}
	return l
}

func mix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// all are the signs of operations of the width, all set.
func (l *pairing) all() uint8 { return 1<<l.width - 1 }

// strip takes the signs from a value.
func (l *pairing) strip(v Value) (base Value, signs uint8) {
	for i := &l.b.code[v]; i.op == opSign && i.width == l.width; i = &l.b.code[v] {
		v, signs = i.a, signs^i.signs[0]
	}
	return v, signs
}

// term is an operand with signs.
type term struct {
	of    Value
	signs uint8
}

// findTerms finds the operands of an operation.
func (l *pairing) findTerms(k Value) {
	i := &l.b.code[k]
	list, count := i.operands()
	for n, v := range list[:count] {
		base, signs := l.strip(v)
		switch {
		case i.op == opSum:
			signs ^= i.signs[n]
		case i.op == opSub && n == 1:
			signs ^= l.all()
		}
		l.terms[k][n] = term{base, signs}
		l.arity[k]++
	}
}

// find pairs operations as far as that is worth it.
func (l *pairing) find() {
	l.matchAll()
	newPruning(l).run()
}

// matchAll pairs equal operations: first the operations that exist twice, the deepest ones first, then the operations
// that exist four times, and so on.
func (l *pairing) matchAll() {
	classes := map[uint64][]Value{}
	for k := range l.b.code {
		if l.live[k] && l.hash[k] > leaf && l.b.code[k].op != opSign {
			classes[l.hash[k]] = append(classes[l.hash[k]], Value(k))
		}
	}
	var list [][]Value
	for _, c := range classes {
		if len(c)%2 == 0 {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b []Value) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(l.depth[b[0]], l.depth[a[0]]), cmp.Compare(a[0], b[0]))
	})
	for _, c := range list {
		var left []Value
		for _, v := range c {
			if l.partner[v] == none {
				left = append(left, v)
			}
		}
		for ; len(left) > 1; left = left[2:] {
			l.match(left[0], left[1])
		}
	}
}

// match pairs x with y and what they depend on.
func (l *pairing) match(x, y Value) {
	if x == y || l.hash[x] != l.hash[y] || l.hash[x] <= leaf {
		if l.hash[x] == leaf && l.hash[y] == leaf {
			l.beside[x] = y
		}
		return
	}
	if l.partner[x] != none || l.partner[y] != none || l.depth[x] != l.depth[y] {
		return
	}
	l.partner[x], l.partner[y], l.second[y] = y, x, true
	if op := l.b.code[x].op; commutes(op) || op == opSub {
		a, b := &l.terms[x], &l.terms[y]
		l.crossed[x] = l.fit(a[0].of, b[1].of)+l.fit(a[1].of, b[0].of) > l.fit(a[0].of, b[0].of)+l.fit(a[1].of, b[1].of)
	}
	a, b := l.paired(x)
	for n := range a {
		l.match(a[n].of, b[n].of)
	}
}

// fit tells how well x and y go side by side.
func (l *pairing) fit(x, y Value) int {
	switch {
	case x == y:
		return 3
	case l.partner[x] == y && l.second[y], l.beside[x] == y && l.hash[x] == leaf && l.hash[y] == leaf:
		return 4
	case l.hash[x] == l.hash[y] && l.partner[x] == none && l.partner[y] == none:
		return 2
	}
	return 0
}

// paired are the terms of the first and the second operation of a pair.
func (l *pairing) paired(x Value) (a, b []term) {
	y, n := l.partner[x], l.arity[x]
	if l.crossed[x] {
		return l.terms[x][:n], []term{l.terms[y][1], l.terms[y][0]}
	}
	return l.terms[x][:n], l.terms[y][:n]
}

func (l *pairing) count() int {
	n := 0
	for _, second := range l.second {
		if second {
			n++
		}
	}
	return n
}

// beforehand reports whether two values stand side by side before the code runs.
func (l *pairing) beforehand(x, y Value) bool {
	i, j := &l.b.code[x], &l.b.code[y]
	if i.op != j.op || i.width != l.width || j.width != l.width {
		return false
	}
	return i.op == opConst || i.op == opLoad && l.isFixed(i) && l.isFixed(j)
}

// isFixed reports whether what a load reads is fixed. Wide loads read copies of what is.
func (l *pairing) isFixed(i *instruction) bool { return i.width > 1 || l.fixed(i.n) }

func (l *pairing) isPair(x, y Value) bool { return l.partner[x] == y && l.second[y] }

func (l *pairing) isSum(x Value) bool {
	switch l.b.code[x].op {
	case opAdd, opSub, opSum:
		return true
	}
	return false
}

// rewrite writes the code with the pairs.
func (l *pairing) rewrite() *Builder {
	l.to = NewSizedBuilder(len(l.b.code))
	l.to.tables, l.to.constants, l.to.gathered = l.b.tables, l.b.constants, l.b.gathered
	l.to.copied = l.b.copied
	l.written = make([]Value, len(l.b.code))
	for k := range l.written {
		l.written[k] = none
	}
	for k := range l.b.code {
		i := l.b.code[k]
		switch {
		case i.op == opStore && l.partner[i.a] != none && l.width == 1:
			l.to.code = append(l.to.code, instruction{op: opStore, width: 1, a: l.whole(i.a), n: i.n, upper: l.second[i.a]})
		case i.op == opStore:
			i.a = l.one(i.a)
			l.to.code = append(l.to.code, i)
		case i.op == opGuard && l.partner[i.a] != none:
			l.to.make(instruction{op: opGuard, width: 2 * l.width, a: l.whole(i.a)})
		case i.op == opGuard:
			i.a = l.one(i.a)
			l.to.make(i)
		}
	}
	return l.to
}

// one is a value by itself.
func (l *pairing) one(v Value) Value {
	if l.partner[v] != none {
		pair := l.whole(v)
		if !l.second[v] {
			return pair
		}
		return l.to.make(instruction{op: opUpper, width: l.width, a: pair})
	}
	if l.written[v] != none {
		return l.written[v]
	}
	i := l.b.code[v]
	operands := [3]*Value{&i.a, &i.b, &i.c}
	list, count := i.operands()
	for n, x := range list[:count] {
		*operands[n] = l.one(x)
	}
	l.written[v] = l.to.make(i)
	return l.written[v]
}

// whole is the pair that a value is part of.
func (l *pairing) whole(v Value) Value {
	x := v
	if l.second[v] {
		x = l.partner[v]
	}
	if l.written[x] != none {
		return l.written[x]
	}
	i, j := &l.b.code[x], &l.b.code[l.partner[x]]
	o := instruction{op: i.op, width: 2 * l.width, n: i.n}
	a, b := l.paired(x)
	sum := l.isSum(x)
	if sum {
		o.op = opSum
	}
	operands := [3]*Value{&o.a, &o.b, &o.c}
	for n := range a {
		pair, signs := l.sideBySide(a[n], b[n])
		if sum {
			o.signs[n] = signs
		} else {
			pair = l.sign(pair, signs)
		}
		*operands[n] = pair
	}
	if o.op == opGather {
		o.n = l.tables(i, j)
	}
	l.written[x] = l.to.make(o)
	return l.written[x]
}

// tables returns the tables of two gathers.
func (l *pairing) tables(i, j *instruction) int32 {
	var both [4]int32
	for n, x := range [...]*instruction{i, j} {
		if l.width == 1 {
			both[n] = x.n
		} else {
			copy(both[n*int(l.width):], l.b.gathered[x.n][:l.width])
		}
	}
	at := slices.Index(l.to.gathered, both)
	if at < 0 {
		at = len(l.to.gathered)
		l.to.gathered = append(l.to.gathered, both)
	}
	return int32(at)
}

// sideBySide are two values, and the signs that they still have to get.
func (l *pairing) sideBySide(x, y term) (v Value, signs uint8) {
	signs = x.signs | y.signs<<l.width
	switch {
	case l.beforehand(x.of, y.of):
		if i := &l.b.code[x.of]; i.op == opConst {
			return l.constants(i, &l.b.code[y.of]), signs
		}
		return l.loads(&l.b.code[x.of], &l.b.code[y.of]), signs
	case x.of == y.of && l.width == 1:
		return l.to.make(instruction{op: opSplat, width: 2, a: l.one(x.of)}), signs
	case x.of == y.of && l.b.code[x.of].op == opSplat:
		return l.to.make(instruction{op: opSplat, width: 4, a: l.one(l.b.code[x.of].a)}), signs
	case l.isPair(x.of, y.of):
		return l.whole(x.of), signs
	}
	return l.to.make(instruction{op: opPair, width: 2 * l.width, a: l.one(x.of), b: l.one(y.of)}), signs
}

// constants are two constants side by side.
func (l *pairing) constants(i, j *instruction) Value {
	var both [4]uint64
	for n, x := range [...]*instruction{i, j} {
		if l.width == 1 {
			both[n] = x.bits
		} else {
			copy(both[n*int(l.width):], l.b.constants[x.n][:l.width])
		}
	}
	return l.to.several(both, 2*l.width)
}

// several is a constant of several numbers.
func (b *Builder) several(bits [4]uint64, width uint8) Value {
	at := slices.Index(b.constants, bits)
	if at < 0 {
		at = len(b.constants)
		b.constants = append(b.constants, bits)
	}
	return b.make(instruction{op: opConst, width: width, n: int32(at)})
}

// loads are copies of two fixed slots, or of two such pairs.
func (l *pairing) loads(i, j *instruction) Value {
	var slots []int32
	for _, x := range [...]*instruction{i, j} {
		if l.width == 1 {
			slots = append(slots, x.n)
		} else {
			slots = append(slots, l.b.copied[x.n:][:l.width]...)
		}
	}
	at := 0
	for ; at+len(slots) <= len(l.to.copied); at += 2 {
		if slices.Equal(l.to.copied[at:at+len(slots)], slots) {
			break
		}
	}
	if at+len(slots) > len(l.to.copied) {
		at = len(l.to.copied)
		l.to.copied = append(l.to.copied, slots...)
	}
	return l.to.make(instruction{op: opLoad, width: 2 * l.width, n: int32(at)})
}

// sign is a pair with signs.
func (l *pairing) sign(v Value, signs uint8) Value {
	if signs == 0 {
		return v
	}
	return l.to.make(instruction{op: opSign, width: 2 * l.width, a: v, signs: [2]uint8{signs}})
}
