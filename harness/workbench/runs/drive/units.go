package drive

import "skidpad/harness/workbench/runs/constants"

// Fits is the error of a number whose unit is not one for a variable. A name that is no variable has no unit.
func Fits(s Subject, variable string, written constants.Written) error {
	if written == (constants.Written{}) {
		return nil
	}
	v, err := s.Find(variable)
	if err != nil {
		return nil // which setting it tells
	}
	return written.Fits(v.Unit)
}
