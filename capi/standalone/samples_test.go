package standalone

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
)

// sampledCar is a car with two control units: one with modes reads a speed and an acceleration, the other reads the
// forces of tires, and follows the first one a sample later.
const sampledCar = `name = "SampledCar"
title = "Car with control units"
base = "passenger_car"
[component.unit]
type = "sampled-equations"
sample = 0.0035
phase = 0.0008
inputs = [
  { name = "speed", unit = "m/s", from = "@chassis.vx" },
  { name = "ay", unit = "m/s2", from = "body.ay" },
  { name = "wish", unit = "m/s", value = 20 },
]
modes = [
  { mode = "calm", condition = "abs(ay) > 0.02", next = "turning" },
  { mode = "turning", condition = "abs(ay) < 0.01", next = "calm" },
]
states = [{ name = "z", unit = "m", value = 13, next = "z + sample*(wish - speed)" }]
outputs = [{ name = "throttle", unit = "1", start = 0.25, to = ["@throttle"],
  value = "max(0, min(1, 0.2*(wish - speed) + 0.02*z*select(mode == turning, 0.9, 1)))" }]
[component.other]
type = "sampled-equations"
sample = 0.002
inputs = [{ name = "load", unit = "N", from = "tire_FL.Fz" }, { name = "u", unit = "1", from = "unit.throttle" }]
states = [{ name = "mean", unit = "N", value = 3000, next = "mean + 0.1*(load - mean)" }]
outputs = [{ name = "y", unit = "1", value = "u + sqrt(load)/100" }]
`

// sampledMass is a mass on a spring with a control unit that never acts, and one that does.
const sampledMass = `name = "SampledMass"
[component]
block = { type = "point-mass", mass = 2, start = { position = [0.3, 0, 0], velocity = [-0.2, 0, 0] } }
spring = { type = "spring-damper", from = "ground", to = "block", stiffness = 40, damping = 1, free_length = 0.2 }
push = { type = "force-driver", from = "ground", to = "block", axis = "x" }
[component.idle]
type = "sampled-equations"
sample = 0.001
active = 0
outputs = [{ name = "y", unit = "1", start = 3, value = "sqrt(-1)" }, { name = "w", unit = "1", value = "1" }]
[component.hold]
type = "sampled-equations"
sample = 0.0035
phase = 0.0008
inputs = [
  { name = "x", unit = "m", from = "block.x" },
  { name = "a", unit = "m/s2", from = "block.ax" },
  { name = "extra", unit = "N" },
]
modes = [
  { mode = "near", condition = "x > 0.31", next = "far" },
  { mode = "far", condition = "x < 0.29", next = "near" },
]
states = [{ name = "sum", unit = "m.s", value = 0.05, next = "sum + sample*x" }]
outputs = [
  { name = "root", unit = "N", value = "sqrt(1 + extra)" },
  { name = "force", unit = "N", start = 0.7, value = "extra - 8*x - select(mode == far, a, 3*sum)", to = ["push.force"] },
]
`

// Samples in C are bit-identical to the library: with tire forces, modes, and communication steps that samples cut.
func TestSamplesInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	for name, text := range testrun.Either(map[string]string{"mass": sampledMass}, map[string]string{"mass": sampledMass,
		"car": sampledCar}) {
		for _, method := range testrun.Either([]string{"rk4"}, []string{"rk4", "euler", "linearly-implicit"}) {
			in := vehicleOf(t, modelOf(t, text), "solver.method", method)
			if steps := testModel(t, in, "gcc -O0 -march=native"); steps < driven {
				t.Errorf("%s, %s: only %d steps were compared", name, method, steps)
			}
		}
	}
}

