package cosim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	parts "skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// identity is the tolerance of the balance as a fraction of the exchanged power.
const identity = 1e-9

// At any state the rate of the stored energy equals the supplied minus the dissipated power. This holds for every
// shipped model in each of its trees. A separate formula counts the power that tires make of nothing.
func TestPowersAreTheRateOfStoredEnergy(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d models: %v", len(files), err)
	}
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if m.Name == printedFriction || slices.Contains(massless, m.Name) {
			continue
		}
		for _, tree := range m.Trees {
			t.Run(m.Name+"/"+tree.Name, func(t *testing.T) { checkPowers(t, m, tree.Name, nil) })
		}
	}
}

// shares holds the largest supplied and dissipated powers of components at the states of a check, as fractions of the
// exchanged power, by component and part of the ledger.
type shares map[string][program.EnergyParts]float64

// checkPowers checks the identity at random states, with the given values of some inputs. An empty ledger would meet
// the identity trivially, and fails.
func checkPowers(t *testing.T, of *vehicle.Model, tree string, inputs map[string]float64) shares {
	own := *of
	m := &own
	m.Outputs, m.Quantities = nil, slices.Clip(m.Quantities)
	for _, c := range parts.All[*parts.Tire](m.Scope()) {
		m.Quantities = append(m.Quantities, vehicle.Quantity{Name: "made." + c.Name, Unit: "W", Formula: madeBy(c)})
	}
	in := recording(t, m, tree)
	if len(in.ledger.side.Ledger()) == 0 {
		t.Fatal("the ledger is empty")
	}
	found, random, counted := shares{}, rand.New(rand.NewPCG(1, 2)), 0
	for k := 0; k < 10 && counted < 3; k++ {
		x := in.randomState(random, k%2 == 1)
		for name, value := range inputs {
			in.u[in.inputNamed(t, name)] = value
		}
		dx := make([]float64, len(x))
		in.rates(0, x, dx)
		gain, exchanged := in.gain(dx)
		stored := func(part int) func(s float64) float64 {
			return func(s float64) float64 {
				y := slices.Clone(x)
				for i := range y {
					y[i] += s * dx[i]
				}
				in.arrange(s, y)
				in.ledger.evaluate(y)
				sum := 0.0
				for _, e := range in.ledger.side.Ledger() {
					sum += in.ledger.sum(e.Values[part])
				}
				return sum
			}
		}
		fine, coarse := 0.0, 0.0
		for _, part := range [...]int{program.KineticEnergy, program.PotentialEnergy, program.ElectricalEnergy,
			program.HydraulicEnergy} {
			rate := change(stored(part), 1e-4)
			fine, coarse, exchanged = fine+rate, coarse+change(stored(part), 4e-4), exchanged+math.Abs(rate)
		}
		in.ledger.evaluate(x)
		const rounding = 16 * 0x1p-52 / 1e-4 // of differences of an energy, 1/s
		allowed := identity*exchanged + rounding*math.Abs(in.ledger.storedInAll())
		if math.Abs(fine-coarse) > allowed { // a kink is near
			continue
		}
		counted++
		if rest := gain - fine; math.Abs(rest) > allowed {
			t.Errorf("state %d: %.9g W are gained, and %.9g W stored", k, gain, fine)
		}
		for _, e := range in.ledger.side.Ledger() {
			share := found[e.Component]
			for _, part := range workParts {
				share[part] = max(share[part], math.Abs(in.ledger.sum(e.Values[part]))/exchanged)
			}
			found[e.Component] = share
		}
	}
	if counted < 3 {
		t.Errorf("only %d of 10 states are smooth", counted)
	}
	return found
}

