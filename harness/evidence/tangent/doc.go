// Package tangent makes the linearised equations of motion of a vehicle in steady straight motion, after
// Minaker: numerically, body by body, with the tangent stiffness of the forces that
// act in the steady state. It checks what package model/linear finds by differentiating
// symbolic equations, and shares nothing with it; of this repository it knows the model files
// (package model), nothing else.
//
//	model file -> bodies and connections at the steady motion            (Translate)
//	           -> forces of the steady motion, statically                 (Vehicle.Steady)
//	           -> V, M, C, K; constraints; E z' = A z + B u, y = C z + D u (Vehicle.Linearise)
//	           -> eigenvalues without those of cyclic coordinates, frequency response
//
// Every body has twelve numbers, all of them departures from the steady motion: the position of its
// centre of mass and three small turns, p, in ground; velocity and angular velocity, w, in the
// body's own frame, which is parallel to ground at the steady motion and does not take part in a
// steady spin. For all bodies
//
//	p' + V p - w = 0
//	M w' + K p + C w = f
//
// Forces and moments are resolved in ground, moments are about the body's own centre of mass.
// Units are SI, axes ISO 8855 where the vehicle comes from a model file and any else.
//
// Source: B. P. Minaker, Automatic Generation of Linearised Equations of Motion for Moving Vehicles
// (2010), as the linearised-eom specification reads it; numbers of sections and equations are those
// of the specification.
package tangent
