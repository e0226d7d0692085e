package expr

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// SyntaxError is a fault in a formula, Offset bytes from its start.
type SyntaxError struct {
	Offset  int
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("formula, character %d: %s", e.Offset+1, e.Problem)
}

// Parse reads a formula: numbers, names, + - * / ^ with integer exponents, parentheses, pi, the functions of Fn by
// name, select(c, a, b), comparisons by < <= > >= == != with the values 0 and 1, and the words and, or, not. lookup
// gives the meaning of a name, nil when it has none.
func (p *Pool) Parse(text string, lookup func(name string) *Expr) (*Expr, error) {
	if len(text) > MaxFormula {
		return nil, &SyntaxError{MaxFormula, fmt.Sprintf("longer than %d characters", MaxFormula)}
	}
	s := &parser{pool: p, text: text, lookup: lookup}
	e := s.condition()
	s.space()
	if s.at < len(s.text) {
		s.fail(s.at, "unexpected %q", s.text[s.at:s.at+1])
	}
	if s.fault != nil {
		return nil, s.fault
	}
	return e, nil
}

type parser struct {
	pool   *Pool
	text   string
	at     int
	depth  int
	lookup func(string) *Expr
	fault  *SyntaxError // the first
}

const (
	maxDepth = 200 // nesting of a formula
	// MaxFormula is the longest formula [characters]. It bounds the work of exact arithmetic: the digits of a product of
	// numbers grow with its length.
	MaxFormula = 1000
)

// fail notes the first fault, ends the reading, and returns a value to go on with.
func (s *parser) fail(at int, format string, args ...any) *Expr {
	if s.fault == nil {
		s.fault = &SyntaxError{at, fmt.Sprintf(format, args...)}
	}
	s.at = len(s.text)
	return s.pool.one
}

func (s *parser) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

