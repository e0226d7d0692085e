package rig

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Yield is the left wheel at a travel of both wheels and a position of the rack, and how its carrier yields to small
// loads at the height of its centre. Vectors are along the axes of the carrier: forward along the wheel, the spin axis
// to the left, upward.
type Yield struct {
	Travel, Rack float64
	Pad          float64    // force [N]
	Radius       float64    // of the wheel to the pad [m]
	Load         [6]float64 // force and moment of the pad at the wheel centre [N, N m]
	Gravity      [3]float64 // direction of the weight
	// Centre is the place of the wheel centre, and Axes are the axes of the carrier, in axes of the chassis.
	Centre [3]float64
	Axes   [3][3]float64
	// Compliance are displacement of the centre and rotation by force and moment at the centre [m, rad by N, N m]. The
	// axle has no further loads, and the pad keeps its force.
	Compliance *mat.SymDense
	// Turns are changes of the angles of revolute joints by displacement and rotation of the carrier at the height of the
	// wheel centre [rad/m, 1].
	Turns map[string][6]float64
	// Path and Lifts are displacement and rotation of the carrier, and changes of these angles, per travel [1, rad/m].
	Path  [6]float64
	Lifts map[string]float64
}

// Yields finds how the carrier yields at some travels, at a position of the rack, and turns revolute joints; for these,
// the rig needs Options.Bodies.
func (r *Rig) Yields(travels []float64, rack float64, joints ...string) ([]Yield, error) {
	b := &tabulation{Rig: r, Tables: &Tables{}}
	design, err := r.Solve(Given{}, nil)
	if err != nil {
		return nil, err
	}
	b.mark(design)
	var list []Yield
	before := design
	for _, travel := range travels {
		s, err := r.Solve(Given{Travel: [2]float64{travel, travel}, Rack: rack}, before)
		if err != nil {
			return nil, err
		}
		before = s
		if s, err = r.Solve(Given{ByPads: true, Pads: s.pads(), Rack: rack}, s); err != nil {
			return nil, err
		}
		wheel := &s.Wheels[Left]
		y := Yield{Travel: travel, Rack: rack, Pad: s.Pads[Left].V, Radius: wheel.Radius}
		u := [3]float64{wheel.Spin[0].V, wheel.Spin[1].V, wheel.Spin[2].V}
		ahead := b.turned(b.carrier())
		axes := [3][3]float64{ahead, u, crossed(ahead, u)}
		y.Axes, y.Centre = axes, [3]float64{wheel.Centre[0].V, wheel.Centre[1].V, wheel.Centre[2].V}
		lever := wheel.Contact().Minus(wheel.Centre)
		force := [3]float64{0, 0, y.Pad}
		moment := crossed([3]float64{lever[0].V, lever[1].V, lever[2].V}, force)
		for i, axis := range axes {
			y.Load[i], y.Load[3+i], y.Gravity[i] = dot(axis, force), dot(axis, moment), -axis[2]
		}
		if err = r.yielding(&y, s, joints); err != nil {
			return nil, err
		}
		list = append(list, y)
	}
	return list, nil
}

// crossed is the vector product.
func crossed(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// yielding is the compliance at a state with given forces of the pads: C of all six motions by the tangent of the
// statics. With the height z held it is C - c c^T/C_zz with the column c of z. Angles with the changes a by the loads
// then change by a - c a_z/C_zz, which is the compliance times their changes by the motions.
func (r *Rig) yielding(y *Yield, s *State, joints []string) error {
	axes := &y.Axes
	t := r.tangent(s, nil)
	w := &r.equations.Wheels[Left]
	var c [6][6]float64 // in axes of the chassis
	angles := make([][6]float64, len(joints))
	for i := range 6 {
		input := w.AtCentre + i
		if i >= 3 {
			input = w.Moment + i - 3
		}
		moved := t.by(input, nil)
		_, turn := t.wheelMotion(Left, moved, input)
		for k := range 3 {
			c[k][i], c[3+k][i] = t.change(w.Centre+k, moved, input), turn[k].V
		}
		for l, name := range joints {
			angles[l][i] = t.change(r.equations.Angles[name], moved, input)
		}
	}
	const least, most = 1e-12, 0.01 // m/N; beyond a dead centre of a rocker it is below 0
	if size := math.Abs(c[2][2]); !(size > least && size < most) {
		return fmt.Errorf("no spring bears the left wheel of axle %d, and its compliance is not known; put the spring "+
			"of the wheel into the vehicle", r.options.Axle)
	}
	turned := mat.NewDense(6, 6, nil)
	for i := range 6 {
		for k := range 6 {
			sum := 0.0
			for row := range 3 {
				for column := range 3 {
					m, n := row+i/3*3, column+k/3*3
					held := (c[m][n]+c[n][m])/2 - (c[m][2]+c[2][m])*(c[n][2]+c[2][n])/(4*c[2][2])
					sum += axes[i%3][row] * held * axes[k%3][column]
				}
			}
			turned.Set(i, k, sum)
		}
	}
	y.Compliance = mat.NewSymDense(6, nil)
	for i := range 6 {
		for k := range i + 1 {
			y.Compliance.SetSym(i, k, (turned.At(i, k)+turned.At(k, i))/2)
		}
	}
	for i := range y.Path {
		for row := range 3 {
			y.Path[i] += axes[i%3][row] * (c[row+i/3*3][2] + c[2][row+i/3*3]) / (2 * c[2][2])
		}
	}
	y.Turns, y.Lifts = map[string][6]float64{}, map[string]float64{}
	for l, name := range joints {
		var by [6]float64
		for i := range by {
			for row := range 3 {
				m := row + i/3*3
				by[i] += axes[i%3][row] * (angles[l][m] - (c[m][2]+c[2][m])/2*angles[l][2]/c[2][2])
			}
		}
		y.Turns[name] = y.turn(by)
		y.Lifts[name] = angles[l][2] / c[2][2]
	}
	return nil
}

// turn is the change of an angle by the motions, from its changes by the loads, where the motions are not rigid.
func (y *Yield) turn(by [6]float64) (motions [6]float64) {
	var svd mat.SVD
	if !svd.Factorize(y.Compliance, mat.SVDFull) {
		return motions
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	const soft = 1e-9 // of the largest compliance; with the height held, one motion is rigid
	values := svd.Values(nil)
	for k, value := range values {
		if value <= soft*values[0] {
			continue
		}
		share := 0.0
		for i, x := range by {
			share += u.At(i, k) * x
		}
		for i := range motions {
			motions[i] += v.At(i, k) * share / value
		}
	}
	return motions
}
