package program

import "skidpad/model/expr"

// factor is the derivative of an instruction by one of its operands: the number in a slot, or 1.
type factor struct {
	of  int32 // slot of the operand
	by  int32 // slot of the derivative; unity for 1
	neg bool
}

// unity is the slot of a derivative that is 1.
const unity = -1

// differentiator appends the derivatives of straight-line code to the code. Every instruction computes a number from
// one or two operands, so the derivative of a program is the product of the derivatives of its instructions. Multiplied
// forwards, the product gives derivatives along a direction; backwards, derivatives against a direction.
type differentiator struct {
	p         *Program
	code      []instruction // the current block
	size      int32         // of the memory
	constants []constant    // beyond those of the program
	active    map[int32]bool
	arguments [][]int32 // of calls: arguments of their functions
	partials  [][]int32 // slots of the functions' own derivatives, row by row
}

// constant is a number that stays in its slot.
type constant struct {
	slot  int32
	value float64
}

// newDifferentiator begins with the memory of a program. All numbers except constants are active. If parameters are
// fixed, parameters and numbers computed from them are constants, too.
func newDifferentiator(p *Program, wanted [][]int, fixed bool) *differentiator {
	d := &differentiator{p: p, size: p.layout.size, active: map[int32]bool{}}
	first, n := p.variables()
	for k := range n {
		d.active[first+k] = !fixed || first+k >= p.layout.states
	}
	for i := range p.Calls {
		arguments := make([]int32, len(wanted[i]))
		for a, k := range wanted[i] {
			arguments[a] = p.arguments[i][k]
		}
		partials := make([]int32, len(p.returned[i])*len(arguments))
		for k := range partials {
			partials[k] = d.room(1)
		}
		d.arguments, d.partials = append(d.arguments, arguments), append(d.partials, partials)
	}
	return d
}

// calls returns the steps of calls: returned values with the partial derivatives of functions, and acting loads. A load
// has the derivative of its argument, also if the function returns its own load: both loads have the same size.
func (d *differentiator) calls() (steps []step) {
	for i := range d.p.Calls {
		for r, slot := range d.p.returned[i] {
			s := step{to: slot}
			for a, of := range d.arguments[i] {
				s.factors = append(s.factors, factor{of, d.partials[i][r*len(d.arguments[i])+a], false})
			}
			steps = append(steps, s)
			d.active[slot] = true
		}
		if load := d.p.loads[i]; len(load) > 0 {
			steps = append(steps, step{load[1], []factor{{load[0], unity, false}}})
			d.active[load[1]] = true
		}
	}
	return steps
}

// room returns the first of n new slots.
func (d *differentiator) room(n int) int32 {
	d.size += int32(n)
	return d.size - int32(n)
}

func (d *differentiator) number(value float64) int32 {
	for _, c := range d.constants {
		if c.value == value {
			return c.slot
		}
	}
	slot := d.room(1)
	d.constants = append(d.constants, constant{slot, value})
	return slot
}

// take ends a block.
func (d *differentiator) take() block {
	b := block{d.code}
	d.code = nil
	return b
}

// compute writes an instruction and returns its slot.
func (d *differentiator) compute(op Op, a, b int32) int32 {
	slot := d.room(1)
	d.code = append(d.code, instruction{op: op, dst: slot, a: a, b: b})
	return slot
}

func (d *differentiator) apply(f expr.Fn, a int32) int32 { return d.compute(opCall+Op(f), a, a) }

// times returns a derivative times a factor.
func (d *differentiator) times(x operand, f factor) operand {
	x.neg = x.neg != f.neg
	if f.by != unity {
		x.slot = d.compute(opMul, x.slot, f.by)
	}
	return x
}

// plus returns the sum of derivatives.
func (d *differentiator) plus(x, y operand) operand {
	switch {
	case x.neg == y.neg:
		return operand{d.compute(opAdd, x.slot, y.slot), x.neg}
	case y.neg:
		return operand{d.compute(opSub, x.slot, y.slot), false}
	}
	return operand{d.compute(opSub, y.slot, x.slot), false}
}

