package main

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// handleTable names living things by handles. A handle is an address of C memory that nobody reads or writes, so that
// a host may take it for a pointer, and no thing of the process ever gets the handle of another, so that one which was
// removed stays known as such. Finding, adding and removing take the same time however many there are.
//
// Things lie in slots. A slot owns handlesPerSlot addresses: each of the things that use it one after the other gets
// the next one. When all are given away, the slot is never used again.
type handleTable[T any] struct {
	chunks [26]atomic.Pointer[chunk[T]] // each twice as large as the one before
	write  sync.Mutex                   // for what follows
	used   int                          // slots that were ever used
	free   []*slot[T]
}

const (
	handlesPerSlot = 64
	firstChunk     = 64 // slots
)

type chunk[T any] struct {
	base  uintptr // of the C memory
	slots []slot[T]
}

type slot[T any] struct {
	named atomic.Pointer[named[T]]
	next  uintptr // handle
	left  int     // handles
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
	t.write.Lock()
	defer t.write.Unlock()
	s := t.take()
	handle := s.next
	s.next++
	s.left--
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
		base := uintptr(cAllocate(n, handlesPerSlot))
		c = &chunk[T]{base, make([]slot[T], n)}
		for k := range c.slots {
			c.slots[k].next, c.slots[k].left = base+uintptr(k)*handlesPerSlot, handlesPerSlot
		}
		t.chunks[i].Store(c)
	}
	s := &c.slots[t.used-firstChunk*(1<<i-1)]
	t.used++
	return s
}

// remove forgets handle.
func (t *handleTable[T]) remove(handle uintptr) {
	t.write.Lock()
	defer t.write.Unlock()
	s := t.slotOf(handle)
	if s == nil {
		return
	}
	if n := s.named.Load(); n == nil || n.handle != handle {
		return
	}
	s.named.Store(nil)
	if s.left > 0 {
		t.free = append(t.free, s)
	}
}
