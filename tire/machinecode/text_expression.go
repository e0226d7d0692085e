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
	aMask               // int, 0 for no bit of a number, else all of them; of single numbers only
)

// kindOf is the kind of an operation, whose operands have theirs.
func (f *textFunction) kindOf(i *instruction) kind {
	single := f.lanes == 1 && i.width < 2
	mask := func(v Value) bool { return f.kinds[v] == aMask && f.width(v) == 1 || f.isMask(v) }
	switch i.op {
	case opLess, opNotLess, opUnordered:
		if single {
			return aMask
		}
		return aWord
	case opShiftLeft:
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
	w := f.width(v)
	switch {
	case f.kinds[v] == aMask:
		return "int"
	case w == 1 && f.kinds[v] == aWord:
		return "uint64_t"
	case w == 1:
		return "double"
	case f.kinds[v] == aWord:
		return fmt.Sprintf("op_u%d", w)
	}
	return fmt.Sprintf("op_v%d", w)
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
	written, splat, several := numberText, "op_splat%d(%s)", "op_pair2(%s)"
	if as == aWord {
		written, splat, several = wordText, "op_bits%d(%s)", "op_words%d(%s)"
	}
	if i.width < 2 {
		if as == aMask {
			return strconv.Itoa(int(i.bits >> 63))
		}
		if width == 1 {
			return written(i.bits)
		}
		return fmt.Sprintf(splat, width, written(i.bits))
	}
	bits := f.b.constants[i.n][:width]
	if width == 1 {
		return written(bits[0])
	}
	var list []string
	same := true
	for _, x := range bits {
		list, same = append(list, written(x)), same && x == bits[0]
	}
	if same {
		return fmt.Sprintf(splat, width, list[0])
	}
	all := strings.Join(list, ", ")
	switch {
	case as == aWord:
		return fmt.Sprintf(several, width, all)
	case width == 4:
		return "op_four(" + all + ")"
	}
	return fmt.Sprintf(several, all)
}

// as is the text of a value as an operand: the first numbers of it, as a kind.
func (f *textFunction) as(v Value, width int, as kind) string {
	if f.nodes[v].op == opConst {
		return f.constant(v, width, as)
	}
	f.recall(v)
	text, is, w := f.texts[v], f.kinds[v], f.width(v)
	if !f.simple[v] {
		text = "(" + text + ")"
	}
	if w > width {
		text = f.first(text, w, width, is)
	}
	switch {
	case is == as:
		return text
	case width > 1 && as == aNumber:
		return fmt.Sprintf("(op_v%d)%s", width, text)
	case width > 1:
		return fmt.Sprintf("(op_u%d)%s", width, text)
	case is == aMask && as == aWord:
		return "(0 - (uint64_t)" + text + ")"
	case is == aMask:
		return "op_number(0 - (uint64_t)" + text + ")"
	case as == aMask && is == aWord:
		return "(" + text + " >> 63 != 0)"
	case as == aMask:
		return "(op_word(" + bare(text) + ") >> 63 != 0)"
	case as == aWord:
		return "op_word(" + bare(text) + ")"
	}
	return "op_number(" + bare(text) + ")"
}

// The operands on either side of an operation of C that need no parentheses: sums are evaluated from the left, after
// products.
var (
	leftOf = map[string][]operation{"+": {opAdd, opSub, opMul, opDiv}, "-": {opAdd, opSub, opMul, opDiv},
		"*": {opMul, opDiv}, "/": {opMul, opDiv}}
	rightOf = map[string][]operation{"+": {opMul, opDiv}, "-": {opMul, opDiv}}
)

// within is the text of a number as an operand, without parentheses if it is one of some operations.
func (f *textFunction) within(v Value, width int, plain []operation) string {
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

// negative is the opposite of an operand.
func negative(text string) string {
	if strings.HasPrefix(text, "-") {
		return "-(" + text + ")"
	}
	return "-" + text
}

// first are the first numbers of a variable.
func (f *textFunction) first(name string, of, width int, is kind) string {
	switch {
	case width == 1:
		return name + "[0]"
	case is == aWord:
		return fmt.Sprintf("(op_u2)op_low2((op_v4)%s)", name)
	}
	return "op_low2(" + name + ")"
}

// signSet is whether the sign bit of a value is set, of any of its numbers.
func (f *textFunction) signSet(v Value) string {
	if w := f.width(v); w > 1 {
		return fmt.Sprintf("op_any%d(%s)", w, bare(f.as(v, w, aWord)))
	}
	return bare(f.as(v, 1, aMask))
}

// expression is an operation as C, and whether it needs no parentheses as an operand.
func (f *textFunction) expression(v Value) (text string, simple bool) {
	i, w := &f.nodes[v], f.width(v)
	number := func(x Value) string { return f.as(x, w, aNumber) }
	infix := func(sign string) string {
		return f.within(i.a, w, leftOf[sign]) + " " + sign + " " + f.within(i.b, w, rightOf[sign])
	}
	call := func(name string, list ...string) string {
		if w > 1 {
			name += strconv.Itoa(w)
		}
		for n := range list {
			list[n] = bare(list[n])
		}
		return name + "(" + strings.Join(list, ", ") + ")"
	}
	switch i.op {
	case opConst:
		return "", true
	case opLoad:
		return f.at("m", i.n, w), true
	case opFixed:
		return f.at("f", i.n, w), true
	case opAdd:
		return infix("+"), false
	case opSub:
		return infix("-"), false
	case opMul:
		return infix("*"), false
	case opDiv:
		return infix("/"), false
	case opMulAdd:
		return call("op_fma", number(i.a), number(i.b), number(i.c)), true
	case opMulSub:
		return call("op_fma", number(i.a), number(i.b), negative(number(i.c))), true
	case opSubMul:
		return call("op_fma", negative(number(i.a)), number(i.b), number(i.c)), true
	case opSqrt:
		return call("op_sqrt", number(i.a)), true
	case opLarger:
		return call("op_larger", number(i.a), number(i.b)), true
	case opSmaller:
		return call("op_smaller", number(i.a), number(i.b)), true
	case opMagnitude:
		return call("op_abs", number(i.a)), true
	case opNegative:
		return negative(number(i.a)), false
	case opCopySign:
		return call("op_copysign", number(i.a), number(i.b)), true
	case opAddSub:
		return call("op_addsub", number(i.a), number(i.b)), true
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
			return fmt.Sprintf("(op_u%d)%s", w, text)
		}
		return text
	}
	switch i.op {
	case opPair:
		a, b := f.as(i.a, w/2, aNumber), f.as(i.b, w/2, aNumber)
		return cast(fmt.Sprintf("op_pair%d(%s, %s)", w, bare(a), bare(b))), true
	case opSplat:
		return cast(fmt.Sprintf("op_splat%d(%s)", w, bare(f.as(i.a, 1, aNumber)))), true
	case opUpper:
		from := f.as(i.a, f.width(i.a), f.kinds[i.a])
		switch {
		case w == 1:
			return from + "[1]", true
		case f.kinds[i.a] == aWord:
			return cast("op_high2((op_v4)" + from + ")"), true
		}
		return "op_high2(" + from + ")", true
	case opGather:
		return f.gathered(i, w), true
	}
	return "", false
}

// gathered reads tables.
func (f *textFunction) gathered(i *instruction, w int) string {
	if w == 1 {
		return fmt.Sprintf("%s[(int)%s]", f.tableOf(i.n), f.as(i.a, 1, aNumber))
	}
	var list []string
	at := f.as(i.a, f.width(i.a), aNumber)
	for n := range w {
		table := i.n
		if i.width > 1 {
			table = f.b.gathered[i.n][n]
		}
		list = append(list, fmt.Sprintf("%s[(int)%s[%d]]", f.tableOf(table), at, n))
	}
	if w == 2 {
		return "op_pair2(" + strings.Join(list, ", ") + ")"
	}
	return "op_four(" + strings.Join(list, ", ") + ")"
}

// tableOf is the name of a table of the builder.
func (f *textFunction) tableOf(n int32) string { return f.t.table(f.t.add(f.b.tables[n])) }
