package formula

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// at evaluates a node at complex inputs. Conditions look at real parts, as the law does.
func (g *Graph) at(n node, in []complex128) complex128 {
	i := &g.code[n]
	of := func(n node) complex128 { return g.at(n, in) }
	switch i.op {
	case opConst:
		return complex(math.Float64frombits(i.bits), 0)
	case opInput:
		return in[i.bits]
	case opAdd:
		return of(i.a) + of(i.b)
	case opSub:
		return of(i.a) - of(i.b)
	case opMul:
		return of(i.a) * of(i.b)
	case opDiv:
		return of(i.a) / of(i.b)
	case opNeg:
		return -of(i.a)
	case opAbs:
		if x := of(i.a); real(x) < 0 {
			return -x
		}
		return of(i.a)
	case opSqrt:
		return cmplx.Sqrt(of(i.a))
	case opNotAbove, opNotBelow:
		x, y := of(i.a), of(i.b)
		if (i.op == opNotAbove) == (real(y) < real(x)) && real(x) != real(y) {
			return y
		}
		return x
	case opSelect:
		if g.holds(i.a, in) {
			return of(i.b)
		}
		return of(i.c)
	case opWithout:
		if g.holds(i.a, in) {
			return 0
		}
		return of(i.b)
	case opCopysign:
		return complex(math.Copysign(real(of(i.a)), real(of(i.b))), 0)
	}
	return map[operation]func(complex128) complex128{opSin: cmplx.Sin, opCos: cmplx.Cos, opTan: cmplx.Tan,
		opExp: cmplx.Exp, opAtan: arctangent, opAsin: arcsine}[i.op](of(i.a))
}

// arctangent and arcsine keep a tiny imaginary part, which package cmplx rounds to 0.
func arctangent(z complex128) complex128 {
	return complex(math.Atan(real(z)), imag(z)/(1+real(z)*real(z)))
}

func arcsine(z complex128) complex128 {
	return complex(math.Asin(real(z)), imag(z)/math.Sqrt(1-real(z)*real(z)))
}

// holds evaluates a mask.
func (g *Graph) holds(n node, in []complex128) bool {
	i := &g.code[n]
	switch i.op {
	case opLess:
		return real(g.at(i.a, in)) < real(g.at(i.b, in))
	case opAnd:
		return g.holds(i.a, in) && g.holds(i.b, in)
	case opOr:
		return g.holds(i.a, in) || g.holds(i.b, in)
	case opWithout:
		return g.holds(i.b, in) && !g.holds(i.a, in)
	}
	x, _ := g.known(n)
	return math.Signbit(x)
}