// A sample without a value fails the step in C as in the library: both keep the state before it, and go on. Inputs with
// rates are read at the time of the sample.
func TestSamplesInCKeepTheStateOfAFailedStep(t *testing.T) {
	testrun.Slow(t)
	in := initialised(t, modelOf(t, sampledMass), "solver.method", "rk4")
	d := &twin{t: t, in: in, c: &vehicleInC{order: binary.NativeEndian}}
	d.plan, _ = in.Plan()
	p := in.System().Program()
	n := len(p.Inputs) - p.Controls
	extra := slices.IndexFunc(p.Inputs, func(v program.Variable) bool { return v.Name == "hold.extra" })
	steps := []struct {
		u, rate float64
		fails   bool
	}{{3, 2, false}, {0, -30, true}, {0, -1, false}, {2, 0, false}}
	d.c.say('i')
	for k := range steps {
		u, rate := make([]float64, n), make([]float64, n)
		u[extra], rate[extra] = steps[k].u, steps[k].rate
		d.c.say('u', u, rate)
		d.c.say('s', []float64{0.25})
		d.c.say('x')
	}
	of := slices.IndexFunc(p.Parameters, func(v program.Variable) bool { return v.Name == "hold.sample" })
	values := slices.Clone(d.plan.Memory[d.plan.Rates.Memory][d.plan.Memories[d.plan.Rates.Memory].Parameters:])
	values = values[:len(p.Parameters)]
	for _, sample := range []float64{1e-7, 1e-6} {
		values[of] = sample
		d.c.say('r')
		d.c.say('p', values)
		d.c.say('i')
	}
	d.c.run(t, compiled(t, generated(t, in), "gcc -O0 -march=native"))
	if got := d.c.status(t); got != 0 {
		t.Fatalf("initialise: %d", got)
	}
	for k, s := range steps {
		if err := errors.Join(in.Set(in.System().First(cosim.Input)+extra, s.u),
			in.SetRate(in.System().First(cosim.Input)+extra, s.rate)); err != nil {
			t.Fatal(err)
		}
		err := in.Step(0.25)
		if got := d.c.status(t); (got == 3) != s.fails || (err != nil) != s.fails {
			t.Errorf("step %d: status %d, in the library %v", k, got, err)
		}
		if s.fails { // C keeps the inputs as they were set
			got := d.c.numbers(t, 1+len(p.States)+n)
			if !same(got[0], in.Time()) || !same(got[1], d.plan.X[0]) {
				t.Errorf("step %d: %v, in the library %v, %v", k, got, in.Time(), d.plan.X)
			}
			continue
		}
		d.states(k)
	}
	for _, want := range []int{3, 0} {
		if got := d.c.status(t); got != want {
			t.Errorf("initialise: %d, want %d", got, want)
		}
	}
}

// Sources of an FMU refuse samples that are too short with the message of the library. A sample without a value is an
// error of an importer that integrates the states itself.
func TestSourcesRefuseSamplesLikeTheFMU(t *testing.T) {
	testrun.Slow(t)
	folder, s, table := sourcesOf(t, modelOf(t, sampledMass), 2)
	program := compiledSources(t, folder, 2, "gcc -O0")
	reference := func(name string) uint32 {
		r, ok := table.Find(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		return r
	}
	short, lost := &script{}, &script{}
	short.add("instantiate 1 1 %s", table.Token)
	short.add("enter 0 0 0")
	short.add("set 1 %d %s", reference("hold.sample"), bits(1e-7))
	short.add("call exit")
	got, want := answersOfSources(t, program, short), answersOfGo(s, table, 2, short)
	compare(t, short, table, got, want)
	if !strings.Contains(strings.Join(got, " "), "hold.sample is 1e-07 s; it must be at least 1e-06 s") {
		t.Error(got)
	}
	lost.add("instantiate 0 1 %s", table.Token)
	lost.add("enter %s 0 0", bits(-0.0008))
	lost.add("set 1 %d %s", reference("hold.extra"), bits(-2))
	lost.add("call exit")
	lost.add("time %s", bits(0))
	lost.add("call update")
	for k, lines := range [][]string{answersOfSources(t, program, lost), answersOfGo(s, table, 2, lost)} {
		if got := strings.Join(lines, " "); !strings.Contains(got, "= call -> 3") || !strings.Contains(got, "finite") {
			t.Errorf("%d: %v", k, lines)
		}
	}
}

// Functions for CasADi and acados are smooth.
func TestSmoothFunctionsHaveNoSamples(t *testing.T) {
	in := vehicleOf(t, modelOf(t, sampledMass))
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for _, of := range []Options{{CasADi: true, Derivatives: true, Frozen: true},
		{Acados: true, Derivatives: true, Frozen: true}} {
		of.Name = "vehicle"
		_, err := newWriter([]*cosim.Instance{in}, of, false)
		const want = "idle acts at samples, and the functions for CasADi and acados are smooth"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A function of a controller is not in generated C.
func TestControllersAreRejected(t *testing.T) {
	in := vehicleOf(t, modelOf(t, "name = \"Unit\"\n[component.unit]\ntype = \"controller\"\nsample = 0.01\n"+
		"outputs = [{ name = \"y\", unit = \"1\" }]\n"))
	if err := Refusal(in); err == nil || !strings.Contains(err.Error(), "unit calls a function at samples") {
		t.Error(err)
	}
}

// modelOf writes a model into a file.
func modelOf(t *testing.T, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "model.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
