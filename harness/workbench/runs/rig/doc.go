// Package rig is a tire test rig: a wheel on a stand with prescribed motion measures the forces of a tire in the
// library, computed as in a vehicle.
//
//	Tire  -> Open    -> Rig: the stand with the tire on it
//	State -> Measure -> Forces in ISO tire axes
//	Rig   -> Run     -> sweeps of slip, camber, load and turn slip, figures of merit
//	      -> CSV, SVG, HTML
//
// Units are SI and rad; the signs follow package tire: a positive slip angle makes a negative side force. It uses the
// library through its C API, and knows tires only through the library.
package rig
