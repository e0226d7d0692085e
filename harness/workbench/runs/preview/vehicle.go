package preview

import "gonum.org/v1/gonum/mat"

// Vehicle is the lateral motion of a vehicle at a speed: the states are the lateral position y [m] and the yaw angle
// psi [rad] about a straight line, the lateral velocity v [m/s] and the yaw rate r [rad/s], with
//
//	y' = speed psi + v,  psi' = r,  (v, r)' = Self (v, r) + Steer u
//
// All are positive to the left, and so is the steering angle u [rad].
type Vehicle struct {
	Speed float64 // m/s
	Self  [2][2]float64
	Steer [2]float64
}

// Motion is the vehicle with its states in the order y, psi, v, r.
func (v *Vehicle) Motion() Motion {
	a := v.Self
	return Motion{
		A: mat.NewDense(4, 4, []float64{0, v.Speed, 1, 0, 0, 0, 0, 1, 0, 0, a[0][0], a[0][1], 0, 0, a[1][0], a[1][1]}),
		B: []float64{0, 0, v.Steer[0], v.Steer[1]}, C: []float64{1, 0, 0, 0}}
}
