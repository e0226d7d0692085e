package lanes

import (
	"reflect"
	"slices"

	"skidpad/tire/machinecode"
	"skidpad/tire"
)

// lanes is how many tires machine code evaluates at once.
const lanes = 4

// BatchFunctions returns functions to be used in place of those given, which have these kinds:
// built-in functions of one kind become a group, evaluated four at a time by machine code.
// Results are the same to the last bit, however many there are; where there can be no machine
// code, the functions stay as they are.
func BatchFunctions(kinds []*tire.Kind, functions []tire.Function) []tire.Function {
	joined := slices.Clone(functions)
	places := map[*tire.Kind][]int{}
	for i, k := range kinds {
		places[k] = append(places[k], i)
	}
	for k, places := range places {
		if len(places) < 2 {
			continue
		}
		o := operationsOf(k, functions[places[0]])
		if o == nil || !o.compile() {
			continue
		}
		var members []tire.Differentiable
		for _, i := range places {
			members = append(members, functions[i].(tire.Differentiable))
		}
		g := newBatch(o.forces, members, o.inputs, len(o.fields), o.outputs, tire.Differentiable.Eval)
		rows := o.outputs * o.inputs
		g.slopes = newBatch(o.rows, members, o.inputs, len(o.fields), rows+o.outputs,
			func(f tire.Differentiable, in, out []float64) {
				f.Jacobian(in, out[:rows])
				f.Eval(in, out[rows:])
			})
		for n, i := range places {
			joined[i] = &batched{members[n], g, n}
		}
	}
	return joined
}

// batched is a function that belongs to a batch.
type batched struct {
	tire.Differentiable
	group *batch
	place int
}

// Member implements tire.Grouped.
func (b *batched) Member() (tire.Group, int) { return b.group, b.place }

// batch evaluates functions of one kind: inputs, fields and results of four neighbours lie side
// by side in its memory.
type batch struct {
	code            *machinecode.Code
	members         []tire.Differentiable
	evaluate        func(f tire.Differentiable, in, out []float64) // what the code does, for one member
	memory          [][]float64                                    // of each four members
	inputs, results int
	first           int       // slot of the first result
	in, out         []float64 // of one member, where the machine code gives up
	slopes          *batch
}

func newBatch(code *machinecode.Code, members []tire.Differentiable, inputs, fields, results int,
	evaluate func(tire.Differentiable, []float64, []float64)) *batch {
	b := &batch{code: code, members: members, evaluate: evaluate, inputs: inputs, results: results,
		first: inputs + fields}
	b.in, b.out = make([]float64, b.inputs), make([]float64, results)
	for n := range members {
		if n%lanes == 0 {
			b.memory = append(b.memory, make([]float64, code.Slots*lanes))
		}
		b.load(n)
	}
	return b
}

// load copies the parameters of a member into the memory. Lanes without a member have those of the last one: with
// zeros for parameters they would make the guards give up for all.
func (b *batch) load(member int) {
	slot, end := b.inputs, member+1
	if end == len(b.members) {
		end = (member/lanes + 1) * lanes
	}
	put := func(x float64) {
		for lane := member; lane < end; lane++ {
			*b.at(lane, slot) = x
		}
		slot++
	}
	if c, ok := b.members[member].(*tire.Carcass); ok {
		carcassFields(c, put)
	} else {
		eachField(reflect.ValueOf(b.members[member]).Elem(), put)
	}
}

// eachField writes the fields of a function, 1 for what is true.
func eachField(fields reflect.Value, to func(x float64)) {
	for i := range fields.NumField() {
		x := 0.0
		if v := fields.Field(i); v.Kind() == reflect.Float64 {
			x = v.Float()
		} else if v.Bool() {
			x = 1
		}
		to(x)
	}
}

// Reload tells a function of BatchFunctions or BatchCarcasses that its parameters were replaced.
func Reload(f tire.Function) {
	if b, ok := f.(*batched); ok {
		b.group.load(b.place)
		b.group.slopes.load(b.place)
	}
}

// at is the place of a slot of a member.
func (b *batch) at(member, slot int) *float64 {
	return &b.memory[member/lanes][slot*lanes+member%lanes]
}

// Argument implements tire.Group.
func (b *batch) Argument(k, a int) *float64 { return b.at(k, a) }

// Result implements tire.Group.
func (b *batch) Result(k, r int) *float64 { return b.at(k, b.first+r) }

// Slopes implements tire.DifferentiableGroup.
func (b *batch) Slopes() tire.Group { return b.slopes }

// Jobs lists what Eval runs while no guard gives up, for callers outside of Go.
func (b *batch) Jobs() []*machinecode.Job {
	var list []*machinecode.Job
	for _, memory := range b.memory {
		if j := b.code.Job(memory, nil); j != nil {
			list = append(list, j)
		}
	}
	return list
}

// Eval implements tire.Group.
func (b *batch) Eval() {
	for m, memory := range b.memory {
		if b.code.Run(memory) {
			continue
		}
		for n := m * lanes; n < min(len(b.members), (m+1)*lanes); n++ {
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
