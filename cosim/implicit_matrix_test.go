package cosim

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
	"skidpad/tire/machinecode"

	"gonum.org/v1/gonum/mat"
)

// matrixBehind is the J of (I - c J) k = b, found from solutions for unit vectors b.
func matrixBehind(in *Instance, matrix string, c float64) *mat.Dense {
	in.linearisation = in.machine.Linearisation(matrixOf(matrix))
	n := len(in.sys.program.States)
	k := make([]float64, len(in.x))
	in.linearise(0, in.x, k, c)
	inverse := mat.NewDense(n, n, nil)
	for j := range n {
		b := make([]float64, len(in.x))
		b[j] = 1
		problem{in}.Solve(b)
		for i := range n {
			inverse.Set(i, j, b[i])
		}
	}
	var m mat.Dense
	if err := m.Inverse(inverse); err != nil {
		return nil
	}
	m.Scale(-1/c, &m)
	for i := range n {
		m.Set(i, i, m.At(i, i)+1/c)
	}
	return &m
}

// Every fast mode of the exact matrix is a mode of the tangent matrix: springs, bushings, tires and dampers have the
// same signs and sizes, in all axes and on all coordinates.
func TestTheTangentMatrixHasTheStiffModes(t *testing.T) {
	const fast, off = 100, 0.2
	testrun.Slow(t)
	for _, model := range []string{"passenger_car", "tractor_semitrailer", "redbike", "motorcycle3d", "formula_student",
		"road_car", "truck3", "wheel"} {
		in := begun(t, model, "exact", 0.001)
		if err := in.Step(0.05); err != nil {
			t.Fatal(err)
		}
		var values [2][]complex128
		for i, name := range []string{"exact", "tangent"} {
			values[i] = eigenvaluesOf(t, in, name, 0.0003)
		}
		checked := 0
		for _, want := range values[0] {
			if cmplx.Abs(want) < fast {
				continue
			}
			nearest := cmplx.Inf()
			for _, got := range values[1] {
				if cmplx.Abs(got-want) < cmplx.Abs(nearest-want) {
					nearest = got
				}
			}
			if checked++; !(cmplx.Abs(nearest-want) < off*cmplx.Abs(want)) {
				t.Errorf("%s: the mode %.4g of the exact matrix is %.4g", model, want, nearest)
			}
		}
		if checked == 0 {
			t.Errorf("%s has no fast modes", model)
		}
	}
}

// eigenvaluesOf are the eigenvalues of a matrix.
func eigenvaluesOf(t *testing.T, in *Instance, matrix string, c float64) []complex128 {
	t.Helper()
	m := matrixBehind(in, matrix, c)
	var e mat.Eigen
	if m == nil || !e.Factorize(m, mat.EigenNone) {
		t.Fatalf("the %s matrix has no eigenvalues", matrix)
	}
	return e.Values(nil)
}

