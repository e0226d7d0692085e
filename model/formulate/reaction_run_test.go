package formulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// The double pendulum whose hinges have torques: lengths, masses, moments of inertia.
const (
	upperHalf, lowerHalf     = 0.6, 0.4    // m, from each hinge to the centre behind it
	upperMass, lowerMass     = 2, 1.5      // kg
	upperAcross, lowerAcross = 0.24, 0.08  // kg m2
	upperAlong, lowerAlong   = 0.01, 0.002 // kg m2
	upperTorque, lowerTorque = 1.3, -0.7   // N m
)

const torquedPendulum = `name = "Double"
reactions = ["*_hinge in ground"]
[component.upper_hinge]
type = "revolute"
from = "ground"
to = "upper_top"
axis = "y"
torque = "input"
start = { phi = 0.8, omega = 1.5 }
[component.upper_arm]
type = "rigid-arm"
from = "upper_top"
to = "upper"
translation = [0, 0, -0.6]
[component.upper]
type = "rigid-body"
mass = 2
inertia = { axial = 0.01, transverse = 0.24, axis = "z" }
[component.knee_arm]
type = "rigid-arm"
from = "upper"
to = "knee"
translation = [0, 0, -0.6]
[component.lower_hinge]
type = "revolute"
from = "knee"
to = "lower_top"
axis = "x"
torque = "input"
start = { phi = -1.1, omega = 2 }
[component.lower_arm]
type = "rigid-arm"
from = "lower_top"
to = "lower"
translation = [0, 0, -0.4]
[component.lower]
type = "rigid-body"
mass = 1.5
inertia = { axial = 0.002, transverse = 0.08, axis = "z" }
[[tree]]
name = "joints"
[[tree]]
name = "bodies"
prefer = ["upper.T1", "upper.R1", "lower.T1", "lower.R1"]
[[tree]]
name = "redundant"
formulation = "udwadia-kalaba"
prefer = ["upper.T1", "upper.R1", "lower.T1", "lower.R1"]
`

// pendulumState are the angles of both hinges, and their rates.
type pendulumState struct{ phi, psi, phiDot, psiDot float64 }

// pendulumMotion is the motion of both rods in axes of the ground, by formulas of kinematics.
type pendulumMotion struct {
	knee, upper, lower r3.Vec // from the hinge above each; the knee from the upper hinge
	axis               r3.Vec // of the lower hinge
	turn               [2]r3.Vec
}

func (s pendulumState) motion() (m pendulumMotion) {
	sin, cos := math.Sincos(s.phi)
	below := r3.Vec{X: -sin, Z: -cos} // along the upper rod
	m.axis = r3.Vec{X: cos, Z: -sin}
	m.upper, m.knee = r3.Scale(upperHalf, below), r3.Scale(2*upperHalf, below)
	sin, cos = math.Sincos(s.psi)
	m.lower = r3.Scale(lowerHalf, r3.Add(r3.Scale(cos, below), r3.Vec{Y: sin}))
	m.turn[0] = r3.Vec{Y: s.phiDot}
	m.turn[1] = r3.Add(m.turn[0], r3.Scale(s.psiDot, m.axis))
	return m
}

// about is J v of a rod along a vector.
func about(rod r3.Vec, along, across float64, v r3.Vec) r3.Vec {
	unit := r3.Unit(rod)
	return r3.Add(r3.Scale(across, v), r3.Scale((along-across)*r3.Dot(unit, v), unit))
}

