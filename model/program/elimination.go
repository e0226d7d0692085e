package program

import (
	"math"
	"slices"

	"skidpad/tire/machinecode"
)

// element is an element of a matrix in a slot.
type element struct {
	row, column int
	slot        int32
}

// system has the slots of the matrices of Implicit.
type system struct {
	unknowns, states, speeds, deflections         int
	matrix, mass, follow, lead, strain, stiffness []element
	first                                         []int32 // slots of the right-hand sides for the rates
	step                                          int32   // slot of c
}

// elimination solves the implicit system by Gaussian elimination with pivots on the diagonal. The sparsity patterns are
// known, and the operations and their order are fixed in advance, so that the work is constant and can be machine code.
// If a pivot vanishes, fullPivots solves the system with row exchanges.
type elimination struct {
	system
	given, right int32 // slots of the first b, and of the first number of the right-hand sides, which become k and l
	size         int32 // of the memory
	violations   int32 // slot of the first right-hand side of a constraint

	factors            []eliminated
	begin, rightHand   []eliminated // right-hand sides for the rates and for any b
	substitute, follow []eliminated // k and l, coordinates that follow
	firstSolve, solves []eliminated // of these: the solutions for the rates and for any b
	rows, corrects     []eliminated // right-hand sides in rows of constraints alone, and the solution for them

	blocks []*Block // factors with the first solution, and further solutions, as machine code; nil without machine code
}

// eliminated is one operation on slots.
type eliminated struct {
	kind    elimKind
	d, a, b int32
}

type elimKind uint8

const (
	elimZero     elimKind = iota // d = 0
	elimCopy                     // d = a
	elimScale                    // d = a b
	elimAdd                      // d = d + a b, rounded once
	elimSubtract                 // d = d - a b, rounded once
	elimFill                     // d = -(a b)
	elimPivot                    // d = 1/a, unless a vanishes next to b
)

// vanishing is the smallest allowed ratio of a pivot to its initial value.
const vanishing = 1e-6

// newElimination plans the elimination of a system in slots of a memory; first is the first slot of the elimination
// itself.
func newElimination(of system, first int32) *elimination {
	n := of.unknowns
	e := &elimination{system: of, given: first, right: first + int32(of.states)}
	e.size = e.right + int32(n)
	p := eliminationPlan{e: e, n: n, first: make([][]eliminated, n*n), at: make([]int32, n*n), inverse: make([]int32, n)}
	p.matrix()
	p.order()
	e.start()
	e.multiply()
	e.deflect()
	for k := range p.sequence {
		p.row(k)
	}
	p.substitute()
	e.followSpeeds()
	e.firstSolve = slices.Concat(e.begin, e.substitute, e.follow)
	e.solves = slices.Concat(e.rightHand, e.substitute, e.follow)
	e.planCorrection()
	return e
}

// eliminationPlan is the state of planning an elimination.
type eliminationPlan struct {
	e        *elimination
	n        int
	first    [][]eliminated // operations that begin each entry of the matrix, by row and column; nil for none
	at       []int32        // slots of the entries of the matrix and of its factors, -1 for none
	sequence []int          // of the pivots
	inverse  []int32        // slots of the pivots' inverses
}

func (p *eliminationPlan) slot() int32 { p.e.size++; return p.e.size - 1 }

// matrix plans the entries.
func (p *eliminationPlan) matrix() {
	for i := range p.at {
		p.at[i] = -1
	}
	for _, x := range p.e.matrix {
		at := x.row*p.n + x.column
		p.at[at] = p.slot()
		p.first[at] = []eliminated{{kind: elimCopy, d: p.at[at], a: x.slot}}
	}
}

// row plans the factors of a row, entry by entry, and its part of the substitution.
func (p *eliminationPlan) row(k int) {
	e, n, i := p.e, p.n, p.sequence[k]
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
			e.substitute = append(e.substitute, eliminated{elimSubtract, e.right + int32(i), at, e.right + int32(j)})
		case i == j:
			p.inverse[i] = p.slot()
			do(elimPivot, p.inverse[i], at, scale)
		}
	}
}

