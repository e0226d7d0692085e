package machinecode

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Code is a builder's operations, ready to run. It may run in several goroutines at a time, on
// memories of their own.
type Code struct {
	Slots int // that a memory needs, those for spills included
	Bytes int // length of the machine code

	lanes  int
	fixed  int // slots of fixed numbers
	text   *executable
	pool   []float64
	copied []int32 // slots with copies in the memory
	copies int     // where they begin
}

// Prepare updates the copies in a memory after slots have changed that LimbsOf treats as fixed.
func (c *Code) Prepare(memory []float64) {
	to := memory[c.copies:][:len(c.copied)]
	for k, slot := range c.copied {
		to[k] = memory[slot]
	}
}

// Compile makes code for memories of a number of slots and of 1 or 4 lanes: slot s of lane l is
// number s*lanes + l. An error says why there can be no machine code on this machine.
func Compile(b *Builder, slots, lanes int) (*Code, error) { return assemble(b, slots, lanes, false) }

func assemble(b *Builder, slots, lanes int, wide bool) (*Code, error) {
	tables := 0
	for _, t := range b.tables {
		tables += len(t)
	}
	if tables > mostTables {
		return nil, fmt.Errorf("tables of %d numbers; machine code reaches %d", tables, mostTables)
	}
	for i := range b.code {
		if c := &b.code[i]; (c.op == opLoad || c.op == opStore) && (c.n < 0 || int(c.n) >= slots) {
			return nil, fmt.Errorf("instruction %d reaches slot %d of a memory of %d slots", i, c.n, slots)
		}
	}
	asm, err := newMachine(lanes, wide, len(b.tables) > 0)
	if err != nil {
		return nil, err
	}
	b = ordered(b, asm.registers())
	asm.begin(int32(slots * lanes))
	end, pool := allocate(b, asm, int32(slots*lanes), lanes)
	asm.end()
	c := &Code{Slots: (int(end) + lanes - 1) / lanes, lanes: lanes, fixed: b.fixedSlots()}
	for _, bits := range pool {
		c.pool = append(c.pool, *(*float64)(unsafe.Pointer(&bits)))
	}
	for _, t := range b.tables {
		c.pool = append(c.pool, t...)
	}
	c.pool = append(c.pool, 0) // never empty
	text := asm.bytes()
	c.Bytes = len(text)
	if c.text, err = newExecutable(text); err != nil {
		return nil, err
	}
	return c, nil
}

// mostTables is how many numbers of tables displacements of 32 bits reach, with room for constants before them.
const mostTables = 1 << 27

// machine is an assembler with what stands around the operations.
type machine interface {
	assembler
	begin(spills int32)
	end()
	bytes() []byte
}

// Job is a run of code on a memory, for callers outside of Go.
type Job struct {
	Text   unsafe.Pointer // a C function of these three, which returns 0 unless a guard gave up
	Memory []float64
	Pool   []float64
	Fixed  []float64 // nil where the code reads none
}

// Callable reports whether C can call code on this system.
const Callable = cConvention

// Job returns the data with which C runs the code, on a memory and with fixed numbers. memory may be nil if C names the
// memory. Job returns nil on systems where the code does not follow the C calling convention. The text stays as long as
// c can be reached.
func (c *Code) Job(memory, fixed []float64) *Job {
	if !cConvention {
		return nil
	}
	if memory != nil {
		memory = memory[:c.Slots*c.lanes]
	}
	return &Job{c.text.address, memory, c.pool, fixed[:c.fixed*c.lanes]}
}

// Run runs the code on a memory. It reports whether no guard gave up; if one did, what was
// stored is worthless.
func (c *Code) Run(memory []float64) bool { return c.RunWith(memory, nil) }

// RunWith does the same with fixed numbers, which stand beside the memory: slot s of lane l is number s*lanes + l of
// them, too. Code does not change them.
func (c *Code) RunWith(memory, fixed []float64) bool {
	_, _ = memory[:c.Slots*c.lanes], fixed[:c.fixed*c.lanes]
	guards := call(c.text.address, unsafe.Pointer(unsafe.SliceData(memory)), unsafe.Pointer(unsafe.SliceData(c.pool)),
		unsafe.Pointer(unsafe.SliceData(fixed)))
	runtime.KeepAlive(c)
	return guards == 0
}