func (s *parser) accept(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// acceptWord accepts a word that is not the beginning of a longer one.
func (s *parser) acceptWord(word string) bool {
	s.space()
	rest, is := strings.CutPrefix(s.text[s.at:], word)
	if !is || rest != "" && (letter(rest[0]) || rest[0] >= '0' && rest[0] <= '9' || rest[0] == '.') {
		return false
	}
	s.at += len(word)
	return true
}

// condition is a sum, or conditions that are joined.
func (s *parser) condition() *Expr {
	e := s.conjunction()
	for s.acceptWord("or") {
		e = s.pool.Call(Max, s.pool.Truth(e), s.pool.Truth(s.conjunction()))
	}
	return e
}

func (s *parser) conjunction() *Expr {
	e := s.negation()
	for s.acceptWord("and") {
		e = s.pool.Mul(s.pool.Truth(e), s.pool.Truth(s.negation()))
	}
	return e
}

func (s *parser) negation() *Expr {
	words := 0
	for s.acceptWord("not") {
		words++
	}
	e := s.comparison()
	if words > 0 {
		e = s.pool.Truth(e)
	}
	if words%2 == 1 {
		e = s.pool.Sub(s.pool.one, e)
	}
	return e
}

// comparison is a sum, or two that are compared: 1 if the comparison holds, else 0.
func (s *parser) comparison() *Expr {
	a := s.sum()
	sign := s.comparisonSign()
	if sign == "" {
		return a
	}
	p := s.pool
	b := s.sum()
	difference := p.Sub(a, b)
	if start := s.at; s.comparisonSign() != "" {
		return s.fail(start, "comparisons cannot follow each other: write a < b and b < c")
	}
	switch sign {
	case "<":
		return p.Call(Step, p.Neg(difference))
	case "<=":
		return p.Sub(p.one, p.Call(Step, difference))
	case ">":
		return p.Call(Step, difference)
	case ">=":
		return p.Sub(p.one, p.Call(Step, p.Neg(difference)))
	case "==":
		return p.Equal(a, b)
	}
	return p.Sub(p.one, p.Equal(a, b))
}

// comparisonSign accepts a sign of a comparison; "" for none.
func (s *parser) comparisonSign() string {
	s.space()
	for _, sign := range [...]string{"<=", ">=", "==", "!=", "<", ">"} {
		if strings.HasPrefix(s.text[s.at:], sign) {
			s.at += len(sign)
			return sign
		}
	}
	if strings.HasPrefix(s.text[s.at:], "=") {
		s.fail(s.at, "= does not compare; write ==")
	}
	return ""
}

func (s *parser) sum() *Expr {
	if s.depth++; s.depth > maxDepth {
		return s.fail(s.at, "nested too deeply")
	}
	defer func() { s.depth-- }()
	e := s.product()
	for {
		switch {
		case s.accept('+'):
			e = s.pool.Add(e, s.product())
		case s.accept('-'):
			e = s.pool.Sub(e, s.product())
		default:
			return e
		}
	}
}

func (s *parser) product() *Expr {
	e := s.factor()
	for {
		switch {
		case s.accept('*'):
			e = s.pool.Mul(e, s.factor())
		case s.accept('/'):
			start := s.at
			d := s.factor()
			if d.IsZero() {
				return s.fail(start, "division by zero")
			}
			e = s.pool.Div(e, d)
		default:
			return e
		}
	}
}

func (s *parser) factor() *Expr {
	if s.accept('-') {
		if s.depth++; s.depth > maxDepth {
			return s.fail(s.at, "nested too deeply")
		}
		defer func() { s.depth-- }()
		return s.pool.Neg(s.factor())
	}
	e := s.primary()
	if !s.accept('^') {
		return e
	}
	start := s.at
	sign := int64(1)
	if s.accept('-') {
		sign = -1
	}
	exponent := s.primary()
	n, ok := exponent.number.Int()
	if !ok || exponent.kind != Number || n < 0 || n > 64 || (sign < 0 && e.IsZero()) {
		return s.fail(start, "the exponent must be an integer between -64 and 64")
	}
	if e.kind == Number && !e.IsZero() && math.Abs(math.Log(math.Abs(e.number.Float())))*float64(n) > 700 {
		return s.fail(start, "the power is out of range")
	}
	power := s.pool.Pow(e, int(sign*n))
	if s.large(power) {
		return s.fail(start, tooLarge)
	}
	return power
}

// Limits of powers of powers: programs hold a product as long as a power is high, and numbers are exact.
const (
	mostPower = 1024
	mostBits  = 1 << 13 // of a number; 15 digits to the power of 64 have 6000
	tooLarge  = "the power of a power is too high; the product of the exponents must not exceed 1024"
)

// large reports whether a power goes beyond that.
func (s *parser) large(e *Expr) bool {
	switch e.kind {
	case Number:
		return e.number.bits() > mostBits
	case Product:
		return slices.ContainsFunc(e.powers, func(power int) bool { return max(power, -power) > mostPower })
	case Sum:
		content, body := s.pool.Content(e)
		return content.bits() > mostBits || body.kind != Sum && s.large(body)
	}
	return false
}

func (s *parser) primary() *Expr {
	s.space()
	if s.at == len(s.text) {
		return s.fail(s.at, "a number, a name or a parenthesis is missing at the end")
	}
	start := s.at
	switch c := s.text[s.at]; {
	case c == '(':
		s.at++
		e := s.condition()
		if !s.accept(')') {
			return s.fail(s.at, "closing parenthesis missing")
		}
		return e
	case c >= '0' && c <= '9' || c == '.':
		return s.numeral()
	case letter(c):
		for s.at < len(s.text) && (letter(s.text[s.at]) || s.text[s.at] >= '0' && s.text[s.at] <= '9' ||
			s.text[s.at] == '.') {
			s.at++
		}
		return s.named(s.text[start:s.at], start)
	}
	return s.fail(s.at, "unexpected %q", s.text[s.at:s.at+1])
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (s *parser) numeral() *Expr {
	start := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		exponentSign := (c == '+' || c == '-') && s.at > start && (s.text[s.at-1] == 'e' || s.text[s.at-1] == 'E')
		if !(c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || exponentSign) {
			break
		}
		s.at++
	}
	text := s.text[start:s.at]
	// an exponent of many digits would make an exact number of many megabytes
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 5 {
		return s.fail(start, "number %s out of range", text)
	}
	r, ok := ParseRational(text)
	if !ok || math.IsInf(r.Float(), 0) {
		return s.fail(start, "%q is not a number", text)
	}
	if r.Float() == 0 && !r.IsZero() {
		return s.fail(start, "number %s out of range", text)
	}
	return s.pool.Num(r)
}

func (s *parser) named(name string, start int) *Expr {
	if !s.accept('(') {
		if name == "pi" {
			return s.pool.Num(pi)
		}
		if e := s.lookup(name); e != nil {
			return e
		}
		return s.fail(start, "unknown name %q", name)
	}
	args := []*Expr{s.condition()}
	for s.accept(',') {
		args = append(args, s.condition())
	}
	if !s.accept(')') {
		return s.fail(s.at, "closing parenthesis missing")
	}
	if name == "select" {
		if len(args) != 3 {
			return s.fail(start, "select takes 3 arguments, a condition and the values with and without it, not %d", len(args))
		}
		return s.pool.Select(args[0], args[1], args[2])
	}
	for f := Sin; f <= Min; f++ {
		if f.String() != name {
			continue
		}
		if want := 1 + b2i(f >= Atan2); len(args) != want {
			return s.fail(start, "%s takes %d argument(s), not %d", name, want, len(args))
		}
		return s.pool.Call(f, args...)
	}
	return s.fail(start, "unknown function %q", name)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// pi as the exact value of the nearest float64, so that formulas agree with
// floating-point arithmetic.
var pi = func() Rational {
	r, _ := ParseRational("3.141592653589793115997963468544185161590576171875")
	return r
}()
