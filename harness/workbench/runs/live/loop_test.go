package live

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// point is a mass on a line that a throttle pushes: a vehicle whose motion is known.
type point struct {
	x, v, t float64
	inputs  []float64
	broken  bool
	takes   time.Duration // a slice
}

var pointInputs = []string{"wheel.angle", "wheel.rate", "wheel.acceleration", "engine.throttle", "brakes.torque"}

func (p *point) Find(name string) (library.Variable, error) {
	for i, other := range pointInputs {
		if name == other {
			return library.Variable{Name: name, Reference: uint32(i), Causality: library.Input}, nil
		}
	}
	return library.Variable{}, fmt.Errorf("no variable %q", name)
}

func (p *point) References(names ...string) (list []uint32, err error) {
	for _, name := range names {
		if name == "body.vx" {
			list = append(list, 100)
		} else if name == "body.x" {
			list = append(list, 101)
		} else if x, err := p.Find(name); err == nil {
			list = append(list, x.Reference)
		} else {
			return nil, err
		}
	}
	return list, nil
}

func (p *point) Advance(h float64, _ []uint32, inputs []float64, out []uint32, outputs []float64) error {
	if p.broken {
		return fmt.Errorf("broken")
	}
	if p.takes > 0 {
		time.Sleep(p.takes)
	}
	copy(p.inputs, inputs)
	a := 5*inputs[3] - inputs[4]*math.Copysign(1, p.v)
	if p.v == 0 && inputs[3] == 0 {
		a = 0
	}
	p.x += h * p.v
	p.v += h * a
	p.t += h
	return p.Get(out, outputs)
}

func (p *point) Get(references []uint32, values []float64) error {
	for i, r := range references {
		switch r {
		case 100:
			values[i] = p.v
		case 101:
			values[i] = p.x
		default:
			values[i] = p.inputs[r]
		}
	}
	return nil
}

func (p *point) SetNamed(name string, value float64) error {
	if name != "body.vx" {
		return fmt.Errorf("no variable %q", name)
	}
	p.v = value
	return nil
}

func (p *point) Save() (state []byte, err error) {
	for _, x := range []float64{p.x, p.v, p.t} {
		state = binary.LittleEndian.AppendUint64(state, math.Float64bits(x))
	}
	return state, nil
}

func (p *point) Restore(state []byte) error {
	for i, to := range []*float64{&p.x, &p.v, &p.t} {
		*to = math.Float64frombits(binary.LittleEndian.Uint64(state[8*i:]))
	}
	return nil
}

func (p *point) Time() (float64, error) { return p.t, nil }

func pointCar() *manoeuvre.DrivenCar {
	return &manoeuvre.DrivenCar{Steering: &manoeuvre.Steering{Drivers: []string{"wheel"}}, Ratio: 15, Wheelbase: 2.5,
		Roles:  &roles.Roles{Chassis: "body", Throttle: &roles.Throttle{Inputs: []string{"engine.throttle"}, Open: 1}},
		Brakes: []roles.Set{{Inputs: []string{"brakes.torque"}, Factor: 1}}}
}

// taken holds the rows and events of a reader.
type taken struct {
	sync.Mutex
	got
	waits chan bool // the reader takes nothing from the first value to the second
}

// all is a copy of it.
func (k *taken) all() got {
	k.Lock()
	defer k.Unlock()
	g := k.got
	g.times, g.numbers, g.segments = slices.Clone(g.times), slices.Clone(g.numbers), slices.Clone(g.segments)
	g.throttle, g.events = slices.Clone(g.throttle), slices.Clone(g.events)
	return g
}

type got struct {
	times    []float64
	numbers  []uint32
	segments []int
	throttle []float64
	events   []string
	late     float64
	dropped  float64
}

func (k *taken) last() (time float64, rows int) {
	k.Lock()
	defer k.Unlock()
	if len(k.times) == 0 {
		return 0, 0
	}
	return k.times[len(k.times)-1], len(k.times)
}

