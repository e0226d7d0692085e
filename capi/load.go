package main

// #include "core_types.h"
import "C"

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/tire"
)

// loadModel reads and formulates a model and creates a vehicle.
func loadModel(path, tree string, reactions []string) (handle uintptr, err error) {
	if err := settle(); err != nil {
		return 0, err
	}
	system, table, err := fmu.Load(path, tree, reactions)
	if err != nil {
		return 0, err
	}
	instance, err := system.Instantiate()
	if err != nil {
		return 0, err
	}
	return newVehicle(instance, table.Variables[:system.First(cosim.Indicator)], origin{path, table.Token}), nil
}

// init restores the limit on open files, which the Go runtime raises at its start.
func init() { C.core_restore_limit() }

// settle precedes the first call of the host. An error reports a lack of resources of the process; the caller can try
// again.
func settle() error {
	configure()
	return startPoller()
}

// configure registers the loaders of tire libraries and sets up the Go runtime independently of the environment of the
// host process. Settings: a moderate collector, no memory limit, at most two threads that run Go at once (rule G-18 of
// the shared-library specification).
var configure = sync.OnceFunc(func() {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.GOMAXPROCS(min(2, runtime.NumCPU()))
	tire.SetLoader(tire.Plugin, openPlugin)
	tire.SetLoader(tire.STI, openRoutine)
})
