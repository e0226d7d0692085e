package program

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/tire/machinecode"
)

// Native returns code with the same results as base, in which the blocks of a step are machine code for this processor.
// The code of base must be of this program: it runs when machine code fails, for arguments of functions that are not
// finite or very large. Native checks that results are bit-identical to base. An error gives the reason for no machine
// code.
func (p *Program) Native(base Code) (Code, error) {
	code, err := nativeCode(&p.init, &p.before, &p.after, &p.layout, p.sharedSlots(), base)
	if err == nil {
		code.init = listedBlock(&p.init, p.startSlots(), nil)
	}
	return code, err
}

// startSlots lists the slots that other code reads, including the results of the block of the start.
func (p *Program) startSlots() slotSet {
	shared := p.sharedSlots()
	for _, slot := range p.constants {
		shared.add(slot)
	}
	return shared
}

// nativeCode makes machine code of two blocks. Numbers written by init are fixed while these blocks run; sweeps have no
// such block.
func nativeCode(init, before, after *block, l *layout, shared slotSet, base Code) (Code, error) {
	code := base
	code.native = true
	made, reserved, err := compiledBlocks(init, before, after, l, shared)
	if err != nil {
		return base, err
	}
	code.reserved = reserved
	var errs [2]error
	check := func(i int, b *block, portable func(v []float64), to *func(v []float64)) {
		run := runner(made[i], portable)
		errs[i] = sameResults(b, l, shared, portable, run, made[i])
		*to = run
		if init != nil {
			code.blocks[i] = listedBlock(b, shared, made[i])
		}
	}
	Beside(func() { check(0, before, base.Before, &code.Before) }, func() { check(1, after, base.After, &code.After) })
	if err := errors.Join(errs[:]...); err != nil {
		return base, err
	}
	code.slots = max(code.slots, made[0].Slots, made[1].Slots)
	if init != nil {
		code.init = listedBlock(init, shared, nil)
		fixed := fixedSlots(init, l)
		code.blocks[0].Fixed, code.blocks[1].Fixed = fixed, fixed
		code.Init = func(v []float64) {
			base.Init(v)
			for _, c := range made {
				c.Prepare(v)
			}
		}
	}
	return code, nil
}

// listedBlock returns a block for listings.
func listedBlock(b *block, shared slotSet, code *machinecode.Code) *machinecode.Block {
	return &machinecode.Block{Lanes: 1, Code: code,
		Operations: func() (*machinecode.Builder, error) { return blockOperations(b, shared) }}
}

// compiledBlocks makes machine code of two blocks concurrently, and returns the number of reserved slots.
func compiledBlocks(init, before, after *block, l *layout, shared slotSet) (made [2]*machinecode.Code, reserved int,
	err error) {
	var operations [2]*machinecode.Builder
	var limbs [2]*machinecode.Limbs
	var errs [2]error
	Beside(func() { operations[0], errs[0] = blockOperations(before, shared) },
		func() { operations[1], errs[1] = blockOperations(after, shared) })
	if err := errors.Join(errs[:]...); err != nil {
		return made, 0, err
	}
	reserved = int(l.size)
	var copies [2]int
	var oneByOne *machinecode.Code // of after
	if init != nil {
		fixed := fixedSlots(init, l)
		if limbs[0] = machinecode.LimbsOf(operations[0], fixed); limbs[0] != nil {
			copies[0], reserved = reserved, reserved+limbs[0].Copies()
		}
		Beside(func() { limbs[1] = machinecode.LimbsOf(operations[1], fixed) }, func() {
			if len(after.code) > longBlock {
				oneByOne, errs[1] = machinecode.Compile(operations[1], reserved, 1)
			}
		})
		if limbs[1] != nil {
			copies[1], reserved, oneByOne = reserved, reserved+limbs[1].Copies(), nil
		}
	}
	Beside(func() { made[0], errs[0] = compileBlock(operations[0], limbs[0], copies[0], reserved) }, func() {
		if made[1] = oneByOne; oneByOne == nil {
			made[1], errs[1] = compileBlock(operations[1], limbs[1], copies[1], reserved)
		}
	})
	return made, reserved, errors.Join(errs[:]...)
}

// longBlock is a number of operations. For longer blocks, code without limbs is compiled during the search for limbs:
// most such blocks are Jacobians without useful limbs.
const longBlock = 20000

// fixedSlots returns a function that reports whether a slot changes with the parameters only.
func fixedSlots(init *block, l *layout) func(slot int32) bool {
	var fixed slotSet
	for k := range init.code {
		fixed.add(init.code[k].dst)
	}
	return func(slot int32) bool { return slot < l.states || fixed.has(slot) }
}

func compileBlock(operations *machinecode.Builder, limbs *machinecode.Limbs, copies, slots int) (*machinecode.Code,
	error) {
	if limbs != nil {
		return limbs.Compile(copies, slots)
	}
	return machinecode.Compile(operations, slots, 1)
}

// runner returns a function that runs machine code, or the portable code if the machine code fails.
func runner(code *machinecode.Code, portable func(v []float64)) func(v []float64) {
	return func(v []float64) {
		if !code.Run(v) {
			portable(v)
		}
	}
}

