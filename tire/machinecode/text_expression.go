package machinecode

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Operations of the text that stand for several operations of a builder, and one that nobody needs.
const (
	opDead operation = 200 + iota
	opMagnitude
	opNegative
	opCopySign
)

// kind is how C holds a value.
type kind uint8

const (
	aNumber kind = iota // double
	aWord               // the bits of a number
	aMask               // int, 0 for no bit of a number, else all of them; not of limbs
)

// kindOf is the kind of an operation, whose operands have theirs.
func (f *textFunction) kindOf(i *instruction) kind {
	single := i.width < 2
	mask := func(v Value) bool { return f.kinds[v] == aMask && f.width(v) == 1 || f.isMask(v) }
	switch i.op {
	case opLess, opNotLess, opUnordered:
		if single {
			return aMask
		}
		return aWord
	case opShiftLeft, opShiftRight:
		return aWord
	case opAnd, opAndNot, opOr, opXor:
		switch {
		case single && mask(i.a) && mask(i.b):
			return aMask
		case single && i.op == opAnd && f.chooses(i):
			return aNumber
		}
		return aWord
	case opSelect:
		switch {
		case single && f.kinds[i.b] == aMask && f.kinds[i.c] == aMask:
			return aMask
		case f.kinds[i.b] != aNumber && f.kinds[i.c] != aNumber:
			return aWord
		}
	case opPair:
		if f.kinds[i.a] != aNumber && f.kinds[i.b] != aNumber {
			return aWord
		}
	case opSplat, opUpper:
		if f.kinds[i.a] != aNumber {
			return aWord
		}
	}
	return aNumber
}

// isMask reports whether a value is a constant whose bits are all set, or none of them.
func (f *textFunction) isMask(v Value) bool {
	i := &f.nodes[v]
	return i.op == opConst && i.width < 2 && (i.bits == 0 || i.bits == math.MaxUint64)
}

// chooses reports whether a bitwise product is a number where a mask is set, and 0 elsewhere.
func (f *textFunction) chooses(i *instruction) bool {
	return f.kinds[i.a] == aMask && f.kinds[i.b] == aNumber || f.kinds[i.b] == aMask && f.kinds[i.a] == aNumber
}

// typeOf is the C type of a value.
func (f *textFunction) typeOf(v Value) string {
	suffix := f.suffix(f.width(v))
	if suffix == "" {
		return []string{aNumber: "double", aWord: "uint64_t", aMask: "int"}[f.kinds[v]]
	}
	return []string{aNumber: "op_v", aWord: "op_u", aMask: "op_m"}[f.kinds[v]] + suffix
}

// numberText is a number in C, exactly.
func numberText(bits uint64) string {
	if x := math.Float64frombits(bits); !math.IsNaN(x) {
		return Number(x)
	}
	return "op_number(" + wordText(bits) + ")"
}

