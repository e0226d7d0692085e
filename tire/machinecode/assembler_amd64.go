package machinecode

import (
	"encoding/binary"
	"slices"
)

// amd64 writes AVX instructions. DI holds the memory's address, DX the address of the spills, SI of the pool, CX of the
// fixed numbers. DX and SI point past the begin, so that short displacements reach their neighbourhood; the collected
// guards are in the last register.
type amd64 struct {
	text   []byte
	wide   bool  // there are packed operations
	spills int32 // where they begin, in numbers

	gathers bool     // packed code leaves a register to them
	places  [4]Value // of tables, which R8 to R11 hold: of one number each
	several Value    // whose places R8 to R11 hold side by side
	loaded  int      // how many of them
	oldest  int      // of the places
}

// noPlaces is the initial content of R8 to R11.
var noPlaces = [4]Value{none, none, none, none}

// middle is by how much two addresses are moved on: displacements of a byte reach as far back.
const middle = 128

const (
	amd64Registers = 15
	guardRegister  = 15
	gatherRegister = 14 // of packed code, between two instructions of one gather
)

func (m *amd64) registers() int {
	if m.wide && m.gathers {
		return gatherRegister
	}
	return amd64Registers
}

// foldable: bit operations read 16 bytes at least, but one number has 8 bytes only.
func (m *amd64) foldable(op operation, width int) bool {
	switch op {
	case opAnd, opAndNot, opOr, opXor, opSelect:
		return width > 1 && op != opSelect
	}
	return true
}

// Prefixes and maps of opcodes.
const (
	noPrefix, prefix66, prefixF3, prefixF2 = 0, 1, 2, 3
	wide                                   = 0x80 // beside a prefix: operands of 64 bits
	map0F, map0F38, map0F3A                = 1, 2, 3
)

// vex writes a VEX instruction up to its opcode: reg, v and rm are registers; base replaces rm
// by memory at a base register below 8.
func (m *amd64) vex(prefix, opmap, opcode byte, reg, v, rm int, long bool) {
	b2 := opmap
	if reg < 8 {
		b2 |= 0x80
	}
	b2 |= 0x40 // no index
	if rm < 8 {
		b2 |= 0x20
	}
	b3 := prefix | byte(^v&15)<<3
	if long {
		b3 |= 4
	}
	if opmap == map0F && rm < 8 { // the short form
		m.text = append(m.text, 0xc5, b2&0x80|b3, opcode)
		return
	}
	m.text = append(m.text, 0xc4, b2, b3, opcode)
}

// registers3 writes an instruction on three registers.
func (m *amd64) registers3(prefix, opmap, opcode byte, dst, a, b int, long bool) {
	m.vex(prefix, opmap, opcode, dst, a, b, long)
	m.text = append(m.text, 0xc0|byte(dst&7)<<3|byte(b&7))
}

// memory3 writes an instruction whose last operand lies in memory.
func (m *amd64) memory3(prefix, opmap, opcode byte, dst, a int, p location, long bool) {
	const di, si, dx, cx = 7, 6, 2, 1
	base, at := byte(di), int(p.n)*8
	switch {
	case p.of == inPool:
		base, at = si, at-middle
	case p.of == inFixed:
		base = dx
	case p.n >= m.spills:
		base, at = cx, int(p.n-m.spills)*8-middle
	}
	m.vex(prefix, opmap, opcode, dst, a, 0, long)
	if at >= -128 && at < 128 {
		m.text = append(m.text, 0x40|byte(dst&7)<<3|base, byte(at))
		return
	}
	m.text = append(m.text, 0x80|byte(dst&7)<<3|base)
	m.text = binary.LittleEndian.AppendUint32(m.text, uint32(at))
}

// moving is the prefix of moves and arithmetic: one number, or several.
func moving(width int) byte {
	if width > 1 {
		return prefix66
	}
	return prefixF2
}

func (m *amd64) load(register int, from location, width int) {
	m.memory3(moving(width), map0F, 0x10, register, 0, from, width == full)
}