func (k *taken) heard(text string) bool {
	k.Lock()
	defer k.Unlock()
	for _, e := range k.events {
		if strings.Contains(e, text) {
			return true
		}
	}
	return false
}

// read takes events and rows until the loop has ended.
func (k *taken) read(l *Loop) {
	for {
		select {
		case e, open := <-l.Events:
			if !open {
				return
			}
			k.Lock()
			k.events = append(k.events, e.Kind+" "+e.Text)
			k.Unlock()
		case <-l.Rows():
		case <-time.After(4 * time.Millisecond): // a running vehicle does not signal its rows
		case <-k.waits:
			<-k.waits
		}
		for r := l.Take(); r != nil; r = l.Take() {
			k.Lock()
			k.times, k.segments = append(k.times, r.Time), append(k.segments, r.Segment)
			k.numbers, k.throttle = append(k.numbers, r.Number), append(k.throttle, r.Throttle)
			k.late, k.dropped = max(k.late, r.Late), r.Dropped
			k.Unlock()
			l.Taken()
		}
	}
}

// bubbleClock is the time of a bubble of package synctest.
type bubbleClock struct{ begin time.Time }

func (c bubbleClock) Now() time.Duration { return time.Since(c.begin) }
func (c bubbleClock) SleepUntil(t time.Duration) {
	time.Sleep(t - c.Now())
}

// inLoop runs a loop of a point with time that passes only while all sleep.
func inLoop(t *testing.T, pace float64, do func(ctx context.Context, l *Loop, p *point, k *taken)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &point{inputs: make([]float64, len(pointInputs))}
		l, err := New(p, pointCar(), Options{Step: slice, Pace: pace, Clock: bubbleClock{time.Now()}, Recorded: true,
			Outputs: []string{"body.x"}, Restart: func() error {
				*p = point{inputs: make([]float64, len(p.inputs))}
				return nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		k := &taken{waits: make(chan bool)}
		var all sync.WaitGroup
		all.Go(func() { k.read(l) })
		all.Go(func() {
			if err := l.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		do(ctx, l, p, k)
		cancel()
		all.Wait()
	})
}

// hold repeats a command as a page does.
func hold(l *Loop, c Command, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		l.Drive(c)
	}
}

// The vehicle waits for its driver, runs at the pace of the clock, and takes the newest command.
func TestSlicesFollowTheClock(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		time.Sleep(time.Second)
		if now, rows := k.last(); now != 0 || rows != 1 {
			t.Errorf("a vehicle without a driver is at %g s after %d rows", now, rows)
		}
		l.Drive(Command{Number: 7, Keys: KeyThrottle})
		if err := l.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Number: 7, Keys: KeyThrottle}, 2*time.Second)
		if now, rows := k.last(); math.Abs(now-2) > 0.005 || k.all().numbers[rows-1] != 7 {
			t.Errorf("after 2 s the vehicle is at %g s, with the command %d", now, k.all().numbers[rows-1])
		}
		if err := l.SetPace(ctx, 0.25); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Number: 8, Keys: KeyThrottle}, 2*time.Second)
		if now, _ := k.last(); math.Abs(now-2.5) > 0.01 {
			t.Errorf("after 2 s at a quarter of the pace the vehicle is at %g s", now)
		}
		for _, pace := range []float64{0, 0.05, 5, math.NaN()} {
			if err := l.SetPace(ctx, pace); err == nil {
				t.Errorf("a pace of %g is accepted", pace)
			}
		}
	})
}

// A lost driver has released all keys after a quarter of a second, and a second later the vehicle pauses.
func TestALostDriverReleasesTheKeys(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		l.Drive(Command{Keys: KeyThrottle})
		if err := l.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Keys: KeyThrottle}, time.Second)
		time.Sleep(600 * time.Millisecond)
		throttle := k.all().throttle
		if now := throttle[len(throttle)-1]; now != 0 || throttle[900] != 1 {
			t.Errorf("throttle %g, %g without a driver", throttle[900], now)
		}
		if k.heard("nobody drives") {
			t.Error("the vehicle pauses after half a second")
		}
		time.Sleep(time.Second)
		now, _ := k.last()
		time.Sleep(time.Second)
		if later, _ := k.last(); !k.heard("nobody drives") || later != now || now > 2.3 {
			t.Errorf("%v, the vehicle goes on from %g to %g s", k.all().events, now, later)
		}
	})
}

