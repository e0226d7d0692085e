package linear_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// parse makes a vehicle of a text.
func parse(t *testing.T, text string) *linear.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// twoMasses on a line, held by springs k to ground on the left and, with end, on the right, and by a
// spring and damper to each other.
const twoMasses = `
name = "TwoMasses"
[parameters]
m1 = { value = 2.0, unit = "kg" }
m2 = { value = 3.0, unit = "kg" }
k = { value = 50.0, unit = "N/m" }
between = { value = 20.0, unit = "N/m" }
damping = { value = 0.0, unit = "N.s/m" }
end = { value = 0.0, unit = "N/m" }
[component.first]
type = "prismatic"
from = "ground"
to = "a"
axis = "x"
[component.second]
type = "prismatic"
from = "ground"
to = "b"
axis = "x"
start = { s = 1 }
[component.mass_1]
type = "point-mass"
frame = "a"
mass = "m1"
[component.mass_2]
type = "point-mass"
frame = "b"
mass = "m2"
[component.left]
type = "spring-damper"
joint = "first"
stiffness = "k"
[component.right]
type = "spring-damper"
joint = "second"
stiffness = "end"
free_length = 1
[component.middle]
type = "spring-damper"
from = "a"
to = "b"
stiffness = "between"
damping = "damping"
free_length = 1
[component.push_1]
type = "force-driver"
from = "ground"
to = "a"
axis = "x"
[component.push_2]
type = "force-driver"
from = "ground"
to = "b"
axis = "x"
`

// The participations of an undamped mode distribute its energy over the masses. A mass, coordinate and speed alike, has
// the participation m phi^2/sum m phi^2 with phi of M^-1 K phi = w^2 phi.
func TestParticipationsOfTwoMasses(t *testing.T) {
	l := parse(t, twoMasses)
	const m1, m2, k = 2.0, 3.0, 50.0
	for _, coupling := range []float64{0.5, 20, 400} {
		s := at(t, l, "between", coupling)
		// w^2 of [[k+c, -c], [-c, c]] phi = w^2 M phi
		a, b := (k+coupling)/m1, coupling/m2
		root := math.Sqrt((a-b)*(a-b)/4 + coupling*coupling/(m1*m2))
		for _, square := range []float64{(a+b)/2 - root, (a+b)/2 + root} {
			phi := [2]float64{coupling, k + coupling - m1*square}
			first := m1 * phi[0] * phi[0] / (m1*phi[0]*phi[0] + m2*phi[1]*phi[1])
			found := false
			for _, m := range modes(t, s) {
				if math.Abs(m.Frequency()-math.Sqrt(square)) > 1e-9*m.Frequency() {
					continue
				}
				found = true
				for i, p := range m.Participation() {
					want := first / 2
					if strings.HasPrefix(s.States[i], "second.") {
						want = (1 - first) / 2
					}
					if cmplx.Abs(p-complex(want, 0)) > 1e-10 {
						t.Errorf("between %g, %v: %s takes part by %v, want %v", coupling, m.Value, s.States[i], p, want)
					}
				}
			}
			if !found {
				t.Errorf("between %g: there is no mode of %g rad/s", coupling, math.Sqrt(square))
			}
		}
	}
}

