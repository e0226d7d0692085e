package solver

func init() {
	of := func(n int) Solver { return &clmm{newRK4(n)} }
	register(6, Method{Name: "clmm", New: of, Constraints: true, Limit: limitOfRK4})
}

// clmm is the classical Lagrange multiplier method: the constraints hold for accelerations, and
// violations grow.
type clmm struct{ Solver }