// Every function of numbers has the derivatives that complex steps of its values have (Squire and Trapp 1998). Complex
// steps need no rule of differentiation.
func TestDerivativesAgreeWithComplexSteps(t *testing.T) {
	functions := map[string]func(x, y Number) Number{
		"Plus": Number.Plus, "Minus": Number.Minus, "Times": Number.Times, "Over": Number.Over, "Norm": Number.Norm,
		"Length": Number.Length, "Together": Number.Together, "MFCurvature": Number.MFCurvature, "AtLeast": Number.AtLeast,
		"AtMost": Number.AtMost, "AsMuchAs": func(x, y Number) Number { return x.AsMuchAs(y.Constant(-0.4)) },
		"Line":         func(x, y Number) Number { return x.Times(y).Line(x.Constant(2), x.Constant(-3)) },
		"Square":       func(x, y Number) Number { return x.Plus(y).Square(x.Constant(2), x.Constant(-3), x.Constant(0.7)) },
		"AwayFromZero": func(x, y Number) Number { return x.Times(y).AwayFromZero(x.Constant(0.3)) },
		"Choose":       func(x, y Number) Number { return x.Below(y).Or(y.IsAbove(1)).Choose(x.Times(x), y) },
		"And":          func(x, y Number) Number { return x.IsAbove(0).And(y.IsBelow(0.5)).Choose(x, y.Times(y)) },
		"Except":       func(x, y Number) Number { return x.IsAbove(0).Except(y.IsBelow(0.5)).Choose(x, y.Cubed()) },
		"Without":      func(x, y Number) Number { return x.Above(y).Without(x.Times(y)) },
	}
	positive := func(of func(Number) Number) func(Number) Number { // of a number above 0
		return func(x Number) Number { return of(x.Squared().And(0.01)) }
	}
	for name, f := range map[string]func(Number) Number{"Sin": Number.Sin, "Cos": Number.Cos, "Tan": Number.Tan,
		"Exp": Number.Exp, "Atan": Number.Atan, "CosAtan": Number.CosAtan, "Abs": Number.Abs, "Neg": Number.Neg,
		"Cubed": Number.Cubed, "Squared": Number.Squared, "Sqrt": positive(Number.Sqrt),
		"InverseSqrt1p": positive(Number.InverseSqrt1p), "SmoothSign": Number.SmoothSign, "Hermite": Number.Hermite,
		"NormalisedArccos": Number.NormalisedArccos, "LimitedTo1": Number.LimitedTo1,
		"MasterShare":         positive(Number.MasterShare),
		"InverseShare":        func(x Number) Number { return x.SmoothSign().Squared().By(0.9).InverseShare() },
		"Digressive":          positive(func(x Number) Number { return x.Digressive(10) }),
		"SquaredSumWithRoot":  func(x Number) Number { return x.SquaredSumWithRoot(x.Constant(0.7)) },
		"Power":               positive(func(x Number) Number { return x.Power(x.Constant(0.85), 0.3) }),
		"By and And together": func(x Number) Number { return x.By(3).And(-0.2).Times(x) },
	} {
		functions[name] = func(x, y Number) Number { return f(x.Times(y)) }
	}
	r := rand.New(rand.NewPCG(46, 2))
	const step = 1e-30
	for name, f := range functions {
		g := NewGraph(2)
		result := f(g.Input(0), g.Input(1))
		p := NewProgram(append(Derivatives([]Number{result}), result))
		g.Law(p)
		memory := p.NewMemory(nil)
		for range 200 {
			in := []float64{2 * r.NormFloat64(), r.NormFloat64()}
			var got [3]float64
			memory.Run(in, got[:])
			for k := range in {
				z := []complex128{complex(in[0], 0), complex(in[1], 0)}
				z[k] += complex(0, step)
				value := g.at(result.v, z)
				size := math.Abs(got[2]) + math.Abs(imag(value)/step) + 1
				if math.Abs(imag(value)/step-got[k]) > 1e-9*size || math.Abs(real(value)-got[2]) > 1e-12*size {
					t.Fatalf("%s at %g: value %g, slope %g by input %d; by complex steps %g, %g", name, in, got[2], got[k], k,
						real(value), imag(value)/step)
				}
			}
		}
	}
}

// A term whose coefficient is absent leaves no operation, and changes no bit of what remains.
func TestAbsentTermsAreLeftOut(t *testing.T) {
	law := func(lacking bool) *Program {
		g := NewGraph(1)
		x, c := g.Input(0), g.Coefficient(0)
		if lacking {
			c = g.Constant(0)
		}
		p := NewProgram([]Number{x.Sin().Plus(c.Times(x.Exp().Atan())).Times(c.Plus(g.Constant(1)))})
		g.Law(p)
		return p
	}
	full, rest := law(false), law(true)
	if len(full.steps) < 6 || len(rest.steps) != 1 {
		t.Fatalf("%d operations, %d without the coefficient", len(full.steps), len(rest.steps))
	}
	fields := make([]float64, full.law.Fields())
	full.law.Bind([]float64{0}, fields)
	a, b := full.NewMemory(fields), rest.NewMemory(nil)
	for x := -3.0; x < 3; x += 0.01 {
		var y, z [1]float64
		a.Run([]float64{x}, y[:])
		b.Run([]float64{x}, z[:])
		if y != z {
			t.Fatalf("%g at %g, without the term %g", y[0], x, z[0])
		}
	}
}
