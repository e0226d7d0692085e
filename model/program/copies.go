package program

import (
	"fmt"
	"sync"
	"unsafe"

	"skidpad/tire/machinecode"
)

// copies caches machine code that copies numbers between indices.
type copies struct {
	sync.Mutex
	of map[string]*machinecode.Code
}

// code returns machine code that copies fixed number from[i] to number to[i] of the memory; nil without machine code.
// The code must not write numbers that it reads.
func (c *copies) code(to, from []int32) *machinecode.Code {
	c.Lock()
	defer c.Unlock()
	key := fmt.Sprint(to, from)
	if code, known := c.of[key]; known {
		return code
	}
	b := machinecode.NewSizedBuilder(2 * len(to))
	size := int32(0)
	for i, slot := range to {
		b.Store(slot, b.LoadFixed(from[i]))
		size = max(size, slot+1)
	}
	code, err := machinecode.Compile(b, int(size), 1)
	if err != nil {
		code = nil
	}
	if c.of == nil {
		c.of = map[string]*machinecode.Code{}
	}
	c.of[key] = code
	return code
}

// sideBySide returns machine code that copies numbers from these indices to neighbouring numbers.
func (c *copies) sideBySide(from []int32) *machinecode.Code {
	to := make([]int32, len(from))
	for i := range to {
		to[i] = int32(i)
	}
	return c.code(to, from)
}

// moves returns machine code of moves from one memory to another; nil without machine code, and if copies is nil.
func (c *copies) moves(list []Move) *machinecode.Code {
	if c == nil {
		return nil
	}
	to, from := make([]int32, len(list)), make([]int32, len(list))
	for i, m := range list {
		to[i], from[i] = int32(m.To.At), int32(m.From.At)
	}
	return c.code(to, from)
}

// indexIn returns the index of a number in a memory, -1 for a number elsewhere.
func indexIn(memory []float64, at *float64) int32 {
	if len(memory) == 0 {
		return -1
	}
	first, p := uintptr(unsafe.Pointer(unsafe.SliceData(memory))), uintptr(unsafe.Pointer(at))
	if p < first || p >= first+8*uintptr(len(memory)) {
		return -1
	}
	return int32((p - first) / 8)
}
