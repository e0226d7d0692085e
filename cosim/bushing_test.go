package cosim

import (
	"math"
	"slices"
	"testing"

	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// bushings is the model of two bodies with a bushing of each law between them.
func bushings(t *testing.T) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Read("testdata/bushings.toml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The ledger counts the energy of preloads, stiffnesses and couplings from its definition.
func TestBushingsStoreTheirEnergy(t *testing.T) {
	in := recording(t, bushings(t), "default")
	x := slices.Clone(in.x)
	in.rates(0, x, make([]float64, len(x)))
	variables := make([]float64, len(in.sys.Variables()))
	if err := in.Values(variables); err != nil {
		t.Fatal(err)
	}
	out := func(component string) (c [6]float64) {
		for i, name := range []string{"dx", "dy", "dz", "rx", "ry", "rz"} {
			at, _ := in.sys.Find(component + "." + name)
			c[i] = variables[at]
		}
		return c
	}
	quadratic := func(k [6][6]float64, c [6]float64) (sum float64) {
		for i := range k {
			for j := range k {
				sum += k[i][j] * c[i] * c[j] / 2
			}
		}
		return sum
	}
	n := out("numbers")
	want := map[string]float64{
		"numbers": quadratic([6][6]float64{{800}, {0, 700}, {0, 0, 400}, {3: 40}, {4: 30}, {5: 20}}, n) +
			20*n[0] - 30*n[1] + 40*n[2] + 2*n[3] + n[4] - 3*n[5],
		"coupled": quadratic([6][6]float64{{900, 50, 0, 0, 100, 0}, {50, 800, 0, 30, 0, 0}, {0, 0, 500, 0, 0, 20},
			{0, 30, 0, 60, 0, 5}, {100, 0, 0, 0, 70, 0}, {0, 0, 20, 5, 0, 50}}, out("coupled")),
	}
	for _, e := range in.ledger.side.Ledger() {
		if stored, is := want[e.Component]; is {
			delete(want, e.Component)
			if have := in.ledger.sum(e.Values[program.PotentialEnergy]); !(math.Abs(have-stored) <= 1e-10*math.Abs(stored)) {
				t.Errorf("%s stores %.15g J, by hand %.15g J", e.Component, have, stored)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the ledger: %v", want)
	}
}

// What the bodies gain is what each bushing gives: preloads, stiffnesses and couplings less dampers and loss.
func TestPowersOfBushings(t *testing.T) {
	found := checkPowers(t, bushings(t), "default", nil)
	for _, name := range []string{"numbers", "coupled", "curved"} {
		if share := found[name][program.DissipatedPower]; !(share > 1e-4) {
			t.Errorf("%s has %g of the exchanged power; the law does not act", name, share)
		}
	}
}

func TestBushingsAreBitIdenticalOnEveryPath(t *testing.T) {
	identicalOnEveryPath(t, bushings(t))
}

// identicalOnEveryPath: machine code, portable code and lanes of a fleet are bit-identical, in all kinds of methods. A
// step allocates nothing.
func identicalOnEveryPath(t *testing.T, m *vehicle.Model, methods ...string) {
	t.Helper()
	if methods == nil {
		methods = []string{"euler", "rk4", "linearly-implicit"}
	}
	s, err := New(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range methods {
		start := func(code string) *Instance {
			in, err := s.Instantiate()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(in.Close)
			for name, text := range map[string]string{"solver.method": method, "solver.code": code} {
				if err := in.SetText(name, text); err != nil {
					t.Fatal(err)
				}
			}
			if err := in.Initialise(); err != nil {
				t.Fatal(err)
			}
			return in
		}
		native, portable := start("native"), start("portable")
		together := []*Instance{start("native"), start("native"), start("native"), start("native")}
		fleet, err := NewFleet(together)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			for _, in := range []*Instance{native, portable} {
				if err := in.Step(0.004); err != nil {
					t.Fatal(err)
				}
			}
			for _, err := range fleet.Step(0.004, 1) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		values := func(in *Instance) []float64 {
			v := make([]float64, len(s.Variables()))
			if err := in.Values(v); err != nil {
				t.Fatal(err)
			}
			return v
		}
		want := values(native)
		for what, in := range map[string]*Instance{"portable": portable, "lane": together[2]} {
			for i, v := range values(in) {
				if math.Float64bits(v) != math.Float64bits(want[i]) {
					t.Fatalf("%s, %s: %s is %v, in machine code %v", method, what, s.Variables()[i].Name, v, want[i])
				}
			}
		}
		if count := testing.AllocsPerRun(20, func() {
			if err := native.Step(0.004); err != nil {
				t.Fatal(err)
			}
		}); count != 0 {
			t.Errorf("%s: a step allocates %g times", method, count)
		}
	}
}

// The ledger counts the force of a damper curve times the rate, without any other damping.
func TestDamperCurvesOfBushingsDissipate(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Damper"
[component.block]
type = "rigid-body"
mass = 4
inertia = { xx = 0.3, yy = 0.2, zz = 0.4 }
start = { velocity = [0.5, 0, 0] }
[component.bush]
type = "bushing"
from = "ground"
to = "block"
damper_force_x = [[-1, -40], [0, 0], [1, 60]]
`), "damper.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	in := recording(t, m, "default")
	x := slices.Clone(in.x)
	in.rates(0, x, make([]float64, len(x)))
	variables := make([]float64, len(in.sys.Variables()))
	if err := in.Values(variables); err != nil {
		t.Fatal(err)
	}
	at, _ := in.sys.Find("bush.Fx")
	want := -variables[at] * 0.5
	for _, e := range in.ledger.side.Ledger() {
		if e.Component == "bush" {
			if got := in.ledger.sum(e.Values[program.DissipatedPower]); !(math.Abs(got-want) <= 1e-12) || want < 10 {
				t.Errorf("the bushing dissipates %g W, the force times the rate is %g W", got, want)
			}
			return
		}
	}
	t.Error("the bushing is not in the ledger")
}
