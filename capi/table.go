package main

// #include "slots.h"
import "C"

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// handleTable names living things by handles. A handle is an address of C memory that hosts have no use for, so that
// one may take it for a pointer, and no thing of the process ever gets the handle of another, so that one which was
// removed stays known as such. Finding, adding and removing take the same time however many there are.
//
// Things lie in slots. A slot owns handlesPerSlot addresses: each of the things that use it one after the other gets
// the next one. When all are given away, the slot is never used again.
type handleTable[T any] struct {
	chunks [mostChunks]atomic.Pointer[chunk[T]]              // each twice as large as the one before
	grown  func(chunk int, memory unsafe.Pointer, slots int) // is told of new ones, if it is not nil
	write  sync.Mutex                                        // for what follows
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
	memory unsafe.Pointer // where its handles point
	next   uintptr        // handle
	left   int            // handles
}

// named is what a slot holds. It never changes, so that readers see handle and value of one thing.
type named[T any] struct {
	handle uintptr
	value  *T
}

// find returns what handle names, or nil. Any value is allowed, and readers take no lock.
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

// add names v and returns its handle.
func (t *handleTable[T]) add(v *T) uintptr {
	return t.addPrepared(v, func(uintptr, unsafe.Pointer) {})
}

// addPrepared is add; before anything can find v, prepare is told its handle and the C memory of its slot.
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

// take returns a slot with nothing in it.
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

// remove forgets handle, and lets another thing use its slot.
func (t *handleTable[T]) remove(handle uintptr) {
	if t.forget(handle) {
		t.retire(handle)
	}
}

// forget lets nothing find what handle names, and reports whether it named something.
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

// retire lets another thing use the slot of a handle that was forgotten.
func (t *handleTable[T]) retire(handle uintptr) {
	t.write.Lock()
	defer t.write.Unlock()
	if s := t.slotOf(handle); s.left > 0 {
		t.free = append(t.free, s)
	}
}
