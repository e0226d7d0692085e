// Package shipped holds the simulation code of the two vehicles of Morency (2007)
// as generated Go. A program finds its code by fingerprint; where there is none, or the model
// file has been changed, the program is interpreted.
package shipped

import "skidpad/model/program"

//go:generate go run skidpad/harness/cmd/skidpad generate ../../resources/models/generic4w.toml --lang go --package shipped --out generic4w.go
//go:generate go run skidpad/harness/cmd/skidpad generate ../../resources/models/skidder.toml --lang go --package shipped --out skidder.go

// Lookup returns the generated code of the program with that fingerprint.
func Lookup(fingerprint string) (program.Code, bool) {
	switch fingerprint {
	case genericVehicleFingerprint:
		return genericVehicle, true
	case forestrySkidderFingerprint:
		return forestrySkidder, true
	}
	return program.Code{}, false
}
