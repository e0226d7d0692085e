package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// bushed are two free bodies, whose speeds are in ground, with a bushing between frames beside their centres.
const bushed = `name = "Bushed"
gravity = 0
[component.a]
type = "rigid-body"
mass = 3
inertia = { xx = 0.4, yy = 0.5, zz = 0.6 }
speeds = "ground"
[component.b]
type = "rigid-body"
mass = 2
inertia = { xx = 0.3, yy = 0.2, zz = 0.35 }
speeds = "ground"
[component.arm]
type = "rigid-arm"
from = "a"
to = "tail"
translation = [0.3, -0.2, 0.1]
[component.lever]
type = "rigid-arm"
from = "b"
to = "head"
translation = [-0.1, 0.2, 0.4]
[component.bush]
type = "bushing"
from = "tail"
to = "head"
`

// rig is a model whose states are set by name.
type rig struct {
	t       *testing.T
	p       *program.Program
	machine program.Machine
	x, dx   []float64
	y       []float64
}

func newRig(t *testing.T, text string) *rig {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "rig.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, machine := machine(t, m, formulate.Options{})
	r := &rig{t: t, p: p, machine: machine, x: make([]float64, len(p.States)), dx: make([]float64, len(p.States)),
		y: make([]float64, len(p.Outputs))}
	machine.Start(make([]float64, len(p.Inputs)), r.x)
	return r
}

func (r *rig) set(name string, v r3.Vec) {
	for i, axis := range "xyz" {
		r.x[place(r.t, r.p.States, fmt.Sprintf(name, string(axis)))] = parts(v)[i]
	}
}

func (r *rig) evaluate() {
	u := make([]float64, len(r.p.Inputs))
	r.machine.Derivatives(0, r.x, u, r.dx)
	r.machine.Outputs(r.y)
}

// rate and output are three numbers whose names differ by the axis.
func (r *rig) rate(name string) r3.Vec   { return r.vector(name, r.p.States, r.dx) }
func (r *rig) output(name string) r3.Vec { return r.vector(name, r.p.Outputs, r.y) }

func (r *rig) vector(name string, list []program.Variable, values []float64) r3.Vec {
	var v [3]float64
	for i, axis := range "xyz" {
		v[i] = values[place(r.t, list, fmt.Sprintf(name, string(axis)))]
	}
	return r3.Vec{X: v[0], Y: v[1], Z: v[2]}
}

