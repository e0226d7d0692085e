package rig

import (
	"fmt"

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
}

// Yields finds how the carrier yields at some travels, at a position of the rack.
func (r *Rig) Yields(travels []float64, rack float64) ([]Yield, error) {
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
		if y.Compliance, err = r.yielding(s, axes); err != nil {
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
// statics. With the height z held it is C - c c^T/C_zz with the column c of z.
func (r *Rig) yielding(s *State, axes [3][3]float64) (*mat.SymDense, error) {
	t := r.tangent(s, nil)
	w := &r.equations.Wheels[Left]
	var c [6][6]float64 // in axes of the chassis
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
	}
	if !(c[2][2] > 0) {
		return nil, fmt.Errorf("no spring bears the left wheel of axle %d, and its compliance is not known; put the spring "+
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
	full := mat.NewSymDense(6, nil)
	for i := range 6 {
		for k := range i + 1 {
			full.SetSym(i, k, (turned.At(i, k)+turned.At(k, i))/2)
		}
	}
	return full, nil
}
