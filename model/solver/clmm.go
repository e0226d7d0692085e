package solver

func init() {
	of := func(n int) Solver { return &clmm{newRK4(n)} }
	register(6, Method{Name: "clmm", New: of, Order: 4, Evaluations: 4, Constraints: true, Limit: limitOfRK4,
		Handling: "none: accelerations only", Use: "showing constraint drift"})
}

// clmm is the classical Lagrange multiplier method: the constraints hold for accelerations, and
// violations grow.
type clmm struct{ Solver }
