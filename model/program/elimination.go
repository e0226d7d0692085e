package program

import (
	"math"

	"skidpad/tire/machinecode"
)

// elimination solves (A - c R) k = A b for the matrices A and R of an implicit system, by Gaussian elimination with
// pivots on the diagonal. The sparsity patterns are known, and the operations and their order are fixed in advance, so
// that the work is constant and can be machine code. The order of pivots creates few entries (Markowitz 1957). If a
// pivot vanishes, fullPivots solves the system with row exchanges.
type elimination struct {
	n               int   // unknowns: the states, and behind them the reactions of constraints
	states          int   // number of given elements of b
	c, given, right int32 // slots of -c, of the first b, and of the first number of A b, which becomes k
	size            int32 // of the memory
	factors, solves []eliminated
	mass, entries   []entry // of A, without implicit ones of rows without entries, and of R

	blocks []*Block // factors and solves as machine code; nil without machine code
}

// eliminated is one operation on slots.
type eliminated struct {
	kind    elimKind
	d, a, b int32
}

type elimKind uint8

const (
	elimUnit     elimKind = iota // d = 1
	elimCopy                     // d = a
	elimScale                    // d = a b
	elimAdd                      // d = d + a b, rounded once
	elimSubtract                 // d = d - a b, rounded once
	elimFill                     // d = -(a b)
	elimPivot                    // d = 1/a, unless a vanishes next to b
)

// vanishing is the smallest allowed ratio of a pivot to its initial value.
const vanishing = 1e-6

// newElimination plans the elimination for entries in slots of a memory; first is the first slot of the elimination
// itself.
func newElimination(n, states int, mass, entries []entry, first int32) *elimination {
	e := &elimination{n: n, states: states, c: first, given: first + 1, mass: mass, entries: entries}
	e.right = e.given + int32(states)
	e.size = e.right + int32(n)
	p := eliminationPlan{e: e, first: make([][]eliminated, n*n), at: make([]int32, n*n), inverse: make([]int32, n)}
	explicit := p.matrix()
	p.order()
	e.multiply(explicit)
	for k := range p.sequence {
		p.row(k)
	}
	p.substitute()
	return e
}

// eliminationPlan is the state of planning an elimination.
type eliminationPlan struct {
	e        *elimination
	first    [][]eliminated // operations that compute each entry of A - c R, by row and column; nil for none
	at       []int32        // slots of the entries of A - c R and of its factors, -1 for none
	sequence []int          // of the pivots
	inverse  []int32        // slots of the pivots' inverses
}

func (p *eliminationPlan) slot() int32 { p.e.size++; return p.e.size - 1 }

// matrix plans A - c R. It returns the rows without entries in A, which have a one on the diagonal.
func (p *eliminationPlan) matrix() (explicit []bool) {
	n := p.e.n
	for i := range p.at {
		p.at[i] = -1
	}
	explicit = make([]bool, n)
	for i := range explicit {
		explicit[i] = true
	}
	for _, x := range p.e.mass {
		explicit[int(x.index)/n] = false
		p.at[x.index] = p.slot()
		p.first[x.index] = []eliminated{{kind: elimCopy, d: p.at[x.index], a: x.slot}}
	}
	for i := range n {
		if k := i*n + i; explicit[i] {
			p.at[k] = p.slot()
			p.first[k] = []eliminated{{kind: elimUnit, d: p.at[k]}}
		}
	}
	for _, x := range p.e.entries {
		kind := elimAdd
		if p.at[x.index] < 0 {
			p.at[x.index], kind = p.slot(), elimScale
		}
		p.first[x.index] = append(p.first[x.index], eliminated{kind, p.at[x.index], x.slot, p.e.c})
	}
	return explicit
}

// order finds the sequence of the pivots and the fill-in.
func (p *eliminationPlan) order() {
	n := p.e.n
	left := make([]bool, n)
	for i := range left {
		left[i] = true
	}
	for range n {
		k := markowitz(p.at, left)
		left[k] = false
		p.sequence = append(p.sequence, k)
		for i := range n {
			for j := range n {
				if left[i] && left[j] && p.at[i*n+k] >= 0 && p.at[k*n+j] >= 0 && p.at[i*n+j] < 0 {
					p.at[i*n+j] = p.slot()
				}
			}
		}
	}
}

