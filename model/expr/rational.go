package expr

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Rational is an exact rational number. The zero value is 0. Small values are
// held in machine words; others in a big.Rat.
type Rational struct {
	num int64
	den int64    // 0 stands for 1, so that the zero value is 0/1
	big *big.Rat // set when the value does not fit
}

// Integer returns n as a Rational.
func Integer(n int64) Rational { return Rational{num: n, den: 1} }

// Fraction returns n/d; d must not be 0.
func Fraction(n, d int64) Rational { return fromBig(big.NewRat(n, d)) }

// ParseRational reads a decimal number such as "0.8995" or "3.04e5" exactly.
func ParseRational(text string) (Rational, bool) {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return Rational{}, false
	}
	return fromBig(r), true
}

func fromBig(r *big.Rat) Rational {
	if r.Num().IsInt64() && r.Denom().IsInt64() {
		return Rational{num: r.Num().Int64(), den: r.Denom().Int64()}
	}
	return Rational{big: r}
}

func (a Rational) denominator() int64 {
	if a.den == 0 {
		return 1
	}
	return a.den
}

func (a Rational) toBig() *big.Rat {
	if a.big != nil {
		return a.big
	}
	return big.NewRat(a.num, a.denominator())
}

// IsZero reports whether a is 0.
func (a Rational) IsZero() bool { return a.big == nil && a.num == 0 }

// IsOne reports whether a is 1.
func (a Rational) IsOne() bool { return a.big == nil && a.num == 1 && a.denominator() == 1 }

// Sign returns -1, 0 or 1.
func (a Rational) Sign() int {
	switch {
	case a.big != nil:
		return a.big.Sign()
	case a.num < 0:
		return -1
	case a.num > 0:
		return 1
	}
	return 0
}

// Int returns the value when a is an integer of machine size.
func (a Rational) Int() (int64, bool) {
	return a.num, a.big == nil && a.denominator() == 1
}

// Float returns the nearest float64.
func (a Rational) Float() float64 {
	// A quotient of two numbers that are exact is rounded once, to the nearest.
	if d := a.denominator(); a.big == nil && a.num < 1<<53 && a.num > -1<<53 && d < 1<<53 {
		return float64(a.num) / float64(d)
	}
	f, _ := a.toBig().Float64()
	return f
}

// Equal reports whether a and b are the same number.
func (a Rational) Equal(b Rational) bool {
	if a.big == nil && b.big == nil {
		return a.num == b.num && a.denominator() == b.denominator()
	}
	return a.toBig().Cmp(b.toBig()) == 0
}

// Neg returns -a.
func (a Rational) Neg() Rational {
	if a.big == nil && a.num != -1<<63 {
		return Rational{num: -a.num, den: a.denominator()}
	}
	return fromBig(new(big.Rat).Neg(a.toBig()))
}

// Add returns a + b.
func (a Rational) Add(b Rational) Rational {
	if a.IsZero() {
		return b
	}
	if b.IsZero() {
		return a
	}
	if a.big == nil && b.big == nil && a.denominator() == 1 && b.denominator() == 1 {
		if s := a.num + b.num; (s > a.num) == (b.num > 0) {
			return Rational{num: s, den: 1}
		}
	}
	return fromBig(new(big.Rat).Add(a.toBig(), b.toBig()))
}

// Mul returns a b.
func (a Rational) Mul(b Rational) Rational {
	if a.IsOne() {
		return b
	}
	if b.IsOne() {
		return a
	}
	if a.big == nil && b.big == nil && a.denominator() == 1 && b.denominator() == 1 {
		hi, lo := bits.Mul64(magnitude(a.num), magnitude(b.num))
		if hi == 0 && lo < 1<<63 {
			return Rational{num: a.num * b.num, den: 1}
		}
	}
	return fromBig(new(big.Rat).Mul(a.toBig(), b.toBig()))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

// Inv returns 1/a; a must not be 0.
func (a Rational) Inv() Rational {
	switch {
	case a.big == nil && a.num > 0:
		return Rational{num: a.denominator(), den: a.num}
	case a.big == nil && a.num < 0 && a.num != math.MinInt64:
		return Rational{num: -a.denominator(), den: -a.num}
	}
	return fromBig(new(big.Rat).Inv(a.toBig()))
}

// Pow returns a^n; a must not be 0 when n < 0.
func (a Rational) Pow(n int) Rational {
	if n < 0 {
		a, n = a.Inv(), -n
	}
	switch {
	case n == 1 || a.IsOne():
		return a
	case a.big == nil && a.num == -1 && a.denominator() == 1:
		return Integer(1 - 2*int64(n%2))
	}
	x, exponent := a.toBig(), big.NewInt(int64(n))
	return fromBig(new(big.Rat).SetFrac(new(big.Int).Exp(x.Num(), exponent, nil),
		new(big.Int).Exp(x.Denom(), exponent, nil)))
}

// bits is the length of numerator and denominator together.
func (a Rational) bits() int {
	if a.big == nil {
		return bits.Len64(uint64(max(a.num, -a.num))) + bits.Len64(uint64(a.denominator()))
	}
	return a.big.Num().BitLen() + a.big.Denom().BitLen()
}

// String returns "n" or "n/d".
func (a Rational) String() string {
	if a.big == nil && a.denominator() == 1 {
		return strconv.FormatInt(a.num, 10)
	}
	return a.toBig().RatString()
}

func (a Rational) hash() uint64 {
	if a.big != nil {
		h := uint64(14695981039346656037)
		for _, c := range a.big.String() {
			h = mix(h, uint64(c))
		}
		return h
	}
	return mix(uint64(a.num), uint64(a.denominator()))
}

// FromFloat returns x exactly; x must be finite.
func FromFloat(x float64) Rational {
	return fromBig(new(big.Rat).SetFloat64(x))
}
