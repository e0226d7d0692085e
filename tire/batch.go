package tire

import (
	"reflect"
	"sync"

	"skidpad/model/machinecode"
)

//go:generate go run ../model/machinecode/trace operations_gen.go pacejka02Tire mf6Tire mfLengths fialaTire stringTire constantLengths brushTire brushLengths

// lanes is how many tires machine code evaluates at once.
const lanes = 4

// operations are the operations of a built-in function and of its Jacobian, from which machine
// code is made. Their memory holds the inputs, the fields of the function's type, the results.
type operations struct {
	eval, jacobian func(*machinecode.Builder)
	fields         int

	once         sync.Once
	forces, rows *machinecode.Code // nil where there can be none
}

// operationsOf describes the operations of a type of functions.
func operationsOf(t Function, eval, jacobian func(*machinecode.Builder)) *operations {
	return &operations{eval: eval, jacobian: jacobian, fields: reflect.TypeOf(t).Elem().NumField()}
}

// compile makes the machine code, once for all.
func (o *operations) compile(inputs, outputs int) bool {
	o.once.Do(func() {
		make := func(build func(*machinecode.Builder), results int) *machinecode.Code {
			b := machinecode.NewBuilder()
			build(b)
			code, err := machinecode.Compile(b, inputs+o.fields+results, lanes)
			if err != nil {
				return nil // without it, Go does the same
			}
			return code
		}
		o.forces, o.rows = make(o.eval, outputs), make(o.jacobian, outputs*inputs+outputs)
	})
	return o.forces != nil && o.rows != nil
}

// BatchFunctions returns functions to be used in place of those given, which have these kinds:
// built-in functions of one kind become a group, evaluated four at a time by machine code.
// Results are the same to the last bit, however many there are; where there can be no machine
// code, the functions stay as they are.
func BatchFunctions(kinds []*Kind, functions []Function) []Function {
	joined := append([]Function(nil), functions...)
	places := map[*Kind][]int{}
	for i, k := range kinds {
		places[k] = append(places[k], i)
	}
	for k, places := range places {
		if k.operations == nil || len(places) < 2 || !k.operations.compile(len(k.Inputs), len(k.Outputs)) {
			continue
		}
		var members []Differentiable
		for _, i := range places {
			members = append(members, functions[i].(Differentiable))
		}
		g := newBatch(k, k.operations.forces, members, len(k.Outputs), Differentiable.Eval)
		rows := len(k.Outputs) * len(k.Inputs)
		g.slopes = newBatch(k, k.operations.rows, members, rows+len(k.Outputs), func(f Differentiable, in, out []float64) {
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
	Differentiable
	group *batch
	place int
}

// Member implements Grouped.
func (b *batched) Member() (Group, int) { return b.group, b.place }

// batch evaluates functions of one kind: inputs, fields and results of four neighbours lie side
// by side in its memory.
type batch struct {
	code            *machinecode.Code
	members         []Differentiable
	evaluate        func(f Differentiable, in, out []float64) // what the code does, for one member
	memory          [][]float64                               // of each four members
	inputs, results int
	first           int       // slot of the first result
	in, out         []float64 // of one member, where the machine code gives up
	slopes          *batch
}

func newBatch(k *Kind, code *machinecode.Code, members []Differentiable, results int, evaluate func(Differentiable, []float64, []float64)) *batch {
	b := &batch{code: code, members: members, evaluate: evaluate, inputs: len(k.Inputs), results: results, first: len(k.Inputs) + k.operations.fields}
	b.in, b.out = make([]float64, b.inputs), make([]float64, results)
	for n := range members {
		if n%lanes == 0 {
			b.memory = append(b.memory, make([]float64, code.Slots*lanes))
		}
		b.load(n)
	}
	return b
}

// load copies the parameters of a member into the memory.
func (b *batch) load(member int) {
	fields := reflect.ValueOf(b.members[member]).Elem()
	for i := range b.first - b.inputs {
		x := 0.0
		switch v := fields.Field(i); v.Kind() {
		case reflect.Float64:
			x = v.Float()
		case reflect.Bool:
			if v.Bool() {
				x = 1
			}
		}
		*b.at(member, b.inputs+i) = x
	}
}

// at is the place of a slot of a member.
func (b *batch) at(member, slot int) *float64 {
	return &b.memory[member/lanes][slot*lanes+member%lanes]
}

// Argument implements Group.
func (b *batch) Argument(k, a int) *float64 { return b.at(k, a) }

// Result implements Group.
func (b *batch) Result(k, r int) *float64 { return b.at(k, b.first+r) }

// Slopes implements DifferentiableGroup.
func (b *batch) Slopes() Group { return b.slopes }

// Eval implements Group.
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
