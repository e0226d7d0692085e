package vectors

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/expr"
)

// Axes are the names of the coordinates.
var Axes = [3]string{"x", "y", "z"}

// Coordinate is the name of one coordinate of a vector as a number.
func Coordinate(vector string, axis int) string { return vector + "_" + Axes[axis] }

// functions of vectors: the number of their arguments, and whether they give a vector.
var functions = map[string]struct {
	arguments int
	vector    bool
}{"norm": {1, false}, "dot": {2, false}, "cross": {2, true}}

// Named reports whether a formula names a vector or a function of vectors.
func Named(formula string, is func(name string) bool) bool {
	s := &parser{text: formula, is: is}
	for s.at < len(s.text) {
		start := s.at
		switch c := s.text[s.at]; {
		case letter(c):
			name := s.word()
			vector, _, dotted := cutLast(name)
			_, function := functions[name]
			if is(name) || dotted && is(vector) || function && s.accept('(') {
				return true
			}
		case digit(c):
			s.numeral()
		default:
			s.at = start + 1
		}
	}
	return false
}

// Resolve returns a formula in numbers: one formula, or the three coordinates of a vector. is tells which names are
// vectors, and names lists them for messages.
func Resolve(formula string, is func(name string) bool, names []string) ([]string, error) {
	if len(formula) > expr.MaxFormula {
		return nil, &expr.SyntaxError{Offset: expr.MaxFormula,
			Problem: fmt.Sprintf("longer than %d characters", expr.MaxFormula)}
	}
	s := &parser{text: formula, is: is, names: names}
	t := s.sum()
	s.space()
	if s.at < len(s.text) {
		s.fail(s.at, "unexpected %q", s.text[s.at:s.at+1])
	}
	switch {
	case s.fault != nil:
		return nil, s.fault
	case t.vector:
		return t.text[:], nil
	}
	return t.text[:1], nil
}

// term is a part of a formula: a number, or a vector with the formulas of its coordinates.
type term struct {
	vector bool
	text   [3]string
	binds  binding
	name   string // of a number that is only a name
}

// binding is how tightly the parts of a formula hold together.
type binding uint8

const (
	asSum binding = iota
	asProduct
	asPower
	asAtom
)

// within is one formula of a term in parentheses, unless it binds tightly enough.
func (t term) within(axis int, least binding) string {
	if t.binds < least {
		return "(" + t.text[axis] + ")"
	}
	return t.text[axis]
}

type parser struct {
	text  string
	at    int
	depth int
	is    func(string) bool
	names []string
	fault *expr.SyntaxError // the first
}

const maxDepth = 200 // nesting of a formula

// fail notes the first fault, ends the reading, and returns a term to go on with.
func (s *parser) fail(at int, format string, args ...any) term {
	if s.fault == nil {
		s.fault = &expr.SyntaxError{Offset: at, Problem: fmt.Sprintf(format, args...)}
	}
	s.at = len(s.text)
	return number("1", asAtom)
}

func number(text string, binds binding) term { return term{text: [3]string{text}, binds: binds} }

