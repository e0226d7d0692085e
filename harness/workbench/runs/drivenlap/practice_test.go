package drivenlap

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// A driver who leaves the line at a place twice has 0.97 squared of the lateral limit there in the third run, and has
// driven it with a lower speed each time.
func TestTheDriverGoesBackUntilHeStaysOnTheLine(t *testing.T) {
	t.Parallel()
	c, e := shipped(t, "oval"), even()
	place := slices.Index(c.Curvature, slices.Max(c.Curvature))
	var speeds []float64
	l, err := practise(e, c, 0, func(wanted *lap.Lap) (*Lap, *end, error) {
		speeds = append(speeds, wanted.Points[place].Speed)
		if len(speeds) < 3 {
			return nil, &end{at: c.S[place], beside: true}, nil
		}
		return &Lap{Time: 12}, nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := firstBend * backBend * backBend; l.Time != 12 || l.Runs != 3 || math.Abs(l.Bend-want) > 1e-12 {
		t.Errorf("%+v, want run 3 with %g of the lateral limit", l, want)
	}
	for i, v := range speeds[1:] {
		if math.Abs(v/speeds[i]-math.Sqrt(backBend)) > 0.002 {
			t.Errorf("speeds %v; the square of each is %g of the one before", speeds, backBend)
		}
	}
}

// What ends the practice is one error with its place and a remedy.
func TestPracticeThatFails(t *testing.T) {
	t.Parallel()
	c, e := beginning(t, 0.2), even()
	broken := errors.New("broken")
	for _, f := range []struct {
		left *end
		err  error
		runs int
		want string
	}{
		{&end{at: 123, beside: true}, nil, Runs, "in 30 runs the driver does not stay within 1 m of the line; in the last " +
			"one he leaves it at 123 m. Choose another line"},
		{&end{at: 50, speed: 3, wanted: 20}, nil, 1, "the car is too slow: after 1.15 times the wanted time it " +
			"is at 50 m, with 3.0 m/s where 20.0 m/s are wanted; choose a gear"},
		{nil, broken, 1, "broken"},
	} {
		runs := 0
		l, err := practise(e, c, 5, func(*lap.Lap) (*Lap, *end, error) {
			runs++
			return &Lap{}, f.left, f.err
		})
		if l != nil || err == nil || !strings.HasPrefix(err.Error(), f.want) || runs != f.runs {
			t.Errorf("%d runs, %v; want %d runs, %s", runs, err, f.runs, f.want)
		}
	}
	if _, err := practise(e, c, 1000, nil); err == nil || !strings.Contains(err.Error(), "the start speed is 1000 m/s") {
		t.Errorf("a start speed of 1000 m/s: %v", err)
	}
}

// The nearest border counts on both sides. A body of 1.6 m that is 0.5 m to the left of its line has 1.3 m to the left
// and 0.3 m to the right.
func TestBorders(t *testing.T) {
	t.Parallel()
	c := open(t)
	for i := range c.S {
		c.Left[i], c.Right[i] = 2, 3
	}
	step := c.S[1]
	c.Left[20], c.Right[40] = 1.2, 0.2
	b := &Borders{BodyWidth: 1.6, Room: math.Inf(1)}
	for _, p := range []struct{ s, left, room, at float64 }{
		{10 * step, 0.5, 0.7, 10 * step}, {11 * step, -0.5, 0.7, 10 * step},
		{20.4 * step, 0.5, -0.1, 20.4 * step}, {20.6 * step, 0.6, -0.1, 20.4 * step},
		{40 * step, 0.5, -0.1, 20.4 * step}, {40 * step, -0.1, -0.7, 40 * step},
		{c.Length() + 1, 1.95, -0.75, c.Length() + 1},
	} {
		b.add(c, p.s, p.left)
		if math.Abs(b.Room-p.room) > 1e-9 || b.At != p.at {
			t.Errorf("%g m to the left of the line at %g m: %+v, want %g m at %g m", p.left, p.s, b, p.room, p.at)
		}
	}
}

// A run lasts 1.15 of the wanted time and of the run-up. The driver gets to know the car from the lowest to the highest
// speed of the run, from 5 m/s on and up to 0.85 of its top speed. The highest speed is 1.5 of the lowest one or more.
// The path begins at the run-up with its speed.
func TestTheManoeuvreOfARun(t *testing.T) {
	t.Parallel()
	target, err := modelfile.Target(built.Model("passenger_car"), "")
	if err != nil {
		t.Fatal(err)
	}
	target.Find = func(*roles.Roles) (map[string]float64, error) { return map[string]float64{}, nil }
	file, err := manoeuvre.OpenText(target, "driven lap", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		share        float64 // of the oval, 1 for the closed one
		start, top   float64
		gear, inGear float64
		low, high    float64 // 0: of the wanted lap
	}{
		{1, 0, 60, 3.7, 3.7, 0, 0}, {1, 0, 30, math.NaN(), 1, 17, 0.85 * 30}, {1, 0, 45, 1, 1, 0, 0.85 * 45},
		{0.5, 3, 60, 2, 2, slowest, 0}, {0.5, 10, 12, 1, 1, 6.8, 10.2}, {0.5, 20, 60, 1, 1, 20, 0},
		{0.05, 20, 60, 1, 1, 20, 30},
	} {
		c, e := shipped(t, "oval"), even()
		if k.share < 1 {
			c = beginning(t, k.share)
		}
		e.TopSpeed = k.top
		wanted, err := firstReserves(c).wanted(e, c, k.start)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWay(c, wanted, begin(c), math.NaN())
		if err != nil {
			t.Fatal(err)
		}
		run := drive.Plan{}
		if err := w.plan(&run, file, e, wanted, k.gear); err != nil {
			t.Fatal(err)
		}
		low, high := math.Inf(1), 0.0
		for _, p := range wanted.Points {
			low, high = min(low, p.Speed), max(high, p.Speed)
		}
		if k.low > 0 {
			low = k.low
		}
		if k.high > 0 {
			high = k.high
		}
		m, runUp := run.Manoeuvre, wanted.Time()-wanted.Points[w.first].Time
		if !c.Closed {
			runUp = 0
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) < 2e-3*max(want, 1)) {
				t.Errorf("%+v: %s is %g, want %g", k, what, got, want)
			}
		}
		near("the duration", m.Duration, 1.15*(wanted.Time()+runUp))
		near("the lowest speed of the driver", m.Driver.Slowest, low)
		near("the highest speed of the driver", m.Driver.Fastest, high)
		near("the lowest speed of the pedals", m.Pedals.Slowest, low)
		near("the highest speed of the pedals", m.Pedals.Fastest, high)
		for _, v := range m.Constants {
			switch v.Name {
			case "gear":
				near("the gear", v.Value, k.inGear)
			case "speed":
				near("the speed at the start", v.Value, wanted.Points[w.first].Speed)
			}
		}
		p := m.Phases[0]
		speed, _, _ := p.Speed.At(w.lengths[20])
		near("the speed after 20 steps", speed, wanted.Points[w.first+20].Speed)
		if p.Path != w.path || !p.ByDistance || w.path.StraightAhead == c.Closed || len(run.Record) != 4 {
			t.Errorf("%+v: the path is %+v, records %v", k, p.Path, run.Record)
		}
	}
}

