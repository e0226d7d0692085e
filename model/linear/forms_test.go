package linear_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// pencil is s E - A as a real matrix of twice the size; E is nil for one.
func pencil(s complex128, e, a *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	p := mat.NewDense(2*n, 2*n, nil)
	for i := range n {
		for k := range n {
			x := complex(-a.At(i, k), 0)
			switch {
			case e != nil:
				x += s * complex(e.At(i, k), 0)
			case i == k:
				x += s
			}
			p.Set(i, k, real(x))
			p.Set(n+i, n+k, real(x))
			p.Set(i, n+k, -imag(x))
			p.Set(n+i, k, imag(x))
		}
	}
	return p
}

// transfer is C (s E - A)^-1 B u + D u, by output.
func transfer(t *testing.T, s complex128, e, a, b, c, d *mat.Dense, u []complex128) []complex128 {
	t.Helper()
	n, _ := a.Dims()
	right := mat.NewVecDense(2*n, nil)
	for i := range n {
		sum := complex(0, 0)
		for k, v := range u {
			sum += complex(b.At(i, k), 0) * v
		}
		right.SetVec(i, real(sum))
		right.SetVec(n+i, imag(sum))
	}
	var x mat.VecDense
	var lu mat.LU
	lu.Factorize(pencil(s, e, a))
	if err := lu.SolveVecTo(&x, false, right); err != nil && !strings.Contains(err.Error(), "condition number") {
		t.Fatal(err)
	}
	outputs, _ := c.Dims()
	y := make([]complex128, outputs)
	for i := range y {
		for k := range n {
			y[i] += complex(c.At(i, k)*x.AtVec(k), c.At(i, k)*x.AtVec(n+k))
		}
		for k, v := range u {
			y[i] += complex(d.At(i, k), 0) * v
		}
	}
	return y
}

// excitations are sines of the inputs, by name: of a prescribed motion with its rate and
// acceleration.
func excitations(s *linear.System, p complex128) map[string][]complex128 {
	all := map[string][]complex128{}
	for i, name := range s.Inputs {
		component, quantity, _ := strings.Cut(name, ".")
		power := map[string]int{"rate": 1, "z_dot": 1, "acceleration": 2}[quantity]
		if all[component] == nil || power == 0 {
			if power == 0 {
				component = name
			}
			if slices.Contains([]string{"angle", "position", "z"}, quantity) {
				component, _, _ = strings.Cut(name, ".")
			}
			all[component] = make([]complex128, len(s.Inputs))
		}
		all[component][i] = cmplx.Pow(p, complex(float64(power), 0))
	}
	return all
}

// relativeDifference is the largest difference of two lists, as a share of the largest number of the first.
func relativeDifference(a, b []complex128) float64 {
	most, worst := 0.0, 0.0
	for i := range a {
		most, worst = max(most, cmplx.Abs(a[i])), max(worst, cmplx.Abs(a[i]-b[i]))
	}
	if most == 0 {
		return worst
	}
	return worst / most
}

// points are complex frequencies away from the eigenvalues [1/s].
var points = []complex128{1 + 2i, 0.3 + 7i, 20 + 3i, 2 + 60i}

// sameForms checks that the equations in all states, in independent states, and in descriptor form have one transfer
// function. The last two must also have the same eigenvalues: their det(sE - A) differ by a constant factor. Roads move
// without acceleration, which constraints would need. The equations in all states are not steady where states turn with
// the wheels.
func sameForms(t *testing.T, name string, s *linear.System, states []string, steady bool) {
	t.Helper()
	m, err := s.Minimal(states)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Descriptor(states)
	if err != nil {
		t.Fatal(err)
	}
	var constant float64
	for i, p := range points {
		for input, u := range excitations(s, p) {
			minimal := transfer(t, p, nil, m.A, m.B, m.C, m.D, u)
			if far := relativeDifference(minimal, transfer(t, p, d.E, d.A, d.B, d.C, d.D, u)); far > 1e-9 {
				t.Errorf("%s, s = %v: responses to %s in descriptor form differ by %.2g", name, p, input, far)
			}
			if !steady || input == "road" && len(m.States) < len(s.States) {
				continue
			}
			if far := relativeDifference(minimal, transfer(t, p, nil, s.A, s.B, s.C, s.D, u)); far > 1e-9 {
				t.Errorf("%s, s = %v: responses to %s in all states differ by %.2g", name, p, input, far)
			}
		}
		one, _ := mat.LogDet(pencil(p, nil, m.A))
		other, _ := mat.LogDet(pencil(p, d.E, d.A))
		if i == 0 {
			constant = other - one
		}
		if math.Abs(other-one-constant) > 1e-9 {
			t.Errorf("%s, s = %v: characteristic polynomials of minimal and descriptor form are not in proportion: %.2g", name,
				p, other-one-constant)
		}
	}
	for i, name := range m.States {
		k := slices.Index(s.States, name)
		if k < 0 || m.X[i] != s.X[k] || m.Rates[i] != s.Rates[k] || m.StateUnits[i] != s.StateUnits[k] {
			t.Errorf("%s is not a state of the vehicle, or in another motion", name)
		}
	}
}

