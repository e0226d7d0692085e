package cosim_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// alone is a tire without a vehicle, at a load [N].
func alone(t *testing.T, function, file string, n float64) *run {
	t.Helper()
	r := instance(t, load(t, "tire_pacejka2002", ""), "rk4", 0.001)
	r.text("tire.model", function)
	r.text("tire.file", file)
	r.set("tire.Fz", n)
	r.set("tire.VCx", 20)
	r.set("tire.mu", 1)
	return r
}

func (r *run) text(name, value string) {
	r.Helper()
	if err := r.in.SetText(name, value); err != nil {
		r.Fatal(err)
	}
}

// now is a value that is computed, also before initialisation.
func (r *run) now(name string) float64 {
	r.Helper()
	if err := r.in.Prepare(); err != nil {
		r.Fatal(err)
	}
	return r.get(name)
}

// largest is the largest value of an output over an input from 0 to an end.
func (r *run) largest(output, input string, end float64) float64 {
	most := 0.0
	for k := range 4001 {
		r.set(input, end*float64(k)/4000)
		most = max(most, math.Abs(r.now(output)))
	}
	r.set(input, 0)
	return most
}

// slope is the derivative of an output by an input.
func (r *run) slope(output, input string) float64 {
	r.Helper()
	var result [1]float64
	if err := r.in.Directional([]int{r.variable(output)}, []int{r.variable(input)}, []float64{1},
		result[:]); err != nil {
		r.Fatal(err)
	}
	return result[0]
}

// published are the files of the functions that have scale factors, as the model tire_pacejka2002 names them.
var published = map[string]string{"Pacejka02": "../tires/pacejka2002.toml", "MF61": "../tires/mf61_205_60R15.tir",
	"MF62": "../tires/mf62_205_60R15.tir"}

// TestScaleFactorsScaleForcesAndStiffnesses: LMUX and LMUY scale the largest forces, LKX and LKY the stiffnesses
// without slip, before initialisation and between steps alike (Pacejka 2012, section 4.3.2). Shifts are scaled away.
func TestScaleFactorsScaleForcesAndStiffnesses(t *testing.T) {
	testrun.Slow(t)
	none := []string{"LHX", "LVX", "LHY", "LVY"}
	for function, file := range published {
		for _, between := range []bool{false, true} {
			r := alone(t, function, file, 4000)
			if between {
				if err := r.in.Initialise(); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range none {
				r.set("tire."+name, 0)
			}
			fx, fy := r.largest("tire.Fx", "tire.kappa", 0.5), r.largest("tire.Fy", "tire.alpha", 0.5)
			kx, ky := r.slope("tire.Fx", "tire.kappa"), r.slope("tire.Fy", "tire.alpha")
			for _, x := range []struct {
				factor string
				fx, fy float64 // of the largest forces
				kx, ky float64 // of the stiffnesses
			}{
				{factor: "LMUY", fx: 1, fy: 0.5, kx: 1, ky: 1}, {factor: "LMUX", fx: 0.5, fy: 1, kx: 1, ky: 1},
				{factor: "LKY", fx: 1, fy: 1, kx: 1, ky: 0.5}, {factor: "LKX", fx: 1, fy: 1, kx: 0.5, ky: 1},
			} {
				r.set("tire."+x.factor, 0.5)
				for what, pair := range map[string][2]float64{
					"largest Fx": {r.largest("tire.Fx", "tire.kappa", 0.5), x.fx * fx},
					"largest Fy": {r.largest("tire.Fy", "tire.alpha", 0.5), x.fy * fy},
				} {
					if math.Abs(pair[0]-pair[1]) > 1e-3*pair[1] {
						t.Errorf("%s, %s = 0.5, between steps %v: %s is %g N, want %g", function, x.factor, between,
							what, pair[0], pair[1])
					}
				}
				for what, pair := range map[string][2]float64{"dFx/dkappa": {r.slope("tire.Fx", "tire.kappa"),
					x.kx * kx}, "dFy/dalpha": {r.slope("tire.Fy", "tire.alpha"), x.ky * ky}} {
					if math.Abs(pair[0]-pair[1]) > 1e-13*math.Abs(pair[1]) {
						t.Errorf("%s, %s = 0.5, between steps %v: %s is %.17g N, want %.17g", function, x.factor,
							between, what, pair[0], pair[1])
					}
				}
				r.set("tire."+x.factor, 1)
			}
		}
	}
}

// coefficientsOf returns the numbers of the tires by name.
func (r *run) coefficientsOf() map[string]cosim.TireVariable {
	all := map[string]cosim.TireVariable{}
	for _, c := range r.in.Coefficients() {
		if _, twice := all[c.Name]; twice {
			r.Errorf("%s is listed twice", c.Name)
		}
		all[c.Name] = c
	}
	return all
}

// TestCoefficientsOfAnotherFileEqualThatFile: a vehicle with the numbers of a second file set over the first file is
// bit-identical to a vehicle on the second file. The relaxation has its own parameters, which stay.
func TestCoefficientsOfAnotherFileEqualThatFile(t *testing.T) {
	text, err := os.ReadFile("../resources/tires/pacejka2002.toml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines { // every third number is changed
		key, value, _ := strings.Cut(line, " = ")
		value, _, _ = strings.Cut(value, " #")
		if v, err := strconv.ParseFloat(value, 64); err == nil && i%3 == 0 {
			lines[i] = fmt.Sprintf("%s = %.17g", key, 1.02*v)
		}
	}
	other := filepath.Join(t.TempDir(), "other.toml")
	if err := os.WriteFile(other, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s := load(t, "generic4w", "")
	on := func(file string) *run {
		r := instance(t, s, "heun", 0.001)
		for _, c := range corners {
			r.text("tire_"+c+".file", file)
		}
		return r
	}
	want, got, file := on(other), on("../tires/pacejka2002.toml"), on("../tires/pacejka2002.toml")
	differ := 0
	now := got.coefficientsOf()
	for name, c := range want.coefficientsOf() {
		if c.Start != now[name].Start {
			got.set(name, c.Start)
			differ++
		}
		if got.get(name) != c.Start {
			t.Errorf("%s is %g, want %g", name, got.get(name), c.Start)
		}
	}
	if differ < 4*20 {
		t.Fatalf("%d numbers differ", differ)
	}
	for _, r := range []*run{want, got, file} {
		r.start(genericSine)
		for k := range 200 {
			genericSine(r, float64(k)*0.005)
			if err := r.in.Step(0.005); err != nil {
				t.Fatal(err)
			}
		}
	}
	unlike := false
	a, b, c := want.values(), got.values(), file.values()
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			t.Fatalf("%s is %g, on the file %g", s.Variables()[i].Name, b[i], a[i])
		}
		unlike = unlike || a[i] != c[i]
	}
	if !unlike {
		t.Error("the files make no difference")
	}
}

