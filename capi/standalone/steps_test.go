package standalone

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// covered lists the shipped models, all of which can be written in C.
var covered = strings.Fields(`bicycle bicycle_controlled bicycle_rolling bicycle_trailer bluebike car_trailer disc
	double_pendulum driver_lane_change electric_axle_car electric_axle_car_controlled electric_car
	electric_four_motor_car electric_two_motor_car formula_student fourwheel_pointmass fuse_box generic4w
	generic4w_carcass generic4w_fourpost generic4w_outside halfcar halfcar_printed hydropneumatic_quarter_car
	motorcycle2d motorcycle2d_vertical motorcycle3d partial_vehicle2d partial_vehicle3d passenger_car
	passenger_car_active_roll passenger_car_controlled passenger_car_free passenger_car_hydraulic_brakes
	passenger_car_manual passenger_car_sensors pendulum point_pendulum redbike redbike_gyroscope
	redbike_gyroscope_controlled road_car skidder skidder_carcass tilting_three_wheeler tire_pacejka2002 tractor_semitrailer tricycle truck3 truck_trailer
	wheel wheel_rolling`)

// various are covered models no two of which are alike, for tests that compile for long.
var various = strings.Fields(`bicycle_controlled bicycle_rolling car_trailer driver_lane_change electric_car
	fourwheel_pointmass fuse_box generic4w_carcass generic4w_fourpost generic4w_outside halfcar
	hydropneumatic_quarter_car motorcycle2d motorcycle3d passenger_car passenger_car_active_roll
	passenger_car_hydraulic_brakes point_pendulum redbike_gyroscope_controlled skidder tilting_three_wheeler
	tire_pacejka2002 truck3 wheel`)

// Steps in C are bit-identical to the library: states, inputs, time, outputs, warnings and ends. Runs have several step
// sizes, inputs by value and by rate, saved states and moved instances.
func TestStepsInCAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	for _, model := range testrun.Either([]string{"generic4w", "skidder", "passenger_car", "motorcycle2d"}, covered) {
		t.Run(model, func(t *testing.T) {
			method := "euler"
			switch model { // with this method they diverge, in the library, too
			case "wheel", "redbike":
				method = "rk4"
			case "road_car", "fuse_box":
				method = "linearly-implicit"
			}
			in := vehicleOf(t, model, "solver.method", method)
			compiler := "gcc -O1 -march=native"
			switch model {
			case "generic4w":
				compiler = "gcc -O2 -march=native" // fuses sums and products if allowed
			case "passenger_car":
				compiler = "gcc -O0 -march=native" // compiles faster
			}
			if steps := testModel(t, in, compiler); steps < driven {
				t.Errorf("only %d steps were compared", steps)
			}
		})
	}
}

// Steps of all methods and compilers are bit-identical to the library.
func TestMethodsAndCompilersAreBitIdenticalToLibrary(t *testing.T) {
	testrun.OnlyAll(t)
	for _, model := range []string{"generic4w", "passenger_car"} {
		for _, c := range []struct{ method, compiler string }{
			{"heun", "gcc -O2"}, {"rk4", "gcc -O3 -march=native"}, {"linearly-implicit", "gcc -O1 -march=native"},
			{"linearly-implicit", "gcc -O1 -std=c99"}, {"euler", "gcc -O0"}, {"euler", "gcc -Os -std=c11 -march=native"},
			{"euler", "clang -O3 -march=native"}, {"rk4", "clang -O0"}, {"euler", "clang -O2"},
			{"euler", "g++ -std=c++17 -x c++ -O1"},
			{"rk4", "gcc -O1 -march=native -ftrapv -fsanitize=address,undefined -fno-sanitize-recover=all"},
		} {
			t.Run(model+c.method+strings.ReplaceAll(c.compiler, " ", ""), func(t *testing.T) {
				if strings.HasPrefix(c.compiler, "clang") {
					testrun.InStage(t, "compilers")
				}
				testModel(t, vehicleOf(t, model, "solver.method", c.method), c.compiler)
			})
		}
	}
}

// Steps of the code for compilers without vectors are bit-identical to the library.
func TestCodeWithoutVectorsIsBitIdenticalToLibrary(t *testing.T) {
	testrun.OnlyAll(t)
	for _, model := range []string{"generic4w", "skidder_carcass"} {
		testModel(t, vehicleOf(t, model, "solver.method", "rk4"), "gcc -O1 -std=c99 -DOP_LANES=1")
	}
}