// substitute plans the substitution backwards.
func (p *eliminationPlan) substitute() {
	e, n := p.e, p.n
	do := func(kind elimKind, d, a, b int32) { e.substitute = append(e.substitute, eliminated{kind, d, a, b}) }
	for k := len(p.sequence) - 1; k >= 0; k-- {
		i := p.sequence[k]
		for _, j := range p.sequence[k+1:] {
			if p.at[i*n+j] >= 0 {
				do(elimSubtract, e.right+int32(i), p.at[i*n+j], e.right+int32(j))
			}
		}
		do(elimScale, e.right+int32(i), e.right+int32(i), p.inverse[i])
	}
}

// start plans the right-hand sides for the rates.
func (e *elimination) start() {
	follows := make([]bool, e.unknowns)
	for _, x := range e.system.follow {
		follows[x.row] = true
	}
	for i, slot := range e.first {
		to := e.right + int32(i)
		if follows[i] {
			to = e.given + int32(i)
		}
		e.begin = append(e.begin, eliminated{kind: elimCopy, d: to, a: slot})
	}
}

// planCorrection plans the changes of speeds that change rates of constraints, and c times the changes of coordinates.
func (e *elimination) planCorrection() {
	e.violations = e.size
	e.size += int32(e.unknowns - e.states)
	for i := range int32(e.unknowns) {
		o := eliminated{kind: elimZero, d: e.right + i}
		if l := i - int32(e.states); l >= 0 {
			o = eliminated{kind: elimCopy, d: e.right + i, a: e.violations + l}
		}
		e.rows = append(e.rows, o)
	}
	for i := range int32(e.states) {
		e.rows = append(e.rows, eliminated{kind: elimZero, d: e.given + i})
	}
	if e.violations < e.size {
		e.corrects = slices.Concat(e.rows, e.substitute, e.follow)
	}
}

// multiply plans A b.
func (e *elimination) multiply() {
	begun := make([]bool, e.unknowns)
	for _, x := range e.mass {
		begun[x.row] = true
	}
	for i, implicit := range begun {
		if !implicit && i < e.states {
			e.rightHand = append(e.rightHand, eliminated{kind: elimCopy, d: e.right + int32(i), a: e.given + int32(i)})
		}
	}
	clear(begun)
	for _, x := range e.mass {
		if x.column < e.states {
			e.rightHand = append(e.rightHand, e.product(x, e.right, e.given, begun))
		}
	}
}

// product plans a product of an element, or its addition to a sum that has begun. The first sum is in the slot to, the
// first factor in the slot from.
func (e *elimination) product(x element, to, from int32, begun []bool) eliminated {
	kind := elimAdd
	if !begun[x.row] {
		begun[x.row], kind = true, elimScale
	}
	return eliminated{kind, to + int32(x.row), x.slot, from + int32(x.column)}
}

// deflect plans to add c S G u.
func (e *elimination) deflect() {
	u, leads := e.size, make([]bool, e.speeds)
	e.size += int32(e.speeds)
	for _, x := range e.lead {
		from := e.given
		if x.column < e.speeds {
			from = u
		}
		e.rightHand = append(e.rightHand, e.product(x, u, from, leads))
	}
	first, begun := e.size, make([]bool, e.deflections)
	e.size += int32(e.deflections)
	for _, x := range e.strain {
		e.rightHand = append(e.rightHand, e.product(x, first, u, begun))
	}
	for i, is := range begun {
		if at := first + int32(i); is {
			e.rightHand = append(e.rightHand, eliminated{elimScale, at, at, e.step})
		}
	}
	for _, x := range e.stiffness {
		if begun[x.column] {
			e.rightHand = append(e.rightHand,
				eliminated{elimAdd, e.right + int32(x.row), x.slot, first + int32(x.column)})
		}
	}
}

// followSpeeds plans b + c T k of the coordinates that follow.
func (e *elimination) followSpeeds() {
	first, begun := e.size, make([]bool, e.states)
	e.size += int32(e.states)
	for _, x := range e.system.follow {
		e.follow = append(e.follow, e.product(x, first, e.right, begun))
	}
	for i, is := range begun {
		if at := e.right + int32(i); is {
			e.follow = append(e.follow, eliminated{kind: elimCopy, d: at, a: e.given + int32(i)},
				eliminated{elimAdd, at, first + int32(i), e.step})
		}
	}
}

// The parts of the work that are machine code.
const (
	factorBlock  = iota // factors with the first solution
	solveBlock          // further solutions
	correctBlock        // corrections of constraints, where there are constraints
)

