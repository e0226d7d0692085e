// Package solver integrates x' = f(t, x) by steps of fixed cost. Each method is one file with its name, its
// requirements, and whether a step uses results of earlier steps. The package knows nothing of models: a Problem has
// the rates, and the functions required by methods with Jacobians or for constraints.
package solver
