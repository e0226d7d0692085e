package modelfile

import (
	"skidpad/model/document"
	"skidpad/model/vehicle"
)

// Formulas are the numbers of a model file that are formulas of parameters; nil where the file cannot be read.
func Formulas(path string) []document.Formula {
	m, err := vehicle.Read(path)
	if err != nil {
		return nil
	}
	return m.Formulas
}
