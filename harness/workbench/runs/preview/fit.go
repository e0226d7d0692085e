package preview

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"
)

// Response is how a vehicle at a speed answers small steering angles: the lateral velocity v [m/s] and the yaw rate r
// [rad/s] by the steering angle [rad].
type Response struct {
	Speed   float64 // m/s
	Steady  [2]float64
	Angular []float64       // frequencies [rad/s]
	Of      [][2]complex128 // v and r, by frequency
}

// Fitted returns a vehicle of two states for each response. Its steady responses are exact. Its responses at the
// frequencies differ least from the given responses, as shares of the largest magnitude.
//
// The responses at one speed do not always determine both states: where lateral velocity and yaw rate change together,
// a car shows one state only. So all speeds share the numbers that are constant for a vehicle with two axles and linear
// tires: Self = common/speed, less the speed in the row of v and the column of r.
//
// With the steady response g, Steer is -Self g. At a frequency w the difference of responses is (jw - Self)^-1 e with
// e = jw H - Self (H - g), which is linear in Self. So the common numbers are a regression, whose weights (jw -
// Self)^-1 are those of the regression before.
func Fitted(responses []Response) ([]Vehicle, error) {
	vehicles := make([]Vehicle, len(responses))
	rows := 0
	for i := range responses {
		r := &responses[i]
		if size := r.sizes(); len(r.Of) < 2 || !(size[1] > 0) {
			return nil, fmt.Errorf("at %.4g m/s the vehicle does not answer the steering", r.Speed)
		}
		vehicles[i].Speed = r.Speed
		rows += 4 * len(r.Of)
	}
	if rows == 0 {
		return nil, errors.New("a vehicle is not found without its responses")
	}
	const rounds, close = 100, 1e-9
	var common mat.VecDense
	for round := range rounds {
		left, right := mat.NewDense(rows, 4, nil), mat.NewVecDense(rows, nil)
		row := 0
		for i := range responses {
			row = responses[i].equations(&vehicles[i], round == 0, left, right, row)
		}
		if err := common.SolveVec(left, right); err != nil {
			return nil, fmt.Errorf("no motion of two states fits the responses: %w", err)
		}
		change := 0.0
		for i := range vehicles {
			v := &vehicles[i]
			for k := range 4 {
				x := common.AtVec(k) / v.Speed
				if k == 1 {
					x -= v.Speed
				}
				change = max(change, math.Abs(x-v.Self[k/2][k%2])/(1+math.Abs(x)))
				v.Self[k/2][k%2] = x
			}
		}
		if change < close {
			break
		}
	}
	for i := range vehicles {
		v, g := &vehicles[i], responses[i].Steady
		for row := range 2 {
			v.Steer[row] = -v.Self[row][0]*g[0] - v.Self[row][1]*g[1]
		}
	}
	return vehicles, nil
}

// sizes are what the differences of responses are shares of: their largest magnitudes. The one of the lateral velocity
// is at least what the yaw rate gives in a sixth of a second. A smaller one is mostly that of the roll motion.
func (r *Response) sizes() (sizes [2]float64) {
	for _, h := range r.Of {
		for i := range sizes {
			sizes[i] = max(sizes[i], cmplx.Abs(h[i]))
		}
	}
	const least = 1.0 / 6 // s
	sizes[0] = max(sizes[0], least*r.Speed*sizes[1])
	return sizes
}

// equations writes the rows of the regression that belong to a speed, from a row on, and returns the next row. The
// weights are those of the vehicle, or 1/jw.
func (r *Response) equations(v *Vehicle, first bool, left *mat.Dense, right *mat.VecDense, row int) int {
	sizes := r.sizes()
	for i, h := range r.Of {
		jw := complex(0, r.Angular[i])
		weights := [2][2]complex128{{1 / jw, 0}, {0, 1 / jw}}
		if !first {
			weights = v.inverse(jw)
		}
		d := [2]complex128{h[0] - complex(r.Steady[0], 0), h[1] - complex(r.Steady[1], 0)}
		known := jw*h[0] + complex(r.Speed, 0)*d[1] // of v', with what does not depend on the common numbers
		for of := range 2 {
			size := complex(sizes[of], 0)
			want := (weights[of][0]*known + weights[of][1]*jw*h[1]) / size
			right.SetVec(row, real(want))
			right.SetVec(row+1, imag(want))
			for k := range 4 { // common numbers by rows
				x := weights[of][k/2] * d[k%2] / (size * complex(r.Speed, 0))
				left.Set(row, k, real(x))
				left.Set(row+1, k, imag(x))
			}
			row += 2
		}
	}
	return row
}

// inverse is (p - Self)^-1.
func (v *Vehicle) inverse(p complex128) [2][2]complex128 {
	a, b := p-complex(v.Self[0][0], 0), complex(-v.Self[0][1], 0)
	c, d := complex(-v.Self[1][0], 0), p-complex(v.Self[1][1], 0)
	det := a*d - b*c
	return [2][2]complex128{{d / det, -b / det}, {-c / det, a / det}}
}

// At is the response of lateral velocity and yaw rate at a complex frequency p [1/s]; 0 for the steady one.
func (v *Vehicle) At(p complex128) [2]complex128 {
	m := v.inverse(p)
	s := [2]complex128{complex(v.Steer[0], 0), complex(v.Steer[1], 0)}
	return [2]complex128{m[0][0]*s[0] + m[0][1]*s[1], m[1][0]*s[0] + m[1][1]*s[1]}
}
