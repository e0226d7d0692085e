package main

import (
	"errors"
	"math"
	"unsafe"
)

// usualMemory is the memory of a record where none is given [bytes].
const usualMemory = 64 << 20

// setDirections: see skidpad_set_directions.
func setDirections(handle uintptr, count int64) status {
	return guard(handle, func(v *vehicle) error {
		_, err := v.engine.CarryDerivatives(int(max(-1, min(count, math.MaxInt32))), v.engine.Derivatives().Memory())
		return err
	})
}

// record: see skidpad_record.
func record(handle uintptr, memory int64) status {
	return guard(handle, func(v *vehicle) error {
		if memory == 0 {
			memory = usualMemory
		}
		_, err := v.engine.CarryDerivatives(v.engine.Derivatives().Directions(), memory)
		return err
	})
}

var (
	errNoDirections = errors.New("the vehicle carries no directions; set their number before the initialisation")
	errNoRecord     = errors.New("the run is not recorded; ask for a record before the initialisation")
)

// setTangents: see skidpad_set_tangents.
func setTangents(handle uintptr, references *uint32, n int64, values *float64) status {
	return guard(handle, func(v *vehicle) error {
		return v.differentiate(references, n, values, func(list []int, numbers []float64) error {
			return v.engine.Derivatives().SetTangents(list, numbers)
		})
	})
}

// getTangents: see skidpad_get_tangents.
func getTangents(handle uintptr, references *uint32, n int64, values *float64) status {
	return guard(handle, func(v *vehicle) error {
		return v.differentiate(references, n, values, func(list []int, numbers []float64) error {
			return v.engine.Derivatives().Tangents(list, numbers)
		})
	})
}

// differentiate calls do with a list of variables, and numbers of each in all directions.
func (v *vehicle) differentiate(references *uint32, n int64, values *float64, do func([]int, []float64) error) error {
	if v.engine.Derivatives().Directions() == 0 {
		return errNoDirections
	}
	list, err := v.indices("references", references, n)
	if err != nil {
		return err
	}
	size := len(list) * v.engine.Derivatives().Directions()
	if values == nil && size > 0 {
		return argumentError("values is NULL")
	}
	return do(list, unsafe.Slice(values, size))
}

// addAdjoints: see skidpad_add_adjoints.
func addAdjoints(handle uintptr, references *uint32, n int64, values *float64) status {
	return guard(handle, func(v *vehicle) error {
		return v.goBack(references, n, values, func(list []int, numbers []float64) error {
			return v.engine.Derivatives().AddAdjoints(list, numbers)
		})
	})
}

// getAdjoints: see skidpad_get_adjoints.
func getAdjoints(handle uintptr, references *uint32, n int64, values *float64) status {
	return guard(handle, func(v *vehicle) error {
		return v.goBack(references, n, values, func(list []int, numbers []float64) error {
			return v.engine.Derivatives().Adjoints(list, numbers)
		})
	})
}

// stepBack: see skidpad_step_back.
func stepBack(handle uintptr) status {
	return guard(handle, func(v *vehicle) error {
		if v.engine.Derivatives().Memory() == 0 {
			return errNoRecord
		}
		return v.engine.Derivatives().StepBack()
	})
}

// goBack calls do with a list of variables and a number of each.
func (v *vehicle) goBack(references *uint32, n int64, values *float64, do func([]int, []float64) error) error {
	if v.engine.Derivatives().Memory() == 0 {
		return errNoRecord
	}
	list, err := v.indices("references", references, n)
	if err != nil {
		return err
	}
	if values == nil && n > 0 {
		return argumentError("values is NULL")
	}
	return do(list, unsafe.Slice(values, len(list)))
}
