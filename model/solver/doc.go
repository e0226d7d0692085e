// Package solver integrates x' = f(t, x) by steps of fixed cost. Each method is one file, which says what it is called,
// what it needs, and whether a step uses what earlier ones have computed. The package knows nothing of models: a
// Problem has the rates, and what methods with Jacobians or for constraints want beside them.
package solver
