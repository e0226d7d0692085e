// Package live drives a vehicle in real time by hand: from the state of a driver's device to a slice of the vehicle,
// every millisecond.
//
//	Command -> driver (steering angle, pedals) -> Controls (inputs) -> Vehicle.Advance -> Row -> ring -> reader
//
// One goroutine, Loop.Run, calls the vehicle. Slices do not allocate.
package live
