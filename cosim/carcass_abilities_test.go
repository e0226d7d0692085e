package cosim_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
	"skidpad/tire"
)

// withCarcasses is the generic vehicle with carcasses.
func withCarcasses(t testing.TB) *cosim.System {
	t.Helper()
	const file = "../resources/models/generic4w_with_carcasses.toml"
	return made(t, file, func() (*cosim.System, error) {
		text, err := os.ReadFile("../resources/models/generic4w.toml")
		if err != nil {
			return nil, err
		}
		edited := strings.ReplaceAll(string(text), `method = "delayed"`, `method = "carcass"`)
		m, err := vehicle.Parse([]byte(edited), file,
			func(_ bounded.Kind, name string) ([]byte, error) { return os.ReadFile("../resources/models/" + name) })
		if err != nil {
			return nil, err
		}
		return cosim.New(m, cosim.Options{})
	})
}

// Derivatives at the start know that the states of carcasses follow from loads and slips there, in both directions.
func TestDerivativesOfTheStartOfCarcasses(t *testing.T) {
	t.Parallel()
	r := instance(t, withCarcasses(t), "rk4", 0.001)
	start := map[string]float64{"tire_FL.q1": 0.01, "tire_FL.q2": -0.03, "body.z": r.now("body.z") - 0.004,
		"steer_FL.angle": 0.02}
	for name, v := range start {
		r.set(name, v)
	}
	outputs := []string{"tire_FL.p1", "tire_FL.p2", "tire_FL.Fy", "body.ay"}
	var unknowns []int
	for _, name := range outputs {
		unknowns = append(unknowns, r.variable(name))
	}
	before := r.now("tire_FL.Fy")
	for name, x := range start {
		known := []int{r.variable(name)}
		exact := make([]float64, len(outputs))
		if err := r.in.Directional(unknowns, known, []float64{1}, exact); err != nil {
			t.Fatal(err)
		}
		const h = 1e-6
		difference := make([]float64, len(outputs))
		for _, side := range []float64{1, -1} {
			r.set(name, x+side*h)
			for k, output := range outputs {
				difference[k] += side * r.now(output) / (2 * h)
			}
		}
		r.set(name, x)
		for k, output := range outputs {
			if !(math.Abs(exact[k]-difference[k]) <= 1e-5*math.Abs(difference[k])+1e-4) {
				t.Errorf("%s by %s is %.9g, by differences %.9g", output, name, exact[k], difference[k])
			}
			var back [1]float64
			if err := r.in.Adjoint(unknowns[k:k+1], known, []float64{1}, back[:]); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(back[0]-exact[k]) <= 1e-9*math.Abs(exact[k])+1e-9) {
				t.Errorf("%s by %s is %.17g forwards, %.17g backwards", output, name, exact[k], back[0])
			}
		}
	}
	if after := r.now("tire_FL.Fy"); after != before {
		t.Errorf("tire_FL.Fy is %g N before derivatives, %g N after them", before, after)
	}
}

