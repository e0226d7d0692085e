package formula

import (
	"math"

	"skidpad/tire/machinecode"
)

// Lower makes the operations of the program, of the values of inputs and fields, and returns the values of its results.
func (p *Program) Lower(b *machinecode.Builder, in, fields []machinecode.Value) []machinecode.Value {
	l := lowering{b: b, law: p.law, in: in, fields: fields, made: make([]machinecode.Value, len(p.law.graph.code))}
	for n := range l.made {
		l.made[n] = none32
	}
	for _, n := range p.steps {
		l.made[n] = l.operation(&p.law.graph.code[n])
	}
	results := make([]machinecode.Value, len(p.results))
	for i, n := range p.results {
		results[i] = l.value(n)
	}
	return results
}

// lowering is a program becoming operations of a builder.
type lowering struct {
	b          *machinecode.Builder
	law        *Law
	in, fields []machinecode.Value
	made       []machinecode.Value // by node, below 0 for none
}

// value is the builder's value of a node.
func (l *lowering) value(n node) machinecode.Value {
	if l.made[n] >= 0 {
		return l.made[n]
	}
	i := &l.law.graph.code[n]
	switch f := l.law.fieldOf[n]; {
	case f >= 0:
		l.made[n] = l.fields[f]
	case i.op == opInput:
		l.made[n] = l.in[i.bits]
	default:
		l.made[n] = l.b.Const(math.Float64frombits(i.bits))
	}
	return l.made[n]
}

// operation is the builder's value of an operation, whose operands were made before.
func (l *lowering) operation(i *instruction) machinecode.Value {
	x := l.value(i.a)
	if one := ofOne[i.op]; one != nil {
		return one(l.b, x)
	}
	if i.op == opSelect {
		return l.b.Select(x, l.value(i.b), l.value(i.c))
	}
	return ofTwo[i.op](l.b, x, l.value(i.b))
}

// Operations as a builder has them.
var (
	ofOne = map[operation]func(b *machinecode.Builder, x machinecode.Value) machinecode.Value{
		opNeg: (*machinecode.Builder).Neg, opAbs: (*machinecode.Builder).Abs, opSqrt: (*machinecode.Builder).Sqrt,
		opSin: (*machinecode.Builder).Sin, opCos: (*machinecode.Builder).Cos, opTan: (*machinecode.Builder).Tan,
		opExp: (*machinecode.Builder).Exp, opAtan: (*machinecode.Builder).Atan, opAsin: (*machinecode.Builder).Asin,
	}
	ofTwo = map[operation]func(b *machinecode.Builder, x, y machinecode.Value) machinecode.Value{
		opAdd: (*machinecode.Builder).Add, opSub: (*machinecode.Builder).Sub, opMul: (*machinecode.Builder).Mul,
		opDiv: (*machinecode.Builder).Div, opNotAbove: (*machinecode.Builder).NotAbove,
		opNotBelow: (*machinecode.Builder).NotBelow, opCopysign: (*machinecode.Builder).Copysign,
		opLess: (*machinecode.Builder).Less, opAnd: (*machinecode.Builder).And, opOr: (*machinecode.Builder).Or,
		opWithout: (*machinecode.Builder).AndNot,
	}
)