// A vehicle with changed parameters starts as in the library.
func TestStartsFollowFromParameters(t *testing.T) {
	testrun.OnlyAll(t)
	for _, model := range covered {
		t.Run(model, func(t *testing.T) {
			in := initialised(t, asGiven(t, model), "solver.method", "euler")
			program := compiled(t, generated(t, in), "gcc -O0")
			r := rand.New(rand.NewPCG(3, 9))
			for range 10 {
				testStart(t, in, program, r)
			}
		})
	}
}

func testStart(t *testing.T, in *cosim.Instance, program string, r *rand.Rand) {
	t.Helper()
	in.Reset()
	if err := in.SetText("solver.method", "euler"); err != nil {
		t.Fatal(err)
	}
	parameters := changeSome(in, r)
	p := in.System().Program()
	v := &vehicleInC{order: binary.NativeEndian}
	v.say('r')
	v.say('p', parameters)
	v.say('i')
	v.say('x')
	v.run(t, program)
	status, err := v.status(t), in.Initialise()
	if (status != 0) != (err != nil) {
		t.Fatalf("status %d, in the library %v", status, err)
	}
	if err != nil {
		return
	}
	plan, _ := in.Plan()
	got := v.numbers(t, 1+len(p.States))
	for i, want := range plan.X[:len(p.States)] {
		if !same(got[1+i], want) {
			t.Fatalf("%s is %v, in the library %v", p.States[i].Name, got[1+i], want)
		}
	}
}

// changeSome changes parameters a little, and returns all of them.
func changeSome(in *cosim.Instance, r *rand.Rand) (parameters []float64) {
	s := in.System()
	for _, v := range s.Program().Parameters {
		value := v.Start
		road := strings.HasSuffix(v.Name, ".seed") || strings.Contains(v.Name, ".friction_")
		if i, ok := s.Find(v.Name); ok && !road && v.Name != cosim.StepVariable && r.IntN(3) == 0 {
			if other := value * (1 + 0.01*r.NormFloat64()); in.Set(i, other) == nil {
				value = other
			}
		}
		parameters = append(parameters, value)
	}
	return parameters
}

// Only wanted outputs are computed; the C file has no code for other outputs.
func TestOnlyWantedOutputsAreComputed(t *testing.T) {
	testrun.Slow(t)
	in := initialised(t, "bicycle", "solver.method", "euler")
	s := in.System()
	names := []string{}
	length := map[string]int{}
	for _, few := range []bool{false, true} {
		files, err := Files([]*cosim.Instance{in}, Options{Name: "vehicle", Outputs: func(name string) bool {
			return !few || strings.HasSuffix(name, ".Fy")
		}})
		if err != nil {
			t.Fatal(err)
		}
		length[map[bool]string{false: "all", true: "few"}[few]] = len(files[0].Text)
	}
	if length["few"] > length["all"]-2000 {
		t.Errorf("%d characters for few outputs, %d for all", length["few"], length["all"])
	}
	for _, v := range s.Variables()[s.First(cosim.Output):s.First(cosim.Contact)] {
		if strings.HasSuffix(v.Name, ".Fy") {
			names = append(names, v.Name)
		}
	}
	folder := generated(t, in, func(name string) bool { return strings.HasSuffix(name, ".Fy") })
	v := &vehicleInC{order: binary.NativeEndian}
	v.say('i')
	v.say('y')
	v.run(t, compiled(t, folder, "gcc -O1"))
	if v.status(t) != 0 || v.status(t) != 1 || len(names) == 0 {
		t.Fatal("no outputs", names)
	}
	for i, y := range v.numbers(t, len(names)) {
		at, _ := s.Find(names[i])
		if want, err := in.Get(at); err != nil || !same(y, want) {
			t.Errorf("%s is %v, in the library %v (%v)", names[i], y, want, err)
		}
	}
}

// All shipped models are covered.
func TestAllModelsAreCovered(t *testing.T) {
	files, err := filepath.Glob(built.Path("resources", "models", "*.toml"))
	if err != nil || len(files) != len(covered) {
		t.Errorf("%d models, %d are covered: %v", len(files), len(covered), err)
	}
	for _, file := range files {
		model := strings.TrimSuffix(filepath.Base(file), ".toml")
		if !slices.Contains(covered, model) {
			t.Errorf("%s is not covered", model)
		}
	}
}

