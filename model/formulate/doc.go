// Package formulate makes the equations of motion of a model from its linear graph.
//
//	model -> linear graph, trees -> across variables, balances, constraints -> M pdot + C^T f = b, C pdot = e
//	     -> program.Program
//
// New returns a Formulation, which holds the equations for packages that read or transform them; Program returns code
// that is ready to run. The mathematics follows Morency (2007), chapters 2 and 4, and docs/theory.md.
package formulate
