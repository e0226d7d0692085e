package solver

func init() {
	register(6, Method{Name: "clmm", New: func(n int) Solver { return &clmm{newRK4(n)} }, Constraints: true})
}

// clmm is the classical Lagrange multiplier method: the constraints hold for accelerations, and
// violations grow.
type clmm struct{ Solver }
