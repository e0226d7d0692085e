package inverse

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/manoeuvre"
)

func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// rod is a slender rod of 2 kg and 1.5 m on a hinge, and a second one of 1 kg and 0.8 m below it.
const rod = `name = "Rods"
[component.hinge]
type = "revolute"
from = "ground"
to = "upper"
axis = "y"
start = { phi = 0.3 }
[component.arm]
type = "rigid-arm"
from = "upper"
to = "first"
translation = [0, 0, -0.75]
[component.first]
type = "rigid-body"
mass = 2
inertia = { axial = 0.001, transverse = 0.375, axis = "z" }
`

const second = `[component.low]
type = "rigid-arm"
from = "upper"
to = "end"
translation = [0, 0, -1.5]
[component.knee]
type = "revolute"
from = "end"
to = "lower"
axis = "y"
start = { phi = -0.4, omega = 0.5 }
[component.shin]
type = "rigid-arm"
from = "lower"
to = "second"
translation = [0, 0, -0.4]
[component.second]
type = "rigid-body"
mass = 1
inertia = { axial = 0.001, transverse = 0.0533, axis = "z" }
`

func analysis(t *testing.T, model string, motion *trace.Trace, prescribe ...string) *Analysis {
	t.Helper()
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rods.toml")
	if err := os.WriteFile(file, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	return &Analysis{Library: l, Model: file, Prescribe: prescribe, Motion: motion}
}

// table is a motion with the columns that a function of time gives.
func table(times []float64, names []string, at func(t float64) []float64) *trace.Trace {
	motion := trace.New(trace.Named(names...), len(times))
	for _, t := range times {
		motion.Append(t, at(t))
	}
	return motion
}

// The torque of a physical pendulum on a driver is m l^2/3 q" + m g l/2 sin q, and its power is the torque times the
// rate. Both are exact if the motion has rates and accelerations, at any times.
func TestTorqueOfAPhysicalPendulum(t *testing.T) {
	motion := table([]float64{0, 0.1, 0.35, 0.8, 1.7}, []string{"hinge.angle", "hinge.rate", "hinge.acceleration"},
		func(t float64) []float64 {
			return []float64{0.7 * math.Sin(2*t), 1.4 * math.Cos(2*t), -2.8 * math.Sin(2*t)}
		})
	result, err := analysis(t, rod, motion, "hin*").Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Splined) > 0 || len(result.Started) > 0 {
		t.Errorf("splines of %q, starts of %q", result.Splined, result.Started)
	}
	want := []float64{0, 1.205392400695, 3.707419767885, 5.278094447909, -1.544913574293} // an independent program's
	for n, time := range motion.Time {
		q, rate, bend := 0.7*math.Sin(2*time), 1.4*math.Cos(2*time), -2.8*math.Sin(2*time)
		torque := 2*1.5*1.5/3*bend + 2*9.81*0.75*math.Sin(q)
		got := []float64{result.Trace.At("hinge.torque", time), result.Trace.At("hinge.power", time)}
		if !(math.Abs(got[0]-torque) <= 1e-12*6 && math.Abs(got[0]-want[n]) <= 2e-12*6 &&
			math.Abs(got[1]-torque*rate) <= 1e-11) {
			t.Errorf("%g s: torque %.15g N m, power %.15g W; closed form %.15g, %.15g", time, got[0], got[1], torque,
				torque*rate)
		}
	}
}

