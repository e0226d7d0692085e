package formulate_test

import (
	"math"
	"testing"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

func number(x float64) keys.Scalar { return keys.Scalar{Value: x} }

func numbers(x, y, z float64) keys.Vector { return keys.Vector{number(x), number(y), number(z)} }

// pendulum is the uniform rod of linear-graph.md section 13: mass m, length l,
// turning about y at the ground, hanging along -z.
func pendulum(m, l float64) *vehicle.Model {
	body := &component.RigidBody{
		Header: keys.Header{Name: "rod", Type: "rigid-body"}, Frame: "rod", Mass: number(m), Sequence: "321",
		Inertia: component.Inertia{XX: number(m * l * l / 12), YY: number(m * l * l / 12), ZZ: number(1e-3)},
	}
	joint := &component.Revolute{Header: keys.Header{Name: "joint", Type: "revolute"}, From: "ground", To: "pivot",
		Axis: [3]float64{0, 1, 0}}
	arm := &component.RigidArm{Header: keys.Header{Name: "arm", Type: "rigid-arm"}, From: "pivot", To: "rod",
		Translation: numbers(0, 0, -l/2), Sequence: "321"}
	return &vehicle.Model{
		Name: "Pendulum", Gravity: [3]keys.Scalar{number(0), number(0), number(-9.81)},
		Components: []component.Component{body, joint, arm},
		Trees: []vehicle.Tree{
			{Name: "joint"},
			{Name: "body", Selection: graph.Selection{Prefer: []string{"rod.T1", "rod.R1"},
				Forbid: []string{"joint.T1", "joint.R2"}}, BaumgarteAlpha: number(20), BaumgarteBeta: number(20)},
		},
	}
}

func machine(t *testing.T, m *vehicle.Model, o formulate.Options) (*program.Program, program.Machine) {
	t.Helper()
	p, err := formulate.Program(m, o)
	if err != nil {
		t.Fatal(err)
	}
	tape := p.NewTape()
	values := make([]float64, len(p.Parameters))
	for i, v := range p.Parameters {
		values[i] = v.Start
	}
	tape.SetParameters(values)
	return p, tape
}

// (2.22) of the source: (m/3) l^2 theta” = -m g (l/2) sin theta.
func TestPendulumObeysItsEquationInBothTrees(t *testing.T) {
	const m, l, g, theta, rate = 2.0, 1.5, 9.81, 0.4, 0.7
	want := -1.5 * g / l * math.Sin(theta)
	p, tape := machine(t, pendulum(m, l), formulate.Options{Tree: "joint"})
	if len(p.States) != 2 {
		t.Fatalf("%d states, want 2", len(p.States))
	}
	dx := make([]float64, 2)
	tape.Derivatives(0, []float64{rate, theta}, nil, dx)
	if !(math.Abs(dx[0]-want) <= 1e-13) || dx[1] != rate {
		t.Errorf("theta'' = %g, theta' = %g; want %g, %g", dx[0], dx[1], want, rate)
	}

	p, tape = machine(t, pendulum(m, l), formulate.Options{Tree: "body"})
	if len(p.States) != 12 {
		t.Fatalf("%d states, want 12", len(p.States))
	}
	x := make([]float64, 12)
	// centre at l/2 along the turned -z axis; positive rotation about y moves -z towards -x
	s, c := math.Sin(theta), math.Cos(theta)
	vx := -rate * l / 2 // body frame: w x r with r = (0, 0, -l/2)
	copy(x, []float64{vx, 0, 0, 0, rate, 0, -l / 2 * s, 0, -l / 2 * c, 0, theta, 0})
	dx = make([]float64, 12)
	tape.Derivatives(0, x, nil, dx)
	if !(math.Abs(dx[4]-want) <= 1e-12) {
		t.Errorf("tree of the body: theta'' = %g, want %g", dx[4], want)
	}
}
