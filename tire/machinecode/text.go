package machinecode

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Text prints operations as C99 functions. Their results are bit-identical to machine code, with every compiler and on
// every processor.
//
// A value with two uses is a statement; other values are written in place. Operations have the order of machine code.
// Those on numbers side by side are vectors where the target has some, and structures elsewhere.
type Text struct {
	name    string // of tables
	longest int    // operations of a C function
	tables  [][]float64
	text    strings.Builder
}

// NewText returns an empty text. The name is the beginning of the names of its tables.
func NewText(name string) *Text { return &Text{name: name, longest: longest} }

// longest is the number of operations of a C function: compilers take more than twice the time for twice as many.
const longest = 2000

//go:embed text/operations.h
var operationsText string

//go:embed text/vectors.h
var vectorsText string

// Operations is the C text that has to stand before the functions.
func (t *Text) Operations() string { return operationsText + "\n" + vectorsText }

// Functions is the C text of all tables and functions.
func (t *Text) Functions() string {
	var s strings.Builder
	for n, table := range t.tables {
		fmt.Fprintf(&s, "static const double %s[%d] = {", t.table(int32(n)), len(table))
		for i, x := range table {
			if i%4 == 0 {
				s.WriteString("\n   ")
			}
			s.WriteString(" " + tableText(x) + ",")
		}
		s.WriteString("\n};\n\n")
	}
	constants, text := nameConstants(t.text.String())
	return s.String() + constants + text
}

// Constants with at least so many uses and characters get names.
const leastUses, leastCharacters = 3, 9

// nameConstants gives names, c1 and so on, to long constants that are used often. It returns their declarations and the
// functions with these names.
func nameConstants(functions string) (declarations, text string) {
	uses := map[string]int{}
	eachConstant(functions, func(_, x string) { uses[x]++ })
	var s, renamed strings.Builder
	renamed.Grow(len(functions))
	names := map[string]string{}
	end := eachConstant(functions, func(before, x string) {
		renamed.WriteString(before)
		if len(x) < leastCharacters || uses[x] < leastUses {
			renamed.WriteString(x)
			return
		}
		if names[x] == "" {
			names[x] = fmt.Sprint("c", len(names)+1)
			value, _ := strconv.ParseFloat(x, 64)
			fmt.Fprintf(&s, "static const double %s = %s; /* %g */\n", names[x], x, value)
		}
		renamed.WriteString(names[x])
	})
	renamed.WriteString(end)
	if s.Len() > 0 {
		s.WriteByte('\n')
	}
	return s.String(), renamed.String()
}

// eachConstant calls a function with each hexadecimal number of a text, 0x1.8p-3, and with what stands before it since
// the last one. It returns the rest.
func eachConstant(text string, do func(before, x string)) (rest string) {
	from := 0
	for {
		at := strings.Index(text[from:], "0x1")
		if at < 0 {
			return text
		}
		at += from
		end := at + len("0x1")
		for end < len(text) && strings.IndexByte(".0123456789abcdefp-", text[end]) >= 0 {
			if text[end] == '-' && text[end-1] != 'p' {
				break
			}
			end++
		}
		if from = end; strings.IndexByte(text[at:end], 'p') < 0 {
			continue // a whole number
		}
		do(text[:at], text[at:end])
		text, from = text[end:], 0
	}
}

// add returns the number of a table, which is added if it is not there.
func (t *Text) add(values []float64) int32 {
	n := indexOfTable(t.tables, values)
	if n < 0 {
		n = len(t.tables)
		t.tables = append(t.tables, values)
	}
	return int32(n)
}

// tableText is a number of a table, where C allows no functions.
func tableText(x float64) string {
	if math.IsNaN(x) {
		return "OP_NAN"
	}
	return numberText(math.Float64bits(x))
}

func (t *Text) table(n int32) string { return fmt.Sprintf("%s_table_%d", t.name, n) }

// Add writes a builder's operations as the function
//
//	static int NAME(double *m, const double *f)
//
// which returns 0 unless a guard gave up; m is a memory of some slots and of 1 or 4 lanes, f are the fixed numbers. Add
// returns how many slots the memory needs: parts of a long function leave values for each other behind the given ones.
func (t *Text) Add(name string, b *Builder, slots, lanes int) (needs int) {
	if lanes == 1 {
		return t.function(name, b, slots, 1)
	}
	needs = t.function(name+"_lane", b, slots, lanes)
	fixed := "f"
	if b.fixedSlots() > 0 {
		fixed = "f + lane"
	}
	fmt.Fprintf(&t.text, "OP_APART int %s(double *m, const double *f)\n{\n    int gave_up = 0, lane = 0;\n"+
		"    for (; lane < %d; lane += OP_LANES)\n        gave_up |= %[1]s_lane(m + lane, %[3]s);\n"+
		"    return gave_up;\n}\n\n", name, lanes, fixed)
	return needs
}

// AddLimbs does the same with limbs, for memories of one lane. It also writes the function
//
//	static void NAME_copy(double *m)
//
// which is called after fixed slots have changed, as Code.Prepare.
func (t *Text) AddLimbs(name string, b *Builder, fixed func(slot int32) bool, slots int) (needs int) {
	var copied []int32
	if l := findLimbs(b, fixed); l != nil {
		b, copied = l.moved(slots), l.b.copied
	}
	fmt.Fprintf(&t.text, "OP_APART void %s_copy(double *m)\n{\n    (void)m;\n", name)
	for k, slot := range copied {
		fmt.Fprintf(&t.text, "    m[%d] = m[%d];\n", slots+k, slot)
	}
	t.text.WriteString("}\n\n")
	return t.function(name, b, slots+len(copied), 1)
}

// inOrder is the number of registers for which text orders operations.
const inOrder = 15

// function writes operations on a memory of some lanes. With several, the function takes as many at once as vectors
// have.
func (t *Text) function(name string, b *Builder, slots, lanes int) (needs int) {
	f := newTextFunction(t, ordered(b, inOrder), lanes)
	f.spill(slots)
	parts := max(1, (len(f.nodes)+t.longest-1)/t.longest)
	for n := range parts {
		called := name
		if parts > 1 {
			called = fmt.Sprintf("%s_%d", name, n+1)
		}
		f.write(called, int32(n))
	}
	if parts > 1 {
		fmt.Fprintf(&t.text, "OP_APART int %s(double *m, const double *f)\n{\n    int gave_up = 0;\n", name)
		for n := range parts {
			fmt.Fprintf(&t.text, "    gave_up |= %s_%d(m, f);\n", name, n+1)
		}
		t.text.WriteString("    return gave_up;\n}\n\n")
	}
	return f.needs
}
