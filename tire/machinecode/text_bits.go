package machinecode

import "fmt"

// recognise puts what C has a word for in place of operations on bits.
func (f *textFunction) recognise(v Value) {
	i := &f.nodes[v]
	switch {
	case i.op == opAndNot && f.isSign(i.a):
		*i = instruction{op: opMagnitude, width: i.width, a: i.b}
	case i.op == opXor && f.isSign(i.b):
		*i = instruction{op: opNegative, width: i.width, a: i.a}
	case i.op == opXor && f.isSign(i.a):
		*i = instruction{op: opNegative, width: i.width, a: i.b}
	case i.op == opOr && f.nodes[i.a].op == opMagnitude && f.nodes[i.a].width == i.width:
		if of, is := f.signOf(i.b, i.width); is {
			*i = instruction{op: opCopySign, width: i.width, a: f.nodes[i.a].a, b: of}
		}
	}
}

// signOf reports whether a value is the sign bit of another one, and of which.
func (f *textFunction) signOf(v Value, width uint8) (of Value, is bool) {
	i := &f.nodes[v]
	switch {
	case i.op != opAnd || i.width != width:
		return none, false
	case f.isSign(i.a):
		return i.b, true
	}
	return i.a, f.isSign(i.b)
}

// isSign reports whether a value is a constant that has sign bits and nothing else.
func (f *textFunction) isSign(v Value) bool {
	i := &f.nodes[v]
	if i.op != opConst {
		return false
	}
	if i.width < 2 {
		return i.bits == signBits
	}
	for _, bits := range f.b.constants[i.n][:i.width] {
		if bits != signBits {
			return false
		}
	}
	return true
}

// textOperands are the operands of an operation of the text.
func textOperands(i *instruction) (list [3]Value, n int) {
	switch i.op {
	case opMagnitude, opNegative:
		return [3]Value{i.a}, 1
	case opCopySign:
		return [3]Value{i.a, i.b}, 2
	}
	return i.operands()
}

// bitwise is an operation on bits, or one that makes a mask.
func (f *textFunction) bitwise(i *instruction, is kind, w int) (text string, simple bool) {
	number := func(v Value) string { return f.as(v, w, aNumber) }
	same := func(v Value) string { return f.as(v, w, is) }
	compared := func(text string) string {
		if w > 1 {
			return fmt.Sprintf("(op_u%d)(%s)", w, text)
		}
		return text
	}
	switch i.op {
	case opLess:
		return compared(number(i.a) + " < " + number(i.b)), w > 1
	case opNotLess:
		if w > 1 {
			return "~" + compared(number(i.a)+" < "+number(i.b)), true
		}
		return "!(" + number(i.a) + " < " + number(i.b) + ")", false
	case opUnordered:
		return f.unordered(number(i.a), number(i.b), w), true
	case opShiftLeft:
		if w == 1 {
			return fmt.Sprintf("%s << %d", same(i.a), i.n), false
		}
		return fmt.Sprintf("%s << op_bits%d(%d)", same(i.a), w, i.n), false
	case opSelect:
		if w == 1 {
			return f.as(i.a, 1, aMask) + " ? " + same(i.b) + " : " + same(i.c), false
		}
		return f.selected(i, is, w), true
	}
	if i.op == opAnd && is == aNumber { // a number where a mask is set
		mask, x := i.a, i.b
		if f.kinds[mask] != aMask {
			mask, x = x, mask
		}
		return f.as(mask, 1, aMask) + " ? " + number(x) + " : 0.0", false
	}
	switch i.op {
	case opAnd:
		return same(i.a) + " & " + same(i.b), false
	case opAndNot:
		if is == aMask {
			return same(i.b) + " & !" + same(i.a), false
		}
		return same(i.b) + " & ~" + same(i.a), false
	case opOr:
		return same(i.a) + " | " + same(i.b), false
	}
	return same(i.a) + " ^ " + same(i.b), false
}

// unordered is whether one of two is not a number.
func (f *textFunction) unordered(a, b string, w int) string {
	if w == 1 {
		return "op_unordered(" + bare(a) + ", " + bare(b) + ")"
	}
	return fmt.Sprintf("op_unordered%d(%s, %s)", w, bare(a), bare(b))
}

// selected is a choice between numbers side by side.
func (f *textFunction) selected(i *instruction, is kind, w int) string {
	text := fmt.Sprintf("op_select%d(%s, %s, %s)", w, bare(f.as(i.a, w, aWord)), bare(f.as(i.b, w, aNumber)),
		bare(f.as(i.c, w, aNumber)))
	if is == aWord {
		return fmt.Sprintf("(op_u%d)%s", w, text)
	}
	return text
}