// original writes an instruction of the program itself, and its derivatives by its operands.
func (d *differentiator) original(i instruction) []factor {
	d.code = append(d.code, i)
	d.active[i.dst] = d.active[i.a] || i.op != opNeg && !i.unary() && d.active[i.b]
	return d.slopes(i)
}

// unary reports whether an instruction is a function of one operand.
func (i *instruction) unary() bool { return i.op >= opCall && !takesTwo(i.op) }

// slopes writes the derivatives of an instruction by its active operands.
func (d *differentiator) slopes(i instruction) (list []factor) {
	add := func(of, by int32, neg bool) {
		if d.active[of] {
			list = append(list, factor{of, by, neg})
		}
	}
	switch i.op {
	case opAdd, opSub:
		add(i.a, unity, false)
		add(i.b, unity, i.op == opSub)
	case opNeg:
		add(i.a, unity, true)
	case opMul:
		add(i.a, i.b, false)
		add(i.b, i.a, false)
	case opDiv:
		inverse := d.compute(opDiv, d.number(1), i.b)
		add(i.a, inverse, false)
		if d.active[i.b] {
			add(i.b, d.compute(opMul, i.dst, inverse), true)
		}
	default:
		if i.unary() {
			if d.active[i.a] {
				if by, neg := d.slope(expr.Fn(i.op-opCall), i.a, i.dst); by != unity {
					add(i.a, by, neg)
				}
			}
			return list
		}
		f := expr.Fn(i.op - opCall)
		if f == expr.Where {
			if d.active[i.b] {
				add(i.b, d.compute(i.op, i.a, d.number(1)), false)
			}
			return list
		}
		by := d.slopesOfTwo(f, i.a, i.b)
		add(i.a, by[0].slot, by[0].neg)
		add(i.b, by[1].slot, by[1].neg)
	}
	return list
}

// slope writes the derivative of a function y = f(x) by the rules of expr.Derivative. It returns unity for a derivative
// that is 0 everywhere.
func (d *differentiator) slope(f expr.Fn, x, y int32) (slot int32, neg bool) {
	one := d.number(1)
	square := func(s int32) int32 { return d.compute(opMul, s, s) }
	switch f {
	case expr.Sin:
		return d.apply(expr.Cos, x), false
	case expr.Cos:
		return d.apply(expr.Sin, x), true
	case expr.Tan:
		return d.compute(opAdd, one, square(y)), false
	case expr.Asin:
		return d.compute(opDiv, one, d.apply(expr.Sqrt, d.compute(opSub, one, square(x)))), false
	case expr.Atan:
		return d.compute(opDiv, one, d.compute(opAdd, one, square(x))), false
	case expr.Sqrt:
		return d.compute(opDiv, d.number(0.5), y), false
	case expr.Exp:
		return y, false
	case expr.Log:
		return d.compute(opDiv, one, x), false
	case expr.Tanh:
		return d.compute(opSub, one, square(y)), false
	case expr.Abs:
		return d.apply(expr.Sign, x), false
	case expr.Clamp:
		return d.apply(expr.Step, d.compute(opSub, one, square(x))), false
	case expr.Sign, expr.Step, expr.Lookup:
		return unity, false
	}
	panic("program: no derivative of " + f.String())
}

// slopesOfTwo writes the derivatives of a function of two operands.
func (d *differentiator) slopesOfTwo(f expr.Fn, a, b int32) [2]operand {
	if f == expr.Atan2 {
		r := d.compute(opAdd, d.compute(opMul, a, a), d.compute(opMul, b, b))
		return [2]operand{{d.compute(opDiv, b, r), false}, {d.compute(opDiv, a, r), true}}
	}
	first := d.apply(expr.Step, d.compute(opSub, a, b)) // one-sided at the kink
	second := d.compute(opSub, d.number(1), first)
	if f == expr.Min {
		first, second = second, first
	}
	return [2]operand{{first, false}, {second, false}}
}
