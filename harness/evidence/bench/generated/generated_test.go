package generated_test

import (
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/evidence/bench/generated"
	"skidpad/harness/tests/testrun"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

var models = []string{"generic4w", "skidder"}

type bench struct {
	p    *program.Program
	f    []tire.Function
	in   [][]string
	x, u []float64
}

// bench loads a model and a lively state near its start.
func newBench(t testing.TB, name string) *bench {
	t.Helper()
	m, err := vehicle.Read("../../../../resources/models/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components { // of which the calls are plain functions
		if t, is := c.(*component.Tire); is {
			t.Slip.Carcass = false
		}
	}
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{p: p, x: make([]float64, len(p.States)), u: make([]float64, len(p.Inputs))}
	for _, c := range p.Calls {
		kind, err := tire.Lookup(c.Function)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kind.New(c.Parameters)
		if err != nil {
			t.Fatal(err)
		}
		b.f, b.in = append(b.f, f), append(b.in, kind.Inputs)
	}
	for i, v := range p.Inputs {
		b.u[i] = v.Start
	}
	b.ready(p.NewTape()).Start(b.u, b.x)
	b.shake(rand.New(rand.NewPCG(1, 1)))
	return b
}

// shake moves state and inputs a little.
func (b *bench) shake(r *rand.Rand) {
	for i := range b.x {
		b.x[i] += 0.01 * r.NormFloat64()
	}
	for i, v := range b.p.Inputs {
		b.u[i] = v.Start + 0.05*r.NormFloat64()
	}
}

func (b *bench) ready(m program.Machine) program.Machine {
	for i, f := range b.f {
		if err := m.Bind(i, f, b.in[i]); err != nil {
			panic(err)
		}
	}
	values := make([]float64, len(b.p.Parameters))
	for i, v := range b.p.Parameters {
		values[i] = v.Start
	}
	m.SetParameters(values)
	return m
}

func (b *bench) generated(t testing.TB) program.Machine {
	t.Helper()
	code, ok := generated.Lookup(b.p.Fingerprint())
	if !ok {
		t.Fatalf("no generated code for %s; run go generate ./harness/evidence/bench/generated", b.p.Name)
	}
	return b.ready(b.p.NewMachine(code))
}

// native is a machine that runs machine code; where none can be made at all the test is left out.
func (b *bench) native(t testing.TB) program.Machine {
	t.Helper()
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	code, err := b.p.Native(b.p.Tape())
	if err != nil {
		t.Fatal(err)
	}
	return b.ready(b.p.NewMachine(code))
}

func TestGeneratedGoEqualsTheTapeToTheLastBit(t *testing.T) {
	for _, name := range models {
		b := newBench(t, name)
		equalMachines(t, name, b, b.generated(t))
	}
}

// TestMachineCodeEqualsTheTapeToTheLastBit for models with generated Go and for one that has no generated
// Go, also for headings at which machine code gives up and the tape takes over.
func TestMachineCodeEqualsTheTapeToTheLastBit(t *testing.T) {
	for _, name := range append([]string{"truck3", "car_trailer", "double_pendulum", "halfcar", "passenger_car"},
		models...) {
		b := newBench(t, name)
		equalMachines(t, name, b, b.native(t))
		for i, s := range b.p.States {
			if strings.HasSuffix(s.Name, ".yaw") || strings.HasSuffix(s.Name, ".phi") {
				b.x[i] += 1 << 21
			}
		}
		equalMachines(t, name, b, b.native(t))
	}
}

// equalMachines compares a machine with the tape at 50 states.
func equalMachines(t *testing.T, name string, b *bench, other program.Machine) {
	t.Helper()
	machines := [2]program.Machine{b.ready(b.p.NewTape()), other}
	r := rand.New(rand.NewPCG(2, 3))
	for range 50 {
		b.shake(r)
		var dx, y, x0 [2][]float64
		for k, m := range machines {
			dx[k], y[k], x0[k] = make([]float64, len(b.x)), make([]float64, len(b.p.Outputs)), make([]float64, len(b.x))
			m.Start(b.u, x0[k])
			m.Derivatives(0, b.x, b.u, dx[k])
			m.Outputs(y[k])
		}
		same(t, name, dx, y, x0)
	}
}

func same(t *testing.T, name string, lists ...[2][]float64) {
	t.Helper()
	for _, l := range lists {
		for i := range l[0] {
			if math.IsNaN(l[0][i]) || l[0][i] != l[1][i] {
				t.Fatalf("%s: value %d is %.17g by tape, %.17g otherwise", name, i, l[0][i], l[1][i])
			}
		}
	}
}

// Emitted C, compiled without contraction, does the same operations; only its
// math library may round functions differently.
func TestEmittedCAgreesWithTheTape(t *testing.T) {
	testrun.Requires(t, "gcc")
	b := newBench(t, "skidder")
	tape := b.ready(b.p.NewTape())
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("model.c", b.p.C("vehicle"))
	main := write("main.c", cMain)
	binary := filepath.Join(dir, "model")
	out, err := exec.Command("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-O2",
		"-ffp-contract=off", "-o", binary, main, "-lm").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in strings.Builder
	for _, v := range b.p.Parameters {
		write17(&in, v.Start)
	}
	for _, v := range append(append([]float64(nil), b.x...), b.u...) {
		write17(&in, v)
	}
	run := exec.Command(binary)
	run.Stdin = strings.NewReader(in.String())
	out, err = run.Output()
	if err != nil {
		t.Fatal(err)
	}
	// the C side answers external calls with zeros, so must the tape
	for i, c := range b.p.Calls {
		if err := tape.Bind(i, zeros(len(c.Outputs)), nil); err != nil {
			t.Fatal(err)
		}
	}
	want := make([]float64, len(b.x)+len(b.p.Outputs)+len(b.x))
	tape.Derivatives(0, b.x, b.u, want)
	tape.Outputs(want[len(b.x):])
	tape.Start(b.u, want[len(b.x)+len(b.p.Outputs):])
	fields := strings.Fields(string(out))
	if len(fields) != len(want) {
		t.Fatalf("%d values from C, want %d", len(fields), len(want))
	}
	for i, text := range fields {
		got := parse(t, text)
		if !(math.Abs(got-want[i]) <= 1e-13*max(1, math.Abs(want[i]))) {
			t.Errorf("value %d: %.17g by C, %.17g by tape", i, got, want[i])
		}
	}
}

func TestGenerationIsReproducible(t *testing.T) {
	for _, name := range models {
		var texts [2][2]string
		for k := range texts {
			b := newBench(t, name)
			text, err := b.p.Go("generated", "skidpad generate "+name+".toml --lang go",
				strings.ToLower(b.p.Name[:1])+b.p.Name[1:])
			if err != nil {
				t.Fatal(err)
			}
			texts[k] = [2]string{text, b.p.C("x")}
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: two generations differ", name)
		}
		file, err := os.ReadFile(name + "_gen.go")
		if err != nil {
			t.Fatal(err)
		}
		if string(file) != texts[0][0] {
			t.Errorf("%s_gen.go is not what the generator makes now; run go generate ./harness/evidence/bench/generated", name)
		}
	}
}
