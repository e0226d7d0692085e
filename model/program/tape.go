package program

import (
	"math"

	"skidpad/model/expr"
)

// tape is a block arranged for interpretation: instructions that are ready at
// the same time are grouped into runs of one operation, so that the
// interpreter decides once per run and not once per instruction.
type tape struct {
	runs   []run
	code   []operands
	tables []expr.Table // of look-ups, whose c they are numbers of
}

type run struct {
	op     Op
	lo, hi int32
}

type operands struct{ dst, a, b, c int32 }

// newTape arranges a block. The order of dependent operations is kept, and with
// it every result to the last bit.
func newTape(b *block) tape {
	n := len(b.code)
	writer := map[int32]int{}
	for i, in := range b.code {
		writer[in.dst] = i
	}
	waiting := make([]int, n)
	users := make([][]int, n)
	var ready [256][]int
	for i, in := range b.code {
		for _, s := range in.reads() {
			if w, ok := writer[s]; ok {
				users[w] = append(users[w], i)
				waiting[i]++
			}
		}
		if waiting[i] == 0 {
			ready[in.op] = append(ready[in.op], i)
		}
	}
	var t tape
	for len(t.code) < n {
		best := 0
		for op := range ready {
			if len(ready[op]) > len(ready[best]) {
				best = op
			}
		}
		lo := int32(len(t.code))
		// an instruction that becomes ready by this very run may join it: the run is executed in order
		for len(ready[best]) > 0 {
			i := ready[best][0]
			ready[best] = ready[best][1:]
			in := b.code[i]
			if in.table != nil {
				in.c = int32(len(t.tables))
				t.tables = append(t.tables, in.table)
			}
			t.code = append(t.code, operands{in.dst, in.a, in.b, in.c})
			for _, u := range users[i] {
				if waiting[u]--; waiting[u] == 0 {
					op := b.code[u].op
					ready[op] = append(ready[op], u)
				}
			}
		}
		t.runs = append(t.runs, run{Op(best), lo, int32(len(t.code))})
	}
	return t
}

// execute runs the tape on a memory.
func (t tape) execute(v []float64) {
	for _, r := range t.runs {
		code := t.code[r.lo:r.hi]
		switch r.op {
		case opAdd:
			for i := range code {
				o := &code[i]
				v[o.dst] = v[o.a] + v[o.b]
			}
		case opSub:
			for i := range code {
				o := &code[i]
				v[o.dst] = v[o.a] - v[o.b]
			}
		case opMul:
			for i := range code {
				o := &code[i]
				v[o.dst] = v[o.a] * v[o.b]
			}
		case opDiv:
			for i := range code {
				o := &code[i]
				v[o.dst] = v[o.a] / v[o.b]
			}
		case opNeg:
			for i := range code {
				o := &code[i]
				v[o.dst] = -v[o.a]
			}
		case opMulAdd:
			for i := range code {
				o := &code[i]
				v[o.dst] = math.FMA(v[o.a], v[o.b], v[o.c])
			}
		case opMulSub:
			for i := range code {
				o := &code[i]
				v[o.dst] = math.FMA(v[o.a], v[o.b], -v[o.c])
			}
		case opSubMul:
			for i := range code {
				o := &code[i]
				v[o.dst] = math.FMA(-v[o.a], v[o.b], v[o.c])
			}
		case opCall + Op(expr.Sqrt):
			for i := range code {
				o := &code[i]
				v[o.dst] = math.Sqrt(v[o.a])
			}
		case opCall + Op(expr.Lookup):
			for i := range code {
				o := &code[i]
				v[o.dst] = t.tables[o.c].At(v[o.a])
			}
		default:
			f := expr.Fn(r.op - opCall)
			for i := range code {
				o := &code[i]
				v[o.dst] = f.Apply(v[o.a], v[o.b])
			}
		}
	}
}