// compile makes machine code of the work, if possible.
func (e *elimination) compile() {
	codes := e.machineCode(nil)
	if codes == nil {
		return
	}
	for k, code := range codes {
		e.blocks = append(e.blocks, &Block{Lanes: 1, Code: code,
			Operations: func() (*machinecode.Builder, error) { return e.part(nil, k), nil }})
	}
}

// part returns the operations of a part, in lanes if l is not nil.
func (e *elimination) part(l *laneLayout, k int) *machinecode.Builder {
	switch k {
	case factorBlock:
		return e.factorOperations(l)
	case solveBlock:
		return e.operations(l, e.solves, e.isResult())
	}
	return e.operations(l, e.corrects, e.isResult())
}

// machineCode returns the parts of the work as machine code, in lanes if l is not nil; nil without machine code.
func (e *elimination) machineCode(l *laneLayout) []*machinecode.Code {
	lanes, size := 1, e.size
	if l != nil {
		lanes, size = Width, l.size
	}
	parts := correctBlock
	if len(e.corrects) > 0 {
		parts++
	}
	codes := make([]*machinecode.Code, parts)
	compile := func(k int) {
		if c, err := machinecode.Compile(e.part(l, k), int(size), lanes); err == nil {
			codes[k] = c
		}
	}
	Beside(func() { compile(factorBlock) }, func() {
		for k := range codes[solveBlock:] {
			compile(solveBlock + k)
		}
	})
	if slices.Contains(codes, nil) {
		return nil
	}
	return codes
}

// factorOperations returns the operations of the factors and of the first solution, which store the numbers that solves
// reads.
func (e *elimination) factorOperations(l *laneLayout) *machinecode.Builder {
	read := map[int32]bool{}
	for _, o := range slices.Concat(e.solves, e.corrects) {
		read[o.a], read[o.b] = true, true
	}
	isResult := e.isResult()
	return e.operations(l, slices.Concat(e.factors, e.firstSolve), func(slot int32) bool {
		return read[slot] && slot >= e.right+int32(e.unknowns) || isResult(slot)
	})
}

// isResult tells the slots of k.
func (e *elimination) isResult() func(slot int32) bool {
	return func(slot int32) bool { return slot >= e.right && slot < e.right+int32(e.states) }
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
		case elimZero:
			v = b.Const(0)
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

// factorise prepares solve and makes the first solution. It reports whether no pivot vanished.
func (e *elimination) factorise(v []float64, native bool) bool {
	if native && e.blocks != nil {
		return e.blocks[factorBlock].Code.Run(v)
	}
	return eliminate(e.factors, v) && eliminate(e.firstSolve, v)
}

// solve replaces the right-hand side by the result. correct does so for right-hand sides of constraints.
func (e *elimination) solve(v []float64, native bool)   { e.run(v, native, solveBlock, e.solves) }
func (e *elimination) correct(v []float64, native bool) { e.run(v, native, correctBlock, e.corrects) }

func (e *elimination) run(v []float64, native bool, block int, work []eliminated) {
	if native && e.blocks != nil {
		e.blocks[block].Code.Run(v)
		return
	}
	eliminate(work, v)
}

func eliminate(work []eliminated, v []float64) bool {
	good := true
	for _, o := range work {
		switch o.kind {
		case elimZero:
			v[o.d] = 0
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

// factorise takes the matrix from a memory and makes the first solution. Coordinates that follow get rows of the
// identity.
func (p *fullPivots) factorise(e *elimination, v []float64) {
	n := e.unknowns
	clear(p.lu)
	for i := range n {
		p.lu[i*n+i] = 1
	}
	for _, x := range e.matrix {
		p.lu[x.row*n+x.row] = 0
	}
	for _, x := range e.matrix {
		p.lu[x.row*n+x.column] = v[x.slot]
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
	p.solve(e, v, e.begin)
}

// solve is elimination.solve, or the first solution, by the operations of the right-hand sides.
func (p *fullPivots) solve(e *elimination, v []float64, rightHand []eliminated) {
	n, y := e.unknowns, p.right
	clear(v[e.right:][:n])
	eliminate(rightHand, v)
	copy(y, v[e.right:])
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
	copy(v[e.right:], y)
	eliminate(e.follow, v)
}