// each joins coordinates, or numbers, of terms.
func (s *parser) each(vector bool, binds binding, join func(axis int) string) term {
	t := term{vector: vector, binds: binds}
	for axis := range t.text {
		if axis == 0 || vector {
			t.text[axis] = join(axis)
		}
		if len(t.text[axis]) > expr.MaxFormula {
			return s.fail(0, "longer than %d characters in the coordinates of its vectors; divide it", expr.MaxFormula)
		}
	}
	return t
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

func (s *parser) deeper() bool {
	if s.depth++; s.depth > maxDepth {
		s.fail(s.at, "nested too deeply")
		return false
	}
	return true
}

func (s *parser) sum() term {
	if !s.deeper() {
		return term{}
	}
	defer func() { s.depth-- }()
	t := s.product()
	for {
		start := s.at
		sign := ""
		switch {
		case s.accept('+'):
			sign = " + "
		case s.accept('-'):
			sign = " - "
		default:
			return t
		}
		left, right := t, s.product()
		if left.vector != right.vector {
			return s.fail(start, "%s", s.mixed(left, right))
		}
		t = s.each(left.vector, asSum, func(axis int) string {
			return left.text[axis] + sign + right.within(axis, asProduct)
		})
	}
}

// mixed is the message about the sum of a number and a vector. A number that is only a name may be a misspelt vector.
func (s *parser) mixed(a, b term) string {
	if a.vector {
		a = b
	}
	if a.name == "" {
		return "a number is added to a vector, which has three coordinates: write one of them, as a.x, or make the number " +
			"a vector"
	}
	return fmt.Sprintf("%s is a number and is added to a vector%s", a.name, s.hint(a.name))
}

// hint is the end of a message about a name that is no vector.
func (s *parser) hint(name string) string {
	if near := document.Nearest(name, s.names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(s.names) == 0 {
		return "; there are no vectors here"
	}
	return "; vectors are " + strings.Join(s.names, ", ")
}

func (s *parser) product() term {
	t := s.factor()
	for {
		start := s.at
		switch {
		case s.accept('*'):
			left, right := t, s.factor()
			if left.vector && right.vector {
				return s.fail(start, "two vectors have no product by *; write dot(a, b) or cross(a, b)")
			}
			t = s.each(left.vector || right.vector, asProduct, func(axis int) string {
				return left.within(left.of(axis), asProduct) + "*" + right.within(right.of(axis), asPower)
			})
		case s.accept('/'):
			left, right := t, s.factor()
			if right.vector {
				return s.fail(start, "nothing can be divided by a vector; divide by its length, norm(a)")
			}
			t = s.each(left.vector, asProduct, func(axis int) string {
				return left.within(axis, asProduct) + "/" + right.within(0, asPower)
			})
		default:
			return t
		}
	}
}

// of is the index of the formula that a coordinate of a product takes of a factor.
func (t term) of(axis int) int {
	if t.vector {
		return axis
	}
	return 0
}

func (s *parser) factor() term {
	if s.accept('-') {
		if !s.deeper() {
			return term{}
		}
		defer func() { s.depth-- }()
		t := s.factor()
		return s.each(t.vector, asProduct, func(axis int) string { return "-" + t.within(axis, asProduct) })
	}
	t := s.primary()
	start := s.at
	if !s.accept('^') {
		return t
	}
	sign := ""
	if s.accept('-') {
		sign = "-"
	}
	exponent := s.primary()
	if t.vector || exponent.vector {
		return s.fail(start, "a vector has no powers; write dot(a, a)")
	}
	return s.each(false, asPower, func(int) string {
		return t.within(0, asAtom) + "^" + sign + exponent.within(0, asAtom)
	})
}

func (s *parser) primary() term {
	s.space()
	if s.at == len(s.text) {
		return s.fail(s.at, "a number, a name or a parenthesis is missing at the end")
	}
	switch c := s.text[s.at]; {
	case c == '(':
		s.at++
		t := s.sum()
		if !s.accept(')') {
			return s.fail(s.at, "closing parenthesis missing")
		}
		return t
	case digit(c):
		return number(s.numeral(), asAtom)
	case letter(c):
		start := s.at
		return s.named(s.word(), start)
	}
	return s.fail(s.at, "unexpected %q", s.text[s.at:s.at+1])
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// digit reports whether a number begins.
func digit(c byte) bool { return c >= '0' && c <= '9' || c == '.' }

func (s *parser) word() string {
	start := s.at
	for s.at < len(s.text) && (letter(s.text[s.at]) || digit(s.text[s.at])) {
		s.at++
	}
	return s.text[start:s.at]
}

func (s *parser) numeral() string {
	start := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		sign := (c == '+' || c == '-') && s.at > start && (s.text[s.at-1] == 'e' || s.text[s.at-1] == 'E')
		if !(digit(c) || c == 'e' || c == 'E' || sign) {
			break
		}
		s.at++
	}
	return s.text[start:s.at]
}

// cutLast divides a name at its last dot.
func cutLast(name string) (before, after string, found bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

func (s *parser) named(name string, start int) term {
	if s.accept('(') {
		return s.call(name, start)
	}
	if s.is(name) {
		t := term{vector: true, binds: asAtom, name: name}
		for axis := range t.text {
			t.text[axis] = Coordinate(name, axis)
		}
		return t
	}
	if vector, coordinate, dotted := cutLast(name); dotted && s.is(vector) {
		axis := slices.Index(Axes[:], coordinate)
		if axis < 0 {
			return s.fail(start, "%s is no coordinate of the vector %s; they are %[2]s.x, %[2]s.y and %[2]s.z", name, vector)
		}
		return number(Coordinate(vector, axis), asAtom)
	}
	t := number(name, asAtom)
	t.name = name
	return t
}

// call is a function of vectors, or another one, which takes numbers.
func (s *parser) call(name string, start int) term {
	arguments := []term{s.sum()}
	for s.accept(',') {
		arguments = append(arguments, s.sum())
	}
	if !s.accept(')') {
		return s.fail(s.at, "closing parenthesis missing")
	}
	f, ofVectors := functions[name]
	if ofVectors && len(arguments) != f.arguments {
		return s.fail(start, "%s takes %d argument(s), not %d", name, f.arguments, len(arguments))
	}
	for _, a := range arguments {
		switch {
		case a.vector && !ofVectors:
			return s.fail(start, "%s takes numbers, not a vector; write a coordinate, as a.x, or norm(a)", name)
		case !a.vector && ofVectors && a.name != "":
			return s.fail(start, "%s takes vectors, and %s is a number%s", name, a.name, s.hint(a.name))
		case !a.vector && ofVectors:
			return s.fail(start, "%s takes vectors, not a number", name)
		}
	}
	switch name {
	case "norm":
		squares := s.dot(arguments[0], arguments[0])
		return s.each(false, asAtom, func(int) string { return "sqrt(" + squares + ")" })
	case "dot":
		return s.each(false, asSum, func(int) string { return s.dot(arguments[0], arguments[1]) })
	case "cross":
		a, b := arguments[0], arguments[1]
		return s.each(true, asSum, func(axis int) string {
			j, k := (axis+1)%3, (axis+2)%3
			return a.within(j, asProduct) + "*" + b.within(k, asPower) + " - " + a.within(k, asProduct) + "*" +
				b.within(j, asPower)
		})
	}
	return s.each(false, asAtom, func(int) string {
		texts := make([]string, len(arguments))
		for i, a := range arguments {
			texts[i] = a.text[0]
		}
		return name + "(" + strings.Join(texts, ", ") + ")"
	})
}

// dot is the scalar product of two vectors.
func (s *parser) dot(a, b term) string {
	var products [3]string
	for axis := range products {
		products[axis] = a.within(axis, asProduct) + "*" + b.within(axis, asPower)
		if a.text == b.text {
			products[axis] = a.within(axis, asAtom) + "^2"
		}
	}
	return strings.Join(products[:], " + ")
}
