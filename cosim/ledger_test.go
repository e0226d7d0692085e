package cosim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/solver"
)

// recorded returns an instance that records works if record is true.
func recorded(t testing.TB, s *cosim.System, method string, step float64, record bool) *run {
	r := instance(t, s, method, step)
	if record {
		r.text(cosim.RecordVariable, cosim.RecordOn)
	}
	return r
}

// The motion is the same to the last bit whether works are recorded or not, with every solver.
func TestRecordedWorksChangeNoBitOfTheMotion(t *testing.T) {
	for _, model := range []string{"generic4w", "passenger_car", "halfcar", "partial_vehicle2d", "point_pendulum"} {
		s := load(t, model, "")
		for _, method := range solver.Names() {
			var motions [2][]float64
			for k := range motions {
				r := recorded(t, s, method, 0.001, k == 1)
				if err := r.in.Initialise(); err != nil {
					t.Fatalf("%s, %s: %v", model, method, err)
				}
				for range 50 {
					if err := r.in.Step(0.002); err != nil {
						t.Fatalf("%s, %s: %v", model, method, err)
					}
				}
				motions[k] = r.states()
			}
			if !slices.EqualFunc(motions[0], motions[1], func(a, b float64) bool {
				return math.Float64bits(a) == math.Float64bits(b)
			}) {
				t.Errorf("%s, %s: the motion depends on whether works are recorded", model, method)
			}
		}
	}
}

// The kinetic and the potential energy of the ledger follow from published quantities and printed parameters.
func TestEnergiesFollowFromPublishedQuantities(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	r.set("body.wx", 0.4)
	r.set("susp_FL.s_dot", 0.3)
	r.start(noInput)
	for range 5 {
		r.drive(noInput, 0.001, r.in.Time()+0.1)
		want := r.energy()
		for _, c := range corners {
			deflection := (0.355 - r.get("tire_"+c+".R_l")) * math.Cos(r.get("tire_"+c+".gamma"))
			want += 3.04e5 / 2 * math.Pow(max(0, deflection), 2)
		}
		if have := r.get("energy.kinetic") + r.get("energy.potential"); math.Abs(have-want) > 1e-12*want {
			t.Errorf("at %g s: %.15g J, published quantities make %.15g J", r.in.Time(), have, want)
		}
	}
}

// The balance is 0 to the order of the solver, where nothing is dissipated and where brakes dissipate most.
func TestBalanceIsZeroToTheOrderOfTheSolver(t *testing.T) {
	for _, c := range []struct {
		model string
		drive input
		end   float64
	}{{"double_pendulum", noInput, 1}, {"skidder", skidderBrake, 3}} {
		s := load(t, c.model, "")
		for method, order := range map[string]float64{"euler": 1, "heun": 2, "rk4": 4, "adams-bashforth": 2,
			"linearly-implicit": 1.95} {
			exchanged := 0.0
			balance := func(h float64) float64 {
				r := recorded(t, s, method, h, true)
				r.start(c.drive)
				exchanged = r.get("energy.kinetic")
				r.drive(c.drive, h, c.end)
				return math.Abs(r.get("energy.balance"))
			}
			coarse, fine := balance(0.002), balance(0.001)
			if found := math.Log2(coarse / fine); !(found > order-0.2) && fine > 1e-10*exchanged {
				t.Errorf("%s, %s: %.3g J at 2 ms, %.3g J at 1 ms: order %.2f", c.model, method, coarse, fine, found)
			}
			if coarse == 0 {
				t.Errorf("%s, %s: nothing is recorded", c.model, method)
			}
		}
	}
}

// A spring with a curve stores the integral of its force from zero deflection, also beyond the ends of the curve.
func TestCurvesStoreTheIntegralOfTheirForce(t *testing.T) {
	for _, deflection := range []float64{-0.13, -0.08, -0.03, 0, 0.02, 0.06, 0.1} {
		force := func(x float64) float64 {
			o := fromText(t, hopper, "")
			o.set("strut.s", 0.4+x)
			o.start(noInput)
			return o.get("spring.force")
		}
		want, at := 40*9.81*(0.4+deflection), 0.0
		for _, knot := range []float64{-0.06, -0.1, -1, 0.05, 0.07, 1} {
			if knot*deflection < 0 || at == deflection {
				continue
			}
			end := math.Copysign(min(math.Abs(knot), math.Abs(deflection)), deflection)
			want += (end - at) / 6 * (force(at) + 4*force((at+end)/2) + force(end)) // exact for a cubic
			at = end
		}
		r := fromText(t, hopper, "")
		r.set("strut.s", 0.4+deflection)
		r.start(noInput)
		if have := r.get("energy.potential"); math.Abs(have-want) > 1e-11*want {
			t.Errorf("%g m: %.15g J, weight and the integral of the force are %.15g J", deflection, have, want)
		}
	}
}

