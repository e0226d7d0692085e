package program

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"skidpad/model/expr"
)

// Fingerprint identifies the program's blocks and their memory: generated code
// fits a program exactly when the fingerprints agree.
func (p *Program) Fingerprint() string {
	h := sha256.New()
	write := func(values ...int32) {
		var b [4]byte
		for _, v := range values {
			binary.LittleEndian.PutUint32(b[:], uint32(v))
			h.Write(b[:])
		}
	}
	for _, c := range p.layout.constants {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(c))
		h.Write(b[:])
	}
	tables := p.tables()
	for _, t := range tables {
		fmt.Fprintf(h, "%#v", t)
	}
	write(p.layout.parameters, p.layout.states, p.layout.inputs, p.layout.returned, p.layout.size)
	for _, b := range p.blocks() {
		write(-1)
		for _, i := range b.code {
			write(int32(i.op), i.dst, i.a, i.b)
			if i.table != nil {
				write(int32(slices.Index(tables, i.table)))
			}
		}
	}
	for _, list := range append([][]int32{p.rates, p.outputs, p.begins, p.watched},
		slices.Concat(p.arguments, p.returned, p.loads)...) {
		write(-2)
		write(list...)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (p *Program) blocks() [5]*block {
	return [...]*block{&p.init, &p.before, &p.after, &p.output, &p.begin}
}

// tables lists those of all look-ups.
func (p *Program) tables() (list []expr.Table) {
	for _, b := range p.blocks() {
		for _, i := range b.code {
			if i.table != nil && !slices.Contains(list, i.table) {
				list = append(list, i.table)
			}
		}
	}
	return list
}

var blockNames = [...]string{"Init", "Before", "After", "Output", "Begin"}

var blockTexts = [...]string{
	"computes what depends on parameters only",
	"computes intermediates and the arguments of external calls",
	"computes the rates of the states",
	"computes the outputs, after the rates",
	"computes the initial state",
}

// language is what differs between the texts of generated code.
type language struct {
	declare   string // of a temporary, with the name and value to follow
	end       string
	product   string // format of a product that must not be fused with a sum
	look      string // format of a look-up, of the number of a table and of what is looked up
	functions map[expr.Fn]string
}

// writer prints one block. Temporaries that are used once are written in place;
// those that another block or the caller reads go to the value memory.
type writer struct {
	language
	p        *Program
	b        *block
	out      *strings.Builder
	uses     map[int32]int
	shared   slotSet
	defined  map[int32]string
	constant int32
	name     string // of the program
	named    map[int32]slotName
	tables   []expr.Table
}

const longest = 110 // characters of an expression that is still written in place

func (w *writer) print() {
	w.uses = map[int32]int{}
	w.defined = map[int32]string{}
	own := map[int32]bool{}
	for _, i := range w.b.code {
		own[i.dst] = true
		w.uses[i.a]++
		if takesTwo(i.op) {
			w.uses[i.b]++
		}
	}
	for n, i := range w.b.code {
		text := w.expression(i)
		switch {
		case w.shared.has(i.dst):
			fmt.Fprintf(w.out, "\tv[%d] = %s%s%s\n", i.dst, text, w.end, w.remark(i.dst))
			if w.uses[i.dst] > 0 {
				w.defined[i.dst] = fmt.Sprintf("v[%d]", i.dst)
			}
		case w.uses[i.dst] == 1 && len(text) < longest && n+1 < len(w.b.code):
			w.defined[i.dst] = text
		default:
			name, remark := w.temporary(i.dst)
			fmt.Fprintf(w.out, "\t%s%s%s\n", fmt.Sprintf(w.declare, name, text), w.end, remark)
			w.defined[i.dst] = name
		}
	}
}

// remark tells what a slot holds, where it has a name.
func (w *writer) remark(slot int32) string {
	if n, is := w.named[slot]; is {
		return " /* " + n.text + " */"
	}
	return ""
}

// numbered matches the names of temporaries without a name of their own.
var numbered = regexp.MustCompile(`^t[0-9]+$`)

// temporary returns the variable for a slot, and what stands behind its declaration.
func (w *writer) temporary(slot int32) (name, remark string) {
	if n, is := w.named[slot]; is && n.same && !numbered.MatchString(n.text) {
		return n.text, ""
	}
	return fmt.Sprintf("t%d", slot), w.remark(slot)
}

// takesTwo reports whether an operation has two operands.
func takesTwo(op Op) bool {
	return op <= opDiv || op >= opCall+Op(expr.Atan2)
}

func (w *writer) slot(s int32) string {
	if text, ok := w.defined[s]; ok {
		return text
	}
	if s < w.constant {
		text := strconv.FormatFloat(w.p.layout.constants[s], 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	return fmt.Sprintf("v[%d]", s)
}

func (w *writer) expression(i instruction) string {
	a := w.slot(i.a)
	switch i.op {
	case opAdd:
		return "(" + a + " + " + w.slot(i.b) + ")"
	case opSub:
		return "(" + a + " - " + w.slot(i.b) + ")"
	case opMul:
		return fmt.Sprintf(w.product, a+" * "+w.slot(i.b))
	case opDiv:
		return "(" + a + " / " + w.slot(i.b) + ")"
	case opNeg:
		return "(-" + a + ")"
	}
	f := expr.Fn(i.op - opCall)
	if f == expr.Lookup {
		return fmt.Sprintf(w.look, w.name, slices.Index(w.tables, i.table), a)
	}
	if takesTwo(i.op) {
		a += ", " + w.slot(i.b)
	}
	return w.functions[f] + "(" + a + ")"
}

// sharedSlots lists the slots that are read outside of the block that writes them.
func (p *Program) sharedSlots() slotSet {
	blocks := p.blocks()
	return sharedAmong(blocks[:], append([][]int32{p.rates, p.outputs, p.begins, p.watched}, p.arguments...)...)
}

// sharedAmong lists the slots that are written by several blocks, or read outside of the
// block that writes them: by another one, or by the code that reads the lists.
func sharedAmong(blocks []*block, lists ...[]int32) slotSet {
	size := memorySize(blocks...)
	shared := make(slotSet, size)
	writtenIn := make([]int32, size) // one more than the number of the latest block that does
	for k, b := range blocks {
		for i := range b.code {
			dst := b.code[i].dst
			if at := writtenIn[dst]; at > 0 && at != int32(k+1) {
				shared[dst] = true
			}
			writtenIn[dst] = int32(k + 1)
		}
	}
	own := make([]int32, size) // one more than the number of a block that writes it, as far as blocks have been looked at
	for k, b := range blocks {
		for i := range b.code {
			own[b.code[i].dst] = int32(k + 1)
		}
		for i := range b.code {
			for _, s := range b.code[i].reads() {
				if at := writtenIn[s]; at > 0 && at != int32(k+1) && own[s] != int32(k+1) {
					shared[s] = true
				}
			}
		}
	}
	for _, list := range lists {
		for _, s := range list {
			shared.add(s)
		}
	}
	return shared
}

// memory describes the value memory for the reader of generated code.
func (p *Program) memory(comment string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintln(&b, comment+inComment(fmt.Sprintf(format, args...))) }
	l := &p.layout
	line("Value memory v, %d numbers:", l.size)
	line("  %4d  %d constants", 0, len(l.constants))
	group := func(at int32, text string, list []Variable) {
		line("  %4d  %d %s", at, len(list), text)
		for i, v := range list {
			name := v.Name
			if v.StartValue {
				name = "start value of " + name
			}
			line("          %d %s [%s]", int(at)+i, name, v.Unit)
		}
	}
	group(l.parameters, "parameters", p.Parameters)
	group(l.states, "states", p.States)
	group(l.inputs, "inputs", p.Inputs)
	line("  %4d  values returned by external calls, then intermediates", l.returned)
	line("Rates of the states: %s", slotList(p.rates))
	line("Outputs: %s", slotList(p.outputs))
	line("Initial state: %s", slotList(p.begins))
	for i, c := range p.Calls {
		line("Call %s(%s): arguments %s, values %s", c.Name, strings.Join(c.Inputs, " "), slotList(p.arguments[i]),
			slotList(p.returned[i]))
		if load := p.loads[i]; load != nil {
			line("  its load in slot %d acts from slot %d", load[0], load[1])
		}
	}
	line("Cost of the rates without external calls: %s", p.RateCost)
	line("Cost of the outputs on top: %s", p.OutputCost)
	return b.String()
}

// inComment keeps a text within one line of a comment in C and Go: units come from model files of any author.
func inComment(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	return strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *") // in this order, for /*/
}

func slotList(list []int32) string {
	text := make([]string, len(list))
	for i, s := range list {
		text[i] = strconv.Itoa(int(s))
	}
	return strings.Join(text, " ")
}
