package main

import (
	"maps"
	"sync"
	"sync/atomic"
)

// handleTable maps handles to living vehicles. Readers take no lock: they see
// one immutable map, which writers replace.
type handleTable struct {
	write sync.Mutex
	live  atomic.Pointer[map[uintptr]*vehicle]
}

// vehicles holds every living vehicle of the process.
var vehicles handleTable

// find returns the vehicle that handle names, or nil. Any value is allowed.
func (t *handleTable) find(handle uintptr) *vehicle {
	live := t.live.Load()
	if live == nil {
		return nil
	}
	return (*live)[handle]
}

// add gives v a handle that no vehicle ever had.
func (t *handleTable) add(v *vehicle) uintptr {
	handle := newHandle()
	t.change(func(live map[uintptr]*vehicle) { live[handle] = v })
	return handle
}

// remove forgets handle.
func (t *handleTable) remove(handle uintptr) {
	t.change(func(live map[uintptr]*vehicle) { delete(live, handle) })
}

func (t *handleTable) change(edit func(map[uintptr]*vehicle)) {
	t.write.Lock()
	defer t.write.Unlock()
	next := map[uintptr]*vehicle{}
	if live := t.live.Load(); live != nil {
		next = maps.Clone(*live)
	}
	edit(next)
	t.live.Store(&next)
}