// Participations sum to 1 over the states of a mode and over the modes of a state. Units of the states change neither
// them nor results computed from them.
func TestParticipationsDoNotDependOnUnits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n = 7
	a := mat.NewDense(n, n, nil)
	s := &linear.System{A: a, B: mat.NewDense(n, 1, nil), C: mat.NewDense(1, n, nil), D: mat.NewDense(1, 1, nil),
		Inputs: []string{"u"}, Outputs: []string{"y"}}
	scaled := &linear.System{A: mat.NewDense(n, n, nil), B: mat.NewDense(n, 1, nil), C: mat.NewDense(1, n, nil), D: s.D,
		Inputs: s.Inputs, Outputs: s.Outputs}
	var scale [n]float64
	for i := range n {
		scale[i] = math.Pow(10, 8*random.Float64()-4)
		s.States, s.Groups = append(s.States, string(rune('a'+i))), append(s.Groups, string(rune('A'+i/2)))
		s.B.Set(i, 0, random.NormFloat64())
		s.C.Set(0, i, random.NormFloat64())
	}
	scaled.States, scaled.Groups = s.States, s.Groups
	for i := range n {
		scaled.B.Set(i, 0, s.B.At(i, 0)*scale[i])
		scaled.C.Set(0, i, s.C.At(0, i)/scale[i])
		for k := range n {
			a.Set(i, k, random.NormFloat64())
			scaled.A.Set(i, k, a.At(i, k)*scale[i]/scale[k])
		}
	}
	one, other := modes(t, s), modes(t, scaled)
	var states [n]complex128
	for i := range one {
		var sum complex128
		p, q := one[i].Participation(), other[i].Participation()
		for k := range p {
			if cmplx.Abs(p[k]-q[k]) > 1e-9 {
				t.Errorf("mode %v: state %d takes part by %v, in other units by %v", one[i].Value, k, p[k], q[k])
			}
			sum += p[k]
			states[k] += p[k]
		}
		if cmplx.Abs(sum-1) > 1e-12 {
			t.Errorf("mode %v: participations sum to %v", one[i].Value, sum)
		}
		total := 0.0
		for _, share := range s.Shares(&one[i]) {
			total += share.Value
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("mode %v: shares sum to %v", one[i].Value, total)
		}
		for k := range one {
			product := complex(0, 0)
			for j := range n {
				product += one[i].Left[j] * one[k].Shape[j]
			}
			if want := map[bool]complex128{true: 1}[i == k]; cmplx.Abs(product-want) > 1e-10 {
				t.Errorf("left eigenvector %d times shape %d is %v", i, k, product)
			}
		}
	}
	for k, sum := range states {
		if cmplx.Abs(sum-1) > 1e-10 {
			t.Errorf("state %d: participations in all modes sum to %v", k, sum)
		}
	}
	first, err := s.ModalMeasures(one, "u", "y")
	if err != nil {
		t.Fatal(err)
	}
	second, err := scaled.ModalMeasures(other, "u", "y")
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		// scales of balanced states are powers of 2
		if !first[i].Controllable || !first[i].Observable || !second[i].Controllable || !second[i].Observable ||
			first[i].Input > 4*second[i].Input || second[i].Input > 4*first[i].Input || first[i].Output > 4*second[i].Output ||
			second[i].Output > 4*first[i].Output {
			t.Errorf("mode %v: reach %+v, in other units %+v", one[i].Value, first[i], second[i])
		}
	}
}

// An eigenvalue with fewer eigenvectors than its multiplicity has no participations, and says so by having none.
func TestInseparableModes(t *testing.T) {
	s := &linear.System{A: mat.NewDense(2, 2, []float64{-1, 1, 0, -1}), B: &mat.Dense{}, C: mat.NewDense(1, 2, nil),
		States: []string{"a", "b"}, Groups: []string{"a", "b"}}
	for _, m := range modes(t, s) {
		if m.Participation() != nil || len(s.Shares(&m)) > 0 {
			t.Errorf("%v: participations %v", m.Value, m.Participation())
		}
	}
}

// The groups of states follow from the components and their connections.
func TestGroupsOfStates(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"bicycle_rolling": {"rear_frame.angle2": "roll", "rear_frame.wx": "roll", "rear_frame.angle1": "yaw/slip",
			"rear_frame.y": "yaw/slip", "rear_frame.x": "longitudinal", "rear_frame.z": "heave", "rear_frame.wy": "pitch",
			"steer.phi": "steer", "wheel_R.omega": "wheel spin", "wheel_F.phi": "wheel spin"},
		"generic4w": {"body.vx": "longitudinal", "body.vy": "yaw/slip", "body.yaw": "yaw/slip", "body.z": "heave",
			"body.pitch": "pitch", "body.wx": "roll", "susp_FL.s": "wheel hop", "wheel_RR.omega": "wheel spin",
			"tire_FL.q2": "tire"},
		"halfcar": {"forward.s": "longitudinal", "upward.s_dot": "heave", "pitch.phi": "pitch",
			"arm_F.omega": "wheel hop", "arm_R.phi": "wheel hop", "wheel_F.omega": "wheel spin"},
		"truck_trailer": {"drift.s": "yaw/slip", "heading.omega": "yaw/slip", "hitch.phi": "hitch"},
		"passenger_car_manual": {"crank.omega": "engine", "wheel_RL.omega": "wheel spin", "toe_FL.phi": "toe",
			"camber_RR.omega": "camber", "susp_RL.travel": "wheel hop"},
		"passenger_car_free": {"steering.wheel_angle": "steer", "steering.wheel_rate": "steer",
			"wheel_RL.omega": "wheel spin"},
		"tricycle":     {"steer.phi": "steer", "pendulum.omega": "pendulum"},
		"motorcycle3d": {"mass_3.vx": "mass_3"},
	} {
		m, err := vehicle.Read("../../resources/models/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range m.Components { // which cannot be linearised, but whose states have names
			if _, contact := c.(*component.WheelContact); contact {
				m.Components = slices.Delete(slices.Clone(m.Components), i, len(m.Components))
				break
			}
		}
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := l.AtStart()
		for state, group := range want {
			if i := slices.Index(s.States, state); i < 0 || s.Groups[i] != group {
				t.Errorf("%s: %s is not of %q, but %v of %v", name, state, group, s.Groups, s.States)
			}
		}
	}
}