// forward simulates the two rods, which swing freely, and records both joints.
func forward(t *testing.T, step float64, steps int) *trace.Trace {
	t.Helper()
	a := analysis(t, rod+second, nil)
	v, err := a.Library.Load(a.Model, "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	names := []string{"hinge.phi", "hinge.omega", "knee.phi", "knee.omega"}
	references, err := v.References(names...)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Initialise(); err != nil {
		t.Fatal(err)
	}
	motion, row := trace.New(trace.Named(names...), steps), make([]float64, 4)
	for n := range steps {
		if n > 0 {
			if err := v.Step(step); err != nil {
				t.Fatal(err)
			}
		}
		if err := v.Get(references, row); err != nil {
			t.Fatal(err)
		}
		motion.Append(float64(n)*step, row)
	}
	return motion
}

// A free motion takes no torque, whether all of its joints are prescribed or some; the remaining joints then move as
// before. Accelerations, and rates missing in the run, come from splines, with errors that fall with the step.
func TestAFreeMotionTakesNoTorque(t *testing.T) {
	run := forward(t, 0.005, 201)
	without := trace.Of(trace.Named("hinge.phi", "knee.phi"),
		[][]float64{run.Time, run.Column("hinge.phi"), run.Column("knee.phi")})
	for _, c := range []struct {
		motion    *trace.Trace
		prescribe []string
		splined   string
		within    float64 // N m, away from the ends
	}{
		{run, []string{"hinge", "knee"}, "hinge.acceleration knee.acceleration", 1e-6},
		{without, []string{"*"}, "hinge.acceleration hinge.rate knee.acceleration knee.rate", 2e-3},
		{run, []string{"hinge"}, "hinge.acceleration", 1e-3},
	} {
		a := analysis(t, rod+second, c.motion, c.prescribe...)
		a.Record = []string{"second.x", "second.z"}
		result, err := a.Do()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(result.Splined, " "); got != c.splined {
			t.Errorf("%q: splines of %q", c.prescribe, got)
		}
		if left := len(c.prescribe) == 1 && c.prescribe[0] == "hinge"; left != (strings.Join(result.Started, " ") ==
			"knee.omega knee.phi" || strings.Join(result.Started, " ") == "knee.phi knee.omega") {
			t.Errorf("%q: %q start as in the run", c.prescribe, result.Started)
		}
		for _, d := range result.Drivers {
			for n, torque := range result.Trace.Column(d.Load()) {
				if n > 5 && n < 195 && !(math.Abs(torque) <= c.within) {
					t.Errorf("%q: %s is %g N m at %g s", c.prescribe, d.Load(), torque, run.Time[n])
					break
				}
			}
		}
		upper, lower := run.At("hinge.phi", 1), run.At("hinge.phi", 1)+run.At("knee.phi", 1)
		x := -1.5*math.Sin(upper) - 0.4*math.Sin(lower)
		if got := result.Trace.At("second.x", 1); !(math.Abs(got-x) <= 1e-6) {
			t.Errorf("%q: the lower rod is at x = %.9g m after 1 s, %.9g m in the run", c.prescribe, got, x)
		}
	}
}

// What a motion, or a name, lacks is told.
func TestWrongMotions(t *testing.T) {
	good := func(t float64) []float64 { return []float64{t, 1} }
	times := []float64{0, 0.1, 0.2, 0.3}
	for _, c := range []struct {
		motion    *trace.Trace
		prescribe string
		want      string
	}{
		{table(times, []string{"knee.phi", "knee.omega"}, good), "hinge", "the motion has no column hinge.phi or hinge." +
			"angle; record the joint in the run, as by --record 'hinge.*'"},
		{table(times, []string{"hinge.phi", "hinge.omega"}, good), "hinges", `"hinges" matches no revolute or prismatic ` +
			`joint and no motion driver of`},
		{table(times, []string{"hinge.phi", "hinge.omega"}, good), "arm", "it has hinge"},
		{table(times, []string{"hinge.phi", "hinge.omega"}, good), "hin[", "is no pattern"},
		{table(times[:3], []string{"hinge.phi", "hinge.omega"}, good), "hinge", "hinge.acceleration: the run has 3 rows; a " +
			"spline needs at least 4"},
		{table(times, []string{"hinge.phi", "hinge.omega"}, func(float64) []float64 { return []float64{math.NaN(), 1} }),
			"hinge", "hinge.angle is NaN at 0 s; the motion must be finite"},
		{table(nil, []string{"hinge.phi"}, good), "hinge", "the motion has no rows"},
	} {
		if _, err := analysis(t, rod, c.motion, c.prescribe).Do(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v; want %q", c.prescribe, err, c.want)
		}
	}
	a := analysis(t, rod, table(times, []string{"hinge.phi", "hinge.omega"}, good), "hinge")
	a.Settings = []manoeuvre.Setting{{Name: "first.mas", Value: "3"}}
	if _, err := a.Do(); err == nil || !strings.Contains(err.Error(), "first.mas") {
		t.Errorf("an unknown parameter: error %v", err)
	}
}

// The spline of a cubic polynomial is the polynomial.
func TestSplinesOfAPolynomial(t *testing.T) {
	times := []float64{0, 0.3, 0.5, 1.1, 1.4, 2}
	var values []float64
	for _, x := range times {
		values = append(values, 1+2*x-3*x*x+0.5*x*x*x)
	}
	slopes, err := derivative(times, values)
	if err != nil {
		t.Fatal(err)
	}
	bends := curvature(times, values, slopes)
	for i, x := range times {
		if slope, bend := 2-6*x+1.5*x*x, -6+3*x; !(math.Abs(slopes[i]-slope) <= 1e-12 && math.Abs(bends[i]-bend) <= 1e-11) {
			t.Errorf("at %g: %g, %g; want %g, %g", x, slopes[i], bends[i], slope, bend)
		}
	}
}
