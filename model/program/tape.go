package program

import (
	"math"

	"skidpad/model/expr"
)

// tape is a block arranged for interpretation. Instructions that are ready at the same time are grouped into runs of
// one operation, so the interpreter decides once per run, not once per instruction.
type tape struct {
	runs   []run
	code   []operands
	tables []expr.Table // of look-ups, by c of the instruction
}

type run struct {
	op     Op
	lo, hi int32
}

type operands struct{ dst, a, b, c int32 }

// newTape arranges a block. The order of dependent operations is kept, so results are bit-identical.
func newTape(b *block) tape {
	n := len(b.code)
	writer := make([]int32, memorySize(b)) // by slot: index of the instruction that writes it, plus 1
	for i := range b.code {
		writer[b.code[i].dst] = int32(i + 1)
	}
	waiting, users := make([]int32, n), usersOf(b, writer)
	var ready [256][]int32
	for i := range b.code {
		in := &b.code[i]
		for _, s := range in.reads() {
			if writer[s] > 0 {
				waiting[i]++
			}
		}
		if waiting[i] == 0 {
			ready[in.op] = append(ready[in.op], int32(i))
		}
	}
	t := tape{code: make([]operands, 0, n)}
	for len(t.code) < n {
		best := 0
		for op := range ready {
			if len(ready[op]) > len(ready[best]) {
				best = op
			}
		}
		lo := int32(len(t.code))
		// an instruction that becomes ready by this run may join it: the run is executed in order
		for len(ready[best]) > 0 {
			i := ready[best][0]
			ready[best] = ready[best][1:]
			in := b.code[i]
			if in.table != nil {
				in.c = int32(len(t.tables))
				t.tables = append(t.tables, in.table)
			}
			t.code = append(t.code, operands{in.dst, in.a, in.b, in.c})
			for _, u := range users.of(i) {
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

// lists holds a list of instructions for each instruction: the list of i is all[from[i]:from[i+1]].
type lists struct{ from, all []int32 }

func (l *lists) of(i int32) []int32 { return l.all[l.from[i]:l.from[i+1]] }

// usersOf lists for each instruction the readers of its result, as often as they read it.
func usersOf(b *block, writer []int32) lists {
	l := lists{from: make([]int32, len(b.code)+1)}
	for k := range b.code {
		for _, s := range b.code[k].reads() {
			if w := writer[s]; w > 0 {
				l.from[w]++
			}
		}
	}
	for i := range b.code {
		l.from[i+1] += l.from[i]
	}
	l.all = make([]int32, l.from[len(b.code)])
	filled := make([]int32, len(b.code))
	for k := range b.code {
		for _, s := range b.code[k].reads() {
			if w := writer[s] - 1; w >= 0 {
				l.all[l.from[w]+filled[w]] = int32(k)
				filled[w]++
			}
		}
	}
	return l
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
