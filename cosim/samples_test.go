package cosim_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// sampledMass is a mass on a line with a force that a controller holds: u = -k x - c v + d*push, at samples.
const sampledMass = `name = "SampledMass"
gravity = [0, 0, 0]
[component]
block = { type = "point-mass", mass = 2, start = { position = [0.3, 0, 0], velocity = [-0.2, 0, 0] } }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.hold]
type = "sampled-equations"
sample = SAMPLE
phase = PHASE
inputs = [
  { name = "x", unit = "m", from = "block.x" },
  { name = "v", unit = "m/s", from = "block.vx" },
  { name = "extra", unit = "N" },
]
states = [{ name = "sum", unit = "m.s", value = 0.05, next = "sum + sample*x" }]
outputs = [{ name = "force", unit = "N", start = 0.7, value = "extra - 8*x - 3*v - 2*sum", to = ["push.force"] }]
`

func sampledModel(sample, phase string) string {
	return strings.NewReplacer("SAMPLE", sample, "PHASE", phase).Replace(sampledMass)
}

// held is the motion of the mass by sums: between samples the acceleration is constant.
type held struct{ x, v, sum, force, t float64 }

func (h *held) sample(period, extra float64) {
	h.force = extra - 8*h.x - 3*h.v - 2*h.sum
	h.sum += period * h.x
}

func (h *held) move(dt float64) {
	a := h.force / 2
	h.x += h.v*dt + a*dt*dt/2
	h.v += a * dt
	h.t += dt
}

func (r *run) heldAs(h held) {
	r.Helper()
	for name, want := range map[string]float64{"block.x": h.x, "block.vx": h.v, "hold.sum": h.sum, "hold.force": h.force,
		"push.force": h.force} {
		r.near(name, want, 1e-13)
	}
}

