//go:build linux

package machinecode

import "encoding/binary"

// arm64 writes scalar A64 instructions. X0 holds the memory's address, X1 the address of the pool, X2 of the fixed
// numbers; X3 is for large offsets, X4 for indices into tables, V30 collects the guards, V31 is for intermediate
// results.
type arm64 struct{ text []byte }

const (
	arm64Registers     = 30
	arm64Guards        = 30
	arm64Temporary     = 31
	arm64Memory        = 0
	arm64Pool          = 1
	arm64Fixed         = 2
	arm64OffsetPlaces  = 1 << 12 // that a load or store reaches by itself
	arm64IntegerOffset = 3
	arm64Place         = 4
)

func (m *arm64) registers() int { return arm64Registers }

func (m *arm64) foldable(operation, int) bool { return false }

func (m *arm64) word(w uint32) { m.text = binary.LittleEndian.AppendUint32(m.text, w) }

// three writes an operation on three registers.
func (m *arm64) three(opcode uint32, d, n, r int) {
	m.word(opcode | uint32(r)<<16 | uint32(n)<<5 | uint32(d))
}

// move writes a load or a store: short with a small offset, long with one in X3.
func (m *arm64) move(short, long uint32, register int, p location) {
	base := [...]uint32{inMemory: arm64Memory, inPool: arm64Pool, inFixed: arm64Fixed}[p.of]
	if n := uint32(p.n); n < arm64OffsetPlaces {
		m.word(short | n<<10 | base<<5 | uint32(register))
	} else {
		m.offset(n)
		m.word(long | arm64IntegerOffset<<16 | base<<5 | uint32(register)) // [base, x3, lsl #3]
	}
}

func (m *arm64) load(register int, from location, _ int) {
	m.move(0xfd400000, 0xfc607800, register, from)
}

func (m *arm64) store(to location, register, _ int, _ bool) {
	m.move(0xfd000000, 0xfc207800, register, to)
}

const (
	arm64And   = 0x0e201c00
	arm64Bic   = 0x0e601c00 // n and not m
	arm64Orr   = 0x0ea01c00
	arm64Eor   = 0x2e201c00
	arm64Not   = 0x2e205800
	arm64Bsl   = 0x2e601c00
	arm64Fcmgt = 0x7ee0e400
	arm64Fcmeq = 0x5e60e400
)

func (m *arm64) guard(register int) { m.three(arm64Orr, arm64Guards, arm64Guards, register) }

func (m *arm64) operate(i *instruction, _, dst, a, b, c int, _ *location) {
	switch i.op {
	case opAdd:
		m.three(0x1e602800, dst, a, b)
	case opSub:
		m.three(0x1e603800, dst, a, b)
	case opMul:
		m.three(0x1e600800, dst, a, b)
	case opDiv:
		m.three(0x1e601800, dst, a, b)
	case opSqrt:
		m.three(0x1e61c000, dst, a, 0)
	case opMulAdd: // fmadd
		m.three(0x1f400000|uint32(c)<<10, dst, a, b)
	case opMulSub: // fnmsub
		m.three(0x1f608000|uint32(c)<<10, dst, a, b)
	case opSubMul: // fmsub
		m.three(0x1f408000|uint32(c)<<10, dst, a, b)
	case opLarger, opSmaller: // fcmp, fcsel: greater, or less; neither holds for NaN
		condition := uint32(0xc)
		if i.op == opSmaller {
			condition = 0x4
		}
		m.three(0x1e602000, 0, a, b)
		m.three(0x1e600c00|condition<<12, dst, a, b)
	case opAnd:
		m.three(arm64And, dst, a, b)
	case opAndNot:
		m.three(arm64Bic, dst, b, a)
	case opOr:
		m.three(arm64Orr, dst, a, b)
	case opXor:
		m.three(arm64Eor, dst, a, b)
	case opLess:
		m.three(arm64Fcmgt, dst, b, a)
	case opNotLess:
		m.three(arm64Fcmgt, dst, b, a)
		m.three(arm64Not, dst, dst, 0)
	case opUnordered:
		m.three(arm64Fcmeq, arm64Temporary, a, a)
		m.three(arm64Fcmeq, dst, b, b)
		m.three(arm64And, dst, dst, arm64Temporary)
		m.three(arm64Not, dst, dst, 0)
	case opShiftLeft:
		m.word(0x5f405400 | uint32(i.n)<<16 | uint32(a)<<5 | uint32(dst))
	case opShiftRight: // ushr
		m.word(0x7f400400 | uint32(128-i.n)<<16 | uint32(a)<<5 | uint32(dst))
	case opSelect: // the sign bit of a over all bits chooses
		m.three(0x5f410400, arm64Temporary, a, 0)
		m.three(arm64Bsl, arm64Temporary, b, c)
		m.three(0x1e604000, dst, arm64Temporary, 0)
	}
}

func (m *arm64) gather(dst, register int, _ Value, first []int) {
	m.word(0x9e780000 | uint32(register)<<5 | arm64Place) // fcvtzs x4
	m.offset(uint32(first[0]))
	m.word(0x8b000000 | arm64Place<<16 | arm64IntegerOffset<<5 | arm64IntegerOffset) // add x3, x3, x4
	m.word(0xfc607800 | arm64IntegerOffset<<16 | arm64Pool<<5 | uint32(dst))         // ldr [x1, x3, lsl #3]
}

// offset puts a number into X3.
func (m *arm64) offset(n uint32) {
	m.word(0xd2800000 | n&0xffff<<5 | arm64IntegerOffset) // movz, low half
	m.word(0xf2a00000 | (n>>16)<<5 | arm64IntegerOffset)  // movk, high half
}

// begin clears the guards.
func (m *arm64) begin(int32) { m.word(0x2f00e400 | arm64Guards) }

// end returns the guards' sign bit in X0.
func (m *arm64) end() {
	m.word(0x9e660000 | arm64Guards<<5) // fmov x0, d30
	m.word(0xd37ffc00)                  // lsr x0, x0, #63
	m.word(0xd65f03c0)                  // ret
}

func (m *arm64) bytes() []byte { return m.text }
