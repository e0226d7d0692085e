package cosim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// corner is a carrier on five rods, one of them on a rack that moves across. Each rod has its length in the design
// position, where the carrier is unrotated at the wheel centre.
type corner struct {
	centre [3]float64
	inner  [5][3]float64
	outer  [5][3]float64 // in the axes of the carrier
	start  string        // of the carrier
}

var cornerLinks = [5]string{"lower_fore", "lower_aft", "upper_fore", "upper_aft", "tie"}

// randomCorner is a double wishbone with points within 30 mm of common ones.
func randomCorner(r *rand.Rand) corner {
	c := corner{
		centre: [3]float64{0, 0.75, 0.3},
		inner: [5][3]float64{{0.15, 0.35, 0.2}, {-0.15, 0.35, 0.2}, {0.12, 0.42, 0.45}, {-0.12, 0.42, 0.45},
			{-0.12, 0.38, 0.26}},
		outer: [5][3]float64{{0, -0.07, -0.12}, {0, -0.07, -0.12}, {-0.01, -0.13, 0.15}, {-0.01, -0.13, 0.15},
			{-0.13, -0.08, -0.05}},
	}
	for i := range c.inner {
		for k := range 3 {
			c.inner[i][k] += 0.03 * (2*r.Float64() - 1)
			if i%2 == 0 {
				c.outer[i][k] += 0.03 * (2*r.Float64() - 1)
			}
		}
	}
	c.outer[1], c.outer[3] = c.outer[0], c.outer[2]
	return c
}

func list3(v [3]float64) string { return fmt.Sprintf("[%.17g, %.17g, %.17g]", v[0], v[1], v[2]) }

// tables are the components of the corner, one text each.
func (c *corner) tables() []string {
	tables := []string{fmt.Sprintf(`[component.carrier]
type = "rigid-body"
mass = 30
inertia = { xx = 0.8, yy = 1, zz = 0.9 }
start = { %s }
`, c.start), `[component.rack]
type = "motion-driver"
from = "ground"
to = "rack"
axis = "y"
kind = "translation"
`, `[component.spring]
type = "spring-damper"
from = "ground"
to = "carrier"
stiffness = 20000
damping = 2000
free_length = 0.75
`}
	for i, name := range cornerLinks {
		base := "ground"
		if name == "tie" {
			base = "rack"
		}
		length := 0.0
		for k := range 3 {
			length = math.Hypot(length, c.centre[k]+c.outer[i][k]-c.inner[i][k])
		}
		tables = append(tables, fmt.Sprintf(`[component.%[1]s_in]
type = "rigid-arm"
from = "%[2]s"
to = "%[1]s_in"
translation = %[3]s
`, name, base, list3(c.inner[i])), fmt.Sprintf(`[component.%[1]s_out]
type = "rigid-arm"
from = "carrier"
to = "%[1]s_out"
translation = %[2]s
`, name, list3(c.outer[i])), fmt.Sprintf(`[component.%[1]s]
type = "rod"
from = "%[1]s_in"
to = "%[1]s_out"
length = %.17[2]g
`, name, length))
	}
	return tables
}