// Vehicles with carcasses in a fleet move as they do alone, to the last bit, also after a scale factor has changed.
func TestFleetsWithCarcasses(t *testing.T) {
	t.Parallel()
	s := withCarcasses(t)
	for _, method := range []string{"rk4", "linearly-implicit"} {
		together, single := fleetOf(t, s, method, 5), fleetOf(t, s, method, 5)
		f, err := cosim.NewFleet(instancesOf(together))
		if err != nil {
			t.Fatal(err)
		}
		for k := range 200 {
			if k == 100 {
				for _, list := range [][]*run{together, single} {
					list[1].set("tire_FL.LMUY", 0.5)
				}
			}
			steer(together, float64(k)*1e-3)
			steer(single, float64(k)*1e-3)
			for i, err := range f.Step(1e-3, 2) {
				if err != nil {
					t.Fatal(i, err)
				}
			}
			for _, r := range single {
				if err := r.in.Step(1e-3); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range together {
			if a, b := together[i].values(), single[i].values(); !slices.Equal(a, b) {
				t.Errorf("%s: vehicle %d differs in the fleet", method, i)
			}
		}
	}
}

// A restored vehicle continues with the deflections of its carcasses, to the last bit.
func TestSavedCarcasses(t *testing.T) {
	t.Parallel()
	s := withCarcasses(t)
	r := instance(t, s, "rk4", 0.001)
	r.start(noInput)
	r.drive(braked(2000), 0.001, 0.5)
	other := instance(t, s, "rk4", 0.001)
	other.restore(r.save())
	r.drive(braked(2000), 0.001, 1)
	for range 500 {
		if err := other.in.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(r.values(), other.values()) {
		t.Error("the restored vehicle goes another way")
	}
}

// Delayed slips at the start are deflections of their relaxation lengths.
func TestCarcassesStartWithDelayedSlips(t *testing.T) {
	r := instance(t, withCarcasses(t), "rk4", 0.001)
	r.set("tire_FL.q1", 0.02)
	r.set("tire_RR.q2", -0.01)
	r.set("body.vx", 0)
	for _, c := range corners {
		r.set("wheel_"+c+".omega", 0)
	}
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	r.near("tire_FL.q1", 0.02, 1e-15)
	r.near("tire_RR.q2", -0.01, 1e-15)
	r.near("tire_FR.q1", 0, 0)
	if u := r.get("tire_FL.u1"); !(u > 0.01 && u < 0.03) {
		t.Errorf("the deflection is %g m", u)
	}
}

// stiff is a tire function of the host, with the largest force mu Fz.
type stiff struct{ slope float64 }

func (s stiff) Eval(in, out []float64) {
	clear(out)
	most := in[0] * in[3]
	out[0] = most * math.Tanh(s.slope*in[1])
	out[1] = -most * math.Tanh(s.slope*math.Tan(in[2]))
}

// The stiffness of a function that does not provide it is measured, and a vehicle with such a function stands. A
// function whose force does not depend on slip is refused, unless the file gives its stiffness.
func TestCarcassesOfOtherFunctions(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	for _, f := range []struct {
		name  string
		slope float64
	}{{"stiff tire", 20}, {"slippery tire", 0}} {
		err := tire.Register(tire.Kind{Name: f.name, Inputs: []string{"Fz", "S", "alpha", "mu"},
			Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
			New:     func([]float64) (tire.Function, error) { return stiff{f.slope}, nil }})
		if err != nil {
			t.Fatal(err)
		}
	}
	r := standing(t, 0.1, "Pacejka02", "carcass")
	for _, c := range corners {
		r.text("tire_"+c+".model", "stiff tire")
		r.text("tire_"+c+".file", "")
	}
	r.set("body.vx", 2)
	r.start(noInput)
	r.drive(braked(10000), 0.001, 10)
	x := r.get("body.x")
	r.drive(braked(10000), 0.001, 15)
	if drift := math.Abs(r.get("body.x") - x); !(drift < 1e-4) {
		t.Errorf("it moves by %g mm in 5 s", 1e3*drift)
	}
	slippery := standing(t, 0.1, "Pacejka02", "carcass")
	slippery.text("tire_FL.model", "slippery tire")
	slippery.text("tire_FL.file", "")
	if err := slippery.in.Initialise(); err == nil || !strings.Contains(err.Error(), "tire_FL") ||
		!strings.Contains(err.Error(), "slip.stiffness") {
		t.Errorf("a tire without stiffness gives %v", err)
	}
	inputs := standing(t, 0, "Pacejka02", "carcass")
	for _, c := range corners {
		inputs.text("tire_"+c+".model", "inputs")
		inputs.text("tire_"+c+".file", "")
	}
	inputs.set("tire_FL.Fx_input", 100)
	if err := inputs.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	inputs.near("tire_FL.Fx", 100, 0)
}

// The order of the methods on smooth braking, by the speed after a second.
func TestOrderWithCarcasses(t *testing.T) {
	t.Parallel()
	rolling := newHalfCar(t, "rk4", "Brush", withCarcass, 0, 1, 20)
	rolling.start(noInput)
	rolling.drive(rolling.braked(0), 0.001, 5)
	begin := rolling.states()
	speed := func(method string, h float64) float64 {
		c := newHalfCar(t, method, "Brush", withCarcass, 0, 1, 20)
		c.set("solver.step", h)
		c.start(noInput)
		if err := c.in.SetStates(begin); err != nil {
			t.Fatal(err)
		}
		c.drive(c.braked(400), h, 1)
		return c.get("along.s_dot")
	}
	exact := speed("rk4", 0.000125)
	for _, m := range []struct {
		method string
		order  float64
	}{{"euler", 0.95}, {"heun", 1.95}, {"linearly-implicit", 1.75}, {"rk4", 3.2}} {
		order := math.Log2(math.Abs(speed(m.method, 0.002)-exact)/math.Abs(speed(m.method, 0.0005)-exact)) / 2
		t.Logf("%s: order %.3g", m.method, order)
		if !(order >= m.order) {
			t.Errorf("%s: order %.3g, want %g", m.method, order, m.order)
		}
	}
}

// A step that is too long for the damper of the carcass shortens the damper, and a note says so.
func TestShortenedDampersAreNoted(t *testing.T) {
	for _, c := range []struct {
		step float64
		said bool
	}{{0.001, false}, {0.004, true}} {
		r := instance(t, withCarcasses(t), "rk4", 0.001)
		r.set("solver.step", c.step)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		list := fmt.Sprint(r.in.Warnings())
		if strings.Contains(list, "damper of the carcass is shortened") != c.said {
			t.Errorf("steps of %g s: %s", c.step, list)
		}
	}
}