// row plans the factors of a row, entry by entry, and its part of the substitution.
func (p *eliminationPlan) row(k int) {
	e, n, i := p.e, p.e.n, p.sequence[k]
	do := func(kind elimKind, d, a, b int32) { e.factors = append(e.factors, eliminated{kind, d, a, b}) }
	for m, j := range p.sequence {
		at := p.at[i*n+j]
		if at < 0 && i != j {
			continue
		}
		scale := int32(-1)
		if i == j {
			if at < 0 { // without an entry, the pivot vanishes
				at = p.slot()
			}
			scale = p.slot()
		}
		e.factors = append(e.factors, p.first[i*n+j]...)
		begun := len(p.first[i*n+j]) > 0
		if begun && i == j {
			do(elimCopy, scale, at, 0)
		}
		for _, l := range p.sequence[:min(k, m)] {
			if p.at[i*n+l] < 0 || p.at[l*n+j] < 0 {
				continue
			}
			if begun {
				do(elimSubtract, at, p.at[i*n+l], p.at[l*n+j])
				continue
			}
			begun = true
			do(elimFill, at, p.at[i*n+l], p.at[l*n+j])
			if i == j {
				do(elimCopy, scale, at, 0)
			}
		}
		switch {
		case m < k:
			do(elimScale, at, at, p.inverse[j])
			e.solves = append(e.solves, eliminated{elimSubtract, e.right + int32(i), at, e.right + int32(j)})
		case i == j:
			p.inverse[i] = p.slot()
			do(elimPivot, p.inverse[i], at, scale)
		}
	}
}

// substitute plans the substitution backwards.
func (p *eliminationPlan) substitute() {
	e, n := p.e, p.e.n
	for k := n - 1; k >= 0; k-- {
		i := p.sequence[k]
		for _, j := range p.sequence[k+1:] {
			if p.at[i*n+j] >= 0 {
				e.solves = append(e.solves, eliminated{elimSubtract, e.right + int32(i), p.at[i*n+j],
					e.right + int32(j)})
			}
		}
		e.solves = append(e.solves, eliminated{elimScale, e.right + int32(i), e.right + int32(i), p.inverse[i]})
	}
}

// multiply plans A b.
func (e *elimination) multiply(explicit []bool) {
	for i, is := range explicit {
		if is {
			e.solves = append(e.solves, eliminated{kind: elimCopy, d: e.right + int32(i), a: e.given + int32(i)})
		}
	}
	begun := map[int]bool{}
	for _, x := range e.mass {
		i, j := int(x.index)/e.n, int(x.index)%e.n
		if j >= e.states {
			continue
		}
		kind := elimAdd
		if !begun[i] {
			begun[i], kind = true, elimScale
		}
		e.solves = append(e.solves, eliminated{kind, e.right + int32(i), x.slot, e.given + int32(j)})
	}
}

// markowitz chooses the next pivot: the existing diagonal entry with the smallest possible fill-in.
func markowitz(at []int32, left []bool) int {
	n := len(left)
	best, least := -1, math.MaxInt
	for k := range n {
		if !left[k] || at[k*n+k] < 0 && best >= 0 {
			continue
		}
		rows, columns := 0, 0
		for i := range n {
			if i != k && left[i] && at[i*n+k] >= 0 {
				rows++
			}
			if i != k && left[i] && at[k*n+i] >= 0 {
				columns++
			}
		}
		cost := rows * columns
		if at[k*n+k] < 0 {
			cost = math.MaxInt - 1
		}
		if cost < least {
			best, least = k, cost
		}
	}
	return best
}

// compile makes machine code of the work, if possible.
func (e *elimination) compile() {
	factors, solves := e.machineCode(nil)
	if factors == nil || solves == nil {
		return
	}
	block := func(code *machinecode.Code, operations func(*laneLayout) *machinecode.Builder) *Block {
		return &Block{Lanes: 1, Code: code,
			Operations: func() (*machinecode.Builder, error) { return operations(nil), nil }}
	}
	e.blocks = []*Block{block(factors, e.factorOperations), block(solves, e.solveOperations)}
}

// machineCode returns the work as machine code, in lanes if l is not nil; nil without machine code.
func (e *elimination) machineCode(l *laneLayout) (factors, solves *machinecode.Code) {
	lanes, size := 1, e.size
	if l != nil {
		lanes, size = Width, l.size
	}
	code := func(of *machinecode.Builder) *machinecode.Code {
		c, err := machinecode.Compile(of, int(size), lanes)
		if err != nil {
			return nil
		}
		return c
	}
	Beside(func() { factors = code(e.factorOperations(l)) }, func() { solves = code(e.solveOperations(l)) })
	return factors, solves
}

// factorOperations returns the operations of the factors, which store the numbers that solves reads.
func (e *elimination) factorOperations(l *laneLayout) *machinecode.Builder {
	read := map[int32]bool{}
	for _, o := range e.solves {
		read[o.a], read[o.b] = true, true
	}
	return e.operations(l, e.factors, func(slot int32) bool { return read[slot] })
}

// solveOperations returns the operations of a solution, which store the result.
func (e *elimination) solveOperations(l *laneLayout) *machinecode.Builder {
	return e.operations(l, e.solves, func(slot int32) bool {
		return slot >= e.right && slot < e.right+int32(e.states)
	})
}

