// Package linear linearises a vehicle about steady motions.
//
//	Model  a vehicle with its tire functions; parameters and start values can be set or held, and
//	       inputs freed, for the search for a steady motion
//	System A, B, C, D of all states, with the constraints between them; Minimal and Descriptor are
//	       its forms for third-party tools, in independent states and with constraints as equations
//	Modes  eigenvalues with their participating states, by participations and Groups of states; ModalMeasures of inputs
//	       and outputs to them
//	Response, Transfer  from an input or a prescribed motion to an output: of sines; poles, zeros, gain
//	Handling  understeer gradient and static margin at a speed that is held
//
// The derivatives are those of the equations, symbolic and exact. Constraints, holonomic and
// nonholonomic, confine the deviations to the tangent space of what they leave invariant, h(z) = 0
// with h the violations and their rates: with an orthonormal basis T of the null space of dh/dz,
//
//	z = T q,  q' = T^T A T q + T^T B u,  y = C T q + D u
//
// (linearised-eom specification, 4.2, 4.6). Coordinates on which nothing depends, such as place and
// heading, are left out of the eigenvalues, whose zeros they would be (4.3); a response whose
// output sees them keeps them.
package linear
