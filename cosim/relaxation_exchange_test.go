package cosim_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/tire"
)

// lengths writes the parameters of ConstantLength.
func lengths(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lengths.toml")
	text := "function = \"ConstantLength\"\n[parameters]\nBlong = 0.31\nBlat = 0.57\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(file)
}

// relaxed gives tires a relaxation function at load time.
func (r *run) relaxed(function, file string, tires ...string) {
	r.Helper()
	for _, c := range tires {
		r.text("tire_"+c+".relaxation.model", function)
		r.text("tire_"+c+".relaxation.file", file)
	}
}

// written is the generic vehicle with another kind of relaxation function in its file, and a method of slip.
func written(t *testing.T, method, relaxation string) *cosim.System {
	t.Helper()
	return edited(t, func(text string) string {
		text = strings.ReplaceAll(text, `method = "delayed"`, `method = "`+method+`"`)
		return strings.ReplaceAll(text, ownRelaxation, relaxation)
	}, nil)
}

const ownRelaxation = `relaxation = { function = "StretchedString", file = "../tires/stretched_string.toml" }`

// wobble steers and brakes.
func wobble(r *run, t float64) {
	for i, c := range corners {
		r.set("brake_"+c+".torque", 300+100*float64(i))
	}
	r.steer(0.03 * math.Sin(6*t))
}

// TestReplacedRelaxationEqualsModelFileRelaxation, to the last bit: trajectories, derivatives, saved states and
// coefficients, with delayed slip and with carcasses, in machine code and without.
func TestReplacedRelaxationEqualsModelFileRelaxation(t *testing.T) {
	testrun.Slow(t)
	file := lengths(t)
	for _, method := range []string{"delayed", "carcass"} {
		own, other := written(t, method, ownRelaxation),
			written(t, method, `relaxation = { function = "ConstantLength", file = "`+file+`" }`)
		for _, solver := range []string{"euler", "rk4", "linearly-implicit"} {
			for _, code := range []string{"native", "portable"} {
				a, b := instance(t, own, solver, 0.001), instance(t, other, solver, 0.001)
				a.relaxed("ConstantLength", file, corners...)
				for _, r := range []*run{a, b} {
					r.text("solver.code", code)
					r.start(wobble)
					r.drive(wobble, 0.001, 0.2)
				}
				if x, y := a.values(), b.values(); !slices.Equal(x, y) {
					t.Errorf("%s, %s, %s: the replaced function moves the vehicle differently", method, solver, code)
				}
				a, b = instance(t, own, solver, 0.001), instance(t, other, solver, 0.001) // and the other way
				b.relaxed("StretchedString", "../tires/stretched_string.toml", corners...)
				for _, r := range []*run{a, b} {
					r.text("solver.code", code)
					r.start(wobble)
					r.drive(wobble, 0.001, 0.05)
				}
				if x, y := a.values(), b.values(); !slices.Equal(x, y) {
					t.Errorf("%s, %s, %s: the function of the load moves the vehicle differently", method, solver, code)
				}
			}
		}
		a, b := instance(t, own, "rk4", 0.001), instance(t, other, "rk4", 0.001)
		a.relaxed("ConstantLength", file, corners...)
		for _, r := range []*run{a, b} {
			r.set("tire_FL.Blat", 0.4) // a coefficient of the function in use
			r.start(wobble)
			r.drive(wobble, 0.001, 0.1)
		}
		state := map[string]string{"delayed": "tire_FL.q2", "carcass": "tire_FL.p2"}[method]
		for _, pair := range [][2]string{{"der(" + state + ")", state}, {"tire_FL.Fy", "steer_FL.angle"},
			{"der(" + state + ")", "tire_RL.unloaded_radius"}} {
			if x, y := a.slope(pair[0], pair[1]), b.slope(pair[0], pair[1]); x != y || math.IsNaN(x) {
				t.Errorf("%s: d %s/d %s is %.17g, by the model file %.17g", method, pair[0], pair[1], x, y)
			}
		}
		fresh := instance(t, own, "euler", 0.002) // takes the functions from the state
		fresh.restore(a.save())
		for _, r := range []*run{a, b, fresh} {
			r.drive(wobble, 0.001, 0.2)
		}
		if !slices.Equal(a.values(), b.values()) || !slices.Equal(a.values(), fresh.values()) {
			t.Errorf("%s: after 0.2 s the vehicles differ, or the restored one does", method)
		}
	}
}