// The supplied work of a torque is the torque times the angle, and so is the dissipated work of a constant brake
// torque.
func TestSuppliedAndDissipatedWorkOfABrakedCar(t *testing.T) {
	r := recorded(t, load(t, "skidder", ""), "rk4", 0.001, true)
	r.start(skidderBrake)
	first := r.get("energy.kinetic") + r.get("energy.potential")
	if r.get("energy.supplied") != 0 || r.get("energy.dissipated") != 0 || r.get("energy.balance") != 0 {
		t.Error("works do not begin with 0")
	}
	r.drive(skidderBrake, 0.001, 6)
	list, err := r.in.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	brakes, sums := 0.0, [3]float64{}
	for _, e := range list {
		if e.Component[:min(5, len(e.Component))] == "brake" {
			brakes += e.Dissipated
		}
		sums[0], sums[1], sums[2] = sums[0]+e.StoredFirst, sums[1]+e.Stored, sums[2]+e.Dissipated-e.Supplied
	}
	lost := first - r.get("energy.kinetic") - r.get("energy.potential")
	if math.Abs(sums[0]-first) > 1e-9*first || math.Abs(sums[0]-sums[1]-lost) > 1e-9*first ||
		math.Abs(sums[2]-lost) > 1e-6*first {
		t.Errorf("the components have %g J at first, %g J now, and took %g J; the vehicle lost %g of %g J", sums[0],
			sums[1], sums[2], lost, first)
	}
	if brakes < 0.5*lost || brakes > lost {
		t.Errorf("brakes took %g of %g J", brakes, lost)
	}
}

// The impact of a wheel contact is not the work of a force. Its energy loss counts as dissipated.
func TestImpactLossesCountAsDissipated(t *testing.T) {
	r := recorded(t, load(t, "partial_vehicle2d", ""), "dlmm", 0.001, true)
	r.set("terrain.height", -0.5)
	r.start(noInput)
	first := r.get("energy.kinetic") + r.get("energy.potential")
	r.drive(noInput, 0.001, 2)
	list, err := r.in.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	taken := 0.0
	for _, e := range list {
		if e.Component == "contact_R" {
			taken = e.Dissipated
		}
	}
	lost := first - r.get("energy.kinetic") - r.get("energy.potential")
	if balance := r.get("energy.balance"); !(taken > lost/20) || math.Abs(balance) > 1e-4*lost {
		t.Errorf("of %g J that are lost, impacts take %g J; the balance is %g J", lost, taken, balance)
	}
}