// Slices that are ordered of a paused vehicle have the newest command, however old it is.
func TestOrderedSlicesHaveTheNewestCommand(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		p.takes = 10 * time.Millisecond
		l.Drive(Command{Device: Program, Throttle: 1, Number: 3})
		time.Sleep(3 * time.Second)
		if err := l.Advance(ctx, 100); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
		now, rows := k.last()
		if throttle := k.all().throttle; math.Abs(now-0.1) > 1e-9 || math.Abs(throttle[rows-1]-0.2) > 1e-9 ||
			len(k.all().events) != 1 { // a pedal goes down in 0.5 s
			t.Errorf("at %g s the throttle is %g; %q", now, throttle[rows-1], k.all().events)
		}
	})
}

// A machine that stops for 300 ms loses that time except for 50 ms, which are caught up. Nothing jumps.
func TestTimeThatIsTooLateIsDropped(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		l.Drive(Command{Keys: KeyThrottle})
		if err := l.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Keys: KeyThrottle}, time.Second)
		before, _ := k.last()
		if err := l.order(ctx, func(*Loop) error { time.Sleep(300 * time.Millisecond); return nil }); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Keys: KeyThrottle}, time.Second)
		now, _ := k.last()
		g := k.all()
		if passed := now - before; math.Abs(passed-1.05) > 0.03 || math.Abs(g.dropped-0.25) > 0.02 || g.late > 0.0501 {
			t.Errorf("%g s passed, %g s are dropped, at most %g s late", passed, g.dropped, g.late)
		}
		for i := 1; i < len(g.times); i++ {
			if math.Abs(g.times[i]-g.times[i-1]-slice) > 1e-9 {
				t.Fatalf("from %g to %g s", g.times[i-1], g.times[i])
			}
		}
	})
}

// A reader that takes nothing pauses the vehicle, and no row is lost.
func TestAReaderThatIsBehindPausesTheVehicle(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		l.Drive(Command{Keys: KeyThrottle})
		if err := l.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Keys: KeyThrottle}, 500*time.Millisecond)
		k.waits <- true
		hold(l, Command{Keys: KeyThrottle}, 6*time.Second)
		k.waits <- false
		time.Sleep(100 * time.Millisecond)
		now, rows := k.last()
		if !k.heard("cannot keep up") || now < 4.3 || now > 4.7 || rows != int(math.Round(now/slice))+1 {
			t.Errorf("%v at %g s, %d rows", k.all().events, now, rows)
		}
	})
}