// TestVehiclesOfAFleetHaveTheirOwnRelaxations: each vehicle moves bit-identically to the vehicle alone, also with turn
// slips that a function of two slips leaves unchanged.
func TestVehiclesOfAFleetHaveTheirOwnRelaxations(t *testing.T) {
	turning := edited(t, func(text string) string {
		return strings.ReplaceAll(text, `method = "delayed"`, `method = "delayed"`+"\nstates = 3\nq3 = 0.02")
	}, nil)
	file := lengths(t)
	inFleet(t, load(t, "generic4w", ""), func(r *run, i int) {
		if i%2 == 1 {
			r.relaxed("ConstantLength", file, corners[:1+i%3]...)
		}
	})
	brush := filepath.Join(t.TempDir(), "brush.toml")
	text := []byte("function = \"BrushRelaxation\"\n[parameters]\nsigma = 0.4\n")
	if err := os.WriteFile(brush, text, 0o600); err != nil {
		t.Fatal(err)
	}
	inFleet(t, turning, func(r *run, i int) {
		if i%2 == 1 {
			r.relaxed("BrushRelaxation", brush, corners[:1+i%3]...)
		}
	})
}

// inFleet compares vehicles in a fleet with the same vehicles alone; fit gives vehicle i its tires.
func inFleet(t *testing.T, s *cosim.System, fit func(r *run, i int)) {
	t.Helper()
	make := func() (list []*run) {
		for i := range 9 {
			r := instance(t, s, "rk4", 0.001)
			fit(r, i)
			r.set("body.mass", 2000+float64(i))
			r.start(wobble)
			list = append(list, r)
		}
		return list
	}
	alone, together := make(), make()
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	for k := range 100 {
		for i := range alone {
			wobble(alone[i], float64(k)*1e-3)
			wobble(together[i], float64(k)*1e-3)
			alone[i].step(1e-3)
		}
		for i, err := range f.Step(1e-3, 2) {
			if err != nil {
				t.Fatal(i, err)
			}
		}
	}
	for i := range alone {
		if !slices.Equal(alone[i].values(), together[i].values()) {
			t.Errorf("vehicle %d differs in the fleet", i)
		}
	}
}

// turning is a relaxation of three slips with lengths that grow with the speed, in Go.
type turning struct{ length, growth float64 }

func (f turning) Eval(in, out []float64) {
	long := f.length * (1 + f.growth*math.Abs(in[0]))
	out[0] = (-in[1] - math.Abs(in[2])*in[6]) / long
	out[1] = (in[3] - math.Abs(in[4])*in[7]) / long
	out[2] = (-in[5] - math.Abs(in[4])*in[8]) / long
	out[3], out[4] = long, long
}

var registerRelaxations = sync.OnceValue(func() error {
	inputs := []string{"VCx", "VEx", "VExs", "VPy", "VPxs", "wn", "q1", "q2", "q3"}
	return tire.Register(tire.Kind{Name: "TurningInGo", Inputs: inputs,
		Outputs: slices.Concat(tire.SlipRates, tire.SlipLengths),
		New:     func([]float64) (tire.Function, error) { return turning{0.4, 0.05}, nil }})
})