// loads are force and moment on the upper and on the lower rod at their hinges, for angular accelerations of these, by
// Newton and Euler from the tip inwards.
func (s pendulumState) loads(phiDot2, psiDot2 float64) (force, moment [2]r3.Vec) {
	m := s.motion()
	up := r3.Vec{Z: 9.81}
	bend := [2]r3.Vec{{Y: phiDot2}}
	bend[1] = r3.Add(r3.Add(bend[0], r3.Scale(psiDot2, m.axis)), r3.Cross(m.turn[0], r3.Scale(s.psiDot, m.axis)))
	at := func(i int, arm r3.Vec) r3.Vec {
		return r3.Add(r3.Cross(bend[i], arm), r3.Cross(m.turn[i], r3.Cross(m.turn[i], arm)))
	}
	spin := func(i int, rod r3.Vec, along, across float64) r3.Vec {
		return r3.Add(about(rod, along, across, bend[i]), r3.Cross(m.turn[i], about(rod, along, across, m.turn[i])))
	}
	force[1] = r3.Scale(lowerMass, r3.Add(up, r3.Add(at(0, m.knee), at(1, m.lower))))
	moment[1] = r3.Add(spin(1, m.lower, lowerAlong, lowerAcross), r3.Cross(m.lower, force[1]))
	own := r3.Scale(upperMass, r3.Add(up, at(0, m.upper)))
	force[0] = r3.Add(own, force[1])
	moment[0] = r3.Add(r3.Add(spin(0, m.upper, upperAlong, upperAcross), r3.Cross(m.upper, own)),
		r3.Add(moment[1], r3.Cross(m.knee, force[1])))
	return force, moment
}

// solved are the loads with the accelerations that the torques of the hinges lead to.
func (s pendulumState) solved() (force, moment [2]r3.Vec) {
	axis := s.motion().axis
	torques := func(a, b float64) [2]float64 {
		_, m := s.loads(a, b)
		return [2]float64{m[0].Y, r3.Dot(m[1], axis)}
	}
	none, first, second := torques(0, 0), torques(1, 0), torques(0, 1)
	a, b := first[0]-none[0], second[0]-none[0]
	c, d := first[1]-none[1], second[1]-none[1]
	x, y := upperTorque-none[0], lowerTorque-none[1]
	return s.loads((d*x-b*y)/(a*d-b*c), (a*y-c*x)/(a*d-b*c))
}

// energy returns the mechanical energy of both rods together, and of the lower rod alone.
func (s pendulumState) energy() (both, lower float64) {
	m := s.motion()
	knee := r3.Cross(m.turn[0], m.knee)
	v := r3.Add(knee, r3.Cross(m.turn[1], m.lower))
	lower = lowerMass*(r3.Norm2(v)/2+9.81*(m.knee.Z+m.lower.Z)) +
		r3.Dot(m.turn[1], about(m.lower, lowerAlong, lowerAcross, m.turn[1]))/2
	return lower + upperMass*(r3.Norm2(r3.Cross(m.turn[0], m.upper))/2+9.81*m.upper.Z) +
		r3.Dot(m.turn[0], about(m.upper, upperAlong, upperAcross, m.turn[0]))/2, lower
}

