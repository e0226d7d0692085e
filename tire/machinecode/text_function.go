package machinecode

import (
	"fmt"
	"slices"
	"strconv"
)

// textFunction is a C function in the making. A long one has parts, functions of their own, which leave values for each
// other in the memory.
type textFunction struct {
	t     *Text
	b     *Builder
	nodes []instruction // the operations of b, with some that C has in place of several
	lanes int           // numbers from slot to slot; with several, a value has one for each lane of a vector

	uses     []int32  // by value
	named    []bool   // by value: it has to be a variable
	kinds    []kind   // by value
	texts    []string // by value: its text in the current part
	simple   []bool   // by value: its text needs no parentheses
	last     []int32  // by value: the last part that uses it
	slots    []int32  // by value: its slot, if other parts use it
	recalled []int32  // by value: one more than the last part that has read this slot
	needs    int      // slots
	now      int32    // the part that is written
}

func newTextFunction(t *Text, b *Builder, lanes int) *textFunction {
	n := len(b.code)
	f := &textFunction{t: t, b: b, nodes: slices.Clone(b.code), lanes: lanes, uses: make([]int32, n),
		named: make([]bool, n), kinds: make([]kind, n), texts: make([]string, n), simple: make([]bool, n),
		last: make([]int32, n), slots: make([]int32, n), recalled: make([]int32, n)}
	for k := range f.nodes {
		f.recognise(Value(k))
	}
	live := make([]bool, n)
	for k := n - 1; k >= 0; k-- {
		i := &f.nodes[k]
		if !live[k] && i.op != opStore && i.op != opGuard {
			i.op = opDead
			continue
		}
		list, count := textOperands(i)
		for _, v := range list[:count] {
			live[v] = true
			f.uses[v]++
			f.last[v] = max(f.last[v], f.part(Value(k)))
			f.named[v] = f.named[v] || f.readsOne(i, v)
		}
	}
	for k := range f.nodes {
		f.kinds[k] = f.kindOf(&f.nodes[k])
	}
	return f
}

// part is the number of the part that computes a value.
func (f *textFunction) part(v Value) int32 { return int32(v) / int32(f.t.longest) }

// width is how many numbers of the builder stand side by side in a value.
func (f *textFunction) width(v Value) int { return max(1, int(f.nodes[v].width)) }

// suffix is the end of names of functions and types of values of a width.
func (f *textFunction) suffix(width int) string {
	switch {
	case f.lanes > 1:
		return "l"
	case width > 1:
		return strconv.Itoa(width)
	}
	return ""
}

// readsOne reports whether an operation reads single numbers of an operand that has several.
func (f *textFunction) readsOne(i *instruction, v Value) bool {
	width := f.width(v)
	return width > 1 && (i.op == opGather || width > max(1, int(i.width)))
}

// spill finds slots, from one on, for values that later parts use. A slot is not used again in the part that reads it
// last.
func (f *textFunction) spill(slots int) {
	f.needs = slots
	var free [full + 1][]int32
	ending := map[int32][]Value{}
	for k := range f.nodes {
		v := Value(k)
		if now := f.part(v); k%f.t.longest == 0 && now > 0 {
			for _, done := range ending[now-1] {
				free[f.width(done)] = append(free[f.width(done)], f.slots[done])
			}
		}
		switch f.nodes[k].op {
		case opDead, opConst, opLoad, opFixed:
			continue
		}
		if f.last[k] <= f.part(v) {
			continue
		}
		f.named[k] = true
		width := f.width(v)
		if n := len(free[width]); n > 0 {
			f.slots[k] = free[width][n-1]
			free[width] = free[width][:n-1]
		} else {
			f.slots[k] = int32(f.needs)
			f.needs += width
		}
		ending[f.last[k]] = append(ending[f.last[k]], v)
	}
}

// write writes the part with this number as a function.
func (f *textFunction) write(name string, number int32) {
	s := &f.t.text
	fmt.Fprintf(s, "OP_APART int %s(double *m, const double *f)\n{\n", name)
	s.WriteString("    int gave_up = 0;\n    (void)m;\n    (void)f;\n")
	f.now = number
	for k := int(number) * f.t.longest; k < min(len(f.nodes), int(number+1)*f.t.longest); k++ {
		f.statement(Value(k))
	}
	s.WriteString("    return gave_up;\n}\n\n")
}

// lineLength is how long an expression may be that is no statement of its own.
const lineLength = 84

// statement writes an operation, or keeps its text until it is used.
func (f *textFunction) statement(v Value) {
	i := &f.nodes[v]
	switch i.op {
	case opDead:
		return
	case opStore:
		f.store(i)
		return
	case opGuard:
		given := f.signSet(i.a)
		f.line("gave_up |= %s;", given)
		return
	}
	f.texts[v], f.simple[v] = f.expression(v)
	switch i.op {
	case opConst, opLoad, opFixed:
		return
	}
	if f.named[v] || f.uses[v] > 1 || len(f.texts[v]) > lineLength {
		f.name(v, f.texts[v])
	}
	if f.last[v] <= f.now {
		return
	}
	f.put(f.slots[v], f.width(v), f.as(v, f.width(v), aNumber))
}

// line writes a statement.
func (f *textFunction) line(format string, arguments ...any) {
	fmt.Fprintf(&f.t.text, "    "+format+"\n", arguments...)
}

// name makes a variable of a value.
func (f *textFunction) name(v Value, text string) {
	name := "v" + strconv.Itoa(int(v))
	f.line("%s %s = %s;", f.typeOf(v), name, text)
	f.texts[v], f.simple[v] = name, true
}

// recall reads a value that another part has left.
func (f *textFunction) recall(v Value) {
	switch f.nodes[v].op {
	case opConst, opLoad, opFixed:
		return
	}
	if f.part(v) == f.now || f.recalled[v] == f.now+1 {
		return
	}
	f.recalled[v] = f.now + 1
	w := f.width(v)
	from := f.at("m", f.slots[v], w)
	switch {
	case f.kinds[v] == aMask && f.lanes == 1:
		from = "op_word(" + from + ") != 0"
	case f.kinds[v] != aNumber:
		from = f.converted(from, w, aNumber, f.kinds[v])
	}
	f.name(v, from)
}

// at reads a slot.
func (f *textFunction) at(memory string, slot int32, width int) string {
	if suffix := f.suffix(width); suffix != "" {
		return fmt.Sprintf("op_load%s(%s + %d)", suffix, memory, int(slot)*f.lanes)
	}
	return fmt.Sprintf("%s[%d]", memory, slot)
}

// put writes a slot.
func (f *textFunction) put(slot int32, width int, number string) {
	if suffix := f.suffix(width); suffix != "" {
		f.line("op_store%s(m + %d, %s);", suffix, int(slot)*f.lanes, bare(number))
	} else {
		f.line("m[%d] = %s;", slot, number)
	}
}

// store writes a store of one number of limbs.
func (f *textFunction) store(i *instruction) {
	if i.upper {
		of := f.width(i.a)
		f.line("m[%d] = op_second%d(%s);", i.n, of, bare(f.as(i.a, of, aNumber)))
		return
	}
	f.put(i.n, 1, f.as(i.a, 1, aNumber))
}
