package formula

import (
	"math"

	"skidpad/tire/elementary"
)

// prelude computes the fields of a law, on a list of numbers: coefficients, constants, then the result of each step.
type prelude struct {
	coefficients []int32 // which it needs
	constants    []float64
	steps        []tapeStep
	fields       []int32 // where they are among the numbers
}

// newPrelude numbers what the fields are made of.
func (l *Law) newPrelude(made []bool) *prelude {
	g, p := l.graph, &prelude{}
	at := make([]int32, len(g.code))
	for n := range g.code {
		if i := &g.code[n]; made[n] && i.op == opCoefficient {
			at[n] = int32(len(p.coefficients))
			p.coefficients = append(p.coefficients, int32(i.bits))
		}
	}
	next := int32(len(p.coefficients))
	for n := range g.code {
		if !made[n] || g.code[n].op == opCoefficient {
			continue
		}
		list, count := g.code[n].operands()
		for _, o := range list[:count] {
			if x, known := g.known(o); known && at[o] == 0 {
				at[o] = next
				next++
				p.constants = append(p.constants, x)
			}
		}
	}
	for n := range g.code {
		if i := &g.code[n]; made[n] && i.op != opCoefficient {
			p.steps = append(p.steps, tapeStep{op: i.op, a: at[i.a], b: at[i.b], c: at[i.c]})
			at[n] = next
			next++
		}
	}
	for _, n := range l.fields {
		p.fields = append(p.fields, at[n])
	}
	return p
}

// Bind computes the fields for coefficients.
//
//go:norace
func (l *Law) Bind(coefficients, fields []float64) {
	p := l.prelude
	first := len(p.coefficients) + len(p.constants)
	v := make([]float64, first+len(p.steps))
	for i, k := range p.coefficients {
		v[i] = coefficients[k]
	}
	copy(v[len(p.coefficients):], p.constants)
	for k := range p.steps {
		s := &p.steps[k]
		i := instruction{op: s.op}
		v[first+k] = i.evaluate(v[s.a], v[s.b], v[s.c])
	}
	for f, at := range p.fields {
		fields[f] = v[at]
	}
}

// evaluate is one operation on numbers. Products carry a conversion, which keeps compilers from fusing them into sums.
func (i *instruction) evaluate(x, y, z float64) float64 {
	switch i.op {
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return float64(x * y)
	case opDiv:
		return x / y
	case opSelect:
		if math.Signbit(x) {
			return y
		}
		return z
	case opNeg:
		return -x
	case opAbs:
		return math.Abs(x)
	case opSqrt:
		return math.Sqrt(x)
	case opNotAbove:
		if y < x {
			return y
		}
		return x
	case opNotBelow:
		if y > x {
			return y
		}
		return x
	case opCopysign:
		return math.Copysign(x, y)
	case opLess:
		if x < y {
			return math.Float64frombits(math.MaxUint64)
		}
		return 0
	case opWithout:
		return math.Float64frombits(math.Float64bits(y) &^ math.Float64bits(x))
	case opAnd:
		return math.Float64frombits(math.Float64bits(x) & math.Float64bits(y))
	case opOr:
		return math.Float64frombits(math.Float64bits(x) | math.Float64bits(y))
	case opSin:
		return elementary.Sin(x)
	case opCos:
		return elementary.Cos(x)
	case opTan:
		return elementary.Tan(x)
	case opExp:
		return elementary.Exp(x)
	case opAtan:
		return elementary.Atan(x)
	case opAsin:
		return elementary.Asin(x)
	}
	panic("formula: an input or a coefficient is no operation")
}