// TestSlipStatesGiveATireATurnSlip: a function of two slips leaves the turn slip at its start. A function of three
// slips that is set at load time gives -wn/v in a steady turn; wn includes a part of the spin, because the wheel leans.
// Functions with other results are refused.
func TestSlipStatesGiveATireATurnSlip(t *testing.T) {
	if err := registerRelaxations(); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"delayed", "carcass"} {
		two := written(t, method, ownRelaxation)
		three := edited(t, func(text string) string {
			return strings.ReplaceAll(text, `method = "delayed"`, `method = "`+method+`"`+"\nstates = 3\nq3 = 0.02")
		}, nil)
		extended, plain := instance(t, three, "rk4", 0.001), instance(t, two, "rk4", 0.001)
		for _, r := range []*run{extended, plain} {
			r.start(wobble)
			r.drive(wobble, 0.001, 0.1)
		}
		if got := extended.get("tire_FL.q3"); got != 0.02 {
			t.Errorf("%s: q3 is %g under a function that does not know it, want its start 0.02", method, got)
		}
		if x, y := extended.get("body.vy"), plain.get("body.vy"); x != y {
			t.Errorf("%s: body.vy is %.17g with q3, %.17g without", method, x, y)
		}
		turn := instance(t, three, "rk4", 0.001)
		turn.relaxed("TurningInGo", "", corners...)
		turn.start(noInput)
		bend := func(r *run, _ float64) { r.steer(0.02) }
		turn.drive(bend, 0.001, 1)
		speed := math.Hypot(turn.get("body.vx"), turn.get("body.vy"))
		q3, want := turn.get("tire_FL.q3"),
			-(turn.get("body.wz")+turn.get("wheel_FL.omega")*math.Sin(turn.get("tire_FL.gamma")))/speed
		if !(math.Abs(q3-want) <= 0.03*math.Abs(want) && math.Abs(want) > 1e-3) {
			t.Errorf("%s: q3 is %g 1/m in a bend, want %g", method, q3, want)
		}
		long := 0.4 * (1 + 0.05*speed)
		if method == "carcass" {
			if u, q := turn.get("tire_FL.u2"), turn.get("tire_FL.q2"); !(math.Abs(u-long*q) <= 0.01*math.Abs(u)) {
				t.Errorf("the deflection is %g m, want the length %g m times the slip %g", u, long, q)
			}
		}
		for _, c := range []struct {
			s              *cosim.System
			function, says string
		}{
			{two, "TurningInGo", "returns q1dot, q2dot, q3dot, sigma1, sigma2; here q1dot, q2dot are needed; slip.states = 3"},
			{two, "BrushRelaxation", "returns q1dot, q2dot, q3dot; here q1dot, q2dot are needed"},
			{three, "ConstantLength", "returns q1dot, q2dot; here q1dot, q2dot, q3dot are needed"},
			{two, "Fiala", "returns Fx, Fy, Mx, My, Mz; here q1dot, q2dot are needed"},
			{two, "nothing", `there is no tire function "nothing"`},
		} {
			r := instance(t, c.s, "rk4", 0.001)
			r.relaxed(c.function, "", "RL")
			if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), c.says) ||
				!strings.HasPrefix(err.Error(), "tire_RL.relaxation: ") {
				t.Errorf("%s, %s: %v", method, c.function, err)
			}
		}
	}
}

// TestRelaxationTextsAreThereForRelaxations: each tire with delayed slip or a carcass has two texts, a tire with
// kinematic slip none.
func TestRelaxationTextsAreThereForRelaxations(t *testing.T) {
	for model, want := range map[string]int{"generic4w": 8, "generic4w_carcass": 8, "skidder": 0, "wheel": 2} {
		n := 0
		for _, v := range load(t, model, "").Variables() {
			if strings.HasSuffix(v.Name, ".relaxation.model") || strings.HasSuffix(v.Name, ".relaxation.file") {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d texts of relaxations, want %d", model, n, want)
		}
	}
}

// TestAReplacedRelaxationNeedsItsFile, and the message names the file. A function of the same kind needs nothing else.
func TestAReplacedRelaxationNeedsItsFile(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	r.text("tire_FL.relaxation.model", "ConstantLength")
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), "tire_FL.relaxation.model and "+
		"tire_FL.relaxation.file must be set together") {
		t.Error(err)
	}
	r.text("tire_FL.relaxation.file", "")
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), "set tire_FL.relaxation.file") {
		t.Error(err)
	}
	r.text("tire_FL.relaxation.file", lengths(t))
	if err := r.in.Initialise(); err != nil {
		t.Error(err)
	}
}

// TestALimitedStringIsRefusedByCarcasses, also at load time, with a message that lists the accepted functions.
func TestALimitedStringIsRefusedByCarcasses(t *testing.T) {
	r := instance(t, load(t, "generic4w_carcass", ""), "rk4", 0.001)
	r.relaxed("StretchedStringLimited", lengths(t), "FL")
	if err := r.in.Initialise(); err == nil {
		t.Error("a file of ConstantLength is taken by StretchedStringLimited")
	}
	if err := tire.Register(tire.Kind{Name: "LengthlessInGo", Inputs: []string{"VEx", "VPy"},
		Outputs: tire.SlipRates[:2], New: func([]float64) (tire.Function, error) { return silentRates{}, nil }}); err != nil {
		t.Fatal(err)
	}
	r.relaxed("LengthlessInGo", "", "FL")
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), `does not return its lengths sigma1 and `+
		`sigma2, which slip.method = "carcass" needs; the method "delayed" accepts it`) {
		t.Error(err)
	}
	delayed := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	delayed.relaxed("LengthlessInGo", "", corners...)
	delayed.start(noInput)
}

type silentRates struct{}

func (silentRates) Eval(in, out []float64) { clear(out) }
