package cosim

import (
	"sync"

	"skidpad/harness/tests/testrun"
)

// shared are the systems that several tests of this package use, by what they are made of.
var shared sync.Map // of func() (*System, error)

// Shared returns a system that is formulated and compiled once for all tests: instances do not change a system. A test
// of what a new system does makes its own one.
func Shared(key string, make func() (*System, error)) (*System, error) {
	once, _ := shared.LoadOrStore(key, sync.OnceValues(make))
	return once.(func() (*System, error))()
}

// SharedModel is Shared for a shipped model.
func SharedModel(name, tree string) (*System, error) {
	return Shared(name+"\n"+tree, func() (*System, error) {
		return Load("../resources/models/"+name+".toml", Options{Tree: tree})
	})
}

// Picked reports whether a run has a case of several factors: a full run has all, a thinned one those whose indices sum
// to a multiple of n. With weights each value of each factor is among them.
func Picked(n int, indices ...int) bool {
	sum := 0
	for _, i := range indices {
		sum += i
	}
	return testrun.All() || sum%n == 0
}
