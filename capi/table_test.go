package main

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

func TestHandlesAreUnique(t *testing.T) {
	var table handleTable[int]
	random := rand.New(rand.NewPCG(1, 2))
	ever, living := map[uintptr]*int{}, []uintptr{}
	for n := range 100_000 {
		if k := len(living); k > 0 && random.IntN(100) < 45 {
			at := random.IntN(k)
			table.remove(living[at])
			ever[living[at]] = nil
			living[at] = living[k-1]
			living = living[:k-1]
			continue
		}
		v := new(int)
		h := table.add(v)
		if _, had := ever[h]; had || h == 0 {
			t.Fatalf("thing %d gets the handle %#x, which another has or had", n, h)
		}
		ever[h] = v
		living = append(living, h)
	}
	for h, v := range ever {
		if got := table.find(h); got != v {
			t.Fatalf("handle %#x names %p instead of %p", h, got, v)
		}
		for _, near := range []uintptr{h - 1, h + 1, h ^ 1<<40} {
			if got := table.find(near); got != ever[near] {
				t.Fatalf("%#x beside a handle names %p instead of %p", near, got, ever[near])
			}
		}
	}
	for _, h := range []uintptr{0, 1, ^uintptr(0), 0xc000000000} {
		if table.find(h) != nil {
			t.Errorf("%#x names something", h)
		}
		table.remove(h)
	}
	for n, h := range living { // twice: the slot must not be released twice
		table.remove(h)
		table.remove(h)
		if n%1000 == 0 {
			a, b := table.add(new(int)), table.add(new(int))
			if a == b || ever[a] != nil || ever[b] != nil {
				t.Fatalf("handles %#x and %#x after one was removed twice", a, b)
			}
		}
	}
}

// A handle costs one address, so memory follows the number of living objects, not of all objects so far.
func TestSlotsAreReused(t *testing.T) {
	var table handleTable[int]
	for range 64 * 1000 {
		table.remove(table.add(new(int)))
	}
	if table.used != 1000 {
		t.Errorf("64000 things one after the other use %d slots, want 1000", table.used)
	}
}

func TestHandlesAreFoundDuringChanges(t *testing.T) {
	var table handleTable[int]
	kept := make([]uintptr, 100)
	for i := range kept {
		kept[i] = table.add(&i)
	}
	var crew sync.WaitGroup
	for range 4 {
		crew.Go(func() {
			for range 20_000 {
				h := table.add(new(int))
				if table.find(h) == nil {
					t.Error("a thing that was added is not found")
				}
				table.remove(h)
				if table.find(h) != nil {
					t.Error("a thing that was removed is found")
				}
			}
		})
		crew.Go(func() {
			for n := range 20_000 {
				i := n % len(kept)
				if v := table.find(kept[i]); v == nil || *v != i {
					t.Errorf("handle %d names another thing", i)
				}
			}
		})
	}
	crew.Wait()
}

// Threads that add objects concurrently get different handles, and each handle names its object. Concurrent removal
// loses no slot.
func TestConcurrentHandlesAreUnique(t *testing.T) {
	const adders, each = 8, 20_000
	var table handleTable[int]
	var given [adders][each]uintptr
	together := func(work func(a int)) {
		var crew sync.WaitGroup
		start := make(chan struct{})
		for a := range adders {
			crew.Go(func() { <-start; work(a) })
		}
		close(start)
		crew.Wait()
	}
	together(func(a int) {
		for n := range each {
			value := a*each + n
			given[a][n] = table.add(&value)
		}
	})
	for a := range adders {
		for n, h := range given[a] {
			if v := table.find(h); v == nil || *v != a*each+n {
				t.Fatalf("handle %#x of thing %d names %v", h, a*each+n, v)
			}
		}
	}
	if table.used != adders*each {
		t.Errorf("%d things use %d slots", adders*each, table.used)
	}
	together(func(a int) {
		for _, h := range given[a] {
			table.remove(h)
		}
	})
	if len(table.free) != adders*each {
		t.Errorf("%d slots of %d can be used again", len(table.free), adders*each)
	}
}

// Adding and removing wait for the goroutine that changes the table. The test does not depend on time if they wait.
func TestTableChangesAreSerialised(t *testing.T) {
	var table handleTable[int]
	handle := table.add(new(int))
	for name, change := range map[string]func(){
		"add":    func() { table.add(new(int)) },
		"remove": func() { table.remove(handle) },
	} {
		done := make(chan struct{})
		table.write.Lock()
		go func() { change(); close(done) }()
		select {
		case <-done:
			t.Errorf("%s does not wait", name)
		case <-time.After(20 * time.Millisecond):
		}
		table.write.Unlock()
		<-done
	}
}

// The cost of adding an object and of finding the oldest object must not grow with the number of objects.
func BenchmarkHandles(b *testing.B) {
	for _, n := range []int{10, 1_000_000} {
		var table handleTable[int]
		oldest := table.add(new(int))
		for range n - 1 {
			table.add(new(int))
		}
		b.Run(fmt.Sprintf("find/%d", n), func(b *testing.B) {
			for b.Loop() {
				if table.find(oldest) == nil {
					b.Fatal("not found")
				}
			}
		})
		b.Run(fmt.Sprintf("add-and-remove/%d", n), func(b *testing.B) {
			v := new(int)
			for b.Loop() {
				table.remove(table.add(v))
			}
		})
	}
}
