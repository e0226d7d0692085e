// Package figures evaluates runs of road vehicles to the key figures of the field's standards. It knows no
// vehicle and no file: a Record has the signals of a run, a Kind turns Records into Figures.
//
//	signals.go    common rules: lateral acceleration, side-slip, steady values, crossings, regression
//	filter.go     Butterworth filter without phase
//	spectrum.go   frequency responses with coherence (Welch)
//	steady.go     slowly increasing steer; steady circle, after ISO 4138
//	transient.go  step steer and one period of sine, after ISO 7401
//	frequency.go  frequency response, after ISO 7401
//	dwell.go      sine with dwell, after FMVSS 126
//	braking.go    straight braking, after ISO 21994
//
// The rules are those of the manoeuvres specification, sections 1 to 4, which describes the standards in
// words of its own; no figure claims to comply with one. Units are SI and rad, axes ISO 8855. A figure that
// cannot be had is missing, with the reason, and never guessed.
package figures
