// Package reference is an independent check of the engine: a numeric multibody solver like ADAMS. It shares no
// formulation with the engine; of this repository it imports the model files (package model) and the tire functions
// (package tire) only.
//
//	model file -> parts, markers, constraints, loads  (New)
//	           -> consistent start                    (Start)
//	           -> residual of the stabilised index-2 equations, sparse Newton
//	           -> BDF of variable order and step      (Simulate)
//	           -> published quantities at samples     (Result)
//
// Every part has absolute coordinates: position of its centre of mass and a unit
// quaternion, both in ground. Newton-Euler equations hold for every part by itself;
// joints are constraints with Lagrange multipliers. With positions q, velocities v (of
// the centre of mass and angular, in ground), constraints Phi(q, t) and their velocity
// Jacobian G, the equations are
//
//	q'    = H(q) (v + G^T mu)
//	M v'  = f(q, v, t) + G^T lambda
//	0     = Phi(q, t)
//	0     = G v + Phi_t
//
// This is the stabilised index-2 form of Gear, Leimkuhler and Gupta (1985), which the integrator GSTIFF SI2 of
// MSC.ADAMS also uses. mu vanishes for the exact solution and keeps the numerical solution on both constraint levels.
//
// Electrical, hydraulic and thermal networks are modified nodal equations in the same system: potentials of nodes and
// flows of edges are unknown, and laws are conditions.
//
// Frames without mass between two joints are parts without mass; constraints make their
// equations regular. Units are SI, axes ISO 8855.
package reference