// recording is an initialised instance of a model that records works.
func recording(t *testing.T, m *vehicle.Model, tree string) *Instance {
	t.Helper()
	s, err := New(m, Options{Tree: tree})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	if err := in.SetText(RecordVariable, RecordOn); err != nil {
		t.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return in
}

// inputNamed is the index of an input.
func (in *Instance) inputNamed(t *testing.T, name string) int {
	k := slices.IndexFunc(in.sys.program.Inputs, func(v program.Variable) bool { return v.Name == name })
	if k < 0 {
		t.Fatalf("no input %s", name)
	}
	return k
}

// massless are models without masses and forces: equations of a driver, and a tire function alone. Their ledgers are
// empty.
var massless = []string{"LaneChangeDriver", "Tire"}

func TestModelsWithoutMassesHaveNoLedger(t *testing.T) {
	for _, name := range []string{"driver_lane_change", "tire_pacejka2002"} {
		s, err := SharedModel(name, "")
		if err != nil {
			t.Fatal(err)
		}
		if list := s.program.Ledger(); !slices.Contains(massless, s.model.Name) || len(list) != 0 {
			t.Errorf("%s has %v", s.model.Name, list)
		}
	}
}

// printedFriction is the model with friction as printed: it acts on the body instead of the slipping wheel, and does
// work that no law accounts for.
const printedFriction = "HalfCarPrintedFriction"

// change is the derivative of a function at 0, by differences of the eighth order over steps h.
func change(f func(s float64) float64, h float64) float64 {
	sum := 0.0
	for i, c := range [...]float64{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280} {
		s := float64(i+1) * h
		sum += c * (f(s) - f(-s))
	}
	return sum / h
}

// madeBy returns a formula of the power that the forces of a tire make of nothing.
//
// Fx acts at the loaded radius, and slip is measured at the effective radius. The power of this difference counts as
// rolling resistance where the rolling resistance has a term in Fx.
//
// The arm of the normal force of a contact at the loaded radius does not follow the gradient of the spring's energy.
// The difference is kz d (Rl - Ru) sin gamma per inclination (specification of the contact, 5.1). The rate of the
// inclination is (VPy - VCy)/depth. The name wx cannot replace this quotient: in a tree with the tire's own edges, wx
// is a speed in the axes of the wheel, and the identity holds to 3e-8 only.
func madeBy(c *parts.Tire) string {
	of := func(key string, s keys.Scalar) string {
		if s.Formula {
			return "(" + s.Text + ")"
		}
		return c.Name + "." + key
	}
	q := func(name string) string { return c.Name + "." + name }
	if c.Contact.Method == parts.ContactConservative && c.Contact.Power {
		return "0"
	}
	power := fmt.Sprintf("%s*(%s - %s)", q("Fx"), q("VPx"), q("VEx"))
	if c.HeldByResistance() {
		power = "0"
	}
	if c.Contact.Method == parts.ContactLoaded {
		radius := of("unloaded_radius", c.UnloadedRadius)
		deflection := fmt.Sprintf("max(0, %s*cos(%s) - %s)", radius, q("gamma"), q("depth"))
		power += fmt.Sprintf(" + (%s - %s)/%s*(%s*%s - %s*%s*%s*sin(%s))", q("VPy"), q("VCy"), q("depth"), q("Fz"), q("Rs"),
			of("vertical_stiffness", c.VerticalStiffness), deflection, radius, q("gamma"))
	}
	return power
}

// randomState returns a state near the start that meets the constraints, at some speed or nearly at rest, where brakes
// and rolling resistances hold. The inputs are random, too.
func (in *Instance) randomState(random *rand.Rand, slow bool) []float64 {
	p := in.sys.program
	x, n := slices.Clone(in.x), len(p.States)
	for i, s := range p.States {
		x[i] += 0.02 * random.NormFloat64()
		if strings.HasSuffix(s.Name, ".vx") || strings.HasSuffix(s.Name, ".x_dot") {
			x[i] += 8
		}
	}
	for i := range in.u[:len(p.Inputs)-p.Controls] {
		in.u[i] = p.Inputs[i].Start + 0.1*random.Float64()
	}
	for i := range x[:p.Speeds] {
		if slow {
			x[i] *= 5e-4
		}
	}
	if p.Constraints == 0 {
		return x
	}
	side, zero := in.machine.Side(program.Projection), make([]float64, n)
	for range 20 {
		in.inputsAt(0)
		side.Evaluate(x[:n], in.continued, zero)
		for i := range side.Len() {
			x[i] -= side.Value(i)
		}
	}
	return x
}

// Implicit steps evaluate powers with the results of the calls of their own stage.
func TestImplicitStagesHaveTheirOwnPowers(t *testing.T) {
	s, err := SharedModel("generic4w", "")
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for name, value := range map[string]string{RecordVariable: RecordOn, MethodVariable: "linearly-implicit"} {
		if err := in.SetText(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	x, other := in.randomState(random, false), in.randomState(random, false)
	want, have := make([]float64, len(x)), make([]float64, len(x))
	in.rates(0, x, want)
	in.rates(0, other, have)
	in.linearise(0, x, have, 1e-3)
	for i := len(x) - in.ledger.works; i < len(x); i++ {
		if math.Abs(have[i]-want[i]) > 1e-9*math.Abs(want[i]) {
			t.Errorf("%s changes by %g W, and by %g W in an implicit step", in.stateName(i), want[i], have[i])
		}
	}
}

// gain returns the supplied minus the dissipated power at the latest evaluation, including the power that tires make,
// and the sum of all exchanged powers [W].
func (in *Instance) gain(dx []float64) (gain, exchanged float64) {
	k := len(dx) - in.ledger.works
	for _, e := range in.ledger.side.Ledger() {
		for j, part := range workParts {
			if len(e.Values[part]) > 0 {
				gain += dx[k] * [...]float64{1, -1}[j]
				exchanged += math.Abs(dx[k])
				k++
			}
		}
	}
	in.machine.Outputs(in.y)
	for i, v := range in.sys.program.Outputs {
		if strings.HasPrefix(v.Name, "made.") {
			gain += in.y[i]
			exchanged += math.Abs(in.y[i])
		}
	}
	return gain, exchanged
}