// blockOperations returns the operations of a block.
func blockOperations(b *block, shared slotSet) (*machinecode.Builder, error) {
	t := newTranslator(len(b.code), memorySize(b))
	t.load = t.b.Load
	for k := range b.code {
		i := &b.code[k]
		v, err := t.instruction(i)
		if err != nil {
			return nil, err
		}
		if shared.has(i.dst) {
			t.b.Store(i.dst, v)
		}
	}
	return t.b, nil
}

// sameResults checks that portable code and machine code of a block compute the same on some memories.
func sameResults(b *block, l *layout, shared slotSet, base, run func(v []float64),
	code *machinecode.Code) error {
	r := rand.New(rand.NewPCG(1, 2)) // the same numbers every time
	want, got := make([]float64, code.Slots), make([]float64, code.Slots)
	var results []int32
	for k := range b.code {
		if dst := b.code[k].dst; shared.has(dst) {
			results = append(results, dst)
		}
	}
	for trial := range 4 {
		for s := range want {
			want[s] = (r.Float64() - 0.3) * math.Pow(10, float64(trial-1))
		}
		copy(want, l.constants)
		copy(got, want)
		code.Prepare(got)
		base(want)
		run(got)
		for _, dst := range results {
			if math.Float64bits(want[dst]) != math.Float64bits(got[dst]) &&
				!(math.IsNaN(want[dst]) && math.IsNaN(got[dst])) {
				return fmt.Errorf("machine code computes %g in slot %d, which is %g", got[dst], dst, want[dst])
			}
		}
	}
	return nil
}

// translator translates the instructions of a block to operations of a builder.
type translator struct {
	b      *machinecode.Builder
	values []machinecode.Value // by slot: its value plus 1, 0 for none
	load   func(slot int32) machinecode.Value
}

// newTranslator returns a translator for a number of instructions on a memory of slots.
func newTranslator(instructions, slots int) *translator {
	return &translator{b: machinecode.NewSizedBuilder(instructions), values: make([]machinecode.Value, slots)}
}

func (t *translator) value(slot int32) machinecode.Value {
	if t.values[slot] == 0 {
		t.values[slot] = t.load(slot) + 1
	}
	return t.values[slot] - 1
}

// instruction translates an instruction. Its result becomes the value of its slot.
func (t *translator) instruction(i *instruction) (machinecode.Value, error) {
	v, err := t.result(i)
	t.values[i.dst] = v + 1
	return v, err
}

func (t *translator) result(i *instruction) (machinecode.Value, error) {
	b, x := t.b, t.value(i.a)
	switch i.op {
	case opAdd:
		return b.Add(x, t.value(i.b)), nil
	case opSub:
		return b.Sub(x, t.value(i.b)), nil
	case opMul:
		return b.Mul(x, t.value(i.b)), nil
	case opDiv:
		return b.Div(x, t.value(i.b)), nil
	case opNeg:
		return b.Neg(x), nil
	case opMulAdd:
		return b.MulAdd(x, t.value(i.b), t.value(i.c)), nil
	case opMulSub:
		return b.MulSub(x, t.value(i.b), t.value(i.c)), nil
	case opSubMul:
		return b.SubMul(x, t.value(i.b), t.value(i.c)), nil
	}
	switch f := expr.Fn(i.op - opCall); f {
	case expr.Lookup:
		return t.look(i.table, x), nil
	case expr.Sin:
		return b.Sin(x), nil
	case expr.Cos:
		return b.Cos(x), nil
	case expr.Tan:
		return b.Tan(x), nil
	case expr.Exp:
		return b.Exp(x), nil
	case expr.Log:
		return b.Log(x), nil
	case expr.Tanh:
		return b.Tanh(x), nil
	case expr.Asin:
		return b.Asin(x), nil
	case expr.Atan:
		return b.Atan(x), nil
	case expr.Atan2:
		if runtime.GOARCH != "amd64" {
			return 0, errors.New("Atan2 of Go fuses sums and products on this processor")
		}
		return b.Atan2(x, t.value(i.b)), nil
	case expr.Sqrt:
		return b.Sqrt(x), nil
	case expr.Abs:
		return b.Abs(x), nil
	case expr.Clamp:
		return b.Max(b.Const(-1), b.Min(b.Const(1), x)), nil
	case expr.Max:
		return b.Max(x, t.value(i.b)), nil
	case expr.Min:
		return b.Min(x, t.value(i.b)), nil
	case expr.Where:
		return b.And(b.Less(b.Const(0), x), t.value(i.b)), nil
	case expr.Sign: // 0 for zeros and NaN
		zero := b.Const(0)
		return b.Select(b.Less(zero, x), b.Const(1), b.Select(b.Less(x, zero), b.Const(-1), zero)), nil
	case expr.Step:
		return b.Select(b.Less(b.Const(0), x), b.Const(1), b.Const(0)), nil
	default:
		return 0, fmt.Errorf("no machine code is written for %v", f)
	}
}

// look writes the operations of Column.At and Grid.At.
func (t *translator) look(table expr.Table, x machinecode.Value) machinecode.Value {
	b := t.b
	if c, is := table.(*curve.Column); is {
		return b.Look(c.Values, x)
	}
	g := table.(*curve.Grid)
	piece := b.Look(g.Start.Values, b.Mul(b.Sub(x, b.Const(g.Origin)), b.Const(g.Scale)))
	for range g.Comparisons {
		reached := b.NotLess(x, b.Look(g.Points.Values, piece))
		piece = b.Add(piece, b.And(reached, b.Const(1)))
	}
	return piece
}
