package main

// #include "slots.h"
import "C"

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// handleTable maps handles to living objects. A handle is the address of a reserved C byte. Handles are never reused,
// so a stale handle is always recognised. Finding, adding and removing take constant time.
//
// Objects occupy slots. A slot owns handlesPerSlot addresses; each new object in the slot gets the next address. A slot
// without unused addresses is never used again.
type handleTable[T any] struct {
	chunks [mostChunks]atomic.Pointer[chunk[T]]              // each twice as large as the one before
	grown  func(chunk int, memory unsafe.Pointer, slots int) // receives each new chunk, unless nil
	write  sync.Mutex                                        // guards used, free and slots
	used   int                                               // slots that were ever used
	free   []*slot[T]
}

const (
	handlesPerSlot = C.SLOT_SIZE
	firstChunk     = 64 // slots
	mostChunks     = C.SLOT_CHUNKS
)

type chunk[T any] struct {
	base  uintptr // of the C memory
	slots []slot[T]
}

type slot[T any] struct {
	named  atomic.Pointer[named[T]]
	memory unsafe.Pointer // the addresses of its handles
	next   uintptr        // handle
	left   int            // unused handles
}

// named is the content of a slot. It never changes, so readers see handle and value of the same object.
type named[T any] struct {
	handle uintptr
	value  *T
}

// find returns the object of a handle, or nil. Any value is allowed, and readers take no lock.
func (t *handleTable[T]) find(handle uintptr) *T {
	if s := t.slotOf(handle); s != nil {
		if n := s.named.Load(); n != nil && n.handle == handle {
			return n.value
		}
	}
	return nil
}

// slotOf returns the slot that owns a handle, or nil.
func (t *handleTable[T]) slotOf(handle uintptr) *slot[T] {
	for i := range t.chunks {
		c := t.chunks[i].Load()
		if c == nil {
			return nil
		}
		if at := (handle - c.base) / handlesPerSlot; at < uintptr(len(c.slots)) {
			return &c.slots[at]
		}
	}
	return nil
}

// add stores v and returns its handle.
func (t *handleTable[T]) add(v *T) uintptr {
	return t.addPrepared(v, func(uintptr, unsafe.Pointer) {})
}

// addPrepared is add, with a call of prepare before v can be found. The arguments of prepare are the handle and the C
// memory of the slot.
func (t *handleTable[T]) addPrepared(v *T, prepare func(handle uintptr, slot unsafe.Pointer)) uintptr {
	t.write.Lock()
	defer t.write.Unlock()
	s := t.take()
	handle := s.next
	s.next++
	s.left--
	prepare(handle, s.memory)
	s.named.Store(&named[T]{handle, v})
	return handle
}

// take returns an empty slot.
func (t *handleTable[T]) take() *slot[T] {
	if last := len(t.free) - 1; last >= 0 {
		s := t.free[last]
		t.free = t.free[:last]
		return s
	}
	i := bits.Len(uint(t.used/firstChunk+1)) - 1
	if i == len(t.chunks) {
		panic(errMemory)
	}
	c := t.chunks[i].Load()
	if c == nil {
		n := firstChunk << i
		memory := cKeep(n, handlesPerSlot)
		c = &chunk[T]{uintptr(memory), make([]slot[T], n)}
		for k := range c.slots {
			s := &c.slots[k]
			s.memory = unsafe.Add(memory, k*handlesPerSlot)
			s.next, s.left = uintptr(s.memory), handlesPerSlot
		}
		t.chunks[i].Store(c)
		if t.grown != nil {
			t.grown(i, memory, n)
		}
	}
	s := &c.slots[t.used-firstChunk*(1<<i-1)]
	t.used++
	return s
}

// remove removes the object of a handle and releases its slot.
func (t *handleTable[T]) remove(handle uintptr) {
	if t.forget(handle) {
		t.retire(handle)
	}
}

// forget removes the object of a handle and reports whether the handle was in use.
func (t *handleTable[T]) forget(handle uintptr) bool {
	t.write.Lock()
	defer t.write.Unlock()
	s := t.slotOf(handle)
	if s == nil {
		return false
	}
	if n := s.named.Load(); n == nil || n.handle != handle {
		return false
	}
	s.named.Store(nil)
	return true
}

// retire releases the slot of a forgotten handle.
func (t *handleTable[T]) retire(handle uintptr) {
	t.write.Lock()
	defer t.write.Unlock()
	if s := t.slotOf(handle); s.left > 0 {
		t.free = append(t.free, s)
	}
}