func TestUnsupportedModelsAreRejected(t *testing.T) {
	for _, c := range []struct{ model, name, value, want string }{
		{"generic4w", "solver.method", "adams-bashforth", "generated C has euler, heun, rk4 and linearly-implicit"},
		{"generic4w", "tire_FL.model", "sti:tyre.so", "the Standard Tyre Interface cannot be called"},

		{"passenger_car", "energy.record", "true", "generated C records no energy; use --set energy.record=false"},
	} {
		if err := Refusal(vehicleOf(t, c.model, c.name, c.value)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s: %v, want %s", c.name, c.value, err, c.want)
		}
	}
}

// testModel drives a vehicle in C and in the library, and returns the number of compared steps.
func testModel(t *testing.T, in *cosim.Instance, compiler string) (steps int) {
	t.Helper()
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	d := &twin{t: t, in: in, c: &vehicleInC{order: binary.NativeEndian}}
	d.plan, _ = in.Plan()
	in.NewWarnings() // those at the start
	program := compiled(t, generated(t, in), compiler)
	d.command()
	d.c.run(t, program)
	return d.compare()
}

// Results are bit-identical on other processors, also without vectors and with the other byte order.
func TestOtherMachinesAreBitIdenticalToLibrary(t *testing.T) {
	testrun.OnlyAll(t)
	for _, m := range []struct {
		compiler, machine string
		order             binary.ByteOrder
	}{
		{"aarch64-linux-gnu-gcc", "qemu-aarch64-static", binary.LittleEndian},
		{"arm-linux-gnueabihf-gcc", "qemu-arm-static", binary.LittleEndian},
		{"s390x-linux-gnu-gcc", "qemu-s390x-static", binary.BigEndian},
		{"riscv64-linux-gnu-gcc", "qemu-riscv64-static", binary.LittleEndian},
	} {
		for _, model := range []string{"generic4w", "passenger_car"} {
			t.Run(m.compiler+model, func(t *testing.T) {
				testrun.InStage(t, "compilers")
				testrun.Requires(t, m.compiler, m.machine)
				in := initialised(t, model, "solver.method", "rk4")
				in.NewWarnings()
				d := &twin{t: t, in: in, c: &vehicleInC{order: m.order}}
				d.plan, _ = in.Plan()
				program := compiled(t, generated(t, in), m.compiler+" -O2 -static")
				d.command()
				d.c.run(t, m.machine, program)
				d.compare()
			})
		}
	}
}

// twin is a vehicle in C and in the library.
type twin struct {
	t    *testing.T
	in   *cosim.Instance
	plan *cosim.Plan
	c    *vehicleInC
}

const driven = 1000 // steps

func (d *twin) step(k int) float64 {
	h := []float64{0.001, 0.0007, 0.01, 0.001}[k*4/driven]
	if d.in.System().HasDiscreteContacts() { // communication steps must be multiples of the solver step
		return math.Ceil(h/d.plan.LongestStep) * d.plan.LongestStep
	}
	return h
}

// inputs returns the inputs of a step and their rates; false for a step that leaves the inputs as they are.
func (d *twin) inputs(k int) (u, rate []float64, set bool) {
	p := d.in.System().Program()
	n := len(p.Inputs) - p.Controls
	u, rate = make([]float64, n), make([]float64, n)
	size := 0.01
	if k > driven*3/4 {
		size = 0.05
	}
	for i := range u {
		phase := float64(k)*0.01 + float64(i)
		u[i] = p.Inputs[i].Start + size*math.Sin(phase)
		if i%3 == 1 {
			rate[i] = size * math.Cos(phase)
		}
		if d.in.Check(d.in.System().First(cosim.Input)+i, u[i]) != nil {
			u[i], rate[i] = p.Inputs[i].Start, 0
		}
	}
	return u, rate, k%10 == 0 && k > driven*3/10
}

func (d *twin) command() {
	d.c.say('i')
	d.c.say('x')
	for k := range driven {
		if u, rate, set := d.inputs(k); set {
			d.c.say('u', u, rate)
		}
		d.c.say('s', []float64{d.step(k)})
		d.c.say('x')
		d.c.say('w')
		switch k {
		case driven / 2:
			d.c.say('v')
		case driven * 6 / 10:
			d.c.say('m')
		}
		if k%100 == 50 {
			d.c.say('y')
		}
	}
}

