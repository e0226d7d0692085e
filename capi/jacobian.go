package main

import (
	"fmt"
	"unsafe"
)

// jacobian: see skidpad_jacobian.
func jacobian(handle uintptr, of *uint32, nOf int64, by *uint32, nBy int64, matrix *float64) status {
	return guard(handle, func(v *vehicle) error {
		rows, err := v.indices("of", of, nOf)
		if err != nil {
			return err
		}
		columns, err := v.indices("by", by, nBy)
		if err != nil {
			return err
		}
		size := len(rows) * len(columns)
		if matrix == nil && size > 0 {
			return argumentError("matrix is NULL")
		}
		return v.engine.Jacobian(rows, columns, unsafe.Slice(matrix, size))
	})
}

// indices returns the engine's indices of an array of references; what is the name of the argument.
func (v *vehicle) indices(what string, references *uint32, count int64) ([]int, error) {
	if most := int64(len(v.variables) + len(v.tireVariables())); count < 0 || count > most {
		return nil, argumentError(fmt.Sprintf("n_%s is %d; allowed are 0 to %d, the number of variables", what, count, most))
	}
	if references == nil && count > 0 {
		return nil, argumentError(what + " is NULL")
	}
	list := make([]int, count)
	for i, reference := range unsafe.Slice(references, count) {
		if err := v.known(reference); err != nil {
			return nil, err
		}
		list[i] = int(reference)
	}
	return list, nil
}
