// Package sti implements the Standard Tyre Interface (STI, TYDEX, release 1.4, 1996) in both directions: Tire is a tire
// function computed by a routine of a third-party library, Serve is such a routine for programs that call the tire
// functions of this module.
//
//	wheel motion in ISO tire axes W -> Arguments in axes C -> routine -> FORCES, TORQUE -> W
//	Arguments of a host, its road -> contact in W -> tire function -> FORCES, TORQUE
//
// The axes are the TYDEX axes, all right-handed. C has its origin in the wheel's centre, x in the wheel plane and
// parallel to the road, forward, y along the spin axis, to the left, z in the wheel plane, up. C does not turn with the
// wheel's rotation. W is at the contact point, with the same x and the road's normal as z. With the inclination gamma
// about x,
//
//	y_C = cos gamma y_W + sin gamma z_W,   z_C = -sin gamma y_W + cos gamma z_W.
//
// The package knows no C: the code that loads libraries provides a Routine.
package sti