// Rewinding, slots, resets and settings begin segments, at states that were there before.
func TestSegmentsBeginAtEarlierStates(t *testing.T) {
	inLoop(t, 0, func(ctx context.Context, l *Loop, p *point, k *taken) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Millisecond)
		l.Drive(Command{Device: Program, Throttle: 1})
		must(l.Advance(ctx, 3500))
		must(l.Keep(ctx, 3))
		x, v := p.x, p.v
		l.Drive(Command{Device: Program, Brake: 5})
		must(l.Advance(ctx, 500))
		must(l.Return(ctx, 3))
		if p.x != x || p.v != v || l.driver.throttle != 1 {
			t.Errorf("slot 3 leads to %g m, %g m/s, throttle %g, not %g m, %g m/s", p.x, p.v, l.driver.throttle, x, v)
		}
		must(l.Rewind(ctx, 2))
		if math.Abs(p.t-1) > 1e-9 || l.driver.throttle != 1 {
			t.Errorf("2 s before 3.5 s the vehicle is at %g s, throttle %g", p.t, l.driver.throttle)
		}
		must(l.Set(ctx, "body.vx", 2))
		must(l.Advance(ctx, 1))
		must(l.Reset(ctx))
		if p.t != 0 || l.driver.throttle != 0 {
			t.Errorf("the reset leads to %g s, throttle %g", p.t, l.driver.throttle)
		}
		must(l.Rewind(ctx, 100)) // to the begin
		time.Sleep(time.Millisecond)
		if list := k.all().segments; list[len(list)-1] != 6 {
			t.Errorf("%d segments", list[len(list)-1])
		}
		for what, err := range map[string]error{"an empty slot": l.Return(ctx, 4), "slot 10": l.Keep(ctx, 10),
			"slot 0": l.Return(ctx, 0), "slot 0 to keep": l.Keep(ctx, 0), "no slices": l.Advance(ctx, 0),
			"many slices":      l.Advance(ctx, 1e7),
			"another variable": l.Set(ctx, "body.mass", 3), "no number": l.Set(ctx, "body.vx", math.NaN()),
			"lockstep": l.Resume(ctx)} {
			if err == nil {
				t.Errorf("%s is accepted", what)
			}
		}
		must(l.Keep(ctx, 9))
		must(l.Advance(ctx, 130_000))
		must(l.order(ctx, func(l *Loop) error {
			if len(l.kept) != mostCheckpoints || math.Abs(l.kept[0].time-11) > 1e-6 {
				t.Errorf("%d states are kept, from %g s on", len(l.kept), l.kept[0].time)
			}
			return nil
		}))
		if !k.heard("digest") {
			t.Error("no digests")
		}
	})
}

// A vehicle slower than real time runs at its own pace, and leaves a tenth of the time to others.
func TestASlowVehicleLeavesTimeToOthers(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		p.takes = 2 * time.Millisecond
		l.Drive(Command{Keys: KeyThrottle})
		if err := l.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		if err := l.Advance(ctx, 1); err == nil {
			t.Error("slices are ordered of a running vehicle")
		}
		hold(l, Command{Keys: KeyThrottle}, 2*time.Second)
		now, _ := k.last()
		if dropped := k.all().dropped; now < 0.87 || now > 0.93 || math.Abs(now+dropped+0.05-2) > 0.05 {
			t.Errorf("in 2 s the vehicle comes to %g s and drops %g s", now, dropped)
		}
	})
}

// A step that fails pauses the vehicle where it is.
func TestAFailedStepPausesTheVehicle(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, k *taken) {
		l.Drive(Command{Keys: KeyThrottle})
		if err := l.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Keys: KeyThrottle}, 100*time.Millisecond)
		if err := l.order(ctx, func(*Loop) error { p.broken = true; return nil }); err != nil {
			t.Fatal(err)
		}
		hold(l, Command{Keys: KeyThrottle}, 100*time.Millisecond)
		if now, _ := k.last(); !k.heard("broken") || now > 0.13 {
			t.Errorf("%v at %g s", k.all().events, now)
		}
	})
}

