package lanes

import (
	"fmt"
	"slices"
	"sync"

	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// BatchFunctions returns replacements for functions. Built-in functions with the same law become a group, evaluated by
// machine code, four at a time if they are several. Results are bit-identical for any number of functions. Without
// machine code, the functions are returned unchanged.
func BatchFunctions(functions []tire.Function) []tire.Function {
	joined := slices.Clone(functions)
	positions := map[any][]int{}
	for i, f := range functions {
		if text := tire.TextOf(f); text != nil {
			positions[text] = append(positions[text], i)
		}
	}
	for _, at := range positions {
		of := make([]tire.Function, len(at))
		for n, i := range at {
			of[n] = functions[i]
		}
		if p := programOf(of); p != nil {
			for n, member := range batchesOf(p, of) {
				joined[at[n]] = member
			}
		}
	}
	return joined
}

// batchesOf groups functions that a program evaluates. The functions themselves run when the program fails, and need no
// machine code of their own.
func batchesOf(p *program, functions []tire.Function) []tire.Function {
	members := make([]tire.Differentiable, len(functions))
	for i, f := range functions {
		tire.SetPortable(f, true)
		members[i] = f.(tire.Differentiable)
	}
	derivatives := p.rows - p.results
	g := newBatch(p, p.values, p.results, members, tire.Differentiable.Eval)
	g.slopes = newBatch(p, p.slopes, p.rows, members, func(f tire.Differentiable, in, out []float64) {
		f.Jacobian(in, out[:derivatives])
		f.Eval(in, out[derivatives:])
	})
	joined := make([]tire.Function, len(functions))
	for n, f := range members {
		joined[n] = &batched{f, g, n}
	}
	return joined
}

// batched is a function that belongs to a batch.
type batched struct {
	tire.Differentiable
	group *batch
	index int
}

// Member implements tire.Grouped.
func (b *batched) Member() (tire.Group, int) { return b.group, b.index }

// batch evaluates functions of a program. Its memory holds inputs, fields and results of neighbouring functions side by
// side.
type batch struct {
	*program
	code     *machinecode.Block
	members  []tire.Differentiable
	evaluate func(f tire.Differentiable, in, out []float64) // portable evaluation of a member
	memory   [][]float64                                    // memory of the members of each run
	first    int                                            // slot of the first result
	in, out  []float64                                      // of a member, after a failure of the machine code
	bound    []float64                                      // the fields of a member
	slopes   *batch
	few      map[string]*batch // slopes without some elements
}

func newBatch(p *program, code *machinecode.Block, results int, members []tire.Differentiable,
	evaluate func(tire.Differentiable, []float64, []float64)) *batch {
	b := &batch{program: p, code: code, members: members, evaluate: evaluate, first: p.arguments + p.fields}
	b.in, b.out, b.bound = make([]float64, p.arguments), make([]float64, results), make([]float64, p.fields)
	for n := range members {
		if n%b.lanes == 0 {
			b.memory = append(b.memory, make([]float64, code.Code.Slots*b.lanes))
		}
		b.load(n)
	}
	return b
}

// load copies the coefficients of a member. Lanes without a member have the fields of the last member: with zeros, the
// guards would fail for all lanes.
func (b *batch) load(member int) {
	end := member + 1
	if end == len(b.members) {
		end = (member/b.lanes + 1) * b.lanes
	}
	b.bind(b.members[member], b.bound)
	for f, x := range b.bound {
		for lane := member; lane < end; lane++ {
			*b.at(lane, b.arguments+f) = x
		}
	}
}

// Reload takes over replaced parameters of a function from BatchFunctions or BatchCarcasses.
func Reload(f tire.Function) {
	if b, ok := f.(*batched); ok {
		b.group.load(b.index)
		b.group.slopes.load(b.index)
		for _, few := range b.group.few {
			few.load(b.index)
		}
	}
}

// at returns the address of a slot of a member.
func (b *batch) at(member, slot int) *float64 {
	return &b.memory[member/b.lanes][slot*b.lanes+member%b.lanes]
}

// Argument implements tire.Group.
func (b *batch) Argument(k, a int) *float64 { return b.at(k, a) }

// Result implements tire.Group.
func (b *batch) Result(k, r int) *float64 { return b.at(k, b.first+r) }

// Slopes implements tire.DifferentiableGroup.
func (b *batch) Slopes(wanted []bool) tire.Group {
	if !slices.Contains(wanted, false) {
		return b.slopes
	}
	key := fmt.Sprint(wanted)
	if few := b.few[key]; few != nil {
		return few
	}
	of := b.slopes
	few := newBatch(b.program, someSlopes(of.code, of.first, wanted, key), len(of.out), of.members, of.evaluate)
	if b.few == nil {
		b.few = map[string]*batch{}
	}
	b.few[key] = few
	return few
}

// someSlopes is the code of slopes without the elements that are not wanted, made once.
func someSlopes(of *machinecode.Block, first int, wanted []bool, key string) *machinecode.Block {
	type slopes struct {
		of  *machinecode.Block
		key string
	}
	made, _ := madeSlopes.LoadOrStore(slopes{of, key}, sync.OnceValue(func() *machinecode.Block {
		return machinecode.NewBlock(of.Lanes, func() (*machinecode.Builder, error) {
			b, err := of.Operations()
			if err == nil {
				b.KeepStores(func(slot int32) bool {
					row := int(slot) - first
					return row >= len(wanted) || wanted[row]
				})
			}
			return b, err
		})
	}))
	return made.(func() *machinecode.Block)()
}

var madeSlopes sync.Map

// Code returns the code of Eval for callers outside of Go, to be run on each of the memories; it is valid while no
// guard fails. The first size numbers of a memory are used; the numbers between from and to are the fields of the
// members.
func (b *batch) Code() (block *machinecode.Block, memories [][]float64, size, from, to int) {
	slots := b.first + len(b.out)
	if b.start != nil {
		slots += startSlots
	}
	return b.code, b.memory, slots * b.lanes, b.arguments * b.lanes, b.first * b.lanes
}

// Eval implements tire.Group.
func (b *batch) Eval() {
	for m, memory := range b.memory {
		if b.code.Code.Run(memory) {
			continue
		}
		for n := m * b.lanes; n < min(len(b.members), (m+1)*b.lanes); n++ {
			for a := range b.in {
				b.in[a] = *b.at(n, a)
			}
			b.evaluate(b.members[n], b.in, b.out)
			for r, x := range b.out {
				*b.at(n, b.first+r) = x
			}
		}
	}
}