func TestFormsAgree(t *testing.T) {
	for name, speed := range map[string]float64{"bicycle_rolling": 4.6, "bicycle": 5} {
		s := at(t, read(t, name), "speed", speed)
		sameForms(t, name, s, nil, true)
		m, err := s.Minimal(nil)
		if err != nil {
			t.Fatal(err)
		}
		full, minimal := modes(t, s), modes(t, m)
		if len(full) != len(minimal) {
			t.Fatalf("%s: %d and %d eigenvalues", name, len(full), len(minimal))
		}
		for i := range full {
			if d := cmplx.Abs(full[i].Value - minimal[i].Value); d > 1e-9*max(1, cmplx.Abs(full[i].Value)) {
				t.Errorf("%s: eigenvalues %v and %v", name, full[i].Value, minimal[i].Value)
			}
		}
		// the states that are left out come back as outputs: modes of all states are A z = lambda z
		for _, mode := range full {
			independent := make([]complex128, len(m.States))
			for i, state := range m.States {
				independent[i] = mode.Shape[slices.Index(s.States, state)]
			}
			for i, state := range s.States {
				y := complex(0, 0)
				for k, z := range independent {
					y += complex(m.C.At(slices.Index(m.Outputs, state), k), 0) * z
				}
				if cmplx.Abs(y-mode.Shape[i]) > 1e-9 {
					t.Errorf("%s: mode %v: the output %s is %v, the state %v", name, mode.Value, state, y, mode.Shape[i])
				}
			}
		}
	}
}

// The generic vehicle in its two trees (Morency 2007, Tables A.1 to A.9): the first has no constraints, the second has
// 16, which the steering enters. Both have one transfer function. Their eigenvalues agree, with the independent states
// of the second that do not turn with the wheels.
func TestFormsOfBothTreesAgree(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	one, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	other, err := linear.New(m, "tire")
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{"drive_RL.torque", "drive_RR.torque"} {
		if err := one.Free(input); err != nil {
			t.Fatal(err)
		}
	}
	first := at(t, one, "body.vx", 20)
	for i, name := range append(first.States, first.Inputs...) {
		if err := other.Set(name, append(first.X, first.U...)[i]); err != nil {
			t.Fatal(err)
		}
	}
	second := other.AtStart()
	var states []string
	for _, name := range second.States {
		component, quantity, _ := strings.Cut(name, ".")
		if component == "body" || slices.Contains([]string{"wy", "spin", "z", "z_dot", "q1", "q2"}, quantity) {
			states = append(states, name)
		}
	}
	sameForms(t, "default tree", first, nil, true)
	sameForms(t, "tire tree", second, states, false)
	minimal, err := second.Minimal(states)
	if err != nil {
		t.Fatal(err)
	}
	var constant float64
	for i, p := range points {
		want, got := excitations(first, p), excitations(minimal, p)
		for input := range want {
			w, g := transfer(t, p, nil, first.A, first.B, first.C, first.D, want[input]),
				transfer(t, p, nil, minimal.A, minimal.B, minimal.C, minimal.D, got[input])
			var a, b []complex128
			for k, output := range first.Outputs {
				a, b = append(a, w[k]), append(b, g[slices.Index(minimal.Outputs, output)])
			}
			if far := relativeDifference(a, b); far > 1e-9 {
				t.Errorf("s = %v: responses to %s in both trees differ by %.2g", p, input, far)
			}
		}
		one, _ := mat.LogDet(pencil(p, nil, first.A))
		two, _ := mat.LogDet(pencil(p, nil, minimal.A))
		if i == 0 {
			constant = two - one
		}
		if math.Abs(two-one-constant) > 1e-9 || math.Abs(constant) > 1e-9 {
			t.Errorf("s = %v: characteristic polynomials of both trees differ by %.2g", p, two-one)
		}
	}
}

// pulled is a block that a rod pulls behind a slide whose motion is prescribed, and that carries a
// pendulum: the constraint sees an input. The bob lags behind the pivot, for an angle about y, which
// points to the left:
//
//	l phi" + g phi = x"
const pulled = `
name = "Pulled"
[component.slide]
type = "motion-driver"
from = "ground"
to = "slide"
axis = "x"
kind = "translation"
[component.slide_mass]
type = "rigid-body"
frame = "slide"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.rail]
type = "prismatic"
from = "ground"
to = "block"
axis = "x"
start = { s = -2 }
[component.block]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 1, zz = 1 }
[component.rod]
type = "rod"
from = "block"
to = "slide"
length = 2
[component.pivot]
type = "revolute"
from = "block"
to = "turned"
axis = "y"
[component.string]
type = "rigid-arm"
from = "turned"
to = "bob"
translation = [0, 0, -0.5]
[component.bob]
type = "point-mass"
mass = 0.3
`

func TestPrescribedMotionMovesConstraint(t *testing.T) {
	m, err := vehicle.Parse([]byte(pulled), "pulled.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	sameForms(t, "pulled pendulum", s, nil, true)
	minimal, err := s.Minimal(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(minimal.States); got != "[pivot.omega pivot.phi]" {
		t.Errorf("independent states %s", got)
	}
	const g, length = 9.81, 0.5
	for _, p := range points {
		y := transfer(t, p, nil, minimal.A, minimal.B, minimal.C, minimal.D, excitations(minimal, p)["slide"])
		for output, want := range map[string]complex128{"rail.s": 1, "rail.s_dot": p, "pivot.phi": p * p / (length*p*p + g)} {
			if got := y[slices.Index(minimal.Outputs, output)]; cmplx.Abs(got-want) > 1e-9*cmplx.Abs(want) {
				t.Errorf("s = %v: %s by the position of the slide is %v, closed form %v", p, output, got, want)
			}
		}
	}
	for _, states := range [][]string{{"rail.s", "rail.s_dot"}, {"pivot.phi"}, {"pivot.phi", "pivot.omega", "rail.s"},
		{"pivot.phi", "pivot.rate"}} {
		if _, err := s.Minimal(states); err == nil {
			t.Errorf("%v pass for independent states", states)
		}
		if _, err := s.Descriptor(states); err == nil {
			t.Errorf("%v pass for independent states of the descriptor form", states)
		}
	}
}
