// Package rig is a tire test rig: a wheel on a stand, whose motion is prescribed, measures the forces that a tire makes
// in the library, as it makes them in a vehicle.
//
//	Tire  -> Open    -> Rig: the stand with the tire on it
//	State -> Measure -> Forces in ISO tire axes
//	Rig   -> Run     -> sweeps of slip, camber, load and turn slip, figures of merit
//	      -> CSV, SVG, HTML
//
// Units are SI and rad; signs are those of package tire: a positive slip angle makes a negative side force. It knows
// the library by its C API, and of tires nothing but what the library says.
package rig