// unreset is a vehicle that cannot be reset.
type unreset struct{ drive.Subject }

// What a car lacks for a driven lap is an error before any run.
func TestCarsThatAreRefused(t *testing.T) {
	t.Parallel()
	target, err := modelfile.Target(built.Model("passenger_car"), "")
	if err != nil {
		t.Fatal(err)
	}
	closed := 0
	car := envelope.Car{Target: target,
		Open: func() (drive.Subject, func(), error) { return unreset{}, func() { closed++ }, nil }}
	c, e, o := open(t), even(), Options{Start: 10, Gear: 1, Width: 1.6}
	if _, err := Drive(car, e, c, o); err == nil || !strings.Contains(err.Error(), "can be reset") || closed != 1 {
		t.Errorf("a vehicle without a reset: %v; closed %d times", err, closed)
	}
	car.Open = func() (drive.Subject, func(), error) { return nil, nil, errors.New("no vehicle") }
	if _, err := Drive(car, e, c, o); err == nil || err.Error() != "no vehicle" {
		t.Errorf("no vehicle: %v", err)
	}
	o.Start = 100
	if _, err := Drive(car, e, c, o); err == nil || !strings.Contains(err.Error(), "the start speed is 100 m/s") {
		t.Errorf("a start speed of 100 m/s: %v", err)
	}
}