// TestCoefficientsEqualTheirFiles: the coefficients of each function with a file have the names of the file, and form a
// complete set.
func TestCoefficientsEqualTheirFiles(t *testing.T) {
	for function, x := range map[string]struct {
		file  string
		count int
		some  map[string]float64
	}{
		"Pacejka02": {"../tires/pacejka2002.tir", 117 + 8, map[string]float64{"FNOMIN": 4850, "LFZO": 1}},
		"MF61":      {"../tires/mf61_205_60R15.tir", 0, map[string]float64{"INFLPRES": 240000, "PCX1": 1.62}},
		"Fiala":     {"../tires/fiala_generic4w.toml", 6, nil},
		"Brush":     {"../tires/brush_generic4w.toml", 6, nil},
	} {
		r := alone(t, function, x.file, 3000)
		all := r.coefficientsOf()
		if x.count > 0 && len(all) != x.count {
			t.Errorf("%s has %d coefficients, want %d", function, len(all), x.count)
		}
		for name, want := range x.some {
			if got := r.get("tire." + name); got != want {
				t.Errorf("%s of %s is %g, in the file %g", name, function, got, want)
			}
		}
		for name, c := range all {
			if got := r.get(name); got != c.Start || c.Text == "" || c.Unit == "" {
				t.Errorf("%s is %g, listed with %g, %q, %q", name, got, c.Start, c.Unit, c.Text)
			}
			if want := strings.HasPrefix(name, "tire.L") && !strings.HasPrefix(name, "tire.LONG") &&
				!strings.HasPrefix(name, "tire.LAT"); c.Tunable != want {
				t.Errorf("%s is tunable: %v", name, c.Tunable)
			}
		}
	}
	r := instance(t, load(t, "passenger_car", ""), "heun", 0.001)
	for _, name := range []string{"tire_FL.PKY1", "tire_FL.relaxation.PKY1", "tire_FL.LONGITUDINAL_STIFFNESS"} {
		if _, ok := r.coefficientsOf()[name]; !ok {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range []string{"tire_FL.relaxation.LONGITUDINAL_STIFFNESS", "tire_FL.relaxation.LMUY",
		"tire_FL.side", "tire_FL.mass"} {
		if _, ok := r.coefficientsOf()[name]; ok {
			t.Errorf("there is a %s", name)
		}
	}
}

// TestRelaxationHasItsOwnCoefficients: doubling the stiffness of the carcass halves the time constant of slip
// relaxation (sigma = K/C). The number of the same name in the force function has no effect on relaxation.
func TestRelaxationHasItsOwnCoefficients(t *testing.T) {
	text, err := os.ReadFile("../resources/models/passenger_car.toml")
	if err != nil {
		t.Fatal(err)
	}
	delayed := string(text) + `
[component.tire_FL.slip]
method = "delayed"
relaxation = { function = "MFRelaxation", file = "../tires/mf61_205_60R15.tir" }
`
	rate := func(name string, factor float64) float64 {
		r := fromText(t, delayed, "")
		r.set("tire_FL.q2", 0.05)
		r.set(name, factor*r.get(name))
		return r.now("der(tire_FL.q2)")
	}
	plain := rate("tire_FL.LMUX", 1)
	if double := rate("tire_FL.LATERAL_STIFFNESS", 2); math.Abs(double-2*plain) > 1e-9*math.Abs(plain) {
		t.Errorf("twice the stiffness: rate %g, want %g", double, 2*plain)
	}
	if half := rate("tire_FL.relaxation.LKY", 2); math.Abs(half-plain/2) > 1e-9*math.Abs(plain) {
		t.Errorf("twice the cornering stiffness of the relaxation: rate %g, want %g", half, plain/2)
	}
	if same := rate("tire_FL.LKY", 2); same != plain {
		t.Errorf("LKY of the forces: rate %g, want %g", same, plain)
	}
}

// wear gives vehicle i a friction of its own, at a time.
func wear(r *run, i int, t float64) {
	r.set("tire_FL.LMUY", 1-0.05*float64(i)-0.1*t)
	r.set("tire_RR.LKX", 1+0.02*float64(i)*t)
	r.set("tire_RL.LSGAL", 1+0.1*float64(i))
}

// TestFleetsOfDifferentCoefficientsStepLikeSingleInstances, also where they change between steps, for lanes of machine
// code, the implicit method and portable code.
func TestFleetsOfDifferentCoefficientsStepLikeSingleInstances(t *testing.T) {
	for _, model := range []string{"generic4w", "passenger_car"} {
		for _, method := range []string{"heun", "linearly-implicit"} {
			if testing.Short() && (model == "passenger_car" || method == "linearly-implicit") {
				continue
			}
			s := load(t, model, "")
			make := func(code string) []*run {
				var list []*run
				for i := range 6 {
					r := instance(t, s, method, 0.001)
					r.text("solver.code", code)
					r.set("tire_FL.PKY1", r.get("tire_FL.PKY1")*(1+0.01*float64(i)))
					r.start(noInput)
					list = append(list, r)
				}
				return list
			}
			single, portable, together := make("native"), make("portable"), make("native")
			f, err := cosim.NewFleet(instancesOf(together))
			if err != nil {
				t.Fatal(err)
			}
			for k := range 30 {
				now := float64(k) * 0.002
				for i := range single {
					for _, r := range []*run{single[i], portable[i], together[i]} {
						if model == "generic4w" {
							steer([]*run{r}, now)
							wear(r, i, now)
						} else {
							r.set("tire_FL.LMUY", 1-0.05*float64(i)-now)
							r.set("tire_FL.relaxation.LKY", 1+0.05*float64(i)+now)
						}
					}
					for _, r := range []*run{single[i], portable[i]} {
						if err := r.in.Step(0.002); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := errors.Join(f.Step(0.002, 2)...); err != nil {
					t.Fatal(err)
				}
			}
			differ := false
			for i := range single {
				a, b, c := single[i].values(), together[i].values(), portable[i].values()
				for n := range a {
					if math.Float64bits(a[n]) != math.Float64bits(b[n]) ||
						math.Float64bits(a[n]) != math.Float64bits(c[n]) {
						t.Fatalf("%s, %s, vehicle %d: %s is %.17g alone, %.17g in the fleet, %.17g by portable code",
							model, method, i, s.Variables()[n].Name, a[n], b[n], c[n])
					}
				}
				differ = differ || single[i].get("body.wz") != single[0].get("body.wz")
			}
			if !differ && model == "generic4w" {
				t.Errorf("%s, %s: coefficients make no difference", model, method)
			}
		}
	}
}

// TestCoefficientsSetBetweenStepsEqualANewStart: after a change, rates and their derivatives equal the values of
// an instance that was initialised with the change, in the same state.
func TestCoefficientsSetBetweenStepsEqualANewStart(t *testing.T) {
	s := load(t, "generic4w", "")
	for _, code := range []string{"native", "portable"} {
		for _, method := range []string{"heun", "linearly-implicit"} {
			changed, fresh := instance(t, s, method, 0.001), instance(t, s, method, 0.001)
			factors := map[string]float64{"tire_FL.LMUY": 0.6, "tire_RL.LKY": 1.3, "tire_FL.LSGKP": 2}
			for _, r := range []*run{changed, fresh} {
				r.text("solver.code", code)
				if r == fresh {
					for name, v := range factors {
						r.set(name, v)
					}
				}
				r.set("body.vy", 0.8)
				r.start(noInput)
			}
			changed.get("body.ay")
			before := changed.slope("der(body.wz)", "tire_FL.q2")
			for name, v := range factors {
				changed.set(name, v)
			}
			for k := range 3 {
				a, b := changed.values(), fresh.values()
				for i := range a {
					if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
						t.Fatalf("%s, %s, step %d: %s is %g, want %g", code, method, k,
							s.Variables()[i].Name, a[i], b[i])
					}
				}
				got, want := changed.slope("der(body.wz)", "tire_FL.q2"), fresh.slope("der(body.wz)", "tire_FL.q2")
				if got != want || k == 0 && got == before {
					t.Errorf("%s, %s, step %d: the derivative is %g, of a new start %g, before %g", code, method, k,
						got, want, before)
				}
				for _, r := range []*run{changed, fresh} {
					if err := r.in.Step(0.005); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestCoefficientsStayUntilReset: set values survive a change of file or function, in either order. Initialisation
// rejects, by name, values that the function lacks.
func TestCoefficientsStayUntilReset(t *testing.T) {
	r := alone(t, "Pacejka02", "../tires/pacejka2002.toml", 4000)
	file := r.get("tire.PKY1")
	r.set("tire.PKY1", -10)
	r.text("tire.model", "MF61")
	r.text("tire.file", "../tires/mf61_205_60R15.tir")
	if got := r.get("tire.FNOMIN"); got != 4000 {
		t.Errorf("FNOMIN is %g N after another file, which has 4000 N", got)
	}
	if r.get("tire.PKY1") != -10 {
		t.Errorf("PKY1 is %g after another file", r.get("tire.PKY1"))
	}
	r.set("tire.PPY1", 0.3)
	r.text("tire.model", "Pacejka02")
	r.text("tire.file", "../tires/pacejka2002.toml")
	err := r.in.Initialise()
	if err == nil || !strings.Contains(err.Error(), "tire.PPY1") || !strings.Contains(err.Error(), "Pacejka02") {
		t.Errorf("a coefficient that the function lacks: %v", err)
	}
	r.in.Reset()
	if r.get("tire.PKY1") != file {
		t.Errorf("PKY1 is %g after a reset, in the file %g", r.get("tire.PKY1"), file)
	}
	if err := r.in.Initialise(); err != nil {
		t.Error(err)
	}
}

// TestWrongCoefficientsAreRefusedByName, and change nothing.
func TestWrongCoefficientsAreRefusedByName(t *testing.T) {
	r := alone(t, "MF61", "../tires/mf61_205_60R15.tir", 4000)
	refused := func(name string, v float64, says ...string) {
		t.Helper()
		i, ok := r.sys.FindCoefficient(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		before, _ := r.in.Get(i)
		checked, err := r.in.Check(i, v), r.in.Set(i, v)
		if after, _ := r.in.Get(i); err == nil || checked == nil || checked.Error() != err.Error() || after != before {
			t.Errorf("%s = %g: %v, %v", name, v, err, checked)
			return
		}
		for _, text := range append(says, name) {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s = %g: %v does not say %q", name, v, err, text)
			}
		}
	}
	refused("tire.LMUY", -1, "positive")
	refused("tire.LMUY", math.NaN(), "finite")
	refused("tire.PKY1", math.Inf(1), "finite")
	refused("tire.PKY2", 0, "positive")
	refused("tire.LGAX", 1, "no such coefficient", "MF61")
	refused("tire.relaxation.LMUY", 1, "no such coefficient")
	car := instance(t, load(t, "generic4w", ""), "heun", 0.001)
	if i, _ := car.sys.FindCoefficient("tire_FL.relaxation.LSGAL"); !strings.Contains(fmt.Sprint(car.in.Set(i, 1)),
		"it is called tire_FL.LSGAL") {
		t.Error(car.in.Set(i, 1))
	}
	r.set("tire.KPUMIN", 0.2) // other settings can make a range right
	r.set("tire.KPUMAX", 0.1)
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), "Smin") {
		t.Errorf("an empty range: %v", err)
	}
	r.set("tire.KPUMIN", -0.1)
	r.set("tire.Fz", 4000)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	refused("tire.PKY1", 20, "after initialisation", "scale factors")
	refused("tire.LMUY", 0, "positive")
	for _, none := range []string{"tire", "tire.", "tire.side", "other.LMUY", "tire.relaxation", ".LMUY"} {
		if i, ok := r.sys.FindCoefficient(none); ok {
			t.Errorf("%q is coefficient %d", none, i)
		}
	}
	last := 0
	for _, c := range r.in.Coefficients() {
		last = max(last, c.Index)
	}
	for _, index := range []int{-1, last + 100000} {
		if _, err := r.in.Get(index); err == nil || r.in.Set(index, 1) == nil || r.in.SetRate(index, 1) == nil ||
			r.in.Directional([]int{0}, []int{index}, []float64{1}, []float64{0}) == nil {
			t.Errorf("variable %d is accepted", index)
		}
	}
	if err := r.in.SetRate(last, 1); err == nil || !strings.Contains(err.Error(), "not an input") {
		t.Errorf("the rate of a coefficient: %v", err)
	}
}

// TestSetRangesApply: a set limit of the slip angle limits the force to the force at the limit, and a tire beyond the
// limit is reported.
func TestSetRangesApply(t *testing.T) {
	r := alone(t, "MF61", "../tires/mf61_205_60R15.tir", 4000)
	r.set("tire.alpha", 0.05)
	want := r.now("tire.Fy")
	r.set("tire.ALPMAX", 0.05)
	r.set("tire.alpha", 0.2)
	if got := r.now("tire.Fy"); got != want {
		t.Errorf("%g N beyond the limit, %g N at it", got, want)
	}
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if texts := r.in.RangeWarnings(); len(texts) != 1 || !strings.Contains(texts[0], "alpha") {
		t.Errorf("excursions: %q", texts)
	}
}

// TestStepsWithCoefficientsAllocateNothing, nor do saved states.
func TestStepsWithCoefficientsAllocateNothing(t *testing.T) {
	for _, method := range []string{"heun", "linearly-implicit"} {
		r := instance(t, load(t, "generic4w", ""), method, 0.001)
		r.set("tire_FL.PKY1", 20)
		r.start(noInput)
		r.set("tire_FL.LMUY", 0.7)
		state := make([]byte, r.in.StateSize())
		if n := testing.AllocsPerRun(20, func() {
			if r.in.Step(0.002) != nil || r.in.Save(state) != nil {
				t.Error("step failed")
			}
		}); n != 0 {
			t.Errorf("%s: %g allocations", method, n)
		}
	}
}

// TestDerivativesWithCoefficientsFollowTheForces: against differences, after a change between steps.
func TestDerivativesWithCoefficientsFollowTheForces(t *testing.T) {
	for function, file := range published {
		r := alone(t, function, file, 4000)
		r.set("tire.PCY1", 1.1*r.get("tire.PCY1"))
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		r.set("tire.LMUY", 0.6)
		r.set("tire.LKY", 1.4)
		const at, h = 0.06, 1e-5
		r.set("tire.alpha", at+h)
		up := r.now("tire.Fy")
		r.set("tire.alpha", at-h)
		down := r.now("tire.Fy")
		r.set("tire.alpha", at)
		if got, want := r.slope("tire.Fy", "tire.alpha"), (up-down)/(2*h); math.Abs(got-want) > 1e-5*math.Abs(want) {
			t.Errorf("%s: dFy/dalpha is %g, by differences %g", function, got, want)
		}
	}
}