func (m *amd64) store(to location, register, width int, upper bool) {
	if upper {
		m.memory3(prefix66, map0F, 0x17, register, 0, to, false) // vmovhpd
		return
	}
	m.memory3(moving(width), map0F, 0x11, register, 0, to, width == full)
}

func (m *amd64) guard(register int) {
	m.registers3(prefix66, map0F, 0x56, guardRegister, guardRegister, register, m.wide)
}

// opcodes has the opcode of each operation on registers, and the predicate of each comparison.
var opcodes = [...]byte{
	opAdd: 0x58, opMul: 0x59, opSub: 0x5c, opSmaller: 0x5d, opDiv: 0x5e, opLarger: 0x5f,
	opAnd: 0x54, opAndNot: 0x55, opOr: 0x56, opXor: 0x57,
	opLess: 1, opUnordered: 3, opNotLess: 5,
	opMulAdd: 0xb8, opMulSub: 0xba, opSubMul: 0xbc,
}

func (m *amd64) operate(i *instruction, width, dst, a, b, c int, mem *location) {
	long := width == full
	three := func(prefix, opcode byte) {
		if mem != nil {
			m.memory3(prefix, map0F, opcode, dst, a, *mem, long)
		} else {
			if commutes(i.op) && b >= 8 && a < 8 {
				a, b = b, a // for the short form
			}
			m.registers3(prefix, map0F, opcode, dst, a, b, long)
		}
	}
	switch i.op {
	case opSqrt:
		if width > 1 {
			m.registers3(prefix66, map0F, 0x51, dst, 0, a, long)
		} else {
			m.registers3(prefixF2, map0F, 0x51, dst, a, a, false)
		}
	case opShiftLeft: // the destination stands in the middle field
		m.vex(prefix66, map0F, 0x73, 6, dst, a, long)
		m.text = append(m.text, 0xc0|6<<3|byte(a&7), byte(i.n))
	case opShiftRight:
		m.vex(prefix66, map0F, 0x73, 2, dst, a, long)
		m.text = append(m.text, 0xc0|2<<3|byte(a&7), byte(i.n))
	case opMulAdd, opMulSub, opSubMul: // dst = +-a dst +- b: dst holds c at first
		if dst != c {
			m.registers3(prefix66, map0F, 0x28, dst, 0, c, long)
		}
		opcode := opcodes[i.op]
		if width == 1 {
			opcode++
		}
		if mem != nil {
			m.memory3(prefix66|wide, map0F38, opcode, dst, a, *mem, long)
		} else {
			m.registers3(prefix66|wide, map0F38, opcode, dst, a, b, long)
		}
	case opSelect: // the mask stands in the last byte: c elsewhere, b where it is set
		m.registers3(prefix66, map0F3A, 0x4b, dst, c, b, long)
		m.text = append(m.text, byte(a)<<4)
	case opPair, opSplat:
		m.arrange(i.op, long, dst, a, b, mem)
	case opUpper:
		m.upper(width, dst, a)
	case opAddSub:
		three(prefix66, 0xd0)
	case opAdd, opMul, opSub, opSmaller, opDiv, opLarger:
		three(moving(width), opcodes[i.op])
	case opAnd, opAndNot, opOr, opXor:
		three(prefix66, opcodes[i.op])
	default:
		three(moving(width), 0xc2)
		m.text = append(m.text, opcodes[i.op])
	}
}

// arrange writes what moves numbers between the places of registers.
func (m *amd64) arrange(op operation, long bool, dst, a, b int, mem *location) {
	write := func(prefix, opmap, opcode byte, v, rm int, wide bool) {
		if mem != nil {
			m.memory3(prefix, opmap, opcode, dst, v, *mem, wide)
		} else {
			m.registers3(prefix, opmap, opcode, dst, v, rm, wide)
		}
	}
	switch {
	case op == opPair && long: // vinsertf128
		write(prefix66, map0F3A, 0x18, a, b, true)
		m.text = append(m.text, 1)
	case op == opPair && mem != nil: // vmovhpd
		write(prefix66, map0F, 0x16, a, 0, false)
	case op == opPair: // vunpcklpd
		write(prefix66, map0F, 0x14, a, b, false)
	case op == opSplat && long: // vbroadcastsd
		write(prefix66, map0F38, 0x19, 0, a, true)
	case op == opSplat: // vmovddup
		write(prefixF2, map0F, 0x12, 0, a, false)
	}
}

