// Package generated holds the simulation code of the two vehicles of Morency (2007) as "skidpad generate" writes it in
// Go: what the benchmark measures, and what tests compare with machine code and tape, to the last bit. No vehicle runs
// it.
package generated

import "skidpad/model/program"

//go:generate go run skidpad/harness/cmd/skidpad generate ../../../../resources/models/generic4w.toml --lang go --package generated --out generic4w_gen.go
//go:generate go run skidpad/harness/cmd/skidpad generate ../../../../resources/models/skidder.toml --lang go --package generated --out skidder_gen.go

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