// Values are held between samples. A sample has the inputs of its time, and shows after it.
func TestSampledEquationsHoldTheirValues(t *testing.T) {
	r := fromText(t, sampledModel("0.1", "0"), "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	want := held{x: 0.3, v: -0.2, sum: 0.05, force: 0.7}
	r.heldAs(want) // the first sample is taken when the first step begins
	for k := range 40 {
		extra := math.Sin(float64(k))
		r.set("hold.extra", extra)
		r.heldAs(want)
		want.sample(0.1, extra)
		for range 4 {
			want.move(0.025)
			r.step(0.025)
			r.heldAs(want)
		}
	}
}

// Communication steps are cut at the samples within them: whatever their lengths, the motion is the same. Results
// of those that divide the time between samples are bit-identical.
func TestCommunicationStepsAreCutAtSamples(t *testing.T) {
	motion := func(steps ...float64) (list []float64) {
		r := fromText(t, sampledModel("0.1", "0.04"), "")
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for end, k := 0.0, 0; end < 2.4-1e-9; k++ {
			h := steps[k%len(steps)]
			r.step(h)
			end += h
		}
		for _, name := range []string{"block.x", "block.vx", "hold.sum", "hold.force"} {
			list = append(list, r.get(name))
		}
		return list
	}
	want := held{x: 0.3, v: -0.2, sum: 0.05, force: 0.7}
	want.move(0.04)
	for range 23 {
		want.sample(0.1, 0)
		want.move(0.1)
	}
	want.sample(0.1, 0)
	want.move(0.06)
	first := motion(0.02)
	for i, w := range []float64{want.x, want.v, want.sum, want.force} {
		if math.Abs(first[i]-w) > 1e-13 {
			t.Errorf("value %d is %.15g, want %.15g", i, first[i], w)
		}
	}
	for name, steps := range map[string][]float64{"1 ms": {0.001}, "4 ms": {0.004}, "10 ms": {0.01}, "20 ms": {0.02}} {
		for i, x := range motion(steps...) {
			if x != first[i] {
				t.Errorf("%s: value %d is %.17g, want %.17g", name, i, x, first[i])
			}
		}
	}
	for name, steps := range map[string][]float64{"2.4 s": {2.4}, "0.3 s": {0.3}, "three": {0.017, 0.21, 0.073}} {
		for i, x := range motion(steps...) {
			if math.Abs(x-first[i]) > 1e-12 {
				t.Errorf("%s: value %d is %.17g, want %.17g", name, i, x, first[i])
			}
		}
	}
}

// NextEnd is the end of the solver step that Next makes, across samples, too.
func TestTheEndOfTheNextStepIsKnown(t *testing.T) {
	r := fromText(t, sampledModel("0.01", "0.0025"), "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if err := r.in.Begin(0.03); err != nil {
		t.Fatal(err)
	}
	for steps := 0; ; steps++ {
		want := r.in.NextEnd()
		done, err := r.in.Next()
		if err != nil {
			t.Fatal(err)
		}
		if r.in.Time() != want {
			t.Errorf("step %d ends at %.17g s, announced %.17g", steps, r.in.Time(), want)
		}
		if done {
			if want != 0.03 || steps != 30 { // three, ten, ten and eight
				t.Errorf("%d steps until %g s", steps, want)
			}
			return
		}
	}
}

// A step of several samples continues inputs with rates; a sample within it reads them at its time.
func TestSamplesReadInputsWithRates(t *testing.T) {
	r := fromText(t, sampledModel("0.1", "0"), "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if err := r.in.SetRate(r.variable("hold.extra"), 3); err != nil {
		t.Fatal(err)
	}
	r.step(0.55)
	want := held{x: 0.3, v: -0.2, sum: 0.05}
	for k := range 6 {
		want.sample(0.1, 0.3*float64(k))
		want.move([]float64{0.1, 0.05}[k/5])
	}
	r.heldAs(want)
	r.near("hold.extra", 1.65, 1e-15)
}

// With active = 0 nothing acts: the motion has the bits of the model with a constant force.
func TestInactiveSampledEquationsNeverAct(t *testing.T) {
	with := fromText(t, sampledModel("0.1", "0"), "")
	with.set("hold.active", 0)
	without := fromText(t, sampledMass[:strings.Index(sampledMass, "[component.hold]")], "")
	without.set("push.force", 0.7)
	for _, r := range []*run{with, without} {
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 30 {
			r.step(0.1)
		}
	}
	for _, name := range []string{"block.x", "block.vx"} {
		if a, b := with.get(name), without.get(name); a != b {
			t.Errorf("%s is %.17g, want %.17g", name, a, b)
		}
	}
	with.near("hold.sum", 0.05, 0)
}

// A saved state goes on in another instance with the same bits, from the middle between two samples, too.
func TestSavedStatesContinueBetweenSamples(t *testing.T) {
	text := sampledModel("0.1", "0.03")
	a, b := fromText(t, text, ""), fromText(t, text, "")
	if err := a.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for range 7 {
		a.step(0.05)
	}
	if err := b.in.Restore(a.saved()); err != nil {
		t.Fatal(err)
	}
	for range 9 {
		a.step(0.035)
		b.step(0.035)
	}
	if !bytes.Equal(a.saved(), b.saved()) {
		t.Error("the restored instance goes on with other bits")
	}
}

// All samplers that are due read before one of them writes. A chain therefore costs a sample. A slower sampler has its
// own times.
func TestSamplersReadBeforeTheyWrite(t *testing.T) {
	r := fromText(t, `name = "Chain"
[component.fast]
type = "sampled-equations"
sample = 0.01
states = [{ name = "n", unit = "1", next = "n + 1" }]
outputs = [{ name = "y", unit = "1", value = "n", to = ["slow.u", "next.u"] }]
[component.next]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "u", unit = "1" }]
outputs = [{ name = "y", unit = "1", value = "u", start = -1 }]
[component.slow]
type = "sampled-equations"
sample = 0.02
phase = 0.01
inputs = [{ name = "u", unit = "1" }]
outputs = [{ name = "y", unit = "1", value = "u", start = -1 }]
`, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for k := range 20 {
		r.step(0.01)
		r.near("fast.n", float64(k+1), 0)
		r.near("fast.y", float64(k), 0)
		r.near("next.y", max(0, float64(k-1)), 0)
		slow := -1.0
		if k >= 1 {
			slow = float64((k-1)/2*2 + 0) // the value of fast before its sample at 0.01, 0.03, ...
		}
		r.near("slow.y", slow, 0)
	}
}

// A thermostat with a mode for each of its phases: the first row of a mode whose condition holds counts, and outputs
// have the new mode.
func TestModesChangeByTheirTable(t *testing.T) {
	r := fromText(t, `name = "Modes"
[component.logic]
type = "sampled-equations"
sample = 1
inputs = [{ name = "T", unit = "K", value = 290 }, { name = "fault", unit = "1" }]
modes = [
  { mode = "idle", condition = "T < 293", next = "heating" },
  { mode = "heating", condition = "fault", next = "failed" },
  { mode = "heating", condition = "T > 295 or since > 4", next = "idle" },
]
states = [{ name = "since", unit = "1", next = "select(mode == was, since + 1, 1)" }, { name = "was", unit = "1", next = "mode" }]
outputs = [{ name = "power", unit = "W", value = "select(mode == heating, 2000, 0)" }]
`, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	const idle, heating, failed = 0, 1, 2
	for k, c := range []struct{ temperature, fault, mode, power float64 }{
		{294, 0, idle, 0}, {292, 0, heating, 2000}, {294, 0, heating, 2000}, {296, 0, idle, 0}, {294, 1, idle, 0},
		{292, 0, heating, 2000}, {292, 0, heating, 2000}, {292, 0, heating, 2000}, {292, 0, heating, 2000},
		{292, 0, heating, 2000}, {292, 0, idle, 0}, {292, 1, heating, 2000}, {299, 1, failed, 0}, {200, 0, failed, 0},
	} {
		r.set("logic.T", c.temperature)
		r.set("logic.fault", c.fault)
		r.step(1)
		if mode, power := r.get("logic.mode"), r.get("logic.power"); mode != c.mode || power != c.power {
			t.Errorf("sample %d: mode %g, power %g, want %g, %g", k, mode, power, c.mode, c.power)
		}
	}
}

// A sample reads accelerations, with the held forces of before it: an accelerometer behind the force.
func TestSamplesReadAccelerations(t *testing.T) {
	r := fromText(t, `name = "Accelerometer"
gravity = [0, 0, 0]
[component]
block = { type = "point-mass", mass = 2 }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
feel = { type = "sensor", to = "block" }
[component.hold]
type = "sampled-equations"
sample = 0.1
inputs = [{ name = "a", unit = "m/s2", from = "feel.ax" }, { name = "F", unit = "N", value = 1 }]
outputs = [
  { name = "felt", unit = "m/s2", value = "a" },
  { name = "force", unit = "N", value = "F - a", to = ["push.force"] },
]
`, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	force := 0.0
	for range 12 {
		r.step(0.1)
		r.near("hold.felt", force/2, 1e-15)
		force = 1 - force/2
		r.near("hold.force", force, 1e-15)
	}
}

// A value that is not a number ends the step with its name and time; the state before the step is kept.
func TestSamplesRefuseWhatIsNoNumber(t *testing.T) {
	text := strings.Replace(sampledModel("0.1", "0"), "extra - 8*x", "sqrt(extra) - 8*x", 1)
	r := fromText(t, text, "")
	r.set("hold.extra", 1)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	r.step(0.25)
	x, force := r.get("block.x"), r.get("hold.force")
	r.set("hold.extra", -1)
	err := r.in.Step(0.25)
	if err == nil || !strings.Contains(err.Error(), "hold.force = NaN from the sample at t = 0.3 s on") ||
		!strings.Contains(err.Error(), "the state at 0.25 s is kept") {
		t.Errorf("the error is %v", err)
	}
	r.near("block.x", x, 0)
	r.near("hold.force", force, 0)
	r.set("hold.extra", 1)
	r.step(0.25)
	short := fromText(t, sampledModel("1e-7", "0"), "")
	if err := short.in.Initialise(); err == nil || !strings.Contains(err.Error(), "hold.sample is 1e-07 s; it must be at "+
		"least 1e-06 s") {
		t.Errorf("the error is %v", err)
	}
}

// An importer that integrates the states itself takes the samples at their times.
func TestImportersTakeSamplesAsEvents(t *testing.T) {
	r := fromText(t, sampledModel("0.1", "0.03"), "")
	r.in.SetExternalIntegration(true)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	want := held{x: 0.3, v: -0.2, sum: 0.05, force: 0.7}
	update := func(changes bool) {
		t.Helper()
		changed, err := r.in.UpdateContacts()
		if err != nil || changed != changes {
			t.Fatalf("changed %v, %v, want %v", changed, err, changes)
		}
	}
	update(false) // the first sample comes later
	for k := range 8 {
		next := r.in.NextSample()
		if w := 0.03 + 0.1*float64(k); math.Abs(next-w) > 1e-15 {
			t.Fatalf("event %d is at %g s, want %g", k, next, w)
		}
		want.move(next - want.t)
		r.in.SetTime(next)
		if err := r.in.SetStates(r.statesWith(map[string]float64{"block.x": want.x, "block.vx": want.v})); err != nil {
			t.Fatal(err)
		}
		update(true)
		want.sample(0.1, 0)
		r.heldAs(want)
		update(false)
	}
	if at := fromText(t, motorOnBattery, "").in.NextSample(); !math.IsInf(at, 1) {
		t.Error("a model without samples has one")
	}
}

// statesWith are the states of an instance, some with other values.
func (r *run) statesWith(values map[string]float64) []float64 {
	x := r.states()
	for i, s := range r.sys.Program().States {
		if v, is := values[s.Name]; is {
			x[i] = v
		}
	}
	return x
}

// Faulty sampled equations are refused with place and remedy.
func TestFaultySampledEquationsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`sample = 0`: "sample", `sample = 0.1`: "neither states nor outputs",
		"sample = 0.1\nstates = [{ name = \"x\", unit = \"1\", next = \"y\" }]":    `unknown name "y"`,
		"sample = 0.1\nstates = [{ name = \"mode\", unit = \"1\", next = \"1\" }]": "give it another name",
		"sample = 0.1\nstates = [{ name = \"x\", unit = \"1\" }]":                  "next",
		"sample = 0.1\noutputs = [{ name = \"x\", unit = \"1\", value = \"1\" }]\n" +
			"modes = [{ mode = \"a\", condition = \"b <\", next = \"b\" }]": "missing at the end",
		"sample = 0.1\noutputs = [{ name = \"x\", unit = \"1\", value = \"1\" }]\n" +
			"modes = [{ mode = \"and\", condition = \"1\", next = \"b\" }]": "give the mode another name",
		"sample = 0.1\noutputs = [{ name = \"b\", unit = \"1\", value = \"1\" }]\n" +
			"modes = [{ mode = \"a\", condition = \"1\", next = \"b\" }]": "which another variable of the component has",
		"sample = 0.1\noutputs = [{ name = \"b\", unit = \"1\", value = \"1\" }]\n" +
			"modes = [{ mode = \"1a\", condition = \"1\", next = \"c\" }]": "a mode has the name of an identifier",
	} {
		text = "name = \"X\"\n[component.c]\ntype = \"sampled-equations\"\n" + text + "\n"
		_, err := vehicle.Parse([]byte(text), "test.toml", bounded.Kind.Read)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A fleet takes samples like single instances, to the last bit. The instances of a lane group have samples at the same
// times, at other times, and samples that fail.
func TestFleetsTakeSamplesLikeSingleInstances(t *testing.T) {
	text := strings.Replace(sampledModel("0.1", "0.04"), "extra - 8*x", "sqrt(extra) - 8*x", 1)
	text = strings.Replace(text, "[component.hold]", `drag = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.hold]`, 1)
	fleet := func() (list []*run) {
		for k := range 12 { // three lane groups
			r := fromText(t, text, "")
			r.set("block.mass", 2+0.1*float64(k))
			r.set("hold.extra", 1+float64(k))
			if err := r.in.SetRate(r.variable("drag.force"), float64(k)); err != nil {
				t.Fatal(err)
			}
			switch k {
			case 6:
				r.set("hold.sample", 0.2)
			case 10:
				r.set("hold.phase", 0.07)
			}
			if err := r.in.Initialise(); err != nil {
				t.Fatal(err)
			}
			list = append(list, r)
		}
		return list
	}
	alone, together := fleet(), fleet()
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	for k := range 24 {
		h := []float64{0.02, 0.25, 0.013}[k%3]
		for i := range alone {
			extra := float64(i+1) + math.Sin(float64(k))
			if i == k%8 && k%5 == 4 || k == 7 && i == 0 || k == 10 && i < 4 {
				extra = -1
			}
			alone[i].set("hold.extra", extra)
			together[i].set("hold.extra", extra)
		}
		failed := 0
		for i, got := range f.Step(h, 1) {
			want := alone[i].in.Step(h)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("step %d, vehicle %d: %v in the fleet, %v alone", k, i, got, want)
			}
			if want != nil {
				failed++
			}
			a, b := alone[i].saved(), together[i].saved()
			if !bytes.Equal(a, b) {
				t.Fatalf("step %d, vehicle %d: other bits in the fleet", k, i)
			}
		}
		if want := map[int]int{4: 1, 7: 1, 10: 4}[k]; want > 0 && failed != want {
			t.Errorf("%d vehicles failed in step %d", failed, k)
		}
	}
}

// saved is the saved state of an instance.
func (r *run) saved() []byte {
	r.Helper()
	state := make([]byte, r.in.StateSize())
	if err := r.in.Save(state); err != nil {
		r.Fatal(err)
	}
	return state
}

// Communication steps of 1 ms add up to a time that is not quite that of the sample. Still every tenth step begins with
// a sample, which sees the input of its time, for a quarter of an hour.
func TestSamplesBelongToTheirSteps(t *testing.T) {
	r := fromText(t, `name = "Follower"
[component.unit]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "u", unit = "1" }]
outputs = [{ name = "y", unit = "1", value = "u" }]
`, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for k := range 900_000 {
		r.set("unit.u", float64(k))
		r.step(0.001)
		if got := r.get("unit.y"); got != float64(k/10*10) {
			t.Fatalf("step %d holds the input of step %g, at t = %.17g s", k, got, r.in.Time())
		}
	}
}
