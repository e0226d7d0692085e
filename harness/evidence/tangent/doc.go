// Package tangent makes the linearised equations of motion of a vehicle in steady straight motion, after Minaker:
// numerically, body by body, with the tangent stiffness of the forces of the steady state. It checks the results of
// package model/linear, which differentiates symbolic equations. It shares no code with that package; of this
// repository it imports the model files (package model) only.
//
//	model file -> bodies and connections at the steady motion            (Translate)
//	           -> forces of the steady motion, statically                 (Vehicle.Steady)
//	           -> V, M, C, K; constraints; E z' = A z + B u, y = C z + D u (Vehicle.Linearise)
//	           -> eigenvalues without those of cyclic coordinates, frequency response
//
// Every body has twelve numbers, all of them departures from the steady motion. p is the position of its centre of mass
// and three small rotations, in ground. w is its velocity and angular velocity, in the body's own frame. This frame is
// parallel to ground at the steady motion and does not take part in a steady spin. For all bodies
//
//	p' + V p - w = 0
//	M w' + K p + C w = f
//
// Forces and moments are resolved in ground, moments are about the body's own centre of mass. Units are SI. Axes are
// ISO 8855 if the vehicle comes from a model file; otherwise any right-handed axes are allowed.
//
// Source: B. P. Minaker, Automatic Generation of Linearised Equations of Motion for Moving Vehicles (2010), as the
// linearised-eom specification reads it. Section and equation numbers refer to the specification.
package tangent
