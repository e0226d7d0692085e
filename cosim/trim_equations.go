package cosim

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
	"skidpad/model/search"
)

// residual evaluates the two conditions. Rows of the second condition are divided by the size of their row of A, so
// that both conditions have the size of speeds and accelerations.
func (t *trim) residual(r []float64) {
	in := t.in
	in.prepare()
	in.rates(0, in.x, in.dx)
	states := len(t.names)
	moves := slices.ContainsFunc(t.coordinates, func(i int) bool { return in.dx[i] != 0 })
	if moves {
		t.jacobian()
	}
	motion := t.motion(in.dx)
	for k, i := range t.speeds {
		r[k], r[len(t.speeds)+k] = 0, 0
		if t.balanced[k] {
			r[k] = in.dx[i] / t.sizes[k]
		}
		if !moves {
			continue
		}
		size, change := 1.0, 0.0
		for _, j := range t.coordinates {
			a := t.jac[i*states+j] / t.sizes[k]
			size += math.Abs(a)
			change += a * motion[j]
		}
		r[len(t.speeds)+k] = change / size
	}
	rest := r[2*len(t.speeds):]
	rest = rest[copy(rest, problem{in}.Residuals(0, in.x)):]
	if t.carried != nil {
		t.carried.Relative(in.x, in.dx, rest)
		for k, a := range t.slowdown(func(i int) float64 { return in.dx[i] }) {
			r[k] -= a
		}
	}
}

// motion are rates of the states where carried bodies move with the chassis. These rates replace dq/dt in the second
// condition, because carried bodies have conditions for all other motions.
func (t *trim) motion(dx []float64) []float64 {
	if t.carried == nil {
		return dx
	}
	motion := slices.Clone(dx)
	t.carried.Carry(t.in.x, motion)
	return motion
}

// jacobian finds the derivatives of the rates by the states.
func (t *trim) jacobian() {
	in := t.in
	in.machine.Jacobian(program.StateQuantity, program.StateQuantity).Evaluate(in.x[:len(t.names)], in.continued, t.jac)
}

// Evaluate implements search.Equations.
func (t *trim) Evaluate(x, f []float64) {
	for j, i := range t.unknowns {
		t.in.p[i] = x[j] * t.units[j]
	}
	t.residual(f)
}

// Differentiate implements search.Equations. The second condition holds derivatives already, and its differences are
// too coarse for stiff joints. Exact derivatives leave out the derivatives of A, which have no effect where A dq/dt =
// 0.
func (t *trim) Differentiate(x []float64, j *mat.Dense) {
	if !t.exact {
		search.Differences(t, x, trimStep, j)
		return
	}
	states := len(t.names)
	moves := mat.NewDense(states, len(x), nil)
	search.Differences(starts{t}, x, trimStep, moves)
	t.Evaluate(x, make([]float64, len(t.r)))
	j.Mul(t.byStates(), moves)
}

// byStates are the derivatives of all conditions by the states.
func (t *trim) byStates() *mat.Dense {
	in, states, n := t.in, len(t.names), len(t.speeds)
	rates := mat.NewDense(states, states, t.jac)
	motions := mat.NewDense(states, states, nil) // by states
	for column := range states {
		motions.SetCol(column, t.motion(mat.Col(nil, column, rates)))
	}
	of := mat.NewDense(len(t.r), states, nil)
	for k, i := range t.speeds {
		if t.balanced[k] {
			of.SetRow(k, mat.Row(nil, i, rates))
			for c := range states {
				of.Set(k, c, of.At(k, c)/t.sizes[k])
			}
		}
		size, change := 1.0, mat.NewVecDense(states, nil)
		for _, c := range t.coordinates {
			size += math.Abs(rates.At(i, c)) / t.sizes[k]
			change.AddScaledVec(change, rates.At(i, c)/t.sizes[k], motions.RowView(c))
		}
		change.ScaleVec(1/size, change)
		of.SetRow(n+k, change.RawVector().Data)
	}
	if len(in.sides.phi) > 0 {
		side, width := in.machine.Side(program.Gradients), 2*in.sys.program.Speeds
		side.Evaluate(in.x[:states], in.continued, nil)
		for i := range in.sides.phi {
			for k := range width {
				of.Set(2*n+i, k, side.Value(i*width+k))
			}
		}
	}
	if t.carried == nil {
		return of
	}
	relative := t.carried.Differentiate(in.x[:states], in.dx[:states], rates)
	of.Slice(2*n+len(in.sides.phi), len(t.r), 0, states).(*mat.Dense).Copy(relative)
	for column := range states {
		for k, a := range t.slowdown(func(i int) float64 { return rates.At(i, column) }) {
			of.Set(k, column, of.At(k, column)-a)
		}
	}
	return of
}

// slowdown are the rates of the speeds of carried bodies as these slow down with the chassis, in the order of speeds.
func (t *trim) slowdown(rate func(state int) float64) []float64 {
	rates := map[int]float64{}
	for _, i := range t.slowing {
		rates[i] = rate(i)
	}
	clear(t.alike)
	t.carried.Accelerate(t.in.x, rates, t.alike)
	var list []float64
	for _, i := range t.speeds {
		list = append(list, t.alike[i])
	}
	return list
}

// starts are the states at the start, by the unknowns.
type starts struct{ *trim }

// Evaluate implements search.Equations.
func (t starts) Evaluate(x, f []float64) {
	for j, i := range t.unknowns {
		t.in.p[i] = x[j] * t.units[j]
	}
	t.in.prepare()
	copy(f, t.in.x)
}
