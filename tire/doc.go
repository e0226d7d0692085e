// Package tire holds tire functions: force models and slip relaxation, with the
// registry through which the engine finds them by name, and their parameter files.
//
// A function is pure. It takes intermediate variables of the wheel's motion
// and returns forces and moments of the road on the tire, or rates of slip
// states. All quantities are SI and in ISO tire axes: x where the wheel heads, y
// to the left, z along the road's normal.
//
//	Fx > 0 drives forward            S > 0 spins faster than free rolling
//	Fy > 0 pushes to the left        alpha > 0 moves to the left, then Fy < 0
//	Fz >= 0 pushes off the road      gamma > 0 leans to the right
//	Omega > 0 rolls forward          mu scales friction, 1 is nominal
//
// Outputs are finite for every finite input. Without load there is no force, and the slips keep their values; a
// vanishing load leaves relaxation lengths of a millimetre. An input beyond the range that a wheel can reach is clamped
// to the range. The rolling resistance jumps where Omega changes its sign, with sgn(0) = +1. A tire component turns the
// rolling resistance into a brake, which holds a wheel at rest. Every function also gives its exact derivatives.
//
// The trail of a tire lies behind the wheel centre in the direction of travel. Functions whose
// publications cover forward travel only take the direction as an input, 1 forward and -1 in reverse; trail and
// residual torque change sign with it.
//
// A built-in function is written once, as formulas: fialaText is a short example. Package formula derives from them the
// derivatives, machine code for one tire and for four, and the evaluation without machine code.
//
// The package knows nothing of vehicles, graphs, solvers or files other than
// its own.
//
// Sources: Morency (2007), chapter 3 and appendix A; Pacejka 2002 as published
// (PAC2002, Magic Formula 5.2); Pacejka, Tire and Vehicle Dynamics (2012), chapter 4, and Besselink,
// Schmeitz and Pacejka (2010), for Magic Formula 6.1 and 6.2.
package tire
