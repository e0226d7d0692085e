package solver

// Tableau has the coefficients of an explicit Runge-Kutta method:
//
//	k_i = f(t + C_i h, x + h sum_j A_ij k_j),  x + h sum_i B_i k_i
//
// The derivative of a step follows from the coefficients and from the points of its stages.
type Tableau struct {
	A [][]float64 // by stage the weights of the stages before it
	B []float64
}

var (
	ofEuler = &Tableau{A: [][]float64{{}}, B: []float64{1}}
	ofHeun  = &Tableau{A: [][]float64{{}, {1}}, B: []float64{0.5, 0.5}}
	ofRK4   = &Tableau{A: [][]float64{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, B: []float64{1. / 6, 1. / 3, 1. / 3, 1. / 6}}
)