// operations converts work to operations that store the wanted slots; l is the layout of lanes, nil for none.
func (e *elimination) operations(l *laneLayout, work []eliminated, wanted func(slot int32) bool) *machinecode.Builder {
	b := machinecode.NewBuilder()
	values := map[int32]machinecode.Value{}
	written := map[int32]bool{}
	value := func(slot int32) machinecode.Value {
		if _, ok := values[slot]; !ok {
			if l != nil {
				values[slot] = l.load(b, slot)
			} else {
				values[slot] = b.Load(slot)
			}
		}
		return values[slot]
	}
	for _, o := range work {
		var v machinecode.Value
		switch o.kind {
		case elimUnit:
			v = b.Const(1)
		case elimCopy:
			v = value(o.a)
		case elimScale:
			v = b.Mul(value(o.a), value(o.b))
		case elimAdd:
			v = b.MulAdd(value(o.a), value(o.b), value(o.d))
		case elimSubtract:
			v = b.SubMul(value(o.a), value(o.b), value(o.d))
		case elimFill:
			v = b.Neg(b.Mul(value(o.a), value(o.b)))
		case elimPivot:
			b.Guard(b.NotLess(b.Mul(b.Const(vanishing), b.Abs(value(o.b))), b.Abs(value(o.a))))
			v = b.Div(b.Const(1), value(o.a))
		}
		values[o.d], written[o.d] = v, true
	}
	for slot := range e.size {
		if written[slot] && wanted(slot) {
			at := slot
			if l != nil {
				at = l.index[slot]
			}
			b.Store(at, values[slot])
		}
	}
	return b
}

// factorise prepares solve for the number c. It reports whether no pivot vanished.
func (e *elimination) factorise(v []float64, c float64, native bool) bool {
	v[e.c] = -c
	if native && e.blocks != nil {
		return e.blocks[0].Code.Run(v)
	}
	return eliminate(e.factors, v)
}

// solve replaces the right-hand side by the result.
func (e *elimination) solve(v []float64, native bool) {
	if native && e.blocks != nil {
		e.blocks[1].Code.Run(v)
		return
	}
	eliminate(e.solves, v)
}

func eliminate(work []eliminated, v []float64) bool {
	good := true
	for _, o := range work {
		switch o.kind {
		case elimUnit:
			v[o.d] = 1
		case elimCopy:
			v[o.d] = v[o.a]
		case elimScale:
			v[o.d] = v[o.a] * v[o.b]
		case elimAdd:
			v[o.d] = math.FMA(v[o.a], v[o.b], v[o.d])
		case elimSubtract:
			v[o.d] = math.FMA(-v[o.a], v[o.b], v[o.d])
		case elimFill:
			v[o.d] = -(v[o.a] * v[o.b])
		case elimPivot:
			good = good && vanishing*math.Abs(v[o.b]) < math.Abs(v[o.a])
			v[o.d] = 1 / v[o.a]
		}
	}
	return good
}

// fullPivots solves the same system with row exchanges, for any pattern.
type fullPivots struct {
	lu, right []float64
	row       []int
}

func newFullPivots(n int) *fullPivots {
	return &fullPivots{make([]float64, n*n), make([]float64, n), make([]int, n)}
}

// factorise takes the entries of A and R from a memory.
func (p *fullPivots) factorise(e *elimination, v []float64) {
	n := e.n
	clear(p.lu)
	clear(p.row)
	for _, x := range e.mass {
		p.lu[x.index] = v[x.slot]
		p.row[int(x.index)/n] = 1
	}
	for i, implicit := range p.row {
		if implicit == 0 {
			p.lu[i*n+i] = 1
		}
	}
	for _, x := range e.entries {
		p.lu[x.index] += float64(v[e.c] * v[x.slot])
	}
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(p.lu[i*n+k]) > math.Abs(p.lu[best*n+k]) {
				best = i
			}
		}
		p.row[k] = best
		for j := range n {
			p.lu[k*n+j], p.lu[best*n+j] = p.lu[best*n+j], p.lu[k*n+j]
		}
		inverse := 1 / p.lu[k*n+k]
		for i := k + 1; i < n; i++ {
			l := p.lu[i*n+k] * inverse
			p.lu[i*n+k] = l
			for j := k + 1; j < n; j++ {
				p.lu[i*n+j] -= float64(l * p.lu[k*n+j])
			}
		}
	}
}

// solve replaces b by k.
func (p *fullPivots) solve(e *elimination, v []float64, b []float64) {
	n := e.n
	y := p.right
	clear(y)
	copy(y, b)
	for _, x := range e.mass {
		y[int(x.index)/n] = 0
	}
	for _, x := range e.mass {
		if j := int(x.index) % n; j < e.states {
			y[int(x.index)/n] += float64(v[x.slot] * b[j])
		}
	}
	for k, q := range p.row {
		y[k], y[q] = y[q], y[k]
	}
	for i := range n {
		for j := range i {
			y[i] -= float64(p.lu[i*n+j] * y[j])
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			y[i] -= float64(p.lu[i*n+j] * y[j])
		}
		y[i] /= p.lu[i*n+i]
	}
	copy(b, y)
}
