package drivenlap

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	"skidpad/harness/workbench/runs/manoeuvre"
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

// passengerCar is the passenger car in its normal gear.
func passengerCar(t *testing.T) envelope.Car {
	t.Helper()
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
	return envelope.Car{Target: target, Open: open, Gears: []float64{1}}
}

// The driver takes the passenger car round the three shipped tracks in the full model, at most 3 % slower than the
// quasi-steady lap on a level road, and not faster.
func TestTheDrivenLapIsNearTheQuasiSteadyOne(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	car := passengerCar(t)
	e, err := envelope.Measure(car)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"oval", "club", "autocross"} {
		l, err := Drive(car, e, shipped(t, name), Options{Gear: 1, Width: 1.645})
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

// From 25 m/s the car brakes for a bend with a radius of 30 m and the limit 8 m/s2, and drives on behind it, close to
// the line and to the quasi-steady time. A driver who brakes late, steers late or counts slides as spins does not.
func TestADrivenBend(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	const straight, radius = 120.0, 30.0
	var text strings.Builder
	text.WriteString("x [m],y [m],width [m]\n")
	for s := 0.0; s < 2*straight+math.Pi/2*radius; s += 2 {
		angle := min(max((s-straight)/radius, 0), math.Pi/2)
		sin, cos := math.Sincos(angle)
		beyond := max(s-straight-math.Pi/2*radius, 0)
		fmt.Fprintf(&text, "%.6f,%.6f,8\n", min(s, straight)+radius*sin, radius*(1-cos)+beyond)
	}
	c, err := course.Parse("bend.csv", []byte(text.String()), course.Usual)
	if err != nil {
		t.Fatal(err)
	}
	e := even()
	e.Driving.Acceleration = []float64{1}
	l, err := Drive(passengerCar(t), e, c, Options{Start: 25, Gear: 1, Width: 1.6})
	if err != nil {
		t.Fatal(err)
	}
	quasi, err := lap.Solve(e, level(c), 25)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.3f s, quasi-steady %.3f s; %.2f m beside the line at %.0f m; %+v; %d runs", l.Time, l.Quasi, l.Off, l.OffAt,
		l.Borders, l.Runs)
	if l.Quasi != quasi.Time() || !(l.Time > l.Quasi && l.Time < 1.03*l.Quasi) || l.Off > 0.3 || l.Runs != 1 {
		t.Errorf("%+v, quasi-steady %g s", l, quasi.Time())
	}
	if *l.Gear != 1 || l.Borders.BodyWidth != 1.6 || math.Abs(l.Borders.Room-(4-0.8-l.Off)) > 0.01 {
		t.Errorf("gear %g, borders %+v", *l.Gear, l.Borders)
	}
	for i := range l.Table.Time {
		if d := l.Table.Speed[i] - l.Table.Wanted[i]; math.Abs(d) > 1.5 {
			t.Fatalf("at %.0f m the speed differs by %.2f m/s from the wanted one", l.Table.Distance[i], d)
		}
	}
}

