package drivenlap

import (
	"math"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
	"skidpad/model/roles"
)

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// shipped is a shipped track.
func shipped(t *testing.T, name string) *course.Course {
	t.Helper()
	c, err := course.Read(course.Find("", name), course.Usual)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The driver takes the passenger car round the three shipped tracks in the full model, at most 3 % slower than the
// quasi-steady lap on a level road, and not faster.
func TestTheDrivenLapIsNearTheQuasiSteadyOne(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := built.Model("passenger_car")
	open := func() (drive.Subject, func(), error) {
		v, err := lib.Load(file, "")
		return v, func() { v.Close() }, err
	}
	target, err := modelfile.Target(file, "")
	if err != nil {
		t.Fatal(err)
	}
	target.Find = func(o *roles.Roles) (map[string]float64, error) {
		v := cardraft.Vehicle{Roles: o, Open: open}
		return v.Find()
	}
	car := envelope.Car{Target: target, Open: open, Gears: []float64{1}}
	e, err := envelope.Measure(car)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"oval", "club", "autocross"} {
		l, err := Drive(car, e, shipped(t, name), 0, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Logf("%s: %.3f s, quasi-steady %.3f s, %+.2f %%; at most %.2f m beside the line, at %.0f m; %d runs, %.3f of the "+
			"lateral limit, %.3f of the deceleration", name, l.Time, l.Quasi, 100*(l.Time/l.Quasi-1), l.Off, l.OffAt, l.Runs,
			l.Bend, l.Brake)
		if !(l.Time > l.Quasi && l.Time < 1.03*l.Quasi) || l.Off > Beside {
			t.Errorf("%s: %.3f s, quasi-steady %.3f s, %.2f m beside the line", name, l.Time, l.Quasi, l.Off)
		}
		rows := l.Table
		// distances and times belong to the speeds; beside the line the car has another radius
		for i := 10; i < len(rows.Time); i++ {
			v := (rows.Distance[i] - rows.Distance[i-10]) / (rows.Time[i] - rows.Time[i-10])
			if math.Abs(v-rows.Speed[i-5]) > 0.08*v {
				t.Fatalf("%s: %g m/s from distances at %g m, %g m/s of the car", name, v, rows.Distance[i], rows.Speed[i-5])
			}
		}
	}
}

// even is a car with constant limits.
func even() *envelope.Envelope {
	one := []float64{10}
	return &envelope.Envelope{TopSpeed: 60, Exponent: 2, Traction: envelope.Traction{Friction: 1},
		Driving: envelope.Driving{Speed: one, Acceleration: []float64{3}},
		Braking: envelope.Braking{Speed: one, Friction: []float64{0.8}},
		Cornering: envelope.Cornering{Speed: one, Steady: []float64{8}, Friction: []float64{0.8}, Square: []float64{0},
			Fourth: []float64{0}}}
}

// The limit of the speed in a bend has the square root of the lateral share as a factor. The largest deceleration
// straight ahead has the share of braking as a factor.
func TestReservesLowerTheWantedSpeed(t *testing.T) {
	t.Parallel()
	c, e := shipped(t, "oval"), even()
	r := firstReserves(c)
	wanted, err := r.wanted(e, c, 0)
	if err != nil {
		t.Fatal(err)
	}
	full, err := lap.Solve(e, level(c), 0)
	if err != nil {
		t.Fatal(err)
	}
	deepest, most := 0.0, 0.0
	for i, p := range wanted.Points {
		if q := full.Points[i]; p.Speed > q.Speed*(1+1e-9) || math.Abs(p.Limit/q.Limit/math.Sqrt(firstBend)-1) > 1e-9 &&
			q.Limit < e.TopSpeed {
			t.Fatalf("at %g m the speed is %g of at most %g m/s, the limits %g and %g", p.S, p.Speed, q.Speed, p.Limit, q.Limit)
		}
		deepest, most = min(deepest, p.Longitudinal), max(most, p.Longitudinal)
	}
	if want := -firstBrake * 0.8 * lap.Gravity; deepest < want-1e-9 || deepest > 0.9*want || math.Abs(most-3) > 0.05 {
		t.Errorf("accelerations from %g to %g m/s2, want %g to 3", deepest, most, want)
	}
}

// The reserves grow from 3 s before the place to 1 s behind it, also across the line of a closed track; the reserve of
// braking only where the car brakes.
func TestReservesGrowAboutAPlace(t *testing.T) {
	t.Parallel()
	c, e := shipped(t, "oval"), even()
	wanted, err := firstReserves(c).wanted(e, c, 0)
	if err != nil {
		t.Fatal(err)
	}
	period := wanted.Time()
	deepest := wanted.Points[0]
	for _, p := range wanted.Points {
		if p.Longitudinal < deepest.Longitudinal {
			deepest = p
		}
	}
	braked := 0
	for _, left := range []float64{1, deepest.S, c.Length() - 5} {
		r := firstReserves(c)
		r.goBack(wanted, left)
		at, brakes := 0, false
		for wanted.Points[at].S < left {
			at++
		}
		for i, p := range wanted.Points {
			ahead := math.Remainder(wanted.Points[at].Time-p.Time, period)
			near := ahead <= 3 && ahead >= -1
			if i > 0 && i < len(r.bends)-1 && near != (r.bends[i] < firstBend) {
				t.Errorf("left at %g m: at %g m, %g s before, the share is %g", left, p.S, ahead, r.bends[i])
			}
			brakes = brakes || ahead >= 0 && ahead <= 1 && p.Longitudinal < -1
		}
		if brakes {
			braked++
		}
		if brakes != (r.brake < firstBrake) {
			t.Errorf("left at %g m: braking %t, share %g", left, brakes, r.brake)
		}
	}
	if braked == 0 || braked == 3 {
		t.Errorf("the car brakes at %d of 3 places", braked)
	}
}

// The run-up of a closed track is a straight one before its line.
func TestWhereTheCarBegins(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"oval", "club", "autocross"} {
		c := shipped(t, name)
		at := begin(c)
		left := c.Length() - c.S[at]
		if !c.Closed {
			if at != 0 {
				t.Errorf("%s begins at %g m", name, c.S[at])
			}
			continue
		}
		if left < 49 || left > 401 || math.Abs(c.Curvature[at]) > 0.01 {
			t.Errorf("%s: the car begins %g m before the line, where the curvature is %g 1/m", name, left, c.Curvature[at])
		}
	}
}
