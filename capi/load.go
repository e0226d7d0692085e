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

// loadModel reads and formulates a model and makes a vehicle of it.
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

// What Go has done to the process while it started is taken back.
func init() { C.core_restore_limit() }

// settle comes before anything that the host asks for. An error says that the process lacks something; then it can be
// tried again.
func settle() error {
	configure()
	return startPoller()
}

// configure tells the engine how tire libraries are loaded, and gives the Go runtime settings that do not depend on the
// environment of the host process: a moderate collector, no memory limit, at most two threads that run Go at once (rule
// G-18 of the shared-library specification).
var configure = sync.OnceFunc(func() {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.GOMAXPROCS(min(2, runtime.NumCPU()))
	tire.SetLoader(tire.Plugin, openPlugin)
	tire.SetLoader(tire.STI, openRoutine)
})
