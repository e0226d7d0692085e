package machinecode

import (
	"fmt"
	"strconv"
)

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

// signOf reports whether a value is the sign bit of another value, and returns this other value.
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
	call := func(name string, list ...string) (string, bool) { return f.call(name, w, list...), true }
	side := f.suffix(w) != ""
	switch i.op {
	case opLess:
		if side {
			return call("op_less", number(i.a), number(i.b))
		}
		return number(i.a) + " < " + number(i.b), false
	case opNotLess:
		if side {
			return call("op_not", f.call("op_less", w, number(i.a), number(i.b)))
		}
		return "!(" + number(i.a) + " < " + number(i.b) + ")", false
	case opUnordered:
		return call("op_unordered", number(i.a), number(i.b))
	case opShiftLeft:
		if side {
			return call("op_shift", same(i.a), strconv.Itoa(int(i.n)))
		}
		return fmt.Sprintf("%s << %d", same(i.a), i.n), false
	case opShiftRight:
		if side {
			return call("op_shift_right", same(i.a), strconv.Itoa(int(i.n)))
		}
		return fmt.Sprintf("%s >> %d", same(i.a), i.n), false
	case opSelect:
		return f.selected(i, is, w)
	}
	if i.op == opAnd && is == aNumber { // a number where a mask is set
		mask, x := i.a, i.b
		if f.kinds[mask] != aMask {
			mask, x = x, mask
		}
		if side {
			return call("op_keep", f.as(mask, 1, aMask), number(x))
		}
		return f.as(mask, 1, aMask) + " ? " + number(x) + " : 0.0", false
	}
	switch i.op {
	case opAnd:
		return f.joined("op_and", " & ", w, same(i.a), same(i.b))
	case opAndNot:
		switch {
		case w > 1:
			return call("op_and", same(i.b), f.call("op_not", w, same(i.a)))
		case is == aMask && side:
			return same(i.b) + " & " + f.call("op_not", w, same(i.a)), false
		case is == aMask:
			return same(i.b) + " & !" + same(i.a), false
		}
		return same(i.b) + " & ~" + same(i.a), false
	case opOr:
		return f.joined("op_or", " | ", w, same(i.a), same(i.b))
	}
	return f.joined("op_xor", " ^ ", w, same(i.a), same(i.b))
}

// joined is an operation of C on words, or its function on words side by side.
func (f *textFunction) joined(name, sign string, w int, a, b string) (text string, simple bool) {
	if w > 1 {
		return f.call(name, w, a, b), true
	}
	return a + sign + b, false
}

// selected is a choice between two values.
func (f *textFunction) selected(i *instruction, is kind, w int) (text string, simple bool) {
	if f.suffix(w) == "" {
		return f.as(i.a, 1, aMask) + " ? " + f.as(i.b, 1, is) + " : " + f.as(i.c, 1, is), false
	}
	by := aMask
	if w > 1 {
		by = aWord
	}
	text = f.call("op_select", w, f.as(i.a, w, by), f.as(i.b, w, aNumber), f.as(i.c, w, aNumber))
	return f.converted(text, w, aNumber, is), true
}