// A slice allocates nothing.
func TestSlicesDoNotAllocate(t *testing.T) {
	p := &point{inputs: make([]float64, len(pointInputs))}
	l, err := New(p, pointCar(), Options{Step: 1e-3, Pace: 1, Outputs: []string{"body.x"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.start(); err != nil {
		t.Fatal(err)
	}
	l.paused = false
	if n := testing.AllocsPerRun(900, func() { // fewer slices than there are between two kept states
		l.Drive(Command{Keys: KeyThrottle | KeyLeft})
		if err := l.step(); err != nil {
			t.Fatal(err)
		}
		l.Take()
		l.Taken()
	}); n > 1 { // the command of the page
		t.Errorf("%g allocations", n)
	}
}

// The speed is held, the brake holds the standing vehicle, and pedals take their time.
func TestPedals(t *testing.T) {
	d := &driver{car: Car{Ratio: 15, Wheelbase: 2.5}, most: 7}
	run := func(c Command, speed float64, slices int) {
		for range slices {
			d.drive(&c, speed, slice)
			d.advance(slice)
		}
	}
	run(Command{Keys: KeyThrottle}, 10, 250)
	if math.Abs(d.throttle-0.5) > 0.01 {
		t.Errorf("throttle %g after a quarter of a second", d.throttle)
	}
	run(Command{Keys: KeyThrottle}, 10, 300)
	if d.throttle != 1 {
		t.Errorf("throttle %g after half a second", d.throttle)
	}
	run(Command{}, 10, 100)
	if math.Abs(d.throttle-0.5) > 0.01 {
		t.Errorf("throttle %g a tenth of a second after its release", d.throttle)
	}
	run(Command{Keys: KeyBrake}, 5, 150)
	if math.Abs(d.brake-4) > 0.05 {
		t.Errorf("the brake is at %g m/s2 after half of its time", d.brake)
	}
	run(Command{}, 5, 1000)
	if d.brake != 0 || d.stands {
		t.Errorf("the brake of the rolling vehicle stays at %g m/s2", d.brake)
	}
	run(Command{Keys: KeyBrake}, 5, 300)
	if math.Abs(d.brake-8) > 0.01 || d.throttle != 0 {
		t.Errorf("brake %g m/s2, throttle %g", d.brake, d.throttle)
	}
	run(Command{Keys: KeyBrake}, 0.1, 100)
	run(Command{}, 0.1, 1000)
	if d.brake < 3.9 {
		t.Errorf("the brake of the standing vehicle is at %g m/s2", d.brake)
	}
	run(Command{Keys: KeyThrottle}, 0.1, 500)
	if d.brake != 0 || d.throttle < 0.99 {
		t.Errorf("the vehicle starts with the brake at %g m/s2, throttle %g", d.brake, d.throttle)
	}
	run(Command{Keys: KeyHold}, 12, 10)
	run(Command{}, 10, 1000)
	if !d.holds || d.throttle < 0.9 {
		t.Errorf("2 m/s below the held speed the throttle is at %g", d.throttle)
	}
	run(Command{}, 14, 1000)
	if d.throttle > 0.1 {
		t.Errorf("2 m/s above the held speed the throttle is at %g", d.throttle)
	}
	run(Command{Keys: KeyHold}, 12, 1)
	if d.holds {
		t.Error("the same key does not end holding the speed")
	}
	run(Command{}, 12, 1)
	run(Command{Keys: KeyHold | KeyHandBrake}, 12, 1)
	if !d.holds || d.handBrake < 1 {
		t.Errorf("holds %v, hand brake %g", d.holds, d.handBrake)
	}
	run(Command{Keys: KeyBrake}, 12, 1)
	run(Command{}, 10, 1000)
	if d.handBrake != 0 {
		t.Errorf("the hand brake stays at %g", d.handBrake)
	}
	run(Command{Device: Program, Throttle: 3, Brake: -4}, 10, 2000)
	if d.throttle != 1 || d.brake != 0 {
		t.Errorf("a program beyond the ends: throttle %g, brake %g", d.throttle, d.brake)
	}
	run(Command{}, 10, 1000)
	if d.holds || d.throttle != 0 {
		t.Error("the brake does not end holding the speed")
	}
}

// Devices steer by their own laws, within the limit of the speed, or of the road wheels.
func TestDevicesSteer(t *testing.T) {
	angle := func(c Command, speed float64) float64 {
		d := &driver{car: Car{Ratio: 15, Wheelbase: 2.5, Understeer: 0.002}, most: 7}
		for range 3000 {
			d.drive(&c, speed, slice)
			d.advance(slice)
		}
		return d.angle
	}
	limit := func(speed float64) float64 {
		radius := max(speed*speed/7, 5.5)
		return 15 * min(2.5/radius+0.002*speed*speed/radius, 0.6)
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"left":           {angle(Command{Keys: KeyLeft}, 20), limit(20)},
		"right":          {angle(Command{Keys: KeyRight}, 20), -limit(20)},
		"both":           {angle(Command{Keys: KeyLeft | KeyRight}, 20), 0},
		"fine":           {angle(Command{Keys: KeyLeft | KeyFine}, 20), 0.4 * limit(20)},
		"slow":           {angle(Command{Keys: KeyLeft}, 2), 15 * 2.5 / 5.5 * (1 + 0.002*4/2.5)},
		"stick":          {angle(Command{Device: Gamepad, Steering: -1}, 20), -limit(20)},
		"half a stick":   {angle(Command{Device: Gamepad, Steering: 0.54}, 20), math.Pow(0.5, 1.6) * limit(20)},
		"resting stick":  {angle(Command{Device: Gamepad, Steering: 0.07}, 20), 0},
		"wheel":          {angle(Command{Device: Wheel, Steering: 2.5}, 20), 2.5},
		"program":        {angle(Command{Device: Program, Steering: -0.3}, 20), -0.3},
		"beyond the end": {angle(Command{Device: Wheel, Steering: 99}, 20), 9},
	} {
		if !(math.Abs(c.got-c.want) < 1e-6*max(1, math.Abs(c.want))) {
			t.Errorf("%s: %g rad, want %g", name, c.got, c.want)
		}
	}
}

// Quantities that take long to read are read each 50 ms, and in slices of a paused vehicle. Rows between have the last
// values.
func TestSomeOutputsAreReadSeldom(t *testing.T) {
	p := &point{inputs: make([]float64, 5), v: 3}
	l, err := New(p, pointCar(), Options{Step: slice, Pace: 1, Seldom: []string{"body.x"}, Clock: bubbleClock{time.Now()},
		Restart: func() error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	step := func() (x float64) {
		l.Drive(Command{})
		if err := l.step(); err != nil {
			t.Fatal(err)
		}
		r := l.Take()
		if x = r.Seldom[0]; !math.IsNaN(r.Clutch) {
			t.Errorf("a vehicle without a clutch has it at %g", r.Clutch)
		}
		l.Taken()
		return x
	}
	if err := l.start(); err != nil {
		t.Fatal(err)
	}
	l.Taken()
	l.paused = false
	reads, last := 0, 0.0
	for range 200 {
		if x := step(); x != last {
			reads, last = reads+1, x
			if x != p.x {
				t.Errorf("%g, not %g", x, p.x)
			}
		}
	}
	l.paused = true
	if x := step(); reads != 4 || x != p.x {
		t.Errorf("%d reads in 0.2 s; %g after a single slice, not %g", reads, x, p.x)
	}
}

// Within the last second the vehicle goes back by 10 ms, again and again, and from there 1 s to what was kept.
func TestSmallStepsBack(t *testing.T) {
	inLoop(t, 1, func(ctx context.Context, l *Loop, p *point, _ *taken) {
		stop := make(chan bool)
		go func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(100 * time.Millisecond):
					l.Drive(Command{Keys: KeyThrottle})
				}
			}
		}()
		defer close(stop)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		l.Drive(Command{Keys: KeyThrottle})
		must(l.Resume(ctx))
		time.Sleep(2505500 * time.Microsecond)
		must(l.Pause(ctx, ""))
		was := p.t
		for _, want := range []float64{2.49, 2.48, 2.47} {
			must(l.Rewind(ctx, 0.01))
			if math.Abs(p.t-want) > 1e-6 || was < 2.5 {
				t.Errorf("%g s before %g s is %g s", 0.01, was, p.t)
			}
		}
		must(l.Keep(ctx, 1))
		must(l.Rewind(ctx, 0.5)) // to 1.97 s
		must(l.Return(ctx, 1))
		must(l.Rewind(ctx, 0.01)) // what was before the slot is not kept closely any more
		if math.Abs(p.t-1) > 1e-6 {
			t.Errorf("10 ms before a slot is %g s", p.t)
		}
		must(l.Return(ctx, 1))
		must(l.Rewind(ctx, 1))
		if math.Abs(p.t-1) > 1e-6 {
			t.Errorf("1 s before 2.47 s is %g s", p.t)
		}
		must(l.Rewind(ctx, 5))
		if p.t != 0 {
			t.Errorf("5 s earlier is %g s", p.t)
		}
	})
}