// Settings, method and interruption reach the runs.
func TestPlansOfRuns(t *testing.T) {
	t.Parallel()
	c, e, o := beginning(t, 0.2), even(), Options{Start: 10, Gear: 1, Width: 1.6}
	stop := make(chan struct{})
	close(stop)
	for want, change := range map[string]func(*envelope.Car){
		"spurng":      func(car *envelope.Car) { car.Settings = []manoeuvre.Setting{{Name: "spurng", Value: "1"}} },
		"rk5":         func(car *envelope.Car) { car.Method = "rk5" },
		"interrupted": func(car *envelope.Car) { car.Interrupt = stop },
	} {
		car := passengerCar(t)
		change(&car)
		if l, err := Drive(car, e, c, o); l != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
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

// With the share u of the lateral limit, the deceleration is 0.95 mu g (1 - u^p)^(1/p). The exponent p is that of the
// car, and 1.3 at most. The acceleration keeps the exponent of the car. A car that always gets slower by 3 m/s2 never
// has a smaller deceleration.
func TestBrakingInABend(t *testing.T) {
	t.Parallel()
	for exponent, used := range map[float64]float64{1.1: 1.1, 1.3: 1.3, 2: 1.3} {
		e := even()
		e.Exponent = exponent
		c := careful{e, firstBrake}
		const u = 0.6
		least, most := c.Longitudinal(20, u*0.8*lap.Gravity, lap.Gravity)
		want := -firstBrake * 0.8 * lap.Gravity * math.Pow(1-math.Pow(u, used), 1/used)
		if _, full := e.Longitudinal(20, u*0.8*lap.Gravity, lap.Gravity); math.Abs(least-want) > 1e-9 || most != full {
			t.Errorf("exponent %g: %g to %g m/s2, want %g to %g m/s2", exponent, least, most, want, full)
		}
		if e.Exponent != exponent {
			t.Errorf("the car has the exponent %g after %g", e.Exponent, exponent)
		}
	}
	slow := even()
	slow.Driving.Acceleration = []float64{-3}
	least, most := careful{slow, firstBrake}.Longitudinal(20, 0.8*lap.Gravity, lap.Gravity)
	if least > most || most > -2.9 {
		t.Errorf("at the lateral limit of a car that gets slower by 3 m/s2: %g to %g m/s2", least, most)
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
	onset := slices.IndexFunc(wanted.Points, func(p lap.Point) bool { return p.Longitudinal < -1 })
	early := onset // half a second before the car brakes
	for early > 0 && wanted.Points[early].Time > wanted.Points[onset].Time-0.5 {
		early--
	}
	braked := 0
	for _, left := range []float64{1, deepest.S, c.Length() - 5, wanted.Points[early].S} {
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
	if early == 0 || braked == 0 || braked == 4 {
		t.Errorf("the car brakes at %d of 4 places", braked)
	}
}

// On an open track a place at the start leaves the reserves at the end, and the reverse.
func TestReservesOfAnOpenTrack(t *testing.T) {
	t.Parallel()
	c, e := beginning(t, 0.5), even()
	wanted, err := firstReserves(c).wanted(e, c, 5)
	if err != nil {
		t.Fatal(err)
	}
	last := len(c.S) - 1
	for left, far := range map[float64]int{1: last, c.Length() - 1: 0} {
		r := firstReserves(c)
		r.goBack(wanted, left)
		if near := last - far; r.bends[far] != firstBend || r.bends[near] != firstBend*backBend {
			t.Errorf("left at %g m: shares %g at the start and %g at the end", left, r.bends[0], r.bends[last])
		}
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
		if beyond := s - c.Length(); beyond > 0 { // straight ahead
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
		for i := range c.S {
			c.Left[i], c.Right[i] = 2, 5
		}
		wanted, err := firstReserves(c).wanted(even(), c, 10)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWay(c, wanted, begin(c), 1.6)
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
		l, left := w.read(walked(c, speed, whole+1, aside), "body")
		if left != nil {
			t.Fatalf("%s: left at %+v", name, left)
		}
		if math.Abs(l.Time-c.Length()/speed) > 0.02 {
			t.Errorf("%s: %g s, want %g s", name, l.Time, c.Length()/speed)
		}
		if math.Abs(l.Off-0.45) > 0.02 || l.OffAt < 59 || l.OffAt > 71 {
			t.Errorf("%s: %g m beside the line at %g m", name, l.Off, l.OffAt)
		}
		if b := l.Borders; b.BodyWidth != 1.6 || math.Abs(b.Room-(2-0.45-0.8)) > 0.02 || b.At < 59 || b.At > 71 {
			t.Errorf("%s: borders %+v, want 0.75 m", name, b)
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
		for _, beyond := range []float64{-1.2, 1.2} {
			_, left = w.read(walked(c, speed, whole+1, func(s float64) float64 {
				if s > 90 && s < 100 {
					return beyond
				}
				return 0
			}), "body")
			if left == nil || !left.beside || !(left.at >= 89 && left.at <= 91) {
				t.Errorf("%s: the body leaves the line by %g m at 90 m, not as %+v", name, beyond, left)
			}
		}
		stays := walked(c, speed, (w.runUp+50)/speed, aside)
		_, left = w.read(stays, "body")
		at := wanted.Points[int(math.Round(50/c.S[1]))].Speed
		if left == nil || left.beside || !(math.Abs(left.at-50) < 1) || left.speed != speed ||
			math.Abs(left.wanted-at) > 0.05*at {
			t.Errorf("%s: the body stays at 50 m, where %g m/s are wanted, not as %+v", name, at, left)
		}
		stays.Verdict = "the car spins"
		if _, left = w.read(stays, "body"); left == nil || !left.beside || !(math.Abs(left.at-50) < 1) {
			t.Errorf("%s: the body spins at 50 m, not as %+v", name, left)
		}
	}
}

// The time at the end is found between the rows of a run: on a straight it is exact.
func TestTheTimeBetweenRows(t *testing.T) {
	t.Parallel()
	c := beginning(t, 0.1)
	wanted, err := firstReserves(c).wanted(even(), c, 10)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWay(c, wanted, 0, math.NaN())
	if err != nil {
		t.Fatal(err)
	}
	for _, speed := range []float64{20.03, 31.7, 47.1} {
		want := c.Length() / speed
		l, left := w.read(walked(c, speed, want+1, func(float64) float64 { return 0 }), "body")
		if left != nil || math.Abs(l.Time-want) > 1e-4 || l.Borders != nil {
			t.Errorf("%+v, %+v, want %g s", l, left, want)
		}
	}
}

// open is an open course, the first half of the oval.
func open(t *testing.T) *course.Course { return beginning(t, 0.5) }

// beginning is an open course, the first part of the oval.
func beginning(t *testing.T, share float64) *course.Course {
	t.Helper()
	c := *shipped(t, "oval")
	n := int(share * float64(len(c.S)))
	c.Closed = false
	for _, list := range []*[]float64{
		&c.S, &c.X, &c.Y, &c.Z, &c.Heading, &c.Curvature, &c.Left, &c.Right, &c.Bank, &c.Slope} {
		*list = (*list)[:n]
	}
	return &c
}