// stiffOf is an instance of a model at its start, by linearly-implicit.
func stiffOf(t *testing.T, text string) *Instance {
	t.Helper()
	s, err := New(parsed(t, text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	if err := in.SetText(MethodVariable, "linearly-implicit"); err != nil {
		t.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return in
}

// Inertia loads of a free body and of a rotor on it: the derivatives of all accelerations by speeds are in the tangent
// matrix, too.
func TestTheTangentMatrixHasInertiaLoads(t *testing.T) {
	in := stiffOf(t, `name = "Rotor"
gravity = 0
[component.carrier]
type = "rigid-body"
mass = 3
inertia = { xx = 0.02, yy = 0.03, zz = 0.01 }
start = { velocity = [5, -3, 2], angular_velocity = [20, -30, 40] }
[component.spin]
type = "revolute"
from = "carrier"
to = "rotor"
axis = "y"
start = { omega = 500 }
[component.rotor]
type = "rigid-body"
mass = 10
inertia = { xx = 0.15, yy = 0.25, zz = 0.15 }
`)
	exact, tangent := matrixBehind(in, "exact", 1e-3), matrixBehind(in, "tangent", 1e-3)
	for i := range in.sys.program.Speeds {
		for j := range in.sys.program.Speeds {
			if !(math.Abs(tangent.At(i, j)-exact.At(i, j)) < 1e-6*mat.Max(exact)) {
				t.Errorf("entry %d, %d is %g, in the exact matrix %g", i, j, tangent.At(i, j), exact.At(i, j))
			}
		}
	}
}

// A stiff spring and damper to an end that moves keep the order 2.
func TestMovedEndsKeepTheOrder(t *testing.T) {
	const text = `name = "Shaken"
gravity = 0
[component.shaker]
type = "motion-driver"
from = "ground"
to = "table"
axis = "z"
kind = "translation"
[component.guide]
type = "prismatic"
from = "ground"
to = "load"
axis = "z"
[component.load]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.arm]
type = "rigid-arm"
from = "load"
to = "top"
translation = [0, 0, 1]
[component.spring]
type = "spring-damper"
from = "table"
to = "top"
stiffness = 2e4
damping = 300
free_length = 1
`
	end := func(h float64) float64 {
		in := stiffOf(t, text+"[solver]\nstep = 0.01\n")
		for now := 0.0; now < 0.2-h/2; now += h {
			moves(t, in, "shaker.position", 0.1, now)
			if err := in.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		return in.x[slices.IndexFunc(in.sys.program.States, func(v program.Variable) bool { return v.Name == "guide.s" })]
	}
	fine := end(1e-5)
	coarse, half := math.Abs(end(2e-3)-fine), math.Abs(end(1e-3)-fine)
	if !(coarse > 1e-9 && coarse > 3.4*half) {
		t.Errorf("the errors are %.3g and %.3g, by steps of half the length", coarse, half)
	}
}

// begun is an instance of a shipped model at its start, by linearly-implicit with a matrix.
func begun(t *testing.T, model, matrix string, step float64) *Instance {
	t.Helper()
	s, err := SharedModel(model, "")
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{MethodVariable: "linearly-implicit", jacobianVariable: matrix} {
		if err := in.SetText(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Set(s.index[StepVariable], step); err != nil {
		t.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return in
}

// moves sets an input to a sine of 1 Hz, and its rate and acceleration where it is a motion.
func moves(t *testing.T, in *Instance, name string, size, now float64) {
	t.Helper()
	const w = 2 * math.Pi
	sin, cos := math.Sincos(w * now)
	of := name[:strings.LastIndex(name, ".")]
	for name, value := range map[string]float64{name: size * sin, of + ".rate": size * w * cos,
		of + ".acceleration": -size * w * w * sin} {
		if i, found := in.sys.index[name]; found && in.sys.variables[i].Kind == Input {
			if err := in.Set(i, value); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// swerve is a run with a sine on some inputs. It returns the states every 8 ms, nil if the run fails.
func swerve(t *testing.T, in *Instance, inputs string, size, h, to float64) (list [][]float64) {
	t.Helper()
	const every = 0.008
	for now := 0.0; now < to-every/2; now += every {
		for name := range strings.FieldsSeq(inputs) {
			moves(t, in, name, size, now)
		}
		for range int(math.Round(every / h)) {
			if err := in.Step(h); err != nil {
				t.Log(err)
				return nil
			}
		}
		list = append(list, append([]float64(nil), in.x...))
	}
	return list
}

// deviation is the largest deviation of each state by its largest value, as a root mean square over the states.
func deviation(a, b [][]float64) float64 {
	sum := 0.0
	for i := range b[0] {
		worst, largest := 0.0, 1e-3
		for k := range b {
			worst, largest = max(worst, math.Abs(a[k][i]-b[k][i])), max(largest, math.Abs(b[k][i]))
		}
		sum += worst / largest * (worst / largest)
	}
	return math.Sqrt(sum / float64(len(b[0])))
}

// Steps with the tangent matrix are as accurate as steps with the exact matrix, and as stable.
func TestTheTangentMatrixIsAsAccurateAsTheExactOne(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		model, inputs string
		size          float64
	}{
		{"generic4w", "steer_FL.angle steer_FR.angle", 0.01},
		{"generic4w", "brake_FL.torque brake_FR.torque brake_RL.torque brake_RR.torque", 700},
		{"passenger_car", "steering.angle", 0.3},
		{"formula_student", "steering_S.angle", 0.2},
		{"road_car", "steering_S.angle", 0.3},
		{"car_trailer", "steer_FL.angle steer_FR.angle", 0.01},
	} {
		for _, h := range testrun.Either([]float64{0.002, 0.008}, []float64{0.001, 0.002, 0.004, 0.008}) {
			run := func(matrix string, step float64) [][]float64 { // carcasses know h, whatever the step
				return swerve(t, begun(t, c.model, matrix, h), c.inputs, c.size, step, 0.6)
			}
			fine, exact, tangent := run("exact", 1e-4), run("exact", h), run("tangent", h)
			if fine == nil {
				t.Fatalf("%s: no fine run", c.model)
			}
			if exact == nil {
				continue
			}
			if tangent == nil {
				t.Errorf("%s, %g s: only steps with the exact matrix are stable", c.model, h)
				continue
			}
			e, d := deviation(exact, fine), deviation(tangent, fine)
			t.Logf("%s %s, %g s: %.2g and %.2g", c.model, c.inputs, h, e, d)
			if !(d <= 1.5*e) {
				t.Errorf("%s, steps of %g s: with the tangent matrix %.2g off, with the exact one %.2g", c.model, h, d, e)
			}
		}
	}
}

// The order of the method is 2 with the tangent matrix, on every shipped model, from a state beside the start. Where
// the motion has kinks, steps with the exact matrix are not of order 2 either.
func TestTheTangentMatrixKeepsTheOrder(t *testing.T) {
	testrun.OnlyAll(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		t.Run(name, func(t *testing.T) {
			if s, err := SharedModel(name, ""); err != nil {
				t.Fatal(err)
			} else if len(s.program.Contacts) > 0 {
				t.Skip("wheel contacts act between steps")
			}
			exact, tangent := deviations(t, name, "exact"), deviations(t, name, "tangent")
			order := func(of [3]float64) float64 { return math.Log2(of[0]/of[2]) / 2 }
			t.Logf("order %.2f, with the exact matrix %.2f", order(tangent), order(exact))
			if !(tangent[0] < 1e-10 || order(tangent) > min(1.8, order(exact)-0.1)) {
				t.Errorf("the order is not 2: deviations are %.2g with halved steps", tangent)
			}
		})
	}
}

// deviations are the deviations of 20 ms by steps of 0.2, 0.1 and 0.05 ms from steps of 0.01 ms.
func deviations(t *testing.T, model, matrix string) (list [3]float64) {
	t.Helper()
	var ends [4][]float64
	for i, h := range []float64{2e-4, 1e-4, 5e-5, 1e-5} {
		in := begun(t, model, matrix, 2e-4)
		r := rand.New(rand.NewPCG(7, 8))
		for k := range in.x {
			if in.sys.program.Constraints == 0 {
				in.x[k] += 1e-6 * r.NormFloat64()
			}
		}
		in.fresh = false
		for range int(math.Round(0.02 / h)) {
			if err := in.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		ends[i] = append([]float64(nil), in.x...)
	}
	for i := range list {
		for k, x := range ends[i] {
			list[i] += (x - ends[3][k]) * (x - ends[3][k]) / (1 + x*x)
		}
		list[i] = math.Sqrt(list[i])
	}
	return list
}

// The stabilisation of constraints is a stiff mode of the tangent matrix, too.
func TestTheTangentMatrixKnowsTheStabilisation(t *testing.T) {
	const rate = 400 // 1/s
	in := stiffOf(t, fmt.Sprintf(`name = "Hanging"
[component.beam]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.2, zz = 0.2 }
start = { position = [0.4, 0.1, -0.5], angles = [0.2, 0.3, 0.1] }
[component.end]
type = "rigid-arm"
from = "beam"
to = "tip"
translation = [0.4, 0.1, 0.05]
[component.first]
type = "rod"
from = "ground"
to = "beam"
length = 0.65
[component.second]
type = "rod"
from = "ground"
to = "tip"
length = 0.9
[[tree]]
name = "bodies"
baumgarte = { alpha = %[1]d, beta = %[1]d }
`, rate))
	values := eigenvaluesOf(t, in, "tangent", 1e-4)
	found := 0
	for _, v := range values { // double ones, which rounding splits by its root
		if cmplx.Abs(v+rate) < 1e-3*rate {
			found++
		}
	}
	if found != 4 {
		t.Errorf("the modes are %.4g, want %d four times", values, -rate)
	}
}

// The geometry is held: the tangent matrix takes a third of the operations of the exact one.
func TestTheTangentMatrixIsCheap(t *testing.T) {
	testrun.Slow(t)
	for model, most := range map[string]float64{"generic4w": 0.55, "passenger_car": 0.36, "formula_student": 0.3} {
		in := begun(t, model, "tangent", 0.001)
		wanted := make([][]int, len(in.sys.program.Calls))
		for i := range wanted {
			for _, name := range in.tires.callees[i].Inputs {
				wanted[i] = append(wanted[i], slices.Index(in.sys.program.Calls[i].Inputs, name))
			}
		}
		tangent := in.sys.program.Implicit(program.Tangent, wanted).Cost
		exact := in.sys.program.Implicit(program.Exact, wanted).Cost
		share := float64(tangent.Total()) / float64(exact.Total())
		if !(share < most) {
			t.Errorf("%s: the tangent matrix takes %.2f of the operations of the exact one, want less than %g", model, share,
				most)
		}
		t.Logf("%s: %.2f", model, share)
	}
}

// codeOfImplicitStep is the length of the machine code that a step by linearly-implicit runs, tires included.
func codeOfImplicitStep(t *testing.T, model, matrix string) (bytes int) {
	t.Helper()
	plan, why := begun(t, model, matrix, 0.001).Plan()
	if plan == nil {
		t.Fatal(why)
	}
	counted := map[*machinecode.Code]bool{nil: true}
	add := func(c *machinecode.Code) {
		if !counted[c] {
			bytes, counted[c] = bytes+c.Bytes, true
		}
	}
	evaluations := []*program.Straight{plan.Rates, plan.Linear.At}
	add(plan.Linear.Factors.Code)
	add(plan.Linear.Solves.Code)
	if c := plan.Linear.Correction; c != nil {
		evaluations = append(evaluations, c.Residuals)
		add(c.Run.Code)
	}
	for _, e := range evaluations {
		add(e.Collect)
		for _, part := range e.Parts {
			add(part.Copy)
			for _, run := range part.Runs {
				add(run.Code)
			}
		}
	}
	return bytes
}

// With the tangent matrix half of the machine code remains.
func TestCodeOfAnImplicitStep(t *testing.T) {
	testrun.Slow(t)
	if !machinecode.Callable {
		t.Skip("no machine code that C can call")
	}
	for _, model := range []string{"passenger_car", "formula_student"} {
		tangent, exact := codeOfImplicitStep(t, model, "tangent"), codeOfImplicitStep(t, model, "exact")
		t.Logf("%s: %d kB, %d kB", model, tangent/1000, exact/1000)
		if tangent < 1000 || float64(tangent) > 0.52*float64(exact) {
			t.Errorf("%s: the code of a step has %d bytes, with the exact matrix %d", model, tangent, exact)
		}
	}
}

// A car on rods and joints keeps its constraints while its rack moves, and the violation does not grow.
func TestImplicitStepsKeepConstraints(t *testing.T) {
	testrun.Slow(t)
	in := begun(t, "formula_student", "tangent", 0.001)
	var worst [2]float64
	fastest := 0.0
	for k := range 4000 {
		moves(t, in, "steering_S.angle", 0.3, float64(k)*0.001)
		if err := in.Step(0.001); err != nil {
			t.Fatal(err)
		}
		if position, rate := in.Violation(); k > 100 {
			worst[k/2000], fastest = max(worst[k/2000], position), max(fastest, rate)
		}
	}
	t.Logf("%.2g m, %.2g m/s", worst, fastest)
	if !(worst[0] < 1e-9 && worst[1] < 1.2*worst[0]+1e-12 && fastest < 1e-6) {
		t.Errorf("the constraints are violated by %.2g m, then %.2g m, and by %.2g m/s", worst[0], worst[1], fastest)
	}
}