// Forces and moments of both hinges along a run equal a calculation by Newton and Euler. Hinges as branches are solved
// by the matrix and by the recursion; bodies as branches give multipliers, in both formulations. The energy of the rods
// grows by the work of the torques, and the lower rod's energy by the work of the reactions of the lower hinge.
func TestHingesOfADoublePendulumAlongARun(t *testing.T) {
	m, err := vehicle.Parse([]byte(torquedPendulum), "double.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		tree string
		how  solves
	}{{"joints", byMatrix}, {"joints", byRecursion}, {"bodies", byMatrix}, {"redundant", byMatrix}} {
		f, err := formulated(m, Options{Tree: of.tree}, of.how)
		if err != nil {
			t.Fatal(err)
		}
		p, err := program.Build(f.Source())
		if err != nil {
			t.Fatal(err)
		}
		r := newPendulumRun(p)
		first, _ := r.look()
		begin, lowerBegin := first.energy()
		size, worst, work, state := 0.0, 0.0, 0.0, first
		const steps, h = 4000, 5e-4
		for n := range steps + 1 {
			if n > 0 {
				r.step(h)
			}
			var hinge [2][2]r3.Vec // force and moment on the upper and on the lower rod
			state, hinge = r.look()
			force, moment := state.solved()
			for i := range hinge {
				worst = max(worst, r3.Norm(r3.Sub(hinge[i][0], force[i])), r3.Norm(r3.Sub(hinge[i][1], moment[i])))
				size = max(size, r3.Norm(force[i]), r3.Norm(moment[i]))
			}
			motion := state.motion()
			power := r3.Dot(hinge[1][0], r3.Cross(motion.turn[0], motion.knee)) + r3.Dot(hinge[1][1], motion.turn[1])
			work += power * h / 3 * []float64{2, 4}[n%2] // Simpson's rule
			if n == 0 || n == steps {
				work -= power * h / 3
			}
		}
		end, lowerEnd := state.energy()
		driven := upperTorque*(state.phi-first.phi) + lowerTorque*(state.psi-first.psi)
		if !(worst <= 1e-9*size) {
			t.Errorf("%s, %d: hinges are %g off, with loads up to %g", of.tree, of.how, worst, size)
		}
		if !(math.Abs(end-begin-driven) <= 1e-9*size) || !(math.Abs(lowerEnd-lowerBegin-work) <= 1e-9*size) {
			t.Errorf("%s, %d: the energy grows by %.12g, the torques work %.12g; that of the lower rod by %.12g, its hinge "+
				"%.12g", of.tree, of.how, end-begin, driven, lowerEnd-lowerBegin, work)
		}
	}
}

// pendulumRun integrates the pendulum.
type pendulumRun struct {
	p       *program.Program
	m       program.Machine
	x, u, y []float64
	at      map[string]int
}

func newPendulumRun(p *program.Program) *pendulumRun {
	r := &pendulumRun{p: p, m: p.NewMachine(p.Tape()), x: make([]float64, len(p.States)),
		u: make([]float64, len(p.Inputs)), y: make([]float64, len(p.Outputs)), at: map[string]int{}}
	var parameters []float64
	for _, v := range p.Parameters {
		parameters = append(parameters, v.Start)
	}
	for i, v := range p.Inputs {
		r.u[i] = map[string]float64{"upper_hinge.torque": upperTorque, "lower_hinge.torque": lowerTorque}[v.Name]
	}
	for i, v := range p.Outputs {
		r.at[v.Name] = i
	}
	r.m.SetParameters(parameters)
	r.m.Start(r.u, r.x)
	return r
}

// look returns the state and the loads of the hinges.
func (r *pendulumRun) look() (s pendulumState, hinge [2][2]r3.Vec) {
	r.m.Derivatives(0, r.x, r.u, make([]float64, len(r.x)))
	r.m.Outputs(r.y)
	value := func(name string) float64 { return r.y[r.at[name]] }
	for i, name := range []string{"upper_hinge", "lower_hinge"} {
		for k, letter := range []string{".F", ".M"} {
			hinge[i][k] = r3.Vec{X: value(name + letter + "x"), Y: value(name + letter + "y"), Z: value(name + letter + "z")}
		}
	}
	return pendulumState{value("upper_hinge.phi"), value("lower_hinge.phi"), value("upper_hinge.omega"),
		value("lower_hinge.omega")}, hinge
}

// step is one of the classical method of Runge and Kutta.
func (r *pendulumRun) step(h float64) {
	n := len(r.x)
	sum, at, dx := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, weight := range []float64{1. / 6, 1. / 3, 1. / 3, 1. / 6} {
		for k := range at {
			at[k] = r.x[k] + []float64{0, h / 2, h / 2, h}[i]*dx[k]
		}
		r.m.Derivatives(0, at, r.u, dx)
		for k := range sum {
			sum[k] += weight * dx[k]
		}
	}
	for k := range sum {
		r.x[k] += h * sum[k]
	}
}