func systemOf(t *testing.T, tables []string) *System {
	t.Helper()
	m, err := vehicle.Parse([]byte("name = \"Corner\"\nsource = \"own\"\n[solver]\nmethod = \"rk4\"\nstep = 0.001\n"+
		strings.Join(tables, "\n")), "corner.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (c *corner) instance(t *testing.T, values map[string]float64) *ride {
	t.Helper()
	in, err := systemOf(t, c.tables()).Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	r := &ride{in, t}
	for name, v := range values {
		r.set(name, v)
	}
	return r
}

// setOff sets a start within 20 mm, 0.1 rad, 1 m/s and 1 rad/s of the design position.
func (c *corner) setOff(r *rand.Rand, to *ride) {
	off := func(most float64) float64 { return most * (2*r.Float64() - 1) }
	for k, axis := range []string{"x", "y", "z"} {
		to.set("carrier."+axis, c.centre[k]+off(0.02))
		to.set("carrier.v"+axis, off(1))
		to.set("carrier.w"+axis, off(1))
	}
	for _, angle := range []string{"roll", "pitch", "yaw"} {
		to.set("carrier."+angle, off(0.1))
	}
	to.set("rack.position", off(0.02))
	to.set("rack.rate", off(0.5))
}

// Starts within 20 mm and 0.1 rad of corners close to rounding in less than 8 steps, with the driver's position and
// rate. Of all changes of the speeds theirs takes the least energy: it has no part along the motion that is left free.
func TestRandomStartsOfCornersClose(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testrun.Either(40, 200)) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomCorner(r)
		c.start = "position = " + list3(c.centre)
		ride := c.instance(t, nil)
		c.setOff(r, ride)
		in := ride.Instance
		if err := in.connect(); err != nil {
			t.Fatal(err)
		}
		in.place()
		a, before := newAssembly(in), slices.Clone(in.x)
		if _, err := a.run(); err != nil || a.steps >= 8 {
			t.Fatalf("seed %d: %v after %d steps", seed, err, a.steps)
		}
		placed := slices.Clone(in.x)
		if err := in.Initialise(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if position, speed := in.Violation(); !(position <= 1e-12 && speed <= 1e-12) {
			t.Errorf("seed %d: violations %g and %g", seed, position, speed)
		}
		if !slices.Equal(placed, in.x) {
			t.Errorf("seed %d: two assemblies end at %v and %v", seed, placed, in.x)
		}
		c.checkEnergy(t, in, before)
		if w := in.Warnings(); len(w) != 1 || !strings.Contains(w[0], "assembled: carrier moved by ") {
			t.Errorf("seed %d: %q", seed, w)
		}
	}
}

// checkEnergy checks the change of the speeds against the free motion, which the rows of the constraints determine.
func (c *corner) checkEnergy(t *testing.T, in *Instance, before []float64) {
	t.Helper()
	side := in.machine.Side(program.Gradients)
	side.Evaluate(in.x, in.continued, nil)
	rows := mat.NewDense(5, 6, nil)
	for i := range 5 {
		for k := range 6 {
			rows.Set(i, k, side.Value((5+i)*12+k))
		}
	}
	var svd mat.SVD
	svd.Factorize(rows, mat.SVDFull)
	var v mat.Dense
	svd.VTo(&v)
	mass := map[string]float64{"carrier.vx": 30, "carrier.vy": 30, "carrier.vz": 30, "carrier.wx": 0.8, "carrier.wy": 1,
		"carrier.wz": 0.9}
	work, size := 0.0, 0.0
	for k, of := range in.sys.program.States[:6] {
		along := mass[of.Name] * v.At(k, 5) * (in.x[k] - before[k])
		work, size = work+along, size+math.Abs(along)
	}
	if !(math.Abs(work) <= 1e-9*size) {
		t.Errorf("the change of the speeds has the share %g along the free motion", work/size)
	}
}

// The result does not depend on the order of the file.
func TestAssemblyDoesNotDependOnTheOrderOfTheFile(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 1))
	c := randomCorner(r)
	c.start = "position = " + list3(c.centre)
	want := map[string]float64{}
	for trial := range 6 {
		tables := c.tables()
		if trial > 0 {
			r.Shuffle(len(tables), func(i, k int) { tables[i], tables[k] = tables[k], tables[i] })
		}
		in, err := systemOf(t, tables).Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		c.setOff(rand.New(rand.NewPCG(8, 1)), &ride{in, t})
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for i, v := range in.sys.program.States {
			if trial == 0 {
				want[v.Name] = in.x[i]
			} else if !(math.Abs(in.x[i]-want[v.Name]) <= 1e-12) {
				t.Errorf("%s is %.17g, not %.17g", v.Name, in.x[i], want[v.Name])
			}
		}
	}
}

