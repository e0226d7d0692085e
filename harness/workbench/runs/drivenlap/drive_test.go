package drivenlap

import (
	"math"
	"slices"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/trace"
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
	first := slices.IndexFunc(wanted.Points, func(p lap.Point) bool { return p.Longitudinal < braking })
	for first > 0 && deepest.S-wanted.Points[first].S > 100 { // the braking that leads to the deepest
		first++
	}
	for wanted.Points[first].Longitudinal >= braking {
		first++
	}
	braked := 0
	for _, left := range []float64{1, deepest.S, c.Length() - 5, wanted.Points[first].S - 5} {
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
	if braked == 0 || braked > 2 {
		t.Errorf("the car brakes at %d of 4 places", braked)
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
	c := *shipped(t, "oval") // it is straight just before the line alone
	c.Curvature = make([]float64, len(c.S))
	for i, s := range c.S {
		if s < c.Length()-45 {
			c.Curvature[i] = 0.01
		}
	}
	if left := c.Length() - c.S[begin(&c)]; left < 49 {
		t.Errorf("the car begins %g m before the line", left)
	}
}

// In a bend the driver brakes with a reserve and with an exponent of at most 1.3, also with a car that could do more.
func TestBrakingInABendHasAReserve(t *testing.T) {
	t.Parallel()
	for exponent, used := range map[float64]float64{2: combining, 1.1: 1.1} {
		e := even()
		e.Exponent = exponent
		least, most := careful{e, 0.9}.Longitudinal(20, 4, lap.Gravity)
		with := *e
		with.Exponent = used
		want, _ := with.Longitudinal(20, 4, lap.Gravity)
		_, drives := e.Longitudinal(20, 4, lap.Gravity)
		if math.Abs(least-0.9*want) > 1e-12 || want >= 0 || most != drives {
			t.Errorf("exponent %g: from %g to %g m/s2, want %g to %g", exponent, least, most, 0.9*want, drives)
		}
	}
}

// walked is the trace of a body that goes along a course at a speed from its run-up on, beside the line by a distance
// to the left, for some time.
func walked(c *course.Course, speed, duration float64, left func(s float64) float64) *drive.Result {
	t := trace.New([]trace.Channel{{Name: "body.x"}, {Name: "body.y"}, {Name: "body.yaw"}, {Name: "body.vx"}}, 0)
	begins := c.S[begin(c)]
	for k := range int(duration*1000) + 1 {
		now := float64(k) / 1000
		s := begins + speed*now
		if c.Closed {
			s = math.Mod(s, c.Length())
		}
		x, y, heading := c.At(min(s, c.Length()))
		if beyond := s - c.Length(); beyond > 0 { // ahead
			x, y = x+beyond*math.Cos(heading), y+beyond*math.Sin(heading)
		}
		aside := left(s) * min(1, speed*now/10)
		t.Append(now, []float64{100 + x - aside*math.Sin(heading), y + aside*math.Cos(heading), heading, speed})
	}
	return &drive.Result{Trace: t}
}

// The lap of a body that walks beside the line has the time of the line at its speed, and the distance to the left.
// Where the body leaves the line, or stays behind, that place is found.
func TestALapIsReadFromARun(t *testing.T) {
	t.Parallel()
	const speed = 25.0
	for _, name := range []string{"oval", "autocross", "skidpad_open"} {
		c := open(t)
		if name != "skidpad_open" {
			c = shipped(t, name)
		}
		wanted, err := firstReserves(c).wanted(even(), c, 10)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWay(c, wanted, begin(c))
		if err != nil {
			t.Fatal(err)
		}
		whole := (c.Length() + w.runUp) / speed
		aside := func(s float64) float64 {
			if s > 60 && s < 70 {
				return 0.45
			}
			return 0.3
		}
		l := w.read(walked(c, speed, whole+1, aside), "body")
		if !math.IsNaN(l.failed) || math.Abs(l.Time-c.Length()/speed) > 5e-4 {
			t.Errorf("%s: left at %g m; %g s, want %g s", name, l.failed, l.Time, c.Length()/speed)
		}
		if math.Abs(l.Off-0.45) > 0.02 || l.OffAt < 59 || l.OffAt > 71 {
			t.Errorf("%s: %g m beside the line at %g m", name, l.Off, l.OffAt)
		}
		rows := l.Table
		if n := len(rows.Time); math.Abs(float64(n)*0.02-l.Time) > 0.05 {
			t.Errorf("%s: %d rows of %g s", name, n, l.Time)
		}
		for i, s := range rows.Distance {
			if math.Abs(s-speed*rows.Time[i]) > 0.6 || rows.Speed[i] != speed ||
				s > 15 && math.Abs(rows.Offset[i]-aside(s)) > 0.16 {
				t.Fatalf("%s: row %d is at %g m, %g s, %g m/s, %g m", name, i, s, rows.Time[i], rows.Speed[i], rows.Offset[i])
			}
			at := wanted.Points[min(int(math.Round(s/c.S[1])), len(wanted.Points)-1)].Speed
			if math.Abs(rows.Wanted[i]-at) > 0.05*at {
				t.Fatalf("%s: at %g m the wanted speed is %g m/s, not %g", name, s, rows.Wanted[i], at)
			}
		}
		leaves := w.read(walked(c, speed, whole+1, func(s float64) float64 {
			if s > 90 && s < 100 {
				return 1.2
			}
			return 0
		}), "body")
		other := w.read(walked(c, speed, whole+1, func(s float64) float64 {
			if s > 90 && s < 100 {
				return -1.2
			}
			return 0
		}), "body")
		for _, at := range []float64{leaves.failed, other.failed} {
			if !(at >= 89 && at <= 91) {
				t.Errorf("%s: the body leaves the line at 90 m, not %g m", name, at)
			}
		}
		stays := w.read(walked(c, speed, (w.runUp+50)/speed, aside), "body")
		if !(math.Abs(stays.failed-50) < 1) {
			t.Errorf("%s: the body stays at 50 m, not %g m", name, stays.failed)
		}
	}
}

// open is an open course, the first half of the oval.
func open(t *testing.T) *course.Course {
	t.Helper()
	c := *shipped(t, "oval")
	n := len(c.S) / 2
	c.Closed = false
	for _, list := range []*[]float64{
		&c.S, &c.X, &c.Y, &c.Z, &c.Heading, &c.Curvature, &c.Left, &c.Right, &c.Bank, &c.Slope} {
		*list = (*list)[:n]
	}
	return &c
}
