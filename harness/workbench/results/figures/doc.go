// Package figures evaluates runs of road vehicles to the characteristic values of the field's standards. It knows no
// vehicle and no file: a Record has the signals of a run, a Kind turns Records into Figures.
//
//	signals.go    common rules: steady values, crossings, regression
//	filter.go     Butterworth filter without phase
//	spectrum.go   frequency responses with coherence (Welch)
//	steady.go     slowly increasing steer; steady circle, after ISO 4138
//	transient.go  step steer and one period of sine, after ISO 7401
//	frequency.go  frequency response, after ISO 7401
//	dwell.go      sine with dwell, after FMVSS 126
//	braking.go    straight braking, after ISO 21994
//	fourpost.go   responses to posts
//	longitudinal.go  standing, acceleration and coasting
//	ride.go       rough roads with the weightings of ISO 2631-1, single obstacles
//	weave.go      weave, after ISO 13674-1, straight running, and crosswind, after ISO 12021
//	turn.go       power-off and braking in a turn, after ISO 9816 and ISO 7975
//	rollover.go   fishhook and J-turn, after NHTSA
//	track.go      lane changes on a track, after ISO 3888
//	halfcar.go    half-car on relaxed wheels, after Ikoki (2022)
//	articulated.go  rearward amplification, after ISO 14791; off-tracking at low speed
//
// The rules follow the manoeuvres specification, sections 1 to 4, which paraphrases the standards; no figure claims to
// comply with a standard. Units are SI and rad, axes ISO 8855. A figure that cannot be had is missing, with the reason,
// and never guessed.
package figures