// Number is a number in C, exactly; it is not a NaN.
func Number(x float64) string {
	switch {
	case math.IsInf(x, 0):
		return strings.Repeat("-", int(math.Float64bits(x)>>63)) + "OP_INFINITY"
	case x == math.Trunc(x) && math.Abs(x) < 1e6 && !(x == 0 && math.Signbit(x)):
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return exponent.ReplaceAllString(strconv.FormatFloat(x, 'x', -1, 64), "p$1")
}

// exponent is the exponent of a number as Go prints it; the C text has no zeros in front.
var exponent = regexp.MustCompile(`p\+?(-?)0?`)

func wordText(bits uint64) string { return fmt.Sprintf("UINT64_C(0x%x)", bits) }

// constant is a constant as a kind.
func (f *textFunction) constant(v Value, width int, as kind) string {
	i := &f.nodes[v]
	bits := []uint64{i.bits}
	if i.width > 1 {
		bits = f.b.constants[i.n][:width]
	}
	written, splat, several := numberText, "op_splat", "op_pair"
	switch as {
	case aWord:
		written, splat, several = wordText, "op_bits", "op_words"
	case aMask:
		written, splat = func(bits uint64) string { return strconv.Itoa(int(bits >> 63)) }, "op_mask"
	}
	suffix := f.suffix(width)
	if suffix == "" {
		return written(bits[0])
	}
	if same := slices.Max(bits) == slices.Min(bits); same {
		return splat + suffix + "(" + written(bits[0]) + ")"
	}
	if width == full && as == aNumber {
		several, suffix = "op_four", ""
	}
	var list []string
	for _, x := range bits {
		list = append(list, written(x))
	}
	return several + suffix + "(" + strings.Join(list, ", ") + ")"
}

// as is the text of a value as an operand: the first numbers of it, as a kind.
func (f *textFunction) as(v Value, width int, as kind) string {
	if f.nodes[v].op == opConst {
		return f.constant(v, width, as)
	}
	f.recall(v)
	text, is, w := f.texts[v], f.kinds[v], f.width(v)
	if w > width {
		text = f.first(text, w, width, is)
	} else if is == as && !f.simple[v] {
		text = "(" + text + ")"
	}
	return f.converted(text, width, is, as)
}

// converted is the C of a value as another kind.
func (f *textFunction) converted(text string, width int, is, as kind) string {
	suffix := f.suffix(width)
	for ; is != as; is = next(is, as) {
		text = bare(text)
		switch {
		case is == aMask && suffix == "":
			text = "(0 - (uint64_t)(" + text + "))"
		case is == aMask:
			text = "op_spread" + suffix + "(" + text + ")"
		case is == aNumber:
			text = "op_word" + suffix + "(" + text + ")"
		case as == aNumber:
			text = "op_number" + suffix + "(" + text + ")"
		case suffix == "":
			text = "((" + text + ") >> 63 != 0)"
		default:
			text = "op_sign" + suffix + "(" + text + ")"
		}
	}
	return text
}

// next is the kind on the way from one to another: numbers become words before they become masks, and masks before
// they become numbers.
func next(is, as kind) kind {
	if is == aWord {
		return as
	}
	return aWord
}

// The operands on either side of an operation of C that need no parentheses: sums are evaluated from the left, after
// products.
var (
	leftOf = map[string][]operation{"+": {opAdd, opSub, opMul, opDiv}, "-": {opAdd, opSub, opMul, opDiv},
		"*": {opMul, opDiv}, "/": {opMul, opDiv}}
	rightOf = map[string][]operation{"+": {opMul, opDiv}, "-": {opMul, opDiv}}
)

// within is the text of a number as an operand, without parentheses if it is one of some operations. C makes lanes of
// one number itself, beside an operand that has some.
func (f *textFunction) within(v, other Value, width int, plain []operation) string {
	if f.nodes[v].op == opConst && f.lanes > 1 && f.nodes[other].op != opConst {
		return numberText(f.nodes[v].bits)
	}
	text := f.as(v, width, aNumber)
	if f.width(v) == width && slices.Contains(plain, f.nodes[v].op) {
		return bare(text)
	}
	return text
}

// bare is an operand without its parentheses.
func bare(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return text[1 : len(text)-1]
}

// negative is the opposite of an operand, and whether it is a call.
func (f *textFunction) negative(v Value, w int) (text string, simple bool) {
	text = f.as(v, w, aNumber)
	switch {
	case w > 1:
		return "op_neg" + f.suffix(w) + "(" + bare(text) + ")", true
	case strings.HasPrefix(text, "-"):
		return "-(" + text + ")", false
	}
	return "-" + text, false
}

// first are the first numbers of a variable.
func (f *textFunction) first(name string, of, width int, is kind) string {
	switch {
	case width == 1:
		return fmt.Sprintf("op_first%d(%s)", of, bare(name))
	case is == aWord:
		return fmt.Sprintf("op_word2(op_low2(op_number4(%s)))", bare(name))
	}
	return "op_low2(" + bare(name) + ")"
}

// signSet is whether the sign bit of a value is set, of any of its numbers.
func (f *textFunction) signSet(v Value) string {
	if w := f.width(v); w > 1 {
		return fmt.Sprintf("op_any%d(%s)", w, bare(f.as(v, w, aWord)))
	}
	set := f.as(v, 1, aMask)
	if f.lanes > 1 {
		return "op_anyl(" + bare(set) + ")"
	}
	return bare(set)
}

// call is a call of a function on values of a width.
func (f *textFunction) call(name string, width int, arguments ...string) string {
	for n := range arguments {
		arguments[n] = bare(arguments[n])
	}
	return name + f.suffix(width) + "(" + strings.Join(arguments, ", ") + ")"
}

// expression is an operation as C, and whether it needs no parentheses as an operand.
func (f *textFunction) expression(v Value) (text string, simple bool) {
	i, w := &f.nodes[v], f.width(v)
	number := func(x Value) string { return f.as(x, w, aNumber) }
	call := func(name string, list ...string) (string, bool) { return f.call(name, w, list...), true }
	infix := func(name, sign string) (string, bool) {
		if w > 1 {
			return call(name, number(i.a), number(i.b))
		}
		return f.within(i.a, i.b, w, leftOf[sign]) + " " + sign + " " + f.within(i.b, i.a, w, rightOf[sign]), false
	}
	minus := func(x Value) string {
		text, _ := f.negative(x, w)
		return text
	}
	switch i.op {
	case opConst:
		return "", true
	case opLoad:
		return f.at("m", i.n, w), true
	case opFixed:
		return f.at("f", i.n, w), true
	case opAdd:
		return infix("op_add", "+")
	case opSub:
		return infix("op_sub", "-")
	case opMul:
		return infix("op_mul", "*")
	case opDiv:
		return infix("op_div", "/")
	case opMulAdd:
		return call("op_fma", number(i.a), number(i.b), number(i.c))
	case opMulSub:
		return call("op_fma", number(i.a), number(i.b), minus(i.c))
	case opSubMul:
		return call("op_fma", minus(i.a), number(i.b), number(i.c))
	case opSqrt:
		return call("op_sqrt", number(i.a))
	case opLarger:
		return call("op_larger", number(i.a), number(i.b))
	case opSmaller:
		return call("op_smaller", number(i.a), number(i.b))
	case opMagnitude:
		return call("op_abs", number(i.a))
	case opNegative:
		return f.negative(i.a, w)
	case opCopySign:
		return call("op_copysign", number(i.a), number(i.b))
	case opAddSub:
		return call("op_addsub", number(i.a), number(i.b))
	}
	if text, ok := f.arranged(i, f.kinds[v], w); ok {
		return text, true
	}
	return f.bitwise(i, f.kinds[v], w)
}

// arranged is an operation that moves numbers.
func (f *textFunction) arranged(i *instruction, is kind, w int) (text string, ok bool) {
	cast := func(text string) string {
		if is == aWord {
			return f.call("op_word", w, text)
		}
		return text
	}
	switch i.op {
	case opPair:
		return cast(f.call("op_pair", w, f.as(i.a, w/2, aNumber), f.as(i.b, w/2, aNumber))), true
	case opSplat:
		return cast(f.call("op_splat", w, f.as(i.a, 1, aNumber))), true
	case opUpper:
		of := f.width(i.a)
		if w == 1 {
			return f.call("op_second", of, f.as(i.a, of, f.kinds[i.a])), true
		}
		return cast(f.call("op_high", w, f.as(i.a, of, aNumber))), true
	case opGather:
		return f.gathered(i, w), true
	}
	return "", false
}

// gathered reads tables.
func (f *textFunction) gathered(i *instruction, w int) string {
	at := f.as(i.a, w, aNumber)
	if w == 1 && f.lanes == 1 {
		return fmt.Sprintf("%s[(int)%s]", f.tableOf(i.n), at)
	}
	var list []string
	for n := range w {
		table := i.n
		if i.width > 1 {
			table = f.b.gathered[i.n][n]
		}
		list = append(list, f.tableOf(table))
	}
	return f.call("op_look", w, append(list, at)...)
}

// tableOf is the name of a table of the builder.
func (f *textFunction) tableOf(n int32) string { return f.t.table(f.t.add(f.b.tables[n])) }