// upper writes the second half of a register.
func (m *amd64) upper(width, dst, a int) {
	if width == 1 {
		m.registers3(prefix66, map0F, 0x15, dst, a, a, false) // vunpckhpd
		return
	}
	m.registers3(prefix66, map0F3A, 0x19, a, 0, dst, true) // vextractf128, whose destination stands last
	m.text = append(m.text, 1)
}

// indexed writes an instruction whose last operand is an entry of a table. A register from R8 on holds the index; the
// table begins at bytes behind the begin of the pool.
func (m *amd64) indexed(prefix, opcode byte, dst, a, indexRegister, at int) {
	const inSIB, scale8, si = 4, 3, 6
	b2 := byte(map0F) | 0x20
	if dst < 8 {
		b2 |= 0x80
	}
	m.text = append(m.text, 0xc4, b2, prefix|byte(^a&15)<<3, opcode, 0x80|byte(dst&7)<<3|inSIB,
		scale8<<6|byte(indexRegister)<<3|si)
	m.text = binary.LittleEndian.AppendUint32(m.text, uint32(at-middle))
}

func (m *amd64) gather(dst, register int, value Value, first []int) {
	const load, loadHigh = 0x10, 0x16
	if len(first) == 1 {
		slot := slices.Index(m.places[:], value)
		if slot < 0 {
			slot = m.oldest
			m.places[slot], m.oldest, m.several = value, (slot+1)%len(m.places), none
			m.vex(prefixF2, map0F, 0x2c, 8+slot, 0, register, false) // vcvttsd2si
			m.text = append(m.text, 0xc0|byte(slot)<<3|byte(register&7))
		}
		m.indexed(prefixF2, load, dst, 0, slot, 8*first[0])
		return
	}
	if m.several != value || m.loaded < len(first) {
		m.loaded, m.several, m.places, m.oldest = len(first), value, [4]Value{value, none, none, none}, 0
		m.registers3(prefix66, map0F, 0xe6, gatherRegister, 0, register, len(first) == full) // vcvttpd2dq
		for n := range first {
			m.vex(prefix66, map0F3A, 0x16, gatherRegister, 0, 8+n, false) // vpextrd
			m.text = append(m.text, 0xc0|gatherRegister&7<<3|byte(n), byte(n))
		}
	}
	halves := [...]int{dst, gatherRegister}
	for half, to := range halves[:len(first)/2] {
		m.indexed(prefixF2, load, to, 0, 2*half, 8*first[2*half])
		m.indexed(prefix66, loadHigh, to, to, 2*half+1, 8*first[2*half+1])
	}
	if len(first) == full {
		m.registers3(prefix66, map0F3A, 0x18, dst, dst, gatherRegister, true) // vinsertf128
		m.text = append(m.text, 1)
	}
}

// begin finds the spills, from a number of the memory on, and clears the guards.
func (m *amd64) begin(spills int32) {
	m.spills = spills
	m.text = append(m.text, 0x48, 0x8d, 0x8f) // lea rcx, [rdi + ...]
	m.text = binary.LittleEndian.AppendUint32(m.text, uint32(int(spills)*8+middle))
	m.text = append(m.text, 0x48, 0x8d, 0xb6) // lea rsi, [rsi + ...]
	m.text = binary.LittleEndian.AppendUint32(m.text, middle)
	m.registers3(prefix66, map0F, 0x57, guardRegister, guardRegister, guardRegister, m.wide)
}

// end returns the guards' sign bits in AX.
func (m *amd64) end() {
	m.registers3(prefix66, map0F, 0x50, 0, 0, guardRegister, m.wide) // vmovmskpd eax
	if m.wide {
		m.text = append(m.text, 0xc5, 0xf8, 0x77) // vzeroupper
	} else {
		m.text = append(m.text, 0x83, 0xe0, 0x01) // and eax, 1: the other half belongs to nothing
	}
	m.text = append(m.text, 0xc3)
}