func parts(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func product(a, b r3.Vec) r3.Vec { return r3.Vec{X: a.X * b.X, Y: a.Y * b.Y, Z: a.Z * b.Z} }

// turnOf is the quaternion of a rotation vector, and vectorOf the rotation vector of a quaternion.
func turnOf(theta r3.Vec) quat.Number {
	return quat.Exp(quat.Number{Imag: theta.X / 2, Jmag: theta.Y / 2, Kmag: theta.Z / 2})
}

func vectorOf(q quat.Number) r3.Vec {
	if q.Real < 0 {
		q = quat.Scale(-1, q)
	}
	l := quat.Log(q)
	return r3.Scale(2, r3.Vec{X: l.Imag, Y: l.Jmag, Z: l.Kmag})
}

// rotated is a vector turned by a quaternion, and back the vector that it turns.
func rotated(q quat.Number, v r3.Vec) r3.Vec { return r3.Rotation(q).Rotate(v) }
func back(q quat.Number, v r3.Vec) r3.Vec    { return rotated(quat.Conj(q), v) }

// angles are yaw, pitch and roll of a quaternion.
func angles(q quat.Number) (yaw, pitch, roll float64) {
	x, y, z := rotated(q, r3.Vec{X: 1}), rotated(q, r3.Vec{Y: 1}), rotated(q, r3.Vec{Z: 1})
	return math.Atan2(x.Y, x.X), -math.Asin(x.Z), math.Atan2(y.Z, z.Z)
}

func (r *rig) orient(body string, q quat.Number) {
	yaw, pitch, roll := angles(q)
	for name, v := range map[string]float64{"yaw": yaw, "pitch": pitch, "roll": roll} {
		r.x[place(r.t, r.p.States, body+"."+name)] = v
	}
}

// The forces of an independent program for a tail that is turned about z, with preloads: the worked example of the
// specification of hard points, 3.1.
func TestBushingHasTheForcesOfAnIndependentProgram(t *testing.T) {
	r := newRig(t, `name = "Example"
gravity = 0
[component.turn]
type = "rigid-arm"
from = "ground"
to = "tail"
angles = [0.2, 0, 0]
[component.block]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
speeds = "ground"
[component.bush]
type = "bushing"
from = "tail"
to = "block"
stiffness = [8e5, 5e5, 2e5]
rotational_stiffness = [100, 200, 50]
preload = [100, -50, 20]
preload_moment = [1, 2, -0.5]
`)
	tail := turnOf(r3.Vec{Z: 0.2})
	r.set("block.%s", rotated(tail, r3.Vec{X: 0.004, Y: -0.003, Z: 0.002}))
	r.orient("block", quat.Mul(tail, turnOf(r3.Vec{X: 0.3, Y: -0.2, Z: 0.1})))
	r.evaluate()
	for _, c := range []struct {
		what      string
		got, want r3.Vec
	}{
		{"displacement", r.output("bush.d%s"), r3.Vec{X: 0.004, Y: -0.003, Z: 0.002}},
		{"rotation", r.output("bush.r%s"), r3.Vec{X: 0.3, Y: -0.2, Z: 0.1}},
		{"moment in the tail", r.output("bush.M%s"), r3.Vec{X: -32.52225209, Y: 36.97047241, Z: -1.99229891}},
		{"force in ground", r3.Scale(2, r.rate("block.%s_dot")), r3.Vec{X: -3542.15716961, Y: 863.49440403, Z: -420}},
		{"moment in ground", r.rate("block.w%s_ground"),
			rotated(tail, r3.Vec{X: -32.52225209, Y: 36.97047241, Z: -1.99229891})},
	} {
		if off := r3.Norm(r3.Sub(c.got, c.want)); !(off <= 1e-8) { // eight digits behind the point are given
			t.Errorf("%s is %.10f, want %.10f", c.what, c.got, c.want)
		}
	}
}

// rateOf is the rate of a function of time at 0, of the eighth order.
func rateOf(f func(time float64) float64) float64 {
	const h = 2e-3
	sum := 0.0
	for k, weight := range []float64{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280} {
		at := h * float64(k+1)
		sum += weight * (f(at) - f(-at)) / h
	}
	return sum
}

// In any motion of two bodies, the coordinates of a bushing are the displacement and the rotation vector of a
// quaternion. Momentum and angular momentum stay. The bodies gain the energy that closed forms of the coordinates lose:
// preloads and springs along and about the axes, less what dampers dissipate by the rates of the coordinates, which are
// differences along the motion here.
func TestBushingKeepsMomentumAndEnergyInRandomMotions(t *testing.T) {
	random := rand.New(rand.NewPCG(50, 31))
	of := func(size float64) r3.Vec {
		return r3.Scale(size, r3.Vec{X: 2*random.Float64() - 1, Y: 2*random.Float64() - 1, Z: 2*random.Float64() - 1})
	}
	k, c := r3.Vec{X: 900, Y: 700, Z: 400}, r3.Vec{X: 40, Y: 30, Z: 20}
	d, e := r3.Vec{X: 12, Y: 9, Z: 7}, r3.Vec{X: 3, Y: 2, Z: 1}
	p, q := r3.Vec{X: 50, Y: -30, Z: 20}, r3.Vec{X: 4, Y: 5, Z: -6}
	list := func(v r3.Vec) string { return fmt.Sprintf("[%g, %g, %g]\n", v.X, v.Y, v.Z) }
	r := newRig(t, bushed+"axes = [[2, 3, 6], [6, 2, -3]]\nstiffness = "+list(k)+"rotational_stiffness = "+list(c)+
		"damping = "+list(d)+"rotational_damping = "+list(e)+"preload = "+list(p)+"preload_moment = "+list(q))
	own := [3]r3.Vec{r3.Scale(1.0/7, r3.Vec{X: 2, Y: 3, Z: 6}), r3.Scale(1.0/7, r3.Vec{X: 6, Y: 2, Z: -3}),
		r3.Scale(1.0/7, r3.Vec{X: -3, Y: 6, Z: -2})}
	along := func(v r3.Vec) r3.Vec { return r3.Vec{X: r3.Dot(own[0], v), Y: r3.Dot(own[1], v), Z: r3.Dot(own[2], v)} }
	arm, lever := r3.Vec{X: 0.3, Y: -0.2, Z: 0.1}, r3.Vec{X: -0.1, Y: 0.2, Z: 0.4}
	massA, massB := 3.0, 2.0
	inertiaA, inertiaB := r3.Vec{X: 0.4, Y: 0.5, Z: 0.6}, r3.Vec{X: 0.3, Y: 0.2, Z: 0.35}
	worst := map[string]float64{}
	for range testrun.Either(300, 10000) {
		theta := of(1)
		theta = r3.Scale(random.Float64()*3.1/r3.Norm(theta), theta)
		if random.IntN(10) == 0 {
			theta = r3.Scale(1e-7, theta) // as in small motions
		}
		qa := turnOf(of(1.2))
		qb := quat.Mul(qa, turnOf(theta))
		if _, pitch, _ := angles(qb); math.Abs(pitch) > 1.4 {
			continue // where yaw and roll are about one line
		}
		xa, xb, va, vb, wa, wb := of(1), of(1), of(1), of(1), of(0.7), of(0.7)
		coordinates := func(time float64) (displacement, rotation r3.Vec) {
			a := quat.Mul(turnOf(r3.Scale(time, wa)), qa)
			b := quat.Mul(turnOf(r3.Scale(time, wb)), qb)
			from := r3.Add(r3.Add(xa, r3.Scale(time, va)), rotated(a, arm))
			to := r3.Add(r3.Add(xb, r3.Scale(time, vb)), rotated(b, lever))
			return along(back(a, r3.Sub(to, from))), along(vectorOf(quat.Mul(quat.Conj(a), b)))
		}
		stored := func(time float64) float64 {
			x, y := coordinates(time)
			return r3.Dot(p, x) + r3.Dot(q, y) + (r3.Dot(product(k, x), x)+r3.Dot(product(c, y), y))/2
		}
		lost := 0.0
		for i := range 3 {
			rate := rateOf(func(time float64) float64 { x, _ := coordinates(time); return parts(x)[i] })
			turning := rateOf(func(time float64) float64 { _, y := coordinates(time); return parts(y)[i] })
			lost += parts(d)[i]*rate*rate + parts(e)[i]*turning*turning
		}
		r.set("a.%s", xa)
		r.set("b.%s", xb)
		r.orient("a", qa)
		r.orient("b", qb)
		r.set("a.%s_dot", va)
		r.set("b.%s_dot", vb)
		r.set("a.w%s_ground", wa)
		r.set("b.w%s_ground", wb)
		r.evaluate()
		// the rates of the angular momenta J w, with the gyroscopic part
		torque := func(body string, turn quat.Number, inertia, w r3.Vec) r3.Vec {
			out := func(v r3.Vec) r3.Vec { return rotated(turn, product(inertia, back(turn, v))) }
			return r3.Add(out(r.rate(body+".w%s_ground")), r3.Cross(w, out(w)))
		}
		forceA, forceB := r3.Scale(massA, r.rate("a.%s_dot")), r3.Scale(massB, r.rate("b.%s_dot"))
		momentA, momentB := torque("a", qa, inertiaA, wa), torque("b", qb, inertiaB, wb)
		power := r3.Dot(forceA, va) + r3.Dot(forceB, vb) + r3.Dot(momentA, wa) + r3.Dot(momentB, wb)
		x, y := coordinates(0)
		about := r3.Add(r3.Add(momentA, momentB), r3.Add(r3.Cross(xa, forceA), r3.Cross(xb, forceB)))
		size := 1 + r3.Norm(forceB)*(1+r3.Norm(vb)) + r3.Norm(momentB)*(1+r3.Norm(wb))
		for what, off := range map[string]float64{
			"displacement":     r3.Norm(r3.Sub(r.output("bush.d%s"), x)),
			"rotation":         r3.Norm(r3.Sub(r.output("bush.r%s"), y)),
			"momentum":         r3.Norm(r3.Add(forceA, forceB)) / size,
			"angular momentum": r3.Norm(about) / size,
			"power":            math.Abs(power+rateOf(stored)+lost) / size,
		} {
			if off > worst[what] || off != off {
				worst[what] = off
			}
		}
	}
	for what, off := range worst {
		t.Logf("%s: %.3g", what, off)
		if !(off <= 1e-10) {
			t.Errorf("%s differs by %.3g", what, off)
		}
	}
}

// Jacobians of rates agree with central differences, also without a rotation, where no term is divided by an angle.
func TestJacobiansOfBushingsAgreeWithDifferences(t *testing.T) {
	r := newRig(t, bushed+`along = [1, -2, 2]
stiffness = [900, 700, 400]
rotational_stiffness = [40, 30, 20]
damping = [9, 7, 5]
rotational_damping = [0.4, 0.3, 0.2]
preload = [20, -30, 40]
preload_moment = [2, 1, -3]
`)
	random := rand.New(rand.NewPCG(3, 50))
	n, u := len(r.x), make([]float64, len(r.p.Inputs))
	for k := range 5 {
		if k > 0 {
			for i := range r.x {
				r.x[i] = random.Float64() - 0.5
			}
		}
		j := r.machine.Jacobian(program.StateQuantity, program.StateQuantity)
		got := make([]float64, n*n)
		r.evaluate()
		j.Evaluate(r.x, u, got)
		for column := range n {
			at := func(step float64) []float64 {
				x, dx := slices.Clone(r.x), make([]float64, n)
				x[column] += step
				r.machine.Derivatives(0, x, u, dx)
				return dx
			}
			const h = 1e-3
			a, b, c, d := at(2*h), at(h), at(-h), at(-2*h)
			for row := range n {
				want := (8*(b[row]-c[row]) - a[row] + d[row]) / (12 * h)
				if have := got[row*n+column]; !(math.Abs(have-want) <= 1e-7*(1000+math.Abs(want))) {
					t.Errorf("d(rate of %s)/d(%s) is %.12g, by differences %.12g", r.p.States[row].Name, r.p.States[column].Name,
						have, want)
				}
			}
		}
	}
}

// The axes of a bushing are right-handed, z along its sleeve. x is near x of the tail, or y near z where the sleeve is
// near x.
func TestAxesOfBushingsFollowTheirSleeve(t *testing.T) {
	for along, near := range map[string]struct {
		axis int
		to   r3.Vec
	}{
		"[0, 0, 1]": {0, r3.Vec{X: 1}}, "[1, 2, 2]": {0, r3.Vec{X: 1}}, "[-1, 2, -2]": {0, r3.Vec{X: 1}},
		"[1, 1.01, 0]": {0, r3.Vec{X: 1}}, "[1.01, 0, 1]": {1, r3.Vec{Z: 1}}, "[1, 0, 1.01]": {0, r3.Vec{X: 1}},
		"[1.01, -1, 0]": {1, r3.Vec{Z: 1}}, "[6, 2, 3]": {1, r3.Vec{Z: 1}},
		"[-6, 2, 3]": {1, r3.Vec{Z: 1}}, `"x"`: {1, r3.Vec{Z: 1}},
		`"y"`: {0, r3.Vec{X: 1}},
	} {
		m, err := vehicle.Parse([]byte(bushed+"stiffness = [1, 1, 1]\nalong = "+along+"\n"), "bushed.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		bush, _ := component.Named[*component.Bushing](m.Scope(), "bush")
		var axes [3]r3.Vec
		for i, u := range bush.Axes {
			axes[i] = r3.Vec{X: u[0], Y: u[1], Z: u[2]}
		}
		off := r3.Norm(r3.Sub(r3.Cross(axes[0], axes[1]), axes[2])) + math.Abs(r3.Norm(axes[0])-1) +
			math.Abs(r3.Dot(axes[0], axes[1]))
		aside := r3.Dot(r3.Cross(axes[2], near.to), axes[near.axis]) // in the plane of z and what it is near
		if !(off <= 1e-15 && math.Abs(aside) <= 1e-15 && r3.Dot(axes[near.axis], near.to) > 0.6) {
			t.Errorf("along %s: axes %v", along, axes)
		}
	}
}

// A damper whose curve lies on one side of standstill resists on both sides, and does nothing at standstill.
func TestDamperCurvesOfBushingsResist(t *testing.T) {
	r := newRig(t, bushed+"damper_force_x = [[1, 10], [2, 30]]\ndamper_moment_z = [[-2, -9], [-1, -3]]\n")
	for speed, want := range map[float64]float64{-1: 10, 0: 0, 1: -10, 2: -30} {
		r.set("b.%s_dot", r3.Vec{X: speed})
		r.evaluate()
		if got := r.output("bush.F%s").X; math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g m/s the force is %g N, want %g N", speed, got, want)
		}
	}
	r.set("b.%s_dot", r3.Vec{})
	for speed, want := range map[float64]float64{-1: 3, 0: 0, 1: -3} {
		r.set("b.w%s_ground", r3.Vec{Z: speed})
		r.evaluate()
		if got := r.output("bush.M%s").Z; math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g rad/s the moment is %g N m, want %g N m", speed, got, want)
		}
	}
}

// The parameters of a matrix have the names of row and column.
func TestElementsOfMatricesAreNamed(t *testing.T) {
	r := newRig(t, bushed+`matrix = [[900, 1, 2, 3, 4, 5], [1, 901, 6, 7, 8, 9], [2, 6, 902, 10, 11, 12],
  [3, 7, 10, 903, 13, 14], [4, 8, 11, 13, 904, 15], [5, 9, 12, 14, 15, 905]]
`)
	for name, want := range map[string]float64{"dx_dx": 900, "dx_dy": 1, "dx_rz": 5, "dy_dz": 6, "dy_rx": 7, "dz_rx": 10,
		"dz_rz": 12, "rx_ry": 13, "ry_rz": 15, "rz_rz": 905} {
		if got := r.p.Parameters[place(t, r.p.Parameters, "bush.matrix_"+name)].Start; got != want {
			t.Errorf("matrix_%s is %g, want %g", name, got, want)
		}
	}
}