// Steps that record works allocate nothing, nor does reading energies.
func TestRecordedStepsAllocateNothing(t *testing.T) {
	for _, method := range allMethods {
		r := recorded(t, load(t, "generic4w", ""), method, 0.001, true)
		r.start(noInput)
		balance := r.variable("energy.balance")
		if n := testing.AllocsPerRun(20, func() {
			if err := r.in.Step(0.002); err != nil {
				t.Fatal(err)
			}
			if _, err := r.in.Get(balance); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %g allocations per step", method, n)
		}
	}
}

// A vehicle of a fleet has the same works as alone.
func TestFleetsRecordWorks(t *testing.T) {
	s := load(t, "generic4w", "")
	var alone, together []*run
	for i := range 5 {
		for _, list := range []*[]*run{&alone, &together} {
			r := recorded(t, s, "heun", 0.001, i != 3)
			r.set("body.vx", 20-float64(i))
			r.start(genericBrake)
			*list = append(*list, r)
		}
	}
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		for _, r := range alone {
			if err := r.in.Step(0.005); err != nil {
				t.Fatal(err)
			}
		}
		for _, err := range f.Step(0.005, 2) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range alone {
		for _, name := range []string{"energy.kinetic", "energy.supplied", "energy.dissipated", "energy.balance"} {
			if a, b := alone[i].get(name), together[i].get(name); math.Float64bits(a) != math.Float64bits(b) {
				t.Errorf("vehicle %d: %s is %g J in the fleet, %g J alone", i, name, b, a)
			}
		}
	}
	if together[3].get("energy.dissipated") != 0 || together[2].get("energy.dissipated") == 0 {
		t.Error("works are not those of the vehicles that record them")
	}
}

// A saved state contains the works. An instance that restores it continues these works, regardless of its own works
// before. A reset ends them.
func TestSavedStatesHaveWorks(t *testing.T) {
	s := load(t, "generic4w", "")
	r := recorded(t, s, "adams-bashforth", 0.001, true)
	r.start(genericBrake)
	r.drive(genericBrake, 0.001, 0.5)
	state := r.save()
	end := func(r *run) [3]float64 {
		r.drive(genericBrake, 0.001, 1)
		return [3]float64{r.get("energy.supplied"), r.get("energy.dissipated"), r.get("energy.balance")}
	}
	want := end(r)
	for _, record := range []bool{false, true} {
		other := recorded(t, s, "heun", 0.001, record)
		other.start(noInput)
		other.drive(noInput, 0.001, 0.1)
		other.restore(state)
		if have := end(other); have != want {
			t.Errorf("record = %v before: works %v J, not %v J", record, have, want)
		}
		plain := recorded(t, s, "heun", 0.001, false)
		plain.start(noInput)
		other.restore(plain.save())
		if have := end(other); have != [3]float64{} {
			t.Errorf("a state without works gives %v J", have)
		}
	}
	r.in.Reset()
	r.start(noInput)
	if have := end(r); have != [3]float64{} {
		t.Errorf("after a reset there are works of %v J", have)
	}
}

// An importer that integrates the states does not integrate works: works are 0.
func TestNoWorksWithExternalIntegration(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	r.in.SetExternalIntegration(true)
	r.text(cosim.RecordVariable, cosim.RecordOn)
	r.start(noInput)
	if n, tires := r.in.StateCount(); n != 36 || tires != 0 {
		t.Errorf("%d and %d states", n, tires)
	}
	faster := r.states()
	faster[0]++
	if err := r.in.SetStates(faster); err != nil {
		t.Fatal(err)
	}
	if r.get("energy.balance") != 0 || r.get("energy.kinetic") == 0 {
		t.Error("energies of model exchange: want the kinetic one, and no balance")
	}
}

// A component called energy keeps its variables.
func TestComponentCalledEnergyKeepsItsVariables(t *testing.T) {
	r := fromText(t, `
name = "Own"
[component.body]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.energy]
type = "equations"
outputs = [{ name = "kinetic", unit = "J", value = "7" }]
`, "")
	r.start(noInput)
	if have := r.get("energy.kinetic"); have != 7 {
		t.Errorf("energy.kinetic is %g, not the component's 7", have)
	}
	for _, name := range []string{"energy.balance", cosim.RecordVariable} {
		if _, found := r.sys.Find(name); found {
			t.Errorf("there is %s", name)
		}
	}
	if list := r.in.Warnings(); len(list) != 1 {
		t.Errorf("notes: %q", list)
	}
	if err := r.in.SetText(cosim.RecordVariable, "yes"); err == nil {
		t.Error("a text that is not there was set")
	}
}

// The switch accepts only true and false.
func TestRecordIsTrueOrFalse(t *testing.T) {
	r := instance(t, load(t, "pendulum", ""), "rk4", 0.001)
	if err := r.in.SetText(cosim.RecordVariable, "yes"); err == nil {
		t.Error("yes was taken")
	}
}

// Where works are recorded, a warning names the tires whose longitudinal force and slip refer to different radii: tires
// at the loaded radius without contact.power, with no equivalent rolling resistance in the file in use. Runs without
// works get no warning.
func TestTiresThatMakePowerAreNamed(t *testing.T) {
	const all = "tire_FL, tire_FR, tire_RL, tire_RR: the longitudinal force acts at the loaded radius"
	for _, c := range []struct {
		model string
		texts []string
		want  string
	}{
		{"generic4w", nil, all},
		{"generic4w", []string{"tire_RL.model", "MF61", "tire_RL.file", "../tires/mf61_205_60R15.tir"},
			"tire_FL, tire_FR, tire_RR: the"},
		{"generic4w_carcass", nil, ""},
		{"passenger_car", nil, ""},
		{"passenger_car", []string{"tire_FL.model", "Pacejka02", "tire_FL.file", "../tires/pacejka2002.toml"},
			"tire_FL: the"},
		{"skidder", nil, ""},
		{"bicycle", nil, ""},
	} {
		s := load(t, c.model, "")
		for _, record := range []bool{true, false} {
			r := recorded(t, s, "rk4", 0.001, record)
			for i := 0; i < len(c.texts); i += 2 {
				r.text(c.texts[i], c.texts[i+1])
			}
			if err := r.in.Initialise(); err != nil {
				t.Fatalf("%s: %v", c.model, err)
			}
			said := ""
			for _, w := range r.in.Warnings() {
				if strings.Contains(w, "the balance of energy misses") {
					said = w
				}
			}
			if want := c.want; record && (want == "") != (said == "") || !strings.HasPrefix(said, want) && record ||
				!record && said != "" {
				t.Errorf("%s, recorded %v: %q, want %q", c.model, record, said, want)
			}
		}
	}
}
