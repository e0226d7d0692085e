package cosim

import (
	"sync"

	"skidpad/harness/tests/testrun"
)

// shared holds the systems that several tests of this package use, by their keys.
var shared sync.Map // of func() (*System, error)

// Shared returns a system that is formulated and compiled once for all tests, because instances do not change a system.
// A test of a new system's behaviour creates a separate system.
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

// Picked reports whether a run contains a case of several factors. A full run contains all cases. A thinned run
// contains the cases whose indices sum to a multiple of n. With weights, each value of each factor is included.
func Picked(n int, indices ...int) bool {
	sum := 0
	for _, i := range indices {
		sum += i
	}
	return testrun.All() || sum%n == 0
}
