package formula

import (
	"math"

	"skidpad/tire/elementary"
)

// constants are the values of nodes, so far as they are known when a law is written.
func (l *Law) constants() []float64 {
	values := make([]float64, len(l.graph.code))
	for n := range l.graph.code {
		if x, known := l.graph.known(node(n)); known {
			values[n] = x
		}
	}
	return values
}

// Bind computes the fields for coefficients.
func (l *Law) Bind(coefficients, fields []float64) {
	values := l.constants()
	for _, n := range l.prelude {
		i := &l.graph.code[n]
		if i.op == opCoefficient {
			values[n] = coefficients[i.bits]
		} else {
			values[n] = i.evaluate(values[i.a], values[i.b], values[i.c])
		}
	}
	for f, n := range l.fields {
		fields[f] = values[n]
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