// With "auto" and "never", a start without violations keeps its bits. With "never", a start with violations is refused.
func TestWhenStartsAreAssembled(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	c := randomCorner(r)
	for _, k := range []struct {
		assemble string
		off      float64
		refused  bool
		exact    bool // the start is taken as it is
		closed   bool
	}{
		{"auto", 1e-8, false, true, false}, {"auto", 1e-3, false, false, true}, {"always", 1e-8, false, false, true},
		{"always", 0, false, true, true}, {"never", 1e-8, false, true, false}, {"never", 1e-3, true, false, false},
	} {
		at := c.centre
		at[1] += k.off
		c.start = "position = " + list3(at)
		ride := c.instance(t, nil)
		if err := ride.SetText(AssembleVariable, k.assemble); err != nil {
			t.Fatal(err)
		}
		err := ride.Initialise()
		if refused := err != nil; refused != k.refused || refused && !strings.Contains(err.Error(), "violates constraints") {
			t.Errorf("%s, %g m: %v", k.assemble, k.off, err)
		}
		if err != nil {
			continue
		}
		if exact := ride.get("carrier.y") == at[1]; exact != k.exact {
			t.Errorf("%s, %g m: starts at %.17g from %.17g", k.assemble, k.off, ride.get("carrier.y"), at[1])
		}
		if position, _ := ride.Violation(); (position <= 1e-12) != k.closed {
			t.Errorf("%s, %g m: violation %g", k.assemble, k.off, position)
		}
	}
	c.start = "position = " + list3(c.centre)
	if err := c.instance(t, nil).SetText(AssembleVariable, "often"); err == nil ||
		!strings.Contains(err.Error(), `it must be one of ["auto" "always" "never"]`) {
		t.Error(err)
	}
}

