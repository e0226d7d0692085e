package cosim

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model"
)

// TrimResult reports a static equilibrium.
type TrimResult struct {
	Iterations int
	Residual   float64 // largest rate left of a speed or slip state [SI]
	Worst      string  // the state with that rate
}

const (
	trimTolerance  = 1e-8
	trimIterations = 60
)

// Trim looks for start values in static equilibrium, before Initialise: the
// given speeds and inputs are kept; coordinates, wheel spins, slip states and the
// speeds that start at zero are changed until no speed and no slip state changes
// any more and nothing rises or slides sideways (a pitched body that travels
// level has a vertical speed in its own axes). The direction of travel is left
// out of the balance: a rolling vehicle may slow down. Directions
// that do not matter (place, heading, wheel angles) stay as they are, because
// the damped least-squares steps (Levenberg, Marquardt) have no part in them.
//
// On failure the start values are as before, and the error names the state that
// is least in balance.
func (in *Instance) Trim() (TrimResult, error) {
	if in.initialised {
		return TrimResult{}, errors.New("trim comes before initialisation; reset the instance first")
	}
	t := newTrim(in)
	before := append([]float64(nil), in.p...)
	result, err := t.run()
	if err != nil {
		copy(in.p, before)
	}
	return result, err
}

type trim struct {
	in       *Instance
	unknowns []int // parameters
	rows     []int // states whose rates must vanish
	r, up    []float64
}

func newTrim(in *Instance) *trim {
	t := &trim{in: in}
	spins := spinningJoints(in.sys.model)
	p := in.sys.program
	for i, v := range p.Parameters {
		spin := v.Unit == "rad/s" && spins[strings.TrimSuffix(v.Name, ".omega")]
		drift := v.Unit == "m/s" && in.p[i] == 0
		if v.StartValue && (drift || v.Unit == "m" || v.Unit == "rad" || v.Unit == "1" || spin) {
			t.unknowns = append(t.unknowns, i)
		}
	}
	in.prepare()
	in.rates(0, in.x, in.dx)
	for i, v := range p.States {
		if v.Unit == "m" && in.dx[i] == 0 {
			t.rows = append(t.rows, i)
		}
		spin := spins[strings.TrimSuffix(v.Name, ".omega")]
		travel := v.Unit == "m/s" && in.x[i] != 0
		if (v.Unit == "m/s" || v.Unit == "rad/s" || v.Unit == "1") && (!travel || spin) {
			t.rows = append(t.rows, i)
		}
	}
	t.r, t.up = make([]float64, len(t.rows)), make([]float64, len(t.rows))
	return t
}

// spinningJoints names the revolute joints that carry wheels.
func spinningJoints(m *model.Model) map[string]bool {
	wheels := map[string]bool{}
	for _, c := range m.Components {
		if tire, ok := c.(*model.Tire); ok {
			wheels[tire.Frame] = true
		}
	}
	spins := map[string]bool{}
	for _, c := range m.Components {
		if joint, ok := c.(*model.Revolute); ok && wheels[joint.To] {
			spins[joint.Name] = true
		}
	}
	return spins
}

// residual evaluates the rates that must vanish.
func (t *trim) residual(r []float64) {
	in := t.in
	in.prepare()
	in.rates(0, in.x, in.dx)
	for k, i := range t.rows {
		r[k] = in.dx[i]
	}
}

func (t *trim) norm() float64 {
	sum := 0.0
	for _, v := range t.r {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func (t *trim) run() (TrimResult, error) {
	n, m := len(t.unknowns), len(t.rows)
	jac := mat.NewDense(m, n, nil)
	lambda := 1e-6
	t.residual(t.r)
	var result TrimResult
	for result.Iterations = 0; result.Iterations < trimIterations; result.Iterations++ {
		if result = t.worst(result); result.Residual < trimTolerance {
			return result, nil
		}
		t.differences(jac)
		if !t.improve(jac, &lambda) {
			break
		}
	}
	result = t.worst(result)
	if result.Residual < trimTolerance {
		return result, nil
	}
	return result, fmt.Errorf("no static equilibrium found: after %d iterations the rate of %s is still %.3g; check inputs, start speeds and whether anything holds the vehicle", result.Iterations, result.Worst, result.Residual)
}

func (t *trim) worst(r TrimResult) TrimResult {
	r.Residual = 0
	for k, v := range t.r {
		if a := math.Abs(v); !(a <= r.Residual) {
			r.Residual, r.Worst = a, t.in.sys.program.States[t.rows[k]].Name
		}
	}
	return r
}

// differences fills in the derivatives of the residual by the unknowns.
func (t *trim) differences(jac *mat.Dense) {
	down := make([]float64, len(t.rows))
	for j, i := range t.unknowns {
		x := t.in.p[i]
		h := 1e-6 * max(1, math.Abs(x))
		t.in.p[i] = x + h
		t.residual(t.up)
		t.in.p[i] = x - h
		t.residual(down)
		t.in.p[i] = x
		for k := range t.up {
			jac.Set(k, j, (t.up[k]-down[k])/(2*h))
		}
	}
}

// improve makes a damped step that lowers the residual; false when none does.
func (t *trim) improve(jac *mat.Dense, lambda *float64) bool {
	n := len(t.unknowns)
	var normal mat.Dense
	normal.Mul(jac.T(), jac)
	var right mat.VecDense
	right.MulVec(jac.T(), mat.NewVecDense(len(t.r), t.r))
	before := append([]float64(nil), t.in.p...)
	old := t.norm()
	for range 12 {
		damped := mat.NewSymDense(n, nil)
		for a := range n {
			for b := a; b < n; b++ {
				damped.SetSym(a, b, normal.At(a, b))
			}
			damped.SetSym(a, a, normal.At(a, a)+*lambda)
		}
		var factor mat.Cholesky
		var step mat.VecDense
		if factor.Factorize(damped) && factor.SolveVecTo(&step, &right) == nil {
			for j, i := range t.unknowns {
				t.in.p[i] = before[i] - step.AtVec(j)
			}
			t.residual(t.r)
			if t.norm() < old {
				*lambda = max(*lambda/10, 1e-12)
				return true
			}
		}
		copy(t.in.p, before)
		*lambda *= 10
	}
	t.residual(t.r)
	return false
}