// quarter is a quarter of a car that rolls at 20 m/s on a tire without camber or steer.
const quarter = `
name = "Quarter"
[component.road]
type = "road"
[component.along]
type = "prismatic"
from = "ground"
to = "ahead"
axis = "x"
start = { s_dot = 20 }
[component.up]
type = "prismatic"
from = "ahead"
to = "body"
axis = "z"
start = { s = 0.8 }
[component.body]
type = "rigid-body"
mass = 400
inertia = { xx = 1, yy = 1, zz = 1 }
[component.leg]
type = "prismatic"
from = "body"
to = "hub"
axis = "z"
start = { s = -0.5 }
[component.spring]
type = "spring-damper"
joint = "leg"
stiffness = 20000
damping = 1200
free_length = -0.7
[component.spin]
type = "revolute"
from = "hub"
to = "wheel"
axis = "y"
start = { omega = 60.60606060606061 }
[component.tire]
type = "tire"
frame = "wheel"
road = "road"
mass = 40
inertia = { axial = 1, transverse = 1 }
unloaded_radius = 0.33
vertical_stiffness = 2e5
vertical_damping = 50
rolling_radius = { method = "unloaded" }
[component.tire.slip]
method = "kinematic"
minimum_speed = 0.005
[component.tire.force]
function = "Fiala"
parameters = { D2 = 0.16, CS = 115000, Calpha = 117000, Cr = 0, mu0 = 1.22, mu1 = 0.2 }
`

// A quarter of a car has the eigenvalues of two masses on springs, heave below and wheel hop above, and the
// speed of the wheel beside them.
func TestModesOfAQuarterCar(t *testing.T) {
	s, err := parse(t, quarter).At()
	if err != nil {
		t.Fatal(err)
	}
	const m1, m2, k, c, kt, ct = 400.0, 40.0, 20000.0, 1200.0, 2e5, 50.0
	chain := mat.NewDense(4, 4, []float64{
		0, 0, 1, 0,
		0, 0, 0, 1,
		-k / m1, k / m1, -c / m1, c / m1,
		k / m2, -(k + kt) / m2, c / m2, -(c + ct) / m2,
	})
	var eigen mat.Eigen
	if !eigen.Factorize(chain, mat.EigenNone) {
		t.Fatal("no eigenvalues")
	}
	names := map[string]int{}
	for _, want := range eigen.Values(nil) {
		name := "heave"
		if cmplx.Abs(want) > 30 {
			name = "wheel hop"
		}
		found := false
		for _, m := range modes(t, s) {
			if cmplx.Abs(m.Value-want) < 1e-6*cmplx.Abs(want) {
				found = true
				if shares := s.Shares(&m); shares[0].Group != name || shares[0].Value < 0.8 {
					t.Errorf("mode %v is not %s: %v", m.Value, name, shares)
				}
				names[name]++
			}
		}
		if !found {
			t.Errorf("there is no mode %v", want)
		}
	}
	if names["heave"] != 2 || names["wheel hop"] != 2 {
		t.Errorf("modes are %v", names)
	}
	for _, m := range modes(t, s) {
		if imag(m.Value) == 0 && s.Shares(&m)[0].Group != "wheel spin" {
			t.Errorf("mode %v is %v", m.Value, s.Shares(&m))
		}
	}
}

// Of the benchmark bicycle capsize is lean, castering steer, and weave both.
func TestNamesOfTheBicyclesModes(t *testing.T) {
	s := at(t, read(t, "bicycle_rolling"), "speed", 5)
	minimal, err := s.Minimal(nil)
	if err != nil {
		t.Fatal(err)
	}
	list := modes(t, minimal)
	for i, want := range []string{"roll", "steer", "steer", "steer"} {
		shares := minimal.Shares(&list[i])
		if shares[0].Group != want {
			t.Errorf("mode %v is %v", list[i].Value, shares)
		}
		if imag(list[i].Value) != 0 && (shares[1].Group != "roll" || shares[1].Value < 0.2) {
			t.Errorf("there is no lean in weave: %v", shares)
		}
	}
}
