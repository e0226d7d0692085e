package rig

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/component"
	"skidpad/model/kc"
)

// spring is a component with a length, or an angle, that is read.
type spring struct {
	component string
	unit      string // of its length per travel
	joint     bool   // its length is the coordinate of a joint
	stiff     func(length float64) bool
	output    int
}

// findSprings finds the springs and dampers.
func (r *Rig) findSprings() {
	for _, c := range component.All[component.Sprung](r.Model.Scope()) {
		name := c.Head().Name
		for _, of := range [][2]string{{".length", "1"}, {".angle", "rad/m"}} {
			if output, has := r.equations.Values[name+of[0]]; has {
				start, slope := c.Reach(0)
				itself := c.Sprung() != "" && start == 0 && slope == 1
				r.springs = append(r.springs, spring{name, of[1], itself, func(length float64) bool {
					_, slope := c.Tension(length)
					return slope > 0
				}, output})
			}
		}
	}
}

// tangent is the motion of a state about itself.
type tangent struct {
	*statics
	x       []float64
	inverse mat.SVD
	rank    int
}

// resolved is the share of the largest singular value below which a direction is free.
const resolved = 1e-10

// tangent linearises the equations at a state. Rows of the heights of wheels may be replaced by outputs that stay.
func (r *Rig) tangent(at *State, instead []int) *tangent {
	t := &tangent{statics: &statics{Rig: r, given: at.Given}, x: at.x}
	t.put(t.x)
	t.evaluate()
	n := len(t.x)
	j := mat.NewDense(n, n, nil)
	t.Differentiate(nil, j)
	inputs, wide := t.columns()
	for i, output := range instead {
		for k, by := range inputs {
			j.Set(n-len(instead)+i, k, scale*wide[k]*t.j[output*len(t.u)+by])
		}
	}
	t.inverse.Factorize(j, mat.SVDThin)
	t.rank = t.inverse.Rank(resolved)
	return t
}

// solve is the change of the unknowns for a change of the equations.
func (t *tangent) solve(change []float64) []float64 {
	var x mat.VecDense
	t.inverse.SolveVecTo(&x, mat.NewVecDense(len(change), change), t.rank)
	return x.RawVector().Data
}

// by is the change of the unknowns per change of an input, with the equations kept.
func (t *tangent) by(input int, instead []int) []float64 {
	outputs, high := t.rows()
	copy(outputs[len(outputs)-len(instead):], instead)
	right := make([]float64, len(outputs))
	for i, of := range outputs {
		right[i] = -high[i] * t.j[of*len(t.u)+input]
	}
	return t.solve(right)
}

// change is the change of an output for a change of the unknowns and of one input by 1.
func (t *tangent) change(output int, unknowns []float64, input int) float64 {
	inputs, wide := t.columns()
	sum := 0.0
	if input >= 0 {
		sum = t.j[output*len(t.u)+input]
	}
	for k, by := range inputs {
		sum += wide[k] * t.j[output*len(t.u)+by] * unknowns[k]
	}
	return sum
}

// leastRatio is the least motion ratio of a spring of a wheel. Links whose sleeves are springs shorten less.
const leastRatio = 0.02

// firstSprings are the first springs that mainly one wheel moves, by side; -1 for none.
func (r *Rig) firstSprings(at *State) [2]int {
	first := [2]int{-1, -1}
	if at.Given.ByPads {
		return first
	}
	t := r.tangent(at, nil)
	var lifted [2][]float64
	for side := range 2 {
		right := make([]float64, len(at.x))
		right[len(right)-2+side] = scale
		lifted[side] = t.solve(right)
	}
	for i, s := range r.springs {
		if !s.stiff(at.Values[i].V) {
			continue
		}
		moved := [2]float64{math.Abs(t.change(s.output, lifted[Left], -1)), math.Abs(t.change(s.output, lifted[Right], -1))}
		for side := range 2 {
			if first[side] < 0 && moved[side] > max(2*moved[1-side], leastRatio) {
				first[side] = i
			}
		}
	}
	return first
}

// SteeringAxis is the axis about which a wheel is steered: through the two ball joints of its carrier, or the screw
// axis of the carrier while the rack moves and the springs keep their lengths. The text says why there is none.
func (r *Rig) SteeringAxis(at *State, side int) (axis kc.Axis, missing string) {
	if balls := r.equations.Wheels[side].Balls; len(balls) == 2 {
		return kc.Between(at.balls[side][0], at.balls[side][1]), ""
	}
	return r.ScrewAxis(at, side)
}

