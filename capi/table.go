package main

import (
	"maps"
	"sync"
	"sync/atomic"
)

// handleTable maps handles to what lives behind them. Readers take no lock: they see
// one immutable map, which writers replace.
type handleTable[T any] struct {
	write sync.Mutex
	live  atomic.Pointer[map[uintptr]*T]
}

// find returns what handle names, or nil. Any value is allowed.
func (t *handleTable[T]) find(handle uintptr) *T {
	live := t.live.Load()
	if live == nil {
		return nil
	}
	return (*live)[handle]
}

// add names v by handle.
func (t *handleTable[T]) add(handle uintptr, v *T) {
	t.change(func(live map[uintptr]*T) { live[handle] = v })
}

// remove forgets handle.
func (t *handleTable[T]) remove(handle uintptr) {
	t.change(func(live map[uintptr]*T) { delete(live, handle) })
}

func (t *handleTable[T]) change(edit func(map[uintptr]*T)) {
	t.write.Lock()
	defer t.write.Unlock()
	next := map[uintptr]*T{}
	if live := t.live.Load(); live != nil {
		next = maps.Clone(*live)
	}
	edit(next)
	t.live.Store(&next)
}