// Drivers start at any position and rate: a sine at its full rate, a ramp, a steep cosine, a step. The run follows them
// without a jump, and from the first step on the speeds are the changes of the positions.
func TestDriversStartAtTheirRate(t *testing.T) {
	t.Parallel()
	c := randomCorner(rand.New(rand.NewPCG(4, 1)))
	c.start = "position = " + list3(c.centre)
	const h = 0.001
	for name, of := range map[string]func(time float64) (position, rate, acceleration float64){
		"sine": func(time float64) (position, rate, acceleration float64) {
			s, cosine := math.Sincos(12 * time)
			return 0.01 * s, 0.12 * cosine, -1.44 * s
		},
		"ramp": func(time float64) (position, rate, acceleration float64) { return 0.005 + 0.04*time, 0.04, 0 },
		"cosine": func(time float64) (position, rate, acceleration float64) {
			s, cosine := math.Sincos(30 * time)
			return 0.005 * cosine, -0.15 * s, -4.5 * cosine
		},
		"step": func(float64) (position, rate, acceleration float64) { return 0.015, 0, 0 },
	} {
		ride := c.instance(t, nil)
		put := func(time float64) {
			position, rate, acceleration := of(time)
			ride.set("rack.position", position)
			ride.set("rack.rate", rate)
			ride.set("rack.acceleration", acceleration)
		}
		put(0)
		if err := ride.Initialise(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if w := ride.Warnings(); len(w) != 1 || !strings.Contains(w[0], "assembled: carrier") {
			t.Errorf("%s: %q", name, w)
		}
		at := slices.IndexFunc(ride.sys.program.States, func(v program.Variable) bool { return v.Name == "carrier.yaw" })
		rate := func() float64 {
			dx := make([]float64, len(ride.x))
			ride.rates(0, ride.x, dx)
			return dx[at]
		}
		yaw, speed := ride.x[at], rate()
		for n := range 400 {
			put(float64(n) * h)
			if err := ride.Step(h); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if position, rate := ride.Violation(); !(position <= 1e-4 && rate <= 2e-3) {
				t.Fatalf("%s after %d steps: violations %g and %g", name, n, position, rate)
			}
			now, faster := ride.x[at], rate()
			if off := (now-yaw)/h - (speed+faster)/2; !(math.Abs(off) <= 1e-3) {
				t.Fatalf("%s at step %d: yaw changes at %g, %g rad/s off its rate", name, n, (now-yaw)/h, off)
			}
			yaw, speed = now, faster
		}
	}
}

// The chassis and coordinates that were set stay where loops can close without them.
func TestAssemblyKeepsWhatWasSet(t *testing.T) {
	t.Parallel()
	c := randomCorner(rand.New(rand.NewPCG(5, 1)))
	c.start = "position = " + list3(c.centre)
	ride := c.instance(t, map[string]float64{"carrier.z": c.centre[2] + 0.03})
	if err := ride.Initialise(); err != nil {
		t.Fatal(err)
	}
	if z := ride.get("carrier.z"); z != c.centre[2]+0.03 {
		t.Errorf("the height that was set becomes %g", z)
	}
	if position, _ := ride.Violation(); !(position <= 1e-12) {
		t.Errorf("violation %g", position)
	}
}

// A rod joins two cranks: the crank with start.keep stays to the bit, and the other crank moves. If both keep their
// starts, the loop cannot close.
func TestKeptStartsStay(t *testing.T) {
	t.Parallel()
	for _, kept := range [][2]bool{{true, false}, {false, true}, {true, true}} {
		tables := []string{"[component.tie]\ntype = \"rod\"\nfrom = \"end_0\"\nto = \"end_1\"\nlength = 0.5\n"}
		for i, k := range kept {
			tables = append(tables, fmt.Sprintf(`[component.crank_%[1]d]
type = "rigid-body"
mass = 1
inertia = { xx = 0.01, yy = 0.01, zz = 0.01 }
[component.base_%[1]d]
type = "rigid-arm"
from = "ground"
to = "base_%[1]d"
translation = [%[2]g, 0, 0]
[component.hinge_%[1]d]
type = "revolute"
from = "base_%[1]d"
to = "crank_%[1]d"
axis = "y"
start = { phi = %[3]g, keep = %[4]t }
[component.end_%[1]d]
type = "rigid-arm"
from = "crank_%[1]d"
to = "end_%[1]d"
translation = [0, 0, 0.2]
`, i, 0.5*float64(i), 0.1+0.1*float64(i), k))
		}
		in, err := systemOf(t, tables).Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		err = in.Initialise()
		if kept[0] && kept[1] {
			if err == nil || !strings.Contains(err.Error(), "loop ground - crank_0 - tie - crank_1 - ground cannot close: "+
				"tie (0.5 m) is ") {
				t.Error(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{in, t}
		for i, k := range kept {
			start := 0.1 + 0.1*float64(i)
			if stays := r.get(fmt.Sprintf("hinge_%d.phi", i)) == start; stays != k {
				t.Errorf("kept %v: crank %d stays: %v", kept, i, stays)
			}
		}
		if position, _ := in.Violation(); !(position <= 1e-12) {
			t.Errorf("kept %v: violation %g", kept, position)
		}
	}
}

// Loops beyond reach are named, and the start stays as it was.
func TestLoopsThatCannotClose(t *testing.T) {
	t.Parallel()
	c := randomCorner(rand.New(rand.NewPCG(6, 1)))
	c.start = "position = " + list3(c.centre)
	ride := c.instance(t, map[string]float64{"rack.position": 3})
	err := ride.Initialise()
	if err == nil || !strings.Contains(err.Error(), "tie") || !strings.Contains(err.Error(), "cannot close") {
		t.Fatal(err)
	}
	ride.set("rack.position", 0.01)
	if err := ride.Initialise(); err != nil {
		t.Error(err)
	}
}

// A restored state goes on as the run that was assembled.
func TestAssembledStatesAreRestored(t *testing.T) {
	t.Parallel()
	c := randomCorner(rand.New(rand.NewPCG(9, 1)))
	c.start = "position = " + list3(c.centre)
	a := c.instance(t, map[string]float64{"carrier.y": c.centre[1] + 0.01})
	if err := a.Initialise(); err != nil {
		t.Fatal(err)
	}
	b, err := a.sys.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	state := make([]byte, a.StateSize())
	if err := errors.Join(a.Save(state), b.Restore(state)); err != nil {
		t.Fatal(err)
	}
	for _, in := range []*Instance{a.Instance, b} {
		if err := in.Step(0.1); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(a.x, b.x) {
		t.Errorf("%v, restored %v", a.x, b.x)
	}
}