// axisOf is SteeringAxis with derivatives.
func (f *figures) axisOf(side int) (axis kc.Axis, missing string) {
	axis, missing = f.SteeringAxis(f.design, side)
	if f.lift == nil || len(f.design.balls[side]) == 2 || missing != "" {
		return axis, missing
	}
	lifted, err := f.screwAxis(side)
	if err != nil {
		return axis, err.Error()
	}
	// directions have any length and sense: the derivatives belong to the first one
	size := axis.Direction.Dot(lifted.Direction).V / lifted.Direction.Dot(lifted.Direction).V
	for i := range 3 {
		axis.Point[i].D, axis.Direction[i].D = lifted.Point[i].D, size*lifted.Direction[i].D
	}
	return axis, ""
}

// screwAxis is the screw axis by states beside the design position, with derivatives. The motion is the sum of a
// motion of the rack and of travels of both wheels that keep the lengths of the springs.
func (f *figures) screwAxis(side int) (axis kc.Axis, err error) {
	motions := []func(x float64) Given{
		func(x float64) Given { return Given{Rack: x} },
		func(x float64) Given { return Given{Travel: [2]float64{x, 0}} },
		func(x float64) Given { return Given{Travel: [2]float64{0, x}} },
	}
	first := f.firstSprings(f.design)
	var shift, turn [3]kc.Vector
	var longer [3][2]kc.Number // of the springs
	for i, given := range motions {
		if shift[i], turn[i], err = f.motionBy(given, side); err != nil {
			return axis, err
		}
		ends, err := f.beside(given)
		if err != nil {
			return axis, err
		}
		for k, spring := range first {
			longer[i][k] = ends[1].Values[spring].Minus(ends[0].Values[spring]).Scaled(1 / (2 * besideBy))
		}
	}
	// shares a, b of the travels: longer[0] + a longer[1] + b longer[2] = 0
	cross := func(u, v [2]kc.Number) kc.Number { return u[0].Times(v[1]).Minus(u[1].Times(v[0])) }
	whole := cross(longer[1], longer[2])
	a, b := cross(longer[2], longer[0]).By(whole), cross(longer[0], longer[1]).By(whole)
	sum := func(v [3]kc.Vector) kc.Vector { return v[0].Plus(v[1].Times(a)).Plus(v[2].Times(b)) }
	moved, turned := sum(shift), sum(turn)
	lever := turned.Cross(moved).Times(kc.Of(1).By(turned.Dot(turned)))
	return kc.Axis{Point: f.design.Wheels[side].Contact().Plus(lever), Direction: turned}, nil
}

// ScrewAxis is the screw axis of a carrier while the rack moves and the springs keep their lengths.
func (r *Rig) ScrewAxis(at *State, side int) (axis kc.Axis, missing string) {
	if r.rack < 0 {
		return axis, "the carrier has no two ball joints, and no rack and no steering wheel turns the wheels"
	}
	first := r.firstSprings(at)
	if first[Left] < 0 || first[Right] < 0 {
		return axis, "the carrier has no two ball joints, and no springs of the wheels would hold them while the rack moves"
	}
	if r.options.Rack != RackHeld && r.rackRow >= 0 {
		return axis, "the carrier has no two ball joints; hold the rack"
	}
	kept := []int{r.springs[first[Left]].output, r.springs[first[Right]].output}
	t := r.tangent(at, kept)
	moved := t.by(r.rack, kept)
	w := &r.equations.Wheels[side]
	shift, turn := t.wheelMotion(side, moved, r.rack)
	if turn.Size().V < leastTurn {
		return axis, fmt.Sprintf("%s does not turn the %s wheel", r.Rack, Sides[side])
	}
	centre := kc.At(t.y[w.Centre], t.y[w.Centre+1], t.y[w.Centre+2])
	spin := kc.At(t.y[w.Spin], t.y[w.Spin+1], t.y[w.Spin+2])
	contact := (&kc.Wheel{Centre: centre, Spin: spin, Radius: r.radius[side]}).Contact()
	outward := func(v kc.Vector) kc.Vector { return kc.Vector{v[0], v[1].Scaled(sign(side)), v[2]} }
	lever := turn.Cross(shift).Times(kc.Of(1).By(turn.Dot(turn)))
	return kc.Axis{Point: outward(contact.Plus(lever)), Direction: outward(turn)}, ""
}
