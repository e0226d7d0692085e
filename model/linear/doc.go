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
// The derivatives are symbolic and exact. Constraints, holonomic and nonholonomic, confine the perturbations to the
// tangent space of the invariants h(z) = 0; h are the constraint violations and their rates. With an orthonormal basis
// T of the null space of dh/dz,
//
//	z = T q,  q' = T^T A T q + T^T B u,  y = C T q + D u
//
// (linearised-eom specification, 4.2, 4.6). Cyclic coordinates affect no rate, for example position and heading. The
// eigenvalues do not include their zeros (4.3); a response keeps the cyclic coordinates that affect its output.
package linear