// compare returns the number of compared steps: fewer than all if the vehicle diverges.
func (d *twin) compare() (steps int) {
	t, in, s := d.t, d.in, d.in.System()
	t.Helper()
	if got := d.c.status(t); got != 0 {
		t.Fatalf("initialise: %d", got)
	}
	d.states(-1)
	for k := range driven {
		if u, rate, set := d.inputs(k); set {
			for i := range u {
				at := s.First(cosim.Input) + i
				if err := errors.Join(in.Set(at, u[i]), in.SetRate(at, rate[i])); err != nil {
					t.Fatal(err)
				}
			}
		}
		err := in.Step(d.step(k))
		status := d.c.status(t)
		far := slices.ContainsFunc(d.plan.X, func(x float64) bool { return math.Abs(x) >= 1<<20 })
		if status == 3 && err == nil && far {
			return k // arguments out of range, where the library continues with portable code
		}
		if (err != nil) != (status == 3) {
			t.Fatalf("step %d: status %d, in the library %v", k, status, err)
		}
		d.states(k)
		d.warnings(k, status)
		if k == driven/2 && d.c.status(t) != 0 {
			t.Fatal("a saved state is refused")
		}
		if k%100 == 50 {
			d.outputs(k)
		}
		if err != nil {
			return k // the vehicle has diverged in both
		}
	}
	return driven
}

// states compares states, inputs and time.
func (d *twin) states(k int) {
	t, p := d.t, d.in.System().Program()
	t.Helper()
	n := len(p.Inputs) - p.Controls
	got := d.c.numbers(t, 1+len(p.States)+n)
	if !same(got[0], d.in.Time()) {
		t.Fatalf("step %d: time %v, in the library %v", k, got[0], d.in.Time())
	}
	got = got[1:]
	for i := range p.States {
		if !same(got[i], d.plan.X[i]) {
			t.Fatalf("step %d: %s is %v, in the library %v", k, p.States[i].Name, got[i], d.plan.X[i])
		}
	}
	got = got[len(p.States):]
	for i := range n {
		if !same(got[i], d.plan.U[i]) {
			t.Fatalf("step %d: %s is %v, in the library %v", k, p.Inputs[i].Name, got[i], d.plan.U[i])
		}
	}
}

// warnings compares new warnings, and the condition that ended the run.
func (d *twin) warnings(k, status int) {
	t := d.t
	t.Helper()
	bits, ended := uint64(0), 0
	d.c.word(t, &bits)
	ended = d.c.status(t)
	w := &writer{in: d.in, plan: d.plan}
	var got, want []string
	for n, x := range w.warnings() {
		if bits>>n&1 == 1 && !slices.Contains(got, x.subject) {
			got = append(got, x.subject)
		}
	}
	if status < 2 && (bits != 0) != (status == 1) {
		t.Fatalf("step %d: status %d, warnings %x", k, status, bits)
	}
	for _, text := range d.in.NewWarnings() {
		subject, _, _ := strings.Cut(text, ":")
		if !slices.Contains(want, subject) && !strings.Contains(text, "later results are beyond") {
			want = append(want, subject)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(w.plan.Rows) <= mostWarnings && !slices.Equal(got, want) {
		t.Fatalf("step %d: warnings %q, in the library %q", k, got, want)
	}
	first := 0.0
	if i, has := d.in.System().Find("solver.ended"); has {
		first, _ = d.in.Get(i)
	}
	if ended != int(first)-1 {
		t.Fatalf("step %d: ended by %d, in the library by %v", k, ended, first)
	}
}

func (d *twin) outputs(k int) {
	t, s := d.t, d.in.System()
	t.Helper()
	if d.c.status(t) != 1 {
		t.Fatal("no outputs")
	}
	first := s.First(cosim.Output)
	got, values := d.c.numbers(t, s.First(cosim.Energy)-first), make([]float64, len(s.Variables()))
	if err := d.in.Values(values); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !same(got[i], values[first+i]) {
			t.Fatalf("step %d: %s is %v, in the library %v", k, s.Variables()[first+i].Name, got[i], values[first+i])
		}
	}
}
