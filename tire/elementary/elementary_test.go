package elementary

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestFunctionsAreAccurate shows errors in units of the last place against series of a thousand
// bits.
func TestFunctionsAreAccurate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	worst := map[string]float64{}
	for k := range 2000 {
		x := r.NormFloat64() * math.Pow(10, r.Float64()*5-3)
		for name, f := range map[string][2]func(float64) float64{"sin": {Sin, math.Sin}, "cos": {Cos, math.Cos},
			"tan": {Tan, math.Tan}, "exp": {Exp, math.Exp}, "tanh": {Tanh, math.Tanh}, "atan": {Atan, math.Atan}} {
			got, near := f[0](x), f[1](x)
			exact := refine(name, x, near)
			ulp := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
			error, _ := new(big.Float).Quo(new(big.Float).Sub(big.NewFloat(got), exact), big.NewFloat(ulp)).Float64()
			worst[name] = max(worst[name], math.Abs(error))
		}
		y := r.Float64()*2 - 1
		near := math.Asin(y)
		ulp := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
		error, _ := new(big.Float).Quo(new(big.Float).Sub(big.NewFloat(Asin(y)), refine("asin", y, near)),
			big.NewFloat(ulp)).Float64()
		worst["asin"] = max(worst["asin"], math.Abs(error))
		if k%10 > 1 {
			continue
		}
		p := math.Exp(r.NormFloat64() * math.Pow(10, r.Float64()*5-3))
		if k%10 == 0 {
			p = 1 + r.NormFloat64()*math.Pow(10, -3*r.Float64()-1) // the logarithm is near 0
		}
		if p < math.MaxFloat64 && p > 1e-300 {
			near = math.Log(p)
			ulp := math.Nextafter(math.Abs(near), math.Inf(1)) - math.Abs(near)
			error, _ := new(big.Float).Quo(new(big.Float).Sub(big.NewFloat(Log(p)), refine("log", p, near)),
				big.NewFloat(ulp)).Float64()
			worst["log"] = max(worst["log"], math.Abs(error))
		}
	}
	for name, bound := range map[string]float64{"sin": 1.5, "cos": 1.5, "tan": 3, "exp": 1.5, "tanh": 3,
		"atan": 1.5, "asin": 2, "log": 1.5} {
		t.Logf("%s: %.3f units of the last place", name, worst[name])
		if !(worst[name] < bound) {
			t.Errorf("%s is off by %.3f units of the last place, allowed %g", name, worst[name], bound)
		}
	}
}

const precision = 1000 // bits; the series of large arguments cancel

// sinCos are sine and cosine by their series, for moderate arguments.
func sinCos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)
	term := new(big.Float).SetPrec(precision).SetInt64(1)
	for k := int64(0); k < 4000; k++ {
		target := cos
		if k%2 == 1 {
			target = sin
		}
		if k%4 >= 2 {
			target.Sub(target, term)
		} else {
			target.Add(target, term)
		}
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetPrec(precision).SetInt64(k+1))
		if float64(k) > math.Abs(first(x.Float64())) && (term.Sign() == 0 || term.MantExp(nil) < -precision) {
			break
		}
	}
	return sin, cos
}

// exponential is e^x by its series.
func exponential(x *big.Float) *big.Float {
	sum, term := new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision).SetInt64(1)
	for k := int64(1); k < 4000; k++ {
		sum.Add(sum, term)
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetPrec(precision).SetInt64(k))
		if term.Sign() == 0 || term.MantExp(nil) < -precision {
			break
		}
	}
	return sum
}

func first(x float64, _ big.Accuracy) float64 { return x }

// refine improves an approximation to many digits: directly, or by Newton's method on the inverse.
func refine(name string, x, near float64) *big.Float {
	exact := new(big.Float).SetPrec(precision).SetFloat64(x)
	y := new(big.Float).SetPrec(precision).SetFloat64(near)
	switch name {
	case "sin":
		s, _ := sinCos(exact)
		return s
	case "cos":
		_, c := sinCos(exact)
		return c
	case "tan":
		s, c := sinCos(exact)
		return s.Quo(s, c)
	case "exp":
		return exponential(exact)
	case "log": // x/e^y - 1
		for range 3 {
			step := new(big.Float).SetPrec(precision)
			y.Add(y, step.Sub(step.Quo(exact, exponential(y)), new(big.Float).SetInt64(1)))
		}
		return y
	case "tanh": // (e^2x - 1)/(e^2x + 1), odd
		one := new(big.Float).SetPrec(precision).SetInt64(1)
		e := exponential(new(big.Float).SetPrec(precision).SetFloat64(2 * math.Abs(x)))
		y.Quo(new(big.Float).SetPrec(precision).Sub(e, one), e.Add(e, one))
		if x < 0 {
			y.Neg(y)
		}
		return y
	}
	for range 3 {
		s, c := sinCos(y)
		step := new(big.Float).SetPrec(precision)
		if name == "atan" { // (x cos - sin)/(cos + x sin)
			step.Sub(step.Mul(exact, c), s)
			step.Quo(step, new(big.Float).SetPrec(precision).Add(c, new(big.Float).SetPrec(precision).Mul(exact, s)))
		} else { // (x - sin)/cos
			step.Quo(step.Sub(exact, s), c)
		}
		y.Add(y, step)
	}
	return y
}

// The tangent is the quotient of sine and cosine to the last bit, in every quadrant.
func TestTangentIsTheQuotient(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for k := range 200000 {
		x := (2*r.Float64() - 1) * math.Pow(10, 6*r.Float64()-3)
		if k == 0 {
			x = math.Copysign(0, -1)
		}
		sin, cos := Sincos(x)
		if got := Tan(x); math.Float64bits(got) != math.Float64bits(sin/cos) {
			t.Fatalf("the tangent of %g is %g, the quotient %g", x, got, sin/cos)
		}
	}
}
