package machinecode

// worthIt is how many moves a pair may cost. It saves one operation, but moves wait less than sums and products do:
// shipped vehicles are fastest between 1.2 and 1.6.
const worthIt = 1.26

// pruning dissolves pairs that cost more moves than they save operations. It works in rounds, because each dissolved
// pair can make other pairs more expensive.
type pruning struct {
	*pairing
	alone   []bool // by value: it is wanted by itself, too
	index   []int32
	wanted  []move
	moves   [][3]int32 // by first of a pair: the entries of wanted for its operands; none for free operands
	costly  []bool     // by value: first of a pair whose costs may have grown
	changed []Value    // these
	split   []Value    // firsts of pairs dissolved in this round
}

// move puts two values side by side.
type move struct {
	x, y  Value
	count int32   // number of pairs that need the move and share its costs
	users []Value // firsts of pairs that want both side by side, also while they are a pair
}

func newPruning(l *pairing) *pruning {
	n := len(l.b.code)
	p := &pruning{pairing: l, alone: make([]bool, n), moves: make([][3]int32, n), costly: make([]bool, n)}
	p.grow(1 << 10)
	for k := range l.b.code {
		i := &l.b.code[k]
		x := Value(k)
		switch {
		case !l.live[k] || i.op == opSign || i.op == opStore && l.width == 1 || i.op == opGuard || l.second[k]:
		case l.partner[k] == none && l.hash[k] > leaf:
			p.single(x)
		case l.partner[k] == none:
			list, n := i.operands()
			for _, v := range list[:n] {
				base, _ := l.strip(v)
				p.wantAlone(base)
			}
		default:
			p.look(x)
			a, b := l.paired(x)
			for n := range a {
				x, y := a[n].of, b[n].of
				if l.beforehand(x, y) {
					p.moves[k][n] = -1
					continue
				}
				m := p.move(x, y)
				p.moves[k][n] = m
				p.wanted[m].users = append(p.wanted[m].users, Value(k))
				if !l.isPair(x, y) {
					p.wanted[m].count++
					p.wantAlone(x)
					p.wantAlone(y)
				}
			}
		}
	}
	return p
}

// run dissolves pairs until all are worth it.
func (p *pruning) run() {
	for len(p.changed) > 0 {
		p.split = p.split[:0]
		for _, x := range p.changed {
			p.costly[x] = false
			if p.partner[x] != none && p.cost(x) > worthIt {
				p.split = append(p.split, x)
			}
		}
		p.changed = p.changed[:0]
		for _, x := range p.split {
			p.dissolve(x)
		}
	}
}

// cost is how many moves a pair costs.
func (p *pruning) cost(x Value) float64 {
	cost := 0.0
	a, b := p.paired(x)
	sum := p.isSum(x)
	for n := range a {
		if m := p.moves[x][n]; m >= 0 && p.wanted[m].count > 0 {
			cost += 1 / float64(p.wanted[m].count)
		}
		if s := a[n].signs | b[n].signs<<p.width; s != 0 && !sum {
			cost++
		}
	}
	if sum && p.turns(a, b) {
		cost++
	}
	if p.alone[p.partner[x]] {
		cost++
	}
	return cost
}

// turns reports whether a sum has signs that take an operation of their own.
func (l *pairing) turns(a, b []term) bool {
	_, _, _, plain := sumOf(l.width*2, a[0].signs|b[0].signs<<l.width, a[1].signs|b[1].signs<<l.width)
	return !plain
}

// dissolve makes two single operations of a pair.
func (p *pruning) dissolve(x Value) {
	y := p.partner[x]
	a, b := p.paired(x)
	for n := range a {
		if m := p.moves[x][n]; m >= 0 && !p.isPair(a[n].of, b[n].of) {
			p.count(m, -1)
		}
	}
	p.partner[x], p.partner[y], p.second[y] = none, none, false
	p.single(x)
	p.single(y)
	if m, known := p.known(x, y); known {
		for _, user := range p.wanted[m].users {
			if p.partner[user] != none {
				p.count(m, 1)
				p.wantAlone(x)
				p.wantAlone(y)
			}
		}
	}
}

// count changes for how many pairs a move is done.
func (p *pruning) count(m, by int32) {
	p.wanted[m].count += by
	for _, user := range p.wanted[m].users {
		p.look(user)
	}
}

// single wants the operands of an operation by themselves.
func (p *pruning) single(k Value) {
	for _, x := range p.terms[k][:p.arity[k]] {
		p.wantAlone(x.of)
	}
}

func (p *pruning) wantAlone(v Value) {
	if p.alone[v] {
		return
	}
	p.alone[v] = true
	if p.second[v] {
		p.look(p.partner[v])
	}
}

// look notes a pair whose costs may have grown.
func (p *pruning) look(x Value) {
	if !p.costly[x] {
		p.costly[x] = true
		p.changed = append(p.changed, x)
	}
}

// known returns the move of two values, if there is one.
func (p *pruning) known(x, y Value) (int32, bool) {
	at := p.entry(x, y)
	return p.index[at], p.index[at] >= 0
}

// move returns the move of two values.
func (p *pruning) move(x, y Value) int32 {
	at := p.entry(x, y)
	if p.index[at] < 0 {
		p.index[at] = int32(len(p.wanted))
		p.wanted = append(p.wanted, move{x: x, y: y})
		if 2*len(p.wanted) > len(p.index) {
			p.grow(4 * len(p.index))
		}
		return int32(len(p.wanted) - 1)
	}
	return p.index[at]
}

// entry returns where the index of moves has two values, or would have them.
func (p *pruning) entry(x, y Value) uint64 {
	last := uint64(len(p.index) - 1)
	at := mix(uint64(uint32(x))|uint64(uint32(y))<<32, 0) & last
	for ; p.index[at] >= 0; at = (at + 1) & last {
		if m := &p.wanted[p.index[at]]; m.x == x && m.y == y {
			break
		}
	}
	return at
}

// grow makes the index n long.
func (p *pruning) grow(n int) {
	p.index = make([]int32, n)
	for at := range p.index {
		p.index[at] = -1
	}
	for m := range p.wanted {
		p.index[p.entry(p.wanted[m].x, p.wanted[m].y)] = int32(m)
	}
}
