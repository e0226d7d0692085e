package main

// #include "slots.h"
import "C"

import (
	"sync/atomic"
	"time"
	"unsafe"

	"skidpad/cosim"
	"skidpad/fmu"
)

// vehicle is the object of a skidpad_vehicle handle.
type vehicle struct {
	engine    engine
	variables []fmu.Variable // the index is the value reference
	origin    origin
	byName    map[string]int // name to index into variables

	slot     *C.vehicle_slot // tells Go and C whether a call is under way
	own      *ownSteps       // data for steps without Go, nil before the first step outside of groups
	released bool
	broken   error         // after a panic: the error of every call
	failure  string        // why the latest failed call failed
	warned   int           // warnings of the engine that have been read
	noted    bool          // the notes of the start have been read
	fleet    *fleet        // group of the latest skidpad_step_all, if this vehicle is the first of the group
	owner    *vehicleFleet // fleet that releases this vehicle, nil for none

	failureText *byte   // C copy of failure, handed out by lastError
	texts       []*byte // C strings of variables, handed out by describe

	ofTires      []cosim.TireVariable // of the present tire functions, nil until they are needed
	ofTiresTexts map[string][3]*byte  // C strings by name, unit and text
}

// engine has the methods of a cosim.Instance that the library calls.
type engine interface {
	Set(i int, value float64) error
	SetRate(i int, rate float64) error
	Get(i int) (float64, error)
	Jacobian(unknowns, knowns []int, matrix []float64) error
	CarryDerivatives(directions int, memory int64) (*cosim.RunDerivatives, error)
	Derivatives() *cosim.RunDerivatives
	TireVariables() []cosim.TireVariable
	IsTireVariable(i int) bool
	SetText(name, value string) error
	Text(name string) (string, error)
	Trim() (cosim.TrimResult, error)
	Initialise() error
	Step(h float64) error
	SetTimeLimit(limit time.Duration)
	Warnings() []string
	RangeWarnings() []string
	Notes() []string
	Time() float64
	StateSize() int
	Save(state []byte) error
	Restore(state []byte) error
	Reset()
	Close()
}

// vehicles holds every living vehicle of the process. C searches it, too (slots.c).
var vehicles = handleTable[vehicle]{grown: func(chunk int, memory unsafe.Pointer, slots int) {
	C.slots_grow(C.int(chunk), (*C.vehicle_slot)(memory), C.size_t(slots))
}}

// newVehicle creates a vehicle and returns its handle.
func newVehicle(e engine, variables []fmu.Variable, from origin) uintptr {
	v := &vehicle{engine: e, variables: variables, origin: from, byName: make(map[string]int, len(variables))}
	for i, variable := range variables {
		v.byName[variable.Name] = i
	}
	return vehicles.addPrepared(v, func(handle uintptr, slot unsafe.Pointer) {
		v.slot = (*C.vehicle_slot)(slot)
		atomic.StoreUintptr((*uintptr)(unsafe.Pointer(&v.slot.handle)), handle)
	})
}

// release frees the C memory of v. C no longer finds the vehicle.
func (v *vehicle) release() {
	v.released, v.fleet = true, nil
	atomic.StoreUintptr((*uintptr)(unsafe.Pointer(&v.slot.handle)), 0)
	if v.own != nil {
		v.own.release()
		v.own = nil
	}
	_ = protect(func() error { v.engine.Close(); return nil }) // a tire function that panics keeps its resources
	cFree(v.failureText)
	v.failureText = nil
	freeTexts(v.texts)
	v.texts = nil
	for _, texts := range v.ofTiresTexts {
		freeTexts(texts[:])
	}
	v.ofTiresTexts = nil
}

// put sets variables.
func (v *vehicle) put(references []uint32, values []float64) error {
	for i, ref := range references {
		if err := v.known(ref); err != nil {
			return err
		}
		if err := v.engine.Set(int(ref), values[i]); err != nil {
			return err
		}
	}
	return nil
}

// take reads variables.
func (v *vehicle) take(references []uint32, values []float64) (err error) {
	for i, ref := range references {
		if err := v.known(ref); err != nil {
			return err
		}
		if values[i], err = v.engine.Get(int(ref)); err != nil {
			return err
		}
	}
	return nil
}

// tireVariables lists coefficients and peaks of the present tire functions, which follow the variables.
func (v *vehicle) tireVariables() []cosim.TireVariable {
	if v.ofTires == nil {
		v.ofTires = v.engine.TireVariables()
	}
	return v.ofTires
}

func freeTexts(texts []*byte) {
	for _, text := range texts {
		cFree(text)
	}
}

// another returns a new engine of the same model.
func (v *vehicle) another() (engine, error) {
	in, ok := v.engine.(*cosim.Instance)
	if !ok {
		return nil, argumentError("the vehicle cannot be copied")
	}
	return in.System().Instantiate()
}

// textsOfTireVariable returns the C strings name, unit, text of a variable of a tire function. The vehicle owns the
// strings until it is freed, also after a change of the tire function.
func (v *vehicle) textsOfTireVariable(c *cosim.TireVariable) (name, unit, text *byte) {
	key := c.Name + "\x00" + c.Unit + "\x00" + c.Text
	texts, made := v.ofTiresTexts[key]
	if !made {
		defer func() {
			if !made { // there was no memory for one of them
				freeTexts(texts[:])
			}
		}()
		for i, text := range [...]string{c.Name, c.Unit, c.Text} {
			texts[i] = cString(text)
		}
		if v.ofTiresTexts == nil {
			v.ofTiresTexts = map[string][3]*byte{}
		}
		v.ofTiresTexts[key], made = texts, true
	}
	return texts[0], texts[1], texts[2]
}

// textsOf returns the C strings name, unit, text of variable i, owned by v.
func (v *vehicle) textsOf(i int) (name, unit, text *byte) {
	if v.texts == nil {
		var texts []*byte
		defer func() {
			if v.texts == nil { // there was no memory for one of them
				freeTexts(texts)
			}
		}()
		for _, variable := range v.variables {
			for _, text := range [...]string{variable.Name, variable.Unit, variable.Description} {
				texts = append(texts, cString(text))
			}
		}
		v.texts = texts
	}
	return v.texts[3*i], v.texts[3*i+1], v.texts[3*i+2]
}
